// Random games on several threads: what is counted depends on nothing but script, seed and number of
// games; a playout takes no memory; parts add up to the whole; a run can be stopped.
//
// The Makefile has the linker lead calls of malloc and its like here, where they are counted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/loading.h"
#include "interp/play/playout.h"
#include "interp/play/simulate.h"
#include "tests/unit/small_games.h"

// ---- counting allocations ------------------------------------------------------------------------

static atomic_ulong allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *at, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *at, size_t size);

void *__wrap_malloc(size_t size) {
    atomic_fetch_add(&allocations, 1);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size) {
    atomic_fetch_add(&allocations, 1);
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *at, size_t size) {
    atomic_fetch_add(&allocations, 1);
    return __real_realloc(at, size);
}

// ---- runs ----------------------------------------------------------------------------------------

typedef struct Run {
    Tally tally;
    Ranges ranges;
    SimulateEnd end;
} Run;

static Run play(const Simulation *how) {
    Run run;
    run.end = simulate(how, &run.tally, &run.ranges);
    return run;
}

static void run_free(Run *run) {
    tally_free(&run->tally);
    ranges_free(&run->ranges);
}

static void same_histogram(const Histogram *a, const Histogram *b) {
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->sum, b->sum);
    assert_memory_equal(a->times, b->times, HISTOGRAM_SIZE * sizeof *a->times);
}

static void same_tally(const Tally *a, const Tally *b) {
    assert_int_equal(a->games, b->games);
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->throws, b->throws);
    assert_memory_equal(a->ends, b->ends, sizeof a->ends);
    assert_memory_equal(a->wins, b->wins, sizeof a->wins);
    same_histogram(&a->lengths, &b->lengths);
    same_histogram(&a->branching, &b->branching);
    assert_true(a->sum_bb == b->sum_bb && a->sum_bd == b->sum_bd && a->sum_dd == b->sum_dd);
    assert_int_equal(a->first_endless, b->first_endless);
    assert_int_equal(a->first_fault, b->first_fault);
}

// ---- histograms ----------------------------------------------------------------------------------

static void every_number_has_its_step(void **unused) {
    (void)unused;
    for (size_t step = 0; step < HISTOGRAM_SIZE; step++) {
        uint64_t least = histogram_number(step);
        assert_int_equal(histogram_step(least), step);
        uint64_t most = step + 1 < HISTOGRAM_SIZE ? histogram_number(step + 1) - 1 : UINT64_MAX;
        assert_int_equal(histogram_step(most), step);
        assert_true(most - least <= least / HISTOGRAM_CUTS);
        if (step < HISTOGRAM_EXACT) assert_int_equal(most, least);
    }
}

static void quantiles(void **unused) {
    (void)unused;
    Histogram h;
    assert_true(histogram_init(&h));
    assert_int_equal(histogram_quantile(&h, 1, 2), 0);
    histogram_count(&h, 7);
    assert_int_equal(histogram_quantile(&h, 1, 1000), 7);
    assert_int_equal(histogram_quantile(&h, 1, 2), 7);
    assert_int_equal(histogram_quantile(&h, 1, 1), 7);
    histogram_count(&h, 9);
    assert_int_equal(histogram_quantile(&h, 1, 2), 7);
    histogram_count(&h, 100);
    assert_int_equal(histogram_quantile(&h, 1, 2), 9);
    assert_int_equal(histogram_quantile(&h, 975, 1000), 100);
    assert_int_equal(h.sum, 116);
    histogram_free(&h);
}

// ---- ranges --------------------------------------------------------------------------------------

