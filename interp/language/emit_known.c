// What is known while something is asked: within the tests of a (choose ...) or an (any ...) the position does not
// change, so what was worked out once, or found to hold, need not be worked out again.
//
// A part that cannot fail, and is the same for all rounds of a loop, is worked out before the loop; one that was
// worked out on every way to here lies in a cell; a truth that was found out on the way is one. Nothing of that in a
// program that counts what play comes by: there all is asked as it is written.
#include "emit.h"

#include <stdlib.h>

enum { STANDING_MAX = 40, ROOT_MAX = 600 };

static const Local *local_at(const Compiler *c, const Node *n) {
    return &c->w->expanded->locals.at[n->ref];
}

static bool is_local(const Node *n) { return n->kind == NODE_NAME && n->ludeme == L_LOCAL; }

static bool is_quantifier(const Node *n) {
    return n->kind == NODE_LIST &&
           (n->ludeme == L_ANY || n->ludeme == L_ALL || n->ludeme == L_NONE ||
            n->ludeme == L_HOW_MANY || n->ludeme == L_SUM || n->ludeme == L_MOST ||
            n->ludeme == L_LEAST || n->ludeme == L_FIRST);
}

static bool is_family(const Node *n) {
    return n->kind == NODE_LIST && n->ludeme > L_UNKNOWN && n->ludeme < LUDEMES &&
           ludemes[n->ludeme].form == FAMILY;
}

// ---- what an expression stands for -----------------------------------------------------------------------

const Node *meant(const Compiler *c, const Node *n) {
    for (;;) {
        if (is_local(n)) {
            const Local *l = local_at(c, n);
            const Node *other = l->stands                                        ? l->stands
                                : l->alias && is_local(l->alias) && !l->assigned ? l->alias
                                                                                 : NULL;
            if (!other) return n;
            n = other;
        } else if (n->kind == NODE_LIST && n->ludeme == L_DO && n->nkids > 1) {
            for (uint32_t i = 1; i + 1 < n->nkids; i++) {
                const Node *let = n->kids[i];
                if (let->ludeme != L_LET || let->kind != NODE_LIST || !is_local(let->kids[1]))
                    return n;
                if (!local_at(c, let->kids[1])->stands && !needs_no_code(c, let)) return n;
            }
            n = n->kids[n->nkids - 1];
        } else {
            return n;
        }
    }
}

static bool is_mover(const Node *n) {
    return (n->kind == NODE_NAME || n->kind == NODE_LIST) && n->ludeme == L_MOVER;
}

// Names that belong to one expression each and stand at the same place of both.
typedef struct Pair Pair;
struct Pair {
    int a, b;
    const Pair *up;
};

static bool same_name(const Node *a, const Node *b, const Pair *pairs) {
    if (a->ludeme == L_LOCAL) {
        for (const Pair *p = pairs; p; p = p->up)
            if (p->a == a->ref || p->b == b->ref) return p->a == a->ref && p->b == b->ref;
        return a->ref == b->ref;
    }
    if (a->ludeme == L_SYMBOL) return a->ref == b->ref;
    return a->ludeme != L_CHOSEN || (a->ref == b->ref && a->text == b->text);
}

static bool same_under(const Compiler *c, const Node *a, const Node *b, const Pair *pairs) {
    a = meant(c, a), b = meant(c, b);
    if (a->type != b->type) return false;
    if (is_mover(a) && is_mover(b)) return true;
    if (a->kind != b->kind || a->ludeme != b->ludeme || a->nkids != b->nkids) return false;
    Pair own = {.up = pairs};
    uint32_t from = 0;
    switch (a->kind) {
    case NODE_NUMBER: return a->number == b->number;
    case NODE_KEY: return a->text == b->text;
    case NODE_NAME: return same_name(a, b, pairs);
    case NODE_LIST:
        if (a == b) return true;
        if (a->ludeme == L_WOULD || a->ludeme == L_DO || a->nkids == 0) return false;
        if (a->ludeme == L_SYMBOL && a->ref != b->ref) return false;
        from = 1;
        if (is_quantifier(a)) {
            own.a = a->kids[1]->ref, own.b = b->kids[1]->ref;
            pairs = &own;
            from = 2;
        }
        break;
    case NODE_SET:
    case NODE_RANGE: break;
    default: return false;
    }
    for (uint32_t i = from; i < a->nkids; i++)
        if (!same_under(c, a->kids[i], b->kids[i], pairs)) return false;
    return true;
}

