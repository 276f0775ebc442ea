// The cases of an `if`: what is written (if TRUTH THEN else: ELSE) is a list of three from here on, (if TRUTH THEN ELSE).
// The key stands in the script because nothing else tells two cases of one type from each other.

#include "expander.h"

#include "foreign.h"

#include <string.h>

static const char whole[] = "(if TRUTH THEN else: ELSE)";

static bool says(const Node *n, const char *const *words, size_t count) {
    if (n->kind != NODE_NAME && n->kind != NODE_KEY) return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(n->text, words[i]) == 0) return true;
    return false;
}

// Words of other languages between the parts of an `if`. That `else` has its colon is looked after elsewhere.
bool word_in_if(Expander *x, const Node *n, const Binding *env) {
    static const char *const more[] = {"elif", "elseif", "elsif", "else-if"};
    static const char *const other[] = {"then", "otherwise", "do"};
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool again = says(kid, more, sizeof more / sizeof *more);
        if (!again && !says(kid, other, sizeof other / sizeof *other)) continue;
        if (kid->kind == NODE_NAME && look_up(env, kid->text)) continue;
        const char *word = kid->kind == NODE_KEY ? short_text(x->arena, kid) : kid->text;
        int d = report_at(x->diags, x->script, E_SHAPE, kid,
                          arena_printf(x->arena, "`if` has no `%s`", word));
        const Node *next = i + 1 < n->nkids ? n->kids[i + 1] : NULL;
        bool bare = next && next->kind == NODE_NAME && i + 2 < n->nkids;
        if (again)
            diag_mend(
                x->diags, d,
                "the next question is the other case: (if TRUTH THIS else: (if TRUTH THAT else: "
                "OTHERWISE))");
        else if (strcmp(kid->text, "otherwise") == 0)
            diag_mend(x->diags, d, "it is called `else:` here");
        else if (bare)
            diag_mend(x->diags, d,
                      "what is done stands in ( ), without a word before it: (if TRUTH (%s ...))",
                      next->text);
        else
            diag_mend(x->diags, d, "what is done stands behind the truth: %s", whole);
        return true;
    }
    return false;
}

// Where the other case stands, or 0.
static uint32_t other_case(const Node *n) {
    return n->nkids == 5 && is_key(n->kids[3], "else") ? 4 : n->nkids == 4 ? 3 : 0;
}

static Node *misshapen_if(Expander *x, const Node *n, const Binding *env) {
    uint32_t plain = 0, keys = 0;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR || loose_statement(x, n, i, env) != i)
            return error_node(x, n);
    for (uint32_t i = 1; i < n->nkids; i++) {
        if (n->kids[i]->kind != NODE_KEY) {
            plain++;
            continue;
        }
        if (!is_key(n->kids[i], "else") || keys++) {
            report_at(x->diags, x->script, E_SHAPE, n->kids[i],
                      arena_printf(x->arena, "%s: `%s` does not fit", whole,
                                   short_text(x->arena, n->kids[i])));
            return error_node(x, n);
        }
        i++;
    }
    if (plain == 1 && keys == 1) {
        int d =
            report_at(x->diags, x->script, E_SHAPE, n,
                      arena_printf(x->arena, "%s needs what is done if the truth holds", whole));
        diag_mend(x->diags, d, "what is done only if it does not: (when (not TRUTH) STATEMENT...)");
        return error_node(x, n);
    }
    if (plain < 2)
        return misshapen(x, n,
                         arena_printf(x->arena, "%s needs a truth and what is done then", whole));
    int d = report_at(
        x->diags, x->script, E_SHAPE, n->kids[4],
        arena_printf(x->arena, "%s takes one form for each case; several go into (do ...)", whole));
    if (!keys) diag_mend(x->diags, d, "if all are done when it holds: (when TRUTH STATEMENT...)");
    return error_node(x, n);
}

Node *expand_if(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    n = condition_in_order(x, n, env);
    uint32_t other = other_case(n);
    if (n->nkids != 3 && !other) return misshapen_if(x, n, env);
    for (uint32_t i = 1; i < 3; i++)
        if (n->kids[i]->kind == NODE_KEY) return misshapen_if(x, n, env);
    Node *condition = expand(x, n->kids[1], env, via);
    int truth = node_truth(condition);
    if (truth >= 0) {
        Nodes none = {0};
        if (!truth && !other) return made_do(x, n, via, &none);
        Node *kept = expand(x, n->kids[truth ? 2 : other], env, via);
        kept->settled = true;
        return kept;
    }
    Nodes out = {0};
    vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
    vec_push(x->arena, &out, condition);
    vec_push(x->arena, &out, expand(x, n->kids[2], env, via));
    if (other) vec_push(x->arena, &out, expand(x, n->kids[other], env, via));
    return made_list(x, n, via, &out);
}

// (when TRUTH STATEMENT...) is (if TRUTH (do STATEMENT...)).
Node *expand_when(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    if (n->nkids < 3 || n->kids[1]->kind == NODE_KEY) {
        return misshapen(x, n, "(when TRUTH STATEMENT...) needs a truth and what is done then");
    }
    n = condition_in_order(x, n, env);
    Nodes body = {0}, kids = {0};
    for (uint32_t i = 2; i < n->nkids; i++) vec_push(x->arena, &body, n->kids[i]);
    vec_push(x->arena, &kids, made_name(x, "if", n->kids[0], NULL));
    vec_push(x->arena, &kids, n->kids[1]);
    vec_push(x->arena, &kids, body.n == 1 ? body.at[0] : made_do(x, n, NULL, &body));
    return expand_if(x, made_list(x, n, NULL, &kids), env, via);
}
