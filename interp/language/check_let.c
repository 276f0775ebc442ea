// (let NAME VALUE): what the name stands for.

#include "checker.h"

#include "eval.h"

static bool constant_local(World *w, Local *local, Node *value) {
    if (local->assigned || value->effect != EFFECT_NONE || value->type == T_ERROR) return false;
    bool copy = value->ludeme == L_LOCAL && value->kind == NODE_NAME &&
                !w->expanded->locals.at[value->ref].assigned;
    return copy || is_constant(w, value);
}

// What says the same as `value` within n says `name` instead.
static void replace_asked(Node *n, const Node *value, const Node *name) {
    if (n != value && same_asked(n, value)) {
        Span span = n->span;
        *n = *name;
        n->span = span;
        return;
    }
    for (uint32_t i = 0; i < n->nkids; i++) replace_asked(n->kids[i], value, name);
}

// A region worked out from what may change (the mover, a variable) is a name for what it is now: those
// values are put into locals of their own before it, and the name stands for the region made of them.
static void capture_leaves(World *w, Node *let) {
    Leaves leaves = {0};
    Node *value = let->kids[2];
    find_leaves(w, value, &leaves);
    if (leaves.too_many || leaves.n == 0) return;
    VEC(Node *) kids = {0};
    for (uint32_t i = 0; i < let->nkids; i++) vec_push(w->arena, &kids, let->kids[i]);
    for (int i = 0; i < leaves.n; i++) {
        Node *leaf = (Node *)leaves.at[i].node;
        if (leaf->ludeme == L_LOCAL && leaf->kind == NODE_NAME &&
            !w->expanded->locals.at[leaf->ref].assigned)
            continue;
        Node *copy = arena_alloc(w->arena, sizeof *copy);
        *copy = *leaf;
        vec_push(
            w->arena, &w->expanded->locals,
            (Local){
                .name = "now", .span = leaf->span, .words = -1, .type = leaf->type, .cell = -1});
        leaf->kind = NODE_NAME;
        leaf->text = "now";
        leaf->ludeme = L_LOCAL;
        leaf->ref = (int)w->expanded->locals.n - 1;
        leaf->nkids = 0;
        replace_asked(value, copy, leaf);
        vec_push(w->arena, &kids, leaf);
        vec_push(w->arena, &kids, copy);
    }
    let->kids = kids.at;
    let->nkids = (uint32_t)kids.n;
}

bool is_made_track(const World *w, const Node *n) {
    if (n->type != T_TRACK) return false;
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Local *l = &w->expanded->locals.at[n->ref];
        return !l->assigned && l->given && is_made_track(w, l->given);
    }
    if (n->kind != NODE_LIST || n->nkids < 2) return false;
    switch ((int)n->ludeme) {
    case L_LOOP:
    case L_PATH: return true;
    case L_IF:
        return n->nkids == 4 && (is_made_track(w, n->kids[2]) || is_made_track(w, n->kids[3]));
    case L_REVERSED:
    case L_DO: return is_made_track(w, n->kids[n->nkids - 1]);
    default: return false;
    }
}

Type made_track(World *w, Node *n, const Node *value, const char *name) {
    int d = report_at(w->diags, w->script, E_NOT_SET, value, name,
                      "it keeps tracks that are declared, and this one is made here");
    diag_mend(w->diags, d,
              "give it a name among the equipment: (track NAME ...), or one for each "
              "player, (track NAME each: ...)");
    return fail(n);
}

Type check_let(World *w, Node *n) {
    if (n->nkids != 3 || n->kids[1]->kind != NODE_NAME) {
        for (uint32_t i = 0; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        return shape(w, n, n, "(let NAME VALUE) takes a name and one value");
    }
    Node *name = n->kids[1], *value = n->kids[2];
    Type t = statement_for_value(value) ? T_NOTHING : check(w, value, WANT_VALUE);
    if (t == T_NOTHING) {
        no_value(w, value);
        t = fail(value);
    } else if (t == T_UNSET || t == T_DICE) {
        int d = report_at(w->diags, w->script, E_SHAPE, value,
                          t == T_DICE
                              ? "dice are thrown: (throw ...)"
                              : "`unset` alone is of no kind: a name needs a value to start from");
        if (t == T_UNSET)
            diag_mend(w->diags, d,
                      "a variable may start with none: (var %s site) among the equipment, then "
                      "(set %s unset) here",
                      name->text, name->text);
        return fail(n);
    }
    Local *local = &w->expanded->locals.at[name->ref];
    local->type = (uint8_t)t;
    local->words = word_set_of(w, value);
    name->type = (uint8_t)t;
    if (local->assigned && is_made_track(w, value)) return made_track(w, n, value, name->text);
    local->given = value;
    n->effect = value->effect > EFFECT_NAMES ? value->effect : EFFECT_NAMES;
    n->type = T_NOTHING;
    if (constant_local(w, local, value)) {
        // The name of a name is a name for the same thing.
        const Node *same = value->kind == NODE_NAME && value->ludeme == L_LOCAL
                               ? w->expanded->locals.at[value->ref].alias
                               : NULL;
        local->constant = evaluate(w, value, NULL, &local->value);
        local->alias = same && same->kind == NODE_NAME && same->ludeme == L_LOCAL ? same : value;
    } else if (((t & T_LIST) || t == T_TRACK) && value->effect == EFFECT_NONE && !local->assigned) {
        int ref = name->ref;
        capture_leaves(w, n);
        w->expanded->locals.at[ref].alias = n->kids[2];
    }
    return T_NOTHING;
}
