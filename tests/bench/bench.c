// Scripts beside hand-written engines: random games by both, in turns, in one run.
//
// Processor time of this thread is what counts, and each round measures both sides one after the other, so
// that whatever else the machine does weighs on both. A ratio is taken round by round; what is
// printed is its median and its extremes. See `usage` for the rest.
#include "engine.h"
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
    "Plays random games with each game's script and with its hand-written engine, and prints plies "
    "and\n"
    "games a second, the script's part of the engine's plies (median, least and greatest of\n"
    "all rounds), the bytes of a state, and how long the script takes to load.\n"
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

typedef struct Figures {
    const Engine *engine;
    Speed script, written;
    double ratio, least, greatest;
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

// ---- the two sides -------------------------------------------------------------------------------

typedef struct Side {
    // One of the two: a script's start and working state, or an engine's start.
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

static Figures bench(const Engine *engine, const Settings *how) {
    Figures f = {.engine = engine, .load = loading(engine->script)};
    OldsowGame *game = load(engine->script);
    Side script = {.game = game, .max_plies = how->max_plies};
    script.start = oldsow_start(game);
    script.state = script.start ? oldsow_clone(script.start) : NULL;
    Side written = {.engine = engine, .max_plies = how->max_plies, .random = 1};
    written.first = reserve(engine->size);
    if (!script.state) exit(1);
    oldsow_seed(&script.rng, 1, 0);
    engine->start(written.first, (const uint8_t[ENGINE_OPTIONS]){0});
    find_batch(&script, how->millis / 1e3);
    find_batch(&written, how->millis / 1e3);

    static Speed scripts[MOST_ROUNDS], writtens[MOST_ROUNDS];
    static double ratios[MOST_ROUNDS], room[MOST_ROUNDS];
    for (int i = 0; i < how->rounds; i++) {
        // Who goes first changes from round to round.
        if (i % 2) writtens[i] = measure(&written, written.batch);
        scripts[i] = measure(&script, script.batch);
        if (i % 2 == 0) writtens[i] = measure(&written, written.batch);
        ratios[i] = scripts[i].plies / writtens[i].plies;
    }
    f.script = middle(scripts, how->rounds, room);
    f.written = middle(writtens, how->rounds, room);
    f.ratio = median(ratios, how->rounds);
    f.least = ratios[0];
    f.greatest = ratios[how->rounds - 1];
    f.script_bytes = oldsow_state_bytes(game);
    f.written_bytes = engine->size;
    free(written.first);
    oldsow_state_free(script.state);
    oldsow_state_free(script.start);
    oldsow_game_free(game);
    return f;
}

// ---- output --------------------------------------------------------------------------------------

static void print(const Figures *f) {
    printf("%-13s %11.0f %11.0f %9.0f %9.0f   %.3f (%.3f to %.3f) %6zu %6zu %8.2f\n",
           f->engine->name, f->script.plies, f->written.plies, f->script.games, f->written.games,
           f->ratio, f->least, f->greatest, f->script_bytes, f->written_bytes, f->load);
    fflush(stdout);
}

static json_t *to_json(const Figures *f) {
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f}", "game",
                     f->engine->name, "script_plies", f->script.plies, "engine_plies",
                     f->written.plies, "script_games", f->script.games, "engine_games",
                     f->written.games, "ratio", f->ratio, "least", f->least, "greatest",
                     f->greatest, "script_bytes", (json_int_t)f->script_bytes, "engine_bytes",
                     (json_int_t)f->written_bytes, "load_ms", f->load);
}

static json_t *read_run(const char *path) {
    json_error_t error;
    json_t *run = json_load_file(path, 0, &error);
    if (!run) fprintf(stderr, "bench: %s:%d: %s\n", path, error.line, error.text);
    return run;
}

static double ratio_of(const json_t *run, const char *game) {
    size_t i;
    json_t *one;
    json_array_foreach(run, i, one) {
        const char *name = json_string_value(json_object_get(one, "game"));
        if (name && strcmp(name, game) == 0)
            return json_number_value(json_object_get(one, "ratio"));
    }
    return 0;
}

static int compare(const char *before, const char *after) {
    json_t *a = read_run(before), *b = read_run(after);
    bool both = a && b;
    if (both) printf("%-13s %8s %8s %8s\n", "game", "before", "after", "times");
    for (int i = 0; both && i < ENGINES; i++) {
        double x = ratio_of(a, engines[i]->name), y = ratio_of(b, engines[i]->name);
        if (x > 0 && y > 0) printf("%-13s %8.3f %8.3f %8.2f\n", engines[i]->name, x, y, y / x);
    }
    json_decref(a);
    json_decref(b);
    return both ? 0 : 1;
}

static int run(const Settings *how) {
    json_t *all = json_array();
    bool found = false;
    printf("%-13s %23s %19s   %-23s %13s %8s\n", "", "plies/s", "games/s", "ratio of plies/s",
           "state bytes", "load");
    printf("%-13s %11s %11s %9s %9s   %-23s %6s %6s %8s\n", "game", "script", "engine", "script",
           "engine", "median (all rounds)", "script", "engine", "ms");
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
