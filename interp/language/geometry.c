#include "geometry.h"

bool contains(const Ints *v, int value) {
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i] == value) return true;
    return false;
}

int site_beyond(const World *w, int a, int b) {
    for (int d = 0; w->links && d < DIRECTIONS; d++)
        if (board_step(w, a, d) == b) return board_step(w, b, d);
    for (size_t i = 0; i < w->lines.n; i++) {
        const List l = w->lines.at[i];
        bool ring = l.n > 3 && l.at[0] == l.at[l.n - 1];
        int around = l.n - 1;
        for (int k = 0; k + 1 < l.n; k++) {
            if (l.at[k] == a && l.at[k + 1] == b) {
                if (ring) return l.at[(k + 2) % around];
                if (k + 2 < l.n) return l.at[k + 2];
            }
            if (l.at[k] == b && l.at[k + 1] == a) {
                if (ring) return l.at[(k - 1 + around) % around];
                if (k >= 1) return l.at[k - 1];
            }
        }
    }
    return UNSET;
}

void site_neighbours(World *w, int site, Ints *out) {
    for (int d = 0; d < DIRECTIONS; d++) {
        int s = w->links >> d & 1 ? board_step(w, site, d) : UNSET;
        if (s != UNSET) vec_push(w->arena, out, s);
    }
    for (size_t i = 0; i < w->lines.n; i++) {
        const List l = w->lines.at[i];
        for (int k = 0; k < l.n; k++) {
            if (l.at[k] != site) continue;
            if (k > 0 && !contains(out, l.at[k - 1])) vec_push(w->arena, out, l.at[k - 1]);
            if (k + 1 < l.n && !contains(out, l.at[k + 1])) vec_push(w->arena, out, l.at[k + 1]);
        }
    }
}

void sites_between(World *w, int a, int b, Ints *out) {
    for (int d = 0; w->links && d < DIRECTIONS; d++) {
        size_t start = out->n;
        for (int s = board_step(w, a, d); s != UNSET; s = board_step(w, s, d)) {
            if (s == b) return;
            vec_push(w->arena, out, s);
        }
        out->n = start;
    }
    for (size_t i = 0; i < w->lines.n; i++) {
        const List l = w->lines.at[i];
        int ia = -1, ib = -1;
        for (int k = 0; k < l.n; k++) {
            if (l.at[k] == a && ia < 0) ia = k;
            if (l.at[k] == b && ib < 0) ib = k;
        }
        if (ia < 0 || ib < 0 || a == b) continue;
        for (int k = ia + (ia < ib ? 1 : -1); k != ib; k += ia < ib ? 1 : -1)
            vec_push(w->arena, out, l.at[k]);
        return;
    }
}

// The first step of a lane on a square, or UNSET; w->next_step has the others, in order.
static int step_on(World *w, int square) {
    size_t n = w->sites.n;
    if (w->stepped != n) {
        w->first_step = arena_array(w->arena, 2 * n, sizeof *w->first_step);
        w->next_step = w->first_step + n;
        for (size_t i = 0; i < n; i++) w->first_step[i] = UNSET;
        for (size_t i = n; i-- > 0;) {
            const SiteInfo *s = &w->sites.at[i];
            if (s->kind != OLDSOW_LANE_STEP || s->square == UNSET) continue;
            w->next_step[i] = w->first_step[s->square];
            w->first_step[s->square] = (int)i;
        }
        w->stepped = n;
    }
    return w->first_step[square];
}

void steps_sharing(World *w, int site, Ints *out) {
    const SiteInfo *s = &w->sites.at[site];
    if (s->kind != OLDSOW_LANE_STEP || s->square == UNSET) return;
    for (int i = step_on(w, s->square); i != UNSET; i = w->next_step[i])
        if (w->sites.at[i].owner != s->owner) vec_push(w->arena, out, i);
}

const SiteInfo *square_of(const World *w, int site) {
    int square = w->sites.at[site].square;
    return &w->sites.at[square == UNSET ? site : square];
}

void steps_on(World *w, int site, Ints *out) {
    int square = w->sites.at[site].square;
    if (square == UNSET) return;
    for (int i = step_on(w, square); i != UNSET; i = w->next_step[i]) vec_push(w->arena, out, i);
}

int site_mirrored(const World *w, int site, bool columns) {
    const SiteInfo s = *square_of(w, site);
    return s.row ? board_at(w, columns ? w->columns + 1 - s.column : s.column, w->rows + 1 - s.row)
                 : UNSET;
}

int site_behind(const World *w, int site) {
    const SiteInfo s = *square_of(w, site);
    if (!s.row) return UNSET;
    int twice = 2 * s.row - (w->rows + 1); // below the middle if negative
    return twice == 0 ? UNSET : board_at(w, s.column, s.row + (twice > 0 ? 1 : -1));
}
