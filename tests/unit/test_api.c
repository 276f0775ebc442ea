// The public interface as a host uses it: loading from files and memory, reports, options and settings, several threads.
//
// Run from the root of the repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/oldsow.h"

static const char small[] = "(game \"Small\"\n"
                            "  \"A game to be loaded.\"\n"
                            "  (players South North)\n"
                            "  (option seeds {1 2 3} default: 2 \"how many\")\n"
                            "  (option who {South North} default: South \"who wins\")\n"
                            "  (reading rich seeds: 3 \"as many as there are\")\n"
                            "  (reading poor seeds: 1 who: North \"next to nothing\")\n"
                            "  (board (holes rows: 2 columns: 2))\n"
                            "  (store)\n"
                            "  (piece seed)\n"
                            "  (start (put seeds seed on: a1))\n"
                            "  (play\n"
                            "    (choose hole in: board where: (empty hole)\n"
                            "      (move all from: a1 to: hole))\n"
                            "    (win (if (= who South) South else: North))))\n";

static OldsowGame *load_text(const char *text, const OldsowLoading *how) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text("small.sow", text, strlen(text), how, &report);
    assert_non_null(report);
    if (!game) oldsow_report_print(report, stderr, false);
    assert_non_null(game);
    assert_int_equal(oldsow_report_count(report), 0);
    oldsow_report_free(report);
    return game;
}

static OldsowGame *load_file(const char *path) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load(path, NULL, &report);
    if (!game) oldsow_report_print(report, stderr, false);
    assert_non_null(game);
    oldsow_report_free(report);
    return game;
}

// ---- loading -------------------------------------------------------------------------------------

static void what_a_game_says(void **unused) {
    (void)unused;
    OldsowGame *game = load_text(small, NULL);
    assert_string_equal(oldsow_title(game), "Small");
    assert_string_equal(oldsow_doc(game), "A game to be loaded.");
    assert_null(oldsow_reading(game));
    assert_int_equal(oldsow_players(game), 2);
    assert_string_equal(oldsow_player_name(game, 0), "South");
    assert_string_equal(oldsow_player_name(game, 1), "North");
    assert_int_equal(oldsow_pieces(game), 1);
    assert_string_equal(oldsow_piece_name(game, 0), "seed");
    assert_int_equal(oldsow_sites(game), 6);
    static const char *const names[] = {"a1", "b1", "a2", "b2", "store-South", "store-North"};
    for (int i = 0; i < 6; i++) {
        OldsowSite site = oldsow_site(game, i);
        assert_string_equal(site.name, names[i]);
        assert_int_equal(site.kind, i < 4 ? OLDSOW_ON_BOARD : OLDSOW_BESIDE);
        assert_int_equal(site.owner, i < 4 ? -1 : i - 4);
        assert_int_equal(site.column, i < 4 ? i % 2 + 1 : 0);
        assert_int_equal(site.row, i < 4 ? i / 2 + 1 : 0);
    }
    oldsow_game_free(game);
}

// A text is as long as it is said to be, and needs no closing NUL.
static void size_counts(void **unused) {
    (void)unused;
    size_t size = strlen(small);
    char *text = malloc(size + 4);
    assert_non_null(text);
    memcpy(text, small, size);
    memcpy(text + size, "))((", 4);
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text("small.sow", text, size, NULL, &report);
    assert_non_null(game);
    // The game keeps nothing of the caller's text.
    memset(text, 'x', size);
    free(text);
    assert_string_equal(oldsow_title(game), "Small");
    oldsow_report_free(report);
    oldsow_game_free(game);
}

