#include "eval.h"

#include "check.h"
#include "forms.h"
#include "geometry.h"

#include <string.h>

enum { RUN_MAX = 10000 };

// A list's elements, or a track's sites.
static List list_of(const World *w, const Node *n, int value) {
    return w->lists.at[value < 0 ? 0 : list_number(w, n, value)];
}

static bool add_values(World *w, const Node *n, const Leaves *leaves, Ints *out) {
    int value;
    if (!evaluate(w, n, leaves, &value)) return false;
    if (is_listlike(n)) {
        List l = list_of(w, n, value);
        for (int i = 0; i < l.n; i++) vec_push(w->arena, out, l.at[i]);
    } else if (value != UNSET || n->type == T_NUMBER) {
        vec_push(w->arena, out, value);
    }
    return true;
}

// ---- runs ---------------------------------------------------------------------------------------

// From site a to site b along their row or column; else the rectangle between them, row by row from a's.
static bool site_run(World *w, int a, int b, Ints *out) {
    const SiteInfo sa = w->sites.at[a], sb = w->sites.at[b];
    if (!sa.row || !sb.row) return false;
    int dc = (sb.column > sa.column) - (sb.column < sa.column),
        dr = (sb.row > sa.row) - (sb.row < sa.row);
    for (int r = sa.row;; r += dr) {
        for (int c = sa.column;; c += dc) {
            int s = board_at(w, c, r);
            if (s != UNSET) vec_push(w->arena, out, s);
            if (c == sb.column) break;
        }
        if (r == sb.row) return true;
    }
}

// s1..s63: the points of those names.
static bool point_run(World *w, const Node *n, Ints *out) {
    long from, to;
    if (!numbered_run(n, &from, &to)) return false;
    int stem = (int)strcspn(n->kids[0]->text, "0123456789");
    for (long k = from; k != to + (from <= to ? 1 : -1); k += from <= to ? 1 : -1) {
        const char *name = arena_printf(w->arena, "%.*s%ld", stem, n->kids[0]->text, k);
        int s = world_symbol(w, arena_intern_str(w->arena, name));
        if (s < 0 || w->symbols.at[s].kind != SYMBOL_SITE) return false;
        vec_push(w->arena, out, w->symbols.at[s].index);
    }
    return true;
}

static bool evaluate_range(World *w, const Node *n, const Leaves *leaves, int *value) {
    int a, b;
    if (!evaluate(w, n->kids[0], leaves, &a) || !evaluate(w, n->kids[1], leaves, &b)) return false;
    Ints out = {0};
    *value = 0;
    if (world_spent(w, n)) return true;
    if (n->type == T_REGION) {
        if (a == UNSET || b == UNSET || !(site_run(w, a, b, &out) || point_run(w, n, &out))) {
            if (a != UNSET && b != UNSET)
                report_at(w->diags, w->script, E_RUN, n, w->sites.at[a].name, w->sites.at[b].name);
            *value = 0;
            return true;
        }
    } else {
        if (b - a >= RUN_MAX) {
            report_at(w->diags, w->script, E_LIMIT, n, "numbers in a run", RUN_MAX);
            *value = 0;
            return true;
        }
        for (int i = a; i <= b; i++) vec_push(w->arena, &out, i);
    }
    *value = world_list(w, out.at, out.n);
    return true;
}

static bool evaluate_set(World *w, const Node *n, const Leaves *leaves, int *value) {
    Ints out = {0};
    for (uint32_t i = 0; i < n->nkids; i++) {
        int track;
        if (n->type == (T_LIST | T_TRACK)) { // tracks themselves, not their sites
            if (!evaluate(w, n->kids[i], leaves, &track)) return false;
            if (track != UNSET) vec_push(w->arena, &out, track);
        } else if (!add_values(w, n->kids[i], leaves, &out)) {
            return false;
        }
    }
    *value = world_list(w, out.at, out.n);
    return true;
}

// ---- names ----------------------------------------------------------------------------------------