static void ranges_join_and_meet(void **unused) {
    (void)unused;
    Ranges r = {0};
    assert_true(ranges_add(&r, (Range){10, 19}));
    assert_true(ranges_add(&r, (Range){30, 39}));
    assert_true(ranges_add(&r, (Range){1, 1}));
    assert_int_equal(r.n, 3);
    assert_null(ranges_meet(&r, (Range){2, 9}));
    assert_null(ranges_meet(&r, (Range){20, 29}));
    assert_int_equal(ranges_meet(&r, (Range){19, 30})->first, 10);
    assert_int_equal(ranges_meet(&r, (Range){25, 100})->first, 30);
    assert_int_equal(ranges_meet(&r, (Range){12, 12})->first, 10);
    assert_true(ranges_add(&r, (Range){20, 29}));
    assert_int_equal(r.n, 2);
    assert_int_equal(r.at[1].first, 10);
    assert_int_equal(r.at[1].last, 39);
    assert_true(ranges_add(&r, (Range){2, 9}));
    assert_int_equal(r.n, 1);
    assert_int_equal(ranges_count(&r), 39);
    ranges_free(&r);
}

// ---- what is counted -----------------------------------------------------------------------------

// The plain way: each game alone, by `playout`.
static void count_plainly(const OldsowGame *game, const Simulation *how, Tally *t) {
    assert_true(tally_init(t));
    for (uint64_t number = how->first; number <= how->last; number++) {
        OldsowState *state =
            simulate_again(game, simulate_seed(how->seed, number), how->max_plies, NULL);
        assert_non_null(state);
        t->games++;
        t->ends[playout_end(game, state)]++;
        for (int p = 0; p < oldsow_players(game); p++)
            t->wins[p] += oldsow_result(state, p) == OLDSOW_WON;
        oldsow_state_free(state);
    }
}

static void runs_are_their_games(void **unused) {
    (void)unused;
    const char *const texts[] = {nim, greedy, race, round_and_round, maze};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OldsowReport *report;
        OldsowGame *game = oldsow_load_text("small", texts[i], strlen(texts[i]), NULL, &report);
        oldsow_report_free(report);
        assert_non_null(game);
        Simulation how = {
            .game = game, .seed = 5, .first = 1, .last = 300, .max_plies = 40, .jobs = 1};
        Run run = play(&how);
        assert_int_equal(run.end, SIMULATE_DONE);
        Tally plain;
        count_plainly(game, &how, &plain);
        assert_int_equal(run.tally.games, 300);
        assert_memory_equal(run.tally.ends, plain.ends, sizeof plain.ends);
        assert_memory_equal(run.tally.wins, plain.wins, sizeof plain.wins);
        assert_int_equal(run.tally.plies, run.tally.throws + run.tally.branching.n);
        assert_int_equal(run.ranges.n, 1);
        tally_free(&plain);
        run_free(&run);
        oldsow_game_free(game);
    }
}

// Played on at once, however far, a game comes to what it comes to ply by ply.
static void played_on_is_ply_by_ply(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("tests/cli/pool.sow");
    for (uint64_t seed = 0; seed < 150; seed++) {
        OldsowState *far = oldsow_start(game), *near = oldsow_start(game);
        assert_non_null(far);
        assert_non_null(near);
        OldsowRng throws[2], choices[2];
        for (int k = 0; k < 2; k++) {
            oldsow_seed(&throws[k], seed, 0);
            oldsow_seed(&choices[k], seed, 1);
        }
        Playout how = {.throws = throws, .choices = choices, .max_plies = 1 + seed};
        playout(game, far, &how, NULL);
        for (uint64_t ply = 0; ply < how.max_plies && oldsow_status(near) != OLDSOW_OVER; ply++)
            oldsow_play(
                near,
                oldsow_pick(near, oldsow_status(near) == OLDSOW_CHANCE ? &throws[1] : &choices[1]));
        assert_int_equal(oldsow_status(far), oldsow_status(near));
        assert_memory_equal(oldsow_vector(far), oldsow_vector(near), oldsow_state_bytes(game));
        assert_memory_equal(&throws[0], &throws[1], sizeof throws[0]);
        assert_memory_equal(&choices[0], &choices[1], sizeof choices[0]);
        assert_int_equal(oldsow_candidates(far), oldsow_candidates(near));
        for (size_t i = 0; i < oldsow_candidates(far); i++) {
            char one[OLDSOW_NAME_MAX], other[OLDSOW_NAME_MAX];
            assert_string_equal(oldsow_candidate(far, i, one), oldsow_candidate(near, i, other));
        }
        oldsow_state_free(far);
        oldsow_state_free(near);
    }
    oldsow_game_free(game);
}

