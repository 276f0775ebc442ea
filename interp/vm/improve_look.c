// Look-aheads that do little: what they write is noted and put back, instead of all cells.
//
// It is proved beforehand that nothing on the way from WOULD to VALUE decides, throws, notes, finds candidates,
// begins another look-ahead or ends the game, and that it writes nothing but pieces, few of them, and scratch cells
// that nobody reads afterwards. Then WOULD is a LOOK, before each instruction that moves pieces comes a MARK, and
// VALUE is an UNDO that goes on like any other instruction: a question about the answer that comes next is answered
// on the way there.
#include "improve.h"

#include <string.h>

enum { BODY_MOST = 160 };

typedef struct Body {
    const Improver *im;
    const Live *live;
    int end; // the instruction after it
    int answer;
    int at[BODY_MOST], n;
    int marks; // that its moves make
    bool fits;
} Body;

static void come_to(void *context, int from, int to) {
    Body *b = context;
    const int i = ins_at(b->im, to);
    (void)from;
    if (i < 0 || b->n == BODY_MOST) b->fits = false;
    if (!b->fits || place_among(b->at, b->n, i) >= 0) return;
    b->at[b->n++] = i;
}

// Of a kind from a site to a site: the operands' places, the site twice if there is but one. False: it moves no pieces.
static bool moves(const Ins *ins, int *kind, int *from, int *to) {
    switch (ins->op) {
    case Q_PUT:
    case Q_REMOVE: *kind = 1, *from = *to = 2; return true;
    case Q_REMOVE_KIND: *kind = 0, *from = *to = 1; return true;
    case Q_MOVE: *kind = 1, *from = 2, *to = 3; return true;
    case Q_MOVE_KIND: *kind = 0, *from = 1, *to = 2; return true;
    default: return false;
    }
}

static bool is_harmless(const Improver *im, const Ins *ins) {
    switch (ins->op) {
    case Q_STORE:
    case Q_LOADX:
    case Q_LOADRUN:
    case Q_FILL:
    case Q_ZERO:
    case Q_ADD:
    case Q_SUB:
    case Q_ADDTO:
    case Q_SUBTO:
    case Q_MUL:
    case Q_DIV:
    case Q_MOD:
    case Q_NEG:
    case Q_ABS:
    case Q_TICK:
    case Q_LCOUNT:
    case Q_LCOUNT_KIND:
    case Q_LCOUNT_SET:
    case Q_SOMERUN:
    case Q_NTH:
    case Q_INDEX:
    case Q_SIZE:
    case Q_IN:
    case Q_NEXT_PLAYER:
    case Q_PLAYING:
    case Q_VALUE: return true;
    case Q_CHANGE:
    case Q_SOW_ON:
    case Q_SOW_OFF: return false;
    default: break;
    }
    if (ins->op >= Q_CANDS_LIST && ins->op <= Q_CANDS_ASKED) return false;
    return ins_target(ins->op) >= 0 || live_only_gives(im, ins);
}

// What is written there is read by nobody after the look-ahead.
static bool is_forgotten(const Body *b, int cell) {
    if (cell < b->im->p->nstate) return false;
    return cell == b->answer || !live_is_wanted(b->live, b->end, cell);
}

static bool writes_little(const Body *b, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    bool little = true;
    for (int o = 0; kinds[o]; o++)
        if (kind_is_written(kinds[o])) little &= is_forgotten(b, ins->w[o]);
    if (ins->op == Q_FILL || ins->op == Q_ZERO)
        for (int k = 0; k < ins->w[1]; k++) little &= is_forgotten(b, ins->w[0] + k);
    return little;
}

// Whether an instruction of the body is come to again from itself.
static bool comes_again(const Body *b, int i) {
    Body round = {.im = b->im, .fits = true};
    ins_followers(b->im, i, come_to, &round);
    for (int k = 0; k < round.n && round.fits; k++)
        ins_followers(b->im, round.at[k], come_to, &round);
    return !round.fits || place_among(round.at, round.n, i) >= 0;
}

