// Njombwa, one counter: relay sowing, each player on his own two rows.
//
// A player's holes are the bytes of his circuit: his outer row from his left, then his inner row back from his
// right. Hole i of one player's inner row faces hole 3 * columns - 1 - i of the other's; the outer
// hole behind that is i - columns. A circuit of 2c holes holds at most 2c - 2 counters, so no sowing
// comes round to where it began.
#include "engine.h"

#include <string.h>

enum { MOST = 20, BYTES = 24 }; // holes of a circuit, and the whole words that hold them

typedef struct State {
    EngineHead head;
    uint8_t columns;
    bool no_lone_capture;
    uint8_t left[2]; // counters each player has
    uint32_t may;    // the holes he may sow from, a bit each
    uint8_t rows[2][BYTES];
} State;

// The bytes of eight above `floor`, a bit each; no byte may be above 127. Each byte's carry goes to its highest bit,
// and the multiplication gathers the eight of them.
static uint32_t eight_above(const uint8_t *bytes, unsigned floor) {
    uint64_t w;
    memcpy(&w, bytes, sizeof w);
    w += (127 - floor) * UINT64_C(0x0101010101010101);
    return (uint32_t)((w >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56);
}

static uint32_t above(const State *s, unsigned p, unsigned floor) {
    const uint8_t *r = s->rows[p];
    uint32_t mask = eight_above(r, floor) | eight_above(r + 8, floor) << 8;
    return s->columns == 8 ? mask : mask | eight_above(r + 16, floor) << 16;
}

// What p may sow from: holes of two and more, else single counters before an empty hole.
static uint32_t moves(const State *s, unsigned p) {
    uint32_t many = above(s, p, 1);
    if (many) return many;
    unsigned holes = 2u * s->columns;
    uint32_t single = above(s, p, 0);
    return single & ~(single >> 1 | single << (holes - 1));
}

static void next(State *s, unsigned p) {
    for (int passed = 0; passed < 2; passed++, p = !p) {
        s->may = moves(s, p);
        if (s->may == 0) continue;
        engine_ask(&s->head, ENGINE_CHOICE, p, engine_ones(s->may));
        return;
    }
    engine_over(&s->head, ENGINE_DRAWN, ENGINE_DRAWN);
}

static void play(State *s, unsigned i) {
    unsigned p = s->head.mover, holes = 2u * s->columns, at = engine_nth(s->may, i);
    uint8_t *row = s->rows[p], *theirs = s->rows[!p];
    bool lone = row[at] == 1;
    unsigned before; // in the last hole, before the last counter fell
    int laps = 0;
    do {
        if (laps++ == ENGINE_LAPS) {
            engine_endless(&s->head);
            return;
        }
        unsigned n = row[at];
        row[at] = 0;
        do {
            if (++at == holes) at = 0;
            before = row[at]++;
        } while (--n);
    } while (before > 0);
    if (at >= s->columns && !(lone && s->no_lone_capture)) {
        uint8_t *inner = &theirs[3u * s->columns - 1 - at], *outer = &theirs[at - s->columns];
        if (*inner) {
            s->left[!p] = (uint8_t)(s->left[!p] - *inner - *outer);
            *inner = *outer = 0;
            if (s->left[!p] == 0) {
                engine_won(&s->head, p);
                return;
            }
        }
    }
    next(s, !p);
}

// The opening, played as the rules tell it.
static void open_up(uint8_t *row, unsigned columns) {
    unsigned holes = 2 * columns, first = columns - 1, at = first;
    memset(row, 1, holes);
    while (at != first - 1) {
        unsigned n = row[at];
        row[at] = 0;
        for (; n; n--) {
            at = (at + 1) % holes;
            row[at]++;
        }
    }
    row[first] = (uint8_t)(row[first] + row[at]);
    row[at] = 0;
    row[columns + 1] = 0;
}

static void start(State *s, const uint8_t *values) {
    *s = (State){.columns = (uint8_t)(8 + values[0]), .no_lone_capture = values[1]};
    for (unsigned p = 0; p < 2; p++) {
        open_up(s->rows[p], s->columns);
        for (unsigned h = 0; h < 2u * s->columns; h++)
            s->left[p] = (uint8_t)(s->left[p] + s->rows[p][h]);
    }
    next(s, 0);
}

// ---- names ---------------------------------------------------------------------------------------

static void candidate(const State *s, unsigned i, char *text) {
    unsigned c = s->columns, at = engine_nth(s->may, i);
    bool inner = at >= c;
    unsigned from_left = inner ? 2 * c - 1 - at : at;
    text[0] = (char)('a' + (s->head.mover ? c - 1 - from_left : from_left));
    text[1] = (char)(s->head.mover ? '4' - inner : '1' + inner);
    text[2] = '\0';
}

// Column, then row. What was captured has left the board and is not counted.
static int cell(const char *site, int owner, const char *piece) {
    (void)owner, (void)piece;
    if (strlen(site) != 2 || site[0] < 'a' || site[0] > 'j' || site[1] < '1' || site[1] > '4')
        return -1;
    return (site[0] - 'a') * 4 + site[1] - '1';
}

static int count(const State *s, int c) {
    int columns = s->columns, column = c / 4, row = c % 4;
    bool north = row >= 2, inner = row == 1 || row == 2;
    int from_left = north ? columns - 1 - column : column;
    return s->rows[north][inner ? 2 * columns - 1 - from_left : from_left];
}

#define ENGINE_WITHOUT_THROWS
#define ENGINE engine_njombwa
#define ENGINE_ABOUT                                                                               \
    .name = "njombwa", .script = "games/njombwa.sow", .players = 2,                                \
    .options = {{"columns", {"8", "9", "10"}}, {"lone-counter-captures", {"yes", "no"}}}
#include "loops.h"
