// oldsow solve: exact answers about small games.
#include "../play/solve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../play/record.h"
#include "../play/save.h"
#include "commands.h"

static const char help[] =
    "usage: oldsow solve FILE [--any] [--limit N] [--memory MIB] [--record OUT] [FLAG...]\n"
    "\n"
    "One player: prints `solved in N moves` and a shortest solution as a record that `oldsow run`\n"
    "accepts, or `no solution` with the number of positions looked at. That is an answer too: the\n"
    "exit status is 0. Two players and no chance: prints which of them can force a win, in how "
    "many\n"
    "plies if the other delays it as long as he can, or `draw`, and a line of best play as a "
    "record.\n"
    "Where a player can go on for ever rather than lose, that is a draw. If there are more "
    "positions\n"
    "than the limits allow there is no answer, and the exit status is 1.\n"
    "\n"
    "  --any              be content with less, which is found sooner. One player: the first "
    "solution\n"
    "                     found. Two: who wins, with a line that shows it but is not the shortest\n"
    "  --limit N          look at N positions at most (20000000; 5000000 for two without --any)\n"
    "  --memory MIB       take so much memory at most (2048, or half of what there is)\n"
    "  --record OUT       write the record to a file as well\n"
    "  --json             print the answer as JSON\n"
    "  --native           build the game with the C compiler first: faster, the same results\n"
    "  --reading NAME     the reading to solve\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow solve games/mawryngkneng.sow --reading free\n";

