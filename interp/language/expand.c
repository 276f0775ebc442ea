#include "equip.h"
#include "expander.h"

#include "foreign.h"
#include "misspelt.h"
#include "options.h"
#include "respell.h"
#include "usage.h"

#include <string.h>

// ---- reporting -----------------------------------------------------------------------------------

int report_at(Diags *d, const Script *script, DiagCode code, const Node *n, ...) {
    Span span = n->span;
    const Expansion *via = n->via;
    while (via && script_is_library(script, span.file)) {
        span = via->use;
        via = via->up;
    }
    va_list args;
    va_start(args, n);
    int i = diag_vreport(d, code, span, args);
    va_end(args);
    if (span.file != n->span.file || span.start != n->span.start)
        diag_label(d, i, n->span, "in `%s`, put in place here", n->via->name);
    else if (via)
        diag_label(d, i, via->use, "in `%s`, used here", via->name);
    return i;
}

Node *error_node(Expander *x, const Node *n) { return node_new(x->arena, NODE_ERROR, n->span); }

Node *copy_node(Expander *x, const Node *n, const Expansion *via) {
    if (++x->nodes > EXPANSION_NODES_MAX) {
        Node use = *n; // where the author set it off, not where it happened to grow too large
        for (const Expansion *e = via; e; e = e->up) use.span = e->use;
        use.via = NULL;
        if (!x->full) report_at(x->diags, x->script, E_EXPANSION_SIZE, &use, EXPANSION_NODES_MAX);
        x->full = true;
        return error_node(x, n);
    }
    Node *copy = arena_alloc(x->arena, sizeof *copy);
    *copy = *n;
    copy->via = via;
    return copy;
}

// ---- making nodes --------------------------------------------------------------------------------

Node *made_list(Expander *x, const Node *like, const Expansion *via, Nodes *kids) {
    Node *n = copy_node(x, like, via);
    if (n->kind == NODE_ERROR) return n;
    n->kids = kids->at;
    n->nkids = (uint32_t)kids->n;
    return n;
}

Node *made_name(Expander *x, const char *text, const Node *like, const Expansion *via) {
    Node *n = node_name(x->arena, like->span, arena_intern_str(x->arena, text));
    n->via = via;
    x->nodes++;
    return n;
}

Node *made_truth(Expander *x, bool truth, const Node *like, const Expansion *via) {
    return made_name(x, truth ? "yes" : "no", like, via);
}

Node *made_do(Expander *x, const Node *like, const Expansion *via, Nodes *body) {
    Nodes kids = {0};
    vec_push(x->arena, &kids, made_name(x, "do", like, via));
    for (size_t i = 0; i < body->n; i++) vec_push(x->arena, &kids, body->at[i]);
    Node *n = node_list(x->arena, NODE_LIST, like->span, kids.at, kids.n);
    n->via = via;
    x->nodes++;
    return n;
}

bool is_empty_do(const Node *n) {
    const char *head = node_head(n);
    return head && n->nkids == 1 && strcmp(head, "do") == 0;
}

int node_truth(const Node *n) {
    if (n->kind != NODE_NAME || n->ludeme == L_LOCAL) return -1;
    return strcmp(n->text, "yes") == 0 ? 1 : strcmp(n->text, "no") == 0 ? 0 : -1;
}

// ---- names -----------------------------------------------------------------------------------------

const Binding *look_up(const Binding *env, const char *name) {
    for (; env; env = env->up)
        if (env->name == name) return env;
    return NULL;
}

const Binding *bind(Expander *x, const Binding *env, Binding binding) {
    Binding *b = arena_alloc(x->arena, sizeof *b);
    *b = binding;
    b->up = env;
    b->depth = env ? env->depth + 1 : 1;
    return b;
}

static Node *local_node(Expander *x, int local, const Node *like, const Expansion *via) {
    Node *n = copy_node(x, like, via);
    if (n->kind == NODE_ERROR) return n;
    n->kind = NODE_NAME;
    n->text = x->out->locals.at[local].name;
    n->ludeme = L_LOCAL;
    n->ref = local;
    return n;
}

