// All words of the language: the core's ludemes, and the definitions of the libraries with their docs.
//
// Owner: a Lexicon owns its entries and all their texts until lexicon_free.
#ifndef OLDSOW_CLI_LEXICON_H
#define OLDSOW_CLI_LEXICON_H

#include "../../grammar/arena.h"
#include "../oldsow.h"

typedef struct Lexicon {
    Arena *arena;
    VEC(OldsowLudeme) words; // a group's words stand together
} Lexicon;

// NULL if there is no memory.
Lexicon *lexicon_new(void);
void lexicon_free(Lexicon *lexicon);

#endif
