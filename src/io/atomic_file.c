/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* flock, dirent */
#include "io/atomic_file.h"
#include "base/fail.h"
#include "base/system.h"
#include "io/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#include <time.h>
#include <unistd.h>

enum { NAMES_MAX = 1000 }; /* names tried for the temporary file */

/* -- temporary files ---------------------------------------------------------------------------
 *
 * A process that is killed leaves its temporary files behind. A living one holds a lock (flock) on
 * each of its own. The lock ends with the process however it ends, and other machines and
 * containers that share the folder see it, to whom a process number would mean nothing. */

/* Locks a temporary file that was just created. Returns false if another process has removed the
 * file before it was locked, as a leftover of a killed process. If the file system has no locks,
 * returns true: other processes then cannot lock leftovers and do not remove them. */
static bool hold(int descriptor)
{
    struct stat status;
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor, &status) != 0 ||
           status.st_nlink > 0;
}

/* Removes an ordinary file of this user that no process has locked. */
static void remove_unheld(int folder, const char *name)
{
    struct stat opened, named;
    int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&
        opened.st_ino == named.st_ino)
        (void)unlinkat(folder, name, 0);
    close(descriptor);
}

/* Removes temporary files that killed processes have left in a folder; "" is the current folder. */
static void remove_leftovers(const char *folder)
{
    DIR *entries = opendir(folder[0] != '\0' ? folder : ".");
    if (entries == NULL)
        return; /* a folder may be writable but not readable */
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        int length = 0;
        sscanf(entry->d_name, "billow-%*[0-9]-%*[0-9].tmp%n", &length);
        if (length > 0 && entry->d_name[length] == '\0')
            remove_unheld(dirfd(entries), entry->d_name);
    }
    closedir(entries);
}

/* Whether files that stand may be replaced. */
static bool replaces_others = true;

void atomic_file_keep_others(void)
{
    replaces_others = false;
}

/* -- writing ----------------------------------------------------------------------------------- */

static bool is_standard_output(const AtomicFile *file)
{
    return file->stream == stdout;
}

static bool too_long(const char *path, BillowError *error)
{
    return fail(error, "%.200s...: this path is too long", path);
}

/* Length of the folder in a path, with its slash; 0 for the current folder. */
static size_t folder_length(const char *path)
{
    return (size_t)(paths_last_part(path) - path);
}

static bool resolve(AtomicFile *file, const char *path, BillowError *error)
{
    *file = (AtomicFile){.stream = NULL};
    if (strlen(path) >= sizeof file->path)
        return too_long(path, error);
    if (path[0] == '\0')
        return fail(error, "the name of the file to write is empty");
    strcpy(file->path, path);
    PathsEnd end = paths_follow(file->path); /* if the path is a symbolic link, replaces the link's
                                                target and not the link */
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
                reason == ENOENT ? "no files can be created in its folder" : english_error(reason));
}

static bool open_temporary(AtomicFile *file, mode_t mode, BillowError *error)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < NAMES_MAX; attempt++) {
        int written = snprintf(file->temporary, sizeof file->temporary, "%.*sbillow-%ld-%d.tmp",
                               (int)folder_length(file->path), file->path, (long)getpid(), attempt);
        if (written < 0 || (size_t)written >= sizeof file->temporary)
            return too_long(file->path, error);
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 ? hold(descriptor) : errno != EEXIST)
            break;
        if (descriptor >= 0)
            close(descriptor);
        descriptor = -1;
        errno = EEXIST;
    }
    if (descriptor < 0)
        return cannot_create(file, errno, error);
    if (mode != 0)
        (void)fchmod(descriptor, mode); /* ignored: some file systems have no permissions */
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

/* Examines the file at the path. *direct: whether it is a device or a pipe, which cannot be
 * replaced. *mode: permissions of an ordinary file, which will be replaced; otherwise 0. Returns
 * false if the file may not be written to. */
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

/* Opens a device or a pipe. A pipe is opened without blocking, repeatedly until it has a reader, so
 * that a signal can end the wait. */
