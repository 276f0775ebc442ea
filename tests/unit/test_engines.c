// Scripts against hand-written engines: the same games, ply by ply.
//
// Each engine first shows the figures of its game. Then, for every combination of option values, script and engine
// count the same sequences, and random games show the same status, mover, candidates, counters and results
// at each ply. OLDSOW_GAMES is how many games of the defaults are played; the other combinations get 200 at most.
// OLDSOW_ENGINE names one engine to be tested alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/oldsow.h"
#include "interp/play/perft.h"
#include "tests/bench/engine.h"

enum { MOST_PLIES = 1000, LINE = 16 * 1024, CANDIDATES = 256 };

// ---- one combination of option values ------------------------------------------------------------

typedef struct Pair {
    const Engine *engine;
    uint8_t values[ENGINE_OPTIONS];
    OldsowGame *game;
    OldsowState *script;
    unsigned char *state;
    int *cells; // the engine's cell for each site and piece, or -1
    char options[256];
    char line[LINE]; // what was played, for whoever looks for the mistake
    size_t length;
} Pair;

static int pieces(const Pair *pair) { return oldsow_pieces(pair->game); }

static const EngineHead *head(const Pair *pair) { return (const EngineHead *)(void *)pair->state; }

static void pair_new(Pair *pair, const Engine *engine, const uint8_t *values) {
    *pair = (Pair){.engine = engine};
    OldsowSetting settings[ENGINE_OPTIONS];
    OldsowLoading how = {.settings = settings};
    size_t written = 0;
    for (int i = 0; i < ENGINE_OPTIONS && engine->options[i].name; i++) {
        const EngineOption *option = &engine->options[i];
        pair->values[i] = values[i];
        settings[how.nsettings++] = (OldsowSetting){option->name, option->values[values[i]]};
        written += (size_t)snprintf(pair->options + written, sizeof pair->options - written,
                                    " --set %s=%s", option->name, option->values[values[i]]);
    }
    OldsowReport *report;
    pair->game = oldsow_load(engine->script, &how, &report);
    if (pair->game == NULL) oldsow_report_print(report, stderr, false);
    oldsow_report_free(report);
    assert_non_null(pair->game);
    pair->script = oldsow_start(pair->game);
    pair->state = calloc(1, engine->size);
    assert_non_null(pair->state);
    engine->start(pair->state, values);

    int sites = oldsow_sites(pair->game);
    pair->cells = calloc((size_t)(sites * pieces(pair)), sizeof *pair->cells);
    assert_non_null(pair->cells);
    for (int site = 0; site < sites; site++)
        for (int piece = 0; piece < pieces(pair); piece++) {
            OldsowSite about = oldsow_site(pair->game, site);
            pair->cells[site * pieces(pair) + piece] =
                about.kind == OLDSOW_HIDDEN
                    ? -1
                    : engine->cell(about.name, about.owner, oldsow_piece_name(pair->game, piece));
        }
}

static void pair_free(Pair *pair) {
    oldsow_state_free(pair->script);
    oldsow_game_free(pair->game);
    free(pair->state);
    free(pair->cells);
}

// Ends the test with what was played, and both positions.
#define DIFFER(pair, ...)                                                                          \
    do {                                                                                           \
        print_error(__VA_ARGS__);                                                                  \
        differ(pair);                                                                              \
    } while (0)

static void differ(const Pair *pair) {
    const Engine *engine = pair->engine;
    print_error("\n%s%s\n%s\nscript: ", engine->script, pair->options, pair->line);
    char name[OLDSOW_NAME_MAX];
    for (size_t i = 0; i < oldsow_candidates(pair->script); i++)
        print_error(" %s", oldsow_candidate(pair->script, i, name));
    print_error("\nengine: ");
    for (unsigned i = 0; i < head(pair)->candidates; i++) {
        engine->candidate(pair->state, i, name);
        print_error(" %s", name);
    }
    print_error("\n");
    if (oldsow_status(pair->script) == OLDSOW_FAULT)
        oldsow_print_fault(pair->script, stderr, false);
    oldsow_draw(pair->script, stderr);
    fail();
}

