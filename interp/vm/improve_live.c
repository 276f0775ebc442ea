// Which scratch cells and slots somebody still reads, found from the end of the code to its beginning; and away with
// what is worked out for nobody. Cells of the position are always read: by whoever looks at it.
#include "improve.h"

#include "ask.h"

#include <string.h>

enum { WORD_BITS = 64, LIVE_MAX = 1 << 20 }; // words in all; with more, nothing is done

static uint64_t *live_at(const Live *l, int i) { return l->at + (size_t)i * (size_t)l->words; }

static void use(const Live *l, uint64_t *set, int cell) {
    unsigned bit = (unsigned)(cell - l->first);
    if (cell >= l->first && bit < (unsigned)l->n)
        set[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
}

static void written(const Live *l, uint64_t *set, int cell) {
    unsigned bit = (unsigned)(cell - l->first);
    if (cell >= l->first && bit < (unsigned)l->n)
        set[bit / WORD_BITS] &= ~(UINT64_C(1) << bit % WORD_BITS);
}

static bool has(const Live *l, const uint64_t *set, int cell) {
    unsigned bit = (unsigned)(cell - l->first);
    if (cell < l->first || bit >= (unsigned)l->n) return cell < l->first;
    return set[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

static void add_all(const Live *l, uint64_t *set, const uint64_t *more) {
    for (int w = 0; w < l->words; w++) set[w] |= more[w];
}

// What is read from where the machine goes on at `pc` of the base code, in the copy of instruction i or, i being
// -1, in any.
static void add_place(const Live *l, uint64_t *set, int i, int pc, const int *cells, int ncells) {
    const Improver *im = l->im;
    for (int m = 0; m < im->ncopies; m++) {
        int at = im->place[m * (im->p->ncode + 1) + pc];
        if (at < 0 || (i >= 0 && copy_of(im, i) != m)) continue;
        for (int w = 0; w < l->words; w++) l->room[w] = live_at(l, at)[w];
        for (int k = 0; k < ncells; k++) written(l, l->room, cells[k]); // chosen values come there
        add_all(l, set, l->room);
    }
}

static void add_outcome(const Live *l, uint64_t *set, const Outcome *o) {
    memcpy(l->room, live_at(l, o->entry), (size_t)l->words * sizeof *l->room);
    for (int k = 0; k < o->thrown->nvars; k++) written(l, l->room, o->thrown->cells[k]);
    add_all(l, set, l->room);
}

static void add_ways(const Live *l, uint64_t *set, int i) {
    const Improver *im = l->im;
    const Program *p = im->p;
    const Ins *ins = &im->ins[i];
    switch (ins->op) {
    case Q_DECIDE:
        for (int k = 0; k < p->nalternatives; k++) {
            const Alternative *a = &p->alternatives[k];
            add_place(l, set, i, a->target, a->cells, a->nvars);
        }
        break;
    case Q_THROW: {
        const Throw *t = &p->throws[ins->w[0]];
        add_place(l, set, i, t->target, t->cells, t->nvars);
        for (int k = 0; ins->w[1] >= 0 && k < p->dice[t->dice].noutcomes; k++)
            add_outcome(l, set, &im->outcomes.at[ins->w[1] + k]);
        break;
    }
    case Q_WOULD: add_place(l, set, i, ins->w[1], &ins->w[4], 1); break;
    case Q_FIRST_ASKED: // where they stand aside
    case Q_EACH_ASKED:
    case Q_NEXT_ASKED: add_all(l, set, live_at(l, ins->w[4])); break;
    case Q_WIN:
    case Q_WIN_LIST:
    case Q_LOSE:
    case Q_DRAW:
    case Q_BY_SCORE:
    case Q_END:
        for (int k = 0; k < l->nthens; k++) add_place(l, set, -1, l->thens[k], NULL, 0);
        break;
    default: break;
    }
}

static void use_range(const Live *l, uint64_t *set, int base, int n) {
    for (int c = base; c < base + n; c++) use(l, set, c);
}

static void use_question(const Live *l, uint64_t *set, const Asked *q) {
    for (int i = 0; i < q->nnodes; i++) {
        use(l, set, q->nodes[i].a);
        use(l, set, q->nodes[i].b);
    }
    for (int k = 0; k < 2; k++)
        if (q->next[k]) use_question(l, set, q->next[k]);
}

// The questions stand where the operands from `at` on are as these: asked cell low n.
static void use_asked(const Live *l, uint64_t *set, const Ins *ins, int at) {
    for (int i = 0; i < ins->w[at + 3]; i++) use_question(l, set, &l->im->asked.at[ins->w[at] + i]);
}

static void use_values(const Live *l, uint64_t *set, int alternative) {
    const Alternative *a = &l->im->p->alternatives[alternative];
    for (int k = 0; k < a->nvars; k++) use(l, set, a->cells[k]);
}

// What it reads beside its operands.
static void use_more(const Live *l, uint64_t *set, const Ins *ins) {
    const Program *p = l->im->p;
    switch (ins->op) {
    case Q_LOADX: use_range(l, set, ins->w[2], p->lists[ins->w[1]].n); break;
    case Q_LOADRUN: use_range(l, set, ins->w[3], ins->w[2]); break;
    case Q_ITER_CELLS: use_range(l, set, ins->w[0], ins->w[1]); break;
    case Q_CAND:
    case Q_LOT: use_values(l, set, ins->w[0]); break;
    case Q_CANDS_ASKED:
        use_asked(l, set, ins, 3);
        use_values(l, set, ins->w[0]);
        break;
    case Q_COUNT_ASKED: use_asked(l, set, ins, 3); break;
    case Q_FIRST_ASKED:
    case Q_EACH_ASKED: use_asked(l, set, ins, 5); break;
    default: break;
    }
}

typedef struct Union {
    const Live *l;
    uint64_t *set;
} Union;

static void add_follower(void *context, int from, int to) {
    const Union *u = context;
    const Live *l = u->l;
    const Ins *ins = &l->im->ins[from];
    const char *kinds = quick_kinds[ins->op];
    int t = ins->gone ? -1 : ins_target(ins->op);
    memcpy(l->room, live_at(l, to), (size_t)l->words * sizeof *l->room);
    // Round a loop its element is written; where both ways lead to one place, nothing is sure.
    if (t >= 0 && kinds[t + 1] == 't' && ins->w[t] == to && ins->w[t + 1] != to)
        for (int o = 0; o < t; o++)
            if (kinds[o] == 'v') written(l, l->room, ins->w[o]);
    add_all(l, u->set, l->room);
}

// What is read after instruction i, into `set`.
static void live_after(const Live *l, int i, uint64_t *set) {
    memset(set, 0, (size_t)l->words * sizeof *set);
    Union u = {l, set};
    ins_followers(l->im, i, add_follower, &u);
    if (!l->im->ins[i].gone) add_ways(l, set, i);
}

bool live_is_read(const Live *l, int i, int cell) {
    if (i >= l->count) return true; // made since
    live_after(l, i, l->after);
    return has(l, l->after, cell);
}

bool live_is_wanted(const Live *l, int i, int cell) {
    return i >= l->count || has(l, live_at(l, i), cell);
}

static bool update(const Live *l, int i) {
    const Ins *ins = &l->im->ins[i];
    uint64_t *set = l->after;
    live_after(l, i, set);
    // (What gives something that nobody asks for reads nothing: it can be left out.)
    if (!ins->gone && !(live_only_gives(l->im, ins) && !has(l, set, ins->w[0]))) {
        const char *kinds = quick_kinds[ins->op];
        for (int o = 0; kinds[o]; o++)
            if (kinds[o] == 'd') written(l, set, ins->w[o]);
        if (ins->op == Q_FILL || ins->op == Q_ZERO)
            for (int c = 0; c < ins->w[1]; c++) written(l, set, ins->w[0] + c);
        for (int o = 0; kinds[o]; o++)
            if (kinds[o] == 'u' || kinds[o] == 'i') use(l, set, ins->w[o]);
        use_more(l, set, ins);
    }
    uint64_t *at = live_at(l, i);
    bool changes = memcmp(at, set, (size_t)l->words * sizeof *set) != 0;
    memcpy(at, set, (size_t)l->words * sizeof *set);
    return changes;
}

// ---- order ---------------------------------------------------------------------------------------

typedef struct Order {
    const Improver *im;
    int *at, n;    // so far
    int *stack, m; // instructions to come to; ~i: all that come after i are there
    bool *seen;
} Order;

static void come_to(void *context, int from, int to) {
    Order *o = context;
    (void)from;
    if (!o->seen[to]) o->stack[o->m++] = to;
}

static void order_from(Order *o, int first) {
    o->m = 0;
    come_to(o, first, first);
    while (o->m > 0) {
        const int i = o->stack[--o->m];
        if (i < 0) {
            o->at[o->n++] = ~i;
        } else if (!o->seen[i]) {
            o->seen[i] = true;
            o->stack[o->m++] = ~i;
            ins_followers(o->im, i, come_to, o);
        }
    }
}

// All instructions, each after those that come after it, but where they come round again: so little has to be looked
// at twice.
static int *from_the_end(Improver *im) {
    enum { FOLLOWERS_MOST = 3 + COPIES_MAX };
    const size_t n = (size_t)im->n + 1;
    Order o = {.im = im};
    o.at = arena_array(im->arena, n, sizeof *o.at);
    o.stack = arena_array(im->arena, n * FOLLOWERS_MOST, sizeof *o.stack);
    o.seen = arena_array(im->arena, n, sizeof *o.seen);
    for (int i = im->n; i-- > 0;)
        if (im->entry[i]) order_from(&o, i);
    for (int i = im->n; i-- > 0;) order_from(&o, i);
    return o.at;
}

bool live_find(Live *l, Improver *im) {
    *l = (Live){.im = im,
                .count = im->n,
                .first = im->p->nstate,
                .n = im->p->ncells + im->q->slots - im->p->nstate};
    l->words = (l->n + WORD_BITS - 1) / WORD_BITS;
    if (l->words > LIVE_MAX / (im->n + 1)) return false;
    size_t words = (size_t)l->words;
    l->at = arena_array(im->arena, words * (size_t)im->n + 1, sizeof *l->at);
    memset(l->at, 0, (words * (size_t)im->n + 1) * sizeof *l->at);
    l->after = arena_array(im->arena, words + 1, sizeof *l->after);
    l->room = arena_array(im->arena, words + 1, sizeof *l->room);
    l->thens = arena_array(im->arena, (size_t)im->n + 1, sizeof *l->thens);
    for (int i = 0; i < im->each; i++)
        if (im->ins[i].op == Q_WOULD) l->thens[l->nthens++] = im->ins[i].w[0];
    const int *order = from_the_end(im);
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < im->n; k++) more |= update(l, order[k]);
    }
    return true;
}

// ---- away with it --------------------------------------------------------------------------------

static bool known_list(const Improver *im, int cell) {
    const Cell *list = q_constant_at(im->q, cell);
    return list && is_list(im->p, *list);
}

bool live_only_gives(const Improver *im, const Ins *ins) {
    switch (ins->op) {
    case Q_COPY:
    case Q_MIN:
    case Q_MAX:
    case Q_EQ:
    case Q_NE:
    case Q_LT:
    case Q_LE:
    case Q_NOT:
    case Q_COUNT:
    case Q_COUNT_KIND:
    case Q_COUNT_SET:
    case Q_OCCUPIED:
    case Q_EMPTY:
    case Q_EMPTY_KIND:
    case Q_EMPTY_SET:
    case Q_PIECE_ON:
    case Q_PIECE_FIRST:
    case Q_PIECE_IS:
    case Q_AMONG:
    case Q_MAP:
    case Q_FAMILY1:
    case Q_FAMILY2:
    case Q_FAMILY3:
    case Q_NEXT:
    case Q_AHEAD: return true;
    case Q_LCOUNT:
    case Q_LCOUNT_KIND:
    case Q_NTH:
    case Q_SIZE: return known_list(im, ins->w[1]);
    case Q_LCOUNT_SET:
    case Q_INDEX:
    case Q_IN: return known_list(im, ins->w[2]);
    default: return false;
    }
}

// Whether it is the head of a loop that ends with the first element, or without one in the same place, and nobody
// asks which.
static bool finds_for_nobody(const Live *l, int i) {
    const Improver *im = l->im;
    const Ins *ins = &im->ins[i];
    if (ins->op < Q_BEGIN_LIST || ins->op > Q_BEGIN_RUN_MORE) return false;
    const int t = ins_target(ins->op), to = ins_at(im, ins->w[t]);
    return to >= 0 && to == ins_at(im, ins->w[t + 1]) && !live_is_wanted(l, to, ins->w[1]) &&
           !live_is_wanted(l, to, ins->w[2]);
}

void improve_live(Improver *im) {
    Live l;
    for (bool more = true; more;) {
        more = false;
        if (!live_find(&l, im)) return;
        for (int i = 0; i < im->n; i++) {
            Ins *ins = &im->ins[i];
            ins->gone |= live_only_gives(im, ins) && !live_is_read(&l, i, ins->w[0]);
        }
        for (int i = 0; i < im->n; i++) {
            Ins *ins = &im->ins[i];
            if (ins->gone || !finds_for_nobody(&l, i)) continue;
            ins->next = ins->w[ins_target(ins->op)];
            ins->gone = more = true;
        }
    }
}
