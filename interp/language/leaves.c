// What a list that is worked out beforehand depends on.

#include "eval.h"

bool same_asked(const Node *a, const Node *b) {
    if (a == b) return true;
    if (a->kind != b->kind || a->ludeme != b->ludeme || a->type != b->type || a->nkids != b->nkids)
        return false;
    switch (a->kind) {
    case NODE_NUMBER: return a->number == b->number;
    case NODE_NAME: return a->ludeme == L_LOCAL ? b->ref == a->ref : a->text == b->text;
    case NODE_KEY: return a->text == b->text;
    case NODE_LIST:
        if (a->ludeme == L_SYMBOL && a->ref != b->ref) return false;
        break;
    case NODE_SET:
    case NODE_RANGE: break;
    default: return false;
    }
    for (uint32_t i = 0; i < a->nkids; i++)
        if (!same_asked(a->kids[i], b->kids[i])) return false;
    return true;
}

const Leaf *find_leaf(const Leaves *leaves, const Node *n) {
    for (int i = 0; leaves && i < leaves->n; i++)
        if (same_asked(leaves->at[i].node, n)) return &leaves->at[i];
    return NULL;
}

// Numbers that a region or kind of piece may be told by: rows, columns, and those of `each: LOW..HIGH`.
static void number_range(const World *w, int *low, int *high) {
    *low = 0;
    *high = w->rows > w->columns ? w->rows : w->columns;
    for (size_t i = 0; i < w->symbols.n; i++) {
        const Symbol *s = &w->symbols.at[i];
        if (s->kind != SYMBOL_PIECES || s->type != T_NUMBER) continue;
        int last = s->low + w->lists.at[s->list].n - 1;
        if (s->low < *low) *low = s->low;
        if (last > *high) *high = last;
    }
}

static void too_many(Leaves *leaves, const Node *n) {
    if (!leaves->too_many) leaves->beyond = n;
    leaves->too_many = true;
}

void add_leaf(World *w, const Node *n, Leaves *leaves) {
    if (find_leaf(leaves, n)) return;
    if (leaves->n == FAMILY_DIMS) {
        too_many(leaves, n);
        return;
    }
    // What is not there is a value too: it is left out of a region, and nothing is next to it.
    Leaf leaf = {.node = n, .low = UNSET};
    int high;
    switch (n->type & ~T_LIST) {
    case T_SITE: leaf.size = (int)w->sites.n; break;
    case T_PLAYER: leaf.size = (int)w->players.n; break;
    case T_PIECE: leaf.size = (int)w->pieces.n; break;
    case T_DIRECTION: leaf.size = DIRECTIONS; break;
    case T_TRACK: leaf.size = w->declared_tracks; break;
    case T_WORD: leaf.size = (int)w->words.n; break;
    case T_TRUTH: leaf.size = 2, leaf.low = 0; break;
    default:
        number_range(w, &leaf.low, &high);
        leaf.size = high - leaf.low + 1;
        break;
    }
    if (leaf.size == 0 || (n->type & T_LIST)) {
        too_many(leaves, n); // a list that only play knows
        return;
    }
    if (leaf.low == UNSET && n->type != T_NUMBER) leaf.size++;
    leaves->at[leaves->n++] = leaf;
}

static bool is_family(const Node *n) {
    return n->kind == NODE_LIST && n->ludeme > L_UNKNOWN && n->ludeme < LUDEMES &&
           ludemes[n->ludeme].form == FAMILY;
}

// The name that a name of a name stands for.
static const Node *named(const World *w, const Node *n) {
    while (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Node *alias = w->expanded->locals.at[n->ref].alias;
        if (!alias || alias->kind != NODE_NAME || alias->ludeme != L_LOCAL) break;
        n = alias;
    }
    return n;
}

