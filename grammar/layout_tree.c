#include "layout_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

typedef VEC(Piece *) Pieces;
typedef VEC(Unit) Units;

typedef struct Builder {
    Reader *r;
    const LayoutWords *words;
    const LayoutPrograms *programs; // sorted
    Pieces pieces;                  // of the file, brackets among them
    size_t next;
} Builder;

// ---- tokens and comments as one row ----

size_t text_columns(const char *text, size_t size) {
    size_t columns = 0;
    for (size_t i = 0; i < size;) {
        uint32_t code;
        unsigned n = utf8_decode(text + i, size - i, &code);
        columns = text[i] == '\n' ? 0 : columns + (n ? utf8_width(code) : 1);
        i += n ? n : 1;
    }
    return columns;
}

static bool is_open(const Piece *p) { return p->kind == TOK_OPEN_LIST || p->kind == TOK_OPEN_SET; }

static bool is_close(const Piece *p) {
    return p->kind == TOK_CLOSE_LIST || p->kind == TOK_CLOSE_SET;
}

static bool is_comment(const Piece *p) { return p->kind == TOK_END; }

static bool is_remark(const Piece *p) { return is_comment(p) && p->remark != UNIT_PLAIN; }

static Piece *new_piece(const Builder *b, Span span, uint8_t kind, uint32_t from) {
    Piece *p = arena_alloc(b->r->arena, sizeof *p);
    const char *text = b->r->source->text;
    p->kind = kind;
    for (uint32_t i = from; i < span.start; i++)
        if (text[i] == '\n' && p->breaks < 2) p->breaks++;
    // What blanks end a comment is nothing anybody sees.
    while (kind == TOK_END && strchr(" \t\r\f\v", text[span.end - 1])) span.end--;
    p->span = span;
    size_t size = span.end - span.start;
    p->several = memchr(text + span.start, '\n', size) != NULL;
    p->flat = !p->several;
    p->width = text_columns(text + span.start, size);
    return p;
}

static Pieces all_pieces(const Builder *b) {
    Pieces row = {0};
    size_t t = 0, c = 0;
    uint32_t from = 0;
    for (;;) {
        const Token *token = &b->r->tokens.at[t];
        bool comment = c < b->r->comments.n && b->r->comments.at[c].start <= token->span.start;
        if (!comment && token->kind == TOK_END) return row;
        Span span = comment ? b->r->comments.at[c++] : token->span;
        Piece *p = new_piece(b, span, comment ? TOK_END : token->kind, from);
        if (!comment && (token->kind == TOK_NAME || token->kind == TOK_KEY)) p->text = token->text;
        if (!comment) t++;
        from = span.end;
        vec_push(b->r->arena, &row, p);
    }
}

// A comment between things on one line is a word like others; all others end a line, or stand
// before one that does.
static void see_comments(const Pieces *row) {
    for (size_t i = row->n; i-- > 0;) {
        Piece *p = row->at[i];
        if (!is_comment(p)) continue;
        const Piece *next = i + 1 < row->n ? row->at[i + 1] : NULL;
        bool alone = i == 0 || p->breaks > 0;
        bool last = p->several || !next || next->breaks > 0 || is_remark(next);
        p->remark = !last ? UNIT_PLAIN : alone ? UNIT_REMARK : UNIT_TRAIL;
    }
}

// A comment at the end of a line goes behind the brackets that close on the next ones: a closing
// bracket does not begin a line.
static Pieces trails_behind_closers(const Builder *b, const Pieces *row) {
    Pieces moved = {0}, held = {0};
    for (size_t i = 0; i < row->n; i++) {
        Piece *p = row->at[i];
        if (is_comment(p) && p->remark == UNIT_TRAIL) {
            vec_push(b->r->arena, &held, p);
            continue;
        }
        if (!is_close(p)) {
            for (size_t k = 0; k < held.n; k++) vec_push(b->r->arena, &moved, held.at[k]);
            held.n = 0;
        }
        vec_push(b->r->arena, &moved, p);
    }
    for (size_t k = 0; k < held.n; k++) vec_push(b->r->arena, &moved, held.at[k]);
    return moved;
}

// How many comments stand at `i` before something on the same line?
static size_t leads_at(const Pieces *row, size_t i) {
    size_t n = 0;
    while (i + n < row->n && is_comment(row->at[i + n]) && !is_remark(row->at[i + n])) n++;
    bool leads = i + n < row->n && !is_comment(row->at[i + n]) && !is_close(row->at[i + n]);
    return leads ? n : 0;
}

