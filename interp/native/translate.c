// Each stack slot becomes a C variable t0, t1, ..., and what is pushed and taken again at once an expression. Cells
// that are neither counts of pieces nor reached by an index become variables v<cell>. A run begins with
// those of the position read from their cells, and ends with them written back.
#include "translate.h"

#include <string.h>

#include "../vm/ask.h"
#include "translator.h"

const char *fault_name(int code) {
    static const char *const names[DIAG_CODES] = {
#define DIAG(name, number, severity, message) [name] = #name,
#include "../../grammar/diagnostics.def"
#undef DIAG
    };
    return names[code];
}

// ---- cells that are reached by an index ----------------------------------------------------------

// The cell at `base` and the place in the list of the value `below` the top.
static const char *indexed(Translator *t, const int32_t *w, int below) {
    const List *list = &t->p->lists[w[1]];
    Value *v = top_value(t, below);
    Range r = list_range(t, w[1]);
    bool up = list->n > 0;
    for (int i = 0; i < list->n; i++) up &= list->at[i] == list->at[0] + i;
    if (up && range_within(v->range, r.low, r.high)) {
        if (range_single(v->range)) return phrase(t, "c[%d]", w[2] + v->range.low - r.low);
        return phrase(t, "c[%d + %s]", w[2] - r.low, in_slot(t, below));
    }
    const char *i = in_slot(t, below);
    say(t, "index = list_position(&lists[%d], %s);", w[1], i);
    say(t, "if (RARE(index < 0)) {");
    say(t, "run->fault_value = %s;", i);
    say(t, "%s", fault_text(t, fault_name(R_INDEX)));
    say(t, "}");
    return phrase(t, "c[%d + index]", w[2]);
}

static void load_indexed(Translator *t, const int32_t *w) {
    settle(t);
    const char *cell = indexed(t, w, 0);
    pop_value(t);
    const char *slot = slot_of(t, t->depth);
    say(t, "%s = %s;", slot, cell);
    push_value(t, slot, any_cell);
}

static void store_indexed(Translator *t, const int32_t *w) {
    settle(t);
    const char *cell = indexed(t, w, 0);
    pop_value(t);
    if (!need_fit(t, 0)) return;
    Value v = pop_value(t);
    settle(t);
    say(t, "%s = %s;", cell, v.text);
}

static void fill(Translator *t, int base, int n, const Value *v) {
    if (n <= SPELT_MAX) {
        for (int i = 0; i < n; i++) {
            say(t, "%s = %s;", cell_text(t, base + i), v->text);
            know_cell(t, base + i, v->range);
        }
        return;
    }
    if (range_single(v->range) && v->range.low == 0)
        say(t, "memset(&c[%d], 0, %d * sizeof *c);", base, n);
    else
        say(t, "for (int i = 0; i < %d; i++) c[%d + i] = %s;", n, base, v->text);
    say(t, "steps -= %d;", n);
}

// ---- instructions --------------------------------------------------------------------------------

void instruction(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_PUSH: push_number(t, w[1]); return;
    case OP_POP: pop_value(t); return;
    case OP_LOAD: push_cell(t, w[1]); return;
    case OP_STORE: {
        if (!need_fit(t, 0)) return;
        Value v = pop_value(t);
        row_stored(t, w[1], v.range);
        set_cell(t, w[1], v.text, v.range);
        return;
    }
    case OP_LOADX: load_indexed(t, w); return;
    case OP_STOREX: store_indexed(t, w); return;
    case OP_FILL: {
        if (!need_fit(t, 0)) return;
        settle_all(t);
        Value v = pop_value(t);
        fill(t, w[1], w[2], &v);
        return;
    }
    case OP_ZERO: {
        settle(t);
        Value zero = {.text = "0", .range = range_of(0, 0)};
        fill(t, w[1], w[2], &zero);
        return;
    }
    default: break;
    }
    if (w[0] >= OP_ADD && w[0] <= OP_NOT)
        reckoning(t, w);
    else if (w[0] >= OP_COUNT && w[0] <= OP_IN)
        asking(t, w);
    else if (w[0] >= OP_PUT && w[0] <= OP_SOW)
        moving_watched(t, w);
    else if (w[0] >= OP_NEXT_PLAYER && w[0] <= OP_END)
        playing(t, w);
    else
        control(t, w);
}

