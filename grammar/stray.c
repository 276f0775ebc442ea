// What the scanner says to characters that mean nothing, most of which mean something in another language.
//
// A habit is one mistake: more of the same on this line, or the next, is not told again. Where a line is written in
// another language, nothing more is said of it.
#include <string.h>

#include "stray.h"
#include "utf8.h"

enum { LOOK_BACK = 400 }; // tokens looked back for the bracket that is open

// ---- The tokens before ----

Token *touching(Reader *r, Span span, TokenKind kind) {
    Token *last = r->tokens.n ? &r->tokens.at[r->tokens.n - 1] : NULL;
    return last && last->span.end == span.start && last->kind == kind ? last : NULL;
}

Token *innermost(Reader *r, size_t before) {
    size_t depth = 0;
    for (size_t i = before, steps = 0; i > 0 && steps < LOOK_BACK; i--, steps++) {
        Token *t = &r->tokens.at[i - 1];
        if (t->kind == TOK_CLOSE_LIST || t->kind == TOK_CLOSE_SET) depth++;
        if (t->kind != TOK_OPEN_LIST && t->kind != TOK_OPEN_SET) continue;
        if (depth == 0) return t;
        depth--;
    }
    return NULL;
}

Token *called(Reader *r, bool with_blank) {
    Token *open = innermost(r, r->tokens.n);
    if (!open || open == r->tokens.at || open->kind != TOK_OPEN_LIST) return NULL;
    Token *name = open - 1;
    bool near = with_blank || name->span.end == open->span.start;
    return near && name->kind == TOK_NAME ? name : NULL;
}

const char *written(Reader *r, Span span) {
    return arena_strndup(r->arena, text_at(r, span), span.end - span.start);
}

// ---- Reporting ----

// What is done on every line by those who do it.
static bool is_habit(const char *what) {
    static const char *const all[] = {"comment", "end",   "comma", "bracket",
                                      "quote",   "blank", "wide"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(what, all[i]) == 0) return true;
    return false;
}

int stray(Reader *r, Span span, const char *what, const char *mend) {
    Scan *s = &r->scan;
    if (s->stray.rest == s->line) return -1;
    if (what && s->stray.what && strcmp(what, s->stray.what) == 0 &&
        s->stray.line + is_habit(what) >= s->line) {
        s->stray.line = s->line;
        return -1;
    }
    int report = diag_report(r->diags, E_STRAY_CHARACTER, span, quote_span(r, span));
    if (mend) diag_mend(r->diags, report, "%s", mend);
    s->stray.what = what;
    s->stray.line = s->line;
    return report;
}

void stray_line(Reader *r, Span span, const char *what, const char *mend) {
    stray(r, span, what, mend);
    r->scan.stray.rest = r->scan.line;
}

void scan_stray(Reader *r, Span span, const char *what, const char *mend) {
    stray(r, span, what, mend);
    scan_plain(r, span, TOK_FAULT);
}

// ---- Brackets ----

// `taken[mover]`, `ring[2]`.
static const char *index_mend(Reader *r, const char *list, Span open) {
    const char *text = text_at(r, open) + 1;
    int n = 0;
    while (in_name(text[n])) n++;
    if (n > 0 && text[n] == ']' && !digit(*text))
        return arena_printf(r->arena, "what is one per player, or per site, is written (%s %.*s)",
                            list, n, text);
    return arena_printf(r->arena,
                        "the first of a list is (nth 1 %s); what is one per site is written (NAME "
                        "a1)",
                        list);
}

void scan_square(Reader *r, Span span, TokenKind kind) {
    const Token *list = kind == TOK_OPEN_SET ? touching(r, span, TOK_NAME) : NULL;
    if (list) {
        stray_line(r, span, "index", index_mend(r, list->text, span));
        scan_plain(r, (Span){r->file, span.start, span.start}, TOK_FAULT);
    } else {
        stray(r, span, "square", "sets are written with { }, forms with ( )");
    }
    scan_plain(r, span, kind);
}

