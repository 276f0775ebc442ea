// What is known of cells at each instruction: that one holds a constant or the same as another; that there is
// something on a site, or nothing. Found by following the code until nothing changes, taking for granted what no way
// that was followed contradicts; then used (improve_use.c).
#include "improve_flow.h"

#include "ask.h"

#include <string.h>

enum { KNOWN_MAX = 1 << 22 }; // cells known of at all places together; with more, nothing is done

// ---- what is known -------------------------------------------------------------------------------

static void know_nothing(const Flow *f, Known *k) {
    for (int i = 0; i < f->n; i++) k->same[i] = f->first + i;
    memset(k->facts, 0, (size_t)f->n);
}

void flow_know_as(const Flow *f, Known *to, const Known *from) {
    memcpy(to->same, from->same, (size_t)f->n * sizeof *to->same);
    memcpy(to->facts, from->facts, (size_t)f->n);
}

// The cell to read in place of `cell`.
static int source(const Flow *f, const Known *k, int cell) {
    if (cell == f->mover && mover_is_known(f->im)) return -1;
    return tracked(f, cell) ? k->same[cell - f->first] : cell;
}

int flow_read(const Flow *f, const Known *k, int cell, int ins) {
    int at = source(f, k, cell);
    return at < 0 ? q_constant(f->im->q, copy_of(f->im, ins)) : at;
}

static void forget(const Flow *f, Known *k, int cell) {
    if (!tracked(f, cell)) return;
    if (k->facts[cell - f->first] & IS_SOURCE)
        for (int i = 0; i < f->n; i++)
            if (k->same[i] == cell) k->same[i] = f->first + i;
    k->same[cell - f->first] = cell;
    k->facts[cell - f->first] = 0;
}

static void forget_pieces(const Flow *f, Known *k) {
    for (int i = 0; i < f->n; i++) k->facts[i] &= (uint8_t)~ABOUT_PIECES;
}

static void forget_range(const Flow *f, Known *k, int base, int n) {
    if (base < f->first) forget_pieces(f, k);
    for (int i = base > f->first ? base : f->first; i < base + n && i < f->first + f->n; i++)
        forget(f, k, i);
}

static void note(const Flow *f, Known *k, int cell, int fact) {
    if (!tracked(f, cell)) return;
    k->facts[cell - f->first] |= (uint8_t)fact;
    int at = k->same[cell - f->first];
    if (tracked(f, at)) k->facts[at - f->first] |= (uint8_t)fact;
}

static void note_same(const Flow *f, Known *k, int cell, int constant) {
    if (tracked(f, cell)) k->same[cell - f->first] = constant;
}

static int facts_of(const Flow *f, const Known *k, int cell) {
    return tracked(f, cell) ? k->facts[cell - f->first] : 0;
}

// ---- instructions on constants -------------------------------------------------------------------

// The cell or constant that holds what `ins` gives, or -1.
int flow_result(const Flow *f, const Known *k, int i) {
    const Improver *im = f->im;
    const Ins *ins = &im->ins[i];
    if (!ins_folds(ins->op)) return -1;
    const char *kinds = quick_kinds[ins->op];
    int32_t v[4], n = 0, r;
    for (int o = 0; kinds[o]; o++) {
        if (kinds[o] != 'u') continue;
        int from = flow_read(f, k, ins->w[o], i);
        const Cell *value = q_constant_at(im->q, from);
        // What comes after no site is none, on whatever track.
        if (value && o == 1 && (ins->op == Q_NEXT || ins->op == Q_AHEAD) && !is_site(im->p, *value))
            return q_constant(im->q, UNSET);
        if (!value) return ins->op == Q_COPY && tracked(f, from) ? from : -1;
        v[n++] = *value;
    }
    return ins_fold(im, ins, v, &r) ? q_constant(im->q, r) : -1;
}

// ---- branches ------------------------------------------------------------------------------------

static Answer answer(bool truth) { return truth ? YES : NO; }

static Answer opposite(Answer a) { return a == WHO_KNOWS ? a : a == YES ? NO : YES; }

