// Small games to play records of, and to count and solve.
#ifndef OLDSOW_TEST_SMALL_GAMES_H
#define OLDSOW_TEST_SMALL_GAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/oldsow.h"

// Who takes the last of ten wins.
static const char nim[] =
    "(game \"The \\\"nim\\\" game\""
    " (players South North) (board (line 1)) (piece seed)"
    " (option limit {3 2} default: 3 \"taken at once\")"
    " (reading meek limit: 2 \"takes less\")"
    " (start (put 10 seed on: a1))"
    " (play (turns (choose n in: 1..limit where: (<= n (count a1)) as: \"take\""
    "   (remove n from: a1) (if (empty a1) (win mover))))))";

// Who takes two goes on: it is not always the other who moves next.
static const char greedy[] =
    "(game \"Greedy\""
    " (players South North) (board (line 1)) (piece seed)"
    " (start (put 9 seed on: a1))"
    " (play (turns (choose n in: 1..3 where: (<= n (count a1)) as: \"take\""
    "   (remove n from: a1) (if (empty a1) (lose mover)) (if (= n 2) (again))))))";

// Throws of a three give another throw; a throw is entered or let go.
static const char race[] = "(game \"Race\""
                           " (players South North) (board (line 1)) (piece seed) (store)"
                           " (dice die faces: 1..3)"
                           " (play (turns (let v (throw die))"
                           "   (either (choose as: \"enter\" (put v seed on: (store mover)))"
                           "           (choose as: \"stay\" (put 0 seed on: a1)))"
                           "   (if (>= (count (store mover)) 10) (win mover))"
                           "   (if (= v 3) (again)))))";

// Nobody ever wins, and there are but a few positions.
static const char round_and_round[] =
    "(game \"Round\""
    " (players South North) (board (line 3)) (piece seed)"
    " (start (put 1 seed on: a1))"
    " (play (turns (choose to in: board where: (empty to) (move all from: board to: to)))))";

// One way out of three steps, and two ways into a dead end.
static const char maze[] =
    "(game \"Maze\""
    " (players Walker) (board (graph points: {p q r s t} lines: {{p q} {q r} {q s} {r t}})) (piece "
    "man)"
    " (start (put 1 man on: p))"
    " (play (turns (choose to in: board"
    "     where: (any from in: board (and (occupied from) (in to (neighbours from))))"
    "     (move all from: board to: to))"
    "   (if (occupied s) (lose mover)) (if (occupied t) (win mover)))))";

// The third ply runs into an endless loop.
static const char trap[] = "(game \"Trap\""
                           " (players South North) (board (line 1)) (piece seed)"
                           " (play (turns (choose n in: 1..2 (put 1 seed on: a1)"
                           "   (while (= (count a1) 3) limit: 50 (put 0 seed on: a1))))))";

static inline OldsowGame *load_as(const char *script, const char *reading) {
    OldsowLoading how = {.reading = reading};
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text("small.sow", script, strlen(script), &how, &report);
    if (!game && report) oldsow_report_print(report, stderr, false);
    oldsow_report_free(report);
    assert_non_null(game);
    return game;
}

static inline OldsowGame *load(const char *script) { return load_as(script, NULL); }

#endif
