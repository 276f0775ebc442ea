// Games as they are run after improvement, beside the same as they are written: what may be done, what comes of it, and the
// numbers that are drawn, ply by ply.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/loading.h"
#include "interp/game.h"
#include "interp/play/playout.h"
#include "interp/vm/asked.h"
#include "interp/vm/quick.h"
#include "interp/vm/quickener.h"
#include "interp/vm/verify.h"

#include <stdlib.h>
#include <string.h>

// The same game, of which nothing is improved.
static OldsowGame *load_plain(const char *path) {
    OldsowGame *game = load_file(path);
    Program *p = &game->program;
    int pc, *depths = calloc((size_t)p->ncode + 1, sizeof *depths);
    assert_non_null(depths);
    assert_null(verify_program(p, &pc, depths));
    quicken(p, depths, false, game->shared->arena);
    free(depths);
    return game;
}

static void same_position(const OldsowGame *game, const OldsowState *a, const OldsowState *b) {
    assert_int_equal(oldsow_status(a), oldsow_status(b));
    assert_memory_equal(oldsow_vector(a), oldsow_vector(b), oldsow_state_bytes(game));
    assert_int_equal(oldsow_candidates(a), oldsow_candidates(b));
    for (size_t i = 0; i < oldsow_candidates(a); i++) {
        char one[OLDSOW_NAME_MAX], other[OLDSOW_NAME_MAX];
        assert_string_equal(oldsow_candidate(a, i, one), oldsow_candidate(b, i, other));
    }
}

// One game ply by ply in both ways, and played on at once.
static void play_thrice(const OldsowGame *well, const OldsowGame *plain, uint64_t seed) {
    enum { PLIES = 120 };
    OldsowState *a = oldsow_start(well), *b = oldsow_start(plain), *c = oldsow_start(well);
    OldsowRng throws[2], choices[2];
    for (int k = 0; k < 2; k++) {
        oldsow_seed(&throws[k], seed, 0);
        oldsow_seed(&choices[k], seed, 1);
    }
    const uint64_t plies = 1 + seed % PLIES;
    playout(well, c, &(Playout){throws, choices, .max_plies = plies}, NULL);
    for (uint64_t ply = 0; ply < plies && oldsow_status(a) != OLDSOW_OVER; ply++) {
        same_position(well, a, b);
        const bool thrown = oldsow_status(a) == OLDSOW_CHANCE;
        const size_t i = oldsow_pick(a, thrown ? &throws[1] : &choices[1]);
        oldsow_play(a, i);
        oldsow_play(b, i);
    }
    same_position(well, a, b);
    same_position(well, a, c);
    assert_memory_equal(&throws[0], &throws[1], sizeof throws[0]);
    assert_memory_equal(&choices[0], &choices[1], sizeof choices[0]);
    oldsow_state_free(a);
    oldsow_state_free(b);
    oldsow_state_free(c);
}

static void play_both(const char *path, int kept) {
    OldsowGame *well = load_file(path), *plain = load_plain(path);
    assert_null(plain->program.quick->keeping);
    const Keeping *keeping = well->program.quick->keeping;
    assert_int_equal(keeping ? keeping->n : 0, kept);
    for (uint64_t seed = 0; seed < 240; seed++) play_thrice(well, plain, seed);
    oldsow_game_free(well);
    oldsow_game_free(plain);
}

// Who stands first on a way, rivals ahead, what may leave it.
static void a_way(void **unused) {
    (void)unused;
    play_both("tests/cli/chase.sow", 4);
}

// Neighbours, looking ahead, several kinds that come and go.
static void a_field(void **unused) {
    (void)unused;
    play_both("tests/cli/field.sow", 3);
}

static void larger_games(void **unused) {
    (void)unused;
    play_both("examples/backgammon.sow", 4);
    play_both("games/len-doat.sow", 2);
    play_both("examples/dou-shou-qi.sow", 0); // more sites than bits
}

// Where pieces are sown nothing is kept.
static void sown(void **unused) {
    (void)unused;
    play_both("games/laomuzhu.sow", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way),
        cmocka_unit_test(a_field),
        cmocka_unit_test(larger_games),
        cmocka_unit_test(sown),
    };
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
