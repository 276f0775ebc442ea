// A sowing with hooks is a loop of its own for each stone. Rounds in which the hooks have nothing to do, as the kind of
// stone is not theirs, are many in one: SOW_ON before the loop's head goes through as many as there are, and leaves
// the loop to whatever else may happen, faults too.
#include "improve.h"

#include "ask.h"

enum {
    HOOK_MOST = 12,   // instructions that a hook's inert way is looked for in
    COST_MOST = 10000 // of a round: with CELL_MAX stones it is still a number
};

// A round, as far as it has been read.
typedef struct Round {
    const Improver *im;
    int head; // of the loop: STEP
    int site, piece, hand, kinds;
    int low, n;      // kinds that a hook is for: low, low + 1, ... low + n - 1
    int passed;      // the cell of a site that is passed over, or -1
    int to_pass;     // what a round is charged for asking that
    int asks, asked; // a question about the site before the stone falls: its cell and its opcode
    int steps;       // what is left to be looked at
} Round;

static const Cell *constant(const Improver *im, int cell) { return q_constant_at(im->q, cell); }

static bool holds(const Improver *im, int cell, Cell value) {
    const Cell *k = constant(im, cell);
    return k && *k == value;
}

// Whether the instruction asks if there is nothing in the hand; if so *full is where it leads when there is
// something, *empty where it leads when not.
static bool asks_hand(const Round *r, const Ins *ins, int *full, int *empty) {
    const Improver *im = r->im;
    bool of_cell = im->p->npieces == 1 && ins->w[0] == r->hand;
    bool of_site = holds(im, ins->w[0], r->hand), yes;
    switch (ins->op) {
    case Q_JZ:
    case Q_TJZ: yes = false; break;
    case Q_JNZ:
    case Q_TJNZ: yes = true; break;
    case Q_JEMPTY:
    case Q_TJEMPTY:
    case Q_JNOCC:
    case Q_TJNOCC: yes = false, of_cell = of_site; break;
    case Q_JNEMPTY:
    case Q_TJNEMPTY:
    case Q_JOCC:
    case Q_TJOCC: yes = true, of_cell = of_site; break;
    default: return false;
    }
    if (!of_cell || ins->gone) return false;
    *full = ins_at(im, yes ? ins->w[1] : ins->next);
    *empty = ins_at(im, yes ? ins->next : ins->w[1]);
    return true;
}

// The site is passed over: back to the head, which may ask first whether there is anything in the hand.
static bool passes(Round *r, const Ins *ins) {
    if (ins->op != Q_TJEQ || ins->w[3] > COST_MOST ||
        (ins->w[0] != r->site && ins->w[1] != r->site))
        return false;
    int to = ins_at(r->im, ins->w[2]), full, empty;
    const Ins *back = &r->im->ins[to];
    if (to != r->head && !(asks_hand(r, back, &full, &empty) && full == r->head)) return false;
    r->passed = ins->w[0] == r->site ? ins->w[1] : ins->w[0];
    r->to_pass = ins->w[3];
    return true;
}

static bool asks_piece(const Round *r, const Ins *ins, int *low, int *n, int *theirs, int *other) {
    if (ins->w[0] != r->piece) return false;
    bool yes = ins->op == Q_JEQ || ins->op == Q_JWITHIN;
    int t = ins_target(ins->op);
    if (ins->op == Q_JEQ || ins->op == Q_JNE) {
        const Cell *kind = constant(r->im, ins->w[1]);
        if (!kind) return false;
        *low = *kind;
        *n = 1;
    } else if (ins->op == Q_JWITHIN || ins->op == Q_JNWITHIN) {
        *low = ins->w[1];
        *n = ins->w[2];
    } else {
        return false;
    }
    *theirs = yes ? ins->w[t] : ins->next;
    *other = yes ? ins->next : ins->w[t];
    return true;
}

// Whether all ways from `i` that a stone of no hook's kind can take lead to `to` and do nothing before.
static bool inert(Round *r, int i, int to) {
    i = ins_at(r->im, i);
    if (i == to) return true;
    if (i < 0 || r->steps-- == 0) return false;
    const Ins *ins = &r->im->ins[i];
    int low, n, theirs, other;
    if (ins->gone) return false;
    if (asks_piece(r, ins, &low, &n, &theirs, &other)) {
        if (r->n == 0) r->low = low, r->n = n;
        if (low == r->low && n == r->n) return inert(r, other, to);
        return inert(r, other, to) && inert(r, theirs, to);
    }
    switch (ins->op) {
    case Q_JZ:
    case Q_JNZ:
    case Q_JOCC:
    case Q_JNOCC:
    case Q_JEMPTY:
    case Q_JNEMPTY: return inert(r, ins->w[1], to) && inert(r, ins->next, to);
    default: return false;
    }
}

