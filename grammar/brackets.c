// Balances the brackets of a file, and reports each mistake about them once.
//
// A stack alone knows that a bracket is missing only at the end of the file, far from where it
// should have been. Authors indent their scripts, though, and where the brackets do not come out
// even the indentation tells which form was left open. So the tokens are walked several times:
// plainly; if that finds a mistake, again with an eye on the columns in which lines begin, as the
// layout of `oldsow fmt` has them, and on no more than how deep lines are indented; and then, with
// the reading that explains the file best, for good. A file whose brackets are even is never judged
// by its indentation.
#include <string.h>

#include "layout_tree.h"
#include "token.h"

enum { TRIALS_MAX = 200, TRIAL_TOKENS = 4000 };
enum { INDENT = 2 }; // of a body in the layout

static const size_t NONE = (size_t)-1;

typedef struct Open {
    size_t token; // in the tokens as scanned
    size_t bare;  // the last name directly in it that begins a line, or NONE
    bool swapped; // its closer was met too early, and its place is taken by the other kind
} Open;

// What is made of where lines begin.
typedef enum Guide {
    BY_NOTHING,
    BY_LINES,   // a form has ended before a line that is indented no deeper than its own line
    BY_COLUMNS, // before one that begins no further right than the form itself
} Guide;

typedef struct Walk {
    Reader *r;
    Token *in;
    Guide guide;
    bool final; // writes tokens and reports; otherwise only counts
    Tokens out;
    Open stack[NESTING_MAX];
    size_t depth;     // forms open, on the stack
    size_t deep;      // brackets open beyond that; they and what they hold are passed over
    size_t deep_from; // the first of them
    bool deep_told;
    size_t faults;
    size_t moves;        // faults that were seen by indentation only
    size_t line_openers; // brackets that begin a line
    unsigned trials;
    size_t loose;      // in `out`: the first item outside of any form, or NONE
    size_t last_extra; // the last closer too many, or NONE
    size_t asked,
        next_line; // for the tokens from `asked` on, the one that begins the next line; see next_line()
} Walk;

static bool opens(const Token *t) { return t->kind == TOK_OPEN_LIST || t->kind == TOK_OPEN_SET; }
static bool closes(const Token *t) { return t->kind == TOK_CLOSE_LIST || t->kind == TOK_CLOSE_SET; }

static uint8_t closer_of(uint8_t opener) {
    return opener == TOK_OPEN_LIST ? TOK_CLOSE_LIST : TOK_CLOSE_SET;
}

static const Token *top(const Walk *w) { return &w->in[w->stack[w->depth - 1].token]; }

static LayoutManner manner(const Walk *w, size_t opener) {
    const Token *t = &w->in[opener];
    size_t bound;
    if (t->kind != TOK_OPEN_LIST || !w->r->words || t[1].kind != TOK_NAME) return LAYOUT_CALL;
    bool binds = t[2].kind == TOK_NAME && t[3].kind == TOK_KEY &&
                 strcmp(t[3].text, w->r->words->binder) == 0;
    return binds ? LAYOUT_BODY : layout_manner(w->r->words, t[1].text, &bound);
}

// The key from which the form's body is indented, if there is one: (... else: (if ... In a binder, NAME in: (..., it is not.
static const Token *hangs_from(const Walk *w, size_t opener) {
    const Token *key = opener > 0 ? &w->in[opener - 1] : NULL;
    bool keyed =
        key && key->kind == TOK_KEY && w->r->words && strcmp(key->text, w->r->words->binder) != 0;
    return keyed && has_body(manner(w, opener)) ? key : NULL;
}

// The form that this one is the last thing of, and is indented as if it were: (board (squares ...
// and (track NAME (path ... . Itself, if there is no such.
static const Token *indented_as(const Walk *w, size_t opener) {
    const Token *t = &w->in[opener];
    if (opener > 1 && manner(w, opener - 2) == LAYOUT_WRAP) return t - 2;
    if (opener > 2 && t[-1].kind == TOK_NAME && manner(w, opener - 3) == LAYOUT_PARTS) return t - 3;
    return t;
}

