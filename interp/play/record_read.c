#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../grammar/utf8.h"
#include "record_scan.h"

enum { RECORD_ARENA = 256 << 20 };

// ---- from disk ------------------------------------------------------------------------------

typedef struct File {
    char *text; // malloc'd
    size_t size;
    bool too_big;
    int why; // errno of what failed, or 0
} File;

static void read_on(File *file, int fd) {
    size_t room = 0;
    while (!file->why) {
        if (file->size == room) {
            if (file->size > RECORD_MAX_BYTES) {
                file->too_big = true;
                return;
            }
            size_t more = room ? 2 * room : 1 << 16;
            if (more > RECORD_MAX_BYTES) more = RECORD_MAX_BYTES + 1;
            char *text = realloc(file->text, more);
            if (!text) {
                file->why = ENOMEM;
                return;
            }
            file->text = text;
            room = more;
        }
        ssize_t n = read(fd, file->text + file->size, room - file->size);
        if (n == 0) return;
        if (n < 0)
            file->why = errno;
        else
            file->size += (size_t)n;
    }
}

static File read_file(const char *path) {
    File file = {0};
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        file.why = errno;
        return file;
    }
    struct stat about;
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
        file.why = EISDIR;
    else if (S_ISREG(about.st_mode) && about.st_size > RECORD_MAX_BYTES)
        file.too_big = true;
    else
        read_on(&file, fd);
    if (!standard) close(fd);
    return file;
}

// ---- the text -------------------------------------------------------------------------------

static const char *file_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<standard input>" : path;
}

static void add_source(Record *r, const char *name, const char *text, size_t size) {
    sources_keep(&r->sources, name, arena_strndup(r->arena, text, size), size);
}

// The text's characters. False if it is no text at all, so that looking further would be in vain.
static bool check_characters(Record *r) {
    const Source *source = record_source(r);
    bool blanks_only = true;
    for (uint32_t i = 0; i < source->size;) {
        uint32_t code;
        unsigned n = utf8_decode(source->text + i, source->size - i, &code);
        Span here = {0, i, i + (n ? n : 1)};
        if (n == 0 || code == 0) {
            diag_report(&r->diags, n ? E_NUL_BYTE : E_NOT_UTF8, here);
            return false;
        }
        bool blank = code == ' ' || code == '\t' || code == '\n' || code == '\r';
        if (!blank && (code < 0x20 || (code >= 0x7F && code < 0xA0)))
            diag_report(&r->diags, E_RECORD_CONTROL, here, (unsigned)code);
        if (!blank && code != 0xFEFF) blanks_only = false;
        i += n;
    }
    if (blanks_only) diag_report_placeless(&r->diags, E_EMPTY_FILE, source->name);
    return !blanks_only;
}

// ---- what the headers say -------------------------------------------------------------------

const char *record_header(const Record *record, const char *name) {
    const RecordHeader *header = record_find_header(record, name);
    return header ? header->value : NULL;
}

bool record_seed(const Record *record, uint64_t *seed) {
    const char *value = record_header(record, "Seed");
    if (!value || !*value || strspn(value, "0123456789") != strlen(value)) return false;
    errno = 0;
    *seed = strtoull(value, NULL, 10);
    return errno == 0;
}

const OldsowSetting *record_settings(const Record *record, size_t *n) {
    *n = record->settings.n;
    return record->settings.at;
}

static void read_options(Record *r) {
    const RecordHeader *header = record_find_header(r, "Options");
    if (!header) return;
    for (const char *s = header->value + strspn(header->value, " "); *s;) {
        size_t n = strcspn(s, " ");
        const char *equals = memchr(s, '=', n);
        if (!equals || equals == s || equals == s + n - 1) {
            diag_report(&r->diags, E_RECORD_VALUE, header->span, arena_strndup(r->arena, s, n),
                        "an option and its value, as in \"columns=9 castle=shared\"");
            return;
        }
        OldsowSetting setting = {
            .option = arena_strndup(r->arena, s, (size_t)(equals - s)),
            .value = arena_strndup(r->arena, equals + 1, n - (size_t)(equals - s) - 1)};
        vec_push(r->arena, &r->settings, setting);
        Span span = header->span; // exact, unless a `\\` stands before it
        if (strlen(header->value) == span.end - span.start - 2) {
            span.start += 1 + (uint32_t)(s - header->value);
            span.end = span.start + (uint32_t)n;
        }
        vec_push(r->arena, &r->setting_spans, span);
        s += n + strspn(s + n, " ");
    }
}

