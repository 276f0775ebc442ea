// oldsow version, or --version.
#include "commands.h"

static int run(Cli *cli) {
    (void)cli;
    puts("oldsow " OLDSOW_VERSION);
    return EXIT_FINE;
}

const Command command_version = {
    .name = "version",
    .summary = "print the version",
    .help = "usage: oldsow --version\n\nPrints the version.\n",
    .run = run,
};
