// Script -> expanded script: options replaced by their values, what they exclude dropped, definitions put in place.
//
// Afterwards only core ludemes and names of equipment are left. Names made by let, for, choose... have
// become numbered locals, so that a definition's names and its user's never meet. Every node that comes from a
// definition keeps the way it came (Node.via). Owner: the arena.
#ifndef OLDSOW_EXPAND_H
#define OLDSOW_EXPAND_H

#include "../oldsow.h"
#include "script.h"

enum {
    EXPANSION_NODES_MAX = 300000,
    EXPANSION_DEPTH_MAX = 60,
    EXPANSION_LEVELS_MAX = 800,
    NAMES_MAX = 1000
};

typedef struct Local {
    const char *name;
    Span span;
    bool let; // made by a (let ...) of the script
    bool
        bound; // by a form that goes through a list, NAME in: LIST, or by a sowing: after: (PIECE SITE)
    bool chosen;   // of these, by a (choose ...) or (lot ...)
    bool thrown;   // by a (throw DICE NAME...)
    bool read;     // used after that
    bool assigned; // by a (set ...): then it is no mere name for its first value
    // The checker's:
    uint8_t type;
    int words;          // the words it may be, a number of World.word_sets, or -1
    const Node *given;  // by a let: the value; it must not be assigned
    const Node *domain; // by for, choose ...: what it goes through
    bool constant;      // known before the game, and then its value
    int value;
    const Node *alias; // the value it stands for, if that is all it is
    // The compiler's:
    int cell;
    const Node *stands; // what to ask in its place; it has no cell then
    int values;         // the list that all its values are of, +1; or 0
} Local;

typedef struct Option {
    const char *name;
    const Node *item;
    const Node *const *values;
    size_t nvalues, standard, chosen;
} Option;

// One use of a definition that gives it two values or more. Until it is checked, its node's `ref` is less than 0:
// the use's number, counted from 1.
typedef struct Use {
    const Node *call; // as it stands in the script
    const Node *header;
    const void *definition, *env; // the expander's
    const Expansion *via;
    int within; // the use, from 1, of which nothing but this one is left; 0: none
} Use;

typedef struct Expanded Expanded;
struct Expanded {
    Arena *arena;
    const Script *script;
    VEC(Option) options;
    VEC(Item) equipment; // expanded items but options, readings, definitions, start and play
    Node *start, *play;  // (do ...) each; start may be NULL
    VEC(Local) locals;
    VEC(Use) uses;
    struct Expander *expander;
    VEC(const char *) lost; // options with a fault
};

// Settles the options: the defaults, then a variant's (fix ...), then the reading, then the settings. Faults in
// reading and settings are reported without a place.
Expanded *expand_script(Arena *arena, const Script *script, Diags *diags, const OldsowLoading *how);

// The use once more, with another call in place of its own, and told to other reports; NULL if that would be too much.
Node *expand_again(Expanded *e, int use, const Node *call, Diags *diags);
// Says whether the literal is yes, no or neither (1, 0, -1).
int node_truth(const Node *n);
// A hash of the expanded rules.
uint64_t expanded_hash(const Expanded *e);
// Reports at the author's own place: where the definition or library that holds `n` was used.
int report_at(Diags *d, const Script *script, DiagCode code, const Node *n, ...);

// ---- written.c: the author's own text ----

// A part of the form as it stands in the form's own text, where that is the use of a definition.
Node standing_in(const Node *form, const Node *part);
// Whether that is in the form: an argument of the definition around is not.
bool lies_within(const Node *form, const Node *part);
// Kid `at` of the form as the author wrote it there; in a few words where all of them together would be long.
const char *part_text(Arena *arena, const Script *script, const Node *form, uint32_t at);

#endif
