/* SPDX-License-Identifier: MIT
 *
 * The contents of a folder. */
#ifndef IO_FOLDER_H
#define IO_FOLDER_H

#include "io/paths.h"

enum { FOLDER_MAX = 20000 };

typedef struct FolderEntry {
    char *name;
    bool folder;
} FolderEntry;

typedef struct Folder {
    char path[PATHS_SIZE]; /* absolute, without symbolic links */
    FolderEntry *entries;  /* folders first, both in the order of the alphabet, whatever the case */
    int count;
    bool more; /* there are more than FOLDER_MAX, which are left out */
} Folder;

/* Reads a folder, without files whose names start with a dot. On failure *folder is unchanged, and
 * the message starts with the path. */
bool folder_read(const char *path, Folder *folder, BillowError *error);
void folder_free(Folder *folder); /* {0} is fine */

#endif
