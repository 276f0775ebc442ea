// The improvement's frame: the code as instructions, and back as words.
#include "improve.h"

#include <string.h>

const char *const quick_kinds[QUICK_OPS] = {
#define QOP(name, kinds) [Q_##name] = (kinds),
#include "quick.def"
#undef QOP
};

int ins_target(QuickOp op) {
    const char *kinds = quick_kinds[op];
    for (int k = 0; kinds[k]; k++)
        if (kinds[k] == 't') return k;
    return -1;
}

int ins_at(const Improver *im, int i) {
    // A circle of nothing at all is left as it is.
    for (int hops = 0; i >= 0 && im->ins[i].gone && hops <= im->n; hops++) i = im->ins[i].next;
    return i;
}

static bool goes_on(QuickOp op) {
    switch (op) {
    case Q_JMP:
    case Q_RAISE:
    case Q_THROW:
    case Q_WIN:
    case Q_WIN_LIST:
    case Q_LOSE:
    case Q_DRAW:
    case Q_BY_SCORE:
    case Q_END:
    case Q_VALUE: return false;
    default: break;
    }
    // A loop's head leads to one of two places.
    int t = ins_target(op);
    return t < 0 || quick_kinds[op][t + 1] != 't';
}

void ins_followers(const Improver *im, int i, InsVisit *visit, void *context) {
    const Ins *ins = &im->ins[i];
    if (!ins->gone) {
        int t = ins_target(ins->op);
        if (t >= 0) visit(context, i, ins->w[t]);
        if (t >= 0 && quick_kinds[ins->op][t + 1] == 't') visit(context, i, ins->w[t + 1]);
    }
    if (ins->next < 0) return;
    if (ins->gone || ins->op != Q_SET_MOVER) {
        visit(context, i, ins->next);
        return;
    }
    for (int m = 0; m < im->ncopies; m++) visit(context, i, m * im->each + ins->next % im->each);
}

void ins_reach(void *context, int from, int to) {
    Reached *r = context;
    (void)from;
    if (!r->is[to]) r->all[r->n++] = to;
    r->is[to] = true;
}

void ins_find_reached(Reached *r, const Improver *im) {
    size_t n = (size_t)im->most + 1;
    *r = (Reached){.n = 0};
    r->is = arena_array(im->arena, n, sizeof *r->is);
    r->all = arena_array(im->arena, n, sizeof *r->all);
    memset(r->is, 0, n * sizeof *r->is);
    for (int i = 0; i < im->n; i++)
        if (im->entry[i]) ins_reach(r, i, i);
    for (int k = 0; k < r->n; k++) ins_followers(im, r->all[k], ins_reach, r);
}

// ---- from words ----------------------------------------------------------------------------------

static int *number_instructions(Improver *im) {
    const Quickener *q = im->q;
    int *at = arena_array(im->arena, q->code.n + 1, sizeof *at);
    im->each = 0;
    for (size_t w = 0; w < q->code.n; w += 1 + strlen(quick_kinds[q->code.at[w]]))
        at[w] = im->each++;
    at[q->code.n] = im->each;
    return at;
}

static void read_instructions(Improver *im, const int *at) {
    Quickener *q = im->q;
    for (size_t i = 0; i < q->fixups.n; i++) // from places in the base code to instructions
        q->code.at[q->fixups.at[i].word] = at[q->place[q->fixups.at[i].target]];
    int n = 0;
    for (size_t w = 0; w < q->code.n; n++) {
        Ins *ins = &im->ins[n];
        const char *kinds = quick_kinds[q->code.at[w]];
        *ins = (Ins){.op = (QuickOp)q->code.at[w], .base = q->base.at[w]};
        for (int k = 0; kinds[k]; k++) ins->w[k] = q->code.at[w + 1 + (size_t)k];
        ins->next = goes_on(ins->op) && n + 1 < im->each ? n + 1 : -1;
        if (ins->op == Q_JMP || ins->op == Q_JMPB) {
            ins->next = ins->w[0];
            ins->gone = ins->op == Q_JMP;
            ins->w[0] = ins->w[1];
            ins->op = Q_TICK;
        }
        w += 1 + strlen(kinds);
    }
}

