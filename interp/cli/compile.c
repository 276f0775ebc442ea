// oldsow compile: a script as a C file.
#include <stdlib.h>
#include <string.h>

#include "../native/generate.h"
#include "../play/save.h"
#include "commands.h"

static const char help[] =
    "usage: oldsow compile FILE [-o OUT] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Writes the game as one file of standard C that needs no library, with the functions of\n"
    "oldsow.h: the rules as code, a place to go on from for each decision. With -DOLDSOW_MAIN the\n"
    "file is a program that plays a random game or counts as perft does. Options cannot be "
    "changed\n"
    "any more. `perft`, `solve` and `simulate` do all this by themselves with --native.\n"
    "\n"
    "  -o, --output OUT   where to write it (standard output)\n"
    "  --reading NAME     the reading to compile\n"
    "  --set OPTION=VALUE the option's value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow compile games/laomuzhu.sow -o game.c\n";

typedef struct Flags {
    const char *output;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {{"output", true}, {NULL, false}};

static int flag(Cli *cli, size_t i, const char *value) {
    (void)i;
    own(cli)->output = value;
    return EXIT_FINE;
}

static int write_game(const Cli *cli, const OldsowGame *game) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool fine = out && compiled_write(out, game, COMPILED_STANDALONE);
    if (out && fclose(out) != 0) fine = false;
    int status = EXIT_FINE, why;
    if (!fine) {
        status = cli_no_memory(cli);
    } else if (!own(cli)->output || strcmp(own(cli)->output, "-") == 0) {
        fwrite(text, 1, size, stdout);
    } else if ((why = save_text(own(cli)->output, text, size)) != 0) {
        cli_complain(cli, "%s: %s", own(cli)->output, strerror(why));
        status = EXIT_AT_FAULT;
    }
    free(text);
    return status;
}

static int run(Cli *cli) {
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    int status = write_game(cli, game);
    oldsow_game_free(game);
    return status;
}

const Command command_compile = {
    .name = "compile",
    .summary = "write a game as a C file",
    .help = help,
    .takes = TAKES_FILE,
    .least = 1,
    .most = 1,
    .flags = own_flags,
    .letters = "o",
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
