// Forms that hold what they need, and not as they need it: without a colon, a key, brackets; with words or signs between.

#include "expander.h"

#include "foreign.h"
#include "misspelt.h"
#include "respell.h"

#include <string.h>

// A form of the wrong shape, unless what is wrong in it has been told.
Node *misshapen(Expander *x, const Node *n, const char *why) {
    bool told = false;
    for (uint32_t i = 0; i < n->nkids; i++) told |= n->kids[i]->kind == NODE_ERROR;
    if (!told) report_at(x->diags, x->script, E_SHAPE, n, why);
    return error_node(x, n);
}

// (let ((x 1)) ...), (let* ...): as in Lisp.
Node *misshapen_let(Expander *x, const Node *n) {
    size_t before = x->diags->all.n;
    Node *fault = misshapen(x, n, "(let NAME VALUE) takes a name and one value");
    if (x->diags->all.n == before || n->nkids < 2) return fault;
    LudemeId asks = n->nkids == 4 && n->kids[1]->kind == NODE_NAME && n->kids[2]->kind == NODE_NAME
                        ? ludeme_find(n->kids[2]->text)
                        : L_UNKNOWN;
    if (asks != L_UNKNOWN && ludemes[asks].group == ASKING && n->kids[3]->kind != NODE_KEY)
        diag_mend(x->diags, (int)before, "(let %s (%s %s))", n->kids[1]->text, n->kids[2]->text,
                  short_text(x->arena, n->kids[3]));
    else if (n->kids[1]->kind == NODE_KEY)
        diag_mend(x->diags, (int)before, "the name needs no colon: (let %s ...)", n->kids[1]->text);
    else
        diag_mend(
            x->diags, (int)before,
            "(let x 1) names one value, to the end of the statements it stands among; several "
            "stand one after the other");
    return fault;
}

Node *misshapen_change(Expander *x, const Node *n) {
    size_t before = x->diags->all.n;
    Node *fault = misshapen(x, n, "(change NAME by: NUMBER) takes what is changed and by how much");
    if (x->diags->all.n > before && n->nkids == 3 && n->kids[1]->kind != NODE_KEY)
        diag_mend(x->diags, (int)before, "(change %s by: %s)", short_text(x->arena, n->kids[1]),
                  short_text(x->arena, n->kids[2]));
    if (x->diags->all.n > before && n->nkids == 5 && is_key(n->kids[3], "by") &&
        n->kids[1]->kind == NODE_NAME)
        diag_mend(x->diags, (int)before, "(change (%s %s) by: %s)", n->kids[1]->text,
                  short_text(x->arena, n->kids[2]), short_text(x->arena, n->kids[4]));
    if (x->diags->all.n > before && n->nkids == 5 && is_key(n->kids[2], "by") &&
        n->kids[3]->kind == NODE_NAME && strcmp(n->kids[3]->text, "-") == 0)
        diag_mend(x->diags, (int)before,
                  n->kids[4]->kind == NODE_NUMBER ? "a number below 0 has no blank in it: by: -%s"
                                                  : "what is taken away: by: (- 0 %s)",
                  short_text(x->arena, n->kids[4]));
    return fault;
}

bool infix(Expander *x, const Node *n, const Binding *env) {
    const char *mend;
    uint32_t i = find_infix(x->arena, n, &mend);
    if (i == 0 || look_up(env, n->kids[i]->text)) return false;
    int d = report_at(x->diags, x->script, E_SHAPE, n->kids[i],
                      arena_printf(x->arena, "`%s` cannot stand between things", n->kids[i]->text));
    diag_mend(x->diags, d, "%s", mend);
    return true;
}

// ---- ludemes that ask, without brackets ----------------------------------------------------------------

// An item of the script that is called so with an s behind it: `columns` for `column`. NULL: there is none.
static const char *plural(const Script *script, const char *name) {
    size_t n = strlen(name);
    for (size_t i = 0; i < script->items.n; i++) {
        const char *item = script->items.at[i].name;
        if (item && strncmp(item, name, n) == 0 && strcmp(item + n, "s") == 0) return item;
    }
    return NULL;
}

