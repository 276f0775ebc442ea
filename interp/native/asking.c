// What rules ask about sites, tables, tracks and lists.
#include "../vm/ask.h"
#include "translate.h"
#include "translator.h"

// ---- pieces on a site ----------------------------------------------------------------------------

static Range times(Range r, int64_t n) {
    int64_t high = r.high * n;
    return range_of(0, high > INT32_MAX ? INT32_MAX : (int32_t)high);
}

static Value number(Translator *t, int32_t k) {
    return (Value){.text = phrase(t, "%d", k), .range = range_of(k, k)};
}

// The pieces of a few kinds on the site on top, which is there.
static const char *sum_of_kinds(Translator *t, const int16_t *kinds, int n) {
    const char *sum = NULL;
    if (n > 1) in_slot(t, 0);
    for (int i = 0; i < n; i++) {
        Value kind = number(t, kinds ? kinds[i] : i);
        const char *one = count_cell(t, top_value(t, 0), &kind);
        sum = sum ? phrase(t, "%s + %s", sum, one) : one;
    }
    return n > 1 ? phrase(t, "(%s)", sum) : sum;
}

// kinds: a list, or -1 for all.
static void count_on(Translator *t, int list) {
    const int16_t *kinds = list < 0 ? NULL : t->p->lists[list].at;
    int n = list < 0 ? t->p->npieces : t->p->lists[list].n;
    if (n == 0) {
        pop_value(t);
        push_number(t, 0);
        return;
    }
    bool spelt = is_sites(t, top_value(t, 0)->range) && n <= SITE_KINDS_MAX;
    for (int i = 0; kinds && i < n; i++) spelt &= kinds[i] >= 0 && kinds[i] < t->p->npieces;
    if (spelt) {
        const char *sum = sum_of_kinds(t, kinds, n);
        pop_value(t);
        push_value(t, sum, times(a_count, n));
        return;
    }
    Value s = pop_value(t);
    push_value(t,
               list < 0 ? phrase(t, "count_all(c, %s)", s.text)
                        : phrase(t, "count_set(c, %s, &lists[%d])", s.text, list),
               times(a_count, n));
}

static void count_one(Translator *t) {
    Value kind = pop_value(t), site = pop_value(t);
    if (kind.range.high < 0 || site.range.high < 0)
        push_number(t, 0);
    else if (is_sites(t, site.range) && is_kinds(t, kind.range))
        push_value(t, count_cell(t, &site, &kind), a_count);
    else
        push_value(t, phrase(t, "count_kind(c, %s, %s)", site.text, kind.text), a_count);
}

// Whether anything lies on the site on top, as it is known at any time; false if it is not.
static bool known_taken(Translator *t, bool empty) {
    Value *s = top_value(t, 0);
    if (!range_single(s->range)) in_slot(t, 0);
    const char *text = taken_text(t, s, empty);
    if (!text) return false;
    int site = !empty && range_single(s->range) && s->range.low >= 0 ? s->range.low + 1 : 0;
    pop_value(t);
    push_value(t, text, a_truth);
    top_value(t, 0)->taken = site;
    return true;
}

static void compare_with_zero(Translator *t, const char *sign) {
    Value v = pop_value(t);
    if (range_single(v.range))
        push_number(t, (v.range.low > 0) == (sign[0] == '>'));
    else
        push_value(t, phrase(t, "(%s %s 0)", v.text, sign), a_truth);
    if (sign[0] == '>' && !range_single(v.range)) top_value(t, 0)->many = v.text;
}

// Nothing of these kinds lies there; false for a site that is not there.
static void empty(Translator *t, const int32_t *w) {
    int above = w[0] == OP_EMPTY_KIND;
    Value *site = top_value(t, above);
    if (site->range.high < 0) {
        for (int i = 0; i <= above; i++) pop_value(t);
        push_number(t, 0);
        return;
    }
    if (w[0] == OP_EMPTY && known_taken(t, true)) return;
    if (is_sites(t, site->range)) {
        if (w[0] == OP_EMPTY_KIND)
            count_one(t);
        else
            count_on(t, w[0] == OP_EMPTY ? -1 : w[1]);
        compare_with_zero(t, "==");
        return;
    }
    in_slot(t, above);
    Value kind = above ? pop_value(t) : number(t, 0), s = pop_value(t);
    const char *text = w[0] == OP_EMPTY ? phrase(t, "is_empty(c, %s)", s.text)
                       : above          ? phrase(t, "empty_kind(c, %s, %s)", s.text, kind.text)
                                        : phrase(t, "empty_set(c, %s, &lists[%d])", s.text, w[1]);
    push_value(t, text, a_truth);
}