static void copy_instructions(Improver *im) {
    for (int i = im->each; i < im->n; i++) {
        int more = i / im->each * im->each;
        Ins *ins = &im->ins[i];
        *ins = im->ins[i % im->each];
        ins->copy = i / im->each;
        if (ins->next >= 0) ins->next += more;
        int t = ins_target(ins->op);
        if (ins->gone || t < 0) continue;
        ins->w[t] += more;
        if (quick_kinds[ins->op][t + 1] == 't') ins->w[t + 1] += more;
    }
}

static void enter(Improver *im, int pc, bool open) {
    for (int m = 0; m < im->ncopies; m++) {
        int i = im->place[m * (im->p->ncode + 1) + pc];
        if (i < 0) continue;
        im->entry[i] = true;
        im->open[i] |= open;
    }
}

static void find_entries(Improver *im, const int *at) {
    const Program *p = im->p;
    size_t words = (size_t)p->ncode + 1;
    im->place = arena_array(im->arena, words * (size_t)im->ncopies, sizeof *im->place);
    im->entry = arena_array(im->arena, (size_t)im->most + 1, sizeof *im->entry);
    im->open = arena_array(im->arena, (size_t)im->most + 1, sizeof *im->open);
    memset(im->entry, 0, ((size_t)im->most + 1) * sizeof *im->entry);
    memset(im->open, 0, ((size_t)im->most + 1) * sizeof *im->open);
    for (size_t i = 0; i < words * (size_t)im->ncopies; i++) {
        int word = im->q->place[i % words];
        im->place[i] = word < 0 ? -1 : at[word] + (int)(i / words) * im->each;
    }
    enter(im, 0, true);
    for (int i = 0; i < p->nalternatives; i++) enter(im, p->alternatives[i].target, true);
    for (int i = 0; i < p->nthrows; i++) enter(im, p->throws[i].target, true);
    for (int i = 0; i < p->ndecisions; i++) enter(im, p->decisions[i].pc, true);
    for (int i = 0; i < im->n; i++) {
        if (im->ins[i].op != Q_WOULD) continue;
        enter(im, im->ins[i].w[0], true);
        enter(im, im->ins[i].w[1], false);
    }
}

// A branch that leads back to the head of its loop gets a head of its own, which knows what the branch has
// learnt.
static void copy_heads(Improver *im) {
    for (int i = 0, n = im->n; i < n && im->n < im->most; i++) {
        Ins *ins = &im->ins[i];
        int t = ins_target(ins->op);
        if (ins->gone || t < 0 || quick_kinds[ins->op][t + 1] == 't') continue;
        const Ins *head = &im->ins[ins_at(im, ins->w[t])];
        int to = ins_target(head->op);
        if (head->gone || to < 0 || quick_kinds[head->op][to + 1] != 't') continue;
        im->ins[im->n] = *head;
        ins->w[t] = im->n++;
    }
}

// ---- and back ------------------------------------------------------------------------------------

typedef struct Writer {
    Improver *im;
    int *written; // per instruction: where it stands, or -1
    int *waiting; // instructions that must be written somewhere
    int nwaiting;
    VEC(int32_t) code;
    VEC(int32_t) base;
    VEC(Fixup) fixups; // words to hold the place of an instruction
    int constants;     // the first constant's cell
} Writer;

static void want(Writer *w, int i) {
    if (w->written[i] == -1) {
        w->written[i] = -2; // waits
        w->waiting[w->nwaiting++] = i;
    }
}

static void word(Writer *w, int32_t value, int base) {
    vec_push(w->im->arena, &w->code, value);
    vec_push(w->im->arena, &w->base, base);
}

// A word for the place of instruction i, seen from the opcode that stands `back` words before.
static void place_word(Writer *w, int i, int back, int base) {
    vec_push(w->im->arena, &w->fixups, ((Fixup){w->code.n, i}));
    word(w, back - (int)w->code.n, base);
    want(w, i);
}

