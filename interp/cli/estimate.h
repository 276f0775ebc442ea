// What samples tell about all games there could be.
//
// The intervals are of 95 %: of many runs, nineteen in twenty would give one that holds the true
// value. Owner: nothing is kept.
#ifndef OLDSOW_CLI_ESTIMATE_H
#define OLDSOW_CLI_ESTIMATE_H

#include "../play/tally.h"

typedef struct Estimate {
    double value, low, high; // low and high are value where the sample is too small for more
} Estimate;

// A share: k of n, n > 0. Wilson's interval (1927), which holds for shares near 0 and 1 too.
Estimate estimate_share(uint64_t k, uint64_t n);
// The mean of independent numbers, at least one, by the normal approximation. Numbers that the
// histogram keeps by steps count as the first of their step for the width of the interval.
Estimate estimate_mean(const Histogram *histogram);
// The mean branching of the decisions, of which there is at least one. Decisions of one game
// resemble each other, so that the interval is that of a ratio of two sums over independent games
// (Cochran, Sampling Techniques, 1977, chapter 6).
Estimate estimate_branching(const Tally *tally);

#endif
