// The translation, in one pass over each stretch of base code that no jump leads into.
//
// What would lie on the stack is kept here as entries: a value that lies in some working cell, or a
// condition nobody has asked for yet. An instruction that takes a value takes the entry's cell; a
// jump that takes a condition becomes that comparison's jump. Entries are put into their slots where the
// stretch ends, and before something writes to a cell that they stand for.
#include "quick.h"

#include <string.h>

typedef enum Condition { // each is followed by its contrary
    IS_TRUE,             // a
    IS_FALSE,
    IS_EQ, // a b
    IS_NE,
    IS_LT,
    IS_GE,
    IS_LE,
    IS_GT,
    IS_OCC, // a: a site
    IS_NOCC,
    IS_EMPTY,
    IS_NEMPTY,
    IS_KIND, // a site, b kind
    IS_NKIND,
    IS_SET, // a site, b list of kinds (a number, not a cell)
    IS_NSET,
    IS_IN, // a value, b list
    IS_NIN,
    IS_VALUE, // no condition: the value of cell a
} Condition;

static Condition contrary(Condition is) { return (Condition)(is ^ 1); }

typedef struct Entry {
    Condition is;
    int a, b;
} Entry;

typedef struct Fixup {
    size_t word; // of the quick code, to hold the place of
    int target;  // this pc of the base code
} Fixup;

typedef struct Quickener {
    const Program *p;
    Arena *arena;
    const int *depths;
    bool *leads; // per base pc: a jump comes here
    int32_t *place;
    VEC(int32_t) code;
    VEC(int32_t) base;
    VEC(Fixup) fixups;
    VEC(Cell) constants;
    Entry stack[STACK_SIZE];
    int depth, slots;
    int pc;   // of the base instruction in hand
    int next; // of the one after it
    long
        result; // the word that says where the last instruction put its result; -1: not to be changed
    bool fits; // that result fits a cell whatever happens
} Quickener;

static const int operands_of[OPCODES] = {
#define OP(name, operands, pops, pushes) [OP_##name] = (operands),
#include "opcodes.def"
#undef OP
};

static int after(const Program *p, int pc) { return pc + 1 + operands_of[p->code[pc]]; }

// ---- where jumps really lead ---------------------------------------------------------------------

enum { HOPS = 16 };

static int follow(const Program *p, int pc) {
    for (int i = 0; i < HOPS && p->code[pc] == OP_JMP; i++) pc = p->code[pc + 1];
    return pc;
}

// A jump to `pc` that leaves a truth on the stack. Follows it as long as what stands there only asks for that
// truth; true if the truth is used up on the way.
static bool follow_truth(const Program *p, bool truth, int *pc) {
    for (int i = 0; i < HOPS; i++) {
        int at = follow(p, *pc);
        switch ((Opcode)p->code[at]) {
        case OP_JZ: *pc = follow(p, truth ? after(p, at) : p->code[at + 1]); return true;
        case OP_JNZ: *pc = follow(p, truth ? p->code[at + 1] : after(p, at)); return true;
        case OP_JZK:
        case OP_JNZK:
            if (truth != (p->code[at] == OP_JNZK)) {
                *pc = follow(p, after(p, at));
                return true;
            }
            *pc = p->code[at + 1];
            break;
        default: *pc = at; return false;
        }
    }
    return false;
}

static bool iterates(int op) {
    return op == OP_ITER_LIST || op == OP_ITER_RANGE || op == OP_ITER_CELLS;
}

// A loop over a list whose first question is about the pieces on the element, and which goes on with the next
// one if the answer is no: one instruction does all that.
typedef struct Filter {
    QuickOp op;
    // What is asked for beside the element: the pc of the base instruction that says it, or -1. EACH_MORE: a
    // number. EACH_KIND: a kind of pieces, or if `family` is not -1 what that family says for it.
    int what, family;
    int next; // pc of the base code after the question
} Filter;

static bool plain_at(const Quickener *q, int pc, Opcode op) {
    return pc < q->p->ncode && !q->leads[pc] && q->p->code[pc] == (int32_t)op;
}

static bool more_than_none(const Quickener *q, int at) {
    return plain_at(q, at, OP_PUSH) && q->p->code[at + 1] == 0 && plain_at(q, at + 2, OP_GT);
}

