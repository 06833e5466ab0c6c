/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, strdup, strcasecmp */
#include "io/folder.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static int by_name(const void *one, const void *other)
{
    const FolderEntry *a = one, *b = other;
    if (a->folder != b->folder)
        return a->folder ? -1 : 1;
    int order = strcasecmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static bool is_folder(const char *path, const char *name)
{
    char whole[PATHS_SIZE];
    struct stat status;
    int length = snprintf(whole, sizeof whole, "%s/%s", path, name);
    return length > 0 && length < (int)sizeof whole && stat(whole, &status) == 0 &&
           S_ISDIR(status.st_mode);
}

/* Returns false if memory is short. */
static bool add(Folder *folder, size_t *room, const char *name)
{
    FolderEntry *longer =
        grow(folder->entries, room, (size_t)folder->count + 1, sizeof *folder->entries);
    if (longer == NULL)
        return false;
    folder->entries = longer;
    char *copy = strdup(name);
    if (copy == NULL)
        return false;
    folder->entries[folder->count++] = (FolderEntry){copy, is_folder(folder->path, name)};
    return true;
}

bool folder_read(const char *path, Folder *folder, BillowError *error)
{
    Folder found = {.entries = NULL};
    char whole[PATH_MAX];
    size_t room = 0;
    DIR *stream = realpath(path, whole) != NULL ? opendir(whole) : NULL;
    if (stream == NULL)
        return fail(error, "%.300s: cannot be opened: %s", path, english_error(errno));
    snprintf(found.path, sizeof found.path, "%s", whole);
    bool good = true;
    for (struct dirent *entry = readdir(stream); good && entry != NULL; entry = readdir(stream)) {
        found.more = found.count == FOLDER_MAX;
        if (found.more)
            break;
        if (entry->d_name[0] != '.')
            good = add(&found, &room, entry->d_name);
    }
    closedir(stream);
    if (!good) {
        folder_free(&found);
        return fail(error, "%.300s: not enough memory for its list", path);
    }
    if (found.count > 1)
        qsort(found.entries, (size_t)found.count, sizeof *found.entries, by_name);
    folder_free(folder);
    *folder = found;
    return true;
}

void folder_free(Folder *folder)
{
    for (int e = 0; e < folder->count; e++)
        free(folder->entries[e].name);
    free(folder->entries);
    *folder = (Folder){.entries = NULL};
}
