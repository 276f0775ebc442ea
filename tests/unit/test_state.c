// Chance, states, names of candidates, results, faults, drawings: by programs written by hand.
#include "interp/game.h"
#include "tests/unit/tiny.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Rig {
    Tiny tiny;
    OldsowGame game;
} Rig;

static int setup(void **state) {
    Rig *rig = malloc(sizeof *rig);
    if (!rig) return -1;
    memset(&rig->game, 0, sizeof rig->game);
    tiny_init(&rig->tiny);
    rig->game.rows = 1;
    rig->game.columns = 4;
    *state = rig;
    return 0;
}

static int teardown(void **state) {
    Rig *rig = *state;
    vm_free(&rig->tiny.vm);
    arena_free(rig->tiny.arena);
    free(rig);
    return 0;
}

static OldsowState *begin(Rig *rig, const int32_t *words, size_t n) {
    int pc;
    tiny_load(&rig->tiny, words, n);
    rig->game.program = rig->tiny.p;
    const char *wrong = tiny_ready(&rig->game.program, &rig->tiny.arena, &pc);
    if (wrong) fail_msg("not verified at %d: %s", pc, wrong);
    OldsowState *state = oldsow_start(&rig->game);
    assert_non_null(state);
    return state;
}

static void lay(Rig *rig, int site, int seeds, int golds) {
    rig->tiny.initial[site * TINY_KINDS + SEED] = (Cell)seeds;
    rig->tiny.initial[site * TINY_KINDS + GOLD] = (Cell)golds;
}

// ---- chance ---------------------------------------------------------------------------------

static void test_generator(void **state) {
    (void)state;
    // The first numbers of xoshiro256** from the state 1, 2, 3, 4.
    OldsowRng rng = {{1, 2, 3, 4}};
    assert_true(oldsow_random(&rng) == 11520);
    assert_true(oldsow_random(&rng) == 0);
    assert_true(oldsow_random(&rng) == 1509978240);
    assert_true(oldsow_random(&rng) == 1215971899390074240u);

    OldsowRng a, b, c, d;
    oldsow_seed(&a, 7, 1);
    oldsow_seed(&b, 7, 1);
    oldsow_seed(&c, 8, 0);
    oldsow_seed(&d, 1, 7);
    uint64_t first = oldsow_random(&a);
    assert_true(first == oldsow_random(&b));
    assert_true(first != oldsow_random(&c));
    assert_true(first != oldsow_random(&d));
}

static void test_below(void **state) {
    (void)state;
    OldsowRng rng;
    oldsow_seed(&rng, 1, 0);
    int seen[6] = {0};
    for (int i = 0; i < 60000; i++) seen[oldsow_below(&rng, 6)]++;
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 9600, 10400);
    for (int i = 0; i < 100; i++) assert_int_equal(oldsow_below(&rng, 1), 0);
    // With 3 * 2^30 a plain product's remainder would favour every third number by a half.
    int low = 0;
    for (int i = 0; i < 30000; i++) low += oldsow_below(&rng, 3u << 30) % 3 == 0;
    assert_in_range(low, 9600, 10400);
}

static void test_throws(void **state) {
    Rig *rig = *state;
    OldsowState *s = begin(rig, WORDS(OP_THROW, 0, AT(20), OP_END));
    char name[OLDSOW_NAME_MAX];
    assert_int_equal(oldsow_status(s), OLDSOW_CHANCE);
    assert_int_equal(oldsow_candidates(s), 3);
    assert_string_equal(oldsow_candidate(s, 1, name), "1-2");
    assert_int_equal(oldsow_find(s, "2-2"), 2);
    assert_int_equal(oldsow_weight(s, 1), 2);
    OldsowRng rng;
    oldsow_seed(&rng, 3, 0);
    int seen[3] = {0};
    for (int i = 0; i < 40000; i++) seen[oldsow_pick(s, &rng)]++;
    assert_in_range(seen[0], 9600, 10400);
    assert_in_range(seen[1], 19500, 20500);
    assert_in_range(seen[2], 9600, 10400);
    assert_int_equal(oldsow_play(s, 2), OLDSOW_OVER);
    oldsow_state_free(s);
}

// ---- names ----------------------------------------------------------------------------------