// `at`: what follows the element on the stack. Gives where the answer is asked for, or -1.
static int find_question(const Quickener *q, int head, int at, Filter *f) {
    const int32_t *code = q->p->code;
    *f = (Filter){.what = -1, .family = -1};
    if (plain_at(q, at, OP_EMPTY) || plain_at(q, at, OP_OCCUPIED)) {
        f->op = code[at] == OP_EMPTY ? Q_EACH_EMPTY : Q_EACH_OCC;
        return at + 1;
    }
    if (plain_at(q, at, OP_COUNT)) {
        f->op = Q_EACH_MORE;
        f->what = at + 1;
        return plain_at(q, at + 1, OP_PUSH) && plain_at(q, at + 3, OP_GT) ? at + 4 : -1;
    }
    // A kind that is the same for all elements.
    bool same =
        plain_at(q, at, OP_PUSH) || (plain_at(q, at, OP_LOAD) && code[at + 1] != code[head + 2] &&
                                     code[at + 1] != code[head + 3]);
    if (!same) return -1;
    f->op = Q_EACH_KIND;
    f->what = at;
    at += 2;
    if (plain_at(q, at, OP_FAMILY) && q->p->families[code[at + 1]].dims == 1) {
        f->family = code[at + 1];
        at += 2;
    }
    return plain_at(q, at, OP_COUNT_KIND) && more_than_none(q, at + 1) ? at + 4 : -1;
}

static bool find_filter(const Quickener *q, int head, Filter *f) {
    const int32_t *code = q->p->code;
    int at = head + 1 + operands_of[OP_ITER_LIST];
    if (code[head] != OP_ITER_LIST || !plain_at(q, at, OP_LOAD) || code[at + 1] != code[head + 3])
        return false;
    at = find_question(q, head, at + 2, f);
    if (at < 0 || !plain_at(q, at, OP_JZ) || follow(q->p, code[at + 1]) != head) return false;
    f->next = at + 2;
    return true;
}

// All places to which something jumps, goes on, or comes back.
static void find_leaders(Quickener *q) {
    const Program *p = q->p;
    for (int pc = 0; pc < p->ncode; pc = after(p, pc)) {
        const int32_t *w = p->code + pc;
        if (q->depths[pc] < 0) continue;
        int target = -1;
        switch ((Opcode)w[0]) {
        case OP_JMP:
        case OP_JZ:
        case OP_JNZ: target = follow(p, w[1]); break;
        case OP_JZK:
        case OP_JNZK:
            target = w[1];
            (void)follow_truth(p, w[0] == OP_JNZK, &target);
            break;
        case OP_ITER_LIST:
        case OP_ITER_RANGE:
        case OP_ITER_CELLS: target = follow(p, w[operands_of[w[0]]]); break;
        case OP_WOULD:
            q->leads[w[1]] = true;
            target = w[2];
            break;
        default: break;
        }
        if (target >= 0) q->leads[target] = true;
    }
    q->leads[0] = true;
    for (int i = 0; i < p->nalternatives; i++) q->leads[p->alternatives[i].target] = true;
    for (int i = 0; i < p->nthrows; i++) q->leads[p->throws[i].target] = true;
    for (int i = 0; i < p->ndecisions; i++) q->leads[p->decisions[i].pc] = true;
    // A round begins after the loop's head, or after the question that belongs to it.
    for (int pc = 0; pc < p->ncode; pc = after(p, pc)) {
        Filter f;
        if (q->depths[pc] < 0 || !iterates(p->code[pc])) continue;
        q->leads[find_filter(q, pc, &f) ? f.next : after(p, pc)] = true;
    }
}

// ---- writing -------------------------------------------------------------------------------------

static void word(Quickener *q, int32_t w) {
    vec_push(q->arena, &q->code, w);
    vec_push(q->arena, &q->base, q->pc);
}

