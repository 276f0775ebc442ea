// Jumps, loops and look-aheads.
#include "translate.h"
#include "translator.h"

#include <string.h>

// ---- jumps ---------------------------------------------------------------------------------------

// A jump back that has to be charged: another round of a loop that is not written out.
static bool charged(Translator *t, int to) {
    if (to > t->pc || t->quiet[to]) return false;
    for (int k = t->context; t->contexts[k].parent >= 0; k = t->contexts[k].parent)
        if (t->contexts[k].head == to) return false;
    return true;
}

void leave(Translator *t, int to) {
    if (charged(t, to))
        say(t, "if (RARE((steps -= %d) < 0)) %s", t->pc - to + 1,
            fault_text(t, fault_name(R_STEPS)));
    say(t, "goto %s;", jump_to(t, to));
}

// Without the brackets around all of it: an `if` has its own.
static const char *bare(Translator *t, const char *test) {
    size_t n = strlen(test);
    int open = 0;
    if (test[0] != '(') return test;
    for (size_t i = 0; i < n; i++) {
        open += (test[i] == '(') - (test[i] == ')');
        if (open == 0 && i + 1 < n) return test;
    }
    return arena_strndup(t->arena, test + 1, n - 2);
}

static void leave_if(Translator *t, const char *test, int to) {
    if (!charged(t, to)) {
        say(t, "if (%s) goto %s;", bare(t, test), jump_to(t, to));
        return;
    }
    say(t, "if (%s) {", bare(t, test));
    leave(t, to);
    say(t, "}");
}

// Jumps if `v` has that truth. What a comparison says of a variable is known on either way.
static void branch(Translator *t, const Value *v, bool truth, int to) {
    bool can[2] = {v->range.low <= 0 && v->range.high >= 0,
                   v->range.low != 0 || v->range.high != 0};
    Range then[2] = {any_number, any_number}, unused = any_number;
    for (int k = 0; k < 2 && v->compared >= 0; k++) can[k] &= refine(t, v, k == 1, &then[k]);
    Range *known = v->compared >= 0 ? &t->cells[v->compared] : &unused;
    if (can[truth]) {
        *known = then[truth];
        if (can[!truth])
            leave_if(t, phrase(t, truth ? "%s" : "!%s", v->text), to);
        else
            leave(t, to);
        t->open = can[!truth];
    }
    *known = then[!truth];
}

// ---- loops ---------------------------------------------------------------------------------------

// A loop in which there is no other, of few rounds, is charged once, at its end.
static bool innermost(const Translator *t, int pc) {
    for (int i = pc + 1; i <= t->spots[pc].back; i++)
        if (t->spots[i].back >= i) return false;
    for (int i = pc; i <= t->spots[pc].back; i = next_pc(t, i))
        if (t->p->code[i] == OP_WOULD || t->p->code[i] == OP_SOW) return false;
    return t->spots[pc].back >= 0;
}

static void loop_end(Translator *t, const char *test, int to, int rounds) {
    t->quiet[t->pc] = rounds <= QUIET_MAX && innermost(t, t->pc);
    if (!t->quiet[t->pc]) {
        leave_if(t, test, to);
        return;
    }
    say(t, "if (%s) {", test);
    say(t, "steps -= %d;", rounds * (t->spots[t->pc].back - t->pc + 1));
    say(t, "goto %s;", jump_to(t, to));
    say(t, "}");
}

static Range below(Range r, int n) {
    if (r.low < 0) r.low = 0; // the loop's own counter, from 0 on
    if (r.high >= n) r.high = n - 1;
    return r;
}

static void iterate_list(Translator *t, const int32_t *w) {
    push_cell(t, w[1]);
    if (!need_list(t, 0)) return;
    Value list = pop_value(t);
    push_cell(t, w[2]);
    Value i = pop_value(t);
    Range elements = range_of(UNSET, UNSET);
    int n = 0;
    for (int k = list.range.low; k <= list.range.high; k++) {
        Range one = list_range(t, k);
        elements = k == list.range.low ? one : range_join(elements, one);
        if (t->p->lists[k].n > n) n = t->p->lists[k].n;
    }
    bool known = range_single(list.range);
    if (i.range.low >= n) { // an empty one
        say(t, "goto %s;", jump_to(t, w[4]));
        t->open = false;
        return;
    }
    const char *size = known ? phrase(t, "%d", n) : phrase(t, "lists[%s].n", list.text);
    if (!known || i.range.high >= n) loop_end(t, phrase(t, "%s >= %s", i.text, size), w[4], n);
    const char *at = known ? phrase(t, "list_%d[%s]", list.range.low, i.text)
                           : phrase(t, "lists[%s].at[%s]", list.text, i.text);
    Range r = below(i.range, n);
    if (known && range_single(r))
        elements =
            range_of(t->p->lists[list.range.low].at[r.low], t->p->lists[list.range.low].at[r.low]);
    set_cell(t, w[3], at, elements);
    say(t, "%s = %s + 1;", cell_text(t, w[2]), i.text);
    know_cell(t, w[2], range_of(r.low + 1, r.high + 1));
}

