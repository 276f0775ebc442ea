// Several instructions in one: what loops do most.
#include "improve.h"

#include "ask.h"

// ---- what instructions are -----------------------------------------------------------------------

static const Cell *constant(const Improver *im, int cell) { return q_constant_at(im->q, cell); }

static bool is_loop(const Ins *ins) {
    int t = ins->gone ? -1 : ins_target(ins->op);
    return t >= 0 && quick_kinds[ins->op][t + 1] == 't';
}

static bool same_place(const Improver *im, int a, int b) { return ins_at(im, a) == ins_at(im, b); }

// Heads of one loop: there is one at each place that leads there.
static bool same_loop(const Improver *im, const Ins *a, const Ins *b) {
    if (!is_loop(b) || a->op != b->op || a->base != b->base) return false;
    const char *kinds = quick_kinds[a->op];
    for (int o = 0; kinds[o]; o++) {
        bool same = kinds[o] == 't' ? same_place(im, a->w[o], b->w[o]) : a->w[o] == b->w[o];
        if (!same) return false;
    }
    return true;
}

static bool is_run(const List *list) {
    for (int i = 1; i < list->n; i++)
        if (list->at[i] != list->at[0] + i) return false;
    return list->n > 0;
}

// The list that a cell holds for sure, if there are only sites in it; else -1.
static int known_sites(const Improver *im, int cell) {
    const Cell *list = constant(im, cell);
    if (!list || !is_list(im->p, *list)) return -1;
    const List *sites = &im->p->lists[*list];
    for (int i = 0; i < sites->n; i++)
        if (!is_site(im->p, sites->at[i])) return -1;
    return *list;
}

// ---- loops over lists that are known -------------------------------------------------------------

typedef struct Over {
    QuickOp op; // OVER_ something
    int list;
    int base, stride, k;
} Over;

// What a loop's head asks, if its list is known. A question about one kind of pieces is one about a cell.
static bool find_over(Improver *im, const Ins *ins, Over *o) {
    const Program *p = im->p;
    if (ins->op < Q_ITER_LIST || ins->op > Q_EACH_MORE || ins->op == Q_ITER_RANGE ||
        ins->op == Q_ITER_CELLS)
        return false;
    *o = (Over){.list = known_sites(im, ins->w[0]), .stride = p->npieces};
    if (o->list < 0 || p->npieces < 1) return false;
    const Cell *kind;
    o->k = q_constant(im->q, 0);
    switch (ins->op) {
    case Q_ITER_LIST: o->op = Q_OVER_LIST; return true;
    case Q_EACH_OCC: o->op = Q_OVER_OCC; return true;
    case Q_EACH_EMPTY: o->op = Q_OVER_EMPTY; return true;
    case Q_EACH_MORE:
        o->op = Q_OVER_MORE;
        o->k = ins->w[6];
        return p->npieces == 1;
    default:
        kind = constant(im, ins->w[6]);
        if (!kind || !is_kind(p, *kind)) return false;
        *o = (Over){Q_OVER_MORE, o->list, *kind, p->npieces, q_constant(im->q, 0)};
        return true;
    }
}

static bool elements_within(const List *list, int low, int n) {
    for (int i = 0; i < list->n; i++)
        if (list->at[i] < low || list->at[i] >= low + n) return false;
    return true;
}

// A loop whose round begins with a question about the element and ends with its answer no: the head asks. Gives
// where the round really begins, or -1.
static int find_question(Improver *im, const Live *l, const Ins *head, Over *o) {
    int v = head->w[2], at = ins_at(im, head->w[3]);
    const Ins *ask = &im->ins[at], *test = ask;
    if (ask->op == Q_LOADRUN && ask->w[4] == v) test = &im->ins[ins_at(im, ask->next)];
    int t = ins_target(test->op);
    if (t < 0 || is_loop(test) || test->next < 0 ||
        !same_loop(im, head, &im->ins[ins_at(im, test->w[t])]))
        return -1;
    if (test->w[0] != (test == ask ? v : ask->w[0])) return -1;
    const Cell *kind;
    if (test != ask && test->op != Q_JLE) return -1;
    switch (test->op) {
    case Q_JNOCC: o->op = Q_OVER_OCC; break;
    case Q_JNEMPTY: o->op = Q_OVER_EMPTY; break;
    case Q_JNKIND:
        kind = constant(im, test->w[1]);
        if (!kind || !is_kind(im->p, *kind)) return -1;
        *o = (Over){Q_OVER_MORE, o->list, *kind, im->p->npieces, q_constant(im->q, 0)};
        break;
    case Q_JLE: { // a variable's value for the element
        if (test == ask || !constant(im, test->w[1])) return -1;
        if (!elements_within(&im->p->lists[o->list], ask->w[1], ask->w[2])) return -1;
        if (live_is_read(l, (int)(test - im->ins), ask->w[0])) return -1;
        *o = (Over){Q_OVER_MORE, o->list, ask->w[3] - ask->w[1], 1, test->w[1]};
        break;
    }
    default: return -1;
    }
    return test->next;
}

