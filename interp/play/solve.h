// Exact answers about small games without chance.
//
// One player: a shortest way to win, or the certainty that there is none. Two players: what the
// game is worth when both play their best, and a line that shows it. Owner: the answer's line and
// state are the caller's, freed by solve_free.
#ifndef OLDSOW_SOLVE_H
#define OLDSOW_SOLVE_H

#include "../oldsow.h"
#include "watch.h"

enum { SOLVE_LIMIT_ONE = 20000000, SOLVE_LIMIT_TWO = 5000000 };

typedef struct Solve {
    // Depth first, content with less. One player: with the first solution found. Two players: with who wins; a win
    // is not the fastest. Where positions come up again the whole game is looked at all the same.
    bool any;
    uint64_t limit;     // positions looked at, at most; 0: the number above for so many players
    size_t memory_cap;  // bytes; 0: space_memory_default
    const Watch *watch; // may be NULL
} Solve;

typedef enum SolveEnd {
    SOLVE_WON,      // one player: `line` wins
    SOLVE_HOPELESS, // one player: there is no way to win
    SOLVE_VALUE,    // two players: `winner` can force a win, or nobody can
    SOLVE_PLAYERS,  // refused: more than two players
    SOLVE_CHANCE,   // refused: `line` leads to a throw
    SOLVE_HISTORY,  // refused: the rules ask which positions came before, so that equal positions
                    // may differ
    SOLVE_FAULT, // two players: the script fails after `line`; the value of that is anybody's guess
    SOLVE_LIMIT, // gave up: too many positions
    SOLVE_MEMORY, // gave up: too much memory
    SOLVE_STOPPED,
} SolveEnd;

typedef struct SolveAnswer {
    SolveEnd end;
    size_t *line; // candidates from the start of the game
    size_t length;
    int winner;   // SOLVE_VALUE: a player, or -1 for a draw
    size_t moves; // SOLVE_VALUE with a winner: plies to the win, the loser delaying it; SOLVE_WON:
                  // `length`
    bool any;     // SOLVE_VALUE: a win is not the fastest; `moves` is 0
    bool circles; // SOLVE_VALUE: the line of a draw ends where a position comes up again
    uint64_t positions; // looked at
    uint64_t
        faults; // one player: positions in which the script failed; nothing is known beyond them
    OldsowState *fault; // the first of them, or NULL
} SolveAnswer;

SolveAnswer solve(const OldsowGame *game, const Solve *how);
void solve_free(SolveAnswer *answer);

#endif
