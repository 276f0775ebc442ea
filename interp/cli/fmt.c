// oldsow fmt: the canonical layout of scripts.
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../grammar/diag.h"
#include "../language/manners.h"
#include "../play/save.h"

enum { FMT_BYTES = 512 << 20 };

static const char help[] =
    "usage: oldsow fmt FILE... [--check]\n"
    "       oldsow fmt -\n"
    "\n"
    "Lays scripts out in one manner: forms indented by two, lines of at most 100 columns where "
    "that\n"
    "can be, comments and texts as they are. What is laid out already is not written again. Where\n"
    "the author broke the body of a form it stays broken. A script with faults is left alone, and\n"
    "the faults are told. `-` lays out standard input on standard output.\n"
    "\n"
    "  --check            write nothing; name the files that would change, and exit with 1 if "
    "there\n"
    "                     are any\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow fmt games/*.sow\n";

typedef struct Flags {
    bool only_check;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static int flag(Cli *cli, size_t i, const char *value) {
    (void)i, (void)value;
    own(cli)->only_check = true;
    return EXIT_FINE;
}

// ---- reading -----------------------------------------------------------------------------------

// One byte more than a script may have shows that there are more.
static SourceFault read_input(Sources *sources, uint32_t *file, uint32_t *where) {
    char *text = arena_alloc(sources->arena, SOURCE_MAX_BYTES + 1);
    errno = 0;
    size_t size = fread(text, 1, SOURCE_MAX_BYTES + 1, stdin);
    if (ferror(stdin)) {
        if (!errno) errno = EIO;
        return SOURCE_UNREADABLE;
    }
    return sources_add(sources, "<standard input>", text, size, file, where);
}

static void report(Diags *diags, SourceFault fault, const char *path, Span span) {
    int why = errno;
    switch (fault) {
    case SOURCE_OK: return;
    case SOURCE_UNREADABLE: diag_report_placeless(diags, E_UNREADABLE, path, strerror(why)); return;
    case SOURCE_DIRECTORY: diag_report_placeless(diags, E_DIRECTORY, path); return;
    case SOURCE_EMPTY: diag_report_placeless(diags, E_EMPTY_FILE, path); return;
    case SOURCE_TOO_BIG: diag_report_placeless(diags, E_TOO_BIG, path, SOURCE_MAX_BYTES); return;
    case SOURCE_NUL: diag_report(diags, E_NUL_BYTE, span); return;
    case SOURCE_UTF8: diag_report(diags, E_NOT_UTF8, span); return;
    }
}

// ---- writing -----------------------------------------------------------------------------------

static int deliver(const Cli *cli, const char *path, const Source *before, const char *text,
                   size_t size) {
    bool same = size == before->size && memcmp(text, before->text, size) == 0 && !before->turned;
    bool input = strcmp(path, "-") == 0;
    if (own(cli)->only_check) {
        if (!same) puts(input ? before->name : path);
        return same ? EXIT_FINE : EXIT_AT_FAULT;
    }
    if (input) {
        fwrite(text, 1, size, stdout);
        return EXIT_FINE;
    }
    if (same) return EXIT_FINE;
    int why = save_text(path, text, size);
    if (!why) return EXIT_FINE;
    cli_complain(cli, "%s: %s", path, strerror(why));
    return EXIT_AT_FAULT;
}

static int lay_out(const Cli *cli, const char *path) {
    Arena *arena = arena_new(FMT_BYTES);
    if (!arena) return cli_no_memory(cli);
    if (setjmp(*arena_oom(arena))) {
        arena_free(arena);
        return cli_no_memory(cli);
    }
    Sources sources;
    Diags diags;
    sources_init(&sources, arena);
    diags_init(&diags, arena);
    uint32_t file = 0, where = 0;
    SourceFault fault = strcmp(path, "-") == 0 ? read_input(&sources, &file, &where)
                                               : sources_read(&sources, path, &file, &where);
    report(&diags, fault, path, (Span){file, where, where + 1});
    LayoutWords words = layout_manners(arena);
    size_t size;
    const char *text = fault ? NULL : layout_source(arena, &sources, file, &words, &diags, &size);
    int status = EXIT_AT_FAULT;
    if (text)
        status = deliver(cli, path, &sources.files.at[file], text, size);
    else
        diags_render(stderr, &diags, &sources, cli->colour_err);
    arena_free(arena);
    return status;
}

static int run(Cli *cli) {
    int status = EXIT_FINE;
    for (int i = 0; i < cli->nargs && !cli_signal; i++)
        if (lay_out(cli, cli->args[i]) != EXIT_FINE) status = EXIT_AT_FAULT;
    return status;
}

const Command command_fmt = {
    .name = "fmt",
    .summary = "lay scripts out in the canonical manner",
    .help = help,
    .least = 1,
    .most = -1,
    .flags = (const Flag[]){{"check", false}, {NULL, false}},
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
