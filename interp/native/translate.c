// Each stack slot becomes a C variable t0, t1, ..., and what is pushed and taken again at once an expression. Cells that are
// used between decisions only become variables v<cell>, unless a look-ahead writes them: those
// have to come back with the copy.
#include "translate.h"

#include <stdarg.h>
#include <string.h>

static const int operands_of[OPCODES] = {
#define OP(name, operands, pops, pushes) [OP_##name] = (operands),
#include "../vm/opcodes.def"
#undef OP
};
static const int pops_of[OPCODES] = {
#define OP(name, operands, pops, pushes) [OP_##name] = (pops),
#include "../vm/opcodes.def"
#undef OP
};
static const int pushes_of[OPCODES] = {
#define OP(name, operands, pops, pushes) [OP_##name] = (pushes),
#include "../vm/opcodes.def"
#undef OP
};

typedef struct Spot { // what holds at a code word
    int depth;        // -1: nothing comes here
    int would;        // pc of the innermost look-ahead, or -1
    bool label;       // something jumps here
    bool entry;       // a run may begin or go on here
    bool answer;      // a look-ahead's answer arrives here
} Spot;

typedef struct Value {
    const char *text;
    bool constant, reads; // reads: depends on cells or variables
    int k;
} Value;

typedef struct Translator {
    FILE *out;
    Arena *arena;
    const Program *p;
    bool places, looks;
    Spot *spots;
    bool *local; // per cell: a C variable
    Value stack[STACK_SIZE];
    int depth, pc, slots;
    unsigned line; // of the last place noted
} Translator;

const char *fault_name(int code) {
    static const char *const names[DIAG_CODES] = {
#define DIAG(name, number, severity, message) [name] = #name,
#include "../../grammar/diagnostics.def"
#undef DIAG
    };
    return names[code];
}

// ---- the flow ------------------------------------------------------------------------------------

typedef VEC(int) Work;

static void flow(Translator *t, Work *work, int pc, int depth, int would) {
    if (t->spots[pc].depth >= 0) return;
    t->spots[pc].depth = depth;
    t->spots[pc].would = would;
    vec_push(t->arena, work, pc);
}

static void jump(Translator *t, Work *work, int pc, int depth, int would) {
    t->spots[pc].label = true;
    flow(t, work, pc, depth, would);
}

static int base_depth(const Translator *t, int would) {
    return would < 0 ? 0 : t->spots[would].depth;
}

static void flow_from(Translator *t, Work *work, int pc) {
    const Program *p = t->p;
    const int32_t *w = p->code + pc;
    Opcode op = (Opcode)w[0];
    int would = t->spots[pc].would;
    int pops = op == OP_FAMILY ? p->families[w[1]].dims : pops_of[op];
    int depth = t->spots[pc].depth, after = depth - pops + pushes_of[op];
    if (after > t->slots) t->slots = after;
    int next = pc + 1 + operands_of[op];
    switch (op) {
    case OP_JMP: jump(t, work, w[1], after, would); return;
    case OP_JZ:
    case OP_JNZ: jump(t, work, w[1], after, would); break;
    case OP_JZK:
    case OP_JNZK:
        jump(t, work, w[1], after, would);
        after--;
        break;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS: jump(t, work, w[operands_of[op]], after, would); break;
    case OP_CAND:
    case OP_LOT: {
        int to = p->alternatives[w[1]].target;
        t->spots[to].entry = true;
        jump(t, work, to, base_depth(t, would), would);
        break;
    }
    case OP_THROW: {
        int to = p->throws[w[1]].target;
        t->spots[to].entry = true;
        jump(t, work, to, after, would);
        return;
    }
    case OP_CHOOSE:
        if (would < 0) t->spots[pc].entry = t->spots[pc].label = true;
        break;
    case OP_WOULD:
        t->looks = true;
        flow(t, work, next, depth, pc);
        flow(t, work, w[1], depth, pc);
        t->spots[w[2]].answer = true;
        jump(t, work, w[2], after, would);
        return;
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END: // over: on a copy the look-ahead works out its answer
        if (would >= 0) t->spots[p->code[would + 1]].label = true;
        return;
    case OP_VALUE:
    case OP_RAISE: return;
    default: break;
    }
    flow(t, work, next, after, would);
}