static void first_piece(Translator *t, int list) {
    const List *kinds = &t->p->lists[list];
    Value *s = top_value(t, 0);
    Range r = range_join(list_range(t, list), range_of(UNSET, UNSET));
    if (kinds->n > 0 && kinds->n <= SITE_KINDS_MAX && is_sites(t, s->range) &&
        is_kinds(t, list_range(t, list))) {
        const char *text = "";
        if (kinds->n > 1) in_slot(t, 0);
        for (int i = 0; i < kinds->n; i++) {
            Value kind = number(t, kinds->at[i]);
            text = phrase(t, "%s%s > 0 ? %s : ", text, count_cell(t, top_value(t, 0), &kind),
                          kind_text(t, &kind));
        }
        pop_value(t);
        push_value(t, phrase(t, "(%sUNSET)", text), r);
        return;
    }
    Value v = pop_value(t);
    push_value(t, phrase(t, "piece_on(c, %s, &lists[%d])", v.text, list), r);
}

// ---- pieces on lists of sites --------------------------------------------------------------------

static const char *lists_text(Translator *t, const Value *list) {
    return phrase(t, "&lists[%s]", list->text);
}

// Searches through long lists are charged; those through short ones are part of the instruction.
static void charge_list(Translator *t, int below, const char *factor) {
    if (t->longest <= QUIET_MAX) return;
    Value *v = top_value(t, below);
    if (range_single(v->range)) {
        if (t->p->lists[v->range.low].n > QUIET_MAX)
            say(t, "steps -= %d%s;", t->p->lists[v->range.low].n, factor);
    } else {
        say(t, "steps -= lists[%s].n%s;", in_slot(t, below), factor);
    }
}

static bool real_sites(const Translator *t, int list) {
    return t->p->lists[list].n > 0 && is_sites(t, list_range(t, list));
}

// A short list of sites, known: its counts are added up one by one.
static bool spell_sum(Translator *t, const Value *list, const int16_t *kinds, int nkinds) {
    if (!range_single(list->range)) return false;
    const List *sites = &t->p->lists[list->range.low];
    if (sites->n * nkinds > SPELT_MAX || !real_sites(t, list->range.low)) return false;
    const char *sum = NULL;
    for (int i = 0; i < sites->n; i++)
        for (int k = 0; k < nkinds; k++) {
            Value site = number(t, sites->at[i]), kind = number(t, kinds ? kinds[k] : k);
            const char *one = count_cell(t, &site, &kind);
            sum = sum ? phrase(t, "%s + %s", sum, one) : one;
        }
    push_value(t, sites->n * nkinds > 1 ? phrase(t, "(%s)", sum) : sum,
               times(a_count, sites->n * nkinds));
    if (nkinds == t->p->npieces) top_value(t, 0)->some = taken_of(t, sites->at, sites->n);
    return true;
}

static void count_list(Translator *t, int kinds) {
    if (!need_list(t, 0)) return;
    const List *set = kinds < 0 ? NULL : &t->p->lists[kinds];
    int n = set ? set->n : t->p->npieces;
    charge_list(t, 0, phrase(t, " * %d", set ? n + 1 : 1));
    bool real = n > 0 && (!set || is_kinds(t, list_range(t, kinds)));
    Value list = pop_value(t);
    if (real && spell_sum(t, &list, set ? set->at : NULL, n)) return;
    push_value(t,
               set ? phrase(t, "list_count_set(c, %s, &lists[%d])", lists_text(t, &list), kinds)
                   : phrase(t, "list_count(c, %s)", lists_text(t, &list)),
               times(a_count, (int64_t)t->longest * (n ? n : 1)));
}

static void count_list_kind(Translator *t) {
    if (!need_list(t, 1)) return;
    charge_list(t, 1, "");
    Value kind = pop_value(t), list = pop_value(t);
    if (is_kinds(t, kind.range) && range_single(kind.range)) {
        int16_t k = (int16_t)kind.range.low;
        if (spell_sum(t, &list, &k, 1)) return;
    }
    push_value(t, phrase(t, "list_count_kind(c, %s, %s)", lists_text(t, &list), kind.text),
               times(a_count, t->longest));
}

