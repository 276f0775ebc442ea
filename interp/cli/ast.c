// oldsow ast: the syntax tree.
#include "commands.h"

static const char help[] =
    "usage: oldsow ast FILE [--expanded] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Prints the syntax tree of a script as the program sees it, as text that reads as the same\n"
    "tree.\n"
    "\n"
    "  --expanded         after expansion: libraries and the base script brought in, options\n"
    "                     replaced by their values, definitions put in place where they are used\n"
    "  --reading NAME     the reading to expand\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow ast games/njombwa.sow --expanded --set columns=9\n";

typedef struct Flags {
    bool expanded;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static int flag(Cli *cli, size_t i, const char *value) {
    (void)i, (void)value;
    own(cli)->expanded = true;
    return EXIT_FINE;
}

static int run(Cli *cli) {
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    oldsow_print_ast(game, stdout, own(cli)->expanded);
    oldsow_game_free(game);
    return EXIT_FINE;
}

const Command command_ast = {
    .name = "ast",
    .summary = "print a script's syntax tree, before or after expansion",
    .help = help,
    .takes = TAKES_FILE,
    .least = 1,
    .most = 1,
    .flags = (const Flag[]){{"expanded", false}, {NULL, false}},
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
