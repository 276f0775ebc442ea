#include "doubts.h"

#include "checker.h"
#include "eval.h"
#include "forms.h"
#include "options.h"
#include "usage.h"

#include <string.h>

static bool watched(const World *w, const Node *n) {
    return w->script->usage && w->diags->errors == 0 && !n->via &&
           !script_is_library(w->script, n->span.file);
}

// ---- tracks --------------------------------------------------------------------------------------

// In one of the eight directions, or on a line; over a gap counts as beside.
static bool beside(const World *w, int a, int b) {
    for (size_t i = 0; i < w->lines.n; i++) {
        const List l = w->lines.at[i];
        for (int k = 0; k + 1 < l.n; k++)
            if ((l.at[k] == a && l.at[k + 1] == b) || (l.at[k] == b && l.at[k + 1] == a))
                return true;
    }
    const SiteInfo *s = &w->sites.at[a], *t = &w->sites.at[b];
    if (!s->row || !t->row) return true; // beside the board: anywhere
    int dc = t->column - s->column, dr = t->row - s->row;
    if (w->lines.n == 0 && dc >= -1 && dc <= 1 && dr >= -1 && dr <= 1) return true;
    if (dc != 0 && dr != 0) return false;
    int sc = (dc > 0) - (dc < 0), sr = (dr > 0) - (dr < 0);
    for (int k = 1; s->column + k * sc != t->column || s->row + k * sr != t->row; k++)
        if (board_at(w, s->column + k * sc, s->row + k * sr) != UNSET) return false;
    return w->lines.n == 0;
}

void doubt_track(World *w, const Node *at, int track) {
    enum { SHORT = 4 };
    if (!watched(w, at) || track < 0) return;
    const TrackInfo *t = &w->tracks.at[track];
    const List l = w->lists.at[t->list];
    int jumps = 0, from = 0;
    if (l.n < SHORT) return;
    for (int i = 0; i + 1 < l.n; i++) {
        if (l.at[i] >= w->nboard || l.at[i + 1] >= w->nboard) return; // stores and steps of lanes
        if (beside(w, l.at[i], l.at[i + 1])) continue;
        if (jumps++ == 0) from = i;
    }
    if (jumps != 1) return;
    int a = l.at[from], b = l.at[from + 1];
    int d =
        report_at(w->diags, w->script, W_TRACK_JUMPS, at, w->sites.at[a].name, w->sites.at[b].name);
    diag_mend(w->diags, d, "(reversed ...) goes through a part the other way round");
}

void doubt_sowing(World *w, const Node *along) {
    int track;
    if (!watched(w, along) || !evaluate(w, along, NULL, &track) || track < 0) return;
    const TrackInfo *t = &w->tracks.at[track];
    const List l = w->lists.at[t->list];
    if (t->loop || l.n < 4) return;
    int first = l.at[0], last = l.at[l.n - 1];
    if (first >= w->nboard || last >= w->nboard || !beside(w, first, last)) return;
    int d = report_at(w->diags, w->script, W_TRACK_ENDS, along, w->sites.at[last].name);
    diag_mend(w->diags, d, "`%s` lies beside `%s`, where it begins: (loop ...) goes on there",
              w->sites.at[last].name, w->sites.at[first].name);
}

// ---- conditions ----------------------------------------------------------------------------------

static bool same_tree(const Node *a, const Node *b) {
    if (a->kind != b->kind || a->nkids != b->nkids || a->ludeme != b->ludeme) return false;
    if (a->kind == NODE_NUMBER && a->number != b->number) return false;
    if (a->kind != NODE_LIST && a->text != b->text) return false;
    if (a->kind == NODE_STRING || a->kind == NODE_ERROR) return false;
    if (a->kind == NODE_NAME && a->ludeme == L_LOCAL && a->ref != b->ref) return false;
    for (uint32_t i = 0; i < a->nkids; i++)
        if (!same_tree(a->kids[i], b->kids[i])) return false;
    return true;
}

