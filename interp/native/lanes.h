// What is asked of all elements of a list at once: values that are the same for all of them, or known for each, or
// the pieces on a site that is known for each, or a truth, a bit for each.
#ifndef OLDSOW_LANES_H
#define OLDSOW_LANES_H

#include "translator.h"

enum {
    STACK_MAX = 16,
    WAITING_MAX = 8,
    STORED_MAX = 12,
    WAYS_MAX = 6,
    TRUTHS_MAX = 32,
    NUMBER_BITS = 9
};

typedef struct Bits {
    const char *text;     // NULL: they are known,
    const uint64_t *each; // for each number, if this is not NULL (pairs.c)
    uint64_t known;
    uint64_t never;     // of those with a text: some that are surely none of them
    const char *not_of; // what they are the others of, or NULL
} Bits;

typedef enum LanesKind {
    LANES_SAME,
    LANES_KNOWN,
    LANES_COUNT,
    LANES_BITS,
    LANES_CELL, // the same for all, but only play knows it
    LANES_AHEAD // sites so many steps ahead of others
} LanesKind;

typedef struct Lanes { // a value for each element
    LanesKind kind;
    int32_t same;
    const int16_t *each; // KNOWN: the values; COUNT, AHEAD: the sites
    uint32_t kinds;      // COUNT
    const char *text;    // CELL: the value; AHEAD, COUNT: how many steps ahead of `each`, or NULL
    Range range;         // of that
    Bits bits;
} Lanes;

// Some elements, and the ways on which they came here: what was found of all that came one way is not asked again.
typedef struct Way {
    Bits bits;
    uint32_t yes, no; // truths, a bit for each
} Way;

typedef struct Group {
    Bits bits;
    Way ways[WAYS_MAX];
    int n;
} Group;

typedef struct Waiting { // elements for which a jump was taken
    int pc, kept;        // the truth they keep on the stack, or -1
    Group group;
} Waiting;

// Of two loops, of which one is in the other: what the number is made of by which the pairs that pass are looked up.
typedef struct Asked {
    int inner;             // pc of the loop within
    const int16_t *lists;  // of each element of the outer loop, once they are known
    const int16_t *second; // of each pair, or NULL: they are not known yet
    int16_t sites[NUMBER_BITS];
    const char *cells[NUMBER_BITS];
    int nsites, ncells, above;
    uint32_t kinds;
    int once[STORED_MAX], nonce; // loops over no more than one element
} Asked;

typedef struct Survey {
    Translator *t;
    Mask *mask;
    const List *list;
    int elem;
    Lanes stack[STACK_MAX];
    int depth;
    Group going; // those that go on
    const char *truths[TRUTHS_MAX];
    int ntruths;
    Waiting waiting[WAITING_MAX];
    int nwaiting;
    struct {
        int cell;
        Lanes lanes;
    } stored[STORED_MAX];
    int nstored;
    int watched[MASK_LINES_MAX]; // the watches asked so far
    int nwatched;
    Asked *asked; // or NULL: it is one loop
    bool fine;
} Survey;

// What is asked so can neither fail nor change anything; where it cannot be asked so, `fine` becomes false.
void lanes_ask(Survey *s, const int32_t *w);
void push_lanes(Survey *s, Lanes v);
void push_lanes_bits(Survey *s, Bits b);
Lanes pop_lanes(Survey *s);
const Lanes *lanes_top(const Survey *s, int below); // NULL: there is none
Lanes lanes_in_cell(Survey *s, int cell);
Bits truth_of(Survey *s, const Lanes *v);

Bits known_bits(uint64_t known);
const char *bits_text(Translator *t, Bits b);
Bits both(Survey *s, Bits a, Bits b);
Bits either(Survey *s, Bits a, Bits b);
Bits others(Survey *s, Bits a);
Group group_of(Bits b);
Bits named(Survey *s, Bits b); // in a variable, to stand more than once

// ---- masks.c
Bits survey(Survey *s); // goes over the loop; who passes where its candidate is, if it comes there
void survey_wait(Survey *s, int pc, Bits bits);

// ---- pairs.c
Bits bits_by_table(Survey *s, Bits a, Bits b, bool both);
Bits others_by_table(Survey *s, Bits a);
Bits above_by_table(Survey *s, const int16_t *sites, uint32_t kinds, int least);
Bits cell_by_table(Survey *s, const Lanes *v);
bool loop_within(Survey *s, int pc);      // false: the survey ends here
int round_again(const Survey *s, int pc); // where a jump there leads

// ---- lanes_play.c
// Whether the cell is a variable that nothing in the loop changes.
bool stays_the_same(const Survey *s, int cell);
void load_the_same(Survey *s, int cell);
// Whether nobody reads any more, from `pc` on, what the tests stored in cells.
bool stored_are_done_with(const Survey *s, int pc);
// These do what the instruction does if it is about a cell or sites ahead; else false, and nothing has happened.
bool add_to_cell(Survey *s, const int32_t *w);
bool look_ahead(Survey *s);
bool compare_in_play(Survey *s, Opcode op, const Lanes *a, const Lanes *b);
Bits truth_of_cell(Survey *s, const Lanes *v);
Bits bits_ahead(Survey *s, Bits of_sites, const Lanes *v);

#endif
