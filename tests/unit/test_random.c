// Random games of every script in games/ and examples/, under each reading and each value of each option: no stone comes or
// goes where none should, nothing hangs or faults, names of candidates lead back to them, copies are equal, and the same choices
// lead to the same position. Prints how the games went.
//
// Run from the root of the repository. OLDSOW_GAMES says how many games of each; OLDSOW_SCRIPT names a single script. Without
// it the examples get a thirtieth of what the games get.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/oldsow.h"

#if defined __SANITIZE_ADDRESS__
enum { GAMES = 50 };
#else
enum { GAMES = 300 };
#endif
enum {
    PLIES_MAX = 1000,
    SETTINGS_MAX = 100,
    SCRIPTS_MAX = 200,
    WHOLE = 10,  // of so many games every ply is looked at closely,
    EVERY = 16,  // of the others every so manieth
    ENDLESS = 8, // different places of endless play that are named
};

// ---- what is known of the scripts ----------------------------------------------------------------

typedef enum Conserved {
    ANYTHING,
    NEVER_GROWS, // pieces may leave the game
    CONSTANT,    // from the first decision on
} Conserved;

static const struct {
    const char *file;
    Conserved pieces;
} known[] = {
    {"laomuzhu.sow", CONSTANT},
    {"laomuzhu-open-hand.sow", CONSTANT},
    {"njombwa.sow", CONSTANT},
    {"big-njombwa.sow", CONSTANT},
    {"len-doat.sow", CONSTANT},
    {"len-doat-fives.sow", CONSTANT},
    {"mawryngkneng.sow", CONSTANT},
    {"mawryngkneng-two.sow", CONSTANT},
    {"mawryngkneng-four.sow", CONSTANT},
    {"oware.sow", CONSTANT},
    {"kalah.sow", CONSTANT},
    {"pegs.sow", NEVER_GROWS},
    {"hanoi.sow", CONSTANT},
    {"konane.sow", NEVER_GROWS},
    {"backgammon.sow", CONSTANT},
    {"goose.sow", CONSTANT},
};

static Conserved conserved(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].file, file) == 0) return known[i].pieces;
    return ANYTHING;
}

static long pieces(const OldsowGame *game, const OldsowState *state) {
    long n = 0;
    for (int s = 0; s < oldsow_sites(game); s++)
        for (int p = 0; p < oldsow_pieces(game); p++) {
            int count = oldsow_count_on(state, s, p);
            assert_true(count >= 0);
            n += count;
        }
    return n;
}

// ---- one game ------------------------------------------------------------------------------------

typedef struct Endless {
    char place[128];
    long count;
} Endless;

typedef struct Tally {
    const char *what;
    long games, over, drawn, unfinished, endless, plies;
    long won[OLDSOW_MAX_PLAYERS];
    Endless places[ENDLESS];
    size_t nplaces;
} Tally;

typedef struct Play {
    const OldsowGame *game;
    OldsowState *state, *other;
    size_t choices[PLIES_MAX];
    int plies;
} Play;

static bool decides(const OldsowState *state) {
    return oldsow_status(state) == OLDSOW_CHOICE || oldsow_status(state) == OLDSOW_CHANCE;
}

static void same_position(const OldsowGame *game, const OldsowState *a, const OldsowState *b) {
    assert_int_equal(oldsow_status(a), oldsow_status(b));
    if (oldsow_status(a) == OLDSOW_FAULT) return;
    assert_memory_equal(oldsow_vector(a), oldsow_vector(b), oldsow_state_bytes(game));
    assert_int_equal(oldsow_hash(a), oldsow_hash(b));
    assert_int_equal(oldsow_mover(a), oldsow_mover(b));
    assert_int_equal(oldsow_candidates(a), oldsow_candidates(b));
}

// Each candidate has a name of its own, by which it is found.
static void names_lead_back(const OldsowState *state) {
    char name[OLDSOW_NAME_MAX];
    for (size_t i = 0; i < oldsow_candidates(state); i++) {
        const char *given = oldsow_candidate(state, i, name);
        assert_ptr_equal(given, name);
        assert_true(name[0] != '\0' && strlen(name) < OLDSOW_NAME_MAX);
        if (oldsow_find(state, name) != (long)i)
            fail_msg("candidate %zu of %zu is named %s, which is found as %ld", i,
                     oldsow_candidates(state), name, oldsow_find(state, name));
        assert_true(oldsow_weight(state, i) >= 1);
    }
    assert_int_equal(oldsow_find(state, "no-such-candidate"), -1);
}