static bool same_question(const Compiler *c, const Node *a, const Node *b) {
    return same_under(c, a, b, NULL);
}

// ---- what cannot fail ------------------------------------------------------------------------------------

// Whether the variable has a place for all that the name goes through.
static bool index_fits(const Compiler *c, const Node *n) {
    World *w = c->w;
    const Var *v = &w->vars.at[w->symbols.at[n->ref].index];
    if (n->nkids != 2) return v->index_list < 0;
    const Node *index = meant(c, n->kids[1]);
    const List places = w->lists.at[v->index_list];
    List values;
    int16_t one;
    int value;
    if (is_mover(index)) {
        values = w->lists.at[w->players_list];
    } else if (evaluate(w, index, NULL, &value)) {
        one = (int16_t)value;
        values = (List){&one, 1};
    } else if (is_local(index) && local_at(c, index)->values) {
        values = w->lists.at[local_at(c, index)->values - 1];
    } else {
        return false;
    }
    for (int i = 0; i < values.n; i++) {
        int k = 0;
        while (k < places.n && places.at[k] != values.at[i]) k++;
        if (k == places.n) return false;
    }
    return true;
}

static const double UNBOUND = 1e18;

static double greater(double a, double b) { return a > b ? a : b; }

// How great a number can be, either way.
static double bound(const Compiler *c, const Node *n) {
    const double most = CELL_MAX;
    n = meant(c, n);
    if (n->type != T_NUMBER) return n->type == T_TRUTH ? 1 : most;
    if (n->kind == NODE_NUMBER) return (double)labs(n->number);
    if (n->kind == NODE_NAME) return most;
    if (n->kind != NODE_LIST) return UNBOUND;
    double all = 0;
    switch ((int)n->ludeme) {
    case L_SYMBOL:
    case L_SIZE:
    case L_INDEX:
    case L_NTH:
    case L_FIRST:
    case L_HOW_MANY: return most;
    case L_COUNT: {
        bool one = n->kids[1]->kind != NODE_KEY && n->kids[1]->type == T_SITE;
        bool kind = c->w->pieces.n == 1;
        for (uint32_t i = 1; i + 1 < n->nkids; i++)
            kind |= n->kids[i]->kind == NODE_KEY && n->kids[i + 1]->type == T_PIECE;
        return one && kind ? most : most * (double)(c->w->sites.n * c->w->pieces.n);
    }
    case L_ADD:
    case L_SUB:
        for (uint32_t i = 1; i < n->nkids; i++) all += bound(c, n->kids[i]);
        return all;
    case L_MUL:
        all = 1;
        for (uint32_t i = 1; i < n->nkids; i++) all *= bound(c, n->kids[i]);
        return all;
    case L_MIN:
    case L_MAX:
    case L_ABS:
        for (uint32_t i = 1; i < n->nkids; i++) all = greater(all, bound(c, n->kids[i]));
        return all;
    case L_IF: return n->nkids == 4 ? greater(bound(c, n->kids[2]), bound(c, n->kids[3])) : UNBOUND;
    default: return is_family(n) ? most : UNBOUND;
    }
}

bool sure_player(const Compiler *c, const Node *n) {
    int value;
    n = meant(c, n);
    if (evaluate(c->w, n, NULL, &value)) return value >= 0;
    return is_mover(n) || (n->kind == NODE_NAME && n->ludeme == L_OPPONENT) ||
           (n->kind == NODE_LIST && n->ludeme == L_OPPONENT &&
            (n->nkids == 1 || sure_player(c, n->kids[1]))) ||
           (is_local(n) && n->type == T_PLAYER && local_at(c, n)->values);
}