// Files are looked for beside the name the text was given.
static void names_tell_where(void **unused) {
    (void)unused;
    static const char text[] = "(variant \"V\" of: \"njombwa.sow\" (fix columns 9))";
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text("games/v.sow", text, sizeof text - 1, NULL, &report);
    assert_non_null(game);
    int holes = 0;
    for (int i = 0; i < oldsow_sites(game); i++)
        holes += oldsow_site(game, i).kind == OLDSOW_ON_BOARD;
    assert_int_equal(holes, 4 * 9);
    oldsow_report_free(report);
    oldsow_game_free(game);
    assert_null(oldsow_load_text("v.sow", text, sizeof text - 1, NULL, &report));
    assert_int_equal(oldsow_report_count(report), 1);
    assert_string_equal(oldsow_report_get(report, 0).code, "E0001");
    oldsow_report_free(report);
}

static void no_such_file(void **unused) {
    (void)unused;
    OldsowReport *report = NULL;
    assert_null(oldsow_load("games/no-such-game.sow", NULL, &report));
    assert_non_null(report);
    assert_int_equal(oldsow_report_count(report), 1);
    OldsowMessage m = oldsow_report_get(report, 0);
    assert_string_equal(m.code, "E0001");
    assert_true(m.error);
    assert_null(m.file);
    assert_non_null(strstr(m.text, "no-such-game.sow"));
    oldsow_report_free(report);
    assert_false(oldsow_check("games", &report));
    assert_string_equal(oldsow_report_get(report, 0).code, "E0002");
    oldsow_report_free(report);
    assert_true(oldsow_check("games/laomuzhu.sow", &report));
    assert_int_equal(oldsow_report_count(report), 0);
    oldsow_report_free(report);
}

// A game and the report of its loading live as long as either is needed, and nothing frees nothing.
static void freeing_in_any_order(void **unused) {
    (void)unused;
    for (int first = 0; first < 2; first++) {
        OldsowReport *report = NULL;
        OldsowGame *game = oldsow_load_text("small.sow", small, sizeof small - 1, NULL, &report);
        assert_non_null(game);
        if (first == 0) {
            oldsow_game_free(game);
            assert_int_equal(oldsow_report_count(report), 0);
            oldsow_report_free(report);
        } else {
            oldsow_report_free(report);
            OldsowState *state = oldsow_start(game);
            assert_int_equal(oldsow_status(state), OLDSOW_CHOICE);
            oldsow_state_free(state);
            oldsow_game_free(game);
        }
    }
    oldsow_game_free(NULL);
    oldsow_report_free(NULL);
    oldsow_state_free(NULL);
    assert_int_equal(oldsow_report_count(NULL), 0);
}

// ---- reports -------------------------------------------------------------------------------------

static void messages_have_places(void **unused) {
    (void)unused;
    static const char text[] = "(game \"\xe8\x80\x81\xe6\xaf\x8d\xe7\x8c\xaa\" (players A)\n"
                               "  (board (line 2))\n"
                               "  (piece seed) // \xc3\xa9\n"
                               "  (play (put 1 sead on: a1)\n"
                               "    (put 1 seed on: c1) (win A)))\n";
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("bad.sow", text, sizeof text - 1, NULL, &report));
    assert_int_equal(oldsow_report_count(report), 2);
    OldsowMessage m = oldsow_report_get(report, 0);
    assert_string_equal(m.code, "E0202");
    assert_true(m.error);
    assert_string_equal(m.file, "bad.sow");
    assert_int_equal(m.line, 4);
    assert_int_equal(m.column, 16);
    assert_int_equal(m.end_line, 4);
    assert_int_equal(m.end_column, 20);
    assert_non_null(strstr(m.text, "sead"));
    assert_non_null(m.mend);
    assert_non_null(strstr(m.mend, "seed"));
    assert_string_equal(m.replacement, "seed");
    m = oldsow_report_get(report, 1);
    assert_null(m.replacement); // its mend tells of the board, and is no word to put there
    assert_string_equal(m.code, "E0211");
    assert_int_equal(m.line, 5);
    oldsow_report_free(report);
}

