// Single instructions that have a shorter form for what is known of their operands, and pairs of which the second
// only asks about the first.
#include "improve.h"

#include "ask.h"

static const Cell *constant(const Improver *im, int cell) { return q_constant_at(im->q, cell); }

static bool holds(const Improver *im, int cell, Cell value) {
    const Cell *k = constant(im, cell);
    return k && *k == value;
}

// ---- single instructions -------------------------------------------------------------------------

// Every kind there is, once.
static bool all_kinds(const Improver *im, int list) {
    const List *kinds = &im->p->lists[list];
    uint64_t seen = 0;
    if (kinds->n != im->p->npieces || kinds->n > 64) return false;
    for (int i = 0; i < kinds->n; i++) {
        if (!is_kind(im->p, kinds->at[i])) return false;
        seen |= UINT64_C(1) << kinds->at[i];
    }
    return seen == (kinds->n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << kinds->n) - 1);
}

static void become(Ins *ins, QuickOp op, int a, int b, int c) {
    ins->op = op;
    ins->w[0] = a;
    ins->w[1] = b;
    ins->w[2] = c;
}

// Sets of kinds that are all of them.
static void without_set(const Improver *im, Ins *ins) {
    const int *w = ins->w;
    switch (ins->op) {
    case Q_MOVE_SET:
        if (all_kinds(im, w[0])) become(ins, Q_MOVE_ALL, w[1], w[2], 0);
        break;
    case Q_REMOVE_SET:
        if (all_kinds(im, w[0])) become(ins, Q_REMOVE_ALL, w[1], 0, 0);
        break;
    case Q_COUNT_SET:
    case Q_EMPTY_SET:
    case Q_LCOUNT_SET:
        if (all_kinds(im, w[1]))
            become(ins,
                   ins->op == Q_COUNT_SET   ? Q_COUNT
                   : ins->op == Q_EMPTY_SET ? Q_EMPTY
                                            : Q_LCOUNT,
                   w[0], w[2], 0);
        break;
    case Q_JSET:
    case Q_JNSET:
        if (all_kinds(im, w[1])) become(ins, ins->op == Q_JSET ? Q_JOCC : Q_JNOCC, w[0], w[2], 0);
        break;
    default: break;
    }
}

// What is asked about a site that is known, of one kind of pieces, is asked about a cell: counts are never
// negative.
static void about_cell(const Improver *im, Ins *ins) {
    const Program *p = im->p;
    const int *w = ins->w;
    bool about_kind = ins->op == Q_JKIND || ins->op == Q_JNKIND || ins->op == Q_COUNT_KIND;
    bool gives = ins->op == Q_COUNT || ins->op == Q_COUNT_KIND;
    const Cell *s = constant(im, w[gives]), *kind = about_kind ? constant(im, w[gives + 1]) : NULL;
    if (!s || !is_site(p, *s) || (about_kind ? !kind || !is_kind(p, *kind) : p->npieces != 1))
        return;
    int cell = *s * p->npieces + (kind ? *kind : 0);
    switch (ins->op) {
    case Q_JOCC:
    case Q_JNEMPTY: become(ins, Q_JNZ, cell, w[1], 0); break;
    case Q_JNOCC:
    case Q_JEMPTY: become(ins, Q_JZ, cell, w[1], 0); break;
    case Q_JKIND: become(ins, Q_JNZ, cell, w[2], 0); break;
    case Q_JNKIND: become(ins, Q_JZ, cell, w[2], 0); break;
    default: become(ins, Q_COPY, w[0], cell, 0); break;
    }
}

static void in_known_list(const Improver *im, Ins *ins) {
    const Cell *k = constant(im, ins->w[1]);
    if (!k || !is_list(im->p, *k)) return;
    const List *list = &im->p->lists[*k];
    bool in = ins->op == Q_JIN;
    if (list->n == 1) {
        ins->op = in ? Q_JEQ : Q_JNE;
        ins->w[1] = q_constant(im->q, list->at[0]);
        return;
    }
    if (list->n == 0) return;
    bool run = true;
    int low = list->at[0], high = list->at[0];
    for (int i = 1; i < list->n; i++) {
        run &= list->at[i] == list->at[0] + i;
        if (list->at[i] < low) low = list->at[i];
        if (list->at[i] > high) high = list->at[i];
    }
    if (!run) {
        if (high - low >= 64) return;
        uint64_t bits = 0;
        for (int i = 0; i < list->n; i++) bits |= UINT64_C(1) << (list->at[i] - low);
        ins->op = in ? Q_JAMONG : Q_JNAMONG;
        ins->w[4] = ins->w[2];
        ins->w[1] = low;
        ins->w[2] = (int32_t)(uint32_t)bits;
        ins->w[3] = (int32_t)(uint32_t)(bits >> 32);
        return;
    }
    ins->op = in ? Q_JWITHIN : Q_JNWITHIN;
    ins->w[3] = ins->w[2];
    ins->w[1] = list->at[0];
    ins->w[2] = list->n;
}

