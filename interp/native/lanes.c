// Values, truths and pieces for all elements of a list at once.
#include "../vm/ask.h"
#include "lanes.h"
#include "translate.h"

#include <inttypes.h>
#include <string.h>

enum { SHIFTS_MAX = 4 }; // of which bits moved about are made

// ---- bits ----------------------------------------------------------------------------------------

static uint64_t all(const Survey *s) { return all_bits(s->list->n); }
Bits known_bits(uint64_t known) { return (Bits){.known = known}; }

const char *bits_text(Translator *t, Bits b) {
    return b.text ? b.text : phrase(t, "UINT64_C(0x%" PRIx64 ")", b.known);
}

// Those that are surely none of them.
static uint64_t never(const Survey *s, Bits b) {
    return b.each ? 0 : b.text ? b.never : ~b.known & all(s);
}

Bits both(Survey *s, Bits a, Bits b) {
    if (a.each || b.each) return bits_by_table(s, a, b, true);
    if (!a.text && !b.text) return known_bits(a.known & b.known);
    if (!a.text && a.known == all(s)) return b;
    if (!b.text && b.known == all(s)) return a;
    if ((!a.text && a.known == 0) || (!b.text && b.known == 0)) return known_bits(0);
    return (Bits){.text = phrase(s->t, "(%s & %s)", bits_text(s->t, a), bits_text(s->t, b)),
                  .never = never(s, a) | never(s, b)};
}

Bits either(Survey *s, Bits a, Bits b) {
    if (a.each || b.each) return bits_by_table(s, a, b, false);
    if (!a.text && !b.text) return known_bits(a.known | b.known);
    if (!a.text && a.known == 0) return b;
    if (!b.text && b.known == 0) return a;
    if ((!a.text && a.known == all(s)) || (!b.text && b.known == all(s))) return known_bits(all(s));
    return (Bits){.text = phrase(s->t, "(%s | %s)", bits_text(s->t, a), bits_text(s->t, b)),
                  .never = never(s, a) & never(s, b)};
}

Bits others(Survey *s, Bits a) {
    if (a.each) return others_by_table(s, a);
    if (!a.text) return known_bits(~a.known & all(s));
    if (a.not_of) return (Bits){.text = a.not_of};
    return (Bits){.text = phrase(s->t, "(%s ^ UINT64_C(0x%" PRIx64 "))", a.text, all(s)),
                  .not_of = a.text};
}

static void add_line(Survey *s, int watch, const char *line) {
    Mask *m = s->mask;
    if (m->nlines == MASK_LINES_MAX) {
        s->fine = false;
        return;
    }
    m->watches[m->nlines] = watch;
    m->lines[m->nlines++] = line;
    if (m->nlines > s->t->nmasks) s->t->nmasks = m->nlines;
}

Bits named(Survey *s, Bits b) {
    if (!b.text || !strchr(b.text, ' ')) return b;
    Mask *m = s->mask;
    for (int i = 0; i < m->nlines; i++) { // it may have a name
        if (m->watches[i] >= 0) continue;
        const char *name = phrase(s->t, "m%d", i);
        if (strcmp(m->lines[i], phrase(s->t, "%s = %s;", name, b.text)) == 0)
            return (Bits){.text = name, .never = b.never, .not_of = b.not_of};
    }
    const char *name = phrase(s->t, "m%d", m->nlines);
    add_line(s, -1, phrase(s->t, "%s = %s;", name, b.text));
    return (Bits){.text = name, .never = b.never, .not_of = b.not_of};
}

// ---- sites that are watched ----------------------------------------------------------------------

