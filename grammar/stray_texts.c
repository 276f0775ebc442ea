// Quotes and comments as other languages write them.
#include <string.h>

#include "stray.h"

// ---- Quotes ----

// How many bytes the quotes at either end take.
static uint32_t quote_size(const char *c) {
    unsigned char first = (unsigned char)*c;
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : 3;
}

void scan_foreign_quote(Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t open = quote_size(text), size = span.end - span.start, close = 1;
    if (memcmp(text, "\"\"\"", 3) == 0) {
        open = close = 3;
    } else {
        while (((unsigned char)text[size - close] & 0xC0) == 0x80) close++;
    }
    Span inner = {r->file, span.start + open, span.end - close};
    const char *newline = memchr(text, '\n', size);
    bool brief = inner.end - inner.start <= 40 && inner.end > inner.start && !newline;
    const char *kept =
        brief ? arena_strndup(r->arena, text_at(r, inner), inner.end - inner.start) : "text";
    stray(
        r, (Span){r->file, span.start, span.start + open}, "quote",
        arena_printf(r->arena,
                     open == 3 && text[0] == '"'
                         ? "a text stands between single \" and may run over several lines: \"%s\""
                         : "a text is written between straight quotes: \"%s\"",
                     kept));
    scan_plain(r, span, TOK_FAULT);
}

void scan_lone_quote(Reader *r, Span span) {
    const char *text = text_at(r, span) + 1;
    uint32_t n = 0;
    while (span.end + n < r->source->size && in_name(text[n])) n++;
    if (after(r, span) == '(')
        stray(r, span, "lisp", "a list of things is written in { }: {a1 b1}");
    else if (n)
        stray(r, span, "lisp",
              arena_printf(r->arena, "a name stands for itself, without a quote: %.*s", (int)n,
                           text));
    else
        stray(r, span, "quote", "a text is written between double quotes: \"text\"");
    scan_plain(r, span, TOK_FAULT);
}

uint32_t scan_single_quoted(Reader *r, Span span) {
    if (in_name(after(r, span)) || span.end - span.start < 3) {
        scan_lone_quote(r, (Span){r->file, span.start, span.start + 1});
        return 1;
    }
    scan_foreign_quote(r, span);
    return span.end - span.start;
}

// ---- Comments ----

void scan_foreign_block(Reader *r, Span span, const char *end) {
    size_t n = strlen(end), size = span.end - span.start;
    bool closed = size >= 2 * n && memcmp(text_at(r, span) + size - n, end, n) == 0;
    if (!closed) r->scan.cut_short = true;
    stray(r, (Span){r->file, span.start, span.start + 2}, "comment",
          "a comment over several lines is written /* ... */");
}

// Comments of several lines in a row are one misunderstanding.
uint32_t scan_foreign_comment(Reader *r, Span span, bool *remark) {
    const char *text = text_at(r, span);
    uint32_t marks = 0;
    while (text[marks] == ';' || text[marks] == '#' || text[marks] == '-') {
        if (++marks == span.end - span.start) break;
    }
    Span mark = {r->file, span.start, span.start + marks};
    Token *name = text[0] == ';' ? called(r, true) : NULL;
    if (name && strcmp(name->text, "for") == 0) {
        name->kind = TOK_FAULT;
        stray_line(r, name->span, "for",
                   "`for` goes through a list: (for n in: 1..3 STATEMENT...)");
        scan_plain(r, mark, TOK_FAULT);
        return marks;
    }
    bool line_begins = !r->scan.line_begun;
    char truth = text[0] == '#' && marks == 1 ? after(r, mark) : '\0';
    if ((truth == 't' || truth == 'f') && mark.end + 1 < r->source->size && !in_name(text[2])) {
        mark.end++;
        scan_stray(r, mark, "truth", "truth is written yes, and what is not true no");
        return 2;
    }
    *remark = text[0] == '-' ? line_begins : span.start == 0 || blank(text[-1]);
    if (*remark) {
        stray(r, mark, "comment", "a comment starts with //");
        return marks;
    }
    if (text[0] == '-') {
        scan_operators(r, mark);
        return marks;
    }
    if (text[0] == ';' && scan_block_opener(r, mark)) return marks;
    stray(r, mark, "end",
          text[0] == ';' ? "nothing ends a form but its closing bracket"
                         : "a comment starts with //");
    scan_plain(r, mark, TOK_FAULT);
    return marks;
}