// The branch that is taken when this one is not; QUICK_OPS if it has none. JLT and JLE: with their operands the other
// way round.
static QuickOp opposite(QuickOp op) {
    static const QuickOp pairs[][2] = {{Q_JZ, Q_JNZ},
                                       {Q_TJZ, Q_TJNZ},
                                       {Q_TJEQ, Q_TJNE},
                                       {Q_TJOCC, Q_TJNOCC},
                                       {Q_TJEMPTY, Q_TJNEMPTY},
                                       {Q_JEQ, Q_JNE},
                                       {Q_JLT, Q_JLE},
                                       {Q_JOCC, Q_JNOCC},
                                       {Q_JIN, Q_JNIN},
                                       {Q_JEMPTY, Q_JNEMPTY},
                                       {Q_JKIND, Q_JNKIND},
                                       {Q_JSET, Q_JNSET},
                                       {Q_JSOME, Q_JNONE},
                                       {Q_JWITHIN, Q_JNWITHIN},
                                       {Q_JSOMERUN, Q_JNONERUN},
                                       {Q_JAMONG, Q_JNAMONG},
                                       {Q_JALL, Q_JNALL},
                                       {Q_NEXTOCC, Q_NEXTNOCC},
                                       {Q_NEXTEMPTY, Q_NEXTNEMPTY},
                                       {Q_TNEXTOCC, Q_TNEXTNOCC},
                                       {Q_TNEXTEMPTY, Q_TNEXTNEMPTY},
                                       {Q_AHEADOCC, Q_AHEADNOCC},
                                       {Q_AHEADEMPTY, Q_AHEADNEMPTY},
                                       {Q_FAMILY1OCC, Q_FAMILY1NOCC},
                                       {Q_FAMILY1EMPTY, Q_FAMILY1NEMPTY}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i][k] == op) return pairs[i][!k];
    return QUICK_OPS;
}

// Where what comes next stands already, and where the branch leads does not: the branch leads to the one, and
// the other comes next.
static void turn_branch(Writer *w, Ins *ins) {
    Improver *im = w->im;
    int t = ins_target(ins->op);
    QuickOp op = opposite(ins->op);
    if (t < 0 || op == QUICK_OPS || ins->next < 0) return;
    if (w->written[ins_at(im, ins->next)] < 0 || w->written[ins_at(im, ins->w[t])] >= 0) return;
    int next = ins->next;
    ins->next = ins->w[t];
    ins->w[t] = next;
    if (op == Q_JLT || op == Q_JLE) {
        int a = ins->w[0];
        ins->w[0] = ins->w[1];
        ins->w[1] = a;
    }
    ins->op = op;
}

static void write_one(Writer *w, int i) {
    const Improver *im = w->im;
    const Ins *ins = &im->ins[i];
    const char *kinds = quick_kinds[ins->op];
    word(w, (int32_t)ins->op, ins->base);
    for (int k = 0; kinds[k]; k++) {
        if (kinds[k] == 't')
            place_word(w, ins_at(im, ins->w[k]), k + 1, ins->base);
        else if (kinds[k] != 'n' && ins->w[k] >= CONSTANTS)
            word(w, w->constants + ins->w[k] - CONSTANTS, ins->base);
        else
            word(w, ins->w[k], ins->base);
    }
}

static bool stands(const Writer *w, int i) { return i >= 0 && w->written[i] >= 0; }

static bool is_branch(const Ins *ins) { return ins->op >= Q_JZ && ins->op <= Q_TJNEMPTY; }

// From `i` on as far as it goes by itself. What comes next follows at once where it can.
static void write_from(Writer *w, int i) {
    Improver *im = w->im;
    while (i >= 0 && w->written[i] < 0) {
        Ins *ins = &im->ins[i];
        turn_branch(w, ins);
        int next = ins_at(im, ins->next);
        w->written[i] = (int)w->code.n;
        if (ins->op == Q_SET_MOVER) {
            // Its operands are laid out as the copies' places.
            word(w, Q_SET_MOVER, ins->base);
            word(w, ins->w[0] >= CONSTANTS ? w->constants + ins->w[0] - CONSTANTS : ins->w[0],
                 ins->base);
            for (int m = 0; m < COPIES_MAX; m++)
                place_word(w,
                           ins_at(im, (m < im->ncopies ? m : 0) * im->each + ins->next % im->each),
                           m + 2, ins->base);
            return;
        }
        bool back = ins->op == Q_TICK && next >= 0 && w->written[next] >= 0;
        if (!back) write_one(w, i);
        // A branch that stands already stands here as well: a jump less, and a history of its own.
        for (int k = 0; k < 2 && !back && stands(w, next) && is_branch(&im->ins[next]); k++) {
            write_one(w, next);
            next = ins_at(im, im->ins[next].next);
        }
        if (stands(w, next)) {
            word(w, back ? Q_JMPB : Q_JMP, ins->base);
            place_word(w, next, 1, ins->base);
            if (back) word(w, ins->w[0], ins->base);
        }
        i = next;
    }
}