static void messages_have_labels_and_notes(void **unused) {
    (void)unused;
    static const char text[] = "(gmae \"Labels\" (players A) (board (line 2))\n"
                               "  (piece seed) (play (put 1 seed on: a1) (win A)))\n";
    static const char twice[] = "(game \"Labels\" (players A) (board (line 2))\n"
                                "  (board (line 3)) (piece seed)\n"
                                "  (play (put 1 seed on: a1) (win A)))\n";
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("bad.sow", text, sizeof text - 1, NULL, &report));
    OldsowMessage m = oldsow_report_get(report, 0);
    assert_string_equal(m.code, "E0110");
    assert_non_null(m.mend);
    assert_string_equal(m.replacement, "game");
    oldsow_report_free(report);

    assert_null(oldsow_load_text("bad.sow", twice, sizeof twice - 1, NULL, &report));
    m = oldsow_report_get(report, 0);
    assert_string_equal(m.code, "E0203");
    assert_int_equal(m.labels, 1);
    OldsowLabel label = oldsow_report_label(report, 0, 0);
    assert_string_equal(label.file, "bad.sow");
    assert_int_equal(label.line, 1);
    assert_int_equal(label.column, 36);
    assert_int_equal(label.end_column, 40);
    assert_non_null(label.text);
    assert_int_equal(m.notes, 0);
    oldsow_report_free(report);
}

// Columns count characters, whatever they take.
static void columns_count_characters(void **unused) {
    (void)unused;
    static const char text[] =
        "(game \"\xe8\x80\x81\xe6\xaf\x8d\xe7\x8c\xaa\" (players A) (bord (line 2)) (piece seed)"
        " (play (win A)))\n";
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("bad.sow", text, sizeof text - 1, NULL, &report));
    bool found = false;
    for (size_t i = 0; i < oldsow_report_count(report); i++) {
        OldsowMessage m = oldsow_report_get(report, i);
        if (strcmp(m.code, "E0201") != 0) continue;
        found = true;
        assert_int_equal(m.line, 1);
        assert_int_equal(m.column, 26);
        assert_int_equal(m.end_column, 30);
    }
    assert_true(found);
    oldsow_report_free(report);
}

static void reports_are_printed(void **unused) {
    (void)unused;
    static const char text[] = "(game \"x\" (players A) (board (line 2)) (piece seed)\n"
                               "  (play (put 1 sead on: a1) (win A)))\n";
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("bad.sow", text, sizeof text - 1, NULL, &report));
    char *shown = NULL;
    size_t size = 0;
    for (int colour = 0; colour < 2; colour++) {
        FILE *out = open_memstream(&shown, &size);
        assert_non_null(out);
        oldsow_report_print(report, out, colour);
        fclose(out);
        assert_non_null(strstr(shown, "bad.sow:2:16:"));
        assert_non_null(strstr(shown, "did you mean `seed`?"));
        assert_int_equal(strchr(shown, '\033') != NULL, colour);
        free(shown);
    }
    oldsow_report_free(report);
}

// More faults than anybody reads are counted, and no more.
static void very_many_messages(void **unused) {
    (void)unused;
    enum { FAULTS = 2500, SIZE = 64 * FAULTS };
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, SIZE,
                                "(game \"x\" (players A) (board (line 2)) (piece seed)\n"
                                "  (play\n");
    for (int i = 0; i < FAULTS; i++)
        n += (size_t)snprintf(text + n, SIZE - n, "    (put 1 thing%d on: a1)\n", i);
    n += (size_t)snprintf(text + n, SIZE - n, "    (win A)))\n");
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("bad.sow", text, n, NULL, &report));
    assert_int_equal(oldsow_report_count(report), 2000); // more are only counted
    oldsow_report_free(report);
    free(text);
}

// ---- options -------------------------------------------------------------------------------------