// The form that begins with the ludeme at kid `at` as its signature has it, keys and all; *end is the kid behind it. What
// is missing at the end is left out.
static const char *with_brackets(Arena *arena, const Node *n, uint32_t at, LudemeId id,
                                 uint32_t *end) {
    const char *text = arena_printf(arena, "(%s", n->kids[at]->text);
    uint32_t i = at + 1;
    for (const char *p = ludemes[id].signature; *p && *p != '[' && i < n->nkids;) {
        size_t size = strcspn(p, " ");
        bool key = p[size - 1] == ':';
        if (key)
            text = arena_printf(arena, "%s %.*s", text, (int)size, p);
        else
            text = arena_printf(arena, "%s %s", text, short_text(arena, n->kids[i]));
        if (!key || n->kids[i]->kind == NODE_KEY) i++;
        p += size + (p[size] == ' ');
    }
    *end = i;
    return arena_printf(arena, "%s)", text);
}

// (if empty hole (draw)), (> count hole 2): a ludeme and what it is asked of, in a form that takes values.
bool loose_question(Expander *x, const Node *n, const Binding *env) {
    const char *head = node_head(n);
    LudemeId id = head && !look_up(env, head) ? ludeme_find(head) : L_UNKNOWN;
    bool values = id == L_IF || id == L_WHEN || id == L_WHILE ||
                  (id != L_UNKNOWN && ludemes[id].form != FORM && ludemes[id].group != EQUIPMENT);
    if (!values || script_is_library(x->script, n->span.file)) return false;
    for (uint32_t i = 1; i + 1 < n->nkids; i++) {
        const Node *kid = n->kids[i], *next = n->kids[i + 1];
        if (kid->kind != NODE_NAME || next->kind == NODE_KEY || is_key(n->kids[i - 1], "each"))
            continue;
        LudemeId asks = ludeme_find(kid->text);
        const Definition *own =
            asks == L_UNKNOWN && !look_up(env, kid->text) ? find_definition(x, kid) : NULL;
        bool takes = own && own->item->node->kids[1]->nkids == 2 && n->nkids > 3 &&
                     own->item->node->kids[1]->kids[1]->kind == NODE_NAME;
        bool question =
            takes ||
            (asks != L_UNKNOWN && ludemes[asks].group == ASKING && ludemes[asks].form != FORM &&
             ludemes[asks].signature[0] != '\0' && ludemes[asks].signature[0] != '[');
        if (takes && n->kids[i - 1]->kind == NODE_KEY) continue; // a piece of program
        if (!question || look_up(env, kid->text) || script_lost(x->script, kid->text)) continue;
        if (asks == L_UNSET && (id != L_NOT || i != 1)) continue; // alone it is a value
        if (i > 1 && is_operator(kid)) continue;                  // it stands between two
        for (uint32_t k = 1; k < n->nkids; k++)
            if (n->kids[k]->kind == NODE_ERROR) return true;
        int d = report_at(x->diags, x->script, E_SHAPE, kid,
                          arena_printf(x->arena, "`%s` is a %s and stands in ( )", kid->text,
                                       takes ? "definition" : "ludeme"));
        const char *meant = plural(x->script, kid->text);
        if (meant) {
            diag_meant(x->diags, d, "%s", meant);
            return true;
        }
        uint32_t end;
        diag_mend(x->diags, d, "write %s",
                  takes ? arena_printf(x->arena, "(%s %s)", kid->text, short_text(x->arena, next))
                        : with_brackets(x->arena, n, i, asks, &end));
        return true;
    }
    return false;
}

// (choose s in: LIST where: occupied s ...)
bool loose_test(Expander *x, const Node *n, uint32_t key, const Binding *env,
                const Expansion *via) {
    if (!is_key(n->kids[key], "where") || key + 2 >= n->nkids) return false;
    Node asks = *n->kids[key + 1];
    const Node *of = n->kids[key + 2];
    LudemeId id =
        asks.kind == NODE_NAME && !look_up(env, asks.text) ? ludeme_find(asks.text) : L_UNKNOWN;
    bool question = id != L_UNKNOWN && ludemes[id].group == ASKING && ludemes[id].form != FORM &&
                    ludemes[id].signature[0] != '\0' && ludemes[id].signature[0] != '[';
    bool value =
        (of->kind == NODE_NAME && !(key + 3 < n->nkids && is_key(n->kids[key + 3], "in"))) ||
        of->kind == NODE_SET;
    if (!question || !value) return false;
    asks.via = via;
    int d = report_at(x->diags, x->script, E_SHAPE, &asks,
                      arena_printf(x->arena, "`%s` is a ludeme and stands in ( )", asks.text));
    diag_mend(x->diags, d, "write (%s %s)", asks.text, short_text(x->arena, of));
    return true;
}

