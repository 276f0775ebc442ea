#include "diag.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct DiagInfo {
    const char *number;
    Severity severity;
    const char *format;
} infos[] = {
#define DIAG(name, number, severity, message) [name] = {number, severity, message},
#include "diagnostics.def"
#undef DIAG
};

const char *diag_number(DiagCode code) {
    assert(code < DIAG_CODES);
    return infos[code].number;
}

void diags_init(Diags *d, Arena *arena) { *d = (Diags){.arena = arena}; }

// ---- Collecting ----

bool diags_full(const Diags *d) { return d->all.n >= (d->limit ? d->limit : DIAG_DEFAULT_LIMIT); }

bool diags_many(const Diags *d) { return diags_full(d) || d->all.n >= DIAG_SHOWN; }

static bool told_once(DiagCode code) {
    switch (code) {
    case E_UNKNOWN_LUDEME:
    case E_UNKNOWN_NAME:
    case E_UNKNOWN_OPTION:
    case E_UNKNOWN_VALUE:
    case E_UNKNOWN_SITE:
    case E_BEYOND:
    case E_LACKS:
    case E_LATER:
    case E_WHOSE:
    case W_BEYOND_PLACES: return true;
    default: return false;
    }
}

// Another setting of the options only says the same of other sites.
static bool told_once_a_place(DiagCode code) { return code == W_TRACK_JUMPS; }

// The same at another place.
static void add_place(Diags *d, int i, Span span) {
    enum { LABELLED = 2, PLACES_MAX = 1000 };
    Diag *diag = &d->all.at[i];
    for (size_t k = 0; k < diag->more.n; k++)
        if (same_span(diag->more.at[k], span)) return;
    if (diag->more.n >= PLACES_MAX) return;
    vec_push(d->arena, &diag->more, span);
    if (span.file == diag->span.file && span.start < diag->span.start) {
        Span later = diag->span;
        diag->span = span;
        span = diag->more.at[diag->more.n - 1] = later;
    }
    if (diag->more.n <= LABELLED) {
        diag_label(d, i, span, "here too");
        return;
    }
    size_t more = diag->more.n - LABELLED;
    if (more > 1) diag->notes.n--;
    diag_note(d, i, "and at %zu more place%s", more, more == 1 ? "" : "s");
}

void diag_elsewhere(Diags *d, int i, Span span) {
    if (i >= 0 && (size_t)i < d->all.n && !same_span(d->all.at[i].span, span))
        add_place(d, i, span);
}

static int keep(Diags *d, Diag diag, va_list args) {
    assert(diag.code < DIAG_CODES);
    diag.severity = infos[diag.code].severity;
    size_t *tally = diag.severity == SEVERITY_ERROR ? &d->errors : &d->warnings;
    if (diags_full(d)) {
        ++*tally;
        return -1;
    }
    diag.message = arena_vprintf(d->arena, infos[diag.code].format, args);
    for (size_t i = 0; i < d->all.n; i++) {
        const Diag *other = &d->all.at[i];
        if (other->code != diag.code || other->placeless != diag.placeless) continue;
        bool here = same_span(other->span, diag.span);
        if (here && told_once_a_place(diag.code)) return -1;
        if ((!here && !told_once(diag.code)) || strcmp(other->message, diag.message) != 0) continue;
        if (!here) add_place(d, (int)i, diag.span);
        return -1;
    }
    ++*tally;
    vec_push(d->arena, &d->all, diag);
    return (int)(d->all.n - 1);
}

int diag_vreport(Diags *d, DiagCode code, Span span, va_list args) {
    return keep(d, (Diag){.code = code, .span = span}, args);
}

int diag_report(Diags *d, DiagCode code, Span span, ...) {
    va_list args;
    va_start(args, span);
    int i = diag_vreport(d, code, span, args);
    va_end(args);
    return i;
}

int diag_report_placeless(Diags *d, DiagCode code, ...) {
    va_list args;
    va_start(args, code);
    int i = keep(d, (Diag){.code = code, .placeless = true}, args);
    va_end(args);
    return i;
}

void diag_label(Diags *d, int i, Span span, const char *format, ...) {
    if (i < 0) return;
    va_list args;
    va_start(args, format);
    DiagLabel label = {span, arena_vprintf(d->arena, format, args)};
    va_end(args);
    vec_push(d->arena, &d->all.at[i].labels, label);
}

void diag_note(Diags *d, int i, const char *format, ...) {
    if (i < 0) return;
    va_list args;
    va_start(args, format);
    const char *note = arena_vprintf(d->arena, format, args);
    va_end(args);
    vec_push(d->arena, &d->all.at[i].notes, note);
}

void diag_mend(Diags *d, int i, const char *format, ...) {
    if (i < 0) return;
    va_list args;
    va_start(args, format);
    d->all.at[i].mend = arena_vprintf(d->arena, format, args);
    va_end(args);
}

void diag_meant(Diags *d, int i, const char *format, ...) {
    if (i < 0) return;
    va_list args;
    va_start(args, format);
    const char *meant = arena_vprintf(d->arena, format, args);
    va_end(args);
    d->all.at[i].meant = meant;
    diag_mend(d, i, "did you mean `%s`?", meant);
}

// ---- In order ----

int diags_compare(const void *a, const void *b) {
    const Diag *x = *(const Diag *const *)a, *y = *(const Diag *const *)b;
    if (x->placeless != y->placeless) return x->placeless ? -1 : 1;
    if (!x->placeless) {
        if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
        if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
    }
    return x < y ? -1 : x > y; // in the order in which they were reported
}

void diags_sort(Diags *d) {
    if (d->all.n < 2) return;
    const Diag **order = arena_array(d->arena, d->all.n, sizeof *order);
    for (size_t i = 0; i < d->all.n; i++) order[i] = &d->all.at[i];
    qsort(order, d->all.n, sizeof *order, diags_compare);
    Diag *sorted = arena_array(d->arena, d->all.n, sizeof *sorted);
    for (size_t i = 0; i < d->all.n; i++) sorted[i] = *order[i];
    memcpy(d->all.at, sorted, d->all.n * sizeof *sorted);
}
