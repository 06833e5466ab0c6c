/* SPDX-License-Identifier: MIT */
#include "picture_file.h"

#include <string.h>

static const char comments[] =
    "Linear radiance before exposure (times billow:exposure it is what the picture shows), "
    "premultiplied. transmittance: what comes through the smoke. smoke.Z: mean distance of the "
    "smoke seen; Z: distance of the solid or the ground behind it; metres along the view axis, "
    "1e10 where there is none.";

int picture_file_ask(RenderFrame *frame, bool exr)
{
    frame->linear = frame->depth = exr;
    return exr ? 0 : frame->transparent ? 4 : 3;
}

bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame, bool exr,
                       float exposure, BillowError *error)
{
    *file = (PictureFile){.path = path};
    if (!exr)
        return image_create(&file->image, frame->width, frame->height, frame->transparent ? 4 : 3,
                            error);
    const ExrPicture picture = {.width = frame->width,
                                .height = frame->height,
                                .channel_count = 9,
                                .channels = {{"R", true, 4},
                                             {"G", true, 4},
                                             {"B", true, 4},
                                             {"A", true, 4},
                                             {"transmittance.R", true, 4},
                                             {"transmittance.G", true, 4},
                                             {"transmittance.B", true, 4},
                                             {"smoke.Z", false, 4},
                                             {"Z", false, 1}},
                                .comments = comments,
                                .exposure = exposure};
    file->exr = exr_file_open(path, &picture, error);
    return file->exr != NULL;
}

bool picture_file_take(void *context, const Band *band, BillowError *error)
{
    PictureFile *file = context;
    if (file->exr == NULL) {
        size_t row = (size_t)file->image.width * (size_t)file->image.channels;
        memcpy(file->image.pixels + (size_t)band->first * row, band->pixels,
               (size_t)band->rows * row);
        return true;
    }
    const float *color = band->linear, *through = band->through;
    const float *const values[] = {color,       color + 1,   color + 2,   color + 3,    through,
                                   through + 1, through + 2, through + 3, band->surface};
    return exr_file_write(file->exr, band->rows, values, error);
}

bool picture_file_close(PictureFile *file, bool good, BillowError *error)
{
    if (file->exr != NULL)
        good = exr_file_close(file->exr, good, error);
    else
        good = good && image_write_png(&file->image, file->path, error);
    image_destroy(&file->image);
    return good;
}