static bool is(const Reader *r, Span span, const char *text) {
    size_t n = strlen(text);
    return span.end - span.start == n && memcmp(text_at(r, span), text, n) == 0;
}

// ---- Operators ----

// Where an operator sticks to what is behind it.
void scan_glued(Reader *r, Span span) {
    const char *text = text_at(r, span);
    uint32_t size = text[1] == '=' ? 2 : 1;
    const char *rest = arena_strndup(r->arena, text + size, span.end - span.start - size);
    const Token *name = touching(r, span, TOK_NAME), *left = name;
    if (!left) left = touching(r, span, TOK_NUMBER);
    if (name && text[0] == '>' && r->source->text[span.start - 1] == '-') {
        scan_stray(r, span, "field",
                   "what a thing has is asked by a ludeme in front of it: (count a1), (whose a1)");
        return;
    }
    const char *mend;
    if (name && text[0] == '=' && size == 1)
        mend = arena_printf(r->arena,
                            "an argument is given as %s: %s; whether two are the same is (= %s %s)",
                            name->text, rest, name->text, rest);
    else if (left)
        mend =
            arena_printf(r->arena, "an operator comes first, with a blank after it: (%.*s %s %s)",
                         (int)size, text, written(r, left->span), rest);
    else if (text[0] == '+' && digit(rest[0]))
        mend = arena_printf(r->arena, "a number has no plus sign: %s", rest);
    else if (text[0] == '-')
        mend = arena_printf(r->arena, "a blank goes after an operator: (- %s)", rest);
    else
        mend = arena_printf(r->arena,
                            "an operator comes first in its form, with a blank after it: "
                            "(%.*s a b)",
                            (int)size, text);
    scan_stray(r, span, "glued", mend);
}

typedef struct Mend {
    const char *text, *what, *mend;
} Mend;

static const Mend *find_mend(const Reader *r, Span span, const Mend *mends, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (is(r, span, mends[i].text)) return &mends[i];
    return NULL;
}

void scan_operators(Reader *r, Span span) {
    static const Mend mends[] = {
        {"==", NULL, "whether two are the same is asked with =, in front of both: (= a b)"},
        {"===", NULL, "whether two are the same is asked with =, in front of both: (= a b)"},
        {"!==", NULL, "whether two differ is asked with !=, in front of both: (!= a b)"},
        {"<>", NULL, "unequal is !=, in front of both: (!= a b)"},
        {"=<", NULL, "at most is <=, in front of both: (<= a b)"},
        {"=>", NULL, "at least is >=, in front of both: (>= a b)"},
        {"->", NULL, "what comes of a thing is asked by a ludeme in front of it: (next a1 ring)"},
        {"++", "++", "to add to what it was: (change x by: 1)"},
        {"--", "++", "to take from what it was: (change x by: -1); a comment starts with //"},
        {"+=", "++", "to add to what it was: (change x by: 1)"},
        {"-=", "++", "to take from what it was: (change x by: -1)"},
        {"*=", "++", "to give it another value: (set x (* x 2))"},
        {"/=", "++", "to give it another value: (set x (/ x 2)); unequal is !="},
        {"%=", "++", "to give it another value: (set x (mod x 2))"},
        {":=", "++", "a name is made by (let x 1) and given another value by (set x 2)"},
        {"**", NULL, "there are no powers: (* x x)"},
        {"*/", NULL, "no comment is open here"},
    };
    const Mend *mend = find_mend(r, span, mends, sizeof mends / sizeof *mends);
    bool gives = is(r, span, "+=") || is(r, span, "-=") || is(r, span, ":=");
    if (gives && scan_assignment(r, span)) return;
    scan_stray(r, span, mend ? mend->what : NULL,
               mend ? mend->mend
                    : "operators are + - * / < <= > >= = != and mod, with blanks between them");
}

// ---- Words that are none ----

