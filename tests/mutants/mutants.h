// Mutants: scripts with one mistake put in, and whether the mistake changes what they mean.
//
// Three kinds are made of a script that is fine:
//
// - a bracket is deleted: each `(`, `)`, `{`, `}` there is, where brackets side by side make the same text only once;
// - a word is misspelt: each name and key that holds a letter (operators and numbers are no words, nor is what stands in texts
//   and comments), in four ways: a letter dropped, doubled, changed round with the next, or replaced by its neighbour on the
//   keyboard. Which letter it is depends on the place, so that it is always the same;
// - two adjacent arguments are swapped: those of one form, a key together with what it has. No arguments of a form are its
//   head; what stands in the body of a form (statements, items of a script); elements where any number of the same kind may
//   stand ((and a b c), (path a1 b1), sets), and the two sides of `=` and `!=`; the parameters of a definition.
//
// A mutant that is accepted changes the meaning if its program is another, names aside. Two names of a choice that do not need each
// other, `choose side in: {left right} hole in: (front mover)`, make the same candidates in either order, with the same done for
// each: to exchange them changes in which order they are offered and written, and no rule.
#ifndef OLDSOW_MUTANTS_H
#define OLDSOW_MUTANTS_H

#include "grammar/arena.h"
#include "grammar/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum MutantKind { MUTANT_BRACKET, MUTANT_WORD, MUTANT_SWAP, MUTANT_KINDS } MutantKind;

typedef struct Mutant {
    MutantKind kind;
    const char *text;
    size_t size;
    uint32_t first_line, last_line; // the lines that were changed
    const uint32_t *partners;       // lines of the brackets that may be the deleted one's other
    size_t npartners;
    bool reordered;  // both are names of a choice that do not need each other
    Span swapped[2]; // where the two arguments stand in the script, if both are plain ones
} Mutant;

typedef VEC(Mutant) Mutants;

// All mutants of one kind. Each is one insertion, deletion or exchange: no line comes or goes.
Mutants make_mutants(Arena *arena, const Sources *sources, uint32_t file, MutantKind kind);

// The types that the checker finds the forms of a script, which is fine, to have: under the defaults, each reading and each value of
// each option. `path` is where it is read from.
typedef struct Types Types;
Types *find_types(Arena *arena, const char *path, const char *text, size_t size);
// Whether the forms at these places are values of one type, or both statements. An empty set is as any list, `unset` as whatever can be
// unset. Of a place that is not known there (a key, a name that is made there, a header) it is not so.
bool of_one_type(const Types *types, Span a, Span b);

// Do both texts, which are fine, mean the same: are their programs the same, but for names, under the defaults, each reading and
// each value of each option? `path` is where they are read from.
bool same_meaning(const char *path, const char *a, size_t na, const char *b, size_t nb);

#endif
