// Forms that make names, while expanding: statements in a row, (HEAD NAME in: LIST ...), and sowing with hooks.

#include "expander.h"

#include "foreign.h"
#include "respell.h"

#include <string.h>

// What a faulty let was to name: (let x = 1), (let (x 1)), (let ((x 1) (y 2))).
static void lost_names(Expander *x, const Node *n, const Binding **env, const Expansion *via) {
    if (n->kind == NODE_NAME && ludeme_find(n->text) == L_UNKNOWN)
        new_local(x, n, env, via);
    else if (n->kind == NODE_LIST && n->nkids && n->kids[0]->kind == NODE_NAME)
        lost_names(x, n->kids[0], env, via);
    for (uint32_t i = 0; n->kind == NODE_LIST && i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_LIST && n->kids[0]->kind == NODE_LIST)
            lost_names(x, n->kids[i], env, via);
}

// Is the name asked for, other than as the head of a form?
static bool asked_for(const Node *n, const char *name) {
    if (n->kind == NODE_NAME) return n->text == name;
    for (uint32_t i = n->kind == NODE_LIST; i < n->nkids; i++)
        if (asked_for(n->kids[i], name)) return true;
    return false;
}

// `(there (step s north))`, where what follows asks for `there`: the word `let` is missing.
static void lacks_let(Expander *x, const Node *n, uint32_t at, const Binding *env,
                      const Expansion *via) {
    Node *call = n->kids[at];
    const char *head = node_head(call);
    if (!head || call->nkids != 2 || call->kids[1]->kind == NODE_ERROR || look_up(env, head) ||
        find_definition(x, call->kids[0]) || ludeme_find(head) != L_UNKNOWN ||
        is_something(x->script, head) || script_is_library(x->script, call->span.file))
        return;
    bool asked = false;
    for (uint32_t i = at + 1; i < n->nkids; i++) asked |= asked_for(n->kids[i], head);
    if (!asked) return;
    Node place = *call->kids[0];
    place.via = via;
    int d = report_at(x->diags, x->script, E_UNKNOWN_LUDEME, &place, head);
    diag_mend(x->diags, d, "to name a value: (let %s %s)", head,
              short_text(x->arena, call->kids[1]));
    Arena *kept = x->diags->arena; // the syntax tree outlives this setting of the options
    Nodes kids = {0};
    vec_push(kept, &kids, node_name(kept, place.span, arena_intern_str(kept, "let")));
    vec_push(kept, &kids, call->kids[0]);
    vec_push(kept, &kids, call->kids[1]);
    call->kids = kids.at;
    call->nkids = (uint32_t)kids.n;
}

void expand_statements(Expander *x, const Node *n, uint32_t i, const Binding *env,
                       const Expansion *via, Nodes *out) {
    const Node *last_key = NULL, *last_value = NULL;
    for (; i < n->nkids && !x->full; i++) {
        uint32_t end = loose_statement(x, n, i, env);
        if (end > i) {
            vec_push(x->arena, out, error_node(x, n->kids[i]));
            i = end - 1;
            continue;
        }
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_KEY && i + 1 < n->nkids) {
            const Node *value = n->kids[++i];
            if (is_key(kid, "until") || is_key(kid, "then")) {
                if (last_key) report_at(x->diags, x->script, E_KEY_TWICE, kid, kid->text);
                last_key = kid, last_value = value;
                continue;
            }
            vec_push(x->arena, out, copy_node(x, kid, via));
            vec_push(x->arena, out, expand(x, value, env, via));
            continue;
        }
        lacks_let(x, n, i, env, via);
        if (kid->kind == NODE_LIST) respell_unknown(x, kid, env, via);
        const char *head = node_head(kid);
        LudemeId id = head && !look_up(env, head) ? ludeme_find(head) : L_UNKNOWN;
        if (id == L_LET) kid = let_in_order(x, kid, env);
        if (id == L_THROW) kid = throw_in_order(x, kid, env);
        if (id == L_LET && kid->nkids == 3 && kid->kids[1]->kind == NODE_NAME) {
            Nodes parts = {0};
            vec_push(x->arena, &parts, copy_node(x, kid->kids[0], via));
            Node *value = expand(x, kid->kids[2], env, via);
            vec_push(x->arena, &parts, new_local(x, kid->kids[1], &env, via));
            x->out->locals.at[x->out->locals.n - 1].let = true;
            vec_push(x->arena, &parts, value);
            vec_push(x->arena, out, made_list(x, kid, via, &parts));
        } else if (id == L_THROW && kid->nkids > 2) {
            Nodes parts = {0};
            vec_push(x->arena, &parts, copy_node(x, kid->kids[0], via));
            vec_push(x->arena, &parts, expand(x, kid->kids[1], env, via));
            for (uint32_t k = 2; k < kid->nkids; k++) {
                bool name = kid->kids[k]->kind == NODE_NAME, key = kid->kids[k]->kind == NODE_KEY;
                vec_push(x->arena, &parts,
                         name  ? new_local(x, kid->kids[k], &env, via)
                         : key ? copy_node(x, kid->kids[k], via)
                               : expand(x, kid->kids[k], env, via));
                if (name) x->out->locals.at[x->out->locals.n - 1].thrown = true;
            }
            vec_push(x->arena, out, made_list(x, kid, via, &parts));
        } else {
            Node *done = expand(x, kid, env, via);
            if (!is_empty_do(done) || i + 1 == n->nkids) vec_push(x->arena, out, done);
            if (id == L_LET && kid->nkids > 1) lost_names(x, kid->kids[1], &env, via);
        }
    }
    if (last_key) {
        vec_push(x->arena, out, copy_node(x, last_key, via));
        vec_push(x->arena, out, expand(x, last_value, env, via));
    }
}