// ---- tables --------------------------------------------------------------------------------------

// text - k
static const char *less(Translator *t, const char *text, int k) {
    if (k == 0) return text;
    return k > 0 ? phrase(t, "%s - %d", text, k) : phrase(t, "%s + %d", text, -k);
}

static void map(Translator *t, int number) {
    const Table *table = &t->p->tables[number];
    Value v = pop_value(t);
    bool inside = range_within(v.range, table->low, table->low + table->n - 1);
    if (range_single(v.range)) {
        push_number(t, inside ? table->values[v.range.low - table->low] : UNSET);
    } else if (inside) {
        Range r = values_range(table->values + (v.range.low - table->low),
                               v.range.high - v.range.low + 1);
        push_value(t, phrase(t, "map_%d[%s]", number, less(t, v.text, table->low)), r);
    } else {
        push_value(t, phrase(t, "table_%d(%s)", number, v.text),
                   range_join(values_range(table->values, table->n), range_of(UNSET, UNSET)));
    }
}

// Whether the values are a + i, so that no table is needed.
bool family_is_plain(const Family *f) {
    int n = f->sizes[0];
    for (int i = 1; i < n; i++)
        if (f->values[i] != f->values[0] + i) return false;
    return f->dims == 1 && n > 0;
}

static void family(Translator *t, int number) {
    const Family *f = &t->p->families[number];
    bool inside = true, single = true;
    int at = 0, n = 1;
    const char *args = "";
    for (int i = 0; i < f->dims; i++) {
        const Value *v = &t->stack[t->depth - f->dims + i];
        inside &= range_within(v->range, f->lows[i], f->lows[i] + f->sizes[i] - 1);
        single &= range_single(v->range);
        at = inside ? at * f->sizes[i] + (v->range.low - f->lows[i]) : 0;
        n *= f->sizes[i];
        args = phrase(t, "%s%s%s", args, i ? ", " : "", v->text);
    }
    Value last = *top_value(t, 0);
    t->depth -= f->dims;
    if (single) {
        push_number(t, inside ? f->values[at] : f->missing);
        return;
    }
    bool one = inside && f->dims == 1; // the values it can be are side by side
    Range r = one ? values_range(f->values + at, last.range.high - last.range.low + 1)
                  : values_range(f->values, n);
    if (one) {
        const char *i = less(t, last.text, f->lows[0]);
        push_value(t,
                   family_is_plain(f) ? phrase(t, "(%s + %d)", last.text, f->values[0] - f->lows[0])
                                      : phrase(t, "values_%d[%s]", number, i),
                   r);
        return;
    }
    if (!inside) r = range_join(r, range_of(f->missing, f->missing));
    push_value(t, phrase(t, "family_%d(%s)", number, args), r);
}

// ---- tracks --------------------------------------------------------------------------------------

// If the site may not be there, but is nothing else than a site: the text for one that is, with the question before it.
static const char *if_there(Translator *t, const Value *site, const char *text) {
    return site->range.low < 0 ? phrase(t, "(%s < 0 ? UNSET : %s)", site->text, text) : text;
}

static bool site_or_unset(const Translator *t, const Value *v) {
    return range_within(v->range, UNSET, t->p->nsites - 1) && v->range.high >= 0 &&
           (v->range.low >= 0 || v->copy >= 0); // it is spelt twice
}

static void next_site(Translator *t) {
    Value track = pop_value(t), s = pop_value(t);
    Range all = range_of(UNSET, t->p->nsites - 1);
    bool known = range_within(track.range, 0, t->p->ntracks - 1);
    if (!known || !site_or_unset(t, &s)) {
        push_value(t, phrase(t, "track_next(tracks, %s, %s)", s.text, track.text), all);
        return;
    }
    Range r = all;
    int low = s.range.low < 0 ? 0 : s.range.low;
    for (int i = track.range.low; i <= track.range.high; i++) {
        Range one = values_range(t->p->tracks[i].next + low, s.range.high - low + 1);
        r = i > track.range.low ? range_join(r, one) : one;
    }
    if (low > s.range.low) r = range_join(r, range_of(UNSET, UNSET));
    const char *next = range_single(track.range) ? phrase(t, "next_%d[%s]", track.range.low, s.text)
                                                 : phrase(t, "next_of[%s][%s]", track.text, s.text);
    push_value(t, if_there(t, &s, next), r);
}

