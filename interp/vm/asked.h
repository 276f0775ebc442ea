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
    ASKED_FEW = 16,  // sites of the one ground that all questions are about: two bytes of bits
};

// Sites side by side: whether each holds more than `floor`, of one kind of pieces or of all.
typedef struct Ground {
    int first, n;     // the first one's cell that counts; sites
    int stride, each; // cells from site to site, and those of a site that count
    Cell floor;
    // Or the cells of two kinds of pieces as they lie, a bit each: `floor` is that of the first kind, `odd` of the
    // other; and n is the number of cells.
    bool pairs;
    Cell odd;
} Ground;

// Grounds that are kept as bits, where men are moved one by one: a move changes a bit or two, and then nothing need
// be gone through to know a ground. Sites have places in an order that suits those who ask.
enum {
    KEPT_MOST = 8,
    KEPT_SITES = 63, // at most; the last bit is that of the sites that have no place
};
typedef struct KeptOrder {
    int16_t sites[KEPT_SITES]; // by their places
    int n, begun;              // those that it began with; the others came later
    uint8_t *place;            // per site
} KeptOrder;
typedef struct KeptGround {
    int kind; // of pieces, or -1: of all
    Cell floor;
    const KeptOrder *order;
} KeptGround;
// What a site's change means to a ground; behind the last one `place` is NULL.
typedef struct KeptBy {
    const uint8_t *place;
    Cell floor;
    int ground;
} KeptBy;
typedef struct Keeping {
    int n, kinds; // of pieces
    KeptGround grounds[KEPT_MOST];
    const KeptBy *const *by; // per kind of pieces: the grounds about it
    const KeptBy *by_all;    // those about all
} Keeping;
typedef struct Kept {
    unsigned known; // grounds, a bit each: the bits of the others mean nothing
    uint64_t bits[KEPT_MOST];
} Kept;

// Elements that are ruled out by a kept ground, with its bits turned over if `flip` is all ones: either all of them,
// if any of the sites is there, or each by the site that stands so many places (`turn`, in a circle of 64) behind its
// own.
typedef struct AskedRule {
    int ground, turn;
    uint64_t flip, sites, elements;
} AskedRule;
// The rules that most questions have, close together: two for all and one by the site with no flip, one by the site
// with it, one by what lies before. Those that a question does not have rule out nothing: so no branch has to be
// foretold.
typedef struct AskedUsual {
    uint8_t all[2], first, wanted, bare; // the grounds
    uint8_t first_turn, wanted_turn, bare_turn;
    uint64_t all_sites[2], all_elements[2], first_elements, wanted_elements, bare_elements;
} AskedUsual;
// Elements that are found unless a rule rules them out: first the rules for all, then those by which each is ruled out
// if anything lies before the site, then those by which it is by the site itself, and last those that need not be
// looked at unless some of the sites `guard` of one ground are there.
typedef struct AskedRules {
    unsigned kept; // grounds that are asked, a bit each
    bool is_usual; // all is in `usual`
    uint8_t nall, nfirst, neach, nrare, guarded;
    uint64_t elements, guard;
    AskedUsual usual;
    AskedRule at[];
} AskedRules;

// A question, asked of the elements that come to it. A ground's bits are spread over the elements by the sites that
// each asks about: that gives those for which the answer is yes, or no, if it is `turned`. Or it is the same for all,
// and found by comparing two cells; or it is whether a cell holds a value that belongs to the element. But the answer
// is no for those that are not in `asked`, and yes for those in `sure`.
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

// Elements that are found if all conditions hold, which are questions not about sites, unless one of their sites
// rules them out: the bits of grounds are spread over those that they rule out, or with no table each rules in the
// element of its place.
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
    const AskedRules *rules; // NULL: none
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

