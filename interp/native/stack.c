// The machine's stack as C: each slot is a variable t0, t1, ..., and what is pushed and taken again at once is an
// expression.
#include "translate.h"
#include "translator.h"

#include <stdarg.h>
#include <string.h>

void say(Translator *t, const char *format, ...) {
    t->said++;
    if (!t->out) return;
    va_list args;
    va_start(args, format);
    fputs("    ", t->out);
    vfprintf(t->out, format, args);
    fputc('\n', t->out);
    va_end(args);
}

const char *phrase(Translator *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *s = arena_vprintf(t->arena, format, args);
    va_end(args);
    return s;
}

// ---- values --------------------------------------------------------------------------------------

static const char *number_text(Translator *t, int32_t k) {
    if (k == UNSET) return "UNSET";
    if (k == INT32_MIN) return "INT32_MIN";
    return phrase(t, k < 0 ? "(%d)" : "%d", k);
}

// An expression without effect: if there is but one value it can have, it is that number.
void push_value(Translator *t, const char *text, Range range) {
    if (range_single(range)) {
        push_number(t, range.low);
        return;
    }
    t->stack[t->depth++] =
        (Value){.text = text, .range = range, .reads = true, .copy = -1, .compared = -1};
}

void push_number(Translator *t, int32_t k) {
    t->stack[t->depth++] =
        (Value){.text = number_text(t, k), .range = range_of(k, k), .copy = -1, .compared = -1};
}

Value pop_value(Translator *t) { return t->stack[--t->depth]; }
Value *top_value(Translator *t, int below) { return &t->stack[t->depth - 1 - below]; }

const char *slot_of(Translator *t, int depth) { return phrase(t, "t%d", depth); }

// Puts into its slot what depends on what is about to change, from the bottom up: an expression only uses slots from
// its own on.
void settle(Translator *t) {
    for (int i = 0; i < t->depth; i++) {
        Value *v = &t->stack[i];
        char slot[16];
        snprintf(slot, sizeof slot, "t%d", i);
        if (!v->reads || strcmp(v->text, slot) == 0) continue;
        say(t, "%s = %s;", slot, v->text);
        v->text = phrase(t, "%s", slot);
    }
}

// All of them, constants too: paths meet.
void settle_all(Translator *t) {
    for (int i = 0; i < t->depth; i++) t->stack[i].reads = true;
    settle(t);
}

const char *in_slot(Translator *t, int below) {
    Value *v = top_value(t, below);
    if (range_single(v->range) || v->copy >= 0) return v->text;
    settle(t);
    return v->text;
}

// ---- cells ---------------------------------------------------------------------------------------

static bool is_mover(const Translator *t, int cell) { return cell == t->p->system + CELL_MOVER; }

const char *cell_text(Translator *t, int cell) {
    if (t->scalar_of[cell] >= 0) return t->names[t->scalar_of[cell]];
    if (is_mover(t, cell)) return "c[MOVER]";
    return phrase(t, "c[%d]", cell);
}

Range cell_range(const Translator *t, int cell) {
    if (t->scalar_of[cell] >= 0) return t->cells[t->scalar_of[cell]];
    if (!is_mover(t, cell)) return any_cell;
    return t->player >= 0 ? range_of(t->player, t->player) : range_of(0, t->p->nplayers - 1);
}

void push_cell(Translator *t, int cell) {
    push_value(t, cell_text(t, cell), cell_range(t, cell));
    top_value(t, 0)->copy = t->scalar_of[cell];
}

void know_cell(Translator *t, int cell, Range range) {
    int scalar = t->scalar_of[cell];
    if (scalar < 0) return;
    t->cells[scalar] = range;
    for (int i = 0; i < t->depth; i++) {
        if (t->stack[i].copy == scalar) t->stack[i].copy = -1;
        if (t->stack[i].compared == scalar) t->stack[i].compared = -1;
    }
}

void set_cell(Translator *t, int cell, const char *text, Range range) {
    settle(t);
    const char *to = cell_text(t, cell);
    if (strcmp(to, text) != 0) say(t, "%s = %s;", to, text);
    know_cell(t, cell, range);
}

