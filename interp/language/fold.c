// Constants: what follows from the options is worked out while expanding.

#include "expander.h"

#include "misspelt.h"
#include "options.h"

#include <string.h>

static const Option *chosen_option(const Expander *x, const Node *n) {
    return n->ludeme == L_CHOSEN ? &x->out->options.at[n->ref] : NULL;
}

static bool has_value(const Option *option, const Node *n) {
    for (size_t i = 0; i < option->nvalues; i++)
        if (option->values[i]->kind == NODE_NAME && option->values[i]->text == n->text) return true;
    return false;
}

// A plain name that stands beside an option, and is no variable, must be one of its values.
static bool value_of(Expander *x, const Option *option, Node *n) {
    for (size_t i = 0; i < option->nvalues; i++) {
        const Node *v = option->values[i];
        if (v->kind != n->kind) continue;
        if (v->kind == NODE_NUMBER ? v->number == n->number : v->text == n->text) return true;
    }
    const char *shown = value_text(x->arena, n);
    if (misspelt_value(x->diags, x->script, shown, n->span)) return false;
    int i = report_at(x->diags, x->script, E_UNKNOWN_VALUE, n, shown, option->name);
    diag_label(x->diags, i, option->item->span, "the option");
    const char *near = suggest_value(x->diags, i, option, shown);
    if (!near || n->kind != NODE_NAME) return false;
    n->text = near; // and so it is known what comes of it
    return true;
}

static bool is_literal(const Node *n) {
    return n->kind == NODE_NUMBER || n->ludeme == L_CHOSEN || node_truth(n) >= 0;
}

// Whether two literals are equal (1, 0), or -1 if that is not known here, -2 after a report.
static int same_literal(Expander *x, Node *a, Node *b) {
    if (a->kind == NODE_NUMBER && b->kind == NODE_NUMBER) return a->number == b->number;
    if (node_truth(a) >= 0 && node_truth(b) >= 0) return node_truth(a) == node_truth(b);
    const Option *oa = chosen_option(x, a), *ob = chosen_option(x, b);
    if (!oa && !ob) return -1;
    if (oa && ob) return a->kind == b->kind && a->text == b->text;
    Node *plain = oa ? b : a;
    const Option *option = oa ? oa : ob;
    if (plain->kind != NODE_NAME || plain->ludeme == L_LOCAL) return -1;
    if (!has_value(option, plain) && script_find(x->script, L_VAR, plain->text)) return -1;
    if (!value_of(x, option, plain)) return -2;
    return a->text == b->text;
}

static Node *fold_equal(Expander *x, Node *n, bool negated) {
    if (n->nkids != 3) return n;
    int same = same_literal(x, n->kids[1], n->kids[2]);
    if (same == -2) return error_node(x, n);
    return same < 0 ? n : made_truth(x, (same == 1) != negated, n, n->via);
}

static Node *fold_in(Expander *x, Node *n) {
    if (n->nkids != 3 || !is_literal(n->kids[1]) || n->kids[2]->kind != NODE_SET) return n;
    bool found = false;
    for (uint32_t i = 0; i < n->kids[2]->nkids; i++) {
        int same = same_literal(x, n->kids[1], n->kids[2]->kids[i]);
        if (same == -2) return error_node(x, n);
        if (same == -1) return n;
        found |= same == 1;
    }
    return made_truth(x, found, n, n->via);
}

// (and ...) and (or ...): `decides` is the truth that settles it.
static Node *fold_junction(Expander *x, Node *n, bool decides) {
    Nodes kept = {0};
    vec_push(x->arena, &kept, n->kids[0]);
    for (uint32_t i = 1; i < n->nkids; i++) {
        int truth = node_truth(n->kids[i]);
        if (truth == (int)decides) return made_truth(x, decides, n, n->via);
        if (truth < 0) vec_push(x->arena, &kept, n->kids[i]);
    }
    if (kept.n == 1) return n->nkids > 1 ? made_truth(x, !decides, n, n->via) : n;
    if (kept.n == 2 && n->nkids > 2) return kept.at[1];
    return made_list(x, n, n->via, &kept);
}

static Node *fold_numbers(Expander *x, Node *n, LudemeId id) {
    bool two = id == L_SUB || id == L_DIV || id == L_MOD;
    if (n->nkids < 3 || (two && n->nkids != 3)) return n; // the checker tells of it
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_NUMBER) return n;
    long v = n->kids[1]->number;
    bool truth = false, compares = false;
    for (uint32_t i = 2; i < n->nkids; i++) {
        long w = n->kids[i]->number;
        switch (id) {
        case L_ADD: v += w; break;
        case L_SUB: v -= w; break;
        case L_MUL: v *= w; break;
        case L_MIN: v = w < v ? w : v; break;
        case L_MAX: v = w > v ? w : v; break;
        case L_DIV:
        case L_MOD: {
            if (w == 0) return n; // the machine reports it
            long q = v / w, m = v % w;
            if (m != 0 && (m < 0) != (w < 0)) q--, m += w;
            v = id == L_DIV ? q : m;
            break;
        }
        case L_LT: compares = true, truth = v < w; break;
        case L_LE: compares = true, truth = v <= w; break;
        case L_GT: compares = true, truth = v > w; break;
        case L_GE: compares = true, truth = v >= w; break;
        default: return n;
        }
        if (v > NUMBER_MAX || v < -NUMBER_MAX) return n;
    }
    if (compares) return n->nkids == 3 ? made_truth(x, truth, n, n->via) : n;
    Node *number = node_new(x->arena, NODE_NUMBER, n->span);
    number->via = n->via;
    number->number = v;
    return number;
}

Node *fold(Expander *x, Node *n, LudemeId id) {
    if (n->kind != NODE_LIST) return n;
    switch (id) {
    case L_EQ: return fold_equal(x, n, false);
    case L_NE: return fold_equal(x, n, true);
    case L_IN: return fold_in(x, n);
    case L_AND: return fold_junction(x, n, false);
    case L_OR: return fold_junction(x, n, true);
    case L_NOT:
        if (n->nkids == 2 && node_truth(n->kids[1]) >= 0)
            return made_truth(x, !node_truth(n->kids[1]), n, n->via);
        return n;
    default: return fold_numbers(x, n, id);
    }
}
