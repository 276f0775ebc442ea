// What `check` finds as SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), which editors and code hosts can show.
//
// Owner: a Sarif owns what it holds until sarif_log takes it.
#ifndef OLDSOW_CLI_SARIF_H
#define OLDSOW_CLI_SARIF_H

#include <jansson.h>
#include <stdbool.h>

#include "../oldsow.h"

typedef struct Sarif {
    json_t *rules, *results;
    size_t errors, warnings; // found, though there be no results of all
} Sarif;

void sarif_begin(Sarif *sarif);
// Every message of a report as a result. `path` is the file that was checked: the place of messages
// that have none.
void sarif_add(Sarif *sarif, const char *path, const OldsowReport *report);
// The whole log, with one run and the rules that its results name. NULL if there is no memory.
// `complete` is false if it was stopped before all files were checked.
json_t *sarif_log(Sarif *sarif, int status, bool complete);

#endif
