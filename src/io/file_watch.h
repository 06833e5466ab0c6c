/* SPDX-License-Identifier: MIT
 *
 * Whether a file is another than it was: asked now and then, by what the system says of it. Editors
 * that write another file and rename it, files that are gone for a moment and those that are being
 * written are all right: a change counts once it looks the same twice in a row. */
#ifndef IO_FILE_WATCH_H
#define IO_FILE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#define FILE_WATCH_PATH 512

typedef struct FileStamp {
    bool there;
    int64_t seconds, nanoseconds, size; /* when it was last written */
    uint64_t device, number;
} FileStamp;

typedef struct FileWatch {
    char path[FILE_WATCH_PATH];
    FileStamp known, seen; /* at the last change, and when asked last */
} FileWatch;

/* From now on: to be called before the file is read, so that no change goes unseen. */
FileWatch file_watch_start(const char *path);

/* Whether it changed, since the start or since this was last true. Not while it is gone. */
bool file_watch_changed(FileWatch *watch);

#endif
