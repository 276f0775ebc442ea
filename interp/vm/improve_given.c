// What has been worked out before a search, by whatever way it is come to, and would give the same once more: it may
// be part of the search as if it stood just before it. It stays where it is, for others; where the search is gone
// through as it is written it is worked out once more, so that if nobody else reads it, it goes (improve_live.c).
#include "improve_asked.h"

#include <string.h>

enum { GIVEN_MOST = 64 };

typedef struct Given { // as a Step
    int ins, none, cell;
} Given;

struct Givens {
    Given all[GIVEN_MOST];
    int n, count;
    // Per instruction: what is given before it, a bit each; what does not hold any more after it, and what is given
    // anew.
    uint64_t *at, *changed, *anew;
    uint64_t *by_cell; // what does not hold any more when the cell is written
    int ncells;
};

// ---- what there is -------------------------------------------------------------------------------

static void add_given(Givens *g, Given given) {
    if (g->n < GIVEN_MOST) g->all[g->n++] = given;
}

static void find_all(Givens *g, const Search *s) {
    const Improver *im = s->im;
    for (int k = 0; k < s->reached->n; k++) {
        const int i = s->reached->all[k];
        const Ins *ins = &im->ins[i];
        Step step;
        if (ins->gone || i >= g->count) continue;
        const bool asks = ins->op == Q_EMPTY || ins->op == Q_OCCUPIED || ins->op == Q_EMPTY_KIND ||
                          ins->op == Q_IN;
        if (asks && live_only_gives(im, ins) && ins->w[0] != ins->w[1] && ins->w[0] != ins->w[2])
            add_given(g, (Given){i, -1, ins->w[0]});
        if (before_is_first(s, i, &step)) add_given(g, (Given){step.ins, step.none, step.cell});
    }
}

// ---- how long it holds ---------------------------------------------------------------------------

// Notes that what is given by k does not hold any more where the cell is written.
static void note(Givens *g, int k, int cell) {
    if (cell < g->ncells) g->by_cell[cell] |= UINT64_C(1) << k;
}

static void find_cells(Givens *g, const Search *s) {
    const Improver *im = s->im;
    g->ncells = im->p->ncells + im->q->slots;
    g->by_cell = arena_array(im->arena, (size_t)g->ncells + 1, sizeof *g->by_cell);
    memset(g->by_cell, 0, ((size_t)g->ncells + 1) * sizeof *g->by_cell);
    for (int k = 0; k < g->n; k++) {
        const Ins *what = &im->ins[g->all[k].ins];
        const char *kinds = quick_kinds[what->op];
        for (int o = 0; kinds[o]; o++)
            if (kinds[o] == 'u' || kinds[o] == 'd' || kinds[o] == 'v') note(g, k, what->w[o]);
    }
}

static uint64_t changed_by_cells(const Givens *g, int first, int n) {
    uint64_t all = 0;
    for (int cell = first; cell < first + n && cell < g->ncells; cell++) all |= g->by_cell[cell];
    return all;
}

static uint64_t changed_by(const Givens *g, const Improver *im, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    uint64_t all = 0;
    if (ins->gone) return 0;
    if ((ins->op >= Q_PUT && ins->op <= Q_SOW) || ins->op == Q_SET_MOVER || ins->op == Q_RETIRE ||
        ins->op == Q_SCORE)
        return ~UINT64_C(0);
    for (int o = 0; kinds[o]; o++)
        if (kind_is_written(kinds[o])) all |= changed_by_cells(g, ins->w[o], 1);
    switch (ins->op) {
    case Q_ZERO:
    case Q_FILL: return changed_by_cells(g, ins->w[0], ins->w[1]);
    case Q_STORERUN: return changed_by_cells(g, ins->w[2], ins->w[1]);
    case Q_STOREX: return changed_by_cells(g, ins->w[1], im->p->lists[ins->w[0]].n);
    default: return all;
    }
}

// After a look-ahead all is as it was before, but for its answer and what lay above that.
static uint64_t changed_by_look(const Givens *g, const Ins *would) {
    return changed_by_cells(g, would->w[4], g->ncells - would->w[4]);
}

// ---- following the code --------------------------------------------------------------------------

typedef struct Walk {
    Givens *g;
    const Improver *im;
    uint64_t out;
    bool more;
} Walk;

static void come_to(void *context, int from, int to) {
    Walk *w = context;
    uint64_t out = w->out;
    const Ins *ins = &w->im->ins[from];
    const bool found = ins->op >= Q_BEGIN_OCC && ins->op <= Q_BEGIN_RUN_MORE && ins->w[3] == to;
    if (found) out |= w->g->anew[from];
    if ((w->g->at[to] & ~out) == 0) return;
    w->g->at[to] &= out;
    w->more = true;
}

