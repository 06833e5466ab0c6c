/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* flock, dirent */
#include "leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void leftovers_name(int number, char name[LEFTOVERS_NAME])
{
    snprintf(name, LEFTOVERS_NAME, ".billow-%ld-%d.tmp", (long)getpid(), number);
}

static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);
    bool same = strncmp(*at, word, length) == 0;
    *at += same ? length : 0;
    return same;
}

static bool take_number(const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    *at += digits;
    return digits > 0;
}

static bool is_name(const char *name)
{
    return take(&name, ".billow-") && take_number(&name) && take(&name, "-") &&
           take_number(&name) && strcmp(name, ".tmp") == 0;
}

bool leftovers_hold(int descriptor)
{
    struct stat status;
    /* A file system without locks: nobody can take it for a leftover then. */
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor, &status) != 0 ||
           status.st_nlink > 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static void remove_unheld(int folder, const char *name)
{
    struct stat opened, named;
    int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && same_file(&opened, &named))
        (void)unlinkat(folder, name, 0);
    close(descriptor);
}

void leftovers_remove(const char *folder)
{
    DIR *entries = opendir(folder[0] != '\0' ? folder : ".");
    if (entries == NULL)
        return; /* a folder may take files and not be read */
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        if (is_name(entry->d_name))
            remove_unheld(dirfd(entries), entry->d_name);
    closedir(entries);
}