// Whether a value follows from the values of `within`, whatever they are: those are found, or none.
static bool follows(World *w, const Node *n, Leaves *within, bool numbers) {
    n = named(w, n);
    if (is_constant(w, n)) return true;
    if (n->kind == NODE_NAME) {
        // A number may go out of the few that are looked at, and then what is made of it need not.
        if (n->type == T_NUMBER && !numbers) return false;
        add_leaf(w, n, within);
        return !within->too_many;
    }
    if (n->kind != NODE_LIST || is_listlike(n)) return false;
    uint32_t first = 1;
    switch ((int)n->ludeme) {
    case L_DO: // of a definition whose arguments are names
        for (uint32_t i = 1; i + 1 < n->nkids; i++)
            if (n->kids[i]->ludeme != L_LET ||
                !w->expanded->locals.at[n->kids[i]->kids[1]->ref].alias)
                return false;
        first = n->nkids - 1;
        break;
    case L_ADD:
    case L_SUB:
    case L_MIN:
    case L_MAX: numbers = false; break;
    case L_NEXT:
        if (!is_constant(w, n->kids[2])) return false;
        break;
    default:
        if (!is_family(n)) return false;
    }
    for (uint32_t i = first; i < n->nkids; i++)
        if (!follows(w, n->kids[i], within, numbers)) return false;
    return n->nkids > 1;
}

// What a value that is no list depends on: itself, or, if it is to be looked into, what it follows from.
static void gather_value(World *w, const Node *n, Leaves *leaves, bool within) {
    Leaves inner = *leaves;
    if (is_constant(w, n)) return;
    if (within && follows(w, n, &inner, true))
        *leaves = inner;
    else
        add_leaf(w, named(w, n), leaves);
}

static void gather_leaves(World *w, const Node *n, Leaves *leaves, bool within) {
    if (n->type == T_ERROR || n->kind == NODE_KEY || is_constant(w, n)) return;
    if (n->kind == NODE_NAME) {
        const Node *alias = n->ludeme == L_LOCAL ? w->expanded->locals.at[n->ref].alias : NULL;
        if (alias && is_listlike(n))
            gather_leaves(w, alias, leaves, within);
        else
            add_leaf(w, named(w, n), leaves);
        return;
    }
    bool symbol =
        n->kind == NODE_LIST && n->ludeme == L_SYMBOL && w->symbols.at[n->ref].kind != SYMBOL_VAR;
    if (n->kind == NODE_SET || n->kind == NODE_RANGE) {
        for (uint32_t i = 0; i < n->nkids; i++) {
            if (is_listlike(n->kids[i])) gather_leaves(w, n->kids[i], leaves, within);
            // Numbers that only play knows have no small range: such a list is none to work out beforehand.
            else if (n->kids[i]->type == T_NUMBER && !is_constant(w, n->kids[i]))
                too_many(leaves, n->kids[i]);
            else
                gather_value(w, n->kids[i], leaves, within);
        }
    } else if (is_family(n) || symbol) {
        for (uint32_t i = 1; i < n->nkids; i++) {
            if (is_listlike(n->kids[i]))
                gather_leaves(w, n->kids[i], leaves, within);
            else
                gather_value(w, n->kids[i], leaves, within);
        }
    } else if (n->ludeme == L_IF && is_listlike(n) && n->nkids == 4) {
        if (!is_constant(w, n->kids[1])) add_leaf(w, n->kids[1], leaves);
        gather_leaves(w, n->kids[2], leaves, within);
        gather_leaves(w, n->kids[3], leaves, within);
    } else if (n->ludeme == L_DO && is_listlike(n) && n->nkids > 1) {
        gather_leaves(w, n->kids[n->nkids - 1], leaves, within);
    } else {
        add_leaf(w, n, leaves);
    }
}

static size_t worked_out(const Leaves *leaves) {
    size_t size = 1;
    for (int i = 0; i < leaves->n; i++) size *= (size_t)leaves->at[i].size;
    return size;
}

void find_leaves(World *w, const Node *n, Leaves *leaves) {
    Leaves within = *leaves;
    gather_leaves(w, n, leaves, false);
    gather_leaves(w, n, &within, true);
    if (leaves->too_many ? !within.too_many || within.beyond
                         : !within.too_many && worked_out(&within) < worked_out(leaves))
        *leaves = within;
}
