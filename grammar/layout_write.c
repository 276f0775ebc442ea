// The second half of the layout: where lines are broken.
//
// A form goes on one line if it fits there and may. Else it is broken, in one of two ways: calls are
// filled, as many arguments on a line as there is room for; of what has a body each thing gets a
// line of its own. Lines that the author broke within a form that must be broken stay broken. So the
// decisions are the same when the result is laid out again.
#include "layout_tree.h"

#include <string.h>

enum {
    INDENT = 2,
    ALIGN_HEAD = 8, // arguments of a longer head are indented, not aligned to the first of them
    ALIGN_MAX = 60  // nor are they so far to the right
};

typedef struct Out {
    Arena *arena;
    const Source *source;
    VEC(char) text;
    size_t column, line;
    const char *line_end;
    VEC(Span) trails; // comments that the line still has to take
    bool full;        // the line ends with a comment
} Out;

// ---- characters ----

static void put(Out *o, const char *text, size_t size) {
    if (size == 0) return;
    arena_grow(o->arena, (void **)&o->text.at, &o->text.cap, o->text.n + size, 1);
    memcpy(o->text.at + o->text.n, text, size);
    o->text.n += size;
}

static void put_word(Out *o, const char *text, size_t size) {
    put(o, text, size);
    size_t columns = text_columns(text, size);
    const char *end = memchr(text, '\n', size);
    o->column = end ? columns : o->column + columns;
    if (end) o->line++;
}

static void put_text(Out *o, const char *text) { put_word(o, text, strlen(text)); }

static void put_span(Out *o, Span span) {
    put_word(o, o->source->text + span.start, span.end - span.start);
}

static void put_blanks(Out *o, size_t n) {
    static const char blanks[] = "                                ";
    for (size_t part; n > 0; n -= part) {
        part = n < sizeof blanks - 1 ? n : sizeof blanks - 1;
        put_word(o, blanks, part);
    }
}

static void end_line(Out *o) {
    for (size_t i = 0; i < o->trails.n; i++) {
        if (o->column > 0) put_text(o, "  ");
        put_span(o, o->trails.at[i]);
    }
    o->trails.n = 0;
    put(o, o->line_end, strlen(o->line_end));
    o->column = 0;
    o->line++;
    o->full = false;
}

static void new_line(Out *o, size_t column, bool blank) {
    if (o->text.n == 0) return;
    end_line(o);
    if (blank) end_line(o);
    put_blanks(o, column);
}

static bool line_taken(const Out *o) { return o->full || o->trails.n > 0; }

// Can another comment follow on the line?
static bool can_trail(const Out *o, const Unit *u) {
    if (u->kind != UNIT_TRAIL || o->full) return false;
    if (o->trails.n == 0) return true;
    Span before = o->trails.at[o->trails.n - 1];
    const char *text = o->source->text + before.start;
    return u->breaks == 0 && text[1] == '*' && !memchr(text, '\n', before.end - before.start);
}

// A comment stands where it stood: at the end of a line, or on its own, as does a second one that
// has no place there.
static void put_remark(Out *o, const Unit *u, size_t column, bool blank) {
    Span span = u->parts[0]->span;
    if (can_trail(o, u)) {
        vec_push(o->arena, &o->trails, span);
        return;
    }
    new_line(o, column, blank);
    put_span(o, span);
    o->full = true;
}

// ---- on one line ----

static bool fits(const Out *o, size_t width, size_t closers) {
    return o->column + width + closers <= LAYOUT_COLUMNS;
}

static void put_leads(Out *o, const Piece *p) {
    for (size_t i = 0; i < p->nleads; i++) {
        put_span(o, p->leads[i]);
        put_text(o, " ");
    }
}

static void put_flat(Out *o, const Piece *p);

static void put_flat_unit(Out *o, const Unit *u) {
    for (size_t i = 0; i < u->nparts; i++) {
        if (i > 0 && parts_apart(u->parts[i - 1], u->parts[i])) put_text(o, " ");
        put_flat(o, u->parts[i]);
    }
}

static const char *closer(const Piece *form) { return form->kind == TOK_OPEN_SET ? "}" : ")"; }

static void put_flat(Out *o, const Piece *p) {
    put_leads(o, p);
    put_span(o, p->span);
    if (p->kind != TOK_OPEN_LIST && p->kind != TOK_OPEN_SET) return;
    for (size_t i = 0; i < p->nunits; i++) {
        if (i > 0) put_text(o, " ");
        put_flat_unit(o, &p->units[i]);
    }
    put_text(o, closer(p));
}