// The cells of the sites of a list that is known, if they follow each other.
static bool cells_of_list(const Improver *im, int cell, int *first, int *n, int *cost) {
    const Program *p = im->p;
    const Cell *k = constant(im, cell);
    if (!k || !is_list(p, *k) || p->lists[*k].n == 0) return false;
    const List *list = &p->lists[*k];
    for (int i = 0; i < list->n; i++)
        if (list->at[i] != list->at[0] + i || !is_site(p, list->at[i])) return false;
    *first = list->at[0] * p->npieces;
    *n = list->n * p->npieces;
    *cost = list->n;
    return p->npieces > 0;
}

static void about_cells(const Improver *im, Ins *ins) {
    int first, n, cost, to = ins->w[1];
    if (!cells_of_list(im, ins->w[0], &first, &n, &cost)) return;
    become(ins, ins->op == Q_JSOME ? Q_JSOMERUN : Q_JNONERUN, first, n, cost);
    ins->w[3] = to;
}

// Who is the mover next is known: then so is the copy of the code that goes on.
static void set_known_mover(const Improver *im, Ins *ins) {
    const Cell *player = constant(im, ins->w[0]);
    if (!mover_is_known(im) || !player || !is_player(im->p, *player)) return;
    ins->next = *player * im->each + ins->next % im->each;
    become(ins, Q_COPY, im->p->system + CELL_MOVER, ins->w[0], 0);
}

static void shorten(const Improver *im, Ins *ins) {
    without_set(im, ins);
    switch (ins->op) {
    case Q_COUNT:
    case Q_COUNT_KIND:
    case Q_JOCC:
    case Q_JNOCC:
    case Q_JEMPTY:
    case Q_JNEMPTY:
    case Q_JKIND:
    case Q_JNKIND: about_cell(im, ins); break;
    case Q_JIN:
    case Q_JNIN: in_known_list(im, ins); break;
    case Q_JSOME:
    case Q_JNONE: about_cells(im, ins); break;
    case Q_SET_MOVER: set_known_mover(im, ins); break;
    case Q_PIECE_ON:
    case Q_SOW: {
        const List *kinds = &im->p->lists[ins->w[1]];
        if (kinds->n != 1 || !is_kind(im->p, kinds->at[0])) break;
        ins->op = ins->op == Q_SOW ? Q_SOW_KIND : Q_PIECE_IS;
        ins->w[1] = kinds->at[0];
        break;
    }
    case Q_CAND: {
        const Alternative *a = &im->p->alternatives[ins->w[0]];
        if (a->nvars == 1) become(ins, Q_CAND1, ins->w[0], a->cells[0], 0);
        if (a->nvars == 2) become(ins, Q_CAND2, ins->w[0], a->cells[0], a->cells[1]);
        break;
    }
    default: break;
    }
}

// ---- pairs ---------------------------------------------------------------------------------------

// The first's question as a branch taken if the answer is yes, or no. QUICK_OPS: there is none.
static QuickOp as_branch(QuickOp op, bool yes) {
    switch (op) {
    case Q_EQ: return yes ? Q_JEQ : Q_JNE;
    case Q_NE: return yes ? Q_JNE : Q_JEQ;
    case Q_IN: return yes ? Q_JIN : Q_JNIN;
    case Q_OCCUPIED: return yes ? Q_JOCC : Q_JNOCC;
    case Q_EMPTY: return yes ? Q_JEMPTY : Q_JNEMPTY;
    case Q_NOT: return yes ? Q_JZ : Q_JNZ;
    case Q_COUNT: return yes ? Q_JOCC : Q_JNOCC;
    case Q_COUNT_KIND: return yes ? Q_JKIND : Q_JNKIND;
    case Q_LCOUNT: return yes ? Q_JSOME : Q_JNONE;
    case Q_LT: return yes ? Q_JLT : Q_JLE; // no: the other way round
    case Q_LE: return yes ? Q_JLE : Q_JLT;
    default: return QUICK_OPS;
    }
}