static void note_place(Translator *t) {
    const Program *p = t->p;
    if (!t->out || !t->places || !p->sources || !p->origins) return;
    const Origin *o = &p->origins[t->pc];
    const Source *source = source_of(p->sources, o->span);
    unsigned line = source_place(source, o->span.start).line;
    if (line == t->line) return;
    t->line = line;
    const char *slash = strrchr(source->name, '/');
    fprintf(t->out, "    // %s:%u\n", slash && source->name[0] != '<' ? slash + 1 : source->name,
            line);
}

static void begin_at_label(Translator *t, int pc) {
    const Facts *f = label_at(t, t->context, pc);
    if (f->jumped && t->out) fprintf(t->out, "%s:;\n", label_text(t, t->context, pc));
    memcpy(t->cells, f->cells, (size_t)t->nscalars * sizeof *t->cells);
    t->depth = 0;
    while (t->depth < t->spots[pc].depth) {
        t->stack[t->depth] = (Value){.text = slot_of(t, t->depth),
                                     .range = f->slots[t->depth],
                                     .reads = true,
                                     .copy = -1,
                                     .compared = -1};
        t->depth++;
    }
    t->asked = f->asked;
    t->open = true;
}

static void go_over(Translator *t, int from, int to);

// Writes a loop out, round by round, from its first one on.
static void go_rounds(Translator *t, int head, int rounds, int context) {
    int was = t->context, back = t->spots[head].back;
    for (int k = 0; k < rounds; k++) {
        enter(t, context);
        t->open = false;
        go_over(t, head, back);
        if (t->open) { // past the loop's last jump
            settle_all(t);
            say(t, "goto %s;", jump_to(t, next_pc(t, back)));
        }
        if (k + 1 < rounds) context = next_round(t, context);
    }
    enter(t, was);
    t->open = false;
}

// What the base code leaves in the cells of a loop that has gone through its whole list.
static void leave_loop(Translator *t, const Mask *m) {
    const int32_t *w = t->p->code + m->head;
    const List *list = &t->p->lists[m->list];
    int32_t last = list->at[list->n - 1];
    set_cell(t, w[3], phrase(t, "%d", last), range_of(last, last));
    leave(t, w[4]);
}

// The elements that pass the first tests are bits of a number, and each round takes one of them.
static void go_masked(Translator *t, const Mask *m) {
    const int32_t *w = t->p->code + m->head;
    int n = t->p->lists[m->list].n, was = t->context;
    const char *bits = phrase(t, "b%d", m->head);
    t->masked[m->head] = true;
    note_place(t);
    say_mask(t, m, bits);
    set_cell(t, w[2], phrase(t, "%d", n), range_of(n, n));
    if (m->only) {
        count_candidates(t, m, bits);
        leave_loop(t, m);
        t->open = false;
        return;
    }
    if (m->sum >= 0) {
        Range r = cell_range(t, m->sum);
        const char *how_many = ones_text(t, bits, n);
        if (m->step > 1) how_many = phrase(t, "%d * %s", m->step, how_many);
        set_cell(t, m->sum, phrase(t, "%s + %s", cell_text(t, m->sum), how_many),
                 range_of(r.low, r.high + n * m->step));
        leave_loop(t, m);
        t->open = false;
        return;
    }
    int context = masked_round(t, m->head);
    Range slots[STACK_SIZE + 1];
    for (int i = 0; i < t->depth; i++) slots[i] = t->stack[i].range;
    arrive_as(t, context, m->head, t->cells, slots);
    enter(t, context);
    t->pc = m->head;
    begin_at_label(t, m->head);
    Range before[SCALARS_MAX];
    memcpy(before, t->cells, sizeof before);
    say(t, "if (%s == 0) {", bits);
    leave_loop(t, m);
    say(t, "}");
    memcpy(t->cells, before, sizeof before);
    set_cell(t, w[3], phrase(t, "list_%d[lowest(%s)]", m->list, bits), list_range(t, m->list));
    say(t, "%s &= %s - 1;", bits, bits);
    go_over(t, m->cut, m->back);
    if (t->open) { // past the loop's last jump
        settle_all(t);
        say(t, "goto %s;", jump_to(t, next_pc(t, m->back)));
    }
    enter(t, was);
    t->open = false;
}