static void iterate_range(Translator *t, const int32_t *w) {
    push_cell(t, w[2]);
    Value high = pop_value(t);
    push_cell(t, w[1]);
    Value n = pop_value(t);
    const char *counter = cell_text(t, w[1]);
    leave_if(t, phrase(t, "%s > %s", n.text, high.text), w[4]);
    Range r =
        range_of(n.range.low, n.range.high < high.range.high ? n.range.high : high.range.high);
    if (r.low > r.high) r.high = r.low; // never here
    set_cell(t, w[3], n.text, r);
    if (r.high < CELL_MAX) {
        say(t, "%s = %s + 1;", counter, n.text);
        know_cell(t, w[1], range_of(r.low + 1, r.high + 1));
        return;
    }
    say(t, "if (%s < CELL_MAX) %s = %s + 1;", n.text, counter, n.text);
    say(t, "else %s = CELL_MAX - 1;", cell_text(t, w[2]));
    know_cell(t, w[1], range_of(r.low, CELL_MAX));
    know_cell(t, w[2],
              range_of(high.range.low < CELL_MAX - 1 ? high.range.low : CELL_MAX - 1, CELL_MAX));
}

static void iterate_cells(Translator *t, const int32_t *w) {
    push_cell(t, w[3]);
    Value i = pop_value(t);
    const char *test = i.range.low >= 0 ? phrase(t, "%s >= %d", i.text, w[2])
                                        : phrase(t, "(uint32_t)%s >= %du", i.text, w[2]);
    if (i.range.low < 0 || i.range.high >= w[2]) loop_end(t, test, w[5], w[2]);
    Range r = below(i.range, w[2]);
    set_cell(t, w[4], phrase(t, "c[%d + %s]", w[1], i.text), row_range(t, w[1], w[2]));
    say(t, "%s = %s + 1;", cell_text(t, w[3]), i.text);
    know_cell(t, w[3], range_of(r.low + 1, r.high + 1));
}

// ---- looking ahead -------------------------------------------------------------------------------

// How many look-aheads are around one that puts everything back by itself.
static int around(const Translator *t, int would) {
    int n = 0;
    for (int up = t->woulds[would]->up; up >= 0 && !t->woulds[up]->tries; up = t->woulds[up]->up)
        n++;
    return n;
}

static bool in_trial(const Translator *t, int would) {
    for (int up = t->woulds[would]->up; up >= 0; up = t->woulds[up]->up)
        if (t->woulds[up]->tries) return true;
    return false;
}

// Whether the answer of that watch is among these.
static bool is_asked(const Translator *t, uint64_t asked, int watch) {
    return asked >> watch & 1 && t->watches[watch].used;
}

