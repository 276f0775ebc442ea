// Writes a file so that nobody ever sees half of it.
//
// Owner: path and text are the caller's.
#ifndef OLDSOW_SAVE_H
#define OLDSOW_SAVE_H

#include <stddef.h>

// Writes `text` to the file `path`: to a new file beside it first, which takes its place when all
// of it is on disk. A file that is there stays as it was if anything fails. What is no ordinary
// file (a pipe, a terminal) is written to directly. Gives 0, or the errno of what failed.
int save_text(const char *path, const char *text, size_t size);

#endif