static void go_written_out(Translator *t, int head, int rounds) {
    settle_all(t);
    int asked = asked_before(t, head), contexts[2];
    Range slots[STACK_SIZE + 1];
    for (int i = 0; i < t->depth; i++) slots[i] = t->stack[i].range;
    for (int given = asked >= 0; given >= 0; given--) {
        contexts[given] = first_round(t, head, rounds, asked >= 0 ? given : -1);
        if (asked >= 0) t->cells[asked] = range_of(given, given);
        arrive_as(t, contexts[given], head, t->cells, slots);
    }
    if (asked >= 0) {
        label_at(t, contexts[0], head)->jumped = true;
        say(t, "if (!%s) goto %s;", t->names[asked], label_text(t, contexts[0], head));
        go_rounds(t, head, rounds, contexts[1]);
    }
    go_rounds(t, head, rounds, contexts[0]);
}

// Goes over a stretch of the code in the context in hand.
static void go_over(Translator *t, int from, int to) {
    for (int pc = from; pc <= to; pc = next_pc(t, pc)) {
        t->pc = pc;
        if (t->spots[pc].label) {
            if (t->open) {
                settle_all(t);
                arrive(t, pc);
            }
            t->open = visited(t, pc) && label_at(t, t->context, pc)->known;
            if (t->open) begin_at_label(t, pc);
        }
        if (!t->open) continue;
        int rounds = rounds_written(t, pc);
        if (rounds > 0 && rounds <= AT_ONCE_FEW && asked_at_once(t, pc, rounds)) {
            pc = t->spots[pc].back;
            continue;
        }
        Mask mask;
        int list = list_of_loop(t, pc);
        if (list >= 0 && (pairs_of(t, pc, list, &mask) || mask_of(t, pc, list, &mask))) {
            settle_all(t);
            go_masked(t, &mask);
            pc = mask.back;
            continue;
        }
        if (rounds > 0) {
            if (!asked_at_once(t, pc, rounds)) go_written_out(t, pc, rounds);
            pc = t->spots[pc].back;
            continue;
        }
        note_place(t);
        instruction(t, t->p->code + pc);
    }
}

static void go_over_all(Translator *t, int context) {
    enter(t, context);
    t->open = false; // the instruction before leads here
    t->line = 0;
    go_over(t, 0, t->p->ncode - 1);
}

// ---- the function --------------------------------------------------------------------------------

static void write_cells_macro(const Translator *t, const char *name, int limit, bool kept,
                              bool from) {
    fprintf(t->out, "#define %s do {", name);
    for (int i = 0; i < t->nscalars; i++) {
        int cell = t->scalar_cell[i];
        if (cell >= limit && !(kept && t->kept[i])) continue;
        if (from)
            fprintf(t->out, " %s = c[%d];", t->names[i], cell);
        else
            fprintf(t->out, " c[%d] = %s;", cell, t->names[i]);
    }
    fputs(" } while (0)\n", t->out);
}

static void write_variables(Translator *t) {
    for (int i = 0; i < t->slots; i++) say(t, "int32_t t%d = 0;", i);
    for (int i = 0; i < t->nscalars; i++) say(t, "int32_t %s = 0;", t->names[i]);
    say(t, "int32_t lifted_from = 0; (void)lifted_from;");
    for (int i = 0; i < SITE_KINDS_MAX && t->few; i++)
        say(t, "int32_t lifted_%d = 0; (void)lifted_%d;", i, i);
    for (int i = 0; i < t->slots; i++) say(t, "(void)t%d;", i);
    for (int i = 0; i < t->nscalars; i++) say(t, "(void)%s;", t->names[i]);
    for (int i = 0; i < t->nmasks; i++) say(t, "uint64_t m%d = 0; (void)m%d;", i, i);
    for (int i = 0; i < t->nwatches; i++)
        if (t->watches[i].used) say(t, "uint64_t w%d = 0; (void)w%d;", i, i);
    declare_counted(t);
    declare_marked(t);
    for (int pc = 0; pc < t->p->ncode; pc = next_pc(t, pc)) {
        if (t->masked[pc]) say(t, "uint64_t b%d = 0; (void)b%d;", pc, pc);
        if (t->woulds[pc] && !t->woulds[pc]->tries) would_declare(t, pc);
    }
}

