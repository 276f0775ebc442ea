// Where the code leads, what look-aheads change, and which cells become variables.
#include "translator.h"

typedef VEC(int) Work;

int operands(Opcode op) { return op_shapes[op].operands; }
int next_pc(const Translator *t, int pc) { return pc + 1 + op_shapes[t->p->code[pc]].operands; }
bool visited(const Translator *t, int pc) { return t->spots[pc].depth >= 0; }

static void flow(Translator *t, Work *work, int pc, int depth, int would) {
    if (visited(t, pc)) return;
    t->spots[pc].depth = depth;
    t->spots[pc].would = would;
    vec_push(t->arena, work, pc);
}

static void jump(Translator *t, Work *work, int from, int pc, int depth, int would) {
    t->spots[pc].label = true;
    Spot *to = &t->spots[pc];
    if (pc <= from && to->back < from) to->back = from;
    if (to->last < 0 || from < to->first) to->first = from;
    if (from > to->last) to->last = from;
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
    int pops = op == OP_FAMILY ? p->families[w[1]].dims : op_shapes[op].pops;
    int depth = t->spots[pc].depth, after = depth - pops + op_shapes[op].pushes;
    if (after > t->slots) t->slots = after;
    int next = next_pc(t, pc);
    switch (op) {
    case OP_JMP: jump(t, work, pc, w[1], after, would); return;
    case OP_JZ:
    case OP_JNZ: jump(t, work, pc, w[1], after, would); break;
    case OP_JZK:
    case OP_JNZK:
        jump(t, work, pc, w[1], after, would);
        after--;
        break;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS: jump(t, work, pc, w[op_shapes[op].operands], after, would); break;
    case OP_CAND:
    case OP_LOT: {
        int to = p->alternatives[w[1]].target;
        t->spots[to].entry = true;
        jump(t, work, pc, to, base_depth(t, would), would);
        break;
    }
    case OP_THROW: {
        int to = p->throws[w[1]].target;
        t->spots[to].entry = true;
        jump(t, work, pc, to, after, would);
        return;
    }
    case OP_CHOOSE:
        if (would < 0) t->spots[pc].entry = t->spots[pc].label = true;
        break;
    case OP_WOULD:
        flow(t, work, next, depth, pc);
        jump(t, work, pc, w[1], depth, pc);
        jump(t, work, pc, w[2], after, would);
        return;
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END: // over: on a copy the look-ahead works out its answer
    case OP_VALUE:
    case OP_RAISE: return;
    case OP_RETIRE: t->retires = true; break;
    case OP_SET_MOVER: t->spots[next].label = true; break;
    default: break;
    }
    flow(t, work, next, after, would);
}

// ---- what look-aheads change ---------------------------------------------------------------------

static void note_cells(const Translator *t, Would *w, int base, int n) {
    for (int i = base; i < base + n; i++) {
        if (t->scalar_of[i] >= 0)
            w->scalars[t->scalar_of[i]] = true;
        else
            w->cells[i] = true;
    }
}

static void note_changes(const Translator *t, Would *would, const int32_t *w) {
    const Program *p = t->p;
    switch ((Opcode)w[0]) {
    case OP_STORE: note_cells(t, would, w[1], 1); return;
    case OP_STOREX: note_cells(t, would, w[2], p->lists[w[1]].n); return;
    case OP_FILL:
    case OP_ZERO: note_cells(t, would, w[1], w[2]); return;
    case OP_ITER_LIST: note_cells(t, would, w[2], 1), note_cells(t, would, w[3], 1); return;
    case OP_ITER_RANGE:
        for (int i = 1; i <= 3; i++) note_cells(t, would, w[i], 1);
        return;
    case OP_ITER_CELLS: note_cells(t, would, w[3], 1), note_cells(t, would, w[4], 1); return;
    case OP_CAND:
    case OP_LOT:
    case OP_CHOOSE:
    case OP_DECIDE: would->tries = true; return;
    case OP_REMEMBER: would->notes = true; return;
    case OP_SET_MOVER: would->turns = true; return;
    case OP_RETIRE: would->ends = true; return;
    case OP_SCORE: would->scores = true; return;
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END: would->ends = true; return;
    default: would->moves |= w[0] >= OP_PUT && w[0] <= OP_SOW; return;
    }
}

// The cells, other than variables, that a look-ahead changes, run by run.
static void find_runs(const Translator *t, Would *w) {
    const Program *p = t->p;
    int counts = p->nsites * p->npieces;
    for (int i = 0; i < p->ncells; i++) {
        bool system = i >= p->system && i < p->system + SYSTEM_CELLS;
        bool score = p->scores >= 0 && i >= p->scores && i <= p->scores + p->nplayers;
        if (!(w->cells[i] || (w->moves && i < counts) || (w->scores && score) ||
              ((w->ends || w->notes || w->turns) && system)))
            continue;
        if (w->nruns > 0 && w->runs[w->nruns - 1].base + w->runs[w->nruns - 1].n == i) {
            w->runs[w->nruns - 1].n++;
            continue;
        }
        arena_grow(t->arena, (void **)&w->runs, &w->runs_cap, (size_t)w->nruns + 1,
                   sizeof *w->runs);
        w->runs[w->nruns++] = (Run){i, 1};
    }
}

static void keep_scalar(Translator *t, int cell) {
    if (t->scalar_of[cell] >= 0) t->kept[t->scalar_of[cell]] = true;
}

