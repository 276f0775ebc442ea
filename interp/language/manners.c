#include "manners.h"

#include <string.h>

#include "ludemes.h"
#include "parse.h"
#include "stdlib_data.h"

// What is not here is a call. What begins with `NAME in:` has a body without being named.
static const LayoutHead heads[] = {
    {"game", LAYOUT_WHOLE, 1},       {"variant", LAYOUT_WHOLE, 1}, {"define", LAYOUT_DEFINE, 1},
    {"default", LAYOUT_DEFAULTS, 0}, {"option", LAYOUT_BODY, 2},   {"reading", LAYOUT_BODY, 1},
    {"var", LAYOUT_BODY, 2},         {"board", LAYOUT_WRAP, 0},    {"replace", LAYOUT_WRAP, 0},
    {"region", LAYOUT_PARTS, 0},     {"track", LAYOUT_PARTS, 0},   {"lane", LAYOUT_PARTS, 0},
    {"start", LAYOUT_BODY, 0},       {"play", LAYOUT_BODY, 0},     {"turns", LAYOUT_BODY, 0},
    {"turn-of", LAYOUT_BODY, 1},     {"do", LAYOUT_BODY, 0},       {"if", LAYOUT_BODY, 1},
    {"when", LAYOUT_BODY, 1},        {"while", LAYOUT_BODY, 1},    {"repeat", LAYOUT_BODY, 0},
    {"choose", LAYOUT_BODY, 0},      {"lot", LAYOUT_BODY, 0},      {"either", LAYOUT_BODY, 0},
    {"let", LAYOUT_VALUE, 0},        {"set", LAYOUT_VALUE, 0},     {"set-all", LAYOUT_VALUE, 0},
    {NULL, LAYOUT_CALL, 0},
};

// "... [skip: (site) TRUTH] ...": the signature of a ludeme tells which keys take programs.
static void learn_core(Arena *arena, const Ludeme *l, LayoutPrograms *programs) {
    const char *at = l->signature;
    while ((at = strstr(at, ": ("))) {
        const char *key = at;
        while (key > l->signature && key[-1] != ' ' && key[-1] != '[') key--;
        uint32_t parameters = at[3] != ')';
        for (const char *c = at + 3; *c && *c != ')'; c++) parameters += *c == ' ';
        vec_push(
            arena, programs,
            (LayoutProgram){l->name, arena_strndup(arena, key, (size_t)(at - key)), parameters});
        at++;
    }
}

LayoutWords layout_core(void) {
    return (LayoutWords){.heads = heads, .binder = "in", .test = "where"};
}

LayoutWords layout_manners(Arena *arena) {
    LayoutWords words = layout_core();
    for (int i = L_UNKNOWN + 1; i < LUDEMES; i++) learn_core(arena, &ludemes[i], &words.programs);
    Sources sources;
    Diags silent;
    sources_init(&sources, arena);
    diags_init(&silent, arena);
    for (unsigned i = 0; i < stdlib_count; i++) {
        uint32_t file, where;
        const StdlibFile *library = &stdlib_files[i];
        if (sources_add(&sources, library->name, library->text, library->size, &file, &where) !=
            SOURCE_OK)
            continue;
        layout_learn(arena, &words, parse_source(arena, &sources, file, &silent), &words.programs);
    }
    return words;
}
