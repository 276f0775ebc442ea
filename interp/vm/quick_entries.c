// Writing the quick code, and what stands for the stack meanwhile.
#include "quickener.h"

// ---- writing -------------------------------------------------------------------------------------

void q_word(Quickener *q, int32_t w) {
    vec_push(q->arena, &q->code, w);
    vec_push(q->arena, &q->base, q->pc);
}

void q_put(Quickener *q, QuickOp op, int n, const int *operands) {
    q_word(q, (int32_t)op);
    for (int i = 0; i < n; i++) q_word(q, operands[i]);
    q->result = -1;
}

void q_target_word(Quickener *q, int target) {
    vec_push(q->arena, &q->fixups, ((Fixup){q->code.n, target}));
    q_word(q, 0);
}

int q_slot(Quickener *q, int i) {
    if (i >= q->slots) q->slots = i + 1;
    return q->p->ncells + i;
}

// Constants are numbered after the slots, whose number is known at the end: until then from CONSTANTS on, above
// everything else that stands in the code.
int q_constant(Quickener *q, Cell value) {
    for (size_t i = 0; i < q->constants.n; i++)
        if (q->constants.at[i] == value) return CONSTANTS + (int)i;
    vec_push(q->arena, &q->constants, value);
    return CONSTANTS + (int)q->constants.n - 1;
}

const Cell *q_constant_at(const Quickener *q, int cell) {
    return cell >= CONSTANTS ? &q->constants.at[cell - CONSTANTS] : NULL;
}

void q_put_family(Quickener *q, int number, int d, int v) {
    const Family *f = &q->p->families[number];
    PUT(FAMILY1, d, number, f->lows[0], f->sizes[0], f->missing, v);
}

// ---- entries -------------------------------------------------------------------------------------

// The truth of a condition as a value.
void q_put_truth(Quickener *q, const Entry *e, int d) {
    switch (e->is) {
    case IS_TRUE: PUT(NE, d, e->a, q_constant(q, 0)); break;
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
        PUT(LT, d, q_constant(q, 0), d);
        break;
    case IS_SET:
    case IS_NSET:
        PUT(COUNT_SET, d, e->b, e->a);
        PUT(LT, d, q_constant(q, 0), d);
        break;
    case IS_IN:
    case IS_NIN: PUT(IN, d, e->a, e->b); break;
    case IS_VALUE: PUT(COPY, d, e->a); break;
    }
    if (e->is == IS_NOCC || e->is == IS_NEMPTY || e->is == IS_NKIND || e->is == IS_NSET ||
        e->is == IS_NIN)
        PUT(NOT, d, d);
}

// Slot i is about to be written: a condition below it may still have what it compares there.
static void vacate(Quickener *q, int i) {
    int slot = q_slot(q, i);
    for (int k = 0; k < i && k < q->depth; k++) {
        const Entry *e = &q->stack[k];
        if (e->is != IS_VALUE && (e->a == slot || e->b == slot)) q_settle(q, k);
    }
}

void q_settle(Quickener *q, int i) {
    Entry *e = &q->stack[i];
    int own = q_slot(q, i);
    if (e->is == IS_VALUE && e->a == own) return;
    vacate(q, i);
    q_put_truth(q, e, own);
    *e = (Entry){IS_VALUE, own, 0};
}

void q_settle_all(Quickener *q) {
    for (int i = 0; i < q->depth; i++) q_settle(q, i);
}

// Cells lo .. lo+n-1 are about to be written.
void q_spill(Quickener *q, int lo, int n) {
    for (int i = 0; i < q->depth; i++) {
        const Entry *e = &q->stack[i];
        if ((e->a >= lo && e->a < lo + n) || (e->is != IS_VALUE && e->b >= lo && e->b < lo + n))
            q_settle(q, i);
    }
}

// Pieces are about to be moved: whoever has asked about them is answered first.
void q_spill_pieces(Quickener *q) {
    for (int i = 0; i < q->depth; i++)
        if (q->stack[i].is >= IS_OCC && q->stack[i].is <= IS_NSET) q_settle(q, i);
    q_spill(q, 0, q->p->nsites * q->p->npieces);
}

void q_push(Quickener *q, Condition is, int a, int b) { q->stack[q->depth++] = (Entry){is, a, b}; }

Entry q_pop(Quickener *q) { return q->stack[--q->depth]; }

// The cell of the topmost value, taken off.
int q_pop_cell(Quickener *q) {
    const Entry *e = &q->stack[q->depth - 1];
    if (e->is != IS_VALUE) q_settle(q, q->depth - 1);
    return q_pop(q).a;
}

// A result goes into the slot at the top; its word is the first after the opcode.
static void result(Quickener *q, size_t start, bool fits) {
    q->result = (long)start + 1;
    q->fits = fits;
    q_push(q, IS_VALUE, q_slot(q, q->depth), 0);
}

// `op` with a result of the `n` topmost values, and `k` plain operands before them.
void q_compute(Quickener *q, QuickOp op, int k, const int *plain, int n, bool fits) {
    int operands[8], cells[3];
    for (int i = n; i-- > 0;) cells[i] = q_pop_cell(q);
    vacate(q, q->depth);
    int m = 0;
    operands[m++] = q_slot(q, q->depth);
    for (int i = 0; i < k; i++) operands[m++] = plain[i];
    for (int i = 0; i < n; i++) operands[m++] = cells[i];
    size_t start = q->code.n;
    q_put(q, op, m, operands);
    result(q, start, fits);
}

void q_act(Quickener *q, QuickOp op, int k, const int *plain, int n) {
    int operands[8], cells[4];
    for (int i = n; i-- > 0;) cells[i] = q_pop_cell(q);
    int m = 0;
    for (int i = 0; i < k; i++) operands[m++] = plain[i];
    for (int i = 0; i < n; i++) operands[m++] = cells[i];
    q_put(q, op, m, operands);
}

// The last instruction's opcode, if it gave the value on top and nothing has happened since; -1 otherwise.
int32_t *q_last_result(Quickener *q) {
    if (q->result < 0 || q->depth == 0) return NULL;
    const Entry *e = &q->stack[q->depth - 1];
    if (e->is != IS_VALUE || e->a != q->code.at[q->result]) return NULL;
    return &q->code.at[q->result - 1];
}

void q_take_back(Quickener *q) {
    q->code.n = q->base.n = (size_t)q->result - 1;
    q->result = -1;
}
