// Builds the equipment: players, board, pieces, stores, regions, tracks, lanes.

#include "equip.h"

#include "check.h"
#include "doubts.h"
#include "eval.h"
#include "foreign.h"
#include "forms.h"
#include "misspelt.h"

#include <string.h>

Symbol *add_symbol(World *w, const Item *item, SymbolKind kind) {
    return world_add(w, item->name, kind,
                     item->node->nkids > 1 && item->node->kids[1]->kind == NODE_NAME
                         ? item->node->kids[1]
                         : item->node);
}

bool faulty(const Node *n) {
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR) return true;
    return false;
}

void wrong(World *w, const Node *at, const char *why) {
    if (at->kind != NODE_ERROR && !faulty(at)) report_at(w->diags, w->script, E_SHAPE, at, why);
}

// ---- players, directions ------------------------------------------------------------------------------

// What stands where a player's name should: each kind of thing is told of once. A text is taken for the name it holds.
static const char *quoted_player(World *w, const Node *form, const Node *n, unsigned *told) {
    bool text = n->kind == NODE_STRING && n->text[0];
    unsigned kind = 1u << n->kind;
    if (!(*told & kind) && n->kind != NODE_ERROR && !faulty(form)) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          n->kind == NODE_NUMBER ? "players have names, and are not counted"
                                                 : "a player's name is needed here");
        if (text)
            diag_mend(w->diags, d, "write %s without quotes", n->text);
        else
            diag_mend(w->diags, d, "(players South North)");
    }
    *told |= kind;
    return text ? arena_intern_str(w->arena, n->text) : NULL;
}

static void equip_players(World *w, const Node *form) {
    Ints all = {0};
    unsigned told = 0; // of which kinds of node
    for (uint32_t i = 1; i < form->nkids; i++) {
        Node *n = form->kids[i];
        size_t errors = w->diags->errors;
        bool known = true; // false: an option that is not there, say
        if (n->kind == NODE_LIST && node_head(n) && strcmp(node_head(n), "if") == 0)
            known = check_wanted(w, n->kids[1], "truth", "if");
        if (w->diags->errors > errors || !known) continue;
        const char *name = n->kind == NODE_NAME ? n->text : quoted_player(w, form, n, &told);
        if (!name) continue;
        if (w->players.n == OLDSOW_MAX_PLAYERS) {
            report_at(w->diags, w->script, E_LIMIT, n, "players", OLDSOW_MAX_PLAYERS);
            return;
        }
        if (ludeme_find(name) != L_UNKNOWN) {
            report_at(w->diags, w->script, E_RESERVED, n, name);
            continue;
        }
        Symbol *s = world_add(w, name, SYMBOL_PLAYER, n);
        if (!s) continue;
        s->index = (int)w->players.n;
        vec_push(w->arena, &all, s->index);
        vec_push(w->arena, &w->players, name);
    }
    if (all.n == 0 && !told && !faulty(form))
        report_at(w->diags, w->script, E_TOO_FEW, form, "players", "at least one name");
    w->players_list = world_list(w, all.at, all.n);
}

static void add_list(World *w, const char *name, const int *values, size_t n, Type type) {
    static const Node nowhere = {.kind = NODE_NAME};
    const char *interned = arena_intern_str(w->arena, name);
    if (world_symbol(w, interned) >= 0) return;
    Symbol *s = world_add(w, interned, SYMBOL_LIST, &nowhere);
    if (!s) return;
    s->type = type;
    s->values[0] = world_list(w, values, n);
}

