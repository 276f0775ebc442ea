// Works out what can be known before the game is played: regions, tracks, sites, numbers.
//
// An expression may depend on a few values known only in play (its leaves: a player, a site): then it is worked
// out for all of them beforehand, and the compiler makes a Family of the answers.
#ifndef OLDSOW_EVAL_H
#define OLDSOW_EVAL_H

#include "world.h"

enum { LEAVES_MAX = FAMILY_DIMS + 3 }; // the leaves of a family, and the names of loops within

typedef struct Leaf {
    const Node *node;
    int low, size, value;
} Leaf;

typedef struct Leaves {
    Leaf at[LEAVES_MAX];
    int n;
    bool too_many;
    const Node *beyond; // with too_many: the one that is too much
} Leaves;

// The value of a checked node: a list's or track's number, a site, a number. False if it depends on play
// (or was reported). `leaves` may be NULL.
bool evaluate(World *w, const Node *n, const Leaves *leaves, int *value);
// The parts of a list, track or FAMILY ludeme that depend on play. Of `(step c north)` that is either the step or `c`,
// whichever leaves less to be worked out.
void find_leaves(World *w, const Node *n, Leaves *leaves);
// The leaf that the node is, or NULL.
const Leaf *find_leaf(const Leaves *leaves, const Node *n);
// Whether the two say the same, and so are the same at any one moment.
bool same_asked(const Node *a, const Node *b);
// A run a1..c3 of sites that share neither row nor column: right in a region, not on a way.
bool is_rectangle(World *w, const Node *n);
// One more thing that depends on play, unless it is among them; too_many if there is no room for it.
void add_leaf(World *w, const Node *n, Leaves *leaves);
bool is_constant(World *w, const Node *n);

#endif
