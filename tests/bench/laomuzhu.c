// Laomuzhu: relay sowing on two rows of five, with two stones that are told apart.
//
// The zhuer of all ten holes are packed into one word, six bits a hole (there are but 40), in the order
// of the ring a1..e1 e2..a2. Sowing a handful is then one addition: a run of ones, turned round to where
// the sowing begins. A hole never holds two laogu, since the second to come takes the first.
#include "engine.h"

#include <string.h>

enum {
    HOLES = 10,
    SIDE = 5,
    FIELD = 6,
    GROUP = 5,
    STORE = 16
}; // a laogu in p's store is at STORE + p

#define ONES UINT64_C(0x041041041041041) // a one in each of the ten fields
#define ALL ((UINT64_C(1) << FIELD * HOLES) - 1)

enum { // rules
    GOES_ON = 1,
    LAOGU_FIRST = 2,
    FILLED = 4,
    SOUTH_OPENS = 8,
    EACH_ROUND = 16,
};
enum { UNSET, COUNTER_CLOCKWISE, CLOCKWISE };
enum { PLACE_LAOGU, FILL_HOLE, CHOOSE_HOLE, CHOOSE_WAY };

typedef struct State {
    EngineHead head;
    uint8_t rules, asking, way;
    uint8_t opener, side; // who moves first in this round; whose side is laid out
    uint8_t chosen;       // the hole to sow once the way is known
    uint8_t laogu;        // the one to be placed
    uint8_t at[2], owner[2];
    uint8_t store[2];
    uint16_t may; // the holes that may be chosen, a bit each
    uint16_t own[2];
    uint64_t zhuer;
} State;

static const uint16_t sides[2] = {0x01f, 0x3e0};

static unsigned on(const State *s, unsigned hole) { return s->zhuer >> FIELD * hole & 63; }

static bool occupied(const State *s, unsigned hole) {
    return on(s, hole) || s->at[0] == hole || s->at[1] == hole;
}

// The holes with zhuer among five. Smears each field onto its lowest bit, then gathers the five bits,
// six apart, with a multiplication in which no two products meet.
static unsigned five(uint32_t w) {
    w |= w >> 3;
    w |= w >> 1 | w >> 2;
    return ((w & 0x01041041) * UINT64_C(0x108421)) >> 20 & 31;
}

static unsigned all_occupied(const State *s) {
    unsigned mask = five(s->zhuer & 0x3fffffff) | five((uint32_t)(s->zhuer >> 30)) << SIDE;
    for (int l = 0; l < 2; l++)
        if (s->at[l] < HOLES) mask |= 1u << s->at[l];
    return mask;
}

static void ask(State *s, unsigned asking, unsigned mover, unsigned may) {
    s->asking = (uint8_t)asking;
    s->may = (uint16_t)may;
    engine_ask(&s->head, ENGINE_CHOICE, mover, engine_ones(may));
}

// Goes on laying out the round, as far as nobody has to choose.
static void lay_out(State *s) {
    for (; s->side < 2; s->side++) {
        unsigned p = s->side, empty = sides[p] & ~all_occupied(s);
        for (unsigned l = 0; l < 2; l++) {
            if (s->at[l] != STORE + p) continue;
            s->laogu = (uint8_t)l;
            ask(s, PLACE_LAOGU, p, empty);
            return;
        }
        unsigned groups = s->store[p] / GROUP, room = engine_ones(empty);
        if (groups > 0 && groups < room) {
            ask(s, FILL_HOLE, p, empty);
            return;
        }
        if (groups == 0) continue;
        s->store[p] = (uint8_t)(s->store[p] - room * GROUP);
        for (; empty; empty &= empty - 1)
            s->zhuer |= (uint64_t)GROUP << FIELD * engine_lowest(empty);
    }
    unsigned filled = all_occupied(s);
    for (int p = 0; p < 2; p++)
        s->own[p] = (uint16_t)(s->rules & FILLED ? filled & sides[p] : sides[p]);
    ask(s, CHOOSE_HOLE, s->opener, filled);
}

static void new_round(State *s) {
    for (unsigned p = 0; p < 2; p++)
        if (s->store[p] < GROUP && s->at[0] != STORE + p && s->at[1] != STORE + p) {
            engine_won(&s->head, !p);
            return;
        }
    for (int l = 0; l < 2; l++) s->owner[l] = s->at[l] - STORE;
    if (s->rules & EACH_ROUND) s->way = UNSET;
    s->side = 0;
    lay_out(s);
}

static void capture(State *s, unsigned hole, unsigned taker) {
    s->store[taker] = (uint8_t)(s->store[taker] + on(s, hole));
    s->zhuer &= ~(UINT64_C(63) << FIELD * hole);
    for (int l = 0; l < 2; l++)
        if (s->at[l] == hole) s->at[l] = (uint8_t)(STORE + taker);
}

// The hole `steps` below ten further on.
static unsigned along(const State *s, unsigned hole, unsigned steps) {
    unsigned to = s->way == CLOCKWISE ? hole + HOLES - steps : hole + steps;
    return to < HOLES ? to : to - HOLES;
}

// Sows n zhuer from the hole after `hole` on, and gives the last hole.
static unsigned sow(State *s, unsigned hole, unsigned n) {
    uint64_t add = 0;
    for (; n >= HOLES; n -= HOLES) add += ONES;
    unsigned last = along(s, hole, n), first = s->way == CLOCKWISE ? last : along(s, hole, 1);
    uint64_t run = ONES & ((UINT64_C(1) << FIELD * n) - 1);
    s->zhuer += add + ((run << FIELD * first | run >> FIELD * (HOLES - first)) & ALL);
    return last;
}

