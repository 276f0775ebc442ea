// Two players, depth first: who can force a win, without asking how fast. Alpha-beta (Knuth and Moore
// 1975) over the three values a game can have, with all positions kept, so that each is gone through once for
// a question about it.
//
// Only where no position comes up again within a line: there, what a position is worth depends on how it was come
// to, and the search gives up.
#include <stdlib.h>

#include "solve_search.h"

enum { SECOND_WINS, DRAWN, FIRST_WINS }; // values, as the first player sees them

typedef struct Known { // of a position
    uint8_t low : 2, high : 2, open : 1;
} Known;

typedef struct Frame {
    uint32_t node;
    size_t next;                 // candidate to be tried
    int alpha, beta, best, from; // the value wanted lies between; `from`: alpha or beta at first
    bool first;                  // it is the first player's choice
} Frame;

typedef struct Deep {
    Search *s;
    Known *known;
    size_t known_cap;
    Frame *frames;
    OldsowState **states; // one a frame
    size_t made, frames_cap;
    bool circles;
} Deep;

static int leaf_value(const OldsowState *over) {
    int winner = solve_winner(over);
    return winner == 0 ? FIRST_WINS : winner == 1 ? SECOND_WINS : DRAWN;
}

static void deep_free(Deep *d) {
    for (size_t i = 0; i < d->made; i++) oldsow_state_free(d->states[i]);
    free(d->states);
    free(d->frames);
    free(d->known);
}

static bool reserve_known(Deep *d, size_t n) {
    if (n <= d->known_cap) return true;
    size_t cap = d->known_cap ? 2 * d->known_cap : 4096;
    if (!space_charge(&d->s->space, (cap - d->known_cap) * sizeof *d->known)) return false;
    Known *known = realloc(d->known, cap * sizeof *known);
    if (!known) return false;
    d->known = known;
    d->known_cap = cap;
    return true;
}

static bool reserve_frame(Deep *d, size_t depth) {
    if (depth == d->frames_cap) {
        size_t cap = d->frames_cap ? 2 * d->frames_cap : 64;
        Frame *frames = realloc(d->frames, cap * sizeof *frames);
        if (!frames) return false;
        d->frames = frames;
        OldsowState **states = realloc(d->states, cap * sizeof(OldsowState *));
        if (!states) return false;
        d->states = states;
        d->frames_cap = cap;
    }
    if (depth < d->made) return true;
    size_t bytes = sizeof(Frame) + 4 * oldsow_state_bytes(d->s->game);
    if (!space_charge(&d->s->space, bytes)) return false;
    d->states[depth] = oldsow_clone(d->s->scratch);
    if (!d->states[depth]) return false;
    d->made++;
    return true;
}

static bool enter(Deep *d, size_t depth, uint32_t node, const OldsowState *state, int alpha,
                  int beta) {
    if (!reserve_frame(d, depth) || !oldsow_copy(d->states[depth], state))
        return search_end(d->s, SOLVE_MEMORY);
    bool first = oldsow_mover(state) == 0;
    d->frames[depth] = (Frame){.node = node,
                               .alpha = alpha,
                               .beta = beta,
                               .best = first ? SECOND_WINS - 1 : FIRST_WINS + 1,
                               .from = first ? alpha : beta,
                               .first = first};
    d->known[node].open = 1;
    return true;
}

// A value comes up to the frame.
static void take(Frame *f, int value) {
    if (f->first) {
        if (value > f->best) f->best = value;
        if (f->best > f->alpha) f->alpha = f->best;
    } else {
        if (value < f->best) f->best = value;
        if (f->best < f->beta) f->beta = f->best;
    }
}

static bool settled(const Frame *f) { return f->next > 0 && f->alpha >= f->beta; }

// What has been learnt about the frame's position; a value that was not cut short is exact.
static void leave(Deep *d, const Frame *f) {
    Known *k = &d->known[f->node];
    int alpha = f->first ? f->from : f->alpha, beta = f->first ? f->beta : f->from;
    k->open = 0;
    if (f->best > alpha && f->best > k->low) k->low = (unsigned)f->best & 3;
    if (f->best < beta && f->best < k->high) k->high = (unsigned)f->best & 3;
}

