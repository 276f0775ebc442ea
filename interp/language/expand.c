#include "expand.h"

#include "options.h"
#include "usage.h"

#include <string.h>

// What a name means where it stands.
typedef enum BindingKind { BIND_LOCAL, BIND_ALIAS, BIND_PROGRAM } BindingKind;

typedef struct Binding Binding;
struct Binding {
    const char *name;
    BindingKind kind;
    int local;              // BIND_LOCAL
    const Node *node;       // BIND_ALIAS: the value; BIND_PROGRAM: the body
    const Node *parameters; // BIND_PROGRAM: a list of names, or NULL for none
    const Binding *env;     // BIND_PROGRAM: where the body was written
    const Expansion *via;
    const Binding *up;
};

typedef struct Definition {
    const Item *item;
} Definition;

typedef struct Expander {
    Arena *arena;
    const Script *script;
    Diags *diags;
    Expanded *out;
    VEC(Definition) definitions;
    size_t nodes;
    int depth;
    bool full; // too large: reported, everything after it is silent
} Expander;

static Node *expand(Expander *x, const Node *n, const Binding *env, const Expansion *via);
static Node *expand_list(Expander *x, const Node *n, const Binding *env, const Expansion *via);

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
        diag_note(d, i, "in `%s` as it is used elsewhere in the script", via->name);
    return i;
}

static Node *error_node(Expander *x, const Node *n) {
    return node_new(x->arena, NODE_ERROR, n->span);
}

static Node *copy_node(Expander *x, const Node *n, const Expansion *via) {
    if (++x->nodes > EXPANSION_NODES_MAX) {
        if (!x->full) report_at(x->diags, x->script, E_EXPANSION_SIZE, n, EXPANSION_NODES_MAX);
        x->full = true;
        return error_node(x, n);
    }
    Node *copy = arena_alloc(x->arena, sizeof *copy);
    *copy = *n;
    copy->via = via;
    return copy;
}

// ---- making nodes --------------------------------------------------------------------------------

typedef VEC(Node *) Nodes;

static Node *made_list(Expander *x, const Node *like, const Expansion *via, Nodes *kids) {
    Node *n = copy_node(x, like, via);
    if (n->kind == NODE_ERROR) return n;
    n->kids = kids->at;
    n->nkids = (uint32_t)kids->n;
    return n;
}

static Node *made_name(Expander *x, const char *text, const Node *like, const Expansion *via) {
    Node *n = node_name(x->arena, like->span, arena_intern_str(x->arena, text));
    n->via = via;
    x->nodes++;
    return n;
}

static Node *made_truth(Expander *x, bool truth, const Node *like, const Expansion *via) {
    return made_name(x, truth ? "yes" : "no", like, via);
}

static Node *made_do(Expander *x, const Node *like, const Expansion *via, Nodes *body) {
    Nodes kids = {0};
    vec_push(x->arena, &kids, made_name(x, "do", like, via));
    for (size_t i = 0; i < body->n; i++) vec_push(x->arena, &kids, body->at[i]);
    Node *n = node_list(x->arena, NODE_LIST, like->span, kids.at, kids.n);
    n->via = via;
    x->nodes++;
    return n;
}

static bool is_empty_do(const Node *n) {
    const char *head = node_head(n);
    return head && n->nkids == 1 && strcmp(head, "do") == 0;
}

int node_truth(const Node *n) {
    if (n->kind != NODE_NAME || n->ludeme == L_LOCAL) return -1;
    return strcmp(n->text, "yes") == 0 ? 1 : strcmp(n->text, "no") == 0 ? 0 : -1;
}

// ---- names -----------------------------------------------------------------------------------------

static const Binding *look_up(const Binding *env, const char *name) {
    for (; env; env = env->up)
        if (env->name == name) return env;
    return NULL;
}

