// Doubts about values: numbers that are never below or above others, lists that hold nothing or something twice.
#include "doubts.h"

#include "checker.h"
#include "eval.h"
#include "usage.h"

#include <limits.h>
#include <string.h>

// The numbers from low to high; LONG_MIN and LONG_MAX where there is no bound.
typedef struct Bounds {
    long low, high;
} Bounds;

enum { DEEP = 16 };
static const Bounds any = {LONG_MIN, LONG_MAX};

static long least(long a, long b) { return a < b ? a : b; }
static long greatest(long a, long b) { return a > b ? a : b; }
static bool open(long n) { return n == LONG_MIN || n == LONG_MAX; }

static Bounds joined(Bounds a, Bounds b) {
    return (Bounds){least(a.low, b.low), greatest(a.high, b.high)};
}

static Bounds bounds(World *w, const Node *n, int deep);

// Of the elements of a list as it is written.
static Bounds bounds_of_elements(World *w, const Node *n, int deep) {
    Bounds all = {LONG_MAX, LONG_MIN};
    if (n->kind != NODE_SET && n->kind != NODE_RANGE) return any;
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool list = kid->kind == NODE_SET || kid->kind == NODE_RANGE;
        all = joined(all, list ? bounds_of_elements(w, kid, deep - 1) : bounds(w, kid, deep - 1));
    }
    return n->nkids ? all : any;
}

static Bounds bounds_of_local(World *w, const Local *l, int deep) {
    if (l->assigned || l->type != T_NUMBER) return any;
    if (l->domain) return bounds_of_elements(w, l->domain, deep);
    return l->given ? bounds(w, l->given, deep - 1) : any;
}

static Bounds bounds_of_sum(World *w, const Node *n, int deep) {
    Bounds sum = bounds(w, n->kids[1], deep - 1);
    for (uint32_t i = 2; i < n->nkids; i++) {
        Bounds b = bounds(w, n->kids[i], deep - 1);
        sum.low = open(sum.low) || open(b.low) ? LONG_MIN : sum.low + b.low;
        sum.high = open(sum.high) || open(b.high) ? LONG_MAX : sum.high + b.high;
    }
    return sum;
}

static Bounds bounds_of_difference(World *w, const Node *n, int deep) {
    Bounds a = bounds(w, n->kids[1], deep - 1), b = bounds(w, n->kids[2], deep - 1);
    return (Bounds){open(a.low) || open(b.high) ? LONG_MIN : a.low - b.high,
                    open(a.high) || open(b.low) ? LONG_MAX : a.high - b.low};
}

static Bounds bounds_of_throw(const World *w, const Node *n) {
    if (n->nkids != 2 || n->kids[1]->ludeme != L_SYMBOL) return any;
    const Dice *dice = &w->dice.at[w->symbols.at[n->kids[1]->ref].index].dice;
    Bounds all = {LONG_MAX, LONG_MIN};
    for (int i = 0; i < dice->noutcomes * dice->nvalues; i++)
        all = joined(all, (Bounds){dice->outcomes[i], dice->outcomes[i]});
    return all;
}

static Bounds bounds(World *w, const Node *n, int deep) {
    if (deep <= 0) return any;
    if (n->kind == NODE_NUMBER) return (Bounds){n->number, n->number};
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL)
        return bounds_of_local(w, &w->expanded->locals.at[n->ref], deep);
    if (n->kind != NODE_LIST || n->nkids < 2) return any;
    switch ((int)n->ludeme) {
    case L_COUNT:
    case L_SIZE:
    case L_HOW_MANY:
    case L_INDEX: return (Bounds){0, LONG_MAX};
    case L_THROW: return bounds_of_throw(w, n);
    case L_ADD: return bounds_of_sum(w, n, deep);
    case L_SUB: return n->nkids == 3 ? bounds_of_difference(w, n, deep) : any;
    case L_MOD: {
        Bounds b = bounds(w, n->kids[n->nkids - 1], deep - 1);
        return b.low > 0 && !open(b.high) ? (Bounds){0, b.high - 1} : any;
    }
    case L_MIN:
    case L_MAX: {
        Bounds a = bounds(w, n->kids[1], deep - 1);
        for (uint32_t i = 2; i < n->nkids; i++) {
            Bounds b = bounds(w, n->kids[i], deep - 1);
            bool min = n->ludeme == L_MIN;
            a.low = min ? least(a.low, b.low) : greatest(a.low, b.low);
            a.high = min ? least(a.high, b.high) : greatest(a.high, b.high);
        }
        return a;
    }
    default: return any;
    }
}

