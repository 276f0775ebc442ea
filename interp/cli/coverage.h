// The lines of a script with how often random games came by them.
#ifndef OLDSOW_CLI_COVERAGE_H
#define OLDSOW_CLI_COVERAGE_H

#include <jansson.h>

#include "../play/findings.h"

// The script's own file and the author's others, `named` with their names; each line with the count of what begins first
// on it, and a `!` where something on it was never come by. False: there was no memory.
bool coverage_print(const Findings *f, FILE *out, bool named, bool colour);
// A list of all places of these files; NULL: there was no memory.
json_t *coverage_json(const Findings *f);

#endif