static bool open_direct(AtomicFile *file, BillowError *error)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    const int how = O_WRONLY | O_NONBLOCK | O_CLOEXEC;
    struct stat status;
    int descriptor = open(file->path, how);
    while (descriptor < 0 && errno == ENXIO && stat(file->path, &status) == 0 &&
           S_ISFIFO(status.st_mode)) {
        if (system_interrupted())
            return fail(error, "%.300s: cannot be written: no program reads from this pipe",
                        file->path);
        nanosleep(&nap, NULL);
        descriptor = open(file->path, how);
    }
    if (descriptor < 0 || fcntl(descriptor, F_SETFL, 0) != 0 || /* later writes block */
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
    file->replaces = replaces_others;
    return direct ? open_direct(file, error) : open_temporary(file, mode, error);
}

void atomic_file_put(AtomicFile *file, const void *bytes, size_t count)
{
    errno = 0;
    if (fwrite(bytes, 1, count, file->stream) != count && file->reason == 0)
        file->reason = errno;
}

/* Unlocks a file on NFS, where a lock keeps other machines from writing and MPI-IO from locking. */
static void unlock_on_network(int descriptor)
{
#ifdef __linux__
    enum { NFS = 0x6969 };
    struct statfs status;
    if (fstatfs(descriptor, &status) == 0 && status.f_type == NFS)
        (void)flock(descriptor, LOCK_UN);
#else
    (void)descriptor;
#endif
}

bool atomic_file_share(AtomicFile *file, uint64_t bytes, BillowError *error)
{
    errno = 0;
    int reason = file->reason;
    if (reason == 0 && fflush(file->stream) != 0)
        reason = errno != 0 ? errno : EIO;
    if (reason == 0)
        reason = posix_fallocate(fileno(file->stream), 0, (off_t)bytes);
    if (reason != 0 && reason != EINVAL && reason != EOPNOTSUPP)
        return fail(error, "%.300s: could not be written completely: %s", file->path,
                    system_write_reason(reason));
    unlock_on_network(file->held);
    return true;
}

void atomic_file_seek(AtomicFile *file, uint64_t offset)
{
    if (fseeko(file->stream, (off_t)offset, SEEK_SET) != 0 && file->reason == 0)
        file->reason = errno;
}

/* Flushes the file to the device. Returns 0 or an errno, EIO if a write failed without one. */
static int flush(const AtomicFile *file)
{
    if (file->reason != 0)
        return file->reason;
    errno = 0;
    if (fflush(file->stream) != 0)
        return errno != 0 ? errno : EIO;
    if (ferror(file->stream))
        return EIO;
    /* EINVAL and ENOTSUP mean that the file system cannot sync. They are ignored. */
    if (file->temporary[0] != '\0' && fsync(fileno(file->stream)) != 0 && errno != EINVAL &&
        errno != ENOTSUP)
        return errno;
    return 0;
}

/* Flushes the folder, because a power cut may otherwise bring the old file back. A failure is
 * ignored, because the file itself is complete. */
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

/* Releases the lock of the temporary file, which has its final name by now or is removed. */
static void let_go(AtomicFile *file)
{
    if (file->temporary[0] != '\0')
        close(file->held);
}

/* Gives the complete file its name. Returns 0 or an errno; EEXIST if a file is there that may not
 * be replaced. rename() would replace it, link() does not. */
static int give_name(const AtomicFile *file)
{
    if (!file->replaces) {
        struct stat found;
        if (link(file->temporary, file->path) == 0) {
            (void)unlink(file->temporary); /* the file is whole; the next run removes a leftover */
            return 0;
        }
        /* Some file systems have no links. */
        if (errno == EEXIST || lstat(file->path, &found) == 0)
            return EEXIST;
    }
    return rename(file->temporary, file->path) == 0 ? 0 : errno;
}

bool atomic_file_commit(AtomicFile *file, BillowError *error)
{
    int reason = flush(file);
    if (!is_standard_output(file) && fclose(file->stream) != 0 && reason == 0)
        reason = errno;
    file->stream = NULL;
    if (reason == 0 && file->temporary[0] != '\0')
        reason = give_name(file);
    if (reason != 0 && file->temporary[0] != '\0')
        unlink(file->temporary);
    let_go(file);
    if (reason == EEXIST)
        return fail(error,
                    "%.300s: another program has written it meanwhile; --force overwrites it",
                    file->path);
    if (reason != 0)
        return fail(error, "%.300s: could not be written completely: %s", file->path,
                    system_write_reason(reason));
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
        /* The probe below would not notice: the name of its temporary file may be shorter. */
        return cannot_create(&file, errno, error);
    char folder[sizeof file.path];
    snprintf(folder, sizeof folder, "%.*s", (int)folder_length(file.path), file.path);
    remove_leftovers(folder);
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
