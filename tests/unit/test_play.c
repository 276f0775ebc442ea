// Counting, random games and solving, held against programs that do the same in the plainest way.
#include "small_games.h"

#include "interp/play/perft.h"
#include "interp/play/playout.h"
#include "interp/play/solve.h"
#include "interp/play/words.h"

// ---- perft ---------------------------------------------------------------------------------------

static uint64_t count_plainly(const OldsowState *state, int depth) {
    if (depth == 0) return 1;
    OldsowStatus status = oldsow_status(state);
    if (status != OLDSOW_CHOICE && status != OLDSOW_CHANCE) return 0;
    uint64_t n = 0;
    for (size_t i = 0; i < oldsow_candidates(state); i++) {
        OldsowState *next = oldsow_clone(state);
        oldsow_play(next, i);
        n += count_plainly(next, depth - 1);
        oldsow_state_free(next);
    }
    return n;
}

static void counts_agree(const char *script, int depth) {
    OldsowGame *game = load(script);
    OldsowState *start = oldsow_start(game);
    Perft *perft = perft_new(start);
    for (int d = 0; d <= depth; d++) {
        PerftCount count;
        assert_int_equal(perft_count(perft, d, NULL, &count), PERFT_DONE);
        // The plain count takes a last ply into a failure for a ply as well.
        assert_int_equal(count.sequences, count_plainly(start, d));
    }
    perft_free(perft);
    oldsow_state_free(start);
    oldsow_game_free(game);
}

static void perft_counts(void **unused) {
    (void)unused;
    counts_agree(nim, 11);
    counts_agree(greedy, 8);
    counts_agree(race, 7);
    counts_agree(round_and_round, 6);
    counts_agree(maze, 8);
    counts_agree(trap, 5);
}

static void perft_tells_faults(void **unused) {
    (void)unused;
    OldsowGame *game = load(trap);
    OldsowState *start = oldsow_start(game);
    Perft *perft = perft_new(start);
    PerftCount count;
    assert_int_equal(perft_count(perft, 3, NULL, &count), PERFT_DONE);
    assert_int_equal(count.sequences, 8);
    assert_int_equal(count.faults, 0);
    assert_int_equal(perft_count(perft, 5, NULL, &count), PERFT_DONE);
    assert_int_equal(count.sequences, 0);
    assert_int_equal(count.faults, 8);
    assert_int_equal(count.endless, 8);
    assert_int_equal(oldsow_status(perft_fault(perft)), OLDSOW_FAULT);
    perft_free(perft);
    oldsow_state_free(start);
    oldsow_game_free(game);
}

static void perft_stops_and_overflows(void **unused) {
    (void)unused;
    OldsowGame *game = load(round_and_round);
    OldsowState *start = oldsow_start(game);
    Perft *perft = perft_new(start);
    volatile sig_atomic_t stop = 1;
    Watch watch = {.stop = &stop};
    PerftCount count;
    assert_int_equal(perft_count(perft, 60, &watch, &count), PERFT_STOPPED);
    perft_free(perft);
    oldsow_state_free(start);
    oldsow_game_free(game);
}

// ---- random games ----------------------------------------------------------------------------------

static PlayoutEnd play_out(const char *script, uint64_t seed, uint64_t most, uint64_t *plies) {
    OldsowGame *game = load(script);
    OldsowState *state = oldsow_start(game);
    OldsowRng rng;
    oldsow_seed(&rng, seed, 0);
    Playout how = {.throws = &rng, .choices = &rng, .max_plies = most};
    PlayoutEnd end = playout(game, state, &how, plies);
    if (end != PLAYOUT_UNFINISHED) assert_int_equal(end, playout_end(game, state));
    oldsow_state_free(state);
    oldsow_game_free(game);
    return end;
}

static void playouts_end(void **unused) {
    (void)unused;
    bool lost = false, won = false;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t plies, again;
        assert_int_equal(play_out(nim, seed, 0, &plies), PLAYOUT_WON);
        assert_in_range(plies, 4, 10);
        assert_int_equal(play_out(nim, seed, 0, &again), PLAYOUT_WON);
        assert_int_equal(plies, again);
        assert_int_equal(play_out(nim, seed, 2, &plies), PLAYOUT_UNFINISHED);
        assert_int_equal(plies, 2);
        assert_int_equal(play_out(round_and_round, seed, 100, &plies), PLAYOUT_UNFINISHED);
        assert_int_equal(play_out(trap, seed, 0, &plies), PLAYOUT_ENDLESS);
        assert_int_equal(plies, 3);
        PlayoutEnd end = play_out(maze, seed, 0, &plies);
        lost |= end == PLAYOUT_LOST;
        won |= end == PLAYOUT_WON;
    }
    assert_true(lost && won);
    assert_string_equal(playout_word(PLAYOUT_UNFINISHED), "unfinished");
}