// ---- on several ----

// `base` is the column from which what is broken off is indented, `closers` the number of brackets
// that close right behind.
static void lay_piece(Out *o, const Piece *p, size_t base, size_t closers);

// Does a part of a unit go on a line of its own, behind the value of its key?
static bool part_goes_on_new_line(const Out *o, const Unit *u, size_t i, size_t closers) {
    const Piece *p = u->parts[i];
    if (i < 2 || u->kind == UNIT_BINDER || !parts_apart(u->parts[i - 1], p)) return false;
    return (!u->program && p->breaks > 0) || !p->flat || !fits(o, p->width + 1, closers);
}

// The parts of a unit that does not fit. The body of a form that a key has is indented from the key.
static void lay_parts(Out *o, const Unit *u, size_t base, size_t closers) {
    size_t begin = o->column;
    for (size_t i = 0; i < u->nparts; i++) {
        const Piece *p = u->parts[i];
        size_t after = i + 1 == u->nparts ? closers : 0;
        if (part_goes_on_new_line(o, u, i, after))
            new_line(o, begin + INDENT, false);
        else if (i > 0 && parts_apart(u->parts[i - 1], p))
            put_text(o, " ");
        if (u->nparts > 1) base = i == 1 && has_body(p->manner) ? begin : o->column;
        lay_piece(o, p, base, after);
    }
}

static void lay_unit(Out *o, const Unit *u, size_t base, size_t closers) {
    if (u->flat && fits(o, u->width, closers))
        put_flat_unit(o, u);
    else
        lay_parts(o, u, base, closers);
}

// How the units of a broken form go on lines.
typedef struct Lines {
    const Piece *form;
    size_t base;   // what is broken off is indented from here
    size_t rest;   // the column of what is broken off
    size_t binder; // of binders that are not the first
    bool apart;    // each binder on a line of its own
    size_t parts;  // of keys that are aligned to the first, which stays; else 0
    bool refill;   // where the author broke it too much is on some line
    bool passes;   // the form in it is indented from the same base
} Lines;

static bool keyed(const Piece *form) {
    for (size_t i = 1; i < form->nunits; i++)
        if (form->units[i].kind == UNIT_KEYED) return true;
    return false;
}

// Binders of which there are several get lines of their own if they do not all fit on one, and
// nobody has found a better place to break it.
static bool binders_apart(const Piece *form, size_t column) {
    bool several = false;
    for (size_t i = 1; i < form->nunits && !form->units[i].body; i++) {
        const Unit *u = &form->units[i];
        if (i > 1 && u->breaks > 0) return false;
        several = several || u->next;
        column += 1 + u->width;
    }
    return several && column > LAYOUT_COLUMNS;
}

// Does the unit stay on the line whether it fits there or not?
static bool stays(const Lines *l, size_t i) {
    const Piece *form = l->form;
    const Unit *u = &form->units[i];
    if (i == 0) return true;
    if (u->body) return false;
    if (has_body(form->manner)) return i == 1 || u->kind == UNIT_PLAIN;
    if (u->kind != UNIT_PLAIN) return false;
    bool value = i == 2 && form->nunits == 3;
    return i == 1 || (value && (form->manner == LAYOUT_VALUE || form->manner == LAYOUT_PARTS));
}

// Broken as its author broke it, has a line of the form more than there is room for?
static bool overfull(const Lines *l, size_t column, size_t closers) {
    column += 1;
    for (size_t i = 0; i < l->form->nunits; i++) {
        const Unit *u = &l->form->units[i];
        if (u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) continue;
        bool fresh = u->breaks > 0 && !stays(l, i);
        column = fresh ? l->rest : column + (i > 0);
        column += u->width;
        size_t after = i + 1 == l->form->nunits ? closers + 1 : 0;
        if (!fresh && !stays(l, i) && u->flat && column + after > LAYOUT_COLUMNS) return true;
    }
    return false;
}

// The column of the first key if all others fit below it, and its author has not put it elsewhere.
static size_t parts_column(const Piece *form, size_t column, size_t closers) {
    size_t first = 0;
    for (size_t i = 0; i < form->nunits; i++) {
        const Unit *u = &form->units[i];
        if (!u->flat || u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) return 0;
        if (u->body && !first) {
            if (u->breaks > 0) return 0;
            first = column + 1;
        }
        column = (first ? first : column + 1) + u->width;
        if (column + (i + 1 == form->nunits ? closers + 1 : 0) > LAYOUT_COLUMNS) return 0;
    }
    return first;
}