// `as: free`, of a definition: a label has quotes.
static bool label_of_definition(Expander *x, const Node *n, uint32_t key, const Binding *env,
                                const Expansion *via) {
    Node label = *n->kids[key + 1];
    if (!is_key(n->kids[key], "as") || label.kind != NODE_NAME || look_up(env, label.text))
        return false;
    const Definition *d = find_definition(x, &label);
    if (!d || d->item->node->kids[1]->kind != NODE_LIST) return false;
    label.via = via;
    int r = report_at(
        x->diags, x->script, E_SHAPE, &label,
        arena_printf(x->arena, "`%s` is a definition, and a label stands in quotes", label.text));
    diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
    diag_mend(x->diags, r, "as: \"%s\"", label.text);
    return true;
}

Node *expand_binder(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    LudemeId id = ludeme_find(n->kids[0]->text);
    bool chosen = id == L_CHOOSE || id == L_LOT;
    Nodes out = {0};
    vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
    uint32_t i = 1;
    for (uint32_t k = 2; k + 1 < n->nkids && n->kids[k - 1]->kind == NODE_NAME; k++) {
        if (n->kids[k]->kind != NODE_NAME || strcmp(n->kids[k]->text, "in") != 0) break;
        int d = report_at(x->diags, x->script, E_SHAPE, n->kids[k], "`in` needs its colon here");
        diag_mend(x->diags, d, "(%s %s in: ...)", n->kids[0]->text, n->kids[k - 1]->text);
        return error_node(x, n);
    }
    n = binder_in_order(x, n, env);
    while (i < n->nkids) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_NAME && i + 2 < n->nkids && is_key(n->kids[i + 1], "in")) {
            Node *domain = expand(x, n->kids[i + 2], env, via);
            vec_push(x->arena, &out, new_local(x, kid, &env, via));
            x->out->locals.at[x->out->locals.n - 1].bound = true;
            x->out->locals.at[x->out->locals.n - 1].chosen = chosen;
            vec_push(x->arena, &out, copy_node(x, n->kids[i + 1], via));
            vec_push(x->arena, &out, domain);
            i += 3;
        } else if (kid->kind == NODE_ERROR && i + 2 < n->nkids && is_key(n->kids[i + 2], "in")) {
            i++; // a comma before the next name, that is told of
        } else if (kid->kind == NODE_KEY && i + 1 < n->nkids) {
            bool loose = loose_test(x, n, i, env, via);
            bool told = loose || label_of_definition(x, n, i, env, via);
            vec_push(x->arena, &out, copy_node(x, kid, via));
            vec_push(x->arena, &out,
                     told ? error_node(x, n->kids[i + 1]) : expand(x, n->kids[i + 1], env, via));
            i += loose ? 3 : 2;
        } else {
            break;
        }
    }
    expand_statements(x, n, i, env, via, &out);
    return made_list(x, n, via, &out);
}

Node *expand_sow(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    Nodes out = {0};
    vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool hook = is_key(kid, "before") || is_key(kid, "after") || is_key(kid, "skip");
        // Without names what is done stands there; whoever reads the form tells of it.
        if (hook && i + 1 < n->nkids && is_statement(n->kids[i + 1]) && n->kids[i + 1]->nkids > 1)
            hook = false;
        if (!hook || i + 2 >= n->nkids || n->kids[i + 1]->kind != NODE_LIST) {
            vec_push(x->arena, &out,
                     kid->kind == NODE_KEY ? copy_node(x, kid, via) : expand(x, kid, env, via));
            continue;
        }
        const Binding *inner = env;
        Nodes names = {0};
        const Node *list = n->kids[i + 1];
        for (uint32_t k = 0; k < list->nkids; k++) {
            if (list->kids[k]->kind == NODE_NAME) {
                vec_push(x->arena, &names, new_local(x, list->kids[k], &inner, via));
                x->out->locals.at[x->out->locals.n - 1].bound = true;
            } else if (list->kids[k]->kind != NODE_ERROR)
                report_at(
                    x->diags, x->script, E_NEED_NAME, list->kids[k], "sow",
                    "what follows `before:`, `after:` and `skip:` names what is dropped and where");
        }
        vec_push(x->arena, &out, copy_node(x, kid, via));
        vec_push(x->arena, &out, made_list(x, list, via, &names));
        vec_push(x->arena, &out, expand(x, n->kids[i + 2], inner, via));
        i += 2;
    }
    return made_list(x, n, via, &out);
}