// ---- keys without a colon --------------------------------------------------------------------------

static bool lacks_colon(const Script *script, const Node *form, uint32_t i, LudemeId id) {
    const Node *kid = form->kids[i];
    if (kid->kind != NODE_NAME || i + 1 >= form->nkids || form->kids[i + 1]->kind == NODE_KEY)
        return false;
    if (form->kids[i - 1]->kind == NODE_KEY || strcmp(kid->text, "in") == 0) return false;
    if (!takes_key(id, kid->text)) return false;
    for (uint32_t k = 1; k < form->nkids; k++)
        if (is_key(form->kids[k], kid->text) && strcmp(kid->text, "where") != 0) return false;
    for (size_t k = 0; k < script->items.n; k++)
        if (script->items.at[k].name == kid->text) return false;
    return true;
}

// Makes a key of the name; `told`: of another in the same form that was told already.
void put_colon(Diags *d, const Script *script, Node *key, const Expansion *via, bool told) {
    Node at = *key;
    at.via = via;
    key->kind = NODE_KEY;
    if (told) return;
    int r = report_at(d, script, E_SHAPE, &at,
                      arena_printf(d->arena, "`%s` needs its colon here", key->text));
    diag_mend(d, r, "write `%s:`", key->text);
}

void loose_keys(Expander *x, const Node *n, LudemeId id, const Binding *env, const Expansion *via) {
    if (script_is_library(x->script, n->span.file)) return;
    bool told = false;
    for (uint32_t i = 1; i < n->nkids; i++) {
        if (!lacks_colon(x->script, n, i, id) || look_up(env, n->kids[i]->text)) continue;
        put_colon(x->diags, x->script, n->kids[i], via, told);
        told = true;
    }
}

void loose_item_keys(Diags *d, const Script *script, const Node *form, LudemeId id) {
    bool told = false;
    for (uint32_t i = 1; i < form->nkids; i++) {
        Node *kid = form->kids[i];
        if (lacks_colon(script, form, i, id)) {
            put_colon(d, script, kid, NULL, told);
            told = true;
        }
        const char *head = node_head(kid);
        if (id == L_BOARD_IS && head) loose_item_keys(d, script, kid, ludeme_find(head));
    }
}

void loose_item_parts(Diags *d, const Script *script, const Node *form) {
    for (uint32_t i = 2; i + 1 < form->nkids; i++) {
        Node *kid = form->kids[i], *next = form->kids[i + 1];
        LudemeId id = kid->kind == NODE_NAME ? ludeme_find(kid->text) : L_UNKNOWN;
        bool asks = id != L_UNKNOWN && ludemes[id].group == ASKING && ludemes[id].form != FORM &&
                    ludemes[id].signature[0] != '\0' && ludemes[id].signature[0] != '[';
        bool part = next->kind == NODE_NUMBER || next->kind == NODE_NAME ||
                    next->kind == NODE_SET || next->kind == NODE_LIST;
        if (!asks || !part || id == L_LOOP || id == L_PATH || is_key(form->kids[i - 1], "each"))
            continue;
        bool own = false;
        for (size_t k = 0; k < script->items.n; k++) own |= script->items.at[k].name == kid->text;
        if (own) continue;
        int r =
            diag_report(d, E_SHAPE, kid->span,
                        arena_printf(d->arena, "`%s` is a ludeme and stands in ( )", kid->text));
        diag_mend(d, r, "write (%s %s)", kid->text, short_text(d->arena, next));
        VEC(Node *) kids = {0};
        for (uint32_t k = 0; k < form->nkids; k++)
            if (k != i + 1) vec_push(d->arena, &kids, form->kids[k]);
        kids.at[i] =
            node_list(d->arena, NODE_LIST, span_join(kid->span, next->span), form->kids + i, 2);
        ((Node *)form)->kids = kids.at;
        ((Node *)form)->nkids = (uint32_t)kids.n;
    }
}

