// Scripts beside hand-written engines: random games by the script as it is interpreted, by the script
// compiled, and by the engine, in turns, in one run.
//
// Processor time of this thread is what counts, and each round measures all sides one after the other, so
// that whatever else the machine does weighs on all. A ratio is taken round by round; what is
// printed is its median and its extremes. See `usage` for the rest.
#include "engine.h"
#include "interp/native/native.h"
#include "interp/oldsow.h"
#include "interp/play/playout.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: bench [--rounds N] [--millis M] [--only NAME] [--max-plies P] [--save FILE]\n"
    "       bench --compare BEFORE AFTER\n"
    "\n"
    "Plays random games with each game's script, with the script compiled (as by --native), and "
    "with its\n"
    "hand-written engine. Prints plies a second, what part of the engine's plies the script and "
    "the compiled\n"
    "script play (median, least and greatest of all rounds), games a second, the bytes of a state, "
    "and how\n"
    "long the script takes to load.\n"
    "\n"
    "  --rounds N     rounds for each game (default 9)\n"
    "  --millis M     processor time of each side in a round, about (default 100)\n"
    "  --only NAME    measure one game: laomuzhu, oware, ...\n"
    "  --max-plies P  cut games after so many plies (default 1000)\n"
    "  --save FILE    write the figures down, as JSON\n"
    "  --compare      print two saved runs side by side; measures nothing\n";

static const Engine *const engines[] = {
    &engine_laomuzhu, &engine_njombwa, &engine_len_doat,   &engine_mawryngkneng,
    &engine_oware,    &engine_kalah,   &engine_backgammon,
};
enum { ENGINES = sizeof engines / sizeof *engines, MOST_ROUNDS = 1000, LOADINGS = 9 };

typedef struct Settings {
    int rounds, millis;
    uint64_t max_plies;
    const char *only, *save;
} Settings;

typedef struct Speed {
    double plies, games; // a second
} Speed;

typedef enum Player { SCRIPT, COMPILED, ENGINE, PLAYERS } Player;

typedef struct Ratio {
    double median, least, greatest;
} Ratio;

typedef struct Figures {
    const Engine *engine;
    Speed speeds[PLAYERS];
    Ratio ratios[ENGINE]; // of plies, to the engine's
    size_t script_bytes, written_bytes;
    double load; // milliseconds
} Figures;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_size);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// ---- the sides -----------------------------------------------------------------------------------

typedef struct Side {
    // Either a script's start and working state, or an engine's start.
    OldsowState *start, *state;
    const OldsowGame *game;
    const Engine *engine;
    void *first;
    uint64_t max_plies;
    uint64_t random;
    OldsowRng rng;
    uint64_t batch; // games that take about the time wanted
} Side;

static uint64_t play_script(Side *side, uint64_t games) {
    uint64_t plies = 0;
    Playout how = {.throws = &side->rng, .choices = &side->rng, .max_plies = side->max_plies};
    for (uint64_t i = 0; i < games; i++) {
        uint64_t n;
        if (!oldsow_copy(side->state, side->start) ||
            playout(side->game, side->state, &how, &n) == PLAYOUT_FAULT) {
            oldsow_print_fault(side->state, stderr, false);
            exit(1);
        }
        plies += n;
    }
    return plies;
}

static uint64_t play_engine(Side *side, uint64_t games) {
    EngineRun run = {0};
    side->engine->playouts(side->first, &side->random, games, side->max_plies, &run);
    return run.plies;
}

static Speed measure(Side *side, uint64_t games) {
    double before = now();
    uint64_t plies = side->engine ? play_engine(side, games) : play_script(side, games);
    double seconds = now() - before;
    return (Speed){(double)plies / seconds, (double)games / seconds};
}

static void find_batch(Side *side, double seconds) {
    for (side->batch = 1;; side->batch *= 2) {
        double took = (double)side->batch / measure(side, side->batch).games;
        if (took < seconds / 8) continue;
        side->batch = (uint64_t)((double)side->batch * seconds / took) + 1;
        return;
    }
}

// ---- one game ------------------------------------------------------------------------------------

static OldsowGame *load(const char *path) {
    OldsowReport *report;
    OldsowGame *game = oldsow_load(path, NULL, &report);
    if (!game) {
        oldsow_report_print(report, stderr, false);
        exit(1);
    }
    oldsow_report_free(report);
    return game;
}

static double loading(const char *path) {
    double took[LOADINGS];
    for (int i = 0; i < LOADINGS; i++) {
        double before = now();
        oldsow_game_free(load(path));
        took[i] = (now() - before) * 1e3;
    }
    return median(took, LOADINGS);
}

