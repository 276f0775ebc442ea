// Writes a file so that nobody ever sees half of it.
//
// Owner: path and text are the caller's.
#ifndef OLDSOW_SAVE_H
#define OLDSOW_SAVE_H

#include <stddef.h>
#include <sys/types.h>

// Writes `text` to the file `path`: to a new file beside it first, which takes its place when all
// of it is on disk. A file that is there stays as it was if anything fails. What is no ordinary
// file (a pipe, a terminal) is written to directly. Gives 0, or the errno of what failed.
int save_text(const char *path, const char *text, size_t size);
// The same for one of many files that threads write side by side: the file gets the permissions
// `mode`, and takes the place of whatever has that name.
int save_new(const char *path, mode_t mode, const char *text, size_t size);
// What a file made without more ado would be allowed. Not for several threads at once.
mode_t save_usual_mode(void);

#endif
