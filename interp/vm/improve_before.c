// What was worked out just before a search, for it alone: what lies on a site, which is the first site of a list where
// something lies. As part of the search it is asked with everything else at once, and need not be worked out.
#include "improve_asked.h"

#include "ask.h"

#include <string.h>

enum { FEW_PREDS = 3 };

// ---- what comes before an instruction ------------------------------------------------------------

typedef struct Edges {
    const Improver *im;
    Before *b;
    bool counts;
} Edges;

static void edge(void *context, int from, int to) {
    Edges *e = context;
    if (e->counts)
        e->b->first[to + 1]++;
    else
        e->b->from[e->b->first[to]++] = from;
}

void before_find(Before *b, const Improver *im, const Reached *r) {
    const size_t n = (size_t)im->most + 2;
    Edges e = {im, b, true};
    b->count = im->n;
    b->first = arena_array(im->arena, n + 1, sizeof *b->first);
    memset(b->first, 0, (n + 1) * sizeof *b->first);
    for (int k = 0; k < r->n; k++) ins_followers(im, r->all[k], edge, &e);
    for (size_t i = 1; i <= n; i++) b->first[i] += b->first[i - 1];
    b->from = arena_array(im->arena, (size_t)b->first[n] + 1, sizeof *b->from);
    e.counts = false;
    for (int k = 0; k < r->n; k++) ins_followers(im, r->all[k], edge, &e);
    for (size_t i = n; i > 0; i--) b->first[i] = b->first[i - 1]; // they have moved one place up
    b->first[0] = 0;
}

// The instructions that do something before which leads to i: into `out`, their number; FEW_PREDS: too many, or
// execution is begun on the way.
static int preds(const Search *s, int i, int *out) {
    const Before *b = s->before;
    int n = 0;
    for (int k = b->first[i]; k < b->first[i + 1] && n < FEW_PREDS; k++) {
        const int p = b->from[k];
        if (!s->im->ins[p].gone) {
            out[n++] = p;
            continue;
        }
        int more[FEW_PREDS];
        const int m = s->im->entry[p] ? FEW_PREDS : preds(s, p, more);
        for (int j = 0; j < m && n < FEW_PREDS; j++) out[n++] = m == FEW_PREDS ? p : more[j];
        if (m == FEW_PREDS) return FEW_PREDS;
    }
    return n;
}

// ---- the stretch before a search -----------------------------------------------------------------

// A loop that ends with the first element found, and says so if there is none.
static bool is_first(const Search *s, int a, int b, int cur, Step *step) {
    const Improver *im = s->im;
    for (int k = 0; k < 2; k++) {
        const int none = k ? a : b, head = k ? b : a;
        const Ins *copy = &im->ins[none], *begin = &im->ins[head];
        if (copy->op != Q_COPY || begin->op < Q_BEGIN_OCC || begin->op > Q_BEGIN_RUN_MORE) continue;
        const Cell *unset = q_constant_at(im->q, copy->w[1]);
        const int t = ins_target(begin->op);
        int only[FEW_PREDS];
        if (!unset || *unset != UNSET || copy->w[0] != begin->w[2] || im->entry[none] ||
            ins_at(im, begin->w[t]) != cur || ins_at(im, begin->w[t + 1]) != none ||
            preds(s, none, only) != 1)
            continue;
        *step = (Step){.ins = head, .none = none, .cell = begin->w[2]};
        return true;
    }
    return false;
}

// ---- searches among them -------------------------------------------------------------------------

// A search that is done at once, with its loop as it is written.
typedef struct Passed {
    Search *s;
    int at[PASSED_MOST], n, exit;
    bool fits;
} Passed;

static void come_to(void *context, int from, int to) {
    Passed *o = context;
    (void)from;
    to = ins_at(o->s->im, to);
    if (to == o->exit || (to >= 0 && place_among(o->at, o->n, to) >= 0)) return;
    if (to < 0 || o->n == PASSED_MOST)
        o->fits = false;
    else
        o->at[o->n++] = to;
}

static bool only_searches(const Improver *im, const Ins *ins) {
    switch (ins->op) {
    case Q_ADD:
    case Q_SUB:
    case Q_TICK:
    case Q_CAND:
    case Q_CAND1:
    case Q_CAND2:
    case Q_CANDS_ASKED:
    case Q_COUNT_ASKED: return true;
    default: return ins_target(ins->op) >= 0 || live_only_gives(im, ins);
    }
}

static bool is_same(const Ins *a, const Ins *b) { return a->op == b->op && a->base == b->base; }