void scan_bad_word(Reader *r, Span span) {
    const char *text = text_at(r, span), *end = text + (span.end - span.start);
    const char *p = text + (*text == '-'), *rest;
    while (p < end && digit(*p)) p++;
    int n = (int)(p - text);
    rest = p;
    bool times = rest[0] == 'x' || rest[0] == 'X', cross = memcmp(rest, "\xC3\x97", 2) == 0;
    const char *second = rest + (cross ? 2 : 1);
    const char *q = second;
    while (q < end && digit(*q)) q++;
    bool two = q == end && q > second;
    int m = (int)(q - second);
    const char *mend = "a number has digits only, and a name begins with a letter";
    if (two && (times || cross) && text[0] == '0' && n == 1)
        mend = "numbers are written in tens: 16, not 0x10";
    else if (two && (times || cross))
        mend =
            arena_printf(r->arena, "sizes are told apart by their keys: rows: %.*s columns: %.*s",
                         n, text, m, second);
    else if (two && (rest[0] == 'd' || rest[0] == 'D'))
        mend = arena_printf(r->arena, "dice are equipment: (dice NAME count: %.*s faces: 1..%.*s)",
                            n, text, m, second);
    else if (two && rest[0] == '-')
        mend =
            arena_printf(r->arena, "a run of numbers has two dots: %.*s..%.*s", n, text, m, second);
    else if (two && (rest[0] == '_' || rest[0] == '\''))
        mend = arena_printf(r->arena, "a number has digits only: %.*s%.*s", n, text, m, second);
    else if (end - rest == 2 && (memcmp(rest, "st", 2) == 0 || memcmp(rest, "nd", 2) == 0 ||
                                 memcmp(rest, "rd", 2) == 0 || memcmp(rest, "th", 2) == 0))
        mend = arena_printf(r->arena, "a place in a list is asked as (nth %.*s LIST)", n, text);
    scan_stray(r, span, "word", mend);
}

void scan_percent(Reader *r, Span span) {
    const char *text = text_at(r, span);
    int n = (int)(span.end - span.start) - 1;
    scan_stray(
        r, span, "percent",
        arena_printf(r->arena,
                     "there are no parts of a hundred: (/ (* %.*s x) 100) is that much of x, "
                     "(mod a b) what a division leaves",
                     n, text));
}

// Players' names are written with a great letter, most often.
static bool is_player(const char *name) {
    return (*name >= 'A' && *name <= 'Z') || strcmp(name, "mover") == 0 ||
           strcmp(name, "opponent") == 0;
}

// `.sow`, `.score`, `.mover`: something behind a dot.
void scan_field(Reader *r, Span span) {
    const Token *name = touching(r, span, TOK_NAME);
    const char *field = arena_strndup(r->arena, text_at(r, span) + 1, span.end - span.start - 1);
    const char *mend = "a range has two dots: 1..5";
    if (name && strcmp(field, "sow") == 0)
        mend = arena_printf(
            r->arena, "a library goes by its name alone, %s; a file is named in quotes: \"%s.sow\"",
            name->text, name->text);
    else if (name && is_player(field))
        mend =
            arena_printf(r->arena, "what is one per player is written (%s %s)", name->text, field);
    else if (name)
        mend =
            arena_printf(r->arena, "what a thing has is asked by a ludeme in front of it: (%s %s)",
                         field, name->text);
    scan_stray(r, span, "field", mend);
}

// ---- Any other character ----

static void scan_comma(Reader *r, Span span) {
    Token *name = called(r, false);
    if (!name) {
        scan_stray(r, span, "comma", "nothing separates items but blanks");
        return;
    }
    bool bracket = name > r->tokens.at && name[-1].kind == TOK_OPEN_LIST;
    const char *first = name + 2 < r->tokens.at + r->tokens.n ? written(r, name[2].span) : "";
    const char *mend =
        bracket ? arena_printf(r->arena,
                               "one pair of brackets is enough, and blanks divide: (%s %s ...)",
                               name->text, first)
                : arena_printf(r->arena,
                               "the bracket comes before the name, and blanks divide: (%s %s ...)",
                               name->text, first);
    Span call = {r->file, name->span.start, name->span.end + 1};
    name->kind = TOK_FAULT;
    stray_line(r, call, "call", mend);
    scan_plain(r, span, TOK_FAULT);
}

