// A position in words: how it ended, who decides, what may be chosen. Records and messages use the
// same words.
//
// Owner: nothing is kept; texts go to the stream that is given.
#ifndef OLDSOW_WORDS_H
#define OLDSOW_WORDS_H

#include "../oldsow.h"

enum {
    WORDS_CANDIDATES = 20, // named at most in a message
    WORDS_NAME_MAX = 2 * OLDSOW_NAME_MAX + 2,
};

// "South wins", "South and East win", "draw", "One loses", "over" (the rules say nothing),
// "unfinished", "endless" and "fault" (the script failed).
void words_result(const OldsowGame *game, const OldsowState *state, FILE *out);
// "a1, b1, c1" or, for throws, "0:, 1:, 2:"; past `limit` names "and 5 more".
void words_candidates(const OldsowState *state, size_t limit, FILE *out);
// A name as a record writes it: as it is, or in quotes if it would be read as something else.
// `buffer` takes WORDS_NAME_MAX bytes; the name is shorter than OLDSOW_NAME_MAX.
const char *words_name(const char *name, char *buffer);

#endif