static void named(Rig *rig, int alternative, const char *label, int nvars, ValueType first,
                  ValueType second) {
    Alternative *alt = &rig->tiny.alternatives[alternative];
    alt->label = label;
    alt->nvars = nvars;
    alt->cells[1] = LOCAL + 4 + alternative % 4;
    alt->types[0] = first;
    alt->types[1] = second;
}

#define TARGETS AT(10), AT(11), AT(12), AT(13), AT(14), AT(15), AT(16), OP_END

static void test_names(void **state) {
    Rig *rig = *state;
    named(rig, 0, "enter", 1, VALUE_NUMBER, 0);
    named(rig, 1, NULL, 2, VALUE_SITE, VALUE_NUMBER);
    named(rig, 2, NULL, 0, 0, 0);
    named(rig, 3, NULL, 2, VALUE_TRUTH, VALUE_TRUTH);
    named(rig, 4, "pass", 0, 0, 0);
    named(rig, 5, NULL, 2, VALUE_PIECE, VALUE_PLAYER);
    named(rig, 6, NULL, 2, VALUE_WORD, VALUE_TRACK);
    OldsowState *s =
        begin(rig, WORDS(OP_CHOOSE, 0, OP_PUSH, 5, OP_STORE, LOCAL, OP_CAND, 0, OP_PUSH, B,
                         OP_STORE, LOCAL + 1, OP_PUSH, -3, OP_STORE, LOCAL + 5, OP_CAND, 1, OP_CAND,
                         2, OP_PUSH, 1, OP_STORE, LOCAL + 3, OP_CAND, 3, OP_CAND, 4, OP_PUSH, GOLD,
                         OP_STORE, LOCAL + 1, OP_PUSH, UNSET, OP_STORE, LOCAL + 5, OP_CAND, 5,
                         OP_PUSH, 1, OP_STORE, LOCAL + 2, OP_PUSH, RING_BACK, OP_STORE, LOCAL + 6,
                         OP_CAND, 6, OP_DECIDE, 0, OP_END, TARGETS));
    static const char *const names[] = {"enter-5",    "b1--3",          "go", "yes-no", "pass",
                                        "gold-unset", "right-ring-back"};
    char name[OLDSOW_NAME_MAX];
    assert_int_equal(oldsow_candidates(s), 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(oldsow_candidate(s, i, name), names[i]);
        assert_int_equal(oldsow_find(s, names[i]), i);
        assert_int_equal(oldsow_weight(s, i), 1);
    }
    assert_int_equal(oldsow_find(s, "enter"), -1);
    assert_int_equal(oldsow_find(s, "enter-5 "), -1);
    assert_int_equal(oldsow_find(s, "enter-5#1"), -1);
    assert_int_equal(oldsow_find(s, "enter-5#2"), -1);
    assert_int_equal(oldsow_find(s, ""), -1);
    oldsow_state_free(s);
}

static void test_equal_names(void **state) {
    Rig *rig = *state;
    named(rig, 0, "b1", 0, 0, 0);
    OldsowState *s =
        begin(rig, WORDS(OP_CHOOSE, 0, OP_PUSH, B, OP_STORE, LOCAL + 1, OP_CAND, 1, OP_CAND, 0,
                         OP_PUSH, C, OP_STORE, LOCAL + 1, OP_CAND, 1, OP_PUSH, B, OP_STORE,
                         LOCAL + 1, OP_CAND, 1, OP_DECIDE, 0, OP_END, TARGETS));
    static const char *const names[] = {"b1", "b1#2", "c1", "b1#3"};
    char name[OLDSOW_NAME_MAX];
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(oldsow_candidate(s, i, name), names[i]);
        assert_int_equal(oldsow_find(s, names[i]), i);
    }
    assert_int_equal(oldsow_find(s, "b1#4"), -1);
    assert_int_equal(oldsow_find(s, "b1#02"), -1);
    oldsow_state_free(s);
}

