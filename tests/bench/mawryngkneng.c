// Mawryngkneng solitaire: crosses and noughts on seven points in a line change places.
//
// One point is empty, so a move is the piece that comes there: from one of two points on either side.
#include "engine.h"

#include <string.h>

enum { POINTS = 7, CENTRE = 3, ENDS = 0x07, OTHER_ENDS = 0x70 };
enum { STEPS = 1, OTHER_ONLY = 2, IN_TURN = 4, FORWARD = 8 }; // rules
enum { CROSS, NOUGHT, EITHER };

typedef struct State {
    EngineHead head;
    uint8_t rules;
    uint8_t empty;
    uint8_t crosses; // a bit for each point
    uint8_t next;    // the kind that must move, or either
    uint8_t may;     // the points from which a piece may come
} State;

static bool is_cross(const State *s, int point) { return s->crosses >> point & 1; }

static bool may_come(const State *s, int from, bool jump) {
    bool cross = is_cross(s, from);
    if (s->next != EITHER && s->next != (cross ? CROSS : NOUGHT)) return false;
    if ((s->rules & FORWARD) && cross != (from < s->empty)) return false;
    return !jump || !(s->rules & OTHER_ONLY) || is_cross(s, (from + s->empty) / 2) != cross;
}

static void ask(State *s, bool steps, bool jumps) {
    unsigned may = 0;
    for (int away = 1; away <= 2; away++) {
        if (!(away == 1 ? steps : jumps)) continue;
        int down = s->empty - away, up = s->empty + away;
        if (down >= 0 && may_come(s, down, away == 2)) may |= 1u << down;
        if (up < POINTS && may_come(s, up, away == 2)) may |= 1u << up;
    }
    s->may = (uint8_t)may;
    engine_ask(&s->head, ENGINE_CHOICE, 0, engine_ones(may));
    if (may == 0) engine_over(&s->head, ENGINE_LOST, ENGINE_UNDECIDED);
}

static void start(State *s, const uint8_t *values) {
    *s = (State){.empty = CENTRE, .crosses = ENDS, .next = EITHER};
    for (int i = 0; i < 4; i++) s->rules |= (uint8_t)(values[i] << i);
    ask(s, true, false);
}

static void play(State *s, unsigned i) {
    unsigned from = engine_nth(s->may, i);
    bool cross = is_cross(s, (int)from);
    if (cross) s->crosses ^= (uint8_t)(1u << from | 1u << s->empty);
    s->empty = (uint8_t)from;
    if (s->crosses == OTHER_ENDS && from == CENTRE) {
        engine_over(&s->head, ENGINE_WON, ENGINE_UNDECIDED);
        return;
    }
    if (s->rules & IN_TURN) s->next = cross ? NOUGHT : CROSS;
    ask(s, s->rules & STEPS, true);
}

// ---- names ---------------------------------------------------------------------------------------

static void candidate(const State *s, unsigned i, char *text) {
    memcpy(text, "a1-a1", 6);
    text[0] = (char)('a' + engine_nth(s->may, i));
    text[3] = (char)('a' + s->empty);
}

// The point, then the kind.
static int cell(const char *site, int owner, const char *piece) {
    (void)owner;
    if (strlen(site) != 2 || site[0] < 'a' || site[0] > 'g' || site[1] != '1') return -1;
    return (site[0] - 'a') * 2 + (strcmp(piece, "nought") == 0);
}

static int count(const State *s, int c) {
    int point = c / 2;
    return point != s->empty && is_cross(s, point) == (c % 2 == CROSS);
}

#define ENGINE_WITHOUT_THROWS
#define ENGINE engine_mawryngkneng
#define ENGINE_ABOUT                                                                               \
    .name = "mawryngkneng", .script = "games/mawryngkneng.sow", .players = 1,                      \
    .options = {{"steps", {"first-only", "always"}},                                               \
                {"jump-over", {"any", "other"}},                                                   \
                {"alternate", {"no", "yes"}},                                                      \
                {"forward-only", {"no", "yes"}}}
#include "loops.h"
