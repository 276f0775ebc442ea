// Doubts about loops and turns: whether they can end.
#include "doubts.h"

#include "checker.h"
#include "forms.h"
#include "usage.h"

// What a condition asks, or what statements change.
typedef struct Touched {
    VEC(int) locals, vars;
    bool position; // anything but names and variables
} Touched;

typedef VEC(int) Refs;

static bool among(const int *refs, size_t n, int ref) {
    for (size_t i = 0; i < n; i++)
        if (refs[i] == ref) return true;
    return false;
}

static int var_of(const World *w, const Node *n) {
    if (n->ludeme != L_SYMBOL) return -1;
    const Symbol *s = &w->symbols.at[n->ref];
    return s->kind == SYMBOL_VAR ? s->index : -1;
}

// Ludemes whose answer depends on nothing but their arguments.
static bool pure(LudemeId ludeme) {
    switch ((int)ludeme) {
    case L_EQ:
    case L_NE:
    case L_LT:
    case L_LE:
    case L_GT:
    case L_GE:
    case L_AND:
    case L_OR:
    case L_NOT:
    case L_IN:
    case L_UNSET: return true;
    default: return ludeme_reckons(ludeme);
    }
}

static void gather_asked(World *w, const Node *n, Touched *out) {
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) vec_push(w->arena, &out->locals, n->ref);
    int var = var_of(w, n);
    if (var >= 0) vec_push(w->arena, &out->vars, var);
    bool call = n->kind == NODE_LIST && var < 0 && !pure(n->ludeme);
    bool name = n->kind == NODE_NAME && (n->ludeme == L_MOVER || n->ludeme == L_OPPONENT);
    out->position |= call || name;
    for (uint32_t i = n->kind == NODE_LIST; i < n->nkids; i++) gather_asked(w, n->kids[i], out);
}

static void gather_changed(World *w, const Node *n, Touched *out) {
    if (n->kind == NODE_LIST && n->ludeme == L_WOULD) return; // of a copy
    bool sets = n->kind == NODE_LIST && (n->ludeme == L_SET || n->ludeme == L_SET_ALL);
    if (sets && n->nkids > 1) {
        int var = var_of(w, n->kids[1]);
        if (var >= 0) vec_push(w->arena, &out->vars, var);
        if (n->kids[1]->ludeme == L_LOCAL) vec_push(w->arena, &out->locals, n->kids[1]->ref);
    }
    bool lets = n->kind == NODE_LIST && (n->ludeme == L_LET || n->ludeme == L_THROW);
    for (uint32_t i = 1; lets && i < n->nkids; i++) // the names; what else there is does no harm
        if (n->kids[i]->kind == NODE_NAME && n->kids[i]->ludeme == L_LOCAL)
            vec_push(w->arena, &out->locals, n->kids[i]->ref);
    switch (n->kind == NODE_LIST ? (int)n->ludeme : L_UNKNOWN) {
    case L_PUT:
    case L_REMOVE:
    case L_MOVE:
    case L_SOW:
    case L_TURNS:
    case L_RETIRE:
    case L_SCORE:
    case L_REMEMBER: out->position = true; break;
    default: break;
    }
    for (uint32_t i = 0; i < n->nkids; i++) gather_changed(w, n->kids[i], out);
}

static bool same_each_time(const Touched *asked, const Touched *changed) {
    if (asked->locals.n + asked->vars.n == 0 && !asked->position) return false; // yes, no
    if (asked->position && changed->position) return false;
    for (size_t i = 0; i < asked->locals.n; i++)
        if (among(changed->locals.at, changed->locals.n, asked->locals.at[i])) return false;
    for (size_t i = 0; i < asked->vars.n; i++)
        if (among(changed->vars.at, changed->vars.n, asked->vars.at[i])) return false;
    return true;
}

// As it is written, as far as one looks at a condition: "(< n 3)".
static const char *shown(World *w, const Node *n) {
    enum { KIDS = 4 };
    if (n->kind != NODE_LIST || !node_head(n) || n->nkids > KIDS) return text_of(w, n);
    const char *text = node_head(n);
    for (uint32_t i = 1; i < n->nkids; i++)
        text = arena_printf(w->arena, "%s %s", text, text_of(w, n->kids[i]));
    return arena_printf(w->arena, "(%s)", text);
}

void doubt_loop(World *w, const Node *n, const Node *condition) {
    if (!w->script->usage || key_value(n, "limit")) return;
    Touched asked = {.position = false}, changed = {.position = false};
    gather_asked(w, condition, &asked);
    gather_changed(w, n, &changed);
    usage_suspect(
        w->script,
        (Suspicion){.code = W_STUCK,
                    .span = condition->span,
                    .words = {shown(w, condition), n->ludeme == L_WHILE
                                                       ? "if it goes round once it never ends"
                                                       : "it goes round once, or never ends"}},
        same_each_time(&asked, &changed));
}

// The first choice without `else:` that depends on the position.
static const Node *choice_that_may_fail(const Node *n) {
    if (n->kind == NODE_LIST && (n->ludeme == L_CHOOSE || n->ludeme == L_EITHER)) {
        bool open = !key_value(n, "else");
        bool filtered = n->ludeme == L_EITHER || key_value(n, "where");
        if (open && filtered) return n;
    }
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *found = choice_that_may_fail(n->kids[i]);
        if (found) return found;
    }
    return NULL;
}

void doubt_rounds(World *w, const Node *n, bool can_end) {
    if (!w->script->usage) return;
    const Node *open = can_end ? NULL : choice_that_may_fail(n);
    bool turns = n->ludeme == L_TURNS;
    Suspicion s = {
        .code = W_NEVER_END, .span = n->kids[0]->span, .words = {turns ? "turns" : "rounds"}};
    if (open) {
        s.other = open->kids[0]->span;
        s.label = "where this finds nothing to choose, the play fails";
        s.mend = turns
                     ? "`else:` says what happens then: else: (lose mover), or (draw), or (leave)"
                     : "`else:` says what happens then: else: (lose mover), or (draw), or (break)";
    } else {
        s.mend = turns ? "(win ...), (lose ...), (draw) and (leave) end them"
                       : "`until:`, (break), (win ...), (lose ...) and (draw) end them";
    }
    usage_suspect(w->script, s, !can_end);
}
