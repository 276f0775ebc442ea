// A position as text: the board by rows, then the steps of lanes, then what lies beside the board.
#include "state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARK_MAX = 8,     // bytes of a kind's mark
    CELL_TEXT = 256,  // bytes of what lies on one site, cut if longer
    LINE_COLUMNS = 78 // lists of sites are folded here
};

typedef struct Drawing {
    const OldsowState *state;
    const OldsowGame *game;
    const Program *p;
    FILE *out;
    char (*marks)[MARK_MAX]; // per kind of piece; NULL if there is one kind, which is shown by its
                             // number only
    long *counts;            // [site][kind], lane steps added to the squares they lie on
} Drawing;

// ---- what lies on a site -----------------------------------------------------------------------

static long *counts_of(const Drawing *d, int site) {
    return d->counts + (ptrdiff_t)site * d->p->npieces;
}

static long total(const Drawing *d, int site) {
    long n = 0;
    for (int k = 0; k < d->p->npieces; k++) n += counts_of(d, site)[k];
    return n;
}

// Marks and numbers: "3" with one kind of piece, "z3L" with several; `none` for an empty site.
static void content(const Drawing *d, int site, const char *none, char text[CELL_TEXT]) {
    const long *counts = counts_of(d, site);
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; k < d->p->npieces; k++) {
        if (counts[k] == 0 || n >= CELL_TEXT - 1) continue;
        int more;
        if (!d->marks)
            more = snprintf(text, CELL_TEXT, "%ld", counts[k]);
        else if (counts[k] == 1)
            more = snprintf(text + n, CELL_TEXT - n, "%s", d->marks[k]);
        else
            more = snprintf(text + n, CELL_TEXT - n, "%s%ld", d->marks[k], counts[k]);
        n += (size_t)more;
    }
    if (n == 0) snprintf(text, CELL_TEXT, "%s", none);
}

static void collect(Drawing *d) {
    for (int s = 0; s < d->p->nsites; s++) {
        const SiteInfo *site = &d->p->sites[s];
        for (int k = 0; k < d->p->npieces; k++) {
            int n = oldsow_count_on(d->state, s, k);
            counts_of(d, s)[k] += n;
            if (site->kind == OLDSOW_LANE_STEP && site->square >= 0)
                counts_of(d, site->square)[k] += n;
        }
    }
}

// ---- marks of kinds ----------------------------------------------------------------------------

static bool taken(const Drawing *d, int kinds, const char *mark) {
    for (int k = 0; k < kinds; k++)
        if (strcmp(d->marks[k], mark) == 0) return true;
    return false;
}

static bool try_mark(Drawing *d, int kind, int letter) {
    char mark[2] = {(char)letter, '\0'};
    if (taken(d, kind, mark)) return false;
    memcpy(d->marks[kind], mark, sizeof mark);
    return true;
}

// `man-North`, owned by the second player, prefers capitals: the sides are told apart by their
// case.
static bool prefers_capitals(const Program *p, const char *name) {
    const char *dash = strrchr(name, '-');
    for (int q = 1; dash && q < p->nplayers; q += 2)
        if (strcmp(dash + 1, p->players[q]) == 0) return true;
    return false;
}

static void choose_mark(Drawing *d, int kind) {
    const char *name = d->p->pieces[kind];
    bool capitals = prefers_capitals(d->p, name);
    for (const char *c = name; *c; c++) { // the first letter of the name that is still free
        int letter = (unsigned char)*c;
        if (letter > 127 || !isalpha(letter)) continue;
        int lower = tolower(letter), upper = toupper(letter);
        if (try_mark(d, kind, capitals ? upper : lower)) return;
        if (try_mark(d, kind, capitals ? lower : upper)) return;
    }
    for (int letter = 'a'; letter <= 'z'; letter++)
        if (try_mark(d, kind, letter) || try_mark(d, kind, toupper(letter))) return;
    snprintf(d->marks[kind], MARK_MAX, "<%d>", kind % 10000);
}

