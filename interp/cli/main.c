// The command: finds the subcommand, reads its flags, runs it, and sees to it that nothing printed
// was lost.
#include "commands.h"

#include <string.h>

#include "../../grammar/diag.h"

const Command *const commands[] = {
    &command_new,   &command_check,    &command_show,    &command_run,       &command_perft,
    &command_solve, &command_simulate, &command_merge,   &command_compile,   &command_fmt,
    &command_ast,   &command_help,     &command_version, &command_reference, NULL};

const Command *command_find(const char *name) {
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

void commands_overview(FILE *out) {
    fputs("oldsow reads the rules of board games, written as ludemes, and plays them.\n"
          "\n"
          "usage: oldsow COMMAND [ARGUMENT...] [FLAG...]\n"
          "\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->summary)
            fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "\n"
        "`oldsow COMMAND --help` tells more about one of them, `oldsow help LUDEME` about a word\n"
        "of the language. The exit status is 0 when all is well, 1 when a file or the play is at\n"
        "fault, 2 when the command is used wrongly, 130 after Ctrl-C.\n"
        "\n"
        "example: oldsow run games/laomuzhu.sow --random --seed 1\n",
        out);
}

static int unknown_command(const char *name) {
    const char *names[32];
    size_t n = 0;
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->summary) names[n++] = commands[i]->name;
    static const char *const others[][2] = {
        {"format", "fmt"},    {"lint", "check"}, {"verify", "check"}, {"validate", "check"},
        {"test", "check"},    {"play", "run"},   {"random", "run"},   {"draw", "show"},
        {"print", "show"},    {"init", "new"},   {"create", "new"},   {"build", "compile"},
        {"stats", "simulate"}};
    const char *meant = NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], name) == 0) meant = others[i][1];
    if (!meant) meant = nearest_name(name, names, n);
    Cli cli = {0};
    if (meant) return cli_misuse(&cli, "no command `%s`; did you mean `%s`?", name, meant);
    return cli_misuse(&cli, "no command `%s`", name);
}

static int run(const Command *command, int argc, char **argv) {
    Cli cli;
    int status;
    if (cli_read(&cli, command, argc, argv, &status)) {
        bool misused = false;
        cli.misused = &misused;
        status = command->run(&cli);
        if (misused && status == EXIT_AT_FAULT) status = EXIT_USAGE;
    }
    cli_free(&cli);
    if (cli_signal) status = 128 + cli_signal;
    return cli_close(command->name, status);
}

int main(int argc, char **argv) {
    cli_catch_signals();
    if (argc < 2) {
        commands_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        commands_overview(stdout);
        return cli_close(NULL, EXIT_FINE);
    }
    const char *name = strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
    const Command *command = command_find(name);
    if (!command) {
        if (name[0] == '-') {
            Cli cli = {0};
            return cli_misuse(&cli, "a command stands before its flags; %s is no command", name);
        }
        return unknown_command(name);
    }
    return run(command, argc - 1, argv + 1);
}
