// Results read from JSON. A file may come from anywhere: nothing in it is believed before it is
// looked at, and what is wrong is told with its place.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

typedef struct Reader {
    const Cli *cli;
    const char *path;
    bool failed; // and it was told
} Reader;

__attribute__((format(printf, 2, 3))) static void refuse(Reader *in, const char *format, ...) {
    if (in->failed) return;
    in->failed = true;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    va_list args;
    va_start(args, format);
    if (out) {
        vfprintf(out, format, args);
        fclose(out);
    }
    va_end(args);
    cli_complain(in->cli, "%s: %s", in->path, text ? text : "out of memory");
    free(text);
}

// ---- members -------------------------------------------------------------------------------------

// `where` is the path of the object, with a dot behind it unless it is the whole.
static json_t *member(Reader *in, const json_t *o, const char *where, const char *key) {
    json_t *value = json_object_get(o, key);
    if (!value) refuse(in, "`%s%s` is missing", where, key);
    return value;
}

static uint64_t number_of(Reader *in, const json_t *value, const char *where, const char *key,
                          uint64_t least, uint64_t most) {
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        uint64_t n = (uint64_t)json_integer_value(value);
        if (n >= least && n <= most) return n;
    }
    refuse(in, "`%s%s` is to be a whole number from %" PRIu64 " to %" PRIu64, where, key, least,
           most);
    return least;
}

static uint64_t number(Reader *in, const json_t *o, const char *where, const char *key,
                       uint64_t least, uint64_t most) {
    return number_of(in, member(in, o, where, key), where, key, least, most);
}

static uint64_t tallied(Reader *in, const json_t *o, const char *where, const char *key) {
    return number(in, o, where, key, 0, RESULTS_MAX_NUMBER);
}

static const char *text(Reader *in, const json_t *o, const char *where, const char *key) {
    const char *value = json_string_value(member(in, o, where, key));
    if (!value) refuse(in, "`%s%s` is to be a text", where, key);
    return value ? value : "";
}

// A whole number of at most 128 bits, written as text.
static Wide wide(Reader *in, const json_t *o, const char *where, const char *key, Wide most) {
    const char *digits = text(in, o, where, key);
    size_t length = strspn(digits, "0123456789");
    Wide n = 0;
    bool fine = length > 0 && !digits[length] && (length == 1 || *digits != '0');
    for (size_t i = 0; fine && i < length; i++)
        fine = !__builtin_mul_overflow(n, 10u, &n) &&
               !__builtin_add_overflow(n, (unsigned)(digits[i] - '0'), &n);
    if (!fine || n > most) refuse(in, "`%s%s` is to be a whole number, as text", where, key);
    return fine ? n : 0;
}

// ---- what the run is -----------------------------------------------------------------------------

static void read_players(Reader *in, Results *r) {
    const json_t *players = member(in, r->about, "", "players");
    size_t n = json_array_size(players);
    if (n < 1 || n > OLDSOW_MAX_PLAYERS) refuse(in, "`players` is to be a list of names, 1 to 8");
    for (size_t i = 0; i < n && !in->failed; i++) {
        const char *name = json_string_value(json_array_get(players, i));
        if (!name) refuse(in, "`players[%zu]` is to be a text", i);
        for (size_t k = 0; name && k < i; k++)
            if (strcmp(name, json_string_value(json_array_get(players, k))) == 0)
                refuse(in, "`players[%zu]` is named twice", i);
    }
    r->nplayers = in->failed ? 0 : (int)n;
}

static void read_options(Reader *in, const json_t *about) {
    json_t *options = member(in, about, "", "options"), *value;
    const char *name;
    if (!in->failed && !json_is_object(options)) refuse(in, "`options` is to be an object");
    if (in->failed) return;
    json_object_foreach(options, name, value) if (!json_is_string(value))
        refuse(in, "`options.%s` is to be a text", name);
}

static void read_about(Reader *in, const json_t *root, Results *r) {
    static const char *const keys[] = {"game",    "reading", "options", "rules",
                                       "players", "seed",    "of",      "max_plies"};
    r->about = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(r->about, keys[i], member(in, root, "", keys[i]));
    text(in, r->about, "", "game");
    if (!json_is_null(json_object_get(r->about, "reading"))) text(in, r->about, "", "reading");
    const char *rules = text(in, r->about, "", "rules");
    if (strlen(rules) != 16 || strspn(rules, "0123456789abcdef") != 16)
        refuse(in, "`rules` is to be a hash, 16 digits");
    read_options(in, r->about);
    read_players(in, r);
    r->seed = (uint64_t)wide(in, r->about, "", "seed", UINT64_MAX);
    r->of = number(in, r->about, "", "of", 1, RESULTS_MAX_GAMES);
    r->max_plies = tallied(in, r->about, "", "max_plies");
    const json_t *shard = member(in, root, "", "shard");
    if (!in->failed && !json_is_null(shard) &&
        !(json_is_string(shard) && results_read_shard(json_string_value(shard), &r->shard)))
        refuse(in, "`shard` is to be null or a text like 2/8");
}

