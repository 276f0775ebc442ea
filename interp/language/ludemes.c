#include "ludemes.h"

#include <string.h>

const Ludeme ludemes[] = {
    {0},
#define LUDEME(id, name, group, form, signature, result, doc, example)                             \
    {name, group, form, signature, result, doc, example},
#include "ludemes.def"
#undef LUDEME
};

LudemeId ludeme_find(const char *name) {
    switch (name[0]) {
#include "by_letter.inc"
    default: break;
    }
    return L_UNKNOWN;
}
