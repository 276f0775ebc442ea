// Results as people read them.
#include <inttypes.h>

#include "../play/simulate.h"
#include "estimate.h"
#include "results.h"

enum { LABEL = 16 };

static void print_about(const Cli *cli, const Results *r) {
    const char *title = json_string_value(json_object_get(r->about, "game"));
    const char *reading = json_string_value(json_object_get(r->about, "reading"));
    printf(cli->colour_out ? "\033[1m%s\033[0m\n" : "%s\n", title);
    if (reading) printf("reading %s\n", reading);
    printf("%" PRIu64 " random game%s", r->tally.games, r->tally.games == 1 ? "" : "s");
    if (r->tally.games < r->of) printf(" of %" PRIu64, r->of);
    if (r->shard.of) printf(" (shard %" PRIu64 "/%" PRIu64 ")", r->shard.i, r->shard.of);
    printf(", seed %" PRIu64, r->seed);
    if (r->max_plies) printf(", at most %" PRIu64 " plies each", r->max_plies);
    printf("\n\n");
}

static void print_share(const Results *r, const char *label, const char *verb, uint64_t k) {
    Estimate share = estimate_share(k, r->tally.games);
    int width = printf("%s%s", label, verb);
    printf("%*s%10" PRIu64 "  %5.1f %%  (%.1f to %.1f %%)", width < LABEL ? LABEL - width : 0, "",
           k, 100 * share.value, 100 * share.low, 100 * share.high);
}

static void print_ends(const Results *r) {
    static const struct {
        PlayoutEnd end;
        const char *label;
        bool always;
    } rows[] = {
        {PLAYOUT_DRAWN, "draws", true},      {PLAYOUT_LOST, "lost", false},
        {PLAYOUT_ENDED, "undecided", false}, {PLAYOUT_UNFINISHED, "unfinished", true},
        {PLAYOUT_ENDLESS, "endless", true},  {PLAYOUT_FAULT, "failed", false},
    };
    const json_t *players = json_object_get(r->about, "players");
    for (int p = 0; p < r->nplayers; p++) {
        print_share(r, json_string_value(json_array_get(players, (size_t)p)), " wins",
                    r->tally.wins[p]);
        putchar('\n');
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t k = r->tally.ends[rows[i].end];
        if (k == 0 && !rows[i].always) continue;
        print_share(r, rows[i].label, "", k);
        uint64_t first = rows[i].end == PLAYOUT_ENDLESS ? r->tally.first_endless
                         : rows[i].end == PLAYOUT_FAULT ? r->tally.first_fault
                                                        : 0;
        if (first)
            printf("; the first: game %" PRIu64 ", --seed %" PRIu64, first,
                   simulate_seed(r->seed, first));
        putchar('\n');
    }
}

static void print_spread(const char *label, const Histogram *h, Estimate mean, const char *what) {
    printf("\n%s, of %" PRIu64 " %s\n", label, h->n, what);
    if (h->n == 0) return;
    printf("  mean %.2f (%.2f to %.2f), median %" PRIu64 ", 95 %% from %" PRIu64 " to %" PRIu64
           "\n",
           mean.value, mean.low, mean.high, histogram_quantile(h, 1, 2),
           histogram_quantile(h, 25, 1000), histogram_quantile(h, 975, 1000));
}

void results_print(const Cli *cli, const Results *r) {
    const Tally *t = &r->tally;
    print_about(cli, r);
    if (t->games == 0) return;
    print_ends(r);
    print_spread("length in plies", &t->lengths,
                 t->lengths.n ? estimate_mean(&t->lengths) : (Estimate){0}, "games that ended");
    print_spread("branching", &t->branching, t->branching.n ? estimate_branching(t) : (Estimate){0},
                 "decisions");
    if (t->branching.n && t->branching.times[1])
        printf("  one candidate only: %.1f %%\n",
               100 * (double)t->branching.times[1] / (double)t->branching.n);
}
