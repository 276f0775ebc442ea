#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../grammar/diag.h"
#include "../../grammar/utf8.h"
#include "../native/native.h"
#include "explain.h"

volatile sig_atomic_t cli_signal;

// ---- messages -------------------------------------------------------------------------------

static void complain(const Cli *cli, const char *format, va_list args) {
    fflush(stdout); // what was printed before it is to stand before it
    fputs("oldsow", stderr);
    if (cli->command) fprintf(stderr, " %s", cli->command->name);
    fputs(": ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void cli_complain(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(cli, format, args);
    va_end(args);
}

int cli_misuse(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(cli, format, args);
    va_end(args);
    fprintf(stderr, "`oldsow %s%s--help` tells more\n", cli->command ? cli->command->name : "",
            cli->command ? " " : "");
    return EXIT_USAGE;
}

int cli_no_memory(const Cli *cli) {
    cli_complain(cli, "out of memory");
    return EXIT_AT_FAULT;
}

// ---- flags ----------------------------------------------------------------------------------

enum {
    SHARED_FIRST = 256,
    READING = SHARED_FIRST,
    SET,
    SEED,
    JSON,
    NATIVE,
    COLOUR,
    HELP,
    OWN_FIRST = 512
};
enum { FLAGS_MAX = 32 };
#define SHORT_FLAGS ":h" // a value that is missing is told as such

static void add_flag(struct option *table, size_t *n, const char *name, bool value, int id) {
    table[(*n)++] = (struct option){name, value ? required_argument : no_argument, NULL, id};
}

static void flag_table(const Command *command, struct option *table) {
    size_t n = 0;
    for (int i = 0; command->flags && command->flags[i].name; i++)
        add_flag(table, &n, command->flags[i].name, command->flags[i].value, OWN_FIRST + i);
    if (command->takes & TAKES_FILE) {
        add_flag(table, &n, "reading", true, READING);
        add_flag(table, &n, "set", true, SET);
    }
    if (command->takes & TAKES_SEED) add_flag(table, &n, "seed", true, SEED);
    if (command->takes & TAKES_JSON) add_flag(table, &n, "json", false, JSON);
    if (command->takes & TAKES_NATIVE) add_flag(table, &n, "native", false, NATIVE);
    add_flag(table, &n, "colour", true, COLOUR);
    add_flag(table, &n, "color", true, COLOUR);
    add_flag(table, &n, "help", false, HELP);
    table[n] = (struct option){0};
}

// The letters as getopt wants them: a colon behind those that take a value.
static void flag_letters(const Command *command, char *table, size_t size) {
    size_t n = (size_t)snprintf(table, size, "%s", SHORT_FLAGS);
    for (size_t i = 0; command->letters && command->letters[i] && n + 3 <= size; i++)
        n += (size_t)snprintf(table + n, size - n, "%c%s", command->letters[i],
                              command->flags[i].value ? ":" : "");
}

// What getopt gave, with a letter turned into the flag it is short for.
static int whole_flag(const Command *command, int id) {
    const char *at = id < SHARED_FIRST && command->letters ? strchr(command->letters, id) : NULL;
    return at ? OWN_FIRST + (int)(at - command->letters) : id;
}

static const char *nearest_flag(const struct option *table, const char *name) {
    const char *names[FLAGS_MAX];
    size_t n = 0;
    while (table[n].name) {
        names[n] = table[n].name;
        n++;
    }
    return nearest_name(name, names, n);
}

// What getopt_long could make nothing of: an unknown flag, one that takes no value and got one, or
// too short an abbreviation.
static int unknown_flag(const Cli *cli, const struct option *table, const char *word) {
    if (optopt >= SHARED_FIRST) return cli_misuse(cli, "%s takes no value", word);
    if (optopt) return cli_misuse(cli, "unknown flag -%c", optopt);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (size_t i = 0; table[i].name; i++)
        if (strncmp(table[i].name, name, strlen(name)) == 0)
            return cli_misuse(cli, "--%s may be --%s or another flag", name, table[i].name);
    const char *meant = nearest_flag(table, name);
    if (meant) return cli_misuse(cli, "unknown flag --%s; did you mean --%s?", name, meant);
    return cli_misuse(cli, "unknown flag --%s", name);
}

static int add_setting(Cli *cli, char *text) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return cli_misuse(cli, "--set wants option=value, as in --set columns=9; not `%s`", text);
    *equals = '\0';
    OldsowSetting setting = {text, equals + 1};
    for (size_t i = 0; i < cli->nsettings; i++) // the last word counts
        if (strcmp(cli->settings[i].option, setting.option) == 0) {
            cli->settings[i] = setting;
            return EXIT_FINE;
        }
    cli->settings[cli->nsettings++] = setting;
    return EXIT_FINE;
}