// ---- a position ------------------------------------------------------------------------------------

static void counts_agree(const Pair *pair) {
    int sites = oldsow_sites(pair->game), compared = 0;
    for (int site = 0; site < sites; site++)
        for (int piece = 0; piece < pieces(pair); piece++) {
            int cell = pair->cells[site * pieces(pair) + piece];
            if (cell < 0) continue;
            compared++;
            int theirs = oldsow_count_on(pair->script, site, piece);
            int ours = pair->engine->count(pair->state, cell);
            if (theirs != ours)
                DIFFER(pair, "%s of %s: script %d, engine %d", oldsow_site(pair->game, site).name,
                       oldsow_piece_name(pair->game, piece), theirs, ours);
        }
    assert_true(compared > 0);
}

// In *found: for each of the script's candidates the engine's.
static void candidates_agree(const Pair *pair, unsigned *found) {
    const Engine *engine = pair->engine;
    size_t n = oldsow_candidates(pair->script);
    if (n != head(pair)->candidates || n > CANDIDATES)
        DIFFER(pair, "candidates: script %zu, engine %u", n, head(pair)->candidates);
    bool seen[CANDIDATES] = {false};
    unsigned theirs = 0, ours = 0;
    for (unsigned i = 0; i < n; i++) {
        char name[ENGINE_NAME_MAX];
        engine->candidate(pair->state, i, name);
        long at = oldsow_find(pair->script, name);
        if (at < 0 || seen[at]) {
            DIFFER(pair, at < 0 ? "only the engine has %s" : "the engine has %s twice", name);
            return;
        }
        seen[at] = true;
        found[at] = i;
        theirs += oldsow_weight(pair->script, (size_t)at);
        ours += engine->weight(pair->state, i);
    }
    for (size_t i = 0; i < n; i++)
        if ((uint64_t)oldsow_weight(pair->script, i) * ours !=
            (uint64_t)engine->weight(pair->state, found[i]) * theirs)
            DIFFER(pair, "weight of candidate %zu", i);
}

static void positions_agree(const Pair *pair, unsigned *found) {
    OldsowStatus status = oldsow_status(pair->script);
    if ((unsigned)status != head(pair)->status)
        DIFFER(pair, "status: script %u, engine %u", (unsigned)status, head(pair)->status);
    if (status == OLDSOW_FAULT) {
        if (!oldsow_fault(pair->script).endless) DIFFER(pair, "the script failed");
        return;
    }
    counts_agree(pair);
    if (status == OLDSOW_OVER) {
        for (int p = 0; p < pair->engine->players; p++) {
            int score;
            if (oldsow_score(pair->script, p, &score) && score != head(pair)->score[p])
                DIFFER(pair, "score of player %d: script %d, engine %u", p, score,
                       head(pair)->score[p]);
            if ((unsigned)oldsow_result(pair->script, p) != head(pair)->result[p])
                DIFFER(pair, "result of player %d: script %u, engine %u", p,
                       (unsigned)oldsow_result(pair->script, p), head(pair)->result[p]);
        }
        return;
    }
    if (oldsow_mover(pair->script) != head(pair)->mover)
        DIFFER(pair, "mover: script %d, engine %d", oldsow_mover(pair->script), head(pair)->mover);
    candidates_agree(pair, found);
}

static void write_line(Pair *pair, const char *name) {
    int n = snprintf(pair->line + pair->length, LINE - pair->length, " %s", name);
    if (n > 0 && pair->length + (size_t)n < LINE) pair->length += (size_t)n;
}

