// The subcommands, in the order in which they are listed.
#ifndef OLDSOW_CLI_COMMANDS_H
#define OLDSOW_CLI_COMMANDS_H

#include "common.h"

extern const Command command_check, command_show, command_run, command_perft, command_solve,
    command_simulate, command_merge, command_compile, command_fmt, command_ast, command_new,
    command_help, command_version, command_reference;

extern const Command *const commands[]; // NULL ends the list
const Command *command_find(const char *name);
// What `oldsow --help` prints.
void commands_overview(FILE *out);

#endif