static const char *const direction_names[DIRECTIONS] = {
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"};

// Names that a script may take for itself: they are added after its own.
static void add_directions(World *w) {
    static const Node nowhere = {.kind = NODE_NAME};
    static const int all[DIRECTIONS] = {0, 1, 2, 3, 4, 5, 6, 7}, straight[] = {0, 2, 4, 6},
                     slanted[] = {1, 3, 5, 7};
    for (int d = 0; d < DIRECTIONS; d++) {
        const char *name = arena_intern_str(w->arena, direction_names[d]);
        if (world_symbol(w, name) >= 0) continue;
        Symbol *s = world_add(w, name, SYMBOL_DIRECTION, &nowhere);
        if (s) s->index = d;
    }
    add_list(w, "orthogonal", straight, 4, T_DIRECTION);
    add_list(w, "diagonal", slanted, 4, T_DIRECTION);
    add_list(w, "adjacent", all, DIRECTIONS, T_DIRECTION);
}

// ---- pieces ---------------------------------------------------------------------------------------------

static int add_piece(World *w, const char *name, int owner) {
    vec_push(w->arena, &w->pieces, name);
    vec_push(w->arena, &w->piece_owner, owner);
    return (int)w->pieces.n - 1;
}

static void wrong_piece(World *w, const Item *item, const Node *kid) {
    if (kid->kind == NODE_ERROR || faulty(item->node)) return;
    int d =
        report_at(w->diags, w->script, E_SHAPE, kid,
                  "a piece is (piece NAME), (piece NAME each: players) or (piece NAME each: 1..5)");
    int s = kid->kind == NODE_NAME ? world_symbol(w, kid->text) : -1;
    bool player = s >= 0 && (w->symbols.at[s].kind == SYMBOL_PLAYER ||
                             s == world_symbol(w, arena_intern_str(w->arena, "players")));
    if (player)
        diag_mend(w->diags, d,
                  "one kind for each player: (piece %s each: players), and (%s %s) is that of one",
                  item->name, item->name, w->players.at[0]);
    else if (kid->kind == NODE_NUMBER)
        diag_mend(w->diags, d,
                  "how many there are is told where they are put: (start (put %ld %s on: ...))",
                  kid->number, item->name);
    else if (kid->kind == NODE_NAME)
        diag_mend(w->diags, d, "each kind is an item of its own: (piece %s) (piece %s)", item->name,
                  kid->text);
    for (uint32_t i = 2; i < item->node->nkids; i++) {
        const Node *other = item->node->kids[i];
        if (other->kind == NODE_NAME && world_symbol(w, other->text) < 0)
            world_add(w, other->text, SYMBOL_LOST, other);
    }
}

static void equip_piece(World *w, const Item *item) {
    Node *form = item->node, *each = key_value(form, "each");
    for (uint32_t i = 2; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        if (kid->kind == NODE_STRING || kid->kind == NODE_ERROR) continue;
        if (kid->kind == NODE_KEY && strcmp(kid->text, "each") == 0 && i + 1 < form->nkids) {
            i++;
            continue;
        }
        wrong_piece(w, item, kid);
        return;
    }
    Symbol *s = add_symbol(w, item, each ? SYMBOL_PIECES : SYMBOL_PIECE);
    if (!s) return;
    size_t symbol = (size_t)(s - w->symbols.at);
    if (!each) {
        s->values[0] = add_piece(w, item->name, UNSET);
        return;
    }
    int list = 0;
    bool players = each->kind == NODE_NAME &&
                   (strcmp(each->text, "player") == 0 || strcmp(each->text, "players") == 0);
    Ints kinds = {0};
    if (players) {
        for (size_t p = 0; p < w->players.n; p++)
            vec_push(w->arena, &kinds,
                     add_piece(w, arena_printf(w->arena, "%s-%s", item->name, w->players.at[p]),
                               (int)p));
    } else {
        if (!check_wanted(w, each, "list", "piece each:")) return;
        if (each->type != (T_LIST | T_NUMBER) || !evaluate(w, each, NULL, &list)) {
            wrong(w, each, "`each:` takes players or a run of numbers, 1..5");
            return;
        }
        List l = w->lists.at[list];
        for (int i = 0; i < l.n && w->pieces.n < WORLD_PIECES_MAX; i++)
            vec_push(w->arena, &kinds,
                     add_piece(w, arena_printf(w->arena, "%s-%d", item->name, l.at[i]), UNSET));
        for (int i = 1; i < l.n; i++)
            if (l.at[i] != l.at[i - 1] + 1) {
                wrong(w, each, "the numbers of a piece are a run upwards, 1..5");
                return;
            }
    }
    s = &w->symbols.at[symbol];
    s->type = players ? T_PLAYER : T_NUMBER;
    s->low = players ? 0 : w->lists.at[list].n ? w->lists.at[list].at[0] : 0;
    s->values[0] = kinds.n ? kinds.at[0] : 0;
    s->list = world_list(w, kinds.at, kinds.n);
    s->values[1] = s->list;
}

// ---- sites beside the board --------------------------------------------------------------------------------

// Has a store before this one the name of a player, too?
static bool told_of_store(World *w, const Item *item) {
    for (size_t i = 0; i < w->expanded->equipment.n; i++) {
        const Item *other = &w->expanded->equipment.at[i];
        if (other == item) return false;
        int s = other->kind == item->kind ? world_symbol(w, other->name) : -1;
        if (s >= 0 && w->symbols.at[s].kind == SYMBOL_PLAYER) return true;
    }
    return false;
}

static void equip_store(World *w, const Item *item) {
    Node *form = item->node, *shared = key_value(form, "shared");
    uint32_t plain = count_plain(form);
    if (plain > 1 || (plain == 1 && form->kids[1]->kind != NODE_NAME)) {
        wrong(w, form,
              arena_printf(w->arena, "(%s [NAME] [shared: yes]) takes a name at most",
                           ludemes[item->kind].name));
        return;
    }
    for (uint32_t i = 1; i < form->nkids; i++) {
        const Node *key = form->kids[i];
        if (key->kind != NODE_KEY || strcmp(key->text, "shared") == 0) continue;
        int d =
            report_at(w->diags, w->script, E_UNKNOWN_KEY, key, ludemes[item->kind].name, key->text);
        diag_mend(w->diags, d, "it takes `shared:`");
        add_symbol(w, item, SYMBOL_LOST);
        return;
    }
    int one = 0;
    if (shared &&
        (!check_wanted(w, shared, "truth", "shared:") || !evaluate(w, shared, NULL, &one)))
        return;
    int named = plain ? world_symbol(w, form->kids[1]->text) : -1;
    bool player = named >= 0 && w->symbols.at[named].kind == SYMBOL_PLAYER;
    const char *name = player ? arena_intern_str(w->arena, ludemes[item->kind].name) : item->name;
    if (player && told_of_store(w, item)) return;
    if (player) {
        int d =
            report_at(w->diags, w->script, E_SHAPE, form->kids[1],
                      arena_printf(w->arena, "a %s is made for every player, not for one", name));
        diag_mend(w->diags, d, "(%s) gives each player one; then (%s %s) is that of %s", name, name,
                  form->kids[1]->text, form->kids[1]->text);
    }
    if (player && world_symbol(w, name) >= 0) return;
    Symbol *s = player ? world_add(w, name, SYMBOL_STORE, form) : add_symbol(w, item, SYMBOL_STORE);
    if (!s) return;
    s->per_player = !one;
    if (one) {
        s->values[0] = world_site(w, name, OLDSOW_BESIDE, UNSET, UNSET);
        return;
    }
    for (size_t p = 0; p < w->players.n; p++) {
        const char *its = arena_printf(w->arena, "%s-%s", name, w->players.at[p]);
        s->values[p] = world_site(w, its, OLDSOW_BESIDE, (int)p, UNSET);
    }
}

// ---- things that may be one per player -----------------------------------------------------------------------

typedef struct PerPlayer {
    bool per_player;
    VEC(Node *) values[OLDSOW_MAX_PLAYERS]; // [0] if there is one for all
    bool each;
} PerPlayer;

static bool names(const Node *n, const char *text) {
    if (n->kind == NODE_NAME && n->text == text) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (names(n->kids[i], text)) return true;
    return false;
}

// A name of the (players ...) as written, whom an option may leave out.
static bool may_play(const World *w, const char *name) {
    const Item *players = script_find(w->script, L_PLAYERS_ARE, NULL);
    for (uint32_t i = 1; players && i < players->node->nkids; i++)
        if (names(players->node->kids[i], name)) return true;
    return false;
}

// Something is said for that player already: another must be meant.
static bool is_given(const Node *form, const char *player) {
    for (uint32_t i = 2; i < form->nkids; i++)
        if (form->kids[i]->kind == NODE_KEY && strcmp(form->kids[i]->text, player) == 0)
            return true;
    return false;
}

static const char *all_players(World *w) {
    const char *list = "";
    for (size_t i = 0; i < w->players.n; i++)
        list = arena_printf(w->arena, "%s%s%s", list, i ? ", " : "", w->players.at[i]);
    return list;
}

// Sites, and then a player: whose are the first?
static bool ends_plain(World *w, const Item *item, const Node *first, const Node *key) {
    const char *kind = ludemes[item->kind].name;
    int d = report_at(w->diags, w->script, E_SHAPE, first,
                      arena_printf(w->arena,
                                   "this stands before the first player: the %s is one per player",
                                   kind));
    diag_label(w->diags, d, key->span, "the first player");
    diag_mend(w->diags, d, "say whose it is: (%s %s PLAYER: ...)", kind, item->name);
    return true;
}

// (region side (South (row 1)) ...)
static bool bracketed_player(World *w, const Item *item, const Node *kid) {
    const char *head = kid->kind == NODE_LIST && kid->nkids > 1 ? node_head(kid) : NULL;
    int s = head ? world_symbol(w, head) : -1;
    if (s < 0 || w->symbols.at[s].kind != SYMBOL_PLAYER) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, kid,
                      "what is a player's stands behind his name, without a bracket round both");
    diag_mend(w->diags, d, "(%s %s %s: %s ...)", ludemes[item->kind].name, item->name, head,
              short_text(w->arena, kid->kids[1]));
    return true;
}

