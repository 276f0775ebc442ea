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
    for (int i = 1; i < LUDEMES; i++)
        if (ludemes[i].name[0] == name[0] && strcmp(ludemes[i].name, name) == 0) return (LudemeId)i;
    return L_UNKNOWN;
}
