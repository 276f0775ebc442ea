// Rounds of a sowing with hooks in which the hooks have nothing to do: SOW_ON and SOW_OFF, on their own, as the
// machine's loop has too much in hand already. What they have in their operands is told in quick.def. (They give 0
// where the code goes on behind the instruction.)
#ifndef OLDSOW_ROUNDS_H
#define OLDSOW_ROUNDS_H

#include "pieces.h"

enum { // operands
    ROUND_SITE = 1,
    ROUND_PIECE,
    ROUND_ASKED,
    ROUND_TRACK,
    ROUND_PASSED,
    ROUND_KINDS,
    ROUND_HAND,
    ROUND_FILLED,
    ROUND_LOW,
    ROUND_N,
    ROUND_MOST,
    ROUND_ASK,
    ROUND_COST,
    ROUND_DONE,
    ROUND_FROM,
    ROUND_LEFT,
    ROUND_START,
    ROUND_KIND,
};

static inline bool is_hooked(const int32_t *ip, int32_t kind) {
    return (uint32_t)kind - (uint32_t)ip[ROUND_LOW] < (uint32_t)ip[ROUND_N];
}

// How far on the code goes on, and what it took.
typedef struct Rounds {
    int32_t on, steps;
} Rounds;

static inline bool may_sow(const Program *p, const Cell *cells, const int32_t *ip, long steps) {
    return is_track(p, cells[ip[ROUND_TRACK]]) && steps >= ip[ROUND_MOST];
}

// Drops n pieces of a kind one by one, from the site after `at` on, as far as nothing is in the way, and gives how
// many are left.
static inline int32_t drop_all(Sizes z, const Program *p, Cell *cells, const int32_t *ip,
                               int32_t kind, int32_t at, int32_t n, int32_t *steps) {
    const int16_t *const next = p->tracks[cells[ip[ROUND_TRACK]]].next;
    const int32_t passed = cells[ip[ROUND_PASSED]];
    int32_t left = n, passes = 0;
    Cell *const of = cells + kind;
    do {
        int32_t to = next[at];
        if (to < 0) break;
        if (to == passed) {
            to = next[to];
            if (to < 0 || to == passed) break;
            passes++;
        }
        Cell *there = of + (uint32_t)to * z.kinds;
        if (*there == CELL_MAX) break;
        ++*there;
        at = to;
    } while (--left > 0);
    *steps += (n - left) * ip[ROUND_COST] + passes * ip[ROUND_ASK];
    cells[ip[ROUND_SITE]] = at;
    cells[ip[ROUND_ASKED]] = (sum(z, cells_on(z, cells, at)) == 1) != ip[ROUND_FILLED];
    cells[ip[ROUND_PIECE]] = kind;
    return left;
}

static inline Rounds sow_on(Sizes z, const Program *p, Cell *cells, const int32_t *ip, long steps) {
    Rounds none = {0, 0};
    if (!on_board(z, cells[ip[ROUND_SITE]]) || !may_sow(p, cells, ip, steps)) return none;
    Cell *const hand = cells + (uint32_t)ip[ROUND_HAND] * z.kinds;
    const List *const kinds = &p->lists[ip[ROUND_KINDS]];
    for (int i = 0; i < kinds->n; i++) {
        const int32_t kind = kinds->at[i];
        if (hand[kind] == 0) continue;
        if (is_hooked(ip, kind)) return none;
        hand[kind] =
            drop_all(z, p, cells, ip, kind, cells[ip[ROUND_SITE]], hand[kind], &none.steps);
        if (sum(z, hand) == 0) return (Rounds){ip[ROUND_DONE], none.steps};
        if (hand[kind] > 0) return none;
    }
    return none;
}

// Whether n pieces, dropped from the site after `from` on, come by `passed`, a site, on a track that goes round.
static inline bool comes_by(const Program *p, int32_t track, int32_t passed, int32_t from,
                            int32_t n) {
    const int32_t round = p->lists[p->tracks[track].list].n;
    if (passed == from) return n >= round;
    if (!p->quick->along) return true;
    const int16_t *const along = p->quick->along + track * p->nsites;
    const int32_t way = along[passed] - along[from];
    return along[passed] >= 0 && n >= (way > 0 ? way : way + round);
}

// What SOW_OFF does in most cases: all stones are of the one kind that the hook is not for, and go round without
// passing over a site. How many there are; 0: it is seen elsewhere what can be done; -1: they are not all of that
// kind, and nothing can be.
static inline __attribute__((always_inline)) int32_t
sow_off_round(Sizes z, const Program *p, Cell *cells, const int32_t *ip, long steps) {
    const int32_t from = cells[ip[ROUND_FROM]], start = cells[ip[ROUND_START]];
    const int32_t kind = z.kinds > 1 ? ip[ROUND_KIND] : 0;
    if (!on_board(z, from) || !on_board(z, start) || kind < 0 || !may_sow(p, cells, ip, steps) ||
        pieces_on(z, cells, ip[ROUND_HAND]) > 0)
        return 0;
    Cell *const here = cells_on(z, cells, from);
    const int32_t n = here[kind], passed = cells[ip[ROUND_PASSED]], track = cells[ip[ROUND_TRACK]];
    if (sum(z, here) > n) return -1;
    if (n == 0 || (on_board(z, passed) && comes_by(p, track, passed, start, n))) return 0;
    here[kind] = 0;
    const int32_t end = drop_round(z, &p->tracks[track], cells + kind, start, n);
    if (end < 0) {
        here[kind] = n;
        return 0;
    }
    cells[ip[ROUND_SITE]] = end;
    cells[ip[ROUND_ASKED]] = (pieces_on(z, cells, end) == 1) != ip[ROUND_FILLED];
    cells[ip[ROUND_PIECE]] = kind;
    return n;
}

static inline Rounds sow_off(Sizes z, const Program *p, Cell *cells, const int32_t *ip,
                             long steps) {
    const Rounds none = {0, 0};
    const int32_t from = cells[ip[ROUND_FROM]], start = cells[ip[ROUND_START]];
    Cell *const hand = cells + (uint32_t)ip[ROUND_HAND] * z.kinds;
    if (!on_board(z, from) || !on_board(z, start) || !may_sow(p, cells, ip, steps) ||
        sum(z, hand) > 0)
        return none;
    Cell *const here = cells_on(z, cells, from);
    const int32_t n = sum(z, here);
    if (n == 0) {
        cells[ip[ROUND_SITE]] = start;
        return (Rounds){ip[ROUND_DONE], 0};
    }
    int32_t kind = z.kinds > 1 ? ip[ROUND_KIND] : 0;
    if (z.kinds > 1 && kind < 0) {
        const List *kinds = &p->lists[ip[ROUND_KINDS]];
        int i = 0;
        while (i < kinds->n && here[kinds->at[i]] == 0) i++;
        if (i == kinds->n || is_hooked(ip, kinds->at[i])) return none;
        kind = kinds->at[i];
    }
    if (here[kind] < n) return none;
    here[kind] = 0;
    Rounds done = {ip[ROUND_DONE], 0};
    const int32_t left = drop_all(z, p, cells, ip, kind, start, n, &done.steps);
    if (left > 0) {
        hand[kind] = left;
        done.on = ip[ROUND_LEFT];
    }
    return done;
}

#endif