// The column right of which everything begins that belongs to the form.
static uint32_t edge(const Walk *w, const Open *open) {
    if (w->guide != BY_COLUMNS) return w->in[open->token].indent;
    const Token *key = hangs_from(w, open->token);
    return (key ? key : indented_as(w, open->token))->column;
}

// ---- Writing ----

static void put(Walk *w, Token t) {
    if (w->final) vec_push(w->r->arena, &w->out, t);
}

static void put_fault(Walk *w, Span span) { put(w, (Token){.kind = TOK_FAULT, .span = span}); }

// Where a bracket that is not there would have been: right after the last token.
static Span after_last(const Walk *w) {
    if (w->out.n == 0) return (Span){w->r->file, 0, 0};
    Span last = w->out.at[w->out.n - 1].span;
    return (Span){last.file, last.end, last.end};
}

static const char *bracket(Walk *w, const Token *t) {
    const char *text = w->r->source->text + t->span.start;
    if ((unsigned char)*text < 0x80) return arena_strndup(w->r->arena, text, 1);
    static const char *const plain[] = {
        [TOK_OPEN_LIST] = "(", [TOK_CLOSE_LIST] = ")", [TOK_OPEN_SET] = "{", [TOK_CLOSE_SET] = "}"};
    return plain[t->kind];
}

// Closes the innermost form without a closer, and marks it as faulty.
static void close_silently(Walk *w) {
    if (w->final) {
        Span here = after_last(w);
        put_fault(w, here);
        put(w, (Token){.kind = closer_of(top(w)->kind), .span = here});
    }
    w->depth--;
}

// ---- Reporting ----

// Of the forms from `depth` on, which are open, the outermost that began on the line of the token
// before `at`, or NONE.
static size_t begun_on_line(const Walk *w, size_t depth, size_t at) {
    size_t line = at;
    while (line > 0 && !w->in[--line].first) continue;
    while (depth < w->depth && w->stack[depth].token < line) depth++;
    return depth < w->depth ? depth : NONE;
}

// A closer is missing, and it is seen at token `at`: on the line before, if columns can be trusted.
static void report_missing(Walk *w, size_t depth, size_t at) {
    const Token *end = &w->in[at], *opener = &w->in[w->stack[depth].token];
    // With several missing, the outermost is as good a place as any.
    size_t n = w->depth - depth, on_line = n > 1 ? depth : begun_on_line(w, depth, at);
    Diags *diags = w->r->diags;
    const char *text = bracket(w, opener);
    int report;
    if (w->guide == BY_COLUMNS && on_line == NONE) {
        const char *closer = opener->kind == TOK_OPEN_LIST ? ")" : "}";
        report = diag_report(diags, E_BRACKET_OPEN, after_last(w),
                             arena_printf(w->r->arena, "a `%s` is missing on this line", closer));
        diag_label(diags, report, opener->span, "as it is, this `%s` is never closed", text);
    } else {
        if (w->guide == BY_COLUMNS) opener = &w->in[w->stack[on_line].token];
        report = diag_report(diags, E_BRACKET_OPEN, opener->span,
                             arena_printf(w->r->arena, "this `%s` is never closed", text));
        if (end->kind == TOK_END) diag_label(diags, report, after_last(w), "the file ends here");
    }
    if (end->kind != TOK_END)
        diag_label(diags, report, end->span, "this line is indented as if that `%s` were closed",
                   text);
    if (n > 1) diag_note(diags, report, "%zu closing brackets are missing in all", n);
}

// The forms from `depth` on are open, and token `at` shows that they should not be.
static void close_missing(Walk *w, size_t depth, size_t at) {
    size_t n = w->depth - depth;
    if (n == 0) return;
    const Token *end = &w->in[at];
    bool told = end->kind == TOK_END && (w->r->scan.cut_short || w->deep);
    w->faults += end->kind == TOK_END && w->guide == BY_NOTHING ? n : 1;
    if (end->kind != TOK_END) w->moves++;
    if (w->final && !told) report_missing(w, depth, at);
    while (w->depth > depth) close_silently(w);
}