void doubt_comparison(World *w, const Node *n) {
    doubt_bounds(w, n);
    if (n->nkids != 3 || !watched(w, n)) return;
    const Node *a = n->kids[1], *b = n->kids[2];
    if (a->kind == NODE_NUMBER || a->ludeme == L_CHOSEN || b->ludeme == L_CHOSEN ||
        !same_tree(a, b))
        return;
    bool truth = n->ludeme == L_EQ || n->ludeme == L_LE || n->ludeme == L_GE;
    report_at(
        w->diags, w->script, W_SETTLED, n,
        arena_printf(w->arena, "(%s %s %s)", ludemes[n->ludeme].name, text_of(w, a), text_of(w, b)),
        truth ? "yes" : "no");
}

// Does what it is hang on an option?
static bool on_option(const Node *n) {
    if (n->settled || n->ludeme == L_CHOSEN) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (on_option(n->kids[i])) return true;
    return false;
}

void doubt_cases(World *w, const Node *n) {
    enum { CASES = 100 };
    if (!watched(w, n) || n->nkids != 4) return;
    if (same_tree(n->kids[2], n->kids[3]) && !on_option(n->kids[2]) && !on_option(n->kids[3])) {
        Node one = standing_in(n, n->kids[2]), other = standing_in(n, n->kids[3]);
        int d = report_at(w->diags, w->script, W_CASES_ALIKE, &other);
        diag_label(w->diags, d, one.span, "the other one");
        return;
    }
    const Node *later = n->kids[3];
    for (int i = 0; i < CASES && later->kind == NODE_LIST && later->ludeme == L_IF; i++) {
        if (later->nkids < 3) return;
        if (same_tree(n->kids[1], later->kids[1]) && later->kids[1]->kind == NODE_LIST) {
            int d = report_at(w->diags, w->script, W_CASE_TWICE, later->kids[1],
                              text_of(w, n->kids[1]));
            diag_label(w->diags, d, n->kids[1]->span, "here it is asked first");
            return;
        }
        if (later->nkids < 4) return;
        later = later->kids[3];
    }
}

// ---- the same for every player --------------------------------------------------------------------

void doubt_per_player(World *w, const Item *item, Node *const *const *values,
                      const size_t *counts) {
    size_t n = w->players.n;
    bool own = item->kind == L_LANE; // there are none that are nobody's
    if (own || !watched(w, item->node) || n < 2) return;
    for (size_t p = 0; p < n; p++) {
        if (counts[p] != counts[0]) return;
        for (size_t i = 0; i < counts[0]; i++)
            if (on_option(values[p][i]) || !same_tree(values[p][i], values[0][i])) return;
    }
    int d = report_at(w->diags, w->script, W_SAME_FOR_ALL, item->node->kids[1],
                      ludemes[item->kind].name, item->name);
    diag_mend(w->diags, d, "what is nobody's own needs no player: (%s %s ...)",
              ludemes[item->kind].name, item->name);
}

void doubt_each(World *w, const Item *item, const int *lists) {
    bool same = w->players.n > 1;
    for (size_t p = 1; p < w->players.n; p++) same &= lists[p] == lists[0];
    const char *kind = ludemes[item->kind].name;
    usage_suspect(
        w->script,
        (Suspicion){.code = W_SAME_FOR_ALL,
                    .span = item->node->kids[1]->span,
                    .words = {kind, item->name},
                    .mend = arena_printf(w->arena, "(%s %s %s: ... %s: ...) gives each his own",
                                         kind, item->name, w->players.at[0],
                                         w->players.n > 1 ? w->players.at[1] : "...")},
        same);
}

// Who has another number than all others, or -1; of two the second.
static int odd_one(const int *lengths, size_t n) {
    int odd = -1;
    for (size_t p = 0; p < n; p++) {
        size_t unlike = 0;
        for (size_t q = 0; q < n; q++) unlike += lengths[q] != lengths[p];
        if (unlike == n - 1)
            odd = (int)p;
        else if (unlike > 1)
            return -1;
    }
    return odd;
}