static void step_over(Walk *w, int i) {
    Givens *g = w->g;
    const Ins *ins = &w->im->ins[i];
    const bool begins = ins->op >= Q_BEGIN_OCC && ins->op <= Q_BEGIN_RUN_MORE;
    w->out = (g->at[i] & ~g->changed[i]) | (begins ? 0 : g->anew[i]);
    ins_followers(w->im, i, come_to, w);
    if (ins->gone || ins->op != Q_WOULD) return;
    const int end = w->im->place[ins->copy * (w->im->p->ncode + 1) + ins->w[1]];
    w->out = g->at[i] & ~changed_by_look(g, ins);
    if (end >= 0) come_to(w, i, end);
}

static bool is_end_of_look(const Improver *im, const Reached *r, int i) {
    for (int k = 0; k < r->n; k++) {
        const Ins *ins = &im->ins[r->all[k]];
        if (!ins->gone && ins->op == Q_WOULD &&
            im->place[ins->copy * (im->p->ncode + 1) + ins->w[1]] == i)
            return true;
    }
    return false;
}

Givens *givens_find(const Search *s) {
    const Improver *im = s->im;
    const Reached *r = s->reached;
    Givens *g = arena_alloc(im->arena, sizeof *g);
    *g = (Givens){.count = im->n};
    find_all(g, s);
    if (g->n == 0) return g;
    g->at = arena_array(im->arena, (size_t)im->n + 1, sizeof *g->at);
    g->changed = arena_array(im->arena, (size_t)im->n + 1, sizeof *g->changed);
    g->anew = arena_array(im->arena, (size_t)im->n + 1, sizeof *g->anew);
    find_cells(g, s);
    for (int i = 0; i < im->n; i++) {
        const bool any = im->entry[i] && (im->open[i] || !is_end_of_look(im, r, i));
        g->at[i] = any || !r->is[i] ? 0 : ~UINT64_C(0);
        g->changed[i] = changed_by(g, im, &im->ins[i]);
        g->anew[i] = 0;
    }
    // A loop gives where it has found its first, and where it says that there is none.
    for (int k = 0; k < g->n; k++) {
        g->anew[g->all[k].ins] |= UINT64_C(1) << k;
        if (g->all[k].none >= 0) g->anew[g->all[k].none] |= UINT64_C(1) << k;
    }
    Walk w = {.g = g, .im = im, .more = true};
    while (w.more) {
        w.more = false;
        for (int k = 0; k < r->n; k++) step_over(&w, r->all[k]);
    }
    return g;
}

// ---- for a search --------------------------------------------------------------------------------

static bool is_given(const Givens *g, int k, int i) {
    return g->at && i < g->count && g->at[i] >> k & 1;
}

bool givens_any(const Search *s, int i) {
    return s->givens->at && i < s->givens->count && s->givens->at[i] != 0;
}

static bool reads(const Improver *im, const Given *a, int cell) {
    const Ins *ins = &im->ins[a->ins];
    const char *kinds = quick_kinds[ins->op];
    for (int o = 0; kinds[o]; o++)
        if (kinds[o] == 'u' && ins->w[o] == cell) return true;
    return false;
}

// The steps before the search, the last one first: none gives what one reads that comes before it.
void givens_search(Search *s) {
    const Givens *g = s->givens;
    const Improver *im = s->im;
    const int i = (int)(s->outer - im->ins);
    s->nsteps = 0;
    for (int k = 0; k < g->n; k++) {
        const Given *given = &g->all[k];
        if (!is_given(g, k, i) || s->nsteps == STEPS_MOST) continue;
        const int base = im->ins[given->ins].base;
        int at = s->nsteps++;
        for (; at > 0 && im->ins[s->steps[at - 1].ins].base < base; at--)
            s->steps[at] = s->steps[at - 1];
        s->steps[at] = (Step){.ins = given->ins, .none = given->none, .cell = given->cell};
    }
    for (int a = 0; a < s->nsteps; a++)
        for (int b = 0; b < a; b++) {
            const Given far = {s->steps[a].ins, s->steps[a].none, s->steps[a].cell};
            if (reads(im, &far, s->steps[b].cell)) s->nsteps = a;
        }
}

static bool all_given(const Search *s, int i) {
    for (int k = 0; k < s->nsteps; k++) {
        int of = 0;
        while (of < s->givens->n && s->givens->all[of].ins != s->steps[k].ins) of++;
        if (s->steps[k].used && (of == s->givens->n || !is_given(s->givens, of, i))) return false;
    }
    return true;
}

// Puts what stands at i, a head of the search, aside, and before it what is part of the search. Gives its place.
int givens_aside(Search *s, int i) {
    Improver *im = s->im;
    int at = im->n;
    im->ins[im->n++] = im->ins[i];
    if (!s->given || im->n + 2 * s->nsteps > im->most || !all_given(s, i)) return at;
    return before_again(s, at);
}
