// What instructions ask about a position. Small, pure, and inline: the machine's loop is made of
// these.
//
// Every number that comes from the stack is checked here by one unsigned comparison, which
// catches UNSET as well: a wrong program can give a wrong answer, it cannot read outside of its
// tables.
#ifndef OLDSOW_ASK_H
#define OLDSOW_ASK_H

#include "program.h"

static inline bool is_site(const Program *p, int32_t v) {
    return (uint32_t)v < (uint32_t)p->nsites;
}
static inline bool is_kind(const Program *p, int32_t v) {
    return (uint32_t)v < (uint32_t)p->npieces;
}
static inline bool is_list(const Program *p, int32_t v) {
    return (uint32_t)v < (uint32_t)p->nlists;
}
static inline bool is_track(const Program *p, int32_t v) {
    return (uint32_t)v < (uint32_t)p->ntracks;
}
static inline bool is_player(const Program *p, int32_t v) {
    return (uint32_t)v < (uint32_t)p->nplayers;
}
static inline bool fits_cell(int32_t v) { return v >= CELL_MIN && v <= CELL_MAX; }

// The position of v in a list, from 0, or -1. A run of consecutive numbers up or down from the
// first element, which most lists are, is found at once; the elements of a list are taken to be
// different.
static inline int list_position(const List *list, int32_t v) {
    if (list->n == 0) return -1;
    uint32_t up = (uint32_t)v - (uint32_t)list->at[0];
    if (up < (uint32_t)list->n && list->at[up] == v) return (int)up;
    uint32_t down = 0u - up;
    if (down < (uint32_t)list->n && list->at[down] == v) return (int)down;
    for (int i = 0; i < list->n; i++)
        if (list->at[i] == v) return i;
    return -1;
}

static inline int32_t count_all(const Program *p, const Cell *cells, int32_t s) {
    if (!is_site(p, s)) return 0;
    const Cell *here = cells + (ptrdiff_t)s * p->npieces;
    int32_t n = here[0];
    for (int k = 1; k < p->npieces; k++) n += here[k];
    return n;
}

static inline int32_t count_kind(const Program *p, const Cell *cells, int32_t s, int32_t kind) {
    if (!is_site(p, s) || !is_kind(p, kind)) return 0;
    return cells[(ptrdiff_t)s * p->npieces + kind];
}

static inline bool is_empty(const Program *p, const Cell *cells, int32_t s) {
    return is_site(p, s) && count_all(p, cells, s) == 0;
}

static inline int32_t count_set(const Program *p, const Cell *cells, int32_t s, const List *kinds) {
    int32_t n = 0;
    for (int i = 0; i < kinds->n; i++) n += count_kind(p, cells, s, kinds->at[i]);
    return n;
}

static inline int32_t piece_on(const Program *p, const Cell *cells, int32_t s, const List *kinds) {
    for (int i = 0; i < kinds->n; i++)
        if (count_kind(p, cells, s, kinds->at[i]) > 0) return kinds->at[i];
    return UNSET;
}

static inline int32_t table_at(const Table *t, int32_t v) {
    uint32_t i = (uint32_t)v - (uint32_t)t->low;
    return i < (uint32_t)t->n ? t->values[i] : UNSET;
}

// `v` points at the first of family->dims values.
static inline int32_t family_at(const Family *f, const int32_t *v) {
    uint32_t at = 0;
    for (int i = 0; i < f->dims; i++) {
        uint32_t k = (uint32_t)v[i] - (uint32_t)f->lows[i];
        if (k >= (uint32_t)f->sizes[i]) return f->missing;
        at = at * (uint32_t)f->sizes[i] + k;
    }
    return f->values[at];
}

static inline int32_t family_at2(const Family *f, int32_t v, int32_t w) {
    uint32_t k = (uint32_t)v - (uint32_t)f->lows[0], m = (uint32_t)w - (uint32_t)f->lows[1];
    if (k >= (uint32_t)f->sizes[0] || m >= (uint32_t)f->sizes[1]) return f->missing;
    return f->values[k * (uint32_t)f->sizes[1] + m];
}

static inline int32_t track_next(const Program *p, int32_t s, int32_t track) {
    if (!is_site(p, s) || !is_track(p, track)) return UNSET;
    return p->tracks[track].next[s];
}

int32_t track_ahead(const Program *p, int32_t s, int32_t track, int32_t n);

// A player's turn after p: the next in order, round, who has not retired; p if nobody else plays.
static inline int32_t next_player(const Program *p, const Cell *cells, int32_t player) {
    int retired = cells[p->system + CELL_RETIRED];
    for (int i = 1; i < p->nplayers; i++) {
        int32_t q = (player + i) % p->nplayers;
        if (!(retired >> q & 1)) return q;
    }
    return player;
}

#endif
