// What improve_kept.c and improve_rules.c share. Private to them.
#ifndef OLDSOW_IMPROVE_KEPT_H
#define OLDSOW_IMPROVE_KEPT_H

#include "improve_asked.h"

enum {
    PLACES = 64,
    RULES = 24, // of a kind
};

// What is needed of one ground in one class: the elements that need a place to be so.
typedef struct Wants {
    uint64_t by[2][PLACES]; // bare; with something there
} Wants;

typedef enum RuleKind { FOR_ALL, BY_FIRST, BY_SITE, KINDS_OF_RULES } RuleKind;

typedef struct Keep {
    const Search *s;
    const Needs *needs;
    Arena *room;
    const KeptOrder *order;
    AskedRule rules[KINDS_OF_RULES][RULES];
    int n[KINDS_OF_RULES], cost; // of the class in hand; of all
    bool fits;
} Keep;

// ---- improve_rules.c
bool is_needed(const Wants *w);
// What is needed of a ground in a class, in whatever way takes least: what that takes is added to the cost, and if
// `adds`, rules or a table to the class.
void write_wants(Keep *k, const Wants *w, int ground, AskedClass *class, bool adds);
// The rules of the class in hand, which ask the grounds `kept`, a bit each.
void write_rules(Keep *k, AskedClass *to, unsigned kept);

#endif