static bool read_per_player(World *w, const Item *item, PerPlayer *out) {
    const Node *form = item->node;
    int player = -1;
    const Node *key = NULL;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 2; i < form->nkids; i++) {
        Node *kid = form->kids[i];
        if (kid->kind == NODE_STRING) continue;
        if (kid->kind == NODE_ERROR) return false;
        if (kid->kind == NODE_KEY) {
            int s = world_symbol(w, kid->text);
            if (key && key == form->kids[i - 1]) {
                report_at(w->diags, w->script, E_KEY_VALUE, key, key->text);
                return false;
            }
            if (!key && out->values[0].n && ends_plain(w, item, out->values[0].at[0], kid))
                return false;
            key = kid;
            if (strcmp(kid->text, "each") == 0) {
                out->each = true;
                player = 0;
            } else if (s >= 0 && w->symbols.at[s].kind == SYMBOL_PLAYER) {
                player = w->symbols.at[s].index;
            } else if (may_play(w, kid->text)) {
                player =
                    OLDSOW_MAX_PLAYERS; // not under this option: what is said of him is skipped
                continue;
            } else if (misspelt_declaration(w->diags, w->script, kid->text, kid->span)) {
                return false;
            } else {
                int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, kid, ludemes[item->kind].name,
                                  kid->text);
                const char *near = nearest_name(kid->text, w->players.at, w->players.n);
                if (near && is_given(form, near)) near = NULL;
                if (near)
                    diag_meant(w->diags, d, "%s:", near);
                else
                    diag_mend(w->diags, d,
                              "it takes `each:`, or the name of a player; these play: %s",
                              all_players(w));
                return false;
            }
            if (out->values[player].n || (out->per_player && out->each && player > 0)) {
                report_at(w->diags, w->script, E_KEY_TWICE, kid, kid->text);
                return false;
            }
            out->per_player = true;
            continue;
        }
        if (bracketed_player(w, item, kid)) return false;
        if (player < OLDSOW_MAX_PLAYERS)
            vec_push(w->arena, &out->values[player < 0 ? 0 : player], kid);
    }
    for (size_t p = 0; p < (out->per_player && !out->each ? w->players.n : 1); p++) {
        if (out->values[p].n) continue;
        int d =
            report_at(w->diags, w->script, E_SHAPE, form,
                      out->per_player
                          ? arena_printf(w->arena, "the %s says nothing for %s",
                                         ludemes[item->kind].name, w->players.at[p])
                          : arena_printf(w->arena, "the %s `%s` is empty: nothing follows its name",
                                         ludemes[item->kind].name, item->name));
        if (out->per_player)
            diag_mend(w->diags, d, "(%s %s ... %s: ...)", ludemes[item->kind].name, item->name,
                      w->players.at[p]);
        return false;
    }
    if (out->per_player && !out->each) {
        Node *const *values[OLDSOW_MAX_PLAYERS];
        size_t counts[OLDSOW_MAX_PLAYERS];
        for (size_t p = 0; p < w->players.n; p++)
            values[p] = out->values[p].at, counts[p] = out->values[p].n;
        doubt_per_player(w, item, values, counts);
    }
    return true;
}

