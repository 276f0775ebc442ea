// Results as JSON, and what simulate and merge do alike.
#include "results.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../play/simulate.h"
#include "estimate.h"

void results_free(Results *r) {
    json_decref(r->about);
    json_decref(r->fault);
    ranges_free(&r->ranges);
    tally_free(&r->tally);
    *r = (Results){0};
}

Range results_shard(Shard shard, uint64_t of) {
    return (Range){(shard.i - 1) * of / shard.of + 1, shard.i * of / shard.of};
}

bool results_read_shard(const char *text, Shard *shard) {
    char *slash, *end;
    if (*text < '1' || *text > '9') return false;
    shard->i = strtoull(text, &slash, 10);
    if (*slash != '/' || slash[1] < '1' || slash[1] > '9') return false;
    shard->of = strtoull(slash + 1, &end, 10);
    return !*end && shard->i <= shard->of && shard->of <= RESULTS_MAX_SHARDS;
}

// ---- what the run is -----------------------------------------------------------------------------

static json_t *number_json(uint64_t n) { return json_integer((json_int_t)n); }

// As text: JSON numbers are sure to hold 53 bits only.
static json_t *seed_json(uint64_t seed) { return json_sprintf("%" PRIu64, seed); }

bool results_about(Results *r, const OldsowGame *game) {
    json_t *options = json_object(), *players = json_array();
    const char *reading = oldsow_reading(game);
    for (size_t i = 0; i < oldsow_options(game); i++) {
        const OldsowOption *option = oldsow_option(game, i);
        json_object_set_new(options, option->name, cli_json_text(option->value));
    }
    r->nplayers = oldsow_players(game);
    for (int p = 0; p < r->nplayers; p++)
        json_array_append_new(players, cli_json_text(oldsow_player_name(game, p)));
    r->about = json_object();
    json_object_set_new(r->about, "game", cli_json_text(oldsow_title(game)));
    json_object_set_new(r->about, "reading", reading ? cli_json_text(reading) : json_null());
    json_object_set_new(r->about, "options", options);
    json_object_set_new(r->about, "rules", cli_json_hash(oldsow_rules_hash(game)));
    json_object_set_new(r->about, "players", players);
    json_object_set_new(r->about, "seed", seed_json(r->seed));
    json_object_set_new(r->about, "of", number_json(r->of));
    json_object_set_new(r->about, "max_plies", number_json(r->max_plies));
    return json_object_size(r->about) == 8;
}

// ---- what came of it -----------------------------------------------------------------------------

static json_t *interval_json(double low, double high) { return json_pack("[ff]", low, high); }

static json_t *ranges_json(const Ranges *ranges) {
    json_t *list = json_array();
    for (size_t i = 0; i < ranges->n; i++)
        json_array_append_new(list, json_pack("[II]", (json_int_t)ranges->at[i].first,
                                              (json_int_t)ranges->at[i].last));
    return list;
}

static const char *player_name(const Results *r, int player) {
    return json_string_value(json_array_get(json_object_get(r->about, "players"), (size_t)player));
}

static json_t *wins_json(const Results *r) {
    json_t *o = json_object();
    for (int p = 0; p < r->nplayers; p++)
        json_object_set_new(o, player_name(r, p), number_json(r->tally.wins[p]));
    return o;
}

static json_t *shares_json(const Results *r) {
    json_t *o = json_object();
    for (int p = 0; p < r->nplayers && r->tally.games > 0; p++) {
        Estimate share = estimate_share(r->tally.wins[p], r->tally.games);
        json_t *player = json_object();
        json_object_set_new(player, "share", json_real(share.value));
        json_object_set_new(player, "interval", interval_json(share.low, share.high));
        json_object_set_new(o, player_name(r, p), player);
    }
    return o;
}

// Mean and quantiles; null where nothing was counted.
static json_t *spread_json(const Histogram *h, Estimate mean) {
    json_t *o = json_object();
    json_object_set_new(o, "n", number_json(h->n));
    json_object_set_new(o, "sum", number_json(h->sum));
    json_object_set_new(o, "mean", h->n ? json_real(mean.value) : json_null());
    json_object_set_new(o, "interval", h->n ? interval_json(mean.low, mean.high) : json_null());
    json_object_set_new(o, "median", h->n ? number_json(histogram_quantile(h, 1, 2)) : json_null());
    json_object_set_new(o, "middle",
                        h->n ? json_pack("[II]", (json_int_t)histogram_quantile(h, 25, 1000),
                                         (json_int_t)histogram_quantile(h, 975, 1000))
                             : json_null());
    json_t *times = json_object();
    for (size_t i = 0; i < HISTOGRAM_SIZE; i++) {
        if (!h->times[i]) continue;
        char key[24];
        snprintf(key, sizeof key, "%" PRIu64, histogram_number(i));
        json_object_set_new(times, key, number_json(h->times[i]));
    }
    json_object_set_new(o, "times", times);
    return o;
}

