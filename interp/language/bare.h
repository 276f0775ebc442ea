// A name of the author's that is also a ludeme's, where nothing makes it: (let at 3) left out, and (set at 5) follows.
#ifndef OLDSOW_BARE_H
#define OLDSOW_BARE_H

#include "script.h"

// Told of once for all its uses in one item, which are no faults of their own then. The name that was meant may be
// misspelt where it is made: that is told of instead.
void bare_names(Diags *d, const Script *script);

#endif