void doubt_lengths(World *w, const Item *item, const int *lengths) {
    enum { FEW = 3, NEAR = 2, PART = 8 }; // unlike sides are as often meant to be so
    size_t n = w->players.n;
    int odd = n > 1 ? odd_one(lengths, n) : -1;
    int a = odd >= 0 ? lengths[odd] : 0, b = odd >= 0 ? lengths[odd == 0] : 0;
    int longer = a > b ? a : b, gap = a > b ? a - b : b - a;
    bool holds = odd >= 0 && longer - gap >= FEW && (gap <= NEAR || gap * PART <= longer);
    const char *others = n == 2 && odd >= 0
                             ? arena_printf(w->arena, "for `%s`", w->players.at[odd == 0])
                             : "for the others";
    usage_suspect(
        w->script,
        (Suspicion){.code = W_UNLIKE_LENGTHS,
                    .span = item->node->kids[1]->span,
                    .words = {item->name,
                              arena_printf(w->arena, "%d site%s for `%s`", a, a == 1 ? "" : "s",
                                           odd >= 0 ? w->players.at[odd] : ""),
                              arena_printf(w->arena, "%d %s", b, others)}},
        holds);
}

// ---- what comes behind turns ---------------------------------------------------------------------

static bool says(const Node *n, const char *word) {
    if (n->kind == NODE_NAME && strcmp(n->text, word) == 0) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (says(n->kids[i], word)) return true;
    return false;
}

void doubt_next(World *w, const Node *before, const Node *next) {
    if (before->kind != NODE_LIST || before->ludeme != L_TURNS || !watched(w, before)) return;
    // Whatever an option may take away counts: hence the script as written.
    bool by_retiring = !key_value(before, "next");
    for (size_t i = 0; i < w->script->items.n; i++) {
        const Node *item = w->script->items.at[i].node;
        if (says(item, "leave") || (by_retiring && says(item, "retire"))) return;
    }
    usage_suspect(w->script, (Suspicion){.code = W_NEVER_END, .span = before->kids[0]->span},
                  false); // it would be said twice
    int d = report_at(w->diags, w->script, W_NEVER_COMES, next);
    diag_label(w->diags, d, before->kids[0]->span, "these go on until the game is over");
    diag_mend(w->diags, d, "(leave) leaves the turns, and goes on behind them");
}

// ---- what a game can hardly do without -----------------------------------------------------------

static const Node *find_form(const Node *n, LudemeId a, LudemeId b) {
    if (!n) return NULL;
    if (n->kind == NODE_LIST && (n->ludeme == a || n->ludeme == b)) return n;
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *found = find_form(n->kids[i], a, b);
        if (found) return found;
    }
    return NULL;
}

static bool script_says(const World *w, const char *const *words, size_t n) {
    for (size_t i = 0; i < w->script->items.n; i++) {
        const Item *item = &w->script->items.at[i];
        if (item->library) continue;
        for (size_t k = 0; k < n; k++)
            if (says(item->node, words[k])) return true;
    }
    return false;
}

