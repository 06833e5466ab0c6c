/* SPDX-License-Identifier: MIT
 * Tries a target on files and on all files of folders: `replay_scene seeds/scene findings/scene`.
 * After `--reach STAGE` it fails if no input came so far, as seeds of an old format would not. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool try_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
        perror(path);
        return false;
    }
    long length = ftell(stream);
    rewind(stream);
    /* Of its own length, so that sanitizers see what is read past it. */
    uint8_t *data = malloc(length > 0 ? (size_t)length : 1);
    bool read = data != NULL && fread(data, 1, (size_t)length, stream) == (size_t)length;
    fclose(stream);
    if (read) {
        fprintf(stderr, "%s\n", path); /* which one it was, where this ends the program */
        LLVMFuzzerTestOneInput(data, (size_t)length);
    } else {
        perror(path);
    }
    free(data);
    return read;
}

/* How many were tried; -1 where one could not be read. */
static int try_folder(const char *path, DIR *folder)
{
    int count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (!try_file(name))
            return -1;
        count++;
    }
    return count;
}

int main(int count, char **arguments)
{
    int tried = 0, first = 1;
    if (count > 2 && strcmp(arguments[1], "--reach") == 0)
        first = 3;
    for (int a = first; a < count; a++) {
        DIR *folder = opendir(arguments[a]);
        int more = folder != NULL ? try_folder(arguments[a], folder) : try_file(arguments[a]) - 1;
        if (folder != NULL)
            closedir(folder);
        else
            more = more == 0 ? 1 : -1;
        if (more < 0)
            return 1;
        tried += more;
    }
    printf("%d inputs tried\n", tried);
    if (first > 1 && fuzz_counted(arguments[2]) == 0) {
        fprintf(stderr, "no input %s\n", arguments[2]);
        return 1;
    }
    return tried > 0 ? 0 : 1;
}