// Always yes (1), always no (0), or open (-1).
static int settled_by(int ludeme, Bounds a, Bounds b) {
    switch (ludeme) {
    case L_LT: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case L_LE: return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    case L_GT: return settled_by(L_LT, b, a);
    case L_GE: return settled_by(L_LE, b, a);
    case L_EQ: return a.high < b.low || b.high < a.low ? 0 : -1;
    case L_NE: return a.high < b.low || b.high < a.low ? 1 : -1;
    default: return -1;
    }
}

static const char *told_bounds(World *w, const Node *n, Bounds b) {
    if (n->kind == NODE_NUMBER) return NULL;
    const char *what = text_of(w, n);
    if (open(b.low) && open(b.high)) return NULL;
    if (open(b.high)) return arena_printf(w->arena, "`%s` is never below %ld", what, b.low);
    if (open(b.low)) return arena_printf(w->arena, "`%s` is never above %ld", what, b.high);
    return arena_printf(w->arena, "`%s` is %ld to %ld", what, b.low, b.high);
}

static bool constant_name(World *w, const Node *n) {
    if (n->kind == NODE_NUMBER) return true;
    if (n->kind != NODE_NAME || n->ludeme != L_LOCAL) return false;
    const Local *l = &w->expanded->locals.at[n->ref];
    return !l->assigned && !l->domain && l->given && constant_name(w, l->given);
}

void doubt_bounds(World *w, const Node *n) {
    if (!w->script->usage || n->nkids != 3) return;
    const Node *a = n->kids[1], *b = n->kids[2];
    if (a->type != T_NUMBER || b->type != T_NUMBER) return;
    // Names for numbers are compared to tell games of one script apart.
    bool plain = !n->via && !(constant_name(w, a) && constant_name(w, b));
    Bounds x = bounds(w, a, DEEP), y = bounds(w, b, DEEP);
    int truth = plain ? settled_by(n->ludeme, x, y) : -1;
    const char *first = told_bounds(w, a, x), *second = told_bounds(w, b, y);
    Suspicion s = {.code = W_SETTLED,
                   .span = n->span,
                   .words = {arena_printf(w->arena, "(%s %s %s)", ludemes[n->ludeme].name,
                                          text_of(w, a), text_of(w, b)),
                             truth ? "yes" : "no"},
                   .note = first && second ? arena_printf(w->arena, "%s, %s", first, second)
                           : first         ? first
                                           : second};
    usage_suspect(w->script, s, truth >= 0);
}

// As it is written, if that is short.
static const char *as_written(World *w, const Node *n) {
    enum { SHORT = 24 };
    const char *text = source_of(w->script->sources, n->span)->text + n->span.start;
    uint32_t size = n->span.end - n->span.start;
    if (size > SHORT || memchr(text, '\n', size)) return text_of(w, n);
    return arena_strndup(w->arena, text, size);
}

// ---- all that something can be -------------------------------------------------------------------

typedef bool (*Holds)(const World *w, int value, const void *context);

// Does it hold for whatever `n` can be: for all elements, if it is a list? No, too, where that is not known beforehand.
static bool for_all(World *w, const Node *n, int deep, Holds holds, const void *context) {
    int value;
    if (deep <= 0 || n->type == T_ERROR) return false;
    if (is_constant(w, n)) {
        if (!evaluate(w, n, NULL, &value) || value < 0) return false;
        if (!(n->type & T_LIST)) return holds(w, value, context);
        const List l = w->lists.at[value];
        for (int i = 0; i < l.n; i++)
            if (!holds(w, l.at[i], context)) return false;
        return l.n > 0;
    }
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Local *l = &w->expanded->locals.at[n->ref];
        const Node *from = l->domain ? l->domain : l->given;
        return !l->assigned && from && for_all(w, from, deep - 1, holds, context);
    }
    uint32_t first = 0, last = n->nkids;
    if (n->ludeme == L_WITHOUT || n->ludeme == L_BOTH)
        first = 1, last = 2; // what the list before it has
    else if (n->kind != NODE_SET)
        return false;
    for (uint32_t i = first; i < last; i++)
        if (!for_all(w, n->kids[i], deep - 1, holds, context)) return false;
    return first < last;
}

