// The layout of scripts: where lines are broken, what becomes of comments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/layout.h"
#include "interp/language/manners.h"

enum { BUDGET = 512 << 20 };

// The layout of a text, to be freed; NULL if it has faults.
static char *lay_out(const char *text, size_t size, size_t *laid_out) {
    Arena *arena = arena_new(BUDGET);
    assert_non_null(arena);
    if (setjmp(*arena_oom(arena))) fail();
    Sources sources;
    Diags diags;
    uint32_t file, where;
    sources_init(&sources, arena);
    diags_init(&diags, arena);
    assert_int_equal(sources_add(&sources, "t.sow", text, size, &file, &where), SOURCE_OK);
    LayoutWords words = layout_manners(arena);
    const char *found = layout_source(arena, &sources, file, &words, &diags, laid_out);
    assert_int_equal(found == NULL, diags.errors > 0);
    char *kept = found ? malloc(*laid_out + 1) : NULL;
    if (found) memcpy(kept, found, *laid_out + 1);
    arena_free(arena);
    return kept;
}

// The text becomes this, and this stays as it is.
static void becomes(const char *text, const char *wanted) {
    size_t size;
    char *once = lay_out(text, strlen(text), &size);
    assert_non_null(once);
    assert_string_equal(once, wanted);
    char *twice = lay_out(once, size, &size);
    assert_string_equal(twice, wanted);
    free(once);
    free(twice);
}

static void stays(const char *text) { becomes(text, text); }

static void test_short(void **state) {
    (void)state;
    becomes(" ( put   3\tseed\n on:\n  a1 ) ", "(put 3 seed on: a1)\n");
    becomes("(a)(b)", "(a)\n(b)\n");
}

static void test_ranges(void **state) {
    (void)state;
    becomes("(f a1 .. e1 1..( count hole ) { b1 ..b5 c } x: 1 .. 2)",
            "(f a1..e1 1..(count hole) {b1..b5 c} x: 1..2)\n");
}

static void test_whole(void **state) {
    (void)state;
    becomes("(game \"G\" (store) (piece seed)\n\n\n\n(play (win A)))\n\n\n",
            "(game \"G\"\n  (store)\n  (piece seed)\n\n  (play (win A)))\n");
}

static void test_body(void **state) {
    (void)state;
    // Short and on one line it stays there; broken by its author it stays broken.
    stays("(for p in: players (put 1 (man p) on: a1))\n");
    stays("(for p in: players\n  (put 1 (man p) on: a1))\n");
    becomes("(for p\n  in: players (put 1 (man p) on: a1))\n",
            "(for p in: players (put 1 (man p) on: a1))\n");
    becomes("(if (empty a1) (move all from: board to: (store opponent)) "
            "else: (move all from: board to: (store (first-of mover))))",
            "(if (empty a1)\n"
            "  (move all from: board to: (store opponent))\n"
            "  else: (move all from: board to: (store (first-of mover))))\n");
    becomes("(repeat (set n 1)\nuntil: (= n 1) limit: 5)",
            "(repeat\n  (set n 1)\n  until: (= n 1) limit: 5)\n");
    becomes("(turns all-pass: (draw)\n(go))", "(turns all-pass: (draw)\n  (go))\n");
}

static void test_choose(void **state) {
    (void)state;
    becomes("(choose from in: board where: (occupied from of: (man mover)) to in: board where: "
            "(can-step from to) else: (pass) (hop from to))",
            "(choose from in: board where: (occupied from of: (man mover))\n"
            "        to in: board where: (can-step from to)\n"
            "  else: (pass)\n"
            "  (hop from to))\n");
    stays("(choose hole in: board where: (occupied hole)\n  else: (pass)\n  (sow hole along: "
          "ring))\n");
}

static void test_calls(void **state) {
    (void)state;
    becomes("(and\n  (a)\n  (b))\n", "(and (a) (b))\n");
    becomes("(and (some-thing-long-enough first-argument second-argument) "
            "(another-thing also-long enough-to-break) (c))",
            "(and (some-thing-long-enough first-argument second-argument)\n"
            "     (another-thing also-long enough-to-break) (c))\n");
    becomes(
        "(let end (relay-sow hole along: (circuit mover) "
        "skip: (site) (or (closed site) (= site hole) (in site (far-side mover))) limit: 1000))",
        "(let end (relay-sow hole along: (circuit mover)\n"
        "           skip: (site) (or (closed site) (= site hole) (in site (far-side mover))) "
        "limit: 1000))\n");
}

