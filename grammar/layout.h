// Source text -> the same text in its canonical layout.
//
// The layout is worked out on tokens and comments, not on the tree, so that nothing is lost: the
// result has the tokens and the comments of the text, in order. (A comment at the end of a line may
// come to stand behind closing brackets that were on the next.) Laid out again it stays as it is.
//
// Nothing here knows the language: what the words of a form mean for its layout is told by a
// LayoutWords. Owner: everything lives in the arena that is given.
#ifndef OLDSOW_LAYOUT_H
#define OLDSOW_LAYOUT_H

#include "ast.h"

enum { LAYOUT_COLUMNS = 100 };

// How a form that does not fit on one line is broken.
typedef enum LayoutManner {
    LAYOUT_CALL,  // arguments, as many on a line as fit
    LAYOUT_VALUE, // the same, but what comes last begins on the first line: (let n ...
    LAYOUT_WRAP, // the same, and is indented as if its wrapping were not there: (board (squares ...
    LAYOUT_DEFAULTS, // a key has all that follows up to the next key
    LAYOUT_PARTS,    // the same, and each key a line of its own: (lane way South: ... North: ...
    LAYOUT_BODY,     // what binds on the first line, then each thing of the body on its own
    LAYOUT_DEFINE,   // the same; what binds is how the thing defined is called
    LAYOUT_WHOLE,    // the same, and never all on one line: (game ...
} LayoutManner;

typedef struct LayoutHead {
    const char *name;
    LayoutManner manner;
    size_t bound; // of a body's manner: arguments without a key that stand on the first line
} LayoutHead;

// A key with a piece of program: its parameters in brackets, and one thing more.
typedef struct LayoutProgram {
    const char *head, *key;
    uint32_t parameters;
} LayoutProgram;

typedef VEC(LayoutProgram) LayoutPrograms;

typedef struct LayoutWords {
    const LayoutHead *heads; // a name of NULL ends them; other heads are calls
    const char *binder;      // the key between a name and what it stands for, without the colon
    const char *test;        // the key that says more about such a name
    LayoutPrograms programs; // what a text defines itself is found out from the text
} LayoutWords;

// Adds the programs that definitions in the tree take.
void layout_learn(Arena *arena, const LayoutWords *words, const Node *tree,
                  LayoutPrograms *programs);

// Lays out one file of `sources`. Gives its text, `*size` bytes and a closing NUL, or NULL if it
// has faults, which are reported in `diags`.
const char *layout_source(Arena *arena, const Sources *sources, uint32_t file,
                          const LayoutWords *words, Diags *diags, size_t *size);

#endif
