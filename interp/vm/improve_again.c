// Searches that have just been made: a loop over cells that begins where another loop has found the first of the same
// cells, and nothing has changed since, finds the same. What lies between is written a second time, for those who
// come from there.
#include "improve_asked.h"

#include <string.h>

enum { BETWEEN_MOST = 24 }; // instructions between the two

typedef struct Again {
    Improver *im;
    const Ins *first;                         // the loop that has found it
    int at[BETWEEN_MOST], copy[BETWEEN_MOST]; // instructions between; what stands for them
    int n;
    bool fits, leads; // to another loop that finds the same
} Again;

static bool is_searched(const Ins *ins) {
    return ins->op >= Q_BEGIN_RUN_OCC && ins->op <= Q_BEGIN_RUN_MORE;
}

static bool finds_the_same(const Ins *a, const Ins *b) {
    static const int asked[] = {0, 6, 7, 8, 9};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        if (a->w[asked[k]] != b->w[asked[k]]) return false;
    return !b->gone && a->op == b->op && b->w[2] != a->w[1];
}

// Whether an instruction only asks, notes a candidate, or gives a result that has nothing to do with the loop.
static bool may_come_between(const Again *a, const Ins *ins) {
    const bool asks = ins->op >= Q_JZ && ins->op <= Q_TICK;
    const bool notes = ins->op >= Q_CHOOSE && ins->op <= Q_LOT;
    if (ins->gone || (!asks && !notes && !live_only_gives(a->im, ins))) return false;
    const int *w = a->first->w, from = w[6], to = from + w[0] * w[8];
    const char *kinds = quick_kinds[ins->op];
    for (int o = 0; kinds[o]; o++) {
        const int cell = ins->w[o];
        if (kinds[o] == 'd' &&
            (cell == w[1] || cell == w[2] || cell == w[7] || (cell >= from && cell < to)))
            return false;
    }
    return true;
}

static void come_to(void *context, int from, int to) {
    Again *a = context;
    (void)from;
    to = ins_at(a->im, to);
    if (to < 0 || place_among(a->at, a->n, to) >= 0) return;
    const Ins *ins = &a->im->ins[to];
    const bool same = ins != a->first && finds_the_same(a->first, ins);
    a->leads |= same;
    if (!same && !may_come_between(a, ins)) return;
    a->fits &= a->n < BETWEEN_MOST;
    if (a->fits) a->at[a->n++] = to;
}

// The place that stands for one: its copy, if it has one.
static int copied(const Again *a, int i) {
    const int k = i < 0 ? -1 : place_among(a->at, a->n, ins_at(a->im, i));
    return k < 0 ? i : a->copy[k];
}

// The loop's beginning is paid for, before anything is written, as there may be no time left for it; what it finds is
// known.
static void write_found(const Again *a, int at, const Ins *loop) {
    Improver *im = a->im;
    const int finds = im->n++, *w = loop->w, *first = a->first->w;
    im->ins[at] =
        (Ins){.op = Q_TICK, .copy = loop->copy, .base = loop->base, .next = finds, .w = {w[5]}};
    im->ins[finds] = (Ins){.op = Q_COPY2,
                           .copy = loop->copy,
                           .base = loop->base,
                           .next = w[3],
                           .w = {w[2], first[2], w[1], first[1]}};
}

static void write_between(const Again *a, int k) {
    Improver *im = a->im;
    const Ins *ins = &im->ins[a->at[k]];
    if (is_searched(ins)) {
        write_found(a, a->copy[k], ins);
        return;
    }
    Ins *to = &im->ins[a->copy[k]];
    *to = *ins;
    const int t = ins_target(ins->op);
    to->next = copied(a, ins->next);
    if (t >= 0) to->w[t] = copied(a, ins->w[t]);
}

void improve_again(Improver *im) {
    for (int i = 0, n = im->n; i < n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || !is_searched(ins) || ins->w[8] < 1) continue;
        Again a = {.im = im, .first = ins, .fits = true};
        come_to(&a, i, ins->w[3]);
        for (int k = 0; k < a.n && a.fits; k++)
            if (!is_searched(&im->ins[a.at[k]])) ins_followers(im, a.at[k], come_to, &a);
        if (!a.fits || !a.leads || im->n + 2 * a.n > im->most) continue;
        for (int k = 0; k < a.n; k++) a.copy[k] = im->n++;
        for (int k = 0; k < a.n; k++) write_between(&a, k);
        ins->w[3] = copied(&a, ins->w[3]);
    }
}
