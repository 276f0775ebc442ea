// What a run of random games came to, or parts of one: printed, written as JSON and read from it.
//
// The JSON is told in docs/cluster.md. Owner: Results own all they point to until results_free.
#ifndef OLDSOW_CLI_RESULTS_H
#define OLDSOW_CLI_RESULTS_H

#include "../play/ranges.h"
#include "../play/tally.h"
#include "common.h"

#define RESULTS_SCHEMA "oldsow-simulate-1"

enum {
    RESULTS_MAX_GAMES = 1000000000,
    RESULTS_MAX_SHARDS = 1000000,
    RESULTS_MAX_BYTES = 64 << 20, // of a file that is read
};
#define RESULTS_MAX_NUMBER 9007199254740991u // that JSON numbers are sure to hold

typedef struct Shard {
    uint64_t i, of; // 1 <= i <= of; of == 0: the run is not cut
} Shard;

typedef struct Results {
    json_t *about; // what all parts of one run have in common, by the names that JSON gives it
    // The same as numbers.
    uint64_t seed, of, max_plies; // `of`: games in the whole run
    int nplayers;
    Shard shard;
    Ranges ranges; // the games counted
    Tally tally;
    double seconds;
    json_t *fault; // the first game in which the script failed; NULL: there was none
} Results;

void results_free(Results *results);
// Settles what the run is. False: no memory.
bool results_about(Results *results, const OldsowGame *game);
// The games of a shard, from 1; an empty one has first > last.
Range results_shard(Shard shard, uint64_t of);
// "2/4" with 1 <= 2 <= 4. False if it is anything else.
bool results_read_shard(const char *text, Shard *shard);
// All of it; NULL: no memory.
json_t *results_json(const Results *results);
// As text, on standard output.
void results_print(const Cli *cli, const Results *results);
// Tells on standard error of games in which the script failed; gives the exit status. `state` is
// where the first of them ended; NULL: only what `results` says of it is known.
int results_complain(const Cli *cli, const Results *results, const OldsowState *state);
// Reads what results_json wrote. False, with a message that tells the place, if it is anything
// else; `results` is to be freed in either case.
bool results_read(const Cli *cli, const char *path, Results *results);

#endif
