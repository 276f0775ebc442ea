// Loops over a few elements that are known, or over a few cells, are written out round by round: in each the element
// is a constant, or a copy of that cell.
#include "improve.h"

#include "ask.h"

#include <string.h>

enum {
    ROUNDS = 4,
    ROUND_MOST = 24,
    CELLS = 2,
    CELLS_ROUND_MOST = 64
}; // elements; instructions of a round

// Operands of a head, of ITER_CELLS one further.
enum { HEAD_INDEX = 1, HEAD_ELEMENT, HEAD_ROUND, HEAD_EXIT };

typedef struct Loop {
    Improver *im;
    const Live *live;
    const Ins *head;
    const List *list;            // NULL: cells
    int elements, most;          // instructions of a round, at most
    int from, to;                // what is between these pcs of the base code belongs to a round
    int round[CELLS_ROUND_MOST]; // its instructions
    int n;
    bool fits;
} Loop;

static const int *operands(const Ins *head) { return head->w + (head->op == Q_ITER_CELLS); }

static bool is_head(const Loop *l, int i) {
    const Ins *ins = &l->im->ins[i];
    return !ins->gone && ins->op == l->head->op && ins->base == l->from &&
           ins->copy == l->head->copy;
}

static bool within(const Loop *l, int i) {
    const Ins *ins = &l->im->ins[i];
    return ins->base > l->from && ins->base < l->to && ins->copy == l->head->copy;
}

// A head may stand several times, with a way out of its own, where it was known what holds. Each must lead into the same
// round, and nobody may ask for the number of the round afterwards.
static bool head_fits(const Loop *l, int i) {
    const Ins *head = &l->im->ins[i];
    const int *a = operands(l->head), *b = operands(head);
    return l->head->w[0] == head->w[0] && a[0] == b[0] && a[HEAD_INDEX] == b[HEAD_INDEX] &&
           a[HEAD_ELEMENT] == b[HEAD_ELEMENT] && a[HEAD_ROUND] == b[HEAD_ROUND] &&
           !live_is_wanted(l->live, ins_at(l->im, b[HEAD_EXIT]), b[HEAD_INDEX]);
}

static int place_in(const Loop *l, int i) { return place_among(l->round, l->n, i); }

static void gather(void *context, int from, int to) {
    Loop *l = context;
    (void)from;
    int i = ins_at(l->im, to);
    if (i >= 0 && is_head(l, i)) l->fits &= head_fits(l, i);
    if (i < 0 || is_head(l, i) || !within(l, i) || place_in(l, i) >= 0) return;
    // Where execution is begun from outside there is one instruction, and one only.
    QuickOp op = l->im->ins[i].op;
    if (l->im->entry[i] || op == Q_WOULD || op == Q_CHOOSE || op == Q_DECIDE || op == Q_THROW ||
        op == Q_SET_MOVER || l->n == l->most) {
        l->fits = false;
        return;
    }
    l->round[l->n++] = i;
}

static bool begins(const Loop *l, int i) {
    const Ins *ins = &l->im->ins[i];
    const Cell *zero = ins->op == Q_COPY ? q_constant_at(l->im->q, ins->w[1]) : NULL;
    return zero && *zero == 0 && ins->w[0] == operands(l->head)[HEAD_INDEX];
}

static void come_from(void *context, int from, int to) {
    Loop *l = context;
    int i = ins_at(l->im, to);
    if (i >= 0 && (place_in(l, i) >= 0 || (is_head(l, i) && !begins(l, from)))) l->fits = false;
}

// Whether nothing that is ever come to, but the loop's beginning, leads into it.
static bool closed(Loop *l, const Reached *r) {
    for (int k = 0; k < r->n && l->fits; k++) {
        int i = r->all[k];
        bool does = !l->im->ins[i].gone || l->im->entry[i];
        if (does && !is_head(l, i) && place_in(l, i) < 0) ins_followers(l->im, i, come_from, l);
    }
    return l->fits;
}

// Where round `r` of the copies that begin at `first` goes on instead of `i`.
static int led(const Loop *l, int first, int r, int i) {
    if (i < 0) return i;
    int at = ins_at(l->im, i), k = place_in(l, at);
    int each = l->n + 1; // the element's COPY, then the round
    if (k >= 0) return first + r * each + 1 + k;
    if (!is_head(l, at)) return i;
    return r + 1 < l->elements ? first + (r + 1) * each : operands(&l->im->ins[at])[HEAD_EXIT];
}

static void write_out(const Loop *l) {
    Improver *im = l->im;
    const int first = im->n, v = operands(l->head)[HEAD_ELEMENT];
    for (int r = 0; r < l->elements; r++) {
        Ins element = {.op = Q_COPY,
                       .copy = l->head->copy,
                       .base = l->from,
                       .w = {v, l->list ? q_constant(im->q, l->list->at[r]) : l->head->w[0] + r}};
        element.next = led(l, first, r, operands(l->head)[HEAD_ROUND]);
        im->ins[im->n++] = element;
        for (int k = 0; k < l->n; k++) {
            Ins *ins = &im->ins[im->n++];
            *ins = im->ins[l->round[k]];
            ins->next = led(l, first, r, ins->next);
            int t = ins_target(ins->op);
            if (t < 0) continue;
            ins->w[t] = led(l, first, r, ins->w[t]);
            if (quick_kinds[ins->op][t + 1] == 't') ins->w[t + 1] = led(l, first, r, ins->w[t + 1]);
        }
    }
}

static bool find_elements(Loop *l) {
    const Improver *im = l->im;
    const bool cells = l->head->op == Q_ITER_CELLS;
    const Cell *number = cells ? NULL : q_constant_at(im->q, l->head->w[0]);
    if (!cells && (!number || !is_list(im->p, *number))) return false;
    l->list = number ? &im->p->lists[*number] : NULL;
    l->elements = cells ? l->head->w[1] : l->list->n;
    l->most = cells ? CELLS_ROUND_MOST : ROUND_MOST;
    l->to = im->p->code[l->from + base_operands(cells ? OP_ITER_CELLS : OP_ITER_LIST)];
    return l->elements >= 1 && l->elements <= (cells ? CELLS : ROUNDS);
}

void improve_rounds(Improver *im, const Live *live) {
    Reached reached;
    ins_find_reached(&reached, im);
    for (int i = 0, n = im->n; i < n; i++) {
        Ins *ins = &im->ins[i];
        if (!reached.is[i] || ins->gone || ins->op != Q_COPY || ins->next < 0) continue;
        const Ins *head = &im->ins[ins_at(im, ins->next)];
        const Cell *zero = q_constant_at(im->q, ins->w[1]);
        if (head->gone || (head->op != Q_ITER_LIST && head->op != Q_ITER_CELLS) ||
            operands(head)[HEAD_INDEX] != ins->w[0] || !zero || *zero != 0)
            continue;
        Loop l = {.im = im, .live = live, .head = head, .from = head->base, .fits = true};
        if (!find_elements(&l)) continue;
        gather(&l, i, operands(head)[HEAD_ROUND]);
        for (int k = 0; k < l.n && l.fits; k++) ins_followers(im, l.round[k], gather, &l);
        if (!l.fits || !closed(&l, &reached) || im->n + l.elements * (l.n + 1) > im->most) continue;
        int first = im->n;
        write_out(&l);
        for (int k = first; k < im->n; k++) ins_reach(&reached, k, k);
        ins->next = first;
    }
}