// The first question is asked of all; each stands before those that come after it. Unless it is the same for all, and
// what is asked next are the questions of another.
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
    bool lone;     // there is one class without conditions, and one table
    unsigned kept; // grounds that the classes ask, a bit each; 0: those below are asked
    Ground grounds[ASKED_GROUNDS];
    int nnodes, ngrounds;
    AskedNode nodes[ASKED_NODES];
} Asked;

// What the machine has at hand of a question: many of them are asked in turn, and memory is slow.
typedef struct AskedHead {
    const AskedRules *rules; // if not NULL: these are all that is asked
    // Or if not NULL: what is asked if cell a is less than cell b, equal or greater, as `holds` in AskedNode says, is
    // the second of these, else the first.
    const struct AskedHead *next;
    const uint64_t *few; // or if not NULL, see asked_few; of sites from `first` on
    const Asked *whole;
    union {
        int a, first;
    };
    union {
        int b;
        Cell floor;
    };
    union {
        uint8_t holds, stride;
    };
    uint8_t each;
    bool both;
    uint8_t held; // as in Asked, and so
    int16_t n;
    const int16_t *values;
    int cells[ASKED_VALUES];
} AskedHead;
void asked_head(AskedHead *head, const Asked *whole, Arena *arena);

// What is known on the way of what is kept; `how` is NULL where nothing is.
typedef struct Keeper {
    const Keeping *how;
    Kept kept;
} Keeper;

// The elements that are candidates, whatever is asked; and if it is not for few.
uint64_t asked_any(const AskedHead *q, const Cell *cells, Keeper *keeper);

// For each of the two bytes of the ground's bits there is a table: the elements that a value of the byte does not
// rule out, or those that it is enough for.
static inline uint64_t asked_few(const AskedHead *q, const Cell *cells) {
    const Cell *cell = cells + q->first;
    const unsigned bits = q->stride == 1 ? sixteen(cell, 1, 1, q->floor)
                          : q->each == 1 ? sixteen(cell, 2, 1, q->floor)
                                         : sixteen(cell, 2, 2, q->floor);
    const uint64_t low = q->few[bits & 255], high = q->few[256 + (bits >> 8)];
    return q->both ? low & high : low | high;
}

static inline uint64_t asked_all(const AskedHead *q, const Cell *cells, Keeper *keeper) {
    return q->few ? asked_few(q, cells) : asked_any(q, cells, keeper);
}

static inline uint64_t with_bit(uint64_t bits, unsigned place, bool is) {
    return (bits & ~(UINT64_C(1) << place)) | (uint64_t)is << place;
}

static inline void keep_sites(Kept *kept, const KeptBy *by, const Cell *cells, unsigned kinds,
                              unsigned each, uint32_t a, uint32_t b) {
    if (!by->place) return;
    const Cell on_a = count_of(cells + a * kinds, (int)each),
               on_b = count_of(cells + b * kinds, (int)each);
    do {
        const uint64_t bits = with_bit(kept->bits[by->ground], by->place[a], on_a > by->floor);
        kept->bits[by->ground] = with_bit(bits, by->place[b], on_b > by->floor);
    } while ((++by)->place);
}

// The number of pieces of a kind has changed on two sites, or on one.
static inline void keep_kind(Keeper *keeper, const Cell *cells, unsigned kinds, Cell kind,
                             uint32_t a, uint32_t b) {
    const Keeping *how = keeper->how;
    keep_sites(&keeper->kept, how->by[kind], cells + kind, kinds, 1, a, b);
    keep_sites(&keeper->kept, how->by_all, cells, kinds, kinds, a, b);
}

// The number of pieces of any kind.
static inline void keep_all(Keeper *keeper, const Cell *cells, unsigned kinds, uint32_t a,
                            uint32_t b) {
    const Keeping *how = keeper->how;
    for (unsigned k = 0; k < kinds; k++)
        keep_sites(&keeper->kept, how->by[k], cells + k, kinds, 1, a, b);
    keep_sites(&keeper->kept, how->by_all, cells, kinds, kinds, a, b);
}

#endif
