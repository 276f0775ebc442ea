// Loops over a known list that first ask the same of each element: all are asked at once, and those that pass are
// bits of a number. Only with these the rest of the loop is gone through; if there is nothing but a candidate, it is
// only counted.
//
// The tests are gone over once, for all elements (lanes.h). A jump does not divert those that take it: they are
// taken out of those who go on, and join them again where it leads. What was found of all that came one way is known there: in
// `(or (and A B) (and (not A) C))` the second A is not asked again.
#include "lanes.h"
#include "translate.h"
#include "translator.h"

#include <string.h>

enum {
    LANES_MIN = 7,   // fewer are asked sooner one by one
    LANES_MANY = 12, // from so many on it pays to leave the others out
    LANES_MAX = 64,
};

// ---- ways ----------------------------------------------------------------------------------------

static bool nobody(Bits b) { return !b.text && !b.each && b.known == 0; }
static bool everybody(const Survey *s, Bits b) {
    return !b.text && !b.each && b.known == all_bits(s->list->n);
}

static void wait_at(Survey *s, int pc, int kept, const Group *group) {
    if (nobody(group->bits)) return;
    if (s->asked) pc = round_again(s, pc);
    if (pc == s->mask->head) return; // it did not pass
    if (s->nwaiting == WAITING_MAX || pc < s->mask->head || pc > s->mask->back) {
        s->fine = false;
        return;
    }
    s->waiting[s->nwaiting++] = (Waiting){.pc = pc, .kept = kept, .group = *group};
}

void survey_wait(Survey *s, int pc, Bits bits) {
    Group group = group_of(bits);
    wait_at(s, pc, -1, &group);
}

Group group_of(Bits bits) { return (Group){.bits = bits, .ways = {{.bits = bits}}, .n = 1}; }

static void join(Survey *s, Group *a, const Group *b) {
    if (nobody(a->bits))
        *a = *b;
    else {
        a->bits = named(s, either(s, a->bits, b->bits));
        if (a->n + b->n > WAYS_MAX) { // too many to tell them apart
            a->ways[0] = (Way){.bits = a->bits};
            a->n = 1;
        } else {
            for (int i = 0; i < b->n; i++) a->ways[a->n++] = b->ways[i];
        }
    }
}

// Those who wait here go on with the others.
static void meet(Survey *s, int pc) {
    for (int i = 0; i < s->nwaiting;) {
        Waiting w = s->waiting[i];
        if (w.pc != pc) {
            i++;
            continue;
        }
        if (w.kept >= 0) {
            bool alone = nobody(s->going.bits);
            Bits on_top = known_bits(0);
            if (!alone) {
                Lanes v = pop_lanes(s);
                on_top = both(s, s->going.bits, truth_of(s, &v));
            }
            push_lanes_bits(s, w.kept ? either(s, on_top, w.group.bits) : on_top);
        }
        join(s, &s->going, &w.group);
        s->waiting[i] = s->waiting[--s->nwaiting];
    }
}

// A number for the truth, or -1.
static int truth_number(Survey *s, const char *text) {
    int i = 0;
    if (!text) return -1;
    while (i < s->ntruths && strcmp(s->truths[i], text) != 0) i++;
    if (i == TRUTHS_MAX) return -1;
    if (i == s->ntruths) s->truths[s->ntruths++] = text;
    return i;
}

// Those of the group for which `yes` is, or is not.
static Group part_of(Survey *s, const Group *g, Bits yes, bool is) {
    int number = truth_number(s, yes.not_of ? yes.not_of : yes.text);
    uint32_t bit = number < 0 ? 0 : UINT32_C(1) << number;
    bool plain = is != (yes.not_of != NULL), decided = false;
    Bits those = is ? yes : others(s, yes);
    Group part = {.bits = both(s, g->bits, those)};
    for (int i = 0; i < g->n; i++) {
        Way way = g->ways[i];
        bool known = (way.yes | way.no) & bit;
        decided |= known;
        if (known && (plain ? way.no : way.yes) & bit) continue;
        if (!known) way.bits = g->n == 1 ? part.bits : named(s, both(s, way.bits, those));
        way.yes |= plain ? bit : 0;
        way.no |= plain ? 0 : bit;
        if (!nobody(way.bits)) part.ways[part.n++] = way;
    }
    if (!decided) return part;
    part.bits = known_bits(0);
    for (int i = 0; i < part.n; i++) part.bits = either(s, part.bits, part.ways[i].bits);
    return part;
}

