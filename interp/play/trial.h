// Random games that are played to find out about a script: where it fails, what is never done.
//
// Owner: a Trial owns its arrays until trial_free; the game is the caller's and outlives it.
#ifndef OLDSOW_TRIAL_H
#define OLDSOW_TRIAL_H

#include "../../grammar/diag.h"
#include "../oldsow.h"
#include "playout.h"
#include "watch.h"

// Games that failed in the same way at the same place, or lost or gained pieces that are conserved.
typedef struct Failure {
    DiagCode code; // R_...; of pieces W_CONSERVED
    Span span;     // the author's own place; of pieces the one of the kinds in (conserve ...)
    bool placed;
    const char *text;   // of a fault
    long before, after; // of pieces: how many there were
    uint64_t games;
    uint64_t number, plies; // the shortest of these games, and its length up to there
    char *record;           // of that game up to there; see trial_records
    size_t record_size;
} Failure;

// What was asked of players at one (choose ...) or (either ...).
typedef struct Asked {
    uint64_t times, alone; // with a single candidate
    bool named;            // candidates have names that tell them apart
} Asked;

typedef struct Trial {
    const OldsowGame *game; // loaded with its places
    uint64_t seed, max_plies;
    uint64_t games, ends[PLAYOUT_ENDS];
    uint64_t wins[OLDSOW_MAX_PLAYERS];
    uint64_t *counts; // per place of the game
    Asked *asked;     // per decision of the program
    Failure *failures;
    size_t nfailures;
    bool given_up; // fewer games were played than asked for, since none of them came to an end
} Trial;

enum {
    TRIAL_FAILURES_MAX = 64,    // kinds of them that are told apart
    TRIAL_GAMES_LEAST = 10,     // games without an end, and plies of all of them, after which
    TRIAL_PLIES_LEAST = 100000, // it is given up to wait for one
};

typedef enum TrialEnd { TRIAL_DONE, TRIAL_STOPPED, TRIAL_NO_MEMORY } TrialEnd;

// Plays games 1 .. n; the number of a game and `seed` give its own seed, as in simulate_seed. `max_plies` is the most
// that one game may have; 0: no limit. A game that the watch stops in the middle is not counted as one, but what it came by
// is. The watch is ticked with `before` and the games played so far. The trial is to be freed whatever the end.
TrialEnd trial(Trial *trial, const OldsowGame *game, uint64_t seed, uint64_t n, uint64_t max_plies,
               uint64_t before, const Watch *watch);
void trial_free(Trial *trial);

// Fills in the records of all failures, played again with `plain`, which is the same game loaded without places. A record
// is NULL where there was no memory, or where the game does not fail again (which would be Oldsow's own fault).
void trial_records(Trial *trial, const OldsowGame *plain);

#endif
