// Proves of a program what the machine takes for granted: opcodes and operands in range, jumps to
// instruction starts, one stack depth at each place, at most STACK_SIZE, never below zero; lists,
// tables, families, decisions and cells that exist. Runs after every compilation; a failure is a
// bug of the compiler, not of a script.
#ifndef OLDSOW_VERIFY_H
#define OLDSOW_VERIFY_H

#include "program.h"

// NULL if the program holds, else what is wrong (static text) with *pc the place.
// verify_no_memory says nothing of the program: there was no room for the proof.
// `depths`, if not NULL, gets ncode words: the depth of the stack before the instruction there, or -1 where no
// way leads.
const char *verify_program(const Program *program, int *pc, int *depths);

extern const char verify_no_memory[];

#endif