static void *reserve(size_t n) {
    void *at = calloc(1, n);
    if (!at) {
        fputs("bench: out of memory\n", stderr);
        exit(1);
    }
    return at;
}

static Speed middle(const Speed *all, int n, double *room) {
    Speed speed;
    for (int i = 0; i < n; i++) room[i] = all[i].plies;
    speed.plies = median(room, n);
    for (int i = 0; i < n; i++) room[i] = all[i].games;
    speed.games = median(room, n);
    return speed;
}

static Side script_side(const char *path, bool compiled, const Settings *how) {
    Side side = {.game = load(path), .max_plies = how->max_plies};
    char why[NATIVE_WHY_MAX];
    if (compiled && !native_attach((OldsowGame *)side.game, why)) {
        fprintf(stderr, "bench: %s: %s\n", path, why);
        exit(1);
    }
    side.start = oldsow_start(side.game);
    side.state = side.start ? oldsow_clone(side.start) : NULL;
    if (!side.state) exit(1);
    oldsow_seed(&side.rng, 1, 0);
    return side;
}

static Side engine_side(const Engine *engine, const Settings *how) {
    Side side = {.engine = engine, .max_plies = how->max_plies, .random = 1};
    side.first = reserve(engine->size);
    engine->start(side.first, (const uint8_t[ENGINE_OPTIONS]){0});
    return side;
}

static void side_free(Side *side) {
    free(side->first);
    oldsow_state_free(side->state);
    oldsow_state_free(side->start);
    oldsow_game_free((OldsowGame *)side->game);
}

static Ratio ratio(double *ratios, int n) {
    double middle = median(ratios, n); // sorts them
    return (Ratio){middle, ratios[0], ratios[n - 1]};
}

static Figures bench(const Engine *engine, const Settings *how) {
    Figures f = {.engine = engine, .load = loading(engine->script)};
    Side sides[PLAYERS] = {script_side(engine->script, false, how),
                           script_side(engine->script, true, how), engine_side(engine, how)};
    for (int k = 0; k < PLAYERS; k++) find_batch(&sides[k], how->millis / 1e3);

    static Speed speeds[PLAYERS][MOST_ROUNDS];
    static double ratios[PLAYERS][MOST_ROUNDS], room[MOST_ROUNDS];
    for (int i = 0; i < how->rounds; i++) {
        // Who goes first changes from round to round.
        for (int k = 0; k < PLAYERS; k++) {
            int who = (k + i) % PLAYERS;
            speeds[who][i] = measure(&sides[who], sides[who].batch);
        }
        for (int k = 0; k < ENGINE; k++)
            ratios[k][i] = speeds[k][i].plies / speeds[ENGINE][i].plies;
    }
    for (int k = 0; k < PLAYERS; k++) f.speeds[k] = middle(speeds[k], how->rounds, room);
    for (int k = 0; k < ENGINE; k++) f.ratios[k] = ratio(ratios[k], how->rounds);
    f.script_bytes = oldsow_state_bytes(sides[SCRIPT].game);
    f.written_bytes = engine->size;
    for (int k = 0; k < PLAYERS; k++) side_free(&sides[k]);
    return f;
}

// ---- output --------------------------------------------------------------------------------------

static void print(const Figures *f) {
    const Speed *s = f->speeds;
    printf("%-13s %10.0f %10.0f %10.0f ", f->engine->name, s[SCRIPT].plies, s[COMPILED].plies,
           s[ENGINE].plies);
    for (int k = 0; k < ENGINE; k++)
        printf(" %.3f (%.3f to %.3f)", f->ratios[k].median, f->ratios[k].least,
               f->ratios[k].greatest);
    printf(" %7.0f %7.0f %7.0f %6zu %6zu %6.2f\n", s[SCRIPT].games, s[COMPILED].games,
           s[ENGINE].games, f->script_bytes, f->written_bytes, f->load);
    fflush(stdout);
}

static json_t *to_json(const Figures *f) {
    json_t *one = json_pack("{s:s, s:I, s:I, s:f}", "game", f->engine->name, "script_bytes",
                            (json_int_t)f->script_bytes, "engine_bytes",
                            (json_int_t)f->written_bytes, "load_ms", f->load);
    static const char *const names[PLAYERS] = {"script", "compiled", "engine"};
    for (int k = 0; k < PLAYERS; k++) {
        const Ratio *r = &f->ratios[k == ENGINE ? 0 : k];
        json_t *figures =
            k == ENGINE
                ? json_pack("{s:f, s:f}", "plies", f->speeds[k].plies, "games", f->speeds[k].games)
                : json_pack("{s:f, s:f, s:f, s:f, s:f}", "plies", f->speeds[k].plies, "games",
                            f->speeds[k].games, "ratio", r->median, "least", r->least, "greatest",
                            r->greatest);
        json_object_set_new(one, names[k], figures);
    }
    return one;
}

