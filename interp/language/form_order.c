// Forms of which two parts have changed places, as can be told before they are expanded: by the names they make.

#include "expander.h"

#include "check.h"
#include "forms.h"
#include "item_order.h"
#include "swapped.h"

#include <string.h>

// Whether the name is used in the form without being made there.
static bool uses(const Node *n, const char *name) {
    if (n->kind == NODE_NAME) return n->text == name;
    const char *head = node_head(n);
    bool let = head && strcmp(head, "let") == 0;
    for (uint32_t i = let ? 2 : 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (i + 1 < n->nkids && is_key(n->kids[i + 1], "in")) {
            if (kid->kind == NODE_NAME && kid->text == name) return false;
            continue;
        }
        if (uses(kid, name)) return true;
    }
    return false;
}

static bool unknown(const Expander *x, const Binding *env, const char *name) {
    return !look_up(env, name) && !in_equipment(x->script, name);
}

// What stands before the body of a binder at kid i: NAME in: LIST, or a key and its value; nothing at the body.
static Argument binder_part(const Node *n, uint32_t i) {
    if (i + 2 < n->nkids && n->kids[i]->kind == NODE_NAME && is_key(n->kids[i + 1], "in"))
        return (Argument){i, 3};
    if (i + 1 < n->nkids && n->kids[i]->kind == NODE_KEY) return (Argument){i, 2};
    return (Argument){i, 0};
}

// (any (occupied h) h in: board)
static bool names_late(const Node *n) {
    if (n->nkids < 5 || n->kids[1]->kind == NODE_KEY || n->kids[1]->kind == NODE_NAME) return false;
    return n->kids[1]->kind != NODE_ERROR && binder_part(n, 2).n == 3;
}

const Node *binder_in_order(Expander *x, const Node *n, const Binding *env) {
    if (names_late(n)) {
        Argument a = {1, 1}, b = {2, 3};
        report_swapped(
            x->diags, x->script, n, a, b,
            arena_printf(x->arena, "`%s` takes a name and its list first", n->kids[0]->text));
        return exchanged(x->arena, n, a, b);
    }
    for (Argument a = binder_part(n, 1); a.n; a = binder_part(n, a.at + a.n)) {
        for (Argument b = binder_part(n, a.at + a.n); b.n; b = binder_part(n, b.at + b.n)) {
            const Node *name = n->kids[b.at], *list = n->kids[b.at + b.n - 1];
            bool misplaced = b.n == 3 && uses(n->kids[a.at + a.n - 1], name->text) &&
                             unknown(x, env, name->text) &&
                             !(a.n == 3 && uses(list, n->kids[a.at]->text));
            if (!misplaced) continue;
            report_swapped(
                x->diags, x->script, n, a, b,
                arena_printf(x->arena, "`%s` is known from where it is named on", name->text));
            return exchanged(x->arena, n, a, b);
        }
    }
    return n;
}

// Whether the name means nothing by itself to the language.
static bool is_fresh(const char *name) {
    static const char *const values[] = {
        "mover", "opponent",   "unset", "board",      "players",  "pieces",
        "north", "north-east", "east",  "south-east", "south",    "south-west",
        "west",  "north-west", "all",   "orthogonal", "diagonal", "adjacent"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i], name) == 0) return false;
    return node_truth(&(Node){.kind = NODE_NAME, .text = name}) < 0 && !looks_like_site(name);
}

static bool stands_for_itself(const Expander *x, const Binding *env, const Node *n) {
    return n->kind != NODE_NAME || node_truth(n) >= 0 || !unknown(x, env, n->text);
}

const Node *let_in_order(Expander *x, const Node *n, const Binding *env) {
    if (n->nkids != 3 || n->kids[2]->kind != NODE_NAME) return n;
    const Node *first = n->kids[1], *second = n->kids[2];
    bool swapped = first->kind != NODE_ERROR && first->kind != NODE_STRING &&
                   is_fresh(second->text) && unknown(x, env, second->text) &&
                   stands_for_itself(x, env, first);
    if (!swapped) return n;
    Argument a = {1, 1}, b = {2, 1};
    report_swapped(x->diags, x->script, n, a, b, "`let` takes a name, then what it stands for");
    return exchanged(x->arena, n, a, b);
}