static bool counts(QuickOp op) { return op == Q_COUNT || op == Q_COUNT_KIND || op == Q_LCOUNT; }

// Whether the branch asks if cell d is zero; *yes: taken if it is not.
static bool asks(const Improver *im, const Ins *branch, int d, bool counted, bool *yes) {
    const int *w = branch->w;
    *yes = branch->op == Q_JNZ || branch->op == Q_JNE || branch->op == Q_JLT;
    switch (branch->op) {
    case Q_JZ:
    case Q_JNZ: return w[0] == d;
    case Q_JEQ:
    case Q_JNE: return (w[0] == d && holds(im, w[1], 0)) || (w[1] == d && holds(im, w[0], 0));
    case Q_JLT: return counted && w[1] == d && holds(im, w[0], 0);
    case Q_JLE: return counted && w[0] == d && holds(im, w[1], 0);
    default: return false;
    }
}

static void ask_at_once(const Improver *im, const Live *l, Ins *ins) {
    int at = ins_at(im, ins->next), d = ins->w[0];
    const Ins *branch = &im->ins[at];
    bool yes;
    QuickOp op = as_branch(ins->op, true);
    if (op == QUICK_OPS || branch->gone) return;
    if (!asks(im, branch, d, counts(ins->op), &yes) || live_is_read(l, at, d)) return;
    int a = ins->w[1], b = ins->w[2], target = branch->w[ins_target(branch->op)];
    bool swap = !yes && (ins->op == Q_LT || ins->op == Q_LE);
    op = as_branch(ins->op, yes);
    become(ins, op, swap ? b : a, swap ? a : b, target);
    if (ins_target(op) == 1) ins->w[1] = target;
    ins->next = branch->next;
}

// Whether there are more pieces than none is all that is asked.
static void ask_for_some(const Improver *im, const Live *l, Ins *ins) {
    int at = ins_at(im, ins->next), d = ins->w[0], first, n, cost;
    const Ins *ask = &im->ins[at];
    if (ask->gone || ask->op != Q_LT || !holds(im, ask->w[1], 0) || ask->w[2] != d) return;
    if (ask->w[0] != d && live_is_read(l, at, d)) return;
    if (!cells_of_list(im, ins->w[1], &first, &n, &cost)) return;
    become(ins, Q_SOMERUN, ask->w[0], first, n);
    ins->w[3] = cost;
    ins->next = ask->next;
}

// The next site along, and whether there is one.
static void step(const Improver *im, Ins *ins) {
    const Ins *branch = &im->ins[ins_at(im, ins->next)];
    if (branch->gone || branch->op != Q_JNE || branch->w[0] != ins->w[0] ||
        !holds(im, branch->w[1], UNSET))
        return;
    ins->op = Q_STEP;
    ins->w[3] = branch->w[2];
    ins->next = branch->next;
}

// A loop over a list that ends at the first site with pieces, whichever it is, only asks if there is one. (A list
// that is known may be a run of sites: improve_fuse.c.)
static void some(const Improver *im, const Live *l, Ins *ins) {
    const Ins *loop = &im->ins[ins_at(im, ins->next)];
    if (loop->gone || loop->op != Q_EACH_OCC || loop->w[1] != ins->w[0] ||
        !holds(im, ins->w[1], 0) || constant(im, loop->w[0]))
        return;
    int list = loop->w[0], round = loop->w[3], exit = loop->w[4];
    for (int o = 1; o <= 2; o++)
        if (live_is_wanted(l, ins_at(im, round), loop->w[o]) ||
            live_is_wanted(l, ins_at(im, exit), loop->w[o]))
            return;
    ins->base = loop->base;
    become(ins, Q_JSOME, list, round, 0);
    ins->next = exit;
}

// The position is noted, and how often it was is asked.
static void note(const Improver *im, Ins *ins) {
    const Ins *seen = &im->ins[ins_at(im, ins->next)];
    if (seen->gone || seen->op != Q_SEEN) return;
    become(ins, Q_NOTE, seen->w[0], 0, 0);
    ins->next = seen->next;
}

