// Loops that leave out what can be known to be left out: of (choose to in: board where: (in to (neighbours from)))
// only neighbours are gone through. The lists are worked out beforehand for all values of the few names that such a
// test depends on, and make a family.
#include "emit.h"

#include <string.h>

enum {
    ASKED_MAX = 1500,   // questions for all loops of a program: loading must not take long
    KEPT_MAX = 1500,    // elements of a list
    UNKNOWN_TRUTH = -1, // what depends on the position
};

static bool is_local(const Node *n) { return n->kind == NODE_NAME && n->ludeme == L_LOCAL; }

static bool is_list_of(const Node *n, LudemeId id) {
    return n->kind == NODE_LIST && n->ludeme == id;
}

static bool asks_each(const Node *n) {
    return is_list_of(n, L_ANY) || is_list_of(n, L_ALL) || is_list_of(n, L_NONE);
}

// ---- what a test says without the position --------------------------------------------------------------

static int each_truth(Compiler *c, const Node *n, Leaves *leaves);

static int truth_of(Compiler *c, const Node *n, Leaves *leaves) {
    int value;
    n = meant(c, n);
    if (n->kind != NODE_LIST) return evaluate(c->w, n, leaves, &value) ? value : UNKNOWN_TRUTH;
    switch ((int)n->ludeme) {
    case L_NOT: {
        int kid = truth_of(c, n->kids[1], leaves);
        return kid < 0 ? kid : !kid;
    }
    case L_AND:
    case L_OR: {
        int decides = n->ludeme == L_OR, all = !decides;
        for (uint32_t i = 1; i < n->nkids; i++) {
            int kid = truth_of(c, n->kids[i], leaves);
            if (kid == decides) return decides;
            if (kid < 0) all = UNKNOWN_TRUTH;
        }
        return all;
    }
    case L_IF: {
        int test = truth_of(c, n->kids[1], leaves);
        if (n->nkids < 4) return UNKNOWN_TRUTH;
        if (test >= 0) return truth_of(c, n->kids[test ? 2 : 3], leaves);
        int one = truth_of(c, n->kids[2], leaves);
        return one >= 0 && one == truth_of(c, n->kids[3], leaves) ? one : UNKNOWN_TRUTH;
    }
    case L_ANY:
    case L_ALL:
    case L_NONE: return each_truth(c, n, leaves);
    default: return evaluate(c->w, n, leaves, &value) ? value : UNKNOWN_TRUTH;
    }
}

static const List *sites_of(Compiler *c, const Node *domain, const Leaves *leaves) {
    World *w = c->w;
    int list;
    if (!evaluate(w, domain, leaves, &list) || list < 0) return NULL;
    return &w->lists.at[domain->type == T_TRACK ? w->tracks.at[list].list : list];
}

static int each_truth(Compiler *c, const Node *n, Leaves *leaves) {
    Binder b;
    read_binder((Node *)n, &b);
    const List *found = leaves->n < LEAVES_MAX ? sites_of(c, b.domains[0], leaves) : NULL;
    if (!found) return UNKNOWN_TRUTH;
    const List list = *found; // the table of lists may grow
    bool asked = b.body < n->nkids && n->kids[b.body]->kind != NODE_KEY;
    int decides = n->ludeme != L_ALL, all = n->ludeme != L_ANY;
    leaves->n++;
    for (int i = 0; i < list.n; i++) {
        leaves->at[leaves->n - 1] = (Leaf){b.names[0], 0, 0, list.at[i]};
        int truth = asked && b.ntests ? truth_of(c, b.tests[0], leaves) : 1;
        if (truth == 0) continue;
        int what = truth_of(c, asked ? n->kids[b.body] : b.tests[0], leaves);
        if (what == !decides) continue;
        if (what == decides && truth == 1) {
            all = n->ludeme == L_ANY;
            break;
        }
        all = UNKNOWN_TRUTH;
    }
    leaves->n--;
    return all;
}

// ---- what it depends on ------------------------------------------------------------------------------------

