// Diagnostics as people see them: the source lines, the marks under them, notes and mends.
#include "diag.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum {
    TAB_WIDTH = 4,
    LINE_WIDTH = 100,  // columns of source text shown; the rest of a longer line is cut off
    BEFORE_CARET = 40, // of them, before the caret of a line that is cut
    PART_BYTES =
        2000, // looked at on either side of the caret: more than a line's width has, however it is encoded
};

typedef struct Paint {
    const char *error, *warning, *gutter, *label, *strong, *off;
} Paint;

static const Paint plain = {"", "", "", "", "", ""};
static const Paint coloured = {"\033[1;31m", "\033[1;33m", "\033[1;34m",
                               "\033[36m",   "\033[1m",    "\033[0m"};

// The part of a line that is looked at, bytes [from, to): a script may be one line of a million. Columns are counted
// from `column`, which is what `from` is given.
typedef struct Part {
    const char *line;
    size_t size, from, to, column;
} Part;

// The columns [from, to) of a line that are shown; `cut` tells where text was left out.
typedef struct Window {
    size_t from, to;
    bool cut_before, cut_after;
} Window;

typedef struct Renderer {
    FILE *out;
    const Sources *sources;
    Paint paint;
    const char *caret_paint;
    int gutter; // width of the line numbers
    // The line shown last.
    bool any;
    uint32_t file, line;
    Part part;
    Window window;
} Renderer;

// How the character at `s` is shown: its columns, and in *bytes its length. What a terminal cannot
// show (control characters, bytes that are no UTF-8) becomes one `?`; a tab becomes blanks.
static size_t cell(const char *s, size_t size, unsigned *bytes, const char **stand_in) {
    uint32_t code = 0;
    *bytes = utf8_decode(s, size, &code);
    *stand_in = NULL;
    if (*bytes == 0) {
        *bytes = 1;
        *stand_in = "?";
        return 1;
    }
    if (code == '\t') {
        *stand_in = "    ";
        return TAB_WIDTH;
    }
    // Direction marks would reorder what follows them on the terminal.
    if (code < 0x20 || (code >= 0x7F && code < 0xA0) || utf8_reorders(code)) {
        *stand_in = "?";
        return 1;
    }
    return utf8_width(code);
}

// The column at which the byte of that offset stands; of one beyond the part, where the part ends.
static size_t column_of(const Part *p, size_t offset) {
    size_t at = p->from, column = p->column;
    while (at < offset && at < p->to) {
        unsigned n;
        const char *stand_in;
        column += cell(p->line + at, p->size - at, &n, &stand_in);
        at += n;
    }
    return column;
}

