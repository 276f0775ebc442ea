// oldsow run: plays a record, and goes on at random if asked to.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../play/playout.h"
#include "../play/record.h"
#include "../play/save.h"
#include "../play/words.h"
#include "commands.h"
#include "explain.h"
#include "text.h"
#include "transcript.h"

static const char help[] =
    "usage: oldsow run FILE [RECORD|-] [FLAG...]\n"
    "\n"
    "Plays a record and prints what happens: a line a turn, the position when it has changed "
    "much,\n"
    "then the result, or who moves and what may be chosen. Without a record the game stands at "
    "its\n"
    "start. Reading and options are those that the record's headers name, unless flags say\n"
    "otherwise. docs/records.md tells how records are written.\n"
    "\n"
    "  --reading NAME     the reading to play\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --seed N           where throws that the record leaves out, and random choices, come from\n"
    "  --random           go on with random choices to the end of the game\n"
    "  --max-plies N      with --random: stop after so many plies, unfinished (100000; 0: never)\n"
    "  --positions        draw the position after each ply\n"
    "  --record OUT       write the game to a record; `-` prints it instead of the transcript\n"
    "  --force            play a record that was made under other rules\n"
    "  --json             print the game as JSON\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow run games/len-doat.sow --random --seed 7 --record game.txt\n";

enum { MAX_PLIES = 100000, SHOWN_CHOICES = 60 };

typedef struct Flags {
    bool random, positions, force;
    uint64_t max_plies;
    const char *record;
} Flags;

static const Flags unsaid = {.max_plies = MAX_PLIES};

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {{"random", false},   {"positions", false}, {"force", false},
                                 {"max-plies", true}, {"record", true},     {NULL, false}};

static int flag(Cli *cli, size_t i, const char *value) {
    switch (i) {
    case 0: own(cli)->random = true; break;
    case 1: own(cli)->positions = true; break;
    case 2: own(cli)->force = true; break;
    case 3:
        if (!cli_number(cli, "--max-plies", value, UINT64_MAX, &own(cli)->max_plies))
            return EXIT_USAGE;
        break;
    default: own(cli)->record = value; break;
    }
    return EXIT_FINE;
}

// One game being run.
typedef struct Run {
    Cli *cli;
    Record *record; // NULL: none was given
    OldsowGame *game;
    OldsowState *state;
    bool quiet; // no transcript
    Transcript transcript;
    RecordMoves *moves; // NULL: nobody wants them
    json_t *plies;      // NULL: as above
    uint64_t played;
    bool seeded;
    uint64_t seed;
    OldsowRng throws, choices;
    Progress progress;
    Watch watch;
    volatile sig_atomic_t stop; // a signal came, or nobody reads on
    bool stopped, wrong;        // by that; by a mistake in the record
} Run;

// ---- what is told of each ply ---------------------------------------------------------------

static json_t *ply_json(const Run *r, const OldsowState *before, size_t candidate) {
    char name[OLDSOW_NAME_MAX];
    json_t *o = json_object();
    json_object_set_new(o, "player",
                        cli_json_text(oldsow_player_name(r->game, oldsow_mover(before))));
    json_object_set_new(o, oldsow_status(before) == OLDSOW_CHANCE ? "throw" : "choice",
                        cli_json_text(oldsow_candidate(before, candidate, name)));
    return o;
}

static void on_ply(void *context, const OldsowState *before, size_t candidate) {
    Run *r = context;
    if (!r->quiet) {
        progress_clear(&r->progress);
        transcript_ply(&r->transcript, before, candidate);
    }
    if (r->moves) record_moves_ply(r->moves, before, candidate);
    if (r->plies) json_array_append_new(r->plies, ply_json(r, before, candidate));
    r->played++;
    // Without this an endless game would go on for a reader who has left.
    r->stop = cli_signal || ferror(stdout);
}

static void on_played(void *context, const OldsowState *after) {
    Run *r = context;
    if (!r->quiet) transcript_played(&r->transcript, after);
}

// ---- which game, under which rules ----------------------------------------------------------

static bool given(const Cli *cli, const char *option, const char **value) {
    for (size_t i = 0; i < cli->nsettings; i++)
        if (strcmp(cli->settings[i].option, option) == 0) {
            *value = cli->settings[i].value;
            return true;
        }
    return false;
}

static const char *settle_reading(const Run *r) {
    const char *flag_says = r->cli->reading;
    const char *record_says = r->record ? record_header(r->record, "Reading") : NULL;
    if (flag_says && record_says && strcmp(flag_says, record_says) != 0)
        cli_complain(r->cli, "the record was made with the reading `%s`; --reading %s counts",
                     record_says, flag_says);
    return flag_says ? flag_says : record_says;
}

