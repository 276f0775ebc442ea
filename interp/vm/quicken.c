// The translation, in one pass over each stretch of base code that no jump leads into.
//
// What would lie on the stack is kept here as entries: a value that lies in some working cell, or a
// condition nobody has asked for yet. An instruction that takes a value takes the entry's cell; a
// jump that takes a condition becomes that comparison's jump. Entries are put into their slots where the
// stretch ends, and before something writes to a cell that they stand for.
#include "quickener.h"

#include "bits.h"
#include "fours.h"

#include <string.h>

static bool is_constant(const Quickener *q, int cell, Cell value) {
    const Cell *at = q_constant_at(q, cell);
    return at && *at == value;
}

// ---- values --------------------------------------------------------------------------------------

// How many there are is compared with none: that is another question.
static bool compare_count(Quickener *q, Condition is) {
    if (is != IS_GT && is != IS_EQ && is != IS_NE) return false;
    if (q->depth < 2) return false;
    const Entry *top = &q->stack[q->depth - 1];
    if (top->is != IS_VALUE || !is_constant(q, top->a, 0)) return false;
    q->depth--;
    int32_t *op = q_last_result(q);
    if (!op || (*op != Q_COUNT && *op != Q_COUNT_KIND && *op != Q_COUNT_SET)) {
        q->depth++;
        return false;
    }
    Condition there = *op == Q_COUNT_KIND ? IS_KIND : *op == Q_COUNT_SET ? IS_SET : IS_OCC;
    int s = there == IS_SET ? op[3] : op[2];
    int of = there == IS_SET ? op[2] : there == IS_KIND ? op[3] : 0;
    q_pop(q);
    q_take_back(q);
    q_push(q, is == IS_EQ ? contrary(there) : there, s, of);
    return true;
}

static void compare(Quickener *q, Condition is) {
    if (compare_count(q, is)) return;
    int b = q_pop_cell(q), a = q_pop_cell(q);
    q_push(q, is, a, b);
}

static void negate(Quickener *q) {
    Entry *e = &q->stack[q->depth - 1];
    e->is = e->is == IS_VALUE ? IS_FALSE : contrary(e->is);
}

// STORE of what has just been worked out goes there at once.
static void store(Quickener *q, int cell) {
    int32_t *op = q_last_result(q);
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
    Entry e = q_pop(q);
    q_spill(q, cell, 1);
    if (e.is != IS_VALUE) {
        q_put_truth(q, &e, cell);
        return;
    }
    // What lies in a cell of the position, or came from one, fits.
    const Cell *known = q_constant_at(q, e.a);
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
        q_compute(q, Q_LOADRUN, 3, (int[]){list->at[0], list->n, w[2]}, 1, true);
    else
        q_compute(q, Q_LOADX, 2, (int[]){w[1], w[2]}, 1, true);
}

static void store_indexed(Quickener *q, const int32_t *w) {
    const List *list = &q->p->lists[w[1]];
    int i = q_pop_cell(q), v = q_pop_cell(q);
    q_spill(q, w[2], list->n);
    if (is_run(list))
        PUT(STORERUN, list->at[0], list->n, w[2], v, i);
    else
        PUT(STOREX, w[1], w[2], v, i);
}

// ---- jumps ---------------------------------------------------------------------------------------

// A jump back pays for what it goes through again; a loop pays at its own head.
static void tick(Quickener *q, int target) {
    if (target > q->pc || base_iterates(q->p->code[target])) return;
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
    q_target_word(q, target);
}

static void branch(Quickener *q, bool truth, int target) {
    Entry e = q_pop(q);
    if (e.is == IS_VALUE) e.is = IS_TRUE;
    if (!truth) e.is = contrary(e.is);
    q_settle_all(q);
    jump_if(q, &e, target);
}

// JZK, JNZK: the value is kept where the jump leads, unless somebody there only asks for its truth.
static void branch_keeping(Quickener *q, bool truth, int target) {
    if (base_follow_truth(q->p, truth, &target)) {
        branch(q, truth, target);
        return;
    }
    q_settle_all(q);
    Entry e = q_pop(q);
    e.is = truth ? IS_TRUE : IS_FALSE;
    jump_if(q, &e, target);
}

