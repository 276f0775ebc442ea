// Builds the equipment: players, pieces, sites beside the board; what else there is has rooms of its own.

#include "equip.h"

#include "check.h"
#include "eval.h"
#include "forms.h"

#include <string.h>

Symbol *add_symbol(World *w, const Item *item, SymbolKind kind) {
    return world_add(w, item->name, kind,
                     item->node->nkids > 1 && item->node->kids[1]->kind == NODE_NAME
                         ? item->node->kids[1]
                         : item->node);
}

static bool faulty(const Node *n) {
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

// ---- constants ---------------------------------------------------------------------------------------

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
