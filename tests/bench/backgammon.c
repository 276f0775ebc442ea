// Backgammon: one game, no cube. Each die is a ply of its own.
//
// Each player counts the points from his own side: 1..24, 25 is the bar, 0 off; his point i is the other's 25 - i.
// Where his men stand and which points are closed to him are bits, so all moves with a die are one shift. Two
// things make the rule of using both dice cheap. No move of a turn closes a move of the same turn: the rival's points
// stay, and a man who moved can only open the way home or off. So of a double every move may begin, and of two
// numbers a move only needs a closer look if the other number has no second man to move.
#include "engine.h"

#include <string.h>

enum { POINTS = 24, BAR = 25, OFF = 0, MEN = 15, HOME = 6 };
enum { DECIDES_ONLY = 1, DOUBLE_AT_MOST = 2 }; // rules
enum { WHO_BEGINS, DICE, FIRST_DIE, LAST_DIE };

typedef struct State {
    EngineHead head;
    uint8_t rules, asking;
    uint8_t die[2];  // the higher first; of a double, or for the last die, only the first
    uint8_t left;    // moves with die[0] when no other is left
    uint32_t may[2]; // points from which a man may move with either
    uint32_t stand[2], closed[2];
    uint8_t men[2][BAR + 1];
} State;

// Whence a man may move by `die`, with men on the points `stand`.
static uint32_t movable(uint32_t stand, uint32_t closed, unsigned die) {
    uint32_t open = ~(closed << die) & ~1u << die; // the second: on to the board
    if (stand >> BAR) return stand & 1u << BAR & open;
    uint32_t from = stand & open;
    if (stand >> (HOME + 1) == 0) { // off: with the very number, or the last man with a greater
        from |= stand & 1u << die;
        if (stand && stand >> die == 0) from |= 1u << (31 - __builtin_clz(stand));
    }
    return from;
}

static uint32_t moves(const State *s, unsigned die) {
    return movable(s->stand[s->head.mover], s->closed[s->head.mover], die);
}

// Those of `from` after which the other die can be played too.
static uint32_t with_both(const State *s, uint32_t from, unsigned die, uint32_t others,
                          unsigned other) {
    unsigned p = s->head.mover;
    if (others & (others - 1)) return from;
    uint32_t good = 0;
    for (; from; from &= from - 1) {
        unsigned point = engine_lowest(from);
        uint32_t stand = s->stand[p];
        if (s->men[p][point] == 1) stand &= ~(1u << point);
        if (point > die) stand |= 1u << (point - die);
        if (movable(stand, s->closed[p], other)) good |= 1u << point;
    }
    return good;
}

static void ask_dice(State *s, unsigned mover, unsigned asking) {
    s->asking = (uint8_t)asking;
    engine_ask(&s->head, ENGINE_CHANCE, mover, asking == WHO_BEGINS ? 36 : 21);
}

// Asks for a move with the one die that is left.
static void ask_last(State *s) {
    s->asking = LAST_DIE;
    s->may[0] = s->left ? moves(s, s->die[0]) : 0;
    s->may[1] = 0;
    if (s->may[0])
        engine_ask(&s->head, ENGINE_CHOICE, s->head.mover, engine_ones(s->may[0]));
    else
        ask_dice(s, !s->head.mover, DICE);
}

static void ask_first(State *s, unsigned a, unsigned b) {
    s->die[0] = (uint8_t)(a > b ? a : b);
    s->die[1] = (uint8_t)(a > b ? b : a);
    s->left = a == b ? 4 : 1;
    if (a == b) {
        ask_last(s);
        return;
    }
    uint32_t high = moves(s, s->die[0]), low = moves(s, s->die[1]);
    uint32_t both_high = with_both(s, high, s->die[0], low, s->die[1]);
    uint32_t both_low = with_both(s, low, s->die[1], high, s->die[0]);
    s->may[0] = both_high | both_low ? both_high : high;
    s->may[1] = both_high | both_low ? both_low : high ? 0 : low;
    if ((s->may[0] | s->may[1]) == 0) {
        ask_dice(s, !s->head.mover, DICE);
        return;
    }
    s->asking = FIRST_DIE;
    engine_ask(&s->head, ENGINE_CHOICE, s->head.mover,
               engine_ones(s->may[0]) + engine_ones(s->may[1]));
}

static void thrown(State *s, unsigned i) {
    if (s->asking == WHO_BEGINS) {
        unsigned south = i / 6 + 1, north = i % 6 + 1;
        if (south == north) return; // once more
        s->head.mover = south < north;
        if (s->rules & DECIDES_ONLY)
            ask_dice(s, s->head.mover, DICE);
        else
            ask_first(s, south, north);
        return;
    }
    unsigned high = 1;
    while (i >= high) i -= high++;
    ask_first(s, high, i + 1);
}

