// C names for sites and kinds of pieces, for files that are to be read.
#ifndef OLDSOW_NAMES_H
#define OLDSOW_NAMES_H

#include "../../grammar/arena.h"
#include "../vm/program.h"

#include <stdio.h>

enum { C_NAMES_MAX = 1000 }; // larger boards have numbers

typedef struct CNames {
    const char **sites, **kinds; // NULL: no name
} CNames;

void c_names_init(CNames *names, Arena *arena, const Program *p);
// As enumerations.
void c_names_write(const CNames *names, FILE *out, const Program *p);

#endif