static bool colours_by_itself(int fd) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static int set_colour(Cli *cli, const char *when) {
    if (strcmp(when, "auto") == 0) {
        cli->colour_out = colours_by_itself(STDOUT_FILENO);
        cli->colour_err = colours_by_itself(STDERR_FILENO);
    } else if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0) {
        cli->colour_out = cli->colour_err = *when == 'a';
    } else {
        return cli_misuse(cli, "--colour is auto, always or never; not `%s`", when);
    }
    return EXIT_FINE;
}

static int shared_flag(Cli *cli, int id) {
    switch (id) {
    case READING: cli->reading = optarg; return EXIT_FINE;
    case SET: return add_setting(cli, optarg);
    case SEED:
        cli->seeded = cli_number(cli, "--seed", optarg, UINT64_MAX, &cli->seed);
        return cli->seeded ? EXIT_FINE : EXIT_USAGE;
    case JSON: cli->json = true; return EXIT_FINE;
    case NATIVE: cli->native = true; return EXIT_FINE;
    default: return set_colour(cli, optarg);
    }
}

static int read_flags(Cli *cli, int argc, char **argv, bool *help) {
    struct option table[FLAGS_MAX];
    char letters[2 * FLAGS_MAX];
    flag_table(cli->command, table);
    flag_letters(cli->command, letters, sizeof letters);
    opterr = 0;
    optind = 1;
    int status = EXIT_FINE, id;
    while (status == EXIT_FINE &&
           (optopt = 0, id = getopt_long(argc, argv, letters, table, NULL)) >= 0) {
        id = whole_flag(cli->command, id);
        if (id == '?')
            status = unknown_flag(cli, table, argv[optind - 1]);
        else if (id == ':')
            status = cli_misuse(cli, "%s wants a value", argv[optind - 1]);
        else if (id == 'h' || id == HELP)
            *help = true;
        else if (id >= OWN_FIRST)
            status = cli->command->flag(cli, (size_t)(id - OWN_FIRST), optarg);
        else
            status = shared_flag(cli, id);
    }
    return status;
}

// The next of the arguments that the first line of the help tells of: "usage: oldsow perft FILE DEPTH [--json]".
static int missing(const Cli *cli) {
    const char *at = strstr(cli->command->help, cli->command->name);
    for (int i = 0; at && i <= cli->nargs; i++) {
        at = strchr(at, ' ');
        at += at ? strspn(at, " ") : 0;
    }
    int size = at && *at >= 'A' && *at <= 'Z' ? (int)strcspn(at, " .[\n") : 0;
    if (cli->nargs == 0 || size == 0)
        return cli_misuse(cli, cli->nargs == 0 ? "a file is missing" : "something is missing");
    return cli_misuse(cli, "%.*s is missing after `%s`", size, at, cli->args[cli->nargs - 1]);
}

static int read_args(Cli *cli, int argc, char **argv) {
    for (int i = optind; i < argc; i++) cli->args[cli->nargs++] = argv[i];
    if (cli->nargs < cli->command->least) return missing(cli);
    if (cli->command->most >= 0 && cli->nargs > cli->command->most)
        return cli_misuse(cli, "`%s` is one argument too many", cli->args[cli->command->most]);
    return EXIT_FINE;
}

bool cli_read(Cli *cli, const Command *command, int argc, char **argv, int *status) {
    *cli = (Cli){.command = command};
    set_colour(cli, "auto");
    cli->args = calloc((size_t)argc + 1, sizeof *cli->args);
    cli->settings = calloc((size_t)argc + 1, sizeof *cli->settings);
    cli->own = calloc(1, command->own_size + 1);
    if (cli->own && command->own) memcpy(cli->own, command->own, command->own_size);
    if (!cli->args || !cli->settings || !cli->own) {
        *status = cli_no_memory(cli);
        return false;
    }
    bool help = false;
    *status = read_flags(cli, argc, argv, &help);
    if (help && *status == EXIT_FINE) {
        fputs(command->help, stdout);
        return false;
    }
    if (*status == EXIT_FINE) *status = read_args(cli, argc, argv);
    return *status == EXIT_FINE;
}

void cli_free(Cli *cli) {
    free(cli->args);
    free(cli->settings);
    free(cli->own);
}

static bool number(const Cli *cli, const char *flag, const char *text, uint64_t least,
                   uint64_t most, uint64_t *n) {
    errno = 0;
    bool digits = *text && strspn(text, "0123456789") == strlen(text);
    *n = digits ? strtoull(text, NULL, 10) : 0;
    if (digits && errno == 0 && *n >= least && *n <= most) return true;
    cli_misuse(cli, "%s wants a whole number from %" PRIu64 " to %" PRIu64 "; not `%s`", flag,
               least, most, text);
    return false;
}

bool cli_number(const Cli *cli, const char *flag, const char *text, uint64_t most, uint64_t *n) {
    return number(cli, flag, text, 0, most, n);
}

bool cli_positive(const Cli *cli, const char *flag, const char *text, uint64_t most, uint64_t *n) {
    return number(cli, flag, text, 1, most, n);
}

// ---- games ----------------------------------------------------------------------------------

