// Random games for `oldsow check --play`.
//
// Owner: the caller's; what is printed goes to standard output at once.
#ifndef OLDSOW_CLI_CHECK_PLAY_H
#define OLDSOW_CLI_CHECK_PLAY_H

#include "common.h"

typedef struct CheckPlay {
    uint64_t games; // of each reading; 0: none are wanted
    uint64_t max_plies;
    bool coverage;
    const char *records; // a folder, or NULL
} CheckPlay;

// Plays the games of a script that was found well, and adds warnings to its report. Gives an exit status: at fault if a
// play failed, or something could not be written. *json, if wanted, is what is said of the games.
int check_play(const Cli *cli, const CheckPlay *how, const char *path, OldsowReport *report,
               json_t **json);

#endif
