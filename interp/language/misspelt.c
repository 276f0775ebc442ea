#include "misspelt.h"

#include <ctype.h>
#include <string.h>

#include "stdlib_data.h"

typedef VEC(const Node *) Declared;

static bool key_is(const Node *n, const char *text) {
    return n->kind == NODE_KEY && strcmp(n->text, text) == 0;
}

static void declare(Arena *arena, Declared *out, const Node *n) {
    if (n->kind == NODE_NAME) vec_push(arena, out, n);
}

static void declare_kids(Arena *arena, Declared *out, const Node *n, uint32_t from) {
    for (uint32_t i = from; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_LIST || kid->kind == NODE_SET)
            declare_kids(arena, out, kid, 0);
        else
            declare(arena, out, kid);
    }
}

// What the forms within an item name for themselves.
static void gather_locals(Arena *arena, Declared *out, const Node *n) {
    const char *head = n->kind == NODE_LIST ? node_head(n) : NULL;
    if (head && n->nkids > 1) {
        if (strcmp(head, "let") == 0) declare(arena, out, n->kids[1]);
        if (strcmp(head, "throw") == 0) declare_kids(arena, out, n, 2);
        if (strcmp(head, "define") == 0 && n->kids[1]->kind == NODE_LIST)
            declare_kids(arena, out, n->kids[1], 1);
    }
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (i + 1 < n->nkids && key_is(n->kids[i + 1], "in")) declare(arena, out, kid);
        // `key: (a b) FORM`: the parameters of a piece of program.
        bool names = kid->kind == NODE_LIST && i > 0 && n->kids[i - 1]->kind == NODE_KEY;
        for (uint32_t k = 0; names && k < kid->nkids; k++) names = kid->kids[k]->kind == NODE_NAME;
        names = names && i + 1 < n->nkids && n->kids[i + 1]->kind != NODE_KEY;
        if (names) declare_kids(arena, out, kid, 0);
        gather_locals(arena, out, kid);
    }
}

// The words that an option or a variable may be.
static void gather_words(Arena *arena, Declared *out, const Item *item) {
    if (item->kind != L_OPTION && item->kind != L_VAR) return;
    for (uint32_t i = 2; i < item->node->nkids; i++)
        if (item->node->kids[i]->kind == NODE_SET) declare_kids(arena, out, item->node->kids[i], 0);
}

static void gather_item(Arena *arena, Declared *out, const Item *item) {
    const Node *n = item->node;
    if (n->kind != NODE_LIST || n->nkids < 2) return;
    if (item->kind == L_PLAYERS_ARE) declare_kids(arena, out, n, 1);
    if (item->name && n->kids[1]->kind == NODE_LIST && n->kids[1]->nkids)
        declare(arena, out, n->kids[1]->kids[0]);
    else if (item->name && item->kind != L_READING)
        declare(arena, out, n->kids[1]);
    for (uint32_t i = 1; item->kind == L_DEFINE && i < n->kids[1]->nkids; i++)
        if (n->kids[1]->kids[i]->kind == NODE_KEY) vec_push(arena, out, n->kids[1]->kids[i]);
    gather_words(arena, out, item);
}

static bool within(Span inner, Span outer) {
    return inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end;
}

static size_t occurrences(const Node *n, const char *name) {
    bool named = n->kind == NODE_NAME || n->kind == NODE_KEY;
    size_t count = named && strcmp(n->text, name) == 0;
    for (uint32_t i = 0; i < n->nkids; i++) count += occurrences(n->kids[i], name);
    return count;
}

static size_t used(const Script *script, const char *name) {
    size_t count = 0;
    for (size_t i = 0; i < script->items.n; i++)
        if (!script->items.at[i].library) count += occurrences(script->items.at[i].node, name);
    return count;
}

static bool holds_word(const char *text, const char *word, size_t n) {
    for (const char *p = text; (p = strstr(p, word)); p++) {
        bool begins = p == text || !isalpha((unsigned char)p[-1]);
        if (begins && !isalpha((unsigned char)p[n])) return true;
    }
    return false;
}

static bool in_docs(const Node *n, const char *word, size_t size) {
    if (n->kind == NODE_STRING) return holds_word(n->text, word, size);
    for (uint32_t i = 0; i < n->nkids; i++)
        if (in_docs(n->kids[i], word, size)) return true;
    return false;
}

// Is it a word of the libraries, of what the language is told with, or of the script's own docs?
static bool is_word(const Script *script, const char *word, size_t size) {
    for (unsigned i = 0; i < stdlib_count; i++)
        if (holds_word(stdlib_files[i].text, word, size)) return true;
    for (int i = 1; i < LUDEMES; i++)
        if (holds_word(ludemes[i].doc, word, size) || strcmp(ludemes[i].name, word) == 0)
            return true;
    return script->tree && in_docs(script->tree, word, size);
}

// Is each part of the name a word?
static bool familiar(Arena *arena, const Script *script, const char *name) {
    while (*name) {
        size_t n = strcspn(name, "-");
        const char *part = arena_strndup(arena, name, n);
        if (n && !is_word(script, part, n)) return false;
        name += n + (name[n] == '-');
    }
    return true;
}

static bool alike(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > 1 && m > 1) return nearest_name(a, &b, 1) != NULL;
    return n + m <= 3; // of one letter: anything as short may be meant
}

enum { ALIKE_MAX = 16 }; // each is looked for in the whole script

bool misspelt_declaration(Diags *d, const Script *script, const char *name, Span use) {
    if (diags_many(d)) return false;
    size_t uses = used(script, name);
    Declared declared = {0};
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->library) continue;
        gather_item(d->arena, &declared, item);
        if (within(use, item->node->span)) gather_locals(d->arena, &declared, item->node);
    }
    int tried = 0;
    for (size_t i = 0; i < declared.n && tried < ALIKE_MAX; i++) {
        const Node *n = declared.at[i];
        if (strcmp(n->text, name) == 0 || !alike(name, n->text)) continue;
        tried++;
        if (used(script, n->text) != 1) continue;
        bool word = familiar(d->arena, script, name);
        if (uses < 2 && (!word || familiar(d->arena, script, n->text))) continue;
        int r =
            diag_report(d, E_UNKNOWN_NAME, n->span, name,
                        arena_printf(d->arena, ", and nothing uses `%s`, declared here", n->text));
        diag_label(d, r, use, uses > 1 ? "here, and elsewhere, it is `%s`" : "here it is `%s`",
                   name);
        diag_meant(d, r, "%s", name);
        return true;
    }
    return false;
}

bool is_option_word(const Script *script, const char *name) {
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind != L_OPTION && item->kind != L_VAR) continue;
        for (uint32_t k = 2; k < item->node->nkids; k++) {
            const Node *set = item->node->kids[k];
            for (uint32_t j = 0; set->kind == NODE_SET && j < set->nkids; j++)
                if (set->kids[j]->kind == NODE_NAME && set->kids[j]->text == name) return true;
        }
    }
    return false;
}