// What asks for something that nothing ever does.
static void doubt_asked(World *w) {
    static const struct {
        LudemeId asks, does;
        const char *why, *mend;
    } pairs[] = {
        {L_TIMES_SEEN, L_REMEMBER, "is always 0: no position is ever noted",
         "(remember) notes one, as a rule at the beginning of each turn"},
        {L_HIGHEST_WINS, L_SCORE, "always makes a draw: nobody ever scores",
         "(score PLAYER NUMBER) gives points"},
        {L_LOWEST_WINS, L_SCORE, "always makes a draw: nobody ever scores",
         "(score PLAYER NUMBER) gives points"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const Node *asks = find_form(w->expanded->play, pairs[i].asks, pairs[i].asks);
        const char *does = ludemes[pairs[i].does].name;
        if (!asks) continue;
        usage_suspect(w->script,
                      (Suspicion){.code = W_ASKED_IN_VAIN,
                                  .span = asks->span,
                                  .words = {ludemes[pairs[i].asks].name, pairs[i].why},
                                  .mend = pairs[i].mend},
                      !find_form(w->expanded->start, pairs[i].does, pairs[i].does) &&
                          !find_form(w->expanded->play, pairs[i].does, pairs[i].does) &&
                          !script_says(w, &does, 1));
    }
}

void doubt_program(World *w) {
    static const char *const rounds[] = {"turns", "while", "repeat", "for"}, *const puts[] = {
                                                                                 "put"};
    const Expanded *e = w->expanded;
    const Item *play = script_find(w->script, L_PLAY, NULL), *piece = NULL;
    if (!w->script->usage || w->diags->errors || !play) return;
    doubt_asked(w);
    // The one decision there is, at the very end.
    const Node *last = e->play->nkids > 1 ? e->play->kids[e->play->nkids - 1] : NULL;
    bool decides = last && (last->ludeme == L_CHOOSE || last->ludeme == L_EITHER);
    if (w->players.n > 1 && decides && find_form(e->play, L_CHOOSE, L_EITHER) == last &&
        !script_says(w, rounds, 4)) {
        int d = diag_report(w->diags, W_NO_TURNS, play->node->kids[0]->span);
        diag_label(w->diags, d, last->span, "somebody decides here, once");
        diag_mend(w->diags, d, "(play (turns ...)) gives one player after the other a turn");
    }
    for (size_t i = 0; i < w->script->items.n && !piece; i++)
        if (w->script->items.at[i].kind == L_PIECE) piece = &w->script->items.at[i];
    if (piece && !piece->library && !find_form(e->start, L_PUT, L_PUT) &&
        !find_form(e->play, L_PUT, L_PUT) && !script_says(w, puts, 1)) {
        int d = diag_report(w->diags, W_NOTHING_PUT, piece->node->kids[1]->span, piece->name);
        diag_mend(w->diags, d, "(start (put 1 %s on: ...)) lays them out", piece->name);
        // That they are not used otherwise either is no news.
        for (size_t i = 0; i < w->script->items.n; i++)
            if (w->script->items.at[i].kind == L_PIECE)
                usage_mark(w->script, w->script->items.at[i].name);
    }
}

// ---- options and readings --------------------------------------------------------------------------

static const Expanded *settled(Arena *arena, const Script *script, const char *reading,
                               const OldsowSetting *settings, size_t n) {
    Diags unheard;
    diags_init(&unheard, arena);
    OldsowLoading how = {.reading = reading, .settings = settings, .nsettings = n};
    return expand_script(arena, script, &unheard, &how);
}

static bool same_choices(const Expanded *a, const Expanded *b) {
    for (size_t i = 0; i < a->options.n; i++)
        if (a->options.at[i].chosen != b->options.at[i].chosen) return false;
    return a->options.n > 0;
}

static void doubt_pairs(Arena *arena, const Script *script, const Expanded *const *all,
                        const OldsowReading *readings, size_t n, Diags *diags) {
    (void)arena;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            if (!same_choices(all[i], all[k])) continue;
            const Item *item = script_find(script, L_READING, readings[i].name),
                       *other = script_find(script, L_READING, readings[k].name);
            if (!item || !other || item->node->span.file != script->tree->span.file) break;
            int d = diag_report(diags, W_READINGS_ALIKE, item->node->kids[1]->span,
                                readings[k].name, readings[i].name);
            diag_label(diags, d, other->node->kids[1]->span, "the other one");
            break;
        }
}

// A search through settings. What it may cost is bounded: who has very many options is not to wait for it.
typedef struct Search {
    Arena *arena;
    const Script *script;
    const Expanded *e; // under the defaults
    uint64_t usual;    // its hash
    const OldsowReading *readings;
    size_t nreadings;
    size_t cost, spent; // of one expansion and of all so far, in forms
} Search;

enum { SEARCH_MAX = 500000 };

static size_t forms_in(const Node *n) {
    size_t count = 1;
    for (uint32_t i = 0; n && i < n->nkids; i++) count += forms_in(n->kids[i]);
    return count;
}

static uint64_t hash_with(Search *s, const char *reading, const Option *o, size_t value,
                          const OldsowSetting *also) {
    if (!reading && !also && value == o->standard) return s->usual;
    OldsowSetting settings[2] = {{o->name, value_text(s->arena, o->values[value])}};
    if (also) settings[1] = *also;
    Arena *branch = arena_branch(s->arena);
    uint64_t h = expanded_hash(settled(branch, s->script, reading, settings, also ? 2 : 1));
    arena_free(branch);
    s->spent += s->cost;
    return h;
}

static bool same_with(Search *s, const char *reading, const Option *o, size_t a, size_t b,
                      const OldsowSetting *also) {
    return s->spent < SEARCH_MAX &&
           hash_with(s, reading, o, a, also) == hash_with(s, reading, o, b, also);
}

