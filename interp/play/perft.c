#include "perft.h"

#include <assert.h>
#include <stdlib.h>

// One state a ply, on the way to the sequence looked at. next[i] is the candidate of states[i] that
// is tried next. Levels are made when a play first gets there.
struct Perft {
    OldsowState **states;
    size_t *next;
    int levels, cap;
    OldsowState *fault;
    uint64_t visited; // for the watch
};

static bool grow(Perft *p, int level) {
    if (level < p->levels) return true;
    assert(level == p->levels);
    if (level == p->cap) {
        int cap = p->cap ? 2 * p->cap : 16;
        OldsowState **states = realloc(p->states, (size_t)cap * sizeof *states);
        if (!states) return false;
        p->states = states;
        size_t *next = realloc(p->next, (size_t)cap * sizeof *next);
        if (!next) return false;
        p->next = next;
        p->cap = cap;
    }
    OldsowState *state = oldsow_clone(p->states[0]);
    if (!state) return false;
    p->states[p->levels++] = state;
    return true;
}

Perft *perft_new(const OldsowState *start) {
    Perft *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->cap = 16;
    p->states = calloc((size_t)p->cap, sizeof(OldsowState *));
    p->next = calloc((size_t)p->cap, sizeof *p->next);
    if (p->states && p->next) p->states[0] = oldsow_clone(start);
    if (!p->states || !p->next || !p->states[0]) {
        perft_free(p);
        return NULL;
    }
    p->levels = 1;
    return p;
}

void perft_free(Perft *p) {
    if (!p) return;
    for (int i = 0; i < p->levels; i++) oldsow_state_free(p->states[i]);
    free(p->states);
    free(p->next);
    oldsow_state_free(p->fault);
    free(p);
}

const OldsowState *perft_fault(const Perft *perft) { return perft->fault; }

static bool waits(OldsowStatus status) {
    return status == OLDSOW_CHOICE || status == OLDSOW_CHANCE;
}

static bool note_fault(Perft *p, const OldsowState *state, PerftCount *count) {
    count->faults++;
    if (oldsow_fault(state).endless) count->endless++;
    if (!p->fault) p->fault = oldsow_clone(state);
    return p->fault != NULL;
}

PerftEnd perft_count(Perft *p, int depth, const Watch *watch, PerftCount *count) {
    assert(depth >= 0 && depth <= PERFT_MAX_DEPTH);
    *count = (PerftCount){0};
    OldsowStatus status = oldsow_status(p->states[0]);
    if (depth == 0) {
        count->sequences = 1;
        return PERFT_DONE;
    }
    if (status == OLDSOW_FAULT && !note_fault(p, p->states[0], count)) return PERFT_NO_MEMORY;
    if (!waits(status)) return PERFT_DONE;

    int level = 0;
    p->next[0] = 0;
    while (level >= 0) {
        const OldsowState *state = p->states[level];
        size_t n = oldsow_candidates(state);
        if (level == depth - 1) { // the last plies need not be played to be counted
            if (__builtin_add_overflow(count->sequences, n, &count->sequences))
                return PERFT_OVERFLOW;
            level--;
            continue;
        }
        if (p->next[level] == n) {
            level--;
            continue;
        }
        if (watch_stops(watch, ++p->visited)) return PERFT_STOPPED;
        if (!grow(p, level + 1)) return PERFT_NO_MEMORY;
        state = p->states[level];
        status = oldsow_play_from(p->states[level + 1], state, p->next[level]++);
        if (status == OLDSOW_FAULT && !note_fault(p, p->states[level + 1], count))
            return PERFT_NO_MEMORY;
        if (waits(status)) p->next[++level] = 0;
    }
    return PERFT_DONE;
}