static Answer is_nothing(const Flow *f, const Known *k, const Ins *ins, const Cell *a) {
    if (a) return *a == 0 ? YES : NO;
    return facts_of(f, k, ins->w[0]) & NOT_ZERO ? NO : WHO_KNOWS;
}

static Answer compared(QuickOp op, const Cell *a, const Cell *b, bool same) {
    if (same) return answer(op == Q_JEQ || op == Q_JLE);
    if (!a || !b) return WHO_KNOWS;
    switch (op) {
    case Q_JEQ: return answer(*a == *b);
    case Q_JNE: return answer(*a != *b);
    case Q_JLT: return answer(*a < *b);
    default: return answer(*a <= *b);
    }
}

static Answer holds_site(const Flow *f, const Known *k, const Ins *ins, const Cell *a, QuickOp op) {
    if (a && !is_site(f->im->p, *a)) return NO;
    int facts = facts_of(f, k, ins->w[0]);
    if (facts & IS_FREE) return answer(op == Q_JEMPTY);
    if (facts & IS_OCCUPIED && (op == Q_JOCC || op == Q_JEMPTY)) return answer(op == Q_JOCC);
    return WHO_KNOWS;
}

// Whether the branch of instruction i is taken, if that is known.
Answer flow_taken(const Flow *f, const Known *k, int i) {
    const Improver *im = f->im;
    const Ins *ins = &im->ins[i];
    const char *kinds = quick_kinds[ins->op];
    if (kinds[0] != 'u' || ins->op == Q_SET_MOVER) return WHO_KNOWS;
    int from = flow_read(f, k, ins->w[0], i),
        to = kinds[1] == 'u' ? flow_read(f, k, ins->w[1], i) : -1;
    const Cell *a = q_constant_at(im->q, from), *b = to >= 0 ? q_constant_at(im->q, to) : NULL;
    switch (ins->op) {
    case Q_JZ: return is_nothing(f, k, ins, a);
    case Q_JNZ: return opposite(is_nothing(f, k, ins, a));
    case Q_JEQ:
    case Q_JNE:
    case Q_JLT:
    case Q_JLE: return compared(ins->op, a, b, from == to);
    case Q_JOCC:
    case Q_JEMPTY:
    case Q_JKIND:
    case Q_JSET: return holds_site(f, k, ins, a, ins->op);
    case Q_JNOCC: return opposite(holds_site(f, k, ins, a, Q_JOCC));
    case Q_JNEMPTY: return opposite(holds_site(f, k, ins, a, Q_JEMPTY));
    case Q_JNKIND: return opposite(holds_site(f, k, ins, a, Q_JKIND));
    case Q_JNSET: return opposite(holds_site(f, k, ins, a, Q_JSET));
    case Q_JIN:
    case Q_JNIN:
        if (!a || !b || !is_list(im->p, *b)) return WHO_KNOWS;
        return answer((list_position(&im->p->lists[*b], *a) >= 0) == (ins->op == Q_JIN));
    default: return WHO_KNOWS;
    }
}

// What the answer to a branch's question teaches.
static void learn(const Flow *f, Known *k, int i, bool went) {
    const Ins *ins = &f->im->ins[i];
    int zero;
    switch (ins->op) {
    case Q_JZ:
    case Q_JNZ:
        zero = q_constant(f->im->q, 0);
        if (went == (ins->op == Q_JZ))
            note_same(f, k, ins->w[0], zero);
        else
            note(f, k, ins->w[0], NOT_ZERO);
        break;
    case Q_JEQ:
    case Q_JNE:
        if (went != (ins->op == Q_JEQ)) break;
        for (int o = 0; o < 2; o++)
            if (q_constant_at(f->im->q, ins->w[!o])) note_same(f, k, ins->w[o], ins->w[!o]);
        break;
    case Q_JOCC:
    case Q_JKIND:
    case Q_JSET:
        if (went) note(f, k, ins->w[0], IS_OCCUPIED);
        break;
    case Q_JNOCC:
    case Q_JNKIND:
    case Q_JNSET:
        if (!went) note(f, k, ins->w[0], IS_OCCUPIED);
        break;
    case Q_JEMPTY:
        if (went) note(f, k, ins->w[0], IS_FREE);
        break;
    case Q_JNEMPTY:
        if (!went) note(f, k, ins->w[0], IS_FREE);
        break;
    default: break;
    }
}

