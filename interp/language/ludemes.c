#include "ludemes.h"

#include <string.h>

const Ludeme ludemes[] = {
    {0},
#define LUDEME(id, name, group, form, signature, result, doc, example)                             \
    {name, group, form, signature, result, doc, example},
#include "ludemes.def"
#undef LUDEME
};

bool ludeme_reckons(LudemeId id) {
    switch ((int)id) {
    case L_ADD:
    case L_SUB:
    case L_MUL:
    case L_DIV:
    case L_MOD:
    case L_MIN:
    case L_MAX:
    case L_ABS: return true;
    default: return false;
    }
}

LudemeId ludeme_find(const char *name) {
    switch (name[0]) {
#include "by_letter.inc"
    default: break;
    }
    return L_UNKNOWN;
}
