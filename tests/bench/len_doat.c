// Len Doat: a race of three men a side, five cowries.
//
// A man is a number: 0 in hand, 1..53 his step on the way, 54 off. A side's three are kept in order, so that
// men on one step stand together. A use of a throw is a bit: 4 * throw + slot, where slot 0 enters and
// slots 1..3 move the men.
#include "engine.h"

#include <string.h>

enum { MEN = 3, LAST = 53, OFF = LAST + 1, SQUARES = 60 };
enum { AS_THEY_FALL = 1, ENTER_FIRST = 2, SHARED = 4 }; // rules

typedef struct State {
    EngineHead head;
    uint8_t rules;
    bool again; // the throw in use gives another; only as they fall
    uint8_t kept[6];
    uint8_t men[2][MEN];
    uint32_t uses;
} State;

// South's way: row 1 is the first ten squares, a1 is square 0. North's is its half-turn, 59 - square.
// In hand and off are squares that nobody meets.
#define SQ(column, row) ((column) - 'a' + 10 * ((row)-1))
#define RIGHT(a, row) SQ(a, row), SQ(a, row) + 1, SQ(a, row) + 2, SQ(a, row) + 3, SQ(a, row) + 4
#define LEFT(a, row) SQ(a, row), SQ(a, row) - 1, SQ(a, row) - 2, SQ(a, row) - 3, SQ(a, row) - 4
static const int8_t way[OFF + 1] = {
    -1,
    RIGHT('f', 2),
    LEFT('j', 3),
    LEFT('e', 3),
    SQ('a', 2),
    RIGHT('a', 1),
    LEFT('e', 6),
    SQ('a', 5),
    RIGHT('a', 4),
    RIGHT('f', 4),
    SQ('j', 5),
    LEFT('j', 6),
    RIGHT('f', 1),
    LEFT('j', 2),
    -1,
};

// The steps of the way that are castles: j3 a3 a1 a6 a4 j4 j6 j1.
#define STEP(n) (UINT64_C(1) << (n))
static const uint64_t castles =
    STEP(6) | STEP(15) | STEP(17) | STEP(26) | STEP(28) | STEP(37) | STEP(39) | STEP(48);

static bool is_castle(unsigned step) { return castles >> step & 1; }

// Whether one player's step and the other's lie on one square.
static bool meet(unsigned step, unsigned theirs) { return way[step] == SQUARES - 1 - way[theirs]; }

static bool rivals_on(const uint8_t *theirs, unsigned step) {
    return meet(step, theirs[0]) || meet(step, theirs[1]) || meet(step, theirs[2]);
}