static void scan_colon(Reader *r, Span span) {
    if (scan_block_opener(r, span)) return;
    Token *last = r->tokens.n ? &r->tokens.at[r->tokens.n - 1] : NULL;
    const char *between = last ? r->source->text + last->span.end : NULL;
    size_t gap = last ? span.start - last->span.end : 0, blanks = 0;
    while (blanks < gap && (between[blanks] == ' ' || between[blanks] == '\t')) blanks++;
    if (gap > 0 && in_name(after(r, span))) {
        uint32_t n = 0;
        while (span.end + n < r->source->size && in_name(r->source->text[span.end + n])) n++;
        scan_stray(r, span, "keyword",
                   arena_printf(r->arena, "the colon of a key stands behind it: %.*s:", (int)n,
                                r->source->text + span.end));
        return;
    }
    if (last && last->kind == TOK_NAME && gap == blanks && gap > 0) {
        last->span.end = span.end;
        last->kind = TOK_KEY;
        stray(r, last->span, "colon",
              arena_printf(r->arena, "a key is written right before its colon: %s:", last->text));
        r->scan.token_counting = true;
        return;
    }
    const char *mend = "a key is written right before its colon: in: board";
    if (last && last->kind == TOK_NUMBER && gap == 0 && digit(after(r, span)))
        mend = "a run of numbers has two dots: 1..5";
    else if (last && last->kind == TOK_STRING)
        mend = "a key is a name, without quotes, right before its colon: rows: 2";
    scan_stray(r, span, "colon", mend);
}

static void scan_dash(Reader *r, Span span) {
    const Token *name = touching(r, span, TOK_NAME);
    bool run = (name || touching(r, span, TOK_NUMBER)) && in_name(after(r, span));
    scan_stray(r, span, "dash",
               run ? "a run has two dots: a1..e1; minus is the plain sign -"
                   : "minus is the plain sign -");
}

static const char plain_quotes[] = "a text is written between straight quotes: \"text\"";
static const char plain_brackets[] =
    "this is a full-width bracket; forms are written with plain ones: ( )";

static const Mend known[] = {
    {"`", "quote", "a name stands for itself; a text is written between double quotes: \"text\""},
    {".", NULL, "a range has two dots: 1..5"},
    {"!", NULL, "(not x) says that x does not hold"},
    {"&&", NULL, "whether both hold is asked by `and`, in front of both: (and a b)"},
    {"&", NULL, "whether both hold is asked by `and`, in front of both: (and a b)"},
    {"||", NULL, "whether one of them holds is asked by `or`, in front of both: (or a b)"},
    {"|", NULL, "whether one of them holds is asked by `or`, in front of both: (or a b)"},
    {"^", NULL, "there are no powers: (* x x)"},
    {"~", NULL, "(not x) says that x does not hold"},
    {"@", NULL, "a name begins with a letter: a1"},
    {"$", NULL, "a name begins with a letter, and needs no sign before it"},
    {"\\", NULL, "a backslash has a meaning within a text only"},
    {"\xE2\x80\x9C", "quote", plain_quotes},
    {"\xE2\x80\x9D", "quote", plain_quotes},
    {"\xE2\x80\x9E", "quote", plain_quotes},
    {"\xE2\x80\x98", "quote", plain_quotes},
    {"\xE2\x80\x99", "quote", plain_quotes},
    {"\xC2\xAB", "quote", plain_quotes},
    {"\xC2\xBB", "quote", plain_quotes},
    {"\xE3\x80\x8C", "quote", plain_quotes},
    {"\xE3\x80\x8D", "quote", plain_quotes},
    {"\xE2\x80\xA6", NULL, "a range has two dots: 1..5"},
    {"\xE2\x89\xA4", NULL, "at most is <="},
    {"\xE2\x89\xA5", NULL, "at least is >="},
    {"\xE2\x89\xA0", NULL, "unequal is !="},
    {"\xC3\x97", NULL, "times is *: (* 2 3)"},
    {"\xC3\xB7", NULL, "divided by is /: (/ 6 3)"},
    {"\xC2\xBD", NULL, "numbers are whole: (/ x 2) is half of x, without what is left"},
    {"\xC2\xA0", "blank", "this is a no-break space; put a plain blank"},
    {"\xE2\x80\xAF", "blank", "this is a no-break space; put a plain blank"},
    {"\xE3\x80\x80", "blank", "this is a full-width blank; put a plain one"},
    {"\xEF\xBC\x9A", "colon", "this is a full-width colon; a key ends with a plain :"},
    {"\xEF\xBC\x8C", "comma", "nothing separates items but blanks"},
    {"\xE3\x80\x81", "comma", "nothing separates items but blanks"},
    {"\xE3\x80\x82", "end", "nothing ends a form but its closing bracket"},
    {"\xEF\xBC\x9B", "end", "nothing ends a form but its closing bracket"},
};