bool cli_asked_wrongly(const Cli *cli, const OldsowReport *report) {
    static const DiagCode codes[] = {E_UNKNOWN_READING, E_UNKNOWN_OPTION, E_UNKNOWN_VALUE};
    size_t n = 0;
    for (size_t i = 0; report && i < oldsow_report_count(report); i++) {
        OldsowMessage m = oldsow_report_get(report, i);
        if (!m.error) continue;
        bool asked = false;
        for (size_t k = 0; !m.file && k < sizeof codes / sizeof *codes; k++)
            asked |= m.code && strcmp(m.code, diag_number(codes[k])) == 0;
        if (!asked) return false;
        n++;
    }
    return n > 0 && (cli->reading || cli->nsettings);
}

OldsowGame *cli_load_as(const Cli *cli, const char *path, const OldsowLoading *how) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load(path, how, &report);
    if (cli_signal && !game) { // waiting for the file was cut short
        oldsow_report_free(report);
        return NULL;
    }
    if (report)
        oldsow_report_print(report, stderr, cli->colour_err);
    else if (!game)
        cli_no_memory(cli);
    CodesTold told = {.n = 0};
    if (!game) codes_add_report(&told, report);
    if (!game && cli_asked_wrongly(cli, report)) *cli->misused = true;
    codes_point(&told);
    oldsow_report_free(report);
    return game;
}

OldsowGame *cli_load(const Cli *cli, const char *path) {
    OldsowLoading how = {
        .reading = cli->reading, .settings = cli->settings, .nsettings = cli->nsettings};
    OldsowGame *game = cli_load_as(cli, path, &how);
    char why[NATIVE_WHY_MAX];
    if (!game || !cli->native || native_attach(game, why)) return game;
    cli_complain(cli, "--native: %s", why);
    oldsow_game_free(game);
    return NULL;
}

OldsowState *cli_start(const Cli *cli, const OldsowGame *game) {
    OldsowState *state = oldsow_start(game);
    if (!state) cli_no_memory(cli);
    return state;
}

void cli_print_fault(const Cli *cli, const OldsowState *state) {
    fflush(stdout); // what led there comes first
    oldsow_print_fault(state, stderr, cli->colour_err);
    fputs("The position then:\n", stderr);
    oldsow_draw(state, stderr);
    CodesTold told = {.n = 0};
    codes_add(&told, oldsow_fault(state).code);
    codes_point(&told);
}

// ---- JSON -----------------------------------------------------------------------------------

json_t *cli_json_text(const char *text) {
    json_t *value = json_string(text);
    if (value) return value;
    size_t size = strlen(text), n = 0;
    char *clean = malloc(3 * size + 1);
    if (!clean) return NULL;
    for (size_t i = 0; i < size;) {
        uint32_t code;
        unsigned bytes = utf8_decode(text + i, size - i, &code);
        memcpy(clean + n, bytes ? text + i : "\xEF\xBF\xBD", bytes ? bytes : 3);
        n += bytes ? bytes : 3;
        i += bytes ? bytes : 1;
    }
    value = json_stringn(clean, n);
    free(clean);
    return value;
}

json_t *cli_json_hash(uint64_t hash) { return json_sprintf("%016" PRIx64, hash); }

int cli_json_print(const Cli *cli, json_t *root) {
    if (!root) return cli_no_memory(cli);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    fputc('\n', stdout);
    json_decref(root);
    return EXIT_FINE;
}

// ---- signals and output ---------------------------------------------------------------------

static void on_signal(int signal) { cli_signal = signal; }

void cli_catch_signals(void) {
    // The second time it ends the process at once.
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&stop.sa_mask);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    // A reader who goes away and a file that may not grow are seen as failed writes, and told as such.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    // A file opened later must not get the number of a standard stream that is closed.
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool cli_deaf(void) { return fflush(stdout) != 0 || ferror(stdout); }

int cli_close(const char *name, int status) {
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0) lost = true;
    if (!lost) return status;
    fprintf(stderr, "oldsow%s%s: standard output: %s\n", name ? " " : "", name ? name : "",
            errno ? strerror(errno) : "could not be written");
    return EXIT_AT_FAULT;
}

// ---- progress -------------------------------------------------------------------------------

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void progress_start(Progress *p, const char *verb, const char *things) {
    *p = (Progress){.verb = verb, .things = things, .wanted = isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->last = p->start;
}

void progress_tick(void *progress, uint64_t n) {
    Progress *p = progress;
    if (!p->wanted || seconds_since(&p->last) < (p->shown ? 0.25 : 2.0)) return;
    clock_gettime(CLOCK_MONOTONIC, &p->last);
    p->shown = true;
    fprintf(stderr, "\r%s %" PRIu64 " %s, %.0f s\033[K", p->verb, n, p->things,
            seconds_since(&p->start));
}

void progress_clear(Progress *p) {
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = false;
}

Watch cli_watch(Progress *progress) {
    return (Watch){.stop = &cli_signal, .tick = progress_tick, .context = progress};
}
