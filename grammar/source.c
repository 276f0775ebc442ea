#include "source.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "utf8.h"

void sources_init(Sources *s, Arena *arena) { *s = (Sources){.arena = arena}; }

// The offset of the first byte that belongs to no UTF-8 character, or `size`.
static size_t first_bad_byte(const char *text, size_t size) {
    size_t i = 0;
    while (i < size) {
        uint32_t code;
        unsigned n = utf8_decode(text + i, size - i, &code);
        if (n == 0) return i;
        i += n;
    }
    return size;
}

static bool only_blanks(const char *text, size_t size) {
    static const char bom[] = {'\xEF', '\xBB', '\xBF'};
    if (size >= sizeof bom && memcmp(text, bom, sizeof bom) == 0) {
        text += sizeof bom;
        size -= sizeof bom;
    }
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r\n\f\v", text[i]) || text[i] == '\0') return false;
    return true;
}

static void find_lines(Arena *arena, Source *source) {
    size_t n = 1;
    for (size_t i = 0; i < source->size; i++) n += source->text[i] == '\n';
    uint32_t *lines = arena_array(arena, n, sizeof *lines);
    uint32_t line = 1;
    for (uint32_t i = 0; i < source->size; i++)
        if (source->text[i] == '\n') lines[line++] = i + 1;
    source->lines = lines;
    source->nlines = (uint32_t)n;
}

enum { SOURCE_MARKS = 1024 };

// UTF-8: every character has one byte that is none of its later ones.
static uint32_t begun(const char *text, uint32_t from, uint32_t to) {
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static void count_characters(Arena *arena, Source *source) {
    uint32_t *marks = arena_array(arena, source->size / SOURCE_MARKS + 1, sizeof *marks);
    for (uint32_t i = 1; i <= source->size / SOURCE_MARKS; i++)
        marks[i] = marks[i - 1] + begun(source->text, (i - 1) * SOURCE_MARKS, i * SOURCE_MARKS);
    source->marks = marks;
}

static uint32_t characters_before(const Source *s, uint32_t offset) {
    uint32_t mark = offset / SOURCE_MARKS;
    return s->marks[mark] + begun(s->text, mark * SOURCE_MARKS, offset);
}

static bool turn_line_ends(char *text, size_t size) {
    if (memchr(text, '\n', size) || !memchr(text, '\r', size)) return false;
    for (char *cr = text; (cr = memchr(cr, '\r', size - (size_t)(cr - text))); cr++) *cr = '\n';
    return true;
}

SourceFault source_check(const Source *s, uint32_t *where) {
    const char *nul = memchr(s->text, '\0', s->size);
    if (nul) {
        *where = (uint32_t)(nul - s->text);
        return SOURCE_NUL;
    }
    size_t bad = first_bad_byte(s->text, s->size);
    *where = (uint32_t)bad;
    return bad < s->size ? SOURCE_UTF8 : SOURCE_OK;
}

uint32_t sources_keep(Sources *s, const char *name, char *text, size_t size) {
    Source source = {.name = arena_strndup(s->arena, name, strlen(name)),
                     .text = text,
                     .size = (uint32_t)size,
                     .turned = turn_line_ends(text, size)};
    find_lines(s->arena, &source);
    count_characters(s->arena, &source);
    vec_push(s->arena, &s->files, source);
    return (uint32_t)(s->files.n - 1);
}

static SourceFault add_owned(Sources *s, const char *name, char *text, size_t size, uint32_t *file,
                             uint32_t *where) {
    if (only_blanks(text, size)) return SOURCE_EMPTY;
    *file = sources_keep(s, name, text, size);
    return source_check(source_of(s, (Span){.file = *file}), where);
}

SourceFault sources_add(Sources *s, const char *name, const char *text, size_t size, uint32_t *file,
                        uint32_t *where) {
    if (size > SOURCE_MAX_BYTES) return SOURCE_TOO_BIG;
    return add_owned(s, name, arena_strndup(s->arena, text, size), size, file, where);
}

SourceFault sources_read(Sources *s, const char *path, uint32_t *file, uint32_t *where) {
    struct stat about;
    if (stat(path, &about) != 0) return SOURCE_UNREADABLE;
    if (S_ISDIR(about.st_mode)) return SOURCE_DIRECTORY;
    size_t room = SOURCE_MAX_BYTES;
    if (S_ISREG(about.st_mode)) {
        if (about.st_size > SOURCE_MAX_BYTES) return SOURCE_TOO_BIG;
        room = (size_t)about.st_size;
    }
    // The buffer comes before the file is opened: when memory runs out, no file is left open. One
    // byte more than expected shows a file that is too long (or has grown), one is the closing NUL.
    char *text = arena_alloc(s->arena, room + 2);
    FILE *in = fopen(path, "rb");
    if (!in) return SOURCE_UNREADABLE;
    errno = 0;
    size_t size = fread(text, 1, room + 1, in);
    int fault = ferror(in) ? (errno ? errno : EIO) : 0;
    fclose(in);
    if (fault) {
        errno = fault;
        return SOURCE_UNREADABLE;
    }
    if (size > room) return SOURCE_TOO_BIG;
    return add_owned(s, path, text, size, file, where);
}

const Source *source_of(const Sources *s, Span span) {
    assert(span.file < s->files.n);
    return &s->files.at[span.file];
}

Place source_place(const Source *s, uint32_t offset) {
    if (offset > s->size) offset = s->size;
    uint32_t low = 0, high = s->nlines; // the line is in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (s->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    // Within a character: where it begins.
    while (offset > s->lines[low] && offset < s->size &&
           ((unsigned char)s->text[offset] & 0xC0) == 0x80)
        offset--;
    uint32_t column = characters_before(s, offset) - characters_before(s, s->lines[low]) + 1;
    return (Place){low + 1, column};
}

const char *source_line(const Source *s, uint32_t line, uint32_t *size) {
    assert(line >= 1 && line <= s->nlines);
    uint32_t start = s->lines[line - 1];
    uint32_t end = line < s->nlines ? s->lines[line] - 1 : s->size;
    if (end > start && s->text[end - 1] == '\r') end--;
    *size = end - start;
    return s->text + start;
}
