#include "scan.h"

#include <assert.h>
#include <string.h>

#include "utf8.h"

enum { TAB_COLUMNS = 4, QUOTED_BYTES = 40, RESCANS_MAX = 8, TORN_BYTES_MAX = 200 };

// ---- Where we are ----

Span scan_match(Reader *r, uint32_t size) {
    Scan *s = &r->scan;
    for (; s->counted < s->at; s->counted++) {
        unsigned char c = (unsigned char)r->source->text[s->counted];
        if (c == '\n') {
            s->line++;
            s->column = 0;
            s->line_begun = false;
        } else if (c == '\t') {
            s->column += TAB_COLUMNS;
        } else if ((c & 0xC0) != 0x80) {
            s->column++;
        }
    }
    // What follows a text of several lines is not the first on its line.
    if (s->token_counting) s->line_begun = true;
    s->token_counting = false;
    Span span = {r->file, s->at, s->at + size};
    s->at += size;
    return span;
}

Span scan_keep(Reader *r, Span span, uint32_t size) {
    assert(size > 0 && size <= span.end - span.start);
    r->scan.at = span.end = span.start + size;
    return span;
}

const char *quote_span(Reader *r, Span span) {
    if (diags_full(r->diags)) return "";
    const char *text = text_at(r, span), *shown = "";
    size_t size = span.end - span.start, n = 0;
    while (n < size && n < QUOTED_BYTES && text[n] != '\n' && text[n] != '\r') {
        uint32_t code = (unsigned char)text[n];
        unsigned bytes = utf8_decode(text + n, size - n, &code);
        if (bytes == 0) bytes = 1;
        shown = utf8_hidden(code) ? arena_printf(r->arena, "%sU+%04X", shown, (unsigned)code)
                                  : arena_printf(r->arena, "%s%.*s", shown, (int)bytes, text + n);
        n += bytes;
    }
    return arena_printf(r->arena, "`%s%s`", shown, n < size ? "..." : "");
}

// ---- Tokens ----

static void add(Reader *r, Token token) {
    Scan *s = &r->scan;
    s->torn = false;
    token.column = s->column < UINT16_MAX ? (uint16_t)s->column : UINT16_MAX;
    token.first = !s->line_begun;
    if (token.first) s->indent = token.column;
    token.indent = s->indent;
    s->token_counting = true;
    // One fault right after another is more of the same.
    if (token.kind == TOK_FAULT && r->tokens.n > 0) {
        Token *last = &r->tokens.at[r->tokens.n - 1];
        if (last->kind == TOK_FAULT && last->span.end == token.span.start) {
            last->span.end = token.span.end;
            return;
        }
    }
    // Of a line in another language all is told.
    bool word = token.kind == TOK_NAME || token.kind == TOK_NUMBER || token.kind == TOK_KEY;
    if (word && s->stray.foreign == s->line) token.kind = TOK_FAULT;
    if (token.first) s->line_first = r->tokens.n;
    vec_push(r->arena, &r->tokens, token);
}

void scan_plain(Reader *r, Span span, TokenKind kind) {
    add(r, (Token){.kind = (uint8_t)kind, .span = span});
}

void scan_word(Reader *r, Span span, TokenKind kind) {
    if (kind == TOK_NAME && r->source->text[span.start] == '=' && scan_assignment(r, span)) return;
    size_t size = span.end - span.start - (kind == TOK_KEY);
    const char *text = scan_plain_letters(r, span, size);
    // What something invisible tore apart belongs together.
    Token *last = r->tokens.n ? &r->tokens.at[r->tokens.n - 1] : NULL;
    if (r->scan.torn && last && last->kind == TOK_NAME && last->span.end == span.start &&
        span.end - last->span.start <= TORN_BYTES_MAX) {
        text = arena_printf(r->arena, "%s%s", last->text, text);
        last->kind = (uint8_t)kind;
        last->text = arena_intern_str(r->arena, text);
        last->span.end = span.end;
        r->scan.torn = false;
        r->scan.token_counting = true;
        return;
    }
    add(r, (Token){.kind = (uint8_t)kind, .span = span, .text = text});
}

void scan_number(Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t size = span.end - span.start;
    bool minus = text[0] == '-';
    uint32_t noughts = minus;
    while (noughts + 1 < size && text[noughts] == '0') noughts++;
    if (noughts > minus) {
        int report = diag_report(r->diags, E_STRAY_CHARACTER, span, quote_span(r, span));
        diag_mend(r->diags, report, "a number does not begin with a 0: %s%.*s", minus ? "-" : "",
                  (int)(size - noughts), text + noughts);
    }
    long number = 0;
    for (uint32_t i = minus; i < size; i++) {
        number = number * 10 + (text[i] - '0');
        if (number > NUMBER_MAX) {
            scan_bad_number(r, span, NULL);
            return;
        }
    }
    add(r, (Token){.kind = TOK_NUMBER, .span = span, .number = minus ? -number : number});
}