// Token `at` closes nothing. What stands before it outside of any form may have lost its opener.
// Gives the report, or -1.
static int drop_extra(Walk *w, size_t at) {
    const Token *t = &w->in[at];
    bool more = w->last_extra != NONE && w->last_extra + 1 == at;
    w->last_extra = at;
    if (more) return -1;
    w->faults++;
    if (!w->final) return -1;
    Diags *diags = w->r->diags;
    if (w->depth == 0 && w->loose != NONE) {
        Span span = w->out.at[w->loose].span;
        int report = diag_report(diags, E_OUTSIDE_FORM, span, quote_span(w->r, span));
        diag_label(diags, report, t->span, "this closes nothing");
        diag_mend(diags, report, "a `%s` seems to be missing before it",
                  t->kind == TOK_CLOSE_LIST ? "(" : "{");
        // Read on as if it were there.
        put(w, *t);
        put(w, *t);
        Token *from = &w->out.at[w->loose];
        memmove(from + 1, from, (w->out.n - w->loose - 2) * sizeof *from);
        from->kind = t->kind == TOK_CLOSE_LIST ? TOK_OPEN_LIST : TOK_OPEN_SET;
        from->span.end = from->span.start;
        w->loose = NONE;
        return report;
    }
    int report = diag_report(diags, E_BRACKET_EXTRA, t->span, bracket(w, t));
    if (w->depth == 0) diag_mend(diags, report, "nothing is open here: take it away");
    put_fault(w, t->span);
    return report;
}

// ---- A closer of the wrong kind ----

typedef enum Guess {
    WRONG_KIND,    // it was meant to close the innermost form
    MISSING_INNER, // the innermost forms lack theirs, and it closes a form around them
    EXTRA,         // it should not be there
} Guess;

// How many faults follow token `at` if the stack were cut to `depth` there: up to the next line
// that is indented no deeper than the innermost form's line, or, when indentation is not to be
// trusted, the end of the file.
static size_t trial(const Walk *w, size_t at, size_t depth) {
    uint8_t kinds[NESTING_MAX + TRIAL_TOKENS];
    size_t n = 0;
    for (; n < depth; n++) kinds[n] = w->in[w->stack[n].token].kind;
    uint32_t indent = edge(w, &w->stack[w->depth - 1]);
    size_t faults = 0;
    for (size_t i = at + 1, steps = 0; steps < TRIAL_TOKENS; i++, steps++) {
        const Token *t = &w->in[i];
        bool line = w->guide && opens(t) && t->first && t->column <= indent;
        if (t->kind == TOK_END || line) {
            size_t expected = 0;
            while (line && expected < w->depth && edge(w, &w->stack[expected]) < t->column)
                expected++;
            return faults + (n > expected ? n - expected : expected - n);
        }
        if (opens(t)) {
            kinds[n++] = t->kind;
        } else if (closes(t)) {
            if (n == 0 || closer_of(kinds[n - 1]) != t->kind) faults++;
            if (n > 0) n--;
        }
    }
    return faults;
}

// The depth of the innermost form that `t` could close, or NONE.
static size_t match_below(const Walk *w, const Token *t) {
    for (size_t i = w->depth; i > 0; i--)
        if (closer_of(w->in[w->stack[i - 1].token].kind) == t->kind) return i - 1;
    return NONE;
}

static Guess guess(Walk *w, size_t at) {
    if (w->trials >= TRIALS_MAX) return WRONG_KIND;
    w->trials++;
    size_t wrong = trial(w, at, w->depth - 1);
    size_t extra = trial(w, at, w->depth);
    size_t below = match_below(w, &w->in[at]);
    size_t missing = below == NONE ? NONE : trial(w, at, below);
    if (wrong <= extra && wrong <= missing) return WRONG_KIND;
    return missing <= extra ? MISSING_INNER : EXTRA;
}

// A `]` is a fault already, whatever it closes.
static bool told_of(const Diags *d, Span span) {
    for (size_t i = 0; i < d->all.n; i++)
        if (d->all.at[i].span.file == span.file && d->all.at[i].span.start == span.start)
            return true;
    return false;
}

