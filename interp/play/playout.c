#include "playout.h"

#include "../state.h"

#include <assert.h>

PlayoutEnd playout_end(const OldsowGame *game, const OldsowState *state) {
    OldsowStatus status = oldsow_status(state);
    if (status == OLDSOW_FAULT)
        return oldsow_fault(state).endless ? PLAYOUT_ENDLESS : PLAYOUT_FAULT;
    if (status != OLDSOW_OVER) return PLAYOUT_UNFINISHED;
    int seen[OLDSOW_DRAWN + 1] = {0};
    for (int p = 0; p < oldsow_players(game); p++) seen[oldsow_result(state, p)]++;
    if (seen[OLDSOW_WON]) return PLAYOUT_WON;
    if (seen[OLDSOW_LOST]) return PLAYOUT_LOST;
    return seen[OLDSOW_DRAWN] ? PLAYOUT_DRAWN : PLAYOUT_ENDED;
}

PlayoutEnd playout(const OldsowGame *game, OldsowState *state, const Playout *how,
                   uint64_t *plies) {
    uint64_t played = 0;
    bool stopped = false, watched = how->ply || how->played || how->watch;
    Onward on = {.throws = how->throws, .choices = how->choices};
    OldsowStatus status = oldsow_status(state);
    while ((status == OLDSOW_CHOICE || status == OLDSOW_CHANCE) && !stopped) {
        if (how->max_plies && played == how->max_plies) break;
        OldsowRng *rng = status == OLDSOW_CHANCE ? how->throws : how->choices;
        size_t candidate = oldsow_pick(state, rng);
        if (!watched) {
            on.plies = how->max_plies ? how->max_plies - played - 1 : UINT64_MAX;
            status = state_play_on(state, candidate, &on);
            played += 1 + on.played;
            continue;
        }
        if (how->ply) how->ply(how->context, state, candidate);
        status = oldsow_play(state, candidate);
        if (how->played) how->played(how->context, state);
        played++;
        stopped = watch_stops(how->watch, played);
    }
    if (plies) *plies = played;
    return stopped ? PLAYOUT_STOPPED : playout_end(game, state);
}

const char *playout_word(PlayoutEnd end) {
    static const char *const words[PLAYOUT_ENDS] = {
        [PLAYOUT_WON] = "won",
        [PLAYOUT_LOST] = "lost",
        [PLAYOUT_DRAWN] = "drawn",
        [PLAYOUT_ENDED] = "over",
        [PLAYOUT_UNFINISHED] = "unfinished",
        [PLAYOUT_ENDLESS] = "endless",
        [PLAYOUT_FAULT] = "fault",
        [PLAYOUT_STOPPED] = "stopped",
    };
    assert(end < PLAYOUT_ENDS);
    return words[end];
}
