/* SPDX-License-Identifier: MIT
 * Reads the PNG files that the program writes. */
#ifndef TESTS_PNG_FIXTURE_H
#define TESTS_PNG_FIXTURE_H

#include "io/image.h"
#include "io/paths.h"
#include <stdlib.h>

static inline bool png_read(Image *image, const char *path, BillowError *error)
{
    size_t length;
    char *bytes = whole_file_read(path, (size_t)1 << 30, &length, error);
    *image = (Image){0};
    bool good = bytes != NULL && image_read_png_bytes(image, bytes, length, 0, path, error);
    free(bytes);
    return good;
}

#endif