// ---- what goes through a list ------------------------------------------------------------------------

static Node *unbound(Expander *x, const Node *n, const Node *at, const char *why,
                     const char *mend) {
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR) return error_node(x, n);
    diag_mend(x->diags, report_at(x->diags, x->script, E_SHAPE, at, why), "%s", mend);
    return error_node(x, n);
}

static void replace_kids(Expander *x, Node *n, uint32_t at, uint32_t count, Node *by) {
    VEC(Node *) kids = {0};
    for (uint32_t k = 0; k < at; k++) vec_push(x->diags->arena, &kids, n->kids[k]);
    vec_push(x->diags->arena, &kids, by);
    for (uint32_t k = at + count; k < n->nkids; k++) vec_push(x->diags->arena, &kids, n->kids[k]);
    n->kids = kids.at;
    n->nkids = (uint32_t)kids.n;
}

// (any n in: neighbours s TRUTH): kid `at` is a ludeme without its brackets.
static void loose_list(Expander *x, Node *n, uint32_t at) {
    const Node *word = n->kids[at];
    LudemeId id = word->kind == NODE_NAME ? ludeme_find(word->text) : L_UNKNOWN;
    if (id == L_UNKNOWN || ludemes[id].group != ASKING || ludemes[id].form == FORM) return;
    if (at + 1 >= n->nkids || !ludemes[id].signature[0] || ludemes[id].signature[0] == '[' ||
        n->kids[at + 1]->kind == NODE_KEY || script_find(x->script, L_REGION, word->text) ||
        named_there(x->arena, x->script, word->text, word->span))
        return;
    uint32_t end;
    const char *text = with_brackets(x->arena, n, at, id, &end);
    for (uint32_t k = at + 1; k < end; k++)
        if (n->kids[k]->kind == NODE_ERROR) return;
    int d = report_at(x->diags, x->script, E_SHAPE, word,
                      arena_printf(x->arena, "`%s` is a ludeme and stands in ( )", word->text));
    diag_mend(x->diags, d, "write %s", text);
    Span span = span_join(word->span, n->kids[end - 1]->span);
    replace_kids(x, n, at, end - at,
                 node_list(x->diags->arena, NODE_LIST, span, n->kids + at, end - at));
}

// (choose s in: board (hand mover) where: TRUTH ...): a second list. True if it was told.
static bool second_list(Expander *x, Node *n, uint32_t at) {
    const Node *more = at + 1 < n->nkids ? n->kids[at] : NULL;
    const char *head = more && is_key(n->kids[at + 1], "where") ? node_head(more) : NULL;
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    if (!head || (id != L_UNKNOWN && ludemes[id].group == DOING)) return false;
    bool list = id == L_UNION || id == L_ROW || id == L_COLUMN || id == L_RAY ||
                id == L_NEIGHBOURS || id == L_WITHOUT || id == L_STORE || id == L_HAND ||
                script_find(x->script, L_REGION, head) || script_find(x->script, L_TRACK, head) ||
                script_find(x->script, L_HAND, head) || script_find(x->script, L_STORE, head);
    if (!list) return false;
    int d = report_at(x->diags, x->script, E_SHAPE, more, "`in:` takes one list");
    diag_mend(x->diags, d, "several are joined in { }: in: {%s %s}",
              short_text(x->arena, n->kids[at - 1]), short_text(x->arena, more));
    Span span = span_join(n->kids[at - 1]->span, more->span);
    replace_kids(x, n, at - 1, 2, node_list(x->diags->arena, NODE_SET, span, n->kids + at - 1, 2));
    return true;
}

// (choose s: "stop" ...): a text is nothing to go through, so the key was to be `as:`. True if it was told; it is read as meant.
static bool other_label(Expander *x, const Node *n) {
    Node *key = n->nkids > 2 ? n->kids[1] : NULL;
    LudemeId id = ludeme_find(n->kids[0]->text);
    if (!key || id != L_CHOOSE || key->kind != NODE_KEY || takes_key(id, key->text) ||
        n->kids[2]->kind != NODE_STRING)
        return false;
    for (uint32_t i = 3; i < n->nkids; i++)
        if (is_key(n->kids[i], "as") || is_key(n->kids[i], "in")) return false;
    int d = report_at(x->diags, x->script, E_UNKNOWN_KEY, key, n->kids[0]->text, key->text);
    diag_meant(x->diags, d, "as:");
    key->text = arena_intern_str(x->diags->arena, "as");
    return true;
}