// Whether two values of an option, which make the same rules under the defaults, do so under each reading and with each
// value of every other option.
static bool same_everywhere(Search *s, const Option *o, size_t a, size_t b) {
    for (size_t i = 0; i < s->nreadings; i++)
        if (!same_with(s, s->readings[i].name, o, a, b, NULL)) return false;
    for (size_t i = 0; i < s->e->options.n; i++) {
        const Option *other = &s->e->options.at[i];
        for (size_t v = 0; other != o && v < other->nvalues; v++) {
            OldsowSetting also = {other->name, value_text(s->arena, other->values[v])};
            if (!same_with(s, NULL, o, a, b, &also)) return false;
        }
    }
    return true;
}

// Tells if all values make the same rules, else of the first two that do.
static void doubt_option(Search *s, const Option *o, Diags *diags) {
    uint64_t *hashes = arena_array(s->arena, o->nvalues, sizeof *hashes);
    for (size_t v = 0; v < o->nvalues; v++) hashes[v] = hash_with(s, NULL, o, v, NULL);
    size_t alike = 1;
    while (alike < o->nvalues && hashes[alike] == hashes[0] && same_everywhere(s, o, 0, alike))
        alike++;
    if (o->nvalues > 1 && alike == o->nvalues) {
        diag_report(diags, W_NO_DIFFERENCE, o->item->kids[1]->span, o->name);
        return;
    }
    for (size_t b = 1; b < o->nvalues; b++)
        for (size_t a = 0; a < b; a++) {
            if (hashes[a] != hashes[b] || !same_everywhere(s, o, a, b)) continue;
            int d = diag_report(diags, W_VALUES_ALIKE, o->values[b]->span,
                                value_text(s->arena, o->values[a]),
                                value_text(s->arena, o->values[b]), o->name);
            diag_label(diags, d, o->values[a]->span, "the other one");
            return;
        }
}

// ---- names ---------------------------------------------------------------------------------------

static const char *kind_of(const World *w, const char *name) {
    if (strcmp(name, "mover") == 0 || strcmp(name, "opponent") == 0) return "player";
    if (strcmp(name, "board") == 0 || strcmp(name, "players") == 0) return "list";
    for (size_t i = 0; i < w->script->items.n; i++) {
        const Item *item = &w->script->items.at[i];
        if (item->name == name && item->kind != L_READING && !item->library)
            return item->kind == L_DEFINE ? "definition" : ludemes[item->kind].name;
    }
    int s = world_symbol(w, name);
    if (s < 0) return NULL;
    switch (w->symbols.at[s].kind) {
    case SYMBOL_PLAYER: return "player";
    case SYMBOL_SITE: return "site";
    default: return NULL;
    }
}

void doubt_names(World *w) {
    for (size_t i = 0; w->script->usage && i < w->expanded->locals.n; i++) {
        const Local *l = &w->expanded->locals.at[i];
        // What a parameter hides it stands for, more often than not.
        const char *kind = l->let || l->bound || l->thrown ? kind_of(w, l->name) : NULL;
        if (kind)
            usage_suspect(w->script,
                          (Suspicion){.code = W_HIDES, .span = l->span, .words = {l->name, kind}},
                          true);
    }
}

void doubt_readings(Arena *arena, const Script *script, Diags *diags) {
    size_t n;
    const OldsowReading *readings = public_readings(arena, script, &n);
    const Expanded **all = arena_array(arena, n + 1, sizeof *all);
    for (size_t i = 0; i < n; i++) all[i] = settled(arena, script, readings[i].name, NULL, 0);
    doubt_pairs(arena, script, all, readings, n, diags);
    const Expanded *e = settled(arena, script, NULL, NULL, 0);
    Search s = {.arena = arena,
                .script = script,
                .e = e,
                .usual = expanded_hash(e),
                .readings = readings,
                .nreadings = n};
    enum { LEAST_COST = 500 };
    s.cost = LEAST_COST + forms_in(e->start) + forms_in(e->play);
    for (size_t i = 0; i < e->options.n && s.spent < SEARCH_MAX; i++) {
        const Option *o = &e->options.at[i];
        if (!usage_marked(script, o->name)) continue; // said already
        if (o->item->span.file == script->tree->span.file) doubt_option(&s, o, diags);
    }
}
