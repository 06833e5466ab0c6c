/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "capture_name.h"

#include "fail.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NUMBER_MAX 9999

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* The scene's name as part of a file's name. */
static void plain_name(const char *name, char plain[64])
{
    int length = 0;
    for (; name[length] != 0 && length < 63; length++) {
        unsigned char letter = (unsigned char)name[length];
        plain[length] = isalnum(letter) || letter == '-' ? (char)letter : '_';
    }
    plain[length] = 0;
}

bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error)
{
    char plain[64];
    plain_name(of->scene[0] != 0 ? of->scene : "billow", plain);
    for (int number = 1; number <= NUMBER_MAX; number++) {
        snprintf(name, name_size, "%s%s-%0*d%s", of->prefix, plain, of->digits, number, of->ending);
        int length = strcmp(of->folder, ".") == 0
                         ? snprintf(path, path_size, "%s", name)
                         : snprintf(path, path_size, "%s/%s", of->folder, name);
        if (length < 0 || (size_t)length >= path_size)
            return fail(error, "%.200s...: the folder's name is too long", of->folder);
        if (!exists(path))
            return true;
    }
    return fail(error, "%.300s holds %d %s of %s already; move some away", of->folder, NUMBER_MAX,
                of->plural, plain);
}