// A new local for the name node, put into *env. Gives the node that stands for it.
Node *new_local(Expander *x, const Node *name, const Binding **env, const Expansion *via) {
    vec_push(x->arena, &x->out->locals,
             (Local){.name = name->text, .span = name->span, .words = -1, .cell = -1});
    int local = (int)x->out->locals.n - 1;
    if (is_operator(name)) report_at(x->diags, x->script, E_RESERVED, name, name->text);
    if (*env && (*env)->depth >= NAMES_MAX && !x->full) {
        report_at(x->diags, x->script, E_LIMIT, name, "names known at one place", NAMES_MAX);
        x->full = true;
    }
    *env = bind(x, *env, (Binding){.name = name->text, .kind = BIND_LOCAL, .local = local});
    return local_node(x, local, name, via);
}

// The definition that the name means where `n` stands: a script's own names go before those of libraries, and within
// a library its own go before the script's, so that neither takes the other's by chance.
Definition *find_definition(const Expander *x, const Node *n) {
    bool within = script_is_library(x->script, n->span.file);
    Definition *other = NULL;
    for (size_t i = 0; i < x->definitions.n; i++) {
        Definition *d = &x->definitions.at[i];
        if (d->item->name != n->text) continue;
        if (d->item->library == within) return d;
        other = d;
    }
    // A script's equipment of the same name hides the library's definition, too.
    for (size_t i = 0; other && !within && i < x->script->items.n; i++) {
        const Item *item = &x->script->items.at[i];
        if (item->name == n->text && !item->library && item->kind != L_READING) return NULL;
    }
    return other;
}

static int find_option(const Expander *x, const char *name) {
    for (size_t i = 0; i < x->out->options.n; i++)
        if (x->out->options.at[i].name == name) return (int)i;
    return -1;
}

static Node *expand_name(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    const Binding *b = look_up(env, n->text);
    if (b) {
        if (b->kind == BIND_LOCAL) {
            x->out->locals.at[b->local].read = true;
            return local_node(x, b->local, n, via);
        }
        if (b->kind == BIND_ALIAS) {
            Node *copy = copy_node(x, b->node, b->node->via);
            return copy;
        }
        report_at(
            x->diags, x->script, E_SHAPE, n,
            arena_printf(x->arena, "`%s` is a piece of program: write (%s ...)", n->text, n->text));
        return error_node(x, n);
    }
    int o = script_is_library(x->script, n->span.file) ? -1 : find_option(x, n->text);
    if (o >= 0) {
        const Option *option = &x->out->options.at[o];
        usage_mark(x->script, option->name);
        Node *value = copy_node(x, option->values[option->chosen], via);
        if (value->kind == NODE_ERROR) return value;
        value->span = n->span;
        value->ludeme = L_CHOSEN;
        value->ref = o;
        return value;
    }
    Definition *d = find_definition(x, n);
    if (d) { // (define castles {...}) is used as a plain name
        Node *call = node_list(x->arena, NODE_LIST, n->span, &(Node *){(Node *)n}, 1);
        if (d->item->node->kids[1]->kind == NODE_NAME) return expand_list(x, call, env, via);
        bool again = d->bare && d->bare_in == x->diags &&
                     d->item->node->kids[1]->nkids == 1; // it takes nothing
        if (again) diag_elsewhere(x->diags, d->bare - 1, n->span);
        if (again) return error_node(x, n);
        bool word = is_option_word(x->script, n->text);
        int i = report_at(
            x->diags, x->script, E_SHAPE, n,
            word ? arena_printf(x->arena,
                                "`%s` is a definition here, and a word of an option or variable",
                                n->text)
                 : arena_printf(x->arena, "`%s` is a definition: write (%s%s)", n->text, n->text,
                                d->item->node->kids[1]->nkids == 1 ? "" : " ..."));
        if (word) diag_mend(x->diags, i, "call one of the two something else");
        diag_label(x->diags, i, d->item->node->kids[1]->span, "defined here");
        if (i >= 0 && !d->bare) d->bare = i + 1, d->bare_in = x->diags;
        return error_node(x, n);
    }
    return copy_node(x, n, via);
}

// ---- words that are known --------------------------------------------------------------------------

bool respell_unknown(Expander *x, const Node *call, const Binding *env, const Expansion *via) {
    const Node *head = call->nkids ? call->kids[0] : NULL;
    if (!head || head->kind != NODE_NAME || look_up(env, head->text) || find_definition(x, head) ||
        ludeme_find(head->text) != L_UNKNOWN)
        return false;
    const Node *first = call->nkids > 1 ? call->kids[1] : head;
    bool fresh = first->kind == NODE_NAME && !look_up(env, first->text);
    return respell_call(x->diags, x->script, call, fresh, via) &&
           (find_definition(x, head) || ludeme_find(head->text) != L_UNKNOWN);
}