// ---- faults --------------------------------------------------------------------------------------

// The outermost look-ahead around the place in hand that puts everything back by itself, or -1: the host does it, or there
// is none.
static int restoring(const Translator *t) {
    int would = t->spots[t->pc].would;
    if (would < 0) return -1;
    while (t->woulds[would]->up >= 0) would = t->woulds[would]->up;
    return t->woulds[would]->tries ? -1 : would;
}

const char *fault_text(Translator *t, const char *what) {
    int would = restoring(t);
    if (would < 0) return phrase(t, "FAULT(%s, %d);", what, t->pc);
    t->woulds[would]->faults = true;
    return phrase(t, "FAULT_IN(%d, %s, %d);", would, what, t->pc);
}

void fault_if(Translator *t, const char *test, int code) {
    say(t, "if (RARE(%s)) %s", test, fault_text(t, fault_name(code)));
}

void fault(Translator *t, int code) {
    say(t, "%s", fault_text(t, fault_name(code)));
    t->open = false;
}

void attempt(Translator *t, const char *action) {
    say(t, "if (RARE(fault = %s)) %s", action, fault_text(t, "fault"));
}

// False if the play is sure to fail here.
static bool need(Translator *t, int below, int32_t low, int32_t high, const char *test, int code) {
    Value *v = top_value(t, below);
    if (range_within(v->range, low, high)) return true;
    if (v->range.high < low || v->range.low > high) {
        fault(t, code);
        return false;
    }
    const char *text = in_slot(t, below);
    v = top_value(t, below);
    fault_if(t, phrase(t, "!%s(%s)", test, text), code);
    if (v->range.low < low) v->range.low = low;
    if (v->range.high > high) v->range.high = high;
    if (v->copy >= 0) t->cells[v->copy] = v->range;
    return true;
}

bool need_list(Translator *t, int below) {
    return need(t, below, 0, t->p->nlists - 1, "is_list", R_UNSET);
}
bool need_player(Translator *t, int below) {
    return need(t, below, 0, t->p->nplayers - 1, "is_player", R_UNSET);
}
bool need_site(Translator *t, int below) {
    return need(t, below, 0, t->p->nsites - 1, "is_site", R_UNSET);
}
bool need_kind(Translator *t, int below) {
    return need(t, below, 0, t->p->npieces - 1, "is_kind", R_UNSET);
}
bool need_fit(Translator *t, int below) {
    return need(t, below, CELL_MIN, CELL_MAX, "fits_cell", R_TOO_BIG);
}

const char *label_text(Translator *t, int context, int pc) {
    return t->nvariants > 1 || context > 0 ? phrase(t, "L%d_%d", pc, context)
                                           : phrase(t, "L%d", pc);
}

const char *jump_to(Translator *t, int pc) {
    arrive(t, pc);
    int context = lands(t, t->context, &pc);
    label_at(t, context, pc)->jumped = true;
    return label_text(t, context, pc);
}

// ---- sites and kinds -----------------------------------------------------------------------------

bool is_sites(const Translator *t, Range r) { return range_within(r, 0, t->p->nsites - 1); }
bool is_kinds(const Translator *t, Range r) { return range_within(r, 0, t->p->npieces - 1); }

static const char *site_text(Translator *t, const Value *site) {
    bool named = t->places && range_single(site->range) && is_sites(t, site->range);
    const char *name = named ? t->called.sites[site->range.low] : NULL;
    return name ? name : site->text;
}

const char *kind_text(Translator *t, const Value *kind) {
    bool named = t->places && range_single(kind->range) && is_kinds(t, kind->range);
    const char *name = named ? t->called.kinds[kind->range.low] : NULL;
    return name ? name : kind->text;
}

const char *count_cell(Translator *t, const Value *site, const Value *kind) {
    int kinds = t->p->npieces;
    if (!t->places && range_single(site->range) && range_single(kind->range))
        return phrase(t, "c[%d]", site->range.low * kinds + kind->range.low);
    if (kinds == 1) return phrase(t, "c[%s]", site_text(t, site));
    return phrase(t, "c[%s * KINDS + %s]", site_text(t, site), kind_text(t, kind));
}