// The cell of what a filter asks for beside its element.
static int put_what(Quickener *q, const Filter *f) {
    if (f->what < 0) return 0;
    const int32_t *w = q->p->code + f->what;
    int cell = w[0] == OP_PUSH ? q_constant(q, w[1]) : w[1];
    if (f->family < 0) return cell;
    int own = q_slot(q, q->depth);
    q_put_family(q, f->family, own, cell);
    return own;
}

// The head of a loop at `pc` of the base code, from wherever a round ends. Gives the pc at which a round begins.
static int iterate(Quickener *q, int pc) {
    const int32_t *w = q->p->code + pc;
    int n = base_operands(w[0]), exit = base_follow(q->p, w[n]), next = base_after(q->p, pc);
    Filter f;
    bool filtered = find_filter(q, pc, &f);
    q_settle_all(q);
    int what = filtered ? put_what(q, &f) : 0;
    if (filtered) next = f.next;
    switch ((Opcode)w[0]) {
    case OP_ITER_LIST: q_put(q, filtered ? f.op : Q_ITER_LIST, 3, (int[]){w[1], w[2], w[3]}); break;
    case OP_ITER_RANGE: PUT(ITER_RANGE, w[1], w[2], w[3]); break;
    default: PUT(ITER_CELLS, w[1], w[2], w[3], w[4]); break;
    }
    q_target_word(q, next);
    q_target_word(q, exit);
    q_word(q, w[n] > pc ? w[n] - pc : pc - w[n] + 1);
    if (filtered && (f.op == Q_EACH_MORE || f.op == Q_EACH_KIND)) q_word(q, what);
    return next;
}

static void jump(Quickener *q, int target) {
    if (base_iterates(q->p->code[target])) {
        int at = q->pc;
        q->pc = target; // a fault there is the loop's
        (void)iterate(q, target);
        q->pc = at;
        return;
    }
    q_settle_all(q);
    if (target > q->pc) {
        q_put(q, Q_JMP, 0, NULL);
        q_target_word(q, target);
    } else {
        q_put(q, Q_JMPB, 0, NULL);
        q_target_word(q, target);
        q_word(q, q->pc - target + 1);
    }
}

// ---- one instruction -----------------------------------------------------------------------------