// Comments within a line stay with what they stand before.
static Pieces with_leads(const Builder *b, const Pieces *row) {
    Pieces kept = {0};
    for (size_t i = 0; i < row->n; i++) {
        size_t n = leads_at(row, i);
        Piece *p = row->at[i + n];
        if (n) {
            Span *leads = arena_array(b->r->arena, n, sizeof *leads);
            for (size_t k = 0; k < n; k++) {
                leads[k] = row->at[i + k]->span;
                p->width += row->at[i + k]->width + 1;
            }
            p->leads = leads;
            p->nleads = n;
            p->breaks = row->at[i]->breaks;
        }
        vec_push(b->r->arena, &kept, p);
        i += n;
    }
    return kept;
}

// ---- units ----

static int compare_programs(const void *a, const void *b) {
    const LayoutProgram *p = a, *q = b;
    int heads = strcmp(p->head, q->head);
    return heads ? heads : strcmp(p->key, q->key);
}

static const LayoutProgram *find_program(const LayoutPrograms *programs, const char *head,
                                         const char *key) {
    LayoutProgram wanted = {head, key, 0};
    if (programs->n == 0) return NULL;
    return bsearch(&wanted, programs->at, programs->n, sizeof wanted, compare_programs);
}

// Are these the parameters of a program that the key takes, rather than its whole value?
static bool are_parameters(const Builder *b, const char *head, const Piece *key, const Piece *p) {
    if (!head || p->kind != TOK_OPEN_LIST) return false;
    const LayoutProgram *program = find_program(b->programs, head, key->text);
    if (!program || program->parameters != p->nunits) return false;
    for (size_t i = 0; i < p->nunits; i++)
        if (p->units[i].kind != UNIT_PLAIN || p->units[i].nparts != 1 ||
            p->units[i].parts[0]->kind != TOK_NAME)
            return false;
    return true;
}

// Reads the units of one form from its pieces.
typedef struct Grouping {
    const Builder *b;
    const Pieces *row;
    size_t next;
    const Piece *form;
    const char *head;
    Pieces parts; // of the unit at hand
} Grouping;

static Piece *ahead(const Grouping *g, size_t n) {
    return g->next + n < g->row->n ? g->row->at[g->next + n] : NULL;
}

// Is there something that a key can have?
static bool value_ahead(const Grouping *g, size_t n) {
    const Piece *p = ahead(g, n);
    return p && !is_remark(p) && p->kind != TOK_KEY;
}

static void take(Grouping *g) { vec_push(g->b->r->arena, &g->parts, g->row->at[g->next++]); }

// A value, and if it is a range, all of it.
static void take_value(Grouping *g) {
    take(g);
    while (value_ahead(g, 0) &&
           (ahead(g, 0)->kind == TOK_DOTS || g->row->at[g->next - 1]->kind == TOK_DOTS))
        take(g);
}

static void take_keyed(Grouping *g, Unit *u) {
    LayoutManner manner = g->form->manner;
    const Piece *key = ahead(g, 0);
    take(g);
    if (!value_ahead(g, 0)) return;
    u->program = !g->form->signature && are_parameters(g->b, g->head, key, ahead(g, 0)) &&
                 value_ahead(g, 1) && ahead(g, 1)->kind != TOK_DOTS;
    take_value(g);
    if (u->program) take_value(g);
    while ((manner == LAYOUT_PARTS || manner == LAYOUT_DEFAULTS) && value_ahead(g, 0) &&
           ahead(g, 0)->kind != TOK_STRING)
        take_value(g);
}

static bool binder_ahead(const Grouping *g) {
    const Piece *key = ahead(g, 1);
    return ahead(g, 0)->kind == TOK_NAME && key && key->kind == TOK_KEY &&
           strcmp(key->text, g->b->words->binder) == 0 && value_ahead(g, 2);
}

static void measure_unit(Unit *u) {
    u->flat = true;
    for (size_t i = 0; i < u->nparts; i++) {
        const Piece *p = u->parts[i];
        u->width += p->width + (i > 0 && parts_apart(u->parts[i - 1], p));
        u->flat = u->flat && p->flat;
    }
}

static Unit next_unit(Grouping *g) {
    const Piece *p = ahead(g, 0);
    Unit u = {.kind = UNIT_PLAIN, .breaks = p->breaks};
    size_t from = g->parts.n;
    if (is_remark(p)) {
        u.kind = p->remark;
        take(g);
    } else if (p->kind == TOK_KEY) {
        u.kind = UNIT_KEYED;
        u.test = strcmp(p->text, g->b->words->test) == 0;
        take_keyed(g, &u);
    } else if (binder_ahead(g)) {
        u.kind = UNIT_BINDER;
        take(g);
        take(g);
        take_value(g);
    } else {
        take_value(g);
    }
    u.nparts = g->parts.n - from;
    Piece **parts = arena_array(g->b->r->arena, u.nparts, sizeof *parts);
    memcpy(parts, g->parts.at + from, u.nparts * sizeof *parts);
    u.parts = parts;
    g->parts.n = from;
    measure_unit(&u);
    return u;
}

