// The library, as it was when the binary was built: every file of stdlib/, whole; and beside it the
// templates of stdlib/templates/, games to start from that no script can use, and the explanations of
// docs/errors/. The definitions are written by stdlib/embed.sh.
#ifndef OLDSOW_STDLIB_DATA_H
#define OLDSOW_STDLIB_DATA_H

typedef struct StdlibFile {
    const char *name; // of the file, without folder and ending
    const char *text; // `size` bytes and a closing NUL
    unsigned size;
} StdlibFile;

extern const StdlibFile stdlib_files[];
extern const unsigned stdlib_count;

// Only the command carries these.
extern const StdlibFile template_files[];
extern const unsigned template_count;
extern const StdlibFile explanation_files[]; // in order of their codes
extern const unsigned explanation_count;

#endif