// (for n: LIST ...): the name stands as the key. True if it was told; it is read as meant.
static bool other_key(Expander *x, Node *n) {
    Node *key = n->nkids > 3 ? n->kids[1] : NULL;
    LudemeId id = ludeme_find(n->kids[0]->text);
    if (!key || key->kind != NODE_KEY || takes_key(id, key->text) || n->kids[2]->kind == NODE_KEY ||
        n->kids[2]->kind == NODE_ERROR)
        return false;
    for (uint32_t i = 2; i < n->nkids; i++)
        if (is_key(n->kids[i], "in")) return false;
    Node *name = node_name(x->diags->arena, key->span, key->text);
    int d =
        report_at(x->diags, x->script, E_SHAPE, key,
                  arena_printf(x->arena, "`%s:` is no key of `%s`", key->text, n->kids[0]->text));
    diag_mend(x->diags, d, "(%s %s in: %s ...)", n->kids[0]->text, key->text,
              short_text(x->arena, n->kids[2]));
    key->text = arena_intern_str(x->diags->arena, "in");
    replace_kids(x, n, 1, 0, name);
    return true;
}

// (choose a in: LIST (b in: LIST where: TRUTH) ...): what is gone through has brackets of its own. They are told of and taken away.
static void loose_names(Expander *x, Node *n) {
    uint32_t i = 1;
    if (other_label(x, n) || other_key(x, n)) return;
    while (i + 2 < n->nkids && n->kids[i]->kind == NODE_NAME && is_key(n->kids[i + 1], "in")) {
        i += 3;
        loose_list(x, n, i - 1);
        if (second_list(x, n, i)) return;
        while (i + 1 < n->nkids && n->kids[i]->kind == NODE_KEY) i += 2;
    }
    const Node *inner = i > 1 && i + 1 < n->nkids ? n->kids[i] : NULL;
    if (!inner || inner->kind != NODE_LIST || inner->nkids < 3 || !node_head(inner) ||
        ludeme_find(node_head(inner)) != L_UNKNOWN || !is_key(inner->kids[1], "in"))
        return;
    for (uint32_t k = 3; k + 1 < inner->nkids;
         k += 2) // a body would be a loop's that lost its word
        if (inner->kids[k]->kind != NODE_KEY) return;
    if (inner->nkids % 2 == 0) return;
    int d = report_at(x->diags, x->script, E_SHAPE, inner,
                      "what is gone through stands without brackets");
    diag_mend(x->diags, d, "(%s %s in: %s %s in: %s ...)", n->kids[0]->text,
              short_text(x->arena, n->kids[1]), short_text(x->arena, n->kids[3]),
              short_text(x->arena, inner->kids[0]), short_text(x->arena, inner->kids[2]));
    VEC(Node *) kids = {0};
    for (uint32_t k = 0; k < i; k++) vec_push(x->diags->arena, &kids, n->kids[k]);
    for (uint32_t k = 0; k < inner->nkids; k++) vec_push(x->diags->arena, &kids, inner->kids[k]);
    for (uint32_t k = i + 1; k < n->nkids; k++) vec_push(x->diags->arena, &kids, n->kids[k]);
    n->kids = kids.at;
    n->nkids = (uint32_t)kids.n;
}

