// Instructions that follow each other in one, after all else is done: nothing looks for them any more.
#include "improve.h"

#include "ask.h"

static bool holds(const Improver *im, int cell, Cell value) {
    const Cell *k = q_constant_at(im->q, cell);
    return k && *k == value;
}

// The next that does something, if it is one of this kind; else NULL.
static const Ins *then(const Improver *im, const Ins *ins, QuickOp op) {
    if (ins->next < 0) return NULL;
    const Ins *next = &im->ins[ins_at(im, ins->next)];
    return !next->gone && next->op == op ? next : NULL;
}

static bool is_read_after(const Live *l, const Ins *ins, int cell) {
    int i = (int)(ins - l->im->ins);
    return i >= l->count || live_is_read(l, i, cell);
}

// A variable with an index is changed by a number. Where that cannot be, it is done as it was, which tells why.
static void change(Improver *im, const Live *l, Ins *ins) {
    const Ins *add = &im->ins[ins_at(im, ins->next)];
    if (add->gone || (add->op != Q_ADD && add->op != Q_SUB) || add->w[1] != ins->w[0]) return;
    const Cell *by = q_constant_at(im->q, add->w[2]);
    const Ins *store = then(im, add, Q_STORERUN);
    if (!by || !fits_cell(*by) || !store || store->w[3] != add->w[0] || im->n >= im->most) return;
    for (int o = 0; o < 3; o++)
        if (store->w[o] != ins->w[o + 1]) return;
    const int index = ins->w[4];
    if (store->w[4] != index || index == ins->w[0] || index == add->w[0] ||
        is_read_after(l, store, ins->w[0]) || is_read_after(l, store, add->w[0]))
        return;
    const int self = im->n++;
    im->ins[self] = *ins;
    *ins =
        (Ins){.op = Q_CHANGE,
              .copy = ins->copy,
              .base = ins->base,
              .next = store->next,
              .w = {ins->w[1], ins->w[2], ins->w[3], add->op == Q_ADD ? *by : -*by, index, self}};
}

// What is added to a variable and kept in one: what it holds fits a cell, so that only what is kept can be too much.
static void add_to(const Improver *im, const Live *l, Ins *ins) {
    const Ins *store = then(im, ins, Q_STORE);
    const Cell *by = q_constant_at(im->q, ins->w[2]);
    if (!store || !by || !fits_cell(*by) || ins->w[1] >= im->p->nstate ||
        store->w[1] != ins->w[0] || is_read_after(l, store, ins->w[0]))
        return;
    *ins = (Ins){.op = ins->op == Q_ADD ? Q_ADDTO : Q_SUBTO,
                 .copy = ins->copy,
                 .base = store->base,
                 .next = store->next,
                 .w = {store->w[0], ins->w[1], ins->w[2]}};
}

// A site ahead, and whether there is one.
static void step_ahead(const Improver *im, Ins *ins) {
    const Ins *branch = then(im, ins, Q_JNE);
    if (!branch || branch->w[0] != ins->w[0] || !holds(im, branch->w[1], UNSET)) return;
    const Cell *track = q_constant_at(im->q, ins->w[2]);
    const int n = ins->w[3], there_is = branch->w[2];
    ins->op = Q_STEPAHEAD;
    ins->w[4] = there_is;
    ins->next = branch->next;
    if (!track || !is_track(im->p, *track) || im->p->tracks[*track].loop || !goes_along(im->p))
        return;
    ins->op = Q_STEPALONG;
    ins->w[2] = *track * im->p->nsites;
    ins->w[3] = im->p->tracks[*track].list;
    ins->w[4] = n;
    ins->w[5] = ins->next;
    ins->next = there_is;
}

