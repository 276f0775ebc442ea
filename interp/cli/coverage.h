// The lines of a script with how often random games came by them.
#ifndef OLDSOW_CLI_COVERAGE_H
#define OLDSOW_CLI_COVERAGE_H

#include <jansson.h>

#include "../play/findings.h"

// Of the script's own file; each line with the count of what begins first on it, and a `!` where something on it was never
// come by. False: there was no memory.
bool coverage_print(const Findings *f, FILE *out, bool colour);
// A list of all places of that file; NULL: there was no memory.
json_t *coverage_json(const Findings *f);

#endif
