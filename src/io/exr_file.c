/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "io/picture_format.h"

#include "base/fail.h"

#ifndef BILLOW_OPENEXR

bool exr_file_available(BillowError *error)
{
    return fail(error, "this build of Billow writes no EXR files; install OpenEXR "
                       "(libopenexr-dev) and build it again");
}

FloatFile *exr_file_open(const char *path, const FloatPicture *picture, BillowError *error)
{
    (void)path;
    (void)picture;
    exr_file_available(error);
    return NULL;
}

#else

#include "base/grow.h"
#include "base/system.h"
#include "io/atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

typedef struct ExrFile {
    FloatFile base; /* first member, so that a FloatFile pointer can be cast */
    AtomicFile output;
    exr_context_t context;
    FloatPicture picture;
    int row;        /* next row to be written */
    int64_t place;  /* position in the output stream, bytes */
    bool in_memory; /* whether the output, such as a pipe, cannot seek back to the chunk table; such
                       output is kept in memory until it is complete */
    uint8_t *memory; /* output kept in memory: `length` bytes used, `capacity` allocated */
    size_t length, capacity;
    char problem[256]; /* first failure; empty: none */
} ExrFile;

bool exr_file_available(BillowError *error)
{
    (void)error;
    return true;
}

/* -- output of the library --------------------------------------------------------------------- */

static bool note(ExrFile *file, const char *problem)
{
    if (file->problem[0] == '\0')
        snprintf(file->problem, sizeof file->problem, "%s", problem);
    return false;
}

static bool report(const ExrFile *file, BillowError *error)
{
    return fail(error, "%.200s: could not be written completely: %.200s", file->output.path,
                file->problem);
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *file = NULL;
    (void)code;
    exr_get_user_data(context, &file);
    if (file != NULL)
        note(file, message);
}

static bool put_memory(ExrFile *file, const void *bytes, uint64_t count, uint64_t place)
{
    uint8_t *grown = grow(file->memory, &file->capacity, (size_t)(place + count), 1);
    if (grown == NULL)
        return note(file, "not enough memory");
    file->memory = grown;
    if (place > file->length)
        memset(file->memory + file->length, 0, (size_t)place - file->length);
    memcpy(file->memory + place, bytes, (size_t)count);
    file->length = place + count > file->length ? (size_t)(place + count) : file->length;
    return true;
}

static bool put_stream(ExrFile *file, const void *bytes, uint64_t count, uint64_t place)
{
    FILE *stream = file->output.stream;
    errno = 0;
    if ((file->place != (int64_t)place && fseeko(stream, (off_t)place, SEEK_SET) != 0) ||
        fwrite(bytes, 1, (size_t)count, stream) != count)
        return note(file, errno != 0 ? system_write_reason(errno) : "a write failed");
    file->place = (int64_t)(place + count);
    return true;
}

static int64_t on_write(exr_const_context_t context, void *user, const void *bytes, uint64_t count,
                        uint64_t place, exr_stream_error_func_ptr_t complain)
{
    ExrFile *file = user;
    bool good =
        file->problem[0] == '\0' && (file->in_memory ? put_memory(file, bytes, count, place)
                                                     : put_stream(file, bytes, count, place));
    if (!good)
        complain(context, EXR_ERR_WRITE_IO, "%s", file->problem);
    return good ? (int64_t)count : -1;
}

/* -- header ------------------------------------------------------------------------------------ */

static bool add_channels(ExrFile *file)
{
    const FloatPicture *picture = &file->picture;
    for (int c = 0; c < picture->channel_count; c++)
        if (exr_add_channel(file->context, 0, picture->channels[c].name,
                            picture->channels[c].half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                            EXR_PERCEPTUALLY_LINEAR, 1, 1) != EXR_ERR_SUCCESS)
            return false;
    return true;
}

