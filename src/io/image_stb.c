/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "io/atomic_file.h"
#include "io/image.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

/* Percent. Above 90, stb keeps colour at full resolution, which thin smoke needs. */
enum { JPEG_QUALITY = 95 };

static void put(void *file, void *bytes, int count)
{
    atomic_file_put(file, bytes, (size_t)count);
}

bool image_write_tga(const Image *image, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    stbi_write_tga_to_func(put, &file, image->width, image->height, image->channels, image->pixels);
    return atomic_file_commit(&file, error);
}

bool image_write_jpg(const Image *image, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    stbi_write_jpg_to_func(put, &file, image->width, image->height, image->channels, image->pixels,
                           JPEG_QUALITY);
    return atomic_file_commit(&file, error);
}
