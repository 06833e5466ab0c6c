/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "file_watch.h"

#include <stdio.h>
#include <sys/stat.h>

static FileStamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return (FileStamp){0};
    return (FileStamp){.there = true,
                       .seconds = status.st_mtim.tv_sec,
                       .nanoseconds = status.st_mtim.tv_nsec,
                       .size = status.st_size,
                       .device = (uint64_t)status.st_dev,
                       .number = (uint64_t)status.st_ino};
}

static bool same(const FileStamp *a, const FileStamp *b)
{
    return a->there == b->there && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->size == b->size && a->device == b->device && a->number == b->number;
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
    if (!now.there || !settled || same(&now, &watch->known))
        return false;
    watch->known = now;
    return true;
}