static void translate_value(Quickener *q, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUSH: q_push(q, IS_VALUE, q_constant(q, w[1]), 0); break;
    case OP_POP: q_pop_cell(q); break; // worked out all the same: it may fail
    case OP_LOAD: q_push(q, IS_VALUE, w[1], 0); break;
    case OP_STORE: store(q, w[1]); break;
    case OP_LOADX: load_indexed(q, w); break;
    case OP_STOREX: store_indexed(q, w); break;
    case OP_ADD: q_compute(q, Q_ADD, 0, NULL, 2, false); break;
    case OP_SUB: q_compute(q, Q_SUB, 0, NULL, 2, false); break;
    case OP_MUL: q_compute(q, Q_MUL, 0, NULL, 2, false); break;
    case OP_DIV: q_compute(q, Q_DIV, 0, NULL, 2, false); break;
    case OP_MOD: q_compute(q, Q_MOD, 0, NULL, 2, false); break;
    case OP_NEG: q_compute(q, Q_NEG, 0, NULL, 1, false); break;
    case OP_ABS: q_compute(q, Q_ABS, 0, NULL, 1, false); break;
    case OP_MIN: q_compute(q, Q_MIN, 0, NULL, 2, false); break;
    case OP_MAX: q_compute(q, Q_MAX, 0, NULL, 2, false); break;
    case OP_EQ: compare(q, IS_EQ); break;
    case OP_NE: compare(q, IS_NE); break;
    case OP_LT: compare(q, IS_LT); break;
    case OP_LE: compare(q, IS_LE); break;
    case OP_GT: compare(q, IS_GT); break;
    case OP_GE: compare(q, IS_GE); break;
    case OP_NOT: negate(q); break;
    case OP_COUNT: q_compute(q, Q_COUNT, 0, NULL, 1, q->p->npieces == 1); break;
    case OP_COUNT_KIND: q_compute(q, Q_COUNT_KIND, 0, NULL, 2, true); break;
    case OP_COUNT_SET: q_compute(q, Q_COUNT_SET, 1, w + 1, 1, false); break;
    case OP_OCCUPIED: q_push(q, IS_OCC, q_pop_cell(q), 0); break;
    case OP_EMPTY: q_push(q, IS_EMPTY, q_pop_cell(q), 0); break;
    case OP_EMPTY_KIND: q_compute(q, Q_EMPTY_KIND, 0, NULL, 2, true); break;
    case OP_EMPTY_SET: q_compute(q, Q_EMPTY_SET, 1, w + 1, 1, true); break;
    case OP_LCOUNT: q_compute(q, Q_LCOUNT, 0, NULL, 1, false); break;
    case OP_LCOUNT_KIND: q_compute(q, Q_LCOUNT_KIND, 0, NULL, 2, false); break;
    case OP_LCOUNT_SET: q_compute(q, Q_LCOUNT_SET, 1, w + 1, 1, false); break;
    case OP_PIECE_ON: q_compute(q, Q_PIECE_ON, 1, w + 1, 1, true); break;
    case OP_MAP: q_compute(q, Q_MAP, 1, w + 1, 1, true); break;
    case OP_FAMILY: {
        const Family *f = &q->p->families[w[1]];
        if (f->dims == 1)
            q_compute(q, Q_FAMILY1, 4, (int[]){w[1], f->lows[0], f->sizes[0], f->missing}, 1, true);
        else
            q_compute(q, f->dims == 2 ? Q_FAMILY2 : Q_FAMILY3, 1, w + 1, f->dims, true);
        break;
    }
    case OP_NEXT: q_compute(q, Q_NEXT, 0, NULL, 2, true); break;
    case OP_AHEAD: q_compute(q, Q_AHEAD, 0, NULL, 3, true); break;
    case OP_NTH: q_compute(q, Q_NTH, 0, NULL, 2, true); break;
    case OP_INDEX: q_compute(q, Q_INDEX, 0, NULL, 2, true); break;
    case OP_SIZE: q_compute(q, Q_SIZE, 0, NULL, 1, true); break;
    case OP_IN: {
        int list = q_pop_cell(q);
        q_push(q, IS_IN, q_pop_cell(q), list);
        break;
    }
    case OP_NEXT_PLAYER: q_compute(q, Q_NEXT_PLAYER, 0, NULL, 1, true); break;
    case OP_PLAYING: q_compute(q, Q_PLAYING, 0, NULL, 1, true); break;
    case OP_SEEN: q_compute(q, Q_SEEN, 0, NULL, 0, false); break;
    default: break;
    }
}

static void translate_move(Quickener *q, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUT: q_act(q, Q_PUT, 0, NULL, 3); break;
    case OP_REMOVE: q_act(q, Q_REMOVE, 0, NULL, 3); break;
    case OP_REMOVE_ALL: q_act(q, Q_REMOVE_ALL, 0, NULL, 1); break;
    case OP_REMOVE_SET: q_act(q, Q_REMOVE_SET, 1, w + 1, 1); break;
    case OP_REMOVE_KIND: q_act(q, Q_REMOVE_KIND, 0, NULL, 2); break;
    case OP_MOVE: q_act(q, Q_MOVE, 0, NULL, 4); break;
    case OP_MOVE_ALL: q_act(q, Q_MOVE_ALL, 0, NULL, 2); break;
    case OP_MOVE_SET: q_act(q, Q_MOVE_SET, 1, w + 1, 2); break;
    case OP_MOVE_KIND: q_act(q, Q_MOVE_KIND, 0, NULL, 3); break;
    case OP_SOW: q_compute(q, Q_SOW, 1, w + 1, 2, true); break;
    default: break;
    }
}

