#include "parse.h"

#include "token.h"

Node *parse_source(Arena *arena, const Sources *sources, uint32_t file, Diags *diags) {
    Reader r = {
        .arena = arena,
        .source = source_of(sources, (Span){file, 0, 0}),
        .file = file,
        .diags = diags,
        .scan = {.line = 1},
    };
    scan_tokens(&r);
    balance_tokens(&r);
    parse_tokens(&r);
    return r.parse.tree;
}