static bool later_byte(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

// As much as fits into a line before and behind the caret, and a little more.
static Part choose_part(const char *line, size_t size, size_t caret) {
    Part p = {.line = line, .size = size, .from = caret, .to = caret};
    size_t before = 0, behind = 0;
    while (p.from > 0 && before <= LINE_WIDTH && caret - p.from < PART_BYTES) {
        unsigned n;
        const char *stand_in;
        do p.from--;
        while (p.from > 0 && later_byte(line[p.from]));
        before += cell(line + p.from, size - p.from, &n, &stand_in);
    }
    while (p.to < size && behind <= 2 * LINE_WIDTH && p.to - caret < PART_BYTES) {
        unsigned n;
        const char *stand_in;
        behind += cell(line + p.to, size - p.to, &n, &stand_in);
        p.to += n;
    }
    if (p.from > 0) p.column = LINE_WIDTH; // as good as any that is too far to be shown
    return p;
}

static Window choose_window(const Part *p, size_t caret) {
    size_t width = column_of(p, p->to);
    bool more = p->to < p->size;
    if (width <= LINE_WIDTH && !more) return (Window){.from = 0, .to = width};
    Window w = {.from = caret > BEFORE_CARET ? caret - BEFORE_CARET : 0};
    // A line that is cut for its end only is shown up to it.
    if (w.from + LINE_WIDTH > width) w.from = width > LINE_WIDTH ? width - LINE_WIDTH : 0;
    w.to = w.from + LINE_WIDTH;
    w.cut_before = w.from > 0;
    w.cut_after = w.to < width || more;
    return w;
}

static void gutter(Renderer *r, uint32_t line) {
    fputs(r->paint.gutter, r->out);
    if (line)
        fprintf(r->out, "%*u |", r->gutter, line);
    else
        fprintf(r->out, "%*s |", r->gutter, "");
    fputs(r->paint.off, r->out);
}

static void show_line(Renderer *r) {
    const Part *p = &r->part;
    gutter(r, r->line);
    if (p->size) fputc(' ', r->out);
    if (r->window.cut_before) fputs("...", r->out);
    size_t column = p->column;
    for (size_t at = p->from; at < p->to && column < r->window.to;) {
        unsigned n;
        const char *stand_in;
        size_t width = cell(p->line + at, p->size - at, &n, &stand_in);
        // A wide character or a tab that stands across the cut is shown as blanks, to keep columns.
        if (column >= r->window.from && column + width <= r->window.to) {
            if (stand_in)
                fputs(stand_in, r->out);
            else
                fwrite(p->line + at, 1, n, r->out);
        } else if (column + width > r->window.from) {
            size_t seen =
                column < r->window.from ? column + width - r->window.from : r->window.to - column;
            fprintf(r->out, "%*s", (int)seen, "");
        }
        column += width;
        at += n;
    }
    if (r->window.cut_after) fputs("...", r->out);
    fputc('\n', r->out);
}

// Shows the line of `span`, unless it was the last to be shown, and underlines it.
static void show_span(Renderer *r, Span span, char mark, const char *text) {
    const Source *source = source_of(r->sources, span);
    Place place = source_place(source, span.start);
    uint32_t size;
    const char *line = source_line(source, place.line, &size);
    uint32_t offset =
        (span.start < source->size ? span.start : source->size) - source->lines[place.line - 1];
    size_t bytes = span.end > span.start ? span.end - span.start : 0;

    bool same_file = r->any && r->file == span.file;
    bool same_line = same_file && r->line == place.line;
    bool near = same_line && offset >= r->part.from && offset <= r->part.to;
    Part part = near ? r->part : choose_part(line, size, offset);
    size_t from = column_of(&part, offset);
    if (!near || from < r->window.from || from > r->window.to) {
        if (r->any && !same_file)
            fprintf(r->out, "%s%*s%s %s:%u:%u:\n", r->paint.gutter, r->gutter, "-->", r->paint.off,
                    source->name, place.line, place.column);
        else if (same_file && !same_line && place.line != r->line + 1)
            fprintf(r->out, "%s%*s%s\n", r->paint.gutter, r->gutter, "...", r->paint.off);
        r->any = true;
        r->file = span.file;
        r->line = place.line;
        r->part = choose_part(line, size, offset);
        from = column_of(&r->part, offset);
        r->window = choose_window(&r->part, from);
        show_line(r);
    }
    size_t to = column_of(&r->part, offset + bytes);
    if (to <= from) to = from + 1;
    if (to > r->window.to) to = r->window.to > from ? r->window.to : from + 1;

    gutter(r, 0);
    size_t blanks = from - r->window.from + (r->window.cut_before ? 3 : 0) + 1;
    fprintf(r->out, "%*s%s", (int)blanks, "", mark == '^' ? r->caret_paint : r->paint.label);
    for (size_t i = from; i < to; i++) fputc(mark, r->out);
    if (text && *text) fprintf(r->out, " %s", text);
    fprintf(r->out, "%s\n", r->paint.off);
}

// One underlined span; the primary one has text only if a label names the same span.
typedef struct Mark {
    Span span;
    char mark;
    const char *text;
    size_t order;
    bool elsewhere; // not in the primary span's file
} Mark;

static int by_place(const void *a, const void *b) {
    const Mark *x = a, *y = b;
    if (x->elsewhere != y->elsewhere) return x->elsewhere ? 1 : -1;
    if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
    if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int digits(uint32_t n) {
    int count = 1;
    while (n >= 10) n /= 10, count++;
    return count;
}

enum { MARKS_MAX = 32 }; // more labels than a reader will look at are not shown

static void show_marks(Renderer *r, const Diag *diag) {
    Mark marks[MARKS_MAX] = {{.span = diag->span, .mark = '^'}};
    size_t n = 1;
    for (size_t i = 0; i < diag->labels.n && n < MARKS_MAX; i++) {
        const DiagLabel *label = &diag->labels.at[i];
        if (same_span(label->span, diag->span) && !marks[0].text) {
            marks[0].text = label->text;
        } else {
            marks[n] =
                (Mark){label->span, '-', label->text, n, label->span.file != diag->span.file};
            n++;
        }
    }
    qsort(marks, n, sizeof *marks, by_place);
    r->gutter = 5;
    for (size_t i = 0; i < n; i++) {
        const Source *source = source_of(r->sources, marks[i].span);
        int width = digits(source_place(source, marks[i].span.start).line);
        if (width > r->gutter) r->gutter = width;
    }
    for (size_t i = 0; i < n; i++) show_span(r, marks[i].span, marks[i].mark, marks[i].text);
}

void diag_render(FILE *out, const Diag *diag, const Sources *sources, bool colour) {
    Renderer r = {.out = out, .sources = sources, .paint = colour ? coloured : plain};
    bool error = diag->severity == SEVERITY_ERROR;
    r.caret_paint = error ? r.paint.error : r.paint.warning;
    bool placed = !diag->placeless && diag->span.file < sources->files.n;
    if (placed) {
        const Source *source = source_of(sources, diag->span);
        Place place = source_place(source, diag->span.start);
        fprintf(out, "%s%s:%u:%u:%s ", r.paint.strong, source->name, place.line, place.column,
                r.paint.off);
    }
    fprintf(out, "%s%s[%s]:%s %s%s%s\n", r.caret_paint, error ? "error" : "warning",
            diag_number(diag->code), r.paint.off, r.paint.strong, diag->message, r.paint.off);
    if (placed) show_marks(&r, diag);
    for (size_t i = 0; i < diag->notes.n; i++)
        fprintf(out, "%snote:%s %s\n", r.paint.label, r.paint.off, diag->notes.at[i]);
    if (diag->mend) fprintf(out, "%shelp:%s %s\n", r.paint.label, r.paint.off, diag->mend);
}

// Those that are shown, in order. Takes no memory: that there is none is told in this way, too.
static size_t first_in_order(const Diags *d, const Diag *first[DIAG_SHOWN]) {
    size_t n = 0;
    for (size_t i = 0; i < d->all.n; i++) {
        const Diag *diag = &d->all.at[i];
        size_t k = n;
        while (k > 0 && diags_compare(&diag, &first[k - 1]) < 0) k--;
        if (k == DIAG_SHOWN) continue;
        if (n < DIAG_SHOWN) n++;
        memmove(first + k + 1, first + k, (n - 1 - k) * sizeof *first);
        first[k] = diag;
    }
    return n;
}

static void count(FILE *out, size_t n, const char *what) {
    fprintf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void diags_render(FILE *out, const Diags *d, const Sources *sources, bool colour) {
    const Diag *order[DIAG_SHOWN];
    size_t shown = first_in_order(d, order);
    for (size_t i = 0; i < shown; i++) diag_render(out, order[i], sources, colour);

    size_t total = d->errors + d->warnings;
    if (total < 2 || shown == 0) return; // none is kept where there was no memory to tell of it
    if (d->errors) count(out, d->errors, "error");
    if (d->errors && d->warnings) fputs(", ", out);
    if (d->warnings) count(out, d->warnings, "warning");
    if (total > shown)
        fprintf(out, "; the first %zu are shown, `oldsow check --json FILE` gives %s", shown,
                total > d->all.n ? "more" : "all");
    fputc('\n', out);
}