// The bits of a watch that was asked already, moved to where they are wanted: text, or NULL.
static const char *moved(Survey *s, const Watch *from, const char *text, const int16_t *sites) {
    int by[SHIFTS_MAX], n = 0;
    uint64_t to[SHIFTS_MAX];
    for (int i = 0; i < s->list->n; i++) {
        int k = 0, g = 0;
        if (sites[i] < 0) continue;
        while (k < from->n && from->sites[k] != sites[i]) k++;
        if (k == from->n) return NULL;
        while (g < n && by[g] != k - i) g++;
        if (g == SHIFTS_MAX) return NULL;
        if (g == n) by[n] = k - i, to[n++] = 0;
        to[g] |= UINT64_C(1) << i;
    }
    const char *sum = n > 0 ? "" : "UINT64_C(0)";
    for (int g = 0; g < n; g++)
        sum = phrase(s->t, "%s%s(%s %s %d & UINT64_C(0x%" PRIx64 "))", sum, g ? " | " : "", text,
                     by[g] < 0 ? "<<" : ">>", by[g] < 0 ? -by[g] : by[g], to[g]);
    return n > 1 ? phrase(s->t, "(%s)", sum) : sum;
}

static const char *watch_text(Translator *t, int number) { return phrase(t, "w%d", number); }

// Of what is known of all sites at any time.
static const char *taken_lanes(Survey *s, const int16_t *sites, uint32_t kinds) {
    Translator *t = s->t;
    const Watch *all = t->taken < 0 ? NULL : &t->watches[t->taken];
    const char *text =
        all && all->kinds == kinds ? moved(s, all, watch_text(t, t->taken), sites) : NULL;
    for (int i = 0; i < s->list->n && text; i++)
        if (sites[i] >= 0) taken_note(t, sites[i]);
    return text;
}

// Where more than that many pieces of the kinds lie.
static Bits above(Survey *s, const int16_t *sites, uint32_t kinds, int32_t least) {
    Translator *t = s->t;
    if (least < 0) return known_bits(all(s));
    if (s->asked) return above_by_table(s, sites, kinds, least);
    const char *taken = least == 0 ? taken_lanes(s, sites, kinds) : NULL;
    if (taken) return (Bits){.text = taken};
    int number = watch(t, sites, s->list->n, kinds, least);
    if (number < 0) {
        s->fine = false;
        return known_bits(0);
    }
    for (int i = 0; i < s->nwatched; i++) {
        const Watch *w = &t->watches[s->watched[i]];
        if (s->watched[i] == number) return (Bits){.text = watch_text(t, number)};
        if (w->kinds != kinds || w->above != least) continue;
        const char *text = moved(s, w, watch_text(t, s->watched[i]), sites);
        if (text) return (Bits){.text = text};
    }
    // Perhaps another loop's, whose bits are kept up to date, will do.
    for (int i = 0; i < number && t->moves_little; i++) {
        const Watch *w = &t->watches[i];
        if (w->n < s->list->n || w->kinds != kinds || w->above != least || i == t->taken) continue;
        const char *text = moved(s, w, watch_text(t, i), sites);
        if (!text) continue;
        add_line(s, i, NULL);
        if (s->fine) s->watched[s->nwatched++] = i;
        return (Bits){.text = text};
    }
    add_line(s, number, NULL);
    if (s->fine) s->watched[s->nwatched++] = number;
    return (Bits){.text = watch_text(t, number)};
}

// ---- values --------------------------------------------------------------------------------------

void push_lanes(Survey *s, Lanes v) {
    if (s->depth == STACK_MAX)
        s->fine = false;
    else
        s->stack[s->depth++] = v;
}

Lanes pop_lanes(Survey *s) {
    if (s->depth == 0) {
        s->fine = false;
        return (Lanes){.kind = LANES_SAME};
    }
    return s->stack[--s->depth];
}

const Lanes *lanes_top(const Survey *s, int below) {
    return below < s->depth ? &s->stack[s->depth - 1 - below] : NULL;
}

static void push_same(Survey *s, int32_t k) {
    push_lanes(s, (Lanes){.kind = LANES_SAME, .same = k});
}
void push_lanes_bits(Survey *s, Bits b) { push_lanes(s, (Lanes){.kind = LANES_BITS, .bits = b}); }

static bool is_known(const Lanes *v) { return v->kind == LANES_SAME || v->kind == LANES_KNOWN; }
static int32_t of_lane(const Lanes *v, int i) {
    return v->kind == LANES_SAME ? v->same : v->each[i];
}

