/* SPDX-License-Identifier: MIT
 * Files by their paths: which file a path names, what it holds, and whether it has changed. */
#ifndef IO_PATHS_H
#define IO_PATHS_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- names ------------------------------------------------------------------------------------- */

enum { PATHS_SIZE = 4096 };

/* Whether a file lies in the folder of `beside`, which need not exist, or below it. name becomes
 * the path from that folder; otherwise the whole path, as far as it is known. */
bool paths_below(const char *beside, const char *file, char name[PATHS_SIZE]);

/* Replaces path by the end of its chain of symbolic links, whether anything is there or not. Links
 * to other than ordinary files are kept: /dev/stdout may end in something that is no path. */
typedef enum PathsEnd { PATHS_ENDS, PATHS_ENDS_TOO_LONG, PATHS_ENDS_NOWHERE } PathsEnd;
PathsEnd paths_follow(char path[PATHS_SIZE]);

/* Whether two paths name the same ordinary file, existing or not. False where either is NULL or
 * "-", standard output. */
bool paths_same(const char *one, const char *other);

/* Whether a name has the ending and more before it. Capitals in the name do not count; the ending
 * is in small letters. */
bool paths_end_in(const char *name, const char *ending);

/* -- reading -----------------------------------------------------------------------------------
 *
 * For files that a scene names. Devices, pipes and folders are refused before a byte is read, so
 * that none can hang the program or fill its memory. */

/* Whether there is an ordinary file of at most so many bytes. The message is without the path. */
bool whole_file_check(const char *path, size_t most, BillowError *error);

/* The bytes of such a file, with a 0 after them; free them. NULL and a message that begins with the
 * path. */
char *whole_file_read(const char *path, size_t most, size_t *length, BillowError *error);

/* -- watching ----------------------------------------------------------------------------------
 *
 * A change counts once the file looks the same twice in a row. So files that are being written, are
 * missing for a moment, or are replaced by renaming, as editors do, cause no early report. */

#define FILE_WATCH_PATH 512

typedef struct FileStamp {
    bool there;
    int64_t seconds, nanoseconds; /* time of the last write */
    int64_t size;                 /* bytes */
    uint64_t device, number;      /* which file it is (inode) */
} FileStamp;

typedef struct FileWatch {
    char path[FILE_WATCH_PATH];
    FileStamp known; /* at the start or the last reported change */
    FileStamp seen;  /* at the last call */
} FileWatch;

/* Starts watching. Call it before reading the file, so that no change is missed. */
FileWatch file_watch_start(const char *path);

/* Whether the file has changed since the start or since this was last true. False while it is
 * missing. */
bool file_watch_changed(FileWatch *watch);

#endif
