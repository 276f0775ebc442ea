// (graph points: {NAME ...} lines: {{NAME ...} ...}): boards whose points the script names, and the lines through them.

#include "check.h"
#include "spelling.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_POINTS_MAX = 20000 };

typedef struct Point {
    const char *name;
    const Node *at; // where it is named, by itself or in a run
} Point;

typedef VEC(Point) Points;

static size_t mentions(const Node *n, const char *name) {
    size_t count = n->kind == NODE_NAME && n->text == name;
    for (uint32_t i = 0; i < n->nkids; i++) count += mentions(n->kids[i], name);
    return count;
}

static size_t mentioned(const World *w, const char *name) {
    size_t count = 0;
    for (size_t i = 0; i < w->script->items.n; i++)
        if (!w->script->items.at[i].library) count += mentions(w->script->items.at[i].node, name);
    return count;
}

// `p1-p15`, which stands once and is meant as a run, since the script names the first of it: where it begins and ends. -1: it
// is a name.
static long hyphen_run(const World *w, const Node *p, long *to) {
    enum { RUN_MAX = 999 };
    size_t stem = strcspn(p->text, "0123456789-");
    char *dash, *end;
    long from =
        p->text[stem] >= '0' && p->text[stem] <= '9' ? strtol(p->text + stem, &dash, 10) : -1;
    if (from < 0 || *dash != '-' || strncmp(dash + 1, p->text, stem) != 0) return -1;
    const char *second = dash + 1 + stem;
    if (*second < '0' || *second > '9') return -1;
    *to = strtol(second, &end, 10);
    if (*end || *to <= from || *to > RUN_MAX) return -1;
    const char *first = arena_intern(w->arena, p->text, (size_t)(dash - p->text));
    bool named = mentioned(w, first) > 0 || world_symbol(w, first) >= 0;
    return named && mentioned(w, p->text) == 1 ? from : -1;
}

// Points as a script names them: one by one, or s1..s63.
static bool read_points(World *w, const Node *set, Points *out) {
    if (set->kind != NODE_SET) {
        if (set->kind != NODE_ERROR)
            report_at(w->diags, w->script, E_SHAPE, set,
                      "points stand in { }: {p q r} or {s1..s63}");
        return false;
    }
    for (uint32_t i = 0; i < set->nkids; i++) {
        const Node *p = set->kids[i];
        long from, to;
        if (p->kind == NODE_NAME && (from = hyphen_run(w, p, &to)) >= 0) {
            int stem = (int)strcspn(p->text, "0123456789");
            int d = report_at(w->diags, w->script, E_SHAPE, p, "a run of points has two dots");
            diag_mend(w->diags, d, "%.*s%ld..%.*s%ld", stem, p->text, from, stem, p->text, to);
            for (long k = from; k <= to; k++) {
                const char *name = arena_printf(w->arena, "%.*s%ld", stem, p->text, k);
                vec_push(w->arena, out, (Point){arena_intern_str(w->arena, name), p});
            }
        } else if (p->kind == NODE_NAME) {
            vec_push(w->arena, out, (Point){p->text, p});
        } else if (p->kind == NODE_RANGE && numbered_run(p, &from, &to)) {
            int stem = (int)strcspn(p->kids[0]->text, "0123456789");
            for (long k = from; k != to + (from <= to ? 1 : -1); k += from <= to ? 1 : -1) {
                const char *name = arena_printf(w->arena, "%.*s%ld", stem, p->kids[0]->text, k);
                vec_push(w->arena, out, (Point){arena_intern_str(w->arena, name), p});
            }
        } else if (p->kind != NODE_ERROR) {
            report_at(w->diags, w->script, E_NEED_NAME, p, "graph", "a point's, or a run s1..s9");
            return false;
        }
    }
    return true;
}

// The note is for people: a long one ends in dots.
static void note_more(World *w, const char **note, const char *more) {
    enum { NOTE_MAX = 2000 };
    size_t n = strlen(*note);
    if (n < NOTE_MAX) *note = arena_printf(w->arena, "%s%s", *note, more);
    if (n < NOTE_MAX && strlen(*note) >= NOTE_MAX) *note = arena_printf(w->arena, "%s ...", *note);
}

// Is it the point that is misspelt, not the one unknown name that is nearly like it?
static bool misspelt_point(const World *w, const Point *p, const char *name) {
    if (p->at->kind != NODE_NAME || !one_slip(name, p->name) || mentioned(w, p->name) != 1)
        return false;
    return mentioned(w, name) > 1 ||
           spelling_odds(w->arena, w->script, (Spelling){name, 1}, (Spelling){p->name, 1}) > 0;
}

