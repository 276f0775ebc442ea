// (board ...): its sites, how they lie, what is next to what.

#include "check.h"
#include "eval.h"
#include "foreign.h"
#include "world.h"

#include <string.h>

typedef struct BoardArgs {
    const Node *form;
    const Node *rows, *columns, *points, *rings, *gaps, *links, *centre, *lines, *plain;
} BoardArgs;

static const char *column_name(Arena *arena, int column) {
    char letters[4];
    int n = 0, c = column - 1;
    if (c >= 26) letters[n++] = (char)('a' + c / 26 - 1);
    letters[n++] = (char)('a' + c % 26);
    return arena_intern(arena, letters, (size_t)n);
}

static const char *site_name(World *w, int column, int row) {
    return arena_intern_str(w->arena,
                            arena_printf(w->arena, "%s%d", column_name(w->arena, column), row));
}

int board_add_site(World *w, const char *name, int column, int row, const Node *where) {
    int site = world_site(w, name, OLDSOW_ON_BOARD, -1, UNSET);
    w->sites.at[site].square = (int16_t)site;
    w->sites.at[site].column = (int16_t)column;
    w->sites.at[site].row = (int16_t)row;
    Symbol *s = world_add(w, name, SYMBOL_SITE, where);
    if (s) {
        s->index = s->values[0] = site;
        if (row) s->span = (Span){0}; // a1 is nowhere declared
    }
    return site;
}

static bool read_args(World *w, const Node *form, BoardArgs *a, const char *const *keys) {
    const Node **slots[] = {&a->rows, &a->columns, &a->points, &a->rings,
                            &a->gaps, &a->links,   &a->centre, &a->lines};
    static const char *const names[] = {"rows", "columns", "points", "rings",
                                        "gaps", "links",   "centre", "lines"};
    a->form = form;
    for (uint32_t i = 1; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        if (kid->kind == NODE_ERROR) return false;
        if (kid->kind != NODE_KEY) {
            if (a->plain || keys[0]) {
                LudemeId id = ludeme_find(node_head(form));
                int d = report_at(w->diags, w->script, E_TOO_MANY, kid, node_head(form),
                                  keys[0] ? "keyed arguments only" : "one number");
                if (keys[0] && keys[1] && form->nkids == 3 && kid->kind == NODE_NUMBER)
                    diag_mend(w->diags, d, "(%s %s: %ld %s: %s)", node_head(form), keys[0],
                              kid->number, keys[1], short_text(w->arena, form->kids[2]));
                else
                    diag_mend(w->diags, d, "(%s %s)", node_head(form), ludemes[id].signature);
                return false;
            }
            a->plain = kid;
            continue;
        }
        bool takes = false;
        size_t nkeys = 0;
        for (; keys[nkeys]; nkeys++) takes |= strcmp(keys[nkeys], kid->text) == 0;
        if (!takes) {
            int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, kid, node_head(form), kid->text);
            const char *near = nearest_name(kid->text, keys, nkeys);
            if (!near) return false;
            diag_meant(w->diags, d, "%s:", near);
            form->kids[i]->text = arena_intern_str(w->arena, near);
        }
        if (i + 1 >= form->nkids || form->kids[i + 1]->kind == NODE_KEY) {
            report_at(w->diags, w->script, E_KEY_VALUE, kid, kid->text);
            return false;
        }
        i++;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(names[k], kid->text) == 0) {
                if (*slots[k]) {
                    report_at(w->diags, w->script, E_KEY_TWICE, kid, kid->text);
                    return false;
                }
                *slots[k] = form->kids[i];
            }
    }
    return true;
}

static bool read_number(World *w, const BoardArgs *a, const Node *n, const char *what, int low,
                        int high, int *out) {
    *out = low;
    if (!n) {
        report_at(w->diags, w->script, E_MISSING_KEY, a->form, node_head(a->form), what);
        return false;
    }
    if (!check_wanted(w, (Node *)n, "number", node_head(a->form))) return false;
    if (!evaluate(w, n, NULL, out)) {
        report_at(w->diags, w->script, E_CONSTANT, n, "the size of a board");
        return false;
    }
    if (*out >= low && *out <= high) return true;
    report_at(w->diags, w->script, E_SIZE, n, arena_printf(w->arena, "`%s`", what), low, high);
    return false;
}

