// Games that run as machine code: compiled to C, built by the system's compiler, kept in a cache, loaded.
#ifndef OLDSOW_NATIVE_H
#define OLDSOW_NATIVE_H

#include "../oldsow.h"

enum { NATIVE_WHY_MAX = 512 };

// From now on the game's states run compiled; the results are the same. To be called before any state of the game is made,
// and not for games loaded with `places`. False if that cannot be, with the reason in `why`; the game is as it was.
bool native_attach(OldsowGame *game, char why[NATIVE_WHY_MAX]);

#endif
