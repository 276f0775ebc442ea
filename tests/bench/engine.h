// Hand-written engines: the yardstick of the interpreter.
//
// Each plays one game, written from its rules and from no script, with the decisions that the script
// has: one ply is one choice or one throw. A state is a plain struct without pointers that begins
// with an EngineHead; it is copied by assignment, or memcpy of `size` bytes, and owns nothing.
// An engine is one file: it defines State and the functions below, then includes loops.h.
#ifndef OLDSOW_ENGINE_H
#define OLDSOW_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_OPTIONS = 5,
    ENGINE_VALUES = 6,
    ENGINE_NAME_MAX = 24,
    // A relay of more laps than this never ends, as far as anyone can tell.
    ENGINE_LAPS = 1000,
};

typedef enum EngineStatus { // as in OldsowStatus
    ENGINE_CHOICE,
    ENGINE_CHANCE,
    ENGINE_OVER,
    ENGINE_ENDLESS,
} EngineStatus;

typedef enum EngineResult { // as in OldsowResult
    ENGINE_UNDECIDED,
    ENGINE_WON,
    ENGINE_LOST,
    ENGINE_DRAWN,
} EngineResult;

typedef struct EngineHead {
    uint8_t status;
    uint8_t mover;      // who chooses or throws
    uint8_t candidates; // how many there are; 0 when the game is over
    uint8_t result[2];  // of each player; of the first if there is but one
    uint8_t score[2];   // where the game has one
} EngineHead;

typedef struct EngineOption {
    const char *name;
    const char *values[ENGINE_VALUES]; // the default first
} EngineOption;

typedef struct EngineRun { // random games, added up
    uint64_t games, plies, won[2], lost, drawn, unfinished, endless;
} EngineRun;

typedef struct Engine {
    const char *name, *script;
    int players;
    EngineOption options[ENGINE_OPTIONS];
    size_t size;
    // values[i] is an index into options[i].values. Plays on to the first decision.
    void (*start)(void *state, const uint8_t *values);
    // Plays candidate i, below head.candidates, and goes on to the next decision.
    void (*play)(void *state, unsigned i);
    // Writes the name of candidate i; `text` takes ENGINE_NAME_MAX bytes.
    void (*candidate)(const void *state, unsigned i, char *text);
    // How often a throw falls so, among the sum of all weights; 1 for choices.
    unsigned (*weight)(const void *state, unsigned i);
    // A number for the place of that piece on that site (`owner` as in OldsowSite), or -1 if the engine keeps no
    // count of it.
    int (*cell)(const char *site, int owner, const char *piece);
    int (*count)(const void *state, int cell);
    uint64_t (*perft)(const void *state, int depth);
    // Random games from `start`, cut after `max_plies`, added to *run.
    void (*playouts)(const void *start, uint64_t *rng, uint64_t games, uint64_t max_plies,
                     EngineRun *run);
} Engine;

extern const Engine engine_laomuzhu, engine_njombwa, engine_len_doat, engine_mawryngkneng,
    engine_oware, engine_kalah, engine_backgammon;

// ---- what the engines share ----------------------------------------------------------------------

// Without -march the built-in population count is a call, so it is written out.
static inline unsigned engine_ones(uint32_t mask) {
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static inline unsigned engine_lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }

// The place of the i-th one of a mask, counted from 0.
static inline unsigned engine_nth(uint32_t mask, unsigned i) {
    while (i--) mask &= mask - 1;
    return engine_lowest(mask);
}

// The seven bits of x as the lowest bits of seven bytes: copies of x side by side, each a bit further off
// than the last, so that each byte has its bit in front.
static inline uint64_t engine_spread(unsigned x) {
    return x * UINT64_C(0x0002040810204081) & UINT64_C(0x01010101010101);
}

// The lowest bits of eight bytes, gathered.
static inline unsigned engine_gather(uint64_t w) {
    return (unsigned)((w & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56);
}

// splitmix64 (Steele, Lea and Flood 2014).
static inline uint32_t engine_random(uint64_t *rng) {
    uint64_t z = *rng += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32);
}

static inline unsigned engine_below(uint64_t *rng, unsigned n) {
    return (unsigned)((uint64_t)engine_random(rng) * n >> 32);
}

static inline void engine_over(EngineHead *head, EngineResult first, EngineResult second) {
    *head = (EngineHead){.status = ENGINE_OVER, .result = {(uint8_t)first, (uint8_t)second}};
}

static inline void engine_won(EngineHead *head, unsigned player) {
    engine_over(head, player ? ENGINE_LOST : ENGINE_WON, player ? ENGINE_WON : ENGINE_LOST);
}

// Over, and who has more has won.
static inline void engine_scored(EngineHead *head, unsigned first, unsigned second) {
    if (first == second)
        engine_over(head, ENGINE_DRAWN, ENGINE_DRAWN);
    else
        engine_won(head, second > first);
    head->score[0] = (uint8_t)first;
    head->score[1] = (uint8_t)second;
}

static inline void engine_endless(EngineHead *head) {
    *head = (EngineHead){.status = ENGINE_ENDLESS};
}

static inline void engine_ask(EngineHead *head, EngineStatus status, unsigned mover, unsigned n) {
    head->status = (uint8_t)status;
    head->mover = (uint8_t)mover;
    head->candidates = (uint8_t)n;
}

#endif