// What nobody looks at is counted all the same.
static void candidates_are_counted(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("tests/cli/pool.sow");
    Simulation how = {.game = game, .seed = 3, .first = 1, .last = 40, .max_plies = 90, .jobs = 1};
    Run run = play(&how);
    Tally plain;
    assert_true(tally_init(&plain));
    for (uint64_t number = how.first; number <= how.last; number++) {
        OldsowRng throws, choices;
        oldsow_seed(&throws, simulate_seed(how.seed, number), 0);
        oldsow_seed(&choices, simulate_seed(how.seed, number), 1);
        OldsowState *state = oldsow_start(game);
        assert_non_null(state);
        for (uint64_t ply = 0; ply < how.max_plies && oldsow_status(state) != OLDSOW_OVER; ply++) {
            bool thrown = oldsow_status(state) == OLDSOW_CHANCE;
            if (!thrown) histogram_count(&plain.branching, oldsow_candidates(state));
            oldsow_play(state, oldsow_pick(state, thrown ? &throws : &choices));
        }
        oldsow_state_free(state);
    }
    same_histogram(&run.tally.branching, &plain.branching);
    tally_free(&plain);
    run_free(&run);
    oldsow_game_free(game);
}

static void jobs_do_not_count(void **unused) {
    (void)unused;
    const char *const paths[] = {"games/laomuzhu.sow", "games/len-doat.sow", "examples/oware.sow"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        OldsowGame *game = load_file(paths[i]);
        Simulation how = {
            .game = game, .seed = 9, .first = 1, .last = 120, .max_plies = 200, .jobs = 1};
        Run alone = play(&how);
        how.jobs = 5;
        Run together = play(&how);
        same_tally(&alone.tally, &together.tally);
        run_free(&together);
        how.last = 47;
        Run part = play(&how);
        how.first = 48;
        how.last = 120;
        Run rest = play(&how);
        assert_true(tally_add(&rest.tally, &part.tally));
        same_tally(&alone.tally, &rest.tally);
        run_free(&alone);
        run_free(&part);
        run_free(&rest);
        oldsow_game_free(game);
    }
}

static void no_game_at_all(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("games/laomuzhu.sow");
    Run run = play(&(Simulation){.game = game, .first = 8, .last = 7, .jobs = 3});
    assert_int_equal(run.end, SIMULATE_DONE);
    assert_int_equal(run.tally.games, 0);
    assert_int_equal(run.ranges.n, 0);
    run_free(&run);
    oldsow_game_free(game);
}

static const char *const scripts[] = {
    "games/laomuzhu.sow", "games/njombwa.sow",  "games/len-doat.sow",     "games/mawryngkneng.sow",
    "examples/kalah.sow", "examples/oware.sow", "examples/backgammon.sow"};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

static void play_some(const OldsowGame *game, const OldsowState *start, OldsowState *state) {
    for (uint64_t i = 0; i < 60; i++) {
        OldsowRng rng;
        oldsow_seed(&rng, 2, i);
        assert_true(oldsow_copy(state, start));
        playout(game, state, &(Playout){.throws = &rng, .choices = &rng, .max_plies = 200}, NULL);
    }
}

// The first round lets the buffers grow to what these games need; the second takes nothing.
static void playouts_take_no_memory(void **unused) {
    (void)unused;
    for (size_t i = 0; i < SCRIPTS; i++) {
        OldsowGame *game = load_file(scripts[i]);
        OldsowState *start = oldsow_start(game), *state = oldsow_start(game);
        play_some(game, start, state);
        unsigned long before = atomic_load(&allocations);
        play_some(game, start, state);
        assert_int_equal(atomic_load(&allocations) - before, 0);
        oldsow_state_free(state);
        oldsow_state_free(start);
        oldsow_game_free(game);
    }
}

