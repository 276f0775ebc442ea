// How diagnostics are shown.
#include "reading.h"

typedef struct Canvas {
    Arena *arena;
    Sources sources;
    Diags diags;
} Canvas;

static void canvas(Canvas *c, const char *name, const char *text) {
    if (!c->arena) {
        c->arena = arena_new(8 * (size_t)MEGABYTE);
        if (setjmp(*arena_oom(c->arena))) fail();
        sources_init(&c->sources, c->arena);
        diags_init(&c->diags, c->arena);
    }
    uint32_t file, where;
    sources_add(&c->sources, name, text, strlen(text), &file, &where);
}

static Span find(const Canvas *c, uint32_t file, const char *text) {
    const char *whole = c->sources.files.at[file].text, *at = strstr(whole, text);
    assert_non_null(at);
    uint32_t start = (uint32_t)(at - whole);
    return (Span){file, start, start + (uint32_t)strlen(text)};
}

static void shows(Canvas *c, bool colour, const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diags_render(out, &c->diags, &c->sources, colour);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    arena_free(c->arena);
}

static void test_show_labels_and_notes(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "games/x.sow",
           "(define (sow-on hole)\n  (relay hole))\n\n\n\n\n\n\n\n\n(play\n  (sow-on a1 b1))\n");
    canvas(&c, "<stdlib/sowing.sow>", "// one\n(define (relay hole))\n");
    int i = diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "sow-on a1"), "`sow-on`");
    diag_label(&c.diags, i, find(&c, 0, "b1"), "one argument too many");
    diag_label(&c.diags, i, find(&c, 0, "(sow-on hole)"), "defined here");
    diag_label(&c.diags, i, find(&c, 1, "relay"), "used %s", "there");
    diag_label(&c.diags, i, find(&c, 0, "sow-on a1"), "did you mean `sow`?");
    diag_note(&c.diags, i, "holes are %d", 12);
    diag_note(&c.diags, i, "and so on");
    diag_mend(&c.diags, i, "leave one out");
    shows(&c, false,
          "games/x.sow:12:4: error[E0101]: `sow-on` means nothing here\n"
          "    1 | (define (sow-on hole)\n"
          "      |         ------------- defined here\n"
          "  ...\n"
          "   12 |   (sow-on a1 b1))\n"
          "      |    ^^^^^^^^^ did you mean `sow`?\n"
          "      |              -- one argument too many\n"
          "  --> <stdlib/sowing.sow>:2:10:\n"
          "    2 | (define (relay hole))\n"
          "      |          ----- used there\n"
          "note: holes are 12\n"
          "note: and so on\n"
          "help: leave one out\n");
}

static void test_show_in_order(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "a.sow", "(a b)\n");
    canvas(&c, "b.sow", "(c d)\n");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 1, "c"), "c");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "b"), "b");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "a"), "a");
    assert_int_equal(diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "a"), "a"), -1);
    diag_report_placeless(&c.diags, E_EMPTY_FILE, "z.sow");
    assert_int_equal(c.diags.errors, 4);
    shows(&c, false,
          "error[E0003]: z.sow is empty\n"
          "a.sow:1:2: error[E0101]: a means nothing here\n"
          "    1 | (a b)\n"
          "      |  ^\n"
          "a.sow:1:4: error[E0101]: b means nothing here\n"
          "    1 | (a b)\n"
          "      |    ^\n"
          "b.sow:1:2: error[E0101]: c means nothing here\n"
          "    1 | (c d)\n"
          "      |  ^\n"
          "4 errors\n");
}

static void test_show_widths(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "t.sow", "\t(\u680b\u6881 e\u0301\x01x)\n(a\n b)\n");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "\u6881"), "1");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "x"), "2");
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "(a\n b)"), "3");
    diag_report(&c.diags, E_STRAY_CHARACTER, (Span){0, 25, 25}, "4");
    shows(&c, false,
          "t.sow:1:4: error[E0101]: 1 means nothing here\n"
          "    1 |     (\u680b\u6881 e\u0301?x)\n"
          "      |        ^^\n"
          "t.sow:1:9: error[E0101]: 2 means nothing here\n"
          "    1 |     (\u680b\u6881 e\u0301?x)\n"
          "      |             ^\n"
          "t.sow:2:1: error[E0101]: 3 means nothing here\n"
          "    2 | (a\n"
          "      | ^^\n"
          "t.sow:4:1: error[E0101]: 4 means nothing here\n"
          "    4 |\n"
          "      | ^\n"
          "4 errors\n");
}

