// What follows from what is known of cells: operands are taken from where they come from, instructions on constants
// become constants, and branches whose answer is known on a way are led past.
#include "improve_flow.h"

#include "ask.h"

// A jump back that pays, to a branch whose answer is known on this way: it pays and goes on behind that.
static void pay_and_pass(Flow *f, int *to) {
    Improver *im = f->im;
    int i = ins_at(im, *to);
    if (im->ins[i].gone || im->ins[i].op != Q_TICK || im->ins[i].next < 0 || im->n >= im->most)
        return;
    const Ins *branch = &im->ins[ins_at(im, im->ins[i].next)];
    int t = branch->gone ? -1 : ins_target(branch->op);
    Answer known = t >= 0 ? flow_taken(f, &f->edge, (int)(branch - im->ins)) : WHO_KNOWS;
    if (known == WHO_KNOWS) return;
    im->ins[im->n] = im->ins[i];
    im->ins[im->n].next = known == YES ? branch->w[t] : branch->next;
    *to = im->n++;
    f->more = true;
}

// ---- what depends on a throw ---------------------------------------------------------------------

enum { AFTER_MOST = 16 }; // instructions after a throw that are written for each outcome

// What comes after a throw, as far as it asks for what was thrown.
typedef struct After {
    int ins[AFTER_MOST], n, next; // the instructions, and where it goes on behind them
    int cells[AFTER_MOST + CHOOSE_VARS], ncells; // what was thrown, and what was worked out from it
} After;

static bool depends(const After *a, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    for (int o = 0; kinds[o]; o++)
        if (kinds[o] == 'u' && place_among(a->cells, a->ncells, ins->w[o]) >= 0) return true;
    return false;
}

static void no_longer(After *a, int cell) {
    const int k = place_among(a->cells, a->ncells, cell);
    if (k >= 0) a->cells[k] = a->cells[--a->ncells];
}

static bool is_plain(const Ins *ins) {
    switch (ins->op) {
    case Q_CHOOSE:
    case Q_DECIDE:
    case Q_SET_MOVER:
    case Q_WOULD: return false;
    default: return ins->next >= 0;
    }
}

static void find_after(Flow *f, int at, After *a) {
    const Improver *im = f->im;
    After all = *a;
    while (all.n < AFTER_MOST) {
        const int i = ins_at(im, at), t = i < 0 ? -1 : ins_target(im->ins[i].op);
        if (i < 0 || im->ins[i].gone) return;
        const Ins *ins = &im->ins[i];
        const bool asks = depends(&all, ins);
        const Answer known = t >= 0 ? flow_taken(f, &f->edge, i) : WHO_KNOWS;
        if (t >= 0 ? known == WHO_KNOWS : !is_plain(ins)) return;
        at = known == YES ? ins->w[t] : ins->next;
        if (t < 0) {
            const char *kinds = quick_kinds[ins->op];
            const bool gives = kinds[0] == 'd' && flow_result(f, &f->edge, i) >= 0;
            all.ins[all.n++] = i;
            for (int o = 0; kinds[o]; o++)
                if (kinds[o] == 'd') no_longer(&all, ins->w[o]);
            if (asks && gives) all.cells[all.ncells++] = ins->w[0];
            flow_pass(f, &f->edge, i);
        }
        all.next = at;
        if (asks) *a = all;
    }
}

// An outcome's way from its beginning on: as long as what was thrown is asked for, with instructions of its own.
static void lead_after(Flow *f, const Outcome *outcome, int *to) {
    Improver *im = f->im;
    After a = {.n = 0, .next = *to, .ncells = outcome->thrown->nvars};
    for (int k = 0; k < a.ncells; k++) a.cells[k] = outcome->thrown->cells[k];
    find_after(f, *to, &a);
    if (im->n + a.n > im->most) return;
    f->more |= a.next != *to;
    for (int k = 0; k < a.n; k++) {
        im->ins[im->n] = im->ins[a.ins[k]];
        *to = im->n++;
        to = &im->ins[*to].next;
    }
    *to = a.next;
}

static const Outcome *outcome_at(const Improver *im, int i) {
    for (size_t k = 0; k < im->outcomes.n; k++)
        if (im->outcomes.at[k].entry == i) return &im->outcomes.at[k];
    return NULL;
}

// ---- ways ----------------------------------------------------------------------------------------

// A question is left to those who follow it for many elements at once: improve_asked.c.
static bool is_question(QuickOp op) {
    return op == Q_IN || op == Q_EQ || op == Q_NE || op == Q_LT || op == Q_LE || op == Q_NOT;
}