// A track that is there for certain.
static bool sure_track(const Compiler *c, const Node *n) {
    int value;
    n = meant(c, n);
    if (evaluate(c->w, n, NULL, &value)) return value >= 0;
    if (is_local(n)) return local_at(c, n)->values != 0;
    if (n->kind != NODE_LIST || n->nkids != 2) return false;
    if (n->ludeme == L_REVERSED) return sure_track(c, n->kids[1]);
    return n->ludeme == L_SYMBOL && c->w->symbols.at[n->ref].kind == SYMBOL_TRACK &&
           sure_player(c, n->kids[1]);
}

static bool all_total(const Compiler *c, const Node *n, uint32_t from) {
    for (uint32_t i = from; i < n->nkids; i++) {
        if (n->kids[i]->kind == NODE_KEY) continue;
        if (!is_total(c, n->kids[i])) return false;
        if (n->kids[i]->type == T_TRACK && n->ludeme != L_NEXT && n->ludeme != L_AHEAD &&
            n->ludeme != L_EQ && n->ludeme != L_NE && n->ludeme != L_UNSET && n->ludeme != L_IF &&
            !is_family(n) && !sure_track(c, n->kids[i]))
            return false;
    }
    return true;
}

// Whether asking can never be a fault of the play, nor changes anything: it may be asked sooner or later than it is
// written, or not at all.
bool is_total(const Compiler *c, const Node *n) {
    n = meant(c, n);
    switch (n->kind) {
    case NODE_NUMBER: return true;
    case NODE_NAME:
        return n->type != T_ERROR && !(n->ludeme == L_LOCAL && local_at(c, n)->assigned);
    case NODE_SET:
    case NODE_RANGE: return all_total(c, n, 0);
    case NODE_LIST: break;
    default: return false;
    }
    if (n->type == T_ERROR) return false;
    if (is_quantifier(n)) {
        if (n->ludeme == L_SUM) return false;
        if ((n->ludeme == L_MOST || n->ludeme == L_LEAST) &&
            bound(c, n->kids[n->nkids - 1]) > CELL_MAX)
            return false;
        return all_total(c, n, 2);
    }
    if (is_family(n)) return all_total(c, n, 1);
    switch ((int)n->ludeme) {
    case L_SYMBOL:
        return c->w->symbols.at[n->ref].kind == SYMBOL_VAR ? index_fits(c, n) && all_total(c, n, 1)
                                                           : all_total(c, n, 1);
    case L_MOVER: return true;
    case L_ADD:
    case L_SUB:
    case L_MUL:
    case L_MIN:
    case L_MAX:
    case L_ABS: return bound(c, n) < INT32_MAX && all_total(c, n, 1);
    case L_IF: return n->nkids == 4 && all_total(c, n, 1);
    case L_OPPONENT:
    case L_COUNT:
    case L_OCCUPIED:
    case L_EMPTY:
    case L_PIECE_ON:
    case L_IN:
    case L_SIZE:
    case L_NTH:
    case L_INDEX:
    case L_NEXT:
    case L_AHEAD:
    case L_UNSET:
    case L_EQ:
    case L_NE:
    case L_LT:
    case L_LE:
    case L_GT:
    case L_GE:
    case L_NOT:
    case L_AND:
    case L_OR: return all_total(c, n, 1);
    default: return false;
    }
}

// ---- names that need no cell -------------------------------------------------------------------------------

int size_of(const Compiler *c, const Node *n) {
    n = meant(c, n);
    int size = 1;
    for (uint32_t i = 0; i < n->nkids && size <= ROOT_MAX; i++) size += size_of(c, n->kids[i]);
    return size;
}

static void stand(Compiler *c, const Node *let) {
    if (let->kind != NODE_LIST || let->ludeme != L_LET || let->nkids < 3 || !is_local(let->kids[1]))
        return;
    Local *all = c->w->expanded->locals.at, *l = &all[let->kids[1]->ref];
    const Node *value = let->kids[2];
    bool stands = !l->assigned && value->effect == EFFECT_NONE && is_total(c, value) &&
                  size_of(c, value) <= STANDING_MAX;
    // What a region depends on stays as it is.
    for (uint32_t i = 3; i + 1 < let->nkids; i += 2) stands &= is_total(c, let->kids[i + 1]);
    for (uint32_t i = 3; i + 1 < let->nkids; i += 2)
        all[let->kids[i]->ref].stands = stands ? let->kids[i + 1] : NULL;
    l->stands = stands && !needs_no_code(c, let) ? value : NULL;
}