static void turn_off(Survey *s, const int32_t *w) {
    bool truth = w[0] == OP_JNZ || w[0] == OP_JNZK, keep = w[0] == OP_JZK || w[0] == OP_JNZK;
    Lanes v = pop_lanes(s);
    s->fine &= s->depth == 0;
    if (!s->fine) return;
    Bits yes = named(s, truth_of(s, &v));
    if (w[1] != s->mask->head) {
        Group leave = part_of(s, &s->going, yes, truth);
        wait_at(s, w[1], keep ? truth : -1, &leave);
    }
    s->going = part_of(s, &s->going, yes, !truth);
    s->going.bits = named(s, s->going.bits);
    if (s->going.n == 1) s->going.ways[0].bits = s->going.bits;
}

// Nothing is pending: from here on each element that is left can be gone through by itself.
static void may_stop_here(Survey *s, int pc) {
    Mask *m = s->mask;
    if (s->asked) return; // only at the candidate
    if (s->nwaiting > 0 || s->depth > 0 || everybody(s, s->going.bits)) return;
    if (s->nstored > 0 && !stored_are_done_with(s, pc)) return;
    m->cut = pc;
    m->bits = bits_text(s->t, s->going.bits);
    m->uses = m->nlines;
    m->taken = m->nloaded;
}

// The candidate tells the element, and perhaps what is the same for all elements.
static bool tells(const Survey *s, const Alternative *a) {
    bool element = false, fine = a->nvars <= COUNTED_VALUES;
    for (int i = 0; i < a->nvars && fine; i++) {
        element |= a->cells[i] == s->elem;
        fine = a->cells[i] == s->elem || stays_the_same(s, a->cells[i]);
    }
    return element && fine;
}

Bits survey(Survey *s) {
    Mask *m = s->mask;
    const Program *p = s->t->p;
    for (int pc = next_pc(s->t, m->head); pc <= m->back && s->fine; pc = next_pc(s->t, pc)) {
        const int32_t *w = p->code + pc;
        meet(s, pc);
        if (!s->fine || nobody(s->going.bits)) continue;
        may_stop_here(s, pc);
        switch ((Opcode)w[0]) {
        case OP_JZ:
        case OP_JNZ:
        case OP_JZK:
        case OP_JNZK: turn_off(s, w); break;
        case OP_JMP:
            s->fine &= s->depth == 0;
            wait_at(s, w[1], -1, &s->going);
            s->going = (Group){.bits = known_bits(0)};
            break;
        case OP_CAND: {
            // Nothing but the candidate is left of the round.
            if (s->asked) {
                m->alternative = w[1];
                m->cut = pc;
                return s->going.bits;
            }
            const int32_t *after = w + 2;
            const Alternative *a = &p->alternatives[w[1]];
            m->only = s->nwaiting == 0 && after[0] == OP_JMP && after[1] == m->head && tells(s, a);
            m->alternative = w[1];
            if (!m->only) return s->going.bits;
            m->cut = pc;
            m->bits = bits_text(s->t, s->going.bits);
            m->uses = m->nlines;
            return s->going.bits;
        }
        case OP_ITER_LIST:
            if (!s->asked) {
                s->fine = false;
            } else if (!loop_within(s, pc)) {
                return s->going.bits;
            }
            break;
        default: lanes_ask(s, w);
        }
    }
    if (!s->fine || nobody(s->going.bits)) return s->going.bits;
    meet(s, next_pc(s->t, m->back));
    may_stop_here(s, next_pc(s->t, m->back));
    return s->going.bits;
}

// ---- what comes of it ----------------------------------------------------------------------------

// Nothing that the tests ask about is changed by the rest, unless on a copy.
static bool rest_keeps(const Translator *t, const Mask *m) {
    const int32_t *code = t->p->code;
    for (int pc = m->cut; pc <= m->back; pc = next_pc(t, pc)) {
        while (code[pc] == OP_WOULD) pc = code[pc + 2]; // where its answer is used
        if (pc > m->back) break;
        if (code[pc] >= OP_PUT && code[pc] <= OP_SOW) return false;
        for (int i = 0; i < m->taken; i++)
            if (may_write(t, pc, m->loaded[i])) return false;
    }
    return true;
}

