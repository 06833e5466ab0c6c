/* SPDX-License-Identifier: MIT */
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

bool paths_same(const char *one, const char *other)
{
    struct stat a, b;
    char here[PATH_MAX], there[PATH_MAX];
    if (one == NULL || other == NULL || strcmp(one, "-") == 0 || strcmp(other, "-") == 0)
        return false;
    bool stands = stat(one, &a) == 0, other_stands = stat(other, &b) == 0;
    if (stands && other_stands)
        return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return !stands && !other_stands && folder_of(one, here) != NULL &&
           folder_of(other, there) != NULL && strcmp(here, there) == 0 &&
           strcmp(last_part(one), last_part(other)) == 0;
}