// Whether the branch is taken if the cell it asks about holds v. False in *known: it asks about others too.
static bool asks_about(const Improver *im, const Ins *branch, int cell, Cell v, bool *known) {
    const int *w = branch->w;
    const Cell *k = branch->op == Q_JEQ || branch->op == Q_JNE ? q_constant_at(im->q, w[1]) : NULL;
    *known = w[0] == cell;
    switch (branch->op) {
    case Q_JZ: return v == 0;
    case Q_JNZ: return v != 0;
    case Q_JEQ: *known &= k != NULL; return k && v == *k;
    case Q_JNE: *known &= k != NULL; return k && v != *k;
    case Q_JWITHIN: return v >= w[1] && v < w[1] + w[2];
    case Q_JNWITHIN: return v < w[1] || v >= w[1] + w[2];
    case Q_JAMONG:
    case Q_JNAMONG: {
        const int at = v - w[1];
        const bool among = at >= 0 && at < 64 && ((uint32_t)w[2 + at / 32] >> at % 32 & 1);
        return among == (branch->op == Q_JAMONG);
    }
    default: *known = false; return false;
    }
}

// The branch that asks about the same cell as `ins`, whether it is equal to a number, or not: that number; NULL: it
// is none.
static const Cell *asks_equal(const Improver *im, const Ins *ins, int cell, QuickOp op) {
    return !ins->gone && ins->op == op && ins->w[0] == cell ? q_constant_at(im->q, ins->w[1])
                                                            : NULL;
}

// A cell is equal to one number or to another, both lead to one place: whether it is one of a set.
static void one_of_several(Improver *im, Ins *ins) {
    enum { SET = 64 };
    const int cell = ins->w[0], t = ins_at(im, ins->w[2]);
    Cell low = 0, high = 0;
    uint64_t set = 0; // from `low` on
    int asked = 0, elsewhere = -1;
    for (const Ins *at = ins; asked < SET; at = &im->ins[ins_at(im, at->next)]) {
        const bool last = at->op == Q_JNE;
        const Cell *k = asks_equal(im, at, cell, last ? Q_JNE : Q_JEQ);
        if (!k || at->next < 0 || ins_at(im, last ? at->next : at->w[2]) != t) break;
        if (asked == 0) low = high = *k;
        const Cell from = *k < low ? *k : low, to = *k > high ? *k : high;
        if ((long)to - from >= SET) break;
        set = set << (low - from) | UINT64_C(1) << (*k - from);
        low = from;
        high = to;
        asked++;
        elsewhere = last ? at->w[2] : at->next;
        if (last) break;
    }
    if (asked < 2) return;
    const int n = high - low + 1;
    const bool all = set == (n < SET ? (UINT64_C(1) << n) - 1 : UINT64_MAX);
    ins->op = all ? Q_JWITHIN : Q_JAMONG;
    ins->next = elsewhere;
    ins->w[1] = low;
    ins->w[2] = all ? n : (int)(uint32_t)set;
    ins->w[3] = all ? t : (int)(uint32_t)(set >> 32);
    ins->w[4] = t;
}

// What is looked up in a table, only to be asked one thing: the answers are looked up.
static void look_up_answer(Improver *im, const Live *l, Ins *ins) {
    const Ins *branch = &im->ins[ins_at(im, ins->next)];
    const int d = ins->w[0], low = ins->w[2], n = ins->w[3], missing = ins->w[4];
    bool known;
    asks_about(im, branch, d, 0, &known);
    if (branch->gone || !known || is_read_after(l, branch, d)) return;
    const int at = (int)im->answers.n, t = ins_target(branch->op);
    for (int i = 0; i <= n; i++) {
        Cell v = i < n ? im->p->families[ins->w[1]].values[i] : missing;
        vec_push(im->arena, &im->answers, asks_about(im, branch, d, v, &known));
    }
    *ins = (Ins){.op = Q_JANSWER,
                 .copy = ins->copy,
                 .base = ins->base,
                 .next = branch->next,
                 .w = {ins->w[5], low, n, at, branch->w[t]}};
}

