#include "scan.h"

#include <assert.h>
#include <string.h>

#include "utf8.h"

enum { TAB_COLUMNS = 4, QUOTED_BYTES = 40, RESCANS_MAX = 8 };

// ---- Where we are ----

static const char *text_at(const Reader *r, Span span) { return r->source->text + span.start; }

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
    const char *text = text_at(r, span);
    size_t size = span.end - span.start, n = 0;
    while (n < size && n < QUOTED_BYTES && text[n] != '\n' && text[n] != '\r') {
        uint32_t code;
        unsigned bytes = utf8_decode(text + n, size - n, &code);
        n += bytes ? bytes : 1;
    }
    return arena_printf(r->arena, "`%.*s%s`", (int)n, text, n < size ? "..." : "");
}

// ---- Tokens ----

static void add(Reader *r, Token token) {
    Scan *s = &r->scan;
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
    vec_push(r->arena, &r->tokens, token);
}

void scan_plain(Reader *r, Span span, TokenKind kind) {
    add(r, (Token){.kind = (uint8_t)kind, .span = span});
}

void scan_word(Reader *r, Span span, TokenKind kind) {
    size_t size = span.end - span.start - (kind == TOK_KEY);
    const char *text = arena_intern(r->arena, text_at(r, span), size);
    add(r, (Token){.kind = (uint8_t)kind, .span = span, .text = text});
}