static void swap_up(uint8_t *a, uint8_t *b) {
    uint8_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

static void put_in_order(uint8_t *men) {
    swap_up(&men[0], &men[1]);
    swap_up(&men[1], &men[2]);
    swap_up(&men[0], &men[1]);
}

static uint32_t uses_of(const State *s, unsigned v) {
    const uint8_t *men = s->men[s->head.mover], *theirs = s->men[!s->head.mover];
    uint32_t uses = 0;
    // No rival ever stands on the first step, so it is always open.
    if ((v == 1 || v == 5) && men[0] == 0) {
        uses = 1;
        if (s->rules & ENTER_FIRST) return uses << 4 * v;
    }
    for (unsigned m = 0; m < MEN; m++) {
        if (men[m] == 0 || men[m] > LAST || (m > 0 && men[m] == men[m - 1])) continue;
        unsigned to = men[m] + v;
        if (to <= LAST && is_castle(to) && !(s->rules & SHARED) && rivals_on(theirs, to)) continue;
        uses |= 2u << m;
    }
    return uses << 4 * v;
}

static void ask_throw(State *s, unsigned mover) { engine_ask(&s->head, ENGINE_CHANCE, mover, 6); }

// The next use of what was thrown, or the next throw.
static void go_on(State *s) {
    s->uses = 0;
    for (unsigned v = 1; v <= 5; v++)
        if (s->kept[v]) s->uses |= uses_of(s, v);
    if (s->uses) {
        engine_ask(&s->head, ENGINE_CHOICE, s->head.mover, engine_ones(s->uses));
        return;
    }
    memset(s->kept, 0, sizeof s->kept);
    ask_throw(s, s->head.mover ^ !s->again);
    s->again = false;
}

static void send_back(uint8_t *theirs, unsigned step) {
    if (is_castle(step) || !rivals_on(theirs, step)) return;
    for (int m = 0; m < MEN; m++)
        if (meet(step, theirs[m])) theirs[m] = 0;
    put_in_order(theirs);
}

static void play(State *s, unsigned i) {
    if (s->head.status == ENGINE_CHANCE) {
        if (i > 0) s->kept[i]++;
        bool more = i == 1 || i == 5;
        if (!(s->rules & AS_THEY_FALL)) {
            if (!more) go_on(s);
        } else {
            s->again = more;
            go_on(s);
        }
        return;
    }
    unsigned bit = engine_nth(s->uses, i), v = bit / 4, slot = bit % 4;
    uint8_t *men = s->men[s->head.mover];
    s->kept[v]--;
    if (slot == 0) {
        for (int m = 0, in = v == 1 ? 1 : MEN; m < MEN && in > 0; m++)
            if (men[m] == 0) men[m] = 1, in--;
    } else {
        unsigned to = men[slot - 1] + v;
        men[slot - 1] = (uint8_t)(to <= LAST ? to : OFF);
        if (to <= LAST) send_back(s->men[!s->head.mover], to);
    }
    put_in_order(men);
    if (men[0] == OFF)
        engine_won(&s->head, s->head.mover);
    else
        go_on(s);
}

static void start(State *s, const uint8_t *values) {
    *s = (State){0};
    for (int i = 0; i < 3; i++) s->rules |= (uint8_t)(values[i] << i);
    ask_throw(s, 0);
}

static unsigned draw(const State *s, uint64_t *rng) {
    (void)s;
    return engine_ones(engine_random(rng) >> 27); // the mouths up of five
}

// ---- names ---------------------------------------------------------------------------------------

// The name of a step's square; the last five steps, which come there a second time, have a plus.
static void name_step(unsigned player, unsigned step, char *text) {
    int square = player ? SQUARES - 1 - way[step] : way[step];
    text[0] = (char)('a' + square % 10);
    text[1] = (char)('1' + square / 10);
    strcpy(text + 2, step > LAST - 5 ? "+" : "");
}

static void candidate(const State *s, unsigned i, char *text) {
    if (s->head.status == ENGINE_CHANCE) {
        text[0] = (char)('0' + i);
        text[1] = '\0';
        return;
    }
    unsigned bit = engine_nth(s->uses, i), v = bit / 4, slot = bit % 4;
    if (slot == 0) {
        strcpy(text, v == 1 ? "enter-1" : "enter-5");
        return;
    }
    text[0] = (char)('0' + v);
    text[1] = '-';
    name_step(s->head.mover, s->men[s->head.mover][slot - 1], text + 2);
}

static unsigned weight(const State *s, unsigned i) {
    static const uint8_t weights[6] = {1, 5, 10, 10, 5, 1};
    return s->head.status == ENGINE_CHANCE ? weights[i] : 1;
}

// The player's number, then his step.
static int cell(const char *site, int owner, const char *piece) {
    int player = strcmp(piece, "man-North") == 0;
    if (owner != player) return -1; // a square of the board, or the rival's way
    if (strcmp(site, player ? "hand-North" : "hand-South") == 0) return player * 64;
    if (strcmp(site, player ? "off-North" : "off-South") == 0) return player * 64 + OFF;
    for (unsigned step = 1; step <= LAST; step++) {
        char name[ENGINE_NAME_MAX];
        name_step((unsigned)player, step, name);
        if (strcmp(site, name) == 0) return player * 64 + (int)step;
    }
    return -1;
}

static int count(const State *s, int c) {
    const uint8_t *men = s->men[c / 64];
    return (men[0] == c % 64) + (men[1] == c % 64) + (men[2] == c % 64);
}

#define ENGINE engine_len_doat
#define ENGINE_ABOUT                                                                               \
    .name = "len_doat", .script = "games/len-doat.sow", .players = 2,                              \
    .options = {{"throws", {"banked", "as-they-fall"}},                                            \
                {"entering", {"free", "first"}},                                                   \
                {"castle", {"closed", "shared"}}}
#include "loops.h"
