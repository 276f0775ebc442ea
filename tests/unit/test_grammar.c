// From text to tree: sources, scanner, brackets, parser, printer, and how diagnostics are shown.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/parse.h"

enum { MEGABYTE = 1 << 20 };

// ---- Reading a text, with everything a test may want to look at ----

typedef struct Reading {
    Arena *arena;
    Sources sources;
    Diags diags;
    SourceFault fault;
    uint32_t where;
    const Node *tree;
    bool out_of_memory;
    char *printed; // the tree, form by form
    char *shown;   // the diagnostics
} Reading;

static char *print_tree(const Node *tree) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < tree->nkids; i++) node_print(out, tree->kids[i], 0);
    fclose(out);
    return text;
}

static char *show_diags(Reading *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diags_render(out, &r->diags, &r->sources, false);
    fclose(out);
    return text;
}

static Reading *read_bytes(const char *text, size_t size, size_t budget) {
    Reading *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->arena = arena_new(budget);
    assert_non_null(r->arena);
    if (setjmp(*arena_oom(r->arena))) {
        r->out_of_memory = true;
        return r;
    }
    sources_init(&r->sources, r->arena);
    diags_init(&r->diags, r->arena);
    uint32_t file = 0;
    r->fault = sources_add(&r->sources, "t.sow", text, size, &file, &r->where);
    if (r->sources.files.n == 0) return r;
    r->tree = parse_source(r->arena, &r->sources, file, &r->diags);
    r->printed = print_tree(r->tree);
    r->shown = show_diags(r);
    return r;
}

static Reading *read_text(const char *text) {
    return read_bytes(text, strlen(text), (size_t)512 * MEGABYTE);
}

static void done(Reading *r) {
    free(r->printed);
    free(r->shown);
    arena_free(r->arena);
    free(r);
}

// The text has no fault, and its tree prints like this.
static void reads_as(const char *text, const char *printed) {
    Reading *r = read_text(text);
    assert_string_equal(r->shown, "");
    assert_string_equal(r->printed, printed);
    done(r);
}

// The text is answered with exactly these lines.
static void answers(const char *text, const char *shown) {
    Reading *r = read_text(text);
    assert_string_equal(r->shown, shown);
    assert_int_not_equal(r->diags.errors, 0);
    done(r);
}

static bool holds_error(const Node *n) {
    if (n->kind == NODE_ERROR) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (holds_error(n->kids[i])) return true;
    return false;
}

// A text that repeats `piece` as often as `size` bytes have room for it.
static char *repeated(const char *piece, size_t size) {
    size_t n = strlen(piece);
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++) text[i] = i < size / n * n ? piece[i % n] : ' ';
    text[size] = '\0';
    return text;
}

// ---- Memory ----

static void test_arena(void **state) {
    (void)state;
    Arena *a = arena_new(MEGABYTE);
    if (setjmp(*arena_oom(a))) fail();
    for (size_t size = 0; size < 300; size += 7) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xAA, size);
    }
    const char *name = arena_intern_str(a, "sow");
    assert_ptr_equal(arena_intern(a, "sower", 3), name);
    assert_ptr_not_equal(arena_intern_str(a, "sower"), name);
    for (int i = 0; i < 2000; i++) arena_intern_str(a, arena_printf(a, "n%d", i));
    assert_ptr_equal(arena_intern_str(a, "sow"), name);
    assert_string_equal(arena_printf(a, "%d %s", 12, "holes"), "12 holes");

    VEC(int) numbers = {0};
    for (int i = 0; i < 1000; i++) vec_push(a, &numbers, i);
    assert_int_equal(numbers.n, 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(numbers.at[i], i);
    arena_free(a);
}

static void test_arena_out_of_memory(void **state) {
    (void)state;
    Arena *a = arena_new(1000);
    volatile int got = 0;
    if (setjmp(*arena_oom(a)) == 0)
        for (;;) {
            arena_alloc(a, 100);
            got++;
        }
    assert_in_range(got, 8, 10);
    volatile bool refused = false;
    if (setjmp(*arena_oom(a)) == 0)
        arena_array(a, SIZE_MAX / 2, 3);
    else
        refused = true;
    assert_true(refused);
    arena_free(a);
}

// Whatever the budget, reading ends, and with all memory given back (the sanitizers watch).
static void test_out_of_memory_while_reading(void **state) {
    (void)state;
    const char *text = "(game \"x\" (a 1..5 {b c}) (d e: \"f\") // g\n (h i)) ) (";
    size_t budget = 256;
    unsigned refused = 0;
    for (;; budget += 512) {
        Reading *r = read_bytes(text, strlen(text), budget);
        bool more = r->out_of_memory;
        refused += more;
        done(r);
        if (!more) break;
    }
    assert_in_range(refused, 4, 1000);
}

