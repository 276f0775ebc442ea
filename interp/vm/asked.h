// Questions asked about all elements of a search at once: a bit each, in the order of the candidates.
//
// A loop that goes through what is known before play, and finds a candidate or not by what lies on sites and by
// what is the same for all, is a few words of bits: improve_asked.c makes an Asked of it.
#ifndef OLDSOW_ASKED_H
#define OLDSOW_ASKED_H

#include "fours.h"

enum {
    ASKED_MOST = 64, // elements, and sites of a ground: a bit each
    ASKED_VALUES = 2,
    ASKED_GROUNDS = 4,
    ASKED_NODES = 6, // what is kept of them is soon cleared
    ASKED_BITS = 4,  // of a ground, that are spread at once, twice
    ASKED_FEW =
        16, // elements, and sites of the one ground that all questions are about: two bytes of bits
};

// Sites side by side: whether each holds more than `floor`, of one kind of pieces or of all.
typedef struct Ground {
    int first, n;     // the first one's cell that counts; sites
    int stride, each; // cells from site to site, and those of a site that count
    Cell floor;
    // Or the cells of two kinds of pieces as they lie, a bit each: `floor` is that of the first kind, `odd` of the other; and
    // n is the number of cells.
    bool pairs;
    Cell odd;
} Ground;

// A question, asked of the elements that come to it. A ground's bits are spread over the elements by the sites that
// each asks about: that gives those for which the answer is yes, or no, if it is `turned`. Or it is the same for all, and
// found by comparing two cells; or it is whether a cell holds a value that belongs to the element. But the answer is no for those that are not in `asked`, and yes for those in `sure`.
typedef struct AskedNode {
    int ground; // -1: two cells are compared
    int parts;  // of 2 * ASKED_BITS bits of the ground
    const uint64_t
        *spread; // for each ASKED_BITS bits of the ground: for each of their values the elements
    bool turned;
    bool
        straight; // each element asks about the site whose bit has its place: nothing need be spread
    uint64_t asked, sure;
    unsigned holds; // the answer is yes if cell a is less than cell b (1), equal (2), greater (4)
    int a, b;
    // If not NULL: cell a is looked up, for the values from `low` on: the elements that it belongs to.
    const uint64_t *owners;
    int low, nowners;
    int yes, no; // the questions that come next, or one of those below
} AskedNode;

// Elements that are found if all conditions hold, which are questions not about sites, unless one of their sites rules them
// out: the bits of grounds are spread over those that they rule out, or with no table each rules in the element of its
// place.
enum { ASKED_CONDITIONS = 4 };
typedef struct AskedCondition {
    int node;
    bool yes;
} AskedCondition;
typedef struct AskedRuled {
    int ground, parts; // as in AskedNode
    const uint64_t *spread;
} AskedRuled;
typedef struct AskedClass {
    uint64_t elements;
    int nconditions, nruled;
    AskedCondition conditions[ASKED_CONDITIONS];
    AskedRuled ruled[ASKED_GROUNDS];
} AskedClass;

// Operands of CANDS_ASKED, and what stands for its decision if there is none that it may leave to DECIDE: its candidates
// are written down; or if it may, but other searches come before DECIDE.
enum {
    ASKED_ALTERNATIVE = 1,
    ASKED_DECISION = 8,
    ASKED_CHOSEN = 9,
    ASKED_WRITTEN = -1,
    ASKED_NOTED = -2,
};

enum { ASKED_YES = ASKED_NODES, ASKED_NO, ASKED_ENDS };

// The first question is asked of all; each stands before those that come after it. Unless it is the same for all, and what
// is asked next are the questions of another.
typedef struct Asked {
    int n;
    int cells[ASKED_VALUES]; // where a chosen candidate's values go; has it but one: twice the same
    unsigned held;           // a bit for each of them that holds the value already
    const int16_t *values;   // of the candidate that each element is
    struct Asked
        *next[2]; // if not NULL: after no and yes of the first question, which compares two cells
    uint64_t all; // elements
    const uint64_t *few; // if not NULL: all that is asked, see asked_few
    bool both;
    const AskedClass
        *classes; // if not NULL: whoever is in one of them is found; the nodes are conditions
    int nclasses;
    bool lone; // there is one class without conditions, and one table
    Ground grounds[ASKED_GROUNDS];
    int nnodes, ngrounds;
    AskedNode nodes[ASKED_NODES];
} Asked;

// The elements that are candidates, whatever is asked.
uint64_t asked_any(const Asked *q, const Cell *cells);

// For each of the two bytes of the ground's bits there is a table: the elements that a value of the byte does not rule out, or
// those that it is enough for.
static inline uint64_t asked_few(const Asked *q, const Cell *cells) {
    const Ground *g = &q->grounds[0];
    const Cell *cell = cells + g->first;
    const unsigned bits = g->stride == 1 ? sixteen(cell, 1, 1, g->floor)
                          : g->each == 1 ? sixteen(cell, 2, 1, g->floor)
                                         : sixteen(cell, 2, 2, g->floor);
    const uint64_t low = q->few[bits & 255], high = q->few[256 + (bits >> 8)];
    return q->both ? low & high : low | high;
}

static inline uint64_t asked_all(const Asked *q, const Cell *cells) {
    return q->few ? asked_few(q, cells) : asked_any(q, cells);
}

#endif