// The place of its column: one that is there already, or a new one.
static int column(Improver *im, const Over *o) {
    const List *list = &im->p->lists[o->list];
    size_t n = (size_t)list->n;
    for (size_t at = 0; at + n <= im->columns.n; at++) {
        size_t k = 0;
        while (k < n && im->columns.at[at + k] == o->base + o->stride * list->at[k]) k++;
        if (k == n) return (int)at;
    }
    for (size_t k = 0; k < n; k++)
        vec_push(im->arena, &im->columns, (int16_t)(o->base + o->stride * list->at[k]));
    return (int)(im->columns.n - n);
}

// The other heads of a loop are compared with it as it was: all are planned before the first is changed.
static void fuse_loops(Improver *im, const Live *l) {
    Over *plans = arena_array(im->arena, (size_t)im->n + 1, sizeof *plans);
    int *begin = arena_array(im->arena, (size_t)im->n + 1, sizeof *begin);
    for (int i = 0; i < im->n; i++) {
        const Ins *ins = &im->ins[i];
        begin[i] = -1;
        if (!is_loop(ins) || !find_over(im, ins, &plans[i])) continue;
        int asked = ins->op == Q_ITER_LIST ? find_question(im, l, ins, &plans[i]) : -1;
        begin[i] = asked >= 0 ? asked : ins->w[3];
    }
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (begin[i] < 0) continue;
        ins->op = plans[i].op;
        ins->w[0] = plans[i].list;
        ins->w[3] = begin[i];
        if (ins->op == Q_OVER_LIST) continue;
        const List *list = &im->p->lists[plans[i].list];
        ins->w[7] = plans[i].k;
        if (is_run(list)) {
            ins->op = (QuickOp)(ins->op - Q_OVER_OCC + Q_OVER_RUN_OCC);
            ins->w[0] = list->n;
            ins->w[6] = plans[i].base + plans[i].stride * list->at[0];
            ins->w[8] = plans[i].stride;
            ins->w[9] = list->at[0];
        } else {
            ins->w[6] = column(im, &plans[i]);
        }
    }
}

// Where nobody asks which element it was, and all lie side by side, they are gone through as they lie.
static void in_any_order(Improver *im, const Live *l, Ins *ins) {
    if (ins->op < Q_BEGIN_OCC || ins->op > Q_BEGIN_MORE) return;
    const List *list = &im->p->lists[ins->w[0]];
    int n = list->n, low = n > 0 ? list->at[0] : 0;
    for (int o = 1; o <= 2; o++)
        for (int t = 3; t <= 4; t++)
            if (live_is_wanted(l, ins_at(im, ins->w[t]), ins->w[o])) return;
    for (int i = 1; i < n; i++)
        if (list->at[i] < low) low = list->at[i];
    // Each of n places is among the n elements: none is there twice.
    if (n < 2) return;
    for (int i = 0; i < n; i++)
        if (list_position(list, low + i) < 0) return;
    const int16_t *column = &im->columns.at[ins->w[6]];
    int stride = (column[1] - column[0]) / (list->at[1] - list->at[0]);
    ins->op = (QuickOp)(ins->op - Q_BEGIN_OCC + Q_BEGIN_RUN_OCC);
    ins->w[0] = n;
    ins->w[6] = column[0] + stride * (low - list->at[0]);
    ins->w[8] = stride;
    ins->w[9] = low;
}

// The index is set to 0 and the loop begins.
static void fuse_begins(Improver *im, const Live *l) {
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_COPY) continue;
        const Cell *zero = constant(im, ins->w[1]);
        const Ins *head = &im->ins[ins_at(im, ins->next)];
        if (!zero || *zero != 0 || head->gone || head->op < Q_OVER_LIST ||
            head->op > Q_OVER_RUN_MORE || head->w[1] != ins->w[0])
            continue;
        // Whoever reads the index behind a loop that found nothing finds the 0.
        if (live_is_wanted(l, ins_at(im, head->w[4]), head->w[1])) continue;
        *ins = *head;
        ins->op = (QuickOp)(head->op - Q_OVER_LIST + Q_BEGIN_LIST);
        in_any_order(im, l, ins);
    }
}

