#define _GNU_SOURCE // sched_getaffinity

#include "simulate.h"

#include "../state.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE = 128,          // bytes that no two threads should write to: two cache lines
    CHUNK_PLIES = 20000, // what a worker takes at a time is meant to be so many plies,
    CHUNK_GAMES = 1024,  // and never more games
    TICK = 100,          // milliseconds between two looks at the watch
    AT_ONCE = 4000,      // plies played without a look at the order
    GRACE = 2000,        // milliseconds that games under way get when the run is stopped
};

typedef enum Order { ORDER_GO, ORDER_FINISH, ORDER_LEAVE } Order;

// What the workers share. The counter that they write to has its line to itself.
typedef struct Work {
    alignas(LINE) atomic_uint_fast64_t next; // game
    alignas(LINE) atomic_int order;
    atomic_bool no_memory, refused; // somebody's memory ran out; a record was not taken
    const Simulation *how;
    alignas(LINE) pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned running;
} Work;

typedef struct Worker {
    alignas(LINE) atomic_uint_fast64_t done; // games; read by the one who waits
    Work *work;
    pthread_t thread;
    Tally tally;
    // Of the game in hand: one that is left in the middle has not been counted.
    Histogram branching;
    OldsowState *start, *state;
    Range left; // taken, but not played; first > last: nothing
} Worker;

uint64_t simulate_seed(uint64_t seed, uint64_t number) {
    OldsowRng rng;
    oldsow_seed(&rng, seed, number);
    return oldsow_random(&rng);
}

unsigned simulate_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

// ---- one game ------------------------------------------------------------------------------------

typedef struct Game {
    OldsowRng throws, choices;
    uint64_t plies;
    size_t most; // candidates that a decision had
} Game;

static void seed_game(Game *g, uint64_t seed) {
    *g = (Game){0};
    oldsow_seed(&g->throws, seed, 0);
    oldsow_seed(&g->choices, seed, 1);
}

OldsowState *simulate_again(const OldsowGame *game, uint64_t seed, uint64_t max_plies,
                            RecordMoves *moves) {
    Game g;
    seed_game(&g, seed);
    OldsowState *state = oldsow_start(game);
    Playout how = {.throws = &g.throws,
                   .choices = &g.choices,
                   .max_plies = max_plies,
                   .ply = moves ? record_moves_ply : NULL,
                   .context = moves};
    if (state) playout(game, state, &how, NULL);
    return state;
}

// Plays the worker's state to its end. False if it was told to leave before that.
static bool play(Worker *w, Game *g, RecordMoves *moves) {
    OldsowState *state = w->state;
    uint64_t most = w->work->how->max_plies ? w->work->how->max_plies : UINT64_MAX;
    Onward on = {.throws = &g->throws, .choices = &g->choices, .branching = w->branching.times};
    OldsowStatus status = oldsow_status(state);
    for (; g->plies < most; g->plies++) {
        size_t candidate;
        if (status == OLDSOW_CHOICE) {
            size_t n = oldsow_candidates(state);
            histogram_count(&w->branching, n);
            if (n > g->most) g->most = n;
            candidate = oldsow_pick(state, &g->choices);
        } else if (status == OLDSOW_CHANCE) {
            candidate = oldsow_pick(state, &g->throws);
        } else {
            return true;
        }
        if (moves) {
            record_moves_ply(moves, state, candidate);
            status = oldsow_play(state, candidate);
        } else {
            on.plies = most - g->plies - 1 < AT_ONCE ? most - g->plies - 1 : AT_ONCE;
            status = state_play_on(state, candidate, &on);
            g->plies += on.played;
            w->branching.n += on.choices_made;
            w->branching.sum += on.candidates;
            if (on.most > g->most) g->most = on.most;
        }
        if (atomic_load_explicit(&w->work->order, memory_order_relaxed) == ORDER_LEAVE)
            return false;
    }
    return true;
}