Node *unbound_binder(Expander *x, const Node *n, LudemeId id) {
    loose_names(x, (Node *)n);
    const char *head = n->kids[0]->text;
    const Node *first = n->nkids > 1 ? n->kids[1] : NULL,
               *second = n->nkids > 2 ? n->kids[2] : NULL;
    bool chooses = id == L_CHOOSE;
    if (!first || first->kind == NODE_ERROR) return NULL;
    bool bound = false, told = false;
    for (uint32_t i = 2; i < n->nkids; i++) {
        bound |= is_key(n->kids[i], "in");
        told |= n->kids[i]->kind == NODE_ERROR;
    }
    if (told && !bound && first->kind == NODE_NAME) return error_node(x, n);
    if (first->kind == NODE_STRING && chooses)
        return unbound(x, n, first, "a label needs its key",
                       arena_printf(x->arena, "(choose as: \"%s\" ...)", first->text));
    if (first->kind == NODE_LIST && first->nkids == 3 && is_key(first->kids[1], "in") && !bound)
        return unbound(x, n, first, "what is gone through stands without brackets",
                       arena_printf(x->arena, "(%s %s in: %s ...)", head,
                                    short_text(x->arena, first->kids[0]),
                                    short_text(x->arena, first->kids[2])));
    bool all = second && is_key(second, "in") && n->nkids > 4 && n->kids[3]->kind == NODE_NAME &&
               strcmp(n->kids[3]->text, "all") == 0 && first->kind == NODE_NAME;
    if (!all && (first->kind != NODE_NAME || !second || is_key(second, "in"))) {
        // (for k in: 1 to 3 ...), (for k in: 1, 2, 3 ...)
        const Node *list = n->nkids > 4 && second && is_key(second, "in") ? n->kids[3] : NULL;
        const Node *next = list ? n->kids[4] : NULL;
        if (!list || list->kind != NODE_NUMBER) return NULL;
        if (next->kind == NODE_ERROR) return error_node(x, n);
        if (next->kind != NODE_NAME || n->nkids < 6) return NULL;
        return unbound(x, n, next, arena_printf(x->arena, "`%s` does not make a run", next->text),
                       arena_printf(x->arena, "a run of numbers has two dots: %ld..%s",
                                    list->number, short_text(x->arena, n->kids[5])));
    }
    const char *name = first->text;
    const Node *list = is_key(second, "in") && n->nkids > 4 ? n->kids[3] : NULL;
    if (list && list->kind == NODE_NAME && strcmp(list->text, "all") == 0)
        return unbound(x, n, list, "`all` is no list",
                       arena_printf(x->arena, "every element is gone through: (%s %s in: %s ...)",
                                    head, name, short_text(x->arena, n->kids[4])));
    if (second->kind == NODE_NAME && n->nkids > 3 && is_key(n->kids[3], "in"))
        return unbound(
            x, n, first, arena_printf(x->arena, "`%s` stands before the name", name),
            arena_printf(x->arena, "no word goes before it: (%s %s in: ...)", head, second->text));
    bool of = second->kind == NODE_NAME && n->nkids > 4 &&
              (strcmp(second->text, "of") == 0 || strcmp(second->text, "from") == 0);
    if (!of) return NULL;
    return unbound(
        x, n, second, arena_printf(x->arena, "`%s` is no key here", second->text),
        arena_printf(x->arena, "(%s %s in: %s ...)", head, name, short_text(x->arena, n->kids[3])));
}

// ---- statements without brackets -----------------------------------------------------------------------

static bool holds_fault(const Node *n) {
    if (n->kind == NODE_ERROR) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (holds_fault(n->kids[i])) return true;
    return false;
}

static uint32_t line_of(const Expander *x, const Node *n) {
    return source_place(source_of(x->script->sources, n->span), n->span.start).line;
}

uint32_t loose_statement(Expander *x, const Node *n, uint32_t i, const Binding *env) {
    const Node *first = n->kids[i];
    if (first->kind != NODE_NAME || i + 1 >= n->nkids || look_up(env, first->text)) return i;
    LudemeId id = ludeme_find(first->text);
    bool statement = id != L_UNKNOWN && ludemes[id].group == DOING;
    if (!statement || script_is_library(x->script, first->span.file)) return i;
    uint32_t line = line_of(x, first), end = i + 1;
    bool told = i > 0 && n->kids[i - 1]->kind == NODE_ERROR && line_of(x, n->kids[i - 1]) == line;
    for (; end < n->nkids && line_of(x, n->kids[end]) == line; end++)
        told |= holds_fault(n->kids[end]);
    if (end == i + 1) return i;
    if (!told) {
        int d =
            report_at(x->diags, x->script, E_SHAPE, first,
                      arena_printf(x->arena, "`%s` is a ludeme and stands in ( )", first->text));
        diag_mend(x->diags, d, "write (%s %s%s)", first->text, short_text(x->arena, n->kids[i + 1]),
                  end > i + 2 ? " ..." : "");
    }
    return end;
}
