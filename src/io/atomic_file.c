/* SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "atomic_file.h"
#include "fail.h"
#include "interrupt.h"
#include "leftovers.h"
#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names tried for the temporary file. */
enum { NAMES_MAX = 1000 };

static bool is_standard_output(const AtomicFile *file)
{
    return file->stream == stdout;
}

static bool too_long(const char *path, BillowError *error)
{
    return fail(error, "%.200s...: this path is too long", path);
}

/* The length of what precedes the file's name, with its slash: 0 in the current folder. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool resolve(AtomicFile *file, const char *path, BillowError *error)
{
    *file = (AtomicFile){.stream = NULL};
    if (strlen(path) >= sizeof file->path)
        return too_long(path, error);
    if (path[0] == '\0')
        return fail(error, "the name of the file to write is empty");
    strcpy(file->path, path);
    PathsEnd end = paths_follow(file->path); /* the file there is replaced, and not the link */
    if (end == PATHS_ENDS_NOWHERE)
        return fail(error, "%s: too many symbolic links", file->path);
    return end == PATHS_ENDS || too_long(file->path, error);
}

static bool cannot_create(const AtomicFile *file, int reason, BillowError *error)
{
    int length = (int)folder_length(file->path);
    char folder[sizeof file->path];
    snprintf(folder, sizeof folder, "%.*s", length, file->path);
    struct stat found;
    if ((reason == ENOENT || reason == ENOTDIR) &&
        (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode))) {
        return fail(error, "%.200s: cannot be written: there is no folder %.200s", file->path,
                    folder);
    }
    return fail(error, "%.300s: cannot be written: %s", file->path,
                reason == ENOENT ? "its folder takes no new files" : strerror(reason));
}

static bool open_temporary(AtomicFile *file, mode_t mode, BillowError *error)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < NAMES_MAX; attempt++) {
        char name[LEFTOVERS_NAME];
        leftovers_name(attempt, name);
        int written = snprintf(file->temporary, sizeof file->temporary, "%.*s%s",
                               (int)folder_length(file->path), file->path, name);
        if (written < 0 || (size_t)written >= sizeof file->temporary)
            return too_long(file->path, error);
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 ? leftovers_hold(descriptor) : errno != EEXIST)
            break;
        if (descriptor >= 0)
            close(descriptor);
        descriptor = -1;
        errno = EEXIST;
    }
    if (descriptor < 0)
        return cannot_create(file, errno, error);
    if (mode != 0)
        (void)fchmod(descriptor, mode); /* best effort: a file system may know no modes */
    file->stream = fdopen(descriptor, "wb");
    file->held = file->stream != NULL ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (file->held < 0) {
        int reason = errno;
        if (file->stream != NULL)
            fclose(file->stream);
        else
            close(descriptor);
        unlink(file->temporary);
        file->stream = NULL;
        return cannot_create(file, reason, error);
    }
    return true;
}

/* What stands at the path already: may it be written to, and is it a device or pipe, which cannot
 * be replaced? mode is that of a file that is replaced, or 0. */
static bool examine(const AtomicFile *file, bool *direct, mode_t *mode, BillowError *error)
{
    struct stat status;
    *direct = false;
    *mode = 0;
    if (stat(file->path, &status) != 0) {
        size_t length = strlen(file->path);
        if (file->path[length - 1] == '/') {
            return fail(error,
                        "%.300s: cannot be written: there is no such folder, and no file "
                        "name after it",
                        file->path);
        }
        return true;
    }
    if (S_ISDIR(status.st_mode))
        return fail(error, "%.300s: cannot be written: it is a folder", file->path);
    if (faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0)
        return cannot_create(file, errno, error);
    *direct = !S_ISREG(status.st_mode);
    *mode = *direct ? 0 : status.st_mode & 0777;
    return true;
}

