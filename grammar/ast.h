// The syntax tree of a script, as written.
//
// Owner: every node lives in the program's arena. Nodes are made by the parser, copied by the
// expander, annotated by the checker, and never changed after that;
// but a word that was told of as misspelt becomes the one that was likely meant (respell.h).
#ifndef OLDSOW_AST_H
#define OLDSOW_AST_H

#include "arena.h"
#include "diag.h"
#include "source.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum NodeKind {
    NODE_LIST,   // (head arg key: arg ...): kids in order as written, keys among them
    NODE_SET,    // {a b c}
    NODE_NAME,   // a name or an operator: text
    NODE_KEY,    // name: as written before its value; text is without the colon
    NODE_NUMBER, // number
    NODE_STRING, // "text", decoded
    NODE_RANGE,  // a1..e1, 1..5, 1..(count x): two kids
    NODE_ERROR,  // a place already reported; every pass keeps silent about it
} NodeKind;

typedef struct Node Node;
typedef struct Expansion Expansion;

struct Node {
    NodeKind kind;
    Span span;
    const Expansion *via; // how the expander came here; NULL in the author's own text
    const char *text;     // NAME, KEY (interned), STRING
    long number;          // NUMBER, within +-NUMBER_MAX
    Node **kids;          // LIST, SET, RANGE
    uint32_t nkids;
    // What later passes found out; see interp/language/check.h.
    uint8_t type;
    uint8_t effect;
    bool settled; // stands here because an option decided an (if ...)
    uint16_t ludeme;
    int32_t ref;
};

// One use of a definition: where it was used, and within which other use.
struct Expansion {
    const char *name;
    const void *definition; // tells apart those of one name
    Span use;
    const Expansion *up;
};

enum { NUMBER_MAX = 32767, NESTING_MAX = 200 };

Node *node_new(Arena *a, NodeKind kind, Span span);
Node *node_list(Arena *a, NodeKind kind, Span span, Node *const *kids, size_t n);
Node *node_name(Arena *a, Span span, const char *interned);

// The name at the head of a list, or NULL.
const char *node_head(const Node *n);
// Whether it is that key.
bool is_key(const Node *n, const char *text);

// Writes the tree back as text that reads as the same tree, indented, lines of at most 100 columns
// where that can be. Strings are escaped again.
void node_print(FILE *out, const Node *n, int indent);

#endif
