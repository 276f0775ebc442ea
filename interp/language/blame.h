// Mistakes of a variant that come to light in the game it varies.
#ifndef OLDSOW_BLAME_H
#define OLDSOW_BLAME_H

#include "script.h"

// What was told of in a file of the game, because an item there was replaced, is told where it was replaced: the
// author's own line. Once for each item; the places in the game become labels. Numbers of diagnostics are no longer those
// that were given out.
void blame_replaced(Diags *d, const Script *script);

#endif
