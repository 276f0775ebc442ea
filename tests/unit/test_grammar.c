// From text to tree: scanner, brackets, parser.
#include "reading.h"

// A text with one mistake, which is read on as it was meant.
static void mends_to(const char *text, const char *printed) {
    Reading *r = read_text(text);
    assert_int_equal(r->diags.errors, 1);
    if (strcmp(r->printed, printed) != 0)
        fail_msg("%s\nis read as\n%s\nnot\n%s", text, r->printed, printed);
    done(r);
}

// ---- Words and trees ----

static void test_words(void **state) {
    (void)state;
    reads_as("(a-3 -3 - 3 (- 3 1) counter-clockwise x' ok? do! _u _)",
             "(a-3 -3 - 3 (- 3 1) counter-clockwise x' ok? do! _u _)\n");
    reads_as("(+ - * / % < <= > >= = !=)", "(+ - * / % < <= > >= = !=)\n");
    reads_as("(\u8001\u6bcd\u732a \u00e9t\u00e9 m\u00f6\u00df \u4eba\u3005)",
             "(\u8001\u6bcd\u732a \u00e9t\u00e9 m\u00f6\u00df \u4eba\u3005)\n");
    reads_as("(32767 -32767 0 -0 7)", "(32767 -32767 0 0 7)\n");
    reads_as("(in: board South:(row 1)x:{a}y:3)", "(in: board South: (row 1) x: {a} y: 3)\n");
    reads_as("\xEF\xBB\xBF(a)", "(a)\n");
    reads_as("(a)(b)\r\n\t(c)", "(a)\n(b)\n(c)\n");
    reads_as("// nothing but a comment", "");
}

static void test_ranges(void **state) {
    (void)state;
    reads_as("(a1..e1 1..5 -5..-1 1..(count x) (f x)..(g y) a .. b)",
             "(a1..e1 1..5 -5..-1 1..(count x) (f x)..(g y) a..b)\n");
    reads_as("({1..3 5} 1..\n// to\n3)", "({1..3 5} 1..3)\n");
}

static void test_comments(void **state) {
    (void)state;
    reads_as("(a // b (\n c /* d ) \n e */ f /**/ g /***/ h / i)/* j */", "(a c f g h / i)\n");
    reads_as("(a) // no line end", "(a)\n");
    mends_to("-- a ( b\n(c)", "(c)\n");
    mends_to("(c) ;; a ( b", "(c)\n");
    mends_to("(a <!-- b ( -- -> --> c)", "(a c)\n");
    reads_as("(\"// no comment\" \"/*\")", "(\"// no comment\" \"/*\")\n");
}

static void test_strings(void **state) {
    (void)state;
    Reading *r = read_text("(\"a \\\"b\\\" \\\\ c\\nd\ne\" \"\" \"(\")");
    assert_string_equal(r->shown, "");
    const Node *list = r->tree->kids[0];
    assert_int_equal(list->nkids, 3);
    assert_int_equal(list->kids[0]->kind, NODE_STRING);
    assert_string_equal(list->kids[0]->text, "a \"b\" \\ c\nd\ne");
    assert_string_equal(list->kids[1]->text, "");
    assert_string_equal(r->printed, "(\"a \\\"b\\\" \\\\ c\\nd\\ne\" \"\" \"(\")\n");
    done(r);
}

static void test_nodes(void **state) {
    (void)state;
    Reading *r = read_text("  (sow hole in: {a} 1..n)");
    assert_int_equal(r->tree->kind, NODE_SET);
    assert_int_equal(r->tree->nkids, 1);
    const Node *list = r->tree->kids[0];
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->span.start, 2);
    assert_int_equal(list->span.end, 25);
    assert_int_equal(list->nkids, 5);
    assert_string_equal(node_head(list), "sow");
    assert_ptr_equal(node_head(list), arena_intern_str(r->arena, "sow"));
    const Node *key = list->kids[2], *range = list->kids[4];
    assert_int_equal(key->kind, NODE_KEY);
    assert_string_equal(key->text, "in");
    assert_int_equal(key->span.end - key->span.start, 3); // with its colon
    assert_null(node_head(list->kids[3]));
    assert_int_equal(range->kind, NODE_RANGE);
    assert_int_equal(range->nkids, 2);
    assert_int_equal(range->kids[0]->number, 1);
    assert_int_equal(range->span.start, 20);
    assert_int_equal(range->span.end, 24);
    assert_null(range->via);
    done(r);
}