static void place(State *s, unsigned p, unsigned point) {
    if (++s->men[p][point] == 1) s->stand[p] |= 1u << point;
    if (s->men[p][point] == 2) s->closed[!p] |= 1u << (BAR - point);
}

static void lift(State *s, unsigned p, unsigned point) {
    if (--s->men[p][point] == 0) s->stand[p] &= ~(1u << point);
    if (s->men[p][point] == 1) s->closed[!p] &= ~(1u << (BAR - point));
}

static void win(State *s, unsigned p) {
    unsigned points = 1;
    if (s->men[!p][OFF] == 0) {
        points = 2;
        if (!(s->rules & DOUBLE_AT_MOST) && s->stand[!p] >> (POINTS - HOME + 1)) points = 3;
    }
    engine_won(&s->head, p);
    s->head.score[p] = (uint8_t)points;
}

static void move(State *s, unsigned from, unsigned die) {
    unsigned p = s->head.mover;
    lift(s, p, from);
    if (from <= die) {
        s->men[p][OFF]++;
        return;
    }
    unsigned to = from - die;
    if (s->men[!p][BAR - to]) {
        lift(s, !p, BAR - to);
        place(s, !p, BAR);
    }
    place(s, p, to);
}

static void play(State *s, unsigned i) {
    if (s->head.status == ENGINE_CHANCE) {
        thrown(s, i);
        return;
    }
    unsigned high = engine_ones(s->may[0]), second = i >= high;
    move(s, engine_nth(s->may[second], second ? i - high : i), s->die[second]);
    if (s->men[s->head.mover][OFF] == MEN) {
        win(s, s->head.mover);
        return;
    }
    if (s->asking == LAST_DIE)
        s->left--;
    else if (!second)
        s->die[0] = s->die[1];
    ask_last(s);
}

static void start(State *s, const uint8_t *values) {
    static const uint8_t men[][2] = {{24, 2}, {13, 5}, {8, 3}, {6, 5}};
    *s = (State){.rules = (uint8_t)(values[0] | values[1] << 1)};
    for (unsigned p = 0; p < 2; p++)
        for (int i = 0; i < 4; i++)
            for (int n = 0; n < men[i][1]; n++) place(s, p, men[i][0]);
    ask_dice(s, 0, WHO_BEGINS);
}

static unsigned draw(const State *s, uint64_t *rng) {
    unsigned i = engine_below(rng, 36), a = i / 6, b = i % 6;
    if (s->asking == WHO_BEGINS) return i;
    return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

// ---- names ---------------------------------------------------------------------------------------

// Point 1 of South is l1, 12 a1, 13 a2, 24 l2; North's are the facing ones.
static void name_point(unsigned p, unsigned point, char *text) {
    if (point == BAR) {
        strcpy(text, p ? "bar-North" : "bar-South");
        return;
    }
    bool near = point <= POINTS / 2;
    text[0] = (char)(near ? 'l' - (point - 1) : 'a' + (point - 13));
    text[1] = (char)(near == (p == 0) ? '1' : '2');
    text[2] = '\0';
}

static void candidate(const State *s, unsigned i, char *text) {
    unsigned second = 0, high = 1;
    text[1] = '-';
    if (s->head.status == ENGINE_CHOICE) {
        high = engine_ones(s->may[0]);
        second = i >= high;
        text[0] = (char)('0' + s->die[second]);
        name_point(s->head.mover, engine_nth(s->may[second], second ? i - high : i), text + 2);
        return;
    }
    if (s->asking == WHO_BEGINS) {
        high = i / 6 + 1;
        i %= 6;
    } else {
        while (i >= high) i -= high++;
    }
    text[0] = (char)('0' + high);
    text[2] = (char)('1' + i);
    text[3] = '\0';
}

static unsigned weight(const State *s, unsigned i) {
    if (s->head.status == ENGINE_CHOICE || s->asking == WHO_BEGINS) return 1;
    return i == 0 || i == 2 || i == 5 || i == 9 || i == 14 || i == 20 ? 1 : 2; // doubles
}

// The player's number, then his point.
static int cell(const char *site, int owner, const char *piece) {
    unsigned player = strcmp(piece, "man-North") == 0;
    if (owner >= 0 && (unsigned)owner != player) return -1;
    if (strncmp(site, "off-", 4) == 0) return (int)player * 32;
    for (unsigned point = 1; point <= BAR; point++) {
        char name[ENGINE_NAME_MAX];
        name_point(player, point, name);
        if (strcmp(site, name) == 0) return (int)(player * 32 + point);
    }
    return -1;
}

static int count(const State *s, int c) { return s->men[c / 32][c % 32]; }

#define ENGINE engine_backgammon
#define ENGINE_ABOUT                                                                               \
    .name = "backgammon", .script = "examples/backgammon.sow", .players = 2,                       \
    .options = {{"first-throw", {"played", "decides-only"}}, {"backgammon", {"triple", "double"}}}
#include "loops.h"