static bool symbol_value(const World *w, const Symbol *s, int *value) {
    switch (s->kind) {
    case SYMBOL_PLAYER:
    case SYMBOL_WORD:
    case SYMBOL_DIRECTION:
    case SYMBOL_SITE: *value = s->index; return true;
    case SYMBOL_REGION:
    case SYMBOL_TRACK:
    case SYMBOL_STORE:
        if (s->per_player && w->each < 0) return false;
        *value = s->values[s->per_player ? w->each : 0];
        return true;
    case SYMBOL_PIECE:
    case SYMBOL_LIST: *value = s->values[0]; return true;
    case SYMBOL_PIECES: *value = s->list; return true;
    default: return false;
    }
}

static bool evaluate_name(World *w, const Node *n, const Leaves *leaves, int *value) {
    switch ((int)n->ludeme) {
    case L_YES: *value = 1; return true;
    case L_NO: *value = 0; return true;
    case L_UNSET_VALUE: *value = UNSET; return true;
    case L_CHOSEN: *value = n->type == T_TRUTH ? node_truth(n) : n->ref; return true;
    case L_LOCAL: {
        const Local *l = &w->expanded->locals.at[n->ref];
        if (l->constant) *value = l->value;
        if (l->constant) return true;
        return (l->alias && evaluate(w, l->alias, leaves, value)) ||
               (l->stands && evaluate(w, l->stands, leaves, value));
    }
    case L_SYMBOL: return symbol_value(w, &w->symbols.at[n->ref], value);
    default: return false;
    }
}

static bool evaluate_symbol_list(World *w, const Node *n, const Leaves *leaves, int *value) {
    const Symbol *s = &w->symbols.at[n->ref];
    int i;
    if (s->kind == SYMBOL_VAR || n->nkids < 2 || !evaluate(w, n->kids[1], leaves, &i)) return false;
    bool list = s->kind == SYMBOL_REGION;
    if (s->kind == SYMBOL_PIECES) {
        int k = i - s->low;
        *value = k < 0 || k >= w->lists.at[s->list].n ? UNSET : s->values[0] + k;
        return true;
    }
    if (i < 0 || i >= (int)w->players.n)
        *value = list ? 0 : UNSET;
    else
        *value = s->values[i];
    return true;
}

// ---- FAMILY ludemes ----------------------------------------------------------------------------------

static int whose(const World *w, const Node *arg, int value) {
    if (value < 0) return UNSET;
    if (arg->type == T_PIECE) return w->piece_owner.at[value];
    return arg->type == T_SITE ? w->sites.at[value].owner : UNSET;
}

// The argument that brings the site of that number; `ends`: how many sites there are behind each.
static const Node *bringer(const Node *n, const Ints *ends, size_t site) {
    for (size_t i = 0; i < ends->n; i++)
        if ((size_t)ends->at[i] > site) return n->kids[i + 1];
    return n;
}

static bool make_track(World *w, const Node *n, const Ints *sites, const Ints *ends, bool loop,
                       int *value) {
    for (size_t i = 0; i < sites->n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (sites->at[i] != sites->at[k]) continue;
            const Node *again = bringer(n, ends, i), *first = bringer(n, ends, k);
            int d = report_at(w->diags, w->script, E_ON_TRACK_TWICE, again,
                              w->sites.at[sites->at[i]].name);
            if (again != first && again->via == first->via)
                diag_label(w->diags, d, first->span, "first here");
            *value = UNSET;
            return true;
        }
    }
    if (sites->n == 0) { // of a player who is not there: no track
        *value = UNSET;
        return true;
    }
    int list = world_list(w, sites->at, sites->n);
    for (size_t t = 0; t < w->tracks.n; t++) {
        if (w->tracks.at[t].list == list && w->tracks.at[t].loop == loop) {
            *value = (int)t;
            return true;
        }
    }
    *value = world_track(w, "a track", list, loop);
    return true;
}

static bool gather(World *w, const Node *n, uint32_t from, const Leaves *leaves, Ints *out) {
    for (uint32_t i = from; i < n->nkids; i++)
        if (!add_values(w, n->kids[i], leaves, out)) return false;
    return true;
}

