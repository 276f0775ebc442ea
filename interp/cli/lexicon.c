#include "lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "../../grammar/parse.h"

enum { LEXICON_BYTES = 64 << 20 };

static bool headed(const Node *n, const char *head) {
    const char *found = node_head(n);
    return found && strcmp(found, head) == 0;
}

// ---- how a definition is used --------------------------------------------------------------------

static const Node *defaults_of(const Node *definition) {
    for (uint32_t i = 2; i < definition->nkids && i < 4; i++)
        if (headed(definition->kids[i], "default")) return definition->kids[i];
    return NULL;
}

static bool has_default(const Node *defaults, const char *key) {
    for (uint32_t i = 1; defaults && i < defaults->nkids; i++)
        if (defaults->kids[i]->kind == NODE_KEY && strcmp(defaults->kids[i]->text, key) == 0)
            return true;
    return false;
}

// A parameter, however long, on one line.
static void write_parameter(const Node *n, FILE *out) {
    if (n->kind == NODE_NAME) {
        fputs(n->text, out);
    } else if (n->kind == NODE_LIST) {
        fputc('(', out);
        for (uint32_t i = 0; i < n->nkids; i++) {
            if (i > 0) fputc(' ', out);
            write_parameter(n->kids[i], out);
        }
        fputc(')', out);
    }
}

// "(relay-sow hole along: way [skip: (site)])": what may be left out is in brackets.
static void write_usage(const Node *signature, const Node *defaults, FILE *out) {
    fputc('(', out);
    for (uint32_t i = 0; i < signature->nkids; i++) {
        const Node *n = signature->kids[i];
        if (i > 0) fputc(' ', out);
        if (n->kind != NODE_KEY || i + 1 == signature->nkids) {
            write_parameter(n, out);
            continue;
        }
        bool optional = has_default(defaults, n->text);
        fprintf(out, "%s%s: ", optional ? "[" : "", n->text);
        write_parameter(signature->kids[++i], out);
        if (optional) fputc(']', out);
    }
    fputc(')', out);
}

static const char *usage_of(Arena *arena, const Node *definition) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return node_head(definition->kids[1]);
    write_usage(definition->kids[1], defaults_of(definition), out);
    fclose(out);
    const char *kept = text ? arena_strndup(arena, text, size) : "";
    free(text);
    return kept;
}

// ---- words ---------------------------------------------------------------------------------------

// A library's doc ends with its example, after this word.
static const char example_mark[] = "Example:";

static void add_definition(Lexicon *lexicon, const char *library, const Node *form) {
    if (!headed(form, "define") || form->nkids < 3 || !node_head(form->kids[1])) return;
    if (form->kids[2]->kind != NODE_STRING) return; // without a doc it is the library's own affair
    const char *doc = form->kids[2]->text, *mark = strstr(doc, example_mark);
    size_t length = mark ? (size_t)(mark - doc) : strlen(doc);
    const char *example = mark ? mark + strlen(example_mark) : "";
    OldsowLudeme word = {.name = node_head(form->kids[1]),
                         .group = library,
                         .usage = usage_of(lexicon->arena, form),
                         .doc = arena_strndup(lexicon->arena, doc, length),
                         .example = example + strspn(example, " \t\r\n")};
    vec_push(lexicon->arena, &lexicon->words, word);
}

static void add_library(Lexicon *lexicon, size_t i) {
    Sources sources;
    Diags diags;
    uint32_t file, where;
    const char *text = oldsow_library_text(i);
    sources_init(&sources, lexicon->arena);
    diags_init(&diags, lexicon->arena);
    if (sources_add(&sources, oldsow_library_name(i), text, strlen(text), &file, &where) !=
        SOURCE_OK)
        return;
    const Node *forms = parse_source(lexicon->arena, &sources, file, &diags);
    for (uint32_t k = 0; k < forms->nkids; k++)
        add_definition(lexicon, oldsow_library_name(i), forms->kids[k]);
}

static Lexicon *fill(Arena *arena) {
    Lexicon *lexicon = arena_alloc(arena, sizeof *lexicon);
    lexicon->arena = arena;
    for (size_t i = 0; i < oldsow_ludemes(); i++)
        vec_push(arena, &lexicon->words, *oldsow_ludeme(i));
    for (size_t i = 0; i < oldsow_libraries(); i++) add_library(lexicon, i);
    return lexicon;
}

Lexicon *lexicon_new(void) {
    Arena *arena = arena_new(LEXICON_BYTES);
    if (!arena) return NULL;
    if (setjmp(*arena_oom(arena))) {
        arena_free(arena);
        return NULL;
    }
    return fill(arena);
}

void lexicon_free(Lexicon *lexicon) {
    if (lexicon) arena_free(lexicon->arena); // it lives there itself
}
