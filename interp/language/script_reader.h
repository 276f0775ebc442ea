// The reader's own: shared by script.c (files) and items.c (what stands in them).
#ifndef OLDSOW_SCRIPT_READER_H
#define OLDSOW_SCRIPT_READER_H

#include "script.h"

typedef struct Reader {
    Arena *arena;
    Sources *sources;
    Diags *diags;
    Script *script;
    VEC(const char *) open; // files being read, to find a circle
} Reader;

// script.c
void read_use(Reader *r, const Node *form, uint32_t from);
// items.c: one item, which stands in file number `from`; all kids of a form from `at` on.
void read_item(Reader *r, const Node *form, uint32_t from, bool library);
void read_items(Reader *r, const Node *form, uint32_t at, uint32_t from, bool library);
// What the item is; one that is none is told of, and taken for what was meant. L_UNKNOWN: who knows.
LudemeId item_kind(Reader *r, const Node *form, bool variant);
void replace_item(Reader *r, const Node *form);
void read_fix(Reader *r, const Node *form);

#endif