static void find_flow(Translator *t) {
    Work work = {0};
    for (int i = 0; i < t->p->ncode; i++) t->spots[i] = (Spot){.depth = -1, .would = -1};
    t->spots[0].entry = true;
    jump(t, &work, 0, 0, -1);
    while (work.n > 0) flow_from(t, &work, work.at[--work.n]);
}

static bool visited(const Translator *t, int pc) { return t->spots[pc].depth >= 0; }

static int next_pc(const Translator *t, int pc) { return pc + 1 + operands_of[t->p->code[pc]]; }

static void keep(Translator *t, int base, int n) {
    for (int i = 0; i < n; i++) t->local[base + i] = false;
}

// Cells that need to be cells: part of the position, reached by an index, or written within a look-ahead.
static void find_locals(Translator *t) {
    const Program *p = t->p;
    for (int i = 0; i < p->ncells; i++) t->local[i] = i >= p->nstate;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = p->code + pc;
        bool within = t->spots[pc].would >= 0;
        switch ((Opcode)w[0]) {
        case OP_LOADX:
        case OP_STOREX: keep(t, w[2], p->lists[w[1]].n); break;
        case OP_FILL:
        case OP_ZERO: keep(t, w[1], w[2]); break;
        case OP_STORE:
            if (within) keep(t, w[1], 1);
            break;
        case OP_ITER_CELLS:
            keep(t, w[1], w[2]);
            if (within) keep(t, w[3], 1), keep(t, w[4], 1);
            break;
        case OP_ITER_LIST:
        case OP_ITER_RANGE:
            if (within) keep(t, w[1], 1), keep(t, w[2], 1), keep(t, w[3], 1);
            break;
        default: break;
        }
    }
    for (int i = 0; i < p->nalternatives; i++)
        for (int k = 0; k < p->alternatives[i].nvars; k++)
            t->local[p->alternatives[i].cells[k]] = false;
    for (int i = 0; i < p->nthrows; i++)
        for (int k = 0; k < p->throws[i].nvars; k++) t->local[p->throws[i].cells[k]] = false;
    for (int i = 0; i < p->ndecisions; i++)
        keep(t, p->decisions[i].clear_base, p->decisions[i].clear_n);
}

// ---- values --------------------------------------------------------------------------------------

static void say(Translator *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Translator *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("    ", t->out);
    vfprintf(t->out, format, args);
    fputc('\n', t->out);
    va_end(args);
}

static void push(Translator *t, const char *text) {
    t->stack[t->depth++] = (Value){.text = text, .reads = true};
}

static void push_number(Translator *t, int k) {
    const char *text = k == UNSET ? "UNSET" : arena_printf(t->arena, "%d", k);
    t->stack[t->depth++] = (Value){.text = text, .constant = true, .k = k};
}

static const char *pop(Translator *t) { return t->stack[--t->depth].text; }

// Puts into its slot what depends on what is about to change, from the bottom up: an expression only uses slots from
// its own on.
static void settle(Translator *t) {
    for (int i = 0; i < t->depth; i++) {
        Value *v = &t->stack[i];
        char slot[16];
        snprintf(slot, sizeof slot, "t%d", i);
        if (!v->reads || strcmp(v->text, slot) == 0) continue;
        say(t, "%s = %s;", slot, v->text);
        v->text = arena_printf(t->arena, "%s", slot);
    }
}

// All of them, constants too: paths meet.
static void settle_all(Translator *t) {
    for (int i = 0; i < t->depth; i++) t->stack[i].reads = true;
    settle(t);
}

static const char *slot_of(Translator *t, int depth) {
    return arena_printf(t->arena, "t%d", depth);
}

static const char *cell(Translator *t, int at) {
    const Program *p = t->p;
    if (t->local[at]) return arena_printf(t->arena, "v%d", at);
    if (at == p->system + CELL_MOVER) return "c[MOVER]";
    for (int i = 0; i < p->nvariables; i++)
        if (p->variables[i].cell == at && p->variables[i].list < 0)
            return arena_printf(t->arena, "c[%d /* %s */]", at, p->variables[i].name);
    return arena_printf(t->arena, "c[%d]", at);
}

static void fault_if(Translator *t, const char *test, int code) {
    say(t, "if (RARE(%s)) FAULT(%s, %d);", test, fault_name(code), t->pc);
}

