/* SPDX-License-Identifier: MIT */
#include "io/image.h"
#include "base/fail.h"
#include "base/system.h"
#include "io/atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <png.h>
#include <stdlib.h>

enum { EDGE_MAX = 65535 };

bool image_create(Image *image, int width, int height, int channels, BillowError *error)
{
    assert(channels == 3 || channels == 4);
    *image = (Image){0};
    if (width < 1 || height < 1 || width > EDGE_MAX || height > EDGE_MAX) {
        return fail(error, "a picture of %d x %d pixels: each edge must be 1 to %d", width, height,
                    EDGE_MAX);
    }
    if ((uint64_t)width * (uint64_t)height * (uint64_t)channels > UINT32_MAX) /* limit of libpng */
        return fail(error, "a picture of %d x %d pixels: it may hold at most 4 GB", width, height);
    uint8_t *pixels = calloc((size_t)width * (size_t)height, (size_t)channels);
    if (pixels == NULL)
        return fail(error, "not enough memory for a picture of %d x %d pixels", width, height);
    *image = (Image){.width = width, .height = height, .channels = channels, .pixels = pixels};
    return true;
}

void image_destroy(Image *image)
{
    free(image->pixels);
    *image = (Image){0};
}

bool image_write_png(const Image *image, const char *path, BillowError *error)
{
    AtomicFile file;
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = image->channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    if (!atomic_file_open(&file, path, error))
        return false;
    errno = 0;
    if (png_image_write_to_stdio(&png, file.stream, 0, image->pixels, 0, NULL))
        return atomic_file_commit(&file, error);
    const char *reason = errno != 0 ? system_write_reason(errno) : png.message;
    atomic_file_abandon(&file);
    return fail(error, "%.200s: could not be written completely: %s", file.path, reason);
}

bool image_read_png_bytes(Image *image, const void *bytes, size_t length, int channels,
                          const char *name, BillowError *error)
{
    png_image source = {.version = PNG_IMAGE_VERSION};
    *image = (Image){0};
    if (!png_image_begin_read_from_memory(&source, bytes, length))
        return fail(error, "%.200s: cannot be read: %s", name, source.message);
    if (channels == 0)
        channels = (source.format & PNG_FORMAT_FLAG_ALPHA) != 0 ? 4 : 3;
    source.format = channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    if (!image_create(image, (int)source.width, (int)source.height, channels, error)) {
        png_image_free(&source);
        return false;
    }
    if (png_image_finish_read(&source, NULL, image->pixels, 0, NULL))
        return true;
    image_destroy(image);
    return fail(error, "%.200s: cannot be read: %s", name, source.message);
}
