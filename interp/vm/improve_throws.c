// What comes after a throw. Whoever plays on by chance has drawn an outcome: the code goes on in a place of its own
// for each, where it is known (improve_use.c takes what depends on it there), and the cells that are written first
// are written from a table. A throw of the host's goes on as the base code does.
#include "improve.h"

#include "ask.h"

enum { OUTCOMES_MOST = 64, OUTCOME_ROOM = 8 }; // of a throw; instructions for each of them, about

int outcomes_room(const Program *p) {
    int n = 0;
    for (int i = 0; i < p->nthrows; i++) {
        const int outcomes = p->dice[p->throws[i].dice].noutcomes;
        if (outcomes <= OUTCOMES_MOST) n += OUTCOME_ROOM * outcomes;
    }
    return n;
}

static int first_outcome(const Improver *im, const Ins *throws) {
    for (size_t i = 0; i < im->outcomes.n; i++) {
        const Outcome *o = &im->outcomes.at[i];
        if (o->thrown == &im->p->throws[throws->w[0]] && copy_of(im, o->entry) == throws->copy)
            return (int)i;
    }
    return -1;
}

// False: there is no room for so many.
static bool writes(Thrown *t, int cell, Cell value) {
    int k = 0;
    while (k < t->n && t->cells[k] != cell) k++;
    if (k == THROWN_MOST || cell > INT16_MAX || !fits_cell(value)) return false;
    if (k == t->n) t->n++;
    t->cells[k] = (int16_t)cell;
    t->values[k] = (int16_t)value;
    return true;
}

static int add_outcomes(Improver *im, const Ins *throws) {
    const Throw *thrown = &im->p->throws[throws->w[0]];
    const int copy = throws->copy, n = im->p->dice[thrown->dice].noutcomes;
    const int target = im->place[copy * (im->p->ncode + 1) + thrown->target];
    const int first = (int)im->outcomes.n;
    if (n > OUTCOMES_MOST || target < 0 || im->n + n > im->most) return -1;
    for (int i = 0; i < n; i++) {
        Outcome outcome = {.entry = im->n, .thrown = thrown, .number = i};
        for (int k = 0; k < thrown->nvars; k++)
            writes(&outcome.written, thrown->cells[k], outcome_value(im, &outcome, k));
        vec_push(im->arena, &im->outcomes, outcome);
        im->entry[im->n] = im->open[im->n] = true;
        im->ins[im->n++] =
            (Ins){.op = Q_TICK, .gone = true, .copy = copy, .base = thrown->target, .next = target};
    }
    return first;
}

void improve_throws(Improver *im) {
    Reached reached;
    ins_find_reached(&reached, im);
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (!reached.is[i] || ins->gone || ins->op != Q_THROW) continue;
        const int first = first_outcome(im, ins);
        ins->w[1] = first >= 0 ? first : add_outcomes(im, ins);
    }
}

// ---- what is written at once ---------------------------------------------------------------------

// The instruction writes constants only, which are written by the outcome.
static bool is_written(const Improver *im, Thrown *t, const Ins *ins) {
    Thrown all = *t;
    const bool copies = ins->op == Q_COPY || ins->op == Q_COPY2;
    const bool clears = ins->op == Q_ZERO_FEW || ins->op == Q_ZERO_SOME;
    if (ins->gone || (!copies && !clears)) return false;
    for (int k = 0; clears && k < ins->w[1]; k++)
        if (!writes(&all, ins->w[0] + k, 0)) return false;
    for (int o = 0; copies && o < (ins->op == Q_COPY2 ? 4 : 2); o += 2) {
        const Cell *value = q_constant_at(im->q, ins->w[o + 1]);
        if (!value || !writes(&all, ins->w[o], *value)) return false;
    }
    *t = all;
    return true;
}

void improve_thrown(Improver *im) {
    Live l;
    if (!live_find(&l, im)) return;
    for (size_t i = 0; i < im->outcomes.n; i++) {
        Outcome *o = &im->outcomes.at[i];
        Thrown all = o->written;
        int at = ins_at(im, o->entry);
        while (at >= 0 && is_written(im, &all, &im->ins[at])) at = ins_at(im, im->ins[at].next);
        im->ins[o->entry].next = at;
        // What nobody reads need not be written.
        o->written.n = 0;
        for (int k = 0; k < all.n; k++) {
            if (!live_is_wanted(&l, at, all.cells[k])) continue;
            o->written.cells[o->written.n] = all.cells[k];
            o->written.values[o->written.n++] = all.values[k];
        }
    }
}
