// ---- the interface -------------------------------------------------------------------------------
//
// As oldsow.h tells it, for this one game; what is otherwise is told at the head of the file.

// ---- loading, and what the game is

OldsowGame *oldsow_load(const char *path, const OldsowLoading *how, OldsowReport **report) {
    (void)path, (void)how;
    if (report) *report = NULL;
    return (OldsowGame *)&the_game; // nothing ever writes to it
}
OldsowGame *oldsow_load_text(const char *name, const char *text, size_t size,
                             const OldsowLoading *how, OldsowReport **report) {
    (void)text, (void)size;
    return oldsow_load(name, how, report);
}
void oldsow_game_free(OldsowGame *game) { (void)game; }
size_t oldsow_report_count(const OldsowReport *report) { return (void)report, 0; }
void oldsow_report_print(const OldsowReport *report, FILE *out, bool colour) {
    (void)report, (void)out, (void)colour;
}
void oldsow_report_free(OldsowReport *report) { (void)report; }
OldsowMessage oldsow_report_get(const OldsowReport *report, size_t i) {
    return (void)report, (void)i, (OldsowMessage){0};
}
OldsowLabel oldsow_report_label(const OldsowReport *report, size_t i, size_t label) {
    return (void)report, (void)i, (void)label, (OldsowLabel){0};
}
const char *oldsow_report_note(const OldsowReport *report, size_t i, size_t note) {
    return (void)report, (void)i, (void)note, NULL;
}
size_t oldsow_options(const OldsowGame *game) { return (void)game, 0; }
const OldsowOption *oldsow_option(const OldsowGame *game, size_t i) {
    return (void)game, (void)i, NULL;
}
size_t oldsow_readings(const OldsowGame *game) { return (void)game, 0; }
const OldsowReading *oldsow_reading_at(const OldsowGame *game, size_t i) {
    return (void)game, (void)i, NULL;
}
size_t oldsow_places(const OldsowGame *game) { return (void)game, 0; }
OldsowPlace oldsow_place(const OldsowGame *game, size_t i) {
    return (void)game, (void)i, (OldsowPlace){0};
}
size_t oldsow_ludemes(void) { return 0; }
const OldsowLudeme *oldsow_ludeme(size_t i) { return (void)i, NULL; }
size_t oldsow_libraries(void) { return 0; }
const char *oldsow_library_name(size_t i) { return (void)i, NULL; }
const char *oldsow_library_text(size_t i) { return (void)i, NULL; }
const char *oldsow_title(const OldsowGame *game) { return (void)game, title; }
const char *oldsow_doc(const OldsowGame *game) { return (void)game, about; }
const char *oldsow_reading(const OldsowGame *game) { return (void)game, reading; }
int oldsow_players(const OldsowGame *game) { return (void)game, PLAYERS; }
const char *oldsow_player_name(const OldsowGame *game, int player) {
    return (void)game, players[player];
}
int oldsow_sites(const OldsowGame *game) { return (void)game, SITES; }
OldsowSite oldsow_site(const OldsowGame *game, int site) { return (void)game, sites[site]; }
int oldsow_pieces(const OldsowGame *game) { return (void)game, KINDS; }
const char *oldsow_piece_name(const OldsowGame *game, int piece) {
    return (void)game, kinds[piece];
}
uint64_t oldsow_rules_hash(const OldsowGame *game) { return (void)game, RULES; }
size_t oldsow_state_bytes(const OldsowGame *game) { return (void)game, STATE * sizeof(int16_t); }
bool oldsow_remembers(const OldsowGame *game) { return (void)game, REMEMBERS; }

// ---- playing

