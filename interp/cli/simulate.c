// oldsow simulate: random games on all processors.
#include "../play/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../play/save.h"
#include "commands.h"
#include "results.h"

static const char help[] =
    "usage: oldsow simulate FILE [-n N] [--seed S] [--jobs J] [--shard I/N] [FLAG...]\n"
    "\n"
    "Plays random games and counts how they end, how long they are and how many candidates the\n"
    "decisions have. What comes out depends on the script, its options, N, --seed and --max-plies\n"
    "only. After Ctrl-C the games done so far are told. Games in which the script fails are "
    "counted;\n"
    "the first is shown with its record, and the exit status is 1. docs/cluster.md tells what the\n"
    "figures mean, and how to spread a run over many machines.\n"
    "\n"
    "  -n, --games N      how many games (1000)\n"
    "  --seed S           where the games come from (0)\n"
    "  --jobs J           threads (as many as there are processors)\n"
    "  --max-plies M      stop a game after so many plies, unfinished (100000; 0: never)\n"
    "  --shard I/N        only the I-th of N parts of the run; `oldsow merge` adds parts up\n"
    "  --records DIR      write the record of each game to a file in DIR\n"
    "  --json             print the results as JSON\n"
    "  --native           build the game with the C compiler first: faster, the same results\n"
    "  --reading NAME     the reading to play\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow simulate games/laomuzhu.sow -n 10000 --seed 7\n";

typedef struct Flags {
    uint64_t games, max_plies, jobs;
    Shard shard;
    const char *records;
} Flags;

static const Flags unsaid = {.games = 1000, .max_plies = 100000};

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {{"games", true}, {"max-plies", true}, {"jobs", true},
                                 {"shard", true}, {"records", true},   {NULL, false}};

static int flag(Cli *cli, size_t i, const char *value) {
    bool fine = true;
    switch (i) {
    case 0: fine = cli_positive(cli, "-n", value, RESULTS_MAX_GAMES, &own(cli)->games); break;
    case 1:
        fine = cli_number(cli, "--max-plies", value, RESULTS_MAX_NUMBER, &own(cli)->max_plies);
        break;
    case 2: fine = cli_positive(cli, "--jobs", value, SIMULATE_MAX_JOBS, &own(cli)->jobs); break;
    case 3:
        if (!results_read_shard(value, &own(cli)->shard))
            return cli_misuse(
                cli, "--shard wants a part and how many there are, as in 2/8; not `%s`", value);
        break;
    default: own(cli)->records = value; break;
    }
    return fine ? EXIT_FINE : EXIT_USAGE;
}

// ---- records -------------------------------------------------------------------------------------

// Where the records go. `why` is the errno of the first that could not be written, `path` its name.
typedef struct Folder {
    const char *name;
    int digits;
    mode_t mode;
    pthread_mutex_t lock; // of the two below
    int why;
    char *path;
} Folder;

static char *record_path(const Folder *folder, uint64_t number) {
    size_t size = strlen(folder->name) + 48;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/game-%0*" PRIu64 ".record", folder->name, folder->digits, number);
    return path;
}

static bool write_record(void *context, uint64_t number, const char *text, size_t size) {
    Folder *folder = context;
    char *path = record_path(folder, number);
    int why = path ? save_new(path, folder->mode, text, size) : ENOMEM;
    if (why) {
        pthread_mutex_lock(&folder->lock);
        if (!folder->why) {
            folder->why = why;
            folder->path = path;
            path = NULL;
        }
        pthread_mutex_unlock(&folder->lock);
    }
    free(path);
    return why == 0;
}

static bool open_folder(const Cli *cli, Folder *folder) {
    folder->name = own(cli)->records;
    folder->digits = snprintf(NULL, 0, "%" PRIu64, own(cli)->games);
    folder->mode = save_usual_mode();
    pthread_mutex_init(&folder->lock, NULL);
    if (!own(cli)->records) return true;
    struct stat about;
    if (mkdir(own(cli)->records, 0777) == 0) return true;
    int why = errno;
    if (why == EEXIST && stat(own(cli)->records, &about) == 0) {
        if (S_ISDIR(about.st_mode)) return true;
        why = ENOTDIR;
    }
    cli_complain(cli, "no records can be written: %s: %s", own(cli)->records, strerror(why));
    return false;
}

static void close_folder(Folder *folder) {
    pthread_mutex_destroy(&folder->lock);
    free(folder->path);
}

// ---- a game that failed --------------------------------------------------------------------------

