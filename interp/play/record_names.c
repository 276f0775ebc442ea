// What the headers of a record name: the reading, the options and their values.
#include <string.h>

#include "record_scan.h"

static const char *listed(Arena *arena, const char *const *names, size_t n) {
    const char *list = "";
    for (size_t i = 0; i < n; i++)
        list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", names[i]);
    return list;
}

static bool among(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

// `what` they are, in the plural.
static void mend(Record *r, int d, const char *name, const char *const *names, size_t n,
                 const char *what) {
    const char *near = nearest_name(name, names, n);
    if (near)
        diag_meant(&r->diags, d, "%s", near);
    else if (n)
        diag_mend(&r->diags, d, "the %s are %s", what, listed(r->arena, names, n));
    else
        diag_mend(&r->diags, d, "the script has no %s", what);
}

static void check_reading(Record *r, const OldsowGame *game) {
    const RecordHeader *header = record_find_header(r, "Reading");
    size_t n = oldsow_readings(game);
    const char **names = arena_array(r->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) names[i] = oldsow_reading_at(game, i)->name;
    if (!header || among(header->value, names, n)) return;
    int d = diag_report(&r->diags, E_UNKNOWN_READING, header->span, header->value);
    mend(r, d, header->value, names, n, "readings");
}

static void check_setting(Record *r, const OldsowGame *game, size_t number) {
    const OldsowSetting *s = &r->settings.at[number];
    Span span = r->setting_spans.at[number];
    size_t n = oldsow_options(game);
    const char **names = arena_array(r->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        const OldsowOption *o = oldsow_option(game, i);
        names[i] = o->name;
        if (strcmp(o->name, s->option) != 0) continue;
        if (among(s->value, o->values, o->nvalues)) return;
        int d = diag_report(&r->diags, E_UNKNOWN_VALUE, span, s->value, o->name);
        const char *near = nearest_name(s->value, o->values, o->nvalues);
        if (near)
            diag_meant(&r->diags, d, "%s", near);
        else
            diag_mend(&r->diags, d, "its values are %s", listed(r->arena, o->values, o->nvalues));
        return;
    }
    int d = diag_report(&r->diags, E_UNKNOWN_OPTION, span, s->option);
    mend(r, d, s->option, names, n, "options");
}

bool record_names(Record *r, const OldsowGame *game, bool reading) {
    if (setjmp(*arena_oom(r->arena))) {
        r->diags.errors++;
        return false;
    }
    if (reading) check_reading(r, game);
    for (size_t i = 0; i < r->settings.n; i++) check_setting(r, game, i);
    return record_fine(r);
}
