#include "trial.h"

#include <stdlib.h>
#include <string.h>

#include "../state.h"
#include "record.h"
#include "simulate.h"

typedef struct Game {
    Trial *trial;
    uint64_t number, plies;
    OldsowRng throws, choices;
    long *kept;   // how many of each group of conserved pieces there were at the first decision
    bool changed; // and are no more
    bool no_memory;
    // Who looks on, and the games played before this trial.
    const Watch *watch;
    uint64_t before;
} Game;

// ---- failures ------------------------------------------------------------------------------------

static bool same_failure(const Failure *a, const Failure *b) {
    return a->code == b->code && a->placed == b->placed && same_span(a->span, b->span);
}

static bool add_failure(Trial *t, const Failure *found) {
    for (size_t i = 0; i < t->nfailures; i++) {
        Failure *f = &t->failures[i];
        if (!same_failure(f, found)) continue;
        f->games++;
        if (found->plies >= f->plies) return true;
        uint64_t games = f->games;
        *f = *found;
        f->games = games;
        return true;
    }
    if (t->nfailures == TRIAL_FAILURES_MAX) return true;
    Failure *more = realloc(t->failures, (t->nfailures + 1) * sizeof *more);
    if (!more) return false;
    t->failures = more;
    t->failures[t->nfailures++] = *found;
    return true;
}

static void note_fault(Game *g, const OldsowState *state) {
    Failure found = {
        .code = state->vm.fault.code, .games = 1, .number = g->number, .plies = g->plies};
    found.text = oldsow_fault(state).text;
    found.placed = state_fault_place(state, &found.span);
    if (!add_failure(g->trial, &found)) g->no_memory = true;
}

// ---- pieces that are conserved -------------------------------------------------------------------

static long count_group(const Program *p, const OldsowState *state, int list) {
    long n = 0;
    for (int k = 0; k < p->lists[list].n; k++)
        for (int s = 0; s < p->nsites; s++) n += oldsow_count_on(state, s, p->lists[list].at[k]);
    return n;
}

static void compare_pieces(Game *g, const OldsowState *state) {
    const Program *p = &state->game->program;
    for (int i = 0; i < p->nconserved && !g->changed; i++) {
        long now = count_group(p, state, p->conserved[i].list);
        if (now == g->kept[i]) continue;
        g->changed = true; // the first time tells the most
        Failure found = {.code = W_CONSERVED,
                         .span = p->conserved[i].span,
                         .placed = true,
                         .before = g->kept[i],
                         .after = now,
                         .games = 1,
                         .number = g->number,
                         .plies = g->plies};
        if (!add_failure(g->trial, &found)) g->no_memory = true;
    }
}

// ---- games ---------------------------------------------------------------------------------------

static void on_ply(void *context, const OldsowState *before, size_t candidate) {
    (void)candidate;
    const Game *g = context;
    if (oldsow_status(before) != OLDSOW_CHOICE) return;
    const Program *p = &before->game->program;
    Asked *asked = &g->trial->asked[before->cells[p->system + CELL_AT] - 1];
    asked->times++;
    asked->alone += oldsow_candidates(before) == 1;
    asked->named |= p->alternatives[before->vm.candidates[0].alt].nvars > 0;
}

static void on_played(void *context, const OldsowState *after) {
    enum { TICK = 64 }; // plies between two looks at the clock
    Game *g = context;
    if (++g->plies % TICK == 0 && g->watch && g->watch->tick)
        g->watch->tick(g->watch->context, g->before + g->trial->games);
    if (oldsow_status(after) != OLDSOW_FAULT) compare_pieces(g, after);
}

static void begin_game(Game *g, uint64_t number) {
    uint64_t seed = simulate_seed(g->trial->seed, number);
    g->number = number;
    g->plies = 0;
    g->changed = false;
    oldsow_seed(&g->throws, seed, 0);
    oldsow_seed(&g->choices, seed, 1);
}

static void end_game(Game *g, const OldsowState *state, PlayoutEnd end) {
    Trial *t = g->trial;
    if (end == PLAYOUT_STOPPED) return;
    t->games++;
    t->ends[end]++;
    if (end == PLAYOUT_FAULT || end == PLAYOUT_ENDLESS) note_fault(g, state);
    for (int p = 0; p < oldsow_players(t->game); p++)
        t->wins[p] += oldsow_status(state) == OLDSOW_OVER && oldsow_result(state, p) == OLDSOW_WON;
}

