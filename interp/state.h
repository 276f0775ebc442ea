// What is behind an OldsowState. Private to interp/: state.c, draw.c, play/trial.c, which asks where games fail
// and decide, and those of play/ that play on.
#ifndef OLDSOW_STATE_H
#define OLDSOW_STATE_H

#include "game.h"
#include "vm/vm.h"

struct OldsowState {
    const OldsowGame *game;
    Vm vm;
    unsigned char *vector; // the position's cells, packed when somebody asks for them
    Cell cells[];          // vm_cells of them; the first nstate are the position
};

// As oldsow_play, and on from there; see vm.h.
OldsowStatus state_play_on(OldsowState *state, size_t i, Onward *on);
// The author's own place of the fault; false if it has none.
bool state_fault_place(const OldsowState *state, Span *span);
// The places of a variable that are not as they were at the start: "South d2, North c1"; "" if all are.
void state_variable_text(const OldsowState *state, int variable, char *text, size_t size);

#endif