static void put(Quickener *q, QuickOp op, int n, const int *operands) {
    word(q, (int32_t)op);
    for (int i = 0; i < n; i++) word(q, operands[i]);
    q->result = -1;
}
#define PUT(op, ...)                                                                               \
    put(q, Q_##op, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

static void target_word(Quickener *q, int target) {
    vec_push(q->arena, &q->fixups, ((Fixup){q->code.n, target}));
    word(q, 0);
}

static int slot(Quickener *q, int i) {
    if (i >= q->slots) q->slots = i + 1;
    return q->p->ncells + i;
}

// Constants are numbered after the slots, whose number is known at the end: until then from CONSTANTS on, above
// everything else that stands in the code.
enum { CONSTANTS = 1 << 24 };

static int constant(Quickener *q, Cell value) {
    for (size_t i = 0; i < q->constants.n; i++)
        if (q->constants.at[i] == value) return CONSTANTS + (int)i;
    vec_push(q->arena, &q->constants, value);
    return CONSTANTS + (int)q->constants.n - 1;
}

static const Cell *constant_at(const Quickener *q, int cell) {
    return cell >= CONSTANTS ? &q->constants.at[cell - CONSTANTS] : NULL;
}

static bool is_constant(const Quickener *q, int cell, Cell value) {
    const Cell *at = constant_at(q, cell);
    return at && *at == value;
}

static void put_family(Quickener *q, int number, int d, int v) {
    const Family *f = &q->p->families[number];
    PUT(FAMILY1, d, number, f->lows[0], f->sizes[0], f->missing, v);
}

// ---- entries -------------------------------------------------------------------------------------

// The truth of a condition as a value.
static void put_truth(Quickener *q, const Entry *e, int d) {
    switch (e->is) {
    case IS_TRUE: PUT(NE, d, e->a, constant(q, 0)); break;
    case IS_FALSE: PUT(NOT, d, e->a); break;
    case IS_EQ: PUT(EQ, d, e->a, e->b); break;
    case IS_NE: PUT(NE, d, e->a, e->b); break;
    case IS_LT: PUT(LT, d, e->a, e->b); break;
    case IS_GE: PUT(LE, d, e->b, e->a); break;
    case IS_LE: PUT(LE, d, e->a, e->b); break;
    case IS_GT: PUT(LT, d, e->b, e->a); break;
    case IS_OCC:
    case IS_NOCC: PUT(OCCUPIED, d, e->a); break;
    case IS_EMPTY:
    case IS_NEMPTY: PUT(EMPTY, d, e->a); break;
    case IS_KIND:
    case IS_NKIND:
        PUT(COUNT_KIND, d, e->a, e->b);
        PUT(LT, d, constant(q, 0), d);
        break;
    case IS_SET:
    case IS_NSET:
        PUT(COUNT_SET, d, e->b, e->a);
        PUT(LT, d, constant(q, 0), d);
        break;
    case IS_IN:
    case IS_NIN: PUT(IN, d, e->a, e->b); break;
    case IS_VALUE: PUT(COPY, d, e->a); break;
    }
    if (e->is == IS_NOCC || e->is == IS_NEMPTY || e->is == IS_NKIND || e->is == IS_NSET ||
        e->is == IS_NIN)
        PUT(NOT, d, d);
}

static void settle(Quickener *q, int i) {
    Entry *e = &q->stack[i];
    int own = slot(q, i);
    if (e->is == IS_VALUE && e->a == own) return;
    put_truth(q, e, own);
    *e = (Entry){IS_VALUE, own, 0};
}

static void settle_all(Quickener *q) {
    for (int i = 0; i < q->depth; i++) settle(q, i);
}

// Cells lo .. lo+n-1 are about to be written.
static void spill(Quickener *q, int lo, int n) {
    for (int i = 0; i < q->depth; i++) {
        const Entry *e = &q->stack[i];
        if ((e->a >= lo && e->a < lo + n) || (e->is != IS_VALUE && e->b >= lo && e->b < lo + n))
            settle(q, i);
    }
}

// Pieces are about to be moved: whoever has asked about them is answered first.
static void spill_pieces(Quickener *q) {
    for (int i = 0; i < q->depth; i++)
        if (q->stack[i].is >= IS_OCC && q->stack[i].is <= IS_NSET) settle(q, i);
    spill(q, 0, q->p->nsites * q->p->npieces);
}

static void push(Quickener *q, Condition is, int a, int b) {
    q->stack[q->depth++] = (Entry){is, a, b};
}

static Entry pop(Quickener *q) { return q->stack[--q->depth]; }

// The cell of the topmost value, taken off.
static int pop_cell(Quickener *q) {
    const Entry *e = &q->stack[q->depth - 1];
    if (e->is != IS_VALUE) settle(q, q->depth - 1);
    return pop(q).a;
}

// A result goes into the slot at the top; its word is the first after the opcode.
static void result(Quickener *q, size_t start, bool fits) {
    q->result = (long)start + 1;
    q->fits = fits;
    push(q, IS_VALUE, slot(q, q->depth), 0);
}

// `op` with a result of the `n` topmost values, and `k` plain operands before them.
static void compute(Quickener *q, QuickOp op, int k, const int *plain, int n, bool fits) {
    int operands[8], cells[3];
    for (int i = n; i-- > 0;) cells[i] = pop_cell(q);
    int m = 0;
    operands[m++] = slot(q, q->depth);
    for (int i = 0; i < k; i++) operands[m++] = plain[i];
    for (int i = 0; i < n; i++) operands[m++] = cells[i];
    size_t start = q->code.n;
    put(q, op, m, operands);
    result(q, start, fits);
}

static void act(Quickener *q, QuickOp op, int k, const int *plain, int n) {
    int operands[8], cells[4];
    for (int i = n; i-- > 0;) cells[i] = pop_cell(q);
    int m = 0;
    for (int i = 0; i < k; i++) operands[m++] = plain[i];
    for (int i = 0; i < n; i++) operands[m++] = cells[i];
    put(q, op, m, operands);
}

// The last instruction's opcode, if it gave the value on top and nothing has happened since; -1 otherwise.
static int32_t *last_result(Quickener *q) {
    if (q->result < 0 || q->depth == 0) return NULL;
    const Entry *e = &q->stack[q->depth - 1];
    if (e->is != IS_VALUE || e->a != q->code.at[q->result]) return NULL;
    return &q->code.at[q->result - 1];
}

static void take_back(Quickener *q) {
    q->code.n = q->base.n = (size_t)q->result - 1;
    q->result = -1;
}

// ---- values --------------------------------------------------------------------------------------

// How many there are is compared with none: that is another question.
static bool compare_count(Quickener *q, Condition is) {
    if (is != IS_GT && is != IS_EQ && is != IS_NE) return false;
    if (q->depth < 2) return false;
    const Entry *top = &q->stack[q->depth - 1];
    if (top->is != IS_VALUE || !is_constant(q, top->a, 0)) return false;
    q->depth--;
    int32_t *op = last_result(q);
    if (!op || (*op != Q_COUNT && *op != Q_COUNT_KIND && *op != Q_COUNT_SET)) {
        q->depth++;
        return false;
    }
    Condition there = *op == Q_COUNT_KIND ? IS_KIND : *op == Q_COUNT_SET ? IS_SET : IS_OCC;
    int s = there == IS_SET ? op[3] : op[2];
    int of = there == IS_SET ? op[2] : there == IS_KIND ? op[3] : 0;
    pop(q);
    take_back(q);
    push(q, is == IS_EQ ? contrary(there) : there, s, of);
    return true;
}

static void compare(Quickener *q, Condition is) {
    if (compare_count(q, is)) return;
    int b = pop_cell(q), a = pop_cell(q);
    push(q, is, a, b);
}

static void negate(Quickener *q) {
    Entry *e = &q->stack[q->depth - 1];
    e->is = e->is == IS_VALUE ? IS_FALSE : contrary(e->is);
}

// STORE of what has just been worked out goes there at once.
static void store(Quickener *q, int cell) {
    int32_t *op = last_result(q);
    if (op && (q->fits || *op == Q_ADD || *op == Q_SUB)) {
        q->depth--;
        bool stands = false; // somebody else still wants the cell as it is
        for (int i = 0; i < q->depth; i++)
            stands |=
                q->stack[i].a == cell || (q->stack[i].is != IS_VALUE && q->stack[i].b == cell);
        if (!stands) {
            if (*op == Q_ADD) *op = Q_ADDTO;
            if (*op == Q_SUB) *op = Q_SUBTO;
            op[1] = cell;
            for (size_t i = (size_t)q->result - 1; i < q->base.n; i++) {
                if (!q->fits) q->base.at[i] = q->pc; // what may fail is the storing
            }
            q->result = -1;
            return;
        }
        q->depth++;
    }
    Entry e = pop(q);
    spill(q, cell, 1);
    if (e.is != IS_VALUE) {
        put_truth(q, &e, cell);
        return;
    }
    // What lies in a cell of the position, or came from one, fits.
    const Cell *known = constant_at(q, e.a);
    if (known ? *known >= CELL_MIN && *known <= CELL_MAX : e.a < q->p->ncells)
        PUT(COPY, cell, e.a);
    else
        PUT(STORE, cell, e.a);
}

static bool is_run(const List *list) {
    for (int i = 1; i < list->n; i++)
        if (list->at[i] != list->at[0] + i) return false;
    return list->n > 0;
}

static void load_indexed(Quickener *q, const int32_t *w) {
    const List *list = &q->p->lists[w[1]];
    if (is_run(list))
        compute(q, Q_LOADRUN, 3, (int[]){list->at[0], list->n, w[2]}, 1, true);
    else
        compute(q, Q_LOADX, 2, (int[]){w[1], w[2]}, 1, true);
}

static void store_indexed(Quickener *q, const int32_t *w) {
    const List *list = &q->p->lists[w[1]];
    int i = pop_cell(q), v = pop_cell(q);
    spill(q, w[2], list->n);
    if (is_run(list))
        PUT(STORERUN, list->at[0], list->n, w[2], v, i);
    else
        PUT(STOREX, w[1], w[2], v, i);
}

// ---- jumps ---------------------------------------------------------------------------------------

// A jump back pays for what it goes through again; a loop pays at its own head.
static void tick(Quickener *q, int target) {
    if (target > q->pc || iterates(q->p->code[target])) return;
    PUT(TICK, q->pc - target + 1);
}

static void jump_if(Quickener *q, const Entry *e, int target) {
    tick(q, target);
    switch (e->is) {
    case IS_VALUE:
    case IS_TRUE: PUT(JNZ, e->a); break;
    case IS_FALSE: PUT(JZ, e->a); break;
    case IS_EQ: PUT(JEQ, e->a, e->b); break;
    case IS_NE: PUT(JNE, e->a, e->b); break;
    case IS_LT: PUT(JLT, e->a, e->b); break;
    case IS_GE: PUT(JLE, e->b, e->a); break;
    case IS_LE: PUT(JLE, e->a, e->b); break;
    case IS_GT: PUT(JLT, e->b, e->a); break;
    case IS_OCC: PUT(JOCC, e->a); break;
    case IS_NOCC: PUT(JNOCC, e->a); break;
    case IS_EMPTY: PUT(JEMPTY, e->a); break;
    case IS_NEMPTY: PUT(JNEMPTY, e->a); break;
    case IS_KIND: PUT(JKIND, e->a, e->b); break;
    case IS_NKIND: PUT(JNKIND, e->a, e->b); break;
    case IS_SET: PUT(JSET, e->a, e->b); break;
    case IS_NSET: PUT(JNSET, e->a, e->b); break;
    case IS_IN: PUT(JIN, e->a, e->b); break;
    case IS_NIN: PUT(JNIN, e->a, e->b); break;
    }
    target_word(q, target);
}

static void branch(Quickener *q, bool truth, int target) {
    Entry e = pop(q);
    if (e.is == IS_VALUE) e.is = IS_TRUE;
    if (!truth) e.is = contrary(e.is);
    settle_all(q);
    jump_if(q, &e, target);
}

// JZK, JNZK: the value is kept where the jump leads, unless somebody there only asks for its truth.
static void branch_keeping(Quickener *q, bool truth, int target) {
    if (follow_truth(q->p, truth, &target)) {
        branch(q, truth, target);
        return;
    }
    settle_all(q);
    Entry e = pop(q);
    e.is = truth ? IS_TRUE : IS_FALSE;
    jump_if(q, &e, target);
}

// The cell of what a filter asks for beside its element.
static int put_what(Quickener *q, const Filter *f) {
    if (f->what < 0) return 0;
    const int32_t *w = q->p->code + f->what;
    int cell = w[0] == OP_PUSH ? constant(q, w[1]) : w[1];
    if (f->family < 0) return cell;
    int own = slot(q, q->depth);
    put_family(q, f->family, own, cell);
    return own;
}

// The head of a loop at `pc` of the base code, from wherever a round ends. Gives the pc at which a round begins.
static int iterate(Quickener *q, int pc) {
    const int32_t *w = q->p->code + pc;
    int n = operands_of[w[0]], exit = follow(q->p, w[n]), next = after(q->p, pc);
    Filter f;
    bool filtered = find_filter(q, pc, &f);
    settle_all(q);
    int what = filtered ? put_what(q, &f) : 0;
    if (filtered) next = f.next;
    switch ((Opcode)w[0]) {
    case OP_ITER_LIST: put(q, filtered ? f.op : Q_ITER_LIST, 3, (int[]){w[1], w[2], w[3]}); break;
    case OP_ITER_RANGE: PUT(ITER_RANGE, w[1], w[2], w[3]); break;
    default: PUT(ITER_CELLS, w[1], w[2], w[3], w[4]); break;
    }
    target_word(q, next);
    target_word(q, exit);
    word(q, w[n] > pc ? w[n] - pc : pc - w[n] + 1);
    if (filtered && (f.op == Q_EACH_MORE || f.op == Q_EACH_KIND)) word(q, what);
    return next;
}

static void jump(Quickener *q, int target) {
    if (iterates(q->p->code[target])) {
        int at = q->pc;
        q->pc = target; // a fault there is the loop's
        (void)iterate(q, target);
        q->pc = at;
        return;
    }
    settle_all(q);
    if (target > q->pc) {
        put(q, Q_JMP, 0, NULL);
        target_word(q, target);
    } else {
        put(q, Q_JMPB, 0, NULL);
        target_word(q, target);
        word(q, q->pc - target + 1);
    }
}

// ---- one instruction -----------------------------------------------------------------------------

static void translate_value(Quickener *q, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUSH: push(q, IS_VALUE, constant(q, w[1]), 0); break;
    case OP_POP: pop_cell(q); break; // worked out all the same: it may fail
    case OP_LOAD: push(q, IS_VALUE, w[1], 0); break;
    case OP_STORE: store(q, w[1]); break;
    case OP_LOADX: load_indexed(q, w); break;
    case OP_STOREX: store_indexed(q, w); break;
    case OP_ADD: compute(q, Q_ADD, 0, NULL, 2, false); break;
    case OP_SUB: compute(q, Q_SUB, 0, NULL, 2, false); break;
    case OP_MUL: compute(q, Q_MUL, 0, NULL, 2, false); break;
    case OP_DIV: compute(q, Q_DIV, 0, NULL, 2, false); break;
    case OP_MOD: compute(q, Q_MOD, 0, NULL, 2, false); break;
    case OP_NEG: compute(q, Q_NEG, 0, NULL, 1, false); break;
    case OP_ABS: compute(q, Q_ABS, 0, NULL, 1, false); break;
    case OP_MIN: compute(q, Q_MIN, 0, NULL, 2, false); break;
    case OP_MAX: compute(q, Q_MAX, 0, NULL, 2, false); break;
    case OP_EQ: compare(q, IS_EQ); break;
    case OP_NE: compare(q, IS_NE); break;
    case OP_LT: compare(q, IS_LT); break;
    case OP_LE: compare(q, IS_LE); break;
    case OP_GT: compare(q, IS_GT); break;
    case OP_GE: compare(q, IS_GE); break;
    case OP_NOT: negate(q); break;
    case OP_COUNT: compute(q, Q_COUNT, 0, NULL, 1, false); break;
    case OP_COUNT_KIND: compute(q, Q_COUNT_KIND, 0, NULL, 2, true); break;
    case OP_COUNT_SET: compute(q, Q_COUNT_SET, 1, w + 1, 1, false); break;
    case OP_OCCUPIED: push(q, IS_OCC, pop_cell(q), 0); break;
    case OP_EMPTY: push(q, IS_EMPTY, pop_cell(q), 0); break;
    case OP_EMPTY_KIND: compute(q, Q_EMPTY_KIND, 0, NULL, 2, true); break;
    case OP_EMPTY_SET: compute(q, Q_EMPTY_SET, 1, w + 1, 1, true); break;
    case OP_LCOUNT: compute(q, Q_LCOUNT, 0, NULL, 1, false); break;
    case OP_LCOUNT_KIND: compute(q, Q_LCOUNT_KIND, 0, NULL, 2, false); break;
    case OP_LCOUNT_SET: compute(q, Q_LCOUNT_SET, 1, w + 1, 1, false); break;
    case OP_PIECE_ON: compute(q, Q_PIECE_ON, 1, w + 1, 1, true); break;
    case OP_MAP: compute(q, Q_MAP, 1, w + 1, 1, true); break;
    case OP_FAMILY: {
        const Family *f = &q->p->families[w[1]];
        if (f->dims == 1)
            compute(q, Q_FAMILY1, 4, (int[]){w[1], f->lows[0], f->sizes[0], f->missing}, 1, true);
        else
            compute(q, f->dims == 2 ? Q_FAMILY2 : Q_FAMILY3, 1, w + 1, f->dims, true);
        break;
    }
    case OP_NEXT: compute(q, Q_NEXT, 0, NULL, 2, true); break;
    case OP_AHEAD: compute(q, Q_AHEAD, 0, NULL, 3, true); break;
    case OP_NTH: compute(q, Q_NTH, 0, NULL, 2, true); break;
    case OP_INDEX: compute(q, Q_INDEX, 0, NULL, 2, true); break;
    case OP_SIZE: compute(q, Q_SIZE, 0, NULL, 1, true); break;
    case OP_IN: {
        int list = pop_cell(q);
        push(q, IS_IN, pop_cell(q), list);
        break;
    }
    case OP_NEXT_PLAYER: compute(q, Q_NEXT_PLAYER, 0, NULL, 1, true); break;
    case OP_PLAYING: compute(q, Q_PLAYING, 0, NULL, 1, true); break;
    case OP_SEEN: compute(q, Q_SEEN, 0, NULL, 0, false); break;
    default: break;
    }
}

