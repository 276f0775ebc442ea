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

static uint32_t *row_of(History *h, uint64_t position) { return &h->last[position % HISTORY_ROWS]; }

int history_count(const History *h, uint64_t position) {
    uint32_t i = h->last[position % HISTORY_ROWS];
    while (i > 0 && h->at[i - 1].hash != position) i = h->at[i - 1].before;
    return i > 0 ? (int)h->at[i - 1].times : 0;
}

int history_add(History *h, uint64_t position) {
    if (h->n == h->cap && !history_reserve(h, h->n + 1)) return 0;
    uint32_t times = (uint32_t)history_count(h, position) + 1, *last = row_of(h, position);
    h->at[h->n++] = (Noted){position, *last, times};
    *last = (uint32_t)h->n;
    h->sum += position;
    return (int)times;
}

void history_cut(History *h, size_t n) {
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
    if (!history_reserve(to, from->n)) return false;
    if (from->n) memcpy(to->at, from->at, from->n * sizeof *to->at);
    memcpy(to->last, from->last, sizeof to->last);
    to->n = from->n;
    to->sum = from->sum;
    return true;
}

uint64_t history_hash(const History *h) { return h->n ? mix(h->sum + h->n) : 0; }

__extension__ typedef unsigned __int128 Double;

// Both halves of a product, which depend on all bits of both numbers.
static uint64_t fold(uint64_t a, uint64_t b) {
    Double product = (Double)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Cells hold 16 bits each; what is left over of negative ones goes into their neighbours, which can be undone.
static uint64_t four(const Cell *cells) {
    uint64_t pairs[2];
    memcpy(pairs, cells, sizeof pairs);
    return pairs[0] ^ pairs[1] << 16;
}

// Eight cells at a time, the last eight whatever was among them before.
uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed) {
    uint64_t h = seed ^ (n * 0x9e3779b97f4a7c15u);
    Cell few[8] = {0};
    if (n < 8) {
        for (size_t i = 0; i < n; i++) few[i] = cells[i];
        cells = few;
        n = 8;
    }
    const Cell *last = cells + n - 8;
    for (; cells < last; cells += 8)
        h = fold(four(cells) ^ 0xa0761d6478bd642fu, four(cells + 4) ^ h);
    h = fold(four(last) ^ 0xa0761d6478bd642fu, four(last + 4) ^ h);
    return mix(h + 0x8ebc6af09c88c6e3u);
}

uint64_t hash_position(const Program *p, const Cell *cells) {
    uint64_t mover = (uint64_t)(uint16_t)cells[p->system + CELL_MOVER];
    return hash_cells(cells, (size_t)p->npositions, (mover + 1) * 0xd1342543de82ef95u);
}
