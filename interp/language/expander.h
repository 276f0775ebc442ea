// The expander's own: shared by expand.c, expand_names.c, fold.c, definitions.c, arguments.c and hash.c.
#ifndef OLDSOW_EXPANDER_H
#define OLDSOW_EXPANDER_H

#include "expand.h"

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
    int depth; // how many names are known there
};

typedef struct Definition {
    const Item *item;
    const Diags *bare_in; // where that was told: what is only tried has reports of its own
    int bare;             // what was told of its first use without brackets, from 1; 0: nothing
} Definition;

typedef struct Expander Expander;
struct Expander {
    Arena *arena;
    const Script *script;
    Diags *diags;
    Expanded *out;
    VEC(Definition) definitions;
    size_t nodes, again; // and those of what was only tried
    int depth;           // definitions within definitions
    int levels; // forms within forms, once definitions are in place: the C stack is not endless
    bool full;  // too large: reported, everything after it is silent
};

typedef VEC(Node *) Nodes;

Node *error_node(Expander *x, const Node *n);
Node *copy_node(Expander *x, const Node *n, const Expansion *via);
Node *made_list(Expander *x, const Node *like, const Expansion *via, Nodes *kids);
Node *made_name(Expander *x, const char *text, const Node *like, const Expansion *via);
Node *made_truth(Expander *x, bool truth, const Node *like, const Expansion *via);
Node *made_do(Expander *x, const Node *like, const Expansion *via, Nodes *body);
bool is_empty_do(const Node *n);
bool is_statement(const Node *n); // a form whose head is one of the words of doing
const Binding *look_up(const Binding *env, const char *name);
const Binding *bind(Expander *x, const Binding *env, Binding binding);
Node *new_local(Expander *x, const Node *name, const Binding **env, const Expansion *via);
Definition *find_definition(const Expander *x, const Node *n);
Node *expand_use(Expander *x, const Node *n, Definition *d, const Binding *env,
                 const Expansion *via);
Node *expand_program(Expander *x, const Node *n, const Binding *program, const Binding *env,
                     const Expansion *via);
Node *fold(Expander *x, Node *n, LudemeId id);
Node *expand(Expander *x, const Node *n, const Binding *env, const Expansion *via);
Node *expand_list(Expander *x, const Node *n, const Binding *env, const Expansion *via);
// Whether a call of what is nothing was told of, and is now known as what was meant.
bool respell_unknown(Expander *x, const Node *call, const Binding *env, const Expansion *via);

// ---- expand_names.c ----

// Statements from kid `i` on, in order; what a let or throw names is known to the ones after it. Keys (with their values) met on
// the way are expanded in place, `until:` and `then:` after all statements.
void expand_statements(Expander *x, const Node *n, uint32_t i, const Binding *env,
                       const Expansion *via, Nodes *out);
// (HEAD ... NAME in: LIST ... ): the names are known to all that follows them.
Node *expand_binder(Expander *x, const Node *n, const Binding *env, const Expansion *via);
// (sow ... before: (piece site) STATEMENT ...)
Node *expand_sow(Expander *x, const Node *n, const Binding *env, const Expansion *via);

// ---- loose.c: told once, and then silent; a NODE_ERROR stands for the form ----

Node *misshapen(Expander *x, const Node *n, const char *why);
Node *misshapen_let(Expander *x, const Node *n);
Node *misshapen_change(Expander *x, const Node *n);
// Whether the ludeme behind `where:` lacks its brackets, and has one thing it is asked of beside it; reports it.
bool loose_test(Expander *x, const Node *n, uint32_t key, const Binding *env, const Expansion *via);
// A ludeme that asks, without brackets, in a form that takes values.
bool loose_question(Expander *x, const Node *n, const Binding *env);
// A key of the form that lacks its colon is told of, and taken for one.
void loose_keys(Expander *x, const Node *n, LudemeId id, const Binding *env, const Expansion *via);
// A form that goes through a list, and names none so that it would be known. NULL: nothing is wrong.
Node *unbound_binder(Expander *x, const Node *n, LudemeId id);
// Kid i is a ludeme without brackets, and what is on its line belongs to it: gives the kid behind that, else i.
uint32_t loose_statement(Expander *x, const Node *n, uint32_t i, const Binding *env);
// Tells of an operator that stands between what it is about: (while n > 0 ...).
bool infix(Expander *x, const Node *n, const Binding *env);

// ---- arguments.c ----

typedef struct Parameter {
    const char *name, *key; // key NULL: by position
    const Node *program;    // its list of names, if it is a piece of program
    const Node *argument;   // as given or by default
    const Node *names;      // a program argument's own names
    bool standard;          // from (default ...)
} Parameter;

typedef VEC(Parameter) Parameters;

// Reads (NAME a key: b key2: (c d)).
bool read_parameters(Expander *x, const Node *header, Parameters *out);
// Where the body starts: after the name, a doc, a (default ...).
bool read_body(Expander *x, const Node *define, Parameters *ps, uint32_t *body);
// Gives the parameters the arguments of a use.
bool read_arguments(Expander *x, const Node *n, const Definition *d, Parameters *ps);

// ---- cases.c ----

// Tells of a word of other languages between the parts of an `if`.
bool word_in_if(Expander *x, const Node *n, const Binding *env);
Node *expand_if(Expander *x, const Node *n, const Binding *env, const Expansion *via);
Node *expand_when(Expander *x, const Node *n, const Binding *env, const Expansion *via);

// amend.c: after a report the form is what it was meant to be; false if nobody can tell.
bool amend_form(Expander *x, const Node *n, LudemeId id, const Expansion *via);
// form_order.c: the form as it is meant, after a report if two of its parts have changed places; else the form itself.
const Node *binder_in_order(Expander *x, const Node *n, const Binding *env);
const Node *let_in_order(Expander *x, const Node *n, const Binding *env);
const Node *condition_in_order(Expander *x, const Node *n, const Binding *env);
const Node *change_in_order(Expander *x, const Node *n);
const Node *throw_in_order(Expander *x, const Node *n, const Binding *env);

#endif