static json_t *read_run(const char *path) {
    json_error_t error;
    json_t *run = json_load_file(path, 0, &error);
    if (!run) fprintf(stderr, "bench: %s:%d: %s\n", path, error.line, error.text);
    return run;
}

// The ratio of a game's side in a saved run; 0 if it is not there.
static double ratio_of(const json_t *run, const char *game, const char *side) {
    size_t i;
    json_t *one;
    json_array_foreach(run, i, one) {
        const char *name = json_string_value(json_object_get(one, "game"));
        if (!name || strcmp(name, game) != 0) continue;
        const json_t *of = json_object_get(one, side);
        // Runs that were saved before games were compiled have the script's ratio beside the name.
        if (!of && strcmp(side, "script") == 0) of = one;
        return json_number_value(json_object_get(of, "ratio"));
    }
    return 0;
}

static void print_change(double before, double after) {
    if (before > 0 && after > 0)
        printf("  %8.3f %8.3f %8.2f", before, after, after / before);
    else
        printf("  %8s %8s %8s", "-", "-", "-");
}

static int compare(const char *before, const char *after) {
    json_t *a = read_run(before), *b = read_run(after);
    bool both = a && b;
    if (both)
        printf("%-13s  %-26s  %-26s\n%-13s  %8s %8s %8s  %8s %8s %8s\n", "", "script / engine",
               "compiled / engine", "game", "before", "after", "times", "before", "after", "times");
    for (int i = 0; both && i < ENGINES; i++) {
        const char *name = engines[i]->name;
        if (ratio_of(a, name, "script") <= 0 || ratio_of(b, name, "script") <= 0) continue;
        printf("%-13s", name);
        print_change(ratio_of(a, name, "script"), ratio_of(b, name, "script"));
        print_change(ratio_of(a, name, "compiled"), ratio_of(b, name, "compiled"));
        putchar('\n');
    }
    json_decref(a);
    json_decref(b);
    return both ? 0 : 1;
}

static int run(const Settings *how) {
    json_t *all = json_array();
    bool found = false;
    printf("%-13s %-32s  %-46s  %-23s %-13s %6s\n", "", "plies/s", "part of the engine's plies/s",
           "games/s", "state bytes", "load");
    printf("%-13s %10s %10s %10s  %-22s %-23s %7s %7s %7s %6s %6s %6s\n", "game", "script",
           "compiled", "engine", "script", "compiled", "script", "compil.", "engine", "script",
           "engine", "ms");
    for (int i = 0; i < ENGINES; i++) {
        if (how->only && strcmp(how->only, engines[i]->name) != 0) continue;
        found = true;
        Figures f = bench(engines[i], how);
        print(&f);
        json_array_append_new(all, to_json(&f));
    }
    bool saved = !how->save || json_dump_file(all, how->save, JSON_INDENT(1)) == 0;
    if (!saved) fprintf(stderr, "bench: cannot write %s: %s\n", how->save, strerror(errno));
    if (!found) fprintf(stderr, "bench: no engine is called `%s`\n", how->only);
    json_decref(all);
    return !found ? 2 : saved ? 0 : 1;
}

static bool number(const char *text, long least, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (end != text && !*end && !errno && *value >= least && *value <= most) return true;
    fprintf(stderr, "bench: `%s` is not a number from %ld to %ld\n", text, least, most);
    return false;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"rounds", required_argument, NULL, 'r'},
        {"millis", required_argument, NULL, 'm'},
        {"only", required_argument, NULL, 'o'},
        {"save", required_argument, NULL, 's'},
        {"max-plies", required_argument, NULL, 'p'},
        {"compare", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    Settings how = {.rounds = 9, .millis = 100, .max_plies = 1000};
    bool comparing = false, ok = true;
    long value;
    for (int c; ok && (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r':
            if ((ok = number(optarg, 1, MOST_ROUNDS, &value))) how.rounds = (int)value;
            break;
        case 'm':
            if ((ok = number(optarg, 1, 60000, &value))) how.millis = (int)value;
            break;
        case 'p':
            if ((ok = number(optarg, 1, 1000000, &value))) how.max_plies = (uint64_t)value;
            break;
        case 'o': how.only = optarg; break;
        case 's': how.save = optarg; break;
        case 'c': comparing = true; break;
        case 'h': fputs(usage, stdout); return 0;
        default: ok = false;
        }
    }
    if (!ok || argc - optind != (comparing ? 2 : 0)) {
        fputs(usage, stderr);
        return 2;
    }
    return comparing ? compare(argv[optind], argv[optind + 1]) : run(&how);
}
