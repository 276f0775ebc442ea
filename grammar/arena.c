#include "arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = alignof(max_align_t),
    FIRST_CHUNK = 16 * 1024,
    LARGEST_CHUNK = 1024 * 1024,
    FIRST_BUCKETS = 256,
};

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size, used;
    bool clear; // all of it is
    alignas(max_align_t) unsigned char bytes[];
};

// An interned string; its text follows the header and has a closing NUL.
typedef struct Interned Interned;
struct Interned {
    Interned *next;
    uint32_t hash;
    size_t size;
    char text[];
};

struct Arena {
    Chunk *chunks; // the newest first; only it has room
    size_t budget; // what may still be handed out
    size_t next_chunk;
    Interned **buckets; // a power of two of them
    size_t nbuckets, ninterned;
    jmp_buf oom;
    Arena *root;           // of a branch: what it is a branch of, else NULL
    Arena *branches;       // the first of them
    Arena *next, **before; // of a branch: its neighbours among them
    size_t spent;          // by a branch: the root gets it back
};

Arena *arena_new(size_t budget) {
    Arena *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->budget = budget;
    a->next_chunk = FIRST_CHUNK;
    return a;
}

void arena_free(Arena *a) {
    if (!a) return;
    while (a->branches) arena_free(a->branches);
    if (a->root) {
        a->root->budget += a->spent;
        *a->before = a->next;
        if (a->next) a->next->before = a->before;
    }
    for (Chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

jmp_buf *arena_oom(Arena *a) { return &a->oom; }

void arena_extend(Arena *a, size_t size) {
    assert(!a->root && a->budget <= SIZE_MAX - size);
    a->budget += size;
}

static _Noreturn void out_of_memory(Arena *a) { longjmp(a->root ? a->root->oom : a->oom, 1); }

Arena *arena_branch(Arena *of) {
    assert(!of->root);
    Arena *a = arena_new(0);
    if (!a) out_of_memory(of);
    a->root = of;
    a->next = of->branches;
    a->before = &of->branches;
    if (a->next) a->next->before = &a->next;
    of->branches = a;
    return a;
}

// A chunk made for one large object is cleared by calloc, which for much memory costs nothing; of others only what is
// handed out is cleared, as most of the last one never is.
static Chunk *add_chunk(Arena *a, size_t need) {
    size_t size = need > a->next_chunk ? need : a->next_chunk;
    if (size > SIZE_MAX - sizeof(Chunk)) out_of_memory(a);
    bool clear = need == size;
    Chunk *c = clear ? calloc(1, sizeof(Chunk) + size) : malloc(sizeof(Chunk) + size);
    if (!c) out_of_memory(a);
    c->size = size;
    c->used = 0;
    c->clear = clear;
    if (a->next_chunk < LARGEST_CHUNK) a->next_chunk *= 2;
    // A chunk made for one large object is full at once: it goes behind the one with room.
    if (need == size && a->chunks) {
        c->next = a->chunks->next;
        a->chunks->next = c;
    } else {
        c->next = a->chunks;
        a->chunks = c;
    }
    return c;
}

void *arena_alloc(Arena *a, size_t size) {
    if (size == 0) size = 1;
    if (size > SIZE_MAX - ALIGNMENT) out_of_memory(a);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Arena *payer = a->root ? a->root : a;
    if (size > payer->budget) out_of_memory(a);
    Chunk *c = a->chunks;
    if (!c || c->size - c->used < size) c = add_chunk(a, size);
    void *p = c->bytes + c->used;
    if (!c->clear) memset(p, 0, size);
    c->used += size;
    payer->budget -= size;
    a->spent += size;
    return p;
}

void *arena_array(Arena *a, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) out_of_memory(a);
    return arena_alloc(a, count * size);
}

char *arena_strndup(Arena *a, const char *s, size_t n) {
    if (n == SIZE_MAX) out_of_memory(a);
    char *copy = arena_alloc(a, n + 1);
    if (n) memcpy(copy, s, n);
    return copy;
}

char *arena_vprintf(Arena *a, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) return arena_strndup(a, format, strlen(format));
    char *text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

char *arena_printf(Arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(a, format, args);
    va_end(args);
    return text;
}

// FNV-1a.
static uint32_t hash_bytes(const char *s, size_t n) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static void grow_buckets(Arena *a) {
    size_t n = a->nbuckets ? a->nbuckets * 2 : FIRST_BUCKETS;
    Interned **fresh = arena_array(a, n, sizeof(Interned *));
    for (size_t i = 0; i < a->nbuckets; i++) {
        for (Interned *e = a->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = fresh[e->hash & (n - 1)];
            fresh[e->hash & (n - 1)] = e;
        }
    }
    a->buckets = fresh;
    a->nbuckets = n;
}

const char *arena_intern(Arena *a, const char *s, size_t n) {
    if (a->root) a = a->root;
    if (a->ninterned >= a->nbuckets) grow_buckets(a);
    uint32_t hash = hash_bytes(s, n);
    Interned **bucket = &a->buckets[hash & (a->nbuckets - 1)];
    for (Interned *e = *bucket; e; e = e->next)
        if (e->hash == hash && e->size == n && memcmp(e->text, s, n) == 0) return e->text;
    if (n > SIZE_MAX - sizeof(Interned) - 1) out_of_memory(a);
    Interned *e = arena_alloc(a, sizeof(Interned) + n + 1);
    e->hash = hash;
    e->size = n;
    if (n) memcpy(e->text, s, n);
    e->next = *bucket;
    *bucket = e;
    a->ninterned++;
    return e->text;
}

const char *arena_intern_str(Arena *a, const char *s) { return arena_intern(a, s, strlen(s)); }

// `at` points to a pointer of some other type than void *; memcpy reads and writes its bytes
// without pretending that the two types are one.
void arena_grow(Arena *a, void **at, size_t *cap, size_t need, size_t size) {
    assert(size > 0);
    if (need <= *cap) return;
    size_t grown = *cap ? *cap : 4;
    while (grown < need) {
        if (grown > SIZE_MAX / 2) out_of_memory(a);
        grown *= 2;
    }
    void *old, *fresh = arena_array(a, grown, size);
    memcpy(&old, at, sizeof old);
    if (*cap) memcpy(fresh, old, *cap * size);
    memcpy(at, &fresh, sizeof fresh);
    *cap = grown;
}