static void options_are_told(void **unused) {
    (void)unused;
    OldsowGame *game = load_text(small, NULL);
    assert_int_equal(oldsow_options(game), 2);
    const OldsowOption *seeds = oldsow_option(game, 0);
    assert_string_equal(seeds->name, "seeds");
    assert_string_equal(seeds->doc, "how many");
    assert_int_equal(seeds->nvalues, 3);
    assert_string_equal(seeds->values[0], "1");
    assert_string_equal(seeds->values[2], "3");
    assert_string_equal(seeds->standard, "2");
    assert_string_equal(seeds->value, "2");
    assert_int_equal(oldsow_readings(game), 2);
    const OldsowReading *poor = oldsow_reading_at(game, 1);
    assert_string_equal(poor->name, "poor");
    assert_string_equal(poor->doc, "next to nothing");
    assert_int_equal(poor->nsettings, 2);
    assert_string_equal(poor->settings[0].option, "seeds");
    assert_string_equal(poor->settings[0].value, "1");
    assert_string_equal(poor->settings[1].option, "who");
    assert_string_equal(poor->settings[1].value, "North");
    oldsow_game_free(game);
}

static int seeds_under(const OldsowLoading *how, int *winner) {
    OldsowGame *game = load_text(small, how);
    OldsowState *state = oldsow_start(game);
    int n = oldsow_count_on(state, 0, 0);
    assert_int_equal(oldsow_status(state), OLDSOW_CHOICE);
    assert_int_equal(oldsow_candidates(state), 3);
    assert_int_equal(oldsow_play(state, 0), OLDSOW_OVER);
    *winner = oldsow_result(state, 0) == OLDSOW_WON ? 0 : 1;
    assert_int_equal(oldsow_result(state, *winner), OLDSOW_WON);
    assert_int_equal(oldsow_result(state, 1 - *winner), OLDSOW_LOST);
    oldsow_state_free(state);
    // The option's value says the same.
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    assert_string_equal(oldsow_option(game, 0)->value, text);
    assert_string_equal(oldsow_option(game, 0)->standard, "2");
    oldsow_game_free(game);
    return n;
}

static void settings_lie_over_readings(void **unused) {
    (void)unused;
    int winner;
    assert_int_equal(seeds_under(NULL, &winner), 2);
    assert_int_equal(winner, 0);
    OldsowLoading poor = {.reading = "poor"};
    assert_int_equal(seeds_under(&poor, &winner), 1);
    assert_int_equal(winner, 1);
    OldsowSetting three[] = {{"seeds", "2"}, {"seeds", "3"}};
    OldsowLoading set = {.reading = "poor", .settings = three, .nsettings = 2};
    assert_int_equal(seeds_under(&set, &winner), 3); // the last counts
    assert_int_equal(winner, 1);                     // the rest is the reading's
    OldsowLoading rich = {.reading = "rich"};
    OldsowGame *game = load_text(small, &rich);
    assert_string_equal(oldsow_reading(game), "rich");
    oldsow_game_free(game);
}

static void refused(const OldsowLoading *how, const char *code, const char *mend) {
    OldsowReport *report = NULL;
    assert_null(oldsow_load_text("small.sow", small, sizeof small - 1, how, &report));
    assert_int_equal(oldsow_report_count(report), 1);
    OldsowMessage m = oldsow_report_get(report, 0);
    assert_string_equal(m.code, code);
    assert_null(m.file); // it is not the script's fault
    assert_non_null(m.mend);
    if (!strstr(m.mend, mend)) fail_msg("'%s' does not say '%s'", m.mend, mend);
    oldsow_report_free(report);
}

static void settings_that_are_none(void **unused) {
    (void)unused;
    OldsowSetting option = {"seads", "2"}, unlike = {"x", "2"}, value = {"seeds", "4"},
                  word = {"who", "Nroth"};
    refused(&(OldsowLoading){.settings = &option, .nsettings = 1}, "E0205", "`seeds`");
    refused(&(OldsowLoading){.settings = &unlike, .nsettings = 1}, "E0205", "seeds, who");
    refused(&(OldsowLoading){.settings = &value, .nsettings = 1}, "E0206", "1, 2 or 3");
    refused(&(OldsowLoading){.settings = &word, .nsettings = 1}, "E0206", "`North`");
    refused(&(OldsowLoading){.reading = "rihc"}, "E0207", "`rich`");
    refused(&(OldsowLoading){.reading = "middling"}, "E0207", "rich, poor");
}

