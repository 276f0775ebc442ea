#include "world.h"

#include "../../grammar/source.h"

#include <stdlib.h>
#include <string.h>

static size_t hash_pointer(const void *p) {
    return (size_t)(((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15u >> 20);
}

static size_t hash_values(const int *values, size_t n) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) h = (h ^ (uint32_t)values[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

void world_init(World *w, Arena *arena, Diags *diags, const Script *script, Expanded *expanded) {
    memset(w, 0, sizeof *w);
    w->arena = arena;
    w->diags = diags;
    w->script = script;
    w->expanded = expanded;
    w->each = -1;
    w->symbol_slots = 8192;
    w->symbol_table = arena_array(arena, w->symbol_slots, sizeof(int));
    w->list_slots = 1u << 16;
    w->list_table = arena_array(arena, w->list_slots, sizeof(int));
    world_list(w, NULL, 0); // list 0 is the empty one
}

int world_symbol(const World *w, const char *name) {
    for (size_t i = hash_pointer(name) % w->symbol_slots;; i = (i + 1) % w->symbol_slots) {
        int s = w->symbol_table[i];
        if (s == 0) return -1;
        if (w->symbols.at[s - 1].name == name) return s - 1;
    }
}

Symbol *world_add(World *w, const char *name, SymbolKind kind, const Node *where) {
    int old = world_symbol(w, name);
    if (old >= 0) {
        const Symbol *s = &w->symbols.at[old];
        if (kind == SYMBOL_WORD && s->kind == SYMBOL_WORD) return &w->symbols.at[old];
        int d = report_at(w->diags, w->script, E_TWICE, where, name);
        if (s->span.end) diag_label(w->diags, d, s->span, "first here");
        return NULL;
    }
    if (w->symbols.n > w->symbol_slots / 2) {
        report_at(w->diags, w->script, E_LIMIT, where, "names of equipment",
                  (int)(w->symbol_slots / 2));
        return NULL;
    }
    vec_push(w->arena, &w->symbols,
             (Symbol){.name = name, .kind = kind, .list = -1, .span = where->span});
    size_t i = hash_pointer(name) % w->symbol_slots;
    while (w->symbol_table[i]) i = (i + 1) % w->symbol_slots;
    w->symbol_table[i] = (int)w->symbols.n;
    return &w->symbols.at[w->symbols.n - 1];
}

bool world_spent(World *w, const Node *where) {
    if (w->gathered <= WORLD_GATHERED_MAX && w->lists.n < BUDGET_LISTS) return false;
    if (!w->spent)
        report_at(w->diags, w->script, E_TOO_LARGE, where,
                  "its lists have more elements than can be worked out beforehand");
    w->spent = true;
    return true;
}

int world_list(World *w, const int *values, size_t n) {
    w->gathered += n + 1;
    size_t i = hash_values(values, n) % w->list_slots;
    for (; w->list_table[i]; i = (i + 1) % w->list_slots) {
        const List *l = &w->lists.at[w->list_table[i] - 1];
        bool same = (size_t)l->n == n;
        for (size_t k = 0; same && k < n; k++) same = l->at[k] == values[k];
        if (same) return w->list_table[i] - 1;
    }
    if (w->lists.n >= BUDGET_LISTS) return 0; // reported by the compiler, which counts them
    int16_t *copy = arena_array(w->arena, n + 1, sizeof *copy);
    for (size_t k = 0; k < n; k++) copy[k] = (int16_t)values[k];
    vec_push(w->arena, &w->lists, (List){copy, (int)n});
    w->list_table[i] = (int)w->lists.n;
    return (int)w->lists.n - 1;
}

int world_word(World *w, const char *name) {
    for (size_t i = 0; i < w->words.n; i++)
        if (w->words.at[i] == name) return (int)i;
    vec_push(w->arena, &w->words, name);
    return (int)w->words.n - 1;
}

int world_site(World *w, const char *name, OldsowSiteKind kind, int owner, int square) {
    SiteInfo s = {.name = name, .kind = kind, .owner = (int16_t)owner, .square = (int16_t)square};
    vec_push(w->arena, &w->sites, s);
    return (int)w->sites.n - 1;
}

int world_track(World *w, const char *name, int list, bool loop) {
    const List l = w->lists.at[list];
    int *back = arena_array(w->arena, (size_t)l.n + 1, sizeof *back);
    for (int i = 0; i < l.n; i++) back[i] = l.at[l.n - 1 - i];
    vec_push(w->arena, &w->tracks, (TrackInfo){name, list, loop});
    vec_push(w->arena, &w->tracks,
             (TrackInfo){arena_printf(w->arena, "%s-reversed", name),
                         world_list(w, back, (size_t)l.n), loop});
    return (int)w->tracks.n - 2;
}

const char *type_name(Type t) {
    switch ((int)t) {
    case T_NOTHING: return "a statement";
    case T_ERROR: return "an error";
    case T_NUMBER: return "a number";
    case T_TRUTH: return "a truth";
    case T_SITE: return "a site";
    case T_PLAYER: return "a player";
    case T_PIECE: return "a kind of piece";
    case T_WORD: return "a word";
    case T_DIRECTION: return "a direction";
    case T_TRACK: return "a track";
    case T_UNSET: return "`unset`";
    case T_DICE: return "dice";
    case T_REGION: return "a region";
    case T_LIST | T_NUMBER: return "a list of numbers";
    case T_LIST | T_TRUTH: return "a list of truths";
    case T_LIST | T_PLAYER: return "a list of players";
    case T_LIST | T_PIECE: return "several kinds of pieces";
    case T_LIST | T_WORD: return "a list of words";
    case T_LIST | T_DIRECTION: return "a list of directions";
    case T_LIST | T_TRACK: return "a list of tracks";
    default: return "an empty list";
    }
}

bool numbered_run(const Node *range, long *from, long *to) {
    const char *a = range->kids[0]->text, *b = range->kids[1]->text;
    if (range->kids[0]->kind != NODE_NAME || range->kids[1]->kind != NODE_NAME) return false;
    size_t stem = strcspn(a, "0123456789");
    if (stem != strcspn(b, "0123456789") || memcmp(a, b, stem) != 0) return false;
    char *end_a, *end_b;
    *from = strtol(a + stem, &end_a, 10);
    *to = strtol(b + stem, &end_b, 10);
    bool small = *from >= 0 && *to >= 0 && *from < WORLD_SITES_MAX && *to < WORLD_SITES_MAX;
    return a[stem] && b[stem] && *end_a == '\0' && *end_b == '\0' && small;
}

int board_at(const World *w, int column, int row) {
    if (column < 1 || row < 1 || column > w->columns || row > w->rows) return UNSET;
    return w->at[(row - 1) * w->columns + column - 1];
}

int board_step(const World *w, int site, int direction) {
    static const int right[DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1},
                     up[DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    if (site < 0 || site >= w->nboard || w->rows == 0) return UNSET;
    const SiteInfo *s = &w->sites.at[site];
    if (s->row == 0) return UNSET;
    return board_at(w, s->column + right[direction], s->row + up[direction]);
}
