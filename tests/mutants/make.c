#include "mutants.h"

#include <string.h>

#include "grammar/layout_tree.h"
#include "grammar/parse.h"
#include "interp/language/manners.h"

typedef struct Maker {
    Reader r;
    MutantKind kind;
    Mutants made;
    size_t *match; // token number of a bracket's other
} Maker;

static const char *text(const Maker *m) { return m->r.source->text; }

static uint32_t line_of(const Maker *m, uint32_t offset) {
    return source_place(m->r.source, offset).line;
}

// The text with the bytes [from, to) replaced.
static Mutant *replace(Maker *m, uint32_t from, uint32_t to, const char *by, size_t size) {
    uint32_t whole = m->r.source->size;
    char *made = arena_alloc(m->r.arena, whole - (to - from) + size + 1);
    memcpy(made, text(m), from);
    memcpy(made + from, by, size);
    memcpy(made + from + size, text(m) + to, whole - to);
    Mutant mutant = {.kind = m->kind,
                     .text = made,
                     .size = whole - (to - from) + size,
                     .first_line = line_of(m, from),
                     .last_line = line_of(m, to > from ? to - 1 : from)};
    vec_push(m->r.arena, &m->made, mutant);
    return &m->made.at[m->made.n - 1];
}

// ---- brackets ------------------------------------------------------------------------------------

static bool opens(const Token *t) { return t->kind == TOK_OPEN_LIST || t->kind == TOK_OPEN_SET; }
static bool closes(const Token *t) { return t->kind == TOK_CLOSE_LIST || t->kind == TOK_CLOSE_SET; }

static void match_brackets(Maker *m) {
    size_t stack[NESTING_MAX], depth = 0;
    m->match = arena_array(m->r.arena, m->r.tokens.n, sizeof *m->match);
    for (size_t i = 0; i < m->r.tokens.n; i++) {
        if (opens(&m->r.tokens.at[i])) stack[depth++] = i;
        if (!closes(&m->r.tokens.at[i])) continue;
        m->match[i] = stack[--depth];
        m->match[m->match[i]] = i;
    }
}

// Brackets of one kind side by side: deleting any of them gives the same text.
static void delete_brackets(Maker *m) {
    const Token *tokens = m->r.tokens.at;
    for (size_t i = 0, run; i < m->r.tokens.n; i += run) {
        run = 1;
        if (!opens(&tokens[i]) && !closes(&tokens[i])) continue;
        while (tokens[i + run].kind == tokens[i].kind &&
               tokens[i + run].span.start == tokens[i + run - 1].span.end)
            run++;
        uint32_t *partners = arena_array(m->r.arena, run, sizeof *partners);
        for (size_t k = 0; k < run; k++)
            partners[k] = line_of(m, tokens[m->match[i + k]].span.start);
        Mutant *made = replace(m, tokens[i].span.start, tokens[i].span.end, "", 0);
        made->partners = partners;
        made->npartners = run;
    }
}

// ---- words ---------------------------------------------------------------------------------------

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static char beside(char c) {
    static const char *const rows[] = {"qwertyuiopo", "asdfghjklk", "zxcvbnmn",
                                       "QWERTYUIOPO", "ASDFGHJKLK", "ZXCVBNMN"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strchr(rows[i], c);
        if (at) return at[1];
    }
    return c;
}

// A place in the word where a mistake can be: a letter, and for `pair` one before another letter.
// As good as any, and always the same. False if there is none.
static bool letter_in(const char *word, size_t size, size_t from, bool pair, size_t *found) {
    for (size_t k = 0; k < size; k++) {
        size_t i = (from + k) % size;
        if (!letter(word[i])) continue;
        if (pair && (i + 1 == size || !letter(word[i + 1]) || word[i] == word[i + 1])) continue;
        *found = i;
        return true;
    }
    return false;
}

static void misspell(Maker *m, const Token *t) {
    const char *word = text(m) + t->span.start;
    size_t size = t->span.end - t->span.start - (t->kind == TOK_KEY), i;
    if (!letter_in(word, size, t->span.start, false, &i)) return;
    uint32_t at = t->span.start + (uint32_t)i;
    if (size > 1) replace(m, at, at + 1, "", 0);
    char twice[] = {word[i], word[i]}, other[] = {beside(word[i])};
    replace(m, at, at + 1, twice, 2);
    replace(m, at, at + 1, other, 1);
    if (!letter_in(word, size, t->span.start, true, &i)) return;
    at = t->span.start + (uint32_t)i;
    char round[] = {word[i + 1], word[i]};
    replace(m, at, at + 2, round, 2);
}

static void misspell_words(Maker *m) {
    for (size_t i = 0; i < m->r.tokens.n; i++) {
        const Token *t = &m->r.tokens.at[i];
        if (t->kind == TOK_NAME || t->kind == TOK_KEY) misspell(m, t);
    }
}