static void test_long_names(void **state) {
    Rig *rig = *state;
    char label[2 * OLDSOW_NAME_MAX];
    for (size_t i = 0; i + 2 < sizeof label; i += 2) memcpy(label + i, "\xc3\xa4", 3); // a-umlauts
    named(rig, 0, label, 0, 0, 0);
    OldsowState *s =
        begin(rig, WORDS(OP_CHOOSE, 0, OP_CAND, 0, OP_CAND, 0, OP_DECIDE, 0, OP_END, TARGETS));
    char name[OLDSOW_NAME_MAX];
    size_t n = strlen(oldsow_candidate(s, 0, name));
    assert_true(n > OLDSOW_NAME_MAX / 2 && n < OLDSOW_NAME_MAX);
    assert_int_equal(n % 2, 0); // no half of a character
    assert_int_equal(oldsow_find(s, name), 0);
    assert_int_equal(strlen(oldsow_candidate(s, 1, name)), n + 2);
    assert_int_equal(oldsow_find(s, name), 1);
    oldsow_state_free(s);
}

// ---- playing --------------------------------------------------------------------------------

// A choice of a hole without a filter; it gets a seed. On and on.
#define SEED_A_HOLE                                                                                \
    AT(0), OP_CHOOSE, 0, OP_PUSH, HOLES, OP_STORE, LOCAL + 5, OP_ZERO, LOCAL + 6, 1, AT(1),        \
        OP_ITER_LIST, LOCAL + 5, LOCAL + 6, LOCAL, TO(2), OP_CAND, 0, OP_JMP, TO(1), AT(2),        \
        OP_DECIDE, 0, OP_END, AT(10), OP_PUSH, 1, OP_PUSH, SEED, OP_LOAD, LOCAL, OP_PUT, OP_ZERO,  \
        LOCAL, 1

static void assert_same(const OldsowState *a, const OldsowState *b, const OldsowGame *game) {
    assert_memory_equal(oldsow_vector(a), oldsow_vector(b), oldsow_state_bytes(game));
    assert_true(oldsow_hash(a) == oldsow_hash(b));
    assert_int_equal(oldsow_status(a), oldsow_status(b));
    assert_int_equal(oldsow_candidates(a), oldsow_candidates(b));
}

static void test_copies(void **state) {
    Rig *rig = *state;
    OldsowState *s = begin(rig, WORDS(SEED_A_HOLE, OP_JMP, TO(0)));
    assert_int_equal(oldsow_status(s), OLDSOW_CHOICE);
    OldsowState *clone = oldsow_clone(s), *from = oldsow_start(&rig->game);
    assert_same(s, clone, &rig->game);

    oldsow_play(clone, 2);
    assert_int_equal(oldsow_count_on(clone, C, SEED), 1);
    assert_int_equal(oldsow_count_on(s, C, SEED), 0);
    assert_true(oldsow_hash(s) != oldsow_hash(clone));
    assert_int_equal(oldsow_play_from(from, s, 2), OLDSOW_CHOICE);
    assert_same(from, clone, &rig->game);
    assert_int_equal(oldsow_play_from(from, from, 2), OLDSOW_CHOICE); // itself
    assert_int_equal(oldsow_count_on(from, C, SEED), 2);

    assert_true(oldsow_copy(from, s));
    assert_same(from, s, &rig->game);
    oldsow_play(from, 2);
    assert_same(from, clone, &rig->game);

    // Another order of moves, the same position, the same vector.
    oldsow_play(from, 3);
    oldsow_play(s, 3);
    oldsow_play(s, 2);
    assert_same(from, s, &rig->game);
    oldsow_state_free(s);
    oldsow_state_free(clone);
    oldsow_state_free(from);
    oldsow_state_free(NULL);
}

static void test_history_in_hash(void **state) {
    Rig *rig = *state;
    rig->tiny.p.remembers = true;
    OldsowState *a = begin(rig, WORDS(SEED_A_HOLE, OP_REMEMBER, OP_JMP, TO(0)));
    OldsowState *b = oldsow_clone(a);
    oldsow_play(a, 0);
    oldsow_play(a, 1);
    oldsow_play(b, 1);
    oldsow_play(b, 0);
    assert_memory_equal(oldsow_vector(a), oldsow_vector(b), oldsow_state_bytes(&rig->game));
    assert_true(oldsow_hash(a) != oldsow_hash(b)); // they came by different positions
    OldsowState *c = oldsow_clone(a);
    assert_same(a, c, &rig->game);
    oldsow_play(c, 0);
    oldsow_play_from(b, a, 0);
    assert_same(b, c, &rig->game);
    oldsow_state_free(a);
    oldsow_state_free(b);
    oldsow_state_free(c);
}

