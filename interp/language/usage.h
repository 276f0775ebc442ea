// Names that nothing uses. Gathered over all readings and options of a script, since what one leaves out another needs.
//
// Owner: the arena given to usage_new.
#ifndef OLDSOW_USAGE_H
#define OLDSOW_USAGE_H

#include "expand.h"

typedef struct Usage Usage;

// From now on the script's items and names are watched.
Usage *usage_new(Arena *arena, Script *script);
// An item of that name is read; does nothing while nobody watches.
void usage_mark(const Script *script, const char *name);
// A variable of that name is set; in the same way.
void usage_set(const Script *script, const char *name);
bool usage_marked(const Script *script, const char *name);
void usage_restore(const Script *script, const char *name, bool marked);
// Takes note of the names made by let in one expansion.
void usage_lets(const Script *script, const Expanded *e);
// Warns of what was never used; libraries excepted.
void usage_report(const Script *script, Diags *diags);

#endif
