// The instructions of a program as the body of a C function.
#ifndef OLDSOW_TRANSLATE_H
#define OLDSOW_TRANSLATE_H

#include "../../grammar/arena.h"
#include "../vm/program.h"

// Writes the function `step`; `places` notes the script's lines beside the code.
void translate(FILE *out, Arena *arena, const Program *program, bool places);
// Whether a family's values are a + i, so that it needs no table.
bool family_is_plain(const Family *family);
// The C name of a fault: "R_UNSET".
const char *fault_name(int code);

#endif
