/* SPDX-License-Identifier: MIT
 *
 * Operations on paths and files: comparing paths, reading complete files, and watching files for
 * changes. */
#ifndef IO_PATHS_H
#define IO_PATHS_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- names ------------------------------------------------------------------------------------- */

enum { PATHS_SIZE = 4096 };

/* The name of a file without its folder, in the text of its path. */
const char *paths_last_part(const char *path);

/* Whether a file is in the folder of `beside` or below it. The file `beside` need not exist. name:
 * receives the path of the file from that folder, or its absolute path if the file is elsewhere. */
bool paths_below(const char *beside, const char *file, char name[PATHS_SIZE]);

/* Replaces a path by the target of its chain of symbolic links; the target need not exist. A link
 * to something that is not an ordinary file is not followed, because the target of /dev/stdout, for
 * example, may not be a path. */
typedef enum PathsEnd { PATHS_ENDS, PATHS_ENDS_TOO_LONG, PATHS_ENDS_NOWHERE } PathsEnd;
PathsEnd paths_follow(char path[PATHS_SIZE]);

/* Whether two paths name the same ordinary file, which need not exist. False if either path is NULL
 * or "-" (standard output). */
bool paths_same(const char *one, const char *other);

/* Whether a name ends with `ending` and has at least one character before it. `ending` is in lower
 * case; case in the name is ignored. */
bool paths_end_in(const char *name, const char *ending);

/* Whether a relative path cannot leave the folder in which it starts. Only its text is examined,
 * not the file system. */
bool paths_stay_below(const char *path);

/* -- reading -----------------------------------------------------------------------------------
 *
 * For files that a scene names. Devices, pipes and folders are refused before a byte is read, so
 * that none can hang the program or fill its memory. */

/* Whether a path names an ordinary file of at most `most` bytes. The message does not contain the
 * path. */
bool whole_file_check(const char *path, size_t most, BillowError *error);

/* Reads a complete ordinary file and adds a terminating 0. The caller frees the result. On failure
 * returns NULL and a message that starts with the path. */
char *whole_file_read(const char *path, size_t most, size_t *length, BillowError *error);

/* -- watching ----------------------------------------------------------------------------------
 *
 * A change counts once the file looks the same twice in a row. So files that are being written, are
 * missing for a moment, or are replaced by renaming, as editors do, cause no early report. */

#define FILE_WATCH_PATH 512

typedef struct FileStamp {
    int64_t seconds, nanoseconds; /* time at which the file was last written */
    int64_t size;                 /* bytes; -1: there is no file */
    uint64_t device, number;      /* device and inode of the file */
} FileStamp;

typedef struct FileWatch {
    char path[FILE_WATCH_PATH];
    FileStamp known; /* stamp at the start, or at the last change that was reported */
    FileStamp seen;  /* at the last call */
} FileWatch;

/* Starts watching a file. Call it before reading the file, so that no change is missed. */
FileWatch file_watch_start(const char *path);

/* Whether the file has changed since `file_watch_start`, or since this function last returned true.
 * False while the file is missing. */
bool file_watch_changed(FileWatch *watch);

#endif