// `watch` stops it but is not ticked.
static TrialEnd play_game(Game *g, uint64_t number, const Watch *watch) {
    const Program *p = &g->trial->game->program;
    begin_game(g, number);
    OldsowState *state = oldsow_start_counting(g->trial->game, g->trial->counts);
    if (!state) return TRIAL_NO_MEMORY;
    for (int i = 0; i < p->nconserved; i++)
        g->kept[i] = count_group(p, state, p->conserved[i].list);
    Playout how = {.throws = &g->throws,
                   .choices = &g->choices,
                   .max_plies = g->trial->max_plies,
                   .ply = on_ply,
                   .played = on_played,
                   .context = g,
                   .watch = watch};
    PlayoutEnd end = playout(g->trial->game, state, &how, NULL);
    end_game(g, state, end);
    oldsow_state_free(state);
    if (g->no_memory) return TRIAL_NO_MEMORY;
    return end == PLAYOUT_STOPPED ? TRIAL_STOPPED : TRIAL_DONE;
}

// What so many games did not come to, more of them hardly will.
static bool hopeless(const Trial *t) {
    uint64_t cut = t->ends[PLAYOUT_UNFINISHED];
    return cut == t->games && cut >= TRIAL_GAMES_LEAST && cut * t->max_plies >= TRIAL_PLIES_LEAST;
}

TrialEnd trial(Trial *t, const OldsowGame *game, uint64_t seed, uint64_t n, uint64_t max_plies,
               uint64_t before, const Watch *watch) {
    const Program *p = &game->program;
    *t = (Trial){.game = game, .seed = seed, .max_plies = max_plies};
    Game g = {.trial = t, .watch = watch, .before = before};
    t->counts = calloc((size_t)p->nplaces + 1, sizeof *t->counts);
    t->asked = calloc((size_t)p->ndecisions + 1, sizeof *t->asked);
    g.kept = calloc((size_t)p->nconserved + 1, sizeof *g.kept);
    Watch quiet = {.stop = watch ? watch->stop : NULL};
    TrialEnd end = t->counts && t->asked && g.kept ? TRIAL_DONE : TRIAL_NO_MEMORY;
    for (uint64_t i = 1; i <= n && end == TRIAL_DONE; i++) {
        if (quiet.stop && *quiet.stop) {
            end = TRIAL_STOPPED;
            break;
        }
        end = play_game(&g, i, &quiet);
        if (watch && watch->tick) watch->tick(watch->context, before + t->games);
        if (i < n && end == TRIAL_DONE && hopeless(t)) {
            t->given_up = true;
            break;
        }
    }
    free(g.kept);
    return end;
}

void trial_free(Trial *t) {
    for (size_t i = 0; i < t->nfailures; i++) free(t->failures[i].record);
    free(t->counts);
    free(t->asked);
    free(t->failures);
    *t = (Trial){0};
}

static bool fails_again(const Failure *f, const OldsowState *state) {
    if (f->code == W_CONSERVED) return true;
    Span span = {0};
    if (oldsow_status(state) != OLDSOW_FAULT || state->vm.fault.code != f->code) return false;
    // Where the steps are used up is chance, and COVER uses some of its own.
    return f->code == R_STEPS || !state_fault_place(state, &span) ||
           (span.file == f->span.file && span.start == f->span.start);
}

static char *record_of(const Trial *t, const Failure *f, const OldsowGame *plain, size_t *size) {
    uint64_t seed = simulate_seed(t->seed, f->number);
    RecordMoves *moves = record_moves_new(plain);
    // A game that goes on after its pieces have changed is cut there. No plies at all cannot be asked for that way; then
    // it failed before the first of them.
    OldsowState *state = moves ? simulate_again(plain, seed, f->plies, moves) : NULL;
    RecordAbout about = {.seeded = true, .seed = seed};
    char *text = NULL;
    if (state && fails_again(f, state)) text = record_text(plain, state, moves, &about, size);
    record_moves_free(moves);
    oldsow_state_free(state);
    return text;
}

void trial_records(Trial *t, const OldsowGame *plain) {
    for (size_t i = 0; i < t->nfailures; i++)
        t->failures[i].record = record_of(t, &t->failures[i], plain, &t->failures[i].record_size);
}