static void test_show_long_lines(void **state) {
    (void)state;
    char text[1000], digits[] = "0123456789";
    for (size_t i = 0; i < sizeof text - 1; i++) text[i] = digits[i % 10];
    text[sizeof text - 1] = '\0';
    text[500] = '!';
    text[990] = '?';
    Canvas c = {0};
    canvas(&c, "t.sow", text);
    diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "!"), "1");
    int i = diag_report(&c.diags, E_STRAY_CHARACTER, (Span){0, 2, 400}, "2");
    diag_label(&c.diags, i, find(&c, 0, "?"), "far away");
    char line[51] = "", carets[99] = "";
    for (int j = 0; j < 5; j++) strcat(line, digits);
    memset(carets, '^', 98);
    char *expected = arena_printf(c.arena,
                                  "t.sow:1:3: error[E0101]: 2 means nothing here\n"
                                  "    1 | %s%s...\n"
                                  "      |   %s\n"
                                  "    1 | ...9%s%.40s?12345678\n"
                                  "      | %*s far away\n"
                                  "t.sow:1:501: error[E0101]: 1 means nothing here\n"
                                  "    1 | ...%.40s!123456789%s...\n"
                                  "      | %*s\n"
                                  "2 errors\n",
                                  line, line, carets, line, line, 95, "-", line, line, 44, "^");
    shows(&c, false, expected);
}

static void test_show_colour(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "t.sow", "(a b)");
    int i = diag_report(&c.diags, E_STRAY_CHARACTER, find(&c, 0, "b"), "b");
    diag_label(&c.diags, i, find(&c, 0, "a"), "label");
    diag_mend(&c.diags, i, "mend");
    shows(&c, true,
          "\033[1mt.sow:1:4:\033[0m \033[1;31merror[E0101]:\033[0m \033[1mb means nothing "
          "here\033[0m\n"
          "\033[1;34m    1 |\033[0m (a b)\n"
          "\033[1;34m      |\033[0m  \033[36m- label\033[0m\n"
          "\033[1;34m      |\033[0m    \033[1;31m^\033[0m\n"
          "\033[36mhelp:\033[0m mend\n");
}

static void test_limit(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "t.sow", "(a b c d)");
    c.diags.limit = 2;
    for (uint32_t i = 0; i < 4; i++) {
        int at = diag_report(&c.diags, E_STRAY_CHARACTER, (Span){0, 1 + i, 2 + i}, "it");
        assert_int_equal(at, i < 2 ? (int)i : -1);
        diag_note(&c.diags, at, "a note");
        diag_mend(&c.diags, at, "a mend");
    }
    assert_true(diags_full(&c.diags));
    assert_int_equal(c.diags.all.n, 2);
    assert_int_equal(c.diags.errors, 4);
    arena_free(c.arena);
}

// Messages are shown when there is no memory left, as that is one of them.
static void test_show_without_memory(void **state) {
    (void)state;
    Canvas c = {0};
    canvas(&c, "t.sow", "(a b c d)");
    for (uint32_t i = 8; i-- > 0;)
        diag_report(&c.diags, E_STRAY_CHARACTER, (Span){0, 1 + i, 2 + i}, "it");
    for (uint32_t i = 0; i < 2 * DIAG_SHOWN; i++)
        diag_report(&c.diags, E_STRAY_CHARACTER, (Span){0, 9, 9}, arena_printf(c.arena, "%u", i));
    if (!setjmp(*arena_oom(c.arena)))
        for (;;) arena_alloc(c.arena, 1);
    if (setjmp(*arena_oom(c.arena))) fail_msg("it needs memory");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diags_render(out, &c.diags, &c.sources, false);
    fclose(out);
    assert_ptr_equal(strstr(text, "t.sow:1:2: error"), text);
    assert_non_null(strstr(text, "error[E0101]: 91 means nothing here"));
    assert_null(strstr(text, "error[E0101]: 92 means nothing here"));
    assert_non_null(strstr(text, "208 errors; the first 100 are shown"));
    free(text);
    arena_free(c.arena);
}

static void test_codes_are_unique(void **state) {
    (void)state;
    for (int i = 0; i < DIAG_CODES; i++)
        for (int j = i + 1; j < DIAG_CODES; j++)
            assert_string_not_equal(diag_number((DiagCode)i), diag_number((DiagCode)j));
}

static void test_nearest_name(void **state) {
    (void)state;
    static const char *const known[] = {"choose", "repeat", "turns", "if", "in", "counter"};
    size_t n = sizeof known / sizeof *known;
    assert_string_equal(nearest_name("chooze", known, n), "choose");
    assert_string_equal(nearest_name("trns", known, n), "turns");
    assert_string_equal(nearest_name("trusn", known, n), "turns");
    assert_string_equal(nearest_name("cuonter", known, n), "counter");
    assert_string_equal(nearest_name("fi", known, n), "if");
    assert_null(nearest_name("x", known, n));
    assert_null(nearest_name("", known, n));
    assert_null(nearest_name("capture", known, n));
    assert_null(nearest_name("choose", known, 0));
    char *longest = repeated("a", 5000);
    assert_null(nearest_name(longest, known, n));
    free(longest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_show_labels_and_notes), cmocka_unit_test(test_show_in_order),
        cmocka_unit_test(test_show_widths),           cmocka_unit_test(test_show_long_lines),
        cmocka_unit_test(test_show_colour),           cmocka_unit_test(test_limit),
        cmocka_unit_test(test_show_without_memory),   cmocka_unit_test(test_codes_are_unique),
        cmocka_unit_test(test_nearest_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