// The table of the sites so many steps ahead; gives its number.
static int ahead_table(Translator *t, Range tracks, Range n) {
    for (int i = 0; i < t->naheads; i++) {
        const Ahead *a = &t->aheads[i];
        if (a->low == n.low && a->high == n.high && a->first == tracks.low &&
            a->last == tracks.high)
            return i;
    }
    arena_grow(t->arena, (void **)&t->aheads, &t->aheads_cap, (size_t)t->naheads + 1,
               sizeof *t->aheads);
    t->aheads[t->naheads] = (Ahead){tracks.low, tracks.high, n.low, n.high};
    return t->naheads++;
}

static void ahead(Translator *t) {
    Value *along = top_value(t, 1), *n = top_value(t, 0), *from = top_value(t, 2);
    Range all = range_of(UNSET, t->p->nsites - 1);
    bool known = range_within(along->range, 0, t->p->ntracks - 1);
    if (!known || !site_or_unset(t, from) || !range_within(n->range, -32, 32) ||
        along->range.high - along->range.low >= AHEAD_TRACKS_MAX) {
        settle_all(t);
        Value steps = pop_value(t), track = pop_value(t), site = pop_value(t);
        if (t->longest > QUIET_MAX)
            say(t, "if (is_track(%s)) steps -= tracks[%s].n;", track.text, track.text);
        push_value(t,
                   phrase(t, "track_ahead(tracks, %s, %s, %s)", site.text, track.text, steps.text),
                   all);
        return;
    }
    int number = ahead_table(t, along->range, n->range);
    Value steps = pop_value(t), track = pop_value(t), site = pop_value(t);
    int span = steps.range.high - steps.range.low + 1;
    const char *row = "0";
    if (!range_single(track.range))
        row = phrase(t, "(%s) * %d", less(t, track.text, track.range.low), span);
    if (!range_single(steps.range))
        row = phrase(t, "%s + %s", row, less(t, steps.text, steps.range.low));
    Range r = all;
    bool first = true;
    for (int k = track.range.low; k <= track.range.high; k++)
        for (int by = steps.range.low; by <= steps.range.high; by++)
            for (int s = site.range.low; s <= site.range.high; s++, first = false) {
                int32_t to = s < 0 ? UNSET : track_ahead(t->p, s, k, by);
                r = first ? range_of(to, to) : range_join(r, range_of(to, to));
            }
    push_value(t, if_there(t, &site, phrase(t, "ahead_%d[%s][%s]", number, row, site.text)), r);
}

// ---- lists ---------------------------------------------------------------------------------------

static Range any_element(const Translator *t, Range lists) {
    Range r = range_of(UNSET, UNSET);
    for (int i = lists.low; i <= lists.high; i++) r = range_join(r, list_range(t, i));
    return r;
}

static void nth(Translator *t) {
    if (!need_list(t, 1)) return;
    Value i = pop_value(t), list = pop_value(t);
    Range r = any_element(t, list.range);
    if (range_single(list.range)) {
        const List *l = &t->p->lists[list.range.low];
        if (range_within(i.range, 1, l->n)) {
            r = values_range(l->at + i.range.low - 1, i.range.high - i.range.low + 1);
            push_value(t, phrase(t, "list_%d[%s - 1]", list.range.low, i.text), r);
            return;
        }
    }
    int shortest = t->p->lists[list.range.low].n;
    for (int k = list.range.low; k <= list.range.high; k++)
        if (t->p->lists[k].n < shortest) shortest = t->p->lists[k].n;
    push_value(t,
               range_within(i.range, 1, shortest)
                   ? phrase(t, "lists[%s].at[%s - 1]", list.text, i.text)
                   : phrase(t, "list_nth(%s, %s)", lists_text(t, &list), i.text),
               r);
}

static bool runs_up(const List *l) {
    for (int i = 1; i < l->n; i++)
        if (l->at[i] != l->at[0] + i) return false;
    return l->n > 0;
}