static const Binding *bind(Expander *x, const Binding *env, Binding binding) {
    Binding *b = arena_alloc(x->arena, sizeof *b);
    *b = binding;
    b->up = env;
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
static Node *new_local(Expander *x, const Node *name, const Binding **env, const Expansion *via) {
    vec_push(x->arena, &x->out->locals,
             (Local){.name = name->text, .span = name->span, .words = -1, .cell = -1});
    int local = (int)x->out->locals.n - 1;
    *env = bind(x, *env, (Binding){.name = name->text, .kind = BIND_LOCAL, .local = local});
    return local_node(x, local, name, via);
}

static Definition *find_definition(Expander *x, const char *name) {
    for (size_t i = 0; i < x->definitions.n; i++)
        if (x->definitions.at[i].item->name == name) return &x->definitions.at[i];
    return NULL;
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
    int o = find_option(x, n->text);
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
    Definition *d = find_definition(x, n->text);
    if (d) { // (define castles {...}) is used as a plain name
        Node *call = node_list(x->arena, NODE_LIST, n->span, &(Node *){(Node *)n}, 1);
        if (d->item->node->kids[1]->kind == NODE_NAME) return expand_list(x, call, env, via);
        int i = report_at(
            x->diags, x->script, E_SHAPE, n,
            arena_printf(x->arena, "`%s` is a definition: write (%s ...)", n->text, n->text));
        diag_label(x->diags, i, d->item->node->kids[1]->span, "defined here");
        return error_node(x, n);
    }
    return copy_node(x, n, via);
}

// ---- constants ---------------------------------------------------------------------------------------

static const Option *chosen_option(const Expander *x, const Node *n) {
    return n->ludeme == L_CHOSEN ? &x->out->options.at[n->ref] : NULL;
}

// A plain name that stands beside an option must be one of its values.
static bool value_of(Expander *x, const Option *option, const Node *n) {
    const char *known[64];
    size_t count = 0;
    for (size_t i = 0; i < option->nvalues; i++) {
        const Node *v = option->values[i];
        if (v->kind != n->kind) continue;
        if (v->kind == NODE_NUMBER ? v->number == n->number : v->text == n->text) return true;
        if (v->kind == NODE_NAME && count < 64) known[count++] = v->text;
    }
    const char *shown = n->kind == NODE_NUMBER ? arena_printf(x->arena, "%ld", n->number) : n->text;
    int i = report_at(x->diags, x->script, E_UNKNOWN_VALUE, n, shown, option->name);
    diag_label(x->diags, i, option->item->span, "the option");
    const char *near = n->kind == NODE_NAME ? nearest_name(n->text, known, count) : NULL;
    if (near) diag_mend(x->diags, i, "did you mean `%s`?", near);
    return false;
}

static bool is_literal(const Node *n) {
    return n->kind == NODE_NUMBER || n->ludeme == L_CHOSEN || node_truth(n) >= 0;
}

// Whether two literals are equal (1, 0), or -1 if that is not known here, -2 after a report.
static int same_literal(Expander *x, const Node *a, const Node *b) {
    if (a->kind == NODE_NUMBER && b->kind == NODE_NUMBER) return a->number == b->number;
    if (node_truth(a) >= 0 && node_truth(b) >= 0) return node_truth(a) == node_truth(b);
    const Option *oa = chosen_option(x, a), *ob = chosen_option(x, b);
    if (!oa && !ob) return -1;
    if (oa && ob) return a->kind == b->kind && a->text == b->text;
    const Node *plain = oa ? b : a;
    const Option *option = oa ? oa : ob;
    if (plain->kind != NODE_NAME || plain->ludeme == L_LOCAL) return -1;
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
    if (n->nkids < 3) return n;
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

static Node *fold(Expander *x, Node *n, LudemeId id) {
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
    case L_ADD:
    case L_SUB:
    case L_MUL:
    case L_DIV:
    case L_MOD:
    case L_MIN:
    case L_MAX:
    case L_LT:
    case L_LE:
    case L_GT:
    case L_GE: return fold_numbers(x, n, id);
    default: return n;
    }
}

// ---- forms that make names -----------------------------------------------------------------------------

static bool is_key(const Node *n, const char *text) {
    return n->kind == NODE_KEY && strcmp(n->text, text) == 0;
}

// Statements from kid `i` on, in order; what a let or throw names is known to the ones after it. Keys (with their values) met on
// the way are expanded in place, `until:` and `then:` after all statements.
static void expand_statements(Expander *x, const Node *n, uint32_t i, const Binding *env,
                              const Expansion *via, Nodes *out) {
    const Node *last_key = NULL, *last_value = NULL;
    for (; i < n->nkids; i++) {
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
        const char *head = node_head(kid);
        LudemeId id = head && !look_up(env, head) ? ludeme_find(head) : L_UNKNOWN;
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
            for (uint32_t k = 2; k < kid->nkids; k++)
                vec_push(x->arena, &parts,
                         kid->kids[k]->kind == NODE_NAME ? new_local(x, kid->kids[k], &env, via)
                                                         : expand(x, kid->kids[k], env, via));
            vec_push(x->arena, out, made_list(x, kid, via, &parts));
        } else {
            Node *done = expand(x, kid, env, via);
            if (!is_empty_do(done) || i + 1 == n->nkids) vec_push(x->arena, out, done);
        }
    }
    if (last_key) {
        vec_push(x->arena, out, copy_node(x, last_key, via));
        vec_push(x->arena, out, expand(x, last_value, env, via));
    }
}

