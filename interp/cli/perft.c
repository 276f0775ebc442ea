// oldsow perft: counts the ways to play on.
#include "../play/perft.h"

#include <inttypes.h>

#include "commands.h"

#include <string.h>

static const char help[] =
    "usage: oldsow perft FILE DEPTH [--json] [--native] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Counts the ways in which a game can begin: a line \"depth count\" for each depth from 1 to\n"
    "DEPTH, where the count is the number of different sequences of exactly so many plies. A ply "
    "is\n"
    "one candidate of a decision or one outcome of a throw; finished games have none. If the\n"
    "script fails in some of them this is told on standard error, and the exit status is 1.\n"
    "\n"
    "  --json             print the counts as JSON\n"
    "  --native           build the game with the C compiler first: faster, the same results\n"
    "  --reading NAME     the reading to play\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow perft games/laomuzhu.sow 5\n";

static json_t *count_json(int depth, const PerftCount *count) {
    json_t *o = json_object();
    json_object_set_new(o, "depth", json_integer(depth));
    // Past what a JSON number is sure to hold the count is written as text.
    json_object_set_new(o, "count",
                        count->sequences <= (uint64_t)1 << 53
                            ? json_integer((json_int_t)count->sequences)
                            : json_sprintf("%" PRIu64, count->sequences));
    json_object_set_new(o, "faults", json_integer((json_int_t)count->faults));
    json_object_set_new(o, "endless", json_integer((json_int_t)count->endless));
    return o;
}

static int complain_end(const Cli *cli, PerftEnd end, int depth) {
    switch (end) {
    case PERFT_OVERFLOW:
        cli_complain(cli, "depth %d: more sequences than 64 bits can count", depth);
        return EXIT_AT_FAULT;
    case PERFT_NO_MEMORY: return cli_no_memory(cli);
    default: cli_complain(cli, "stopped while counting depth %d", depth); return EXIT_AT_FAULT;
    }
}

static int complain_faults(const Cli *cli, const Perft *perft, const PerftCount *count) {
    if (count->faults == 0) return EXIT_FINE;
    cli_complain(cli,
                 "in %" PRIu64 " shorter sequences the script failed (%" PRIu64
                 " of them endless); the first:",
                 count->faults, count->endless);
    cli_print_fault(cli, perft_fault(perft));
    return EXIT_AT_FAULT;
}

static int count_all(const Cli *cli, Perft *perft, int deepest, json_t *counts) {
    PerftCount count = {0};
    for (int depth = 1; depth <= deepest && !cli_deaf(); depth++) {
        Progress progress;
        progress_start(&progress, "played", "positions");
        Watch watch = cli_watch(&progress);
        PerftEnd end = perft_count(perft, depth, &watch, &count);
        progress_clear(&progress);
        if (end != PERFT_DONE) return complain_end(cli, end, depth);
        if (counts)
            json_array_append_new(counts, count_json(depth, &count));
        else
            printf("%d %" PRIu64 "\n", depth, count.sequences);
    }
    return complain_faults(cli, perft, &count);
}

static int count_game(Cli *cli, const OldsowGame *game, int deepest) {
    OldsowState *start = cli_start(cli, game);
    if (!start) return EXIT_AT_FAULT;
    Perft *perft = perft_new(start);
    oldsow_state_free(start);
    if (!perft) return cli_no_memory(cli);
    json_t *counts = cli->json ? json_array() : NULL;
    int status = count_all(cli, perft, deepest, counts);
    perft_free(perft);
    if (!cli->json) return status;
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("oldsow-perft-1"));
    json_object_set_new(root, "game", cli_json_text(oldsow_title(game)));
    json_object_set_new(root, "counts", counts);
    int printed = cli_json_print(cli, root);
    return printed == EXIT_FINE ? status : printed;
}

static int run(Cli *cli) {
    uint64_t depth;
    const char *first = cli->args[0];
    if (*first && first[strspn(first, "0123456789")] == '\0' && strchr(cli->args[1], '.'))
        return cli_misuse(cli, "the file stands before the depth: perft %s %s", cli->args[1],
                          first);
    if (!cli_positive(cli, "DEPTH", cli->args[1], PERFT_MAX_DEPTH, &depth)) return EXIT_USAGE;
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    int status = count_game(cli, game, (int)depth);
    oldsow_game_free(game);
    return status;
}

const Command command_perft = {
    .name = "perft",
    .summary = "count the ways in which a game can begin",
    .help = help,
    .takes = TAKES_FILE | TAKES_JSON | TAKES_NATIVE,
    .least = 2,
    .most = 2,
    .run = run,
};