static json_t *fault_json(const Results *r, const OldsowState *state, const char *record) {
    OldsowFault fault = oldsow_fault(state);
    json_t *o = json_object();
    json_object_set_new(o, "game", json_integer((json_int_t)r->tally.first_fault));
    json_object_set_new(o, "seed",
                        json_sprintf("%" PRIu64, simulate_seed(r->seed, r->tally.first_fault)));
    json_object_set_new(o, "code", json_string(fault.code));
    json_object_set_new(o, "text", cli_json_text(fault.text));
    if (fault.file) {
        json_object_set_new(o, "file", cli_json_text(fault.file));
        json_object_set_new(o, "line", json_integer(fault.line));
        json_object_set_new(o, "column", json_integer(fault.column));
    }
    json_object_set_new(o, "record", cli_json_text(record));
    return o;
}

// Plays the first game that failed again, to show how. NULL: there is no memory.
static OldsowState *play_again(const OldsowGame *game, Results *r) {
    uint64_t seed = simulate_seed(r->seed, r->tally.first_fault);
    RecordMoves *moves = record_moves_new(game);
    OldsowState *state = moves ? simulate_again(game, seed, r->max_plies, moves) : NULL;
    RecordAbout about = {.seeded = true, .seed = seed};
    size_t size;
    char *record = state ? record_text(game, state, moves, &about, &size) : NULL;
    bool fine = record && oldsow_status(state) == OLDSOW_FAULT;
    if (fine) r->fault = fault_json(r, state, record);
    free(record);
    record_moves_free(moves);
    if (fine) return state;
    oldsow_state_free(state);
    return NULL;
}

// ---- the run -------------------------------------------------------------------------------------

static int tell(const Cli *cli, const OldsowGame *game, Results *r) {
    OldsowState *failed = r->tally.first_fault ? play_again(game, r) : NULL;
    if (r->tally.first_fault && !failed) return cli_no_memory(cli);
    int status = EXIT_FINE;
    if (cli->json)
        status = cli_json_print(cli, results_json(r));
    else
        results_print(cli, r);
    if (results_complain(cli, r, failed) != EXIT_FINE) status = EXIT_AT_FAULT;
    oldsow_state_free(failed);
    return status;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static SimulateEnd play(const Cli *cli, const OldsowGame *game, Folder *folder, Results *r) {
    Range games = own(cli)->shard.of ? results_shard(own(cli)->shard, own(cli)->games)
                                     : (Range){1, own(cli)->games};
    Progress progress;
    progress_start(&progress, "played", "games");
    Watch watch = cli_watch(&progress);
    Simulation how = {.game = game,
                      .seed = r->seed,
                      .first = games.first,
                      .last = games.last,
                      .max_plies = r->max_plies,
                      .jobs = own(cli)->jobs ? (unsigned)own(cli)->jobs : simulate_processors(),
                      .record = own(cli)->records ? write_record : NULL,
                      .context = folder,
                      .watch = &watch};
    if (how.jobs > SIMULATE_MAX_JOBS) how.jobs = SIMULATE_MAX_JOBS;
    double start = now();
    SimulateEnd end = simulate(&how, &r->tally, &r->ranges);
    r->seconds = now() - start;
    progress_clear(&progress);
    return end;
}

static int simulate_game(const Cli *cli, const OldsowGame *game, Folder *folder, Results *r) {
    if (!results_about(r, game)) return cli_no_memory(cli);
    SimulateEnd end = play(cli, game, folder, r);
    if (end == SIMULATE_NO_MEMORY) return cli_no_memory(cli);
    if (end == SIMULATE_NO_THREAD) {
        cli_complain(cli, "no thread could be started");
        return EXIT_AT_FAULT;
    }
    int status = tell(cli, game, r);
    if (folder->why) {
        cli_complain(cli, "stopped: a record was not written: %s: %s",
                     folder->path ? folder->path : folder->name, strerror(folder->why));
        status = EXIT_AT_FAULT;
    } else if (end == SIMULATE_STOPPED) {
        cli_complain(cli, "stopped after %" PRIu64 " games", r->tally.games);
    }
    return status;
}

static int run(Cli *cli) {
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    Results results = {.seed = cli->seed,
                       .of = own(cli)->games,
                       .max_plies = own(cli)->max_plies,
                       .shard = own(cli)->shard};
    Folder folder = {0};
    int status = EXIT_AT_FAULT;
    if (open_folder(cli, &folder)) status = simulate_game(cli, game, &folder, &results);
    close_folder(&folder);
    results_free(&results);
    oldsow_game_free(game);
    return status;
}

const Command command_simulate = {
    .name = "simulate",
    .summary = "play many random games and count how they end",
    .help = help,
    .takes = TAKES_FILE | TAKES_SEED | TAKES_JSON | TAKES_NATIVE,
    .least = 1,
    .most = 1,
    .flags = own_flags,
    .letters = "n",
    .own = &unsaid,
    .own_size = sizeof unsaid,
    .flag = flag,
    .run = run,
};
