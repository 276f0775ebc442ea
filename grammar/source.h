// Source text: files read whole, byte spans into them, lines and columns when asked.
//
// Owner: a Sources and all its texts live in the arena it was made with.
#ifndef OLDSOW_SOURCE_H
#define OLDSOW_SOURCE_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_MAX_BYTES = 1 << 20 }; // a script is never longer; longer files are refused

// Bytes [start, end) of file number `file`.
typedef struct Span {
    uint32_t file, start, end;
} Span;

typedef struct Source {
    const char *name; // as shown to people: the path as it was given, or <stdlib/sowing.sow>
    const char *text; // `size` bytes and a closing NUL
    uint32_t size;
    const uint32_t *lines; // byte offset of the start of each line
    uint32_t nlines;
    const uint32_t
        *marks;  // characters that begin before every SOURCE_MARKS-th byte: see source_place
    bool turned; // its lines ended with CR alone, which are LF here
} Source;

typedef struct Sources {
    Arena *arena;
    VEC(Source) files;
} Sources;

typedef struct Place {
    uint32_t line, column; // both from 1; a column is one character (code point), not one byte
} Place;

// Why a text was refused.
typedef enum SourceFault {
    SOURCE_OK,
    SOURCE_UNREADABLE, // errno tells why
    SOURCE_DIRECTORY,
    SOURCE_EMPTY, // no byte but white space
    SOURCE_TOO_BIG,
    SOURCE_NUL,  // the text holds a NUL byte; *where tells the offset
    SOURCE_UTF8, // the text is not UTF-8; *where tells the offset
} SourceFault;

void sources_init(Sources *s, Arena *arena);
// Adds a text that is in memory (copied). If its lines end with CR alone, as on old Macs, they end with LF in the copy.
// Gives the file's number in *file; with SOURCE_NUL and SOURCE_UTF8 the file is added all the same, so that the place
// can be shown.
SourceFault sources_add(Sources *s, const char *name, const char *text, size_t size, uint32_t *file,
                        uint32_t *where);
// Adds a text that is the arena's already, whatever it is. Gives the file's number.
uint32_t sources_keep(Sources *s, const char *name, char *text, size_t size);
// Reads a file from disk.
SourceFault sources_read(Sources *s, const char *path, uint32_t *file, uint32_t *where);

// Is the text of an added file fit to be scanned? SOURCE_OK, SOURCE_NUL or SOURCE_UTF8.
SourceFault source_check(const Source *s, uint32_t *where);

const Source *source_of(const Sources *s, Span span);
Place source_place(const Source *s, uint32_t offset);
// The line (from 1) without its line end; *size its bytes.
const char *source_line(const Source *s, uint32_t line, uint32_t *size);

static inline bool same_span(Span a, Span b) {
    return a.file == b.file && a.start == b.start && a.end == b.end;
}

static inline Span span_join(Span a, Span b) { return (Span){a.file, a.start, b.end}; }

#endif
