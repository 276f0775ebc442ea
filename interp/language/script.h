// A script gathered from its files: the game's items, those of the game it varies, those of its libraries.
//
// Owner: the arena given to script_read.
#ifndef OLDSOW_SCRIPT_H
#define OLDSOW_SCRIPT_H

#include "../../grammar/ast.h"
#include "ludemes.h"

typedef struct Item {
    LudemeId kind;
    const char *name; // interned; NULL for kinds that stand once (players, board, start, play)
    Node *node;
    bool library; // from a library, not the author's
} Item;

typedef struct Fix {
    const char *option;
    const Node *value;
} Fix;

// An item of a game that its variant replaced.
typedef struct Replaced {
    LudemeId kind;
    const char *name; // or NULL
    Span at;          // the name of what stands in its place
    const Node *old, *item;
} Replaced;

typedef struct Script Script;
struct Script {
    const Sources *sources;
    const char *title, *doc;
    Node *tree; // the first file's syntax tree
    VEC(Item) items;
    VEC(Replaced) replaced;
    VEC(Fix) fixes;         // options that a variant settles
    VEC(const char *) uses; // libraries and files already brought in
    VEC(const char *) lost; // names whose items have a fault: their uses are no faults of their own
    struct Usage *usage;    // while a script is checked: what is used; else NULL
    bool nameless;          // a definition lacks its name: what is called and is nothing may be it
    VEC(const char *) clashes;       // names that items cannot have: others may be meant
    bool unknown_items;              // some may be what the game seems to lack
    bool broken;                     // a file is missing: what it would define cannot be told
    struct Misspelt *misspelt;       // names told of where they are declared: misspelt.c's
    VEC(const char *) library_files; // by file number: the library whose text it is, or NULL
};

// Reads a script and all it brings in. Faults are reported in `diags`; what could be read is given all the same.
// `text` NULL: read the file `path`; else the text, and `path` is its name.
Script *script_read(Arena *arena, Sources *sources, Diags *diags, const char *path,
                    const char *text, size_t size);

Item *script_find(const Script *script, LudemeId kind, const char *name);
bool script_is_library(const Script *script, uint32_t file);
// Had the item of that name a fault of its own? The name is interned.
bool script_lost(const Script *script, const char *name);

// What the author wrote there, if it is short; else its head, (do ...).
const char *brief_text(Arena *arena, const Script *script, const Node *n);

// The doc of an item: the string that stands in it; "" if there is none.
const char *item_doc(const Node *node);

#endif
