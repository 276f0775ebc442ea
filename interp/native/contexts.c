// Players to move, and rounds of loops that are written out.
#include "translator.h"

static void table_new(Translator *t, Context *c) {
    size_t n = (size_t)(c->back - c->head + 1);
    c->labels = arena_array(t->arena, n, sizeof *c->labels);
    c->outside = arena_array(t->arena, n, sizeof *c->outside);
}

static int context_new(Translator *t, Context c) {
    c.next = -1;
    table_new(t, &c);
    arena_grow(t->arena, (void **)&t->contexts, &t->contexts_cap, (size_t)t->ncontexts + 1,
               sizeof *t->contexts);
    t->contexts[t->ncontexts] = c;
    return t->ncontexts++;
}

void contexts_init(Translator *t) {
    for (int k = 0; k < t->nvariants; k++) {
        int player = t->nvariants > 1 ? k : t->p->nplayers == 1 ? 0 : -1;
        context_new(
            t,
            (Context){
                .player = player, .parent = -1, .back = t->p->ncode - 1, .weight = 1, .given = -1});
    }
}

void enter(Translator *t, int context) {
    t->context = context;
    t->player = t->contexts[context].player;
}

int lands(Translator *t, int context, int *pc) {
    while (t->contexts[context].parent >= 0) {
        const Context *c = &t->contexts[context];
        if (*pc > c->head && *pc <= c->back) return context;
        if (*pc == c->head && c->masked) return context;
        if (*pc == c->head) {
            if (c->round + 1 < c->rounds) return next_round(t, context);
            *pc = c->exit;
        }
        context = t->contexts[context].parent;
    }
    return context;
}

// ---- loops that are written out ------------------------------------------------------------------

// Most of what is asked about each candidate of a search is known when it is written out.
static int words_allowed(const Translator *t, int pc) {
    bool search = t->spots[pc].searches && t->spots[pc].would < 0;
    return search ? UNROLLED_SEARCH_MAX : UNROLLED_WORDS_MAX;
}

// Nothing waits, turns or is tried within the loop, and there is no way into it but by its head.
static bool closed(const Translator *t, int head, int back) {
    const Program *p = t->p;
    for (int pc = head; pc <= back; pc = next_pc(t, pc)) {
        const Spot *s = &t->spots[pc];
        if (!visited(t, pc)) continue;
        if (s->entry || s->answer || s->back > back) return false;
        if (s->last >= 0 && (s->first < head || s->last > back)) return false;
        switch ((Opcode)p->code[pc]) {
        case OP_CHOOSE:
        case OP_DECIDE:
        case OP_THROW:
        case OP_SET_MOVER: return false;
        case OP_WOULD:
            if (t->woulds[pc]->tries) return false;
            break;
        default: break;
        }
    }
    return true;
}

// The rounds of the loop over a list, or cells, if they are known; `at` is the cell that counts them.
static int rounds_of(const Translator *t, const int32_t *w, int *at) {
    const Program *p = t->p;
    if (w[0] == OP_ITER_CELLS) {
        *at = w[3];
        return w[2];
    }
    if (w[0] != OP_ITER_LIST) return 0;
    Range list = cell_range(t, w[1]);
    *at = w[2];
    bool known = range_single(list) && list.low >= 0 && list.low < p->nlists;
    return known ? p->lists[list.low].n : 0;
}

// The code words of a round, if the loops within it are written out as well. They go before: what they ask is asked most
// often.
static int64_t words_of(const Translator *t, int head, int back) {
    int64_t words = back - head + 1;
    for (int pc = next_pc(t, head); pc <= back; pc = next_pc(t, pc)) {
        int end = t->spots[pc].back;
        bool many = t->rounds[pc] >= 2 && t->rounds[pc] <= UNROLLED_MAX && !t->masked[pc];
        if (end < 0 || !many) continue;
        words += words_of(t, pc, end) * t->rounds[pc] - (end - pc + 1);
        if (words > UNROLLED_SEARCH_MAX) return words;
        pc = end;
    }
    return words;
}

int rounds_written(Translator *t, int pc) {
    const int32_t *w = t->p->code + pc;
    const Context *c = &t->contexts[t->context];
    int at = 0, n = rounds_of(t, w, &at), back = t->spots[pc].back;
    if (n < 1 || n > UNROLLED_MAX || back < 0 || (c->parent >= 0 && c->head == pc)) return 0;
    if (n > t->rounds[pc]) t->rounds[pc] = n, t->changed = true;
    int exit = w[operands((Opcode)w[0])];
    int64_t words = words_of(t, pc, back) * n * c->weight;
    if (words > words_allowed(t, pc) || (exit >= pc && exit <= back)) return 0;
    Range i = cell_range(t, at);
    if (i.low != 0 || i.high != 0 || !closed(t, pc, back)) return 0;
    return n;
}

// The list that a loop goes through which can be taken apart here, or -1.
int list_of_loop(Translator *t, int pc) {
    const int32_t *w = t->p->code + pc;
    const Context *c = &t->contexts[t->context];
    int back = t->spots[pc].back;
    if (w[0] != OP_ITER_LIST || back < 0 || (c->parent >= 0 && c->head == pc)) return -1;
    Range list = cell_range(t, w[1]), i = cell_range(t, w[2]);
    bool known = range_single(list) && list.low >= 0 && list.low < t->p->nlists;
    if (!known || i.low != 0 || i.high != 0 || (w[4] >= pc && w[4] <= back)) return -1;
    return closed(t, pc, back) ? list.low : -1;
}

int next_round(Translator *t, int context) {
    if (t->contexts[context].next < 0) {
        Context c = t->contexts[context];
        c.round++;
        int next = context_new(t, c);
        t->contexts[context].next = next;
    }
    return t->contexts[context].next;
}

static int round_of(Translator *t, int pc, int rounds, bool masked, int given) {
    for (int k = t->nvariants; k < t->ncontexts; k++) {
        const Context *c = &t->contexts[k];
        if (c->parent == t->context && c->head == pc && c->round == 0 && c->masked == masked &&
            c->given == given)
            return k;
    }
    const int32_t *w = t->p->code + pc;
    return context_new(t, (Context){.player = t->player,
                                    .parent = t->context,
                                    .head = pc,
                                    .back = t->spots[pc].back,
                                    .exit = w[operands((Opcode)w[0])],
                                    .rounds = rounds,
                                    .masked = masked,
                                    .given = given,
                                    .weight = t->contexts[t->context].weight * rounds});
}

int first_round(Translator *t, int pc, int rounds, int given) {
    return round_of(t, pc, rounds, false, given);
}
int masked_round(Translator *t, int pc) { return round_of(t, pc, 1, true, -1); }

int asked_before(const Translator *t, int head) {
    const int32_t *code = t->p->code;
    int back = t->spots[head].back;
    if (!t->spots[head].searches || t->spots[head].would >= 0) return -1;
    for (int pc = head; pc <= back; pc = next_pc(t, pc)) {
        int scalar = code[pc] == OP_LOAD ? t->scalar_of[code[pc + 1]] : -1;
        int next = next_pc(t, pc);
        if (scalar < 0 || (code[next] != OP_JZ && code[next] != OP_JNZ)) continue;
        Range r = t->cells[scalar];
        bool same = r.low == 0 && r.high == 1;
        for (int k = head; same && k <= back; k = next_pc(t, k))
            same = !may_write(t, k, code[pc + 1]);
        if (same) return scalar;
    }
    return -1;
}
