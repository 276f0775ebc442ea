// Values that are lost: (set way side) with the two exchanged, and whatever else nothing asks for.
#ifndef OLDSOW_IN_VAIN_H
#define OLDSOW_IN_VAIN_H

#include "script.h"

// Tells of names of the author's that get a value in vain, as far as the script shows it as it is written. For a script that
// has no other faults: what is misspelt may be what asks for them.
void set_in_vain(Diags *d, const Script *script);

#endif
