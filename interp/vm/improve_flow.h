// What improve_flow.c finds to be known of cells, for those who make use of it: improve_use.c. Private to them.
#ifndef OLDSOW_IMPROVE_FLOW_H
#define OLDSOW_IMPROVE_FLOW_H

#include "improve.h"

enum { // what is known of a cell beside what it holds
    IS_OCCUPIED = 1,
    IS_FREE = 2, // a site without pieces
    ABOUT_PIECES = IS_OCCUPIED | IS_FREE,
    NOT_ZERO = 4,
    IS_SOURCE = 8, // another cell may be known to hold the same
};

typedef struct Known {
    int32_t *same; // per cell: the cell or constant that holds the same, or itself
    uint8_t *facts;
} Known;

typedef struct Flow {
    Improver *im;
    int first, n; // the cells known of are first .. first + n - 1
    int mover;
    int *meets;     // per instruction where ways meet: the number of what is known there; else -1
    bool *come_by;  // per such number
    bool *to_visit; // per such number
    bool *lone;     // per such number: one way leads there, and nobody begins there
    int32_t *same;
    uint8_t *facts;
    int *where;          // per such number: the instruction
    int nmeets, count;   // and of instructions, when it began
    Known now;           // at the instruction in hand
    Known edge;          // on the way to one of those after it
    Known beyond, there; // for improve_use.c: further on this way, and by all ways
    bool copies;         // instructions are copied for a way on which more is known
    bool more;
} Flow;

typedef enum Answer { NO, YES, WHO_KNOWS } Answer;

// Whether anything is known of the cell.
static inline bool tracked(const Flow *f, int cell) {
    return cell >= f->first && cell < f->first + f->n;
}
// What is known where ways meet.
static inline Known known_at(const Flow *f, int number) {
    size_t at = (size_t)number * (size_t)f->n;
    return (Known){f->same + at, f->facts + at};
}
void flow_know_as(const Flow *f, Known *to, const Known *from);
// The cell or constant to read in place of `cell` at instruction `ins`.
int flow_read(const Flow *f, const Known *k, int cell, int ins);
// The cell or constant that holds what instruction i gives, or -1.
int flow_result(const Flow *f, const Known *k, int i);
// Whether the branch of instruction i is taken, if that is known.
Answer flow_taken(const Flow *f, const Known *k, int i);
// What holds after instruction i where it simply goes on.
void flow_pass(const Flow *f, Known *k, int i);

// ---- improve_use.c
// Calls itself for each way out of an instruction, with f->edge what holds on it: leads it past what is known.
void use_on_way(Flow *f, int from, int *to);
// The instruction itself, with f->now what holds before it.
void use_at(Flow *f, int i);

#endif
