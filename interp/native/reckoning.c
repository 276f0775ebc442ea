// Arithmetic, and what comparing tells.
#include "translate.h"
#include "translator.h"

// ---- numbers -------------------------------------------------------------------------------------

static int64_t work_out(Opcode op, int64_t a, int64_t b) {
    return op == OP_ADD ? a + b : op == OP_SUB ? a - b : a * b;
}

// The bounds of a sum, difference or product, before it is known to fit a number.
static void bounds(Opcode op, Range a, Range b, int64_t *low, int64_t *high) {
    int64_t ends[4] = {work_out(op, a.low, b.low), work_out(op, a.low, b.high),
                       work_out(op, a.high, b.low), work_out(op, a.high, b.high)};
    *low = *high = ends[0];
    for (int i = 1; i < 4; i++) {
        if (ends[i] < *low) *low = ends[i];
        if (ends[i] > *high) *high = ends[i];
    }
}

static void arithmetic(Translator *t, Opcode op) {
    int64_t low, high;
    Value b = pop_value(t), a = pop_value(t);
    bounds(op, a.range, b.range, &low, &high);
    if (low >= INT32_MIN && high <= INT32_MAX) {
        const char *sign = op == OP_ADD ? "+" : op == OP_SUB ? "-" : "*";
        if (range_single(b.range) && b.range.low < 0 && op != OP_MUL)
            push_value(t, phrase(t, "(%s %s %d)", a.text, op == OP_ADD ? "-" : "+", -b.range.low),
                       range_of((int32_t)low, (int32_t)high));
        else
            push_value(t, phrase(t, "(%s %s %s)", a.text, sign, b.text),
                       range_of((int32_t)low, (int32_t)high));
        return;
    }
    settle(t);
    const char *name = op == OP_ADD ? "add" : op == OP_SUB ? "sub" : "mul";
    const char *slot = slot_of(t, t->depth);
    fault_if(t, phrase(t, "%s_numbers(%s, %s, &%s)", name, a.text, b.text, slot), R_TOO_BIG);
    push_value(t, slot,
               range_of(low < INT32_MIN ? INT32_MIN : (int32_t)low,
                        high > INT32_MAX ? INT32_MAX : (int32_t)high));
}

static void division(Translator *t, bool modulo) {
    settle_all(t);
    Value b = pop_value(t), a = pop_value(t);
    bool by = b.range.low > 0; // an ordinary divisor
    if (!by) {
        fault_if(t, phrase(t, "%s == 0", b.text), R_DIVIDE);
        if (!modulo)
            fault_if(t, phrase(t, "%s == -1 && %s == INT32_MIN", b.text, a.text), R_TOO_BIG);
    }
    Range r = any_number;
    if (by && modulo) r = range_of(0, b.range.high - 1);
    if (by && !modulo && a.range.low >= 0) r = range_of(0, a.range.high);
    if (by && a.range.low >= 0) // both ways of rounding are one
        push_value(t, phrase(t, "(%s %s %s)", a.text, modulo ? "%" : "/", b.text), r);
    else
        push_value(t, phrase(t, "%s(%s, %s)", modulo ? "modulo" : "divide", a.text, b.text), r);
}

Opcode mirrored(Opcode op) {
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_GT: return OP_LT;
    case OP_LE: return OP_GE;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

// 0 or 1 if the bounds tell, else -1.
static int told(Opcode op, Range a, Range b) {
    bool apart = a.high < b.low || b.high < a.low;
    bool equal = range_single(a) && range_single(b) && a.low == b.low;
    switch (op) {
    case OP_EQ: return apart ? 0 : equal ? 1 : -1;
    case OP_NE: return apart ? 1 : equal ? 0 : -1;
    case OP_LT: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case OP_LE: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case OP_GT: return a.low > b.high ? 1 : a.high <= b.low ? 0 : -1;
    default: return a.low >= b.high ? 1 : a.high < b.low ? 0 : -1;
    }
}

static void comparison(Translator *t, Opcode op) {
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
    Value b = pop_value(t), a = pop_value(t);
    int known = told(op, a.range, b.range);
    if (known >= 0) {
        push_number(t, known);
        return;
    }
    bool none = range_single(b.range) && b.range.low == 0 && (op == OP_EQ || op == OP_LE);
    bool some = range_single(b.range) && b.range.low == 0 && (op == OP_NE || op == OP_GT);
    if (a.some && (none || some))
        push_value(t, phrase(t, "(%s %s 0)", a.some, none ? "==" : "!="), a_truth);
    else
        push_value(t, phrase(t, "(%s %s %s)", a.text, signs[op - OP_EQ], b.text), a_truth);
    Value *v = top_value(t, 0);
    if (a.copy >= 0 && range_single(b.range) && range_within(b.range, CELL_MIN, CELL_MAX)) {
        v->compared = a.copy;
        v->op = op;
        v->with = b.range.low;
    } else if (b.copy >= 0 && range_single(a.range) && range_within(a.range, CELL_MIN, CELL_MAX)) {
        v->compared = b.copy;
        v->op = mirrored(op);
        v->with = a.range.low;
    }
}

static void negation(Translator *t) {
    Value v = pop_value(t);
    int known = told(OP_EQ, v.range, range_of(0, 0));
    if (known >= 0)
        push_number(t, known);
    else
        push_value(t, phrase(t, "(!%s)", v.text), a_truth);
    if (v.compared < 0 || known >= 0) return;
    static const Opcode opposites[] = {OP_NE, OP_EQ, OP_GE, OP_GT, OP_LE, OP_LT};
    Value *not = top_value(t, 0);
    not ->compared = v.compared;
    not ->op = opposites[v.op - OP_EQ];
    not ->with = v.with;
}

static void sign(Translator *t, bool absolute) {
    settle_all(t);
    Value a = pop_value(t);
    if (a.range.low == INT32_MIN)
        fault_if(t, phrase(t, "%s == INT32_MIN", a.text), R_TOO_BIG), a.range.low++;
    Range r = range_of(-a.range.high, -a.range.low);
    if (!absolute) {
        push_value(t, phrase(t, "(-%s)", a.text), r);
        return;
    }
    int32_t most = r.high > a.range.high ? r.high : a.range.high;
    push_value(t, phrase(t, "(%s < 0 ? -%s : %s)", a.text, a.text, a.text), range_of(0, most));
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

void reckoning(Translator *t, const int32_t *w) {
    Opcode op = (Opcode)w[0];
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: arithmetic(t, op); return;
    case OP_DIV: division(t, false); return;
    case OP_MOD: division(t, true); return;
    case OP_NEG: sign(t, false); return;
    case OP_ABS: sign(t, true); return;
    case OP_MIN: {
        Value b = pop_value(t), a = pop_value(t);
        push_value(t, phrase(t, "min_of(%s, %s)", a.text, b.text),
                   range_of(least(a.range.low, b.range.low), least(a.range.high, b.range.high)));
        return;
    }
    case OP_MAX: {
        Value b = pop_value(t), a = pop_value(t);
        push_value(t, phrase(t, "max_of(%s, %s)", a.text, b.text),
                   range_of(most(a.range.low, b.range.low), most(a.range.high, b.range.high)));
        return;
    }
    case OP_NOT: negation(t); return;
    default: comparison(t, op); return;
    }
}