// A question whether there is something on the site, before the stone falls; gives the instruction after it, -1: it
// cannot be asked so. What is no such question stays as it is.
static int read_asked(Round *r, int i) {
    const Ins *ins = &r->im->ins[i];
    if (ins->gone || (ins->op != Q_EMPTY && ins->op != Q_OCCUPIED) || ins->w[1] != r->site)
        return i;
    r->asks = ins->w[0];
    r->asked = (int)ins->op;
    return r->asks == r->site ? -1 : ins_at(r->im, ins->next);
}

// From the place where the hand's next stone is taken to the MOVE that drops it; gives the instruction after it.
static int read_drop(Round *r, int i) {
    const Improver *im = r->im;
    i = read_asked(r, i);
    if (i < 0) return -1;
    const Ins *ins = &im->ins[i];
    if (ins->gone || (ins->op != Q_DROP && ins->op != Q_PIECE_ON)) return -1;
    r->piece = ins->w[0];
    r->kinds = ins->w[1];
    if (!holds(im, ins->w[2], r->hand) || r->piece == r->asks) return -1;
    if (ins->op == Q_DROP) return ins->w[3] == r->site ? ins_at(im, ins->next) : -1;
    i = ins_at(im, ins->next);
    if (r->asks < 0) i = read_asked(r, i);
    if (i < 0 || r->piece == r->asks) return -1;
    // The drop itself is the first MOVE that the hook's inert way leads to.
    for (int to = i, left = HOOK_MOST; to >= 0 && left > 0; left--) {
        const Ins *move = &im->ins[to];
        int low, n, theirs, other;
        if (move->gone) return -1;
        if (move->op == Q_MOVE) {
            bool one = holds(im, move->w[0], 1) && move->w[1] == r->piece &&
                       holds(im, move->w[2], r->hand) && move->w[3] == r->site;
            return one && inert(r, i, to) ? ins_at(im, move->next) : -1;
        }
        int t = ins_target(move->op);
        if (asks_piece(r, move, &low, &n, &theirs, &other))
            to = ins_at(im, other);
        else if (t >= 0)
            to = ins_at(im, move->w[t]);
        else
            return -1;
    }
    return -1;
}

// A round does not write to the cell.
static bool stays(const Round *r, int cell) {
    return cell != r->site && cell != r->piece && (cell < 0 || cell != r->asks);
}

// What is dropped are kinds, and one of them is no hook's: with a single kind SOW_OFF does not ask again which it is.
static bool some_are_free(const Round *r) {
    const List *kinds = &r->im->p->lists[r->kinds];
    bool free = false;
    for (int i = 0; i < kinds->n; i++) {
        if (!is_kind(r->im->p, kinds->at[i])) return false;
        free |= kinds->at[i] < r->low || kinds->at[i] >= r->low + r->n;
    }
    return free;
}

// `back` leads to the head of a loop while there is something in the hand.
static void find_rounds(Improver *im, int back, int hand) {
    Round r = {.im = im, .hand = hand, .passed = -1, .asks = -1, .steps = HOOK_MOST};
    const Ins *test = &im->ins[back];
    int empty;
    if (im->p->sites[hand].kind != OLDSOW_HIDDEN || im->n >= im->most)
        return; // no track leads there
    if (test->w[2] > COST_MOST) return;
    if (!asks_hand(&r, test, &r.head, &empty) || r.head < 0) return;
    const Ins step = im->ins[r.head];
    if (step.gone || step.op != Q_STEP || step.w[0] != step.w[1]) return;
    r.site = step.w[0];
    int i = ins_at(im, step.w[3]);
    if (passes(&r, &im->ins[i])) i = ins_at(im, im->ins[i].next);
    i = read_drop(&r, i);
    if (i >= 0 && i != back && inert(&r, i, back)) i = back;
    if (i != back || !stays(&r, step.w[2]) || !stays(&r, r.passed) || r.piece == r.site ||
        !some_are_free(&r))
        return;
    // Whoever comes to the head comes here first.
    int self = im->n++;
    im->ins[self] = step;
    im->entry[self] = im->open[self] = false;
    im->ins[r.head] =
        (Ins){.op = Q_SOW_ON,
              .copy = step.copy,
              .base = step.base,
              .next = self,
              .w = {r.site, r.piece, r.asks < 0 ? r.piece : r.asks, step.w[2],
                    r.passed < 0 ? q_constant(im->q, UNSET) : r.passed, r.kinds, r.hand,
                    r.asked == Q_OCCUPIED, r.low, r.n, CELL_MAX * (2 * r.to_pass + test->w[2]),
                    r.to_pass, r.to_pass + test->w[2], empty}};
}

