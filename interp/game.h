// What is behind an OldsowGame. Private to interp/.
//
// Owner: the arena, freed by oldsow_game_free; the game itself lives in it.
#ifndef OLDSOW_GAME_H
#define OLDSOW_GAME_H

#include "../grammar/ast.h"
#include "oldsow.h"
#include "vm/program.h"

struct OldsowGame {
    Arena *arena;
    Sources sources;
    Program program;
    const char *title, *doc, *reading;
    const OldsowOption *options;
    size_t noptions;
    const OldsowReading *readings;
    size_t nreadings;
    const Node *written, *expanded;
    // For drawing: the board's extent; 0 rows for a board without rows and columns.
    int rows, columns;
    const char *board_note; // how a board without rows hangs together, as text; or NULL
};

struct OldsowReport {
    Arena *arena;
    Sources sources;
    Diags diags;
};

#endif