// The record's settings that no flag contradicts, then the flags'. NULL if there is no memory.
static OldsowSetting *settle_options(const Run *r, size_t *n) {
    size_t recorded = 0;
    const OldsowSetting *record_says = r->record ? record_settings(r->record, &recorded) : NULL;
    OldsowSetting *all = calloc(recorded + r->cli->nsettings + 1, sizeof *all);
    if (!all) return NULL;
    *n = 0;
    for (size_t i = 0; i < recorded; i++) {
        const char *value;
        if (!given(r->cli, record_says[i].option, &value))
            all[(*n)++] = record_says[i];
        else if (strcmp(value, record_says[i].value) != 0)
            cli_complain(r->cli, "the record was made with %s=%s; --set %s=%s counts",
                         record_says[i].option, record_says[i].value, record_says[i].option, value);
    }
    for (size_t i = 0; i < r->cli->nsettings; i++) all[(*n)++] = r->cli->settings[i];
    return all;
}

static void complain_of_record(const Run *r) {
    record_print(r->record, stderr, r->cli->colour_err);
    CodesTold told = {.n = 0};
    const char *code;
    for (size_t i = 0; (code = record_code(r->record, i)); i++) codes_add(&told, code);
    codes_point(&told);
}

// What the headers name and the script does not have is told in the record.
static bool headers_fit(Run *r) {
    if (!r->record || !(record_header(r->record, "Reading") || record_header(r->record, "Options")))
        return true;
    OldsowReport *report = NULL;
    OldsowGame *plain = oldsow_load(r->cli->args[0], NULL, &report);
    bool fit = !plain || record_names(r->record, plain, !r->cli->reading);
    oldsow_game_free(plain);
    oldsow_report_free(report);
    if (!fit) complain_of_record(r);
    return fit;
}

static bool load(Run *r) {
    if (!headers_fit(r)) return false;
    OldsowLoading how = {.reading = settle_reading(r)};
    OldsowSetting *settings = settle_options(r, &how.nsettings);
    if (!settings) {
        cli_no_memory(r->cli);
        return false;
    }
    how.settings = settings;
    r->game = cli_load_as(r->cli, r->cli->args[0], &how);
    free(settings);
    if (!r->game) return false;
    if (r->record && !own(r->cli)->force && !record_belongs(r->record, r->game)) {
        complain_of_record(r);
        return false;
    }
    return true;
}

static bool read_record(Run *r) {
    if (r->cli->nargs < 2) return true;
    r->record = record_read(r->cli->args[1]);
    if (cli_signal) return false;
    if (!r->record) {
        cli_no_memory(r->cli);
        return false;
    }
    if (record_fine(r->record)) return true;
    complain_of_record(r);
    return false;
}

static void settle_seed(Run *r) {
    uint64_t recorded;
    bool record_says = r->record && record_seed(r->record, &recorded);
    if (r->cli->seeded) {
        r->seed = r->cli->seed;
        if (record_says && recorded != r->seed)
            cli_complain(r->cli,
                         "the record was made with the seed %" PRIu64 "; --seed %" PRIu64 " counts",
                         recorded, r->seed);
    } else if (record_says) {
        r->seed = recorded;
    } else if (own(r->cli)->random) {
        // Any seed will do, as long as it is told.
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        OldsowRng rng;
        oldsow_seed(&rng, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
                    (uint64_t)getpid());
        r->seed = oldsow_below(&rng, 1000000);
    }
    r->seeded = r->cli->seeded || record_says || own(r->cli)->random;
    // Choices have a stream of their own: the throws of a random game come out the same when its
    // record is played without them.
    oldsow_seed(&r->throws, r->seed, 0);
    oldsow_seed(&r->choices, r->seed, 1);
}

static bool prepare(Run *r) {
    r->quiet = r->cli->json || (own(r->cli)->record && strcmp(own(r->cli)->record, "-") == 0);
    settle_seed(r);
    r->state = cli_start(r->cli, r->game);
    if (!r->state) return false;
    if (own(r->cli)->record) r->moves = record_moves_new(r->game);
    if (r->cli->json) r->plies = json_array();
    bool fine = transcript_init(&r->transcript, r->game, stdout, own(r->cli)->positions) &&
                (!own(r->cli)->record || r->moves) && (!r->cli->json || r->plies);
    if (!fine) cli_no_memory(r->cli);
    progress_start(&r->progress, "played", "plies");
    r->watch = cli_watch(&r->progress);
    r->watch.stop = &r->stop;
    return fine;
}

// ---- playing --------------------------------------------------------------------------------

