// Counts the ways to play on: how many sequences of exactly so many plies there are.
//
// A ply is one candidate of a decision or one outcome of a throw. A finished game has no sequences,
// nor has a play in which the script failed; the latter are counted apart. Owner: a Perft owns its
// states; the game must outlive it.
#ifndef OLDSOW_PERFT_H
#define OLDSOW_PERFT_H

#include "../oldsow.h"
#include "watch.h"

enum { PERFT_MAX_DEPTH = 10000 };

typedef struct Perft Perft;

typedef enum PerftEnd {
    PERFT_DONE,
    PERFT_STOPPED,  // by its watch; the count is not complete
    PERFT_OVERFLOW, // more than 64 bits hold
    PERFT_NO_MEMORY,
} PerftEnd;

typedef struct PerftCount {
    uint64_t sequences;
    uint64_t faults;  // shorter plays that ended in a fault of the script
    uint64_t endless; // of them, those that came to a limit
} PerftCount;

// NULL when there is no memory. `start` is copied.
Perft *perft_new(const OldsowState *start);
void perft_free(Perft *perft);
// Counts to `depth` plies, 0 .. PERFT_MAX_DEPTH. `watch` may be NULL.
PerftEnd perft_count(Perft *perft, int depth, const Watch *watch, PerftCount *count);
// The first play found that ended in a fault, or NULL. Belongs to the Perft.
const OldsowState *perft_fault(const Perft *perft);

#endif
