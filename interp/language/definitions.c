// Uses of definitions and of their pieces of program, put in place.

#include "expander.h"

#include "foreign.h"
#include "misspelt.h"
#include "respell.h"
#include "usage.h"

#include <string.h>

typedef struct Parameter {
    const char *name, *key; // key NULL: by position
    const Node *program;    // its list of names, if it is a piece of program
    const Node *argument;   // as given or by default
    const Node *names;      // a program argument's own names
    bool standard;          // from (default ...)
} Parameter;

typedef VEC(Parameter) Parameters;

enum { PARAMETERS_MAX = 64 };

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
        if (out->n == PARAMETERS_MAX) {
            diag_report(x->diags, E_LIMIT, kid->span, "parameters of a definition", PARAMETERS_MAX);
            return false;
        }
        for (size_t k = 0; k < out->n; k++) {
            if (out->at[k].name != p.name) continue;
            diag_report(x->diags, E_TWICE, kid->span, p.name);
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
        if (misspelt_declaration(x->diags, x->script, key->text, key->span)) return false;
        const char *known[64];
        size_t count = 0;
        for (size_t k = 0; k < ps->n && count < 64; k++)
            if (ps->at[k].key) known[count++] = ps->at[k].key;
        int d = report_at(x->diags, x->script, E_UNKNOWN_KEY, key, what, key->text);
        const char *near = nearest_name(key->text, known, count);
        bool plain = false; // is it one that stands without a key?
        const char *order = "";
        for (size_t k = 0; k < ps->n; k++) {
            if (ps->at[k].key) continue;
            plain |= ps->at[k].name == key->text;
            order = arena_printf(x->arena, "%s %s", order, ps->at[k].name);
        }
        if (plain)
            diag_mend(x->diags, d, "`%s` stands without a key, in order: (%s%s)", key->text, what,
                      order);
        else if (near)
            diag_meant(x->diags, d, "%s:", near);
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
        if (names->kind == NODE_NAME &&
            p->program->nkids > 0) { // a program or definition by its name
            p->argument = n->kids[++*i];
            p->standard = standard;
            return true;
        }
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
            if (!read_key(x, kid, &k, ps,
                          define->kids[1]->kind == NODE_LIST ? node_head(define->kids[1])
                                                             : "define",
                          true))
                return false;
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

// The one key that the use has to give and does not; NULL: it gives them all, or lacks several.
static const char *only_lacking(const Parameters *ps, const Node *use) {
    const char *key = NULL;
    for (size_t i = 0; i < ps->n; i++) {
        const Parameter *p = &ps->at[i];
        bool given = !p->key || p->argument != NULL;
        for (uint32_t k = 1; !given && k < use->nkids; k++)
            given = use->kids[k]->kind == NODE_KEY && use->kids[k]->text == p->key;
        if (given) continue;
        if (key || (p->program && p->program->nkids > 0)) return NULL;
        key = p->key;
    }
    return key;
}

static bool is_program(const Parameters *ps, const char *key) {
    for (size_t i = 0; i < ps->n; i++)
        if (ps->at[i].key == key) return ps->at[i].program != NULL;
    return false;
}

// Gives the parameters the arguments of a use.
static bool read_arguments(Expander *x, const Node *n, const Definition *d, Parameters *ps) {
    const char *name = d->item->name;
    size_t next = 0;
    const Node *behind = NULL; // the key before the argument
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_ERROR) return false;
        if (kid->kind == NODE_KEY) {
            if (!read_key(x, n, &i, ps, name, false)) return false;
            behind = kid;
            continue;
        }
        while (next < ps->n && ps->at[next].key) next++;
        if (next == ps->n && behind && is_program(ps, behind->text)) {
            int r = report_at(x->diags, x->script, E_TWO_FORMS, kid, behind->text);
            diag_label(x->diags, r, n->kids[i - 1]->span, "`%s:` takes only this", behind->text);
            const Node *before = n->kids[i - 1];
            bool loose = before->kind == NODE_NAME && kid->kind == NODE_LIST &&
                         find_key(ps, behind->text)->program->nkids == 1 &&
                         !script_find(x->script, L_DEFINE, before->text);
            if (loose)
                diag_mend(x->diags, r, "the name that is given stands in ( ): %s: (%s) %s",
                          behind->text, before->text, short_text(x->arena, kid));
            else
                diag_mend(x->diags, r, "several things are one form: (do ...)");
            return false;
        }
        behind = NULL;
        if (next == ps->n) {
            int r = report_at(x->diags, x->script, E_TOO_MANY, kid, name, takes(x, d));
            diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
            const char *key = only_lacking(ps, n);
            if (key) diag_mend(x->diags, r, "%s: %s", key, short_text(x->arena, kid));
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
static bool is_plain(const Expander *x, const Node *n) {
    if (n->kind == NODE_NUMBER) return true;
    if (n->kind == NODE_SET || n->kind == NODE_RANGE) {
        for (uint32_t i = 0; i < n->nkids; i++)
            if (!is_plain(x, n->kids[i])) return false;
        return true;
    }
    if (n->kind != NODE_NAME || n->ludeme == L_LOCAL) return false;
    if (script_find(x->script, L_VAR, n->text)) return false; // its value is taken now
    return ludeme_find(n->text) == L_UNKNOWN || strcmp(n->text, "board") == 0 ||
           strcmp(n->text, "players") == 0;
}

// Whether the body gives the parameter another value: then it needs a place of its own.
static bool sets_name(const Node *n, const char *name) {
    if (n->nkids > 1 && n->kids[1]->kind == NODE_NAME && n->kids[1]->text == name) {
        const char *head = node_head(n);
        if (head && (strcmp(head, "set") == 0 || strcmp(head, "change") == 0)) return true;
    }
    for (uint32_t i = 0; i < n->nkids; i++)
        if (sets_name(n->kids[i], name)) return true;
    return false;
}

static const Binding *bind_local(Expander *x, const char *name, Node *value, const Node *where,
                                 const Binding *env, const Expansion *via, Nodes *lets) {
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

static const Binding *bind_value(Expander *x, const char *name, Node *value, const Node *where,
                                 const Binding *env, const Expansion *via, Nodes *lets) {
    if (is_plain(x, value))
        return bind(x, env, (Binding){.name = name, .kind = BIND_ALIAS, .node = value});
    return bind_local(x, name, value, where, env, via, lets);
}

// Too deep, or a definition within itself?
static bool may_enter(Expander *x, const Node *n, const char *name, const void *definition,
                      const Expansion *via) {
    if (x->full) return false;
    for (const Expansion *v = via; v; v = v->up) {
        if (v->definition != definition) continue;
        int d = report_at(x->diags, x->script, E_CYCLE, n, name);
        const char *way = name;
        for (const Expansion *w = via; w; w = w->up) {
            way = arena_printf(x->arena, "%s > %s", w->name, way);
            if (w->definition == definition) break;
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
    Node *use = made_do(x, n, via, lets);
    use->text = n->kids[0]->text; // for messages
    return use;
}

static bool has_key(const Node *form, const char *key) {
    for (uint32_t i = 1; i < form->nkids; i++)
        if (is_key(form->kids[i], key)) return true;
    return false;
}

// Is the name one to ask with, as in (NAME VALUE): equipment of which there is one per player, site or number, or a
// ludeme of the core?
static bool asks(const Expander *x, const char *name) {
    LudemeId id = ludeme_find(name);
    for (size_t i = 0; i < x->script->items.n && id == L_UNKNOWN; i++) {
        const Item *item = &x->script->items.at[i];
        if (item->name == name) id = item->kind;
        if (id == L_VAR && !has_key(item->node, "per")) return false; // there once
    }
    switch (id) {
    case L_UNKNOWN: return false;
    case L_REGION:
    case L_TRACK:
    case L_LANE:
    case L_STORE:
    case L_HAND:
    case L_OFF:
    case L_PIECE:
    case L_VAR: return true;
    default: return ludemes[id].group == ASKING && ludemes[id].form != FORM;
    }
}

// `skip: skip`, `may: can-enter`, `to: store`: a piece of program of the user's, or the name of something that takes as
// many values.
static const Binding *named_program(Expander *x, const Parameter *p, const Binding *env) {
    if (p->argument->kind != NODE_NAME) return NULL;
    const Binding *b = look_up(env, p->argument->text);
    Binding *same = arena_alloc(x->arena, sizeof *same);
    if (b && b->kind == BIND_PROGRAM) {
        *same = *b;
    } else if (!b && (find_definition(x, p->argument) || asks(x, p->argument->text))) {
        Nodes call = {0};
        vec_push(x->arena, &call, (Node *)p->argument);
        for (uint32_t i = 0; i < p->program->nkids; i++)
            vec_push(x->arena, &call, made_name(x, p->program->kids[i]->text, p->argument, NULL));
        same->kind = BIND_PROGRAM;
        same->parameters = p->program;
        same->node = node_list(x->arena, NODE_LIST, p->argument->span, call.at, call.n);
    } else {
        return NULL;
    }
    same->name = p->name;
    return same;
}

Node *expand_use(Expander *x, const Node *n, Definition *d, const Binding *env,
                 const Expansion *via) {
    const Node *define = d->item->node;
    usage_mark(x->script, d->item->name);
    if (!may_enter(x, n, d->item->name, d->item, via)) return error_node(x, n);
    Parameters ps = {0};
    uint32_t body = 0;
    if (!read_parameters(x, define->kids[1], &ps) || !read_body(x, define, &ps, &body) ||
        !read_arguments(x, n, d, &ps) || infix(x, define, NULL))
        return error_node(x, n);

    Expansion *inside = arena_alloc(x->arena, sizeof *inside);
    *inside = (Expansion){d->item->name, d->item, n->span, via};
    const Binding *inner = NULL;
    Nodes out = {0};
    for (size_t i = 0; i < ps.n; i++) {
        const Parameter *p = &ps.at[i];
        const Binding *theirs =
            p->standard ? inner : env; // a default knows the arguments before it
        const Expansion *from = p->standard ? inside : via;
        const Binding *same = p->program && !p->names ? named_program(x, p, theirs) : NULL;
        bool unknown = p->program && p->program->nkids > 0 && !p->names && !same;
        if (unknown && p->argument->kind == NODE_NAME &&
            misspelt_declaration(x->diags, x->script, p->argument->text, p->argument->span))
            return error_node(x, n);
        const char *name = unknown && p->argument->kind == NODE_NAME ? p->argument->text : NULL;
        if (name && !look_up(theirs, name) && ludeme_find(name) == L_UNKNOWN &&
            !is_something(x->script, name)) { // whoever calls it is told the same
            int r = report_at(x->diags, x->script, E_UNKNOWN_LUDEME, p->argument, name);
            diag_label(x->diags, r, p->program->span, "`%s:` takes a piece of program", p->key);
            return error_node(x, n);
        }
        if (unknown) {
            int r = report_at(x->diags, x->script, E_SHAPE, p->argument,
                              arena_printf(x->arena,
                                           "`%s:` takes a piece of program: names in ( ), then one "
                                           "form, or the name of what takes as many",
                                           p->key));
            diag_label(x->diags, r, p->program->span, "as declared here");
            return error_node(x, n);
        }
        if (same)
            inner = bind(x, inner, *same);
        else if (p->program)
            inner = bind(x, inner,
                         (Binding){.name = p->name,
                                   .kind = BIND_PROGRAM,
                                   .node = p->argument,
                                   .parameters = p->names,
                                   .env = theirs,
                                   .via = from});
        else if (sets_name(define, p->name))
            inner =
                bind_local(x, p->name, expand(x, p->argument, theirs, from), n, inner, via, &out);
        else
            inner =
                bind_value(x, p->name, expand(x, p->argument, theirs, from), n, inner, via, &out);
    }
    x->depth++;
    expand_statements(x, define, body, inner, inside, &out);
    x->depth--;
    Node *use = finish_use(x, n, via, &out);
    if (use->kind != NODE_LIST || n->nkids < 3) return use;
    vec_push(x->arena, &x->out->uses, (Use){n, define->kids[1], d, env, via, -use->ref});
    use->ref = -(int32_t)x->out->uses.n;
    return use;
}

Node *expand_again(Expanded *e, int use, const Node *call, Diags *diags) {
    Expander *x = e->expander;
    const Use u = e->uses.at[use - 1];
    size_t nodes = x->nodes;
    if (x->full || nodes > EXPANSION_NODES_MAX / 2 || x->again > EXPANSION_NODES_MAX / 2)
        return NULL;
    x->depth = 0;
    for (const Expansion *v = u.via; v; v = v->up) x->depth++;
    Diags *told = x->diags;
    x->diags = diags;
    Node *n = expand_use(x, call, (Definition *)u.definition, u.env, u.via);
    x->diags = told;
    x->again += x->nodes - nodes;
    x->nodes = nodes;
    x->full = false;
    n->ref = 0;
    return n;
}

// A program parameter called like a ludeme.
Node *expand_program(Expander *x, const Node *n, const Binding *program, const Binding *env,
                     const Expansion *via) {
    if (x->full) return error_node(x, n);
    if (x->depth >= EXPANSION_DEPTH_MAX)
        return may_enter(x, n, n->kids[0]->text, x, NULL), error_node(x, n);
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
    // `skip: (site) no`: what needs no argument needs no names for them either.
    bool literal = body->kind == NODE_NUMBER || node_truth(body) >= 0, plain = true;
    for (size_t i = 0; i < out.n; i++)
        plain &= out.at[i]->nkids == 3 && out.at[i]->kids[2]->kind == NODE_NAME;
    if (literal && plain) return body;
    vec_push(x->arena, &out, body);
    return finish_use(x, n, via, &out);
}