static void open_transcript(Run *r) {
    if (r->quiet) return;
    puts(oldsow_title(r->game));
    const char *reading = oldsow_reading(r->game);
    if (reading) printf("reading %s\n", reading);
    if (r->seeded) printf("seed %" PRIu64 "\n", r->seed);
    transcript_draw(&r->transcript, r->state);
}

static void play_record(Run *r) {
    Replay how = {.throws = r->seeded ? &r->throws : NULL,
                  .trust = own(r->cli)->force,
                  .ply = on_ply,
                  .played = on_played,
                  .context = r,
                  .watch = &r->watch};
    ReplayEnd end = record_replay(r->record, r->game, r->state, &how);
    r->wrong = end == REPLAY_WRONG || end == REPLAY_NO_MEMORY;
    r->stopped = end == REPLAY_STOPPED;
    if (end == REPLAY_NO_MEMORY) cli_no_memory(r->cli);
}

static void play_on(Run *r) {
    // The record's plies count as well; to `playout` 0 means without end.
    if (own(r->cli)->max_plies > 0 && r->played >= own(r->cli)->max_plies) return;
    Playout how = {.throws = &r->throws,
                   .choices = &r->choices,
                   .max_plies = own(r->cli)->max_plies > 0 ? own(r->cli)->max_plies - r->played : 0,
                   .ply = on_ply,
                   .played = on_played,
                   .context = r,
                   .watch = &r->watch};
    r->stopped = playout(r->game, r->state, &how, NULL) == PLAYOUT_STOPPED;
}

// Without a record and with a seed: the throws before the first choice.
static void throw_first(Run *r) {
    while (r->seeded && oldsow_status(r->state) == OLDSOW_CHANCE && !cli_signal) {
        size_t outcome = oldsow_pick(r->state, &r->throws);
        on_ply(r, r->state, outcome);
        oldsow_play(r->state, outcome);
        on_played(r, r->state);
    }
}

static void play(Run *r) {
    open_transcript(r);
    if (r->record)
        play_record(r);
    else if (!own(r->cli)->random)
        throw_first(r);
    if (own(r->cli)->random && !r->wrong && !r->stopped) play_on(r);
    progress_clear(&r->progress);
}

// ---- how it ended ---------------------------------------------------------------------------

static bool waits(const Run *r) {
    OldsowStatus status = oldsow_status(r->state);
    return status == OLDSOW_CHOICE || status == OLDSOW_CHANCE;
}

static void print_choices(const Run *r) {
    bool chance = oldsow_status(r->state) == OLDSOW_CHANCE;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    fprintf(out, "%s %s; may be %s: ", oldsow_player_name(r->game, oldsow_mover(r->state)),
            chance ? "throws" : "moves", chance ? "thrown" : "chosen");
    words_candidates(r->state, SHOWN_CHOICES, out);
    fclose(out);
    if (text) text_fold(stdout, text, 0);
    free(text);
    if (chance && !r->seeded) puts("(--seed N throws for you)");
}

static void print_scores(const Run *r) {
    bool any = false;
    for (int p = 0; p < oldsow_players(r->game); p++) {
        int score;
        if (!oldsow_score(r->state, p, &score)) continue;
        printf("%s %s %d", any ? "," : "Score:", oldsow_player_name(r->game, p), score);
        any = true;
    }
    if (any) putchar('\n');
}

static void close_transcript(Run *r) {
    if (r->quiet) return;
    transcript_draw(&r->transcript, r->state);
    if (r->wrong) return; // the record's mistake tells who moves
    if (oldsow_status(r->state) != OLDSOW_FAULT) print_scores(r);
    const char *plies = r->played == 1 ? "ply" : "plies";
    if (r->stopped) printf("stopped after %" PRIu64 " %s\n", r->played, plies);
    if (!waits(r) || (own(r->cli)->random && !r->stopped)) {
        words_result(r->game, r->state, stdout);
        printf(" after %" PRIu64 " %s\n", r->played, plies);
    }
    if (waits(r)) print_choices(r);
    if (oldsow_status(r->state) != OLDSOW_FAULT)
        printf("position %016" PRIx64 "\n", oldsow_position_hash(r->state));
}

static json_t *results_json(const Run *r) {
    static const char *const words[] = {[OLDSOW_UNDECIDED] = "undecided",
                                        [OLDSOW_WON] = "won",
                                        [OLDSOW_LOST] = "lost",
                                        [OLDSOW_DRAWN] = "drawn"};
    json_t *o = json_object();
    for (int p = 0; p < oldsow_players(r->game); p++) {
        int score;
        json_t *player = json_object();
        json_object_set_new(player, "result", json_string(words[oldsow_result(r->state, p)]));
        if (oldsow_score(r->state, p, &score))
            json_object_set_new(player, "score", json_integer(score));
        json_object_set_new(o, oldsow_player_name(r->game, p), player);
    }
    return o;
}