static void would_begin(Translator *t, const int32_t *w) {
    settle_all(t);
    Would *would = t->woulds[t->pc];
    facts_keep(t, outside_of(t, t->context, t->pc));
    if (would->tries) {
        say(t, "LOOK(fault = look_push(run, &looks, c, (Look){.then = %d, .end = %d, .enough = %s,",
            w[1], w[2], w[3] == INT32_MIN ? "INT32_MIN" : phrase(t, "%d", w[3]));
        say(t, "     .endless = %s, .at = %d, .base = looks.base}));",
            w[4] == INT32_MIN ? "INT32_MIN" : phrase(t, "%d", w[4]), t->pc);
        say(t, "if (fault) FAULT(fault, %d);", t->pc);
        say(t, "looks.base = n;");
        push_value(t, "", any_number);
        int was = t->context;
        uint64_t asked = t->asked;
        t->asked = taken_bit(t);
        for (int k = 0; k < t->nvariants; k++) { // the answer
            if (k != was && !would->turns) continue;
            enter(t, k);
            arrive(t, w[2]);
        }
        enter(t, was);
        t->asked = asked;
        t->depth--;
        return;
    }
    int depth = around(t, t->pc);
    if (in_trial(t, t->pc))
        say(t, "if (looks.n + %d >= LOOKS) FAULT(R_WOULD_DEPTH, %d);", depth, t->pc);
    else if (depth >= BUDGET_WOULD_DEPTH)
        fault(t, R_WOULD_DEPTH);
    if (!t->open) return;
    say(t, "steps -= %d;", t->p->ncells / 8 + 1);
    for (int i = 0; i < would->nruns; i++) {
        Run run = would->runs[i];
        say(t, "memcpy(kept_%d.c%d, &c[%d], %d * sizeof *c);", t->pc, run.base, run.base, run.n);
    }
    for (int i = 0; i < t->nscalars; i++)
        if (would->scalars[i]) say(t, "kept_%d.%s = %s;", t->pc, t->names[i], t->names[i]);
    if (would->notes) say(t, "kept_%d.noted = run->host->noted(run);", t->pc);
    for (int i = 0; i < t->nwatches && i < 64; i++)
        if (would->moves && is_asked(t, t->asked, i)) say(t, "kept_%d.w%d = w%d;", t->pc, i, i);
}

void would_restore(Translator *t, int at, uint64_t watches) {
    const Would *would = t->woulds[at];
    for (int i = 0; i < would->nruns; i++) {
        Run run = would->runs[i];
        say(t, "memcpy(&c[%d], kept_%d.c%d, %d * sizeof *c);", run.base, at, run.base, run.n);
    }
    for (int i = 0; i < t->nscalars; i++)
        if (would->scalars[i]) say(t, "%s = kept_%d.%s;", t->names[i], at, t->names[i]);
    if (would->notes) say(t, "run->host->forget(run, kept_%d.noted);", at);
    for (int i = 0; i < t->nwatches && i < 64; i++)
        if (would->moves && is_asked(t, watches, i)) say(t, "w%d = kept_%d.w%d;", i, at, i);
}

// A struct with what is to be put back.
void would_declare(Translator *t, int at) {
    const Would *would = t->woulds[at];
    say(t, "struct {");
    for (int i = 0; i < would->nruns; i++)
        say(t, "    int32_t c%d[%d];", would->runs[i].base, would->runs[i].n);
    for (int i = 0; i < t->nscalars; i++)
        if (would->scalars[i]) say(t, "    int32_t %s;", t->names[i]);
    for (int i = 0; i < t->nwatches && i < 64; i++)
        if (would->moves && t->watches[i].used) say(t, "    uint64_t w%d;", i);
    say(t, "    size_t noted;");
    say(t, "} kept_%d;", at);
    say(t, "(void)kept_%d;", at);
}

static void answer_tried(Translator *t, const char *value) {
    say(t, "LOOK(at = look_answer(run, &looks, c, %s));", value);
    say(t, "if (steps < 0) FAULT(R_WOULD_STEPS, %d);", t->pc);
    say(t, "goto go_on;");
}

// The value on top is the answer.
static void answer(Translator *t) {
    int at = t->spots[t->pc].would, end = t->p->code[at + 2], depth = t->spots[at].depth;
    const Would *would = t->woulds[at];
    t->open = false;
    if (would->tries) {
        answer_tried(t, pop_value(t).text);
        return;
    }
    Value v = pop_value(t);
    const char *slot = slot_of(t, depth);
    if (strcmp(slot, v.text) != 0) say(t, "%s = %s;", slot, v.text);
    int was = t->context, here = lands(t, was, &at);
    const Facts *before = outside_of(t, here, at);
    uint64_t restored = (before->known ? before->asked : 0) | taken_bit(t);
    would_restore(t, at, restored);
    for (int k = 0; k < t->ncontexts; k++) {
        if (k != here && !(would->turns && k < t->nvariants)) continue;
        Facts *outside = outside_of(t, k, at);
        if (!outside->known) continue;
        Range slots[STACK_SIZE + 1];
        memcpy(slots, outside->slots, (size_t)depth * sizeof *slots);
        slots[depth] = v.range;
        // What was asked since then is of another position.
        t->asked = (restored & outside->asked) | taken_bit(t);
        int to = end, context = lands(t, k, &to);
        arrive_as(t, context, to, outside->cells, slots);
        label_at(t, context, to)->jumped = true;
        const char *label = label_text(t, context, to);
        if (would->turns && t->nvariants > 1)
            say(t, "if (c[MOVER] == %d) goto %s;", k, label);
        else
            say(t, "goto %s;", label);
    }
}