// Makes the name one for the point that was meant by it. Gives its symbol, or -1.
static int same_site(World *w, const char *name, const Point *p) {
    int site = w->symbols.at[world_symbol(w, p->name)].index;
    Symbol *s = world_add(w, name, SYMBOL_SITE, p->at);
    if (s) s->index = s->values[0] = site;
    return s ? (int)(s - w->symbols.at) : -1;
}

// A point that stands among the points a second time, and is likely misspelt there.
static const Point *second_point(const Points *points, const char *name) {
    for (size_t i = 1; i < points->n; i++)
        for (size_t k = 0; k < i && one_slip(name, points->at[i].name); k++)
            if (points->at[k].name == points->at[i].name) return &points->at[i];
    return NULL;
}

// What points there are.
static void mend_points(World *w, int d, const Points *points) {
    enum { LISTED_MAX = 8 };
    const char *list = "";
    bool all = points->n <= LISTED_MAX;
    for (size_t i = 0; i < points->n && (all || i < 3); i++)
        list = arena_printf(w->arena, "%s%s%s", list, i ? ", " : "", points->at[i].name);
    if (points->n)
        diag_mend(w->diags, d, "its points are %s%s%s", list, all ? "" : " ... ",
                  all ? "" : points->at[points->n - 1].name);
}

// A line names a point that is none. Gives the symbol of the one that was meant, if that is misspelt, or -1.
static int unknown_point(World *w, const Point *named, const Points *points) {
    const char *near = NULL;
    const Point *twice = second_point(points, named->name);
    if (twice) { // told of there
        if (world_symbol(w, named->name) < 0) world_add(w, named->name, SYMBOL_LOST, twice->at);
        return -1;
    }
    for (size_t i = 0; i < points->n && !diags_many(w->diags); i++) {
        const Point *p = &points->at[i];
        if (one_slip(named->name, p->name)) near = p->name;
        if (!misspelt_point(w, p, named->name)) continue;
        int d = report_at(w->diags, w->script, E_UNKNOWN_SITE, p->at, named->name);
        diag_label(w->diags, d, named->at->span, "here a line goes through `%s`", named->name);
        diag_meant(w->diags, d, "%s", named->name);
        return same_site(w, named->name, p);
    }
    int d = report_at(w->diags, w->script, E_UNKNOWN_SITE, named->at, named->name);
    if (near && strlen(near) > 3)
        diag_meant(w->diags, d, "%s", near);
    else
        mend_points(w, d, points);
    // If it is the point that was forgotten, its other uses are right.
    if (world_symbol(w, named->name) < 0) world_add(w, named->name, SYMBOL_LOST, named->at);
    return -1;
}

void build_graph(World *w, const Node *form, const Node *given, const Node *lines) {
    if (!given || !lines || lines->kind != NODE_SET) {
        report_at(w->diags, w->script, E_SHAPE, form,
                  "a graph is (graph points: {NAME ...} lines: {{NAME ...} ...})");
        return;
    }
    Points points = {0};
    if (!read_points(w, given, &points)) return;
    if (lines->nkids && lines->kids[0]->kind == NODE_NAME) {
        report_at(w->diags, w->script, E_SHAPE, lines,
                  "each line stands in { } of its own: {{p q r}}");
        return;
    }
    for (size_t i = 0; i < points.n && i < WORLD_SITES_MAX / 2; i++)
        board_add_site(w, points.at[i].name, 0, 0, points.at[i].at);
    const char *note = "lines:";
    size_t points_of_lines = 0;
    for (uint32_t i = 0; i < lines->nkids; i++) {
        Points names = {0};
        if (!read_points(w, lines->kids[i], &names)) continue;
        VEC(int) sites = {0};
        points_of_lines += names.n;
        if (points_of_lines > LINE_POINTS_MAX) {
            report_at(w->diags, w->script, E_LIMIT, lines->kids[i], "points of all lines",
                      LINE_POINTS_MAX);
            return;
        }
        if (i) note_more(w, &note, ",");
        for (size_t k = 0; k < names.n; k++) {
            int s = world_symbol(w, names.at[k].name);
            if (s < 0 || w->symbols.at[s].kind != SYMBOL_SITE)
                s = unknown_point(w, &names.at[k], &points);
            if (s < 0) break;
            if (k && sites.at[k - 1] == w->symbols.at[s].index &&
                names.at[k].at != names.at[k - 1].at) {
                int d = report_at(w->diags, w->script, E_TWICE, names.at[k].at, names.at[k].name);
                diag_label(w->diags, d, names.at[k - 1].at->span, "first here");
                break;
            }
            vec_push(w->arena, &sites, w->symbols.at[s].index);
            note_more(w, &note, k ? "-" : " ");
            note_more(w, &note, names.at[k].name);
        }
        board_add_line(w, sites.at, sites.n);
    }
    w->board_note = note;
}