static const char *text(Translator *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *text(Translator *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *s = arena_vprintf(t->arena, format, args);
    va_end(args);
    return s;
}

// The value on top in its slot, to be used more than once; constants stay as they are.
static const char *in_slot(Translator *t) {
    Value *v = &t->stack[t->depth - 1];
    if (v->constant) return v->text;
    settle(t);
    return v->text;
}

static void leave(Translator *t, int to) {
    if (to <= t->pc) {
        say(t, "if (RARE((steps -= %d) < 0)) FAULT(R_STEPS, %d);", t->pc - to + 1, t->pc);
    }
    say(t, "goto L%d;", to);
}

// Without the brackets around all of it: an `if` has its own.
static const char *bare(Translator *t, const char *test) {
    size_t n = strlen(test);
    int open = 0;
    for (size_t i = 0; i < n; i++) {
        open += (test[i] == '(') - (test[i] == ')');
        if (open == 0 && i + 1 < n) return test;
    }
    return arena_strndup(t->arena, test + 1, n - 2);
}

static void leave_if(Translator *t, const char *test, int to) {
    test = bare(t, test);
    if (to > t->pc) {
        say(t, "if (%s) goto L%d;", test, to);
        return;
    }
    say(t, "if (%s) {", test);
    leave(t, to);
    say(t, "}");
}

// ---- instructions --------------------------------------------------------------------------------

static void binary(Translator *t, const char *sign) {
    const char *b = pop(t), *a = pop(t);
    push(t, text(t, "(%s %s %s)", a, sign, b));
}

static void checked(Translator *t, const char *name) {
    const char *b = pop(t), *a = pop(t);
    settle(t);
    fault_if(t, text(t, "%s_numbers(%s, %s, &%s)", name, a, b, slot_of(t, t->depth)), R_TOO_BIG);
    push(t, slot_of(t, t->depth));
}

static void division(Translator *t, bool modulo) {
    settle_all(t);
    const char *b = pop(t), *a = pop(t);
    fault_if(t, text(t, "%s == 0", b), R_DIVIDE);
    if (!modulo) fault_if(t, text(t, "%s == -1 && %s == INT32_MIN", b, a), R_TOO_BIG);
    push(t, text(t, "%s(%s, %s)", modulo ? "modulo" : "divide", a, b));
}

static void asked(Translator *t, const char *name, int args, const char *more) {
    const char *s = "";
    for (int i = 0; i < args; i++) s = text(t, "%s, %s", s, t->stack[t->depth - args + i].text);
    t->depth -= args;
    push(t, text(t, "%s(c%s%s)", name, s, more));
}

static void acted(Translator *t, const char *name, const char *first, int args) {
    const char *s = first;
    for (int i = 0; i < args; i++) s = text(t, "%s, %s", s, t->stack[t->depth - args + i].text);
    t->depth -= args;
    settle(t);
    say(t, "TRY(%s(c%s), %d);", name, s, t->pc);
}

static const char *a_list(Translator *t, int list) { return text(t, "&lists[%d]", list); }

// A list's number on top of `above` others: a fault if it is none.
static void need_list(Translator *t, int above) {
    Value *v = &t->stack[t->depth - 1 - above];
    if (v->constant && v->k >= 0 && v->k < t->p->nlists) return;
    settle_all(t);
    fault_if(t, text(t, "!is_list(%s)", v->text), R_UNSET);
}

static void need_player(Translator *t) {
    Value *v = &t->stack[t->depth - 1];
    if (v->constant && v->k >= 0 && v->k < t->p->nplayers) return;
    settle_all(t);
    fault_if(t, text(t, "!is_player(%s)", v->text), R_UNSET);
}

static void family(Translator *t, int number) {
    const Family *f = &t->p->families[number];
    const char *s = "";
    for (int i = 0; i < f->dims; i++)
        s = text(t, "%s%s%s", s, i ? ", " : "", t->stack[t->depth - f->dims + i].text);
    t->depth -= f->dims;
    push(t, text(t, "family_%d(%s)", number, s));
}

static const char *position(Translator *t, int list, const char *v) {
    return text(t, "list_position(%s, %s)", a_list(t, list), v);
}

static void indexed(Translator *t, const int32_t *w) {
    const char *i = in_slot(t);
    say(t, "index = %s;", position(t, w[1], i));
    say(t, "if (RARE(index < 0)) FAULT_INDEX(%s, %d);", i, t->pc);
    t->depth--;
}

static void fits(Translator *t, const Value *v) {
    if (v->constant && v->k >= CELL_MIN && v->k <= CELL_MAX) return;
    if (strncmp(v->text, "v", 1) == 0 || strncmp(v->text, "c[", 2) == 0) return; // is a cell
    if (strncmp(v->text, "family_", 7) == 0 || strncmp(v->text, "track_", 6) == 0) return;
    settle_all(t);
    fault_if(t, text(t, "!fits_cell(%s)", v->text), R_TOO_BIG);
}

static void store(Translator *t, int to) {
    fits(t, &t->stack[t->depth - 1]);
    const char *v = pop(t);
    settle(t);
    say(t, "%s = %s;", cell(t, to), v);
}

static void candidate(Translator *t, int number, const char *weight) {
    const Alternative *a = &t->p->alternatives[number];
    say(t, "if (RARE(n >= room)) MORE(%d);", t->pc);
    say(t, "list[n].alternative = %d;", number);
    for (int i = 0; i < a->nvars; i++)
        say(t, "list[n].values[%d] = (int16_t)%s;", i, cell(t, a->cells[i]));
    say(t, "list[n++].weight = %s;", weight);
}

// What only the search used is zero while the state waits.
static void clear_search(Translator *t, int decision) {
    const Decision *d = &t->p->decisions[decision];
    for (int i = 0; i < d->clear_n; i++) say(t, "c[%d] = 0;", d->clear_base + i);
    for (int pc = d->pc; pc < t->p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = t->p->code + pc;
        if (w[0] == OP_DECIDE && w[1] == decision) return;
        if (w[0] != OP_CAND && w[0] != OP_LOT) continue;
        const Alternative *a = &t->p->alternatives[w[1]];
        for (int k = 0; k < a->nvars; k++) {
            bool cleared = a->cells[k] >= d->clear_base && a->cells[k] < d->clear_base + d->clear_n;
            if (!cleared) say(t, "c[%d] = 0;", a->cells[k]);
        }
    }
}

static void decide(Translator *t, int decision) {
    bool looks = t->spots[t->pc].would >= 0;
    const Decision *d = &t->p->decisions[decision];
    say(t, "if (n > %s) {", looks ? "looks.base" : "0");
    clear_search(t, decision);
    if (!looks) {
        say(t, "c[WAITS_AT] = %d;", decision + 1);
        say(t, "STOP(%s);", d->chance ? "WAITS_CHANCE" : "WAITS_CHOICE");
    } else if (d->chance) {
        say(t, "FAULT(R_WOULD_CHANCE, %d);", t->pc);
    } else {
        say(t, "AWAY(fault = look_decide(run, &looks, c, %d, &at));", t->pc);
        say(t, "if (fault) FAULT(fault, %d);", t->pc);
        say(t, "if (at < 0) AWAY(at = look_answer(run, &looks, c, INT32_MIN));");
        say(t, "if (steps < 0) FAULT(R_WOULD_STEPS, %d);", t->pc);
        say(t, "goto go_on;");
    }
    say(t, "}");
}

// The game is over; on a copy the look-ahead works out its answer.
static void over(Translator *t) {
    int would = t->spots[t->pc].would;
    if (would < 0) {
        say(t, "n = 0;");
        say(t, "STOP(IS_OVER);");
        return;
    }
    int then = t->p->code[would + 1];
    if (then <= t->pc) {
        say(t, "steps -= %d;", t->pc - then + 1);
        say(t, "if (steps < 0) FAULT(R_WOULD_STEPS, %d);", t->pc);
    }
    // Decisions within the look-ahead stay to be tried: the answer goes to the innermost.
    say(t, "goto L%d;", then);
}

static void would(Translator *t, const int32_t *w) {
    settle_all(t);
    say(t, "AWAY(fault = look_push(run, &looks, c, (Look){.then = %d, .end = %d, .enough = %s,",
        w[1], w[2], w[3] == INT32_MIN ? "INT32_MIN" : text(t, "%d", w[3]));
    say(t, "     .endless = %s, .at = %d, .base = looks.base}));",
        w[4] == INT32_MIN ? "INT32_MIN" : text(t, "%d", w[4]), t->pc);
    say(t, "if (fault) FAULT(fault, %d);", t->pc);
    say(t, "looks.base = n;");
}

static void answer(Translator *t, const char *value) {
    say(t, "AWAY(at = look_answer(run, &looks, c, %s));", value);
    say(t, "if (steps < 0) FAULT(R_WOULD_STEPS, %d);", t->pc);
    say(t, "goto go_on;");
}

static void raise(Translator *t, int code) {
    int would = t->spots[t->pc].would;
    if (code == R_ENDLESS && would >= 0 && t->p->code[would + 4] != INT32_MIN)
        answer(t, text(t, "%d", t->p->code[would + 4]));
    else
        say(t, "FAULT(%s, %d);", fault_name(code), t->pc);
}

static void iterate_list(Translator *t, const int32_t *w) {
    const char *list = cell(t, w[1]), *i = cell(t, w[2]), *v = cell(t, w[3]);
    fault_if(t, text(t, "!is_list(%s)", list), R_UNSET);
    leave_if(t, text(t, "%s >= lists[%s].n", i, list), w[4]);
    say(t, "%s = lists[%s].at[%s];", v, list, i);
    say(t, "%s++;", i);
}

static void iterate_range(Translator *t, const int32_t *w) {
    const char *n = cell(t, w[1]), *high = cell(t, w[2]);
    leave_if(t, text(t, "%s > %s", n, high), w[4]);
    say(t, "%s = %s;", cell(t, w[3]), n);
    say(t, "if (%s < CELL_MAX) %s++;", n, n);
    say(t, "else %s = CELL_MAX - 1;", high);
}

static void iterate_cells(Translator *t, const int32_t *w) {
    const char *i = cell(t, w[3]);
    leave_if(t, text(t, "(uint32_t)%s >= %du", i, w[2]), w[5]);
    say(t, "%s = c[%d + %s];", cell(t, w[4]), w[1], i);
    say(t, "%s++;", i);
}

static void counted(Translator *t, int list_at, const char *factor) {
    const char *list = t->stack[list_at].text;
    say(t, "steps -= lists[%s].n%s;", list, factor);
}

static void asking(Translator *t, const int32_t *w) {
    const char *a, *b;
    switch ((Opcode)w[0]) {
    case OP_COUNT: asked(t, "count_all", 1, ""); return;
    case OP_COUNT_KIND: asked(t, "count_kind", 2, ""); return;
    case OP_COUNT_SET: asked(t, "count_set", 1, text(t, ", %s", a_list(t, w[1]))); return;
    case OP_OCCUPIED:
        asked(t, "count_all", 1, "");
        push(t, text(t, "(%s > 0)", pop(t)));
        return;
    case OP_EMPTY:
        in_slot(t);
        asked(t, "is_empty", 1, "");
        return;
    case OP_EMPTY_KIND: asked(t, "empty_kind", 2, ""); return;
    case OP_EMPTY_SET: asked(t, "empty_set", 1, text(t, ", %s", a_list(t, w[1]))); return;
    case OP_LCOUNT:
    case OP_LCOUNT_SET: {
        need_list(t, 0);
        int kinds = w[0] == OP_LCOUNT ? -1 : w[1];
        const char *l = in_slot(t);
        counted(t, t->depth - 1, kinds < 0 ? "" : text(t, " * %d", t->p->lists[kinds].n + 1));
        t->depth--;
        push(t, kinds < 0 ? text(t, "list_count(c, &lists[%s])", l)
                          : text(t, "list_count_set(c, &lists[%s], %s)", l, a_list(t, kinds)));
        return;
    }
    case OP_LCOUNT_KIND:
        need_list(t, 1);
        settle_all(t);
        counted(t, t->depth - 2, "");
        b = pop(t), a = pop(t);
        push(t, text(t, "list_count_kind(c, &lists[%s], %s)", a, b));
        return;
    case OP_PIECE_ON: asked(t, "piece_on", 1, text(t, ", %s", a_list(t, w[1]))); return;
    case OP_MAP: push(t, text(t, "table_%d(%s)", w[1], pop(t))); return;
    case OP_FAMILY: family(t, w[1]); return;
    case OP_NEXT:
        b = pop(t), a = pop(t);
        push(t, text(t, "track_next(tracks, %s, %s)", a, b));
        return;
    case OP_AHEAD: {
        settle_all(t);
        const char *n = pop(t);
        b = pop(t), a = pop(t);
        say(t, "if (is_track(%s)) steps -= tracks[%s].n;", b, b);
        push(t, text(t, "track_ahead(tracks, %s, %s, %s)", a, b, n));
        return;
    }
    case OP_NTH:
        need_list(t, 1);
        b = pop(t), a = pop(t);
        push(t, text(t, "list_nth(&lists[%s], %s)", a, b));
        return;
    case OP_INDEX:
    case OP_IN:
        need_list(t, 0);
        if (!t->stack[t->depth - 1].constant) settle_all(t);
        counted(t, t->depth - 1, " / 8");
        b = pop(t), a = pop(t);
        push(t, text(t,
                     w[0] == OP_IN ? "(list_position(&lists[%s], %s) >= 0)"
                                   : "(list_position(&lists[%s], %s) + 1)",
                     b, a));
        return;
    case OP_SIZE:
        need_list(t, 0);
        push(t, text(t, "lists[%s].n", pop(t)));
        return;
    default: return;
    }
}

static void moving(Translator *t, const int32_t *w) {
    const char *list = operands_of[w[0]] ? text(t, ", %s", a_list(t, w[1])) : "";
    switch ((Opcode)w[0]) {
    case OP_PUT: acted(t, "put_pieces", "", 3); return;
    case OP_REMOVE: acted(t, "remove_pieces", "", 3); return;
    case OP_REMOVE_ALL: acted(t, "remove_all", "", 1); return;
    case OP_REMOVE_SET: acted(t, "remove_set", list, 1); return;
    case OP_REMOVE_KIND: acted(t, "remove_kind", "", 2); return;
    case OP_MOVE: acted(t, "move_pieces", "", 4); return;
    case OP_MOVE_ALL: acted(t, "move_all", "", 2); return;
    case OP_MOVE_SET: acted(t, "move_set", list, 2); return;
    case OP_MOVE_KIND: acted(t, "move_kind", "", 3); return;
    case OP_SOW: {
        settle_all(t);
        const char *track = pop(t), *s = pop(t);
        say(t, "steps -= count_set(c, %s, %s) + %d;", s, a_list(t, w[1]), t->p->lists[w[1]].n);
        say(t, "TRY(sow_along(c%s, &%s, tracks, %s), %d);", list, s, track, t->pc);
        push(t, s);
        return;
    }
    default: return;
    }
}

static void playing(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_NEXT_PLAYER:
        need_player(t);
        push(t, text(t, "next_player(c, %s)", pop(t)));
        return;
    case OP_PLAYING:
        need_player(t);
        push(t, text(t, "!(c[RETIRED] >> %s & 1)", pop(t)));
        t->stack[t->depth - 1].text = text(t, "(%s)", t->stack[t->depth - 1].text);
        return;
    case OP_RETIRE:
    case OP_SET_MOVER: {
        need_player(t);
        const char *q = pop(t);
        settle(t);
        say(t, w[0] == OP_RETIRE ? "c[RETIRED] |= 1 << %s;" : "c[MOVER] = %s;", q);
        return;
    }
    case OP_WIN:
    case OP_LOSE:
        need_player(t);
        say(t, "end_for(c, %s, %s);", pop(t), w[0] == OP_WIN ? "true" : "false");
        over(t);
        return;
    case OP_WIN_LIST:
        need_list(t, 0);
        say(t, "TRY(end_won_by(c, &lists[%s]), %d);", pop(t), t->pc);
        over(t);
        return;
    case OP_DRAW:
        say(t, "end_game(c, OVER_DRAWN, 0, 0);");
        over(t);
        return;
    case OP_SCORE: acted(t, "give_score", "", 2); return;
    case OP_BY_SCORE:
        say(t, "end_by_score(c, %d);", w[1]);
        over(t);
        return;
    case OP_END:
        say(t, "end_game(c, OVER_UNDECIDED, 0, 0);");
        over(t);
        return;
    default: return;
    }
}