// (HEAD ... NAME in: LIST ... ): the names are known to all that follows them.
static Node *expand_binder(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    Nodes out = {0};
    vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
    uint32_t i = 1;
    while (i < n->nkids) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_NAME && i + 2 < n->nkids && is_key(n->kids[i + 1], "in")) {
            Node *domain = expand(x, n->kids[i + 2], env, via);
            vec_push(x->arena, &out, new_local(x, kid, &env, via));
            vec_push(x->arena, &out, copy_node(x, n->kids[i + 1], via));
            vec_push(x->arena, &out, domain);
            i += 3;
        } else if (kid->kind == NODE_KEY && i + 1 < n->nkids) {
            vec_push(x->arena, &out, copy_node(x, kid, via));
            vec_push(x->arena, &out, expand(x, n->kids[i + 1], env, via));
            i += 2;
        } else {
            break;
        }
    }
    expand_statements(x, n, i, env, via, &out);
    return made_list(x, n, via, &out);
}

// (sow ... before: (piece site) STATEMENT ...)
static Node *expand_sow(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    Nodes out = {0};
    vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool hook = is_key(kid, "before") || is_key(kid, "after") || is_key(kid, "skip");
        if (!hook || i + 2 >= n->nkids || n->kids[i + 1]->kind != NODE_LIST) {
            vec_push(x->arena, &out,
                     kid->kind == NODE_KEY ? copy_node(x, kid, via) : expand(x, kid, env, via));
            continue;
        }
        const Binding *inner = env;
        Nodes names = {0};
        const Node *list = n->kids[i + 1];
        for (uint32_t k = 0; k < list->nkids; k++) {
            if (list->kids[k]->kind == NODE_NAME)
                vec_push(x->arena, &names, new_local(x, list->kids[k], &inner, via));
            else if (list->kids[k]->kind != NODE_ERROR)
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

static Node *expand_if(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    if (n->nkids >= 3 && n->nkids <= 4) {
        Node *condition = expand(x, n->kids[1], env, via);
        int truth = node_truth(condition);
        if (truth >= 0) {
            Nodes none = {0};
            if (truth) return expand(x, n->kids[2], env, via);
            return n->nkids == 4 ? expand(x, n->kids[3], env, via) : made_do(x, n, via, &none);
        }
        Nodes out = {0};
        vec_push(x->arena, &out, copy_node(x, n->kids[0], via));
        vec_push(x->arena, &out, condition);
        for (uint32_t i = 2; i < n->nkids; i++)
            vec_push(x->arena, &out, expand(x, n->kids[i], env, via));
        return made_list(x, n, via, &out);
    }
    report_at(
        x->diags, x->script, E_SHAPE, n,
        n->nkids < 3
            ? "(if TRUTH THEN [ELSE]) needs a truth and what is done then"
            : "(if TRUTH THEN [ELSE]) takes one form for each case; several go into (do ...)");
    return error_node(x, n);
}

// ---- definitions ------------------------------------------------------------------------------------------

typedef struct Parameter {
    const char *name, *key; // key NULL: by position
    const Node *program;    // its list of names, if it is a piece of program
    const Node *argument;   // as given or by default
    const Node *names;      // a program argument's own names
    bool standard;          // from (default ...)
} Parameter;

typedef VEC(Parameter) Parameters;

// Reads (NAME a key: b key2: (c d)).
static bool read_parameters(Expander *x, const Node *header, Parameters *out) {
    if (header->kind == NODE_NAME) return true;
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        Parameter p = {0};
        if (kid->kind == NODE_NAME)
            p.name = kid->text;
        else if (kid->kind == NODE_KEY && i + 1 < header->nkids) {
            const Node *what = header->kids[++i];
            p.key = kid->text;
            if (what->kind == NODE_NAME)
                p.name = what->text;
            else if (what->kind == NODE_LIST)
                p.name = kid->text, p.program = what;
        }
        if (!p.name) {
            if (kid->kind != NODE_ERROR)
                diag_report(x->diags, E_NEED_NAME, kid->span, "define",
                            "parameters are `name`, `key: name` or `key: (name ...)`");
            return false;
        }
        vec_push(x->arena, out, p);
    }
    return true;
}

static Parameter *find_key(Parameters *ps, const char *key) {
    for (size_t i = 0; i < ps->n; i++)
        if (ps->at[i].key == key) return &ps->at[i];
    return NULL;
}

// Reads `key: value` at kid *i of a use or a (default ...); a program takes its names and a form.
static bool read_key(Expander *x, const Node *n, uint32_t *i, Parameters *ps, const char *what,
                     bool standard) {
    const Node *key = n->kids[*i];
    Parameter *p = find_key(ps, key->text);
    if (!p) {
        const char *known[64];
        size_t count = 0;
        for (size_t k = 0; k < ps->n && count < 64; k++)
            if (ps->at[k].key) known[count++] = ps->at[k].key;
        int d = report_at(x->diags, x->script, E_UNKNOWN_KEY, key, what, key->text);
        const char *near = nearest_name(key->text, known, count);
        if (near)
            diag_mend(x->diags, d, "did you mean `%s:`?", near);
        else if (count) {
            const char *list = "";
            for (size_t k = 0; k < count; k++)
                list = arena_printf(x->arena, "%s%s`%s:`", list, k ? ", " : "", known[k]);
            diag_mend(x->diags, d, "it takes %s", list);
        }
        return false;
    }
    if (p->argument && !(p->standard && !standard)) {
        report_at(x->diags, x->script, E_KEY_TWICE, key, key->text);
        return false;
    }
    if (*i + 1 >= n->nkids || n->kids[*i + 1]->kind == NODE_KEY) {
        report_at(x->diags, x->script, E_KEY_VALUE, key, key->text);
        return false;
    }
    p->names = NULL;
    if (p->program) {
        const Node *names = n->kids[*i + 1];
        uint32_t wanted = p->program->nkids;
        bool shaped = names->kind == NODE_LIST && names->nkids == wanted;
        for (uint32_t k = 0; shaped && k < wanted; k++) shaped = names->kids[k]->kind == NODE_NAME;
        if (wanted == 0 && !(names->kind == NODE_LIST && names->nkids == 0)) {
            shaped = true; // the empty ( ) may be left out
        } else if (shaped && *i + 2 < n->nkids && n->kids[*i + 2]->kind != NODE_KEY) {
            p->names = names;
            (*i)++;
        } else {
            shaped = false;
        }
        if (!shaped) {
            if (names->kind != NODE_ERROR) {
                int d = report_at(
                    x->diags, x->script, E_SHAPE, names,
                    arena_printf(x->arena,
                                 "`%s:` takes a piece of program: %u name%s in ( ), then one form",
                                 key->text, wanted, wanted == 1 ? "" : "s"));
                diag_label(x->diags, d, p->program->span, "as declared here");
            }
            return false;
        }
    }
    p->argument = n->kids[++*i];
    p->standard = standard;
    return true;
}

// Where the body starts: after the name, a doc, a (default ...).
static bool read_body(Expander *x, const Node *define, Parameters *ps, uint32_t *body) {
    uint32_t i = 2;
    if (i + 1 < define->nkids && define->kids[i]->kind == NODE_STRING) i++;
    for (; i < define->nkids; i++) {
        const Node *kid = define->kids[i];
        const char *head = node_head(kid);
        if (!head || strcmp(head, "default") != 0) break;
        for (uint32_t k = 1; k < kid->nkids; k++) {
            if (kid->kids[k]->kind != NODE_KEY) {
                if (kid->kids[k]->kind != NODE_ERROR)
                    diag_report(x->diags, E_SHAPE, kid->kids[k]->span,
                                "(default key: value ...) names the argument each value is for");
                return false;
            }
            if (!read_key(x, kid, &k, ps, "this definition", true)) return false;
        }
    }
    *body = i;
    if (i >= define->nkids) {
        diag_report(x->diags, E_TOO_FEW, define->span, "define", "a body");
        return false;
    }
    return true;
}

static const char *takes(Expander *x, const Definition *d) {
    const Node *header = d->item->node->kids[1];
    const char *s = "";
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        if (kid->kind == NODE_NAME)
            s = arena_printf(x->arena, "%s %s", s, kid->text);
        else if (kid->kind == NODE_KEY)
            s = arena_printf(x->arena, "%s %s:", s, kid->text), i++;
    }
    return arena_printf(x->arena, "(%s%s)", d->item->name, s);
}