// The body of the look-ahead at instruction i.
static void follow(Body *b, int i) {
    const Improver *im = b->im;
    int kind, from, to;
    ins_followers(im, i, come_to, b);
    for (int k = 0; k < b->n && b->fits; k++) {
        const int at = b->at[k];
        const Ins *ins = &im->ins[at];
        if (ins->gone || ins->copy != im->ins[i].copy || im->entry[at]) b->fits = false;
        if (moves(ins, &kind, &from, &to)) {
            b->marks += 2;
            b->fits &= !comes_again(b, at);
        } else {
            b->fits &= is_harmless(im, ins) && writes_little(b, ins);
        }
        if (b->fits) ins_followers(im, at, come_to, b);
    }
    b->fits &= b->marks <= MARKS_MOST;
}

// Nothing but the look-aheads that end there leads into the body.
static void come_from(void *context, int from, int to) {
    Body *b = context;
    if (place_among(b->at, b->n, from) < 0 && place_among(b->at, b->n, ins_at(b->im, to)) >= 0)
        b->fits = false;
}

// ---- as instructions -----------------------------------------------------------------------------

static int add(Improver *im, Ins ins) {
    im->ins[im->n] = ins;
    return im->n++;
}

// A question about the answer, when that is known.
static int past_question(const Improver *im, int i, int answer, Cell v) {
    const Ins *ask = &im->ins[ins_at(im, i)];
    if (ask->gone || (ask->op != Q_JZ && ask->op != Q_JNZ) || ask->w[0] != answer) return i;
    return (v != 0) == (ask->op == Q_JNZ) ? ask->w[1] : ask->next;
}

static void write_marks(Improver *im, const Body *b) {
    int kind, from, to;
    for (int k = 0; k < b->n; k++) {
        Ins *ins = &im->ins[b->at[k]];
        if (!moves(ins, &kind, &from, &to)) continue;
        const Ins move = *ins;
        ins->op = Q_MARK;
        ins->w[0] = move.w[kind];
        ins->w[1] = move.w[from];
        ins->w[2] = move.w[to];
        ins->next = add(im, move);
    }
}

static void write_undo(Improver *im, const Body *b) {
    for (int k = 0; k < b->n; k++) {
        Ins *value = &im->ins[b->at[k]];
        if (value->op != Q_VALUE) continue;
        value->op = Q_UNDO;
        value->w[1] = value->w[0];
        value->w[0] = b->answer;
        value->next = b->end;
    }
    for (int k = 0; k < b->n; k++) { // where the answer is known
        Ins *ins = &im->ins[b->at[k]];
        const Ins *undo = ins->next >= 0 ? &im->ins[ins_at(im, ins->next)] : ins;
        const Cell *v = ins->op == Q_COPY ? q_constant_at(im->q, ins->w[1]) : NULL;
        if (!v || undo->gone || undo->op != Q_UNDO || undo->w[1] != ins->w[0]) continue;
        ins->op = Q_UNDO;
        ins->w[0] = b->answer;
        ins->next = past_question(im, b->end, b->answer, *v);
    }
}

static void look(Improver *im, const Live *l, int i) {
    const Ins would = im->ins[i];
    const int *place = im->place + would.copy * (im->p->ncode + 1);
    const int then = place[would.w[0]], end = place[would.w[1]];
    Body b = {.im = im, .live = l, .end = end, .answer = would.w[4], .fits = end >= 0};
    if (then < 0 || !b.fits) return;
    im->entry[then] = false; // for when the game ends in it
    follow(&b, i);
    Reached reached;
    ins_find_reached(&reached, im);
    for (int k = 0; k < reached.n && b.fits; k++) {
        const int at = reached.all[k];
        if (at != i && (!im->ins[at].gone || im->entry[at])) ins_followers(im, at, come_from, &b);
    }
    if (!b.fits || im->n + b.marks > im->most) {
        im->entry[then] = true;
        return;
    }
    im->open[then] = false;
    write_marks(im, &b);
    write_undo(im, &b);
    im->ins[i].op = Q_LOOK;
    im->ins[i].w[0] = im->p->ncells / 8 + 1;
}

void improve_look(Improver *im) {
    Live l;
    Reached reached;
    bool any = false;
    ins_find_reached(&reached, im);
    for (int k = 0; k < reached.n; k++) any |= im->ins[reached.all[k]].op == Q_WOULD;
    if (!any || !live_find(&l, im)) return;
    for (int i = 0, n = im->n; i < n; i++)
        if (reached.is[i] && !im->ins[i].gone && im->ins[i].op == Q_WOULD) look(im, &l, i);
}