// Reads a site's name; false if it is none of this board.
static bool parse_name(const World *w, const char *p, int *column, int *row) {
    long c = 0, r = 0;
    for (; *p >= 'a' && *p <= 'z' && c < 1000; p++) c = c * 26 + (*p - 'a' + 1);
    for (; *p >= '0' && *p <= '9' && r < 1000; p++) r = r * 10 + (*p - '0');
    *column = (int)c;
    *row = (int)r;
    return *p == '\0' && c >= 1 && c <= w->columns && r >= 1 && r <= w->rows;
}

static void mend_by_size(World *w, int d) {
    diag_mend(w->diags, d, "its columns are a to %s, its rows 1 to %d",
              column_name(w->arena, w->columns), w->rows);
}

int report_no_line(World *w, const Node *at, bool row, int number) {
    int last = row ? w->rows : w->columns;
    const char *what = row ? "row" : "column";
    if (number != last + 1)
        return report_at(w->diags, w->script, E_SIZE, at,
                         arena_printf(w->arena, "a %s of this board", what), 1, last);
    int d = report_at(w->diags, w->script, E_BEYOND, at,
                      row ? arena_printf(w->arena, "row %d", number)
                          : arena_printf(w->arena, "column %s", column_name(w->arena, number)));
    mend_by_size(w, d);
    return d;
}

static int report_missing(World *w, const Node *at, const char *name, int column, int row) {
    bool column_fits = column >= 1 && column <= w->columns, row_fits = row >= 1 && row <= w->rows;
    if (column_fits && row == w->rows + 1) return report_no_line(w, at, true, row);
    if (row_fits && column == w->columns + 1) return report_no_line(w, at, false, column);
    int d = report_at(w->diags, w->script, E_UNKNOWN_SITE, at, name);
    mend_by_size(w, d);
    return d;
}

// Several sites that would be there if columns and rows changed places: told once.
static bool turned_again(World *w, const Node *at) {
    for (size_t i = 0; w->turned && i < w->diags->all.n; i++) {
        if (w->diags->all.at[i].message != w->turned) continue;
        diag_elsewhere(w->diags, (int)i, at->span);
        diag_mend(w->diags, (int)i,
                  "its columns are a to %s, its rows 1 to %d; with columns: %d and rows: %d they "
                  "would be there",
                  column_name(w->arena, w->columns), w->rows, w->rows, w->columns);
        return true;
    }
    return false;
}

int report_no_site(World *w, const Node *at, const char *name) {
    int column, row;
    parse_name(w, name, &column, &row);
    bool turned = column >= 1 && column <= w->rows && row >= 1 && row <= w->columns;
    if (turned && turned_again(w, at)) return -1;
    int d = report_missing(w, at, name, column, row);
    if (turned && d >= 0 && w->diags->all.at[d].code == E_UNKNOWN_SITE)
        w->turned = w->diags->all.at[d].message;
    return d;
}

static bool parse_site(const World *w, const Node *n, int *column, int *row) {
    return n->kind == NODE_NAME && parse_name(w, n->text, column, row);
}

static int between_ends(int x, int a, int b) { return (x - a) * (x - b) <= 0; }

// Whether the site's name is one of those that the element of `gaps:` takes away.
static bool takes_away(const World *w, const Node *gap, const char *name) {
    bool run = gap->kind == NODE_RANGE;
    int c[2], r[2], column, row;
    return parse_name(w, name, &column, &row) &&
           parse_site(w, run ? gap->kids[0] : gap, &c[0], &r[0]) &&
           parse_site(w, run ? gap->kids[1] : gap, &c[1], &r[1]) &&
           between_ends(column, c[0], c[1]) && between_ends(row, r[0], r[1]);
}

const Node *board_gap(const World *w, const char *name) {
    for (uint32_t i = 0; w->gaps && w->gaps->kind == NODE_SET && i < w->gaps->nkids; i++)
        if (takes_away(w, w->gaps->kids[i], name)) return w->gaps->kids[i];
    return NULL;
}

static size_t names_taken(const World *w, const Node *gap, const Node *n) {
    size_t count = n->kind == NODE_NAME && takes_away(w, gap, n->text);
    for (uint32_t i = 0; i < n->nkids; i++) count += names_taken(w, gap, n->kids[i]);
    return count;
}

size_t board_gap_named(const World *w, const Node *gap) {
    size_t count = 0;
    for (size_t i = 0; i < w->script->items.n; i++) {
        const Item *item = &w->script->items.at[i];
        if (!item->library && item->kind != L_BOARD_IS) count += names_taken(w, gap, item->node);
    }
    return count;
}