static void result_of(Rig *rig, OldsowResult south, OldsowResult north, const int32_t *words,
                      size_t n) {
    OldsowState *s = begin(rig, words, n);
    assert_int_equal(oldsow_result(s, SOUTH), south);
    assert_int_equal(oldsow_result(s, NORTH), north);
    oldsow_state_free(s);
}

static void test_results(void **state) {
    Rig *rig = *state;
    result_of(rig, OLDSOW_WON, OLDSOW_LOST, WORDS(OP_PUSH, SOUTH, OP_WIN));
    result_of(rig, OLDSOW_LOST, OLDSOW_WON, WORDS(OP_PUSH, SOUTH, OP_LOSE));
    result_of(rig, OLDSOW_DRAWN, OLDSOW_DRAWN, WORDS(OP_DRAW));
    result_of(rig, OLDSOW_UNDECIDED, OLDSOW_UNDECIDED, WORDS(OP_END));
    result_of(rig, OLDSOW_UNDECIDED, OLDSOW_UNDECIDED, WORDS(OP_THROW, 0, AT(20), OP_END));

    OldsowState *s = begin(rig, WORDS(OP_PUSH, -4, OP_PUSH, NORTH, OP_SCORE, OP_PUSH, SOUTH,
                                      OP_RETIRE, OP_PUSH, NORTH, OP_SET_MOVER, OP_END));
    int score = 0;
    assert_true(oldsow_score(s, NORTH, &score));
    assert_int_equal(score, -4);
    assert_false(oldsow_score(s, SOUTH, &score));
    assert_false(oldsow_playing(s, SOUTH));
    assert_true(oldsow_playing(s, NORTH));
    assert_int_equal(oldsow_mover(s), NORTH);
    assert_int_equal(oldsow_count_on(s, -1, 0) + oldsow_count_on(s, 0, TINY_KINDS), 0);
    oldsow_state_free(s);
}

// ---- faults ---------------------------------------------------------------------------------

// Not inlined: gcc 12 takes what open_memstream stored in `text` for a pointer to it.
__attribute__((noinline)) static char *printed(void (*print)(const OldsowState *, FILE *),
                                               const OldsowState *s) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(s, out);
    fclose(out);
    return text;
}

static void print_fault(const OldsowState *s, FILE *out) { oldsow_print_fault(s, out, false); }

static void test_fault(void **state) {
    Rig *rig = *state;
    Arena *arena = arena_new(1 << 20);
    assert_non_null(arena);
    if (setjmp(*arena_oom(arena))) fail_msg("out of memory");
    Sources sources;
    sources_init(&sources, arena);
    uint32_t mine, library, where;
    static const char script[] = "(game\n  (relay a1))\n", lib[] = "// lib\n(drop it) (carry on)\n";
    sources_add(&sources, "my.sow", script, sizeof script - 1, &mine, &where);
    sources_add(&sources, "<stdlib/lib.sow>", lib, sizeof lib - 1, &library, &where);
    rig->tiny.p.sources = &sources;
    const Expansion outer = {"relay", NULL, {mine, 8, 18}, NULL};
    const Expansion inner = {"drop", NULL, {library, 7, 16}, &outer};
    rig->tiny.origins[0] = (Origin){{library, 17, 27}, &inner};
    OldsowState *s = begin(rig, WORDS(OP_RAISE, R_ENDLESS));
    assert_int_equal(oldsow_status(s), OLDSOW_FAULT);
    OldsowFault fault = oldsow_fault(s);
    assert_string_equal(fault.code, "R0902");
    assert_true(fault.endless);
    assert_string_equal(fault.file, "my.sow");
    assert_int_equal(fault.line, 2);
    assert_int_equal(fault.column, 3);
    char *text = printed(print_fault, s);
    assert_non_null(strstr(text, "my.sow:2:3"));
    assert_non_null(strstr(text, "R0902"));
    const char *first = strstr(text, "in `relay`, <stdlib/lib.sow>:2:1");
    assert_non_null(first);
    assert_non_null(strstr(first, "in `drop`, <stdlib/lib.sow>:2:11"));
    free(text);
    OldsowState *copy = oldsow_clone(s);
    assert_int_equal(oldsow_status(copy), OLDSOW_FAULT);
    assert_string_equal(oldsow_fault(copy).code, "R0902");
    oldsow_state_free(copy);
    oldsow_state_free(s);

    rig->tiny.origins[0] = (Origin){{mine, 8, 18}, NULL};
    s = begin(rig, WORDS(OP_RAISE, R_NO_CHOICE));
    assert_false(oldsow_fault(s).endless);
    assert_int_equal(oldsow_fault(s).line, 2);
    oldsow_state_free(s);

    rig->tiny.p.sources = NULL; // a program that came from nowhere
    s = begin(rig, WORDS(OP_RAISE, R_NO_CHOICE));
    assert_null(oldsow_fault(s).file);
    text = printed(print_fault, s);
    assert_non_null(strstr(text, "R0901"));
    free(text);
    oldsow_state_free(s);
    arena_free(arena);
}

