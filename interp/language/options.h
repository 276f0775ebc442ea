// Options and readings: read from the script, settled for one game.
#ifndef OLDSOW_OPTIONS_H
#define OLDSOW_OPTIONS_H

#include "expand.h"

// Fills out->options with every option and the value chosen for it.
void settle_options(Expanded *out, const Script *script, Diags *diags, const OldsowLoading *how);
// The same as the public interface gives them.
const OldsowOption *public_options(Arena *arena, const Expanded *e);
const OldsowReading *public_readings(Arena *arena, const Script *script, size_t *count);
// Adds to a report of what is no value of the option the value that is most like it, and gives that; or, with NULL, says
// which there are.
const char *suggest_value(Diags *d, int report, const Option *o, const char *text);
// A value as text: a number or a name.
const char *value_text(Arena *arena, const Node *value);

#endif