// A loop that ends with the first element found, whichever that is.
static void fuse_searches(Improver *im, const Live *l) {
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_BEGIN_RUN_OCC || ins->w[8] != im->p->npieces) continue;
        int found = ins_at(im, ins->w[3]);
        if (live_is_wanted(l, found, ins->w[1]) || live_is_wanted(l, found, ins->w[2])) continue;
        *ins = (Ins){.op = Q_JSOMERUN,
                     .copy = ins->copy,
                     .base = ins->base,
                     .next = ins->w[4],
                     .w = {ins->w[6], ins->w[0] * im->p->npieces, ins->w[5], ins->w[3]}};
    }
}

// The two last operands, from the k-th on, of a search through n elements.
static void choose_at_once(const Improver *im, Ins *ins, int k, int n) {
    const Ins *decide = &im->ins[ins_at(im, ins->next)];
    bool at_once = !decide->gone && decide->op == Q_DECIDE && n <= CANDS_MOST &&
                   !im->p->decisions[decide->w[0]].chance; // a lot is drawn from the throws
    int first = im->place[ins->copy * (im->p->ncode + 1) + im->p->alternatives[ins->w[2]].target];
    ins->w[k] = at_once ? decide->w[0] : -1;
    ins->w[k + 1] = at_once ? first : ins->w[3];
}

// The same over a list that is not known.
static void fuse_each(Improver *im, const Live *l) {
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_COPY || ins->next < 0) continue;
        const Cell *zero = constant(im, ins->w[1]);
        const Ins *head = &im->ins[ins_at(im, ins->next)];
        if (!zero || *zero != 0 || head->gone || head->w[1] != ins->w[0] ||
            (head->op != Q_EACH_OCC && head->op != Q_EACH_EMPTY) || head->w[0] == head->w[1] ||
            head->w[0] == head->w[2] || live_is_wanted(l, ins_at(im, head->w[4]), head->w[1]))
            continue;
        const Ins *cand = &im->ins[ins_at(im, head->w[3])];
        if (cand->gone || cand->op != Q_CAND1 || cand->next < 0) continue;
        const Alternative *a = &im->p->alternatives[cand->w[0]];
        const Ins *again = &im->ins[ins_at(im, cand->next)];
        if (a->nvars != 1 || a->cells[0] != head->w[2] || !same_loop(im, head, again)) continue;
        const int *w = head->w;
        *ins = (Ins){.op = head->op == Q_EACH_OCC ? Q_CANDS_EACH_OCC : Q_CANDS_EACH_EMPTY,
                     .copy = ins->copy,
                     .base = head->base,
                     .next = w[4],
                     .w = {w[0], w[2], cand->w[0], (int)(again - im->ins), w[5], w[1]}};
        choose_at_once(im, ins, 6, 0);
    }
}

// A loop whose rounds do nothing but what stands at `at`, CAND with the element: one instruction, in the place of the
// loop's beginning.
static bool become_candidates(const Improver *im, Ins *ins, int at) {
    const Ins *cand = &im->ins[at];
    if (cand->gone || cand->op != Q_CAND1 || cand->next < 0) return false;
    const Alternative *a = &im->p->alternatives[cand->w[0]];
    const Ins *again = &im->ins[ins_at(im, cand->next)];
    Ins head = *ins;
    head.op = (QuickOp)(ins->op - Q_BEGIN_LIST + Q_OVER_LIST);
    if (a->nvars != 1 || a->cells[0] != ins->w[2] || !same_loop(im, &head, again)) return false;
    bool run = ins->op >= Q_BEGIN_RUN_OCC;
    int n = run ? head.w[0] : im->p->lists[head.w[0]].n;
    *ins = (Ins){.op = (QuickOp)(ins->op - Q_BEGIN_LIST + Q_CANDS_LIST),
                 .copy = ins->copy,
                 .base = ins->base,
                 .next = ins->w[4],
                 .w = {head.w[0], head.w[2], cand->w[0], (int)(again - im->ins), head.w[5],
                       head.w[1], head.w[6], head.w[7], head.w[8], head.w[9]}};
    choose_at_once(im, ins, ins->op == Q_CANDS_LIST ? 6 : run ? 10 : 8, n);
    return true;
}

