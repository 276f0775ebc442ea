#include "space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SLOTS = 1 << 12 };

void space_init(Space *space, const OldsowGame *game, uint64_t limit, size_t memory_cap) {
    // Node numbers are 32 bits, and slots hold them plus one.
    if (limit > UINT32_MAX - 1) limit = UINT32_MAX - 1;
    *space = (Space){.bytes = oldsow_state_bytes(game), .limit = limit, .memory_cap = memory_cap};
}

void space_free(Space *space) {
    for (size_t i = 0; i < space->nchunks; i++) free(space->chunks[i]);
    free(space->chunks);
    free(space->slots);
    *space = (Space){0};
}

size_t space_memory_default(void) {
    size_t most = (size_t)2 << 30;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return most;
    size_t half = (size_t)pages / 2 * (size_t)size;
    return half < most ? half : most;
}

bool space_charge(Space *space, size_t bytes) {
    if (bytes > space->memory_cap || space->memory > space->memory_cap - bytes) return false;
    space->memory += bytes;
    return true;
}

// ---- where a position lies ---------------------------------------------------------------------

static SpaceNode *node_at(const Space *space, uint32_t node) {
    return (SpaceNode *)(void *)space->chunks[node / SPACE_CHUNK] + node % SPACE_CHUNK;
}

static unsigned char *vector_at(const Space *space, uint32_t node) {
    return space->chunks[node / SPACE_CHUNK] + SPACE_CHUNK * sizeof(SpaceNode) +
           (size_t)(node % SPACE_CHUNK) * space->bytes;
}

SpaceNode space_node(const Space *space, uint32_t node) {
    assert(node < space->count);
    return *node_at(space, node);
}

static bool add_chunk(Space *space) {
    size_t size = SPACE_CHUNK * (sizeof(SpaceNode) + space->bytes);
    if (space->nchunks == space->chunks_cap) {
        size_t cap = space->chunks_cap ? 2 * space->chunks_cap : 64;
        unsigned char **chunks = realloc(space->chunks, cap * sizeof *chunks);
        if (!chunks) return false;
        space->chunks = chunks;
        space->chunks_cap = cap;
    }
    if (!space_charge(space, size)) return false;
    unsigned char *chunk = malloc(size);
    if (!chunk) return false;
    space->chunks[space->nchunks++] = chunk;
    return true;
}

// ---- the hash table -------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t hash_bytes(const unsigned char *at, size_t size) {
    uint64_t h = size, word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        h = mix(h, word);
    }
    word = 0;
    memcpy(&word, at, size);
    h = mix(h, word);
    return mix(h ^ (h >> 32), 0x632BE59BD9B4E019u);
}

static void put_slot(Space *space, uint64_t hash, uint32_t node) {
    size_t i = (size_t)hash & (space->nslots - 1);
    while (space->slots[i].node) i = (i + 1) & (space->nslots - 1);
    space->slots[i] = (SpaceSlot){node + 1, (uint32_t)(hash >> 32)};
}

// Keeps at most two thirds of the slots taken.
static bool make_slots(Space *space) {
    if ((uint64_t)space->count * 3 < (uint64_t)space->nslots * 2) return true;
    size_t n = space->nslots ? 2 * space->nslots : FIRST_SLOTS;
    if (!space_charge(space, n * sizeof(SpaceSlot))) return false;
    SpaceSlot *slots = calloc(n, sizeof *slots);
    if (!slots) return false;
    free(space->slots);
    space->memory -= space->nslots * sizeof(SpaceSlot);
    space->slots = slots;
    space->nslots = n;
    for (uint32_t node = 0; node < space->count; node++)
        put_slot(space, hash_bytes(vector_at(space, node), space->bytes), node);
    return true;
}

SpaceAdd space_add(Space *space, const OldsowState *state, uint32_t parent, uint32_t via,
                   uint32_t *node) {
    if (!make_slots(space)) return SPACE_NO_MEMORY;
    const unsigned char *vector = oldsow_vector(state);
    uint64_t hash = hash_bytes(vector, space->bytes);
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t i = (size_t)hash & (space->nslots - 1);
    for (; space->slots[i].node; i = (i + 1) & (space->nslots - 1)) {
        uint32_t other = space->slots[i].node - 1;
        if (space->slots[i].tag != tag ||
            memcmp(vector_at(space, other), vector, space->bytes) != 0)
            continue;
        *node = other;
        return SPACE_KNOWN;
    }
    if (space->count >= space->limit) return SPACE_FULL;
    if (space->count / SPACE_CHUNK == space->nchunks && !add_chunk(space)) return SPACE_NO_MEMORY;
    *node = space->count++;
    uint32_t depth = *node == 0 ? 0 : node_at(space, parent)->depth + 1;
    bool leaf = oldsow_status(state) == OLDSOW_OVER;
    *node_at(space, *node) = (SpaceNode){
        .parent = *node == 0 ? 0 : parent, .via = via & 0x7FFFFFFF, .leaf = leaf, .depth = depth};
    memcpy(vector_at(space, *node), vector, space->bytes);
    space->slots[i] = (SpaceSlot){*node + 1, tag};
    return SPACE_NEW;
}

// ---- walking --------------------------------------------------------------------------------

// What a state takes besides its vector, roughly: the machine round it and its candidates.
enum { STATE_OVERHEAD = 2048 };

static bool make_state(Walker *w, const OldsowState *like) {
    if (w->made == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 32;
        OldsowState **states = realloc(w->states, cap * sizeof *states);
        if (!states) return false;
        w->states = states;
        uint32_t *path = realloc(w->path, cap * sizeof *path);
        if (!path) return false;
        w->path = path;
        w->cap = cap;
    }
    if (!space_charge(w->space, w->space->bytes + STATE_OVERHEAD)) return false;
    w->states[w->made] = oldsow_clone(like);
    if (!w->states[w->made]) return false;
    w->made++;
    return true;
}

bool walker_init(Walker *walker, Space *space, const OldsowState *start) {
    *walker = (Walker){.space = space};
    if (!make_state(walker, start)) return false;
    walker->path[0] = 0;
    return true;
}

void walker_free(Walker *walker) {
    for (size_t i = 0; i < walker->made; i++) oldsow_state_free(walker->states[i]);
    free(walker->states);
    free(walker->path);
    *walker = (Walker){0};
}

const OldsowState *walker_go(Walker *w, uint32_t node) {
    size_t depth = space_node(w->space, node).depth;
    while (w->made <= depth)
        if (!make_state(w, w->states[0])) return NULL;
    // Up from the position to where its way leaves the one that was walked last, then down again.
    size_t d = depth;
    while (d > w->at || w->path[d] != node) {
        w->path[d--] = node;
        node = space_node(w->space, node).parent;
    }
    for (; d < depth; d++)
        oldsow_play_from(w->states[d + 1], w->states[d], space_node(w->space, w->path[d + 1]).via);
    w->at = depth;
    return w->states[depth];
}
