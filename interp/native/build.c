// The cache: $XDG_CACHE_HOME/oldsow, or ~/.cache/oldsow, one file a game: RULES-TEXT.so, where TEXT is a hash of the C
// text and of the compiler's name. A file is built beside its place and renamed into it, so that there is never
// half a one; it is loaded only if it is ours and nobody else can write to it.
#include "native.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../game.h"
#include "generate.h"
#include "step.h"

enum { ROOM = PATH_MAX };

typedef struct Build {
    const OldsowGame *game;
    char *why;
    char *text;
    size_t size;
    const char *compiler;
    char folder[ROOM - 128], path[ROOM], work[ROOM], source[ROOM + 16], object[ROOM + 16],
        log[ROOM + 16];
} Build;

static bool refuse(Build *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Build *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(b->why, NATIVE_WHY_MAX, format, args);
    va_end(args);
    return false;
}

static bool write_text(Build *b) {
    FILE *out = open_memstream(&b->text, &b->size);
    bool fine = out && compiled_write(out, b->game, COMPILED_PLUGIN);
    if (out && fclose(out) != 0) fine = false;
    return fine || refuse(b, "out of memory");
}

static uint64_t mix(uint64_t h, const char *at, size_t n) {
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)at[i]) * 1099511628211u; // FNV-1a
    return h;
}

// ---- the cache -----------------------------------------------------------------------------------

static bool is_ours(const struct stat *about) {
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

static bool make_folder(Build *b, const char *path) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return true;
    return refuse(b, "no cache for compiled games: %s: %s", path, strerror(errno));
}

static bool find_folder(Build *b) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char base[ROOM - 256];
    bool named =
        cache && *cache == '/'; // a relative path there is to be ignored, says its specification
    if (!named && !(home && *home == '/'))
        return refuse(b, "no cache for compiled games: neither XDG_CACHE_HOME nor HOME is set");
    int n = named ? snprintf(base, sizeof base, "%s", cache)
                  : snprintf(base, sizeof base, "%s/.cache", home);
    if (n >= (int)sizeof base) return refuse(b, "no cache for compiled games: a path too long");
    snprintf(b->folder, sizeof b->folder, "%s/oldsow", base);
    if (!make_folder(b, base) || !make_folder(b, b->folder)) return false;
    struct stat about;
    if (lstat(b->folder, &about) != 0 || !S_ISDIR(about.st_mode) || !is_ours(&about))
        return refuse(b, "%s is not a folder that only you can write to", b->folder);
    return true;
}

static void name_files(Build *b) {
    uint64_t text = mix(14695981039346656037u, b->text, b->size);
    text = mix(text, b->compiler, strlen(b->compiler) + 1);
    snprintf(b->path, sizeof b->path, "%s/%016" PRIx64 "-%016" PRIx64 ".so", b->folder,
             b->game->program.rules_hash, text);
    snprintf(b->work, sizeof b->work, "%s/build-XXXXXX", b->folder);
}

// ---- building ------------------------------------------------------------------------------------