// Questions that cost nothing, cannot fail and are not about these cells.
static bool asks_others(const Ins *ins, int cell, int other) {
    if (ins->gone || ins->op < Q_JZ || ins->op > Q_JNWITHIN || ins->op == Q_JIN ||
        ins->op == Q_JNIN || ins->next < 0)
        return false;
    const char *kinds = quick_kinds[ins->op];
    for (int k = 0; kinds[k]; k++)
        if (kinds[k] == 'u' && (ins->w[k] == cell || ins->w[k] == other)) return false;
    return true;
}

// A loop whose rounds begin with a question that has nothing to do with the element, one answer to which is CAND: as the
// answer is the same in the next round, it is asked before the loop.
static void ask_before(Improver *im, Ins *ins) {
    const Ins *ask = &im->ins[ins_at(im, ins->w[3])];
    if (!asks_others(ask, ins->w[1], ins->w[2]) || im->n + 2 > im->most) return;
    Ins first = *ask;
    int t = ins_target(first.op), ways[] = {first.w[t], first.next};
    for (int k = 0; k < 2; k++) {
        Ins all = *ins;
        if (!become_candidates(im, &all, ins_at(im, ways[k]))) continue;
        im->ins[im->n] = all;
        im->ins[im->n + 1] = *ins;
        first.w[t] = im->n + k;
        first.next = im->n + 1 - k;
        im->n += 2;
        *ins = first;
        return;
    }
}

// Loops that only find candidates.
static void fuse_candidates(Improver *im) {
    for (int i = 0, n = im->n; i < n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op < Q_BEGIN_LIST || ins->op > Q_BEGIN_RUN_MORE) continue;
        if (!become_candidates(im, ins, ins_at(im, ins->w[3]))) ask_before(im, ins);
    }
}

static void fuse_copies(Improver *im) {
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_COPY || ins->next < 0) continue;
        const Ins *then = &im->ins[ins_at(im, ins->next)];
        if (then->gone || then->op != Q_COPY || then == ins) continue;
        ins->op = Q_COPY2;
        ins->w[2] = then->w[0];
        ins->w[3] = then->w[1];
        ins->next = then->next;
    }
}

// A site is worked out and asked about.
static void fuse_asked_sites(Improver *im) {
    static const QuickOp asks[] = {Q_JOCC,  Q_JNOCC,  Q_JEMPTY,  Q_JNEMPTY,
                                   Q_TJOCC, Q_TJNOCC, Q_TJEMPTY, Q_TJNEMPTY};
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        bool gives = ins->op == Q_NEXT || ins->op == Q_AHEAD || ins->op == Q_FAMILY1;
        if (ins->gone || !gives || ins->next < 0) continue;
        const Ins *ask = &im->ins[ins_at(im, ins->next)];
        int k = 0;
        while (k < 8 && asks[k] != ask->op) k++;
        if (ask->gone || k == 8 || ask->w[0] != ins->w[0] || (k > 3 && ins->op != Q_NEXT)) continue;
        const int t = ins->op == Q_NEXT ? 3 : ins->op == Q_AHEAD ? 4 : 6;
        const QuickOp first = ins->op == Q_NEXT    ? Q_NEXTOCC
                              : ins->op == Q_AHEAD ? Q_AHEADOCC
                                                   : Q_FAMILY1OCC;
        ins->op = (QuickOp)((int)first + k);
        ins->w[t] = ask->w[1];
        ins->w[t + 1] = ask->w[2];
        ins->next = ask->next;
    }
}

// Between two searches there are no candidates: nothing need be forgotten.
static void leave_out_choose(Improver *im) {
    for (int i = 0; i < im->n; i++) im->ins[i].gone |= im->ins[i].op == Q_CHOOSE;
}

void improve_fuse(Improver *im) {
    Live l;
    if (!live_find(&l, im)) return;
    improve_pairs(im, &l);
    fuse_loops(im, &l);
    fuse_begins(im, &l);
    improve_asked(im, &l);
    fuse_candidates(im);
    fuse_each(im, &l);
    fuse_searches(im, &l);
    improve_again(im);
    improve_join(im);
    improve_look(im);
    improve_clear(im);
    fuse_copies(im);
    fuse_asked_sites(im);
    leave_out_choose(im);
    improve_noted(im);
}
