#define _XOPEN_SOURCE 700 // realpath

#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const char *text, size_t size) {
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

static int write_directly(const char *path, const char *text, size_t size) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int why = write_all(fd, text, size);
    if (close(fd) != 0 && !why) why = errno;
    return why;
}

mode_t save_usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// The new name must be on disk as well, or a crash could still bring the old file back. Not every
// file system can do that; the file itself is safe by then.
static void sync_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    char *directory = !slash          ? strdup(".")
                      : slash == path ? strdup("/")
                                      : strndup(path, (size_t)(slash - path));
    if (!directory) return;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(directory);
}

static int write_and_rename(const char *path, mode_t mode, const char *text, size_t size) {
    size_t length = strlen(path) + sizeof ".XXXXXX";
    char *beside = malloc(length);
    if (!beside) return ENOMEM;
    snprintf(beside, length, "%s.XXXXXX", path);
    int fd = mkstemp(beside);
    if (fd < 0) {
        int why = errno;
        free(beside);
        return why;
    }
    int why = write_all(fd, text, size);
    if (!why && fchmod(fd, mode) != 0) why = errno;
    if (!why && fsync(fd) != 0) why = errno;
    if (close(fd) != 0 && !why) why = errno;
    if (!why && rename(beside, path) != 0) why = errno;
    if (why)
        unlink(beside);
    else
        sync_directory(path);
    free(beside);
    return why;
}

int save_text(const char *path, const char *text, size_t size) {
    struct stat about;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT) return errno;
        return write_and_rename(path, save_usual_mode(), text, size);
    }
    if (S_ISDIR(about.st_mode)) return EISDIR;
    if (!S_ISREG(about.st_mode)) return write_directly(path, text, size);
    // A link stays a link: the file it leads to is the one to replace.
    char *real = realpath(path, NULL);
    if (!real) return errno;
    int why =
        access(real, W_OK) == 0 ? write_and_rename(real, about.st_mode & 07777, text, size) : errno;
    free(real);
    return why;
}

int save_new(const char *path, mode_t mode, const char *text, size_t size) {
    return write_and_rename(path, mode, text, size);
}