// The sites that the values name, one after the other.
static bool gather_sites(World *w, Node *const *values, size_t n, const char *who, Ints *out) {
    for (size_t i = 0; i < n; i++) {
        int value;
        if (!check_wanted(w, values[i], "place", who)) return false;
        if (!evaluate(w, values[i], NULL, &value)) {
            report_at(w->diags, w->script, E_CONSTANT, values[i], "equipment");
            return false;
        }
        if (values[i]->type == T_SITE) {
            if (value == UNSET) {
                wrong(w, values[i], "there is no such site");
                return false;
            }
            vec_push(w->arena, out, value);
            continue;
        }
        if (value < 0) return false;
        List l = w->lists.at[list_number(w, values[i], value)];
        for (int k = 0; k < l.n; k++) vec_push(w->arena, out, l.at[k]);
    }
    return true;
}

static bool written_twice(World *w, Node *const *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i && values[i]->kind == NODE_NAME; k++) {
            if (values[k]->kind != NODE_NAME || values[k]->text != values[i]->text) continue;
            int d = report_at(w->diags, w->script, E_TWICE, values[i], values[i]->text);
            diag_label(w->diags, d, values[k]->span, "first here");
            return true;
        }
    return false;
}

static void equip_region(World *w, const Item *item) {
    PerPlayer pp;
    if (!read_per_player(w, item, &pp)) return;
    Symbol *added = add_symbol(w, item, SYMBOL_REGION);
    if (!added) return;
    size_t symbol = (size_t)(added - w->symbols.at);
    added->per_player = pp.per_player;
    size_t count = pp.per_player ? w->players.n : 1;
    for (size_t p = 0; p < count; p++) {
        Ints sites = {0};
        size_t from = pp.each ? 0 : p;
        w->each = pp.each ? (int)p : -1;
        bool good = !written_twice(w, pp.values[from].at, pp.values[from].n) &&
                    gather_sites(w, pp.values[from].at, pp.values[from].n, "region", &sites);
        w->each = -1;
        if (!good) return;
        w->symbols.at[symbol].values[p] = world_list(w, sites.at, sites.n);
    }
}