static bool in_list(const World *w, int value, const void *list) {
    const List l = w->lists.at[*(const int *)list];
    for (int i = 0; i < l.n; i++)
        if (l.at[i] == value) return true;
    return false;
}

// (without A B), and all that A can be is in B.
static bool takes_all_away(World *w, const Node *n) {
    int list;
    return n->ludeme == L_WITHOUT && n->nkids == 3 && (n->kids[2]->type & T_LIST) &&
           is_constant(w, n->kids[2]) && evaluate(w, n->kids[2], NULL, &list) && list >= 0 &&
           for_all(w, n->kids[1], DEEP, in_list, &list);
}

void doubt_without(World *w, const Node *n) {
    if (!w->script->usage || is_constant(w, n)) return;
    const char *a = n->nkids == 3 ? as_written(w, n->kids[1]) : "",
               *b = n->nkids == 3 ? as_written(w, n->kids[2]) : "";
    Suspicion s = {.code = W_TAKES_ALL, .span = n->span, .words = {a, b}};
    s.mend = arena_printf(w->arena,
                          "the other way round, to leave out what is in `%s`: "
                          "(without %s %s)",
                          a, b, a);
    usage_suspect(w->script, s, takes_all_away(w, n));
}

static bool nobodys(const World *w, int site, const void *context) {
    (void)context;
    return w->sites.at[site].owner == UNSET;
}

void doubt_whose(World *w, const Node *n) {
    const Node *site = n->kids[1];
    if (!w->script->usage || site->type != T_SITE) return;
    bool none = w->sites.n > 0;
    for (size_t i = 0; i < w->sites.n; i++) none &= w->sites.at[i].owner == UNSET;
    bool square = site->ludeme == L_AT || site->ludeme == L_STEP || site->ludeme == L_BEYOND ||
                  site->ludeme == L_SQUARE;
    Suspicion s = {.code = W_NOBODYS, .span = n->span, .words = {as_written(w, site)}};
    s.note =
        "stores, hands, steps of lanes and pieces are somebody's; a square of the board is not";
    for (size_t k = 0; k < w->piece_owner.n && !s.mend; k++)
        if (w->piece_owner.at[k] != UNSET)
            s.mend = arena_printf(w->arena, "who owns what lies there: (whose (piece-on %s))",
                                  as_written(w, site));
    usage_suspect(w->script, s, none || square || for_all(w, site, DEEP, nobodys, NULL));
}

// ---- places ----------------------------------------------------------------------------------------

static bool is_that(const Node *n, int local) {
    return n->kind == NODE_NAME && n->ludeme == L_LOCAL && n->ref == local;
}

// Is a name compared with anything there? The tree need not be checked yet.
static bool compared(const Node *n, int local) {
    static const char *const words[] = {"=", "!=", "<", "<=", ">", ">=", "in", "index"};
    const char *head = n && n->kind == NODE_LIST ? node_head(n) : NULL;
    for (uint32_t i = 1; head && i < n->nkids; i++)
        for (size_t k = 0; is_that(n->kids[i], local) && k < sizeof words / sizeof *words; k++)
            if (strcmp(head, words[k]) == 0) return true;
    for (uint32_t i = 0; n && i < n->nkids; i++)
        if (compared(n->kids[i], local)) return true;
    return false;
}

// Sums of numbers and of what loops go through: such comes to all its bounds, unless somebody looks that it does not.
static bool comes_to_all(World *w, const Node *n) {
    if (n->kind == NODE_NUMBER) return true;
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Local *l = &w->expanded->locals.at[n->ref];
        return !l->assigned && l->domain && is_constant(w, l->domain) &&
               !compared(w->expanded->start, n->ref) && !compared(w->expanded->play, n->ref);
    }
    if (n->kind != NODE_LIST || (n->ludeme != L_ADD && n->ludeme != L_SUB)) return false;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (!comes_to_all(w, n->kids[i])) return false;
    return n->nkids > 1;
}

void doubt_row(World *w, const Node *n) {
    if (!w->script->usage || n->nkids != 2 || is_constant(w, n->kids[1])) return;
    const Node *at = n->kids[1];
    const char *what = n->ludeme == L_ROW ? "row" : "column";
    int last = n->ludeme == L_ROW ? w->rows : w->columns;
    Bounds b = comes_to_all(w, at) ? bounds(w, at, DEEP) : any;
    bool below = !open(b.low) && b.low < 1, above = !open(b.high) && b.high > last;
    usage_suspect(w->script,
                  (Suspicion){.code = W_BEYOND_BOARD,
                              .span = at->span,
                              .words = {as_written(w, at),
                                        arena_printf(w->arena, "%ld", below ? b.low : b.high),
                                        arena_printf(w->arena, "the board has %d %s%s", last, what,
                                                     last == 1 ? "" : "s")}},
                  below || above);
}