static void control(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_JMP:
        settle_all(t);
        leave(t, w[1]);
        return;
    case OP_JZ:
    case OP_JNZ: {
        const char *v = pop(t);
        settle_all(t);
        leave_if(t, text(t, w[0] == OP_JZ ? "!%s" : "%s", v), w[1]);
        return;
    }
    case OP_JZK:
    case OP_JNZK:
        settle_all(t);
        leave_if(t, text(t, w[0] == OP_JZK ? "!%s" : "%s", t->stack[t->depth - 1].text), w[1]);
        t->depth--;
        return;
    case OP_RAISE: raise(t, w[1]); return;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS:
        settle_all(t);
        if (w[0] == OP_ITER_LIST) iterate_list(t, w);
        if (w[0] == OP_ITER_RANGE) iterate_range(t, w);
        if (w[0] == OP_ITER_CELLS) iterate_cells(t, w);
        return;
    case OP_CHOOSE:
        settle_all(t);
        say(t, "n = %s;", t->spots[t->pc].would >= 0 ? "looks.base" : "0");
        return;
    case OP_CAND: candidate(t, w[1], "1"); return;
    case OP_LOT: {
        settle_all(t);
        const char *weight = pop(t);
        fault_if(t, text(t, "%s < 0", weight), R_NEGATIVE);
        fault_if(t, text(t, "%s > CELL_MAX", weight), R_TOO_BIG);
        say(t, "if (%s > 0) {", weight);
        candidate(t, w[1], text(t, "(uint16_t)%s", weight));
        say(t, "}");
        return;
    }
    case OP_DECIDE:
        settle_all(t);
        decide(t, w[1]);
        return;
    case OP_THROW:
        if (t->spots[t->pc].would >= 0) {
            say(t, "FAULT(R_WOULD_CHANCE, %d);", t->pc);
            return;
        }
        say(t, "c[WAITS_AT] = %d;", -w[1] - 1);
        say(t, "n = %d;", t->p->dice[t->p->throws[w[1]].dice].noutcomes);
        say(t, "STOP(WAITS_CHANCE);");
        return;
    case OP_WOULD: would(t, w); return;
    case OP_VALUE: answer(t, pop(t)); return;
    case OP_REMEMBER:
        settle_all(t);
        say(t, "if ((fault = run->host->remember(run, c)) != 0) FAULT(fault, %d);", t->pc);
        return;
    case OP_SEEN:
        settle_all(t);
        say(t, "AWAY(%s = run->host->seen(run, c));", slot_of(t, t->depth));
        push(t, slot_of(t, t->depth));
        return;
    default: return;
    }
}