// Whether the expression is one of names, tracks and regions only.
static bool is_fixed(Compiler *c, const Node *n) {
    n = meant(c, n);
    if (n->kind == NODE_NUMBER || n->kind == NODE_KEY) return true;
    if (n->kind == NODE_NAME)
        return n->ludeme != L_SYMBOL || c->w->symbols.at[n->ref].kind != SYMBOL_VAR;
    if (n->kind == NODE_LIST) {
        bool family =
            n->ludeme > L_UNKNOWN && n->ludeme < LUDEMES && ludemes[n->ludeme].form == FAMILY;
        bool symbol = n->ludeme == L_SYMBOL && c->w->symbols.at[n->ref].kind != SYMBOL_VAR;
        switch ((int)n->ludeme) {
        case L_EQ:
        case L_NE:
        case L_IN:
        case L_UNSET:
        case L_INDEX:
        case L_NTH:
        case L_NEXT:
        case L_LT:
        case L_LE:
        case L_GT:
        case L_GE: break;
        default:
            if (!family && !symbol) return false;
        }
    }
    for (uint32_t i = n->kind == NODE_LIST; i < n->nkids; i++)
        if (!is_fixed(c, n->kids[i])) return false;
    return true;
}

typedef struct Narrow {
    const Node *own[LEAVES_MAX + 1]; // the loop's name, and those of loops within its tests
    int nown;
    Leaves leaves;
    bool fails;   // depends on too much
    double asked; // questions for one element, about
} Narrow;

static void add_names(Compiler *c, Narrow *w, const Node *n) {
    n = meant(c, n);
    bool mover = (n->kind == NODE_NAME || n->kind == NODE_LIST) && n->ludeme == L_MOVER;
    if (is_local(n) || mover) {
        for (int i = 0; i < w->nown; i++)
            if (is_local(n) && w->own[i]->ref == n->ref) return;
        if (is_constant(c->w, n)) return;
        if (n->type == T_NUMBER || (n->type & T_LIST) || n->kind == NODE_LIST) w->fails = true;
        if (!w->fails) add_leaf(c->w, n, &w->leaves);
        return;
    }
    for (uint32_t i = n->kind == NODE_LIST; i < n->nkids; i++) add_names(c, w, n->kids[i]);
}

// The names that the fixed parts of a test depend on; false if there is none that says anything of the loop's own.
static bool add_test(Compiler *c, Narrow *w, const Node *n) {
    n = meant(c, n);
    if (is_list_of(n, L_AND) || is_list_of(n, L_OR) || is_list_of(n, L_NOT) ||
        is_list_of(n, L_IF)) {
        bool any = false;
        for (uint32_t i = 1; i < n->nkids; i++) any |= add_test(c, w, n->kids[i]);
        return any;
    }
    if (asks_each(n)) {
        Binder b;
        read_binder((Node *)n, &b);
        if (!is_fixed(c, b.domains[0]) || w->nown > LEAVES_MAX) return false;
        w->own[w->nown++] = b.names[0];
        bool any = false;
        double asked = w->asked;
        for (int i = 0; i < b.ntests; i++) any |= add_test(c, w, b.tests[i]);
        if (b.body < n->nkids && n->kids[b.body]->kind != NODE_KEY)
            any |= add_test(c, w, n->kids[b.body]);
        if (any) add_names(c, w, b.domains[0]);
        w->nown--;
        w->asked = asked + (w->asked - asked) * about_rounds(c, b.domains[0]);
        return any;
    }
    if (n->type != T_TRUTH || is_local(n) || !is_fixed(c, n)) return false;
    if (names_needed(c, n, (Node *const *)w->own, 1) == 0) return false;
    add_names(c, w, n);
    w->asked++;
    return true;
}

// The fixed parts of a test that may fail: what else there is says nothing of what can be left out. NULL if there is none.
static const Node *fixed_part(Compiler *c, const Node *n) {
    n = meant(c, n);
    if (is_list_of(n, L_AND) || is_list_of(n, L_OR)) {
        VEC(Node *) kids = {0};
        vec_push(c->arena, &kids, n->kids[0]);
        for (uint32_t i = 1; i < n->nkids; i++) {
            const Node *kid = fixed_part(c, n->kids[i]);
            if (kid) vec_push(c->arena, &kids, (Node *)kid);
            if (!kid && n->ludeme == L_OR) return NULL;
        }
        if (kids.n < 2) return NULL;
        Node *part = arena_alloc(c->arena, sizeof *part);
        *part = *n;
        part->kids = kids.at;
        part->nkids = (uint32_t)kids.n;
        return part;
    }
    if ((is_list_of(n, L_ANY) || is_list_of(n, L_FIRST)) && n->nkids > 4) {
        const Node *last = fixed_part(c, n->kids[n->nkids - 1]);
        if (!last || !is_fixed(c, n->kids[3])) return NULL;
        Node *part = arena_alloc(c->arena, sizeof *part);
        Node **kids = arena_array(c->arena, n->nkids, sizeof *kids);
        memcpy(kids, n->kids, n->nkids * sizeof *kids);
        kids[n->nkids - 1] = (Node *)last;
        *part = *n;
        part->kids = kids;
        return part;
    }
    return n->type == T_TRUTH && is_fixed(c, n) ? n : NULL;
}

