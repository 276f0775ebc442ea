// Mistakes put into every script of games/ and examples/, one at a time: how many of those that change the meaning are refused,
// and how many of these with a message that stands where the mistake is. What a mistake is, and what changes the meaning, is told in
// tests/mutants/mutants.h.
//
// A message is in its place if its primary place begins on a line that was changed; for a deleted bracket also if the primary
// place or a label is on the line of its other. The first message is the one printed first, that of an error furthest up. It
// points at the mistake if it is in its place or one of its labels begins on a line that was changed.
//
// Run from the root of the repository. A sample is tried, always the same; OLDSOW_MUTANTS=all tries all, =11 every eleventh.
// OLDSOW_SCRIPT names a single script; OLDSOW_SHOW=missed also shows what was accepted or told first elsewhere, =many what gave more
// than one message, =accepted what was not refused. OLDSOW_KIND=brackets, words or arguments tries one kind alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/game.h"
#include "tests/mutants/mutants.h"

enum { SCRIPTS_MAX = 200, PATH_SIZE = 300 };

#if defined __SANITIZE_ADDRESS__
enum { EVERY = 499 };
#else
enum { EVERY = 7 };
#endif

typedef struct Verdict {
    bool refused;
    bool first;    // the first message is in its place
    bool pointing; // the first message points at the mistake
    bool any;      // one of the messages is in its place
    bool alone;    // there is one message
    bool warned;   // accepted, with a warning in its place
} Verdict;

typedef struct Tally {
    size_t mutants, changed, refused, first, pointing, any, alone, warned;
} Tally;

// How much of each group there is. Swapped arguments are grouped by whether their types, as the checker finds them in the script that is
// fine, differ; all else is one group.
enum { DIFFERENT, ALIKE, GROUPS };

static const char *const kinds[MUTANT_KINDS] = {"bracket deleted", "word misspelt",
                                                "arguments swapped"};

static bool partner(const Mutant *m, uint32_t line) {
    for (size_t i = 0; i < m->npartners; i++)
        if (m->partners[i] == line) return true;
    return false;
}

static uint32_t line_of(const Shared *s, Span span) {
    return source_place(source_of(&s->sources, span), span.start).line;
}

static bool on_changed_line(const Shared *s, const Mutant *m, Span span) {
    uint32_t line = line_of(s, span);
    return span.file == 0 && line >= m->first_line && line <= m->last_line;
}

static bool placed(const Shared *s, const Mutant *m, const Diag *d) {
    if (d->placeless || d->span.file != 0) return false;
    if (on_changed_line(s, m, d->span) || partner(m, line_of(s, d->span))) return true;
    for (size_t i = 0; i < d->labels.n; i++)
        if (d->labels.at[i].span.file == 0 && partner(m, line_of(s, d->labels.at[i].span)))
            return true;
    return false;
}

static bool labelled(const Shared *s, const Mutant *m, const Diag *d) {
    for (size_t i = 0; i < d->labels.n; i++)
        if (on_changed_line(s, m, d->labels.at[i].span)) return true;
    return false;
}

static bool printed_before(const Diag *a, const Diag *b) {
    if (a->placeless || b->placeless) return a->placeless && !b->placeless;
    if (a->span.file != b->span.file) return a->span.file < b->span.file;
    return a->span.start < b->span.start;
}

static Verdict judge(const OldsowReport *report, const Mutant *m) {
    const Shared *s = report->shared;
    Verdict v = {.refused = s->diags.errors > 0, .alone = s->diags.errors == 1};
    const Diag *first = NULL;
    for (size_t i = 0; i < s->diags.all.n; i++) {
        const Diag *d = &s->diags.all.at[i];
        if (d->severity != SEVERITY_ERROR) {
            v.warned = v.warned || (!v.refused && placed(s, m, d));
            continue;
        }
        v.any = v.any || placed(s, m, d);
        if (!first || printed_before(d, first)) first = d;
    }
    v.first = first && placed(s, m, first);
    v.pointing = v.first || (first && labelled(s, m, first));
    return v;
}