static void translate_rest(Quickener *q, const int32_t *w) {
    const Program *p = q->p;
    switch ((Opcode)w[0]) {
    case OP_FILL: {
        int v = q_pop_cell(q);
        q_spill(q, w[1], w[2]);
        PUT(FILL, w[1], w[2], v);
        break;
    }
    case OP_ZERO:
        q_spill(q, w[1], w[2]);
        if (w[2] == 1)
            PUT(COPY, w[1], q_constant(q, 0));
        else
            PUT(ZERO, w[1], w[2]);
        break;
    case OP_JMP: jump(q, base_follow(p, w[1])); break;
    case OP_JZ:
    case OP_JNZ: branch(q, w[0] == OP_JNZ, base_follow(p, w[1])); break;
    case OP_JZK:
    case OP_JNZK: branch_keeping(q, w[0] == OP_JNZK, w[1]); break;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS: q->next = iterate(q, q->pc); break;
    case OP_RAISE: PUT(RAISE, w[1]); break;
    case OP_CHOOSE: PUT(CHOOSE, w[1]); break;
    case OP_CAND: PUT(CAND, w[1]); break;
    case OP_LOT: q_act(q, Q_LOT, 1, w + 1, 1); break;
    case OP_DECIDE:
        q_settle_all(q);
        PUT(DECIDE, w[1]);
        break;
    case OP_THROW: PUT(THROW, w[1], -1); break;
    case OP_RETIRE: q_act(q, Q_RETIRE, 0, NULL, 1); break;
    case OP_SET_MOVER: PUT(SET_MOVER, q_pop_cell(q), 0, 0, 0, 0); break;
    case OP_WIN: q_act(q, Q_WIN, 0, NULL, 1); break;
    case OP_WIN_LIST: q_act(q, Q_WIN_LIST, 0, NULL, 1); break;
    case OP_LOSE: q_act(q, Q_LOSE, 0, NULL, 1); break;
    case OP_DRAW: q_put(q, Q_DRAW, 0, NULL); break;
    case OP_SCORE: q_act(q, Q_SCORE, 0, NULL, 2); break;
    case OP_BY_SCORE: PUT(BY_SCORE, w[1]); break;
    case OP_END: q_put(q, Q_END, 0, NULL); break;
    case OP_WOULD:
        q_settle_all(q);
        PUT(WOULD, w[1], w[2], w[3], w[4], q_slot(q, q->depth));
        break;
    case OP_VALUE: q_act(q, Q_VALUE, 0, NULL, 1); break;
    case OP_REMEMBER: q_put(q, Q_REMEMBER, 0, NULL); break;
    case OP_COVER: PUT(COVER, w[1]); break;
    default: break;
    }
}

static bool moves(Opcode op) { return (op >= OP_PUT && op <= OP_SOW); }

static void translate(Quickener *q, const int32_t *w) {
    const Program *p = q->p;
    Opcode op = (Opcode)w[0];
    if (moves(op)) q_spill_pieces(q);
    if (op == OP_RETIRE || op == OP_SET_MOVER || op == OP_REMEMBER)
        q_spill(q, p->system, SYSTEM_CELLS);
    if (op == OP_SCORE) q_spill(q, p->scores, p->nplayers + 1);
    translate_value(q, w);
    translate_move(q, w);
    translate_rest(q, w);
}

// A new stretch: whatever came before, the values are in their slots.
static void lead(Quickener *q, int depth) {
    q_settle_all(q);
    q->depth = depth;
    for (int i = 0; i < depth; i++) q->stack[i] = (Entry){IS_VALUE, q_slot(q, i), 0};
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
        q->next = base_after(p, pc);
        if (q->depths[pc] < 0) continue;
        if (!open) q->depth = 0; // nothing to be settled
        if (q->leads[pc] || !open) lead(q, q->depths[pc]);
        translate(q, p->code + pc);
        open = goes_on((Opcode)p->code[pc]);
    }
}

// ---- the end -------------------------------------------------------------------------------------