// ---- what it can be ---------------------------------------------------------------------------------------

// A set of sites, or all of them.
typedef struct Sites {
    bool *has; // NULL: all
} Sites;

static bool *no_sites(Compiler *c) {
    bool *has = arena_array(c->arena, c->w->sites.n, sizeof *has);
    return memset(has, 0, c->w->sites.n * sizeof *has);
}

static bool is_own(Compiler *c, const Node *n, const Node *own) {
    n = meant(c, n);
    return is_local(n) && n->ref == own->ref;
}

// Among which sites all are for which the part can hold.
static Sites solve(Compiler *c, const Node *part, const Node *own, Leaves *leaves) {
    const size_t n = c->w->sites.n;
    const Sites all = {NULL};
    int value;
    if (is_list_of(part, L_EQ) && part->nkids == 3) {
        int k = is_own(c, part->kids[1], own) ? 2 : is_own(c, part->kids[2], own) ? 1 : 0;
        if (!k || !evaluate(c->w, part->kids[k], leaves, &value)) return all;
        Sites one = {no_sites(c)};
        if (value >= 0 && (size_t)value < n) one.has[value] = true;
        return one;
    }
    if (is_list_of(part, L_IN) && is_own(c, part->kids[1], own)) {
        const List *list = sites_of(c, part->kids[2], leaves);
        if (!list) return all;
        Sites listed = {no_sites(c)};
        for (int i = 0; i < list->n; i++)
            if (list->at[i] >= 0 && (size_t)list->at[i] < n) listed.has[list->at[i]] = true;
        return listed;
    }
    if (is_list_of(part, L_AND)) { // the first that says anything
        for (uint32_t i = 1; i < part->nkids; i++) {
            Sites s = solve(c, part->kids[i], own, leaves);
            if (s.has) return s;
        }
        return all;
    }
    if (is_list_of(part, L_OR)) {
        Sites any = {no_sites(c)};
        for (uint32_t i = 1; i < part->nkids; i++) {
            Sites s = solve(c, part->kids[i], own, leaves);
            if (!s.has) return all;
            for (size_t k = 0; k < n; k++) any.has[k] |= s.has[k];
        }
        return any;
    }
    if (is_list_of(part, L_ANY) && leaves->n < LEAVES_MAX) {
        const List *found = sites_of(c, part->kids[3], leaves);
        if (!found) return all;
        const List list = *found;
        Sites any = {no_sites(c)};
        leaves->n++;
        for (int i = 0; i < list.n && any.has; i++) {
            leaves->at[leaves->n - 1] = (Leaf){part->kids[1], 0, 0, list.at[i]};
            Sites s = solve(c, part->kids[part->nkids - 1], own, leaves);
            for (size_t k = 0; s.has && k < n; k++) any.has[k] |= s.has[k];
            if (!s.has) any.has = NULL;
        }
        leaves->n--;
        return any;
    }
    return all;
}

static Sites solve_all(Compiler *c, const Node *const *parts, size_t n, const Node *own,
                       Leaves *leaves) {
    Sites can = {NULL};
    if (c->w->expanded->locals.at[own->ref].type != T_SITE) return can;
    for (size_t t = 0; t < n && !can.has; t++)
        if (parts[t]) can = solve(c, parts[t], own, leaves);
    return can;
}

// ---- the lists ---------------------------------------------------------------------------------------------