static void translate_move(Quickener *q, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUT: act(q, Q_PUT, 0, NULL, 3); break;
    case OP_REMOVE: act(q, Q_REMOVE, 0, NULL, 3); break;
    case OP_REMOVE_ALL: act(q, Q_REMOVE_ALL, 0, NULL, 1); break;
    case OP_REMOVE_SET: act(q, Q_REMOVE_SET, 1, w + 1, 1); break;
    case OP_REMOVE_KIND: act(q, Q_REMOVE_KIND, 0, NULL, 2); break;
    case OP_MOVE: act(q, Q_MOVE, 0, NULL, 4); break;
    case OP_MOVE_ALL: act(q, Q_MOVE_ALL, 0, NULL, 2); break;
    case OP_MOVE_SET: act(q, Q_MOVE_SET, 1, w + 1, 2); break;
    case OP_MOVE_KIND: act(q, Q_MOVE_KIND, 0, NULL, 3); break;
    case OP_SOW: compute(q, Q_SOW, 1, w + 1, 2, true); break;
    default: break;
    }
}

static void translate_rest(Quickener *q, const int32_t *w) {
    const Program *p = q->p;
    switch ((Opcode)w[0]) {
    case OP_FILL: {
        int v = pop_cell(q);
        spill(q, w[1], w[2]);
        PUT(FILL, w[1], w[2], v);
        break;
    }
    case OP_ZERO:
        spill(q, w[1], w[2]);
        if (w[2] == 1)
            PUT(COPY, w[1], constant(q, 0));
        else
            PUT(ZERO, w[1], w[2]);
        break;
    case OP_JMP: jump(q, follow(p, w[1])); break;
    case OP_JZ:
    case OP_JNZ: branch(q, w[0] == OP_JNZ, follow(p, w[1])); break;
    case OP_JZK:
    case OP_JNZK: branch_keeping(q, w[0] == OP_JNZK, w[1]); break;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS: q->next = iterate(q, q->pc); break;
    case OP_RAISE: PUT(RAISE, w[1]); break;
    case OP_CHOOSE: PUT(CHOOSE, w[1]); break;
    case OP_CAND: PUT(CAND, w[1]); break;
    case OP_LOT: act(q, Q_LOT, 1, w + 1, 1); break;
    case OP_DECIDE:
        settle_all(q);
        PUT(DECIDE, w[1]);
        break;
    case OP_THROW: PUT(THROW, w[1]); break;
    case OP_RETIRE: act(q, Q_RETIRE, 0, NULL, 1); break;
    case OP_SET_MOVER: act(q, Q_SET_MOVER, 0, NULL, 1); break;
    case OP_WIN: act(q, Q_WIN, 0, NULL, 1); break;
    case OP_WIN_LIST: act(q, Q_WIN_LIST, 0, NULL, 1); break;
    case OP_LOSE: act(q, Q_LOSE, 0, NULL, 1); break;
    case OP_DRAW: put(q, Q_DRAW, 0, NULL); break;
    case OP_SCORE: act(q, Q_SCORE, 0, NULL, 2); break;
    case OP_BY_SCORE: PUT(BY_SCORE, w[1]); break;
    case OP_END: put(q, Q_END, 0, NULL); break;
    case OP_WOULD:
        settle_all(q);
        PUT(WOULD, w[1], w[2], w[3], w[4], slot(q, q->depth));
        break;
    case OP_VALUE: act(q, Q_VALUE, 0, NULL, 1); break;
    case OP_REMEMBER: put(q, Q_REMEMBER, 0, NULL); break;
    case OP_COVER: PUT(COVER, w[1]); break;
    default: break;
    }
}