// ---- rules and trees -----------------------------------------------------------------------------

static void rules_have_a_hash(void **unused) {
    (void)unused;
    static const char laid_out[] =
        "// The same game, written by someone else.\n"
        "(game \"Another title\" (players South North)\n"
        "  (option seeds {1 2 3} default: 2) (option who {South North} default: South \"?\")\n"
        "  (reading rich seeds: 3 \"other words\")\n"
        "  (board (holes rows: 2 columns: 2)) (store) (piece seed)\n"
        "  (start (put seeds seed on: a1)) /* and so on */\n"
        "  (play (choose hole in: board where: (empty hole) (move all from: a1 to: hole))\n"
        "    (win (if (= who South) South else: North))))";
    OldsowGame *a = load_text(small, NULL), *b = load_text(laid_out, NULL);
    assert_int_equal(oldsow_rules_hash(a), oldsow_rules_hash(b));
    OldsowGame *rich = load_text(small, &(OldsowLoading){.reading = "rich"});
    assert_int_not_equal(oldsow_rules_hash(a), oldsow_rules_hash(rich));
    oldsow_game_free(a);
    oldsow_game_free(b);
    oldsow_game_free(rich);
}

// A script printed as its tree is the same script.
static void trees_are_scripts(void **unused) {
    (void)unused;
    static const char *const paths[] = {"games/laomuzhu.sow", "games/len-doat.sow",
                                        "games/mawryngkneng.sow", "games/njombwa.sow",
                                        "examples/big-njombwa.sow"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        OldsowGame *game = load_file(paths[i]);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        oldsow_print_ast(game, out, false);
        fclose(out);
        OldsowReport *report = NULL;
        OldsowGame *again = oldsow_load_text(paths[i], text, size, NULL, &report);
        if (!again) oldsow_report_print(report, stderr, false);
        assert_non_null(again);
        assert_int_equal(oldsow_rules_hash(game), oldsow_rules_hash(again));
        assert_string_equal(oldsow_title(game), oldsow_title(again));
        assert_string_equal(oldsow_doc(game), oldsow_doc(again));
        oldsow_report_free(report);
        free(text);
        out = open_memstream(&text, &size);
        oldsow_print_ast(game, out, true);
        fclose(out);
        assert_true(size > 0 && text[size - 1] == '\n');
        free(text);
        oldsow_game_free(game);
        oldsow_game_free(again);
    }
}

static void libraries_are_texts(void **unused) {
    (void)unused;
    assert_true(oldsow_libraries() >= 4);
    for (size_t i = 0; i < oldsow_libraries(); i++) {
        assert_true(strlen(oldsow_library_name(i)) > 0);
        assert_non_null(strstr(oldsow_library_text(i), "(define ("));
    }
}

// ---- chance --------------------------------------------------------------------------------------

static void streams_differ_and_repeat(void **unused) {
    (void)unused;
    OldsowRng a, b, c;
    oldsow_seed(&a, 1, 0);
    oldsow_seed(&b, 1, 0);
    oldsow_seed(&c, 1, 1);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t x = oldsow_random(&a);
        assert_int_equal(x, oldsow_random(&b));
        same += x == oldsow_random(&c);
    }
    assert_int_equal(same, 0);
    int seen[6] = {0};
    for (int i = 0; i < 6000; i++) {
        uint32_t face = oldsow_below(&a, 6);
        assert_true(face < 6);
        seen[face]++;
    }
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 800, 1200);
    assert_int_equal(oldsow_below(&a, 1), 0);
}

// ---- threads -------------------------------------------------------------------------------------

typedef struct Job {
    const OldsowGame *game; // shared, or
    const char *path;       // loaded by the thread itself
    uint64_t seed, digest;
    bool failed;
} Job;

enum { JOB_GAMES = 20, JOB_PLIES = 400 };