static Lines lines_of(const Piece *form, size_t base, size_t column, size_t closers) {
    Lines l = {.form = form, .base = base, .rest = base + INDENT};
    bool named = form->nunits > 0 && form->units[0].parts[0]->kind == TOK_NAME &&
                 form->kind == TOK_OPEN_LIST;
    if (!named) {
        l.rest = column + 1;
        return l;
    }
    size_t first = column + 1 + form->units[0].width + 1;
    bool aligned =
        form->signature || form->manner == LAYOUT_DEFAULTS ||
        (form->manner == LAYOUT_CALL && !keyed(form) && form->units[0].width <= ALIGN_HEAD);
    if (aligned && base == column && first <= ALIGN_MAX) l.rest = first;
    l.binder = first <= ALIGN_MAX ? first : l.rest;
    l.apart = has_body(form->manner) && binders_apart(form, first - 1);
    l.passes = form->manner == LAYOUT_WRAP || form->manner == LAYOUT_PARTS;
    if (form->manner == LAYOUT_PARTS) l.parts = parts_column(form, column, closers);
    l.refill = !has_body(form->manner) && overfull(&l, column, closers);
    return l;
}

// Keys behind a body, as those of (repeat ... until: ... limit: ...), go together on a line.
static bool joins_line(const Lines *l, size_t i) {
    const Unit *u = &l->form->units[i];
    return u->kind == UNIT_KEYED && u->breaks == 0 && l->form->units[i - 1].kind == UNIT_KEYED;
}

static bool goes_on_new_line(const Out *o, const Lines *l, size_t i, bool after_lines,
                             size_t closers) {
    const Unit *u = &l->form->units[i];
    if (line_taken(o)) return true;
    if (l->parts && u->body) return l->form->units[i - 1].body;
    if (u->body && !(has_body(l->form->manner) && joins_line(l, i))) return true;
    if (stays(l, i)) return false;
    if (u->next && l->apart) return true;
    bool broken = u->breaks > 0 && !(l->refill && !u->program);
    return broken || after_lines || !u->flat || !fits(o, u->width + 1, closers);
}

static void lay_units(Out *o, const Lines *l, size_t closers) {
    bool after_lines = false, in_body = false;
    bool down = false; // does a binder begin the line?
    for (size_t i = 0; i < l->form->nunits; i++) {
        const Unit *u = &l->form->units[i];
        bool blank = in_body && u->body && u->breaks > 1;
        in_body = in_body || u->body;
        if (u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) {
            put_remark(o, u, l->rest, blank);
            continue;
        }
        size_t after = i + 1 == l->form->nunits ? closers + 1 : 0;
        size_t column = u->next || (u->test && down) ? l->binder : l->rest;
        if (l->parts && u->body) column = l->parts;
        if (goes_on_new_line(o, l, i, after_lines, after) ||
            (down && !u->next && !u->test && !u->body)) {
            new_line(o, column, blank);
            down = down || u->next;
        } else if (i > 0) {
            put_text(o, " ");
        }
        size_t line = o->line;
        lay_unit(o, u, l->passes ? l->base : o->column, after);
        after_lines = o->line != line;
    }
}

static void lay_piece(Out *o, const Piece *p, size_t base, size_t closers) {
    bool form = p->kind == TOK_OPEN_LIST || p->kind == TOK_OPEN_SET;
    if (!form || (p->flat && fits(o, p->width, closers))) {
        put_flat(o, p);
        return;
    }
    put_leads(o, p);
    Lines lines = lines_of(p, base, o->column, closers);
    put_span(o, p->span);
    lay_units(o, &lines, closers);
    if (line_taken(o)) new_line(o, base, false);
    put_text(o, closer(p));
}

const char *layout_write(Arena *arena, const Source *source, const Piece *all, size_t *size) {
    const char *end = memchr(source->text, '\n', source->size);
    bool windows = end && end > source->text && end[-1] == '\r';
    Out o = {.arena = arena, .source = source, .line_end = windows ? "\r\n" : "\n"};
    for (size_t i = 0; i < all->nunits; i++) {
        const Unit *u = &all->units[i];
        bool blank = u->breaks > 1;
        if (u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) {
            put_remark(&o, u, 0, blank);
        } else {
            new_line(&o, 0, blank);
            lay_unit(&o, u, 0, 0);
        }
    }
    if (all->nunits) end_line(&o);
    *size = o.text.n;
    vec_push(arena, &o.text, '\0');
    return o.text.at;
}
