#include "buffers.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **at, size_t *cap, size_t need, size_t size) {
    if (need <= *cap) return true;
    size_t n = *cap ? *cap : 32;
    while (n < need) n *= 2;
    void *more = realloc(*at, n * size);
    if (!more) return false;
    *at = more;
    *cap = n;
    return true;
}

bool candidates_reserve(Vm *vm, size_t n) {
    void *at = vm->candidates;
    bool ok = grow(&at, &vm->candidates_cap, n, sizeof *vm->candidates);
    vm->candidates = at;
    return ok;
}

bool saved_reserve(Vm *vm, size_t cells) {
    void *at = vm->saved;
    bool ok = grow(&at, &vm->saved_cap, cells, sizeof *vm->saved);
    vm->saved = at;
    return ok;
}

static bool history_reserve(History *h, size_t n) {
    void *at = h->at;
    bool ok = grow(&at, &h->cap, n, sizeof *h->at);
    h->at = at;
    return ok;
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0x9fb21c651e98df25u;
    x ^= x >> 32;
    return x;
}

bool history_add(History *h, uint64_t position) {
    if (!history_reserve(h, h->n + 1)) return false;
    h->at[h->n++] = position;
    h->sum += mix(position);
    return true;
}

void history_cut(History *h, size_t n) {
    while (h->n > n) h->sum -= mix(h->at[--h->n]);
}

bool history_copy(History *to, const History *from) {
    if (!history_reserve(to, from->n)) return false;
    if (from->n) memcpy(to->at, from->at, from->n * sizeof *to->at);
    to->n = from->n;
    to->sum = from->sum;
    return true;
}

uint64_t history_hash(const History *h) { return h->n ? mix(h->sum + h->n) : 0; }

int history_count(const History *h, uint64_t position) {
    int n = 0;
    for (size_t i = 0; i < h->n; i++) n += h->at[i] == position;
    return n;
}

// Two cells at a time; the multiplication carries every bit upwards, the shift brings it down
// again.
uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed) {
    uint64_t h = seed ^ (n * 0x9e3779b97f4a7c15u);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        uint64_t word;
        memcpy(&word, cells + i, sizeof word);
        h = (h ^ word) * 0xa0761d6478bd642fu;
        h ^= h >> 31;
    }
    uint64_t tail = 0;
    if (i < n) memcpy(&tail, cells + i, (n - i) * sizeof *cells);
    return mix(((h ^ tail) + 0x8ebc6af09c88c6e3u) * 0xe7037ed1a0b428dbu);
}

uint64_t hash_position(const Program *p, const Cell *cells) {
    uint64_t mover = (uint64_t)(uint16_t)cells[p->system + CELL_MOVER];
    return hash_cells(cells, (size_t)p->npositions, mix(mover + 1));
}