// Most lists of sites are such: what lies on them lies side by side.
static const int16_t *find_runs(Quickener *q) {
    const Program *p = q->p;
    int16_t *runs = arena_array(q->arena, (size_t)p->nlists + 1, sizeof *runs);
    for (int i = 0; i < p->nlists; i++) {
        const List *list = &p->lists[i];
        bool sites = is_run(list) && list->at[0] >= 0 && list->at[0] + list->n <= p->nsites;
        runs[i] = sites ? list->at[0] : -1;
    }
    return runs;
}

static const int16_t *find_along(const Quickener *q) {
    const Program *p = q->p;
    if (!goes_along(p)) return NULL;
    size_t n = (size_t)p->ntracks * (size_t)p->nsites;
    int16_t *along = arena_array(q->arena, n, sizeof *along);
    for (size_t i = 0; i < n; i++) along[i] = -1;
    for (int t = 0; t < p->ntracks; t++) {
        const List *sites = &p->lists[p->tracks[t].list];
        for (int i = 0; i < sites->n; i++) along[t * p->nsites + sites->at[i]] = (int16_t)i;
    }
    return along;
}

static const uint32_t *sum_weights(const Quickener *q) {
    uint32_t *sums = arena_array(q->arena, (size_t)q->p->ndice + 1, sizeof *sums);
    for (int d = 0; d < q->p->ndice; d++) {
        sums[d] = 0;
        for (int i = 0; i < q->p->dice[d].noutcomes; i++) sums[d] += q->p->dice[d].weights[i];
    }
    return sums;
}

static const uint8_t *const *find_fallen(const Quickener *q, const uint32_t *weights) {
    enum { DRAWN_MOST = 256 };
    const Program *p = q->p;
    const uint8_t **fallen = arena_array(q->arena, (size_t)p->ndice + 1, sizeof *fallen);
    for (int d = 0; d < p->ndice; d++) {
        const bool few = weights[d] <= DRAWN_MOST && p->dice[d].noutcomes <= DRAWN_MOST;
        uint8_t *outcome = few ? arena_alloc(q->arena, DRAWN_MOST) : NULL;
        fallen[d] = outcome;
        for (int i = 0; outcome && i < p->dice[d].noutcomes; i++)
            for (uint32_t k = p->dice[d].weights[i]; k > 0; k--) *outcome++ = (uint8_t)i;
    }
    return fallen;
}

static const ByteOnes *find_bytes(const Quickener *q) {
    ByteOnes *bytes = arena_array(q->arena, BYTES, sizeof *bytes);
    bytes_fill(bytes);
    return bytes;
}

void quicken(Program *program, const int *depths, bool well, Arena *arena) {
    const Program *p = program;
    size_t n = (size_t)p->ncode;
    Quickener q = {.p = p, .arena = arena, .depths = depths, .result = -1};
    q.leads = arena_array(arena, n + 1, sizeof *q.leads);
    q.place = arena_array(arena, n + 1, sizeof *q.place);
    memset(q.leads, 0, (n + 1) * sizeof *q.leads);
    for (size_t i = 0; i <= n; i++) q.place[i] = -1;
    find_leaders(&q);
    translate_all(&q);
    struct Quick *quick = arena_alloc(arena, sizeof *quick);
    improve(&q, well, quick);
    const uint32_t *weights = sum_weights(&q);
    *quick = (struct Quick){
        .code = quick->code,
        .base = quick->base,
        .place = quick->place,
        .ncopies = quick->ncopies,
        .columns = quick->columns,
        .asked = quick->asked,
        .keeping = quick->keeping,
        .answers = quick->answers,
        .thrown = quick->thrown,
        .constants = q.constants.at,
        .runs = find_runs(&q),
        .along = find_along(&q),
        .weights = weights,
        .fallen = find_fallen(&q, weights),
        .bytes = find_bytes(&q),
        .ncode = quick->ncode,
        .slots = q.slots,
        .nconstants = (int)q.constants.n,
        .nwork = p->ncells + q.slots + (int)q.constants.n + BEHIND * p->npieces,
    };
    program->quick = quick;
}