static void wrong_track(World *w, const Item *item, const Node *first, const Node *second) {
    if (second->kind == NODE_ERROR) return;
    int d =
        report_at(w->diags, w->script, E_SHAPE, second, "a track is one (loop ...) or (path ...)");
    const char *head = node_head(first)           ? node_head(first)
                       : first->kind == NODE_NAME ? first->text
                                                  : "";
    bool way = strcmp(head, "loop") == 0 || strcmp(head, "path") == 0;
    if (way && first->kind == NODE_NAME)
        diag_mend(w->diags, d, "(track %s (%s %s ...))", item->name, head,
                  short_text(w->arena, second));
    else if (way)
        diag_mend(w->diags, d, "one way leads through all of it: (track %s (%s SITE...))",
                  item->name, head);
    else
        diag_mend(w->diags, d, "(track %s (path %s %s ...))", item->name,
                  short_text(w->arena, first), short_text(w->arena, second));
}

static void equip_track(World *w, const Item *item) {
    PerPlayer pp;
    if (!read_per_player(w, item, &pp)) return;
    Symbol *added = add_symbol(w, item, SYMBOL_TRACK);
    if (!added) return;
    size_t symbol = (size_t)(added - w->symbols.at);
    added->per_player = pp.per_player;
    for (int p = 0; p < OLDSOW_MAX_PLAYERS; p++) added->values[p] = UNSET;
    size_t count = pp.per_player ? w->players.n : 1;
    for (size_t p = 0; p < count; p++) {
        size_t from = pp.each ? 0 : p;
        Node *value = pp.values[from].at[0];
        int t = UNSET;
        if (pp.values[from].n > 1) {
            wrong_track(w, item, pp.values[from].at[0], pp.values[from].at[1]);
            return;
        }
        size_t before = w->tracks.n, errors = w->diags->errors;
        w->each = pp.each ? (int)p : -1;
        bool good = check_wanted(w, value, "track", "track");
        if (good && !evaluate(w, value, NULL, &t)) {
            report_at(w->diags, w->script, E_CONSTANT, value, "a track");
            good = false;
        }
        w->each = -1;
        if (!good) return;
        if (t == UNSET) {
            if (w->diags->errors == errors)
                report_at(w->diags, w->script, E_EMPTY_LIST, value, "this track");
            return;
        }
        if (w->tracks.n > before) {
            const char *name = count > 1
                                   ? arena_printf(w->arena, "%s-%s", item->name, w->players.at[p])
                                   : item->name;
            w->tracks.at[t].name = name;
            w->tracks.at[t ^ 1].name = arena_printf(w->arena, "%s-reversed", name);
        }
        w->symbols.at[symbol].values[p] = t;
        doubt_track(w, value, t);
    }
}