// ---- drawings -------------------------------------------------------------------------------

static void drawn(Rig *rig, const char *expected) {
    OldsowState *s = begin(rig, WORDS(OP_END));
    char *text = printed(oldsow_draw, s);
    assert_string_equal(text, expected);
    free(text);
    oldsow_state_free(s);
}

static void test_draw_rows(void **state) {
    Rig *rig = *state;
    lay(rig, A, 3, 1);
    lay(rig, C, 0, 12);
    lay(rig, STORE, 20, 1);
    drawn(rig, "1  s3g   . g12   .\n"
               "     a   b   c   d\n"
               "store-South: 20 seed, 1 gold\n"
               "s seed, g gold\n");
}

// Two rows with a gap, one kind, a lane over the board, stones in hand.
static void test_draw_irregular(void **state) {
    Rig *rig = *state;
    static const SiteInfo sites[] = {
        {"a1", OLDSOW_ON_BOARD, -1, -1, 1, 1},       {"b1", OLDSOW_ON_BOARD, -1, -1, 2, 1},
        {"b2", OLDSOW_ON_BOARD, -1, -1, 2, 2},       {"d1", OLDSOW_ON_BOARD, -1, -1, 4, 1},
        {"way-1", OLDSOW_LANE_STEP, NORTH, 1, 0, 0}, {"way-2", OLDSOW_LANE_STEP, NORTH, 2, 0, 0},
        {"way-3", OLDSOW_LANE_STEP, NORTH, 1, 0, 0}, {"off", OLDSOW_BESIDE, -1, -1, 0, 0},
        {"in hand", OLDSOW_HIDDEN, -1, -1, 0, 0},    {"sown", OLDSOW_HIDDEN, -1, -1, 0, 0},
    };
    static const Cell initial[TINY_STATE] = {11, 0, 0, 2, 1, 0, 3, 0, 4, 0};
    rig->tiny.p.sites = sites;
    rig->tiny.p.nsites = 10;
    rig->tiny.p.npieces = 1;
    rig->tiny.p.ntracks = 0;
    rig->tiny.p.initial = initial;
    rig->game.rows = 2;
    drawn(rig, "2      .\n"
               "1  11  4     2\n"
               "    a  b     d\n"
               "North: b1 step 1 (1)  b1 step 3 (3)\n"
               "off: 0\n"
               "in hand: 4\n");
}

static void test_draw_list(void **state) {
    Rig *rig = *state;
    rig->game.rows = 0;
    rig->game.board_note = "a1 - b1 - c1";
    static const char *const kinds[] = {"man-South", "man-North"};
    rig->tiny.p.pieces = kinds;
    lay(rig, A, 2, 1);
    lay(rig, D, 0, 2);
    drawn(rig, "a1: m2M  d1: M2\n"
               "a1 - b1 - c1\n"
               "store-South: 0\n"
               "m man-South, M man-North\n");
    lay(rig, A, 0, 0);
    lay(rig, D, 0, 0);
    rig->game.board_note = NULL;
    drawn(rig, "the board is empty\n"
               "store-South: 0\n"
               "m man-South, M man-North\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_generator), TEST(test_below),           TEST(test_throws),
        TEST(test_names),     TEST(test_equal_names),     TEST(test_long_names),
        TEST(test_copies),    TEST(test_history_in_hash), TEST(test_results),
        TEST(test_fault),     TEST(test_draw_rows),       TEST(test_draw_irregular),
        TEST(test_draw_list),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
