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

static bool noted_bit(const History *h, uint64_t position) {
    return h->bits[position % HISTORY_BITS / 64] >> position % 64 & 1;
}

static void set_bit(History *h, uint64_t position) {
    h->bits[position % HISTORY_BITS / 64] |= UINT64_C(1) << position % 64;
}

bool history_add(History *h, uint64_t position) {
    if (!history_reserve(h, h->n + 1)) return false;
    h->at[h->n++] = position;
    h->sum += mix(position);
    h->fresh = !noted_bit(h, position);
    set_bit(h, position);
    return true;
}

void history_cut(History *h, size_t n) {
    if (h->n <= n) return;
    while (h->n > n) h->sum -= mix(h->at[--h->n]);
    h->fresh = false;
    memset(h->bits, 0, sizeof h->bits);
    for (size_t i = 0; i < n; i++) set_bit(h, h->at[i]);
}

bool history_copy(History *to, const History *from) {
    if (!history_reserve(to, from->n)) return false;
    if (from->n) memcpy(to->at, from->at, from->n * sizeof *to->at);
    to->n = from->n;
    to->sum = from->sum;
    to->fresh = from->fresh;
    memcpy(to->bits, from->bits, sizeof to->bits);
    return true;
}

uint64_t history_hash(const History *h) { return h->n ? mix(h->sum + h->n) : 0; }

int history_count(const History *h, uint64_t position) {
    if (!noted_bit(h, position)) return 0;
    if (h->fresh && h->at[h->n - 1] == position) return 1;
    int n = 0;
    for (size_t i = 0; i < h->n; i++) n += h->at[i] == position;
    return n;
}

__extension__ typedef unsigned __int128 Double;

// Both halves of a product, which depend on all bits of both numbers.
static uint64_t fold(uint64_t a, uint64_t b) {
    Double product = (Double)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Four cells at a time. Small numbers beside such a constant are never 0.
uint64_t hash_cells(const Cell *cells, size_t n, uint64_t seed) {
    const uint64_t beside = 0xa0761d6478bd642fu;
    uint64_t h = seed ^ (n * 0x9e3779b97f4a7c15u);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t words[2];
        memcpy(words, cells + i, sizeof words);
        h = fold(words[0] ^ beside, words[1] ^ h);
    }
    uint64_t tail[2] = {0};
    for (size_t k = 0; i < n; i++, k++) tail[k / 2] ^= (uint64_t)(uint32_t)cells[i] << k % 2 * 32;
    h = fold(tail[0] ^ beside, tail[1] ^ h);
    return mix(h + 0x8ebc6af09c88c6e3u);
}

uint64_t hash_position(const Program *p, const Cell *cells) {
    uint64_t mover = (uint64_t)(uint16_t)cells[p->system + CELL_MOVER];
    return hash_cells(cells, (size_t)p->npositions, mix(mover + 1));
}
