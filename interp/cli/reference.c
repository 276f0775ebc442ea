// oldsow reference: the reference page, made from what the program knows about its own words.
#include <ctype.h>
#include <string.h>

#include "commands.h"
#include "explain.h"
#include "lexicon.h"
#include "text.h"

static const char help[] =
    "usage: oldsow reference\n"
    "\n"
    "Prints docs/reference.md: every ludeme with its usage, what it does and an example; and "
    "every\n"
    "message with its code, what it means, and a script before and after it was mended.\n";

static bool is_library(const char *group) {
    for (size_t i = 0; i < oldsow_libraries(); i++)
        if (strcmp(oldsow_library_name(i), group) == 0) return true;
    return false;
}

static void write_ludeme(const OldsowLudeme *l) {
    printf("\n### `%s`\n\n", l->usage);
    text_fold(stdout, l->doc, 0);
    if (l->example && *l->example) printf("\n```\n%s\n```\n", l->example);
}

static void write_heading(const char *group) {
    if (is_library(group))
        printf("\n## Library: %s\n\nBrought in with `(use %s)`.\n", group, group);
    else
        printf("\n## %c%s\n", toupper((unsigned char)group[0]), group + 1);
}

static void write_messages(void) {
    puts("\n# Messages\n\n"
         "What `oldsow help CODE` says, from the pages in `docs/errors/`. The test suite runs all "
         "examples:\n"
         "the wrong ones are told this code alone, the right ones nothing.");
    for (unsigned i = 0; i < explanation_count; i++) {
        const Explanation *e = &explanation_files[i];
        int size;
        const char *title = explanation_title(e, &size);
        printf("\n## %s: %.*s\n\n%s", e->name, size, title, explanation_body(e));
    }
}

static int run(Cli *cli) {
    Lexicon *lexicon = lexicon_new();
    if (!lexicon) return cli_no_memory(cli);
    puts("# Ludemes\n\n"
         "Made by `oldsow reference` from the table of ludemes and the docs in `stdlib/`. Examples "
         "are\n"
         "statements, and after `=>` something that is true then, for two players South and North "
         "on two\n"
         "rows of five holes; or they are whole games. The test suite runs them all.");
    const char *group = "";
    for (size_t i = 0; i < lexicon->words.n; i++) {
        const OldsowLudeme *l = &lexicon->words.at[i];
        if (strcmp(l->group, group) != 0) write_heading(l->group);
        group = l->group;
        write_ludeme(l);
    }
    lexicon_free(lexicon);
    write_messages();
    return EXIT_FINE;
}

const Command command_reference = {
    .name = "reference",
    .help = help,
    .run = run,
};
