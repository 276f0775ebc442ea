// What people write who have another language in their hands, and what it is called here (foreign.def).
//
// Nothing here owns anything: the texts live in the program, those made in the arena given.
#ifndef OLDSOW_FOREIGN_H
#define OLDSOW_FOREIGN_H

#include "../../grammar/ast.h"
#include "ludemes.h"

typedef enum ForeignPlace { FOREIGN_HEAD, FOREIGN_ITEM, FOREIGN_VALUE } ForeignPlace;

// The mend for a word of another language at such a place, or NULL. How it is written, in capitals or with underscores,
// does not matter.
const char *foreign_mend(const char *word, ForeignPlace place);

// A key that the ludeme does not have: what it is called there (*ours), or else what to do (*mend). False: who knows.
bool foreign_key(const char *ludeme, const char *key, const char **ours, const char **mend);

// The name in letters of ASCII, small ones: what it is meant to be where only its letters are wrong.
const char *plain_spelling(Arena *arena, const char *name);

// Whether it is a sign that stands in front of what it is about: =, +, and, ...
bool is_operator(const Node *n);
// The form in a few words: `(count ...)`, `a1..e1`.
const char *short_text(Arena *arena, const Node *n);
// An operator that stands between what it is about: its place among the kids, or 0. *mend is how it is written.
uint32_t find_infix(Arena *arena, const Node *n, const char **mend);

// Tells of a form written NAME(...): its bracket behind its name. The two become faults.
void mend_calls(Diags *diags, Node *form);

// What the text is if it is no script, as a sentence, or NULL; *mend is what to do about it.
const char *foreign_file(const char *text, size_t size, const char **mend);

#endif