// ---- one instruction -----------------------------------------------------------------------------

// What it writes beside its operands.
static void forget_written(const Flow *f, Known *k, const Ins *ins) {
    const Program *p = f->im->p;
    switch (ins->op) {
    case Q_STOREX: forget_range(f, k, ins->w[1], p->lists[ins->w[0]].n); break;
    case Q_STORERUN: forget_range(f, k, ins->w[2], ins->w[1]); break;
    case Q_FILL:
    case Q_ZERO: forget_range(f, k, ins->w[0], ins->w[1]); break;
    case Q_PUT:
    case Q_REMOVE:
    case Q_REMOVE_ALL:
    case Q_REMOVE_SET:
    case Q_REMOVE_KIND:
    case Q_MOVE:
    case Q_MOVE_ALL:
    case Q_MOVE_SET:
    case Q_MOVE_KIND:
    case Q_DROP:
    case Q_SOW_KIND:
    case Q_SOW: forget_pieces(f, k); break;
    case Q_RETIRE:
    case Q_SET_MOVER:
    case Q_REMEMBER: forget_range(f, k, p->system, SYSTEM_CELLS); break;
    case Q_SCORE: forget_range(f, k, p->scores, p->nplayers + 1); break;
    default: break;
    }
}

// What holds after instruction i where it simply goes on.
void flow_pass(const Flow *f, Known *k, int i) {
    const Ins *ins = &f->im->ins[i];
    if (ins->gone) return;
    const char *kinds = quick_kinds[ins->op];
    int result = kinds[0] == 'd' ? flow_result(f, k, i) : -1;
    forget_written(f, k, ins);
    for (int o = 0; kinds[o]; o++) {
        if (kinds[o] != 'd') continue;
        if (ins->w[o] < f->first) forget_pieces(f, k);
        // What a cell is known to hold the same as stays so if that is what is written.
        if (result != ins->w[o]) forget(f, k, ins->w[o]);
        if (result < 0 || !tracked(f, ins->w[o])) continue;
        k->same[ins->w[o] - f->first] = result;
        if (tracked(f, result)) k->facts[result - f->first] |= IS_SOURCE;
    }
}

// What holds on the way round a loop, `k` being what held before its head.
static void go_round(const Flow *f, Known *k, int i) {
    const Ins *ins = &f->im->ins[i];
    const char *kinds = quick_kinds[ins->op];
    int element = -1;
    for (int o = 0; kinds[o]; o++) {
        if (kinds[o] == 'i' || kinds[o] == 'v') forget(f, k, ins->w[o]);
        if ((kinds[o] == 'i' || kinds[o] == 'v') && ins->w[o] < f->first) forget_pieces(f, k);
        if (kinds[o] == 'v') element = ins->w[o];
    }
    const Cell *least;
    switch (ins->op) {
    case Q_EACH_OCC:
    case Q_EACH_KIND: note(f, k, element, IS_OCCUPIED); break;
    case Q_EACH_EMPTY: note(f, k, element, IS_FREE); break;
    case Q_EACH_MORE:
        least = q_constant_at(f->im->q, ins->w[6]);
        if (least && *least >= 0) note(f, k, element, IS_OCCUPIED);
        break;
    default: break;
    }
}

