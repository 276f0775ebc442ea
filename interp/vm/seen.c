#include "seen.h"

#include "buffers.h"

#include <stdlib.h>
#include <string.h>

struct SeenSlot {
    uint64_t hash;
    uint32_t generation; // of another one: the slot is free
    uint32_t would;
    int32_t at;
    uint32_t copy;
};

void seen_free(Seen *s) {
    free(s->slots);
    free(s->copies);
    memset(s, 0, sizeof *s);
}

void seen_forget(Seen *s) {
    if (s->used == 0) return;
    s->used = 0;
    if (++s->generation != 0) return;
    memset(s->slots, 0, s->nslots * sizeof *s->slots); // once in four thousand million times
    s->generation = 1;
}

static size_t find(const Seen *s, uint64_t hash, const Cell *cells, size_t n, uint32_t would,
                   int at) {
    size_t i = hash & (s->nslots - 1);
    for (; s->slots[i].generation == s->generation; i = (i + 1) & (s->nslots - 1)) {
        const struct SeenSlot *slot = &s->slots[i];
        if (slot->hash == hash && slot->would == would && slot->at == at &&
            memcmp(s->copies + (size_t)slot->copy * n, cells, n * sizeof *cells) == 0)
            break;
    }
    return i;
}

static bool grow_slots(Seen *s) {
    size_t more = s->nslots ? 2 * s->nslots : 64;
    struct SeenSlot *old = s->slots, *slots = calloc(more, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < s->nslots; i++) {
        if (old[i].generation != s->generation) continue;
        size_t k = old[i].hash & (more - 1);
        while (slots[k].generation) k = (k + 1) & (more - 1);
        slots[k] = old[i];
    }
    if (s->generation == 0) s->generation = 1;
    free(old);
    s->slots = slots;
    s->nslots = more;
    return true;
}

static bool room_for_one(Seen *s, size_t n) {
    if ((s->used + 1) * n * sizeof(Cell) > SEEN_BYTES_MAX) seen_forget(s);
    if ((s->used + 1) * 2 > s->nslots && !grow_slots(s)) return false;
    if ((s->used + 1) * n <= s->copies_cap) return true;
    size_t cap = 2 * (s->used + 1) * n + 1024;
    Cell *copies = realloc(s->copies, cap * sizeof *copies);
    if (!copies) return false;
    s->copies = copies;
    s->copies_cap = cap;
    return true;
}

bool seen_before(Seen *s, const Cell *cells, size_t n, uint32_t would, int at) {
    uint64_t hash = hash_cells(cells, n, (uint64_t)would << 32 ^ (uint32_t)at);
    if (!room_for_one(s, n)) return false;
    size_t i = find(s, hash, cells, n, would, at);
    if (s->slots[i].generation == s->generation) return true;
    memcpy(s->copies + s->used * n, cells, n * sizeof *cells);
    s->slots[i] = (struct SeenSlot){hash, s->generation, would, at, (uint32_t)s->used++};
    return false;
}
