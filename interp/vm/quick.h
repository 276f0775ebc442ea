// The form of a program that the machine runs. Same meaning as the base code (opcodes.def), which
// stays what a program is: what is verified, translated to C, and named by pcs in tables and faults.
//
// The stack is gone: at each place its depth is known, so that each of its slots is a working cell, and
// an instruction takes its operands from wherever they lie. What the base code says in
// `LOAD a, PUSH 3, LT, JZ t` is one instruction here.
//
// Working cells: 0 .. ncells-1 as in program.h, then the slots, then the constants.
#ifndef OLDSOW_QUICK_H
#define OLDSOW_QUICK_H

#include "program.h"

typedef enum QuickOp {
#define QOP(name, kinds) Q_##name,
#include "quick.def"
#undef QOP
    QUICK_OPS
} QuickOp;

enum {
    MARKS_MOST = 16, // cells that a look-ahead may write whose writing is noted: see MARK
    CANDS_MOST = 64, // elements of a list that is chosen from at once: see CANDS_LIST
};

// An outcome of a throw: what is written, and where in the code the game goes on.
enum { THROWN_MOST = 8 };
typedef struct Thrown {
    int32_t place;
    int16_t n, cells[THROWN_MOST], values[THROWN_MOST];
} Thrown;

struct Quick {
    const int32_t *code;
    const int32_t *base; // per word of the code: the pc of the base code it comes from
    // Per copy of the code (one for each mover, or one in all) and word of the base code: where execution may be
    // begun there, or -1.
    const int32_t *place;
    int ncopies;
    const Cell *constants; // their values
    const int16_t
        *runs; // per list: its first site, if its sites follow each other by number; else -1
    const int16_t *columns; // cells that belong to the elements of lists, one after the other
    const struct AskedHead *asked;
    const struct Keeping *keeping; // NULL: nothing is kept
    const bool *answers;           // see JANSWER
    const Thrown *thrown;
    // Per track and site: its position on the track, from 0, or -1. NULL: there would be too many.
    const int16_t *along;
    const uint32_t *weights; // of all outcomes, for each of the dice
    const uint8_t *const *
        fallen; // for each of the dice, if that is a small number: the outcome by what is drawn below it
    const struct ByteOnes *bytes; // see bits.h
    int ncode, slots, nconstants;
    int nwork; // working cells in all, and more that may be looked at behind the last site: see fours.h
};

// Translates a verified program; `depths` is what verify_program gave. Everything lives in `arena`.
// `well`: as well as it can be done, which takes a few times as long.
void quicken(Program *program, const int *depths, bool well, Arena *arena);

#endif
