// What is cleared, at the very end: cells that are cleared one instruction after the other are cleared by one, as far
// as they lie side by side; and a few are cleared in few steps.
#include "improve.h"

enum {
    CHAIN_MOST = 12,
    ZERO_MOST = 7 // cells side by side that are cleared for no steps: see ZERO
};

typedef struct Clear {
    int from, to; // cells from .. to - 1
} Clear;

// Instructions that follow each other and only clear cells, or copy others. The copies may as well come before all
// that is cleared.
typedef struct Chain {
    Clear clears[CHAIN_MOST]; // none touches another
    Ins copies[CHAIN_MOST];
    int nclears, ncopies, length, next;
} Chain;

static bool is_zero(const Improver *im, int cell) {
    const Cell *k = q_constant_at(im->q, cell);
    return k && *k == 0;
}

static bool is_cleared(const Chain *c, int cell) {
    for (int i = 0; i < c->nclears; i++)
        if (cell >= c->clears[i].from && cell < c->clears[i].to) return true;
    return false;
}

static bool clear_too(Chain *c, Clear more) {
    Chain all = *c;
    for (int i = 0; i < all.nclears;) {
        const Clear *other = &all.clears[i];
        if (more.to < other->from || more.from > other->to) {
            i++;
            continue;
        }
        if (other->from < more.from) more.from = other->from;
        if (other->to > more.to) more.to = other->to;
        all.clears[i] = all.clears[--all.nclears];
    }
    if (more.to - more.from > ZERO_MOST) return false;
    all.clears[all.nclears++] = more;
    *c = all;
    return true;
}

static bool join(const Improver *im, Chain *c, const Ins *ins) {
    if (ins->gone) return false;
    if (ins->op == Q_ZERO) return clear_too(c, (Clear){ins->w[0], ins->w[0] + ins->w[1]});
    if (ins->op != Q_COPY) return false;
    if (is_zero(im, ins->w[1])) return clear_too(c, (Clear){ins->w[0], ins->w[0] + 1});
    if (is_cleared(c, ins->w[0]) || is_cleared(c, ins->w[1])) return false;
    c->copies[c->ncopies++] = *ins;
    return true;
}

static Ins cleared(const Improver *im, const Clear *clear) {
    const int n = clear->to - clear->from;
    return (Ins){.op = n == 1 ? Q_COPY : Q_ZERO,
                 .w = {clear->from, n == 1 ? q_constant(im->q, 0) : n}};
}

static void clear_together(Improver *im, int i) {
    Chain c = {.next = i};
    const Ins first = im->ins[i];
    for (int at = i; at >= 0 && c.length < CHAIN_MOST && join(im, &c, &im->ins[at]); c.length++) {
        c.next = im->ins[at].next;
        at = ins_at(im, c.next);
    }
    const int n = c.ncopies + c.nclears;
    if (n >= c.length || im->n + n > im->most) return;
    for (int k = 0; k < n; k++) {
        Ins *ins = &im->ins[k == 0 ? i : im->n++];
        *ins = k < c.ncopies ? c.copies[k] : cleared(im, &c.clears[k - c.ncopies]);
        ins->copy = first.copy;
        ins->base = first.base;
        ins->next = k + 1 < n ? im->n : c.next;
    }
}

void improve_clear(Improver *im) {
    Reached reached;
    ins_find_reached(&reached, im);
    for (int k = 0; k < reached.n; k++) clear_together(im, reached.all[k]);
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_ZERO || ins->w[1] < 2 || ins->w[1] > ZERO_MOST) continue;
        ins->op = ins->w[1] <= 4 ? Q_ZERO_FEW : Q_ZERO_SOME;
    }
}
