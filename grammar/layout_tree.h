// What a layout is made of: pieces, and units of pieces that stay together.
//
// Private to the layout. Owner: all of it lives in the arena of the layout.
#ifndef OLDSOW_LAYOUT_TREE_H
#define OLDSOW_LAYOUT_TREE_H

#include "layout.h"
#include "token.h"

typedef struct Piece Piece;

typedef enum UnitKind {
    UNIT_PLAIN,  // a word, a form, a range
    UNIT_KEYED,  // a key and what it has
    UNIT_BINDER, // a name, `in:`, and what it stands for
    UNIT_REMARK, // a comment on a line of its own
    UNIT_TRAIL,  // a comment at the end of a line
} UnitKind;

typedef struct Unit {
    UnitKind kind;
    bool program;    // keyed, with parameters and one thing more
    bool body;       // belongs to the body of its form
    bool next;       // a binder that is not its form's first
    bool test;       // keyed, and says more about a binder
    bool flat;       // may stand on one line
    unsigned breaks; // line ends before it in the text; 2 for more
    size_t width;    // on one line
    Piece *const *parts;
    size_t nparts;
} Unit;

typedef struct Piece {
    uint8_t kind;    // TokenKind; of a form its opening bracket. TOK_END: a comment
    UnitKind remark; // of a comment
    bool several;    // a text or comment of several lines
    bool flat;
    unsigned breaks;
    Span span;
    const char *text;  // of names and keys
    const Span *leads; // comments right before it, on the same line
    size_t nleads;
    size_t width;
    // Of a form:
    LayoutManner manner;
    bool signature; // how a thing defined is called
    Unit *units;    // the first is the head, if it has one
    size_t nunits;
} Piece;

// Does a blank stand between two parts of a unit?
static inline bool parts_apart(const Piece *before, const Piece *after) {
    return after->nleads > 0 || (before->kind != TOK_DOTS && after->kind != TOK_DOTS);
}

static inline bool has_body(LayoutManner m) {
    return m == LAYOUT_BODY || m == LAYOUT_DEFINE || m == LAYOUT_WHOLE;
}

// The manner of a head, which may be NULL, and how many arguments it binds.
LayoutManner layout_manner(const LayoutWords *words, const char *head, size_t *bound);

// How many columns a text on one line takes; of one on several, its last line.
size_t text_columns(const char *text, size_t size);

// The text as one form without brackets. Sorts the programs.
const Piece *layout_tree(Reader *r, const LayoutWords *words, LayoutPrograms *programs);
// Writes it.
const char *layout_write(Arena *arena, const Source *source, const Piece *all, size_t *size);

#endif
