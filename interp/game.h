// What is behind an OldsowGame. Private to interp/.
//
// Owner: a game and the report of its loading live in one arena, freed with the later of the two.
#ifndef OLDSOW_GAME_H
#define OLDSOW_GAME_H

#include "../grammar/ast.h"
#include "oldsow.h"
#include "vm/program.h"

#include <signal.h>
#include <stdatomic.h>

typedef struct Shared {
    Arena *arena;
    Sources sources;
    Diags diags;
    atomic_int users;
    const struct Script *script; // NULL until it could be read
} Shared;

struct OldsowGame {
    Shared *shared;
    Program program;
    const char *title, *doc, *reading;
    const OldsowOption *options;
    size_t noptions;
    const OldsowReading *readings;
    size_t nreadings;
    const Node *written;
    const struct Expanded *expanded;
    // For drawing: the board's extent; 0 rows for a board without rows and columns.
    int rows, columns;
    const char *board_note; // how a board without rows hangs together, as text; or NULL
};

struct OldsowReport {
    Shared *shared;
};

// The script of that report, loaded once more, into the same memory: spans of its games are spans of the report. What
// is wrong with it is told in the report. NULL if there is anything, or no memory.
OldsowGame *report_load(OldsowReport *report, const OldsowLoading *how);
// oldsow_check, which stops between two readings or values of options, and is false, once *stop is set.
bool check_until(const char *path, const volatile sig_atomic_t *stop, OldsowReport **report);

#endif
