// What is allowed and yet hardly meant, as can be told from the script as it is written, whatever its options are:
// arguments of one type that seem to have changed places.

#include "doubts.h"

#include "forms.h"

#include <string.h>

typedef struct Reader {
    Arena *arena;
    const Script *script;
    Diags *diags;
} Reader;

static bool is_name(const Node *n, const char *name) {
    return n->kind == NODE_NAME && n->text == name;
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
            int d =
                diag_report(r->diags, W_CROSSED, span_join(a->span, b->span),
                            brief_text(r->arena, r->script, a), brief_text(r->arena, r->script, b),
                            item->name, header->kids[i]->text, header->kids[k]->text);
            diag_label(r->diags, d, header->span, "defined here");
            const char *key = header->kids[k]->text;
            if (!script_is_library(r->script, header->span.file))
                diag_mend(r->diags, d,
                          "a key would keep them apart: (define (%s %s%s%s %s: %s%s) ...)",
                          item->name, i > 1 ? "... " : "", header->kids[i]->text,
                          k > i + 1 ? " ..." : "", key, key, k + 1 < header->nkids ? " ..." : "");
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
        doubt_crossed(r, n);
        doubt_else(r, n);
    }
    for (uint32_t i = 0; i < n->nkids; i++) read_form(r, n->kids[i]);
}

void doubt_written(Arena *arena, const Script *script, Diags *diags) {
    Reader r = {.arena = arena, .script = script, .diags = diags};
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (!item->library && item->node->span.file == script->tree->span.file)
            read_form(&r, item->node);
    }
}
