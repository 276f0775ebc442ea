#include "in_vain.h"

#include <string.h>

#include "expand.h"
#include "swapped.h"
#include "usage.h"

typedef struct Reader {
    Arena *arena;
    const Script *script;
    Diags *diags;
    size_t left; // how many forms may still be looked into: more are a sign of something else
    VEC(const Node *) above; // the forms around the one at hand, outermost first
} Reader;

static bool is_name(const Node *n, const char *name) {
    return n->kind == NODE_NAME && n->text == name;
}

static bool is_form(const Node *n, LudemeId id) {
    const char *head = node_head(n);
    return head && ludeme_find(head) == id;
}

static const Item *item_named(const Reader *r, const char *name) {
    for (size_t i = 0; i < r->script->items.n; i++)
        if (r->script->items.at[i].name == name) return &r->script->items.at[i];
    return NULL;
}

// Whether the name is used in the form from that place on, other than to be made or set; or may be, for all that can be looked into.
static bool asked_from(Reader *r, const Node *n, const char *name, uint32_t from) {
    if (r->left == 0) return true;
    r->left--;
    if (n->span.end <= from && n->kind != NODE_LIST) return false;
    if (n->kind == NODE_NAME) return n->text == name && n->span.start >= from;
    const char *head = node_head(n);
    bool makes = head && (strcmp(head, "set") == 0 || strcmp(head, "let") == 0);
    for (uint32_t i = makes && n->nkids > 1 && n->kids[1]->kind == NODE_NAME ? 2 : 0; i < n->nkids;
         i++) {
        bool in = i + 1 < n->nkids && is_key(n->kids[i + 1], "in");
        if (!in && asked_from(r, n->kids[i], name, from)) return true;
    }
    return false;
}

// `key: (a b) FORM`, a piece of program: is kid i its names?
static bool program_names(const Node *form, uint32_t i) {
    const char *head = node_head(form);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    return form->kids[i]->kind == NODE_LIST && i > 0 && form->kids[i - 1]->kind == NODE_KEY &&
           (id == L_UNKNOWN || id == L_SOW) && i + 1 < form->nkids &&
           form->kids[i + 1]->kind != NODE_KEY;
}

// Whether the form makes the name itself: as a binder, a definition's parameter, or by a let or throw among its statements.
static bool makes(const Node *form, const char *name) {
    const char *own = node_head(form);
    bool define = own && strcmp(own, "define") == 0;
    for (uint32_t i = 0; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        const char *head = node_head(kid);
        bool in = i + 1 < form->nkids && is_key(form->kids[i + 1], "in");
        if (in && is_name(kid, name)) return true;
        bool let = head && strcmp(head, "let") == 0, thrown = head && strcmp(head, "throw") == 0;
        if (!let && !thrown && !(define && i == 1) && !program_names(form, i)) continue;
        for (uint32_t k = 0; k < kid->nkids && !(let && k == 2); k++)
            if (is_name(kid->kids[k], name)) return true;
    }
    return false;
}

// What the form holds may be done more than once each time it is done.
static bool repeats(const Node *form) {
    static const LudemeId once[] = {L_IF,    L_WHEN, L_DO,  L_CHOOSE, L_EITHER, L_LOT,   L_TURN_OF,
                                    L_WOULD, L_SET,  L_LET, L_PLAY,   L_START,  L_DEFINE};
    const char *head = node_head(form);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (once[i] == id) return false;
    return true;
}

// (set NAME VALUE) of a name that nothing asks for from there on.
static void lost_at_end(Reader *r, const Node *n, const char *name) {
    for (size_t i = r->above.n; i-- > 0;) {
        const Node *form = r->above.at[i];
        bool maker = makes(form, name);
        if (repeats(form) && asked_from(r, form, name, 0) && !maker) return;
        if (!maker) continue;
        // What is never asked for at all is told of where it is named.
        if (asked_from(r, form, name, 0) && !asked_from(r, form, name, n->span.end))
            diag_report(r->diags, E_IN_VAIN, n->span, name, "nothing asks for it any more");
        return;
    }
}

// A value that says nothing of the game: where it is never asked for nothing is lost.
static bool is_literal(const Node *n) { return n->kind == NODE_NUMBER || node_truth(n) >= 0; }

