// What all reading stands on: memory by arena, files and the places in them.
#include "reading.h"

#include <errno.h>

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

static void test_arena_branch(void **state) {
    (void)state;
    Arena *a = arena_new(20000);
    volatile bool refused = false;
    if (setjmp(*arena_oom(a))) refused = true;
    const char *name = arena_intern_str(a, "sow");
    // A branch that is freed gives back what it took; its names stay.
    for (int i = 0; !refused && i < 100; i++) {
        Arena *branch = arena_branch(a);
        assert_ptr_equal(arena_intern_str(branch, "sow"), name);
        memset(arena_alloc(branch, 5000), 0xAA, 5000);
        Arena *other = arena_branch(a);
        arena_free(branch);
        if (i == 0) name = arena_intern_str(other, "sow");
        arena_free(other);
    }
    assert_false(refused);
    assert_ptr_equal(arena_intern_str(a, "sow"), name);
    // Memory runs out for all together, and one that is left goes with the root.
    if (setjmp(*arena_oom(a)) == 0)
        for (Arena *branch = arena_branch(a);;) arena_alloc(branch, 1000);
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

static void test_places_far_on_a_line(void **state) {
    (void)state;
    enum { MANY = 4000 };
    char *text = repeated("\u680b", 3 * MANY); // three bytes each
    Reading *r = read_text(text);
    const Source *s = &r->sources.files.at[0];
    for (uint32_t i = 0; i < MANY; i++)
        for (uint32_t byte = 0; byte < 3; byte++)
            assert_int_equal(source_place(s, 3 * i + byte).column, i + 1);
    assert_int_equal(source_place(s, 3 * MANY).column, MANY + 1);
    done(r);
    free(text);
}

static void test_old_line_ends(void **state) {
    (void)state;
    Reading *r = read_text("(a) // one\r(b\r c)\r");
    const Source *s = &r->sources.files.at[0];
    assert_true(s->turned);
    assert_int_equal(s->nlines, 4);
    assert_int_equal(source_place(s, (uint32_t)(strchr(s->text, 'c') - s->text)).line, 3);
    assert_int_equal(r->diags.errors, 0);
    assert_int_equal(r->tree->nkids, 2); // the comment ends with its line
    done(r);
    // Among others a CR is a blank.
    r = read_text("(a)\r\n(b\rc)\n");
    assert_false(r->sources.files.at[0].turned);
    assert_int_equal(r->sources.files.at[0].nlines, 3);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),         cmocka_unit_test(test_arena_out_of_memory),
        cmocka_unit_test(test_arena_branch),  cmocka_unit_test(test_out_of_memory_while_reading),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_places_far_on_a_line),
        cmocka_unit_test(test_old_line_ends), cmocka_unit_test(test_texts_refused),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