// ---- One mistake, one message ----

typedef struct Mistake {
    const char *text;
    DiagCode code;
    const char *at; // the primary span starts where this is first found in the text
} Mistake;

static const Mistake mistakes[] = {
    {"(a , b)", E_STRAY_CHARACTER, ","},
    {"(a, b, c)", E_STRAY_CHARACTER, ","},
    {"(a [b c] d)", E_STRAY_CHARACTER, "["},
    {"(a 'b c' d)", E_STRAY_CHARACTER, "'"},
    {"(a \u201cb (c\u201d d)", E_STRAY_CHARACTER, "\u201c"},
    {"(a \u201cb)", E_STRAY_CHARACTER, "\u201c"},
    {"; (a\n; b\n(c)", E_STRAY_CHARACTER, ";"},
    {"(a b);", E_STRAY_CHARACTER, ";"},
    {"# a (\n(c)", E_STRAY_CHARACTER, "#"},
    {"(a #| b (\n ( |# c)", E_STRAY_CHARACTER, "#|"},
    {"(a #| b (\n ( c)", E_STRAY_CHARACTER, "#|"},
    {"(a <!-- b ( -- -> ", E_STRAY_CHARACTER, "<!--"},
    {"(a 3abc)", E_STRAY_CHARACTER, "3abc"},
    {"(a 3abc..5)", E_STRAY_CHARACTER, "3abc"},
    {"(a 3-1)", E_STRAY_CHARACTER, "3-1"},
    {"(a == b)", E_STRAY_CHARACTER, "=="},
    {"(a -b)", E_STRAY_CHARACTER, "-b"},
    {"(a >5)", E_STRAY_CHARACTER, ">5"},
    {"(a :b c)", E_STRAY_CHARACTER, ":"},
    {"(a in : b)", E_STRAY_CHARACTER, "in"},
    {"(a 1...5)", E_STRAY_CHARACTER, "..."},
    {"(a \xE2\x89\xA4 b)", E_STRAY_CHARACTER, "\xE2\x89\xA4"},
    {"(a\x01 b)", E_STRAY_CHARACTER, "\x01"},
    {"(a @ b)", E_STRAY_CHARACTER, "@"},
    {"(a !b)", E_STRAY_CHARACTER, "!"},
    {"(a && b)", E_STRAY_CHARACTER, "&"},
    {"(a */ b)", E_STRAY_CHARACTER, "*/"},
    {"(a \uff08b\uff09)", E_STRAY_CHARACTER, "\uff08"},
    {"(a\u00a0b)", E_STRAY_CHARACTER, "\u00a0"},
    {"(a 32768)", E_BAD_NUMBER, "32768"},
    {"(a -99999999999999999999999)", E_BAD_NUMBER, "-9"},
    {"(a 1.5 b)", E_BAD_NUMBER, "1.5"},
    {"(a \"b\\q\" c)", E_BAD_ESCAPE, "\\q"},
    {"(a \"b\\\nc\" d)", E_BAD_ESCAPE, "\\"},
    {"(a \"b)", E_OPEN_STRING, "\"b"},
    {"(a \"b)\n(c d)", E_OPEN_STRING, "\"b"},
    {"(a \"b)\n(c \"d\")", E_OPEN_STRING, "\"b"},
    {"(a \"", E_OPEN_STRING, "\""},
    {"(a \"\\", E_OPEN_STRING, "\""},
    {"(a b /* c) (", E_OPEN_COMMENT, "/*"},
    {"(a (b /*", E_OPEN_COMMENT, "/*"},
    {"(a", E_BRACKET_OPEN, "("},
    {"(a {b", E_BRACKET_OPEN, "("},
    {"(a\n  (b c\n  (d)\n  (e))", E_BRACKET_OPEN, "(b"},
    {"(a\n  (b\n    (c\n  (d))\n(e)", E_BRACKET_OPEN, "(b"},
    {"(a\n  (b c)\n(d)\n(e)", E_BRACKET_OPEN, "\n(d"},
    {"(a\n(b\n(c)\n(d\n(e)))", E_BRACKET_OPEN, "(a"},
    {"(a\n  (b\n    c\n  )// d", E_BRACKET_OPEN, "//"},
    {"(a))", E_BRACKET_EXTRA, ")"},
    {"(a))))", E_BRACKET_EXTRA, ")"},
    {")", E_BRACKET_EXTRA, ")"},
    {"(a {b) c)", E_BRACKET_KIND, ") c"},
    {"(a (b} c)", E_BRACKET_KIND, "}"},
    {"(a {b) c}", E_BRACKET_KIND, ") c"},
    {"(a } b)", E_BRACKET_KIND, "}"},
    {"(x (a {1 2)) (b)", E_BRACKET_KIND, ")) "},
    {"(a ..)", E_UNEXPECTED, ")"},
    {"(.. a)", E_UNEXPECTED, ".."},
    {"(a 1..2..3)", E_UNEXPECTED, "..3"},
    {"(a \"b\"..c)", E_UNEXPECTED, ".."},
    {"(a b..c: d)", E_UNEXPECTED, "c:"},
    {"game (a)", E_OUTSIDE_FORM, "game"},
    {"game \"x\" y: {z} 3 .. (a)", E_OUTSIDE_FORM, "game"},
    {"game \"x\"\n  (a b))", E_OUTSIDE_FORM, "game"},
    {"(a \0b)", E_BRACKET_OPEN, "("}, // a C string ends at the NUL
};

