#include "act.h"

#include "ask.h"

static Cell *cells_of(const Program *p, Cell *cells, int32_t s) {
    return cells + (ptrdiff_t)s * p->npieces;
}

DiagCode put_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t s) {
    if (!is_site(p, s) || !is_kind(p, kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_of(p, cells, s) + kind;
    if (n > CELL_MAX - *here) return R_TOO_BIG;
    *here = (Cell)(*here + n);
    return FINE;
}

DiagCode remove_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t s) {
    if (!is_site(p, s) || !is_kind(p, kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_of(p, cells, s) + kind;
    if (n > *here) return R_TOO_FEW;
    *here = (Cell)(*here - n);
    return FINE;
}

DiagCode move_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t from,
                     int32_t to) {
    if (!is_site(p, from) || !is_site(p, to) || !is_kind(p, kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    Cell *here = cells_of(p, cells, from) + kind, *there = cells_of(p, cells, to) + kind;
    if (n > *here) return R_TOO_FEW;
    if (here == there) return FINE;
    if (n > CELL_MAX - *there) return R_TOO_BIG;
    *here = (Cell)(*here - n);
    *there = (Cell)(*there + n);
    return FINE;
}

DiagCode remove_set(const Program *p, Cell *cells, const List *kinds, int32_t s) {
    if (!is_site(p, s)) return R_UNSET;
    Cell *here = cells_of(p, cells, s);
    int n = kinds ? kinds->n : p->npieces;
    for (int i = 0; i < n; i++) {
        int32_t kind = kinds ? kinds->at[i] : i;
        if (is_kind(p, kind)) here[kind] = 0;
    }
    return FINE;
}

DiagCode move_set(const Program *p, Cell *cells, const List *kinds, int32_t from, int32_t to) {
    if (!is_site(p, from) || !is_site(p, to)) return R_UNSET;
    if (from == to) return FINE;
    Cell *here = cells_of(p, cells, from), *there = cells_of(p, cells, to);
    int n = kinds ? kinds->n : p->npieces;
    for (int i = 0; i < n; i++) { // first look, then move: a fault leaves the position whole
        int32_t kind = kinds ? kinds->at[i] : i;
        if (is_kind(p, kind) && here[kind] + there[kind] > CELL_MAX) return R_TOO_BIG;
    }
    for (int i = 0; i < n; i++) {
        int32_t kind = kinds ? kinds->at[i] : i;
        if (!is_kind(p, kind)) continue;
        there[kind] = (Cell)(there[kind] + here[kind]);
        here[kind] = 0;
    }
    return FINE;
}

DiagCode sow(const Program *p, Cell *cells, const List *kinds, int32_t *s, int32_t track,
             Cell *hand) {
    if (!is_site(p, *s) || !is_track(p, track)) return R_UNSET;
    const int16_t *next = p->tracks[track].next;
    Cell *here = cells_of(p, cells, *s);
    for (int i = 0; i < kinds->n;
         i++) { // lift all before the first drops: a lap may come back here
        int32_t kind = kinds->at[i];
        hand[i] = 0;
        if (!is_kind(p, kind)) continue;
        hand[i] = here[kind];
        here[kind] = 0;
    }
    int32_t at = *s;
    for (int i = 0; i < kinds->n; i++) {
        for (; hand[i] > 0; hand[i]--) {
            if (next[at] < 0) return R_TRACK_END;
            at = next[at];
            Cell *there = cells_of(p, cells, at) + kinds->at[i];
            if (*there == CELL_MAX) return R_TOO_BIG;
            *there = (Cell)(*there + 1);
        }
    }
    *s = at;
    return FINE;
}

// Steps along a loop are taken modulo its length, along an open track they end: either way the work
// is bounded by the track's length, however large n is.
int32_t track_ahead(const Program *p, int32_t s, int32_t track, int32_t n) {
    if (!is_site(p, s) || !is_track(p, track)) return UNSET;
    const Track *forth = &p->tracks[track], *back = &p->tracks[track ^ 1];
    const List *sites = &p->lists[forth->list];
    bool on = forth->next[s] >= 0 || back->next[s] >= 0 || (sites->n == 1 && sites->at[0] == s);
    if (!on) return UNSET;
    const int16_t *next = n < 0 ? back->next : forth->next;
    uint32_t steps = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
    if (forth->loop) steps %= (uint32_t)sites->n;
    int32_t at = s;
    for (; steps > 0 && at >= 0; steps--) at = next[at];
    return at;
}

void end_game(const Program *p, Cell *cells, int over, int winners, int losers) {
    Cell *system = cells + p->system;
    system[CELL_AT] = 0;
    system[CELL_STATUS] = (Cell)over;
    system[CELL_WINNERS] = (Cell)winners;
    system[CELL_LOSERS] = (Cell)losers;
}

DiagCode end_won_by(const Program *p, Cell *cells, const List *list) {
    int winners = 0;
    for (int i = 0; i < list->n; i++) {
        if (!is_player(p, list->at[i])) return R_UNSET;
        winners |= 1 << list->at[i];
    }
    end_game(p, cells, OVER_DECIDED, winners, ((1 << p->nplayers) - 1) & ~winners);
    return FINE;
}

void end_by_score(const Program *p, Cell *cells, int order) {
    const Cell *scores = cells + p->scores;
    int scored = scores[p->nplayers], everybody = (1 << p->nplayers) - 1;
    int best = 0;
    for (int q = 0; q < p->nplayers; q++) {
        if (!(scored >> q & 1)) continue;
        int first = best ? __builtin_ctz((unsigned)best) : q;
        int better = (scores[q] - scores[first]) * order;
        if (!best || better > 0)
            best = 1 << q;
        else if (better == 0)
            best |= 1 << q;
    }
    if (best == 0 || best == everybody)
        end_game(p, cells, OVER_DRAWN, 0, 0);
    else
        end_game(p, cells, OVER_DECIDED, best, everybody & ~best);
}