static json_t *wide_json(Wide n) {
    char digits[40], *at = digits + sizeof digits;
    *--at = '\0';
    do *--at = (char)('0' + (int)(n % 10));
    while ((n /= 10) > 0);
    return json_string(at);
}

static json_t *branching_json(const Tally *t) {
    Estimate mean = t->branching.n ? estimate_branching(t) : (Estimate){0};
    json_t *o = spread_json(&t->branching, mean);
    json_object_set_new(o, "sum_bb", wide_json(t->sum_bb));
    json_object_set_new(o, "sum_bd", wide_json(t->sum_bd));
    json_object_set_new(o, "sum_dd", wide_json(t->sum_dd));
    return o;
}

static json_t *game_json(const Results *r, uint64_t game) {
    if (!game) return json_null();
    json_t *o = json_object();
    json_object_set_new(o, "game", number_json(game));
    json_object_set_new(o, "seed", seed_json(simulate_seed(r->seed, game)));
    return o;
}

static void set_ends(json_t *o, const Results *r) {
    const uint64_t *ends = r->tally.ends;
    json_object_set_new(o, "won", number_json(ends[PLAYOUT_WON]));
    json_object_set_new(o, "wins", wins_json(r));
    json_object_set_new(o, "draws", number_json(ends[PLAYOUT_DRAWN]));
    json_object_set_new(o, "lost", number_json(ends[PLAYOUT_LOST]));
    json_object_set_new(o, "undecided", number_json(ends[PLAYOUT_ENDED]));
    json_object_set_new(o, "unfinished", number_json(ends[PLAYOUT_UNFINISHED]));
    json_object_set_new(o, "endless", number_json(ends[PLAYOUT_ENDLESS]));
    json_object_set_new(o, "faults", number_json(ends[PLAYOUT_FAULT]));
}

json_t *results_json(const Results *r) {
    const Tally *t = &r->tally;
    json_t *o = json_object();
    json_object_set_new(o, "schema", json_string(RESULTS_SCHEMA));
    if (json_object_update(o, r->about) != 0) {
        json_decref(o);
        return NULL;
    }
    json_object_set_new(o, "shard",
                        r->shard.of ? json_sprintf("%" PRIu64 "/%" PRIu64, r->shard.i, r->shard.of)
                                    : json_null());
    json_object_set_new(o, "ranges", ranges_json(&r->ranges));
    json_object_set_new(o, "games", number_json(t->games));
    json_object_set_new(o, "plies", number_json(t->plies));
    json_object_set_new(o, "throws", number_json(t->throws));
    json_object_set_new(o, "seconds", json_real(round(r->seconds * 1000) / 1000));
    set_ends(o, r);
    json_object_set_new(o, "shares", shares_json(r));
    json_object_set_new(
        o, "length",
        spread_json(&t->lengths, t->lengths.n ? estimate_mean(&t->lengths) : (Estimate){0}));
    json_object_set_new(o, "branching", branching_json(t));
    json_object_set_new(o, "first_endless", game_json(r, t->first_endless));
    json_object_set_new(o, "first_fault", r->fault ? json_incref(r->fault) : json_null());
    return o;
}

// ---- games that failed ---------------------------------------------------------------------------

static void print_place(const json_t *fault) {
    const char *code, *text, *file;
    json_int_t line, column;
    if (json_unpack((json_t *)fault, "{s:s, s:s, s:s, s:I, s:I}", "code", &code, "text", &text,
                    "file", &file, "line", &line, "column", &column) == 0)
        fprintf(stderr, "%s:%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT ": error[%s]: %s\n",
                file, line, column, code, text);
}

// The record of a long game from its beginning and its end.
static void print_record(const char *record) {
    enum { FIRST = 30, LAST = 10 };
    size_t lines = 0, line = 0;
    for (const char *p = record; *p; p++) lines += *p == '\n';
    for (const char *p = record; *p; line++) {
        const char *end = strchr(p, '\n');
        size_t n = end ? (size_t)(end - p) + 1 : strlen(p);
        if (lines <= FIRST + LAST || line < FIRST || line >= lines - LAST)
            fprintf(stderr, "%.*s", (int)n, p);
        else if (line == FIRST)
            fprintf(stderr, "... %zu lines; --records DIR and --json have them all ...\n",
                    lines - FIRST - LAST);
        p += n;
    }
}

int results_complain(const Cli *cli, const Results *r, const OldsowState *state) {
    uint64_t faults = r->tally.ends[PLAYOUT_FAULT];
    if (faults == 0) return EXIT_FINE;
    cli_complain(cli, "in %" PRIu64 " game%s the script failed; the first is game %" PRIu64 ":",
                 faults, faults == 1 ? "" : "s", r->tally.first_fault);
    if (state)
        cli_print_fault(cli, state);
    else
        print_place(r->fault);
    const char *record = json_string_value(json_object_get(r->fault, "record"));
    if (record) {
        fprintf(stderr, "Its record:\n");
        print_record(record);
    }
    return EXIT_AT_FAULT;
}