bool is_rectangle(World *w, const Node *n) {
    int a, b;
    if (n->kind != NODE_RANGE || n->type != T_REGION) return false;
    if (!evaluate(w, n->kids[0], NULL, &a) || !evaluate(w, n->kids[1], NULL, &b)) return false;
    if (a < 0 || b < 0 || !w->sites.at[a].row || !w->sites.at[b].row) return false;
    return w->sites.at[a].row != w->sites.at[b].row &&
           w->sites.at[a].column != w->sites.at[b].column;
}

static bool evaluate_lists(World *w, const Node *n, const Leaves *leaves, int *value) {
    Ints a = {0}, b = {0}, out = {0};
    *value = n->type == T_TRACK ? UNSET : 0;
    if (world_spent(w, n)) return true;
    switch ((int)n->ludeme) {
    case L_LOOP:
    case L_PATH:
        for (uint32_t i = 1; i < n->nkids; i++) {
            if (!is_rectangle(w, n->kids[i])) continue;
            report_at(w->diags, w->script, E_RUN, n->kids[i], n->kids[i]->kids[0]->text,
                      n->kids[i]->kids[1]->text);
            *value = UNSET;
            return true;
        }
        for (uint32_t i = 1; i < n->nkids; i++) {
            if (!add_values(w, n->kids[i], leaves, &a)) return false;
            vec_push(w->arena, &b, (int)a.n);
        }
        return make_track(w, n, &a, &b, n->ludeme == L_LOOP, value);
    case L_REVERSED:
        if (n->type == T_TRACK) {
            int t;
            if (!evaluate(w, n->kids[1], leaves, &t)) return false;
            *value = t < 0 ? UNSET : t ^ 1;
            return true;
        }
        if (!add_values(w, n->kids[1], leaves, &a)) return false;
        for (size_t i = a.n; i > 0; i--) vec_push(w->arena, &out, a.at[i - 1]);
        break;
    case L_UNION:
        if (!gather(w, n, 1, leaves, &a)) return false;
        for (size_t i = 0; i < a.n; i++)
            if (!contains(&out, a.at[i])) vec_push(w->arena, &out, a.at[i]);
        break;
    case L_WITHOUT:
    case L_BOTH:
        if (!add_values(w, n->kids[1], leaves, &a) || !gather(w, n, 2, leaves, &b)) return false;
        for (size_t i = 0; i < a.n; i++)
            if (contains(&b, a.at[i]) == (n->ludeme == L_BOTH)) vec_push(w->arena, &out, a.at[i]);
        break;
    default: // L_FACING, L_HALF_TURN, L_QUARTER_TURN
        if (!add_values(w, n->kids[1], leaves, &a)) return false;
        for (size_t i = 0; i < a.n; i++) {
            const SiteInfo *s = square_of(w, a.at[i]);
            int turned = n->ludeme == L_QUARTER_TURN
                             ? board_at(w, w->columns + 1 - s->row, s->column)
                             : site_mirrored(w, a.at[i], n->ludeme == L_HALF_TURN);
            if (turned != UNSET) vec_push(w->arena, &out, turned);
        }
    }
    *value = world_list(w, out.at, out.n);
    return true;
}

static void after(World *w, int site, int track, Ints *out) {
    const List l = w->lists.at[w->tracks.at[track].list];
    int at = 0;
    while (at < l.n && l.at[at] != site) at++;
    if (at == l.n) return;
    for (int i = at + 1; i < l.n; i++) vec_push(w->arena, out, l.at[i]);
    for (int i = 0; w->tracks.at[track].loop && i < at; i++) vec_push(w->arena, out, l.at[i]);
}

