#include <stdlib.h>
#include <string.h>

#include "solve_search.h"

// The whole game: every position, where each leads, and what it is worth. Worked out backwards from
// the ends: a position is won for its mover if one candidate leads to what is won for him, and lost
// if all lead to what is won for the other. What is never decided that way nobody can force: a
// draw, by its end or by going round.
enum { NOBODY = 2 };

typedef struct Graph {
    uint32_t n; // positions
    uint32_t
        *first; // n + 1: the edges of position i are first[i] .. first[i + 1] - 1, one a candidate
    size_t first_cap;
    uint32_t *to;
    size_t nedges, edges_cap;
    uint8_t *mover;  // n: of a leaf too
    uint8_t *winner; // n: 0, 1 or NOBODY
    size_t nodes_cap;
    uint32_t *distance; // n: plies to the win
} Graph;

static void graph_free(Graph *g) {
    free(g->first);
    free(g->to);
    free(g->mover);
    free(g->winner);
    free(g->distance);
}

static void *more(Space *space, void *at, size_t *cap, size_t need, size_t size) {
    if (need <= *cap) return at;
    size_t wanted = *cap ? *cap + *cap / 2 : 4096;
    if (wanted < need) wanted = need;
    if (!space_charge(space, (wanted - *cap) * size)) return NULL;
    void *grown = realloc(at, wanted * size);
    if (grown) *cap = wanted;
    return grown;
}

// ---- forwards: all positions and edges ------------------------------------------------------

int solve_winner(const OldsowState *over) {
    OldsowResult first = oldsow_result(over, 0), second = oldsow_result(over, 1);
    if ((first == OLDSOW_WON) != (second == OLDSOW_WON)) return first == OLDSOW_WON ? 0 : 1;
    if ((first == OLDSOW_LOST) != (second == OLDSOW_LOST)) return first == OLDSOW_LOST ? 1 : 0;
    return -1;
}

static bool add_position(Search *s, Graph *g, const OldsowState *state) {
    size_t mover_cap = g->nodes_cap, winner_cap = g->nodes_cap;
    uint8_t *mover = more(&s->space, g->mover, &mover_cap, g->n + 1, 1);
    if (!mover) return search_end(s, SOLVE_MEMORY);
    g->mover = mover;
    uint8_t *winner = more(&s->space, g->winner, &winner_cap, g->n + 1, 1);
    if (!winner) return search_end(s, SOLVE_MEMORY);
    g->winner = winner;
    g->nodes_cap = winner_cap;
    g->mover[g->n] = oldsow_mover(state) == 1;
    bool over = oldsow_status(state) == OLDSOW_OVER;
    g->winner[g->n++] = over && solve_winner(state) >= 0 ? (uint8_t)solve_winner(state) : NOBODY;
    return true;
}

static bool add_edge(Search *s, Graph *g, uint32_t to) {
    uint32_t *edges = more(&s->space, g->to, &g->edges_cap, g->nedges + 1, sizeof *edges);
    if (!edges || g->nedges >= UINT32_MAX - 1) return search_end(s, SOLVE_MEMORY);
    g->to = edges;
    g->to[g->nedges++] = to;
    return true;
}

static bool begin_edges(Search *s, Graph *g, uint32_t node) {
    uint32_t *first = more(&s->space, g->first, &g->first_cap, (size_t)node + 2, sizeof *first);
    if (!first) return search_end(s, SOLVE_MEMORY);
    g->first = first;
    g->first[node] = g->first[node + 1] = (uint32_t)g->nedges;
    return true;
}

static bool expand(Search *s, Graph *g, uint32_t node) {
    if (!begin_edges(s, g, node)) return false;
    if (space_node(&s->space, node).leaf) return true;
    const OldsowState *state = walker_go(&s->walker, node);
    if (!state) return search_end(s, SOLVE_MEMORY);
    for (size_t i = 0; i < oldsow_candidates(state); i++) {
        Try tried;
        if (!search_try(s, node, state, i, &tried)) return false;
        if (tried.fault) return search_end(s, SOLVE_FAULT);
        if (tried.fresh && !add_position(s, g, s->scratch)) return false;
        if (!add_edge(s, g, tried.node)) return false;
    }
    g->first[node + 1] = (uint32_t)g->nedges;
    return true;
}

static bool explore(Search *s, Graph *g) {
    if (!add_position(s, g, s->walker.states[0])) return false;
    for (uint32_t node = 0; node < s->space.count; node++)
        if (!expand(s, g, node)) return false;
    return true;
}

// ---- backwards: who can force a win, and how fast -------------------------------------------