static void write_all(Writer *w) {
    Improver *im = w->im;
    size_t n = (size_t)im->n + 1;
    w->written = arena_array(im->arena, n, sizeof *w->written);
    w->waiting = arena_array(im->arena, n, sizeof *w->waiting);
    w->nwaiting = 0;
    for (size_t i = 0; i < n; i++) w->written[i] = -1;
    // In the order of the base code; what is waited for goes before what stands further down.
    for (int i = 0; i < im->n; i++) {
        if (im->entry[i]) want(w, ins_at(im, i));
        while (w->nwaiting > 0) write_from(w, w->waiting[--w->nwaiting]);
    }
    for (size_t i = 0; i < w->fixups.n; i++)
        w->code.at[w->fixups.at[i].word] += w->written[w->fixups.at[i].target];
}

static const int32_t *final_places(const Writer *w) {
    const Improver *im = w->im;
    int n = (im->p->ncode + 1) * im->ncopies;
    int32_t *place = arena_array(im->arena, (size_t)n, sizeof *place);
    for (int i = 0; i < n; i++) {
        bool known = im->place[i] >= 0 && im->entry[im->place[i]];
        place[i] = known ? w->written[ins_at(im, im->place[i])] : -1;
    }
    return place;
}

static void final_cells(const Writer *w, Asked *q) {
    for (int i = 0; i < q->nnodes; i++) {
        AskedNode *node = &q->nodes[i];
        if (node->a >= CONSTANTS) node->a += w->constants - CONSTANTS;
        if (node->b >= CONSTANTS) node->b += w->constants - CONSTANTS;
    }
    for (int k = 0; k < 2; k++)
        if (q->next[k]) final_cells(w, q->next[k]);
}

static const AskedHead *final_asked(const Writer *w) {
    const size_t n = w->im->asked.n;
    AskedHead *heads = arena_array(w->im->arena, n + 1, sizeof *heads);
    for (size_t i = 0; i < n; i++) {
        final_cells(w, &w->im->asked.at[i]);
        asked_head(&heads[i], &w->im->asked.at[i], w->im->arena);
    }
    return heads;
}

static const Thrown *final_thrown(const Writer *w) {
    const Improver *im = w->im;
    Thrown *thrown = arena_array(im->arena, im->outcomes.n + 1, sizeof *thrown);
    for (size_t i = 0; i < im->outcomes.n; i++) {
        thrown[i] = im->outcomes.at[i].written;
        thrown[i].place = w->written[ins_at(im, im->outcomes.at[i].entry)];
    }
    return thrown;
}

void improve(Quickener *q, bool well, struct Quick *quick) {
    const Program *p = q->p;
    Improver im = {.p = p, .arena = q->arena, .q = q};
    const int *at = number_instructions(&im);
    bool copied = well && p->nplayers <= COPIES_MAX && p->ncode <= COPIED_WORDS;
    im.ncopies = copied ? p->nplayers : 1;
    im.n = im.each * im.ncopies;
    im.most = well ? 2 * im.n + im.ncopies * outcomes_room(p) : im.n;
    im.ins = arena_array(im.arena, (size_t)im.most + 1, sizeof *im.ins);
    read_instructions(&im, at);
    copy_instructions(&im);
    copy_heads(&im);
    find_entries(&im, at);
    for (int pc = 0; pc < p->ncode; pc = base_after(p, pc))
        im.retires |= q->depths[pc] >= 0 && p->code[pc] == OP_RETIRE;
    if (well) {
        Live live;
        improve_flow(&im, false);
        if (live_find(&live, &im)) {
            improve_rounds(&im, &live);
            improve_throws(&im);
            improve_flow(&im, false);
        }
        improve_live(&im);
        improve_flow(&im, true);
        improve_flow(&im, false);
        improve_live(&im);
        improve_fuse(&im);
        improve_thrown(&im);
    }
    Writer w = {.im = &im, .constants = p->ncells + q->slots};
    write_all(&w);
    quick->code = w.code.at;
    quick->base = w.base.at;
    quick->ncode = (int)w.code.n;
    quick->place = final_places(&w);
    quick->ncopies = im.ncopies;
    quick->columns = im.columns.at;
    quick->asked = final_asked(&w);
    quick->keeping = im.keeping;
    quick->answers = im.answers.at;
    quick->thrown = final_thrown(&w);
}