// Tries the next candidate of the topmost frame; goes into it if it has to. False at an end.
static bool try_next(Deep *d, size_t *depth) {
    Frame *f = &d->frames[*depth];
    Try tried;
    if (!search_try(d->s, f->node, d->states[*depth], f->next++, &tried)) return false;
    if (tried.fault) return search_end(d->s, SOLVE_FAULT);
    if (!reserve_known(d, (size_t)tried.node + 1)) return search_end(d->s, SOLVE_MEMORY);
    Known *k = &d->known[tried.node];
    if (tried.fresh) {
        *k = (Known){SECOND_WINS, FIRST_WINS, 0};
        if (oldsow_status(d->s->scratch) == OLDSOW_OVER)
            k->low = k->high = (unsigned)leaf_value(d->s->scratch) & 3;
    }
    if (k->open) {
        d->circles = true;
        return false;
    }
    if (k->low == k->high || k->low >= f->beta) {
        take(f, k->low);
    } else if (k->high <= f->alpha) {
        take(f, k->high);
    } else {
        if (!enter(d, *depth + 1, tried.node, d->s->scratch, f->alpha, f->beta)) return false;
        ++*depth;
    }
    return true;
}

// The exact value of a position of which the state is given, into *value.
static bool value_of(Deep *d, uint32_t node, const OldsowState *state, int *value) {
    Known *k = &d->known[node];
    if (k->low == k->high) {
        *value = k->low;
        return true;
    }
    size_t depth = 0;
    if (!enter(d, 0, node, state, SECOND_WINS, FIRST_WINS)) return false;
    for (;;) {
        Frame *f = &d->frames[depth];
        if (f->next < oldsow_candidates(d->states[depth]) && !settled(f)) {
            if (!try_next(d, &depth)) return false;
            continue;
        }
        leave(d, f);
        if (depth == 0) break;
        take(&d->frames[--depth], f->best);
    }
    *value = d->frames[0].best;
    d->known[node].low = d->known[node].high = (unsigned)*value & 3;
    return true;
}

// Plays on from the first position, each time with the first candidate that keeps the value.
static bool show_line(Deep *d, OldsowState *state, int value) {
    Search *s = d->s;
    SolveAnswer *answer = s->answer;
    uint32_t node = 0;
    size_t cap = 0;
    while (oldsow_status(state) != OLDSOW_OVER) {
        d->known[node].open = 1;
        size_t i = 0, n = oldsow_candidates(state);
        for (int there = -1; i < n; i++) {
            Try tried;
            if (!search_try(s, node, state, i, &tried)) return false;
            if (tried.fault) return search_end(s, SOLVE_FAULT);
            if (!reserve_known(d, (size_t)tried.node + 1)) return search_end(s, SOLVE_MEMORY);
            if (tried.fresh) d->known[tried.node] = (Known){SECOND_WINS, FIRST_WINS, 0};
            d->circles = d->known[tried.node].open;
            if (d->circles) return false;
            bool over = oldsow_status(s->scratch) == OLDSOW_OVER;
            if (over) there = leaf_value(s->scratch);
            if (!over && !value_of(d, tried.node, s->scratch, &there)) return false;
            if (there != value) continue;
            node = tried.node;
            break;
        }
        if (answer->length == cap) {
            cap = cap ? 2 * cap : 64;
            size_t *line = realloc(answer->line, cap * sizeof *line);
            if (!line) return search_end(s, SOLVE_MEMORY);
            answer->line = line;
        }
        answer->line[answer->length++] = i;
        (void)oldsow_play(state, i);
    }
    return true;
}

bool solve_deep(Search *s, bool *circles) {
    Deep d = {.s = s};
    OldsowState *start = oldsow_clone(s->walker.states[0]);
    int value = DRAWN;
    bool fine = start && reserve_known(&d, 1);
    if (!fine) search_end(s, SOLVE_MEMORY);
    if (fine) d.known[0] = (Known){SECOND_WINS, FIRST_WINS, 0};
    if (fine && oldsow_status(start) == OLDSOW_OVER)
        value = leaf_value(start);
    else
        fine = fine && value_of(&d, 0, start, &value) && show_line(&d, start, value);
    *circles = d.circles;
    if (fine) {
        s->answer->winner = value == FIRST_WINS ? 0 : value == SECOND_WINS ? 1 : -1;
        s->answer->any = true;
        search_end(s, SOLVE_VALUE);
    }
    oldsow_state_free(start);
    deep_free(&d);
    return fine;
}