// ---- Sources ----

static void test_places(void **state) {
    (void)state;
    Reading *r = read_text("(a)\n\n  (\u680b\u6881 b)\r\n(c)");
    const Source *s = &r->sources.files.at[0];
    assert_int_equal(s->nlines, 4);
    const char *b = strchr(s->text, 'b');
    Place place = source_place(s, (uint32_t)(b - s->text));
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 7); // two characters of three bytes each before it
    place = source_place(s, 0);
    assert_int_equal(place.line * 100 + place.column, 101);
    place = source_place(s, 4);
    assert_int_equal(place.line * 100 + place.column, 201);
    place = source_place(s, 9999);
    assert_int_equal(place.line * 100 + place.column, 404);
    uint32_t size;
    assert_memory_equal(source_line(s, 3, &size), "  (", 3);
    assert_int_equal(size, 12); // without the carriage return
    source_line(s, 2, &size);
    assert_int_equal(size, 0);
    done(r);
}

static SourceFault fault_of(const char *text, size_t size, uint32_t *where) {
    Reading *r = read_bytes(text, size, 64 * (size_t)MEGABYTE);
    SourceFault fault = r->fault;
    *where = r->where;
    done(r);
    return fault;
}

static void test_texts_refused(void **state) {
    (void)state;
    uint32_t where;
    assert_int_equal(fault_of("(a)", 3, &where), SOURCE_OK);
    assert_int_equal(fault_of("", 0, &where), SOURCE_EMPTY);
    assert_int_equal(fault_of(" \n\t\r\n", 5, &where), SOURCE_EMPTY);
    assert_int_equal(fault_of("\xEF\xBB\xBF\n", 4, &where), SOURCE_EMPTY);
    assert_int_equal(fault_of("// a", 4, &where), SOURCE_OK);
    assert_int_equal(fault_of("(a\0)", 4, &where), SOURCE_NUL);
    assert_int_equal(where, 2);
    static const char *const not_utf8[] = {
        "\x80",            // a tail without its lead
        "\xC3",            // cut short
        "\xC0\xAF",        // longer than needed
        "\xED\xA0\x80",    // half a surrogate pair
        "\xF4\x90\x80\x80" // beyond the last character
    };
    for (size_t i = 0; i < sizeof not_utf8 / sizeof *not_utf8; i++) {
        char text[16] = "(a ";
        strcat(text, not_utf8[i]);
        assert_int_equal(fault_of(text, strlen(text), &where), SOURCE_UTF8);
        assert_int_equal(where, 3);
    }
    char *big = repeated("a", MEGABYTE + 1);
    assert_int_equal(fault_of(big, MEGABYTE, &where), SOURCE_OK);
    assert_int_equal(fault_of(big, MEGABYTE + 1, &where), SOURCE_TOO_BIG);
    free(big);
}

static void test_files(void **state) {
    (void)state;
    Arena *a = arena_new(8 * (size_t)MEGABYTE);
    if (setjmp(*arena_oom(a))) fail();
    Sources s;
    sources_init(&s, a);
    uint32_t file, where;
    assert_int_equal(sources_read(&s, "/", &file, &where), SOURCE_DIRECTORY);
    assert_int_equal(sources_read(&s, "no-such-file.sow", &file, &where), SOURCE_UNREADABLE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sources_read(&s, "/dev/null", &file, &where), SOURCE_EMPTY);
    assert_int_equal(sources_read(&s, "/dev/zero", &file, &where), SOURCE_TOO_BIG);
    assert_int_equal(s.files.n, 0);
    assert_int_equal(sources_read(&s, "grammar/parse.h", &file, &where), SOURCE_OK);
    assert_int_equal(file, 0);
    assert_string_equal(source_of(&s, (Span){0, 0, 0})->name, "grammar/parse.h");
    arena_free(a);
}

// ---- Words and trees ----

