/* SPDX-License-Identifier: MIT */
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "paths.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The folder of a path, as it is without links; NULL where there is none. */
static const char *folder_of(const char *path, char folder[PATH_MAX])
{
    char shown[PATHS_SIZE];
    snprintf(shown, sizeof shown, "%.*s.", (int)(last_part(path) - path), path);
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
    enum { LINKS_MAX = 40 }; /* as the kernel allows */
    for (int hop = 0; hop < LINKS_MAX; hop++) {
        char target[PATHS_SIZE];
        struct stat status;
        if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
            return PATHS_ENDS;
        ssize_t length = readlink(path, target, sizeof target);
        if (length < 0)
            return PATHS_ENDS; /* no link; whatever else is wrong shows when the file is opened */
        size_t folder = target[0] == '/' ? 0 : (size_t)(last_part(path) - path);
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
        if (tolower((unsigned char)name[length - last + c]) != ending[c])
            return false;
    return true;
}

/* Whether two paths at which nothing stands yet are one. */
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
           strcmp(last_part(ends[0]), last_part(ends[1])) == 0;
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
