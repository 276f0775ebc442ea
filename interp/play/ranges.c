#include "ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ranges_free(Ranges *r) {
    free(r->at);
    *r = (Ranges){0};
}

// Where a range that begins at `first` belongs: behind all that begin before it.
static size_t place(const Ranges *r, uint64_t first) {
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->at[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const Range *ranges_meet(const Ranges *r, Range range) {
    size_t i = place(r, range.first);
    if (i > 0 && r->at[i - 1].last >= range.first) return &r->at[i - 1];
    if (i < r->n && r->at[i].first <= range.last) return &r->at[i];
    return NULL;
}

bool ranges_add(Ranges *r, Range range) {
    assert(range.first <= range.last && !ranges_meet(r, range));
    size_t i = place(r, range.first);
    bool before = i > 0 && r->at[i - 1].last + 1 == range.first;
    bool behind = i < r->n && range.last + 1 == r->at[i].first;
    if (before && behind) {
        r->at[i - 1].last = r->at[i].last;
        memmove(r->at + i, r->at + i + 1, (r->n - i - 1) * sizeof *r->at);
        r->n--;
    } else if (before) {
        r->at[i - 1].last = range.last;
    } else if (behind) {
        r->at[i].first = range.first;
    } else {
        if (r->n == r->cap) {
            size_t cap = r->cap ? 2 * r->cap : 16;
            Range *more = realloc(r->at, cap * sizeof *more);
            if (!more) return false;
            r->at = more;
            r->cap = cap;
        }
        memmove(r->at + i + 1, r->at + i, (r->n - i) * sizeof *r->at);
        r->at[i] = range;
        r->n++;
    }
    return true;
}

uint64_t ranges_count(const Ranges *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->n; i++) sum += r->at[i].last - r->at[i].first + 1;
    return sum;
}