// Steps are named by their square, with a + for each time the way has been there before.
static int make_lane(World *w, const char *name, int player, const Ints *squares) {
    Ints steps = {0};
    for (size_t i = 0; i < squares->n; i++) {
        int square = w->sites.at[squares->at[i]].square;
        const char *step = w->sites.at[square].name;
        for (size_t k = 0; k < i; k++)
            if (w->sites.at[squares->at[k]].square == square)
                step = arena_printf(w->arena, "%s+", step);
        int s = world_site(w, step, OLDSOW_LANE_STEP, player, square);
        vec_push(w->arena, &steps, s);
    }
    return world_track(w, name, world_list(w, steps.at, steps.n), false);
}

static void equip_lane(World *w, const Item *item) {
    PerPlayer pp;
    if (!read_per_player(w, item, &pp)) return;
    if (!pp.per_player) {
        wrong(w, item->node,
              "a lane is one per player: (lane NAME PLAYER: SITES ...) or (lane NAME each: SITES)");
        return;
    }
    Symbol *added = add_symbol(w, item, SYMBOL_TRACK);
    if (!added) return;
    size_t symbol = (size_t)(added - w->symbols.at);
    added->per_player = true;
    for (int p = 0; p < OLDSOW_MAX_PLAYERS; p++) added->values[p] = UNSET;
    for (size_t p = 0; p < w->players.n; p++) {
        Ints squares = {0};
        size_t from = pp.each ? 0 : p;
        w->each = pp.each ? (int)p : -1;
        bool good = gather_sites(w, pp.values[from].at, pp.values[from].n, "lane", &squares);
        w->each = -1;
        for (size_t i = 0; good && i < pp.values[from].n; i++) {
            const Node *run = pp.values[from].at[i];
            if (!is_rectangle(w, run)) continue;
            report_at(w->diags, w->script, E_RUN, run, run->kids[0]->text, run->kids[1]->text);
            good = false;
        }
        for (size_t i = 0; good && i < squares.n; i++) {
            if (w->sites.at[squares.at[i]].square != UNSET) continue;
            wrong(w, item->node, "a lane leads over sites of the board");
            good = false;
        }
        if (!good) return;
        if (w->sites.n + squares.n > WORLD_SITES_MAX) {
            report_at(w->diags, w->script, E_LIMIT, item->node, "sites", WORLD_SITES_MAX);
            return;
        }
        w->symbols.at[symbol].values[p] = make_lane(
            w, arena_printf(w->arena, "%s-%s", item->name, w->players.at[p]), (int)p, &squares);
    }
}

bool read_constant(World *w, Node *n, const char *wanted, const char *who, int *value) {
    if (!check_wanted(w, n, wanted, who)) return false;
    if (evaluate(w, n, NULL, value)) return true;
    report_at(w->diags, w->script, E_CONSTANT, n, who);
    return false;
}

// ---- all of it ---------------------------------------------------------------------------------------------------------

static const Item *only(World *w, LudemeId kind) {
    for (size_t i = 0; i < w->expanded->equipment.n; i++)
        if (w->expanded->equipment.at[i].kind == kind) return &w->expanded->equipment.at[i];
    return NULL;
}

static void lack(World *w, const char *what, const char *mend) {
    if (w->script->unknown_items) return;
    int d =
        diag_report(w->diags, E_LACKS,
                    w->script->tree && w->script->tree->nkids
                        ? w->script->tree->kids[0]->kids ? w->script->tree->kids[0]->kids[0]->span
                                                         : w->script->tree->kids[0]->span
                        : (Span){0},
                    what);
    diag_mend(w->diags, d, "%s", mend);
}