typedef struct Flags {
    bool any;
    uint64_t limit, memory;
    const char *record;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {
    {"any", false}, {"limit", true}, {"memory", true}, {"record", true}, {NULL, false}};

static int positive(Cli *cli, const char *name, const char *text, uint64_t most, uint64_t *n) {
    return cli_positive(cli, name, text, most, n) ? EXIT_FINE : EXIT_USAGE;
}

static int flag(Cli *cli, size_t i, const char *value) {
    switch (i) {
    case 0: own(cli)->any = true; return EXIT_FINE;
    case 1: return positive(cli, "--limit", value, UINT32_MAX - 1, &own(cli)->limit);
    case 2: return positive(cli, "--memory", value, SIZE_MAX >> 20, &own(cli)->memory);
    default: own(cli)->record = value; return EXIT_FINE;
    }
}

// ---- the line as a record -------------------------------------------------------------------

typedef struct Line {
    char *record; // its text, malloc'd
    size_t size;
    json_t *names;
} Line;

static bool play_line(const OldsowGame *game, const SolveAnswer *answer, OldsowState *state,
                      RecordMoves *moves, json_t *names) {
    for (size_t i = 0; i < answer->length; i++) {
        char name[OLDSOW_NAME_MAX];
        json_array_append_new(names, cli_json_text(oldsow_candidate(state, answer->line[i], name)));
        record_moves_ply(moves, state, answer->line[i]);
        oldsow_play(state, answer->line[i]);
    }
    (void)game;
    return true;
}

static bool make_line(const OldsowGame *game, const SolveAnswer *answer, Line *line) {
    OldsowState *state = oldsow_start(game);
    RecordMoves *moves = record_moves_new(game);
    line->names = json_array();
    if (state && moves && line->names) {
        play_line(game, answer, state, moves, line->names);
        line->record = record_text(game, state, moves, &(RecordAbout){0}, &line->size);
    }
    record_moves_free(moves);
    oldsow_state_free(state);
    return line->record != NULL;
}

// ---- answers --------------------------------------------------------------------------------

static bool answered(const SolveAnswer *a) {
    return a->end == SOLVE_WON || a->end == SOLVE_HOPELESS || a->end == SOLVE_VALUE;
}

static void print_answer(const OldsowGame *game, const SolveAnswer *a, const Line *line) {
    if (a->end == SOLVE_HOPELESS && a->faults > 0) {
        printf("no answer (%" PRIu64 " positions looked at)\n", a->positions);
        return;
    }
    if (a->end == SOLVE_HOPELESS) {
        printf("no solution (%" PRIu64 " positions looked at)\n", a->positions);
        return;
    }
    if (a->end == SOLVE_WON)
        printf("solved in %zu move%s\n", a->moves, a->moves == 1 ? "" : "s");
    else if (a->winner >= 0 && a->any)
        printf("%s wins (%" PRIu64 " positions looked at)\n", oldsow_player_name(game, a->winner),
               a->positions);
    else if (a->winner >= 0)
        printf("%s wins in %zu pl%s (%" PRIu64 " positions looked at)\n",
               oldsow_player_name(game, a->winner), a->moves, a->moves == 1 ? "y" : "ies",
               a->positions);
    else
        printf("draw (%" PRIu64 " positions looked at)\n", a->positions);
    putchar('\n');
    fwrite(line->record, 1, line->size, stdout);
    if (a->circles) puts("; the last position has been there before: it goes on like this");
}

static json_t *answer_json(const OldsowGame *game, const SolveAnswer *a, const Line *line) {
    json_t *o = json_object();
    json_object_set_new(o, "schema", json_string("oldsow-solve-1"));
    json_object_set_new(o, "game", cli_json_text(oldsow_title(game)));
    json_object_set_new(o, "answer",
                        json_string(a->end == SOLVE_WON                         ? "solved"
                                    : a->end == SOLVE_HOPELESS && a->faults > 0 ? "no answer"
                                    : a->end == SOLVE_HOPELESS                  ? "no solution"
                                    : a->winner >= 0                            ? "win"
                                                                                : "draw"));
    if (a->winner >= 0)
        json_object_set_new(o, "winner", cli_json_text(oldsow_player_name(game, a->winner)));
    if (a->end == SOLVE_WON || (a->winner >= 0 && !a->any))
        json_object_set_new(o, "moves", json_integer((json_int_t)a->moves));
    json_object_set_new(o, "positions", json_integer((json_int_t)a->positions));
    if (a->end == SOLVE_HOPELESS) return o;
    json_object_set(o, "line", line->names);
    json_object_set_new(o, "circles", json_boolean(a->circles));
    json_object_set_new(o, "record", cli_json_text(line->record));
    return o;
}

static int tell(const Cli *cli, const OldsowGame *game, const SolveAnswer *a) {
    Line line = {0};
    int status = EXIT_FINE;
    if (a->end != SOLVE_HOPELESS && !make_line(game, a, &line))
        status = cli_no_memory(cli);
    else if (cli->json)
        status = cli_json_print(cli, answer_json(game, a, &line));
    else
        print_answer(game, a, &line);
    if (line.record && own(cli)->record) {
        int why = save_text(own(cli)->record, line.record, line.size);
        if (why) {
            cli_complain(cli, "the record was not written: %s: %s", own(cli)->record,
                         strerror(why));
            status = EXIT_AT_FAULT;
        }
    }
    json_decref(line.names);
    free(line.record);
    return status;
}

// ---- no answer ------------------------------------------------------------------------------

static void explain(const Cli *cli, const OldsowGame *game, const SolveAnswer *a) {
    const char *other = own(cli)->any               ? ""
                        : oldsow_players(game) == 1 ? ", and --any looks for any solution"
                                                    : ", and --any only for who wins";
    switch (a->end) {
    case SOLVE_PLAYERS:
        cli_complain(cli, "solves games of one or two players; this one has %d",
                     oldsow_players(game));
        return;
    case SOLVE_CHANCE:
        cli_complain(cli,
                     "solves games without chance; in this one there is a throw after %zu pl%s",
                     a->length, a->length == 1 ? "y" : "ies");
        return;
    case SOLVE_HISTORY:
        cli_complain(cli,
                     "cannot solve games whose rules ask whether a position has come up before");
        return;
    case SOLVE_FAULT:
        cli_complain(cli, "the script fails after %zu pl%s, so that there is no saying who wins",
                     a->length, a->length == 1 ? "y" : "ies");
        return;
    case SOLVE_LIMIT:
        cli_complain(cli,
                     "no answer: gave up after %" PRIu64
                     " positions looked at; --limit N allows more%s",
                     a->positions, other);
        return;
    case SOLVE_MEMORY:
        cli_complain(cli,
                     "no answer: out of memory after %" PRIu64
                     " positions looked at; --memory MIB allows more%s",
                     a->positions, other);
        return;
    default:
        cli_complain(cli, "no answer: stopped after %" PRIu64 " positions looked at", a->positions);
        return;
    }
}

static int solve_game(const Cli *cli, const OldsowGame *game) {
    Progress progress;
    progress_start(&progress, "tried", "moves");
    Watch watch = cli_watch(&progress);
    Solve how = {.any = own(cli)->any,
                 .limit = own(cli)->limit,
                 .memory_cap = (size_t)own(cli)->memory << 20,
                 .watch = &watch};
    SolveAnswer answer = solve(game, &how);
    progress_clear(&progress);
    int status = EXIT_AT_FAULT;
    if (answered(&answer))
        status = tell(cli, game, &answer);
    else
        explain(cli, game, &answer);
    if (answer.faults > 0) {
        if (answer.end != SOLVE_FAULT)
            cli_complain(cli,
                         "in %" PRIu64
                         " places the script failed, and nothing is known beyond them; the first:",
                         answer.faults);
        if (answer.fault) cli_print_fault(cli, answer.fault);
        if (answer.end != SOLVE_WON) status = EXIT_AT_FAULT;
    }
    solve_free(&answer);
    return status;
}

static int run(Cli *cli) {
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    int status = solve_game(cli, game);
    oldsow_game_free(game);
    return status;
}

const Command command_solve = {
    .name = "solve",
    .summary = "find a shortest solution, or who wins with best play",
    .help = help,
    .takes = TAKES_FILE | TAKES_JSON | TAKES_NATIVE,
    .least = 1,
    .most = 1,
    .flags = own_flags,
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