// (let NAME VALUE) (set NAME OTHER), and nothing between them that could ask for the first.
static void lost_at_once(Reader *r, const Node *before, const Node *n, const char *name) {
    bool makes_it = is_form(before, L_LET) || is_form(before, L_SET);
    if (!makes_it || before->nkids != 3 || !is_name(before->kids[1], name)) return;
    if (mentions(n->kids[2], name)) return;
    if (is_form(before, L_LET) && is_literal(before->kids[2])) return; // a start value, no more
    int d = diag_report(r->diags, E_IN_VAIN, n->span, name,
                        "nothing has asked for the one that it had");
    diag_label(r->diags, d, before->span, "it gets that one here");
}

// Whether something gives a variable a value: (set NAME ...), (set (NAME INDEX) ...), (change ...), (set-all ...).
static bool sets(const Node *n, const char *name) {
    bool set = is_form(n, L_SET) || is_form(n, L_SET_ALL) || is_form(n, L_CHANGE);
    if (set && n->nkids > 1) {
        const Node *of = n->kids[1];
        if (is_name(of, name) || (node_head(of) && is_name(of->kids[0], name))) return true;
    }
    for (uint32_t i = 0; i < n->nkids; i++)
        if (sets(n->kids[i], name)) return true;
    return false;
}

static bool set_anywhere(const Reader *r, const char *name) {
    for (size_t i = 0; i < r->script->items.n; i++)
        if (sets(r->script->items.at[i].node, name)) return true;
    return false;
}

// (set NAME (tuz mover)), where nothing sets the variable `tuz`: which of the two was to be set is plain.
static bool exchanged_with_variable(Reader *r, const Node *n) {
    const Node *of = node_head(n->kids[2]) ? n->kids[2]->kids[0] : n->kids[2];
    const Item *var = of->kind == NODE_NAME ? item_named(r, of->text) : NULL;
    if (!var || var->kind != L_VAR || set_anywhere(r, var->name)) return false;
    report_swapped(r->diags, r->script, n, (Argument){1, 1}, (Argument){2, 1},
                   "`set` takes first what it sets, and nothing else sets that variable");
    return true;
}

// What the (let NAME VALUE) gives it that the name at hand comes from; NULL if it has another origin.
static const Node *value_given(const Reader *r, const char *name) {
    for (size_t i = r->above.n; i-- > 0;) {
        const Node *form = r->above.at[i];
        for (uint32_t k = 0; k < form->nkids; k++) {
            const Node *kid = form->kids[k];
            if (is_form(kid, L_LET) && kid->nkids == 3 && is_name(kid->kids[1], name))
                return kid->kids[2];
        }
        if (makes(form, name)) return NULL;
    }
    return NULL;
}

// (set n last) of what was thrown, where `last` is a plain number that nothing else sets.
static bool exchanged_with_number(Reader *r, const Node *n) {
    const Node *thrown = value_given(r, n->kids[1]->text), *other = n->kids[2];
    const Node *number = other->kind == NODE_NAME ? value_given(r, other->text) : NULL;
    if (!number || number->kind != NODE_NUMBER || !thrown || !is_form(thrown, L_THROW) ||
        sets(r->above.at[0], other->text))
        return false;
    report_swapped(r->diags, r->script, n, (Argument){1, 1}, (Argument){2, 1},
                   "`set` takes first what it sets, the one was thrown, and nothing else sets the "
                   "other");
    return true;
}

static void read_set(Reader *r, const Node *n, const Node *before) {
    if (n->nkids != 3 || n->kids[1]->kind != NODE_NAME) return;
    const char *name = n->kids[1]->text;
    if (item_named(r, name) || exchanged_with_variable(r, n) || exchanged_with_number(r, n)) return;
    if (before) lost_at_once(r, before, n, name);
    lost_at_end(r, n, name);
}

// `before` stands before it, in one form.
static void read_form(Reader *r, const Node *n, const Node *before) {
    bool form = n->kind == NODE_LIST && n->nkids > 0 && n->kids[0]->kind == NODE_NAME;
    if (form) {
        if (is_form(n, L_SET)) read_set(r, n, before);
        vec_push(r->arena, &r->above, n);
    }
    for (uint32_t i = 0; i < n->nkids; i++) read_form(r, n->kids[i], i ? n->kids[i - 1] : NULL);
    if (form) r->above.n--;
}

void set_in_vain(Diags *d, const Script *script) {
    enum { LOOKED_INTO = 2000000 };
    Reader r = {.arena = d->arena, .script = script, .diags = d, .left = LOOKED_INTO};
    for (size_t i = 0; i < script->items.n; i++) {
        const Node *item = script->items.at[i].node;
        if (item->span.file == script->tree->span.file) read_form(&r, item, NULL);
    }
}