static void show(const OldsowReport *report, const char *path, const Mutant *m, Verdict v,
                 bool alike) {
    const char *wanted = getenv("OLDSOW_SHOW");
    if (!wanted) return;
    bool missed = strcmp(wanted, "missed") == 0 && !v.first && !v.warned;
    bool many = strcmp(wanted, "many") == 0 && v.refused && !v.alone;
    bool accepted = strcmp(wanted, "accepted") == 0 && !v.refused;
    if (!missed && !many && !accepted) return;
    printf("---- %s, %s:%u\n", kinds[m->kind], path, m->first_line);
    const char *line = m->text;
    for (uint32_t i = 1; i < m->first_line; i++) line = strchr(line, '\n') + 1;
    for (uint32_t i = m->first_line; i <= m->last_line && i < m->first_line + 4; i++) {
        size_t n = strcspn(line, "\n");
        printf("%5u | %.*s\n", i, (int)n, line);
        line += n + (line[n] == '\n');
    }
    if (!v.refused) printf("accepted%s\n", alike ? ": both are of one type" : "");
    oldsow_report_print(report, stdout, false);
}

static void try_one(const char *path, const Source *whole, const Mutant *m, const Types *types,
                    Tally *tallies) {
    OldsowReport *report;
    oldsow_check_text(path, m->text, m->size, &report);
    assert_non_null(report);
    Verdict v = judge(report, m);
    bool alike = types && of_one_type(types, m->swapped[0], m->swapped[1]);
    Tally *t = &tallies[alike ? ALIKE : DIFFERENT];
    t->mutants++;
    bool same = !v.refused &&
                (m->reordered || same_meaning(path, whole->text, whole->size, m->text, m->size));
    if (!same) {
        t->changed++;
        t->refused += v.refused;
        t->first += v.first;
        t->pointing += v.pointing;
        t->any += v.any;
        t->alone += v.alone;
        t->warned += v.warned;
        show(report, path, m, v, alike);
    }
    oldsow_report_free(report);
}

