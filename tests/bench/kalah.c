// Kalah: sowing into one's own store as well; a last seed there gives another move, one in an own empty
// hole takes what lies opposite.
//
// A player's row is a word, a byte a hole from his left, and his store the byte after them. From where he
// moves the ring is his row, his store, the rival's row: a run of bits spread over the bytes sows it.
#include "engine.h"

#include <string.h>

typedef struct State {
    EngineHead head;
    uint8_t columns;
    bool lone_taken;
    uint8_t may; // holes of the mover, a bit each
    uint64_t rows[2];
} State;

#define BYTES UINT64_C(0x0101010101010101)

static unsigned in_hole(uint64_t row, unsigned hole) { return row >> 8 * hole & 255; }
static uint64_t hole_mask(unsigned hole) { return UINT64_C(255) << 8 * hole; }
static uint64_t holes_of(const State *s, uint64_t row) {
    return row & ((UINT64_C(1) << 8 * s->columns) - 1);
}

static void end(State *s) {
    for (int p = 0; p < 2; p++) {
        uint64_t row = holes_of(s, s->rows[p]);
        s->rows[p] = s->rows[p] - row + ((row * BYTES >> 56) << 8 * s->columns);
    }
    engine_scored(&s->head, in_hole(s->rows[0], s->columns), in_hole(s->rows[1], s->columns));
}

static void ask(State *s, unsigned mover) {
    uint64_t row = holes_of(s, s->rows[mover]);
    if (row == 0 || holes_of(s, s->rows[!mover]) == 0) {
        end(s);
        return;
    }
    s->may = (uint8_t)engine_gather((row + 127 * BYTES) >> 7);
    engine_ask(&s->head, ENGINE_CHOICE, mover, engine_ones(s->may));
}

static void start(State *s, const uint8_t *values) {
    static const uint8_t columns[] = {6, 1, 2, 3, 4, 5}, seeds[] = {4, 1, 2, 3, 5, 6};
    *s = (State){.columns = columns[values[0]], .lone_taken = values[2]};
    s->rows[0] = s->rows[1] = holes_of(s, seeds[values[1]] * BYTES);
    ask(s, 0);
}

static void play(State *s, unsigned i) {
    unsigned mover = s->head.mover, columns = s->columns, ring = 2 * columns + 1;
    unsigned from = engine_nth(s->may, i);
    uint64_t mine = s->rows[mover], theirs = s->rows[!mover];
    unsigned n = in_hole(mine, from);
    mine &= ~hole_mask(from);
    for (; n >= ring; n -= ring) {
        mine += engine_spread((1u << (columns + 1)) - 1);
        theirs += engine_spread((1u << columns) - 1);
    }
    unsigned run = ((1u << n) - 1) << (from + 1), last = from + n;
    run |= run >> ring;
    if (last >= ring) last -= ring;
    mine += engine_spread(run & ((1u << (columns + 1)) - 1));
    theirs += engine_spread(run >> (columns + 1) & ((1u << columns) - 1));

    if (last < columns && in_hole(mine, last) == 1) {
        unsigned facing = columns - 1 - last, taken = in_hole(theirs, facing);
        if (taken || s->lone_taken) {
            theirs &= ~hole_mask(facing);
            mine = (mine & ~hole_mask(last)) + ((uint64_t)(taken + 1) << 8 * columns);
        }
    }
    s->rows[mover] = mine;
    s->rows[!mover] = theirs;
    ask(s, last == columns ? mover : !mover);
}

// ---- names ---------------------------------------------------------------------------------------

static void candidate(const State *s, unsigned i, char *text) {
    unsigned hole = engine_nth(s->may, i);
    text[0] = (char)('a' + (s->head.mover ? s->columns - 1u - hole : hole));
    text[1] = (char)('1' + s->head.mover);
    text[2] = '\0';
}

// Column, then row; the stores are a seventh column.
static int cell(const char *site, int owner, const char *piece) {
    (void)piece;
    if (strncmp(site, "store-", 6) == 0) return 12 + owner;
    return (site[0] - 'a') * 2 + site[1] - '1';
}

static int count(const State *s, int c) {
    unsigned column = (unsigned)c / 2, row = (unsigned)c % 2, columns = s->columns;
    if (column == 6) return (int)in_hole(s->rows[row], columns);
    return (int)in_hole(s->rows[row], row ? columns - 1 - column : column);
}

#define ENGINE_WITHOUT_THROWS
#define ENGINE engine_kalah
#define ENGINE_ABOUT                                                                               \
    .name = "kalah", .script = "examples/kalah.sow", .players = 2,                                 \
    .options = {{"columns", {"6", "1", "2", "3", "4", "5"}},                                       \
                {"seeds", {"4", "1", "2", "3", "5", "6"}},                                         \
                {"lone-seed", {"stays", "taken"}}}
#include "loops.h"