// Gives the parameters the arguments of a use.
static bool read_arguments(Expander *x, const Node *n, const Definition *d, Parameters *ps) {
    const char *name = d->item->name;
    size_t next = 0;
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_ERROR) return false;
        if (kid->kind == NODE_KEY) {
            if (!read_key(x, n, &i, ps, name, false)) return false;
            continue;
        }
        while (next < ps->n && ps->at[next].key) next++;
        if (next == ps->n) {
            int r = report_at(x->diags, x->script, E_TOO_MANY, kid, name, takes(x, d));
            diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
            return false;
        }
        ps->at[next++].argument = kid;
    }
    for (size_t i = 0; i < ps->n; i++) {
        if (ps->at[i].argument) continue;
        int r;
        if (ps->at[i].key)
            r = report_at(x->diags, x->script, E_MISSING_KEY, n, name, ps->at[i].key);
        else
            r = report_at(x->diags, x->script, E_TOO_FEW, n, name,
                          arena_printf(x->arena, "its argument `%s`", ps->at[i].name));
        diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
        return false;
    }
    return true;
}

// A value that can stand in the body as often as it is named: it never changes and costs nothing.
static bool is_plain(const Node *n) {
    if (n->kind == NODE_NUMBER) return true;
    if (n->kind == NODE_SET || n->kind == NODE_RANGE) {
        for (uint32_t i = 0; i < n->nkids; i++)
            if (!is_plain(n->kids[i])) return false;
        return true;
    }
    if (n->kind != NODE_NAME || n->ludeme == L_LOCAL) return false;
    return ludeme_find(n->text) == L_UNKNOWN || strcmp(n->text, "board") == 0 ||
           strcmp(n->text, "players") == 0;
}

