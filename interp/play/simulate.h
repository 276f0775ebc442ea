// Many random games on several threads.
//
// Games are numbered from 1. Each draws from a seed of its own, made of the run's seed and its
// number, so that what is counted depends neither on how many threads there are nor on which of
// them plays what. A worker has its states, its tally and its buffers to itself, and once these
// have grown to what the game needs a playout takes no memory; the workers share only the game,
// which nobody writes to, and the number of the next game, which each takes for several games at a
// time. Owner: nothing of `Simulation` is kept; the tally and the ranges are the caller's to free.
#ifndef OLDSOW_SIMULATE_H
#define OLDSOW_SIMULATE_H

#include "ranges.h"
#include "record.h"
#include "tally.h"

enum { SIMULATE_MAX_JOBS = 1024 };

typedef struct Simulation {
    const OldsowGame *game;
    uint64_t seed;
    uint64_t first, last; // the games to play; last < first: none. last < UINT64_MAX / 2
    uint64_t max_plies;   // played at most in one game; 0: no limit
    unsigned jobs;        // 1 .. SIMULATE_MAX_JOBS
    // Called with each game's record; NULL: nobody wants them. Threads call it side by side. False
    // stops the run.
    bool (*record)(void *context, uint64_t number, const char *text, size_t size);
    void *context;
    // Ticked about ten times a second with the number of games done, and asked as often whether to
    // stop. May be NULL.
    const Watch *watch;
} Simulation;

typedef enum SimulateEnd {
    SIMULATE_DONE,
    SIMULATE_STOPPED,   // by the watch or by `record`
    SIMULATE_NO_THREAD, // none could be started
    SIMULATE_NO_MEMORY,
} SimulateEnd;

// Plays the games and tells what came of them: `tally` and `ranges` are made anew and are to be
// freed whatever the end. When stopped, games that are under way are played to their end, so that
// those done are the first so many; only what is not over within two seconds is left out.
SimulateEnd simulate(const Simulation *how, Tally *tally, Ranges *ranges);

// The seed of one game: `oldsow run --random --seed` with it plays the same game.
uint64_t simulate_seed(uint64_t seed, uint64_t number);
// Plays that game again. `moves` collects its record; may be NULL. The state's memory is the
// caller's; NULL: there was none.
OldsowState *simulate_again(const OldsowGame *game, uint64_t seed, uint64_t max_plies,
                            RecordMoves *moves);
// The processors this process may use, at least 1.
unsigned simulate_processors(void);

#endif