// ---- forms ----

// Where does the body begin? It is what remains when names and keys are bound.
static void find_body(Piece *form, size_t bound) {
    bool body = false;
    for (size_t i = 1; i < form->nunits; i++) {
        Unit *u = &form->units[i];
        if (u->kind == UNIT_PLAIN && !body) {
            bool doc = u->parts[0]->kind == TOK_STRING && i > 1;
            body = bound == 0 || doc;
            if (!body) bound--;
        }
        u->body = body && u->kind != UNIT_TRAIL;
    }
    if (form->manner == LAYOUT_WHOLE)
        for (size_t i = 2; i < form->nunits; i++)
            form->units[i].body = form->units[i].kind != UNIT_TRAIL;
}

static void see_binders(Piece *form) {
    bool before = false;
    for (size_t i = 0; i < form->nunits; i++) {
        if (form->units[i].kind != UNIT_BINDER) continue;
        form->units[i].next = before;
        before = true;
    }
}

// Must the form be broken, for what its author broke? The body of a form is his to break, as
// are the names and keys before it; arguments are not.
static bool held_open(const Piece *form) {
    if (form->manner == LAYOUT_WHOLE) return true;
    for (size_t i = 1; i < form->nunits; i++) {
        const Unit *u = &form->units[i];
        if (u->breaks == 0) continue;
        if (u->body || u->program) return true;
        if (i > 1 && has_body(form->manner) && u->kind != UNIT_PLAIN) return true;
    }
    return false;
}

static void measure_form(Piece *form) {
    form->width += 1; // the closing bracket; the opening one, and what leads it, is in it already
    form->flat = !held_open(form);
    for (size_t i = 0; i < form->nunits; i++) {
        const Unit *u = &form->units[i];
        form->width += u->width + (i > 0);
        if (!u->flat || u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) form->flat = false;
    }
}

static void group(const Builder *b, Piece *form, const Pieces *row) {
    Grouping g = {.b = b, .row = row, .form = form};
    size_t bound = 0;
    bool named = row->n > 0 && row->at[0]->kind == TOK_NAME && form->kind != TOK_OPEN_SET;
    if (named) g.head = row->at[0]->text;
    if (!form->signature) form->manner = layout_manner(b->words, g.head, &bound);
    Units units = {0};
    while (g.next < row->n) vec_push(b->r->arena, &units, next_unit(&g));
    form->units = units.at;
    form->nunits = units.n;
    if (form->manner == LAYOUT_CALL && named && units.n > 1 && units.at[1].kind == UNIT_BINDER)
        form->manner = LAYOUT_BODY;
    see_binders(form);
    if (has_body(form->manner)) find_body(form, bound);
    for (size_t i = 1; form->manner == LAYOUT_PARTS && i < units.n; i++)
        units.at[i].body = units.at[i].kind == UNIT_KEYED;
    measure_form(form);
}

static bool defines(const Builder *b, const Piece *head) {
    size_t bound;
    return head->kind == TOK_NAME && layout_manner(b->words, head->text, &bound) == LAYOUT_DEFINE;
}

static void read_form(Builder *b, Piece *form) {
    Pieces row = {0};
    while (!is_close(b->pieces.at[b->next])) {
        Piece *p = b->pieces.at[b->next++];
        p->signature = row.n == 1 && p->kind == TOK_OPEN_LIST && defines(b, row.at[0]);
        if (is_open(p)) read_form(b, p);
        vec_push(b->r->arena, &row, p);
    }
    b->next++;
    group(b, form, &row);
}

const Piece *layout_tree(Reader *r, const LayoutWords *words, LayoutPrograms *programs) {
    Builder b = {.r = r, .words = words, .programs = programs};
    if (programs->n) qsort(programs->at, programs->n, sizeof *programs->at, compare_programs);
    Pieces row = all_pieces(&b);
    see_comments(&row);
    row = trails_behind_closers(&b, &row);
    b.pieces = with_leads(&b, &row);
    Piece *all = arena_alloc(r->arena, sizeof *all);
    Units units = {0};
    while (b.next < b.pieces.n) {
        Piece *p = b.pieces.at[b.next++];
        if (is_open(p)) read_form(&b, p);
        Piece **part = arena_alloc(r->arena, sizeof *part);
        *part = p;
        Unit u = {.kind = is_comment(p) ? p->remark : UNIT_PLAIN,
                  .body = !is_comment(p) || p->remark != UNIT_TRAIL,
                  .breaks = p->breaks,
                  .parts = part,
                  .nparts = 1};
        measure_unit(&u);
        vec_push(r->arena, &units, u);
    }
    all->units = units.at;
    all->nunits = units.n;
    return all;
}