static void find_woulds(Translator *t) {
    const Program *p = t->p;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        if (p->code[pc] != OP_WOULD || !visited(t, pc)) continue;
        Would *w = t->woulds[pc] = arena_alloc(t->arena, sizeof *w);
        w->up = t->spots[pc].would;
        w->scalars = arena_array(t->arena, SCALARS_MAX, sizeof *w->scalars);
        w->cells = arena_array(t->arena, (size_t)p->ncells + 1, sizeof *w->cells);
    }
    // What an inner one changes it puts back, but for the number of its decisions.
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        if (!visited(t, pc)) continue;
        for (int at = t->spots[pc].would; at >= 0; at = t->woulds[at]->up)
            note_changes(t, t->woulds[at], p->code + pc);
    }
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        if (p->code[pc] != OP_WOULD || !visited(t, pc)) continue;
        find_runs(t, t->woulds[pc]);
        if (!t->woulds[pc]->tries) continue;
        t->looks = true;
        t->spots[p->code[pc + 2]].answer = true;
        for (int i = 0; i < t->nscalars; i++) t->kept[i] |= t->woulds[pc]->scalars[i];
    }
    // What was chosen or thrown is put into its cells by whoever tells it.
    for (int i = 0; i < p->nalternatives; i++)
        for (int k = 0; k < p->alternatives[i].nvars; k++)
            keep_scalar(t, p->alternatives[i].cells[k]);
    for (int i = 0; i < p->nthrows; i++)
        for (int k = 0; k < p->throws[i].nvars; k++) keep_scalar(t, p->throws[i].cells[k]);
}

// ---- variables -----------------------------------------------------------------------------------

static void keep(bool *memory, int base, int n) {
    for (int i = 0; i < n; i++) memory[base + i] = true;
}

// Cells that stay cells: counts of pieces, what is reached by an index, what the machine keeps.
static void find_memory(const Translator *t, bool *memory) {
    const Program *p = t->p;
    keep(memory, 0, p->nsites * p->npieces);
    keep(memory, p->system, SYSTEM_CELLS);
    if (p->scores >= 0) keep(memory, p->scores, p->nplayers + 1);
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = p->code + pc;
        switch ((Opcode)w[0]) {
        case OP_LOADX:
        case OP_STOREX: keep(memory, w[2], p->lists[w[1]].n); break;
        case OP_FILL:
        case OP_ZERO:
            if (w[2] > SPELT_MAX) keep(memory, w[1], w[2]);
            break;
        case OP_ITER_CELLS: keep(memory, w[1], w[2]); break;
        default: break;
        }
    }
}

static bool part_of_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *scalar_name(const Translator *t, int cell) {
    const Program *p = t->p;
    for (int i = 0; i < p->nvariables; i++) {
        if (p->variables[i].cell != cell || p->variables[i].list >= 0) continue;
        char *name = arena_printf(t->arena, "v%d_%.40s", cell, p->variables[i].name);
        for (char *c = name; *c; c++)
            if (!part_of_name(*c)) *c = '_';
        return name;
    }
    return arena_printf(t->arena, "v%d", cell);
}

static void find_scalars(Translator *t) {
    const Program *p = t->p;
    bool *memory = arena_array(t->arena, (size_t)p->ncells + 1, sizeof *memory);
    find_memory(t, memory);
    for (int i = 0; i < p->ncells; i++) {
        t->scalar_of[i] = -1;
        if (memory[i] || t->nscalars == SCALARS_MAX) continue;
        t->scalar_of[i] = t->nscalars;
        t->scalar_cell[t->nscalars] = i;
        t->names[t->nscalars++] = scalar_name(t, i);
    }
}

// Scratch that is reached by an index, and where else only STORE puts something.
static void find_rows(Translator *t) {
    const Program *p = t->p;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = p->code + pc;
        if (w[0] != OP_ITER_CELLS || w[1] < p->nstate) continue;
        for (int i = w[1]; i < w[1] + w[2]; i++) t->rows[i].only_stored = true;
    }
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = p->code + pc;
        for (int i = p->nstate; w[0] != OP_STORE && i < p->ncells; i++)
            if (may_write(t, pc, i)) t->rows[i].only_stored = false;
    }
}

// Decisions with one alternative, as they stand in the code. Lots are none: they are drawn by the weights of their candidates.
static void find_alone(Translator *t) {
    const Program *p = t->p;
    int offered = -1, n = 0;
    bool searches = false;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        const int32_t *w = p->code + pc;
        if (w[0] == OP_CHOOSE) offered = -1, n = 0, searches = true;
        if (w[0] == OP_DECIDE) searches = false;
        t->spots[pc].searches = searches;
        if (w[0] == OP_LOT || (w[0] == OP_DECIDE && p->decisions[w[1]].chance)) n = 2;
        if (w[0] == OP_CAND && w[1] != offered) offered = w[1], n++;
        if (w[0] == OP_DECIDE && n == 1 && t->spots[pc].would < 0) t->alone[offered] = true;
    }
}

void find_flow(Translator *t) {
    Work work = {0};
    for (int i = 0; i < t->p->ncode; i++)
        t->spots[i] = (Spot){.depth = -1, .would = -1, .back = -1, .last = -1};
    t->spots[0].entry = true;
    flow(t, &work, 0, 0, -1);
    t->spots[0].label = true;
    while (work.n > 0) flow_from(t, &work, work.at[--work.n]);
    for (int i = 0; i < t->p->ncode; i++) // there the rounds of a loop that is written out meet
        if (t->spots[i].back >= 0) t->spots[next_pc(t, t->spots[i].back)].label = true;
    find_scalars(t);
    find_rows(t);
    find_woulds(t);
    find_alone(t);
    for (int i = 0; i < t->p->nlists; i++)
        if (t->p->lists[i].n > t->longest) t->longest = t->p->lists[i].n;
}