// Marks the sites that `gaps:` names: one by one, runs a1..a3, rectangles a1..c3.
static void mark_gaps(World *w, const Node *gaps, bool *gap) {
    if (!gaps || gaps->kind == NODE_ERROR) return;
    if (gaps->kind != NODE_SET) {
        report_at(w->diags, w->script, E_SHAPE, gaps,
                  "`gaps:` takes the names of the missing squares in { }");
        return;
    }
    for (uint32_t i = 0; i < gaps->nkids; i++) {
        const Node *g = gaps->kids[i], *ends[2] = {g, g};
        int c[2], r[2];
        bool known = true;
        if (g->kind == NODE_RANGE) ends[0] = g->kids[0], ends[1] = g->kids[1];
        for (uint32_t k = 0; k < i && g->kind == NODE_NAME; k++) {
            const Node *other = gaps->kids[k];
            if (other->kind != NODE_NAME || other->text != g->text) continue;
            diag_label(w->diags, report_at(w->diags, w->script, E_TWICE, g, g->text), other->span,
                       "first here");
        }
        for (int e = 0; e < 2 && known; e++) {
            known = parse_site(w, ends[e], &c[e], &r[e]);
            if (!known && ends[e]->kind != NODE_ERROR)
                report_no_site(w, ends[e], ends[e]->kind == NODE_NAME ? ends[e]->text : "(...)");
        }
        if (!known) continue;
        for (int y = 1; y <= w->rows; y++)
            for (int x = 1; x <= w->columns; x++)
                if (between_ends(x, c[0], c[1]) && between_ends(y, r[0], r[1]))
                    gap[(y - 1) * w->columns + x - 1] = true;
    }
}

static void make_rows(World *w, const BoardArgs *a, int rows, int columns) {
    w->rows = rows;
    w->columns = columns;
    size_t n = (size_t)(rows * columns);
    int16_t *at = arena_array(w->arena, n, sizeof *at);
    bool *gap = arena_array(w->arena, n, sizeof *gap);
    w->gaps = a->gaps;
    mark_gaps(w, a->gaps, gap);
    for (int r = 1; r <= rows; r++) {
        for (int c = 1; c <= columns; c++) {
            int i = (r - 1) * columns + c - 1;
            at[i] = gap[i] ? UNSET : (int16_t)board_add_site(w, site_name(w, c, r), c, r, a->form);
        }
    }
    w->at = at;
}

static void read_links(World *w, const BoardArgs *a) {
    w->links = 0x55; // orthogonal
    if (!a->links) return;
    if (a->links->kind == NODE_NAME) {
        if (strcmp(a->links->text, "orthogonal") == 0) return;
        if (strcmp(a->links->text, "diagonal") == 0) {
            w->links = 0xAA;
            return;
        }
        if (strcmp(a->links->text, "adjacent") == 0) {
            w->links = 0xFF;
            return;
        }
    }
    if (a->links->kind != NODE_ERROR)
        report_at(w->diags, w->script, E_SHAPE, a->links,
                  "`links:` is orthogonal, diagonal or adjacent");
}

void board_add_line(World *w, const int *sites, size_t n) {
    int list = world_list(w, sites, n); // first: it may move the lists
    vec_push(w->arena, &w->lines, w->lists.at[list]);
}

static void build_rings(World *w, const BoardArgs *a) {
    int rings, points, centre = 0;
    if (!read_number(w, a, a->rings, "rings", 1, 26, &rings) ||
        !read_number(w, a, a->points, "points", 3, BOARD_SIDE_MAX, &points))
        return;
    if (a->centre) {
        if (!check_wanted(w, (Node *)a->centre, "truth", "rings")) return;
        evaluate(w, a->centre, NULL, &centre);
    }
    make_rows(w, a, rings, points);
    w->links = 0; // by lines only: the rings close
    int middle =
        centre ? board_add_site(w, arena_intern_str(w->arena, "centre"), 0, 0, a->form) : UNSET;
    int *line = arena_array(w->arena, (size_t)(points + 2 * rings + 2), sizeof *line);
    for (int r = 1; r <= rings; r++) {
        for (int p = 0; p <= points; p++) line[p] = board_at(w, p % points + 1, r);
        board_add_line(w, line, (size_t)points + 1);
    }
    // A spoke goes on beyond the centre on the opposite spoke, if there is one.
    for (int p = 1; p <= points; p++) {
        size_t n = 0;
        for (int r = 1; r <= rings; r++) line[n++] = board_at(w, p, r);
        if (middle != UNSET) {
            line[n++] = middle;
            if (points % 2 == 0) {
                if (p > points / 2) continue;
                for (int r = rings; r >= 1; r--) line[n++] = board_at(w, p + points / 2, r);
            }
        }
        board_add_line(w, line, n);
    }
    w->board_note =
        arena_printf(w->arena, "rows are rings, row 1 the outermost; each ring closes%s",
                     centre ? "; the innermost ring meets the centre" : "");
}

