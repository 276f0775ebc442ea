// The buffers of a Vm: they grow, are used again, and shrink never. False when there is no memory.
#ifndef OLDSOW_BUFFERS_H
#define OLDSOW_BUFFERS_H

#include "vm.h"

bool candidates_reserve(Vm *vm, size_t n);
bool saved_reserve(Vm *vm, size_t cells);
// Notes a position; gives how often it is noted then, or 0: there is no memory.
int history_add(History *h, uint64_t position);
void history_cut(History *h, size_t n); // forgets all but the first n
bool history_copy(History *to, const History *from);
// Neither depends on the order in which positions were noted.
uint64_t history_hash(const History *h);
int history_count(const History *h, uint64_t position);

// A 64-bit hash of n cells, begun from `seed`.
uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed);
// What REMEMBER notes: counts, variables, and the mover.
uint64_t hash_position(const Program *p, const Cell *cells);

#endif
