// How often each number came up: lengths of games, candidates of a decision.
//
// Numbers below HISTOGRAM_EXACT are counted each by itself; from there on each power of two is cut
// into HISTOGRAM_CUTS steps, and a number counts as the first of its step, at most a thousandth
// less than it is. Sum and count are exact always. Adding to one takes no memory. Owner: the
// histogram owns its table until histogram_free.
#ifndef OLDSOW_HISTOGRAM_H
#define OLDSOW_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HISTOGRAM_BITS = 16, // below 2 to this power numbers are exact
    HISTOGRAM_EXACT = 1 << HISTOGRAM_BITS,
    HISTOGRAM_CUT_BITS = 10,
    HISTOGRAM_CUTS = 1 << HISTOGRAM_CUT_BITS,
    HISTOGRAM_SIZE = HISTOGRAM_EXACT + (64 - HISTOGRAM_BITS) * HISTOGRAM_CUTS,
};

typedef struct Histogram {
    uint64_t *times; // HISTOGRAM_SIZE of them
    uint64_t n, sum;
} Histogram;

bool histogram_init(Histogram *histogram); // false: no memory
void histogram_free(Histogram *histogram);

static inline size_t histogram_step(uint64_t number) {
    if (number < HISTOGRAM_EXACT) return (size_t)number;
    int power = 63 - __builtin_clzll(number);
    size_t cut = (size_t)(number >> (power - HISTOGRAM_CUT_BITS)) - HISTOGRAM_CUTS;
    return HISTOGRAM_EXACT + (size_t)(power - HISTOGRAM_BITS) * HISTOGRAM_CUTS + cut;
}

static inline void histogram_count(Histogram *histogram, uint64_t number) {
    histogram->times[histogram_step(number)]++;
    histogram->n++;
    histogram->sum += number;
}

// The least number of that step.
uint64_t histogram_number(size_t step);
// Adds all that `from` has counted. False if a count would leave 64 bits.
bool histogram_add(Histogram *to, const Histogram *from);
// Adds what `from` has counted, none of it past step `most`, and empties it. Both are of one run:
// nothing can get too big.
void histogram_move(Histogram *to, Histogram *from, size_t most);
// The least number that at least `of`-ths `part` of all numbers do not exceed: 1 of 2 is the
// median. 0 if there are none. 0 < part <= of <= 1000.
uint64_t histogram_quantile(const Histogram *histogram, unsigned part, unsigned of);

#endif
