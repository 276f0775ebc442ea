// oldsow new: a script to start from.
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../grammar/diag.h"
#include "../../grammar/utf8.h"
#include "../language/stdlib_data.h"
#include "../play/save.h"

enum { KINDS_MAX = 16 };

static const char help[] =
    "usage: oldsow new NAME --like KIND\n"
    "\n"
    "Writes NAME.sow, a small script that works, to make a game of one's own from. A file of that\n"
    "name is not written over.\n"
    "\n"
    "  --like KIND        leaping: men step, and take what they leap over\n"
    "                     puzzle: one player, and a task that `oldsow solve` can do\n"
    "                     race: men run a way by the throw of a die\n"
    "                     sowing: stones are sown round a board of holes\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow new games/pebbles --like sowing\n";

typedef struct Flags {
    const char *kind;
} Flags;

static Flags *own(const Cli *cli) { return cli->own; }

static int flag(Cli *cli, size_t i, const char *value) {
    (void)i;
    own(cli)->kind = value;
    return EXIT_FINE;
}

// ---- which -------------------------------------------------------------------------------------

static int unknown_kind(const Cli *cli) {
    const char *names[KINDS_MAX];
    char list[256] = "";
    unsigned n = template_count < KINDS_MAX ? template_count : KINDS_MAX;
    for (unsigned i = 0; i < n; i++) {
        names[i] = template_files[i].name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0      ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 names[i]);
    }
    if (!own(cli)->kind) return cli_misuse(cli, "--like is missing: it is %s", list);
    const char *meant = nearest_name(own(cli)->kind, names, n);
    if (meant) return cli_misuse(cli, "--like is %s; did you mean `%s`?", list, meant);
    return cli_misuse(cli, "--like is %s; not `%s`", list, own(cli)->kind);
}

static const StdlibFile *find_template(const Cli *cli) {
    for (unsigned i = 0; own(cli)->kind && i < template_count; i++)
        if (strcmp(template_files[i].name, own(cli)->kind) == 0) return &template_files[i];
    return NULL;
}

// ---- what is written ---------------------------------------------------------------------------

// The name of the file without its folder and .sow; *size its bytes.
static const char *bare_name(const char *path, size_t *size) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    *size = strlen(name);
    if (*size > 4 && strcmp(name + *size - 4, ".sow") == 0) *size -= 4;
    return name;
}

// It becomes the title, and a part of what is to be typed.
static bool good_name(const char *name, size_t size) {
    for (size_t i = 0; i < size;) {
        uint32_t code;
        unsigned n = utf8_decode(name + i, size - i, &code);
        if (n == 0 || code < ' ' || code == 0x7F || code == '"' || code == '\\') return false;
        i += n;
    }
    return size > 0 && name[0] != '-' && name[0] != '.';
}

// The template, with the name in the place of its title: "long-ears" becomes "Long ears".
static char *fill_in(const StdlibFile *template, const char *name, size_t size, size_t *filled) {
    const char *title = strstr(template->text, "(game \"") + strlen("(game \"");
    const char *rest = strchr(title, '"');
    size_t before = (size_t)(title - template->text), after = strlen(rest);
    char *text = malloc(before + size + after + 1);
    if (!text) return NULL;
    memcpy(text, template->text, before);
    for (size_t i = 0; i < size; i++) text[before + i] = name[i] == '-' ? ' ' : name[i];
    if (text[before] >= 'a' && text[before] <= 'z') text[before] = (char)(text[before] - 'a' + 'A');
    memcpy(text + before + size, rest, after + 1);
    *filled = before + size + after;
    return text;
}

// The name is claimed first, so that nothing that comes to be there meanwhile is written over.
static int write_new(const Cli *cli, const char *path, const char *text, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        cli_complain(cli, "%s: %s", path,
                     errno == EEXIST ? "is there already, and is not written over"
                                     : strerror(errno));
        return EXIT_AT_FAULT;
    }
    close(fd);
    int why = save_text(path, text, size);
    if (!why) return EXIT_FINE;
    unlink(path);
    cli_complain(cli, "%s: %s", path, strerror(why));
    return EXIT_AT_FAULT;
}

// ---- what to do with it ------------------------------------------------------------------------

static void say_next(const Cli *cli, const char *path) {
    bool puzzle = strcmp(own(cli)->kind, "puzzle") == 0;
    printf("%s is written. What to do next:\n"
           "\n"
           "  oldsow check %s\n"
           "  oldsow run %s --random --seed 1\n",
           path, path, path);
    printf("  oldsow %s %s%s\n", puzzle ? "solve" : "perft", path, puzzle ? "" : " 3");
    printf("  oldsow fmt %s\n"
           "\n"
           "The comments in it say what to try. `oldsow help` lists the words of the language.\n",
           path);
}

static int run(Cli *cli) {
    const StdlibFile *template = find_template(cli);
    if (!template) return unknown_kind(cli);
    size_t size;
    const char *name = bare_name(cli->args[0], &size);
    if (!good_name(name, size))
        return cli_misuse(cli, "`%s` is no name for a script", cli->args[0]);
    size_t folder = (size_t)(name - cli->args[0]);
    size_t room = folder + size + sizeof ".sow";
    char *path = malloc(room);
    size_t filled = 0;
    char *text = fill_in(template, name, size, &filled);
    int status = EXIT_AT_FAULT;
    if (path && text) {
        snprintf(path, room, "%.*s.sow", (int)(folder + size), cli->args[0]);
        status = write_new(cli, path, text, filled);
        if (status == EXIT_FINE) say_next(cli, path);
    } else {
        cli_no_memory(cli);
    }
    free(path);
    free(text);
    return status;
}

const Command command_new = {
    .name = "new",
    .summary = "write a small script to start from",
    .help = help,
    .least = 1,
    .most = 1,
    .flags = (const Flag[]){{"like", true}, {NULL, false}},
    .own_size = sizeof(Flags),
    .flag = flag,
    .run = run,
};
