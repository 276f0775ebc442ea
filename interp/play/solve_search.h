// What the searches of solve.c and solve_two.c share. Private to them.
//
// Owner: a Search owns its space, walker and scratch state; what goes into the answer is the
// answer's.
#ifndef OLDSOW_SOLVE_SEARCH_H
#define OLDSOW_SOLVE_SEARCH_H

#include "solve.h"
#include "space.h"

typedef struct Search {
    const OldsowGame *game;
    const Solve *how;
    Space space;
    Walker walker;
    OldsowState *scratch;
    uint64_t looked; // candidates tried, for the watch
    SolveAnswer *answer;
} Search;

// One candidate tried.
typedef struct Try {
    bool fault; // the script failed there; there is no node
    bool fresh; // the position was not known
    uint32_t node;
} Try;

// Plays candidate i of the position `parent`, whose state is given, into the search's scratch
// state, and keeps where it leads. False if the search is at an end; answer->end then tells why.
bool search_try(Search *search, uint32_t parent, const OldsowState *state, size_t i, Try *tried);
// Ends the search: always false.
bool search_end(Search *search, SolveEnd end);

// Of a game of two that is over: the player who won, or -1.
int solve_winner(const OldsowState *over);

bool solve_two(Search *search);
// Depth first; with *circles the answer is still wanted: a position came up again within a line of play.
bool solve_deep(Search *search, bool *circles);

#endif