static bool is_pipe(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* A pipe waits for its reader, or for a signal, with which open would begin anew. */
static bool open_direct(AtomicFile *file, BillowError *error)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    const int how = O_WRONLY | O_NONBLOCK | O_CLOEXEC;
    int descriptor = open(file->path, how);
    while (descriptor < 0 && errno == ENXIO && is_pipe(file->path)) {
        if (interrupt_seen() != 0)
            return fail(error, "%.300s: cannot be written: nobody reads from this pipe",
                        file->path);
        nanosleep(&nap, NULL);
        descriptor = open(file->path, how);
    }
    if (descriptor < 0 || fcntl(descriptor, F_SETFL, 0) != 0 || /* its writes do wait */
        (file->stream = fdopen(descriptor, "wb")) == NULL) {
        int reason = errno;
        if (descriptor >= 0)
            close(descriptor);
        return cannot_create(file, reason, error);
    }
    return true;
}

bool atomic_file_open(AtomicFile *file, const char *path, BillowError *error)
{
    if (strcmp(path, "-") == 0) {
        *file = (AtomicFile){.stream = stdout, .path = "standard output"};
        return true;
    }
    bool direct;
    mode_t mode;
    if (!resolve(file, path, error) || !examine(file, &direct, &mode, error))
        return false;
    return direct ? open_direct(file, error) : open_temporary(file, mode, error);
}

void atomic_file_put(AtomicFile *file, const void *bytes, size_t count)
{
    errno = 0;
    if (fwrite(bytes, 1, count, file->stream) != count && file->reason == 0)
        file->reason = errno;
}

/* Everything to the device; 0 or the error's number. EIO stands for a write that failed earlier and
 * whose reason is gone. */
static int flush(const AtomicFile *file)
{
    if (file->reason != 0)
        return file->reason;
    errno = 0;
    if (fflush(file->stream) != 0)
        return errno != 0 ? errno : EIO;
    if (ferror(file->stream))
        return EIO;
    /* EINVAL and ENOTSUP: a file system that has nothing to sync. */
    if (file->temporary[0] != '\0' && fsync(fileno(file->stream)) != 0 && errno != EINVAL &&
        errno != ENOTSUP)
        return errno;
    return 0;
}

/* The folder's entry to the device as well: else a power cut may bring back what was there before.
 * Where that cannot be done the file is whole all the same. */
static void sync_folder(const AtomicFile *file)
{
    char folder[sizeof file->path + 1];
    snprintf(folder, sizeof folder, "%.*s.", (int)folder_length(file->path), file->path);
    int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

/* Once its name is the last one or gone. */
static void let_go(AtomicFile *file)
{
    if (file->temporary[0] != '\0')
        close(file->held);
}

bool atomic_file_commit(AtomicFile *file, BillowError *error)
{
    int reason = flush(file);
    if (!is_standard_output(file) && fclose(file->stream) != 0 && reason == 0)
        reason = errno;
    file->stream = NULL;
    if (reason == 0 && file->temporary[0] != '\0' && rename(file->temporary, file->path) != 0)
        reason = errno;
    if (reason != 0 && file->temporary[0] != '\0')
        unlink(file->temporary);
    let_go(file);
    if (reason != 0)
        return fail(error, "%.300s: could not be written whole: %s", file->path, strerror(reason));
    if (file->temporary[0] != '\0')
        sync_folder(file);
    return true;
}

void atomic_file_abandon(AtomicFile *file)
{
    if (!is_standard_output(file))
        fclose(file->stream);
    file->stream = NULL;
    if (file->temporary[0] != '\0')
        unlink(file->temporary);
    let_go(file);
}

bool atomic_file_probe(const char *path, BillowError *error)
{
    if (strcmp(path, "-") == 0)
        return true;
    AtomicFile file;
    bool direct;
    mode_t mode;
    if (!resolve(&file, path, error) || !examine(&file, &direct, &mode, error))
        return false;
    if (direct)
        return true; /* opening a pipe would wait for its reader */
    struct stat found;
    if (lstat(file.path, &found) != 0 && errno == ENAMETOOLONG)
        return cannot_create(&file, errno, error); /* as its temporary name is not */
    char folder[sizeof file.path];
    snprintf(folder, sizeof folder, "%.*s", (int)folder_length(file.path), file.path);
    leftovers_remove(folder);
    if (!open_temporary(&file, mode, error))
        return false;
    atomic_file_abandon(&file);
    return true;
}

bool atomic_file_stands(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}