// What has a fault is no longer something that comes further down.
static void equip_item(World *w, const Item *item, void (*equip_one)(World *, const Item *)) {
    static const Node nowhere = {.kind = NODE_NAME};
    size_t errors = w->diags->errors;
    w->whose = 0;
    equip_one(w, item);
    w->whose = 0;
    if (w->diags->errors == errors || !item->name) return;
    int s = world_symbol(w, item->name);
    if (s < 0) {
        world_add(w, item->name, SYMBOL_LOST, &nowhere);
        return;
    }
    Span name = w->symbols.at[s].span, form = item->node->span;
    if (name.file == form.file && name.start >= form.start && name.end <= form.end)
        w->symbols.at[s].kind = SYMBOL_LOST; // and not what another item is called
}

static void each_item(World *w, LudemeId kind, void (*equip_one)(World *, const Item *)) {
    for (size_t i = 0; i < w->expanded->equipment.n; i++)
        if (w->expanded->equipment.at[i].kind == kind)
            equip_item(w, &w->expanded->equipment.at[i], equip_one);
}

static void equip_boardlike(World *w) {
    const Item *board = only(w, L_BOARD_IS);
    if (board)
        build_board(w, board->node);
    else
        lack(w, "board", "a game has a board: (board (squares rows: 3 columns: 3)), say");
    w->nboard = (int)w->sites.n;
    Ints all = {0};
    for (int i = 0; i < w->nboard; i++) vec_push(w->arena, &all, i);
    w->board_list = world_list(w, all.at, all.n);
    add_list(w, "board", all.at, all.n, T_SITE);
    Ints players = {0};
    for (int i = 0; i < (int)w->players.n; i++) vec_push(w->arena, &players, i);
    add_list(w, "players", players.at, players.n, T_PLAYER);
    w->players_list = world_list(w, players.at, players.n);
}

// Names whose items failed.
static void add_lost(World *w) {
    static const Node nowhere = {.kind = NODE_NAME};
    for (size_t i = 0; i < w->script->lost.n; i++)
        if (world_symbol(w, w->script->lost.at[i]) < 0)
            world_add(w, w->script->lost.at[i], SYMBOL_LOST, &nowhere);
    for (size_t i = 0; i < w->expanded->lost.n; i++)
        if (world_symbol(w, w->expanded->lost.at[i]) < 0)
            world_add(w, w->expanded->lost.at[i], SYMBOL_LOST, &nowhere);
    for (size_t i = 0; i < w->expanded->equipment.n; i++) {
        const char *name = w->expanded->equipment.at[i].name;
        if (name && world_symbol(w, name) < 0) world_add(w, name, SYMBOL_LOST, &nowhere);
    }
}

void equip(World *w) {
    w->awaited = (int)w->script->clashes.n;
    const Item *players = only(w, L_PLAYERS_ARE);
    if (players)
        equip_players(w, players->node);
    else
        lack(w, "players", "a game says who plays: (players South North)");
    equip_boardlike(w);
    // Without a board each of its sites would be a fault, without players each of their names.
    if (w->diags->errors && w->nboard == 0) return;
    if (w->players.n == 0) return;
    if (w->rows) add_directions(w);
    each_item(w, L_PIECE, equip_piece);
    if (w->pieces.n >= WORLD_PIECES_MAX) {
        report_at(w->diags, w->script, E_LIMIT, only(w, L_PIECE)->node, "kinds of pieces",
                  WORLD_PIECES_MAX - 1);
        return;
    }
    Ints kinds = {0};
    for (int i = 0; i < (int)w->pieces.n; i++) vec_push(w->arena, &kinds, i);
    add_list(w, "pieces", kinds.at, kinds.n, T_PIECE);
    each_item(w, L_STORE, equip_store);
    each_item(w, L_HAND, equip_store);
    each_item(w, L_OFF, equip_store);
    for (size_t i = 0; i < w->expanded->equipment.n; i++) {
        const Item *item = &w->expanded->equipment.at[i];
        if (item->kind == L_REGION)
            equip_item(w, item, equip_region);
        else if (item->kind == L_TRACK)
            equip_item(w, item, equip_track);
        else if (item->kind == L_LANE)
            equip_item(w, item, equip_lane);
    }
    each_item(w, L_DICE, equip_dice);
    Ints all = {0};
    for (int i = 0; i < (int)w->sites.n; i++) vec_push(w->arena, &all, i);
    w->sites_list = world_list(w, all.at, all.n);
    each_item(w, L_VAR, equip_var);
    each_item(w, L_CONSERVE, equip_conserve);
    w->declared_tracks = (int)w->tracks.n;
    add_lost(w);
    w->settled = true;
}
