// Candidates, decisions, throws: where a run stops or chance goes on.
#include "step.h"
#include "translate.h"
#include "translator.h"

#include <string.h>

// ---- candidates ----------------------------------------------------------------------------------

bool in_loop(const Translator *t) {
    for (int pc = next_pc(t, t->searched); pc < t->pc; pc = next_pc(t, pc)) {
        if (t->spots[pc].back < t->pc) continue;
        int k = t->context;
        while (t->contexts[k].parent >= 0 && t->contexts[k].head != pc) k = t->contexts[k].parent;
        if (t->contexts[k].parent < 0 || t->contexts[k].masked) return true;
    }
    return false;
}

// There is room for the first few, if each is found but once; not behind a loop, which may find any number.
static void need_room(Translator *t) {
    if (in_loop(t)) t->found = STEP_ROOM;
    t->found++;
    bool sure = t->spots[t->pc].would < 0 && t->found <= STEP_ROOM;
    if (!sure) say(t, "if (RARE(n >= room)) MORE(%s);", fault_text(t, "fault"));
}

int for_mover(const Translator *t, int number) {
    return number * VARIANTS_MAX + (t->nvariants > 1 ? t->player : 0);
}

void note_values(Translator *t, int number, int i, Range r) {
    Range *known = &t->chosen[for_mover(t, number)][i];
    bool offered = t->offered[for_mover(t, number)];
    if (offered) r = range_join(*known, r);
    t->changed |= !offered || r.low != known->low || r.high != known->high;
    *known = r;
}

void offer_one(Translator *t, int number, const char *weight, const char *taken) {
    const Alternative *a = &t->p->alternatives[number];
    if (mark_one(t, number, taken)) return;
    candidate_listed(t);
    need_room(t);
    if (!t->alone[number]) say(t, "list[n].alternative = %d;", number);
    for (int i = 0; i < a->nvars; i++) {
        push_cell(t, a->cells[i]);
        Value v = pop_value(t);
        say(t, "list[n].values[%d] = (int16_t)%s;", i, v.text);
        note_values(t, number, i, v.range);
    }
    t->offered[for_mover(t, number)] = true;
    if (!t->alone[number]) say(t, "list[n].weight = %s;", weight);
    say(t, taken ? "n += %s;" : "n++;", taken);
}

// Finds what the decision that ends here may offer, as it stands in the code; gives the number of alternatives.
static int alternatives_of(const Translator *t, int decision) {
    int n = 0, *all = t->alternatives;
    for (int pc = t->p->decisions[decision].pc; pc < t->pc; pc = next_pc(t, pc)) {
        const int32_t *w = t->p->code + pc;
        if ((w[0] != OP_CAND && w[0] != OP_LOT) || !t->offered[for_mover(t, w[1])]) continue;
        int k = 0;
        while (k < n && all[k] != w[1]) k++;
        if (k == n) all[n++] = w[1];
    }
    return n;
}

static void clear_cell(Translator *t, int cell) {
    say(t, "%s = 0;", cell_text(t, cell));
    know_cell(t, cell, range_of(0, 0));
}

// What only the search used is zero while the state waits.
static void clear_search(Translator *t, int decision, const int *all, int n) {
    const Decision *d = &t->p->decisions[decision];
    for (int i = 0; i < d->clear_n; i++) clear_cell(t, d->clear_base + i);
    for (int k = 0; k < n; k++) {
        const Alternative *a = &t->p->alternatives[all[k]];
        for (int i = 0; i < a->nvars; i++)
            if (a->cells[i] < d->clear_base || a->cells[i] >= d->clear_base + d->clear_n)
                clear_cell(t, a->cells[i]);
    }
}

// The cells that only serve between two decisions may hold anything when a run begins.
static void forget_scratch(const Translator *t, Range *cells) {
    for (int i = 0; i < t->nscalars; i++)
        if (t->scalar_cell[i] >= t->p->nstate) cells[i] = any_cell;
}

static void taken(Translator *t, int number, const Range *waiting) {
    const Alternative *a = &t->p->alternatives[number];
    Range cells[SCALARS_MAX], slots[STACK_SIZE + 1];
    memcpy(cells, waiting, (size_t)t->nscalars * sizeof *cells);
    for (int i = 0; i < a->nvars; i++)
        if (t->scalar_of[a->cells[i]] >= 0)
            cells[t->scalar_of[a->cells[i]]] = t->chosen[for_mover(t, number)][i];
    for (int i = 0; i < t->depth; i++) slots[i] = t->stack[i].range;
    int target = a->target, context = lands(t, t->context, &target);
    arrive_as(t, context, target, cells, slots);
}

static void take(Translator *t, int decision, int number) {
    const Alternative *a = &t->p->alternatives[number];
    const bool counted = are_counted(t), marked = are_marked(t, decision);
    if (counted) take_counted(t, number);
    if (marked) take_marked(t, decision, number);
    for (int i = 0; i < a->nvars && !counted && !marked; i++)
        say(t, "%s = list[pick].values[%d];", cell_text(t, a->cells[i]), i);
    int target = a->target, context = lands(t, t->context, &target);
    label_at(t, context, target)->jumped = true;
    say(t, "goto %s;", label_text(t, context, target));
}

