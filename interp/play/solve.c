#include "solve.h"

#include <stdlib.h>

#include "../game.h"
#include "solve_search.h"

bool search_end(Search *search, SolveEnd end) {
    search->answer->end = end;
    return false;
}

// Makes the way to a position the answer's line. False if there is no memory; the answer then says
// so.
static bool search_line(Search *s, uint32_t node) {
    size_t length = space_node(&s->space, node).depth;
    free(s->answer->line);
    s->answer->length = 0;
    s->answer->line = malloc((length + 1) * sizeof *s->answer->line);
    if (!s->answer->line) return search_end(s, SOLVE_MEMORY);
    s->answer->length = length;
    for (size_t i = length; i-- > 0; node = space_node(&s->space, node).parent)
        s->answer->line[i] = space_node(&s->space, node).via;
    return true;
}

static bool note_fault(Search *s, uint32_t parent, size_t i) {
    SolveAnswer *answer = s->answer;
    if (answer->faults++ > 0) return true;
    answer->fault = oldsow_clone(s->scratch);
    if (!answer->fault || !search_line(s, parent)) return search_end(s, SOLVE_MEMORY);
    answer->line[answer->length++] = i; // search_line leaves room for one
    return true;
}

bool search_try(Search *s, uint32_t parent, const OldsowState *state, size_t i, Try *tried) {
    *tried = (Try){0};
    if (watch_stops(s->how->watch, ++s->looked)) return search_end(s, SOLVE_STOPPED);
    OldsowStatus status = oldsow_play_from(s->scratch, state, i);
    if (status == OLDSOW_FAULT) {
        tried->fault = true;
        return note_fault(s, parent, i);
    }
    switch (space_add(&s->space, s->scratch, parent, (uint32_t)i, &tried->node)) {
    case SPACE_NEW: tried->fresh = true; break;
    case SPACE_KNOWN: break;
    case SPACE_FULL: return search_end(s, SOLVE_LIMIT);
    case SPACE_NO_MEMORY: return search_end(s, SOLVE_MEMORY);
    }
    if (status != OLDSOW_CHANCE) return true;
    if (!search_line(s, tried->node)) return false;
    return search_end(s, SOLVE_CHANCE);
}

// ---- one player -----------------------------------------------------------------------------

// Positions to be looked at: in the order of finding, or the last found first.
typedef struct Agenda {
    bool depth_first;
    uint32_t next; // breadth first: all before it were looked at
    uint32_t *stack;
    size_t n, cap;
} Agenda;

static bool agenda_push(Search *s, Agenda *a, uint32_t node) {
    if (!a->depth_first) return true; // the space itself is in the order of finding
    if (a->n == a->cap) {
        size_t cap = a->cap ? 2 * a->cap : 1024;
        if (!space_charge(&s->space, (cap - a->cap) * sizeof *a->stack)) return false;
        uint32_t *stack = realloc(a->stack, cap * sizeof *stack);
        if (!stack) return false;
        a->stack = stack;
        a->cap = cap;
    }
    a->stack[a->n++] = node;
    return true;
}

static bool agenda_pop(const Search *s, Agenda *a, uint32_t *node) {
    if (a->depth_first ? a->n == 0 : a->next == s->space.count) return false;
    *node = a->depth_first ? a->stack[--a->n] : a->next++;
    return true;
}

static bool found(Search *s, uint32_t node) {
    if (!search_line(s, node)) return false;
    s->answer->moves = s->answer->length;
    return search_end(s, SOLVE_WON);
}

static bool won(const OldsowState *state) {
    return oldsow_status(state) == OLDSOW_OVER && oldsow_result(state, 0) == OLDSOW_WON;
}