static json_t *candidates_json(const Run *r) {
    json_t *list = json_array();
    for (size_t i = 0; waits(r) && i < oldsow_candidates(r->state); i++) {
        char name[OLDSOW_NAME_MAX];
        json_array_append_new(list, cli_json_text(oldsow_candidate(r->state, i, name)));
    }
    return list;
}

static json_t *run_json(Run *r) {
    static const char *const words[] = {[OLDSOW_CHOICE] = "choice",
                                        [OLDSOW_CHANCE] = "chance",
                                        [OLDSOW_OVER] = "over",
                                        [OLDSOW_FAULT] = "fault"};
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    if (!out) return NULL;
    words_result(r->game, r->state, out);
    fclose(out);
    json_t *o = json_object();
    const char *reading = oldsow_reading(r->game);
    json_object_set_new(o, "schema", json_string("oldsow-run-1"));
    json_object_set_new(o, "game", cli_json_text(oldsow_title(r->game)));
    json_object_set_new(o, "reading", reading ? cli_json_text(reading) : json_null());
    json_object_set_new(o, "rules", cli_json_hash(oldsow_rules_hash(r->game)));
    // As text: JSON numbers are sure to hold 53 bits only.
    if (r->seeded) json_object_set_new(o, "seed", json_sprintf("%" PRIu64, r->seed));
    json_object_set(o, "plies", r->plies);
    json_object_set_new(o, "status", json_string(words[oldsow_status(r->state)]));
    json_object_set_new(o, "result", cli_json_text(result ? result : ""));
    json_object_set_new(o, "players", results_json(r));
    if (waits(r))
        json_object_set_new(o, "mover",
                            cli_json_text(oldsow_player_name(r->game, oldsow_mover(r->state))));
    json_object_set_new(o, "candidates", candidates_json(r));
    json_object_set_new(o, "position", cli_json_hash(oldsow_position_hash(r->state)));
    free(result);
    return o;
}

// A slip of the hand must not put a record in place of the script.
static bool is_script(const Run *r, const char *path) {
    struct stat script, out;
    return stat(r->cli->args[0], &script) == 0 && stat(path, &out) == 0 &&
           script.st_dev == out.st_dev && script.st_ino == out.st_ino;
}

static int write_record(Run *r) {
    if (strcmp(own(r->cli)->record, "-") != 0 && is_script(r, own(r->cli)->record)) {
        cli_complain(r->cli, "the record was not written: %s is the script", own(r->cli)->record);
        return EXIT_AT_FAULT;
    }
    RecordAbout about = {.seeded = r->seeded, .seed = r->seed, .from = r->record};
    size_t size;
    char *text = record_text(r->game, r->state, r->moves, &about, &size);
    if (!text) return cli_no_memory(r->cli);
    int why = 0;
    if (strcmp(own(r->cli)->record, "-") == 0)
        fwrite(text, 1, size, stdout);
    else
        why = save_text(own(r->cli)->record, text, size);
    free(text);
    if (!why) return EXIT_FINE;
    cli_complain(r->cli, "the record was not written: %s: %s", own(r->cli)->record, strerror(why));
    return EXIT_AT_FAULT;
}

static int report(Run *r) {
    int status = EXIT_FINE;
    close_transcript(r);
    if (r->cli->json) status = cli_json_print(r->cli, run_json(r));
    if (r->wrong) {
        fflush(stdout);
        complain_of_record(r);
        return EXIT_AT_FAULT; // and nothing is written: the game is not what was meant
    }
    if (own(r->cli)->record && write_record(r) != EXIT_FINE) status = EXIT_AT_FAULT;
    if (oldsow_status(r->state) == OLDSOW_FAULT) {
        cli_print_fault(r->cli, r->state);
        status = EXIT_AT_FAULT;
    }
    return status;
}

static int run(Cli *cli) {
    Run r = {.cli = cli};
    int status = EXIT_AT_FAULT;
    if (read_record(&r) && load(&r) && prepare(&r)) {
        play(&r);
        status = report(&r);
    }
    transcript_free(&r.transcript);
    record_moves_free(r.moves);
    json_decref(r.plies);
    oldsow_state_free(r.state);
    oldsow_game_free(r.game);
    record_free(r.record);
    return status;
}

const Command command_run = {
    .name = "run",
    .summary = "play a record, or a random game, and print what happens",
    .help = help,
    .takes = TAKES_FILE | TAKES_SEED | TAKES_JSON,
    .least = 1,
    .most = 2,
    .flags = own_flags,
    .own = &unsaid,
    .own_size = sizeof unsaid,
    .flag = flag,
    .run = run,
};