static uint64_t play_one(Pair *pair, uint64_t stream, bool *ended) {
    OldsowRng rng;
    oldsow_seed(&rng, 1, stream);
    OldsowState *fresh = oldsow_start(pair->game);
    oldsow_copy(pair->script, fresh);
    oldsow_state_free(fresh);
    pair->engine->start(pair->state, pair->values);
    pair->length = 0;
    pair->line[0] = '\0';
    uint64_t plies = 0;
    for (;; plies++) {
        unsigned found[CANDIDATES];
        positions_agree(pair, found);
        *ended = head(pair)->status > ENGINE_CHANCE;
        if (*ended || plies == MOST_PLIES) return plies;
        size_t i = oldsow_pick(pair->script, &rng);
        char name[OLDSOW_NAME_MAX];
        write_line(pair, oldsow_candidate(pair->script, i, name));
        oldsow_play(pair->script, i);
        pair->engine->play(pair->state, found[i]);
    }
}

// ---- every combination -----------------------------------------------------------------------------

static bool next_values(const Engine *engine, uint8_t *values) {
    for (int i = 0; i < ENGINE_OPTIONS && engine->options[i].name; i++) {
        if (++values[i] < ENGINE_VALUES && engine->options[i].values[values[i]]) return true;
        values[i] = 0;
    }
    return false;
}

static bool left_out(const Engine *engine) {
    const char *only = getenv("OLDSOW_ENGINE");
    return only && strcmp(only, engine->name) != 0;
}

static void counts_the_same(const Engine *engine, int depth) {
    if (left_out(engine)) return;
    uint8_t values[ENGINE_OPTIONS] = {0};
    do {
        Pair pair;
        pair_new(&pair, engine, values);
        Perft *perft = perft_new(pair.script);
        for (int d = 1; d <= depth; d++) {
            PerftCount count;
            assert_int_equal(perft_count(perft, d, NULL, &count), PERFT_DONE);
            uint64_t ours = engine->perft(pair.state, d);
            if (ours != count.sequences)
                DIFFER(&pair, "perft %d: script %llu, engine %llu", d,
                       (unsigned long long)count.sequences, (unsigned long long)ours);
        }
        perft_free(perft);
        pair_free(&pair);
    } while (next_values(engine, values));
}

static void plays_the_same(const Engine *engine, uint64_t usual) {
    if (left_out(engine)) return;
    const char *wanted = getenv("OLDSOW_GAMES");
    uint64_t games = wanted ? strtoull(wanted, NULL, 10) : usual, all = 0, plies = 0, cut = 0,
             endless = 0;
    uint8_t values[ENGINE_OPTIONS] = {0};
    do {
        Pair pair;
        pair_new(&pair, engine, values);
        for (uint64_t game = 0; game < games; game++) {
            bool ended;
            plies += play_one(&pair, game, &ended);
            cut += !ended;
            endless += head(&pair)->status == ENGINE_ENDLESS;
        }
        all += games;
        pair_free(&pair);
        if (games > usual) games = usual;
    } while (next_values(engine, values));
    printf("%s: %llu games, %llu plies, %llu games cut, %llu endless\n", engine->name,
           (unsigned long long)all, (unsigned long long)plies, (unsigned long long)cut,
           (unsigned long long)endless);
}

// ---- the figures -------------------------------------------------------------------------------------

static void shows(const Engine *engine, const char *values, const uint64_t *figures, int depth) {
    uint8_t chosen[ENGINE_OPTIONS] = {0};
    for (size_t i = 0; values[i]; i++) chosen[i] = (uint8_t)(values[i] - '0');
    unsigned char *state = calloc(1, engine->size);
    assert_non_null(state);
    engine->start(state, chosen);
    for (int d = 1; d <= depth; d++) assert_int_equal(engine->perft(state, d), figures[d - 1]);
    free(state);
}

#define SHOWS(engine, values, ...)                                                                 \
    do {                                                                                           \
        static const uint64_t figures[] = {__VA_ARGS__};                                           \
        shows(&engine, values, figures, (int)(sizeof figures / sizeof *figures));                  \
    } while (0)