// Random games; the digest tells every position that came up. No asserts: this is not the main thread.
static void *work(void *data) {
    Job *job = data;
    OldsowGame *own = NULL;
    if (job->path) {
        OldsowReport *report = NULL;
        own = oldsow_load(job->path, NULL, &report);
        oldsow_report_free(report);
    }
    const OldsowGame *game = own ? own : job->game;
    job->digest = 0;
    job->failed = game == NULL;
    for (uint64_t i = 0; game && i < JOB_GAMES; i++) {
        OldsowRng rng;
        oldsow_seed(&rng, job->seed, i);
        OldsowState *state = oldsow_start(game);
        for (int ply = 0; state && ply < JOB_PLIES; ply++) {
            OldsowStatus status = oldsow_status(state);
            if (status != OLDSOW_CHOICE && status != OLDSOW_CHANCE) break;
            size_t choice = oldsow_pick(state, &rng);
            char name[OLDSOW_NAME_MAX];
            oldsow_candidate(state, choice, name);
            if (oldsow_find(state, name) != (long)choice) job->failed = true;
            oldsow_play(state, choice);
            job->digest = job->digest * 31 + oldsow_hash(state);
        }
        if (!state) job->failed = true;
        oldsow_state_free(state);
    }
    oldsow_game_free(own);
    return NULL;
}

static void run_jobs(Job *jobs, size_t n) {
    pthread_t threads[8];
    assert_true(n <= 8);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (size_t i = 0; i < n; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < n; i++) {
        assert_false(jobs[i].failed);
        uint64_t together = jobs[i].digest;
        work(&jobs[i]);
        assert_int_equal(together, jobs[i].digest); // as it is alone
    }
}

static void threads_share_a_game(void **unused) {
    (void)unused;
    OldsowGame *game = load_file("games/laomuzhu.sow");
    Job jobs[] = {{.game = game, .seed = 1}, {.game = game, .seed = 2}, {.game = game, .seed = 1}};
    run_jobs(jobs, 3);
    assert_int_equal(jobs[0].digest, jobs[2].digest);
    assert_int_not_equal(jobs[0].digest, jobs[1].digest);
    oldsow_game_free(game);
}

static void threads_with_games_of_their_own(void **unused) {
    (void)unused;
    OldsowGame *laomuzhu = load_file("games/laomuzhu.sow"),
               *len_doat = load_file("games/len-doat.sow");
    Job jobs[] = {{.game = laomuzhu, .seed = 1}, {.game = len_doat, .seed = 2}};
    run_jobs(jobs, 2);
    oldsow_game_free(laomuzhu);
    oldsow_game_free(len_doat);
}

static void threads_load_for_themselves(void **unused) {
    (void)unused;
    Job jobs[] = {{.path = "games/laomuzhu.sow", .seed = 1},
                  {.path = "games/len-doat.sow", .seed = 2},
                  {.path = "games/njombwa.sow", .seed = 3},
                  {.path = "examples/big-njombwa.sow", .seed = 4}};
    run_jobs(jobs, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_game_says),
        cmocka_unit_test(size_counts),
        cmocka_unit_test(names_tell_where),
        cmocka_unit_test(no_such_file),
        cmocka_unit_test(freeing_in_any_order),
        cmocka_unit_test(messages_have_places),
        cmocka_unit_test(messages_have_labels_and_notes),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(reports_are_printed),
        cmocka_unit_test(very_many_messages),
        cmocka_unit_test(options_are_told),
        cmocka_unit_test(settings_lie_over_readings),
        cmocka_unit_test(settings_that_are_none),
        cmocka_unit_test(rules_have_a_hash),
        cmocka_unit_test(trees_are_scripts),
        cmocka_unit_test(libraries_are_texts),
        cmocka_unit_test(streams_differ_and_repeat),
        cmocka_unit_test(threads_share_a_game),
        cmocka_unit_test(threads_with_games_of_their_own),
        cmocka_unit_test(threads_load_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