// The state waits; or a candidate is picked here, in a game that is to be played on.
static void wait_or_pick(Translator *t, int decision, const int *all, int n) {
    bool chance = t->p->decisions[decision].chance;
    bool counted = are_counted(t), marked = are_marked(t, decision);
    say(t, counted || marked ? "if (plies == 0) {" : "if (plies == 0 || n >= STEP_BRANCHES) {");
    if (counted) list_counted(t, all[0]);
    if (marked) list_marked(t, decision);
    if (t->alone[all[0]])
        say(t, "for (size_t i = 0; i < n; i++) list[i].alternative = %d, list[i].weight = 1;",
            all[0]);
    say(t, "c[WAITS_AT] = %d;", decision + 1);
    say(t, "STOP(%s);", chance ? "WAITS_CHANCE" : "WAITS_CHOICE");
    say(t, "}");
    say(t, "pick = %s;", chance ? "pick_by_weight(run, n)" : "pick_any(run, n)");
    say(t, "plies--, steps = run->budget;");
    if (n == 1) {
        take(t, decision, all[0]);
        return;
    }
    say(t, "switch (list[pick].alternative) {");
    for (int i = 0; i < n; i++) {
        say(t, i + 1 < n ? "case %d:" : "default:", all[i]);
        take(t, decision, all[i]);
    }
    say(t, "}");
}

void decide(Translator *t, int decision) {
    bool looks = t->spots[t->pc].would >= 0;
    const int *all = t->alternatives;
    int n = alternatives_of(t, decision);
    if (n == 0) return; // nothing is ever offered
    Range before[SCALARS_MAX];
    memcpy(before, t->cells, sizeof before);
    if (!looks && are_marked(t, decision)) count_marked(t, decision);
    say(t, "if (n > %s) {", looks ? "looks.base" : "0");
    clear_search(t, decision, all, n);
    if (!looks) {
        forget_scratch(t, t->cells);
        uint64_t asked = t->asked;
        t->asked = UINT64_MAX; // whoever begins there asks again
        arrive(t, t->p->decisions[decision].pc);
        t->asked = asked;
    }
    for (int i = 0; i < n; i++) taken(t, all[i], t->cells);
    if (!looks) {
        wait_or_pick(t, decision, all, n);
    } else if (t->p->decisions[decision].chance) {
        say(t, "%s", fault_text(t, fault_name(R_WOULD_CHANCE)));
    } else {
        say(t, "LOOK(fault = look_decide(run, &looks, c, %d, &at));", t->pc);
        say(t, "if (fault) FAULT(fault, %d);", t->pc);
        say(t, "if (at < 0) LOOK(at = look_answer(run, &looks, c, INT32_MIN));");
        say(t, "if (steps < 0) FAULT(R_WOULD_STEPS, %d);", t->pc);
        say(t, "goto go_on;");
    }
    say(t, "}");
    memcpy(t->cells, before, sizeof before);
}

void lot(Translator *t, int number) {
    settle_all(t);
    Value weight = pop_value(t);
    if (weight.range.low < 0) fault_if(t, phrase(t, "%s < 0", weight.text), R_NEGATIVE);
    if (weight.range.high > CELL_MAX)
        fault_if(t, phrase(t, "%s > CELL_MAX", weight.text), R_TOO_BIG);
    say(t, "if (%s > 0) {", weight.text);
    offer_one(t, number, phrase(t, "(uint16_t)%s", weight.text), NULL);
    say(t, "}");
}

void throw_dice(Translator *t, int number) {
    const Throw *throw = &t->p->throws[number];
    const Dice *d = &t->p->dice[throw->dice];
    t->open = false;
    if (t->spots[t->pc].would >= 0) {
        fault(t, R_WOULD_CHANCE);
        return;
    }
    say(t, "n = %d;", d->noutcomes);
    say(t, "if (plies == 0) {");
    say(t, "c[WAITS_AT] = %d;", -number - 1);
    say(t, "STOP(WAITS_CHANCE);");
    say(t, "}");
    say(t, "pick = throw_%d(run);", throw->dice);
    say(t, "plies--, steps = run->budget;");
    forget_scratch(t, t->cells);
    for (int k = 0; k < throw->nvars; k++) {
        Range r = any_cell;
        for (int i = 0; i < d->noutcomes; i++) {
            int32_t v = d->outcomes[i * d->nvalues + k];
            r = i ? range_join(r, range_of(v, v)) : range_of(v, v);
        }
        say(t, "%s = outcomes_%d[pick * %d + %d];", cell_text(t, throw->cells[k]), throw->dice,
            d->nvalues, k);
        know_cell(t, throw->cells[k], r);
    }
    say(t, "goto %s;", jump_to(t, throw->target));
}