static void load(Survey *s, int cell) {
    if (cell == s->elem) {
        push_lanes(s, (Lanes){.kind = LANES_KNOWN, .each = s->list->at});
        return;
    }
    for (int i = s->nstored - 1; i >= 0; i--)
        if (s->stored[i].cell == cell) {
            push_lanes(s, s->stored[i].lanes);
            return;
        }
    Range r = cell_range(s->t, cell);
    Mask *m = s->mask;
    if (!range_single(r)) {
        load_the_same(s, cell);
        return;
    }
    int i = 0;
    while (i < m->nloaded && m->loaded[i] != cell) i++;
    s->fine &= i < MASK_LOADED_MAX;
    if (!s->fine) return;
    if (i == m->nloaded) m->loaded[m->nloaded++] = cell;
    push_same(s, r.low);
}

Lanes lanes_in_cell(Survey *s, int cell) {
    load(s, cell);
    return pop_lanes(s);
}

static void store(Survey *s, int cell) {
    Lanes v = pop_lanes(s);
    if (s->nstored == STORED_MAX || cell < s->t->p->nstate || s->t->scalar_of[cell] < 0) {
        s->fine = false;
        return;
    }
    if (v.kind == LANES_BITS) v.bits = named(s, v.bits);
    s->stored[s->nstored].cell = cell;
    s->stored[s->nstored++].lanes = v;
}

// A value that is known for each from values that are.
typedef bool Work(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out);

static void work_out(Survey *s, const int32_t *w, int operands_taken, Work *work) {
    Lanes in[4];
    for (int k = operands_taken - 1; k >= 0; k--) in[k] = pop_lanes(s);
    bool same = true;
    for (int k = 0; k < operands_taken; k++) {
        s->fine &= is_known(&in[k]);
        same &= in[k].kind == LANES_SAME;
    }
    if (!s->fine) return;
    int n = same ? 1 : s->list->n;
    int16_t *each = arena_array(s->t->arena, (size_t)n, sizeof *each);
    int32_t out = 0;
    for (int i = 0; i < n && s->fine; i++) {
        int32_t values[4];
        for (int k = 0; k < operands_taken; k++) values[k] = of_lane(&in[k], i);
        s->fine &= work(s, w, values, &out) && out >= CELL_MIN && out <= CELL_MAX;
        each[i] = (int16_t)out;
    }
    push_lanes(s, same ? (Lanes){.kind = LANES_SAME, .same = out}
                       : (Lanes){.kind = LANES_KNOWN, .each = each});
}

static bool work_sum(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out) {
    (void)s;
    int64_t sum = w[0] == OP_ADD ? (int64_t)in[0] + in[1] : (int64_t)in[0] - in[1];
    *out = (int32_t)sum;
    return sum == *out;
}

static bool work_next(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out) {
    (void)w;
    const Program *p = s->t->p;
    *out = is_site(p, in[0]) && is_track(p, in[1]) ? p->tracks[in[1]].next[in[0]] : UNSET;
    return true;
}

static bool work_ahead(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out) {
    (void)w;
    *out = track_ahead(s->t->p, in[0], in[1], in[2]);
    return true;
}

static bool work_map(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out) {
    const Table *table = &s->t->p->tables[w[1]];
    int64_t at = (int64_t)in[0] - table->low;
    *out = at >= 0 && at < table->n ? table->values[at] : UNSET;
    return true;
}

static bool work_family(const Survey *s, const int32_t *w, const int32_t *in, int32_t *out) {
    const Family *f = &s->t->p->families[w[1]];
    int at = 0;
    *out = f->missing;
    for (int i = 0; i < f->dims; i++) {
        int64_t k = (int64_t)in[i] - f->lows[i];
        if (k < 0 || k >= f->sizes[i]) return true;
        at = at * f->sizes[i] + (int)k;
    }
    *out = f->values[at];
    return true;
}

// ---- truths --------------------------------------------------------------------------------------

static bool holds(Opcode op, int32_t a, int32_t b) {
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    default: return a >= b;
    }
}