static void test_one_mistake_one_message(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const Mistake *m = &mistakes[i];
        Reading *r = read_text(m->text);
        // An extra closer is the last of those that stand together.
        const char *at = strstr(m->text, m->at);
        if (m->code == E_BRACKET_EXTRA && m->text[0] == '(') at++;
        if (r->diags.errors != 1 || r->diags.all.at[0].code != m->code ||
            r->diags.all.at[0].span.start != (uint32_t)(at - m->text))
            fail_msg("%s\nis answered with\n%s", m->text, r->shown);
        done(r);
    }
}

// Where something was wrong the tree says so, unless nothing was left out of it.
static void test_faults_leave_a_mark(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Reading *r = read_text(mistakes[i].text);
        bool lossless =
            strchr("[;#!\x01", mistakes[i].at[0]) || strcmp(mistakes[i].at, "in") == 0 ||
            strcmp(mistakes[i].at, "\uff08") == 0 || strcmp(mistakes[i].at, "\u00a0") == 0 ||
            mistakes[i].code == E_OPEN_COMMENT ||
            (mistakes[i].code == E_OUTSIDE_FORM && strstr(mistakes[i].text, "))"));
        if (!lossless && !holds_error(r->tree))
            fail_msg("%s\nis read as\n%s", mistakes[i].text, r->printed);
        done(r);
    }
}

static void test_five_mistakes_five_messages(void **state) {
    (void)state;
    answers("(game \"x\"\n"
            "  (players A, B)\n"
            "  (board (holes 99999)\n"
            "  (region r {a b)\n"
            "  (track t 1..)\n"
            "  (piece \"\\z\"))\n",
            "t.sow:2:13: error[E0101]: `,` means nothing here\n"
            "    2 |   (players A, B)\n"
            "      |             ^\n"
            "help: nothing separates items but blanks\n"
            "t.sow:3:3: error[E0106]: this `(` is never closed\n"
            "    3 |   (board (holes 99999)\n"
            "      |   ^\n"
            "    4 |   (region r {a b)\n"
            "      |   - this line is indented as if that `(` were closed\n"
            "t.sow:3:17: error[E0104]: `99999` is not a number Oldsow can hold (-32767 to 32767)\n"
            "    3 |   (board (holes 99999)\n"
            "      |                 ^^^^^\n"
            "t.sow:4:17: error[E0105]: `)` closes what `{` opened\n"
            "    4 |   (region r {a b)\n"
            "      |             - this `{` is open\n"
            "      |                 ^\n"
            "t.sow:5:15: error[E0108]: `)` here, where a name, a number or `(` was expected\n"
            "    5 |   (track t 1..)\n"
            "      |               ^\n"
            "help: a range has two ends, each a name, a number or a form: 1..5, a1..e1\n"
            "t.sow:6:11: error[E0103]: `\\z` is no escape; a text knows \\\\, \\\" and \\n\n"
            "    6 |   (piece \"\\z\"))\n"
            "      |           ^^\n"
            "help: a backslash itself is written \\\\\n"
            "6 errors\n");
}