// Calls `visit` for each way out of instruction i, with f->edge what holds on it.
static void each_way(Flow *f, int i, void (*visit)(Flow *f, int from, int *to)) {
    Improver *im = f->im;
    Ins *ins = &im->ins[i];
    int t = ins->gone ? -1 : ins_target(ins->op);
    bool loop = t >= 0 && quick_kinds[ins->op][t + 1] == 't';
    Answer known = t >= 0 && !loop ? flow_taken(f, &f->now, i) : WHO_KNOWS;
    if (t >= 0 && known != NO) {
        flow_know_as(f, &f->edge, &f->now);
        if (loop)
            go_round(f, &f->edge, i);
        else
            learn(f, &f->edge, i, true);
        visit(f, i, &ins->w[t]);
    }
    if (loop) {
        flow_know_as(f, &f->edge, &f->now);
        visit(f, i, &ins->w[t + 1]);
    }
    if (ins->next < 0 || known == YES) return;
    flow_know_as(f, &f->edge, &f->now);
    flow_pass(f, &f->edge, i);
    if (t >= 0) learn(f, &f->edge, i, false);
    if (ins->gone || ins->op != Q_SET_MOVER) {
        visit(f, i, &ins->next);
        return;
    }
    const Cell *to = q_constant_at(im->q, flow_read(f, &f->now, ins->w[0], i));
    for (int m = 0; m < im->ncopies; m++) {
        int next = m * im->each + ins->next % im->each;
        if (to && is_player(im->p, *to) && *to != m && im->ncopies > 1) continue;
        visit(f, i, &next);
    }
}

// ---- all of them ---------------------------------------------------------------------------------

static void meet(Flow *f, int from, int *to) {
    (void)from;
    int number = f->meets[*to];
    if (number < 0) return;
    Known there = known_at(f, number);
    bool changes = !f->come_by[number];
    // What comes one way only is as it was there, also when two cells are known to be the same for another reason
    // than before.
    if (!changes && f->lone[number])
        changes = memcmp(there.same, f->edge.same, (size_t)f->n * sizeof *there.same) != 0 ||
                  memcmp(there.facts, f->edge.facts, (size_t)f->n) != 0;
    if (changes) {
        flow_know_as(f, &there, &f->edge);
        f->come_by[number] = true;
    } else if (!f->lone[number]) {
        for (int c = 0; c < f->n; c++) {
            if (there.same[c] != f->edge.same[c] && there.same[c] != f->first + c) {
                there.same[c] = f->first + c;
                changes = true;
            }
            uint8_t both = (there.facts[c] & f->edge.facts[c]) |
                           ((there.facts[c] | f->edge.facts[c]) & IS_SOURCE);
            changes |= both != there.facts[c];
            there.facts[c] = both;
        }
    }
    f->to_visit[number] |= changes;
    f->more |= changes;
}

// From where ways meet on to the next such places. `visit` sees every way out on the way.
static void walk(Flow *f, int i, void (*visit)(Flow *f, int from, int *to),
                 void (*before)(Flow *f, int i)) {
    Known k = known_at(f, f->meets[i]);
    flow_know_as(f, &f->now, &k);
    do {
        if (before) before(f, i);
        int next = f->im->ins[i].next, t = f->im->ins[i].gone ? -1 : ins_target(f->im->ins[i].op);
        bool leaves = next < 0 || (t >= 0 && flow_taken(f, &f->now, i) == YES);
        each_way(f, i, visit);
        if (leaves) return;
        // What holds on the last way out is what holds next.
        Known swap = f->now;
        f->now = f->edge;
        f->edge = swap;
        i = next;
    } while (f->meets[i] < 0);
}

static void count_way(void *context, int from, int to) {
    int *ways = context;
    (void)from;
    ways[to]++;
}

// When a look-ahead has its answer the cells are as they were when it began, but for the answer and what lay above
// it.
static void meet_after_look(Flow *f, int i) {
    const Improver *im = f->im;
    const Ins *ins = &im->ins[i];
    if (ins->gone || ins->op != Q_WOULD) return;
    int end = im->place[copy_of(im, i) * (im->p->ncode + 1) + ins->w[1]];
    if (end < 0) return;
    flow_know_as(f, &f->edge, &f->now);
    for (int cell = ins->w[4]; cell < f->first + f->n; cell++) forget(f, &f->edge, cell);
    meet(f, i, &end);
}