static void legend(const Drawing *d) {
    if (!d->marks) return;
    for (int k = 0; k < d->p->npieces; k++)
        fprintf(d->out, "%s%s %s", k > 0 ? ", " : "", d->marks[k], d->p->pieces[k]);
    fputc('\n', d->out);
}

// ---- a board with rows ----------------------------------------------------------------------

static int site_at(const Drawing *d, int column, int row) {
    for (int s = 0; s < d->p->nsites; s++) {
        const SiteInfo *site = &d->p->sites[s];
        if (site->kind == OLDSOW_ON_BOARD && site->column == column && site->row == row) return s;
    }
    return -1;
}

// A column's letters as its sites' names have them, "c" from "c4"; its number if they have none,
// nothing if it has no site.
static void column_name(const Drawing *d, int column, char text[CELL_TEXT]) {
    text[0] = '\0';
    for (int row = 1; row <= d->game->rows; row++) {
        int s = site_at(d, column, row);
        if (s < 0) continue;
        snprintf(text, CELL_TEXT, "%d", column);
        const char *name = d->p->sites[s].name;
        size_t letters = 0;
        while (isalpha((unsigned char)name[letters])) letters++;
        size_t digits = strspn(name + letters, "0123456789");
        if (letters == 0 || digits == 0 || name[letters + digits]) continue;
        snprintf(text, CELL_TEXT, "%.*s", (int)letters, name);
        return;
    }
}

static int digits_of(int n) { return snprintf(NULL, 0, "%d", n); }

static void line_end(FILE *out, int *blanks) {
    *blanks = 0;
    fputc('\n', out);
}

// Writes a cell to the right of its column. Blanks are held back until something follows, so that
// no line ends in them.
static void put_cell(FILE *out, int width, const char *text, int *blanks) {
    int n = (int)strlen(text);
    *blanks += 1 + width - n;
    if (n == 0) return;
    fprintf(out, "%*s%s", *blanks, "", text);
    *blanks = 0;
}

static void draw_rows(const Drawing *d) {
    int rows = d->game->rows, columns = d->game->columns, width = 1, blanks = 0;
    char text[CELL_TEXT];
    for (int column = 1; column <= columns; column++) {
        column_name(d, column, text);
        for (int row = 0; row <= rows; row++) {
            int s = row > 0 ? site_at(d, column, row) : -1;
            if (s >= 0) content(d, s, ".", text);
            if ((int)strlen(text) > width) width = (int)strlen(text);
        }
    }
    int margin = digits_of(rows);
    for (int row = rows; row >= 1; row--) {
        fprintf(d->out, "%*d ", margin, row);
        for (int column = 1; column <= columns; column++) {
            int s = site_at(d, column, row);
            text[0] = '\0';
            if (s >= 0) content(d, s, ".", text);
            put_cell(d->out, width, text, &blanks);
        }
        line_end(d->out, &blanks);
    }
    fprintf(d->out, "%*s ", margin, "");
    for (int column = 1; column <= columns; column++) {
        column_name(d, column, text);
        put_cell(d->out, width, text, &blanks);
    }
    line_end(d->out, &blanks);
}

// ---- lists of sites -------------------------------------------------------------------------

// Folds a list of pieces of text into lines.
typedef struct Folding {
    FILE *out;
    int column;
} Folding;

static void fold(Folding *f, const char *text) {
    int n = (int)strlen(text);
    if (f->column > 0 && f->column + 2 + n > LINE_COLUMNS) {
        fputc('\n', f->out);
        f->column = 0;
    }
    f->column += fprintf(f->out, "%s%s", f->column > 0 ? "  " : "", text);
}

static void fold_end(Folding *f) {
    if (f->column > 0) fputc('\n', f->out);
    f->column = 0;
}