static void write_entries(Translator *t) {
    if (t->looks) fputs("go_on:\n", t->out);
    say(t, "FROM_CELLS;");
    say(t, t->nvariants > 1 ? "switch (at * PLAYERS + c[MOVER]) {" : "switch (at) {");
    for (int pc = 0; pc < t->p->ncode; pc = next_pc(t, pc)) {
        const Spot *spot = &t->spots[pc];
        if (!visited(t, pc) || !(spot->entry || spot->answer)) continue;
        for (int k = 0; k < t->nvariants; k++) {
            Facts *f = label_at(t, k, pc);
            if (!f->known) continue;
            f->jumped = true;
            say(t, "case %d:", pc * t->nvariants + k);
            if (spot->answer) say(t, "t%d = looks.answer;", spot->depth - 1);
            for (int i = 0; i < t->nwatches && i < 64; i++)
                if (f->asked >> i & 1 && t->watches[i].used) say(t, "w%d = watch_%d(c);", i, i);
            say(t, "goto %s;", label_text(t, k, pc));
        }
    }
    say(t, "default: return IS_FAULT; // no such place");
    say(t, "}");
}

static void write_end(Translator *t) {
    for (int pc = 0; pc < t->p->ncode; pc = next_pc(t, pc)) {
        const Would *w = t->woulds[pc];
        if (!w || w->tries || !w->faults) continue;
        fprintf(t->out, "failed_%d: // in a look-ahead\n", pc);
        would_restore(t, pc, 0);
        say(t, "if (fault == R_STEPS) fault = R_WOULD_STEPS;");
        say(t, "if (fault == R_WOULD_STEPS || fault == R_WOULD_DEPTH) run->fault_at = %d;", pc);
        say(t, "goto failed;");
    }
    fputs("failed: MAYBE_UNUSED;\n", t->out);
    say(t, "TO_CELLS;");
    say(t, "run->steps = steps;");
    say(t, "run->plies = plies;");
    say(t, "return failed(run, LOOKS_HERE, c, fault, run->fault_at);");
    fputs("stop: MAYBE_UNUSED;\n", t->out);
    say(t, "TO_CELLS;");
    say(t, "run->n = n;");
    say(t, "run->steps = steps;");
    say(t, "run->plies = plies;");
    say(t, "return status;");
}

static void write_ahead(Translator *t, int number) {
    const Program *p = t->p;
    const Ahead *a = &t->aheads[number];
    fprintf(
        t->out,
        "// The sites %d to %d along.\nMAYBE_UNUSED static const int16_t ahead_%d[][SITES] = {\n",
        a->low, a->high, number);
    for (int track = a->first; track <= a->last; track++)
        for (int n = a->low; n <= a->high; n++) {
            fputs("    {", t->out);
            for (int s = 0; s < p->nsites; s++)
                fprintf(t->out, "%d, ", track_ahead(p, s, track, n));
            fputs("},\n", t->out);
        }
    fputs("};\n", t->out);
}

static void go_over_until_known(Translator *t) {
    do {
        t->changed = false;
        for (int k = 0; k < t->nvariants; k++) go_over_all(t, k);
    } while (t->changed);
}

static void find_out(Translator *t) {
    const Program *p = t->p;
    int first = p->initial[p->system + CELL_MOVER];
    Range cells[SCALARS_MAX];
    for (int i = 0; i < t->nscalars; i++) {
        int cell = t->scalar_cell[i];
        cells[i] = cell < p->nstate ? range_of(p->initial[cell], p->initial[cell]) : any_cell;
    }
    t->asked = t->kept_up | taken_bit(t);
    arrive_as(t, t->nvariants > 1 ? first : 0, 0, cells, NULL);
    go_over_until_known(t);
    if (counted_anew(t)) go_over_until_known(t);
    t->few = find_if_few(t);
    if (t->few) go_over_until_known(t);
    // Jumps that once were, while less was known, are no more.
    for (int k = 0; k < t->ncontexts; k++)
        for (int pc = t->contexts[k].head; pc <= t->contexts[k].back; pc++)
            if (t->contexts[k].labels[pc - t->contexts[k].head])
                t->contexts[k].labels[pc - t->contexts[k].head]->jumped = false;
    t->slow = false;
    for (int k = 0; k < t->nvariants; k++) go_over_all(t, k);
}