static bool evaluate_family(World *w, const Node *n, const Leaves *leaves, int *value) {
    int v[3] = {0, 0, 0};
    // What is not there is left out of these, and they are there all the same.
    if (n->ludeme == L_UNION || n->ludeme == L_LOOP || n->ludeme == L_PATH)
        return evaluate_lists(w, n, leaves, value);
    for (uint32_t i = 1; i < n->nkids && i <= 3; i++)
        if (!evaluate(w, n->kids[i], leaves, &v[i - 1])) return false;
    int nsites = (int)w->sites.n;
    bool first_is_site =
        n->kids[1]->type == T_SITE || n->kids[1]->type == T_PIECE || n->kids[1]->type == T_UNSET;
    bool list = (n->type & T_LIST) != 0;
    if (first_is_site && (v[0] < 0 || v[0] >= (n->ludeme == L_WHOSE ? 32767 : nsites))) {
        *value = list || n->type == T_NUMBER ? 0 : UNSET;
        return true;
    }
    Ints out = {0};
    switch ((int)n->ludeme) {
    case L_FACING:
        if (list) return evaluate_lists(w, n, leaves, value);
        *value = site_mirrored(w, v[0], false);
        return true;
    case L_BEHIND: *value = site_behind(w, v[0]); return true;
    case L_STEP: *value = v[1] < 0 ? UNSET : board_step(w, v[0], v[1]); return true;
    case L_BEYOND: *value = v[1] < 0 ? UNSET : site_beyond(w, v[1], v[0]); return true;
    case L_AT: *value = board_at(w, v[0], v[1]); return true;
    case L_COLUMN_OF:
        *value = w->sites.at[v[0]].square < 0 ? 0 : w->sites.at[w->sites.at[v[0]].square].column;
        return true;
    case L_ROW_OF:
        *value = w->sites.at[v[0]].square < 0 ? 0 : w->sites.at[w->sites.at[v[0]].square].row;
        return true;
    case L_SQUARE: *value = w->sites.at[v[0]].square; return true;
    case L_WHOSE: *value = whose(w, n->kids[1], v[0]); return true;
    case L_NEIGHBOURS: site_neighbours(w, v[0], &out); break;
    case L_RAY:
        for (int s = v[1] < 0 ? UNSET : board_step(w, v[0], v[1]); s != UNSET;
             s = board_step(w, s, v[1]))
            vec_push(w->arena, &out, s);
        break;
    case L_BETWEEN:
        if (v[1] >= 0) sites_between(w, v[0], v[1], &out);
        break;
    case L_SHARING: steps_sharing(w, v[0], &out); break;
    case L_STEPS_ON: steps_on(w, v[0], &out); break;
    case L_AFTER:
        if (v[1] >= 0) after(w, v[0], v[1], &out);
        break;
    case L_ROW:
    case L_COLUMN: {
        int end = n->ludeme == L_ROW ? w->columns : w->rows;
        for (int i = 1; i <= end; i++) {
            int s = n->ludeme == L_ROW ? board_at(w, i, v[0]) : board_at(w, v[0], i);
            if (s != UNSET) vec_push(w->arena, &out, s);
        }
        break;
    }
    default: return evaluate_lists(w, n, leaves, value);
    }
    *value = world_list(w, out.at, out.n);
    return true;
}

// ---- calls that can be constant ---------------------------------------------------------------------------

static int ahead(const World *w, int site, int steps, int track) {
    if (site < 0 || track < 0) return UNSET;
    const List l = w->lists.at[w->tracks.at[track].list];
    for (int i = 0; i < l.n; i++) {
        if (l.at[i] != site) continue;
        int k = i + steps;
        if (w->tracks.at[track].loop) k = ((k % l.n) + l.n) % l.n;
        return k < 0 || k >= l.n ? UNSET : l.at[k];
    }
    return UNSET;
}

