// Mistakes put into every script of games/ and examples/, one at a time: how many of those that change the meaning are refused,
// and how many of these with a message that stands where the mistake is. What a mistake is, and what changes the meaning, is told in
// tests/mutants/mutants.h.
//
// A message is in its place if its primary place begins on a line that was changed; for a deleted bracket also if the primary
// place or a label is on the line of its other.
//
// Run from the root of the repository. A sample is tried, always the same; OLDSOW_MUTANTS=all tries all, =11 every eleventh.
// OLDSOW_SCRIPT names a single script; OLDSOW_SHOW=missed also shows what was accepted or told elsewhere, =many what gave more
// than one message.
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

typedef struct Tally {
    size_t mutants, changed, refused, placed, alone;
} Tally;

typedef struct Verdict {
    bool refused, placed, alone;
} Verdict;

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

static bool placed(const Shared *s, const Mutant *m, const Diag *d) {
    if (d->placeless || d->span.file != 0) return false;
    uint32_t line = line_of(s, d->span);
    if ((line >= m->first_line && line <= m->last_line) || partner(m, line)) return true;
    for (size_t i = 0; i < d->labels.n; i++)
        if (d->labels.at[i].span.file == 0 && partner(m, line_of(s, d->labels.at[i].span)))
            return true;
    return false;
}

static Verdict judge(const OldsowReport *report, const Mutant *m) {
    const Shared *s = report->shared;
    Verdict v = {.refused = s->diags.errors > 0, .alone = s->diags.errors == 1};
    for (size_t i = 0; i < s->diags.all.n; i++)
        if (s->diags.all.at[i].severity == SEVERITY_ERROR)
            v.placed = v.placed || placed(s, m, &s->diags.all.at[i]);
    return v;
}

static void show(const OldsowReport *report, const char *path, const Mutant *m, Verdict v) {
    const char *wanted = getenv("OLDSOW_SHOW");
    if (!wanted) return;
    bool missed = strcmp(wanted, "missed") == 0 && !v.placed;
    bool many = strcmp(wanted, "many") == 0 && v.refused && !v.alone;
    if (!missed && !many) return;
    printf("---- %s, %s:%u\n", kinds[m->kind], path, m->first_line);
    const char *line = m->text;
    for (uint32_t i = 1; i < m->first_line; i++) line = strchr(line, '\n') + 1;
    for (uint32_t i = m->first_line; i <= m->last_line && i < m->first_line + 4; i++) {
        size_t n = strcspn(line, "\n");
        printf("%5u | %.*s\n", i, (int)n, line);
        line += n + (line[n] == '\n');
    }
    if (!v.refused) printf("accepted\n");
    oldsow_report_print(report, stdout, false);
}

static void try_one(const char *path, const Source *whole, const Mutant *m, Tally *t) {
    OldsowReport *report;
    oldsow_check_text(path, m->text, m->size, &report);
    assert_non_null(report);
    Verdict v = judge(report, m);
    t->mutants++;
    if (v.refused || !same_meaning(path, whole->text, whole->size, m->text, m->size)) {
        t->changed++;
        t->refused += v.refused;
        t->placed += v.placed;
        t->alone += v.alone;
        show(report, path, m, v);
    }
    oldsow_report_free(report);
}

// Tries every so manieth mutant; `*skip` are left out before the first.
static void try_script(const char *path, MutantKind kind, size_t every, size_t *skip, Tally *t) {
    Arena *arena = arena_new(1 << 30);
    assert_non_null(arena);
    Sources sources;
    sources_init(&sources, arena);
    uint32_t file, where;
    assert_int_equal(sources_read(&sources, path, &file, &where), SOURCE_OK);
    Mutants all = make_mutants(arena, &sources, file, kind);
    const Source *whole = source_of(&sources, (Span){.file = file});
    size_t i = *skip;
    for (; i < all.n; i += every) try_one(path, whole, &all.at[i], t);
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

static void measure(MutantKind kind, double at_least) {
    static char paths[SCRIPTS_MAX][PATH_SIZE];
    size_t n = find_scripts(paths), skip = 0;
    const char *which = getenv("OLDSOW_MUTANTS"), *only = getenv("OLDSOW_SCRIPT");
    long given = which ? strtol(which, NULL, 10) : 0;
    size_t every = which && strcmp(which, "all") == 0 ? 1 : given > 0 ? (size_t)given : EVERY;
    Tally t = {0};
    for (size_t i = 0; i < n; i++)
        if (!only || strcmp(only, paths[i]) == 0) try_script(paths[i], kind, every, &skip, &t);
    printf("%-18s %6zu mutants, %6zu change the meaning; of these refused %.2f %%, "
           "in its place %.2f %%, with one message %.2f %%\n",
           kinds[kind], t.mutants, t.changed, percent(t.refused, t.changed),
           percent(t.placed, t.changed), percent(t.alone, t.changed));
    if (!only && percent(t.placed, t.changed) < at_least)
        fail_msg("%s: less than %.1f %% are told in their place", kinds[kind], at_least);
}

static void brackets(void **unused) {
    (void)unused;
    measure(MUTANT_BRACKET, 98.5);
}

static void words(void **unused) {
    (void)unused;
    measure(MUTANT_WORD, 97);
}

static void arguments(void **unused) {
    (void)unused;
    measure(MUTANT_SWAP, 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets),
        cmocka_unit_test(words),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