// What a form gives, as far as its head alone can tell; NULL if it cannot.
static const char *gives(const Expander *x, const Binding *env, const Node *n) {
    if (n->kind == NODE_NUMBER) return "number";
    if (n->kind == NODE_SET || n->kind == NODE_RANGE) return "list";
    const char *head = node_head(n);
    if (!head || look_up(env, head) || find_definition(x, n->kids[0])) return NULL;
    LudemeId id = ludeme_find(head);
    if (id == L_UNKNOWN || ludemes[id].group == EQUIPMENT) return NULL;
    const char *result = ludemes[id].result;
    bool open = strcmp(result, "same") == 0 || strcmp(result, "element") == 0;
    return open ? NULL : result;
}

const Node *condition_in_order(Expander *x, const Node *n, const Binding *env) {
    if (n->nkids < 3) return n;
    const char *first = gives(x, env, n->kids[1]), *second = gives(x, env, n->kids[2]);
    if (!first || !second || strcmp(first, "truth") == 0 || strcmp(second, "truth") != 0) return n;
    Argument a = {1, 1}, b = {2, 1};
    report_swapped(x->diags, x->script, n, a, b,
                   arena_printf(x->arena, "in `%s` %s", node_head(n), condition_order));
    return exchanged(x->arena, n, a, b);
}

const Node *change_in_order(Expander *x, const Node *n) {
    if (n->nkids != 4 || !is_key(n->kids[1], "by")) return n;
    Argument a = {1, 2}, b = {3, 1};
    report_swapped(x->diags, x->script, n, a, b,
                   "`change` takes what is changed, then by how much");
    return exchanged(x->arena, n, a, b);
}

// What stands plain, then the names by their keys as the dice are counted: they make places of their own in that order.
static const Node *throw_by_keys(Expander *x, const Node *n) {
    bool keyed = false;
    for (uint32_t i = 1; i < n->nkids; i++) keyed |= n->kids[i]->kind == NODE_KEY;
    if (!keyed) return n;
    Nodes kids = {0};
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_KEY && (i == 0 || n->kids[i - 1]->kind != NODE_KEY))
            vec_push(x->arena, &kids, n->kids[i]);
    for (int place = 0; place <= CHOOSE_VARS; place++)
        for (uint32_t i = 1; i < n->nkids; i++) {
            if (n->kids[i]->kind != NODE_KEY || dice_place(n->kids[i]->text) != place) continue;
            vec_push(x->arena, &kids, n->kids[i]);
            if (i + 1 < n->nkids && n->kids[i + 1]->kind != NODE_KEY)
                vec_push(x->arena, &kids, n->kids[i + 1]);
        }
    Node *ordered = arena_alloc(x->arena, sizeof *ordered);
    *ordered = *n;
    ordered->kids = kids.at;
    ordered->nkids = (uint32_t)kids.n;
    return ordered;
}

const Node *throw_in_order(Expander *x, const Node *n, const Binding *env) {
    n = throw_by_keys(x, n);
    if (n->nkids < 3 || n->kids[1]->kind != NODE_NAME || n->kids[2]->kind != NODE_NAME) return n;
    const Node *first = n->kids[1], *second = n->kids[2];
    bool swapped = !look_up(env, first->text) && !script_find(x->script, L_DICE, first->text) &&
                   !look_up(env, second->text) && script_find(x->script, L_DICE, second->text);
    if (!swapped) return n;
    Argument a = {1, 1}, b = {2, 1};
    report_swapped(x->diags, x->script, n, a, b,
                   "`throw` takes the dice, then a name for each of them");
    return exchanged(x->arena, n, a, b);
}
