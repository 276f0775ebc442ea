// Source text -> syntax tree.
#ifndef OLDSOW_PARSE_H
#define OLDSOW_PARSE_H

#include "ast.h"

struct LayoutWords; // see layout.h

// Parses one file of `sources`. Gives a NODE_SET whose kids are the file's top-level forms in
// order; forms with a fault are NODE_ERROR or hold NODE_ERROR, and each fault is reported once in
// `diags`. All memory comes from `arena`.
Node *parse_source(Arena *arena, const Sources *sources, uint32_t file, Diags *diags);
// The same, for a text of a language whose layout is known: that tells better where a bracket is
// missing.
Node *parse_laid_out(Arena *arena, const Sources *sources, uint32_t file,
                     const struct LayoutWords *words, Diags *diags);

#endif
