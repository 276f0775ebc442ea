// What is allowed and yet hardly meant, as can be told from the script as it is written, whatever its options are:
// arguments of one type that seem to have changed places.

#include "doubts.h"

#include "forms.h"

#include <string.h>

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

static const char *text_at(const Reader *r, const Node *n) {
    enum { LONG = 40 };
    size_t size = n->span.end - n->span.start;
    const char *text = source_of(r->script->sources, n->span)->text + n->span.start;
    if (size <= LONG && !memchr(text, '\n', size))
        return arena_printf(r->arena, "%.*s", (int)size, text);
    return node_head(n) ? arena_printf(r->arena, "(%s ...)", node_head(n)) : "...";
}

// ---- constants -----------------------------------------------------------------------------------

static bool is_constant_text(const Reader *r, const Node *n) {
    return n->kind == NODE_NUMBER ||
           (n->kind == NODE_NAME && script_find(r->script, L_OPTION, n->text));
}

static void doubt_backwards(Reader *r, const Node *n) {
    static const char *const turned[][2] = {{"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
    if (n->nkids != 3 || !is_constant_text(r, n->kids[1]) || is_constant_text(r, n->kids[2]))
        return;
    const char *head = node_head(n), *other = NULL;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(turned[i][0], head) == 0) other = turned[i][1];
    if (!other) return;
    const char *asked = text_at(r, n->kids[2]), *constant = text_at(r, n->kids[1]);
    int d = diag_report(r->diags, W_BACKWARDS, n->span, asked, constant);
    diag_mend(r->diags, d, "(%s %s %s) says the same, (%s %s %s) the other way round", other, asked,
              constant, head, asked, constant);
}

static void doubt_division(Reader *r, const Node *n) {
    enum { SMALL = 3 }; // divided by most numbers it gives 0
    const char *head = node_head(n);
    if (n->nkids != 3 || (strcmp(head, "mod") != 0 && strcmp(head, "/") != 0)) return;
    if (n->kids[1]->kind != NODE_NUMBER || n->kids[2]->kind == NODE_NUMBER) return;
    if (*head == '/' && n->kids[1]->number > SMALL) return;
    int d =
        diag_report(r->diags, W_DIVIDED, n->span, text_at(r, n->kids[1]), text_at(r, n->kids[2]));
    diag_mend(r->diags, d, "what is divided stands first: (%s %s %s)", head, text_at(r, n->kids[2]),
              text_at(r, n->kids[1]));
}

// ---- names ---------------------------------------------------------------------------------------

static const Item *definition_of(const Reader *r, const char *name) {
    const Item *found = NULL;
    for (size_t i = 0; i < r->script->items.n; i++) {
        const Item *item = &r->script->items.at[i];
        if (item->kind == L_DEFINE && item->name == name && (!found || !item->library))
            found = item;
    }
    return found;
}

// The plain parameters before the first key.
static uint32_t plain_parameters(const Node *header) {
    uint32_t n = 1;
    while (n < header->nkids && header->kids[n]->kind == NODE_NAME) n++;
    return n;
}

// (shift to from), where (shift from to) is defined.
static void doubt_crossed(Reader *r, const Node *n) {
    if (n->nkids < 3 || ludeme_find(n->kids[0]->text) != L_UNKNOWN) return;
    const Item *item = definition_of(r, n->kids[0]->text);
    const Node *header = item ? item->node->kids[1] : NULL;
    if (!header || header->kind != NODE_LIST) return;
    uint32_t count = plain_parameters(header);
    for (uint32_t i = 1; i < count && i < n->nkids && n->kids[i]->kind != NODE_KEY; i++)
        for (uint32_t k = i + 1; k < count && k < n->nkids && n->kids[k]->kind != NODE_KEY; k++) {
            const Node *a = n->kids[i], *b = n->kids[k];
            bool first = is_name(a, header->kids[k]->text),
                 second = is_name(b, header->kids[i]->text);
            // Of (f b c), where (f a b) is defined, nothing can be said.
            bool crossed = (first && second) || (first && b->kind != NODE_NAME) ||
                           (second && a->kind != NODE_NAME);
            if (!crossed) continue;
            int d = diag_report(r->diags, W_CROSSED, span_join(a->span, b->span), text_at(r, a),
                                text_at(r, b), item->name, header->kids[i]->text,
                                header->kids[k]->text);
            diag_label(r->diags, d, header->span, "defined here");
            const char *key = header->kids[k]->text;
            if (!script_is_library(r->script, header->span.file))
                diag_mend(r->diags, d,
                          "a key would keep them apart: (define (%s %s%s%s %s: %s%s) ...)",
                          item->name, i > 1 ? "... " : "", header->kids[i]->text,
                          k > i + 1 ? " ..." : "", key, key, k + 1 < header->nkids ? " ..." : "");
        }
}

// ---- values that nothing asks for ----------------------------------------------------------------

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
        bool in = i + 1 < n->nkids && n->kids[i + 1]->kind == NODE_KEY &&
                  strcmp(n->kids[i + 1]->text, "in") == 0;
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
        bool in = i + 1 < form->nkids && form->kids[i + 1]->kind == NODE_KEY &&
                  strcmp(form->kids[i + 1]->text, "in") == 0;
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

static void doubt_set(Reader *r, const Node *n) {
    if (n->nkids != 3 || n->kids[1]->kind != NODE_NAME) return;
    const char *name = n->kids[1]->text;
    for (size_t i = 0; i < r->script->items.n; i++)
        if (r->script->items.at[i].name == name) return; // a variable, or a fault told elsewhere
    for (size_t i = r->above.n; i-- > 0;) {
        const Node *form = r->above.at[i];
        bool maker = makes(form, name);
        if (repeats(form) && asked_from(r, form, name, 0) && !maker) return;
        if (!maker) continue;
        // What is never asked for at all is told of where it is named.
        if (asked_from(r, form, name, 0) && !asked_from(r, form, name, n->span.end))
            diag_report(r->diags, W_SET_IN_VAIN, n->span, name);
        return;
    }
}

// ---- the else: of a choice ------------------------------------------------------------------------

// (choose ... (if TRUTH THIS) else: THAT): whose other case is it? Of an `if` around the `if` nobody expects another.
static void doubt_else(Reader *r, const Node *n) {
    if (node_head(n) && strcmp(node_head(n), "if") == 0) return;
    for (uint32_t i = 2; i + 1 < n->nkids; i++) {
        const Node *before = n->kids[i - 1];
        const char *head = is_key(n->kids[i], "else") ? node_head(before) : NULL;
        bool when = head && strcmp(head, "when") == 0, once = head && strcmp(head, "if") == 0;
        if ((!once && !when) || (once && before->nkids != 3)) continue;
        if (n->kids[i - 2]->kind == NODE_KEY) continue;
        int d = diag_report(r->diags, W_ELSE_OF, n->kids[i]->span, node_head(n), head);
        diag_label(r->diags, d, before->span, "this has no other case");
        diag_mend(r->diags, d,
                  once ? "the other case of an `if` stands within its bracket; that of `%s` may "
                         "stand before what is done"
                       : "(if TRUTH (do STATEMENT...) else: OTHERWISE) has two cases; that of "
                         "`%s` may stand before what is done",
                  node_head(n));
    }
}

// ---- all of it -----------------------------------------------------------------------------------

static void read_form(Reader *r, const Node *n) {
    bool form = n->kind == NODE_LIST && n->nkids > 0 && n->kids[0]->kind == NODE_NAME;
    if (form) {
        doubt_backwards(r, n);
        doubt_division(r, n);
        doubt_crossed(r, n);
        doubt_else(r, n);
        if (strcmp(n->kids[0]->text, "set") == 0) doubt_set(r, n);
        vec_push(r->arena, &r->above, n);
    }
    for (uint32_t i = 0; i < n->nkids; i++) read_form(r, n->kids[i]);
    if (form) r->above.n--;
}

void doubt_written(Arena *arena, const Script *script, Diags *diags) {
    enum { LOOKED_INTO = 2000000 };
    Reader r = {.arena = arena, .script = script, .diags = diags, .left = LOOKED_INTO};
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (!item->library && item->node->span.file == script->tree->span.file)
            read_form(&r, item->node);
    }
}