static void test_words(void **state) {
    (void)state;
    reads_as("(a-3 -3 - 3 (- 3 1) counter-clockwise x' ok? do! _u _)",
             "(a-3 -3 - 3 (- 3 1) counter-clockwise x' ok? do! _u _)\n");
    reads_as("(+ - * / % < <= > >= = !=)", "(+ - * / % < <= > >= = !=)\n");
    reads_as("(\u8001\u6bcd\u732a \u00e9t\u00e9 m\u00f6\u00df \u4eba\u3005)",
             "(\u8001\u6bcd\u732a \u00e9t\u00e9 m\u00f6\u00df \u4eba\u3005)\n");
    reads_as("(32767 -32767 0 -0 007)", "(32767 -32767 0 0 7)\n");
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
    {"(a 3abc)", E_STRAY_CHARACTER, "3abc"},
    {"(a 3abc..5)", E_STRAY_CHARACTER, "3abc"},
    {"(a 3-1)", E_STRAY_CHARACTER, "3-1"},
    {"(a == b)", E_STRAY_CHARACTER, "=="},
    {"(a -b)", E_STRAY_CHARACTER, "-b"},
    {"(a >5)", E_STRAY_CHARACTER, ">5"},
    {"(a :b c)", E_STRAY_CHARACTER, ":"},
    {"(a in : b)", E_STRAY_CHARACTER, ":"},
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
        bool lossless = strchr("[;#", mistakes[i].at[0]) || mistakes[i].code == E_OPEN_COMMENT ||
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

static void mends_to(const char *text, const char *printed) {
    Reading *r = read_text(text);
    assert_int_equal(r->diags.errors, 1);
    if (strcmp(r->printed, printed) != 0)
        fail_msg("%s\nis read as\n%s\nnot\n%s", text, r->printed, printed);
    done(r);
}

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

// ---- Showing diagnostics ----

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

// ---- Printing ----

static bool same_tree(const Node *a, const Node *b) {
    if (a->kind != b->kind || a->nkids != b->nkids || a->number != b->number) return false;
    if (!a->text != !b->text || (a->text && strcmp(a->text, b->text) != 0)) return false;
    for (uint32_t i = 0; i < a->nkids; i++)
        if (!same_tree(a->kids[i], b->kids[i])) return false;
    return true;
}

static void prints_and_reads_back(const char *text) {
    Reading *first = read_text(text), *second = read_text(first->printed);
    assert_string_equal(first->shown, "");
    assert_string_equal(second->shown, "");
    assert_true(same_tree(first->tree, second->tree));
    assert_string_equal(first->printed, second->printed);
    for (const char *line = first->printed; *line;) {
        size_t size = strcspn(line, "\n");
        assert_in_range(size, 0, 100);
        line += size + (line[size] != '\0');
    }
    done(first);
    done(second);
}

static void test_round_trip(void **state) {
    (void)state;
    char *words = repeated("counter ", 3000);
    char text[4000];
    snprintf(text, sizeof text, "(put %s)", words);
    prints_and_reads_back(text);
    free(words);
    prints_and_reads_back(
        "(game \"Njombwa\" (players South North) (option columns {8 9 10} default: 8 \"holes in a"
        " row; \\\"eight\\\" is\\nusual\") (region outer South: (row 1) North: (reversed (row 4)))"
        " (play (turns (if (any hole in: (circuit mover) (> (count hole) 1)) (choose hole in:"
        " (circuit mover) where: (> (count hole) 1) (sow-and-capture hole)) (choose hole in:"
        " (circuit mover) where: (and (occupied hole) (empty (next hole (circuit mover)))) else:"
        " (pass) (sow-and-capture hole))) (if (none-left opponent) (win mover)))))");
    prints_and_reads_back(
        "(a (a-rather-long-name-for-a-form with: (arguments of all sorts) and: more-of-them"
        " again)..(another-rather-long-name-for-a-form with: (arguments of all sorts) and: more"
        "))");
    char deep[NESTING_MAX * 3] = "";
    for (int i = 0; i < 40; i++) strcat(deep, "(ab ");
    for (int i = 0; i < 40; i++) strcat(deep, ")");
    Reading *r = read_text(deep);
    assert_string_equal(r->shown, "");
    Reading *again = read_text(r->printed);
    assert_true(same_tree(r->tree, again->tree));
    done(r);
    done(again);
}

static void test_print_layout(void **state) {
    (void)state;
    reads_as("(define (sow-and-capture hole) (let end (relay-sow hole along: (circuit mover)))"
             " (if (in end (inner mover)) (capture-file (facing end))) where: (and (occupied hole)"
             " (empty (next hole))) do: x)",
             "(define (sow-and-capture hole)\n"
             "  (let end (relay-sow hole along: (circuit mover)))\n"
             "  (if (in end (inner mover)) (capture-file (facing end)))\n"
             "  where: (and (occupied hole) (empty (next hole)))\n"
             "  do: x)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_arena_out_of_memory),
        cmocka_unit_test(test_out_of_memory_while_reading),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_texts_refused),
        cmocka_unit_test(test_files),
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
        cmocka_unit_test(test_not_text),
        cmocka_unit_test(test_every_prefix_and_gap),
        cmocka_unit_test(test_show_labels_and_notes),
        cmocka_unit_test(test_show_in_order),
        cmocka_unit_test(test_show_widths),
        cmocka_unit_test(test_show_long_lines),
        cmocka_unit_test(test_show_colour),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_codes_are_unique),
        cmocka_unit_test(test_nearest_name),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_print_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
