/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, st_mtim */
#include "io/paths.h"

#include "base/fail.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- names ------------------------------------------------------------------------------------- */

const char *paths_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The folder that contains a path, with symbolic links resolved; NULL: there is none. */
static const char *folder_of(const char *path, char folder[PATH_MAX])
{
    char shown[PATHS_SIZE];
    snprintf(shown, sizeof shown, "%.*s.", (int)(paths_last_part(path) - path), path);
    return realpath(shown, folder);
}

bool paths_below(const char *beside, const char *file, char name[PATHS_SIZE])
{
    char top_path[PATH_MAX], whole_path[PATH_MAX];
    const char *top = folder_of(beside, top_path), *whole = realpath(file, whole_path);
    size_t length = top != NULL ? strlen(top) : 0;
    bool root = length == 1;
    bool below = top != NULL && whole != NULL && strncmp(whole, top, length) == 0 &&
                 (root || whole[length] == '/');
    const char *shown = below ? whole + length + (root ? 0 : 1) : whole != NULL ? whole : file;
    snprintf(name, PATHS_SIZE, "%s", shown);
    return below;
}

PathsEnd paths_follow(char path[PATHS_SIZE])
{
    enum { LINKS_MAX = 40 }; /* the limit of the kernel */
    for (int hop = 0; hop < LINKS_MAX; hop++) {
        char target[PATHS_SIZE];
        struct stat status;
        if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
            return PATHS_ENDS;
        ssize_t length = readlink(path, target, sizeof target);
        if (length < 0)
            return PATHS_ENDS; /* not a link; other problems are reported when the file is opened */
        size_t folder = target[0] == '/' ? 0 : (size_t)(paths_last_part(path) - path);
        if ((size_t)length == sizeof target || folder + (size_t)length >= PATHS_SIZE)
            return PATHS_ENDS_TOO_LONG;
        memcpy(path + folder, target, (size_t)length);
        path[folder + (size_t)length] = '\0';
    }
    return PATHS_ENDS_NOWHERE;
}

bool paths_end_in(const char *name, const char *ending)
{
    size_t length = strlen(name), last = strlen(ending);
    if (length <= last)
        return false;
    for (size_t c = 0; c < last; c++)
        if (ascii_lower(name[length - last + c]) != ending[c])
            return false;
    return true;
}

/* Whether two paths of files that do not exist yet would name the same file. */
static bool to_be_same(const char *one, const char *other)
{
    char ends[2][PATHS_SIZE], folders[2][PATH_MAX];
    const char *const paths[] = {one, other};
    for (int p = 0; p < 2; p++) {
        snprintf(ends[p], PATHS_SIZE, "%s", paths[p]);
        if (paths_follow(ends[p]) != PATHS_ENDS || folder_of(ends[p], folders[p]) == NULL)
            return false;
    }
    return strcmp(folders[0], folders[1]) == 0 &&
           strcmp(paths_last_part(ends[0]), paths_last_part(ends[1])) == 0;
}

bool paths_same(const char *one, const char *other)
{
    struct stat a, b;
    if (one == NULL || other == NULL || strcmp(one, "-") == 0 || strcmp(other, "-") == 0)
        return false;
    bool stands = stat(one, &a) == 0, other_stands = stat(other, &b) == 0;
    if (stands && other_stands)
        return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return !stands && !other_stands && to_be_same(one, other);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Opens an ordinary file: a descriptor, or -1 and a message. O_NONBLOCK does not wait for pipes. */
static int open_ordinary(const char *path, size_t most, size_t *size, BillowError *error)
{
    struct stat found;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &found) == 0;
    if (!good)
        fail(error, "cannot be opened: %s", english_error(errno));
    else if (!S_ISREG(found.st_mode))
        good = fail(error, "cannot be opened: it is %s",
                    S_ISDIR(found.st_mode) ? "a folder" : "not an ordinary file");
    else if (found.st_size < 0 || (unsigned long long)found.st_size > most)
        good = fail(error, "holds %.4g MB; at most %.4g MB are read", (double)found.st_size * 1e-6,
                    (double)most * 1e-6);
    if (good) {
        *size = (size_t)found.st_size;
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

bool whole_file_check(const char *path, size_t most, BillowError *error)
{
    size_t size;
    int file = open_ordinary(path, most, &size, error);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/* Returns the number of bytes read, less than `size` if the file has shrunk; -1: it failed. */
static ptrdiff_t read_all(int file, char *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(file, bytes + length, size - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ptrdiff_t)length;
}

char *whole_file_read(const char *path, size_t most, size_t *length, BillowError *error)
{
    BillowError reason;
    size_t size;
    int file = open_ordinary(path, most, &size, &reason);
    if (file < 0) {
        fail(error, "%.300s: %s", path, reason.text);
        return NULL;
    }
    char *bytes = malloc(size + 1);
    ptrdiff_t got = bytes != NULL ? read_all(file, bytes, size) : 0;
    if (bytes == NULL)
        fail(error, "%.300s: not enough memory to read its %zu bytes", path, size);
    else if (got < 0)
        fail(error, "%.300s: cannot be read: %s", path, english_error(errno));
    close(file);
    if (bytes == NULL || got < 0) {
        free(bytes);
        return NULL;
    }
    bytes[got] = '\0';
    *length = (size_t)got;
    return bytes;
}

/* -- watching ---------------------------------------------------------------------------------- */

static FileStamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return (FileStamp){.size = -1};
    return (FileStamp){.seconds = status.st_mtim.tv_sec,
                       .nanoseconds = status.st_mtim.tv_nsec,
                       .size = status.st_size,
                       .device = (uint64_t)status.st_dev,
                       .number = (uint64_t)status.st_ino};
}

static bool same(const FileStamp *a, const FileStamp *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* a stamp has no padding */
}

FileWatch file_watch_start(const char *path)
{
    FileWatch watch = {.path = ""};
    snprintf(watch.path, sizeof watch.path, "%s", path);
    watch.known = watch.seen = stamp_of(path);
    return watch;
}

bool file_watch_changed(FileWatch *watch)
{
    const FileStamp now = stamp_of(watch->path);
    bool settled = same(&now, &watch->seen);
    watch->seen = now;
    if (now.size < 0 || !settled || same(&now, &watch->known))
        return false;
    watch->known = now;
    return true;
}

bool paths_stay_below(const char *path)
{
    if (path[0] == '/')
        return false;
    for (const char *name = path; name != NULL; name = strchr(name, '/')) {
        name += name[0] == '/';
        if (strncmp(name, "..", 2) == 0 && (name[2] == '/' || name[2] == '\0'))
            return false;
    }
    return true;
}