static void test_independent_forms(void **state) {
    (void)state;
    Reading *r = read_text("(define (a x)\n"
                           "  (foo (bar x))\n"
                           "(define (b y)\n"
                           "  (foo)))\n"
                           "(define (c z)\n"
                           "  (bar {1 2)\n"
                           "  (baz))\n"
                           "(define (d)\n"
                           "  (foo ..))\n"
                           "(define (e)\n"
                           "  (foo \"bar))\n"
                           "(define (f))\n");
    static const DiagCode codes[] = {E_BRACKET_OPEN, E_BRACKET_EXTRA, E_BRACKET_KIND, E_UNEXPECTED,
                                     E_OPEN_STRING};
    assert_int_equal(r->diags.errors, 5);
    for (size_t i = 0; i < 5; i++) {
        bool found = false;
        for (size_t j = 0; j < 5; j++) found |= r->diags.all.at[j].code == codes[i];
        assert_true(found);
    }
    // Six definitions, each whole but for its own fault, and the mark of the bracket too many.
    uint32_t forms = 0;
    for (uint32_t i = 0; i < r->tree->nkids; i++) forms += r->tree->kids[i]->kind == NODE_LIST;
    assert_int_equal(forms, 6);
    assert_false(holds_error(r->tree->kids[r->tree->nkids - 1]));
    done(r);
}

// ---- Brackets, read on as they were meant ----

static void test_brackets_mended(void **state) {
    (void)state;
    mends_to("(a\n  (b c\n  (d)\n  (e))", "(a (b c /* a fault */) (d) (e))\n");
    mends_to("(a\n  (b c))\n  (d)\n  (e))", "(a (b c) /* a fault */ (d) (e))\n");
    mends_to("(a {b) (c))", "(a {b /* a fault */} (c))\n");
    mends_to("(a {b c) (d)", "(a {b c /* a fault */})\n(d)\n");
    mends_to("(a (b } c) d)", "(a (b /* a fault */ c) d)\n");
    mends_to("a \"x\"\n  (b))\n(c)", "(a \"x\" (b))\n(c)\n");
    mends_to("(a \"b)\n(c)", "(a /* a fault */)\n(c)\n");
}

// Even brackets are right, however they are indented.
static void test_indentation_does_not_matter(void **state) {
    (void)state;
    reads_as("    (a\n(b\n      (c)\n  )\n {d\n}\n)", "(a (b (c)) {d})\n");
}

// ---- Hostile texts ----

static void test_nesting(void **state) {
    (void)state;
    for (int extra = 0; extra <= 1; extra++) {
        size_t depth = NESTING_MAX + (size_t)extra;
        char text[2 * NESTING_MAX + 20] = "";
        memset(text, '(', depth);
        memset(text + depth, ')', depth);
        strcpy(text + 2 * depth, " (a)");
        Reading *r = read_text(text);
        assert_int_equal(r->diags.errors, extra);
        if (extra) assert_int_equal(r->diags.all.at[0].code, E_TOO_DEEP);
        assert_int_equal(r->tree->nkids, 2);
        done(r);
    }
}

