// oldsow merge: adds up the parts of a run of random games.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "results.h"

static const char help[] =
    "usage: oldsow merge FILE... [--partial] [--json] [--colour WHEN]\n"
    "\n"
    "Adds up what `oldsow simulate --json` printed for the parts of one run. The parts of a run "
    "that\n"
    "was cut with --shard come to what the run would have come to in one piece. All must be of "
    "the\n"
    "same script under the same options, with the same seed, number of games and --max-plies; no\n"
    "game may be in two of them, and none may be missing. docs/cluster.md tells more.\n"
    "\n"
    "  --partial          be content if games are missing\n"
    "  --json             print the results as JSON\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow merge shard-*.json\n";

enum { GAPS_SHOWN = 8 };

typedef struct Flags {
    bool partial;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {{"partial", false}, {NULL, false}};

static int flag(Cli *cli, size_t i, const char *value) {
    (void)i, (void)value;
    own(cli)->partial = true;
    return EXIT_FINE;
}

// The parts' ranges are kept to tell in which of them a game has been already.
typedef struct Merge {
    Cli *cli;
    Results sum;
    Ranges *ranges;  // of each file read
    uint64_t shards; // that all were cut into; 0: they were not all cut alike
} Merge;

// ---- whether the parts belong together -----------------------------------------------------------

// True for the first thing in which they differ, which is told.
static bool differs(const Merge *m, const char *path, const Results *part) {
    const char *key;
    json_t *here;
    json_object_foreach(part->about, key, here) {
        const json_t *there = json_object_get(m->sum.about, key);
        if (json_equal(here, there)) continue;
        char *a = json_dumps(here, JSON_ENCODE_ANY | JSON_COMPACT);
        char *b = json_dumps(there, JSON_ENCODE_ANY | JSON_COMPACT);
        cli_complain(m->cli, "%s is of another run than %s: `%s` is %s there and %s here", path,
                     m->cli->args[0], key, b ? b : "?", a ? a : "?");
        free(a);
        free(b);
        return true;
    }
    return false;
}

static bool overlaps(const Merge *m, const char *path, int before, const Results *part) {
    for (size_t k = 0; k < part->ranges.n; k++) {
        Range range = part->ranges.at[k];
        if (!ranges_meet(&m->sum.ranges, range)) continue;
        for (int i = 0; i < before; i++) {
            const Range *other = ranges_meet(&m->ranges[i], range);
            if (!other) continue;
            uint64_t first = other->first > range.first ? other->first : range.first;
            uint64_t last = other->last < range.last ? other->last : range.last;
            cli_complain(m->cli, "%s: games %" PRIu64 " to %" PRIu64 " are in %s already", path,
                         first, last, m->cli->args[i]);
            return true;
        }
    }
    return false;
}

// ---- adding up -----------------------------------------------------------------------------------

static bool add_ranges(Ranges *to, const Ranges *from) {
    for (size_t i = 0; i < from->n; i++)
        if (!ranges_add(to, from->at[i])) return false;
    return true;
}

static bool small_enough(const Tally *t) {
    return t->plies <= RESULTS_MAX_NUMBER && t->branching.sum <= RESULTS_MAX_NUMBER;
}

static bool add(Merge *m, const char *path, Results *part) {
    Results *sum = &m->sum;
    bool earlier = part->tally.first_fault &&
                   (!sum->tally.first_fault || part->tally.first_fault < sum->tally.first_fault);
    if (!tally_add(&sum->tally, &part->tally) || !small_enough(&sum->tally)) {
        cli_complain(m->cli, "%s: the counts add up to more than can be", path);
        return false;
    }
    if (!add_ranges(&sum->ranges, &part->ranges)) {
        cli_no_memory(m->cli);
        return false;
    }
    if (earlier) {
        json_decref(sum->fault);
        sum->fault = json_incref(part->fault);
    }
    if (m->shards != part->shard.of) m->shards = 0;
    sum->seconds += part->seconds;
    return true;
}

static bool begin(Merge *m, const Results *part) {
    m->sum.about = json_incref(part->about);
    m->sum.seed = part->seed;
    m->sum.of = part->of;
    m->sum.max_plies = part->max_plies;
    m->sum.nplayers = part->nplayers;
    m->shards = part->shard.of;
    if (tally_init(&m->sum.tally)) return true;
    cli_no_memory(m->cli);
    return false;
}

static bool take(Merge *m, int i) {
    const char *path = m->cli->args[i];
    Results part;
    bool fine = results_read(m->cli, path, &part) && (i > 0 || begin(m, &part)) &&
                !differs(m, path, &part) && !overlaps(m, path, i, &part) && add(m, path, &part);
    m->ranges[i] = part.ranges;
    part.ranges = (Ranges){0};
    results_free(&part);
    return fine && !cli_signal;
}

// ---- what is missing -----------------------------------------------------------------------------

static void tell_gap(const Merge *m, Range gap) {
    char shards[96] = "";
    if (m->shards) {
        Shard first = {1, m->shards}, last;
        while (results_shard(first, m->sum.of).last < gap.first) first.i++;
        last = first;
        while (results_shard(last, m->sum.of).last < gap.last) last.i++;
        if (first.i == last.i)
            snprintf(shards, sizeof shards, " (shard %" PRIu64 "/%" PRIu64 ")", first.i, first.of);
        else
            snprintf(shards, sizeof shards, " (shards %" PRIu64 " to %" PRIu64 " of %" PRIu64 ")",
                     first.i, last.i, first.of);
    }
    cli_complain(m->cli, "games %" PRIu64 " to %" PRIu64 " are missing%s", gap.first, gap.last,
                 shards);
}

static bool whole(const Merge *m) {
    uint64_t next = 1, gaps = 0;
    for (size_t i = 0; i <= m->sum.ranges.n; i++) {
        bool end = i == m->sum.ranges.n;
        uint64_t first = end ? m->sum.of + 1 : m->sum.ranges.at[i].first;
        if (next < first && gaps++ < GAPS_SHOWN) tell_gap(m, (Range){next, first - 1});
        if (!end) next = m->sum.ranges.at[i].last + 1;
    }
    if (gaps > GAPS_SHOWN)
        cli_complain(m->cli, "and %" PRIu64 " more runs of games", gaps - GAPS_SHOWN);
    if (gaps && !own(m->cli)->partial) cli_complain(m->cli, "--partial merges what is there");
    return gaps == 0;
}

static int tell(const Merge *m) {
    if (!whole(m) && !own(m->cli)->partial) return EXIT_AT_FAULT;
    int status = EXIT_FINE;
    if (m->cli->json)
        status = cli_json_print(m->cli, results_json(&m->sum));
    else
        results_print(m->cli, &m->sum);
    return results_complain(m->cli, &m->sum, NULL) ? EXIT_AT_FAULT : status;
}

static int run(Cli *cli) {
    Merge m = {.cli = cli, .ranges = calloc((size_t)cli->nargs, sizeof *m.ranges)};
    if (!m.ranges) return cli_no_memory(cli);
    bool fine = true;
    for (int i = 0; fine && i < cli->nargs; i++) fine = take(&m, i);
    int status = fine ? tell(&m) : EXIT_AT_FAULT;
    for (int i = 0; i < cli->nargs; i++) ranges_free(&m.ranges[i]);
    free(m.ranges);
    results_free(&m.sum);
    return status;
}

const Command command_merge = {
    .name = "merge",
    .summary = "add up the parts of a simulation",
    .help = help,
    .takes = TAKES_JSON,
    .least = 1,
    .most = -1,
    .flags = own_flags,
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
