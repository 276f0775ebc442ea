// Uses of definitions and of their pieces of program, put in place.

#include "expander.h"

#include "respell.h"
#include "misspelt.h"
#include "usage.h"

#include <string.h>

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