static void instruction(Translator *t, const int32_t *w) {
    const char *a, *b;
    switch ((Opcode)w[0]) {
    case OP_PUSH: push_number(t, w[1]); return;
    case OP_POP: pop(t); return;
    case OP_LOAD: push(t, cell(t, w[1])); return;
    case OP_STORE: store(t, w[1]); return;
    case OP_LOADX:
        settle(t);
        indexed(t, w);
        say(t, "%s = c[%d + index];", slot_of(t, t->depth), w[2]);
        push(t, slot_of(t, t->depth));
        return;
    case OP_STOREX:
        indexed(t, w);
        fits(t, &t->stack[t->depth - 1]);
        a = pop(t);
        settle(t);
        say(t, "c[%d + index] = %s;", w[2], a);
        return;
    case OP_FILL:
        fits(t, &t->stack[t->depth - 1]);
        settle_all(t);
        a = pop(t);
        say(t, "for (int i = 0; i < %d; i++) c[%d + i] = %s;", w[2], w[1], a);
        say(t, "steps -= %d;", w[2]);
        return;
    case OP_ZERO:
        settle(t);
        for (int i = 0; i < w[2] && w[2] < 8; i++) say(t, "c[%d] = 0;", w[1] + i);
        if (w[2] >= 8) say(t, "memset(&c[%d], 0, %d * sizeof *c);", w[1], w[2]);
        if (w[2] / 8) say(t, "steps -= %d;", w[2] / 8);
        return;
    case OP_ADD: checked(t, "add"); return;
    case OP_SUB: checked(t, "sub"); return;
    case OP_MUL: checked(t, "mul"); return;
    case OP_DIV: division(t, false); return;
    case OP_MOD: division(t, true); return;
    case OP_NEG:
    case OP_ABS:
        settle_all(t);
        a = pop(t);
        fault_if(t, text(t, "%s == INT32_MIN", a), R_TOO_BIG);
        push(t, w[0] == OP_NEG ? text(t, "(-%s)", a) : text(t, "(%s < 0 ? -%s : %s)", a, a, a));
        return;
    case OP_MIN:
    case OP_MAX:
        b = pop(t), a = pop(t);
        push(t, text(t, "%s(%s, %s)", w[0] == OP_MIN ? "min_of" : "max_of", a, b));
        return;
    case OP_EQ: binary(t, "=="); return;
    case OP_NE: binary(t, "!="); return;
    case OP_LT: binary(t, "<"); return;
    case OP_LE: binary(t, "<="); return;
    case OP_GT: binary(t, ">"); return;
    case OP_GE: binary(t, ">="); return;
    case OP_NOT: push(t, text(t, "(!%s)", pop(t))); return;
    default: break;
    }
    if (w[0] >= OP_COUNT && w[0] <= OP_IN)
        asking(t, w);
    else if (w[0] >= OP_PUT && w[0] <= OP_SOW)
        moving(t, w);
    else if (w[0] >= OP_NEXT_PLAYER && w[0] <= OP_END)
        playing(t, w);
    else
        control(t, w);
}