static void raise(Translator *t, int code) {
    int would = t->spots[t->pc].would;
    t->open = false;
    if (code == R_ENDLESS && would >= 0 && t->p->code[would + 4] != INT32_MIN) {
        t->depth = t->spots[would].depth;
        push_number(t, t->p->code[would + 4]);
        answer(t);
    } else {
        fault(t, code);
    }
}

// ---- all of them ---------------------------------------------------------------------------------

// Where the code surely leads from here: past jumps, and branches on what is known.
static int sure_way(const Translator *t, int pc) {
    const int32_t *code = t->p->code;
    for (;;) {
        int next = next_pc(t, pc), scalar = code[pc] == OP_LOAD ? t->scalar_of[code[pc + 1]] : -1;
        bool known = scalar >= 0 && range_single(t->cells[scalar]);
        if (code[pc] == OP_JMP && code[pc + 1] > pc)
            pc = code[pc + 1];
        else if (known && (code[next] == OP_JZ || code[next] == OP_JNZ) && code[next + 1] > pc)
            pc = (t->cells[scalar].low != 0) == (code[next] == OP_JNZ) ? code[next + 1]
                                                                       : next_pc(t, next);
        else
            return pc;
    }
}

// A jump past what offers a candidate and nothing else: the candidate is written down, and counted if it is one.
static bool offers(Translator *t, const Value *v, int to) {
    const int32_t *code = t->p->code;
    int next = next_pc(t, t->pc), cand = sure_way(t, next);
    // A test of several parts has jumped already where the first of them failed.
    if (code[cand] != OP_CAND || (cand == next && t->spots[cand].label) || t->spots[t->pc].label)
        return false;
    int after = next_pc(t, cand);
    bool leads = after == to || (code[after] == OP_JMP && code[after + 1] == to);
    if (!leads || v->range.low < 0 || v->range.high > 1 || range_single(v->range)) return false;
    t->pc = cand;
    offer_one(t, code[cand + 1], "1", v->text);
    leave(t, to);
    t->open = false;
    return true;
}

static void conditional(Translator *t, const int32_t *w) {
    bool truth = w[0] == OP_JNZ || w[0] == OP_JNZK, keep = w[0] == OP_JZK || w[0] == OP_JNZK;
    Value v = *top_value(t, 0);
    if (!keep) pop_value(t);
    settle_all(t);
    if (keep) {
        v.text = top_value(t, 0)->text;
        Range r = top_value(t, 0)->range;
        if (!truth) top_value(t, 0)->range = range_of(0, 0); // that is why it jumps
        branch(t, &v, truth, w[1]);
        top_value(t, 0)->range = r;
        t->depth--;
    } else if (truth || !offers(t, &v, w[1])) {
        branch(t, &v, truth, w[1]);
    }
}

void control(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_JMP:
        settle_all(t);
        leave(t, w[1]);
        t->open = false;
        return;
    case OP_JZ:
    case OP_JNZ:
    case OP_JZK:
    case OP_JNZK: conditional(t, w); return;
    case OP_RAISE: raise(t, w[1]); return;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS:
        settle_all(t);
        t->quiet[t->pc] = false;
        if (w[0] == OP_ITER_LIST) iterate_list(t, w);
        if (w[0] == OP_ITER_RANGE) iterate_range(t, w);
        if (w[0] == OP_ITER_CELLS) iterate_cells(t, w);
        return;
    case OP_CHOOSE:
        settle_all(t);
        say(t, "n = %s;", t->spots[t->pc].would >= 0 ? "looks.base" : "0");
        if (t->spots[t->pc].would >= 0) return; // the search that looks ahead goes on
        t->searched = t->pc;
        t->found = 0;
        begin_counting(t, w[1]);
        return;
    case OP_CAND: offer_one(t, w[1], "1", NULL); return;
    case OP_LOT: lot(t, w[1]); return;
    case OP_DECIDE:
        settle_all(t);
        decide(t, w[1]);
        return;
    case OP_THROW: throw_dice(t, w[1]); return;
    case OP_WOULD: would_begin(t, w); return;
    case OP_VALUE: answer(t); return;
    case OP_REMEMBER: note_position(t); return;
    case OP_SEEN: seen(t); return;
    default: return;
    }
}