static const Binding *bind_value(Expander *x, const char *name, Node *value, const Node *where,
                                 const Binding *env, const Expansion *via, Nodes *lets) {
    if (is_plain(value))
        return bind(x, env, (Binding){.name = name, .kind = BIND_ALIAS, .node = value});
    Node *named = node_name(x->arena, value->span, name);
    Nodes parts = {0};
    vec_push(x->arena, &parts, made_name(x, "let", where, via));
    vec_push(x->arena, &parts, new_local(x, named, &env, via));
    vec_push(x->arena, &parts, value);
    Node *let = node_list(x->arena, NODE_LIST, value->span, parts.at, parts.n);
    let->via = via;
    x->nodes++;
    vec_push(x->arena, lets, let);
    return env;
}

// Too deep, or a definition within itself?
static bool may_enter(Expander *x, const Node *n, const char *name, const Expansion *via) {
    if (x->full) return false;
    for (const Expansion *v = via; v; v = v->up) {
        if (v->name != name) continue;
        int d = report_at(x->diags, x->script, E_CYCLE, n, name);
        const char *way = name;
        for (const Expansion *w = via; w; w = w->up) {
            way = arena_printf(x->arena, "%s > %s", w->name, way);
            if (w->name == name) break;
        }
        diag_note(x->diags, d, "the circle: %s", way);
        return false;
    }
    if (x->depth < EXPANSION_DEPTH_MAX) return true;
    report_at(x->diags, x->script, E_EXPANSION_DEPTH, n, EXPANSION_DEPTH_MAX);
    x->full = true;
    return false;
}