static void figures_are_shown(void **unused) {
    (void)unused;
    SHOWS(engine_laomuzhu, "", 5, 25, 250, 500, 3536);
    SHOWS(engine_laomuzhu, "1", 5, 25, 250, 500, 3360);
    SHOWS(engine_njombwa, "", 7, 47, 229, 1070, 3635);
    SHOWS(engine_len_doat, "", 6, 36, 176, 794, 3490);
    SHOWS(engine_len_doat, "1", 6, 26, 116, 488, 2076);
    SHOWS(engine_mawryngkneng, "", 2, 4, 6, 10, 16);
    SHOWS(engine_mawryngkneng, "111", 2, 2, 2, 4, 6);
    SHOWS(engine_oware, "", 6, 36, 190, 1014, 5219, 27332);
    SHOWS(engine_kalah, "", 6, 35, 185, 942, 4690, 23233);
}

// How many moves solve the solitaire, or -1: all positions, breadth first.
static int solution(const char *values) {
    enum { POSITIONS = 1024, BYTES = 32 };
    static unsigned char seen[POSITIONS][BYTES];
    const Engine *engine = &engine_mawryngkneng;
    assert_in_range(engine->size, 1, BYTES);
    uint8_t chosen[ENGINE_OPTIONS] = {0};
    for (size_t i = 0; values[i]; i++) chosen[i] = (uint8_t)(values[i] - '0');
    memset(seen, 0, sizeof seen);
    engine->start(seen[0], chosen);
    size_t from = 0, known = 1;
    for (int moves = 1; from < known; moves++)
        for (size_t last = known; from < last; from++)
            for (unsigned i = 0; i < ((EngineHead *)(void *)seen[from])->candidates; i++) {
                assert_in_range(known, 1, POSITIONS - 1);
                unsigned char *next = seen[known];
                memcpy(next, seen[from], BYTES);
                engine->play(next, i);
                if (((EngineHead *)(void *)next)->result[0] == ENGINE_WON) return moves;
                size_t at = 0;
                while (memcmp(seen[at], next, BYTES) != 0) at++;
                known += at == known;
            }
    return -1;
}

static void solitaire_is_solved(void **unused) {
    (void)unused;
    assert_int_equal(solution(""), -1);
    assert_int_equal(solution("111"), 23);
    assert_int_equal(solution("11"), 15);
}

#define COMPARE(which, depth, games)                                                               \
    static void which##_counts(void **unused) {                                                    \
        (void)unused;                                                                              \
        counts_the_same(&engine_##which, depth);                                                   \
    }                                                                                              \
    static void which##_plays(void **unused) {                                                     \
        (void)unused;                                                                              \
        plays_the_same(&engine_##which, games);                                                    \
    }
COMPARE(laomuzhu, 5, 200)
COMPARE(njombwa, 5, 200)
COMPARE(len_doat, 5, 200)
COMPARE(mawryngkneng, 8, 200)
COMPARE(oware, 5, 200)
COMPARE(kalah, 4, 200)
COMPARE(backgammon, 3, 200)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_shown),   cmocka_unit_test(solitaire_is_solved),
        cmocka_unit_test(laomuzhu_counts),     cmocka_unit_test(laomuzhu_plays),
        cmocka_unit_test(njombwa_counts),      cmocka_unit_test(njombwa_plays),
        cmocka_unit_test(len_doat_counts),     cmocka_unit_test(len_doat_plays),
        cmocka_unit_test(mawryngkneng_counts), cmocka_unit_test(mawryngkneng_plays),
        cmocka_unit_test(oware_counts),        cmocka_unit_test(oware_plays),
        cmocka_unit_test(kalah_counts),        cmocka_unit_test(kalah_plays),
        cmocka_unit_test(backgammon_counts),   cmocka_unit_test(backgammon_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