// Loops in the rest are better written out with each element known, if there is room.
static bool rest_is_plain(Translator *t, const Mask *m) {
    for (int pc = m->cut; pc <= m->back; pc = next_pc(t, pc))
        if (t->spots[pc].back >= 0 || t->p->code[pc] == OP_WOULD)
            return rounds_written(t, m->head) == 0;
    return true;
}

// The rest ends the loop: the first that passes will do.
static bool first_will_do(const Translator *t, const Mask *m) {
    const int32_t *w = t->p->code + m->cut;
    if (m->cut > m->back) return true;
    return w[0] == OP_JMP && w[1] != m->head;
}

// The rest adds a number to a cell, and no more: how many pass is all that matters.
static bool only_adds(const Translator *t, Mask *m) {
    const int32_t *code = t->p->code;
    int pc[5] = {m->cut};
    if (m->sum = -1, m->cut > m->back) return false;
    for (int i = 1; i < 5; i++) pc[i] = next_pc(t, pc[i - 1]);
    bool first = code[pc[0]] == OP_PUSH && code[pc[1]] == OP_LOAD;
    if (!first && !(code[pc[0]] == OP_LOAD && code[pc[1]] == OP_PUSH)) return false;
    int32_t cell = code[pc[first] + 1], step = code[pc[!first] + 1];
    if (code[pc[2]] != OP_ADD || code[pc[3]] != OP_STORE || code[pc[3] + 1] != cell ||
        code[pc[4]] != OP_JMP || code[pc[4] + 1] != m->head)
        return false;
    for (int i = 1; i < 5; i++)
        if (t->spots[pc[i]].label) return false;
    int n = t->p->lists[m->list].n;
    for (int i = 0; i < m->taken; i++)
        if (m->loaded[i] == cell) return false;
    Range r = cell_range(t, cell);
    if (step < 1 || step > CELL_MAX / n || r.low < 0 || r.high > CELL_MAX - n * step) return false;
    m->sum = cell, m->step = step;
    return true;
}

bool mask_of(Translator *t, int pc, int list, Mask *m) {
    const List *elements = &t->p->lists[list];
    // Cells of more than two kinds do not lie so that a vector could hold those of four sites.
    int least = t->p->npieces > 2 ? LANES_MANY : LANES_MIN;
    if (elements->n < least || elements->n > LANES_MAX) return false;
    *m = (Mask){.head = pc, .back = t->spots[pc].back, .list = list, .cut = -1};
    Survey s = {.t = t,
                .mask = m,
                .list = elements,
                .elem = t->p->code[pc + 3],
                .going = group_of(known_bits(all_bits(elements->n))),
                .fine = true};
    survey(&s);
    if (m->cut < 0) return false;
    m->only = m->only && may_be_counted(t, m, elements->n);
    m->elements = elements;
    for (int i = 0; m->only && i < t->p->alternatives[m->alternative].nvars; i++) {
        bool element = t->p->alternatives[m->alternative].cells[i] == s.elem;
        m->values[i] = element ? phrase(t, "list_%d", list) : NULL;
        m->ranges[i] = list_range(t, list);
    }
    if (only_adds(t, m) || m->only || first_will_do(t, m)) return true;
    return elements->n >= LANES_MANY && rest_keeps(t, m) && rest_is_plain(t, m);
}

// Unless nothing has been moved since it was asked.
static void say_watch(Translator *t, int number) {
    for (int i = 0; number == t->taken && i < t->watches[number].n; i++) taken_note(t, i);
    if (number < 64 && t->asked >> number & 1) return;
    say(t, "w%d = watch_%d(c);", number, number);
    t->watches[number].used = true;
    if (number < 64) t->asked |= UINT64_C(1) << number;
}

void say_mask(Translator *t, const Mask *m, const char *to) {
    for (int i = 0; i < m->uses; i++) {
        if (m->watches[i] >= 0)
            say_watch(t, m->watches[i]);
        else
            say(t, "%s", m->lines[i]);
    }
    say(t, "%s = %s;", to, m->bits);
}

const char *ones_text(Translator *t, const char *bits, int n) {
    return phrase(t, n <= 16 ? "ones_of_16(%s)" : n <= 32 ? "ones_of_32(%s)" : "ones(%s)", bits);
}
