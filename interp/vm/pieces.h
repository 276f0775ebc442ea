// What ask.h and act.h say about pieces, with the sizes at hand: the loop is compiled for one kind of pieces, for two
// and for three, as most games have, and for any number.
#ifndef OLDSOW_PIECES_H
#define OLDSOW_PIECES_H

#include "act.h"
#include "ask.h"

// Before a loop over all kinds of pieces: where their number is known it is written out.
#ifdef __clang__
#define WRITTEN_OUT _Pragma("unroll")
#else
#define WRITTEN_OUT _Pragma("GCC unroll 3")
#endif

typedef struct Sizes {
    uint32_t sites, kinds;
} Sizes;

static inline bool on_board(Sizes z, int32_t s) { return (uint32_t)s < z.sites; }

// As track_ahead, with the sites' positions at hand.
static inline int32_t ahead(const Program *p, const int16_t *along, int32_t s, int32_t track,
                            int32_t n) {
    if (!is_site(p, s) || !is_track(p, track)) return UNSET;
    int32_t at = along[track * p->nsites + s];
    if (at < 0) return UNSET;
    const List *sites = &p->lists[p->tracks[track].list];
    long to = (long)at + n;
    if ((unsigned long)to >= (unsigned long)sites->n) {
        if (!p->tracks[track].loop) return UNSET;
        to %= sites->n;
        if (to < 0) to += sites->n;
    }
    return sites->at[to];
}

// Of a site that is one.
static inline Cell *cells_on(Sizes z, Cell *cells, int32_t s) {
    return cells + (uint32_t)s * z.kinds;
}

// Of the pieces whose cells begin there.
static inline int32_t sum(Sizes z, const Cell *here) {
    int32_t n = here[0];
    for (uint32_t k = 1; k < z.kinds; k++) n += here[k];
    return n;
}

static inline int32_t pieces_on(Sizes z, const Cell *cells, int32_t s) {
    return sum(z, cells + (uint32_t)s * z.kinds);
}

static inline int32_t kind_on(Sizes z, const Cell *cells, int32_t s, int32_t kind) {
    if (!on_board(z, s) || (uint32_t)kind >= z.kinds) return 0;
    return cells[(uint32_t)s * z.kinds + (uint32_t)kind];
}

static inline int32_t set_on(Sizes z, const Cell *cells, int32_t s, const List *kinds) {
    int32_t n = 0;
    for (int i = 0; i < kinds->n; i++) n += kind_on(z, cells, s, kinds->at[i]);
    return n;
}

static inline int32_t first_on(Sizes z, const Cell *cells, int32_t s, const List *kinds) {
    for (int i = 0; i < kinds->n; i++)
        if (kind_on(z, cells, s, kinds->at[i]) > 0) return kinds->at[i];
    return UNSET;
}

// Of all kinds.
static inline int32_t first_of_all(Sizes z, const Cell *cells, int32_t s) {
    if (!on_board(z, s)) return UNSET;
    const Cell *here = cells + (uint32_t)s * z.kinds;
    int32_t first = UNSET;
    for (uint32_t k = z.kinds; k-- > 0;) first = here[k] > 0 ? (int32_t)k : first;
    return first;
}

static inline int32_t all_on(Sizes z, const Cell *cells, const List *sites) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++)
        if (on_board(z, sites->at[i])) n += pieces_on(z, cells, sites->at[i]);
    return n;
}

static inline Cell any_of_four(const Cell *here) { return here[0] | here[1] | here[2] | here[3]; }

// Whether one of n cells is not 0. Eight are looked at before a branch has to be foretold, some of them twice, but
// each by itself: it may have been written a moment ago, and a processor waits for what it has to put together from
// several writes.
static inline bool any_of(const Cell *here, int32_t n) {
    for (; n > 8; n -= 8, here += 8)
        if (any_of_four(here) | any_of_four(here + 4)) return true;
    if (n >= 4) return (any_of_four(here) | any_of_four(here + n - 4)) != 0;
    Cell any = 0;
    while (n > 0) any |= here[--n];
    return any != 0;
}

