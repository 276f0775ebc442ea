// What the subcommands share: flags, loading, messages, progress, the end of the process.
//
// Owner: a Cli owns its lists of arguments and settings, and `own`, until cli_free; texts are those of argv.
#ifndef OLDSOW_CLI_COMMON_H
#define OLDSOW_CLI_COMMON_H

#include <jansson.h>
#include <time.h>

#include "../oldsow.h"
#include "../play/watch.h"

enum { EXIT_FINE = 0, EXIT_AT_FAULT = 1, EXIT_USAGE = 2 };

typedef struct Command Command;

typedef struct Cli {
    const Command *command;
    const char **args; // what is no flag
    int nargs;
    // --reading, --set
    const char *reading;
    OldsowSetting *settings;
    size_t nsettings;
    // --seed
    bool seeded;
    uint64_t seed;
    bool json;
    bool native;                 // --native: cli_load builds the game as machine code
    bool colour_out, colour_err; // whether the two streams are coloured
    void *own;                   // what the command's own flags say: begins as Command.own
    // Set where --reading or --set name what the script does not have: then EXIT_USAGE is what a fault gives.
    bool *misused;
} Cli;

// Shared flags that a subcommand takes, beside --colour and --help.
enum { TAKES_FILE = 1, TAKES_SEED = 2, TAKES_JSON = 4, TAKES_NATIVE = 8 };

typedef struct Flag {
    const char *name; // NULL ends a list
    bool value;       // takes one
} Flag;

struct Command {
    const char *name;
    const char *summary; // for the list; NULL: not listed
    const char *help;    // all of --help
    unsigned takes;
    int least, most; // arguments that are no flags; most < 0: any number
    const Flag *flags;
    const char *letters; // letter i is short for flags[i]; may be fewer, or NULL
    // What the command keeps of them, and what that is at first; NULL: all is nought.
    size_t own_size;
    const void *own;
    // One of the command's own flags, flags[i]; `value` is NULL if it takes none. An exit status
    // other than EXIT_FINE ends the command.
    int (*flag)(Cli *cli, size_t i, const char *value);
    int (*run)(Cli *cli);
};

// Reads argv[1..] into `cli`. False if that was all: *status is then what to exit with.
bool cli_read(Cli *cli, const Command *command, int argc, char **argv, int *status);
void cli_free(Cli *cli);
// A whole number from 0 to `most`. False, with a message that names the flag, if `text` is none.
bool cli_number(const Cli *cli, const char *flag, const char *text, uint64_t most, uint64_t *n);
// The same from 1.
bool cli_positive(const Cli *cli, const char *flag, const char *text, uint64_t most, uint64_t *n);

// "oldsow run: ..." on standard error.
void cli_complain(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same, and where to read on; gives EXIT_USAGE.
int cli_misuse(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_no_memory(const Cli *cli); // complains; gives EXIT_AT_FAULT

// Loads a script as the flags say; what is wrong with it goes to standard error. NULL if that is an
// error.
OldsowGame *cli_load(const Cli *cli, const char *path);
OldsowGame *cli_load_as(const Cli *cli, const char *path, const OldsowLoading *how);
// Starts the game; a complaint, and NULL, if there is no memory.
OldsowState *cli_start(const Cli *cli, const OldsowGame *game);
// The fault with its position, on standard error.
void cli_print_fault(const Cli *cli, const OldsowState *state);

// ---- JSON -----------------------------------------------------------------------------------

// Text as JSON; bytes that are no UTF-8 are replaced.
json_t *cli_json_text(const char *text);
json_t *cli_json_hash(uint64_t hash); // 16 hexadecimal digits
// Is that all that is wrong: --reading or --set name what the script does not have?
bool cli_asked_wrongly(const Cli *cli, const OldsowReport *report);
// Prints it and lets go of it; gives EXIT_AT_FAULT if there was no memory for it (`root` is NULL).
int cli_json_print(const Cli *cli, json_t *root);

// ---- signals, progress, output --------------------------------------------------------------

// The signal that asks to stop, or 0.
extern volatile sig_atomic_t cli_signal;
void cli_catch_signals(void);
// Standard output can take no more: there is no use in going on.
bool cli_deaf(void);
// Flushes and closes standard output; `status`, or EXIT_AT_FAULT if something was lost.
int cli_close(const char *name, int status);

// A line on standard error for whoever waits longer than two seconds, if it is a terminal.
typedef struct Progress {
    const char *verb, *things; // "looked at", "positions"
    struct timespec start, last;
    bool wanted, shown;
} Progress;
void progress_start(Progress *progress, const char *verb, const char *things);
void progress_tick(void *progress, uint64_t n); // fits Watch.tick
void progress_clear(Progress *progress);
// A watch that stops at a signal and shows the progress.
Watch cli_watch(Progress *progress);

#endif