static bool write_header(ExrFile *file)
{
    static const exr_attr_chromaticities_t rec709 = {0.64f, 0.33f, 0.30f,   0.60f,
                                                     0.15f, 0.06f, 0.3127f, 0.3290f};
    const FloatPicture *picture = &file->picture;
    exr_context_initializer_t with = EXR_DEFAULT_CONTEXT_INITIALIZER;
    with.user_data = file;
    with.write_fn = on_write;
    with.error_handler_fn = on_error;
    int part = 0;
    return exr_start_write(&file->context, file->output.path, EXR_WRITE_FILE_DIRECTLY, &with) ==
               EXR_ERR_SUCCESS &&
           exr_add_part(file->context, "billow", EXR_STORAGE_SCANLINE, &part) == EXR_ERR_SUCCESS &&
           exr_initialize_required_attr_simple(file->context, part, picture->width, picture->height,
                                               EXR_COMPRESSION_ZIP) == EXR_ERR_SUCCESS &&
           exr_attr_set_chromaticities(file->context, part, "chromaticities", &rec709) ==
               EXR_ERR_SUCCESS &&
           exr_attr_set_float(file->context, part, "billow:exposure", picture->exposure) ==
               EXR_ERR_SUCCESS &&
           (picture->comments == NULL ||
            exr_attr_set_string(file->context, part, "comments", picture->comments) ==
                EXR_ERR_SUCCESS) &&
           add_channels(file) && exr_write_header(file->context) == EXR_ERR_SUCCESS;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Tells the library where a chunk's values are. above: rows in `values` above the chunk. */
static bool point_at(const ExrFile *file, exr_encode_pipeline_t *chunk, int above,
                     const float *const values[])
{
    const FloatPicture *picture = &file->picture;
    for (int i = 0; i < chunk->channel_count; i++) {
        exr_coding_channel_info_t *into = &chunk->channels[i];
        int c = 0;
        while (c < picture->channel_count &&
               strcmp(picture->channels[c].name, into->channel_name) != 0)
            c++;
        if (c == picture->channel_count)
            return false;
        int32_t step = picture->channels[c].stride * (int32_t)sizeof(float);
        into->user_pixel_stride = step;
        into->user_line_stride = step * picture->width;
        into->user_bytes_per_element = sizeof(float);
        into->user_data_type = EXR_PIXEL_FLOAT;
        into->encode_from_ptr =
            (const uint8_t *)values[c] + (ptrdiff_t)above * into->user_line_stride;
    }
    return true;
}

static bool write_chunk(const ExrFile *file, int row, int above, const float *const values[])
{
    exr_chunk_info_t place;
    exr_encode_pipeline_t chunk = EXR_ENCODE_PIPELINE_INITIALIZER;
    if (exr_write_scanline_chunk_info(file->context, 0, row, &place) != EXR_ERR_SUCCESS ||
        exr_encoding_initialize(file->context, 0, &place, &chunk) != EXR_ERR_SUCCESS)
        return false;
    bool good = point_at(file, &chunk, above, values) &&
                exr_encoding_choose_default_routines(file->context, 0, &chunk) == EXR_ERR_SUCCESS &&
                exr_encoding_run(file->context, 0, &chunk) == EXR_ERR_SUCCESS;
    exr_encoding_destroy(file->context, &chunk);
    return good;
}

static bool write_rows(FloatFile *base, int rows, const float *const values[], BillowError *error)
{
    ExrFile *file = (ExrFile *)base;
    assert(rows > 0 && file->row + rows <= file->picture.height);
    assert(rows % FLOAT_ROWS == 0 || file->row + rows == file->picture.height);
    for (int above = 0; above < rows; above += FLOAT_ROWS)
        if (!write_chunk(file, file->row + above, above, values)) {
            note(file, "OpenEXR does not say why");
            return report(file, error);
        }
    file->row += rows;
    return true;
}

/* Lets the library complete the chunk table, and then writes output that was kept in memory. */
static bool finish(ExrFile *file)
{
    if (file->row < file->picture.height)
        return note(file, "rows are missing");
    if (exr_finish(&file->context) != EXR_ERR_SUCCESS || file->problem[0] != '\0')
        return note(file, "OpenEXR does not say why");
    return !file->in_memory || put_stream(file, file->memory, file->length, 0);
}

static bool close_file(FloatFile *base, bool good, BillowError *error)
{
    ExrFile *file = (ExrFile *)base;
    if (good && !finish(file))
        good = report(file, error);
    if (!good)
        note(file, "given up"); /* makes on_write discard what the library still writes */
    if (file->context != NULL)
        exr_finish(&file->context);
    if (good)
        good = atomic_file_commit(&file->output, error);
    else
        atomic_file_abandon(&file->output);
    free(file->memory);
    free(file);
    return good;
}

FloatFile *exr_file_open(const char *path, const FloatPicture *picture, BillowError *error)
{
    assert(picture->width > 0 && picture->height > 0);
    assert(picture->channel_count > 0 && picture->channel_count <= FLOAT_CHANNELS_MAX);
    ExrFile *file = calloc(1, sizeof *file);
    if (file == NULL) {
        fail(error, "%.200s: not enough memory to write it", path);
        return NULL;
    }
    if (!atomic_file_open(&file->output, path, error)) {
        free(file);
        return NULL;
    }
    file->in_memory = file->output.temporary[0] == '\0';
    file->picture = *picture;
    file->base = (FloatFile){write_rows, close_file};
    if (write_header(file))
        return &file->base;
    note(file, "OpenEXR does not say why");
    report(file, error);
    close_file(&file->base, false, error);
    return NULL;
}

#endif