// ---- arguments -----------------------------------------------------------------------------------

// From which argument on any number of the same kind may stand; 0: there is no such.
static size_t elements_from(const char *head) {
    static const struct {
        const char *head;
        size_t from;
    } known[] = {{"players", 1}, {"use", 1},      {"region", 2}, {"track", 2}, {"lane", 2},
                 {"path", 1},    {"loop", 1},     {"+", 1},      {"*", 1},     {"and", 1},
                 {"or", 1},      {"min", 1},      {"max", 1},    {"=", 1},     {"!=", 1},
                 {"union", 1},   {"conserve", 1}, {"without", 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].head, head) == 0) return known[i].from;
    return 0;
}

static Span whole_span(const Maker *m, const Unit *u) {
    Span span = span_join(u->parts[0]->span, u->parts[u->nparts - 1]->span);
    const Token *tokens = m->r.tokens.at;
    for (size_t i = 0; i < m->r.tokens.n; i++)
        if (opens(&tokens[i]) && tokens[i].span.end == span.end)
            span.end = tokens[m->match[i]].span.end;
    return span;
}

static bool within(const Piece *p, const char *name) {
    if (p->text && strcmp(p->text, name) == 0) return true;
    for (size_t i = 0; i < p->nunits; i++)
        for (size_t k = 0; k < p->units[i].nparts; k++)
            if (within(p->units[i].parts[k], name)) return true;
    return false;
}

static void swap(Maker *m, const Unit *a, const Unit *b) {
    Span x = whole_span(m, a), y = whole_span(m, b);
    size_t nx = x.end - x.start, ny = y.end - y.start, between = y.start - x.end;
    char *both = arena_alloc(m->r.arena, nx + between + ny);
    memcpy(both, text(m) + y.start, ny);
    memcpy(both + ny, text(m) + x.end, between);
    memcpy(both + ny + between, text(m) + x.start, nx);
    if (nx == ny && memcmp(both, text(m) + x.start, nx) == 0) return;
    Mutant *made = replace(m, x.start, y.end, both, nx + between + ny);
    bool binders = a->kind == UNIT_BINDER && b->kind == UNIT_BINDER;
    made->reordered = binders && !within(b->parts[b->nparts - 1], a->parts[0]->text) &&
                      !within(a->parts[a->nparts - 1], b->parts[0]->text);
    if (a->kind != UNIT_PLAIN || b->kind != UNIT_PLAIN) return;
    made->swapped[0] = x;
    made->swapped[1] = y;
}

static void swap_within(Maker *m, const Piece *form) {
    const char *head = form->nunits ? form->units[0].parts[0]->text : NULL;
    size_t elements = head ? elements_from(head) : 0;
    bool cases = head && strcmp(head, "if") == 0;
    const Unit *last = NULL;
    for (size_t i = 1, n = 1; i < form->nunits; i++) {
        const Unit *u = &form->units[i];
        if (u->kind == UNIT_REMARK || u->kind == UNIT_TRAIL) continue;
        bool alike = last && elements && n > elements && u->kind == UNIT_PLAIN;
        bool body = last && last->body && u->body && !cases;
        if (last && !alike && !body) swap(m, last, u);
        last = u;
        n++;
    }
}

static void swap_arguments(Maker *m, const Piece *form) {
    bool call = form->kind == TOK_OPEN_LIST && !form->signature;
    if (call) swap_within(m, form);
    for (size_t i = 0; i < form->nunits; i++)
        for (size_t k = 0; k < form->units[i].nparts; k++)
            swap_arguments(m, form->units[i].parts[k]);
}

Mutants make_mutants(Arena *arena, const Sources *sources, uint32_t file, MutantKind kind) {
    Diags silent;
    diags_init(&silent, arena);
    Maker m = {.r = {.arena = arena,
                     .source = source_of(sources, (Span){.file = file}),
                     .file = file,
                     .diags = &silent,
                     .scan = {.line = 1}},
               .kind = kind};
    LayoutWords words = layout_manners(arena);
    LayoutPrograms programs = words.programs;
    layout_learn(arena, &words, parse_source(arena, sources, file, &silent), &programs);
    scan_tokens(&m.r);
    match_brackets(&m);
    switch (kind) {
    case MUTANT_BRACKET: delete_brackets(&m); break;
    case MUTANT_WORD: misspell_words(&m); break;
    case MUTANT_SWAP: {
        const Piece *all = layout_tree(&m.r, &words, &programs);
        for (size_t i = 0; i < all->nunits; i++) swap_arguments(&m, all->units[i].parts[0]);
        break;
    }
    case MUTANT_KINDS: break;
    }
    return m.made;
}