static OldsowState *state_new(void) {
    OldsowState *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->run.host = &host;
    state->run.context = state;
    if (grow_candidates(&state->run, STEP_ROOM)) return state;
    free(state);
    return NULL;
}
static OldsowStatus run_from(OldsowState *state, int at) {
    state->run.steps = state->run.budget = 100000000L;
    return state->status = (OldsowStatus)step(&state->run, state->cells, at);
}
OldsowState *oldsow_start(const OldsowGame *game) {
    (void)game;
    OldsowState *state = state_new();
    if (!state) return NULL;
    for (int i = 0; i < STATE; i++) state->cells[i] = initial[i];
    run_from(state, 0);
    return state;
}
OldsowState *oldsow_start_counting(const OldsowGame *game, uint64_t *counts) {
    (void)counts; // there are no places to count
    return oldsow_start(game);
}
void oldsow_state_free(OldsowState *state) {
    if (!state) return;
    free(state->run.list);
    free(state->run.saved);
    free(state->noted);
    free(state->opened);
    free(state);
}
static bool is_throw(const OldsowState *state) { return state->cells[WAITS_AT] < 0; }
static const Dice *dice_of(const OldsowState *state) {
    return &dice[throws[-state->cells[WAITS_AT] - 1].dice];
}
static bool copy_position(OldsowState *dst, const OldsowState *src) {
    memcpy(dst->cells, src->cells, sizeof dst->cells);
    if (!room_to_note(dst, src->nnoted)) return false;
    if (src->nnoted) memcpy(dst->noted, src->noted, src->nnoted * sizeof *dst->noted);
    dst->nnoted = src->nnoted;
    return true;
}
static bool no_memory(OldsowState *state) {
    state->run.fault = R_MEMORY;
    state->run.fault_at = 0;
    state->run.n = 0;
    state->status = OLDSOW_FAULT;
    return false;
}
bool oldsow_copy(OldsowState *dst, const OldsowState *src) {
    if (dst == src) return true;
    size_t n = is_throw(src) ? 0 : src->run.n;
    if (!copy_position(dst, src) || !grow_candidates(&dst->run, n)) return no_memory(dst);
    if (n) memcpy(dst->run.list, src->run.list, n * sizeof *dst->run.list);
    dst->run.n = src->run.n;
    dst->run.fault = src->run.fault;
    dst->run.fault_at = src->run.fault_at;
    dst->run.fault_value = src->run.fault_value;
    dst->status = src->status;
    return true;
}
OldsowState *oldsow_clone(const OldsowState *src) {
    OldsowState *state = state_new();
    if (state && oldsow_copy(state, src)) return state;
    oldsow_state_free(state);
    return NULL;
}
static OldsowStatus take(OldsowState *dst, const OldsowState *src, size_t i) {
    int at;
    if (is_throw(dst)) {
        const Throw *t = &throws[-dst->cells[WAITS_AT] - 1];
        for (int k = 0; k < t->n; k++)
            dst->cells[t->cells[k]] =
                dice[t->dice].outcomes[i * (size_t)dice[t->dice].values + (size_t)k];
        at = t->target;
    } else {
        at = take_candidate(dst->cells, &src->run.list[i]);
    }
    dst->cells[WAITS_AT] = 0;
    return run_from(dst, at);
}
OldsowStatus oldsow_play(OldsowState *state, size_t i) { return take(state, state, i); }
OldsowStatus oldsow_play_from(OldsowState *dst, const OldsowState *src, size_t i) {
    if (dst != src && !copy_position(dst, src)) return no_memory(dst), OLDSOW_FAULT;
    return take(dst, src, i);
}
OldsowStatus oldsow_status(const OldsowState *state) { return state->status; }
int oldsow_mover(const OldsowState *state) { return state->cells[MOVER]; }
size_t oldsow_candidates(const OldsowState *state) { return state->run.n; }
uint32_t oldsow_weight(const OldsowState *state, size_t i) {
    return is_throw(state) ? dice_of(state)->weights[i] : state->run.list[i].weight;
}
size_t oldsow_pick(const OldsowState *state, OldsowRng *rng) {
    if (state->status != OLDSOW_CHANCE) return oldsow_below(rng, (uint32_t)state->run.n);
    uint64_t sum = 0;
    for (size_t i = 0; i < state->run.n; i++) sum += oldsow_weight(state, i);
    uint32_t drawn = oldsow_below(rng, sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
    size_t i = 0;
    while (drawn >= oldsow_weight(state, i)) drawn -= oldsow_weight(state, i++);
    return i;
}

// ---- names of candidates

enum { STEM_MAX = OLDSOW_NAME_MAX - 8 }; // room for `#` and a number

// Adds a text, cut where it no longer fits, never within a character.
static void add(char *name, size_t max, const char *more) {
    size_t at = strlen(name), n = strlen(more), room = max - at;
    if (n > room) {
        n = room;
        while (n > 0 && ((unsigned char)more[n] & 0xc0) == 0x80) n--;
    }
    memcpy(name + at, more, n);
    name[at + n] = '\0';
}
static const char *name_in(const char *const *names, int n, int i) {
    return i == UNSET ? "unset" : i >= 0 && i < n && names[i] ? names[i] : "?";
}
static void add_value(char *name, size_t max, int type, int value) {
    char digits[16];
    switch (type) {
    case A_TRUTH: add(name, max, value == UNSET ? "unset" : value ? "yes" : "no"); return;
    case A_SITE:
        add(name, max, value == UNSET ? "unset" : is_site(value) ? sites[value].name : "?");
        return;
    case A_PLAYER: add(name, max, name_in(players, PLAYERS, value)); return;
    case A_PIECE: add(name, max, name_in(kinds, KINDS, value)); return;
    case A_WORD: add(name, max, name_in(words, WORDS, value)); return;
    case A_DIRECTION: add(name, max, name_in(directions, DIRECTIONS, value)); return;
    case A_TRACK: add(name, max, name_in(track_names, TRACKS, value)); return;
    default: snprintf(digits, sizeof digits, "%d", value); add(name, max, digits);
    }
}
static void stem(const OldsowState *state, size_t i, char *name) {
    name[0] = '\0';
    if (is_throw(state)) {
        const Dice *d = dice_of(state);
        for (int k = 0; k < d->values; k++) {
            if (k) add(name, STEM_MAX - 1, "-");
            add_value(name, STEM_MAX - 1, A_NUMBER, d->outcomes[i * (size_t)d->values + (size_t)k]);
        }
        return;
    }
    const StepCandidate *c = &state->run.list[i];
    const Alternative *a = &alternatives[c->alternative];
    if (a->label) add(name, STEM_MAX - 1, a->label);
    for (int k = 0; k < a->n; k++) {
        if (k || a->label) add(name, STEM_MAX - 1, "-");
        add_value(name, STEM_MAX - 1, a->types[k], c->values[k]);
    }
    if (!name[0]) add(name, STEM_MAX - 1, "go");
}
const char *oldsow_candidate(const OldsowState *state, size_t i, char *buffer) {
    char other[OLDSOW_NAME_MAX];
    size_t same = 1;
    stem(state, i, buffer);
    for (size_t j = 0; j < i; j++) {
        stem(state, j, other);
        same += strcmp(buffer, other) == 0;
    }
    size_t n = strlen(buffer);
    if (same > 1) snprintf(buffer + n, OLDSOW_NAME_MAX - n, "#%zu", same);
    return buffer;
}
static int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
// Sorted dice named in any order: 1-3 is 3-1.
static long find_sorted(const OldsowState *state, const char *name) {
    if (state->status != OLDSOW_CHANCE || !is_throw(state) || !dice_of(state)->sorted) return -1;
    const Dice *d = dice_of(state);
    int values[STEP_VALUES];
    for (int k = 0; k < d->values; k++) {
        char *end;
        long v = strtol(name, &end, 10);
        if (end == name || *end != (k + 1 < d->values ? '-' : '\0')) return -1;
        values[k] = (int)v;
        name = end + 1;
    }
    qsort(values, (size_t)d->values, sizeof *values, falling);
    for (size_t i = 0; i < state->run.n; i++) {
        int k = 0;
        while (k < d->values && d->outcomes[i * (size_t)d->values + (size_t)k] == values[k]) k++;
        if (k == d->values) return (long)i;
    }
    return -1;
}
long oldsow_find(const OldsowState *state, const char *name) {
    char buffer[OLDSOW_NAME_MAX];
    for (size_t i = 0; i < state->run.n; i++)
        if (strcmp(oldsow_candidate(state, i, buffer), name) == 0) return (long)i;
    return find_sorted(state, name);
}

// ---- the position

int oldsow_count_on(const OldsowState *state, int site, int piece) {
    return count_kind(state->cells, site, piece);
}
const void *oldsow_vector(const OldsowState *state) {
    OldsowState *own = (OldsowState *)state; // the vector is no part of what the state says
    for (int i = 0; i < STATE; i++) own->vector[i] = (int16_t)state->cells[i];
    return own->vector;
}
uint64_t oldsow_hash(const OldsowState *state) {
    uint64_t noted = 0;
    for (size_t i = 0; i < state->nnoted; i++) noted += mix(MIX_START, &state->noted[i], 8);
    return mix(MIX_START ^ noted, state->cells, STATE * sizeof *state->cells);
}
uint64_t oldsow_position_hash(const OldsowState *state) {
    uint64_t sum = 0;
    for (int s = 0; s < SITES; s++)
        for (int k = 0; k < KINDS; k++) {
            int16_t n = (int16_t)state->cells[s * KINDS + k], owner = (int16_t)sites[s].owner;
            if (n == 0) continue;
            uint64_t h = mix(MIX_START, sites[s].name, strlen(sites[s].name) + 1);
            h = mix(mix(h, kinds[k], strlen(kinds[k]) + 1), &owner, sizeof owner);
            sum += mix(h, &n, sizeof n);
        }
    for (int v = 0; v < VARIABLES; v++)
        for (int i = 0; i < variables[v].n; i++) {
            const Variable *var = &variables[v];
            if (state->cells[var->cell + i] == var->start) continue;
            char name[OLDSOW_NAME_MAX] = "";
            add(name, sizeof name - 1, var->name);
            add(name, sizeof name - 1, " ");
            if (var->list >= 0)
                add_value(name, sizeof name - 1, var->index_type, lists[var->list].at[i]);
            add(name, sizeof name - 1, "=");
            add_value(name, sizeof name - 1, var->type, state->cells[var->cell + i]);
            sum += mix(MIX_START, name, strlen(name) + 1);
        }
    static const int shown[] = {MOVER, OVER, WINNERS, LOSERS, RETIRED};
    uint64_t h = mix(MIX_START, &sum, sizeof sum);
    for (int i = 0; i < 5; i++) {
        int16_t cell = (int16_t)state->cells[shown[i]];
        h = mix(h, &cell, sizeof cell);
    }
    return h;
}
OldsowResult oldsow_result(const OldsowState *state, int player) {
    switch (state->cells[OVER]) {
    case OVER_DRAWN: return OLDSOW_DRAWN;
    case OVER_DECIDED:
        return state->cells[WINNERS] >> player & 1  ? OLDSOW_WON
               : state->cells[LOSERS] >> player & 1 ? OLDSOW_LOST
                                                    : OLDSOW_UNDECIDED;
    default: return OLDSOW_UNDECIDED;
    }
}
bool oldsow_score(const OldsowState *state, int player, int *score) {
    if (!SCORES || !(state->cells[SCORES + PLAYERS] >> player & 1)) return false;
    *score = state->cells[SCORES + player];
    return true;
}
bool oldsow_playing(const OldsowState *state, int player) {
    return !(state->cells[RETIRED] >> player & 1);
}
// One line for each site on which something lies.
void oldsow_draw(const OldsowState *state, FILE *out) {
    for (int s = 0; s < SITES; s++) {
        if (count_all(state->cells, s) == 0) continue;
        fprintf(out, "%s:", sites[s].name);
        for (int k = 0; k < KINDS; k++)
            if (state->cells[s * KINDS + k])
                fprintf(out, " %" PRId32 " %s", state->cells[s * KINDS + k], kinds[k]);
        fputc('\n', out);
    }
}

// ---- faults

static const Line *line_of(int at) {
    const Line *found = &lines[0];
    for (size_t i = 0; i < sizeof lines / sizeof *lines && lines[i].at <= at; i++)
        found = &lines[i];
    return found;
}
OldsowFault oldsow_fault(const OldsowState *state) {
    const Line *line = line_of(state->run.fault_at);
    OldsowFault fault = {.code = "R0900",
                         .text = "the play failed",
                         .endless = state->run.fault == R_ENDLESS || state->run.fault == R_STEPS,
                         .file = script_files[line->file],
                         .line = line->line,
                         .column = line->column};
    for (size_t i = 0; i < sizeof fault_texts / sizeof *fault_texts; i++)
        if (fault_texts[i].fault == state->run.fault) {
            fault.code = fault_texts[i].code;
            fault.text = fault_texts[i].text;
        }
    return fault;
}
void oldsow_print_fault(const OldsowState *state, FILE *out, bool colour) {
    OldsowFault f = oldsow_fault(state);
    (void)colour;
    fprintf(out, "%s:%u:%u: error[%s]: %s\n", f.file, f.line, f.column, f.code, f.text);
}

#ifdef OLDSOW_MAIN
// ---- a small command: `game perft DEPTH`, or `game [SEED]` for a random game -----------------------

static uint64_t perft(const OldsowState *state, int depth) {
    if (state->status > OLDSOW_CHANCE) return 0;
    if (depth == 1) return state->run.n;
    uint64_t n = 0;
    OldsowState *next = state_new();
    for (size_t i = 0; next && i < state->run.n; i++) {
        oldsow_play_from(next, state, i);
        n += perft(next, depth - 1);
    }
    oldsow_state_free(next);
    return n;
}
// A whole number in digits, at most `most`.
static bool read_number(const char *text, uint64_t most, uint64_t *n) {
    for (*n = 0; *text >= '0' && *text <= '9'; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (*n > (most - digit) / 10) return false;
        *n = *n * 10 + digit;
    }
    return *text == '\0';
}
static void play_at_random(OldsowState *state, uint64_t seed) {
    enum { MOST_PLIES = 1000 };
    OldsowRng rng;
    char name[OLDSOW_NAME_MAX];
    oldsow_seed(&rng, seed, 0);
    for (int ply = 0; ply < MOST_PLIES && state->status <= OLDSOW_CHANCE; ply++) {
        size_t i = oldsow_pick(state, &rng);
        printf("%s %s\n", players[state->cells[MOVER]], oldsow_candidate(state, i, name));
        oldsow_play(state, i);
    }
    oldsow_draw(state, stdout);
    if (state->status == OLDSOW_FAULT) oldsow_print_fault(state, stdout, false);
    if (state->status <= OLDSOW_CHANCE) printf("not over after %d plies\n", MOST_PLIES);
    printf("position %016" PRIx64 "\n", oldsow_position_hash(state));
}
int main(int argc, char **argv) {
    uint64_t n = 1;
    bool counts = argc == 3 && strcmp(argv[1], "perft") == 0;
    if (!(counts ? *argv[2] && read_number(argv[2], 10000, &n)
                 : argc == 1 || (argc == 2 && *argv[1] && read_number(argv[1], UINT64_MAX, &n)))) {
        fprintf(stderr, "usage: %s [SEED] | perft DEPTH\n", argv[0]);
        return 2;
    }
    OldsowState *state = oldsow_start(&the_game);
    if (!state) return 1;
    if (counts)
        for (int depth = 1; depth <= (int)n; depth++)
            printf("%d %" PRIu64 "\n", depth, perft(state, depth));
    else
        play_at_random(state, n);
    oldsow_state_free(state);
    return fflush(stdout) != 0 || ferror(stdout) ? 1 : 0;
}
#endif