// The one of the kinds that the hook is not for, or -1.
static int only_kind(const Program *p, const Ins *rounds) {
    const List *kinds = &p->lists[rounds->w[5]];
    int only = -1;
    for (int i = 0; i < kinds->n; i++) {
        int kind = kinds->at[i];
        if (kind >= rounds->w[8] && kind < rounds->w[8] + rounds->w[9]) continue;
        if (only >= 0) return -1;
        only = kind;
    }
    return only;
}

// The stones are lifted, it is seen whether there are any, and the rounds begin.
static void find_lifting(Improver *im, int i) {
    const Ins lift = im->ins[i];
    bool set = lift.op == Q_MOVE_SET;
    const Cell *hand = constant(im, lift.w[set ? 2 : 1]);
    if (!hand || im->n >= im->most || lift.next < 0) return;
    Round r = {.im = im, .hand = *hand};
    int head, empty;
    if (!asks_hand(&r, &im->ins[ins_at(im, lift.next)], &head, &empty) || head < 0) return;
    const Ins *rounds = &im->ins[head];
    if (rounds->op != Q_SOW_ON || rounds->w[6] != *hand || empty != ins_at(im, rounds->w[13]) ||
        (set ? lift.w[0] != rounds->w[5] : im->p->lists[rounds->w[5]].n != im->p->npieces))
        return;
    int self = im->n++;
    im->ins[self] = lift;
    im->ins[i] = *rounds;
    im->ins[i].op = Q_SOW_OFF;
    im->ins[i].base = lift.base;
    im->ins[i].next = self;
    im->ins[i].w[14] = lift.w[set];
    im->ins[i].w[15] = head;
    im->ins[i].w[16] = rounds->w[0];
    im->ins[i].w[17] = only_kind(im->p, rounds);
}

// The sowing begins where the stones lie, which is written down before.
static void begin_there(Improver *im, int i) {
    const Ins copy = im->ins[i];
    const Ins *off = &im->ins[ins_at(im, copy.next)];
    if (off->gone || off->op != Q_SOW_OFF || off->w[0] != copy.w[0] || off->w[14] != copy.w[1] ||
        copy.w[0] == copy.w[1] || im->n >= im->most)
        return;
    int self = im->n++;
    im->ins[self] = copy;
    im->ins[self].next = off->next;
    im->ins[i] = *off;
    im->ins[i].next = self;
    im->ins[i].w[16] = copy.w[1];
}

void improve_sow(Improver *im) {
    for (int i = 0, n = im->n; i < n; i++) {
        const Ins *ins = &im->ins[i];
        if (ins->gone) continue;
        switch (ins->op) {
        case Q_TJZ:
        case Q_TJNZ:
            if (im->p->npieces == 1 && is_site(im->p, ins->w[0])) find_rounds(im, i, ins->w[0]);
            break;
        case Q_TJEMPTY:
        case Q_TJNEMPTY:
        case Q_TJOCC:
        case Q_TJNOCC: {
            const Cell *hand = constant(im, ins->w[0]);
            if (hand && is_site(im->p, *hand)) find_rounds(im, i, *hand);
            break;
        }
        default: break;
        }
    }
    for (int i = 0, n = im->n; i < n; i++) {
        const Ins *ins = &im->ins[i];
        if (!ins->gone && (ins->op == Q_MOVE_ALL || ins->op == Q_MOVE_SET)) find_lifting(im, i);
    }
    for (int i = 0, n = im->n; i < n; i++)
        if (!im->ins[i].gone && im->ins[i].op == Q_COPY) begin_there(im, i);
}