// Whether a search that was passed over leaves what the step gives as it is: it may give the same again.
static bool leave_it(const Search *s, const Step *step) {
    for (int i = 0; i < s->npassed; i++) {
        const Ins *ins = &s->im->ins[s->passed[i]];
        const char *kinds = quick_kinds[ins->op];
        if (is_same(ins, &s->im->ins[step->ins]) ||
            (step->none >= 0 && is_same(ins, &s->im->ins[step->none])))
            continue;
        for (int k = 0; kinds[k]; k++)
            if (kind_is_written(kinds[k]) && ins->w[k] == step->cell) return false;
    }
    return true;
}

// Whether all that leads to i is part of it.
static bool leads_from(const Passed *o, int i) {
    const Before *b = o->s->before;
    for (int k = b->first[i]; k < b->first[i + 1]; k++) {
        const int p = b->from[k];
        if (place_among(o->at, o->n, p) >= 0) continue;
        if (!o->s->im->ins[p].gone || o->s->im->entry[p] || !leads_from(o, p)) return false;
    }
    return true;
}

// The search at `first` leads to i, whatever comes of it.
static bool pass_over(Search *s, int first, int i) {
    Passed o = {.s = s, .at = {first}, .n = 1, .exit = i, .fits = true};
    for (int k = 0; k < o.n && o.fits; k++) {
        const Ins *ins = &s->im->ins[o.at[k]];
        o.fits &= only_searches(s->im, ins);
        o.fits &= s->npassed < PASSED_MOST;
        if (o.fits) s->passed[s->npassed++] = o.at[k];
        if (o.fits) ins_followers(s->im, o.at[k], come_to, &o);
    }
    return o.fits && leads_from(&o, i);
}

static bool is_search(const Search *s, int i) {
    return s->im->ins[i].op == Q_CANDS_ASKED || s->im->ins[i].op == Q_COUNT_ASKED;
}

// ---- the stretch ---------------------------------------------------------------------------------

bool before_is_first(const Search *s, int begin, Step *step) {
    const Ins *ins = &s->im->ins[begin];
    if (ins->op < Q_BEGIN_OCC || ins->op > Q_BEGIN_RUN_MORE) return false;
    const int t = ins_target(ins->op), none = ins_at(s->im, ins->w[t + 1]);
    return none >= 0 && !s->im->ins[none].gone &&
           is_first(s, none, begin, ins_at(s->im, ins->w[t]), step) &&
           ins_at(s->im, s->im->ins[none].next) == ins_at(s->im, ins->w[t]);
}

void before_search(Search *s) {
    int cur = (int)(s->outer - s->im->ins);
    s->nsteps = s->npassed = 0;
    while (s->nsteps < STEPS_MOST && cur < s->before->count && !s->im->entry[cur]) {
        int from[FEW_PREDS];
        const int n = preds(s, cur, from);
        Step *step = &s->steps[s->nsteps];
        int search = 0;
        while (search < n && search < FEW_PREDS && !is_search(s, from[search])) search++;
        if (search < n && search < FEW_PREDS) {
            if (!pass_over(s, from[search], cur)) return;
            cur = from[search];
            continue;
        }
        if (n == 1) {
            const Ins *ins = &s->im->ins[from[0]];
            if (!live_only_gives(s->im, ins)) return;
            *step = (Step){.ins = from[0], .none = -1, .cell = ins->w[0]};
        } else if (n != 2 || !is_first(s, from[0], from[1], cur, step)) {
            return;
        }
        if (!leave_it(s, step)) return;
        cur = step->ins;
        s->nsteps++;
    }
}

// The step that gives the cell, seen from step `from` (0: from the search); -1: none.
static int step_of(const Search *s, int from, int cell) {
    for (int k = from; k < s->nsteps; k++)
        if (s->steps[k].cell == cell) return k;
    return -1;
}

int before_step(const Search *s, int cell) { return step_of(s, 0, cell); }

int before_first(Search *s, int cell, int from) {
    const int k = step_of(s, from, cell);
    if (k < 0 || s->steps[k].none < 0) return -1;
    s->steps[k].used = true;
    return k;
}

bool before_gives(const Search *s, int cell) {
    for (int k = 0; k < s->nsteps; k++)
        if (s->steps[k].used && s->steps[k].cell == cell) return true;
    return false;
}

void before_note(const Search *s, Uses *u) {
    for (int k = 0; k < s->nsteps; k++) u->used[k] |= s->steps[k].used;
    for (int i = 0; i < s->nwritten; i++) u->fits &= !before_gives(s, s->written[i]);
    for (int i = 0; i < s->nasking; i++) {
        if (!s->asking[i].celled) continue;
        u->fits &= u->n + 2 <= USES_MOST;
        if (!u->fits) return;
        u->cells[u->n++] = s->asking[i].a;
        u->cells[u->n++] = s->asking[i].b;
    }
}

// ---- and the search in its place -----------------------------------------------------------------