// Whether there is a piece on one of the sites; `run` is the first of them if they follow each other by number, else -1.
static inline bool any_on(Sizes z, const Cell *cells, const List *sites, int32_t run) {
    if (run < 0) return all_on(z, cells, sites) > 0;
    return any_of(cells + (uint32_t)run * z.kinds, sites->n * (int32_t)z.kinds);
}

static inline DiagCode put_some(Sizes z, Cell *cells, int32_t n, int32_t kind, int32_t s) {
    if (!on_board(z, s) || (uint32_t)kind >= z.kinds) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_on(z, cells, s) + kind;
    if (n > CELL_MAX - *here) return R_TOO_BIG;
    *here += n;
    return FINE;
}

static inline DiagCode remove_some(Sizes z, Cell *cells, int32_t n, int32_t kind, int32_t s) {
    if (!on_board(z, s) || (uint32_t)kind >= z.kinds) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_on(z, cells, s) + kind;
    if (n > *here) return R_TOO_FEW;
    *here -= n;
    return FINE;
}

static inline DiagCode move_some(Sizes z, Cell *cells, int32_t n, int32_t kind, int32_t from,
                                 int32_t to) {
    if (!on_board(z, from) || !on_board(z, to) || (uint32_t)kind >= z.kinds) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_on(z, cells, from) + kind, *there = cells_on(z, cells, to) + kind;
    if (n > *here) return R_TOO_FEW;
    if (here == there) return FINE;
    if (n > CELL_MAX - *there) return R_TOO_BIG;
    *here -= n;
    *there += n;
    return FINE;
}

// Drops n pieces of a kind, 1 or more, whose first cell is `of`, one by one from the site after s on, on a track that
// goes round: who is on it stays on it, and whether a cell holds too much is seen when all is done. Gives the last
// site; or UNSET: it cannot be done so, and nothing is.
static inline int32_t drop_round(Sizes z, const Track *track, Cell *of, int32_t s, int32_t n) {
    const int16_t *const next = track->next;
    int32_t at = next[s], left = n;
    if (!track->loop || at < 0) return UNSET;
    Cell all = 0;
    for (;;) {
        all |= ++of[(uint32_t)at * z.kinds];
        if (--left == 0) break;
        at = next[at];
    }
    if (__builtin_expect(all <= CELL_MAX, 1)) return at; // CELL_MAX is all ones
    for (at = s; left < n; left++) --of[(uint32_t)(at = next[at]) * z.kinds];
    return UNSET;
}

// Lifts the pieces of a kind from *s, and drops them one by one along the track. *s becomes the last site.
static inline DiagCode sow_kind(Sizes z, Cell *cells, int32_t kind, int32_t *s,
                                const int16_t *next) {
    Cell *here = cells_on(z, cells, *s) + kind;
    int32_t at = *s, n = *here;
    *here = 0;
    for (; n > 0; n--) {
        if (next[at] < 0) return R_TRACK_END;
        at = next[at];
        here = cells_on(z, cells, at) + kind;
        if (*here == CELL_MAX) return R_TOO_BIG;
        ++*here;
    }
    *s = at;
    return FINE;
}

static inline DiagCode move_all(Sizes z, Cell *cells, int32_t from, int32_t to) {
    if (!on_board(z, from) || !on_board(z, to)) return R_UNSET;
    if (from == to) return FINE;
    Cell *here = cells_on(z, cells, from), *there = cells_on(z, cells, to);
    int32_t any = 0; // first look, then move: a fault leaves the position whole
    WRITTEN_OUT for (uint32_t k = 0; k < z.kinds; k++) any |= here[k] + there[k];
    if (any > CELL_MAX) return R_TOO_BIG; // CELL_MAX is all ones: one sum has a bit more
    WRITTEN_OUT for (uint32_t k = 0; k < z.kinds; k++) {
        there[k] += here[k];
        here[k] = 0;
    }
    return FINE;
}

#endif
