// What the checker finds out of each form of a script that is fine, by the place where it stands.

#include "mutants.h"

#include <string.h>

#include "interp/game.h"
#include "interp/language/world.h"

enum { SLOTS = 1 << 15, ALL_LISTS = 12 };

typedef struct Slot {
    Span span;
    uint32_t types; // a bit for each type; those of lists from ALL_LISTS on
} Slot;

struct Types {
    Slot slots[SLOTS];
    size_t used;
};

static Slot *slot_of(const Types *t, Span span) {
    size_t i = (span.start * 31u + span.end) % SLOTS;
    const Slot *s = &t->slots[i];
    while (s->types && !(s->span.start == span.start && s->span.end == span.end))
        s = &t->slots[i = (i + 1) % SLOTS];
    return (Slot *)s;
}

static uint32_t bit(Type type) {
    unsigned n = type & T_LIST ? ALL_LISTS + (type & ~(unsigned)T_LIST) : type;
    return 1u << n;
}

static void note(Types *t, Span span, Type type) {
    if (span.file != 0 || span.end <= span.start || type == T_ERROR || t->used > SLOTS / 2) return;
    Slot *s = slot_of(t, span);
    t->used += s->types == 0;
    s->span = span;
    s->types |= bit(type);
}

static void gather(Types *t, const Node *n, const Node *parent) {
    bool form = n->kind == NODE_LIST;
    if (form || n->type != T_NOTHING) note(t, n->span, (Type)n->type);
    // All that is left of a use of a definition.
    bool whole = n->via && parent && n->via != parent->via && n->via->up == parent->via &&
                 !same_span(n->via->use, parent->span);
    if (whole) note(t, n->via->use, (Type)n->type);
    bool let = form && n->ludeme == L_LET; // what it names is no value
    for (uint32_t i = 0; i < n->nkids; i++)
        if (!(let && i == 1)) gather(t, n->kids[i], n);
}

static void gather_under(Types *t, const char *path, const char *text, size_t size,
                         const OldsowLoading *how) {
    OldsowReport *report;
    OldsowGame *game = oldsow_load_text(path, text, size, how, &report);
    if (game) {
        const Expanded *e = game->expanded;
        for (size_t i = 0; i < e->equipment.n; i++) gather(t, e->equipment.at[i].node, NULL);
        if (e->start) gather(t, e->start, NULL);
        gather(t, e->play, NULL);
    }
    oldsow_game_free(game);
    oldsow_report_free(report);
}

// ---- what options settle before anything is checked ------------------------------------------------

static Type result_of(const Node *n) {
    static const struct {
        const char *name;
        Type type;
    } names[] = {{"number", T_NUMBER}, {"truth", T_TRUTH}, {"site", T_SITE},
                 {"player", T_PLAYER}, {"piece", T_PIECE}, {"region", T_REGION},
                 {"track", T_TRACK}};
    const char *head = node_head(n);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    for (size_t i = 0; id != L_UNKNOWN && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, ludemes[id].result) == 0) return names[i].type;
    return T_ERROR;
}

static Type option_type(const Expanded *e, const char *name) {
    for (size_t i = 0; i < e->options.n; i++) {
        if (e->options.at[i].name != name) continue;
        const Node *value = e->options.at[i].values[0];
        return value->kind == NODE_NUMBER ? T_NUMBER : node_truth(value) >= 0 ? T_TRUTH : T_WORD;
    }
    return T_ERROR;
}

static void gather_written(Types *t, const Expanded *e, const Node *n) {
    for (uint32_t i = 0; i < n->nkids; i++) gather_written(t, e, n->kids[i]);
    if (n->kind == NODE_NUMBER) note(t, n->span, T_NUMBER);
    if (n->kind == NODE_NAME) note(t, n->span, option_type(e, n->text));
    if (n->kind != NODE_LIST || n->nkids < 2) return;
    note(t, n->span, result_of(n));
    if (strcmp(node_head(n) ? node_head(n) : "", "if") != 0) return;
    for (uint32_t i = 2; i < n->nkids; i++) { // an `if` is what its cases are
        uint32_t types = slot_of(t, n->kids[i]->span)->types;
        for (unsigned k = 0; k < 2 * ALL_LISTS; k++)
            if (types >> k & 1)
                note(t, n->span, (Type)(k < ALL_LISTS ? k : T_LIST | (k - ALL_LISTS)));
    }
}

Types *find_types(Arena *arena, const char *path, const char *text, size_t size) {
    Types *t = arena_alloc(arena, sizeof *t);
    OldsowReport *report;
    OldsowGame *game = oldsow_load_text(path, text, size, NULL, &report);
    gather_under(t, path, text, size, NULL);
    for (size_t i = 0; game && i < oldsow_options(game); i++) {
        const OldsowOption *o = oldsow_option(game, i);
        for (size_t k = 0; k < o->nvalues; k++) {
            OldsowSetting s = {o->name, o->values[k]};
            gather_under(t, path, text, size, &(OldsowLoading){.settings = &s, .nsettings = 1});
        }
    }
    for (size_t i = 0; game && i < oldsow_readings(game); i++)
        gather_under(t, path, text, size,
                     &(OldsowLoading){.reading = oldsow_reading_at(game, i)->name});
    if (game) gather_written(t, game->expanded, game->written);
    oldsow_game_free(game);
    oldsow_report_free(report);
    return t;
}

bool of_one_type(const Types *t, Span a, Span b) {
    uint32_t x = slot_of(t, a)->types, y = slot_of(t, b)->types;
    uint32_t settable = bit(T_SITE) | bit(T_PLAYER) | bit(T_PIECE) | bit(T_WORD) |
                        bit(T_DIRECTION) | bit(T_TRACK),
             lists = ~0u << ALL_LISTS, empty = bit(T_LIST), unset = bit(T_UNSET);
    return (x & y) || (x & unset && y & settable) || (y & unset && x & settable) ||
           (x & empty && y & lists) || (y & empty && x & lists);
}