static void read_ranges(Reader *in, const json_t *root, Results *r) {
    const json_t *list = member(in, root, "", "ranges");
    if (!in->failed && !json_is_array(list)) refuse(in, "`ranges` is to be a list");
    for (size_t i = 0; i < json_array_size(list) && !in->failed; i++) {
        char where[32];
        snprintf(where, sizeof where, "ranges[%zu]", i);
        const json_t *pair = json_array_get(list, i);
        if (json_array_size(pair) != 2) refuse(in, "`%s` is to be a list of two numbers", where);
        if (in->failed) return;
        uint64_t first = number_of(in, json_array_get(pair, 0), where, "[0]", 1, r->of);
        Range range = {first, number_of(in, json_array_get(pair, 1), where, "[1]", first, r->of)};
        if (!in->failed && ranges_meet(&r->ranges, range))
            refuse(in, "`%s` holds games that an earlier one holds", where);
        if (!in->failed && !ranges_add(&r->ranges, range)) refuse(in, "out of memory");
    }
}

// ---- counts --------------------------------------------------------------------------------------

// One entry of `times`: how often a number came up.
static void read_times(Reader *in, const char *where, const char *key, const json_t *value,
                       Histogram *h) {
    char *end;
    errno = 0;
    uint64_t n = *key >= '0' && *key <= '9' ? strtoull(key, &end, 10) : 0;
    char again[24];
    snprintf(again, sizeof again, "%" PRIu64, n);
    if (strcmp(again, key) != 0 || n > RESULTS_MAX_NUMBER ||
        histogram_number(histogram_step(n)) != n)
        refuse(in, "`%s%s` is no number that is counted", where, key);
    uint64_t times = number_of(in, value, where, key, 1, RESULTS_MAX_NUMBER);
    if (in->failed) return;
    h->times[histogram_step(n)] = times;
}

// What the table adds up to must be what it says it does. Numbers kept by steps may be more than
// the first of their step, by a thousandth.
static void check_spread(Reader *in, const char *where, const Histogram *h) {
    Wide n = 0, least = 0, most = 0;
    for (size_t i = 0; i < HISTOGRAM_SIZE; i++) {
        if (!h->times[i]) continue;
        uint64_t low = histogram_number(i);
        uint64_t high = i < HISTOGRAM_EXACT ? low : low + low / HISTOGRAM_CUTS;
        n += h->times[i];
        least += (Wide)h->times[i] * low;
        most += (Wide)h->times[i] * high;
    }
    if (n != h->n) refuse(in, "`%sn` is not what `%stimes` add up to", where, where);
    if (h->sum < least || h->sum > most)
        refuse(in, "`%ssum` is not what `%stimes` add up to", where, where);
}

static const json_t *read_spread(Reader *in, const json_t *root, const char *key, Histogram *h) {
    char where[64];
    snprintf(where, sizeof where, "%s.", key);
    const json_t *o = member(in, root, "", key);
    if (in->failed) return o;
    h->n = tallied(in, o, where, "n");
    h->sum = tallied(in, o, where, "sum");
    json_t *times = member(in, o, where, "times"), *value;
    if (!in->failed && !json_is_object(times)) refuse(in, "`%stimes` is to be an object", where);
    if (in->failed) return o;
    char inner[80];
    snprintf(inner, sizeof inner, "%stimes.", where);
    const char *number_text;
    json_object_foreach(times, number_text, value) read_times(in, inner, number_text, value, h);
    if (!in->failed) check_spread(in, where, h);
    return o;
}

static void read_ends(Reader *in, const json_t *root, Results *r) {
    static const char *const keys[PLAYOUT_ENDS] = {
        [PLAYOUT_WON] = "won",
        [PLAYOUT_LOST] = "lost",
        [PLAYOUT_DRAWN] = "draws",
        [PLAYOUT_ENDED] = "undecided",
        [PLAYOUT_UNFINISHED] = "unfinished",
        [PLAYOUT_ENDLESS] = "endless",
        [PLAYOUT_FAULT] = "faults",
    };
    uint64_t *ends = r->tally.ends, sum = 0;
    r->tally.games = number(in, root, "", "games", 0, r->of);
    for (int i = 0; i < PLAYOUT_ENDS; i++)
        if (keys[i]) sum += ends[i] = number(in, root, "", keys[i], 0, r->tally.games);
    if (sum != r->tally.games) refuse(in, "the ends of the games do not add up to `games`");
    if (ranges_count(&r->ranges) != r->tally.games)
        refuse(in, "`ranges` do not hold as many games as `games` says");
    const json_t *wins = member(in, root, "", "wins");
    uint64_t won = 0;
    for (int p = 0; p < r->nplayers; p++) {
        const char *name =
            json_string_value(json_array_get(json_object_get(r->about, "players"), (size_t)p));
        won += r->tally.wins[p] = number(in, wins, "wins.", name, 0, ends[PLAYOUT_WON]);
    }
    if (won < ends[PLAYOUT_WON]) refuse(in, "`wins` are fewer than the games that were won");
}

