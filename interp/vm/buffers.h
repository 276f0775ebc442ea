// The buffers of a Vm: they grow, are used again, and shrink never. False when there is no memory.
#ifndef OLDSOW_BUFFERS_H
#define OLDSOW_BUFFERS_H

#include "vm.h"

bool candidates_reserve(Vm *vm, size_t n);
bool saved_reserve(Vm *vm, size_t cells);
bool history_reserve(History *h, size_t n);
void history_cut(History *h, size_t n); // forgets all but the first n
bool history_copy(History *to, const History *from);
// Neither depends on the order in which positions were noted.
uint64_t history_hash(const History *h);

static inline int history_count(const History *h, uint64_t position) {
    uint32_t i = h->last[position % HISTORY_ROWS];
    while (i > 0 && h->at[i - 1].hash != position) i = h->at[i - 1].before;
    return i > 0 ? (int)h->at[i - 1].times : 0;
}

// Notes a position; gives how often it is noted then, or 0: there is no memory.
static inline int history_add(History *h, uint64_t position) {
    if (h->n == h->cap && !history_reserve(h, h->n + 1)) return 0;
    uint32_t times = (uint32_t)history_count(h, position) + 1;
    uint32_t *last = &h->last[position % HISTORY_ROWS];
    h->at[h->n++] = (Noted){position, *last, times};
    *last = (uint32_t)h->n;
    h->sum += position;
    return (int)times;
}

// A 64-bit hash of n cells, begun from `seed`.
uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed);
// What REMEMBER notes: counts, variables, and the mover.
uint64_t hash_position(const Program *p, const Cell *cells);

// What that is made of: what it begins with, for a mover, or -1: for none, whose number and one more, times
// HASH_MOVER, is to be added bit by bit; to which each cell times its key is added; after HASH_KEYS cells the sum is
// mixed.
enum { HASH_KEYS = 16 };
#define HASH_MOVER UINT64_C(0xd1342543de82ef95)
uint64_t hash_seed(int ncells, int mover);
uint64_t hash_key(int cell);

#endif
