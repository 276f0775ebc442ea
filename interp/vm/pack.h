// Positions as few bytes: each cell of a state in as many bits as its range needs.
//
// A range holds because of what the program is: a variable of sites holds a site or nothing; and if pieces
// are put on the board only before the first decision, there are never more of a kind than there are
// then. Numbers, and what is kept between decisions of one turn, take 16 bits.
//
// Owner: the packing lives in the arena of its program.
#ifndef OLDSOW_PACK_H
#define OLDSOW_PACK_H

#include "program.h"

#include <stddef.h>

typedef struct CellRange {
    Cell low;
    unsigned bits; // of value - low; 0: the cell never changes
} CellRange;

struct Packing {
    const CellRange *ranges; // nstate of them
    size_t bytes;            // of a packed position
};

// Finds the ranges of a program that is ready to run (quicken). It is run to its first decision for
// that, within a small budget.
void pack_plan(Program *program, Arena *arena);
// Writes packing->bytes bytes. Equal cells give equal bytes, and different ones different bytes.
void pack(const Program *program, const Cell *cells, unsigned char *bytes);

#endif
