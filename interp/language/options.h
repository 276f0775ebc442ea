// Options and readings: read from the script, settled for one game.
#ifndef OLDSOW_OPTIONS_H
#define OLDSOW_OPTIONS_H

#include "expand.h"

// Fills out->options with every option and the value chosen for it.
void settle_options(Expanded *out, const Script *script, Diags *diags, const OldsowLoading *how);
// The same as the public interface gives them.
const OldsowOption *public_options(Arena *arena, const Expanded *e);
const OldsowReading *public_readings(Arena *arena, const Script *script, size_t *count);
// A value as text: a number or a name.
const char *value_text(Arena *arena, const Node *value);

#endif