// What stands behind a key with parameters goes with it, if the definition says so.
static void test_programs(void **state) {
    (void)state;
#define SUM "(+ 11 12 13 14 15 16 17 18 19 20 21 22 23 24)"
    becomes("(define (each-one area with: (hole)) (do))\n"
            "(each-one board with: (hole) (set filled-by-whom (do-so " SUM ")))",
            "(define (each-one area with: (hole)) (do))\n"
            "(each-one board\n"
            "  with: (hole) (set filled-by-whom (do-so " SUM ")))\n");
    becomes("(define (each-one area with: hole) (do))\n"
            "(each-one board with: (hole) (set filled-by-whom (do-so " SUM ")))",
            "(define (each-one area with: hole) (do))\n"
            "(each-one board with: (hole)\n"
            "  (set filled-by-whom (do-so " SUM ")))\n");
#undef SUM
}

static void test_equipment(void **state) {
    (void)state;
    stays("(lane way\n  South: f2..j2 j3..f3\n  North: (half-turn (way South)))\n");
    stays("(track ring South: (loop (row 1) (store South))\n            North: (loop (row 1)))\n");
    stays("(option columns {8 9 10} default: 8\n  \"The holes in a row.\")\n");
    becomes(
        "(board (squares rows: 7 columns: 7 gaps: {a1 b1 f1 g1 a2 b2 f2 g2 a6 b6 f6 g6 a7 b7 f7 "
        "g7 c1 c2 c3}))",
        "(board (squares rows: 7 columns: 7\n"
        "  gaps: {a1 b1 f1 g1 a2 b2 f2 g2 a6 b6 f6 g6 a7 b7 f7 g7 c1 c2 c3}))\n");
}

static void test_texts(void **state) {
    (void)state;
    // The lines of a text are its own.
    becomes("(define (f x)   \"One\n     two  \n  three.\"   x)",
            "(define (f x)\n  \"One\n     two  \n  three.\"\n  x)\n");
    stays("(say \"a (b // c\")\n");
}

static void test_comments(void **state) {
    (void)state;
    stays("// first\n\n// second\n(a)  // third\n// fourth\n");
    becomes("(do (a) // why\n(b))", "(do\n  (a)  // why\n  (b))\n");
    becomes("(put /* three */ 3 seed /* of them */)", "(put /* three */ 3 seed /* of them */)\n");
    becomes("(and (a) // one\n (b) /* two */\n   // three\n (c))",
            "(and (a)  // one\n     (b)  /* two */\n     // three\n     (c))\n");
    becomes("(f x: // why\n 3)", "(f x:  // why\n  3)\n");
    becomes("(f /* a */ // b\n 3)", "(f  /* a */  // b\n   3)\n");
    becomes("(a 1.. // to\n 5)", "(a 1..  // to\n   5)\n");
    stays("/* several\n      lines */\n(a)\n");
}

// A closing bracket does not begin a line, unless a comment of its own stands before it.
static void test_comments_before_closers(void **state) {
    (void)state;
    becomes("(do (a (b) // why\n)\n) (c)", "(do (a (b)))  // why\n(c)\n");
    becomes("(do (a)\n // no more\n )", "(do\n  (a)\n  // no more\n)\n");
}

static void test_line_ends(void **state) {
    (void)state;
    becomes("(do\r\n(a)   // one  \r\n(b))\r\n", "(do\r\n  (a)  // one\r\n  (b))\r\n");
    becomes("\xEF\xBB\xBF(a)", "(a)\n");
    becomes("// only this", "// only this\n");
}

static void test_wide(void **state) {
    (void)state;
    // 48 characters that take two columns each, and no more than two columns of room.
    char text[400] = "(a \"";
    for (int i = 0; i < 47; i++) strcat(text, "\xE8\x80\x81");
    strcat(text, "\")\n");
    stays(text);
    char wanted[400];
    size_t size = strlen(text) - 2;
    snprintf(wanted, sizeof wanted, "%.*s\n   b)\n", (int)size, text);
    text[size] = '\0';
    strcat(text, " b)\n");
    becomes(text, wanted);
}

static void test_faults(void **state) {
    (void)state;
    size_t size;
    const char *faulty[] = {"(a",    "a)",      "(a]",      "\"open",
                            "(a) b", "(a 1..)", "(a /* b)", "(a ; b\n)"};
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++)
        assert_null(lay_out(faulty[i], strlen(faulty[i]), &size));
}

// Deep and large texts are laid out in time and memory that grow as they do.
static void test_large(void **state) {
    (void)state;
    size_t room = SOURCE_MAX_BYTES, n = 0, size;
    char *text = malloc(room);
    assert_non_null(text);
    while (n + 400 + 9 < room) {
        for (int i = 0; i < 190; i++) text[n++] = '(';
        memcpy(text + n, "a // b\n", 7);
        n += 7;
        for (int i = 0; i < 190; i++) text[n++] = ')';
    }
    char *once = lay_out(text, n, &size);
    assert_non_null(once);
    free(once);
    for (n = 0; n + 4 < room; n += 4) memcpy(text + n, "/**/", 4);
    once = lay_out(text, n, &size);
    assert_non_null(once);
    free(once);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_body),
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_equipment),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_comments_before_closers),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
