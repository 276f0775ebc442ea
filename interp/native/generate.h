// Writes a game as a C file.
#ifndef OLDSOW_GENERATE_H
#define OLDSOW_GENERATE_H

#include "../game.h"

typedef enum CompiledAs {
    COMPILED_PLUGIN,     // only the rules, to be loaded by the library
    COMPILED_STANDALONE, // with the interface of oldsow.h
} CompiledAs;

// Writes the file to `out`; what could not be written shows in ferror(out). False when there is no memory.
bool compiled_write(FILE *out, const OldsowGame *game, CompiledAs as);

#endif
