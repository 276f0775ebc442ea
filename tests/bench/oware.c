// Oware: sowing on two rows of six; a last hole of two or three on the rival's side is taken, and those before
// it. Who leaves the other nothing must feed him if he can.
//
// A row is a word, a byte a hole, from its owner's left. Sowing is an addition: a run of bits, one for each hole
// that gets a seed, spread over the bytes of both rows.
#include "engine.h"

#include <string.h>

enum { ROW = 6, HOLES = 12, HALF = 24, MOST_SEEN = 512 };
enum { NOTHING, FORBIDDEN, CAPTURES }; // what a grand slam does

typedef struct State {
    EngineHead head;
    uint8_t slam;
    uint8_t store[2];
    uint8_t may; // holes of the mover, a bit each
    uint64_t rows[2];
    // The positions since the last capture (none comes back after one): rows and mover, mixed. What comes
    // after the first MOST_SEEN is not noted; among a million random games none had more than 451.
    uint16_t nseen;
    uint64_t seen[MOST_SEEN];
} State;

// What a sowing leads to.
typedef struct Sown {
    uint64_t mine, theirs;
    unsigned taken;
} Sown;

#define ROW_OF_ONES UINT64_C(0x010101010101)

static unsigned in_hole(uint64_t row, unsigned hole) { return row >> 8 * hole & 255; }

// All the seeds of a row: the highest byte that the multiplication leaves is the sum of six.
static unsigned seeds(uint64_t row) { return (unsigned)(row * ROW_OF_ONES >> 40 & 255); }

// The holes of a row that are not empty. No byte is above 127.
static unsigned occupied(uint64_t row) { return engine_gather((row + 127 * ROW_OF_ONES) >> 7); }

static Sown sow(const State *s, unsigned from) {
    Sown sown = {s->rows[s->head.mover], s->rows[!s->head.mover], 0};
    unsigned n = in_hole(sown.mine, from);
    sown.mine &= ~(UINT64_C(255) << 8 * from);
    for (; n >= HOLES; n -= HOLES - 1) { // once round, past the hole it came from
        sown.mine += ROW_OF_ONES & ~(UINT64_C(255) << 8 * from);
        sown.theirs += ROW_OF_ONES;
    }
    unsigned run = ((1u << n) - 1) << (from + 1), last = from + n;
    run |= run >> HOLES;
    sown.mine += engine_spread(run & 63);
    sown.theirs += engine_spread(run >> ROW & 63);

    if (last >= HOLES || last < ROW) return sown;
    uint64_t left = sown.theirs;
    for (unsigned hole = last - ROW + 1; hole-- > 0;) {
        unsigned lie = in_hole(left, hole);
        if (lie != 2 && lie != 3) break;
        left &= ~(UINT64_C(255) << 8 * hole);
        sown.taken += lie;
    }
    if (left == 0 && s->slam == NOTHING)
        sown.taken = 0;
    else
        sown.theirs = left;
    return sown;
}

static unsigned moves(const State *s) {
    unsigned may = occupied(s->rows[s->head.mover]);
    bool feed = s->rows[!s->head.mover] == 0;
    if (!feed && s->slam != FORBIDDEN) return may;
    for (unsigned left = may; left; left &= left - 1) {
        unsigned hole = engine_lowest(left);
        if (sow(s, hole).theirs == 0) may &= ~(1u << hole);
    }
    return may;
}

static void end(State *s) {
    for (int p = 0; p < 2; p++) {
        s->store[p] = (uint8_t)(s->store[p] + seeds(s->rows[p]));
        s->rows[p] = 0;
    }
    engine_scored(&s->head, s->store[0], s->store[1]);
}

// Notes the position; tells whether it has come up for the third time.
static bool third_time(State *s) {
    uint64_t key =
        (s->rows[0] * UINT64_C(0x9e3779b97f4a7c15) ^ s->rows[1]) * UINT64_C(0xbf58476d1ce4e5b9) +
        s->head.mover;
    unsigned times = 0;
    for (unsigned i = 0; i < s->nseen; i++) times += s->seen[i] == key;
    if (s->nseen < MOST_SEEN) s->seen[s->nseen++] = key;
    return times >= 2;
}

static void ask(State *s, unsigned mover) {
    s->head.mover = (uint8_t)mover;
    s->may = (uint8_t)moves(s);
    if (s->may == 0 || third_time(s))
        end(s);
    else
        engine_ask(&s->head, ENGINE_CHOICE, mover, engine_ones(s->may));
}

static void start(State *s, const uint8_t *values) {
    *s = (State){.slam = values[0], .rows = {4 * ROW_OF_ONES, 4 * ROW_OF_ONES}};
    ask(s, 0);
}

static void play(State *s, unsigned i) {
    unsigned mover = s->head.mover;
    Sown sown = sow(s, engine_nth(s->may, i));
    s->rows[mover] = sown.mine;
    s->rows[!mover] = sown.theirs;
    if (sown.taken) {
        s->store[mover] = (uint8_t)(s->store[mover] + sown.taken);
        s->nseen = 0;
    }
    if (s->store[mover] > HALF)
        engine_scored(&s->head, s->store[0], s->store[1]);
    else
        ask(s, !mover);
}

// ---- names ---------------------------------------------------------------------------------------

static void candidate(const State *s, unsigned i, char *text) {
    unsigned hole = engine_nth(s->may, i);
    text[0] = (char)(s->head.mover ? 'f' - hole : 'a' + hole);
    text[1] = (char)('1' + s->head.mover);
    text[2] = '\0';
}

// Column, then row; the stores are a seventh column.
static int cell(const char *site, int owner, const char *piece) {
    (void)piece;
    if (strncmp(site, "store-", 6) == 0) return ROW * 2 + owner;
    return (site[0] - 'a') * 2 + site[1] - '1';
}

static int count(const State *s, int c) {
    unsigned column = (unsigned)c / 2, row = (unsigned)c % 2;
    if (column == ROW) return s->store[row];
    return (int)in_hole(s->rows[row], row ? ROW - 1 - column : column);
}

#define ENGINE_WITHOUT_THROWS
#define ENGINE engine_oware
#define ENGINE_ABOUT                                                                               \
    .name = "oware", .script = "examples/oware.sow", .players = 2,                                 \
    .options = {{"grand-slam", {"captures-nothing", "forbidden", "captures"}}}
#include "loops.h"
