// What stands before and after the rules in a compiled game that needs no library.
#ifndef OLDSOW_STANDALONE_H
#define OLDSOW_STANDALONE_H

#include "../game.h"

void write_opening(FILE *out, const OldsowGame *game);
void write_closing(FILE *out, const OldsowGame *game);
// One of the texts that were embedded: "step", "machine", ...
void write_embedded(FILE *out, const char *name);

#endif