// The sites that have no place in a picture of rows: all of a graph, the centre of a round board.
static void draw_list(const Drawing *d) {
    Folding f = {d->out, 0};
    char text[CELL_TEXT], line[2 * CELL_TEXT];
    for (int s = 0; s < d->p->nsites; s++) {
        bool drawn = d->game->rows > 0 && d->p->sites[s].row > 0;
        if (d->p->sites[s].kind != OLDSOW_ON_BOARD || drawn || total(d, s) == 0) continue;
        content(d, s, "", text);
        snprintf(line, sizeof line, "%s: %s", d->p->sites[s].name, text);
        fold(&f, line);
    }
    if (f.column == 0 && d->game->rows == 0) fold(&f, "the board is empty");
    fold_end(&f);
    if (d->game->board_note && d->game->rows == 0) fprintf(d->out, "%s\n", d->game->board_note);
}

// "South: f2 step 1 (2)": the way is private, so how far a man is does not show on the board.
static void draw_lanes(const Drawing *d) {
    char text[CELL_TEXT], line[3 * CELL_TEXT];
    for (int player = 0; player < d->p->nplayers; player++) {
        Folding f = {d->out, 0};
        int step = 0;
        bool named = false;
        for (int s = 0; s < d->p->nsites; s++) {
            const SiteInfo *site = &d->p->sites[s];
            if (site->kind != OLDSOW_LANE_STEP || site->owner != player) continue;
            step++;
            if (total(d, s) == 0) continue;
            content(d, s, "", text);
            const char *square = site->square >= 0 ? d->p->sites[site->square].name : site->name;
            snprintf(line, sizeof line, "%s%s%s step %d (%s)", named ? "" : d->p->players[player],
                     named ? "" : ": ", square, step, text);
            named = true;
            fold(&f, line);
        }
        fold_end(&f);
    }
}

// "store South: 20 zhuer, 1 laogu-South". Stones held in the midst of a sowing are shown when there
// are any.
static void draw_beside(const Drawing *d) {
    for (int s = 0; s < d->p->nsites; s++) {
        const SiteInfo *site = &d->p->sites[s];
        bool hidden = site->kind == OLDSOW_HIDDEN;
        if (site->kind != OLDSOW_BESIDE && !(hidden && total(d, s) > 0)) continue;
        fprintf(d->out, "%s:", site->name);
        const long *counts = counts_of(d, s);
        int shown = 0;
        for (int k = 0; k < d->p->npieces; k++) {
            if (counts[k] == 0) continue;
            fprintf(d->out, "%s %ld", shown++ ? "," : "", counts[k]);
            if (d->marks) fprintf(d->out, " %s", d->p->pieces[k]);
        }
        fputs(shown ? "\n" : " 0\n", d->out);
    }
}

// "direction: clockwise". What a variable was at the start is not worth a line.
static void draw_variables(const Drawing *d) {
    char text[512];
    for (int v = 0; v < d->p->nvariables; v++) {
        state_variable_text(d->state, v, text, sizeof text);
        if (text[0]) fprintf(d->out, "%s: %s\n", d->p->variables[v].name, text);
    }
}

void oldsow_draw(const OldsowState *state, FILE *out) {
    const Program *p = &state->game->program;
    Drawing d = {.state = state, .game = state->game, .p = p, .out = out};
    d.counts = calloc((size_t)p->nsites * (size_t)p->npieces + 1, sizeof *d.counts);
    if (p->npieces > 1) d.marks = calloc((size_t)p->npieces, sizeof *d.marks);
    if (!d.counts || (p->npieces > 1 && !d.marks)) {
        fputs("(no memory to draw the position)\n", out);
    } else {
        for (int k = 0; d.marks && k < p->npieces; k++) choose_mark(&d, k);
        collect(&d);
        if (d.game->rows > 0) draw_rows(&d);
        draw_list(&d);
        draw_lanes(&d);
        draw_beside(&d);
        draw_variables(&d);
        legend(&d);
    }
    free(d.counts);
    free(d.marks);
}