bool is_statement(const Node *n) {
    const char *head = node_head(n);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    return id != L_UNKNOWN && ludemes[id].group == DOING;
}

// ---- lists -----------------------------------------------------------------------------------------------------

static Node *expand_kids(Expander *x, const Node *n, uint32_t from, const Binding *env,
                         const Expansion *via) {
    Nodes out = {0};
    bool unknown = from == 1 && node_head(n) && ludeme_find(node_head(n)) == L_UNKNOWN;
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (i < from || kid->kind == NODE_KEY) {
            vec_push(x->arena, &out, copy_node(x, kid, via));
            continue;
        }
        // `go: move-man`, `worth: ()`, of what is nothing: whether it takes pieces of program is not known.
        bool empty = kid->kind == NODE_LIST && kid->nkids == 0;
        bool named = unknown && n->kids[i - 1]->kind == NODE_KEY &&
                     (empty || (kid->kind == NODE_NAME && !look_up(env, kid->text) &&
                                find_definition(x, kid)));
        Node *item = named ? copy_node(x, kid, via) : expand(x, kid, env, via);
        // An item that an option leaves out is not there; the value of a key must be.
        bool absent =
            is_empty_do(item) && !is_empty_do(kid) && !(i && n->kids[i - 1]->kind == NODE_KEY);
        if (!absent) vec_push(x->arena, &out, item);
    }
    return made_list(x, n, via, &out);
}

static void mark_assigned(Expander *x, const Node *set) {
    if (set->kind == NODE_LIST && set->nkids > 1 && set->kids[1]->kind == NODE_NAME &&
        set->kids[1]->ludeme == L_LOCAL)
        x->out->locals.at[set->kids[1]->ref].assigned = true;
}

static int local_of(const Node *name, const Binding *env) {
    const Binding *b = name->kind == NODE_NAME ? look_up(env, name->text) : NULL;
    return b && b->kind == BIND_LOCAL ? b->local : -1;
}

// To give a name another value is no use of it: whether it is a local without one so far.
static bool only_set(const Expander *x, const Node *name, const Binding *env) {
    int local = local_of(name, env);
    return local >= 0 && !x->out->locals.at[local].read;
}

static void unread(Expander *x, const Node *name, const Binding *env) {
    x->out->locals.at[local_of(name, env)].read = false;
}

// (change PLACE by: N) is (set PLACE (+ PLACE N)).
static Node *expand_change(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    n = change_in_order(x, n);
    if (n->nkids != 4 || n->kids[1]->kind == NODE_KEY || !is_key(n->kids[2], "by")) {
        return misshapen_change(x, n);
    }
    Nodes sum = {0}, kids = {0};
    vec_push(x->arena, &sum, made_name(x, "+", n->kids[0], NULL));
    vec_push(x->arena, &sum, n->kids[1]);
    vec_push(x->arena, &sum, n->kids[3]);
    vec_push(x->arena, &kids, made_name(x, "set", n->kids[0], NULL));
    vec_push(x->arena, &kids, n->kids[1]);
    vec_push(x->arena, &kids, made_list(x, n, NULL, &sum));
    bool fresh = only_set(x, n->kids[1], env);
    Node *set = expand_kids(x, made_list(x, n, NULL, &kids), 1, env, via);
    mark_assigned(x, set);
    if (fresh && !mentions(n->kids[3], n->kids[1]->text)) unread(x, n->kids[1], env);
    return set;
}

static Node *expand_core(Expander *x, const Node *n, LudemeId id, const Binding *env,
                         const Expansion *via) {
    if (id == L_IF && word_in_if(x, n, env)) return error_node(x, n);
    loose_keys(x, n, id, env, via);
    respell_keys(x->diags, x->script, n, id, via);
    id = respell_binder(x->diags, x->script, n, id, via);
    id = respell_either(x->diags, x->script, n, id, via);
    bool binder = takes_key(id, "in");
    Node *fault = binder ? unbound_binder(x, n, id) : NULL;
    if (fault) return fault;
    if (!amend_form(x, n, id, via)) return error_node(x, n);
    if (binder) return expand_binder(x, n, env, via);
    switch (id) {
    case L_IF: return expand_if(x, n, env, via);
    case L_WHEN: return expand_when(x, n, env, via);
    case L_CHANGE: return expand_change(x, n, env, via);
    case L_SOW: return expand_sow(x, n, env, via);
    case L_DO:
    case L_WHILE:
    case L_REPEAT:
    case L_TURNS:
    case L_TURN_OF:
    case L_WOULD: {
        Nodes out = {0};
        vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
        expand_statements(x, n, 1, env, via, &out);
        return made_list(x, n, via, &out);
    }
    case L_SET: {
        bool fresh = n->nkids == 3 && only_set(x, n->kids[1], env);
        Node *set = expand_kids(x, n, 1, env, via);
        mark_assigned(x, set);
        if (fresh && !mentions(n->kids[2], n->kids[1]->text)) unread(x, n->kids[1], env);
        return set;
    }
    case L_LET: // one that stands where nothing can follow it
        if (n->nkids == 3 && n->kids[1]->kind == NODE_NAME) return expand(x, n->kids[2], env, via);
        return misshapen_let(x, n);
    default: return fold(x, expand_kids(x, n, 1, env, via), id);
    }
}