// Copies are equal, and go on as the original does.
static void copies_agree(const Play *play, size_t choice) {
    OldsowState *clone = oldsow_clone(play->state);
    assert_non_null(clone);
    same_position(play->game, play->state, clone);
    assert_true(oldsow_copy(play->other, play->state));
    same_position(play->game, play->state, play->other);
    oldsow_play(clone, choice);
    oldsow_play_from(play->other, play->state, choice);
    same_position(play->game, clone, play->other);
    same_position(play->game, clone, clone);
    oldsow_state_free(clone);
}

static void replay(const Play *play) {
    OldsowState *again = oldsow_start(play->game);
    assert_non_null(again);
    for (int i = 0; i < play->plies; i++) {
        assert_true(decides(again));
        assert_true(play->choices[i] < oldsow_candidates(again));
        oldsow_play(again, play->choices[i]);
    }
    same_position(play->game, again, play->state);
    oldsow_state_free(again);
}

static void note_endless(Tally *tally, OldsowFault fault) {
    tally->endless++;
    char place[128];
    snprintf(place, sizeof place, "%s %s:%u:%u", fault.code, fault.file, fault.line, fault.column);
    size_t i = 0;
    while (i < tally->nplaces && strcmp(tally->places[i].place, place) != 0) i++;
    if (i == ENDLESS) return;
    if (i == tally->nplaces) tally->nplaces++;
    memcpy(tally->places[i].place, place, sizeof place);
    tally->places[i].count++;
}

static void note_end(Tally *tally, const Play *play, uint64_t stream) {
    const OldsowState *state = play->state;
    tally->games++;
    tally->plies += play->plies;
    if (oldsow_status(state) == OLDSOW_FAULT) {
        OldsowFault fault = oldsow_fault(state);
        if (!fault.endless) {
            oldsow_print_fault(state, stderr, false);
            fail_msg("game %llu of %s faults", (unsigned long long)stream, tally->what);
        }
        note_endless(tally, fault);
        return;
    }
    if (decides(state)) {
        tally->unfinished++;
        return;
    }
    tally->over++;
    bool drawn = true;
    for (int p = 0; p < oldsow_players(play->game); p++) {
        OldsowResult result = oldsow_result(state, p);
        if (result == OLDSOW_UNDECIDED)
            fail_msg("game %llu of %s is over, and nobody says how it ended for %s",
                     (unsigned long long)stream, tally->what, oldsow_player_name(play->game, p));
        if (result != OLDSOW_DRAWN) drawn = false;
        if (result == OLDSOW_WON) tally->won[p]++;
    }
    if (drawn) tally->drawn++;
}

static void play_game(Play *play, Tally *tally, uint64_t stream, Conserved rule) {
    OldsowRng rng;
    oldsow_seed(&rng, 2024, stream);
    play->state = oldsow_start(play->game);
    play->other = oldsow_start(play->game);
    assert_non_null(play->state);
    assert_non_null(play->other);
    long before = pieces(play->game, play->state);
    for (play->plies = 0; play->plies < PLIES_MAX && decides(play->state); play->plies++) {
        bool closely = stream < WHOLE || (unsigned)play->plies % EVERY == stream % EVERY;
        assert_true(oldsow_candidates(play->state) > 0);
        size_t choice = oldsow_pick(play->state, &rng);
        assert_true(choice < oldsow_candidates(play->state));
        play->choices[play->plies] = choice;
        if (closely) {
            names_lead_back(play->state);
            copies_agree(play, choice);
        }
        OldsowStatus status = oldsow_play(play->state, choice);
        assert_int_equal(status, oldsow_status(play->state));
        // A sowing that was cut short has stones in hand, which are sites too.
        long now = pieces(play->game, play->state);
        if ((rule == CONSTANT && now != before) || (rule == NEVER_GROWS && now > before))
            fail_msg("game %llu of %s, ply %d: %ld pieces, and %ld before it",
                     (unsigned long long)stream, tally->what, play->plies + 1, now, before);
        before = now;
    }
    replay(play);
    note_end(tally, play, stream);
    oldsow_state_free(play->state);
    oldsow_state_free(play->other);
}

// ---- many games ----------------------------------------------------------------------------------