static void count(Worker *w, const Game *g, uint64_t number, PlayoutEnd end) {
    Tally *t = &w->tally;
    Wide b = w->branching.sum, d = w->branching.n;
    t->games++;
    t->plies += g->plies;
    t->throws += g->plies - w->branching.n;
    t->ends[end]++;
    for (int p = 0; end == PLAYOUT_WON && p < oldsow_players(w->work->how->game); p++)
        t->wins[p] += oldsow_result(w->state, p) == OLDSOW_WON;
    if (end <= PLAYOUT_ENDED) histogram_count(&t->lengths, g->plies);
    t->sum_bb += b * b;
    t->sum_bd += b * d;
    t->sum_dd += d * d;
    histogram_move(&t->branching, &w->branching, histogram_step(g->most));
    if (end == PLAYOUT_ENDLESS && !t->first_endless) t->first_endless = number;
    if (end == PLAYOUT_FAULT && !t->first_fault) t->first_fault = number;
}

// ---- a worker ------------------------------------------------------------------------------------

static void stop(Work *work, atomic_bool *why) {
    atomic_store(why, true);
    atomic_store(&work->order, ORDER_LEAVE);
}

// Hands the record on; false: there was no memory for it.
static bool hand_on(Worker *w, uint64_t number, uint64_t seed, RecordMoves *moves) {
    const Simulation *how = w->work->how;
    RecordAbout about = {.seeded = true, .seed = seed};
    size_t size;
    char *text = record_text(how->game, w->state, moves, &about, &size);
    if (text && !how->record(how->context, number, text, size)) {
        atomic_store(&w->work->refused, true);
        atomic_store(&w->work->order, ORDER_FINISH);
    }
    free(text);
    return text != NULL;
}

static bool out_of_memory(const OldsowState *state) {
    return strcmp(oldsow_fault(state).code, "R0915") == 0;
}

// One game. False if the worker is to go.
static bool play_game(Worker *w, uint64_t number) {
    Work *work = w->work;
    uint64_t seed = simulate_seed(work->how->seed, number);
    Game g;
    seed_game(&g, seed);
    RecordMoves *moves = work->how->record ? record_moves_new(work->how->game) : NULL;
    bool fine = oldsow_copy(w->state, w->start) && (moves || !work->how->record);
    bool whole = fine && play(w, &g, moves);
    PlayoutEnd end = whole ? playout_end(work->how->game, w->state) : PLAYOUT_STOPPED;
    if (end == PLAYOUT_FAULT) fine = !out_of_memory(w->state);
    if (fine && whole && moves) fine = hand_on(w, number, seed, moves);
    record_moves_free(moves);
    if (!fine) stop(work, &work->no_memory);
    if (fine && whole) count(w, &g, number, end);
    return fine && whole;
}

static uint64_t chunk(const Worker *w) {
    if (w->work->how->record || w->tally.games == 0) return 1;
    uint64_t n = CHUNK_PLIES / (w->tally.plies / w->tally.games + 1);
    return n < 1 ? 1 : n > CHUNK_GAMES ? CHUNK_GAMES : n;
}

static void play_games(Worker *w) {
    Work *work = w->work;
    while (atomic_load(&work->order) == ORDER_GO) {
        uint64_t n = chunk(w), first = atomic_fetch_add(&work->next, n), last = first + n - 1;
        if (first > work->how->last) return;
        w->left = (Range){first, last < work->how->last ? last : work->how->last};
        while (w->left.first <= w->left.last) {
            if (!play_game(w, w->left.first)) return;
            w->left.first++;
            atomic_store_explicit(&w->done, w->tally.games, memory_order_relaxed);
        }
    }
}

