// Sites in order: regions, tracks and lanes, one for all or one per player.

#include "equip.h"

#include "checker.h"
#include "doubts.h"
#include "eval.h"
#include "foreign.h"
#include "misspelt.h"
#include "usage.h"

#include <string.h>

// ---- things that may be one per player -----------------------------------------------------------------------

typedef struct PerPlayer {
    bool per_player;
    VEC(Node *) values[OLDSOW_MAX_PLAYERS]; // [0] if there is one for all
    bool each;
} PerPlayer;

// A name of the (players ...) as written, whom an option may leave out.
static bool may_play(const World *w, const char *name) {
    const Item *players = script_find(w->script, L_PLAYERS_ARE, NULL);
    for (uint32_t i = 1; players && i < players->node->nkids; i++)
        if (mentions(players->node->kids[i], name)) return true;
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

// `each: (outer mover)`: there is nobody to move yet.
static bool asks_for_mover(const Node *n) {
    if (n->kind == NODE_NAME && strcmp(n->text, "mover") == 0) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (asks_for_mover(n->kids[i])) return true;
    return false;
}

static void mend_each(World *w, int d, const Node *value) {
    if (w->each >= 0 && asks_for_mover(value))
        diag_mend(w->diags, d,
                  "`each:` says whose: what is one per player stands there alone, as "
                  "NAME for (NAME mover)");
}

// The sites that one value names, behind those that are there.
static bool gather_value(World *w, Node *value, const char *who, Ints *out) {
    int number;
    if (!check_wanted(w, value, "place", who)) return false;
    if (!evaluate(w, value, NULL, &number)) {
        mend_each(w, report_at(w->diags, w->script, E_CONSTANT, value, "equipment"), value);
        return false;
    }
    if (value->type == T_SITE) {
        if (number == UNSET) {
            wrong(w, value, "there is no such site");
            return false;
        }
        vec_push(w->arena, out, number);
        return true;
    }
    if (number < 0) return false;
    List l = w->lists.at[list_number(w, value, number)];
    for (int k = 0; k < l.n; k++) vec_push(w->arena, out, l.at[k]);
    return true;
}

// The sites that the values name, one after the other; each value's fault is told.
static bool gather_sites(World *w, Node *const *values, size_t n, const char *who, Ints *out) {
    bool good = true;
    for (size_t i = 0; i < n; i++) good = gather_value(w, values[i], who, out) && good;
    return good;
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

void equip_region(World *w, const Item *item) {
    PerPlayer pp;
    if (!read_per_player(w, item, &pp)) return;
    Symbol *added = add_symbol(w, item, SYMBOL_REGION);
    if (!added) return;
    size_t symbol = (size_t)(added - w->symbols.at);
    added->per_player = pp.per_player;
    size_t count = pp.per_player ? w->players.n : 1;
    bool all_good = true;
    int lengths[OLDSOW_MAX_PLAYERS];
    for (size_t p = 0; p < count && (all_good || !pp.each); p++) {
        Ints sites = {0};
        size_t from = pp.each ? 0 : p;
        w->each = pp.each ? (int)p : -1;
        bool good = !written_twice(w, pp.values[from].at, pp.values[from].n) &&
                    gather_sites(w, pp.values[from].at, pp.values[from].n, "region", &sites);
        w->each = -1;
        all_good = all_good && good;
        lengths[p] = (int)sites.n;
        if (good) w->symbols.at[symbol].values[p] = world_list(w, sites.at, sites.n);
    }
    if (pp.each && all_good) doubt_each(w, item, w->symbols.at[symbol].values);
    if (pp.per_player && !pp.each && all_good) doubt_lengths(w, item, lengths);
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

// (track t (outer (row 2))): the word `loop` or `path` is missing, and what was the first part of it stands as the head.
static bool lacks_way(World *w, const Item *item, const Node *value) {
    const char *head = node_head(value);
    int s = head && value->nkids > 1 ? world_symbol(w, head) : -1;
    SymbolKind kind = s >= 0 ? w->symbols.at[s].kind : SYMBOL_LOST;
    if (kind != SYMBOL_REGION && kind != SYMBOL_SITE && kind != SYMBOL_STORE) return false;
    Type t = foresee(w, value->kids[1]); // (outer South) is the region of a player
    if (t != T_SITE && t != T_REGION && t != T_TRACK) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, value->kids[0],
                      "a track is one (loop ...) or (path ...)");
    diag_mend(w->diags, d, "(track %s (path %s %s ...))", item->name, head,
              text_of(w, value->kids[1]));
    return true;
}

void equip_track(World *w, const Item *item) {
    PerPlayer pp;
    if (!read_per_player(w, item, &pp)) return;
    Symbol *added = add_symbol(w, item, SYMBOL_TRACK);
    if (!added) return;
    size_t symbol = (size_t)(added - w->symbols.at);
    added->per_player = pp.per_player;
    for (int p = 0; p < OLDSOW_MAX_PLAYERS; p++) added->values[p] = UNSET;
    size_t count = pp.per_player ? w->players.n : 1;
    int lengths[OLDSOW_MAX_PLAYERS];
    for (size_t p = 0; p < count; p++) {
        size_t from = pp.each ? 0 : p;
        Node *value = pp.values[from].at[0];
        int t = UNSET;
        if (pp.values[from].n > 1) {
            wrong_track(w, item, pp.values[from].at[0], pp.values[from].at[1]);
            return;
        }
        if (lacks_way(w, item, value)) return;
        size_t before = w->tracks.n, errors = w->diags->errors;
        w->each = pp.each ? (int)p : -1;
        bool good = check_wanted(w, value, "track", "track");
        if (good && !evaluate(w, value, NULL, &t)) {
            mend_each(w, report_at(w->diags, w->script, E_CONSTANT, value, "a track"), value);
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
        lengths[p] = w->lists.at[w->tracks.at[t].list].n;
        doubt_track(w, value, t);
    }
    if (pp.per_player && !pp.each) doubt_lengths(w, item, lengths);
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

void equip_lane(World *w, const Item *item) {
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
    int lengths[OLDSOW_MAX_PLAYERS];
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
        lengths[p] = (int)squares.n;
        w->symbols.at[symbol].values[p] = make_lane(
            w, arena_printf(w->arena, "%s-%s", item->name, w->players.at[p]), (int)p, &squares);
    }
    if (!pp.each) doubt_lengths(w, item, lengths);
}