static bool save_source(Build *b) {
    int fd = open(b->source, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) return refuse(b, "%s: %s", b->source, strerror(errno));
    size_t done = 0;
    int why = 0;
    while (done < b->size && !why) {
        ssize_t n = write(fd, b->text + done, b->size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            why = n == 0 ? EIO : errno;
    }
    if (close(fd) != 0 && !why) why = errno;
    return !why || refuse(b, "%s: %s", b->source, strerror(why));
}

enum { WORDS_MAX = 16 };

// CC may hold flags as well, as make has it.
static _Noreturn void become_compiler(const Build *b) {
    char words[256], *argv[WORDS_MAX + 16], *rest = words;
    int n = 0;
    snprintf(words, sizeof words, "%s", b->compiler);
    for (char *w = strtok_r(words, " ", &rest); w && n < WORDS_MAX; w = strtok_r(NULL, " ", &rest))
        argv[n++] = w;
    static char *const flags[] = {"-std=c17", "-O2", "-w", "-fPIC", "-fvisibility=hidden",
                                  "-shared",  "-o"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) argv[n++] = flags[i];
    char object[sizeof b->object], source[sizeof b->source];
    memcpy(object, b->object, sizeof object);
    memcpy(source, b->source, sizeof source);
    argv[n++] = object;
    argv[n++] = source;
    argv[n] = NULL;
    int log = open(b->log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    execvp(argv[0], argv);
    _exit(errno == ENOENT || errno == EACCES ? 127 : 126);
}

// The first line the compiler said, for the message.
static void first_words(const Build *b, char *line, size_t size) {
    line[0] = '\0';
    FILE *log = fopen(b->log, "r");
    if (!log) return;
    if (!fgets(line, (int)size, log)) line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(log);
}

static bool run_compiler(Build *b) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) return refuse(b, "the compiler cannot be started: %s", strerror(errno));
    if (child == 0) become_compiler(b);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return refuse(b, "the compiler: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return refuse(b, "there is no C compiler `%s` to build the game with; CC names another",
                      b->compiler);
    if (WIFSIGNALED(status)) return refuse(b, "the compiler was stopped by a signal");
    char line[200];
    first_words(b, line, sizeof line);
    return refuse(b, "`%s` could not build the game%s %s", b->compiler, *line ? ":" : "",
                  *line ? line : "and did not say why");
}

static bool build(Build *b) {
    if (!mkdtemp(b->work)) return refuse(b, "%s: %s", b->folder, strerror(errno));
    snprintf(b->source, sizeof b->source, "%s/game.c", b->work);
    snprintf(b->object, sizeof b->object, "%s/game.so", b->work);
    snprintf(b->log, sizeof b->log, "%s/log", b->work);
    bool fine = save_source(b) && run_compiler(b);
    if (fine && (chmod(b->object, 0700) != 0 || rename(b->object, b->path) != 0))
        fine = refuse(b, "%s: %s", b->path, strerror(errno));
    unlink(b->source);
    unlink(b->log);
    unlink(b->object);
    rmdir(b->work);
    return fine;
}

// ---- loading -------------------------------------------------------------------------------------

static bool load(Build *b, OldsowGame *game) {
    struct stat about;
    if (lstat(b->path, &about) != 0) return refuse(b, "%s: %s", b->path, strerror(errno));
    if (!S_ISREG(about.st_mode) || !is_ours(&about))
        return refuse(b, "%s is not a file that only you can write to; it is not loaded", b->path);
    void *object = dlopen(b->path, RTLD_NOW | RTLD_LOCAL);
    if (!object) return refuse(b, "%s", dlerror());
    const StepPlugin *plugin = dlsym(object, "oldsow_plugin");
    const Program *p = &game->program;
    if (!plugin || plugin->version != STEP_VERSION || plugin->cells != p->ncells ||
        plugin->run_size != sizeof(StepRun) || plugin->rules_hash != p->rules_hash) {
        dlclose(object);
        return refuse(b, "%s is another game", b->path);
    }
    game->program.native = plugin->step; // stays loaded: games may be many, and share it
    return true;
}

// What is in the cache and cannot be loaded is built once more.
static bool attach(Build *b, OldsowGame *game) {
    if (!write_text(b) || !find_folder(b)) return false;
    name_files(b);
    struct stat about;
    if (lstat(b->path, &about) == 0) {
        if (load(b, game)) return true;
        if (S_ISREG(about.st_mode) && !is_ours(&about)) return false;
    }
    return build(b) && load(b, game);
}

bool native_attach(OldsowGame *game, char why[NATIVE_WHY_MAX]) {
    const char *compiler = getenv("CC");
    Build b = {.game = game, .why = why, .compiler = compiler && *compiler ? compiler : "cc"};
    why[0] = '\0';
    bool fine = attach(&b, game);
    free(b.text);
    return fine;
}