static bool moves(Opcode op) { return (op >= OP_PUT && op <= OP_SOW); }

static void translate(Quickener *q, const int32_t *w) {
    const Program *p = q->p;
    Opcode op = (Opcode)w[0];
    if (moves(op)) spill_pieces(q);
    if (op == OP_RETIRE || op == OP_SET_MOVER || op == OP_REMEMBER)
        spill(q, p->system, SYSTEM_CELLS);
    if (op == OP_SCORE) spill(q, p->scores, p->nplayers + 1);
    translate_value(q, w);
    translate_move(q, w);
    translate_rest(q, w);
}

// A new stretch: whatever came before, the values are in their slots.
static void lead(Quickener *q, int depth) {
    settle_all(q);
    q->depth = depth;
    for (int i = 0; i < depth; i++) q->stack[i] = (Entry){IS_VALUE, slot(q, i), 0};
    q->place[q->pc] = (int32_t)q->code.n;
    q->result = -1;
}

static bool goes_on(Opcode op) {
    switch (op) {
    case OP_JMP:
    case OP_RAISE:
    case OP_THROW:
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END:
    case OP_VALUE: return false;
    default: return true;
    }
}

static void translate_all(Quickener *q) {
    const Program *p = q->p;
    bool open = false; // the instruction before goes on here
    for (int pc = 0; pc < p->ncode; pc = q->next) {
        q->pc = pc;
        q->next = after(p, pc);
        if (q->depths[pc] < 0) continue;
        if (!open) q->depth = 0; // nothing to be settled
        if (q->leads[pc] || !open) lead(q, q->depths[pc]);
        translate(q, p->code + pc);
        open = goes_on((Opcode)p->code[pc]);
    }
}