static const struct {
    const char *text;
    TokenKind kind;
} wide_brackets[] = {
    {"\xEF\xBC\x88", TOK_OPEN_LIST},
    {"\xEF\xBC\x89", TOK_CLOSE_LIST},
    {"\xEF\xBD\x9B", TOK_OPEN_SET},
    {"\xEF\xBD\x9D", TOK_CLOSE_SET},
};

void scan_other(Reader *r, Span span) {
    const char *text = text_at(r, span);
    if (span.start == 0 && is(r, span, "\xEF\xBB\xBF"))
        return; // a byte order mark, which some editors put before everything
    for (size_t i = 0; i < sizeof wide_brackets / sizeof *wide_brackets; i++) {
        if (!is(r, span, wide_brackets[i].text)) continue;
        stray(r, span, "bracket", plain_brackets);
        scan_plain(r, span, wide_brackets[i].kind);
        return;
    }
    uint32_t code = 0;
    utf8_decode(text, span.end - span.start, &code);
    const Mend *mend = find_mend(r, span, known, sizeof known / sizeof *known);
    char next = after(r, span);
    bool prefix = strchr("!~$@", *text) && *text && (in_name(next) || next == '(');
    bool divides = mend && mend->what && strcmp(mend->what, "blank") == 0;
    if (mend && (prefix || divides)) {
        stray(r, span, mend->what, mend->mend); // it is read as if it, or a plain one, were there
    } else if (mend) {
        scan_stray(r, span, mend->what, mend->mend);
    } else if (*text == ',') {
        scan_comma(r, span);
    } else if (*text == ':') {
        scan_colon(r, span);
    } else if (*text == '\'') {
        scan_lone_quote(r, span);
    } else if (*text == '?') {
        stray_line(
            r, span, "question",
            "to have one or the other: (if TRUTH THIS else: THAT); within a name ? may stand");
        scan_plain(r, span, TOK_FAULT);
    } else if (code == 0x2013 || code == 0x2014 || code == 0x2212) {
        scan_dash(r, span);
    } else if (utf8_hidden(code)) {
        Token *name = touching(r, span, TOK_NAME);
        scan_hidden(r, span, code);
        if (name) name->span.end = span.end;
        r->scan.torn = name != NULL;
        if (!name) scan_plain(r, span, TOK_FAULT);
    } else if (code > 0xFF00 && code < 0xFF5F) {
        scan_stray(r, span, "wide",
                   arena_printf(r->arena, "this is a full-width sign; put a plain %c",
                                (char)(code - 0xFF00 + 0x20)));
    } else {
        scan_stray(r, span, NULL, NULL);
    }
}