// What (let ...)s within a question name is what they stand for from here on, if it cannot fail.
static void stand_lets(Compiler *c, const Node *n) {
    if (n->kind == NODE_LIST && n->ludeme == L_WOULD) return;
    if (n->effect >= EFFECT_DOES) return;
    if (n->kind == NODE_LIST && n->ludeme == L_DO) {
        for (uint32_t i = 1; i < n->nkids; i++) {
            if (n->kids[i]->kind != NODE_LIST) continue;
            if (n->kids[i]->ludeme == L_LET && n->kids[i]->nkids > 2)
                stand_lets(c, n->kids[i]->kids[2]);
            else
                stand_lets(c, n->kids[i]);
            stand(c, n->kids[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < n->nkids; i++) stand_lets(c, n->kids[i]);
}

// ---- what is known ---------------------------------------------------------------------------------------

static bool keeps(const Compiler *c, const Node *n) {
    return n->type != T_ERROR && n->type != T_NOTHING && n->type != T_UNSET && n->type != T_DICE &&
           (n->type != T_NUMBER || bound(c, n) <= CELL_MAX);
}

static const Known *find_known(const Compiler *c, const Node *n, bool list) {
    for (size_t i = c->known.n; i > c->known_from; i--) {
        const Known *k = &c->known.at[i - 1];
        if (k->list == list && same_question(c, k->node, n)) return k;
    }
    return NULL;
}

int known_cell(const Compiler *c, const Node *n, bool list) {
    if (c->known.n == c->known_from) return -1;
    const Known *k = find_known(c, n, list);
    return k ? k->cell : -1;
}

// A truth that is known, 0 or 1; or -1.
int known_truth(Compiler *c, const Node *n) {
    int value;
    if (n->type != T_TRUTH) return -1;
    if (evaluate(c->w, n, NULL, &value)) return value;
    if (c->known.n == c->known_from) return -1;
    n = meant(c, n);
    if (n->kind == NODE_LIST && n->ludeme == L_NOT) {
        int other = known_truth(c, n->kids[1]);
        return other < 0 ? -1 : !other;
    }
    if (n->kind == NODE_LIST && (n->ludeme == L_AND || n->ludeme == L_OR)) {
        bool decides = n->ludeme == L_OR, all = true;
        for (uint32_t i = 1; i < n->nkids; i++) {
            int kid = known_truth(c, n->kids[i]);
            // What stands before it might fail, and then it must.
            if (kid == (int)decides && all) return decides;
            all &= kid >= 0;
        }
        return all ? !decides : -1;
    }
    const Known *k = find_known(c, n, false);
    return k && k->cell < 0 ? k->truth : -1;
}

void learn_truth(Compiler *c, const Node *n, bool truth) {
    if (!c->learning || n->type != T_TRUTH || is_constant(c->w, n)) return;
    n = meant(c, n);
    if (n->kind == NODE_LIST && n->ludeme == L_NOT) {
        learn_truth(c, n->kids[1], !truth);
    } else if (n->kind == NODE_LIST && n->ludeme == (truth ? L_AND : L_OR)) {
        for (uint32_t i = 1; i < n->nkids; i++) learn_truth(c, n->kids[i], truth);
    } else {
        vec_push(c->arena, &c->known, ((Known){n, false, -1, truth}));
    }
}

void forget(Compiler *c, size_t n) {
    if (c->known.n > n) c->known.n = n;
}

// The cells from there on are given back.
void forget_cells(Compiler *c, int scratch) {
    size_t kept = c->known_from;
    for (size_t i = c->known_from; i < c->known.n; i++)
        if (c->known.at[i].cell < CELLS_OF_SCRATCH + scratch) c->known.at[kept++] = c->known.at[i];
    if (c->known.n > kept) c->known.n = kept;
}

// ---- questions -------------------------------------------------------------------------------------------

// From here on, and until `end_asking`, nothing changes but what the questions themselves name.
static void begin_learning(Compiler *c) {
    c->learning = !c->counting;
    c->roots_from = c->roots.n;
}

// n is asked, which may be part of what is asked already; NULL: see add_question.
Asking begin_asking(Compiler *c, const Node *n) {
    Asking a = {c->learning, c->known.n, c->known_from, c->roots.n, c->roots_from};
    c->asking++;
    if (!n || (!c->learning && !c->counting)) {
        begin_learning(c);
        if (n) add_question(c, n);
    }
    return a;
}

void add_question(Compiler *c, const Node *n) {
    if (!c->learning) return;
    stand_lets(c, n);
    if (size_of(c, n) > ROOT_MAX) c->learning = false; // not worth the time
    vec_push(c->arena, &c->roots, n);
}

void end_asking(Compiler *c, Asking a) {
    c->asking--;
    if (c->learning && !a.learning) forget(c, a.known);
    c->learning = a.learning;
    c->known_from = a.known_from;
    c->roots.n = a.roots;
    c->roots_from = a.roots_from;
}

// ---- before a loop ---------------------------------------------------------------------------------------

typedef struct Bound Bound; // names that change from round to round
struct Bound {
    const Node *const *names;
    int n;
    const Bound *up;
};

static bool mentions(const Compiler *c, const Node *n, const Bound *bound) {
    n = meant(c, n);
    if (is_local(n)) {
        for (; bound; bound = bound->up)
            for (int i = 0; i < bound->n; i++)
                if (bound->names[i]->ref == n->ref) return true;
        return false;
    }
    for (uint32_t i = 0; i < n->nkids; i++)
        if (mentions(c, n->kids[i], bound)) return true;
    return false;
}

int names_needed(const Compiler *c, const Node *n, Node *const *names, int nnames) {
    for (int i = nnames; i > 0; i--) {
        const Bound one = {(const Node *const *)&names[i - 1], 1, NULL};
        if (mentions(c, n, &one)) return i;
    }
    return 0;
}

// Whether keeping it spares anything.
static bool worth(const Node *n) {
    if (n->kind == NODE_NAME) return n->ludeme == L_OPPONENT;
    return n->kind == NODE_LIST && n->ludeme != L_MOVER;
}

static bool wants_list(const Node *parent, uint32_t i) {
    switch ((int)parent->ludeme) {
    case L_IN:
    case L_INDEX:
    case L_NTH: return i == 2;
    case L_SIZE:
    case L_COUNT:
    case L_OCCUPIED:
    case L_EMPTY: return true;
    default: return is_quantifier(parent) && i == 3;
    }
}

static void keep(Compiler *c, const Node *n, bool list) {
    int cell = new_cell(c, true);
    if (list)
        emit_list(c, n);
    else
        emit_value_anew(c, n);
    emit_store(c, n, cell);
    vec_push(c->arena, &c->known, ((Known){n, list, cell, 0}));
}

// About how many rounds a loop through the list has: of one that only play knows, for the first of the players, sites...
double about_rounds(Compiler *c, const Node *domain) {
    World *w = c->w;
    Leaves leaves = {0};
    int value;
    if (domain->kind == NODE_SET) return domain->nkids;
    find_leaves(w, domain, &leaves);
    for (int i = 0; i < leaves.n; i++)
        leaves.at[i].value = leaves.at[i].low < 0 ? 0 : leaves.at[i].low;
    if (leaves.too_many || !evaluate(w, domain, &leaves, &value) || value < 0) return 8;
    return w->lists.at[list_number(w, domain, value)].n;
}

// Keeps what is asked about `often` times, as far as can be told, and is the same whatever the bound names are.
static void lift(Compiler *c, const Node *n, bool list, const Bound *changing, double often) {
    list = list && n->type == T_TRACK;
    n = meant(c, n);
    if (n->kind == NODE_KEY || n->kind == NODE_NUMBER || n->kind == NODE_STRING ||
        n->kind == NODE_ERROR)
        return;
    if (is_constant(c->w, n) || find_known(c, n, list) || n->effect >= EFFECT_DOES) return;
    if (often > 1.2 && (list || worth(n)) && keeps(c, n) && !mentions(c, n, changing) &&
        is_total(c, n)) {
        keep(c, n, list);
        return;
    }
    if (n->kind == NODE_SET || n->kind == NODE_RANGE) {
        for (uint32_t i = 0; i < n->nkids; i++) lift(c, n->kids[i], false, changing, often);
        return;
    }
    if (n->kind != NODE_LIST || n->ludeme == L_WOULD || n->ludeme == L_DO) return;
    if (is_quantifier(n)) {
        Binder b;
        read_binder((Node *)n, &b);
        lift(c, b.domains[0], true, changing, often);
        const Bound own = {(const Node *const *)b.names, 1, changing};
        often *= greater(about_rounds(c, b.domains[0]) / 2, 1);
        for (int i = 0; i < b.ntests; i++) lift(c, b.tests[i], false, &own, often), often *= 0.5;
        if (b.body < n->nkids && n->kids[b.body]->kind != NODE_KEY)
            lift(c, n->kids[b.body], false, &own, often);
        return;
    }
    bool junction = n->ludeme == L_AND || n->ludeme == L_OR || n->ludeme == L_IF;
    for (uint32_t i = 1; i < n->nkids; i++) {
        lift(c, n->kids[i], wants_list(n, i), changing, often);
        if (junction && (i == 1 || n->ludeme != L_IF)) often *= 0.5;
    }
}

void lift_out(Compiler *c, const Node *n, bool list, Node *const *names, int nnames, double often) {
    if (!c->learning) return;
    const Bound changing = {(const Node *const *)names, nnames, NULL};
    lift(c, n, list, &changing, often);
}

// The list, if it is known, of which all values of the loop's name are; its number + 1.
int domain_of(Compiler *c, const Node *domain) {
    int value;
    if (domain->type == T_TRACK || !evaluate(c->w, domain, NULL, &value) || value < 0) return 0;
    return value + 1;
}

// ---- what a test implies ---------------------------------------------------------------------------------

static bool among(const Compiler *c, const Questions *all, const Node *n) {
    for (size_t i = 0; i < all->n; i++)
        if (same_question(c, all->at[i], n)) return true;
    return false;
}

// What holds whenever n does: of an `or`, what holds in all its parts.
void find_implied(Compiler *c, const Node *n, Questions *out) {
    n = meant(c, n);
    if (n->kind == NODE_LIST && n->ludeme == L_AND) {
        for (uint32_t i = 1; i < n->nkids; i++) find_implied(c, n->kids[i], out);
    } else if (n->kind == NODE_LIST && n->ludeme == L_OR && n->nkids > 1) {
        Questions held = {0};
        find_implied(c, n->kids[1], &held);
        for (uint32_t i = 2; i < n->nkids; i++) {
            Questions also = {0}, both = {0};
            find_implied(c, n->kids[i], &also);
            for (size_t k = 0; k < held.n; k++)
                if (among(c, &also, held.at[k])) vec_push(c->arena, &both, held.at[k]);
            held = both;
        }
        for (size_t k = 0; k < held.n; k++) vec_push(c->arena, out, held.at[k]);
    } else {
        vec_push(c->arena, out, n);
    }
}

// ---- what is asked twice ---------------------------------------------------------------------------------

// How often it is asked in n, up to two.
static int times_in(const Compiler *c, const Node *n, const Node *asked) {
    n = meant(c, n);
    if (same_question(c, n, asked)) return 1;
    int times = 0;
    for (uint32_t i = 0; i < n->nkids && times < 2; i++) times += times_in(c, n->kids[i], asked);
    return times;
}

// What has just been put on the stack lies in a cell from now on if it will be asked for again.
void keep_if_asked_again(Compiler *c, const Node *n) {
    n = meant(c, n);
    if (!c->learning || n->type == T_TRUTH || !worth(n) || n->effect >= EFFECT_DOES ||
        !keeps(c, n) || is_constant(c->w, n) || !is_total(c, n))
        return;
    int times = 0;
    for (size_t i = c->roots_from; i < c->roots.n && times < 2; i++) {
        times += times_in(c, c->roots.at[i], n);
    }
    if (times < 2) return;
    int cell = new_cell(c, true);
    emit_store(c, n, cell);
    emit_load(c, n, cell);
    vec_push(c->arena, &c->known, ((Known){n, false, cell, 0}));
}
