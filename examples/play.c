// Plays a game by itself, with nothing but the library's public header.
//
//   cc play.c $(pkg-config --cflags --libs oldsow) -o play
//   ./play games/laomuzhu.sow        always the first candidate
//   ./play games/laomuzhu.sow 7      at random, drawn from the seed 7
//
// Throws are drawn in both cases. Exits with 1 if the script cannot be played, with 2 if the program is used wrongly.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <oldsow.h>

enum { PLIES_MAX = 1000 }; // games need not end: relays apart, that is the rules' own affair

// Reads a script. What is wrong with it, or only doubtful, goes to standard error; NULL if it cannot be played.
static OldsowGame *load(const char *path) {
    OldsowReport *report;
    OldsowGame *game = oldsow_load(path, NULL, &report); // NULL: no reading, the options' defaults
    oldsow_report_print(report, stderr, false);
    oldsow_report_free(report); // the game does not need it
    return game;
}

static void print_choice(const OldsowGame *game, const OldsowState *state, size_t i) {
    char name[OLDSOW_NAME_MAX];
    bool chance = oldsow_status(state) == OLDSOW_CHANCE; // a throw, or a lot that is drawn
    printf("%s %s %s\n", oldsow_player_name(game, oldsow_mover(state)), chance ? "gets" : "plays",
           oldsow_candidate(state, i, name));
}

static void print_result(const OldsowGame *game, const OldsowState *state) {
    static const char *const words[] = {[OLDSOW_UNDECIDED] = "without a result",
                                        [OLDSOW_WON] = "has won",
                                        [OLDSOW_LOST] = "has lost",
                                        [OLDSOW_DRAWN] = "has drawn"};
    for (int player = 0; player < oldsow_players(game); player++) {
        int score;
        printf("%s %s", oldsow_player_name(game, player), words[oldsow_result(state, player)]);
        if (oldsow_score(state, player, &score)) printf(" with %d", score);
        putchar('\n');
    }
}

// From one decision to the next, until there is none. Gives the number of plies.
static int play_on(const OldsowGame *game, OldsowState *state, bool at_random, OldsowRng *rng) {
    int plies = 0;
    while (plies < PLIES_MAX) {
        OldsowStatus status = oldsow_status(state);
        if (status == OLDSOW_OVER || status == OLDSOW_FAULT) break;
        // A state that waits has at least one candidate.
        size_t i = at_random || status == OLDSOW_CHANCE ? oldsow_pick(state, rng) : 0;
        print_choice(game, state, i);
        oldsow_play(state, i);
        plies++;
    }
    return plies;
}

// Plays one game and tells how it went; false if the script failed in the middle of it.
static bool play_game(const OldsowGame *game, bool at_random, uint64_t seed) {
    OldsowState *state = oldsow_start(game);
    if (!state) {
        fputs("play: out of memory\n", stderr);
        return false;
    }
    OldsowRng rng;
    oldsow_seed(&rng, seed, 0);
    printf("%s\n\n", oldsow_title(game));
    oldsow_draw(state, stdout);
    putchar('\n');
    int plies = play_on(game, state, at_random, &rng);
    putchar('\n');
    oldsow_draw(state, stdout);
    printf("\n%d plies were played\n", plies);
    bool failed = oldsow_status(state) == OLDSOW_FAULT;
    if (failed) {
        puts("the script failed");
        fflush(stdout);
        oldsow_print_fault(state, stderr, false);
    } else if (oldsow_status(state) == OLDSOW_OVER) {
        print_result(game, state);
        printf("position %016" PRIx64 "\n", oldsow_position_hash(state));
    } else {
        puts("not finished");
    }
    oldsow_state_free(state);
    return !failed;
}

static bool read_seed(const char *text, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    if (argc < 2 || argc > 3 || (argc == 3 && !read_seed(argv[2], &seed))) {
        fputs("usage: play SCRIPT [SEED]\n", stderr);
        return 2;
    }
    OldsowGame *game = load(argv[1]);
    if (!game) return 1;
    bool fine = play_game(game, argc == 3, seed);
    oldsow_game_free(game);
    return fine && fflush(stdout) == 0 ? 0 : 1;
}
