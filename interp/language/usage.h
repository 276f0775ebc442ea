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
// Takes note of the names made by let and choose in one expansion.
void usage_lets(const Script *script, const Expanded *e);
// What seems wrong, unless it seems right elsewhere: under another reading or value of an option, or where else the same
// definition is put in place.
typedef struct Suspicion {
    DiagCode code;
    Span span;
    const char *words[3]; // of the message
    Span other;           // with `label`, if there is one
    const char *label, *note, *mend;
    bool refuted;
} Suspicion;

// Something was looked at: whether the suspicion holds there. What is said of it is copied.
void usage_suspect(const Script *script, Suspicion s, bool holds);
// Whether the tree names it anywhere, but as a key.
bool mentions(const Node *n, const char *name);
// Warns of what was never used and of suspicions that were never refuted; libraries excepted.
void usage_report(const Script *script, Diags *diags);

#endif