static void mend_mismatch(Walk *w, size_t at) {
    Token t = w->in[at];
    Open *inner = &w->stack[w->depth - 1];
    const Token *opener = &w->in[inner->token];
    if (!inner->swapped) {
        w->faults++;
        if (w->final && !told_of(w->r->diags, t.span)) {
            const char *open = bracket(w, opener);
            int report = diag_report(w->r->diags, E_BRACKET_KIND, t.span, bracket(w, &t), open);
            diag_label(w->r->diags, report, opener->span, "this `%s` is open", open);
        }
    }
    switch (inner->swapped ? WRONG_KIND : guess(w, at)) {
    case WRONG_KIND:
        // `( { ) }`: two closers changed round are one mistake.
        if (!inner->swapped && w->depth > 1) {
            Open *outer = inner - 1;
            outer->swapped = closer_of(w->in[outer->token].kind) == t.kind;
        }
        put_fault(w, (Span){t.span.file, t.span.start, t.span.start});
        t.kind = closer_of(opener->kind);
        put(w, t);
        w->depth--;
        break;
    case MISSING_INNER:
        for (size_t depth = match_below(w, &t); w->depth > depth + 1;) close_silently(w);
        put(w, t);
        w->depth--;
        break;
    case EXTRA: put_fault(w, t.span); break;
    }
}

// ---- The walk ----

// Forms left open that this line does not belong to should have ended before it.
static void heed_indentation(Walk *w, size_t at) {
    const Token *t = &w->in[at];
    if (!t->first || !(w->guide == BY_COLUMNS || opens(t) || closes(t))) return;
    // A closer on a line of its own may stand right below its opener.
    uint32_t limit = closes(t) ? t->column + 1 : t->column;
    size_t depth = w->depth;
    while (depth > 0 && edge(w, &w->stack[depth - 1]) >= limit) depth--;
    if (closes(t) && depth == 0) return; // it would have nothing left to close
    close_missing(w, depth, at);
}

// The token that begins the line after that of token `at`, if there is one, else TOK_END.
static const Token *next_line(Walk *w, size_t at) {
    if (at < w->asked || at >= w->next_line) {
        w->asked = w->next_line = at;
        do w->next_line++;
        while (w->in[w->next_line].kind != TOK_END && !w->in[w->next_line].first);
    }
    return &w->in[w->next_line];
}

// Would this closer end a form although the next line still stands within it?
static const Token *ends_too_early(Walk *w, size_t at) {
    const Open *open = &w->stack[w->depth - 1];
    const Token *opener = &w->in[open->token], *next = &w->in[at + 1];
    if (w->guide == BY_COLUMNS) {
        next = next_line(w, at);
        if (next->kind == TOK_END || closes(next)) return NULL;
        const Token *base = hangs_from(w, open->token);
        if (!base && has_body(manner(w, open->token))) base = indented_as(w, open->token);
        bool within = base && next->column == base->column + INDENT;
        if (!within && next->column <= opener->column) return NULL;
    } else if (!opener->first || !opens(next) || !next->first || next->column <= opener->column) {
        return NULL;
    }
    w->moves++;
    return next;
}

// A name that begins a line, and further lines within it: what lacks its bracket is there. `at`: the closer that has none.
static bool report_unopened(Walk *w, size_t at) {
    size_t bare = w->stack[w->depth - 1].bare;
    if (bare == NONE) return false;
    const Token *name = &w->in[bare], *below = next_line(w, bare);
    if (below > &w->in[at] || below->column <= name->column) return false;
    w->faults++;
    if (!w->final) return true;
    int report = diag_report(
        w->r->diags, E_BRACKET_OPEN, name->span,
        arena_printf(w->r->arena, "a `(` is missing before %s", quote_span(w->r, name->span)));
    diag_label(w->r->diags, report, w->in[at].span, "this closes something else, as it is");
    diag_mend(w->r->diags, report, "write (%s ...)", name->text);
    // Read on as if it were there.
    Token opener = *name;
    opener.kind = TOK_OPEN_LIST;
    opener.span.end = opener.span.start;
    put(w, w->in[at]);
    size_t i = w->out.n - 1;
    while (w->out.at[i].span.start > name->span.start) i--;
    put(w, w->in[at]);
    memmove(&w->out.at[i + 1], &w->out.at[i], (w->out.n - 1 - i) * sizeof opener);
    w->out.at[i] = opener;
    return true;
}

