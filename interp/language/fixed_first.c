#include "fixed_first.h"

#include <string.h>

#include "expand.h"
#include "misspelt.h"
#include "swapped.h"

// How fixed a number is. Of two numbers that are compared the one that is less so stands first.
typedef enum Rank { CHANGES, FIXED, LITERAL } Rank;

typedef struct Reader {
    Diags *diags;
    const Script *script;
} Reader;

enum { DEEP = 16 };

static Rank less(Rank a, Rank b) { return a < b ? a : b; }

// A name of the whole script's, that nothing hides here.
static const Item *item_of(const Reader *r, const Node *n, LudemeId kind) {
    const Item *item = n->kind == NODE_NAME ? script_find(r->script, kind, n->text) : NULL;
    return item && !local_there(r->diags->arena, r->script, n->text, n->span) ? item : NULL;
}

static Rank rank(const Reader *r, const Node *n, int deep);

static Rank rank_from(const Reader *r, const Node *n, uint32_t i, int deep) {
    Rank least = LITERAL;
    for (; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_KEY) least = less(least, rank(r, n->kids[i], deep - 1));
    return least;
}

// The value of a definition that takes nothing. What it gives has a name, and so is no literal.
static Rank rank_of_definition(const Reader *r, const Item *item, bool call, int deep) {
    const Node *define = item->node, *header = define->nkids > 2 ? define->kids[1] : NULL;
    if (!header || (header->kind == NODE_LIST) != call || header->nkids > 1) return CHANGES;
    uint32_t body = define->kids[2]->kind == NODE_STRING ? 3 : 2;
    if (body + 1 != define->nkids) return CHANGES;
    return less(FIXED, rank(r, define->kids[body], deep - 1));
}

// Whether it asks of options alone.
static bool asks_options(const Reader *r, const Node *n) {
    const char *head = node_head(n);
    if (n->kind == NODE_NUMBER) return true;
    if (n->kind == NODE_NAME)
        return item_of(r, n, L_OPTION) || is_option_word(r->script, n->text) || node_truth(n) >= 0;
    if (n->kind != NODE_SET && (!head || ludeme_find(head) == L_UNKNOWN)) return false;
    for (uint32_t i = n->kind == NODE_SET ? 0 : 1; i < n->nkids; i++)
        if (!asks_options(r, n->kids[i])) return false;
    return n->nkids > 0;
}

static Rank rank(const Reader *r, const Node *n, int deep) {
    if (deep <= 0) return CHANGES;
    if (n->kind == NODE_NUMBER) return LITERAL;
    if (n->kind == NODE_NAME) {
        if (item_of(r, n, L_OPTION)) return FIXED;
        const Item *item = item_of(r, n, L_DEFINE);
        return item ? rank_of_definition(r, item, false, deep) : CHANGES;
    }
    const char *head = node_head(n);
    if (!head) return CHANGES;
    const LudemeId id = ludeme_find(head);
    if (ludeme_reckons(id)) return rank_from(r, n, 1, deep);
    switch ((int)id) {
    case L_IF:
        return n->nkids > 3 && asks_options(r, n->kids[1]) ? less(FIXED, rank_from(r, n, 2, deep))
                                                           : CHANGES;
    case L_UNKNOWN: {
        const Item *item = n->nkids == 1 ? item_of(r, n->kids[0], L_DEFINE) : NULL;
        return item ? rank_of_definition(r, item, true, deep) : CHANGES;
    }
    default: return CHANGES;
    }
}

LudemeId turned(LudemeId id) {
    switch ((int)id) {
    case L_LT: return L_GT;
    case L_LE: return L_GE;
    case L_GT: return L_LT;
    case L_GE: return L_LE;
    default: return id;
    }
}

static void compare(const Reader *r, const Node *n, LudemeId id) {
    const Node *a = n->kids[1], *b = n->kids[2];
    if (rank(r, a, DEEP) <= rank(r, b, DEEP)) return;
    const char *fixed = brief_text(r->diags->arena, r->script, a),
               *asked = brief_text(r->diags->arena, r->script, b);
    int d = diag_report(r->diags, E_FIXED_FIRST, span_join(a->span, b->span), asked, fixed);
    diag_mend(r->diags, d, "(%s %s %s) says the same; (%s %s %s), if the two have changed places",
              ludemes[turned(id)].name, asked, fixed, ludemes[id].name, asked, fixed);
}

// What has a name is never told of, so there is a way to say that it is meant. And goes on with it as it was meant.
static void told(const Reader *r, const Node *n, const char *why) {
    int d = report_swapped(r->diags, r->script, n, (Argument){1, 1}, (Argument){2, 1}, why);
    if (d >= 0)
        diag_mend(r->diags, d,
                  "%s; or, if it is meant so, give the number a name: (define NAME %s)",
                  r->diags->all.at[d].mend, brief_text(r->diags->arena, r->script, n->kids[1]));
    Node *first = n->kids[1];
    n->kids[1] = n->kids[2];
    n->kids[2] = first;
}

static void divide(const Reader *r, const Node *n, LudemeId id) {
    enum { SMALL = 3 }; // divided by most numbers it gives 0
    Rank a = rank(r, n->kids[1], DEEP), b = rank(r, n->kids[2], DEEP);
    bool small = n->kids[1]->kind == NODE_NUMBER && n->kids[1]->number <= SMALL;
    if (small ? b < LITERAL : id == L_MOD && a == LITERAL && b == CHANGES)
        told(r, n,
             id == L_MOD ? "`mod` gives what is left of the first, divided by the second"
                         : "`/` divides the first by the second");
}

// (nth (- 1 n) LIST), (ahead hole (- 1 n) TRACK): one less was meant. What has a place has one from 1 on.
static void take_from_one(const Reader *r, const Node *n, const Node *form, uint32_t i) {
    const char *head = form ? node_head(form) : NULL, *of = node_head(n->kids[2]);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    bool place = (id == L_NTH && i == 1) || (id == L_AHEAD && i == 2),
         index = of && ludeme_find(of) == L_INDEX;
    if (n->kids[1]->kind != NODE_NUMBER || n->kids[1]->number != 1 || (!place && !index)) return;
    if (rank(r, n->kids[2], DEEP) == CHANGES) told(r, n, "`-` takes the second from the first");
}

// `form` has `n` as its kid `i`.
static void read_form(const Reader *r, const Node *n, const Node *form, uint32_t i) {
    const char *head = n->nkids == 3 && n->kind == NODE_LIST ? node_head(n) : NULL;
    bool whole = head && n->kids[1]->kind != NODE_ERROR && n->kids[2]->kind != NODE_ERROR &&
                 n->kids[1]->kind != NODE_KEY && n->kids[2]->kind != NODE_KEY;
    switch (whole ? (int)ludeme_find(head) : (int)L_UNKNOWN) {
    case L_LT: compare(r, n, L_LT); break;
    case L_LE: compare(r, n, L_LE); break;
    case L_GT: compare(r, n, L_GT); break;
    case L_GE: compare(r, n, L_GE); break;
    case L_DIV: divide(r, n, L_DIV); break;
    case L_MOD: divide(r, n, L_MOD); break;
    case L_SUB: take_from_one(r, n, form, i); break;
    default: break;
    }
    for (uint32_t k = 0; k < n->nkids; k++) read_form(r, n->kids[k], n, k);
}

void fixed_first(Diags *d, const Script *script) {
    const Reader r = {.diags = d, .script = script};
    for (size_t i = 0; i < script->items.n; i++) {
        const Node *item = script->items.at[i].node;
        if (!script_is_library(script, item->span.file)) read_form(&r, item, NULL, 0);
    }
}
