// Which of two spellings of a name is the likelier one?
#ifndef OLDSOW_SPELLING_H
#define OLDSOW_SPELLING_H

#include "script.h"

// A name, and how often it stands in the script where it is in question.
typedef struct Spelling {
    const char *name;
    size_t count;
} Spelling;

// How much likelier it is that `a` is spelt rightly and `b` is not than the reverse; below 0: it is `b`. A name is
// likely that stands elsewhere too, or whose parts are words: common ones, those of the libraries and of what the
// language is told with, those of the script's other names, texts and comments. Of other parts, the one is likelier that
// runs as those words do, letter by letter.
long spelling_odds(Arena *arena, const Script *script, Spelling a, Spelling b);
// Is one a form of the other: `seeds` of `seed`?
bool forms_of_a_word(const char *a, const char *b);
// Whether one slip makes one name of the other: a letter left out, put in, replaced, or changed round with the next; in long names
// two.
bool one_slip(const char *a, const char *b);

extern const char *const spelling_words[]; // common ones, some in each text; NULL ends them

#endif