static Node *finish_use(Expander *x, const Node *n, const Expansion *via, Nodes *lets) {
    if (lets->n == 1 && !(node_head(lets->at[0]) && strcmp(node_head(lets->at[0]), "let") == 0))
        return lets->at[0];
    return made_do(x, n, via, lets);
}

static Node *expand_use(Expander *x, const Node *n, Definition *d, const Binding *env,
                        const Expansion *via) {
    const Node *define = d->item->node;
    usage_mark(x->script, d->item->name);
    if (!may_enter(x, n, d->item->name, via)) return error_node(x, n);
    Parameters ps = {0};
    uint32_t body = 0;
    if (!read_parameters(x, define->kids[1], &ps) || !read_body(x, define, &ps, &body) ||
        !read_arguments(x, n, d, &ps))
        return error_node(x, n);

    Expansion *inside = arena_alloc(x->arena, sizeof *inside);
    *inside = (Expansion){d->item->name, n->span, via};
    const Binding *inner = NULL;
    Nodes out = {0};
    for (size_t i = 0; i < ps.n; i++) {
        const Parameter *p = &ps.at[i];
        const Binding *theirs = p->standard ? NULL : env;
        const Expansion *from = p->standard ? inside : via;
        if (p->program)
            inner = bind(x, inner,
                         (Binding){.name = p->name,
                                   .kind = BIND_PROGRAM,
                                   .node = p->argument,
                                   .parameters = p->names,
                                   .env = theirs,
                                   .via = from});
        else
            inner =
                bind_value(x, p->name, expand(x, p->argument, theirs, from), n, inner, via, &out);
    }
    x->depth++;
    expand_statements(x, define, body, inner, inside, &out);
    x->depth--;
    return finish_use(x, n, via, &out);
}

// A program parameter called like a ludeme.
static Node *expand_program(Expander *x, const Node *n, const Binding *program, const Binding *env,
                            const Expansion *via) {
    if (x->full) return error_node(x, n);
    if (x->depth >= EXPANSION_DEPTH_MAX)
        return may_enter(x, n, n->kids[0]->text, NULL), error_node(x, n);
    uint32_t wanted = program->parameters ? program->parameters->nkids : 0;
    if (n->nkids - 1 != wanted) {
        int d = report_at(x->diags, x->script, E_SHAPE, n,
                          arena_printf(x->arena, "the piece of program `%s` takes %u argument%s",
                                       program->name, wanted, wanted == 1 ? "" : "s"));
        if (program->parameters) diag_label(x->diags, d, program->parameters->span, "given here");
        return error_node(x, n);
    }
    if (is_empty_do(program->node)) return copy_node(x, program->node, program->via);
    const Binding *inner = program->env;
    Nodes out = {0};
    for (uint32_t i = 0; i < wanted; i++) {
        Node *value = expand(x, n->kids[i + 1], env, via);
        inner = bind_value(x, program->parameters->kids[i]->text, value, n, inner, via, &out);
    }
    x->depth++;
    Node *body = expand(x, program->node, inner, program->via);
    x->depth--;
    vec_push(x->arena, &out, body);
    return finish_use(x, n, via, &out);
}

// ---- lists -----------------------------------------------------------------------------------------------------

static Node *expand_kids(Expander *x, const Node *n, uint32_t from, const Binding *env,
                         const Expansion *via) {
    Nodes out = {0};
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool plain = i < from || kid->kind == NODE_KEY;
        vec_push(x->arena, &out, plain ? copy_node(x, kid, via) : expand(x, kid, env, via));
    }
    return made_list(x, n, via, &out);
}

static void mark_assigned(Expander *x, const Node *set) {
    if (set->kind == NODE_LIST && set->nkids > 1 && set->kids[1]->kind == NODE_NAME &&
        set->kids[1]->ludeme == L_LOCAL)
        x->out->locals.at[set->kids[1]->ref].assigned = true;
}