static bool is_hash(const char *value) {
    return strlen(value) == 16 && strspn(value, "0123456789abcdef") == 16;
}

static void read_values(Record *r) {
    static const char *const hashes[] = {"Rules", "Position"};
    for (size_t i = 0; i < 2; i++) {
        const RecordHeader *header = record_find_header(r, hashes[i]);
        if (header && !is_hash(header->value))
            diag_report(&r->diags, E_RECORD_VALUE, header->span, header->value,
                        "a hash of 16 digits, each 0 to 9 or a to f");
    }
    const RecordHeader *seed = record_find_header(r, "Seed");
    uint64_t number;
    if (seed && !record_seed(r, &number))
        diag_report(&r->diags, E_RECORD_VALUE, seed->span, seed->value,
                    "a seed: a whole number from 0 to 18446744073709551615");
    read_options(r);
}

// Goes through the moves once for what is wrong with the text itself; they are scanned again when
// played.
static void read_moves(Record *r) {
    Scanner scanner = {.record = r, .at = r->moves, .reports = true};
    Token token, after;
    for (scan_token(&scanner, &token); token.kind != TOKEN_END; scan_token(&scanner, &token)) {
        if (token.kind != TOKEN_STAR) continue;
        scan_token(&scanner, &after);
        if (after.kind == TOKEN_END) return;
        int d = diag_report(&r->diags, E_RECORD_AFTER, after.span);
        diag_label(&r->diags, d, token.span, "the record ends here");
        diag_mend(&r->diags, d,
                  "to go on with an unfinished game, take out `*` and the headers "
                  "Result and Position");
        return;
    }
}

static void read_text(Record *r, const char *name, const char *text, size_t size) {
    add_source(r, name, text, size);
    if (!check_characters(r)) return;
    Scanner scanner = {.record = r, .reports = true};
    scan_headers(&scanner);
    read_values(r);
    read_moves(r);
}

// ---- records --------------------------------------------------------------------------------

// Jumped to when the arena is empty; each entry into this module sets its own place to land.
static Record *record_new(void) {
    Arena *arena = arena_new(RECORD_ARENA);
    if (!arena) return NULL;
    if (setjmp(*arena_oom(arena))) {
        arena_free(arena);
        return NULL;
    }
    Record *r = arena_alloc(arena, sizeof *r);
    r->arena = arena;
    sources_init(&r->sources, arena);
    diags_init(&r->diags, arena);
    return r;
}

Record *record_read_text(const char *name, const char *text, size_t size) {
    Record *r = record_new();
    if (!r) return NULL;
    if (setjmp(*arena_oom(r->arena))) {
        record_free(r);
        return NULL;
    }
    if (size > RECORD_MAX_BYTES)
        diag_report_placeless(&r->diags, E_RECORD_BIG, name, RECORD_MAX_BYTES);
    else
        read_text(r, name, text, size);
    return r;
}

static Record *unreadable(const char *name, int why) {
    Record *r = record_new();
    if (!r) return NULL;
    if (setjmp(*arena_oom(r->arena))) {
        record_free(r);
        return NULL;
    }
    if (why == EISDIR)
        diag_report_placeless(&r->diags, E_DIRECTORY, name);
    else
        diag_report_placeless(&r->diags, E_UNREADABLE, name, strerror(why));
    return r;
}

Record *record_read(const char *path) {
    File file = read_file(path);
    const char *name = file_name(path);
    Record *r;
    if (file.why)
        r = unreadable(name, file.why);
    else
        r = record_read_text(name, file.text ? file.text : "",
                             file.too_big ? RECORD_MAX_BYTES + 1 : file.size);
    free(file.text);
    return r;
}

void record_free(Record *record) {
    if (record) arena_free(record->arena); // the record itself lives there
}

bool record_fine(const Record *record) { return record->diags.errors == 0; }

void record_print(const Record *record, FILE *out, bool colour) {
    if (setjmp(*arena_oom(record->arena))) {
        fputs("out of memory\n", out);
        return;
    }
    diags_render(out, &record->diags, &record->sources, colour);
}

const char *record_code(const Record *record, size_t i) {
    return i < record->diags.all.n ? diag_number(record->diags.all.at[i].code) : NULL;
}
