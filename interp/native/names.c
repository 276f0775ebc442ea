// C names for sites and kinds of pieces, for files that are to be read.
#include "names.h"

#include <string.h>

enum { NAME_MAX_BYTES = 48 };

static bool part_of_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What no C name may hold becomes `_`; a name that another one has already gets its number.
static const char *unlike(Arena *arena, const char *const *before, int n, const char *prefix,
                          const char *name) {
    char *made = arena_printf(arena, "%s_%.*s", prefix, NAME_MAX_BYTES, name ? name : "");
    for (char *c = made; *c; c++)
        if (!part_of_name(*c)) *c = '_';
    for (int i = 0; i < n; i++)
        if (strcmp(before[i], made) == 0) return arena_printf(arena, "%s__%d", made, n);
    return made;
}

void c_names_init(CNames *names, Arena *arena, const Program *p) {
    names->sites = arena_array(arena, (size_t)p->nsites + 1, sizeof *names->sites);
    names->kinds = arena_array(arena, (size_t)p->npieces + 1, sizeof *names->kinds);
    if (p->nsites > C_NAMES_MAX || p->npieces > C_NAMES_MAX) return;
    for (int i = 0; i < p->nsites; i++)
        names->sites[i] = unlike(arena, names->sites, i, "SITE", p->sites[i].name);
    for (int i = 0; i < p->npieces; i++)
        names->kinds[i] = unlike(arena, names->kinds, i, "KIND", p->pieces[i]);
}

static void write_names(FILE *out, const char *const *names, int n) {
    if (n == 0 || !names[0]) return;
    fputs("enum {", out);
    for (int i = 0; i < n; i++) fprintf(out, "%s%s,", i % 8 == 0 ? "\n    " : " ", names[i]);
    fputs("\n};\n", out);
}

void c_names_write(const CNames *names, FILE *out, const Program *p) {
    write_names(out, names->sites, p->nsites);
    write_names(out, names->kinds, p->npieces);
}