// ---- the end -------------------------------------------------------------------------------------

// Which of an instruction's operands are cells, and so may be constants, need not be known: only WOULD's
// answers can be as great otherwise.
static void number_constants(Quickener *q) {
    static const int lengths[QUICK_OPS] = {
#define QOP(name, operands) [Q_##name] = 1 + (operands),
#include "quick.def"
#undef QOP
    };
    int first = q->p->ncells + q->slots;
    for (size_t at = 0; at < q->code.n; at += (size_t)lengths[q->code.at[at]]) {
        if (q->code.at[at] == Q_WOULD) continue;
        for (int i = 1; i < lengths[q->code.at[at]]; i++) {
            int32_t *w = &q->code.at[at + (size_t)i];
            if (*w >= CONSTANTS) *w = first + (*w - CONSTANTS);
        }
    }
}

void quicken(Program *program, const int *depths, Arena *arena) {
    const Program *p = program;
    size_t n = (size_t)p->ncode;
    Quickener q = {.p = p, .arena = arena, .depths = depths, .result = -1};
    q.leads = arena_array(arena, n + 1, sizeof *q.leads);
    q.place = arena_array(arena, n + 1, sizeof *q.place);
    memset(q.leads, 0, (n + 1) * sizeof *q.leads);
    for (size_t i = 0; i <= n; i++) q.place[i] = -1;
    find_leaders(&q);
    translate_all(&q);
    for (size_t i = 0; i < q.fixups.n; i++)
        q.code.at[q.fixups.at[i].word] = q.place[q.fixups.at[i].target];
    number_constants(&q);
    struct Quick *quick = arena_alloc(arena, sizeof *quick);
    *quick = (struct Quick){
        .code = q.code.at,
        .base = q.base.at,
        .place = q.place,
        .constants = q.constants.at,
        .ncode = (int)q.code.n,
        .slots = q.slots,
        .nconstants = (int)q.constants.n,
        .nwork = p->ncells + q.slots + (int)q.constants.n,
    };
    program->quick = quick;
}
