#include "layout.h"

#include <assert.h>
#include <string.h>

#include "layout_tree.h"

// ---- what words mean ----

LayoutManner layout_manner(const LayoutWords *words, const char *head, size_t *bound) {
    *bound = 0;
    for (const LayoutHead *h = words->heads; head && h->name; h++) {
        if (strcmp(h->name, head) != 0) continue;
        *bound = h->bound;
        return h->manner;
    }
    return LAYOUT_CALL;
}

static void learn_signature(Arena *arena, const Node *signature, LayoutPrograms *programs) {
    const char *head = node_head(signature);
    for (uint32_t i = 1; head && i + 1 < signature->nkids; i++) {
        const Node *key = signature->kids[i], *value = signature->kids[i + 1];
        if (key->kind == NODE_KEY && value->kind == NODE_LIST)
            vec_push(arena, programs, (LayoutProgram){head, key->text, value->nkids});
    }
}

void layout_learn(Arena *arena, const LayoutWords *words, const Node *tree,
                  LayoutPrograms *programs) {
    size_t bound;
    for (uint32_t i = 0; i < tree->nkids; i++) layout_learn(arena, words, tree->kids[i], programs);
    if (tree->nkids > 1 && layout_manner(words, node_head(tree), &bound) == LAYOUT_DEFINE)
        learn_signature(arena, tree->kids[1], programs);
}

// ---- the whole ----

static bool same_token(const Reader *a, const Reader *b, size_t i) {
    const Token *s = &a->tokens.at[i], *t = &b->tokens.at[i];
    size_t size = s->span.end - s->span.start;
    return s->kind == t->kind && size == t->span.end - t->span.start &&
           memcmp(a->source->text + s->span.start, b->source->text + t->span.start, size) == 0;
}

// A layout that lost something would be worse than none.
static bool same_content(Reader *before, const char *text, size_t size) {
    Diags silent;
    diags_init(&silent, before->arena);
    Source laid_out = {.name = before->source->name, .text = text, .size = (uint32_t)size};
    Reader after = {.arena = before->arena,
                    .source = &laid_out,
                    .file = before->file,
                    .diags = &silent,
                    .scan = {.line = 1}};
    scan_tokens(&after);
    if (silent.errors || after.tokens.n != before->tokens.n ||
        after.comments.n != before->comments.n)
        return false;
    for (size_t i = 0; i < after.tokens.n; i++)
        if (!same_token(before, &after, i)) return false;
    return true;
}

const char *layout_source(Arena *arena, const Sources *sources, uint32_t file,
                          const LayoutWords *words, Diags *diags, size_t *size) {
    Reader r = {.arena = arena,
                .source = source_of(sources, (Span){.file = file}),
                .file = file,
                .diags = diags,
                .scan = {.line = 1}};
    size_t errors = diags->errors;
    scan_tokens(&r);
    size_t tokens = r.tokens.n;
    balance_tokens(&r);
    parse_tokens(&r);
    if (diags->errors > errors) return NULL;
    assert(r.tokens.n == tokens);
    (void)tokens;
    LayoutPrograms programs = {0};
    for (size_t i = 0; i < words->programs.n; i++)
        vec_push(arena, &programs, words->programs.at[i]);
    layout_learn(arena, words, r.parse.tree, &programs);
    const char *text = layout_write(arena, r.source, layout_tree(&r, words, &programs), size);
    bool same = same_content(&r, text, *size);
    assert(same);
    return same ? text : NULL;
}
