// One game played to its end by chance.
//
// Owner: the state, the generators and the watcher's context are the caller's.
#ifndef OLDSOW_PLAYOUT_H
#define OLDSOW_PLAYOUT_H

#include "../oldsow.h"
#include "watch.h"

typedef enum PlayoutEnd {
    PLAYOUT_WON,  // somebody won
    PLAYOUT_LOST, // nobody won, somebody lost: one player who is stuck
    PLAYOUT_DRAWN,
    PLAYOUT_ENDED,      // the rules ended without a word on anybody
    PLAYOUT_UNFINISHED, // cut at `max_plies`: the simulation's doing, not the rules'
    PLAYOUT_ENDLESS,    // a relay or another loop came to its limit
    PLAYOUT_FAULT,      // the script failed
    PLAYOUT_STOPPED,    // by the watch
    PLAYOUT_ENDS
} PlayoutEnd;

typedef struct Playout {
    // Throws and choices draw from generators of their own, so that a game's throws can be drawn
    // again from their seed when its choices are known. They may be the same one.
    OldsowRng *throws, *choices;
    uint64_t max_plies; // played at most; 0: no limit
    // Called before each ply with the candidate it plays; NULL: nobody looks on.
    void (*ply)(void *context, const OldsowState *before, size_t candidate);
    // Called after each ply; NULL: nobody looks on.
    void (*played)(void *context, const OldsowState *after);
    void *context;
    const Watch *watch; // may be NULL
} Playout;

// Plays `state` on to an end; *plies, if not NULL, tells how many plies that took.
PlayoutEnd playout(const OldsowGame *game, OldsowState *state, const Playout *how, uint64_t *plies);
// How a game that is over, or failed, ended.
PlayoutEnd playout_end(const OldsowGame *game, const OldsowState *state);
const char *playout_word(PlayoutEnd end); // "won", "unfinished"

#endif