// Tries every so manieth mutant; `*skip` are left out before the first.
static void try_script(const char *path, MutantKind kind, size_t every, size_t *skip,
                       Tally *tallies) {
    Arena *arena = arena_new(1 << 30);
    assert_non_null(arena);
    Sources sources;
    sources_init(&sources, arena);
    uint32_t file, where;
    assert_int_equal(sources_read(&sources, path, &file, &where), SOURCE_OK);
    Mutants all = make_mutants(arena, &sources, file, kind);
    const Source *whole = source_of(&sources, (Span){.file = file});
    const Types *types =
        kind == MUTANT_SWAP ? find_types(arena, path, whole->text, whole->size) : NULL;
    size_t i = *skip;
    for (; i < all.n; i += every) try_one(path, whole, &all.at[i], types, tallies);
    *skip = i - all.n;
    arena_free(arena);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static size_t find_scripts(char (*paths)[PATH_SIZE]) {
    static const char *const folders[] = {"games", "examples"};
    size_t n = 0;
    for (size_t f = 0; f < 2; f++) {
        DIR *dir = opendir(folders[f]);
        assert_non_null(dir);
        for (struct dirent *entry; (entry = readdir(dir));) {
            const char *dot = strrchr(entry->d_name, '.');
            if (!dot || strcmp(dot, ".sow") != 0) continue;
            assert_true(n < SCRIPTS_MAX);
            snprintf(paths[n++], PATH_SIZE, "%s/%.200s", folders[f], entry->d_name);
        }
        closedir(dir);
    }
    qsort(paths, n, PATH_SIZE, by_name);
    return n;
}

static double percent(size_t part, size_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static Tally both(const Tally *a, const Tally *b) {
    return (Tally){a->mutants + b->mutants, a->changed + b->changed,   a->refused + b->refused,
                   a->first + b->first,     a->pointing + b->pointing, a->any + b->any,
                   a->alone + b->alone,     a->warned + b->warned};
}

static void tell(const char *what, const Tally *t) {
    printf("%-18s %6zu mutants, %6zu change the meaning; of these refused %.2f %%, first message "
           "in its place %.2f %%, pointing there %.2f %%, any message in its place %.2f %%, "
           "with one message %.2f %%",
           what, t->mutants, t->changed, percent(t->refused, t->changed),
           percent(t->first, t->changed), percent(t->pointing, t->changed),
           percent(t->any, t->changed), percent(t->alone, t->changed));
    if (t->warned)
        printf("; refused or warned of in its place %.2f %%",
               percent(t->first + t->warned, t->changed));
    printf("\n");
}

// Of a small sample a few may always miss.
static bool below(size_t part, size_t whole, double floor) {
    enum { ALLOWED = 2 };
    return whole - part > ALLOWED && percent(part, whole) < floor;
}

// `first`, `alone`: how many of a hundred must at least be told first in their place, and with one message.
static void hold(const char *what, const Tally *t, double first, double alone) {
    if (below(t->first, t->changed, first))
        fail_msg("%s: less than %.1f %% are told first in their place", what, first);
    if (below(t->alone, t->changed, alone))
        fail_msg("%s: less than %.1f %% have one message", what, alone);
}

// What all scripts gave so far, and from how many kinds.
typedef struct Together {
    Tally all;
    int kinds;
} Together;

// False if what was measured is not the whole.
static bool measure(MutantKind kind, Tally *tallies, Together *together) {
    static char paths[SCRIPTS_MAX][PATH_SIZE];
    size_t n = find_scripts(paths), skip = 0;
    const char *which = getenv("OLDSOW_MUTANTS"), *only = getenv("OLDSOW_SCRIPT");
    long given = which ? strtol(which, NULL, 10) : 0;
    size_t every = which && strcmp(which, "all") == 0 ? 1 : given > 0 ? (size_t)given : EVERY;
    for (size_t i = 0; i < n; i++)
        if (!only || strcmp(only, paths[i]) == 0) try_script(paths[i], kind, every, &skip, tallies);
    Tally all = both(&tallies[DIFFERENT], &tallies[ALIKE]);
    tell(kinds[kind], &all);
    together->all = both(&together->all, &all);
    together->kinds++;
    return !only;
}

static void brackets(void **together) {
    Tally t[GROUPS] = {{0}};
    if (measure(MUTANT_BRACKET, t, *together)) hold(kinds[MUTANT_BRACKET], t, 99.5, 99.5);
}

static void words(void **together) {
    Tally t[GROUPS] = {{0}};
    if (measure(MUTANT_WORD, t, *together)) hold(kinds[MUTANT_WORD], t, 99.3, 99);
}

static void arguments(void **together) {
    Tally t[GROUPS] = {{0}};
    bool whole = measure(MUTANT_SWAP, t, *together);
    tell("  of two types", &t[DIFFERENT]);
    tell("  of one type", &t[ALIKE]);
    if (!whole) return;
    hold("arguments of two types swapped", &t[DIFFERENT], 99, 99);
    // Of one type: most have keys, or an order that the language demands. What is left are comparisons of two things that change,
    // which no checker can refuse.
    Tally all = both(&t[DIFFERENT], &t[ALIKE]);
    hold("arguments swapped", &all, 99, 99);
}

static void mistakes_together(void **together) {
    const Together *t = *together;
    if (t->kinds < MUTANT_KINDS) skip();
    tell("all of them", &t->all);
    hold("all mistakes", &t->all, 99, 99);
}

int main(void) {
    Together together = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(brackets, &together),
        cmocka_unit_test_prestate(words, &together),
        cmocka_unit_test_prestate(arguments, &together),
        cmocka_unit_test_prestate(mistakes_together, &together),
    };
    const char *kind = getenv("OLDSOW_KIND");
    if (kind) cmocka_set_test_filter(kind);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
