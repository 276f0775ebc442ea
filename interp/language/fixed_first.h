// What is fixed, where what changes belongs: (< 1 (count hole)), (mod 2 (count hole)).
#ifndef OLDSOW_FIXED_FIRST_H
#define OLDSOW_FIXED_FIRST_H

#include "script.h"

// Tells of comparisons and divisions of the author's that stand the wrong way round, as far as the script shows it as it is
// written, whatever its options are.
void fixed_first(Diags *d, const Script *script);
// The comparison that says the same of two numbers in the other order: `>` for `<`.
LudemeId turned(LudemeId id);

#endif
