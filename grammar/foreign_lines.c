// Lines among the statements of a script that are written in the manner of another language: `x = x + 1;`,
// `if empty(a1):`. Each is one mistake, and what stands in it says no more.
#include <string.h>

#include "stray.h"

// The first token of the line that is being scanned, or the number of all if there is none.
static size_t first_of_line(const Reader *r) {
    return r->scan.line_begun ? r->scan.line_first : r->tokens.n;
}

// Do the tokens stand in a form that holds statements?
static bool among_statements(Reader *r, size_t i) {
    static const char *const heads[] = {"turns", "play",   "start", "do",     "when",
                                        "while", "repeat", "for",   "choose", "define"};
    const Token *open = innermost(r, i), *head = open ? open + 1 : NULL;
    if (!open || open->kind != TOK_OPEN_LIST || head == r->tokens.at + r->tokens.n ||
        head->kind != TOK_NAME)
        return false;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        if (strcmp(head->text, heads[k]) == 0) return true;
    return false;
}

static uint32_t past_blanks(const Reader *r, uint32_t from) {
    while (r->source->text[from] == ' ' || r->source->text[from] == '\t') from++;
    return from;
}

// Does the line, or what is said on it, end at that place?
static bool ends_at(const Reader *r, uint32_t at) {
    const char *text = r->source->text + at;
    return at >= r->source->size || *text == '\n' || *text == '\r' || *text == ';' ||
           (text[0] == '/' && text[1] == '/');
}

// What stands behind the place on its line, without what ends it there.
static Span rest_of_line(const Reader *r, uint32_t from) {
    const char *text = r->source->text;
    uint32_t end = from = past_blanks(r, from);
    while (!ends_at(r, end)) end++;
    while (end > from && (text[end - 1] == ' ' || text[end - 1] == '\t')) end--;
    return (Span){r->file, from, end};
}

// Splits `a + b` at its blanks; false if there are not three words.
static bool three_words(Reader *r, Span span, const char *words[3]) {
    const char *at = written(r, span);
    if (strpbrk(at, "()[]{}\"")) return false;
    for (int i = 0; i < 3; i++) {
        size_t n = strcspn(at, " \t");
        if (n == 0) return false;
        words[i] = arena_strndup(r->arena, at, n);
        at += n + strspn(at + n, " \t");
    }
    return *at == '\0';
}

// How (set ...) says what `NAME BY rest` does.
static const char *assigned(Reader *r, const char *name, char by, Span rest, bool made) {
    const char *words[3], *value = written(r, rest);
    bool plain = *value && !strpbrk(value, " \t()[]{}\"");
    if (by == '+' || by == '-') {
        if (!plain) value = by == '+' ? "NUMBER" : "-NUMBER";
        return arena_printf(r->arena, "to add to what it was: (change %s by: %s%s)", name,
                            plain && by == '-' ? "-" : "", value);
    }
    bool sum = three_words(r, rest, words), again = sum && strcmp(words[0], name) == 0;
    if (again && strcmp(words[1], "+") == 0)
        return arena_printf(r->arena, "to add to what it was: (change %s by: %s)", name, words[2]);
    if (sum && strlen(words[1]) == 1 && strchr("+-*/", *words[1]))
        value = arena_printf(r->arena, "(%s %s %s)", words[1], words[0], words[2]);
    else if (!plain)
        value = "VALUE";
    if (made) return arena_printf(r->arena, "a name is made by (let %s %s)", name, value);
    if (again) return arena_printf(r->arena, "to give it another value: (set %s %s)", name, value);
    return arena_printf(r->arena,
                        "a name is made by (let %s %s), and given another value by (set %s %s)",
                        name, value, name, value);
}

// All of the line, but its brackets, is a fault that is told.
static void give_up_line(Reader *r, size_t first) {
    for (size_t i = first; i < r->tokens.n; i++) {
        uint8_t kind = r->tokens.at[i].kind;
        bool empty = kind == TOK_CLOSE_LIST && i > first && // draw()
                     r->tokens.at[i - 1].kind == TOK_OPEN_LIST;
        if (empty) r->tokens.at[i - 1].kind = TOK_FAULT;
        if (kind == TOK_NAME || kind == TOK_NUMBER || kind == TOK_KEY || empty)
            r->tokens.at[i].kind = TOK_FAULT;
    }
    r->scan.stray.rest = r->scan.stray.foreign = r->scan.line;
}

bool scan_assignment(Reader *r, Span span) {
    size_t first = first_of_line(r), n = r->tokens.n - first;
    if (n == 0 || n > 2 || r->scan.stray.rest == r->scan.line || !among_statements(r, first))
        return false;
    for (size_t i = first; i < r->tokens.n; i++)
        if (r->tokens.at[i].kind != TOK_NAME) return false;
    char by = r->source->text[span.start];
    const char *name = r->tokens.at[r->tokens.n - 1].text;
    scan_stray(r, span, "assignment", assigned(r, name, by, rest_of_line(r, span.end), n == 2));
    give_up_line(r, first);
    return true;
}

bool scan_block_opener(Reader *r, Span span) {
    size_t first = first_of_line(r);
    if (first == r->tokens.n || r->tokens.at[first].kind != TOK_NAME ||
        r->scan.stray.rest == r->scan.line || !among_statements(r, first))
        return false;
    const char *head = r->tokens.at[first].text, *mend = NULL;
    if (strcmp(head, "if") == 0 || strcmp(head, "elif") == 0)
        mend = "what a truth decides is one form, in brackets: (if TRUTH (do STATEMENT...))";
    else if (strcmp(head, "else") == 0)
        mend = "the other case stands in the same form: (if TRUTH THIS else: OTHER)";
    else if (strcmp(head, "while") == 0)
        mend = "(while TRUTH STATEMENT...)";
    else if (strcmp(head, "for") == 0)
        mend = "(for NAME in: LIST STATEMENT...)";
    else if (!ends_at(r, past_blanks(r, span.end)) || r->source->text[span.start] == ';')
        return false;
    else
        mend = "what belongs together stands in one form: (NAME STATEMENT...)";
    scan_stray(r, span, "block", mend);
    give_up_line(r, first);
    return true;
}