static bool given_by_used(const Search *s, int cell, int farthest) {
    for (int k = 0; k <= farthest; k++) {
        const Step *step = &s->steps[k];
        if (step->used &&
            (cell == step->cell || (step->none >= 0 && cell == s->im->ins[step->ins].w[1])))
            return true;
    }
    return false;
}

static int farthest_used(const Search *s) {
    int farthest = -1;
    for (int k = 0; k < s->nsteps; k++)
        if (s->steps[k].used) farthest = k;
    return farthest;
}

bool before_settle(Search *s, const Uses *u) {
    for (int k = 0; k < s->nsteps; k++) s->steps[k].used = u->used[k];
    const int farthest = farthest_used(s);
    for (int i = 0; i < u->n; i++)
        if (given_by_used(s, u->cells[i], farthest)) return false;
    return u->fits;
}

bool before_uses(const Search *s) { return farthest_used(s) >= 0; }

bool before_reads_used(const Search *s, const Ins *ins) {
    if (s->given) return false;
    const char *kinds = quick_kinds[ins->op];
    const int farthest = farthest_used(s);
    for (int o = 0; kinds[o] && farthest >= 0; o++)
        if ((kinds[o] == 'u' || kinds[o] == 'i') && given_by_used(s, ins->w[o], farthest))
            return true;
    return false;
}

bool before_is_wanted(const Search *s, int at) {
    if (s->given) return false;
    const int farthest = farthest_used(s);
    for (int k = 0; k <= farthest; k++) {
        const Step *step = &s->steps[k];
        if (!step->used) continue;
        if (live_is_wanted(s->live, at, step->cell)) return true;
        if (step->none >= 0 && live_is_wanted(s->live, at, s->im->ins[step->ins].w[1])) return true;
    }
    return false;
}

// Whether the steps that are not part of the search, up to the farthest that is, may be done twice: none gives what
// another one reads.
static bool may_be_repeated(const Search *s, const Ins *ins, int farthest) {
    const char *kinds = quick_kinds[ins->op];
    for (int k = 0; k < farthest; k++)
        for (int o = 0; kinds[o] && !s->steps[k].used; o++)
            if (kinds[o] == 'u' && ins->w[o] == s->steps[k].cell) return false;
    return true;
}

bool before_fits(const Search *s) {
    const int farthest = farthest_used(s);
    for (int k = 0; k < farthest; k++) {
        const Step *step = &s->steps[k];
        if (step->used) continue;
        const Ins *ins = &s->im->ins[step->ins];
        if (step->none >= 0 || before_reads_used(s, ins) || !may_be_repeated(s, ins, farthest))
            return false;
    }
    return s->im->n + farthest + 3 <= s->im->most;
}

bool before_may_stay(const Search *s) {
    const int farthest = farthest_used(s);
    for (int k = 0; k <= farthest; k++) {
        const Step *step = &s->steps[k];
        const Ins *ins = &s->im->ins[step->ins];
        const char *kinds = quick_kinds[ins->op];
        for (int o = 0; step->used && kinds[o]; o++) {
            const int from = kinds[o] == 'u' ? step_of(s, k + 1, ins->w[o]) : -1;
            if (kinds[o] == 'u' && !q_constant_at(s->im->q, ins->w[o]) &&
                (from < 0 || !s->steps[from].used))
                return false;
        }
    }
    return s->im->n + 2 * (farthest + 1) + 1 <= s->im->most;
}

int before_again(Search *s, int loop) {
    Improver *im = s->im;
    const int farthest = farthest_used(s);
    int to = loop;
    for (int k = 0; k <= farthest; k++) {
        const Step *step = &s->steps[k];
        if (!step->used) continue;
        int none = -1;
        if (step->none >= 0) {
            none = im->n++;
            im->ins[none] = im->ins[step->none];
            im->ins[none].next = to;
        }
        Ins *again = &im->ins[im->n];
        *again = im->ins[step->ins];
        if (none < 0) {
            again->next = to;
        } else {
            const int t = ins_target(again->op);
            again->w[t] = to;
            again->w[t + 1] = none;
        }
        to = im->n++;
    }
    return to;
}

int before_move(Search *s, int i) {
    Improver *im = s->im;
    const int farthest = farthest_used(s);
    if (farthest < 0) return i;
    // What is not part of the search is done first; where the search is gone through as it is written, once more.
    const int begin = s->steps[farthest].ins, all = im->n++;
    im->ins[all] = im->ins[begin];
    int at = begin;
    for (int k = farthest - 1; k >= 0; k--) {
        if (s->steps[k].used) continue;
        im->ins[at] = im->ins[s->steps[k].ins];
        im->ins[at].next = im->n;
        at = im->n++;
    }
    im->ins[at] = im->ins[i];
    s->aside = all;
    return at;
}