// ---- the function --------------------------------------------------------------------------------

static void note_place(Translator *t) {
    const Program *p = t->p;
    if (!t->places || !p->sources || !p->origins) return;
    const Origin *o = &p->origins[t->pc];
    const Source *source = source_of(p->sources, o->span);
    unsigned line = source_place(source, o->span.start).line;
    if (line == t->line) return;
    t->line = line;
    const char *slash = strrchr(source->name, '/');
    fprintf(t->out, "    // %s:%u\n", slash && source->name[0] != '<' ? slash + 1 : source->name,
            line);
}

static bool ends_here(Opcode op) {
    return op == OP_JMP || op == OP_RAISE || op == OP_THROW || op == OP_VALUE ||
           (op >= OP_WIN && op <= OP_DRAW) || op == OP_BY_SCORE || op == OP_END;
}

static void write_code(Translator *t) {
    bool open = false; // the instruction before leads here
    for (int pc = 0; pc < t->p->ncode; pc = next_pc(t, pc)) {
        const Spot *spot = &t->spots[pc];
        if (!visited(t, pc)) {
            open = false;
            continue;
        }
        if (spot->label) {
            if (open) settle_all(t);
            fprintf(t->out, "L%d:;\n", pc);
        }
        if (spot->label || !open) {
            t->depth = 0;
            while (t->depth < spot->depth) push(t, slot_of(t, t->depth));
        }
        t->pc = pc;
        note_place(t);
        instruction(t, t->p->code + pc);
        open = !ends_here((Opcode)t->p->code[pc]);
    }
}

