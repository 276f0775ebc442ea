// Works out what can be known before the game is played: regions, tracks, sites, numbers.
//
// An expression may depend on a few values known only in play (its leaves: a player, a site): then it is worked
// out for all of them beforehand, and the compiler makes a Family of the answers.
#ifndef OLDSOW_EVAL_H
#define OLDSOW_EVAL_H

#include "world.h"

typedef struct Leaf {
    const Node *node;
    int low, size, value;
} Leaf;

typedef struct Leaves {
    Leaf at[FAMILY_DIMS];
    int n;
    bool too_many;
} Leaves;

// The value of a checked node: a list's or track's number, a site, a number. False if it depends on play
// (or was reported). `leaves` may be NULL.
bool evaluate(World *w, const Node *n, const Leaves *leaves, int *value);
// The parts of a list, track or FAMILY ludeme that depend on play.
void find_leaves(World *w, const Node *n, Leaves *leaves);
// A run a1..c3 of sites that share neither row nor column: right in a region, not on a way.
bool is_rectangle(World *w, const Node *n);
bool is_constant(World *w, const Node *n);

#endif