// Of what is known for each.
static Bits known_truth(const Survey *s, const Lanes *a, Opcode op, const Lanes *b) {
    uint64_t bits = 0;
    for (int i = 0; i < s->list->n; i++)
        bits |= (uint64_t)holds(op, of_lane(a, i), of_lane(b, i)) << i;
    return known_bits(bits);
}

static Bits above_ahead(Survey *s, const Lanes *count, int32_t least) {
    Bits more = above(s, count->each, count->kinds, least);
    return least < 0 ? more : bits_ahead(s, more, count);
}

static Bits count_truth(Survey *s, const Lanes *count, Opcode op, int32_t k) {
    if (k < 0 || k > CELL_MAX) { // no number of pieces
        s->fine = false;
        return known_bits(0);
    }
    switch (op) {
    case OP_GT: return above_ahead(s, count, k);
    case OP_GE: return above_ahead(s, count, k - 1);
    case OP_LE: return others(s, above_ahead(s, count, k));
    case OP_LT: return others(s, above_ahead(s, count, k - 1));
    default: break;
    }
    Bits more = above_ahead(s, count, k);
    Bits equal = others(s, more);
    if (k > 0) equal = both(s, above_ahead(s, count, k - 1), equal);
    return op == OP_EQ ? equal : others(s, equal);
}

static void compare(Survey *s, Opcode op) {
    Lanes b = pop_lanes(s), a = pop_lanes(s);
    if (a.kind == LANES_SAME && b.kind == LANES_SAME)
        push_same(s, holds(op, a.same, b.same));
    else if (is_known(&a) && is_known(&b))
        push_lanes_bits(s, known_truth(s, &a, op, &b));
    else if (a.kind == LANES_COUNT && b.kind == LANES_SAME)
        push_lanes_bits(s, count_truth(s, &a, op, b.same));
    else if (b.kind == LANES_COUNT && a.kind == LANES_SAME)
        push_lanes_bits(s, count_truth(s, &b, mirrored(op), a.same));
    else if (!compare_in_play(s, op, &a, &b) && !compare_in_play(s, mirrored(op), &b, &a))
        s->fine = false;
}

Bits truth_of(Survey *s, const Lanes *v) {
    const Lanes zero = {.kind = LANES_SAME};
    if (v->kind == LANES_BITS) return v->bits;
    if (v->kind == LANES_COUNT) return count_truth(s, v, OP_GT, 0);
    if (v->kind == LANES_CELL) return truth_of_cell(s, v);
    s->fine &= is_known(v);
    if (!s->fine) return known_bits(0);
    return known_truth(s, v, OP_NE, &zero);
}

static void search(Survey *s) {
    Lanes list = pop_lanes(s), v = pop_lanes(s);
    const Program *p = s->t->p;
    s->fine &= is_known(&list) && (is_known(&v) || v.kind == LANES_AHEAD);
    uint64_t bits = 0;
    for (int i = 0; i < s->list->n && s->fine; i++) {
        int32_t in = of_lane(&list, i);
        s->fine &= is_list(p, in) && (list.kind == LANES_SAME || v.kind != LANES_AHEAD);
        if (!s->fine) break;
        bits |= (uint64_t)(list_position(&p->lists[in], of_lane(&v, i)) >= 0) << i;
    }
    if (!s->fine) return;
    push_lanes_bits(s,
                    v.kind == LANES_AHEAD ? bits_ahead(s, known_bits(bits), &v) : known_bits(bits));
}

// ---- pieces --------------------------------------------------------------------------------------

// list: kinds, or -1 for all.
static uint32_t kinds_of(Survey *s, int list) {
    const Program *p = s->t->p;
    uint32_t kinds = 0;
    int n = list < 0 ? p->npieces : p->lists[list].n;
    s->fine &= n > 0 && n <= SITE_KINDS_MAX && p->npieces <= 32;
    for (int i = 0; i < n && s->fine; i++) {
        int32_t k = list < 0 ? i : p->lists[list].at[i];
        if (k >= 0 && k < p->npieces)
            kinds |= UINT32_C(1) << k;
        else
            s->fine = false;
    }
    return kinds;
}