static bool holds(const Ranges *ranges, uint64_t game) {
    return ranges_meet(ranges, (Range){game, game}) != NULL;
}

// A game named as the first of its kind; there must be one if and only if there are such games.
static uint64_t read_first(Reader *in, const json_t *root, const char *key, const Results *r,
                           uint64_t games) {
    const json_t *o = member(in, root, "", key);
    if (in->failed) return 0;
    if (json_is_null(o) != (games == 0)) refuse(in, "`%s` does not agree with the counts", key);
    if (games == 0 || in->failed) return 0;
    char where[32];
    snprintf(where, sizeof where, "%s.", key);
    uint64_t game = number(in, o, where, "game", 1, r->of);
    if (!in->failed && !holds(&r->ranges, game))
        refuse(in, "`%sgame` is none of the games counted", where);
    return game;
}

static void read_tally(Reader *in, const json_t *root, Results *r) {
    Tally *t = &r->tally;
    read_ends(in, root, r);
    t->plies = tallied(in, root, "", "plies");
    t->throws = tallied(in, root, "", "throws");
    read_spread(in, root, "length", &t->lengths);
    const json_t *branching = read_spread(in, root, "branching", &t->branching);
    t->sum_bb = wide(in, branching, "branching.", "sum_bb", ~(Wide)0);
    t->sum_bd = wide(in, branching, "branching.", "sum_bd", ~(Wide)0);
    t->sum_dd = wide(in, branching, "branching.", "sum_dd", ~(Wide)0);
    if (t->branching.n + t->throws != t->plies)
        refuse(in, "`plies` are not as many as throws and decisions");
    if (t->lengths.sum > t->plies) refuse(in, "`length.sum` is more than `plies`");
    if (t->lengths.n != t->ends[PLAYOUT_WON] + t->ends[PLAYOUT_DRAWN] + t->ends[PLAYOUT_LOST] +
                            t->ends[PLAYOUT_ENDED])
        refuse(in, "`length.n` is not the number of games that ended");
    t->first_endless = read_first(in, root, "first_endless", r, t->ends[PLAYOUT_ENDLESS]);
    t->first_fault = read_first(in, root, "first_fault", r, t->ends[PLAYOUT_FAULT]);
    if (t->first_fault) r->fault = json_incref(json_object_get(root, "first_fault"));
    const json_t *seconds = member(in, root, "", "seconds");
    if (!in->failed && !(json_is_number(seconds) && json_number_value(seconds) >= 0))
        refuse(in, "`seconds` is to be a number");
    r->seconds = json_number_value(seconds);
}

// ---- the file ------------------------------------------------------------------------------------

static json_t *parse(Reader *in, FILE *file) {
    size_t size = 0, cap = 1 << 16;
    char *bytes = malloc(cap);
    while (bytes && !feof(file) && !ferror(file) && size <= RESULTS_MAX_BYTES) {
        if (size == cap) {
            char *more = realloc(bytes, cap *= 2);
            if (!more) free(bytes);
            bytes = more;
        }
        if (bytes) size += fread(bytes + size, 1, cap - size, file);
    }
    json_t *root = NULL;
    json_error_t error;
    if (!bytes)
        refuse(in, "out of memory");
    else if (ferror(file))
        refuse(in, "%s", strerror(errno));
    else if (size > RESULTS_MAX_BYTES)
        refuse(in, "more than %d MiB", RESULTS_MAX_BYTES >> 20);
    else if (!(root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error)))
        cli_complain(in->cli, "%s:%d:%d: no JSON: %s", in->path, error.line, error.column,
                     error.text);
    free(bytes);
    return root;
}

static bool right_schema(Reader *in, const json_t *root) {
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema)
        refuse(in, "not the results of `oldsow simulate --json`");
    else if (strcmp(schema, RESULTS_SCHEMA) != 0)
        refuse(in, "its schema is %s; wanted is " RESULTS_SCHEMA, schema);
    return !in->failed;
}

bool results_read(const Cli *cli, const char *path, Results *r) {
    Reader in = {.cli = cli, .path = path};
    *r = (Results){0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        refuse(&in, "%s", strerror(errno));
        return false;
    }
    json_t *root = parse(&in, file);
    fclose(file);
    bool fine = root && right_schema(&in, root);
    if (fine && !tally_init(&r->tally)) refuse(&in, "out of memory");
    if (fine && !in.failed) read_about(&in, root, r);
    if (fine && !in.failed) read_ranges(&in, root, r);
    if (fine && !in.failed) read_tally(&in, root, r);
    json_decref(root);
    return fine && !in.failed;
}
