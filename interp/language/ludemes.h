// The core ludemes as data; made from ludemes.def.
#ifndef OLDSOW_LUDEMES_H
#define OLDSOW_LUDEMES_H

#include <stdbool.h>

typedef enum LudemeId {
    L_UNKNOWN,
#define LUDEME(id, name, group, form, signature, result, doc, example) L_##id,
#include "ludemes.def"
#undef LUDEME
    LUDEMES,
    // What the expander and the checker write into Node.ludeme beside the core ludemes.
    L_LOCAL = LUDEMES, // a name made by let, for, choose...: ref is its number
    L_CHOSEN,          // the value of an option put in its place: ref is the option's number
    L_SYMBOL,          // a piece of equipment: ref is its symbol, a list has arguments for it
    L_YES,
    L_NO,
    L_UNSET_VALUE,
} LudemeId;

typedef enum LudemeGroup { EQUIPMENT, DOING, ASKING } LudemeGroup;
typedef enum LudemeForm { CALL, FAMILY, FORM } LudemeForm;

typedef struct Ludeme {
    const char *name;
    LudemeGroup group;
    LudemeForm form;
    const char *signature, *result, *doc, *example;
} Ludeme;

extern const Ludeme ludemes[]; // indexed by LudemeId

// By name; L_UNKNOWN if there is none.
LudemeId ludeme_find(const char *name);
// Whether it makes a number of numbers alone: + - * / mod min max abs.
bool ludeme_reckons(LudemeId id);

#endif