// A jump back pays, and leads to a question.
static void pay_and_ask(const Improver *im, Ins *ins) {
    static const QuickOp with[][2] = {
        {Q_JZ, Q_TJZ},     {Q_JNZ, Q_TJNZ},     {Q_JEQ, Q_TJEQ},       {Q_JNE, Q_TJNE},
        {Q_JOCC, Q_TJOCC}, {Q_JNOCC, Q_TJNOCC}, {Q_JEMPTY, Q_TJEMPTY}, {Q_JNEMPTY, Q_TJNEMPTY}};
    const Ins *branch = &im->ins[ins_at(im, ins->next)];
    for (size_t i = 0; !branch->gone && i < sizeof with / sizeof *with; i++) {
        if (branch->op != with[i][0]) continue;
        int cost = ins->w[0], t = ins_target(branch->op);
        become(ins, with[i][1], branch->w[0], branch->w[1], branch->w[2]);
        ins->w[t + 1] = cost;
        ins->next = branch->next;
        return;
    }
}

// Whether the first of a site's pieces, in the order of a list of kinds, is of the list's first: there is one of it.
static bool ask_first_kind(const Improver *im, const Live *l, Ins *ins) {
    const List *kinds = &im->p->lists[ins->w[1]];
    int at = ins_at(im, ins->next), d = ins->w[0];
    const Ins *branch = &im->ins[at];
    if (branch->gone || (branch->op != Q_JEQ && branch->op != Q_JNE) || branch->w[0] != d ||
        kinds->n == 0 || !is_kind(im->p, kinds->at[0]) || !holds(im, branch->w[1], kinds->at[0]) ||
        live_is_read(l, at, d))
        return false;
    ins->next = branch->next;
    become(ins, branch->op == Q_JEQ ? Q_JKIND : Q_JNKIND, ins->w[2], branch->w[1], branch->w[2]);
    return true;
}

// Whether an instruction between PIECE_ON and MOVE may as well come before both.
static bool goes_before(const Ins *ins, int kind) {
    bool asks =
        ins->op == Q_EMPTY || ins->op == Q_OCCUPIED || ins->op == Q_COPY || ins->op == Q_COUNT;
    return !ins->gone && asks && ins->w[0] != kind && ins->w[1] != kind;
}

// One piece, whatever it is, from a site to another.
static void drop(Improver *im, Ins *ins) {
    int kind = ins->w[0];
    Ins *between = &im->ins[ins_at(im, ins->next)], *move = between;
    // They change places: nobody else may come to where it stands.
    bool change = goes_before(between, kind) && between->w[0] != ins->w[2];
    if (change) move = &im->ins[ins_at(im, between->next)];
    if (move->gone || move->op != Q_MOVE || !holds(im, move->w[0], 1) || move->w[1] != kind ||
        move->w[2] != ins->w[2] || move->w[3] == kind)
        return;
    Ins one = {.op = Q_DROP,
               .copy = ins->copy,
               .base = move->base,
               .next = move->next,
               .w = {kind, ins->w[1], ins->w[2], move->w[3]}};
    if (!change) {
        *ins = one;
        return;
    }
    int self = im->n < im->most ? im->n++ : -1; // the other way round in a place of its own
    if (self < 0) return;
    im->ins[self] = one;
    int base = between->base;
    *ins = *between;
    ins->base = base;
    ins->next = self;
}

void improve_pairs(Improver *im, const Live *l) {
    int n = im->n;
    for (int i = 0; i < im->n; i++)
        if (!im->ins[i].gone && im->ins[i].op != Q_PIECE_ON) shorten(im, &im->ins[i]);
    // From the end: a pair's second may be the first of another.
    for (int i = n; i-- > 0;) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->next < 0) continue;
        if (ins->op == Q_NEXT)
            step(im, ins);
        else if (ins->op == Q_COPY)
            some(im, l, ins);
        else if (ins->op == Q_TICK)
            pay_and_ask(im, ins);
        else if (ins->op == Q_PIECE_ON && !ask_first_kind(im, l, ins))
            drop(im, ins);
        else if (ins->op == Q_REMEMBER)
            note(im, ins);
        else
            ask_at_once(im, l, ins);
        if (ins->op == Q_LCOUNT) ask_for_some(im, l, ins);
    }
    improve_sow(im); // while what a stone is asked for has its long form
    for (int i = 0; i < im->n; i++)
        if (!im->ins[i].gone) shorten(im, &im->ins[i]);
}
