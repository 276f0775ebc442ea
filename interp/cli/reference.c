// oldsow reference: the reference page, made from what the program knows about its own words.
#include <string.h>

#include "commands.h"
#include "text.h"

static const char help[] =
    "usage: oldsow reference\n"
    "\n"
    "Prints docs/reference.md: every ludeme with its usage, what it does and an example.\n";

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

static void write_group(const char *group) {
    if (is_library(group))
        printf("\n## Library: %s\n\nBrought in with `(use %s)`.\n", group, group);
    else
        printf("\n## %c%s\n", group[0] - 'a' + 'A', group + 1);
    for (size_t i = 0; i < oldsow_ludemes(); i++)
        if (strcmp(oldsow_ludeme(i)->group, group) == 0) write_ludeme(oldsow_ludeme(i));
}

static int run(Cli *cli) {
    (void)cli;
    puts("# Ludemes\n\n"
         "Made by `oldsow reference`; edit `interp/language/ludemes.def` and the doc texts in "
         "`stdlib/`\n"
         "instead. Examples are statements, and `=>` something that is true after them, for two "
         "players\n"
         "South and North on two rows of five holes; or they are whole games. The test suite runs "
         "them\n"
         "all.");
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(oldsow_ludeme(k)->group, oldsow_ludeme(i)->group) != 0;
        if (first) write_group(oldsow_ludeme(i)->group);
    }
    return EXIT_FINE;
}

const Command command_reference = {
    .name = "reference",
    .help = help,
    .run = run,
};