// What is worked out next, on the way to a branch whose answer is known on this way, or if the result is: this way gets
// instructions of its own, which write down the results.
static void copy_past(Flow *f, int from, int *to) {
    enum { MOST = 4 };
    Improver *im = f->im;
    int i = *to, n = 0, end = -1, worth = 0, meeting = -1;
    for (int hops = 0; i >= 0 && i < f->count && hops < f->count; hops++, i = im->ins[i].next) {
        if (f->meets[i] >= 0) meeting = f->meets[i];
        if (!im->ins[i].gone) break;
    }
    if (!f->copies || meeting < 0) return;
    Ins copies[MOST];
    Known general = known_at(f, meeting);
    flow_know_as(f, &f->there, &general);
    flow_know_as(f, &f->beyond, &f->edge);
    for (int hops = 0; hops < 2 * MOST && i >= 0 && i < f->count; hops++) {
        const Ins *ins = &im->ins[i];
        const int t = ins_target(ins->op);
        if (ins->gone || ins->next < 0 || copy_of(im, i) != copy_of(im, from)) break;
        bool gain;
        if (t >= 0) {
            const Answer known = flow_taken(f, &f->beyond, i);
            if (known == WHO_KNOWS) break;
            gain = flow_taken(f, &f->there, i) == WHO_KNOWS;
            i = ins_at(im, known == YES ? ins->w[t] : ins->next);
        } else {
            const int result = quick_kinds[ins->op][0] == 'd' ? flow_result(f, &f->beyond, i) : -1;
            if (n == MOST || result < 0 || is_question(ins->op)) break;
            gain = ins->op != Q_COPY && flow_result(f, &f->there, i) < 0;
            copies[n++] =
                (Ins){.op = Q_COPY, .copy = ins->copy, .base = ins->base, .w = {ins->w[0], result}};
            flow_pass(f, &f->beyond, i);
            flow_pass(f, &f->there, i);
            i = ins_at(im, ins->next);
        }
        if (!gain) continue;
        worth = n;
        end = i;
    }
    // (Others need room too.)
    if (worth == 0 || end < 0 || im->n + worth > im->most - im->most / 8) return;
    for (int k = 0; k < worth; k++) {
        const int self = im->n++;
        im->ins[self] = copies[k];
        im->ins[self].next = k + 1 < worth ? self + 1 : end;
        if (k == 0) *to = self;
    }
    f->more = true;
}

// On this way: past branches whose answer is known.
void use_on_way(Flow *f, int from, int *to) {
    if (f->im->ins[from].op == Q_SET_MOVER && !f->im->ins[from].gone) return;
    const Outcome *outcome = f->im->entry[from] ? outcome_at(f->im, from) : NULL;
    if (outcome && f->meets[*to] >= 0) {
        lead_after(f, outcome, to);
        return;
    }
    for (int hops = 0; hops < f->im->n; hops++) {
        int i = ins_at(f->im, *to);
        const Ins *ins = &f->im->ins[i];
        int t = ins->gone ? -1 : ins_target(ins->op);
        if (copy_of(f->im, i) != copy_of(f->im, from)) return;
        if (t < 0) {
            pay_and_pass(f, to);
            copy_past(f, from, to);
            return;
        }
        Answer known = flow_taken(f, &f->edge, i);
        if (known == WHO_KNOWS) return;
        *to = known == YES ? ins->w[t] : ins->next;
        f->more = true;
    }
}

// A variable whose index is known is a cell.
static void index_known(Flow *f, Ins *ins) {
    const bool load = ins->op == Q_LOADRUN;
    if (!load && ins->op != Q_STORERUN) return;
    const Cell *i = q_constant_at(f->im->q, ins->w[4]);
    const int *run = ins->w + load;
    if (!i || *i < run[0] || *i >= run[0] + run[1]) return;
    const int cell = run[2] + *i - run[0];
    ins->op = load ? Q_COPY : Q_STORE;
    ins->w[1] = load ? cell : ins->w[3];
    if (!load) ins->w[0] = cell;
    f->more = true;
}

void use_at(Flow *f, int i) {
    Improver *im = f->im;
    Ins *ins = &im->ins[i];
    if (ins->gone) return;
    const char *kinds = quick_kinds[ins->op];
    int t = ins_target(ins->op);
    Answer known = t >= 0 ? flow_taken(f, &f->now, i) : WHO_KNOWS;
    if (known != WHO_KNOWS) {
        if (known == YES) ins->next = ins->w[t];
        ins->gone = f->more = true;
        return;
    }
    int result = kinds[0] == 'd' ? flow_result(f, &f->now, i) : -1;
    bool held = tracked(f, ins->w[0]) && f->now.same[ins->w[0] - f->first] == result;
    if (result >= 0 && (result == ins->w[0] || held)) {
        ins->gone = f->more = true; // it holds that already
        return;
    }
    if (result >= 0 && (ins->op != Q_COPY || ins->w[1] != result)) {
        ins->op = Q_COPY;
        ins->w[1] = result;
        f->more = true;
        return;
    }
    for (int o = 0; kinds[o]; o++)
        if (kinds[o] == 'u') ins->w[o] = flow_read(f, &f->now, ins->w[o], i);
    index_known(f, ins);
}