Node *expand_list(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    if (infix(x, n, env) || loose_question(x, n, env)) return error_node(x, n);
    if (n->nkids == 0) {
        report_at(x->diags, x->script, E_SHAPE, n, "an empty ( ) means nothing here");
        return error_node(x, n);
    }
    const Node *head = n->kids[0];
    if (head->kind == NODE_ERROR) return error_node(x, n);
    if (head->kind != NODE_NAME) return expand_kids(x, n, 0, env, via);
    const Binding *b = look_up(env, head->text);
    if (b && b->kind == BIND_PROGRAM) return expand_program(x, n, b, env, via);
    if (b && b->kind == BIND_ALIAS)
        return expand_kids(x, n, 0, env, via); // a parameter that stands for equipment
    Definition *d = b ? NULL : find_definition(x, head);
    if (d) return expand_use(x, n, d, env, via);
    LudemeId id = ludeme_find(head->text);
    if (id != L_UNKNOWN) return expand_core(x, n, id, env, via);
    if (!b && respell_unknown(x, n, env, via)) return expand_list(x, n, env, via);
    return expand_kids(x, n, b ? 0 : 1, env, via);
}

Node *expand(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    if (x->full) return error_node(x, n);
    switch (n->kind) {
    case NODE_NAME: return expand_name(x, n, env, via);
    case NODE_LIST: {
        if (x->levels >= EXPANSION_LEVELS_MAX) {
            report_at(x->diags, x->script, E_TOO_DEEP, n, EXPANSION_LEVELS_MAX);
            x->full = true;
            return error_node(x, n);
        }
        x->levels++;
        Node *list = expand_list(x, n, env, via);
        x->levels--;
        return list;
    }
    case NODE_SET:
    case NODE_RANGE: return expand_kids(x, n, 0, env, via);
    default: return copy_node(x, n, via);
    }
}

// ---- the whole script --------------------------------------------------------------------------------------------

static Node *expand_program_item(Expander *x, const Node *item) {
    Nodes out = {0};
    if (infix(x, item, NULL)) return made_do(x, item, NULL, &(Nodes){0});
    expand_statements(x, item, 1, NULL, NULL, &out);
    return made_do(x, item, NULL, &out);
}

Expanded *expand_script(Arena *arena, const Script *script, Diags *diags,
                        const OldsowLoading *how) {
    Expanded *out = arena_alloc(arena, sizeof *out);
    out->arena = arena;
    out->script = script;
    Expander *x = arena_alloc(arena, sizeof *x);
    *x = (Expander){.arena = arena, .script = script, .diags = diags, .out = out};
    out->expander = x;
    settle_options(out, script, diags, how);
    for (size_t i = 0; i < script->items.n; i++)
        if (script->items.at[i].kind == L_DEFINE)
            vec_push(arena, &x->definitions, (Definition){.item = &script->items.at[i]});
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        switch (item->kind) {
        case L_OPTION:
        case L_READING:
        case L_DEFINE: break;
        case L_START: out->start = expand_program_item(x, item->node); break;
        case L_PLAY: out->play = expand_program_item(x, item->node); break;
        default: {
            Item copy = *item;
            const Node *n = item->node;
            uint32_t from = item->name && n->nkids > 1 ? 2 : 1;
            if (item->kind == L_VAR && n->nkids > 2 && is_var_type(n->kids[2])) from = 3;
            copy.node = expand_kids(x, n, from, NULL, NULL);
            vec_push(arena, &out->equipment, copy);
        }
        }
    }
    usage_lets(script, out);
    return out;
}
