// Checked script -> program for the machine.
#ifndef OLDSOW_COMPILE_H
#define OLDSOW_COMPILE_H

#include "world.h"

// Compiles start and play. Faults that only show here (tables too large, a part of a region that only play knows)
// are reported. With `places` the program counts what play comes by (COVER). True if the program is whole; it then fulfils verify_program. `to_play`: it is worth some time to make it fast.
bool compile_program(World *w, bool places, bool to_play, Program *out);

#endif
