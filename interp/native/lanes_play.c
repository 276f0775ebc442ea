// What only play knows, for all elements of a list at once: a cell that stays the same while the loop runs, and the
// sites so many steps ahead of the elements, if these are a track's sites in order: bits of the one are bits of the
// other, moved so many places.
#include "lanes.h"

#include <inttypes.h>
#include <string.h>

enum { STEPS_MAX = 32 };

// ---- cells ---------------------------------------------------------------------------------------

bool stays_the_same(const Survey *s, int cell) {
    if (s->t->scalar_of[cell] < 0) return false;
    const Mask *m = s->mask;
    for (int pc = m->head; pc <= m->back; pc = next_pc(s->t, pc))
        if (may_write(s->t, pc, cell)) return false;
    return true;
}

bool stored_are_done_with(const Survey *s, int pc) {
    const int exit = s->t->p->code[s->mask->head + 4];
    for (int i = 0; i < s->nstored; i++)
        if (may_be_read(s->t, pc, s->stored[i].cell) || may_be_read(s->t, exit, s->stored[i].cell))
            return false;
    return true;
}

void load_the_same(Survey *s, int cell) {
    s->fine &= stays_the_same(s, cell);
    if (s->fine)
        push_lanes(s, (Lanes){.kind = LANES_CELL,
                              .text = cell_text(s->t, cell),
                              .range = cell_range(s->t, cell)});
}

bool add_to_cell(Survey *s, const int32_t *w) {
    const Lanes *b = lanes_top(s, 0), *a = lanes_top(s, 1);
    if (!a || a->kind != LANES_CELL || b->kind != LANES_SAME) return false;
    int64_t by = w[0] == OP_ADD ? b->same : -(int64_t)b->same;
    s->fine &= range_within(a->range, CELL_MIN, CELL_MAX) && by >= CELL_MIN && by <= CELL_MAX;
    if (!s->fine) return true;
    Lanes sum = {.kind = LANES_CELL,
                 .text = phrase(s->t, "(%s + %d)", a->text, (int)by),
                 .range = range_of(a->range.low + (int)by, a->range.high + (int)by)};
    pop_lanes(s);
    pop_lanes(s);
    push_lanes(s, sum);
    return true;
}

Bits truth_of_cell(Survey *s, const Lanes *v) {
    if (s->asked) return cell_by_table(s, v);
    return named(s, (Bits){.text = phrase(s->t, "(-(uint64_t)(%s != 0) & UINT64_C(0x%" PRIx64 "))",
                                          v->text, all_bits(s->list->n))});
}

// ---- so many steps ahead -------------------------------------------------------------------------

static bool same_sites(const List *a, const int16_t *sites, int n) {
    return a->n == n && memcmp(a->at, sites, (size_t)n * sizeof *sites) == 0;
}

bool look_ahead(Survey *s) {
    const Program *p = s->t->p;
    const Lanes *n = lanes_top(s, 0), *track = lanes_top(s, 1), *site = lanes_top(s, 2);
    if (!site || n->kind != LANES_CELL) return false;
    s->fine &= !s->asked;
    s->fine &= track->kind == LANES_SAME && site->kind == LANES_KNOWN &&
               range_within(n->range, -STEPS_MAX, STEPS_MAX) && track->same >= 0 &&
               track->same < p->ntracks && !p->tracks[track->same].loop &&
               same_sites(&p->lists[p->tracks[track->same].list], site->each, s->list->n);
    if (!s->fine) return true;
    Lanes there = {.kind = LANES_AHEAD, .each = site->each, .text = n->text, .range = n->range};
    for (int i = 0; i < 3; i++) pop_lanes(s);
    push_lanes(s, there);
    return true;
}

// The bits of sites as bits of the elements that come to them.
Bits bits_ahead(Survey *s, Bits of_sites, const Lanes *v) {
    if (!v->text || (!of_sites.text && of_sites.known == 0)) return of_sites;
    const char *bits = bits_text(s->t, of_sites);
    if (v->range.low >= 0) return (Bits){.text = phrase(s->t, "(%s >> %s)", bits, v->text)};
    return (Bits){.text = phrase(s->t, "(%s < 0 ? %s << -%s & UINT64_C(0x%" PRIx64 ") : %s >> %s)",
                                 v->text, bits, v->text, all_bits(s->list->n), bits, v->text)};
}

// ---- comparing -----------------------------------------------------------------------------------

static const char *sign_of(Opcode op) {
    switch (op) {
    case OP_EQ: return "==";
    case OP_NE: return "!=";
    case OP_LT: return "<";
    case OP_LE: return "<=";
    case OP_GT: return ">";
    default: return ">=";
    }
}

// The element whose site the cell holds.
static Bits at_cell(Survey *s, const Lanes *sites, const Lanes *cell) {
    const Program *p = s->t->p;
    for (int k = 0; k < p->ntracks && !s->asked; k++) {
        if (!same_sites(&p->lists[p->tracks[k].list], sites->each, s->list->n)) continue;
        if (!range_within(cell->range, UNSET, p->nsites - 1)) break;
        return (Bits){.text = phrase(s->t,
                                     "(%s >= 0 && place_%d[%s] >= 0 ? UINT64_C(1) << place_%d[%s] "
                                     ": 0)",
                                     cell->text, k, cell->text, k, cell->text)};
    }
    s->fine = false;
    return known_bits(0);
}

bool compare_in_play(Survey *s, Opcode op, const Lanes *a, const Lanes *b) {
    bool equality = op == OP_EQ || op == OP_NE;
    Bits equal;
    if (a->kind == LANES_CELL && b->kind == LANES_SAME) {
        push_lanes(s, (Lanes){.kind = LANES_CELL,
                              .text = phrase(s->t, "(%s %s %d)", a->text, sign_of(op), b->same),
                              .range = a_truth});
        return true;
    }
    if (!equality) return false;
    if (a->kind == LANES_AHEAD && b->kind == LANES_SAME) {
        uint64_t all = all_bits(s->list->n), site = 0;
        for (int i = 0; i < s->list->n; i++) site |= (uint64_t)(a->each[i] == b->same) << i;
        equal = b->same == UNSET ? others(s, bits_ahead(s, known_bits(all), a))
                                 : bits_ahead(s, known_bits(site), a);
    } else if (a->kind == LANES_KNOWN && b->kind == LANES_CELL) {
        equal = at_cell(s, a, b);
    } else {
        return false;
    }
    equal = named(s, equal);
    if (s->fine) push_lanes_bits(s, op == OP_EQ ? equal : others(s, equal));
    return true;
}
