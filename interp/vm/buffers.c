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

bool history_reserve(History *h, size_t n) {
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

static uint32_t *row_of(History *h, uint64_t position) { return &h->last[position % HISTORY_ROWS]; }

void history_cut(History *h, size_t n) {
    if (h->n <= n) return; // of none noted all rows are empty
    if (n == 0) {
        memset(h->last, 0, sizeof h->last);
        h->n = 0;
        h->sum = 0;
    }
    while (h->n > n) {
        Noted noted = h->at[--h->n];
        *row_of(h, noted.hash) = noted.before;
        h->sum -= noted.hash;
    }
}

bool history_copy(History *to, const History *from) {
    if (to->n == 0 && from->n == 0) return true; // all rows are empty, as in most games
    if (!history_reserve(to, from->n)) return false;
    if (from->n) memcpy(to->at, from->at, from->n * sizeof *to->at);
    memcpy(to->last, from->last, sizeof to->last);
    to->n = from->n;
    to->sum = from->sum;
    return true;
}

uint64_t history_hash(const History *h) { return h->n ? mix(h->sum + h->n) : 0; }

static const uint64_t keys[HASH_KEYS] = { // any odd numbers
    0x02dd21250b729601u, 0xf5057fee4c3ef459u, 0x1aa5148c01a8c3f5u, 0xf41fcb28e1eca229u,
    0x0cd58cc6f137bdc5u, 0xb7b3ff7b623dd8dfu, 0x05840f4ce50ee169u, 0xe52fec142d752a6bu,
    0x1f76663f8330df69u, 0x43c243ee094546cfu, 0x83923dd14744f3e1u, 0xd01e13be235f461fu,
    0x5e97f5f843c901efu, 0xd8aaa1f6d2b6c1bbu, 0x55bab91cd20b52cfu, 0x44d09f3d38c20ebbu};

// Each cell is read by itself: it may have been written a moment ago, and a processor waits for what it has to put
// together from several writes. The products do not wait for each other; the last ones are written out: a loop would
// count as much as it multiplies.
#define ADDED(i)                                                                                   \
    case i: h += (uint32_t)cells[(i)-1] * keys[(i)-1]; __attribute__((fallthrough));
static inline uint64_t hash(const Cell *cells, size_t n, uint64_t seed) {
    uint64_t h = seed ^ n * 0x9e3779b97f4a7c15u;
    for (; n > HASH_KEYS; n -= HASH_KEYS, cells += HASH_KEYS) {
        for (size_t i = 0; i < HASH_KEYS; i++) h += (uint32_t)cells[i] * keys[i];
        h = mix(h);
    }
    switch (n) {
        ADDED(16) ADDED(15) ADDED(14) ADDED(13) ADDED(12) ADDED(11) ADDED(10) ADDED(9);
        ADDED(8) ADDED(7) ADDED(6) ADDED(5) ADDED(4) ADDED(3) ADDED(2) ADDED(1);
    default: break;
    }
    return mix(h);
}

uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed) { return hash(cells, n, seed); }

uint64_t hash_position(const Program *p, const Cell *cells) {
    uint64_t mover = (uint64_t)(uint16_t)cells[p->system + CELL_MOVER];
    return hash(cells, (size_t)p->npositions, (mover + 1) * HASH_MOVER);
}

uint64_t hash_seed(int ncells, int mover) {
    return (uint64_t)(mover + 1) * HASH_MOVER ^ (uint64_t)ncells * 0x9e3779b97f4a7c15u;
}

uint64_t hash_key(int cell) { return keys[cell % HASH_KEYS]; }
