#include "swapped.h"

#include "expand.h"

#include <string.h>

const char condition_order[] = "a truth stands before what is done if it holds";

enum { BRIEF_MAX = 28, WHOLE_MAX = 64 };

Argument argument_at(const Node *form, uint32_t at, bool greedy) {
    uint32_t end = at + 1;
    if (form->kids[at]->kind == NODE_KEY && end < form->nkids) end++;
    while (greedy && form->kids[at]->kind == NODE_KEY && end < form->nkids &&
           form->kids[end]->kind != NODE_KEY)
        end++;
    return (Argument){at, end - at};
}

Node *exchanged(Arena *arena, const Node *form, Argument a, Argument b) {
    Node *copy = arena_alloc(arena, sizeof *copy);
    *copy = *form;
    copy->kids = arena_array(arena, form->nkids, sizeof(Node *));
    uint32_t at = 0;
    for (uint32_t i = 0; i < a.at; i++) copy->kids[at++] = form->kids[i];
    for (uint32_t i = 0; i < b.n; i++) copy->kids[at++] = form->kids[b.at + i];
    for (uint32_t i = a.at + a.n; i < b.at; i++) copy->kids[at++] = form->kids[i];
    for (uint32_t i = 0; i < a.n; i++) copy->kids[at++] = form->kids[a.at + i];
    for (; at < form->nkids; at++) copy->kids[at] = form->kids[at];
    return copy;
}

// ---- in words ------------------------------------------------------------------------------------

typedef struct Writer {
    Arena *arena;
    const Sources *sources;
    const Expansion *via; // of the form that is written
} Writer;

static const char *brief(const Writer *w, const Node *n);

static const char *join(const Writer *w, const Node *n, uint32_t from, uint32_t to) {
    const char *text = "";
    for (uint32_t i = from; i < to; i++)
        text = arena_printf(w->arena, "%s%s%s", text, i > from ? " " : "", brief(w, n->kids[i]));
    return text;
}

static const char *whole(const Writer *w, const Node *n) {
    bool set = n->kind == NODE_SET;
    return arena_printf(w->arena, "%s%s%s", set ? "{" : "(", join(w, n, 0, n->nkids),
                        set ? "}" : ")");
}

// What the author wrote there, if it is short; else NULL.
static const char *written(const Writer *w, Span span) {
    size_t size = span.end - span.start;
    if (size == 0 || size > BRIEF_MAX) return NULL;
    const char *text = source_of(w->sources, span)->text + span.start;
    if (memchr(text, '\n', size)) return NULL;
    return arena_printf(w->arena, "%.*s", (int)size, text);
}

// The use of a definition that gave n, if it stands in the form itself.
static const Expansion *use_of(const Writer *w, const Node *n) {
    const Expansion *e = n->via == w->via ? NULL : n->via;
    while (e && e->up != w->via) e = e->up;
    return e;
}

// What is long is left out. A name may stand for a form that was settled before the game: `no` for (= lift none); and a
// value, for the option that has it.
static const char *brief(const Writer *w, const Node *n) {
    const Expansion *use = use_of(w, n);
    const char *text = written(w, use ? use->use : n->span);
    if (use) return text ? text : arena_printf(w->arena, "(%s ...)", use->name);
    if (text && n->ludeme == L_CHOSEN) return text;
    bool form = n->kind == NODE_LIST || n->kind == NODE_SET || n->kind == NODE_RANGE;
    if (text && (form || (n->kind == NODE_NAME && *text == '('))) return text;
    switch (n->kind) {
    case NODE_NAME: return n->text;
    case NODE_KEY: return arena_printf(w->arena, "%s:", n->text);
    case NODE_NUMBER: return arena_printf(w->arena, "%ld", n->number);
    case NODE_STRING: return "\"...\"";
    case NODE_SET: return "{...}";
    case NODE_RANGE:
        return arena_printf(w->arena, "%s..%s", brief(w, n->kids[0]), brief(w, n->kids[1]));
    case NODE_LIST:
        if (n->text) return arena_printf(w->arena, "(%s ...)", n->text);
        return node_head(n) ? arena_printf(w->arena, "(%s ...)", node_head(n)) : "(...)";
    case NODE_ERROR: break;
    }
    return "...";
}

static bool within(Span inner, Span outer) {
    return inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end;
}

int report_swapped(Diags *d, const Script *script, const Node *form, Argument a, Argument b,
                   const char *why) {
    Arena *arena = d->arena;
    const Writer w = {arena, script->sources, form->via};
    Span span = span_join(form->kids[a.at]->span, form->kids[b.at + b.n - 1]->span);
    Node at = *form;
    if (within(span, form->span)) at.span = span; // else they come from a definition's user
    int i = report_at(d, script, E_SWAPPED, &at, join(&w, form, a.at, a.at + a.n),
                      join(&w, form, b.at, b.at + b.n), why);
    Node *meant = exchanged(arena, form, a, b);
    const char *text = whole(&w, meant);
    if (strlen(text) > WHOLE_MAX)
        text = arena_printf(arena, "(%s%s%s%s)", join(&w, meant, 0, 1), a.at > 1 ? " ... " : " ",
                            join(&w, meant, a.at, b.at + b.n),
                            b.at + b.n < meant->nkids ? " ..." : "");
    diag_mend(d, i, "write %s", text);
    return i;
}