// ---- one player --------------------------------------------------------------------------------------

static SolveAnswer solve_game(OldsowGame *game, Solve how) { return solve(game, &how); }

// Plays the line, and gives the state it leads to.
static OldsowState *follow(const OldsowGame *game, const SolveAnswer *answer) {
    OldsowState *state = oldsow_start(game);
    for (size_t i = 0; i < answer->length; i++) {
        assert_in_range(answer->line[i], 0, oldsow_candidates(state) - 1);
        oldsow_play(state, answer->line[i]);
    }
    return state;
}

static void assert_solution(const OldsowGame *game, const SolveAnswer *answer) {
    assert_int_equal(answer->end, SOLVE_WON);
    assert_int_equal(answer->moves, answer->length);
    OldsowState *state = follow(game, answer);
    assert_int_equal(oldsow_status(state), OLDSOW_OVER);
    assert_int_equal(oldsow_result(state, 0), OLDSOW_WON);
    oldsow_state_free(state);
}

static void one_player_is_solved(void **unused) {
    (void)unused;
    OldsowGame *game = load(maze);
    SolveAnswer answer = solve_game(game, (Solve){0});
    assert_solution(game, &answer);
    assert_int_equal(answer.length, 3);
    solve_free(&answer);
    answer = solve_game(game, (Solve){.any = true});
    assert_solution(game, &answer);
    solve_free(&answer);
    answer = solve_game(game, (Solve){.limit = 2});
    assert_int_equal(answer.end, SOLVE_LIMIT);
    assert_int_equal(answer.positions, 2);
    solve_free(&answer);
    answer = solve_game(game, (Solve){.memory_cap = 1000});
    assert_int_equal(answer.end, SOLVE_MEMORY);
    solve_free(&answer);
    volatile sig_atomic_t stop = 1;
    Watch watch = {.stop = &stop};
    answer = solve_game(game, (Solve){.watch = &watch});
    assert_int_equal(answer.end, SOLVE_STOPPED);
    solve_free(&answer);
    oldsow_game_free(game);
}

static OldsowGame *load_file(const char *path, const char *reading) {
    OldsowReport *report = NULL;
    OldsowLoading how = {.reading = reading};
    OldsowGame *game = oldsow_load(path, &how, &report);
    if (!game && report) oldsow_report_print(report, stderr, false);
    oldsow_report_free(report);
    assert_non_null(game);
    return game;
}

static void the_solitaire_is_solved(void **unused) {
    (void)unused;
    static const struct {
        const char *reading;
        size_t moves; // 0: cannot be solved
    } wanted[] = {{"summary", 0}, {"das-gupta", 23}, {"free", 15}};
    for (size_t i = 0; i < 3; i++) {
        OldsowGame *game = load_file("games/mawryngkneng.sow", wanted[i].reading);
        SolveAnswer shortest = solve_game(game, (Solve){0});
        SolveAnswer any = solve_game(game, (Solve){.any = true});
        if (wanted[i].moves == 0) {
            assert_int_equal(shortest.end, SOLVE_HOPELESS);
            assert_int_equal(any.end, SOLVE_HOPELESS);
            // Both have looked at all there is.
            assert_int_equal(shortest.positions, any.positions);
        } else {
            assert_solution(game, &shortest);
            assert_int_equal(shortest.length, wanted[i].moves);
            assert_solution(game, &any);
            assert_true(any.length >= shortest.length);
        }
        solve_free(&shortest);
        solve_free(&any);
        oldsow_game_free(game);
    }
}

// ---- two players -------------------------------------------------------------------------------------

// What a game without circles is worth to the first player (1, 0, -1), and in how many plies if each wins as fast and
// loses as slowly as he can.
static int value_plainly(const OldsowState *state, size_t *plies) {
    *plies = 0;
    if (oldsow_status(state) == OLDSOW_OVER)
        return oldsow_result(state, 0) == OLDSOW_WON   ? 1
               : oldsow_result(state, 1) == OLDSOW_WON ? -1
                                                       : 0;
    int mine = oldsow_mover(state) == 0 ? 1 : -1, best = -2;
    for (size_t i = 0; i < oldsow_candidates(state); i++) {
        OldsowState *next = oldsow_clone(state);
        oldsow_play(next, i);
        size_t n;
        int value = value_plainly(next, &n) * mine;
        n++;
        if (value > best || (value == best && (value > 0 ? n < *plies : n > *plies))) {
            best = value;
            *plies = n;
        }
        oldsow_state_free(next);
    }
    return best * mine;
}

