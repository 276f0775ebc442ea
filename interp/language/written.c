// What the author wrote, where options and definitions have put something else in its place.

#include "expand.h"

#include "foreign.h"

#include <string.h>

enum { LONG_TEXT = 70, SHORT_TEXT = 24 };

Node standing_in(const Node *form, const Node *part) {
    Node use = *part;
    const Expansion *via = part->via;
    while (via && via != form->via) {
        use.span = via->use;
        use.via = via = via->up;
    }
    return via == form->via ? use : *part;
}

bool lies_within(const Node *form, const Node *part) {
    return part->span.file == form->span.file && part->span.start >= form->span.start &&
           part->span.end <= form->span.end;
}

// Whether the text is one word, or one thing in brackets: not so where a bracket was mended.
static bool is_whole(const char *text, size_t size) {
    int depth = 0;
    for (size_t i = 0; i < size; i++) {
        depth += text[i] == '(' || text[i] == '{';
        depth -= text[i] == ')' || text[i] == '}';
        if (text[i] == '\n' || depth < 0) return false;
        bool parted = depth == 0 && i + 1 < size && (text[i] == ' ' || text[i] == ')');
        if (parted && text[0] != '"') return false;
    }
    return depth == 0 && size > 0;
}

// Whether the node is still what the text says, which it is not where a name or a bracket was mended.
static bool is_said(const Node *n, bool own, const char *text) {
    if (!own || n->kind != NODE_LIST) return true;
    const char *head = n->text ? NULL : node_head(n);
    return *text == '(' && (n->nkids == 0 || (head && !strncmp(text + 1, head, strlen(head))));
}

// The text of part `at` of the form, where its parts are those of its text: for a parameter, of which only the argument is
// left. Empty where that is not so.
static Span nth_written(const char *text, const Node *form, uint32_t at) {
    Span found = {0}, all = form->span;
    uint32_t n = 0, i = all.start + 1;
    while (i + 1 < all.end) {
        uint32_t start = i;
        int depth = 0;
        if (text[i] == ' ' || text[i] == '\n') {
            i++;
            continue;
        }
        for (; i + 1 < all.end && (depth > 0 || (text[i] != ' ' && text[i] != '\n')); i++) {
            if (text[i] == '/' || text[i] == '"') return (Span){0};
            depth += text[i] == '(' || text[i] == '{';
            depth -= text[i] == ')' || text[i] == '}';
        }
        if (n++ == at) found = (Span){.file = all.file, .start = start, .end = i};
    }
    return n == form->nkids ? found : (Span){0};
}

// Where the author wrote the part.
static Span span_of(const Script *script, const Node *form, uint32_t at) {
    Node part = standing_in(form, form->kids[at]);
    if (lies_within(form, &part)) return part.span;
    Span written = nth_written(source_of(script->sources, form->span)->text, form, at);
    return written.end ? written : part.span;
}

const char *part_text(Arena *arena, const Script *script, const Node *form, uint32_t at) {
    const Node *part = form->kids[at];
    bool own = (!part->via || part->via == form->via) && part->ludeme != L_CHOSEN &&
               lies_within(form, part);
    if (part->kind == NODE_KEY || (own && part->kind == NODE_NAME)) return short_text(arena, part);
    size_t all = 0;
    for (uint32_t i = 1; i < form->nkids; i++) {
        Span span = span_of(script, form, i);
        all += span.end - span.start + 1;
    }
    Span span = span_of(script, form, at);
    const char *text = source_of(script->sources, span)->text + span.start;
    size_t size = span.end - span.start;
    bool said = size <= (all <= LONG_TEXT ? LONG_TEXT : SHORT_TEXT) && is_whole(text, size) &&
                is_said(part, own, text);
    return said ? arena_strndup(arena, text, size) : short_text(arena, part);
}