static void test_much_of_the_same(void **state) {
    (void)state;
    static const struct {
        const char *piece;
        size_t least, most; // errors
    } pieces[] = {
        {"(", 1, 1},
        {"(\n", 1, 1},
        {")", 1, 1},
        {"({", 1, 1},
        {"()", 0, 0},
        {"({)}", 1, MEGABYTE},
        {"\"", 1, 1},
        {"a)", 1, MEGABYTE},
        {" \"a\n", 1, MEGABYTE},
        {"/* ", 1, 1},
        {"//", 0, 0},
        {"(//)", 1, 1},
        {"a ", 1, 1},
        {"a", 1, 1},
        {"a:", 1, 1},
        {"1", 1, 1},
        {"-", 1, 1},
        {",\n", 1, MEGABYTE},
        {"..", 1, 1},
        {"(a..", 1, 1},
        {";\n", 1, 1},
        {"\\", 1, MEGABYTE},
        {"\u201c", 1, MEGABYTE},
        {"\u8001", 1, 1},
        {"(\n } \n{ )", 1, MEGABYTE},
        {"\r", 0, 0},
        {"+a", 1, MEGABYTE},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        // The longest file there may be for the worst; less does for the rest.
        size_t bytes = i < 4 ? MEGABYTE : MEGABYTE / 8;
        char *text = repeated(pieces[i].piece, bytes);
        Reading *r = read_bytes(text, bytes, (size_t)256 * MEGABYTE);
        assert_false(r->out_of_memory);
        if (r->diags.errors < pieces[i].least || r->diags.errors > pieces[i].most)
            fail_msg("much of %s: %zu errors\n%.500s", pieces[i].piece, r->diags.errors, r->shown);
        assert_in_range(r->diags.all.n, 0, DIAG_DEFAULT_LIMIT);
        if (r->shown) assert_in_range(strlen(r->shown), 0, 60000); // long lines are cut
        done(r);
        free(text);
    }
}

// What would take minutes or hours if it were looked at to the end of the line, or of the file, again and again.
static void test_long_lines(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "a;",      "a -- ",  "a : ",      "\u00aba ", "#|\n", "<!-- ",
        "a\u200b", "a = b ", "\"\"\" a ", "\u201ea ", "'a ",  "a# ",
        "a[b ",    "a. ",    "f(1,2 ",    "|#",       "--> ", "}@(define (a) ",
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeated(pieces[i], MEGABYTE);
        memcpy(text, "(play ", 6);
        Reading *r = read_bytes(text, MEGABYTE, (size_t)256 * MEGABYTE);
        assert_false(r->out_of_memory);
        assert_in_range(r->diags.errors, 1, 2 * MEGABYTE);
        done(r);
        free(text);
    }
}

static void test_not_text(void **state) {
    (void)state;
    Reading *r = read_bytes("(a \0b \0c", 8, MEGABYTE);
    assert_int_equal(r->fault, SOURCE_NUL);
    assert_int_equal(r->diags.errors, 1);
    assert_int_equal(r->diags.all.at[0].code, E_NUL_BYTE);
    assert_true(holds_error(r->tree));
    done(r);
    r = read_text("(a \xFF\xFE \xFF");
    assert_int_equal(r->fault, SOURCE_UTF8);
    assert_string_equal(r->shown, "t.sow:1:4: error[E0006]: these bytes are not UTF-8 text\n"
                                  "    1 | (a ?? ?\n"
                                  "      |    ^\n"
                                  "help: save the script as UTF-8\n");
    done(r);
}

// Every beginning of a text, and the text with every byte left out or changed: nothing breaks, and
// a single lost character is answered with few messages.
static void test_every_prefix_and_gap(void **state) {
    (void)state;
    const char *text = "(game \"x \\\"y\\\"\"\n"
                       "  (players {A B} in: 1..(n 3)) // c\n"
                       "  /* d */ (play (turns -3 \u8001)))\n";
    static const char replacements[] = "()\"{}.:/*\\\xFF\n,";
    size_t size = strlen(text);
    char changed[200];
    assert_true(size < sizeof changed);
    for (size_t i = 0; i < size; i++) {
        Reading *r = read_bytes(text, i, MEGABYTE);
        done(r);
        memcpy(changed, text, i);
        memcpy(changed + i, text + i + 1, size - i - 1);
        r = read_bytes(changed, size - 1, MEGABYTE);
        assert_in_range(r->diags.errors, 0, 3);
        done(r);
        for (const char *c = replacements; *c; c++) {
            memcpy(changed, text, size);
            changed[i] = *c;
            r = read_bytes(changed, size, MEGABYTE);
            assert_false(r->out_of_memory);
            done(r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_one_mistake_one_message),
        cmocka_unit_test(test_faults_leave_a_mark),
        cmocka_unit_test(test_five_mistakes_five_messages),
        cmocka_unit_test(test_independent_forms),
        cmocka_unit_test(test_brackets_mended),
        cmocka_unit_test(test_indentation_does_not_matter),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_much_of_the_same),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_not_text),
        cmocka_unit_test(test_every_prefix_and_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
