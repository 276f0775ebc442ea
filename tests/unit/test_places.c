// Places that play comes by: games that count them play as those that do not, and the counts are true.
//
// Run from the root of the repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "interp/oldsow.h"

static const char few[] = "(game \"Few\"\n"                                       // 1
                          "  (players South North)\n"                             // 2
                          "  (board (line 3))\n"                                  // 3
                          "  (piece stone) (piece gold)\n"                        // 4
                          "  (start (put 2 stone on: board))\n"                   // 5
                          "  (play\n"                                             // 6
                          "    (turns\n"                                          // 7
                          "      (choose from in: board where: (occupied from)\n" // 8
                          "        else: (lose mover)\n"                          // 9
                          "        (if (= (count from) 9)\n"                      // 10
                          "          (draw)\n"                                    // 11
                          "          else: (remove all from: from))\n"            // 12
                          "        (if (occupied board) (for n in: 1..(count a1 of: gold) (put n "
                          "stone on: a1)))))))\n"; // 13

static OldsowGame *load(const char *path, const char *text, bool places) {
    OldsowReport *report = NULL;
    OldsowLoading how = {.places = places};
    OldsowGame *game = path ? oldsow_load(path, &how, &report)
                            : oldsow_load_text("few.sow", text, strlen(text), &how, &report);
    if (!game) oldsow_report_print(report, stderr, false);
    assert_non_null(game);
    oldsow_report_free(report);
    return game;
}

static bool waits(const OldsowState *state) {
    return oldsow_status(state) == OLDSOW_CHOICE || oldsow_status(state) == OLDSOW_CHANCE;
}

static void play_out(OldsowState *state, uint64_t seed) {
    OldsowRng rng;
    oldsow_seed(&rng, seed, 0);
    for (int i = 0; i < 300 && waits(state); i++) oldsow_play(state, oldsow_pick(state, &rng));
}

// The count of the only place of that kind on the line, or -1.
static long count_at(const OldsowGame *game, const uint64_t *counts, unsigned line,
                     OldsowPlaceKind kind) {
    long found = -1;
    for (size_t i = 0; i < oldsow_places(game); i++) {
        OldsowPlace place = oldsow_place(game, i);
        if (place.line != line || place.kind != kind) continue;
        assert_int_equal(found, -1);
        found = (long)counts[i];
    }
    return found;
}

static void none_unless_wanted(void **unused) {
    (void)unused;
    OldsowGame *game = load(NULL, few, false);
    assert_int_equal(oldsow_places(game), 0);
    oldsow_game_free(game);
}

static void counts_are_true(void **unused) {
    (void)unused;
    OldsowGame *game = load(NULL, few, true);
    uint64_t *counts = calloc(oldsow_places(game), sizeof *counts);
    OldsowState *state = oldsow_start_counting(game, counts);
    play_out(state, 1);
    assert_int_equal(oldsow_status(state), OLDSOW_OVER);
    assert_int_equal(count_at(game, counts, 5, OLDSOW_PLACE_DONE), 1);
    assert_int_equal(count_at(game, counts, 7, OLDSOW_PLACE_DONE), 1);
    assert_int_equal(count_at(game, counts, 8, OLDSOW_PLACE_DONE), 4);
    assert_int_equal(count_at(game, counts, 8, OLDSOW_PLACE_ASKED), 12);
    assert_int_equal(count_at(game, counts, 8, OLDSOW_PLACE_HELD), 6);
    assert_int_equal(count_at(game, counts, 8, OLDSOW_PLACE_OFFERED), 6);
    assert_int_equal(count_at(game, counts, 8, OLDSOW_PLACE_CHOSEN), 3);
    assert_int_equal(count_at(game, counts, 9, OLDSOW_PLACE_DONE), 1);
    assert_int_equal(count_at(game, counts, 11, OLDSOW_PLACE_DONE), 0);
    assert_int_equal(count_at(game, counts, 12, OLDSOW_PLACE_DONE), 3);
    assert_int_equal(count_at(game, counts, 13, OLDSOW_PLACE_NO), 1);
    assert_int_equal(count_at(game, counts, 13, OLDSOW_PLACE_ROUND), 0);
    oldsow_state_free(state);
    free(counts);
    oldsow_game_free(game);
}

static void a_place_comes_after_its_upper(const OldsowGame *game, const uint64_t *counts) {
    for (size_t i = 0; i < oldsow_places(game); i++) {
        OldsowPlace place = oldsow_place(game, i);
        assert_true(place.up < (long)i);
        if (counts[i] && place.up >= 0) assert_true(counts[place.up] > 0);
        assert_true(place.end_line > place.line || place.end_column >= place.column);
    }
}

// Ply by ply the same positions, names and candidates.
static void same_game(const OldsowGame *plain, const OldsowGame *counting, uint64_t seed,
                      uint64_t *counts) {
    OldsowState *a = oldsow_start(plain), *b = oldsow_start_counting(counting, counts);
    OldsowRng rng;
    oldsow_seed(&rng, seed, 0);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(oldsow_status(a), oldsow_status(b));
        assert_memory_equal(oldsow_vector(a), oldsow_vector(b), oldsow_state_bytes(plain));
        assert_int_equal(oldsow_candidates(a), oldsow_candidates(b));
        if (!waits(a)) break;
        size_t pick = oldsow_pick(a, &rng);
        oldsow_play(a, pick);
        oldsow_play(b, pick);
    }
    if (oldsow_status(a) == OLDSOW_FAULT) {
        OldsowFault fa = oldsow_fault(a), fb = oldsow_fault(b);
        assert_string_equal(fa.code, fb.code);
        assert_int_equal(fa.line, fb.line);
        assert_int_equal(fa.column, fb.column);
    }
    oldsow_state_free(a);
    oldsow_state_free(b);
}

static void games_are_the_same(void **unused) {
    (void)unused;
    static const char *const paths[] = {
        "games/laomuzhu.sow",     "games/njombwa.sow",       "games/len-doat.sow",
        "games/mawryngkneng.sow", "examples/backgammon.sow", "examples/konane.sow",
        "examples/oware.sow",     "examples/goose.sow",
    };
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        OldsowGame *plain = load(paths[k], NULL, false), *counting = load(paths[k], NULL, true);
        assert_int_equal(oldsow_rules_hash(plain), oldsow_rules_hash(counting));
        assert_int_equal(oldsow_state_bytes(plain), oldsow_state_bytes(counting));
        assert_true(oldsow_places(counting) > 0);
        uint64_t *counts = calloc(oldsow_places(counting), sizeof *counts);
        for (uint64_t seed = 1; seed <= 10; seed++) {
            same_game(plain, counting, seed, counts);
            a_place_comes_after_its_upper(counting, counts);
        }
        free(counts);
        oldsow_game_free(plain);
        oldsow_game_free(counting);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_unless_wanted),
        cmocka_unit_test(counts_are_true),
        cmocka_unit_test(games_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