void doubt_place(World *w, const Node *n, const char *name, int places) {
    int list, without = 0, first = 0;
    const Node *at = n->kids[1];
    const Local *l =
        at->kind == NODE_NAME && at->ludeme == L_LOCAL ? &w->expanded->locals.at[at->ref] : NULL;
    if (!w->script->usage || !l || !l->domain || l->type != T_NUMBER) return;
    bool known = comes_to_all(w, at) && (l->domain->type & T_LIST) &&
                 evaluate(w, l->domain, NULL, &list) && list >= 0;
    for (int i = 0; known && i < w->lists.at[list].n; i++)
        if (!in_list(w, w->lists.at[list].at[i], &places) && without++ == 0)
            first = w->lists.at[list].at[i];
    if (without == 0) return; // it may fit there, and not elsewhere
    usage_suspect(w->script,
                  (Suspicion){.code = W_BEYOND_PLACES,
                              .span = l->domain->span, // once, wherever it is asked for
                              .other = n->span,
                              .label = "it is asked for here",
                              .words = {l->name, arena_printf(w->arena, "%d", first), name}},
                  true);
}

void doubt_domain(World *w, const Node *name, const Node *domain) {
    int list = UNSET;
    if (!w->script->usage || !(domain->type & T_LIST)) return;
    bool known = is_constant(w, domain) && evaluate(w, domain, NULL, &list) && list >= 0;
    usage_suspect(
        w->script,
        (Suspicion){.code = W_NOTHING_IN, .span = domain->span, .words = {text_of(w, name)}},
        known && w->lists.at[list].n == 0);
}

void doubt_site(World *w, const Node *n) {
    int site, turned;
    if (!w->script->usage || n->nkids < 2 || !is_constant(w, n) || !evaluate(w, n, NULL, &site))
        return;
    bool at = n->ludeme == L_AT && n->nkids == 3;
    int column = 0, row = 0;
    at = at && evaluate(w, n->kids[1], NULL, &column) && evaluate(w, n->kids[2], NULL, &row);
    turned = at ? board_at(w, row, column) : UNSET;
    Suspicion s = {.code = W_NEVER_THERE, .span = n->span, .words = {as_written(w, n)}};
    if (at)
        s.note = arena_printf(w->arena, "the board has %d column%s and %d row%s", w->columns,
                              w->columns == 1 ? "" : "s", w->rows, w->rows == 1 ? "" : "s");
    if (turned != UNSET)
        s.mend =
            arena_printf(w->arena, "the other way round: (at column: %d row: %d)", row, column);
    usage_suspect(w->script, s, site == UNSET);
}

void site_may_lack(World *w, const Node *n) {
    if (n->kind == NODE_LIST)
        usage_suspect(w->script, (Suspicion){.code = W_NEVER_THERE, .span = n->span}, false);
}

void doubt_index(World *w, const Node *n) {
    int list;
    if (!w->script->usage || n->nkids != 3 || !is_constant(w, n->kids[2]) ||
        !(n->kids[2]->type & T_LIST) || !evaluate(w, n->kids[2], NULL, &list) || list < 0)
        return;
    const List l = w->lists.at[list];
    const char *twice = NULL;
    int what = 0;
    for (int i = 0; i < l.n && !twice; i++)
        for (int k = 0; k < i && !twice; k++)
            if (l.at[i] == l.at[k]) twice = "it", what = l.at[i];
    bool known = is_constant(w, n->kids[1]) && evaluate(w, n->kids[1], NULL, &list);
    if (known && list != what) twice = NULL; // it looks for another
    Type type = element_type((Type)n->kids[2]->type);
    if (twice && type == T_SITE)
        twice = w->sites.at[what].name;
    else if (twice && type == T_NUMBER)
        twice = arena_printf(w->arena, "%d", what);
    else if (twice)
        twice = text_of(w, n->kids[1]);
    usage_suspect(w->script,
                  (Suspicion){.code = W_TWICE_IN, .span = n->kids[2]->span, .words = {twice}},
                  twice != NULL);
}