static Node *expand_core(Expander *x, const Node *n, LudemeId id, const Binding *env,
                         const Expansion *via) {
    switch (id) {
    case L_IF: return expand_if(x, n, env, via);
    case L_SOW: return expand_sow(x, n, env, via);
    case L_CHOOSE:
    case L_FOR:
    case L_ANY:
    case L_ALL:
    case L_NONE:
    case L_HOW_MANY:
    case L_SUM:
    case L_MOST:
    case L_LEAST:
    case L_FIRST: return expand_binder(x, n, env, via);
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
        Node *set = expand_kids(x, n, 1, env, via);
        mark_assigned(x, set);
        return set;
    }
    case L_LET: // one that stands where nothing can follow it
        if (n->nkids == 3 && n->kids[1]->kind == NODE_NAME) return expand(x, n->kids[2], env, via);
        report_at(x->diags, x->script, E_SHAPE, n, "(let NAME VALUE) takes a name and one value");
        return error_node(x, n);
    default: return fold(x, expand_kids(x, n, 1, env, via), id);
    }
}

static Node *expand_list(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
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
    Definition *d = b ? NULL : find_definition(x, head->text);
    if (d) return expand_use(x, n, d, env, via);
    LudemeId id = ludeme_find(head->text);
    if (id != L_UNKNOWN) return expand_core(x, n, id, env, via);
    return expand_kids(x, n, b ? 0 : 1, env, via);
}

static Node *expand(Expander *x, const Node *n, const Binding *env, const Expansion *via) {
    if (x->full) return error_node(x, n);
    switch (n->kind) {
    case NODE_NAME: return expand_name(x, n, env, via);
    case NODE_LIST: return expand_list(x, n, env, via);
    case NODE_SET:
    case NODE_RANGE: return expand_kids(x, n, 0, env, via);
    default: return copy_node(x, n, via);
    }
}

// ---- the whole script --------------------------------------------------------------------------------------------

static Node *expand_program_item(Expander *x, const Node *item) {
    Nodes out = {0};
    expand_statements(x, item, 1, NULL, NULL, &out);
    return made_do(x, item, NULL, &out);
}

Expanded *expand_script(Arena *arena, const Script *script, Diags *diags,
                        const OldsowLoading *how) {
    Expanded *out = arena_alloc(arena, sizeof *out);
    out->arena = arena;
    out->script = script;
    Expander x = {.arena = arena, .script = script, .diags = diags, .out = out};
    settle_options(out, script, diags, how);
    for (size_t i = 0; i < script->items.n; i++)
        if (script->items.at[i].kind == L_DEFINE)
            vec_push(arena, &x.definitions, (Definition){.item = &script->items.at[i]});
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        switch (item->kind) {
        case L_OPTION:
        case L_READING:
        case L_DEFINE: break;
        case L_START: out->start = expand_program_item(&x, item->node); break;
        case L_PLAY: out->play = expand_program_item(&x, item->node); break;
        default: {
            Item copy = *item;
            copy.node = expand_kids(&x, item->node, item->name && item->node->nkids > 1 ? 2 : 1,
                                    NULL, NULL);
            vec_push(arena, &out->equipment, copy);
        }
        }
    }
    usage_lets(script, out);
    return out;
}

static uint64_t mix(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u; // FNV-1a
    return h;
}

static uint64_t hash_node(uint64_t h, const Node *n) {
    unsigned char kind = (unsigned char)n->kind;
    h = mix(h, &kind, 1);
    if (n->kind == NODE_NUMBER) {
        int32_t number = (int32_t)n->number;
        h = mix(h, &number, sizeof number);
    } else if (n->text) {
        h = mix(h, n->text, strlen(n->text) + 1);
        if (n->ludeme == L_LOCAL) h = mix(h, &n->ref, sizeof n->ref);
    }
    for (uint32_t i = 0; i < n->nkids; i++) {
        bool doc = n->kids[i]->kind == NODE_STRING && !(i && is_key(n->kids[i - 1], "as"));
        if (!doc) h = hash_node(h, n->kids[i]);
    }
    return mix(h, ")", 1);
}

uint64_t expanded_hash(const Expanded *e) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < e->equipment.n; i++) h = hash_node(h, e->equipment.at[i].node);
    if (e->start) h = hash_node(h, e->start);
    if (e->play) h = hash_node(h, e->play);
    return h;
}