// A list of numbers below 64, as bits.
static bool as_bits(const List *l, uint64_t *bits) {
    *bits = 0;
    for (int i = 0; i < l->n; i++) {
        if (l->at[i] < 0 || l->at[i] >= 64) return false;
        *bits |= UINT64_C(1) << l->at[i];
    }
    return true;
}

static bool in_known(Translator *t, const Value *v, int list) {
    const List *l = &t->p->lists[list];
    Range r = list_range(t, list);
    uint64_t bits;
    bool within = false;
    for (int i = 0; i < l->n; i++) within |= l->at[i] == v->range.low;
    if (l->n == 0 || v->range.high < r.low || v->range.low > r.high)
        push_number(t, 0);
    else if (range_single(v->range))
        push_number(t, within);
    else if (runs_up(l) && range_within(v->range, r.low, r.high))
        push_number(t, 1);
    else if (runs_up(l))
        push_value(t, phrase(t, "((uint32_t)(%s - %d) < %du)", v->text, r.low, l->n), a_truth);
    else if (as_bits(l, &bits) && range_within(v->range, 0, 63))
        push_value(t, phrase(t, "(UINT64_C(0x%llx) >> %s & 1)", (unsigned long long)bits, v->text),
                   a_truth);
    else if (as_bits(l, &bits) && bits < UINT64_C(1) << 63 && range_within(v->range, UNSET, 62))
        push_value(
            t,
            phrase(t, "(UINT64_C(0x%llx) >> (%s + 1) & 1)", (unsigned long long)bits << 1, v->text),
            a_truth); // a bit for UNSET, too
    else
        return false;
    return true;
}

static void search(Translator *t, bool place) {
    if (!need_list(t, 0)) return;
    charge_list(t, 0, " / 8");
    Value list = pop_value(t), v = pop_value(t);
    bool known = range_single(list.range), small = range_within(v.range, CELL_MIN, CELL_MAX);
    if (known && !place && small && in_known(t, &v, list.range.low)) return;
    if (known && place && small && runs_up(&t->p->lists[list.range.low])) {
        Range r = list_range(t, list.range.low);
        if (range_within(v.range, r.low, r.high)) {
            push_value(t, phrase(t, "(%s - %d)", v.text, r.low - 1),
                       range_of(v.range.low - r.low + 1, v.range.high - r.low + 1));
            return;
        }
    }
    // Where a track's sites stand is known.
    for (int k = 0; known && place && is_sites(t, v.range) && k < t->p->ntracks; k++)
        if (t->p->tracks[k].list == list.range.low) {
            push_value(t, phrase(t, "(place_%d[%s] + 1)", k, v.text), range_of(0, t->longest));
            return;
        }
    push_value(t,
               phrase(t, place ? "(list_position(%s, %s) + 1)" : "(list_position(%s, %s) >= 0)",
                      lists_text(t, &list), v.text),
               place ? range_of(0, t->longest) : a_truth);
}

static void size(Translator *t) {
    if (!need_list(t, 0)) return;
    Value list = pop_value(t);
    if (range_single(list.range))
        push_number(t, t->p->lists[list.range.low].n);
    else
        push_value(t, phrase(t, "lists[%s].n", list.text), range_of(0, t->longest));
}

void asking(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_COUNT: count_on(t, -1); return;
    case OP_COUNT_KIND: count_one(t); return;
    case OP_COUNT_SET: count_on(t, w[1]); return;
    case OP_OCCUPIED:
        if (known_taken(t, false)) return;
        count_on(t, -1);
        compare_with_zero(t, ">");
        return;
    case OP_EMPTY:
    case OP_EMPTY_KIND:
    case OP_EMPTY_SET: empty(t, w); return;
    case OP_LCOUNT: count_list(t, -1); return;
    case OP_LCOUNT_SET: count_list(t, w[1]); return;
    case OP_LCOUNT_KIND: count_list_kind(t); return;
    case OP_PIECE_ON: first_piece(t, w[1]); return;
    case OP_MAP: map(t, w[1]); return;
    case OP_FAMILY: family(t, w[1]); return;
    case OP_NEXT: next_site(t); return;
    case OP_AHEAD: ahead(t); return;
    case OP_NTH: nth(t); return;
    case OP_INDEX: search(t, true); return;
    case OP_IN: search(t, false); return;
    case OP_SIZE: size(t); return;
    default: return;
    }
}
