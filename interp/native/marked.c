// Candidates that are marked.
//
// Where each round of one loop, written out, finds its own number or does not, and the numbers are few, close together and in
// order, a bit each is enough: how many there are and which is picked is looked up, and nothing is written down unless
// somebody wants to see it.
#include "step.h"
#include "translator.h"

enum { BYTE = 8 };

static Marked *marks_of(const Translator *t, int decision) {
    return &t->marked[for_mover(t, decision)];
}

// The round of the only loop around the place in hand, or -1.
static int round_here(const Translator *t) {
    int round = -1;
    for (int k = t->context; t->contexts[k].parent >= 0; k = t->contexts[k].parent) {
        const Context *c = &t->contexts[k];
        if (c->masked || (c->rounds > 1 && round >= 0)) return -1;
        if (c->rounds > 1) round = c->round;
    }
    return round < MARKS_MOST ? round : -1;
}

static int marked_low(const Marked *m) {
    int i = 0;
    while (i < MARKS_MOST && !m->has[i]) i++;
    return i < MARKS_MOST ? m->number[i] : 0;
}

// Whether the rounds find numbers in order, of which a byte has room for all.
static bool in_order(const Marked *m) {
    int last = -1;
    for (int i = 0; i < MARKS_MOST; i++) {
        if (!m->has[i]) continue;
        if (m->number[i] <= last || m->number[i] >= 64) return false;
        last = m->number[i];
    }
    return last - marked_low(m) < BYTE;
}

static bool may_be_marked(Translator *t, Marked *m, const Alternative *a, bool alone) {
    const int round = round_here(t);
    if (!alone || a->nvars != 1 || t->counted[for_mover(t, t->finding)].known || round < 0 ||
        !offers_once(t) || t->p->code[t->pc] != OP_CAND || in_loop(t))
        return false;
    const Range r = cell_range(t, a->cells[0]);
    if (!range_single(r) || r.low < 0 || (m->has[round] && m->number[round] != r.low)) return false;
    t->changed |= !m->has[round];
    m->has[round] = true;
    m->number[round] = r.low;
    return in_order(m);
}

void refuse_marks(Translator *t) {
    Marked *m = marks_of(t, t->finding);
    t->changed |= m->used;
    m->refused = true;
    m->used = false;
}

bool mark_one(Translator *t, int number, const char *taken) {
    const Alternative *a = &t->p->alternatives[number];
    Marked *m = marks_of(t, t->finding);
    if (t->spots[t->pc].would >= 0 || m->refused) return false;
    if (!may_be_marked(t, m, a, t->alone[number])) {
        refuse_marks(t);
        return false;
    }
    t->changed |= !m->used;
    m->used = true;
    const int32_t value = cell_range(t, a->cells[0]).low;
    if (taken)
        say(t, "k%d |= (uint64_t)(%s) << %d;", t->finding, taken, value);
    else
        say(t, "k%d |= UINT64_C(1) << %d;", t->finding, value);
    note_values(t, number, 0, range_of(value, value));
    t->offered[for_mover(t, number)] = true;
    return true;
}

void begin_marking(Translator *t, int decision) {
    if (marks_of(t, decision)->used) say(t, "k%d = 0;", decision);
}

bool are_marked(const Translator *t, int decision) { return marks_of(t, decision)->used; }

void count_marked(Translator *t, int decision) {
    say(t, "n = ones_in[k%d >> %d];", decision, marked_low(marks_of(t, decision)));
}

void list_marked(Translator *t, int decision) {
    say(t, "size_t k = 0;");
    say(t, "for (uint64_t rest = k%d; rest; rest &= rest - 1)", decision);
    say(t, "list[k++].values[0] = (int16_t)lowest(rest);");
}

void take_marked(Translator *t, int decision, int alternative) {
    const int low = marked_low(marks_of(t, decision));
    say(t, "%s = (int32_t)(places_in[k%d >> %d] >> 4 * pick & 7) + %d;",
        cell_text(t, t->p->alternatives[alternative].cells[0]), decision, low, low);
}

void declare_marked(Translator *t) {
    for (int d = 0; d < t->p->ndecisions; d++) {
        const Marked *m = &t->marked[d * VARIANTS_MAX];
        if (m[0].used || m[1].used) say(t, "uint64_t k%d = 0; (void)k%d;", d, d);
    }
}
