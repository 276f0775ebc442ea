// What is counted over many random games. All of it is whole numbers, so that parts add up to the
// same whatever their order.
//
// A ply is one candidate of a decision or one outcome of a throw (or lot). The branching of a
// decision is how many candidates the player had; one is a number like others, throws have none.
// Owner: a tally owns its histograms until tally_free.
#ifndef OLDSOW_TALLY_H
#define OLDSOW_TALLY_H

#include "histogram.h"
#include "playout.h"

__extension__ typedef unsigned __int128 Wide;

typedef struct Tally {
    uint64_t games, plies, throws;
    uint64_t ends[PLAYOUT_ENDS];       // games that ended so
    uint64_t wins[OLDSOW_MAX_PLAYERS]; // games in which that player won, alone or with others
    Histogram lengths;                 // plies of the games that came to an end by their rules
    Histogram branching;               // of all decisions of players
    // For each game its decisions d and the sum b of their branching: what tells how far chance may
    // have led the mean branching astray.
    Wide sum_bb, sum_bd, sum_dd;
    uint64_t first_endless, first_fault; // the first such game; 0: none
} Tally;

bool tally_init(Tally *tally); // false: no memory
void tally_free(Tally *tally);
// Adds all that `from` has counted, of other games. False if a count would grow too big: `to` is
// then of no use any more.
bool tally_add(Tally *to, const Tally *from);

#endif
