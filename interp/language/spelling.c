#include "spelling.h"

#include <string.h>

#include "stdlib_data.h"

enum {
    LETTERS = 27, // those of a to z, and what is between words
    PARTS_MAX = 8,
    LEARNT_MAX = 100000, // bytes of one text
    LONG_NAME = 7,       // letters from which on a name may have two slips
    BEFORE = LETTERS * LETTERS,
};

typedef struct Part {
    const char *text;
    size_t size;
    unsigned seen;  // how often it is a word elsewhere
    bool inflected; // it is one with an ending
} Part;

typedef struct Speller {
    Spelling names[2];
    bool own; // what is learnt is of the author: where the names stand, nothing is
    bool
        forms; // they are forms of one word: a text for people has the one that its sentence asks for
    size_t told[2]; // how often they stand there
    Part parts[2][PARTS_MAX];
    int nparts[2];
    unsigned after[LETTERS * LETTERS][LETTERS]; // how often the letter follows the two
    unsigned pairs[LETTERS * LETTERS];
} Speller;

static int letter(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a' + 1;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 1 : 0;
}

static bool in_name(char c) { return letter(c) || c == '-' || (c >= '0' && c <= '9'); }

static void split(const char *name, Part *parts, int *n) {
    while (*name && *n < PARTS_MAX) {
        size_t size = 0;
        while (letter(name[size])) size++;
        if (size) parts[(*n)++] = (Part){.text = name, .size = size};
        name += size + (name[size] != '\0');
    }
}

static bool same_word(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (letter(a[i]) != letter(b[i])) return false;
    return true;
}

static bool has_ending(const Part *part, const char *word, size_t n) {
    static const char *const endings[] = {"s", "es", "ed", "ing", "d", "r", "er"};
    if (part->size <= n || n < 3 || !same_word(part->text, word, n)) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        bool short_ending = size == 1 && *endings[i] != 's'; // behind an e
        if (part->size == n + size && same_word(part->text + n, endings[i], size) &&
            (!short_ending || letter(word[n - 1]) == letter('e')))
            return true;
    }
    return false;
}

// `seeds` is one of `seed`.
static bool is_form_of(const char *name, const char *word) {
    Part whole = {.text = name, .size = strlen(name)};
    return has_ending(&whole, word, strlen(word));
}

bool forms_of_a_word(const char *a, const char *b) { return is_form_of(a, b) || is_form_of(b, a); }

static void learn_word(Speller *s, const char *word, size_t n) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->nparts[k]; i++) {
            Part *part = &s->parts[k][i];
            part->seen += n > 1 && part->size == n && same_word(part->text, word, n);
            part->inflected |= has_ending(part, word, n);
        }
    int before = 0;
    for (size_t i = 0; i <= n; i++) {
        int c = i < n ? letter(word[i]) : 0;
        s->after[before][c]++;
        s->pairs[before]++;
        before = (before * LETTERS + c) % BEFORE;
    }
}

// Is it one of the names in question? Then it is counted.
static bool is_name(Speller *s, const char *at, size_t n) {
    for (int k = 0; k < 2; k++)
        if (strlen(s->names[k].name) == n && memcmp(s->names[k].name, at, n) == 0)
            return s->told[k]++, true;
    return false;
}

static void learn(Speller *s, const char *text) {
    for (const char *at = text; *at && at - text < LEARNT_MAX;) {
        size_t n = 0;
        while (in_name(at[n])) n++;
        bool told = n && !(s->own && is_name(s, at, n));
        for (size_t i = 0, size; told && i < n; i += size + 1) {
            for (size = 0; i + size < n && letter(at[i + size]);) size++;
            if (size) learn_word(s, at + i, size);
        }
        at += n ? n : 1;
    }
}

static void learn_all(Speller *s, const Script *script) {
    for (size_t i = 0; spelling_words[i]; i++) learn(s, spelling_words[i]);
    for (unsigned i = 0; i < stdlib_count; i++) learn(s, stdlib_files[i].text);
    for (int i = 1; i < LUDEMES; i++) {
        learn(s, ludemes[i].name);
        learn(s, ludemes[i].doc);
    }
    s->own = true;
    for (size_t i = 0; script->sources && i < script->sources->files.n; i++)
        if (!script_is_library(script, (uint32_t)i)) learn(s, script->sources->files.at[i].text);
}

// 64 times the logarithm to base two, near enough.
static long bits(unsigned long x) {
    long whole = 0;
    while (x >> (whole + 1)) whole++;
    return 64 * whole + (long)((x << 6 >> whole) - 64);
}

static long likelihood(const Speller *s, int name) {
    enum { KNOWN = 280, INFLECTED = 200, UNKNOWN = 120, USUAL = 200 }; // the last: of a letter
    long sum = 0;
    if (!s->forms && s->told[name] > s->names[name].count)
        sum += KNOWN + bits(s->told[name] - s->names[name].count);
    for (int i = 0; i < s->nparts[name]; i++) {
        const Part *part = &s->parts[name][i];
        if (part->seen || part->inflected) {
            sum += part->seen ? KNOWN + bits(part->seen) / 8 : INFLECTED;
            continue;
        }
        if (part->size == 1) continue;
        int before = 0;
        long letters = 0;
        for (size_t k = 0; k <= part->size; k++) {
            int c = k < part->size ? letter(part->text[k]) : 0;
            // A third for what was never seen.
            letters += USUAL + bits(3ul * s->after[before][c] + 1) -
                       bits(3ul * s->pairs[before] + LETTERS);
            before = (before * LETTERS + c) % BEFORE;
        }
        sum += letters < UNKNOWN ? letters : UNKNOWN;
    }
    return sum;
}

long spelling_odds(Arena *arena, const Script *script, Spelling a, Spelling b) {
    Speller *s = arena_alloc(arena, sizeof *s);
    *s = (Speller){.names = {a, b}};
    split(a.name, s->parts[0], &s->nparts[0]);
    split(b.name, s->parts[1], &s->nparts[1]);
    s->forms = forms_of_a_word(a.name, b.name);
    learn_all(s, script);
    return likelihood(s, 0) - likelihood(s, 1);
}

static bool great(char c) { return c >= 'A' && c <= 'Z'; }

bool one_slip(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n == 1 && m == 1) return great(*a) == great(*b);
    if (n == 1) return m == 2 && (b[0] == a[0] || b[1] == a[0]);
    if (m == 1) return n == 2 && (a[0] == b[0] || a[1] == b[0]);
    size_t slips = name_distance(a, b);
    return slips == 1 || (slips == 2 && n >= LONG_NAME && m >= LONG_NAME);
}