static uint32_t kind_on_top(Survey *s) {
    Lanes kind = pop_lanes(s);
    s->fine &= kind.kind == LANES_SAME && is_kind(s->t->p, kind.same) && kind.same < 32;
    return s->fine ? UINT32_C(1) << kind.same : 0;
}

static void count(Survey *s, uint32_t kinds) {
    Lanes site = pop_lanes(s);
    s->fine &= site.kind == LANES_KNOWN || site.kind == LANES_AHEAD;
    if (!s->fine) return;
    for (int i = 0; i < s->list->n; i++) s->fine &= site.each[i] < s->t->p->nsites;
    push_lanes(s, (Lanes){.kind = LANES_COUNT,
                          .each = site.each,
                          .kinds = kinds,
                          .text = site.text,
                          .range = site.range});
}

// Of the elements that go on: each one's list may have one site, or none.
static void count_list(Survey *s, uint32_t kinds) {
    Lanes list = pop_lanes(s);
    const Program *p = s->t->p;
    s->fine &= is_known(&list);
    if (!s->fine) return;
    int16_t *sites = arena_array(s->t->arena, (size_t)s->list->n, sizeof *sites);
    for (int i = 0; i < s->list->n && s->fine; i++) {
        int32_t in = of_lane(&list, i);
        sites[i] = UNSET;
        if (never(s, s->going.bits) >> i & 1) continue;
        s->fine &= is_list(p, in) && p->lists[in].n <= 1;
        if (s->fine && p->lists[in].n == 1) sites[i] = p->lists[in].at[0];
    }
    push_lanes(s, (Lanes){.kind = LANES_KNOWN, .each = sites});
    if (s->fine) count(s, kinds);
}

// A site that is not there is neither occupied nor empty.
static void empty(Survey *s, uint32_t kinds) {
    count(s, kinds);
    if (!s->fine) return;
    Lanes v = pop_lanes(s);
    uint64_t there = 0;
    for (int i = 0; i < s->list->n; i++) there |= (uint64_t)(v.each[i] >= 0) << i;
    push_lanes_bits(s, both(s, bits_ahead(s, known_bits(there), &v), count_truth(s, &v, OP_EQ, 0)));
}

void lanes_ask(Survey *s, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUSH: push_same(s, w[1]); return;
    case OP_LOAD: load(s, w[1]); return;
    case OP_STORE: store(s, w[1]); return;
    case OP_POP: pop_lanes(s); return;
    case OP_ADD:
    case OP_SUB:
        if (!add_to_cell(s, w)) work_out(s, w, 2, work_sum);
        return;
    case OP_NEXT: work_out(s, w, 2, work_next); return;
    case OP_AHEAD:
        if (!look_ahead(s)) work_out(s, w, 3, work_ahead);
        return;
    case OP_MAP: work_out(s, w, 1, work_map); return;
    case OP_FAMILY: work_out(s, w, s->t->p->families[w[1]].dims, work_family); return;
    case OP_IN: search(s); return;
    case OP_NOT: {
        Lanes v = pop_lanes(s);
        if (s->fine) push_lanes_bits(s, others(s, truth_of(s, &v)));
        return;
    }
    case OP_COUNT: count(s, kinds_of(s, -1)); return;
    case OP_COUNT_SET: count(s, kinds_of(s, w[1])); return;
    case OP_COUNT_KIND: count(s, kind_on_top(s)); return;
    case OP_LCOUNT: count_list(s, kinds_of(s, -1)); return;
    case OP_LCOUNT_SET: count_list(s, kinds_of(s, w[1])); return;
    case OP_OCCUPIED: {
        count(s, kinds_of(s, -1));
        if (!s->fine) return;
        Lanes v = pop_lanes(s);
        push_lanes_bits(s, count_truth(s, &v, OP_GT, 0));
        return;
    }
    case OP_EMPTY: empty(s, kinds_of(s, -1)); return;
    case OP_EMPTY_SET: empty(s, kinds_of(s, w[1])); return;
    case OP_EMPTY_KIND: empty(s, kind_on_top(s)); return;
    default: break;
    }
    if (w[0] >= OP_EQ && w[0] <= OP_GE)
        compare(s, (Opcode)w[0]);
    else
        s->fine = false;
}
