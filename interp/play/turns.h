// Moves as a record writes them: "12. South: 3: d1-d3".
//
// A turn is all that one player throws and chooses until another moves; where there is one player,
// his throws and the choice that follows. Owner: the game and the stream are the caller's.
#ifndef OLDSOW_TURNS_H
#define OLDSOW_TURNS_H

#include "../oldsow.h"

typedef struct Turns {
    const OldsowGame *game;
    FILE *out;
    bool spread; // each turn on its own line; else, with one player, as many to a line as there is
                 // room for
    // Where the writing stands.
    unsigned long long number; // of the turn being written
    int mover;
    bool threw;    // the last ply was a throw
    bool indented; // a new line goes on with a turn that an earlier one began
    size_t column; // bytes on the line; 0: at its start
    size_t bytes;  // written in all: a stream in memory that has run out of it does not say so
} Turns;

void turns_init(Turns *turns, const OldsowGame *game, FILE *out, bool spread);
// Whether what is about to be played in this position begins a turn.
bool turns_begins(const Turns *turns, const OldsowState *before);
// Writes the candidate that is about to be played.
void turns_ply(Turns *turns, const OldsowState *before, size_t candidate);
// Ends the line, if one was begun; the turn may go on after it.
void turns_break(Turns *turns);

#endif
