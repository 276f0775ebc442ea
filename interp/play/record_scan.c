#include "record_scan.h"

#include <ctype.h>
#include <string.h>

const Source *record_source(const Record *record) { return &record->sources.files.at[0]; }

static Span span(uint32_t start, uint32_t end) { return (Span){0, start, end}; }

static const char *rest(const Scanner *s) { return record_source(s->record)->text + s->at; }

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// ---- what is passed over -----------------------------------------------------------------------

static void skip_line(Scanner *s) {
    const Source *source = record_source(s->record);
    while (s->at < source->size && source->text[s->at] != '\n') s->at++;
}

static void skip_braces(Scanner *s) {
    const Source *source = record_source(s->record);
    uint32_t start = s->at;
    const char *close = memchr(source->text + start, '}', source->size - start);
    if (close) {
        s->at = (uint32_t)(close - source->text) + 1;
        return;
    }
    s->at = source->size;
    if (!s->reports) return;
    int d = diag_report(&s->record->diags, E_RECORD_COMMENT, span(start, start + 1));
    diag_mend(&s->record->diags, d, "close it with `}`");
}

// Blanks, comments, and a byte order mark at the very start.
static void skip_blanks(Scanner *s) {
    const Source *source = record_source(s->record);
    if (s->at == 0 && source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) s->at = 3;
    while (s->at < source->size) {
        const char *text = rest(s);
        if (blank(*text))
            s->at++;
        else if (*text == ';' || (text[0] == '/' && text[1] == '/'))
            skip_line(s);
        else if (*text == '{')
            skip_braces(s);
        else
            return;
    }
}

// ---- quoted texts ------------------------------------------------------------------------------

// Reads "text" with its escapes into `to`, which takes `room` bytes, and goes past it. False if it
// is not closed on its line; the scanner then stands where the line ends. *cut is set if it was too
// long.
static bool scan_quoted(Scanner *s, char *to, size_t room, bool *cut) {
    const Source *source = record_source(s->record);
    size_t n = 0;
    *cut = false;
    for (s->at++; s->at < source->size && *rest(s) != '\n'; s->at++) {
        char c = *rest(s);
        if (c == '"') {
            to[n] = '\0';
            s->at++;
            return true;
        }
        if (c == '\\' && s->at + 1 < source->size && strchr("\\\"n", rest(s)[1]) && rest(s)[1]) {
            s->at++;
            c = *rest(s) == 'n' ? '\n' : *rest(s);
        }
        if (n + 1 < room)
            to[n++] = c;
        else
            *cut = true;
    }
    to[n] = '\0';
    return false;
}

// ---- headers -----------------------------------------------------------------------------------

static const char *const known_headers[] = {"Game",  "Reading", "Options", "Seed",
                                            "Rules", "Result",  "Position"};
enum { KNOWN_HEADERS = sizeof known_headers / sizeof *known_headers };

bool record_knows_header(const char *name) {
    for (size_t i = 0; i < KNOWN_HEADERS; i++)
        if (strcmp(known_headers[i], name) == 0) return true;
    return false;
}

const RecordHeader *record_find_header(const Record *record, const char *name) {
    for (size_t i = 0; i < record->headers.n; i++)
        if (strcmp(record->headers.at[i].name, name) == 0) return &record->headers.at[i];
    return NULL;
}

