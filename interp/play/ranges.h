// Which games of a run were played: runs of their numbers, in order, with gaps between them.
//
// Owner: a list owns its memory until ranges_free.
#ifndef OLDSOW_RANGES_H
#define OLDSOW_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Range {
    uint64_t first, last; // both are in it; first <= last
} Range;

typedef struct Ranges {
    Range *at;
    size_t n, cap;
} Ranges;

void ranges_free(Ranges *ranges);
// The range that shares a number with `range`; NULL: none does.
const Range *ranges_meet(const Ranges *ranges, Range range);
// Adds a range that meets none; neighbours become one. False: no memory.
bool ranges_add(Ranges *ranges, Range range);
uint64_t ranges_count(const Ranges *ranges); // numbers in all of them

#endif