static void find_meets(Flow *f) {
    Improver *im = f->im;
    int *ways = arena_array(im->arena, (size_t)im->n + 1, sizeof *ways);
    memset(ways, 0, ((size_t)im->n + 1) * sizeof *ways);
    Reached reached;
    ins_find_reached(&reached, im);
    for (int k = 0; k < reached.n; k++) ins_followers(im, reached.all[k], count_way, ways);
    f->meets = arena_array(im->arena, (size_t)im->n + 1, sizeof *f->meets);
    f->nmeets = 0;
    f->count = im->n;
    // Where one way leads, and that is no simple going on, `walk` has to begin as well.
    for (int i = 0; i < im->n; i++) f->meets[i] = im->entry[i] || ways[i] > 1 ? 0 : -1;
    for (int i = 0; i < im->n; i++) {
        const Ins *ins = &im->ins[i];
        int t = ins->gone ? -1 : ins_target(ins->op);
        if (t >= 0) f->meets[ins->w[t]] = 0;
        if (t >= 0 && quick_kinds[ins->op][t + 1] == 't') f->meets[ins->w[t + 1]] = 0;
        for (int m = 0; ins->next >= 0 && ins->op == Q_SET_MOVER && m < im->ncopies; m++)
            f->meets[m * im->each + ins->next % im->each] = 0;
    }
    f->lone = arena_array(im->arena, (size_t)im->n + 1, sizeof *f->lone);
    for (int i = 0; i < im->n; i++) {
        if (f->meets[i] < 0) continue;
        f->lone[f->nmeets] = ways[i] == 1 && !im->entry[i];
        f->meets[i] = f->nmeets++;
    }
}

static bool flow_begin(Flow *f, Improver *im) {
    const Program *p = im->p;
    *f = (Flow){.im = im, .first = p->nsites * p->npieces, .mover = p->system + CELL_MOVER};
    f->n = p->ncells + im->q->slots - f->first;
    find_meets(f);
    size_t n = (size_t)f->n, all = ((size_t)f->nmeets + 4) * n;
    if (all > KNOWN_MAX) return false;
    f->same = arena_array(im->arena, all + 1, sizeof *f->same);
    f->facts = arena_array(im->arena, all + 1, 1);
    f->come_by = arena_array(im->arena, (size_t)f->nmeets + 1, sizeof *f->come_by);
    f->to_visit = arena_array(im->arena, (size_t)f->nmeets + 1, sizeof *f->to_visit);
    f->where = arena_array(im->arena, (size_t)f->nmeets + 1, sizeof *f->where);
    f->now = known_at(f, f->nmeets);
    f->edge = known_at(f, f->nmeets + 1);
    f->beyond = known_at(f, f->nmeets + 2);
    f->there = known_at(f, f->nmeets + 3);
    for (int i = 0; i < im->n; i++) {
        if (f->meets[i] < 0) continue;
        int number = f->meets[i];
        Known k = known_at(f, number);
        f->where[number] = i;
        if (im->open[i]) know_nothing(f, &k);
        f->come_by[number] = f->to_visit[number] = im->open[i];
    }
    for (size_t i = 0; i < im->outcomes.n; i++) {
        const Outcome *o = &im->outcomes.at[i];
        Known k = known_at(f, f->meets[o->entry]);
        for (int v = 0; v < o->thrown->nvars; v++)
            note_same(f, &k, o->thrown->cells[v], q_constant(im->q, outcome_value(im, o, v)));
    }
    f->more = true;
    return true;
}

// ---- all rounds ----------------------------------------------------------------------------------

void improve_flow(Improver *im, bool copies) {
    enum { ROUNDS = 3, ENOUGH = 100 };
    for (int round = 0; round < ROUNDS; round++) {
        Flow f;
        if (!flow_begin(&f, im)) return;
        f.copies = copies;
        for (int times = 0; f.more; times++) {
            // What has been known long enough may only become less.
            if (times == ENOUGH) memset(f.lone, 0, (size_t)f.nmeets * sizeof *f.lone);
            f.more = false;
            for (int number = 0; number < f.nmeets; number++) {
                if (!f.to_visit[number]) continue;
                f.to_visit[number] = false;
                walk(&f, f.where[number], meet, meet_after_look);
            }
        }
        for (int number = 0; number < f.nmeets; number++)
            if (f.come_by[number]) walk(&f, f.where[number], use_on_way, use_at);
        if (!f.more) return;
    }
}