static void write_variables(Translator *t) {
    for (int i = 0; i < t->slots; i++) say(t, "int32_t t%d = 0;", i);
    for (int i = t->p->nstate; i < t->p->ncells; i++)
        if (t->local[i]) say(t, "int32_t v%d = 0;", i);
    for (int i = 0; i < t->slots; i++) say(t, "(void)t%d;", i);
    for (int i = t->p->nstate; i < t->p->ncells; i++)
        if (t->local[i]) say(t, "(void)v%d;", i);
}

static void write_entries(Translator *t) {
    if (t->looks) fputs("go_on:\n", t->out);
    say(t, "switch (at) {");
    for (int pc = 0; pc < t->p->ncode; pc = next_pc(t, pc)) {
        const Spot *spot = &t->spots[pc];
        if (!visited(t, pc) || !(spot->entry || spot->answer)) continue;
        if (spot->answer)
            say(t, "case %d: t%d = looks.answer; goto L%d;", pc, spot->depth - 1, pc);
        else
            say(t, "case %d: goto L%d;", pc, pc);
    }
    say(t, "default: return IS_FAULT; // no such place");
    say(t, "}");
}

void translate(FILE *out, Arena *arena, const Program *p, bool places) {
    Translator t = {.out = out, .arena = arena, .p = p, .places = places};
    t.spots = arena_array(arena, (size_t)p->ncode, sizeof *t.spots);
    t.local = arena_array(arena, (size_t)p->ncells + 1, sizeof *t.local);
    find_flow(&t);
    find_locals(&t);
    fputs("static int step(StepRun *run, int32_t *restrict c, int at) {\n", out);
    say(&t, "StepCandidate *list = run->list;");
    say(&t, "size_t n = 0, room = run->room < CANDIDATES ? run->room : CANDIDATES;");
    say(&t, "long steps = run->steps;");
    say(&t, "int fault = 0, index = 0;");
    if (t.looks) say(&t, "Looks looks = {0};");
    say(&t, "(void)list, (void)room, (void)fault, (void)index;");
    write_variables(&t);
    write_entries(&t);
    write_code(&t);
    fputs("}\n", out);
}