static long games_wanted(const char *path) {
    const char *text = getenv("OLDSOW_GAMES");
    if (text) return strtol(text, NULL, 10);
    return strncmp(path, "games/", 6) == 0 ? GAMES : GAMES / 30 + 1;
}

static void print_tally(const Tally *t, int players, double seconds) {
    printf("%-52s %5ld %5ld %6ld %6ld %8.1f %6.2f  ", t->what, t->games, t->over, t->unfinished,
           t->endless, t->games ? (double)t->plies / (double)t->games : 0.0, seconds);
    for (int p = 0; p < players; p++) printf("%s%ld", p ? "/" : "", t->won[p]);
    printf(" %ld\n", t->drawn);
    for (size_t i = 0; i < t->nplaces; i++)
        printf("    endless %ld times: %s\n", t->places[i].count, t->places[i].place);
    fflush(stdout);
}

// The hashes of the rules that were played of this script: a reading may be the defaults by another name.
typedef struct Played {
    uint64_t rules[SETTINGS_MAX];
    size_t n;
} Played;

static bool played_before(Played *played, uint64_t rules) {
    for (size_t i = 0; i < played->n; i++)
        if (played->rules[i] == rules) return true;
    assert_true(played->n < SETTINGS_MAX);
    played->rules[played->n++] = rules;
    return false;
}

static void play_setting(const char *path, const OldsowLoading *how, const char *what,
                         Played *played) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load(path, how, &report);
    if (!game) oldsow_report_print(report, stderr, false);
    oldsow_report_free(report);
    if (!game) fail_msg("%s does not load", what);
    if (played_before(played, oldsow_rules_hash(game))) {
        printf("%-52s (the same rules)\n", what);
        oldsow_game_free(game);
        return;
    }
    Tally tally = {.what = what};
    static Play play;
    play.game = game;
    clock_t start = clock();
    long games = games_wanted(path);
    for (long i = 0; i < games; i++) play_game(&play, &tally, (uint64_t)i, conserved(path));
    assert_int_equal(tally.games, tally.over + tally.unfinished + tally.endless);
    print_tally(&tally, oldsow_players(game), (double)(clock() - start) / CLOCKS_PER_SEC);
    oldsow_game_free(game);
}

// The defaults, each reading, each other value of each option.
static void play_script(const char *path) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load(path, NULL, &report);
    if (!game) oldsow_report_print(report, stderr, false);
    oldsow_report_free(report);
    if (!game) fail_msg("%s does not load", path);
    Played played = {.n = 0};
    play_setting(path, NULL, path, &played);
    char what[256];
    for (size_t i = 0; i < oldsow_readings(game); i++) {
        OldsowLoading how = {.reading = oldsow_reading_at(game, i)->name};
        snprintf(what, sizeof what, "%s --reading %s", path, how.reading);
        play_setting(path, &how, what, &played);
    }
    for (size_t i = 0; i < oldsow_options(game); i++) {
        const OldsowOption *option = oldsow_option(game, i);
        for (size_t k = 0; k < option->nvalues; k++) {
            if (strcmp(option->values[k], option->standard) == 0) continue;
            OldsowSetting setting = {option->name, option->values[k]};
            OldsowLoading how = {.settings = &setting, .nsettings = 1};
            snprintf(what, sizeof what, "%s --set %s=%s", path, setting.option, setting.value);
            play_setting(path, &how, what, &played);
        }
    }
    oldsow_game_free(game);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void play_folder(const char *folder) {
    static char paths[SCRIPTS_MAX][256];
    size_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".sow") != 0) continue;
        assert_true(n < SCRIPTS_MAX);
        snprintf(paths[n], sizeof paths[n], "%s/%.200s", folder, entry->d_name);
        n++;
    }
    closedir(dir);
    qsort(paths, n, sizeof paths[0], by_name);
    const char *only = getenv("OLDSOW_SCRIPT");
    printf("%-52s %5s %5s %6s %6s %8s %6s  %s\n", folder, "games", "ended", "unfin.", "endl.",
           "plies", "s", "won, drawn");
    for (size_t i = 0; i < n; i++)
        if (!only || strcmp(only, paths[i]) == 0) play_script(paths[i]);
}

static void the_games(void **unused) {
    (void)unused;
    play_folder("games");
}

static void the_examples(void **unused) {
    (void)unused;
    play_folder("examples");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_games),
        cmocka_unit_test(the_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