static void values_agree(const char *script, const char *reading) {
    OldsowGame *game = load_as(script, reading);
    OldsowState *start = oldsow_start(game);
    size_t plies;
    int value = value_plainly(start, &plies);
    SolveAnswer answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_VALUE);
    assert_int_equal(answer.winner, value > 0 ? 0 : value < 0 ? 1 : -1);
    if (value != 0) {
        assert_int_equal(answer.moves, plies);
        assert_int_equal(answer.length, plies);
        OldsowState *end = follow(game, &answer);
        assert_int_equal(oldsow_result(end, answer.winner), OLDSOW_WON);
        oldsow_state_free(end);
    }
    solve_free(&answer);
    oldsow_state_free(start);
    oldsow_game_free(game);
}

static void two_players_are_solved(void **unused) {
    (void)unused;
    values_agree(nim, NULL);
    values_agree(nim, "meek");
    values_agree(greedy, NULL);
    char script[1024];
    for (int stones = 1; stones <= 14;
         stones++) { // a misère game in which a player may go on, and in which 4 is a draw
        snprintf(
            script, sizeof script,
            "(game \"Pile\" (players South North) (board (line 1)) (piece seed)"
            " (start (put %d seed on: a1))"
            " (play (turns (choose n in: 1..3 where: (<= n (count a1)) (remove n from: a1)"
            "   (if (= (count a1) 4) (draw)) (if (empty a1) (lose mover)) (if (= n 1) (again))))))",
            stones);
        values_agree(script, NULL);
    }
}

static void circles_are_draws(void **unused) {
    (void)unused;
    OldsowGame *game = load(round_and_round);
    SolveAnswer answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_VALUE);
    assert_int_equal(answer.winner, -1);
    assert_true(answer.circles);
    assert_int_equal(answer.positions, 6);
    solve_free(&answer);
    oldsow_game_free(game);

    // North can only walk up and down, South may end the game by winning it: no draw, however long he waits.
    game = load("(game \"Wait\" (players South North) (board (line 3)) (piece seed)"
                " (start (put 1 seed on: a1))"
                " (play (turns"
                "   (choose to in: board where: (empty to) (move all from: board to: to))"
                "   (if (and (occupied c1) (= mover South)) (win South)))))");
    answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.winner, 0);
    assert_int_equal(answer.moves, 1);
    solve_free(&answer);
    oldsow_game_free(game);
}

static void what_cannot_be_solved_is_refused(void **unused) {
    (void)unused;
    OldsowGame *game = load(race);
    SolveAnswer answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_CHANCE);
    solve_free(&answer);
    oldsow_game_free(game);
    game = load("(game \"x\" (players A B C) (board (line 1)) (piece seed) (play (choose n in: "
                "1..2 (win A))))");
    answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_PLAYERS);
    solve_free(&answer);
    oldsow_game_free(game);
    game = load("(game \"x\" (players A B) (board (line 1)) (piece seed) (play (turns (choose n "
                "in: 1..2 (remember))"
                " (if (= (times-seen) 3) (draw)))))");
    answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_HISTORY);
    solve_free(&answer);
    oldsow_game_free(game);
    game = load(trap);
    answer = solve_game(game, (Solve){0});
    assert_int_equal(answer.end, SOLVE_FAULT);
    assert_int_equal(answer.length, 3);
    assert_int_equal(oldsow_status(answer.fault), OLDSOW_FAULT);
    solve_free(&answer);
    oldsow_game_free(game);
    game = load(nim);
    answer = solve_game(game, (Solve){.limit = 5});
    assert_int_equal(answer.end, SOLVE_LIMIT);
    assert_int_equal(answer.positions, 5);
    solve_free(&answer);
    oldsow_game_free(game);
}

// ---- words -------------------------------------------------------------------------------------------

static void names_are_quoted_where_they_must_be(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"b1", "b1"},           {"enter-5", "enter-5"},   {"6-1", "6-1"},       {"a\\b", "a\\b"},
        {"", "\"\""},           {"*", "\"*\""},           {"a b", "\"a b\""},   {"a:", "\"a:\""},
        {"12.x", "\"12.x\""},   {"12x.", "12x."},         {"a//b", "\"a//b\""}, {"a/b", "a/b"},
        {"a\"b", "\"a\\\"b\""}, {"a \\b", "\"a \\\\b\""},
    };
    char buffer[WORDS_NAME_MAX];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(words_name(pairs[i][0], buffer), pairs[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perft_counts),
        cmocka_unit_test(perft_tells_faults),
        cmocka_unit_test(perft_stops_and_overflows),
        cmocka_unit_test(playouts_end),
        cmocka_unit_test(one_player_is_solved),
        cmocka_unit_test(the_solitaire_is_solved),
        cmocka_unit_test(two_players_are_solved),
        cmocka_unit_test(circles_are_draws),
        cmocka_unit_test(what_cannot_be_solved_is_refused),
        cmocka_unit_test(names_are_quoted_where_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