// Many more games take no more than the doublings of the few buffers that a state has.
static void runs_take_no_memory_for_games(void **unused) {
    (void)unused;
    for (size_t i = 0; i < SCRIPTS; i++) {
        OldsowGame *game = load_file(scripts[i]);
        Simulation how = {.game = game, .seed = 2, .first = 1, .max_plies = 60, .jobs = 1};
        unsigned long taken[2];
        for (int k = 0; k < 2; k++) {
            how.last = k == 0 ? 20 : 220;
            unsigned long before = atomic_load(&allocations);
            Run run = play(&how);
            taken[k] = atomic_load(&allocations) - before;
            run_free(&run);
        }
        assert_true(taken[0] > 0); // they are counted at all
        if (taken[1] > taken[0] + 15)
            fail_msg("%s: %lu allocations in 20 games, %lu in 220", scripts[i], taken[0], taken[1]);
        oldsow_game_free(game);
    }
}

// ---- stopping ------------------------------------------------------------------------------------

static volatile sig_atomic_t halt;

static void halt_soon(void *unused, uint64_t done) {
    (void)unused;
    if (done > 0) halt = 1;
}

// What was done is a beginning of the run, and counts as that many games would.
static void stopped_runs_are_shorter_runs(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("games/laomuzhu.sow");
    halt = 0;
    Watch watch = {.stop = &halt, .tick = halt_soon};
    Simulation how = {.game = game,
                      .seed = 4,
                      .first = 1,
                      .last = 1000000000,
                      .max_plies = 50,
                      .jobs = 3,
                      .watch = &watch};
    Run run = play(&how);
    assert_int_equal(run.end, SIMULATE_STOPPED);
    assert_int_equal(run.ranges.n, 1);
    assert_int_equal(run.ranges.at[0].first, 1);
    assert_int_equal(run.ranges.at[0].last, run.tally.games);
    how.last = run.tally.games;
    how.watch = NULL;
    Run again = play(&how);
    same_tally(&run.tally, &again.tally);
    run_free(&run);
    run_free(&again);
    oldsow_game_free(game);
}

// A game that would never end is left in the middle, and leaves nothing in the counts.
static void endless_games_are_left(void **unused) {
    (void)unused;
    OldsowReport *report;
    OldsowGame *game =
        oldsow_load_text("round", round_and_round, strlen(round_and_round), NULL, &report);
    oldsow_report_free(report);
    assert_non_null(game);
    halt = 1;
    Watch watch = {.stop = &halt};
    Run run = play(&(Simulation){.game = game, .first = 1, .last = 5, .jobs = 2, .watch = &watch});
    assert_int_equal(run.end, SIMULATE_STOPPED);
    assert_int_equal(run.tally.games, 0);
    assert_int_equal(run.tally.branching.n, 0);
    assert_int_equal(run.ranges.n, 0);
    run_free(&run);
    oldsow_game_free(game);
}

static bool refuse_third(void *context, uint64_t number, const char *text, size_t size) {
    (void)number;
    assert_int_equal(strlen(text), size);
    return atomic_fetch_add((atomic_int *)context, 1) < 2;
}

static void a_record_refused_stops_the_run(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("games/laomuzhu.sow");
    atomic_int taken = 0;
    Run run = play(&(Simulation){.game = game,
                                 .first = 1,
                                 .last = 100,
                                 .max_plies = 20,
                                 .jobs = 1,
                                 .record = refuse_third,
                                 .context = &taken});
    assert_int_equal(run.end, SIMULATE_STOPPED);
    assert_int_equal(run.tally.games, 3);
    run_free(&run);
    oldsow_game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_its_step),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(ranges_join_and_meet),
        cmocka_unit_test(runs_are_their_games),
        cmocka_unit_test(played_on_is_ply_by_ply),
        cmocka_unit_test(candidates_are_counted),
        cmocka_unit_test(jobs_do_not_count),
        cmocka_unit_test(no_game_at_all),
        cmocka_unit_test(playouts_take_no_memory),
        cmocka_unit_test(runs_take_no_memory_for_games),
        cmocka_unit_test(stopped_runs_are_shorter_runs),
        cmocka_unit_test(endless_games_are_left),
        cmocka_unit_test(a_record_refused_stops_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
