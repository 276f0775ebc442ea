// A game as people read it: a line a turn, and the position now and then.
//
// Owner: a Transcript owns its memory of the position drawn last; game and stream are the caller's.
#ifndef OLDSOW_CLI_TRANSCRIPT_H
#define OLDSOW_CLI_TRANSCRIPT_H

#include "../play/turns.h"

typedef struct Transcript {
    const OldsowGame *game;
    FILE *out;
    bool every; // draws the position after each ply that moves a piece
    Turns turns;
    int *drawn; // pieces of each kind on each site when the position was drawn last
    bool any;   // it was drawn at all
} Transcript;

// False if there is no memory.
bool transcript_init(Transcript *transcript, const OldsowGame *game, FILE *out, bool every);
void transcript_free(Transcript *transcript);
// To be told each ply, before and after it is played.
void transcript_ply(Transcript *transcript, const OldsowState *before, size_t candidate);
void transcript_played(Transcript *transcript, const OldsowState *after);
// Draws the position, unless the pieces stand there already as they lie.
void transcript_draw(Transcript *transcript, const OldsowState *state);

#endif
