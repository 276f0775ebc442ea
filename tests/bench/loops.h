// The loops every engine is measured by, and its table of functions. An engine includes this at its
// end, so that the compiler sees its rules here and may inline them.
//
// Wanted: State, whose first member is `EngineHead head`; static functions start, play, candidate, cell and count as
// engine.h describes them, with State * for void *; weight and draw, which gives a throw's outcome by its
// weight, or ENGINE_WITHOUT_THROWS; ENGINE, the engine's name; ENGINE_ABOUT, the first members of its table.

#ifdef ENGINE_WITHOUT_THROWS
static unsigned weight(const State *state, unsigned i) {
    (void)state, (void)i;
    return 1;
}

static unsigned draw(const State *state, uint64_t *rng) { // never called
    (void)state, (void)rng;
    return 0;
}
#endif

static void any_start(void *state, const uint8_t *values) { start(state, values); }
static void any_play(void *state, unsigned i) { play(state, i); }
static void any_candidate(const void *state, unsigned i, char *text) { candidate(state, i, text); }
static unsigned any_weight(const void *state, unsigned i) { return weight(state, i); }
static int any_count(const void *state, int c) { return count(state, c); }

static uint64_t perft(const State *state, int depth) {
    if (depth == 0) return state->head.status <= ENGINE_OVER;
    if (depth == 1) return state->head.candidates;
    uint64_t n = 0;
    for (unsigned i = 0; i < state->head.candidates; i++) {
        State next = *state;
        play(&next, i);
        n += perft(&next, depth - 1);
    }
    return n;
}

static uint64_t any_perft(const void *state, int depth) { return perft(state, depth); }

static void any_playouts(const void *first, uint64_t *rng, uint64_t games, uint64_t max_plies,
                         EngineRun *run) {
    uint64_t random = *rng, plies = 0;
    for (uint64_t game = 0; game < games; game++) {
        State state = *(const State *)first;
        uint64_t left = max_plies;
        for (; state.head.status <= ENGINE_CHANCE && left > 0; left--)
            play(&state, state.head.status == ENGINE_CHANCE
                             ? draw(&state, &random)
                             : engine_below(&random, state.head.candidates));
        plies += max_plies - left;
        for (int p = 0; p < 2; p++) run->won[p] += state.head.result[p] == ENGINE_WON;
        run->lost += state.head.result[0] == ENGINE_LOST && state.head.result[1] != ENGINE_WON;
        run->drawn += state.head.result[0] == ENGINE_DRAWN;
        run->unfinished += state.head.status <= ENGINE_CHANCE;
        run->endless += state.head.status == ENGINE_ENDLESS;
    }
    run->games += games;
    run->plies += plies;
    *rng = random;
}

const Engine ENGINE = {
    ENGINE_ABOUT,
    .size = sizeof(State),
    .start = any_start,
    .play = any_play,
    .candidate = any_candidate,
    .weight = any_weight,
    .cell = cell,
    .count = any_count,
    .perft = any_perft,
    .playouts = any_playouts,
};
