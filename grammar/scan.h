// What the rules of lexer.l do with what they matched. Private to the scanner.
#ifndef OLDSOW_SCAN_H
#define OLDSOW_SCAN_H

#include "token.h"

static inline const char *text_at(const Reader *r, Span span) {
    return r->source->text + span.start;
}

static inline bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static inline bool digit(char c) { return c >= '0' && c <= '9'; }

static inline bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit(c) || c == '-' || c == '_' ||
           (unsigned char)c >= 0x80;
}

// The byte behind the span; NUL at the end of the file.
static inline char after(const Reader *r, Span span) {
    return span.end < r->source->size ? r->source->text[span.end] : '\0';
}

// Starts a match of `size` bytes: counts lines and columns up to it.
Span scan_match(Reader *r, uint32_t size);
// Only the first `size` bytes of the match are taken; the rest is scanned again.
Span scan_keep(Reader *r, Span span, uint32_t size);

void scan_plain(Reader *r, Span span, TokenKind kind);
void scan_word(Reader *r, Span span, TokenKind kind); // without the colon of a key
void scan_number(Reader *r, Span span);
void scan_bad_number(Reader *r, Span span, const char *mend);
void scan_string(Reader *r, Span span);
void scan_comment(Reader *r, Span span);

// foreign_lines.c: a line of other languages that this makes known as such, `=` or `:`. False if it is none.
bool scan_assignment(Reader *r, Span span);
bool scan_block_opener(Reader *r, Span span);

// Does the matched text, which spans lines, end with a quote that looks like an opening one?
bool scan_swallowed(const Reader *r, Span span);
// Reports a text that is never closed and gives how many bytes to take for it: up to the end of its
// first line, so that the rest of the file can still be read.
uint32_t scan_unclosed_string(Reader *r, Span span, bool swallowed);
void scan_unclosed_comment(Reader *r, Span span);

// ---- stray_texts.c ----

// What begins a comment elsewhere, and perhaps here: then `*remark`, and the line is one. Gives how many bytes to take.
uint32_t scan_foreign_comment(Reader *r, Span span, bool *remark);
// #| ... |#, <!-- ... -->; `end` is what closes it, if it is closed at all.
void scan_foreign_block(Reader *r, Span span, const char *end);
// A text between other quotes than straight ones, closed on the same line.
void scan_foreign_quote(Reader *r, Span span);
uint32_t scan_single_quoted(Reader *r, Span span); // gives how many bytes to take

// ---- stray_letters.c ----

void scan_hidden(Reader *r, Span span, uint32_t code); // reports only
// The word, interned; letters among those of ASCII that look like them are told of, and replaced.
const char *scan_plain_letters(Reader *r, Span span, size_t size);

// ---- stray.c ----

// A character that means nothing. Another one of the same kind on the same line is the same
// mistake.
void scan_stray(Reader *r, Span span, const char *what, const char *mend);
// A bracket that stands for another.
void scan_square(Reader *r, Span span, TokenKind kind);
void scan_glued(Reader *r, Span span);
void scan_operators(Reader *r, Span span);
void scan_bad_word(Reader *r, Span span); // it begins like a number
void scan_percent(Reader *r, Span span);
void scan_field(Reader *r, Span span);
void scan_other(Reader *r, Span span); // any other character

#endif