// How many pieces lie on a site that is known, only to be compared.
static void compare_all(const Improver *im, const Live *l, Ins *ins) {
    const Cell *site = q_constant_at(im->q, ins->w[1]);
    const Ins *branch = &im->ins[ins_at(im, ins->next)];
    if (!site || !is_site(im->p, *site) || branch->gone ||
        (branch->op != Q_JEQ && branch->op != Q_JNE) || branch->w[0] != ins->w[0] ||
        branch->w[1] == ins->w[0] || is_read_after(l, branch, ins->w[0]))
        return;
    ins->op = branch->op == Q_JEQ ? Q_JALL : Q_JNALL;
    ins->w[0] = *site * im->p->npieces;
    ins->w[1] = branch->w[1];
    ins->w[2] = branch->w[2];
    ins->next = branch->next;
}

static void of_all_kinds(const Improver *im, Ins *ins) {
    const List *kinds = &im->p->lists[ins->w[1]];
    for (int k = 0; k < kinds->n; k++)
        if (kinds->at[k] != k) return;
    if (kinds->n != im->p->npieces) return;
    ins->op = Q_PIECE_FIRST;
    ins->w[1] = ins->w[2];
}

// Whether a value is in a list that is known.
static void among(const Improver *im, Ins *ins) {
    const Cell *k = q_constant_at(im->q, ins->w[2]);
    if (!k || !is_list(im->p, *k) || im->p->lists[*k].n == 0) return;
    const List *list = &im->p->lists[*k];
    int low = list->at[0], high = list->at[0];
    for (int i = 1; i < list->n; i++) {
        if (list->at[i] < low) low = list->at[i];
        if (list->at[i] > high) high = list->at[i];
    }
    if (high - low >= 64) return;
    uint64_t bits = 0;
    for (int i = 0; i < list->n; i++) bits |= UINT64_C(1) << (list->at[i] - low);
    ins->op = Q_AMONG;
    ins->w[2] = low;
    ins->w[3] = (int32_t)(uint32_t)bits;
    ins->w[4] = (int32_t)(uint32_t)(bits >> 32);
}

// Whether a cell holds none, of a site and a kind that are known.
static void holds_none(const Improver *im, Ins *ins) {
    const Cell *site = q_constant_at(im->q, ins->w[1]);
    const Cell *kind = q_constant_at(im->q, ins->w[2]);
    if (!site || !is_site(im->p, *site) || !kind || !is_kind(im->p, *kind)) return;
    ins->op = Q_NOT;
    ins->w[1] = *site * im->p->npieces + *kind;
}

// A list is looked up, and gone through.
static void each_of(const Improver *im, const Live *l, Ins *ins) {
    const Ins *begin = then(im, ins, Q_COPY), *each = begin ? then(im, begin, Q_EACH_OCC) : NULL;
    if (!each || each->w[0] != ins->w[0] || each->w[1] != begin->w[0] || !holds(im, begin->w[1], 0))
        return;
    const int i = each->w[1], v = each->w[2], exit = ins_at(im, each->w[4]);
    if (i == ins->w[0] || v == ins->w[0] || exit >= l->count || live_is_wanted(l, exit, i)) return;
    ins->op = Q_EACH_OF_OCC;
    ins->base = each->base;
    for (int o = 1; o < 6; o++) ins->w[5 + o] = each->w[o];
    ins->next = -1;
}

void improve_join(Improver *im) {
    Live l;
    if (!live_find(&l, im)) return;
    for (int i = 0, n = im->n; i < n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->next < 0) continue;
        if (ins->op == Q_LOADRUN) change(im, &l, ins);
        if (ins->op == Q_ADD || ins->op == Q_SUB) add_to(im, &l, ins);
        if (ins->op == Q_AHEAD) step_ahead(im, ins);
        if (ins->op == Q_JEQ) one_of_several(im, ins);
        if (ins->op == Q_FAMILY1) look_up_answer(im, &l, ins);
        if (ins->op == Q_FAMILY1) each_of(im, &l, ins);
        if (ins->op == Q_COUNT) compare_all(im, &l, ins);
        if (ins->op == Q_IN) among(im, ins);
        if (ins->op == Q_EMPTY_KIND) holds_none(im, ins);
        if (ins->op == Q_PIECE_ON) of_all_kinds(im, ins);
    }
}
