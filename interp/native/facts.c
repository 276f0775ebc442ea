// What is known of the numbers at each label: between which bounds they are.
//
// Facts only ever get weaker: a label's are what holds however it is come by. After some times that a bound has
// moved it is given up in three steps, so that the passes come to an end.
#include "translator.h"

#include <string.h>

enum { PATIENCE = 12 };

const Range any_number = {INT32_MIN, INT32_MAX}, any_cell = {CELL_MIN, CELL_MAX}, a_truth = {0, 1},
            a_count = {0, CELL_MAX};

Range range_of(int32_t low, int32_t high) { return (Range){low, high}; }
Range range_join(Range a, Range b) {
    return (Range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
bool range_within(Range r, int32_t low, int32_t high) { return r.low >= low && r.high <= high; }
bool range_single(Range r) { return r.low == r.high; }

Range values_range(const int16_t *values, int n) {
    Range r = n > 0 ? (Range){values[0], values[0]} : (Range){UNSET, UNSET};
    for (int i = 1; i < n; i++) r = range_join(r, (Range){values[i], values[i]});
    return r;
}
Range list_range(const Translator *t, int list) {
    return values_range(t->p->lists[list].at, t->p->lists[list].n);
}

static Facts *facts_new(Translator *t, int pc) {
    Facts *f = arena_alloc(t->arena, sizeof *f);
    f->cells = arena_array(t->arena, (size_t)t->nscalars + 1, sizeof *f->cells);
    f->slots = arena_array(t->arena, (size_t)t->spots[pc].depth + 1, sizeof *f->slots);
    return f;
}

static Facts *in_table(Translator *t, int context, Facts **table, int pc) {
    Facts **f = &table[pc - t->contexts[context].head];
    if (!*f) *f = facts_new(t, pc);
    return *f;
}
Facts *label_at(Translator *t, int context, int pc) {
    return in_table(t, context, t->contexts[context].labels, pc);
}
Facts *outside_of(Translator *t, int context, int would) {
    return in_table(t, context, t->contexts[context].outside, would);
}

static void join(Translator *t, Range *known, const Range *more, int n, bool give_up, Range most) {
    for (int i = 0; i < n; i++) {
        Range r = range_join(known[i], more[i]);
        if (r.low == known[i].low && r.high == known[i].high) continue;
        if (give_up && r.low < known[i].low)
            r.low = r.low >= 0 ? 0 : r.low >= UNSET ? UNSET : most.low;
        if (give_up && r.high > known[i].high)
            r.high = r.high < t->p->nsites ? t->p->nsites - 1 : most.high;
        known[i] = r;
        t->changed = true;
    }
}

void row_stored(Translator *t, int cell, Range range) {
    Row *row = &t->rows[cell];
    if (!row->only_stored) return;
    if (!row->known) {
        row->range = range;
        row->known = t->changed = true;
        return;
    }
    bool before = t->changed;
    t->changed = false;
    join(t, &row->range, &range, 1, row->grown >= PATIENCE, any_cell);
    row->grown += t->changed;
    t->changed |= before;
}

Range row_range(const Translator *t, int base, int n) {
    Range all = range_of(0, 0);
    bool known = false;
    for (int i = base; i < base + n; i++) {
        const Row *row = &t->rows[i];
        if (!row->only_stored) return any_cell;
        if (row->known) all = known ? range_join(all, row->range) : row->range;
        known |= row->known;
    }
    return all;
}

void arrive_as(Translator *t, int context, int pc, const Range *cells, const Range *slots) {
    Facts *f = label_at(t, context, pc);
    int depth = t->spots[pc].depth;
    if (!f->known) {
        memcpy(f->cells, cells, (size_t)t->nscalars * sizeof *cells);
        if (depth > 0) memcpy(f->slots, slots, (size_t)depth * sizeof *slots);
        f->asked = t->asked;
        f->known = t->changed = true;
        return;
    }
    if (f->asked & ~t->asked) t->changed = true;
    f->asked &= t->asked;
    bool before = t->changed;
    t->changed = false;
    join(t, f->cells, cells, t->nscalars, f->grown >= PATIENCE, any_cell);
    join(t, f->slots, slots, depth, f->grown >= PATIENCE, any_number);
    f->grown += t->changed;
    t->changed |= before;
}

static void slots_now(const Translator *t, Range *slots) {
    for (int i = 0; i < t->depth; i++) slots[i] = t->stack[i].range;
}

void arrive(Translator *t, int pc) {
    Range slots[STACK_SIZE + 1];
    slots_now(t, slots);
    int context = lands(t, t->context, &pc);
    arrive_as(t, context, pc, t->cells, slots);
}

// For the place where a look-ahead begins: the last pass tells what holds.
void facts_keep(Translator *t, Facts *f) {
    memcpy(f->cells, t->cells, (size_t)t->nscalars * sizeof *f->cells);
    slots_now(t, f->slots);
    f->asked = t->asked;
    f->known = true;
}

static Opcode opposite(Opcode op) {
    switch (op) {
    case OP_EQ: return OP_NE;
    case OP_NE: return OP_EQ;
    case OP_LT: return OP_GE;
    case OP_GE: return OP_LT;
    case OP_GT: return OP_LE;
    default: return OP_GT;
    }
}

bool refine(const Translator *t, const Value *v, bool truth, Range *range) {
    Range r = t->cells[v->compared];
    int32_t k = v->with;
    switch (truth ? v->op : opposite(v->op)) {
    case OP_EQ:
        if (k < r.low || k > r.high) return false;
        r = range_of(k, k);
        break;
    case OP_NE:
        if (r.low == k && r.high == k) return false;
        if (r.low == k) r.low++;
        if (r.high == k) r.high--;
        break;
    case OP_LT:
        if (r.high >= k) r.high = k - 1;
        break;
    case OP_LE:
        if (r.high > k) r.high = k;
        break;
    case OP_GT:
        if (r.low <= k) r.low = k + 1;
        break;
    default:
        if (r.low < k) r.low = k;
        break;
    }
    *range = r;
    return r.low <= r.high;
}