// Drops a laogu; tells whether the hole was empty.
static bool drop(State *s, unsigned l, unsigned hole) {
    bool empty = !occupied(s, hole);
    if (!empty) capture(s, hole, s->owner[l]);
    s->at[l] = (uint8_t)hole;
    return empty;
}

// One lap; gives its last hole, and tells whether that was empty before its last stone fell.
static unsigned lap(State *s, unsigned hole, bool *empty) {
    unsigned n = on(s, hole), last;
    s->zhuer &= ~(UINT64_C(63) << FIELD * hole);
    if (s->at[0] != hole && s->at[1] != hole) {
        last = sow(s, hole, n);
    } else {
        unsigned l = s->at[1] == hole;
        s->at[l] = STORE; // in the hand
        if (n == 0 || !(s->rules & LAOGU_FIRST)) {
            last = along(s, n ? sow(s, hole, n) : hole, 1);
            *empty = drop(s, l, last);
            return last;
        }
        hole = along(s, hole, 1);
        drop(s, l, hole);
        last = sow(s, hole, n);
    }
    *empty = on(s, last) == 1 && s->at[0] != last && s->at[1] != last;
    return last;
}

static void capture_chain(State *s, unsigned empty, unsigned mover) {
    do {
        unsigned hole = along(s, empty, 1);
        if (!occupied(s, hole)) return;
        capture(s, hole, mover);
        empty = along(s, hole, 1);
    } while (!occupied(s, empty));
}

static void turn(State *s, unsigned hole) {
    unsigned mover = s->head.mover;
    for (int laps = 0;; laps++) {
        if (laps == ENGINE_LAPS) {
            engine_endless(&s->head);
            return;
        }
        bool empty;
        hole = lap(s, hole, &empty);
        if (empty && !(s->rules & GOES_ON)) break;
        hole = along(s, hole, 1);
        if (occupied(s, hole)) continue;
        capture_chain(s, hole, mover);
        break;
    }
    unsigned left = all_occupied(s);
    bool south = left & s->own[0], north = left & s->own[1];
    if (south && north) {
        ask(s, CHOOSE_HOLE, !mover, left);
        return;
    }
    for (unsigned taker = south ? 0 : north ? 1 : mover; left; left &= left - 1)
        capture(s, engine_lowest(left), taker);
    if (!(s->rules & SOUTH_OPENS)) s->opener = !s->opener;
    new_round(s);
}

static void start(State *s, const uint8_t *values) {
    *s = (State){.store = {20, 20}, .at = {STORE, STORE + 1}};
    for (int i = 0; i < 5; i++) s->rules |= (uint8_t)(values[i] << i);
    new_round(s);
}

static void play(State *s, unsigned i) {
    if (s->asking == CHOOSE_WAY) {
        s->way = (uint8_t)(COUNTER_CLOCKWISE + i);
        turn(s, s->chosen);
        return;
    }
    unsigned hole = engine_nth(s->may, i);
    switch (s->asking) {
    case PLACE_LAOGU:
        s->at[s->laogu] = (uint8_t)hole;
        lay_out(s);
        break;
    case FILL_HOLE:
        s->store[s->side] -= GROUP;
        s->zhuer |= (uint64_t)GROUP << FIELD * hole;
        lay_out(s);
        break;
    default:
        if (s->way != UNSET) {
            turn(s, hole);
        } else {
            s->chosen = (uint8_t)hole;
            s->asking = CHOOSE_WAY;
            s->head.candidates = 2;
        }
    }
}

// ---- names ---------------------------------------------------------------------------------------

static const char holes[HOLES][3] = {"a1", "b1", "c1", "d1", "e1", "e2", "d2", "c2", "b2", "a2"};

static void candidate(const State *s, unsigned i, char *text) {
    if (s->asking == CHOOSE_WAY)
        strcpy(text, i ? "clockwise" : "counter-clockwise");
    else
        strcpy(text, holes[engine_nth(s->may, i)]);
}

// Twelve sites by three pieces.
static int cell(const char *site, int owner, const char *piece) {
    static const char *const pieces[] = {"zhuer", "laogu-South", "laogu-North"};
    (void)owner;
    int where = -1, what = -1;
    for (int h = 0; h < HOLES; h++)
        if (strcmp(site, holes[h]) == 0) where = h;
    if (strcmp(site, "store-South") == 0) where = HOLES;
    if (strcmp(site, "store-North") == 0) where = HOLES + 1;
    for (int k = 0; k < 3; k++)
        if (strcmp(piece, pieces[k]) == 0) what = k;
    return where < 0 || what < 0 ? -1 : where * 3 + what;
}

static int count(const State *s, int c) {
    int where = c / 3, what = c % 3;
    bool beside = where >= HOLES;
    if (what == 0) return beside ? s->store[where - HOLES] : (int)on(s, (unsigned)where);
    return s->at[what - 1] == (beside ? STORE + where - HOLES : where);
}

#define ENGINE_WITHOUT_THROWS
#define ENGINE engine_laomuzhu
#define ENGINE_ABOUT                                                                               \
    .name = "laomuzhu", .script = "games/laomuzhu.sow", .players = 2,                              \
    .options = {{"last-in-empty", {"ends", "goes-on"}},                                            \
                {"laogu-sown", {"last", "first"}},                                                 \
                {"own-holes", {"side", "filled"}},                                                 \
                {"opener", {"alternate", "south"}},                                                \
                {"direction-for", {"match", "round"}}}
#include "loops.h"