void scan_bad_number(Reader *r, Span span, const char *mend) {
    int report = diag_report(r->diags, E_BAD_NUMBER, span, quote_span(r, span));
    if (mend) diag_mend(r->diags, report, "%s", mend);
    scan_plain(r, span, TOK_FAULT);
}

// Reports the escape at `offset`, which is none, and gives its size.
static uint32_t bad_escape(Reader *r, Span string, uint32_t offset) {
    const char *text = r->source->text + offset + 1;
    uint32_t code;
    unsigned size = utf8_decode(text, string.end - 1 - offset - 1, &code);
    if (size == 0) size = 1;
    Span span = {r->file, offset, offset + 1 + size};
    bool end_of_line = *text == '\n' || *text == '\r';
    const char *shown = end_of_line ? "a backslash at the end of a line" : quote_span(r, span);
    int report = diag_report(r->diags, E_BAD_ESCAPE, span, shown);
    if (end_of_line)
        diag_mend(r->diags, report, "a text may simply go on over several lines");
    else
        diag_mend(r->diags, report, "a backslash itself is written \\\\");
    return 1 + size;
}

// Reports the first character of a text that would change what a terminal shows of the rest.
static void refuse_hidden(Reader *r, Span string) {
    for (uint32_t i = string.start; i < string.end;) {
        uint32_t code;
        unsigned size = utf8_decode(r->source->text + i, string.end - i, &code);
        if (size == 0) return;
        bool blank = code == '\n' || code == '\r' || code == '\t';
        if (!blank && (code < 0x20 || code == 0x7F || utf8_reorders(code))) {
            scan_hidden(r, (Span){r->file, i, i + size}, code);
            return;
        }
        i += size;
    }
}

void scan_string(Reader *r, Span span) {
    char *decoded = arena_alloc(r->arena, span.end - span.start);
    refuse_hidden(r, span);
    size_t n = 0;
    bool fault = false;
    for (uint32_t i = span.start + 1; i < span.end - 1;) {
        const char *text = r->source->text + i;
        if (text[0] != '\\') {
            decoded[n++] = text[0];
            i++;
        } else if (text[1] == 'n' || text[1] == '"' || text[1] == '\\') {
            decoded[n++] = text[1] == 'n' ? '\n' : text[1];
            i += 2;
        } else {
            i += bad_escape(r, span, i);
            fault = true;
        }
    }
    if (fault)
        scan_plain(r, span, TOK_FAULT);
    else
        add(r, (Token){.kind = TOK_STRING, .span = span, .text = decoded});
}

void scan_comment(Reader *r, Span span) { vec_push(r->arena, &r->comments, span); }

// ---- What is never closed ----

static bool only_blanks(const char *s, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (!blank(s[i])) return false;
    return true;
}

static bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

// A text without its closing quote ends, for the scanner, at the next text's opening quote: a quote
// with a blank or bracket before it and a letter after it. No one closes a text like that.
bool scan_swallowed(const Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t size = span.end - span.start;
    if (!memchr(text, '\n', size)) return false;
    char before = text[size - 2];
    return (blank(before) || before == '(' || before == '{') && letter(after(r, span));
}

uint32_t scan_unclosed_string(Reader *r, Span span, bool swallowed) {
    const char *text = text_at(r, span);
    uint32_t size = span.end - span.start;
    const char *newline = memchr(text, '\n', size);
    uint32_t kept = newline ? (uint32_t)(newline - text) : size;
    // Brackets at the end of the line close forms, more likely than that they are part of the text.
    while (kept > 1 && (blank(text[kept - 1]) || text[kept - 1] == ')' || text[kept - 1] == '}'))
        kept--;

    Span shown = {r->file, span.start, span.start + 1};
    int report = diag_report(r->diags, E_OPEN_STRING, shown);
    if (swallowed) {
        Span quote = {r->file, span.end - 1, span.end};
        diag_label(r->diags, report, quote, "this quote seems to begin the next text");
    }
    diag_mend(r->diags, report, "a text ends with \"; a quote within it is written \\\"");
    // A file made for it could send the scanner to the end again and again.
    if (!swallowed && ++r->scan.quotes_at_end > RESCANS_MAX) kept = size;
    // With nothing after it the text may well have been meant to go on, and the closers to follow.
    if (!swallowed && only_blanks(text + kept, size - kept)) r->scan.cut_short = true;
    scan_plain(r, (Span){r->file, span.start, span.start + kept}, TOK_FAULT);
    return kept;
}

void scan_unclosed_comment(Reader *r, Span span) {
    int report = diag_report(r->diags, E_OPEN_COMMENT, (Span){r->file, span.start, span.start + 2});
    diag_mend(r->diags, report, "a comment that began with /* ends with */");
    r->scan.cut_short = true;
}