static bool evaluate_call(World *w, const Node *n, const Leaves *leaves, int *value) {
    int v[4] = {0};
    if (n->nkids > 5 || n->nkids < 2) return false;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_KEY || !evaluate(w, n->kids[i], leaves, &v[i - 1]))
            return false;
    int args = (int)n->nkids - 1;
    switch ((int)n->ludeme) {
    case L_ADD:
        *value = 0;
        for (int i = 0; i < args; i++) *value += v[i];
        return true;
    case L_MUL:
        *value = 1;
        for (int i = 0; i < args; i++) *value *= v[i];
        return *value <= CELL_MAX && *value >= CELL_MIN;
    case L_SUB: *value = args == 1 ? -v[0] : v[0] - v[1]; return true;
    case L_MIN:
        *value = v[0];
        for (int i = 1; i < args; i++) *value = v[i] < *value ? v[i] : *value;
        return true;
    case L_MAX:
        *value = v[0];
        for (int i = 1; i < args; i++) *value = v[i] > *value ? v[i] : *value;
        return true;
    case L_ABS: *value = v[0] < 0 ? -v[0] : v[0]; return true;
    case L_EQ: *value = v[0] == v[1]; return true;
    case L_NE: *value = v[0] != v[1]; return true;
    case L_LT: *value = v[0] < v[1]; return true;
    case L_LE: *value = v[0] <= v[1]; return true;
    case L_GT: *value = v[0] > v[1]; return true;
    case L_GE: *value = v[0] >= v[1]; return true;
    case L_NOT: *value = !v[0]; return true;
    case L_DIV:
    case L_MOD: {
        if (v[1] == 0) return false;
        int q = v[0] / v[1], m = v[0] % v[1];
        if (m != 0 && (m < 0) != (v[1] < 0)) q--, m += v[1];
        *value = n->ludeme == L_DIV ? q : m;
        return true;
    }
    case L_SIZE: *value = list_of(w, n->kids[1], v[0]).n; return true;
    case L_NTH: {
        List l = list_of(w, n->kids[2], v[1]);
        *value = v[0] < 1 || v[0] > l.n ? UNSET : l.at[v[0] - 1];
        return true;
    }
    case L_INDEX:
    case L_IN: {
        List l = list_of(w, n->kids[2], v[1]);
        int i = 0;
        while (i < l.n && l.at[i] != v[0]) i++;
        *value = n->ludeme == L_IN ? i < l.n : i < l.n ? i + 1 : 0;
        return true;
    }
    case L_NEXT: *value = ahead(w, v[0], 1, v[1]); return true;
    case L_AHEAD: *value = ahead(w, v[0], v[1], v[2]); return true;
    case L_OPPONENT: *value = v[0] < 0 ? UNSET : 1 - v[0]; return true;
    case L_UNSET: *value = v[0] == UNSET; return true;
    default: return false;
    }
}

static bool evaluate_node(World *w, const Node *n, const Leaves *leaves, int *value);

// A number that no cell can hold is left to the machine, which reports it.
bool evaluate(World *w, const Node *n, const Leaves *leaves, int *value) {
    if (!evaluate_node(w, n, leaves, value)) return false;
    return n->type != T_NUMBER || (*value <= CELL_MAX && *value >= CELL_MIN);
}

static bool evaluate_node(World *w, const Node *n, const Leaves *leaves, int *value) {
    const Leaf *leaf = find_leaf(leaves, n);
    if (leaf) {
        *value = leaf->value;
        return true;
    }
    *value = UNSET;
    if (n->type == T_ERROR) return false;
    switch (n->kind) {
    case NODE_NUMBER: *value = (int)n->number; return true;
    case NODE_NAME: return evaluate_name(w, n, leaves, value);
    case NODE_SET: return evaluate_set(w, n, leaves, value);
    case NODE_RANGE: return evaluate_range(w, n, leaves, value);
    case NODE_LIST: break;
    default: return false;
    }
    if (n->ludeme == L_SYMBOL) return evaluate_symbol_list(w, n, leaves, value);
    if (n->ludeme == L_IF) {
        int truth;
        if (n->nkids < 4 || !evaluate(w, n->kids[1], leaves, &truth)) return false;
        return evaluate(w, n->kids[truth ? 2 : 3], leaves, value);
    }
    if (n->ludeme == L_DO) {
        for (uint32_t i = 1; i + 1 < n->nkids; i++)
            if (n->kids[i]->ludeme != L_LET) return false;
        return n->nkids > 1 && evaluate(w, n->kids[n->nkids - 1], leaves, value);
    }
    if (n->ludeme > L_UNKNOWN && n->ludeme < LUDEMES && ludemes[n->ludeme].form == FAMILY)
        return evaluate_family(w, n, leaves, value);
    return evaluate_call(w, n, leaves, value);
}

bool is_constant(World *w, const Node *n) {
    int value;
    return evaluate(w, n, NULL, &value);
}
