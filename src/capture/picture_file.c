/* SPDX-License-Identifier: MIT */
#include "capture/picture_file.h"

#include "base/fail.h"
#include "base/number.h"
#include "base/srgb.h"
#include "render/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reduce_open(Reduce *reduce, int factor, int width, BillowError *error)
{
    *reduce = (Reduce){.factor = factor};
    if (factor == 1)
        return true;
    for (int byte = 0; byte < 256; byte++)
        reduce->linear[byte] = srgb_light((uint8_t)byte);
    reduce->sums = calloc((size_t)width * 4, sizeof *reduce->sums);
    return reduce->sums != NULL ||
           fail(error, "picture: no memory for samples of %d pixels", width);
}

static void reduce_close(Reduce *reduce)
{
    free(reduce->sums);
    reduce->sums = NULL;
}

static void add_row(Reduce *reduce, const uint8_t *pixels, const Image *image)
{
    int channels = image->channels;
    for (int x = 0; x < image->width * reduce->factor; x++) {
        const uint8_t *pixel = pixels + (size_t)x * (size_t)channels;
        float *sum = reduce->sums + 4 * (x / reduce->factor);
        float alpha = channels == 4 ? (float)pixel[3] / 255 : 1;
        for (int c = 0; c < 3; c++)
            sum[c] += alpha * reduce->linear[pixel[c]];
        sum[3] += alpha;
    }
}

static void finish_row(Reduce *reduce, Image *image, int row)
{
    int channels = image->channels;
    float samples = (float)(reduce->factor * reduce->factor);
    for (int x = 0; x < image->width; x++) {
        const float *sum = reduce->sums + 4 * x;
        uint8_t *pixel =
            image->pixels + ((size_t)row * (size_t)image->width + (size_t)x) * (size_t)channels;
        for (int c = 0; c < 3; c++)
            pixel[c] = sum[3] > 0 ? srgb_byte(sum[c] / sum[3]) : 0;
        if (channels == 4)
            pixel[3] = (uint8_t)(255 * sum[3] / samples + 0.5f);
    }
    memset(reduce->sums, 0, (size_t)image->width * 4 * sizeof *reduce->sums);
}

#define COMMENTS                                                                                   \
    "Linear radiance before exposure, premultiplied; the picture shows it times billow:exposure. " \
    "transmittance: share of the light from behind that passes the smoke. smoke.Z: mean distance " \
    "of the visible smoke; Z: distance of the solid or the ground behind it; metres along the "    \
    "view axis, 1e10 where there is none."

enum { CHANNELS = 9 }; /* number of channels of a picture without a slice */

int picture_file_ask(RenderFrame *frame, const PictureFormat *format)
{
    const bool floats = format->storage == PICTURE_FLOATS;
    frame->linear = frame->depth = floats;
    return floats ? 0 : frame->transparent ? 4 : 3;
}

/* Sets the slice, and the camera and box that locate it in a pixel. */
static void set_slice(PictureFile *file, const RenderFrame *frame, const RenderSettings *render,
                      const BillowView *view)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    for (int axis = 0; axis < 3; axis++) {
        file->low[axis] = view->origin[axis];
        file->high[axis] = view->origin[axis] + (float)n[axis] * view->cell_size;
    }
    file->width = frame->width;
    file->height = frame->height;
    file->camera = camera_from_settings(&render->camera, frame->width, frame->height);
    file->slice = frame->slice.field;
}

bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame,
                       const PictureFormat *format, int finer, const RenderSettings *render,
                       const BillowView *view, const float *motion, BillowError *error)
{
    *file = (PictureFile){.format = format, .path = path};
    if (format->storage != PICTURE_FLOATS) {
        bool good = reduce_open(&file->reduce, finer, frame->width / finer, error) &&
                    image_create(&file->image, frame->width / finer, frame->height / finer,
                                 frame->transparent ? 4 : 3, error);
        if (!good)
            reduce_close(&file->reduce);
        return good;
    }
    char comments[640] = COMMENTS;
    FloatPicture picture = {.width = frame->width,
                            .height = frame->height,
                            .channel_count = CHANNELS,
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
                            .exposure = render_exposure(render)};
    if (motion != NULL) {
        file->motion = motion;
        file->width = frame->width;
        picture.channels[picture.channel_count++] =
            (FloatChannel){"forward.u", false, MOTION_VECTOR_FLOATS};
        picture.channels[picture.channel_count++] =
            (FloatChannel){"forward.v", false, MOTION_VECTOR_FLOATS};
        strncat(comments,
                " forward.u, forward.v: motion of smoke and solids until the next frame, to the "
                "right and upwards, pixels.",
                sizeof comments - strlen(comments) - 1);
    }
    if (frame->slice.field != NULL) {
        const size_t said = strlen(comments);
        const FieldMeaning *meaning = field_meaning(frame->slice.field->kind);
        set_slice(file, frame, render, view);
        char *name = file->slice_name;
        snprintf(name, sizeof file->slice_name, "slice.%s", meaning->name);
        picture.channels[picture.channel_count++] = (FloatChannel){name, false, 2};
        picture.channels[picture.channel_count++] = (FloatChannel){"slice.Z", false, 2};
        number_print(comments + said, sizeof comments - said,
                     " %s: %s%s%s on %c = %g m, at distance slice.Z", name, meaning->name,
                     meaning->unit[0] != 0 ? " in " : "", meaning->unit,
                     'x' + frame->slice.field->axis, (double)frame->slice.field->position);
    }
    file->floats = format->open(path, &picture, error);
    return file->floats != NULL;
}

/* Computes the value and the distance of the slice in each pixel of a band. */
static void fill_slice(const PictureFile *file, const Band *band, float *values)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < band->rows; y++)
        for (int x = 0; x < file->width; x++) {
            float *out = values + 2 * ((size_t)y * (size_t)file->width + (size_t)x);
            float across = (2 * (float)x + 1) / (float)file->width - 1;
            float up = 1 - (2 * (float)(band->first + y) + 1) / (float)file->height;
            if (!field_slice_seen(file->slice, &file->camera, file->low, file->high, across, up,
                                  out, out + 1)) {
                out[0] = 0;
                out[1] = 1e10f;
            }
        }
}

bool picture_file_take(void *context, const Band *band, BillowError *error)
{
    PictureFile *file = context;
    const size_t row = (size_t)file->image.width * (size_t)file->image.channels;
    const int factor = file->reduce.factor;
    if (file->reduce.sums != NULL) {
        for (int y = 0; y < band->rows; y++) {
            const int at = band->first + y;
            add_row(&file->reduce, band->pixels + (size_t)(y * factor) * row, &file->image);
            if (at % factor == factor - 1)
                finish_row(&file->reduce, &file->image, at / factor);
        }
        return true;
    }
    if (file->floats == NULL) {
        memcpy(file->image.pixels + (size_t)band->first * row, band->pixels,
               (size_t)band->rows * row);
        return true;
    }
    const float *color = band->linear, *through = band->through;
    const float *values[FLOAT_CHANNELS_MAX] = {color,       color + 1,   color + 2,
                                               color + 3,   through,     through + 1,
                                               through + 2, through + 3, band->surface};
    int count = CHANNELS;
    if (file->motion != NULL) {
        const float *vectors =
            file->motion + MOTION_VECTOR_FLOATS * (size_t)file->width * (size_t)band->first;
        values[count++] = vectors;
        values[count++] = vectors + 1;
    }
    if (file->slice == NULL)
        return file->floats->write(file->floats, band->rows, values, error);
    size_t pixels = (size_t)file->width * (size_t)band->rows;
    float *slice = malloc(2 * pixels * sizeof *slice);
    if (slice == NULL)
        return fail(error, "picture: no memory for a slice's values in %d rows", band->rows);
    fill_slice(file, band, slice);
    values[count] = slice;
    values[count + 1] = slice + 1;
    bool good = file->floats->write(file->floats, band->rows, values, error);
    free(slice);
    return good;
}

bool picture_file_close(PictureFile *file, bool good, BillowError *error)
{
    if (file->floats != NULL)
        good = file->floats->close(file->floats, good, error);
    else
        good = good && file->format->write(&file->image, file->path, error);
    picture_file_free(file);
    return good;
}

void picture_file_free(PictureFile *file)
{
    reduce_close(&file->reduce);
    image_destroy(&file->image);
}