static bool expand(Search *s, Agenda *agenda, uint32_t node) {
    if (space_node(&s->space, node).leaf) return true;
    const OldsowState *state = walker_go(&s->walker, node);
    if (!state) return search_end(s, SOLVE_MEMORY);
    size_t first = agenda->n;
    for (size_t i = 0; i < oldsow_candidates(state); i++) {
        Try tried;
        if (!search_try(s, node, state, i, &tried)) return false;
        if (tried.fault || !tried.fresh) continue;
        if (won(s->scratch)) return found(s, tried.node);
        if (!agenda_push(s, agenda, tried.node)) return search_end(s, SOLVE_MEMORY);
    }
    // The first candidate is tried first: it has to lie on top.
    for (size_t low = first, high = agenda->n; low + 1 < high; low++) {
        uint32_t swapped = agenda->stack[low];
        agenda->stack[low] = agenda->stack[--high];
        agenda->stack[high] = swapped;
    }
    return true;
}

static bool solve_one(Search *s) {
    Agenda agenda = {.depth_first = s->how->any};
    if (won(s->walker.states[0])) return found(s, 0);
    bool going = agenda_push(s, &agenda, 0) || search_end(s, SOLVE_MEMORY);
    uint32_t node;
    while (going && agenda_pop(s, &agenda, &node)) going = expand(s, &agenda, node);
    free(agenda.stack);
    return going ? search_end(s, SOLVE_HOPELESS) : false;
}

// ---- both -----------------------------------------------------------------------------------

static bool begin(Search *s, const OldsowState *start) {
    uint32_t root;
    if (walker_init(&s->walker, &s->space, start) &&
        space_add(&s->space, start, 0, 0, &root) == SPACE_NEW)
        return true;
    return search_end(s, SOLVE_MEMORY);
}

// Depth first, and if that is no way to do it, the whole game.
static bool solve_any(Search *s, const OldsowState *start) {
    bool circles;
    bool fine = solve_deep(s, &circles);
    if (!circles) return fine;
    uint64_t limit = s->space.limit;
    size_t memory = s->space.memory_cap;
    walker_free(&s->walker);
    space_free(&s->space);
    space_init(&s->space, s->game, limit, memory);
    s->answer->length = 0;
    free(s->answer->line);
    s->answer->line = NULL;
    return begin(s, start) && solve_two(s);
}

static bool run(Search *s, OldsowState *start) {
    if (!start) return search_end(s, SOLVE_MEMORY);
    if (oldsow_status(start) == OLDSOW_FAULT) {
        s->answer->faults = 1;
        s->answer->fault = oldsow_clone(start);
        return search_end(s, oldsow_players(s->game) == 1 ? SOLVE_HOPELESS : SOLVE_FAULT);
    }
    if (oldsow_status(start) == OLDSOW_CHANCE) return search_end(s, SOLVE_CHANCE);
    s->scratch = oldsow_clone(start);
    if (!s->scratch) return search_end(s, SOLVE_MEMORY);
    if (!begin(s, start)) return false;
    if (oldsow_players(s->game) == 1) return solve_one(s);
    return s->how->any ? solve_any(s, start) : solve_two(s);
}

// Rules that ask for earlier positions tell apart what the vectors do not.
static bool looks_back(const OldsowGame *game) { return game->program.remembers; }

SolveAnswer solve(const OldsowGame *game, const Solve *how) {
    SolveAnswer answer = {.winner = -1};
    Search search = {.game = game, .how = how, .answer = &answer};
    int players = oldsow_players(game);
    if (players > 2 || looks_back(game)) {
        answer.end = players > 2 ? SOLVE_PLAYERS : SOLVE_HISTORY;
        return answer;
    }
    uint64_t limit = how->limit                 ? how->limit
                     : players == 1 || how->any ? SOLVE_LIMIT_ONE
                                                : SOLVE_LIMIT_TWO;
    size_t memory = how->memory_cap ? how->memory_cap : space_memory_default();
    space_init(&search.space, game, limit, memory);
    OldsowState *start = oldsow_start(game);
    run(&search, start);
    answer.positions = search.space.count;
    oldsow_state_free(start);
    oldsow_state_free(search.scratch);
    walker_free(&search.walker);
    space_free(&search.space);
    return answer;
}

void solve_free(SolveAnswer *answer) {
    free(answer->line);
    oldsow_state_free(answer->fault);
    *answer = (SolveAnswer){0};
}