void scan_number(Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t size = span.end - span.start;
    bool minus = text[0] == '-';
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

void scan_string(Reader *r, Span span) {
    char *decoded = arena_alloc(r->arena, span.end - span.start);
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

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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
    char after = span.end < r->source->size ? text[size] : '\0';
    return (blank(before) || before == '(' || before == '{') && letter(after);
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

// ---- What means nothing ----

// Reports, unless it is more of what was reported on the same line.
static void stray(Reader *r, Span span, const char *what, const char *mend) {
    Scan *s = &r->scan;
    if (what && s->stray.what && strcmp(what, s->stray.what) == 0 && s->stray.line == s->line)
        return;
    int report = diag_report(r->diags, E_STRAY_CHARACTER, span, quote_span(r, span));
    if (mend) diag_mend(r->diags, report, "%s", mend);
    s->stray.what = what;
    s->stray.line = s->line;
}

void scan_stray(Reader *r, Span span, const char *what, const char *mend) {
    stray(r, span, what, mend);
    scan_plain(r, span, TOK_FAULT);
}

void scan_square(Reader *r, Span span, TokenKind kind) {
    stray(r, span, "square", "sets are written with { }, forms with ( )");
    scan_plain(r, span, kind);
}

void scan_curly_quote(Reader *r, Span span) {
    stray(r, (Span){r->file, span.start, span.start + 3}, "quote",
          "a text is written between straight quotes: \"text\"");
    scan_plain(r, span, TOK_FAULT);
}

// Comments of several lines in a row are one misunderstanding.
uint32_t scan_foreign_comment(Reader *r, Span span) {
    const char *text = text_at(r, span);
    Scan *s = &r->scan;
    uint32_t marks = 0;
    while (text[marks] == ';' || text[marks] == '#') {
        if (++marks == span.end - span.start) break;
    }
    bool comment = span.start == 0 || blank(text[-1]);
    Span shown = {r->file, span.start, span.start + marks};
    const char *mend = text[0] == ';' && !comment ? "nothing ends a form but its closing bracket"
                                                  : "a comment starts with //";
    bool goes_on = comment && s->stray.what && strcmp(s->stray.what, "comment") == 0 &&
                   s->stray.line + 1 == s->line;
    if (goes_on)
        s->stray.line = s->line;
    else
        stray(r, shown, comment ? "comment" : "end", mend);
    if (comment) return span.end - span.start;
    scan_plain(r, shown, TOK_FAULT);
    return marks;
}

void scan_glued(Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t size = text[1] == '=' ? 2 : 1;
    const char *rest = arena_strndup(r->arena, text + size, span.end - span.start - size);
    const char *mend;
    if (text[0] == '-')
        mend = arena_printf(r->arena, "a blank goes after an operator: (- %s)", rest);
    else
        mend = arena_printf(r->arena,
                            "an operator comes first in its form, with a blank after it: "
                            "(%.*s a b)",
                            (int)size, text);
    scan_stray(r, span, NULL, mend);
}

typedef struct Mend {
    const char *text, *mend;
} Mend;

void scan_operators(Reader *r, Span span) {
    static const Mend mends[] = {
        {"==", "equality is ="},
        {"===", "equality is ="},
        {"<>", "unequal is !="},
        {"=<", "at most is <="},
        {"=>", "at least is >="},
        {"++", "one more is (+ x 1)"},
        {"--", "one less is (- x 1); a comment starts with //"},
        {"*/", "no comment is open here"},
    };
    uint32_t size = span.end - span.start;
    const char *mend = "operators are + - * / % < <= > >= = !=, with blanks between them";
    for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
        if (strlen(mends[i].text) == size && memcmp(mends[i].text, text_at(r, span), size) == 0)
            mend = mends[i].mend;
    scan_stray(r, span, NULL, mend);
}

void scan_other(Reader *r, Span span) {
    static const struct {
        const char *text, *what, *mend;
    } known[] = {
        {",", "comma", "nothing separates items but blanks"},
        {"'", "quote", "a text is written between double quotes: \"text\""},
        {"`", "quote", "a text is written between double quotes: \"text\""},
        {":", "colon", "a key is written right before its colon: in: board"},
        {".", NULL, "a range has two dots: 1..5"},
        {"!", NULL, "(not x) says that x does not hold"},
        {"&&", NULL, "(and a b) says that both hold"},
        {"&", NULL, "(and a b) says that both hold"},
        {"||", NULL, "(or a b) says that one of them holds"},
        {"|", NULL, "(or a b) says that one of them holds"},
        {"?", NULL, "? may stand within a name, not at its beginning"},
        {"\\", NULL, "a backslash has a meaning within a text only"},
        {"\xE2\x80\x9C", "quote", "a text is written between straight quotes: \"text\""},
        {"\xE2\x80\x9D", "quote", "a text is written between straight quotes: \"text\""},
        {"\xE2\x80\x98", "quote", "a text is written between straight quotes: \"text\""},
        {"\xE2\x80\x99", "quote", "a text is written between straight quotes: \"text\""},
        {"\xC2\xAB", "quote", "a text is written between straight quotes: \"text\""},
        {"\xC2\xBB", "quote", "a text is written between straight quotes: \"text\""},
        {"\xE2\x80\x93", "dash", "minus is the plain sign -"},
        {"\xE2\x80\x94", "dash", "minus is the plain sign -"},
        {"\xE2\x88\x92", "dash", "minus is the plain sign -"},
        {"\xE2\x80\xA6", NULL, "a range has two dots: 1..5"},
        {"\xE2\x89\xA4", NULL, "at most is <="},
        {"\xE2\x89\xA5", NULL, "at least is >="},
        {"\xE2\x89\xA0", NULL, "unequal is !="},
        {"\xC2\xA0", "blank", "this is a no-break space; put a plain blank"},
        {"\xE3\x80\x80", "blank", "this is a full-width blank; put a plain one"},
        {"\xEF\xBC\x88", "bracket", "this is a full-width bracket; forms are written with ( )"},
        {"\xEF\xBC\x89", "bracket", "this is a full-width bracket; forms are written with ( )"},
        {"\xEF\xBC\x9A", "colon", "this is a full-width colon; a key ends with a plain :"},
        {"\xEF\xBC\x8C", "comma", "nothing separates items but blanks"},
        {"\xE3\x80\x81", "comma", "nothing separates items but blanks"},
    };
    uint32_t size = span.end - span.start;
    const char *text = text_at(r, span);
    if (span.start == 0 && size == 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        return; // a byte order mark, which some editors put before everything
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].text) == size && memcmp(known[i].text, text, size) == 0) {
            scan_stray(r, span, known[i].what, known[i].mend);
            return;
        }
    }
    if ((unsigned char)text[0] < 0x20 || text[0] == 0x7F) {
        const char *shown =
            arena_printf(r->arena, "the control character %d", (unsigned char)text[0]);
        diag_report(r->diags, E_STRAY_CHARACTER, span, shown);
        scan_plain(r, span, TOK_FAULT);
        return;
    }
    scan_stray(r, span, NULL, NULL);
}
