// Two arguments of a form that stand in each other's place.
//
// Whoever finds that all is well once they are exchanged says so here, once, and goes on with the form as it was meant.
#ifndef OLDSOW_SWAPPED_H
#define OLDSOW_SWAPPED_H

#include "script.h"

// An argument of a form: the first of its kids and how many (a key has its values with it).
typedef struct Argument {
    uint32_t at, n;
} Argument;

// The argument that begins with kid `at`: one kid, or a key with all that follows it up to the next key if `greedy`, else
// with one value.
Argument argument_at(const Node *form, uint32_t at, bool greedy);

// Reports it; `why` says what belongs where: "`put` takes a number, then a kind of piece". `a` stands before `b`.
int report_swapped(Diags *d, const Script *script, const Node *form, Argument a, Argument b,
                   const char *why);
// The same form with the two exchanged; the kids themselves are not copied.
Node *exchanged(Arena *arena, const Node *form, Argument a, Argument b);

// What is said of an `if`, `when` or `while`.
extern const char condition_order[];

#endif
