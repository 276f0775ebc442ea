// Reading a text, with everything a test may want to look at.
#ifndef OLDSOW_TEST_READING_H
#define OLDSOW_TEST_READING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "grammar/parse.h"

enum { MEGABYTE = 1 << 20 };

typedef struct Reading {
    Arena *arena;
    Sources sources;
    Diags diags;
    SourceFault fault;
    uint32_t where;
    const Node *tree;
    bool out_of_memory;
    char *printed; // the tree, form by form
    char *shown;   // the diagnostics
} Reading;

static inline char *print_tree(const Node *tree) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < tree->nkids; i++) node_print(out, tree->kids[i], 0);
    fclose(out);
    return text;
}

static inline char *show_diags(Reading *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diags_render(out, &r->diags, &r->sources, false);
    fclose(out);
    return text;
}

static inline Reading *read_bytes(const char *text, size_t size, size_t budget) {
    Reading *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->arena = arena_new(budget);
    assert_non_null(r->arena);
    if (setjmp(*arena_oom(r->arena))) {
        r->out_of_memory = true;
        return r;
    }
    sources_init(&r->sources, r->arena);
    diags_init(&r->diags, r->arena);
    uint32_t file = 0;
    r->fault = sources_add(&r->sources, "t.sow", text, size, &file, &r->where);
    if (r->sources.files.n == 0) return r;
    r->tree = parse_source(r->arena, &r->sources, file, &r->diags);
    r->printed = print_tree(r->tree);
    r->shown = show_diags(r);
    return r;
}

static inline Reading *read_text(const char *text) {
    return read_bytes(text, strlen(text), (size_t)512 * MEGABYTE);
}

static inline void done(Reading *r) {
    free(r->printed);
    free(r->shown);
    arena_free(r->arena);
    free(r);
}

// The text has no fault, and its tree prints like this.
static inline void reads_as(const char *text, const char *printed) {
    Reading *r = read_text(text);
    assert_string_equal(r->shown, "");
    assert_string_equal(r->printed, printed);
    done(r);
}

// The text is answered with exactly these lines.
static inline void answers(const char *text, const char *shown) {
    Reading *r = read_text(text);
    assert_string_equal(r->shown, shown);
    assert_int_not_equal(r->diags.errors, 0);
    done(r);
}

static inline bool holds_error(const Node *n) {
    if (n->kind == NODE_ERROR) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (holds_error(n->kids[i])) return true;
    return false;
}

// A text that repeats `piece` as often as `size` bytes have room for it.
static inline char *repeated(const char *piece, size_t size) {
    size_t n = strlen(piece);
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++) text[i] = i < size / n * n ? piece[i % n] : ' ';
    text[size] = '\0';
    return text;
}

#endif