void translate(FILE *out, Arena *arena, const Program *p, bool places) {
    Translator *t = arena_alloc(arena, sizeof *t);
    size_t n = (size_t)p->ncode;
    t->arena = arena;
    t->p = p;
    t->places = places;
    if (places) c_names_init(&t->called, arena, p);
    t->nvariants = p->nplayers == VARIANTS_MAX && p->ncode <= VARIANT_CODE_MAX ? VARIANTS_MAX : 1;
    size_t alternatives = (size_t)p->nalternatives * VARIANTS_MAX + 1;
    t->spots = arena_array(arena, n + 1, sizeof *t->spots);
    t->woulds = arena_array(arena, n, sizeof *t->woulds);
    t->scalar_of = arena_array(arena, (size_t)p->ncells + 1, sizeof *t->scalar_of);
    t->rows = arena_array(arena, (size_t)p->ncells + 1, sizeof *t->rows);
    t->rounds = arena_array(arena, n + 1, sizeof *t->rounds);
    t->masked = arena_array(arena, n + 1, sizeof *t->masked);
    t->counted = arena_array(arena, (size_t)p->ndecisions * VARIANTS_MAX + 1, sizeof *t->counted);
    t->marked = arena_array(arena, (size_t)p->ndecisions * VARIANTS_MAX + 1, sizeof *t->marked);
    t->quiet = arena_array(arena, n, sizeof *t->quiet);
    t->chosen = arena_array(arena, alternatives, sizeof *t->chosen);
    t->offered = arena_array(arena, alternatives, sizeof *t->offered);
    t->alone = arena_array(arena, (size_t)p->nalternatives + 1, sizeof *t->alone);
    t->alternatives = arena_array(arena, (size_t)p->nalternatives + 1, sizeof *t->alternatives);
    t->most_put = arena_array(arena, n, sizeof *t->most_put);
    find_flow(t);
    t->moves_little = moves_little(t);
    t->hooked = -1;
    taken_init(t);
    contexts_init(t);
    find_out(t);
    bool anew = taken_given_up(t);
    keep_watches(t);
    if (t->kept_up || anew) { // which changes where they are known
        t->ncontexts = 0;
        memset(t->offered, 0, alternatives * sizeof *t->offered);
        contexts_init(t);
        find_out(t);
    }
    t->out = out;
    for (int i = 0; i < t->naheads; i++) write_ahead(t, i);
    write_watches(out, t);
    write_pairs(out, t);
    for (int i = 0; i < t->nlaps; i++) write_lap(t, i);
    fprintf(out, "#define LOOKS_HERE %s\n#define BASE %s\n", t->looks ? "&looks" : "NULL",
            t->looks ? "looks.base" : "(size_t)0");
    write_cells_macro(t, "FROM_CELLS", p->nstate, true, true);
    write_cells_macro(t, "TO_CELLS", p->nstate, true, false);
    write_cells_macro(t, "NOTED_CELLS", p->npositions, false, false);
    fputs("static int step(StepRun *run, int32_t *restrict c, int at) {\n", out);
    say(t, "StepCandidate *list = run->list;");
    say(t, "size_t n = 0, pick = 0, room = run->room < CANDIDATES ? run->room : CANDIDATES;");
    say(t, "long steps = run->steps, plies = run->plies;");
    say(t, "int fault = 0, index = 0, status = IS_OVER;");
    say(t, "uint64_t hash = 0;");
    if (t->looks) {
        say(t, "Looks looks;");
        say(t, "looks.n = 0, looks.woulds = 0, looks.base = 0, looks.answer = 0;");
    }
    say(t, "(void)list, (void)room, (void)fault, (void)index, (void)pick, (void)hash;");
    write_variables(t);
    write_entries(t);
    for (int k = 0; k < t->nvariants; k++) {
        if (t->nvariants > 1) fprintf(out, "\n    // ---- %s to move\n\n", p->players[k]);
        go_over_all(t, k);
    }
    write_end(t);
    fputs("}\n", out);
}
