// ---- states, and what the rules ask of them -------------------------------------------------------

#include <inttypes.h>
#include <stdlib.h>

struct OldsowGame {
    char unused;
};
static const OldsowGame the_game = {0};

struct OldsowState {
    StepRun run;
    OldsowStatus status;
    size_t copies; // cells there is room for in run.saved
    uint64_t *noted;
    size_t nnoted, noted_room;
    struct Opened *opened;
    size_t nopened, opened_room;
    int16_t vector[STATE];
    int32_t cells[CELLS];
};

// A position that a look-ahead has opened.
struct Opened {
    uint64_t hash;
    uint32_t would;
    int at;
    int16_t cells[STATE];
};

// ---- what the rules ask for

static uint64_t mix(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u; // FNV-1a
    return h;
}
#define MIX_START UINT64_C(14695981039346656037)

static bool grow(void **at, size_t *room, size_t need, size_t size) {
    if (need <= *room) return true;
    size_t n = *room ? *room : 32;
    while (n < need) n *= 2;
    void *more = realloc(*at, n * size);
    if (!more) return false;
    *at = more;
    *room = n;
    return true;
}

static bool grow_candidates(StepRun *run, size_t n) {
    void *at = run->list;
    bool fine = grow(&at, &run->room, n, sizeof *run->list);
    run->list = at;
    return fine;
}
static bool grow_copies(StepRun *run, size_t cells) {
    OldsowState *state = run->context;
    void *at = run->saved;
    bool fine = grow(&at, &state->copies, cells, sizeof *run->saved);
    run->saved = at;
    return fine;
}
static uint64_t hash_position(const StepRun *run, const int32_t *cells) {
    (void)run;
    return mix(mix(MIX_START, cells, POSITION * sizeof *cells), &cells[MOVER], sizeof *cells);
}
static bool room_to_note(OldsowState *state, size_t n) {
    void *at = state->noted;
    bool fine = grow(&at, &state->noted_room, n, sizeof *state->noted);
    state->noted = at;
    return fine;
}
static int32_t times_noted(const OldsowState *state, uint64_t hash) {
    int32_t n = 0;
    for (size_t i = 0; i < state->nnoted; i++) n += state->noted[i] == hash;
    return n;
}
static int remember(StepRun *run, int32_t *cells, uint64_t hash) {
    OldsowState *state = run->context;
    if (state->nnoted >= 1 << 20) return R_HISTORY;
    if (!room_to_note(state, state->nnoted + 1)) return R_MEMORY;
    state->noted[state->nnoted++] = hash;
    if (cells[NOTED] < CELL_MAX) cells[NOTED]++;
    return 0;
}
static int remember_counting(StepRun *run, int32_t *cells, uint64_t hash) {
    OldsowState *state = run->context;
    int fault = remember(run, cells, hash);
    if (fault) return fault;
    run->times = times_noted(state, state->noted[state->nnoted - 1]);
    run->steps -= (long)(state->nnoted / 4);
    return 0;
}
static int32_t times_seen(StepRun *run, uint64_t hash) {
    const OldsowState *state = run->context;
    run->steps -= (long)(state->nnoted / 4);
    return times_noted(state, hash);
}
static size_t how_many_noted(const StepRun *run) {
    return ((const OldsowState *)run->context)->nnoted;
}
static void forget(StepRun *run, size_t n) { ((OldsowState *)run->context)->nnoted = n; }
static void open_anew(StepRun *run) {
    OldsowState *state = run->context;
    for (size_t i = 0; i < state->opened_room && state->nopened; i++) state->opened[i].would = 0;
    state->nopened = 0;
}

static struct Opened *find_opened(OldsowState *state, const struct Opened *one) {
    size_t i = one->hash & (state->opened_room - 1);
    for (; state->opened[i].would; i = (i + 1) & (state->opened_room - 1)) {
        const struct Opened *o = &state->opened[i];
        if (o->hash == one->hash && o->would == one->would && o->at == one->at &&
            memcmp(o->cells, one->cells, sizeof o->cells) == 0)
            break;
    }
    return &state->opened[i];
}
static bool grow_opened(OldsowState *state) {
    size_t was = state->opened_room, room = was ? 2 * was : 64;
    struct Opened *old = state->opened, *more = calloc(room, sizeof *more);
    if (!more) return false;
    state->opened = more;
    state->opened_room = room;
    for (size_t i = 0; i < was; i++)
        if (old[i].would) *find_opened(state, &old[i]) = old[i];
    free(old);
    return true;
}
// Without memory positions are opened again: that changes no answer.
static bool opened_before(StepRun *run, const int32_t *cells, uint32_t would, int at) {
    OldsowState *state = run->context;
    struct Opened one = {.would = would, .at = at};
    for (int i = 0; i < STATE; i++) one.cells[i] = (int16_t)cells[i];
    one.hash = mix(mix(MIX_START, one.cells, sizeof one.cells), &would, sizeof would);
    if ((state->nopened + 1) * 2 > state->opened_room && !grow_opened(state)) return false;
    struct Opened *slot = find_opened(state, &one);
    if (slot->would) return true;
    *slot = one;
    state->nopened++;
    return false;
}
static const StepHost host = {grow_candidates,   grow_copies, hash_position,  remember,
                              remember_counting, times_seen,  how_many_noted, forget,
                              opened_before,     open_anew};