typedef struct Backwards {
    uint32_t *first, *from; // the edges turned round, as in the graph
    uint32_t *left;         // edges of a position that do not yet lead to a loss of its mover
    uint32_t *queue;        // positions decided, nearest to their win first
    size_t n;
} Backwards;

static void backwards_free(Backwards *b) {
    free(b->first);
    free(b->from);
    free(b->left);
    free(b->queue);
}

static bool turn_round(const Graph *g, Backwards *b) {
    b->first = calloc((size_t)g->n + 2, sizeof *b->first);
    b->from = malloc((g->nedges + 1) * sizeof *b->from);
    b->left = malloc(((size_t)g->n + 1) * sizeof *b->left);
    b->queue = malloc(((size_t)g->n + 1) * sizeof *b->queue);
    if (!b->first || !b->from || !b->left || !b->queue) return false;
    // first[i + 2] counts the edges into i; summed up, first[i + 1] is where the next of them goes,
    // and when all are placed, where those of i + 1 begin.
    for (size_t e = 0; e < g->nedges; e++) b->first[g->to[e] + 2]++;
    for (size_t i = 2; i <= g->n; i++) b->first[i] += b->first[i - 1];
    for (uint32_t node = 0; node < g->n; node++) {
        b->left[node] = g->first[node + 1] - g->first[node];
        for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++)
            b->from[b->first[g->to[e] + 1]++] = node;
    }
    return true;
}

static void decide(Graph *g, Backwards *b, uint32_t node, uint8_t winner, uint32_t distance) {
    g->winner[node] = winner;
    g->distance[node] = distance;
    b->queue[b->n++] = node;
}

static bool work_backwards(Search *s, Graph *g, Backwards *b) {
    for (uint32_t node = 0; node < g->n; node++)
        if (g->winner[node] != NOBODY) decide(g, b, node, g->winner[node], 0);
    for (size_t at = 0; at < b->n; at++) {
        if (watch_stops(s->how->watch, at + 1)) return search_end(s, SOLVE_STOPPED);
        uint32_t node = b->queue[at];
        uint8_t winner = g->winner[node];
        for (uint32_t e = b->first[node]; e < b->first[node + 1]; e++) {
            uint32_t before = b->from[e];
            if (g->winner[before] != NOBODY) continue;
            if (g->mover[before] == winner || --b->left[before] == 0)
                decide(g, b, before, winner, g->distance[node] + 1);
        }
    }
    return true;
}

static bool evaluate(Search *s, Graph *g) {
    size_t bytes = ((size_t)g->n * 4 + 8 + g->nedges) * sizeof(uint32_t);
    if (!space_charge(&s->space, bytes)) return search_end(s, SOLVE_MEMORY);
    g->distance = calloc((size_t)g->n + 1, sizeof *g->distance);
    Backwards b = {0};
    bool fine = g->distance && turn_round(g, &b);
    if (!fine) search_end(s, SOLVE_MEMORY);
    fine = fine && work_backwards(s, g, &b);
    backwards_free(&b);
    return fine;
}

// ---- a line of best play --------------------------------------------------------------------

// The candidate of best play: towards a win the one that is nearest to it, which for the loser is
// the farthest; in a draw one that keeps it, an end rather than more of the same.
static uint32_t best_edge(const Search *s, const Graph *g, uint32_t node) {
    uint32_t best = g->first[node + 1];
    for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
        uint32_t to = g->to[e];
        if (g->winner[to] != g->winner[node]) continue;
        if (g->winner[node] == NOBODY) {
            if (space_node(&s->space, to).leaf) return e;
            if (best == g->first[node + 1]) best = e;
        } else if (g->distance[to] + 1 == g->distance[node]) {
            return e;
        }
    }
    return best;
}

static bool best_line(Search *s, const Graph *g) {
    SolveAnswer *answer = s->answer;
    uint8_t *seen = calloc((size_t)g->n + 1, 1);
    answer->line = malloc(((size_t)g->n + 1) * sizeof *answer->line);
    if (!seen || !answer->line) {
        free(seen);
        return search_end(s, SOLVE_MEMORY);
    }
    uint32_t node = 0;
    while (!space_node(&s->space, node).leaf && !seen[node]) {
        seen[node] = 1;
        uint32_t edge = best_edge(s, g, node);
        answer->line[answer->length++] = edge - g->first[node];
        node = g->to[edge];
    }
    answer->circles = seen[node];
    free(seen);
    answer->winner = g->winner[0] == NOBODY ? -1 : g->winner[0];
    answer->moves = answer->winner < 0 ? 0 : g->distance[0];
    return search_end(s, SOLVE_VALUE);
}

bool solve_two(Search *s) {
    Graph g = {0};
    bool fine = explore(s, &g) && evaluate(s, &g) && best_line(s, &g);
    graph_free(&g);
    return fine;
}