// A worker takes its memory itself: what one thread takes lies apart from what others do.
static void *work_on(void *context) {
    Worker *w = context;
    Work *work = w->work;
    w->start = oldsow_start(work->how->game);
    w->state = w->start ? oldsow_clone(w->start) : NULL;
    bool fine = histogram_init(&w->branching);
    if (tally_init(&w->tally) && w->state && fine)
        play_games(w);
    else
        stop(work, &work->no_memory);
    histogram_free(&w->branching);
    oldsow_state_free(w->state);
    oldsow_state_free(w->start);
    pthread_mutex_lock(&work->lock);
    work->running--;
    pthread_cond_signal(&work->ended);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

// ---- all of them ---------------------------------------------------------------------------------

// Signals are for the thread that waits.
static unsigned start_workers(Work *work, Worker *workers) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    unsigned n = 0;
    pthread_mutex_lock(&work->lock);
    for (; n < work->how->jobs; n++) {
        workers[n] = (Worker){.work = work, .left = {1, 0}};
        if (pthread_create(&workers[n].thread, NULL, work_on, &workers[n]) != 0) break;
        work->running++;
    }
    pthread_mutex_unlock(&work->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

static void look(Work *work, const Worker *workers, unsigned n, unsigned *waited) {
    const Watch *watch = work->how->watch;
    uint64_t done = 0;
    for (unsigned i = 0; i < n; i++)
        done += atomic_load_explicit(&workers[i].done, memory_order_relaxed);
    if (watch && watch->tick) watch->tick(watch->context, done);
    if (watch && watch->stop && *watch->stop && atomic_load(&work->order) == ORDER_GO)
        atomic_store(&work->order, ORDER_FINISH);
    if (atomic_load(&work->order) == ORDER_GO) return;
    *waited += TICK;
    if (*waited > GRACE) atomic_store(&work->order, ORDER_LEAVE);
}

static void wait_for(Work *work, Worker *workers, unsigned n) {
    unsigned waited = 0;
    pthread_mutex_lock(&work->lock);
    while (work->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TICK * 1000000L;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000L;
        }
        if (pthread_cond_timedwait(&work->ended, &work->lock, &until) != ETIMEDOUT) continue;
        pthread_mutex_unlock(&work->lock);
        look(work, workers, n, &waited);
        pthread_mutex_lock(&work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    for (unsigned i = 0; i < n; i++) pthread_join(workers[i].thread, NULL);
}

static int by_first(const void *a, const void *b) {
    uint64_t x = ((const Range *)a)->first, y = ((const Range *)b)->first;
    return (x > y) - (x < y);
}

// The games taken, less those that were left.
static bool note_ranges(const Work *work, const Worker *workers, unsigned n, Ranges *ranges) {
    Range left[SIMULATE_MAX_JOBS + 1];
    size_t gaps = 0;
    for (unsigned i = 0; i < n; i++)
        if (workers[i].left.first <= workers[i].left.last) left[gaps++] = workers[i].left;
    uint64_t next = atomic_load(&work->next), last = work->how->last;
    uint64_t end = next <= last ? next : last + 1; // behind the last game taken
    left[gaps++] = (Range){end, end};
    qsort(left, gaps, sizeof *left, by_first);
    uint64_t from = work->how->first;
    for (size_t i = 0; i < gaps; i++) {
        if (from < left[i].first && !ranges_add(ranges, (Range){from, left[i].first - 1}))
            return false;
        from = left[i].last + 1;
    }
    return true;
}

static SimulateEnd gather(const Work *work, Worker *workers, unsigned n, Tally *tally,
                          Ranges *ranges) {
    bool fine = !atomic_load(&work->no_memory);
    for (unsigned i = 0; i < n; i++) {
        if (fine) fine = tally_add(tally, &workers[i].tally);
        tally_free(&workers[i].tally);
    }
    if (n == 0) return SIMULATE_NO_THREAD;
    if (!fine || !note_ranges(work, workers, n, ranges)) return SIMULATE_NO_MEMORY;
    return atomic_load(&work->order) == ORDER_GO ? SIMULATE_DONE : SIMULATE_STOPPED;
}

static void open_work(Work *work, const Simulation *how) {
    memset(work, 0, sizeof *work);
    work->how = how;
    atomic_init(&work->next, how->first);
    atomic_init(&work->order, ORDER_GO);
    atomic_init(&work->no_memory, false);
    atomic_init(&work->refused, false);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->ended, &clock);
    pthread_condattr_destroy(&clock);
}

SimulateEnd simulate(const Simulation *how, Tally *tally, Ranges *ranges) {
    assert(how->jobs >= 1 && how->jobs <= SIMULATE_MAX_JOBS && how->first >= 1);
    *ranges = (Ranges){0};
    if (!tally_init(tally)) return SIMULATE_NO_MEMORY;
    if (how->last < how->first) return SIMULATE_DONE;
    Worker *workers = aligned_alloc(LINE, how->jobs * sizeof *workers);
    if (!workers) return SIMULATE_NO_MEMORY;
    Work work;
    open_work(&work, how);
    unsigned n = start_workers(&work, workers);
    wait_for(&work, workers, n);
    SimulateEnd end = gather(&work, workers, n, tally, ranges);
    pthread_cond_destroy(&work.ended);
    pthread_mutex_destroy(&work.lock);
    free(workers);
    return end;
}