static bool name_byte(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

static void skip_spaces(Scanner *s) {
    while (*rest(s) == ' ' || *rest(s) == '\t') s->at++;
}

static void bad_header(Scanner *s, const char *what) {
    diag_report(&s->record->diags, E_RECORD_HEADER, span(s->at, s->at + 1), what);
    skip_line(s);
}

// A header that means nothing here is kept, as PGN readers do, but not one that was meant to mean
// something.
static void keep_header(Record *r, RecordHeader header) {
    const RecordHeader *first = record_find_header(r, header.name);
    if (first) {
        int d = diag_report(&r->diags, E_RECORD_HEADER_TWICE, header.name_span, header.name);
        diag_label(&r->diags, d, first->name_span, "first here");
        return;
    }
    const char *meant = nearest_name(header.name, known_headers, KNOWN_HEADERS);
    if (meant && strcmp(meant, header.name) != 0) {
        int d = diag_report(&r->diags, E_RECORD_HEADER_NAME, header.name_span, header.name);
        diag_mend(&r->diags, d, "did you mean `%s`?", meant);
    }
    vec_push(r->arena, &r->headers, header);
}

static void scan_header(Scanner *s) {
    Record *r = s->record;
    const char *text = record_source(r)->text;
    s->at++;
    skip_spaces(s);
    uint32_t start = s->at;
    while (name_byte(*rest(s))) s->at++;
    if (s->at == start) {
        bad_header(s, "a name is missing after `[`");
        return;
    }
    RecordHeader header = {.name = arena_strndup(r->arena, text + start, s->at - start),
                           .name_span = span(start, s->at)};
    skip_spaces(s);
    if (*rest(s) != '"') {
        bad_header(s, "the value in quotes is missing");
        return;
    }
    uint32_t quote = s->at;
    size_t room = strcspn(rest(s), "\n") + 1;
    char *value = arena_alloc(r->arena, room);
    bool cut;
    if (!scan_quoted(s, value, room, &cut)) {
        bad_header(s, "the value has no closing quote");
        return;
    }
    header.value = value;
    header.span = span(quote, s->at);
    skip_spaces(s);
    if (*rest(s) != ']') {
        bad_header(s, "`]` is missing after the value");
        return;
    }
    s->at++;
    keep_header(r, header);
}

void scan_headers(Scanner *s) {
    skip_blanks(s);
    while (*rest(s) == '[') {
        scan_header(s);
        skip_blanks(s);
    }
    s->record->moves = s->at;
}

// ---- tokens ------------------------------------------------------------------------------------

static void take_name(Scanner *s, Token *token, uint32_t start) {
    size_t n = s->at - start;
    token->cut = n >= sizeof token->name;
    if (token->cut) n = sizeof token->name - 1;
    memcpy(token->name, record_source(s->record)->text + start, n);
    token->name[n] = '\0';
}

static bool ends_name(const char *text) {
    return *text == '\0' || blank(*text) || strchr(";{}[]\":", *text) ||
           (text[0] == '/' && text[1] == '/');
}

// 12. or, for a turn that goes on after a comment, 12...
static bool scan_turn(Scanner *s, Token *token) {
    size_t digits = 0, dots = 0;
    while (isdigit((unsigned char)rest(s)[digits])) digits++;
    while (rest(s)[digits + dots] == '.') dots++;
    if (digits == 0 || dots == 0) return false;
    uint32_t start = s->at;
    s->at += (uint32_t)digits;
    take_name(s, token, start);
    s->at += (uint32_t)dots;
    token->kind = TOKEN_TURN;
    token->again = dots >= 3;
    return true;
}

static bool stray(Scanner *s) {
    char text[2] = {*rest(s), '\0'};
    if (s->reports) {
        int d = diag_report(&s->record->diags, E_RECORD_CHARACTER, span(s->at, s->at + 1), text);
        if (*text == '}') diag_mend(&s->record->diags, d, "a comment is opened with `{`");
        if (*text == ':')
            diag_mend(&s->record->diags, d, "a colon follows a throw or a player at once: `3:`");
    }
    s->at++;
    return false;
}

static bool scan_quoted_name(Scanner *s, Token *token) {
    uint32_t start = s->at;
    token->kind = TOKEN_NAME;
    if (scan_quoted(s, token->name, sizeof token->name, &token->cut)) return true;
    if (s->reports) diag_report(&s->record->diags, E_RECORD_QUOTE, span(start, start + 1));
    return false;
}

static bool late_header(Scanner *s) {
    if (s->reports) diag_report(&s->record->diags, E_RECORD_HEADER_LATE, span(s->at, s->at + 1));
    skip_line(s);
    return false;
}

// One token, or false if there was only a fault to pass over.
static bool try_token(Scanner *s, Token *token) {
    uint32_t start = s->at;
    char c = *rest(s);
    if (c == '[') return late_header(s);
    if (c == '"') {
        if (!scan_quoted_name(s, token)) return false;
    } else if (ends_name(rest(s))) {
        return stray(s);
    } else if (!scan_turn(s, token)) {
        while (!ends_name(rest(s))) s->at++;
        take_name(s, token, start);
        token->kind = strcmp(token->name, "*") == 0 ? TOKEN_STAR : TOKEN_NAME;
    }
    token->span = span(start, s->at);
    if (*rest(s) == ':' && token->kind == TOKEN_NAME) {
        token->kind = TOKEN_COLON;
        s->at++;
        token->span.end++;
    }
    return true;
}

void scan_token(Scanner *s, Token *token) {
    uint32_t size = record_source(s->record)->size;
    *token = (Token){.kind = TOKEN_END, .span = span(size, size)};
    for (;;) {
        skip_blanks(s);
        if (s->at >= size || try_token(s, token)) return;
        *token = (Token){.kind = TOKEN_END, .span = span(size, size)};
    }
}
