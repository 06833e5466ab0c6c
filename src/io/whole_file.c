/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "whole_file.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -1 with a message. Without O_NONBLOCK, opening a pipe that nobody writes to would wait. */
static int open_ordinary(const char *path, size_t most, size_t *size, BillowError *error)
{
    struct stat found;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &found) == 0;
    if (!good)
        fail(error, "cannot be opened: %s", strerror(errno));
    else if (!S_ISREG(found.st_mode))
        good = fail(error, "cannot be opened: it is %s",
                    S_ISDIR(found.st_mode) ? "a folder" : "no ordinary file");
    else if (found.st_size < 0 || (unsigned long long)found.st_size > most)
        good = fail(error, "holds %.4g MB; at most %.4g MB are read", (double)found.st_size * 1e-6,
                    (double)most * 1e-6);
    if (good) {
        *size = (size_t)found.st_size;
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

bool whole_file_check(const char *path, size_t most, BillowError *error)
{
    size_t size;
    int file = open_ordinary(path, most, &size, error);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/* How many bytes there were, which may be fewer by now; -1 where reading fails. */
static ptrdiff_t read_all(int file, char *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(file, bytes + length, size - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ptrdiff_t)length;
}

char *whole_file_read(const char *path, size_t most, size_t *length, BillowError *error)
{
    BillowError reason;
    size_t size;
    int file = open_ordinary(path, most, &size, &reason);
    if (file < 0) {
        fail(error, "%.300s: %s", path, reason.text);
        return NULL;
    }
    char *bytes = malloc(size + 1);
    ptrdiff_t got = bytes != NULL ? read_all(file, bytes, size) : 0;
    if (bytes == NULL)
        fail(error, "%.300s: not enough memory to read its %zu bytes", path, size);
    else if (got < 0)
        fail(error, "%.300s: cannot be read: %s", path, strerror(errno));
    close(file);
    if (bytes == NULL || got < 0) {
        free(bytes);
        return NULL;
    }
    bytes[got] = '\0';
    *length = (size_t)got;
    return bytes;
}
