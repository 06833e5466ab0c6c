/* SPDX-License-Identifier: MIT */
#include "io/picture_format.h"

#include "base/fail.h"
#include "io/paths.h"

#include <stdio.h>
#include <string.h>

static const PictureFormat formats[] = {
    {.ending = ".png",
     .standard_output = "-",
     .storage = PICTURE_BYTES,
     .alpha = true,
     .write = image_write_png},
    {.ending = ".tga", .storage = PICTURE_BYTES, .alpha = true, .write = image_write_tga},
    {.ending = ".jpg", .storage = PICTURE_BYTES, .write = image_write_jpg},
    {.ending = ".exr",
     .standard_output = "exr:-",
     .storage = PICTURE_FLOATS,
     .alpha = true,
     .open = exr_file_open,
     .available = exr_file_available},
    {.ending = ".mp4", .storage = PICTURE_VIDEO, .even = true, .video = VIDEO_MP4},
    {.ending = ".webm", .storage = PICTURE_VIDEO, .alpha = true, .video = VIDEO_WEBM},
    {.ending = ".mov", .storage = PICTURE_VIDEO, .alpha = true, .even = true, .video = VIDEO_MOV},
    /* Browsers play pictures that are shown for 0.01 s or less at only 10 per second. */
    {.ending = ".webp",
     .storage = PICTURE_VIDEO,
     .alpha = true,
     .silent = true,
     .fps_most = 90,
     .video = VIDEO_WEBP},
    {.ending = ".apng",
     .storage = PICTURE_VIDEO,
     .alpha = true,
     .silent = true,
     .fps_most = 90,
     .video = VIDEO_APNG},
    {.ending = ".gif",
     .storage = PICTURE_VIDEO,
     .silent = true,
     .fps_most = 50,
     .video = VIDEO_GIF},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

const PictureFormat *picture_format(const char *name)
{
    for (int f = 0; f < FORMATS; f++) {
        const char *stream = formats[f].standard_output;
        if (paths_end_in(name, formats[f].ending) || (stream != NULL && strcmp(name, stream) == 0))
            return &formats[f];
    }
    return NULL;
}

void picture_format_endings(char *text, size_t size)
{
    size_t used = 0;
    for (int f = 0; f < FORMATS && used < size; f++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 f == 0             ? ""
                                 : f == FORMATS - 1 ? " or "
                                                    : ", ",
                                 formats[f].ending);
}

void picture_format_fit(const PictureFormat *format, int *width, int *height)
{
    if (!format->even)
        return;
    *width += *width % 2;
    *height += *height % 2;
}

bool picture_format_check_alpha(const PictureFormat *format, const char *path, const char *instead,
                                BillowError *error)
{
    return format->alpha ||
           fail(error, "%.200s: %s files keep no transparency; write a %s%s%s", path,
                format->ending, format->storage == PICTURE_VIDEO ? ".webm" : ".png",
                instead != NULL ? ", or " : "", instead != NULL ? instead : "");
}