static void report_early(Walk *w, size_t at, const Token *next) {
    if (w->in[at].kind == TOK_CLOSE_LIST && report_unopened(w, at)) return;
    const Open *open = &w->stack[w->depth - 1];
    Span opener = w->in[open->token].span;
    bool set = w->in[at].kind == TOK_CLOSE_SET;
    int report = drop_extra(w, at);
    diag_label(w->r->diags, report, opener, "it closes this already");
    diag_label(w->r->diags, report, next->span, "and yet this line is indented to be within");
    if (open->bare != NONE)
        diag_label(w->r->diags, report, w->in[open->bare].span, "or is a `(` missing before this?");
    else if (set && open->token > 0 && w->in[open->token - 1].kind == TOK_KEY &&
             w->in[at + 1].kind == TOK_OPEN_SET)
        diag_mend(w->r->diags, report, "several sets stand in a set: %s: {{...} {...}}",
                  w->in[open->token - 1].text);
    else
        diag_mend(w->r->diags, report, "take it away, or put the `%s` to which it belongs",
                  set ? "{" : "(");
}

static void walk_closer(Walk *w, size_t at) {
    const Token *t = &w->in[at], *within = NULL;
    if (w->depth == 0) {
        drop_extra(w, at);
    } else if (closer_of(top(w)->kind) != t->kind) {
        mend_mismatch(w, at);
    } else if (w->guide && (within = ends_too_early(w, at))) {
        report_early(w, at, within);
    } else {
        put(w, *t);
        w->depth--;
    }
}

static void walk_item(Walk *w, size_t at) {
    const Token *t = &w->in[at];
    if (w->depth == 0 && w->final) {
        if (opens(t)) {
            // A form that stands as far left has nothing to do with what came before it.
            bool apart = w->loose != NONE && t->first && t->column <= w->out.at[w->loose].column;
            if (apart) w->loose = NONE;
        } else if (t->kind != TOK_FAULT && w->loose == NONE) {
            w->loose = w->out.n;
        }
    }
    put(w, *t);
    if (t->kind == TOK_NAME && t->first && w->depth > 0) w->stack[w->depth - 1].bare = at;
    if (opens(t)) w->stack[w->depth++] = (Open){.token = at, .bare = NONE};
}

// A form that would be nested too deep becomes one fault, with all that it holds.
static void pass_over_deep(Walk *w, size_t at) {
    const Token *t = &w->in[at];
    if (w->deep == 0) {
        w->deep_from = at;
        w->faults++;
        if (w->final && !w->deep_told) {
            int report = diag_report(w->r->diags, E_TOO_DEEP, t->span, NESTING_MAX);
            diag_mend(w->r->diags, report, "give an inner part a name with (define ...)");
        }
        w->deep_told = true;
    }
    if (opens(t)) w->deep++;
    if (closes(t)) w->deep--;
    if (w->deep == 0) put_fault(w, span_join(w->in[w->deep_from].span, t->span));
}

static Walk walk(Reader *r, Guide guide, bool final) {
    Walk w = {.r = r, .in = r->tokens.at, .guide = guide, .final = final};
    w.loose = w.last_extra = NONE;
    size_t at = 0;
    for (; w.in[at].kind != TOK_END; at++) {
        const Token *t = &w.in[at];
        w.line_openers += opens(t) && t->first;
        if (guide && w.deep == 0) heed_indentation(&w, at);
        if (w.deep || (opens(t) && w.depth == NESTING_MAX))
            pass_over_deep(&w, at);
        else if (closes(t))
            walk_closer(&w, at);
        else
            walk_item(&w, at);
    }
    close_missing(&w, 0, at);
    put(&w, w.in[at]);
    return w;
}

void balance_tokens(Reader *r) {
    Walk naive = walk(r, BY_NOTHING, false);
    if (naive.faults == 0) return;
    Walk lines = walk(r, BY_LINES, false);
    Walk columns = walk(r, BY_COLUMNS, false);
    // Many lines out of place say that the author does not indent, not that the author errs so
    // often.
    bool trusted = lines.faults <= naive.faults || lines.moves * 4 <= lines.line_openers;
    Guide guide = trusted ? BY_LINES : BY_NOTHING;
    if (columns.faults <= (trusted ? lines : naive).faults) guide = BY_COLUMNS;
    r->tokens = walk(r, guide, true).out;
}
