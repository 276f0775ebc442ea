// What comes after a place of the code, on any path: whether a cell is read there, how often pieces can be put.
#include "translator.h"

typedef VEC(int) Work;

enum { MOST_NEXT = 3 };

// The places that may come next; gives how many they are.
static int nexts(const Translator *t, int pc, int to[MOST_NEXT]) {
    const Program *p = t->p;
    const int32_t *w = p->code + pc;
    int would = t->spots[pc].would, n = 0;
    switch ((Opcode)w[0]) {
    case OP_JMP: to[n++] = w[1]; return n;
    case OP_JZ:
    case OP_JNZ:
    case OP_JZK:
    case OP_JNZK: to[n++] = w[1]; break;
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS: to[n++] = w[op_shapes[w[0]].operands]; break;
    case OP_CAND:
    case OP_LOT: to[n++] = p->alternatives[w[1]].target; break;
    case OP_THROW: to[n++] = p->throws[w[1]].target; return n;
    case OP_WOULD: to[n++] = w[1], to[n++] = w[2]; break;
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END:
        if (would >= 0) to[n++] = p->code[would + 1];
        return n;
    case OP_VALUE:
    case OP_RAISE:
        if (would >= 0) to[n++] = p->code[would + 2];
        return n;
    default: break;
    }
    to[n++] = next_pc(t, pc);
    return n;
}

static bool among(int cell, int base, int n) { return cell >= base && cell < base + n; }

static bool reads(const Translator *t, int pc, int cell) {
    const int32_t *w = t->p->code + pc;
    switch ((Opcode)w[0]) {
    case OP_LOAD: return w[1] == cell;
    case OP_LOADX: return among(cell, w[2], t->p->lists[w[1]].n);
    case OP_ITER_LIST: return w[1] == cell || w[2] == cell;
    case OP_ITER_RANGE: return w[1] == cell || w[2] == cell;
    case OP_ITER_CELLS: return w[3] == cell || among(cell, w[1], w[2]);
    case OP_CAND:
    case OP_LOT: {
        const Alternative *a = &t->p->alternatives[w[1]];
        for (int i = 0; i < a->nvars; i++)
            if (a->cells[i] == cell) return true;
        return false;
    }
    default: return false;
    }
}

// Whether the cell holds something else behind the instruction, wherever that leads.
static bool writes(const Translator *t, int pc, int cell) {
    const int32_t *w = t->p->code + pc;
    switch ((Opcode)w[0]) {
    case OP_STORE: return w[1] == cell;
    case OP_FILL:
    case OP_ZERO: return among(cell, w[1], w[2]);
    default: return false;
    }
}

// Whether the element of a loop is put there, if there is one.
static bool takes(const Translator *t, int pc, int cell) {
    const int32_t *w = t->p->code + pc;
    return (w[0] == OP_ITER_LIST || w[0] == OP_ITER_RANGE) ? w[3] == cell
                                                           : w[0] == OP_ITER_CELLS && w[4] == cell;
}

bool may_write(const Translator *t, int pc, int cell) {
    const int32_t *w = t->p->code + pc;
    if (writes(t, pc, cell) || takes(t, pc, cell)) return true;
    switch ((Opcode)w[0]) {
    case OP_STOREX: return among(cell, w[2], t->p->lists[w[1]].n);
    case OP_ITER_LIST: return w[2] == cell;
    case OP_ITER_RANGE: return w[1] == cell || w[2] == cell;
    case OP_ITER_CELLS: return w[3] == cell;
    default: return false;
    }
}

bool may_be_read(Translator *t, int from, int cell) {
    bool *seen = arena_array(t->arena, (size_t)t->p->ncode + 1, sizeof *seen), found = false;
    Work work = {0};
    vec_push(t->arena, &work, from);
    while (work.n > 0 && !found) {
        int pc = work.at[--work.n], to[MOST_NEXT];
        if (seen[pc]) continue;
        seen[pc] = true;
        found = cell < t->p->nstate || reads(t, pc, cell);
        if (writes(t, pc, cell)) continue;
        int n = nexts(t, pc, to);
        if (takes(t, pc, cell)) n = 1; // only where the loop ends
        for (int i = 0; i < n; i++) vec_push(t->arena, &work, to[i]);
    }
    return found;
}

// Places that can be come by after the first decision.
static bool *later(Translator *t) {
    bool *seen = arena_array(t->arena, (size_t)t->p->ncode + 1, sizeof *seen);
    Work work = {0};
    for (int pc = 1; pc < t->p->ncode; pc++)
        if (t->spots[pc].entry) vec_push(t->arena, &work, pc);
    while (work.n > 0) {
        int pc = work.at[--work.n], to[MOST_NEXT];
        if (seen[pc]) continue;
        seen[pc] = true;
        int n = nexts(t, pc, to);
        for (int i = 0; i < n; i++) vec_push(t->arena, &work, to[i]);
    }
    return seen;
}

// How often a place before the first decision is come by at most, or 0 if that is not known.
static int64_t times_at_most(const Translator *t, int place) {
    int64_t n = 1;
    for (int pc = 0; pc < place; pc = next_pc(t, pc)) {
        if (t->spots[pc].back < place) continue;
        const int32_t *w = t->p->code + pc;
        if (w[0] != OP_ITER_LIST && w[0] != OP_ITER_CELLS) return 0;
        n *= w[0] == OP_ITER_LIST ? t->longest : w[2];
        if (n > CELL_MAX) return 0;
    }
    return n;
}

bool find_if_few(Translator *t) {
    const Program *p = t->p;
    const bool *again = later(t);
    int64_t sum = 0;
    for (int i = 0; i < p->nsites * p->npieces; i++) sum += p->initial[i];
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc)) {
        if (p->code[pc] != OP_PUT || !visited(t, pc)) continue;
        int64_t times = again[pc] ? 0 : times_at_most(t, pc);
        if (times == 0) return false;
        sum += times * t->most_put[pc];
    }
    t->pieces = (int)(sum <= CELL_MAX ? sum : 0);
    return sum <= CELL_MAX;
}