// What is left of the domain where no test is known to fail; out->whole if that is all of it. False if it is not known,
// or so much that it is not worth it.
static bool narrow(Compiler *c, const Node *name, const Node *domain, const Questions *tests,
                   Narrowed *out) {
    Narrow w = {.own = {name}, .nown = 1};
    bool any = false;
    if (!c->learning || !is_fixed(c, domain)) return false;
    for (size_t i = 0; i < tests->n; i++) any |= add_test(c, &w, tests->at[i]);
    add_names(c, &w, domain);
    if (!any || w.fails || w.leaves.too_many) return false;
    Family f = {.dims = w.leaves.n};
    size_t size = 1;
    for (int i = 0; i < w.leaves.n; i++) {
        f.lows[i] = w.leaves.at[i].low;
        f.sizes[i] = w.leaves.at[i].size;
        size *= (size_t)w.leaves.at[i].size;
    }
    out->decided = 0;
    const Node *parts[32];
    for (size_t t = 0; t < tests->n; t++) {
        parts[t] = fixed_part(c, tests->at[t]);
        if (parts[t] == meant(c, tests->at[t])) out->decided |= 1u << t;
    }
    for (int i = 0; i < w.leaves.n; i++)
        w.leaves.at[i].value = w.leaves.at[i].low < 0 ? 0 : w.leaves.at[i].low;
    // Where the tests tell which sites it can be, only these are looked at.
    double looked =
        solve_all(c, parts, tests->n, name, &w.leaves).has ? 4 : about_rounds(c, domain);
    double cost = c->narrowing + (double)size * (looked + 1) * w.asked;
    if (cost > ASKED_MAX) return false;
    c->narrowing = (int)cost;
    int16_t *values = arena_array(c->arena, size, sizeof *values);
    size_t before = 0, after = 0;
    for (size_t i = 0; i < size; i++) {
        size_t rest = i;
        for (int k = w.leaves.n - 1; k >= 0; k--) {
            w.leaves.at[k].value = w.leaves.at[k].low + (int)(rest % (size_t)w.leaves.at[k].size);
            rest /= (size_t)w.leaves.at[k].size;
        }
        const List *found = sites_of(c, domain, &w.leaves);
        if (!found || found->n > KEPT_MAX) return false;
        const List list = *found;
        int kept[KEPT_MAX];
        size_t n = 0;
        Sites can = solve_all(c, parts, tests->n, name, &w.leaves);
        w.leaves.n++;
        for (int k = 0; k < list.n; k++) {
            if (can.has && !can.has[list.at[k]]) continue;
            w.leaves.at[w.leaves.n - 1] = (Leaf){name, 0, 0, list.at[k]};
            bool stays = true;
            for (size_t t = 0; t < tests->n && stays; t++) {
                int truth = parts[t] ? truth_of(c, parts[t], &w.leaves) : UNKNOWN_TRUTH;
                if (truth < 0) out->decided &= ~(1u << t);
                stays = truth != 0;
            }
            if (stays) kept[n++] = list.at[k];
        }
        w.leaves.n--;
        before += (size_t)list.n;
        after += n;
        values[i] = (int16_t)world_list(c->w, kept, n);
    }
    if (world_spent(c->w, domain)) return false;
    out->whole = after * 4 > before * 3;
    if (out->whole) return after == before;
    out->leaves = w.leaves;
    out->family = -1;
    out->list = values[0];
    if (f.dims == 0) return true;
    f.values = values;
    vec_push(c->arena, &c->families, f);
    out->family = (int)c->families.n - 1;
    return true;
}

static void flatten(Compiler *c, const Node *n, Questions *out) {
    n = meant(c, n);
    if (is_list_of(n, L_AND)) {
        for (uint32_t i = 1; i < n->nkids; i++) flatten(c, n->kids[i], out);
    } else if (is_total(c, n) && out->n < 32) {
        vec_push(c->arena, out, n);
    }
}

// The tests are asked in this order, right within the loop; those from the first on that might fail do not count. What
// is known of all that is left is learned.
bool find_narrowed(Compiler *c, const Node *name, const Node *domain, const Questions *tests,
                   Narrowed *out) {
    Questions asked = {0};
    for (size_t i = 0; i < tests->n && is_total(c, tests->at[i]); i++)
        flatten(c, tests->at[i], &asked);
    if (!narrow(c, name, domain, &asked, out)) return false;
    for (size_t i = 0; i < asked.n; i++)
        if (out->decided >> i & 1) learn_truth(c, asked.at[i], true);
    return !out->whole;
}

Domain emit_narrowed(Compiler *c, const Node *n, const Narrowed *narrowed) {
    Domain d = {.kind = DOMAIN_LIST};
    d.a = new_cell(c, true);
    d.b = new_cell(c, true);
    for (int i = 0; i < narrowed->leaves.n; i++) emit_value(c, narrowed->leaves.at[i].node);
    if (narrowed->family < 0)
        emit_push(c, n, narrowed->list);
    else
        emit1(c, n, OP_FAMILY, narrowed->family);
    emit_store(c, n, d.a);
    emit_push(c, n, 0);
    emit_store(c, n, d.b);
    return d;
}
