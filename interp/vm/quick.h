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
#define QOP(name, operands) Q_##name,
#include "quick.def"
#undef QOP
    QUICK_OPS
} QuickOp;

struct Quick {
    const int32_t *code;
    const int32_t *base;   // per word of the code: the pc of the base code it comes from
    const int32_t *place;  // per word of the base code: where the quick code for it begins, or -1
    const Cell *constants; // their values
    const int16_t
        *runs; // per list: its first site, if its sites follow each other by number; else -1
    int ncode, slots, nconstants;
    int nwork; // working cells in all
};

// Translates a verified program; `depths` is what verify_program gave. Everything lives in `arena`.
void quicken(Program *program, const int *depths, Arena *arena);

#endif