static const char shapes[] =
    "a board is (holes ...), (squares ...), (line ...), (rings ...) or (graph ...)";

// A shape that is misspelt: the board is built as it was meant, lest all else be hidden.
static LudemeId respell_shape(World *w, const Node *shape) {
    const char *known[] = {"holes", "squares", "line", "rings", "graph"}, *ours, *mend;
    const char *head = node_head(shape);
    const char *near = head && !foreign_key("board-shape", head, &ours, &mend)
                           ? nearest_name(head, known, 5)
                           : NULL;
    if (!near) return L_UNKNOWN;
    int d = report_at(w->diags, w->script, E_SHAPE, shape, shapes);
    diag_meant(w->diags, d, "%s", near);
    bool fits = shape->nkids > 1 && strcmp(near, "line") == 0
                    ? shape->nkids == 2
                    : shape->nkids > 2 && shape->kids[1]->kind == NODE_KEY;
    if (!fits) return L_UNKNOWN;
    shape->kids[0]->text = arena_intern_str(w->arena, near);
    return ludeme_find(near);
}

void build_board(World *w, const Node *form) {
    static const char *const rows_keys[] = {"rows", "columns", "gaps", "links", NULL};
    static const char *const rings_keys[] = {"rings", "points", "centre", NULL};
    static const char *const graph_keys[] = {"points", "lines", NULL};
    static const char *const line_keys[] = {NULL};
    const Node *shape = form->nkids == 2 ? form->kids[1] : NULL;
    if (shape && shape->kind == NODE_ERROR) return;
    const char *head = shape ? node_head(shape) : NULL;
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    if (head && id == L_UNKNOWN) id = respell_shape(w, shape);
    BoardArgs a = {0};
    int rows = 0, columns = 0;
    switch (id) {
    case L_HOLES:
    case L_SQUARES:
        if (!read_args(w, shape, &a, rows_keys)) return;
        if (!read_number(w, &a, a.rows, "rows", 1, BOARD_SIDE_MAX, &rows) ||
            !read_number(w, &a, a.columns, "columns", 1, BOARD_SIDE_MAX, &columns))
            return;
        if (rows * columns > WORLD_SITES_MAX / 2) {
            report_at(w->diags, w->script, E_LIMIT, shape, "sites of a board", WORLD_SITES_MAX / 2);
            return;
        }
        make_rows(w, &a, rows, columns);
        read_links(w, &a);
        return;
    case L_LINE:
        if (!read_args(w, shape, &a, line_keys)) return;
        if (!a.plain) {
            report_at(w->diags, w->script, E_TOO_FEW, shape, "line", "its number of points");
            return;
        }
        if (!read_number(w, &a, a.plain, "line", 1, BOARD_LINE_MAX, &columns)) return;
        make_rows(w, &a, 1, columns);
        w->links = 0x55;
        return;
    case L_RINGS:
        if (read_args(w, shape, &a, rings_keys)) build_rings(w, &a);
        return;
    case L_GRAPH:
        if (read_args(w, shape, &a, graph_keys)) build_graph(w, shape, a.points, a.lines);
        return;
    default: {
        int d = report_at(w->diags, w->script, E_SHAPE, shape ? shape : form, shapes);
        const char *ours, *mend;
        const Node *first = form->nkids > 1 ? form->kids[1] : NULL;
        const char *word = head ? head : first && first->kind == NODE_NAME ? first->text : NULL;
        LudemeId named = word ? ludeme_find(word) : L_UNKNOWN;
        bool a_shape = named == L_HOLES || named == L_SQUARES || named == L_LINE ||
                       named == L_RINGS || named == L_GRAPH;
        if (word && foreign_key("board-shape", word, &ours, &mend))
            diag_mend(w->diags, d, "%s", mend);
        else if (a_shape)
            diag_mend(w->diags, d, "the shape stands in ( ): (board (%s ...))", word);
        else
            diag_mend(w->diags, d, "(board (squares rows: 3 columns: 3)), say");
    }
    }
}
