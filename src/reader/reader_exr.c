/* SPDX-License-Identifier: MIT */
#include "reader/reader.h"

#include "base/fail.h"

#ifdef BILLOW_OPENEXR

#include <openexr.h>
#include <stdlib.h>
#include <string.h>

typedef struct ExrPicture {
    char *bytes;
    size_t length;
    exr_context_t context;
    exr_attr_box2i_t window;
} ExrPicture;

static void close_file(void *memory)
{
    ExrPicture *picture = memory;
    if (picture->context != NULL)
        exr_finish(&picture->context);
    free(picture->bytes);
    free(picture);
}

/* -- what the library reads from --------------------------------------------------------------- */

static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context; /* the caller reports a failure in its own words */
    (void)message;
    if (code == EXR_ERR_OUT_OF_MEMORY)
        reader_out_of_memory();
}

static int64_t on_read(exr_const_context_t context, void *user, void *bytes, uint64_t count,
                       uint64_t place, exr_stream_error_func_ptr_t complain)
{
    const ExrPicture *picture = user;
    (void)context, (void)complain;
    if (place > picture->length)
        return 0;
    uint64_t left = picture->length - place, given = count < left ? count : left;
    memcpy(bytes, picture->bytes + place, (size_t)given);
    return (int64_t)given;
}

static int64_t on_size(exr_const_context_t context, void *user)
{
    const ExrPicture *picture = user;
    (void)context;
    return (int64_t)picture->length;
}

static void *open_file(char *bytes, size_t length, BillowError *error)
{
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_storage_t storage = EXR_STORAGE_SCANLINE;
    ExrPicture *picture = malloc(sizeof *picture);
    if (picture == NULL)
        reader_out_of_memory();
    *picture = (ExrPicture){.bytes = bytes, .length = length};
    setup.error_handler_fn = on_error;
    setup.read_fn = on_read;
    setup.size_fn = on_size;
    setup.user_data = picture;
    bool good = exr_start_read(&picture->context, "picture", &setup) == EXR_ERR_SUCCESS &&
                exr_get_storage(picture->context, 0, &storage) == EXR_ERR_SUCCESS &&
                exr_get_data_window(picture->context, 0, &picture->window) == EXR_ERR_SUCCESS;
    if (!good)
        fail(error, "no EXR picture, or a damaged one");
    else if (storage != EXR_STORAGE_SCANLINE)
        good = fail(error, "it must store rows, not tiles or deep pixels");
    if (good)
        return picture;
    close_file(picture);
    return NULL;
}

/* -- pixels ------------------------------------------------------------------------------------ */

static long edge_of(const ExrPicture *picture, int axis)
{
    const exr_attr_box2i_t *window = &picture->window;
    return axis == 0 ? (long)window->max.x - window->min.x + 1
                     : (long)window->max.y - window->min.y + 1;
}

/* Points the decoder's channels R, G and B to a chunk of rows. */
static bool aim(exr_decode_pipeline_t *decode, float *rgb, int width, BillowError *error)
{
    static const char *const names[3] = {"R", "G", "B"};
    int found = 0;
    for (int c = 0; c < decode->channel_count; c++) {
        exr_coding_channel_info_t *channel = &decode->channels[c];
        channel->decode_to_ptr = NULL;
        for (int rgb_channel = 0; rgb_channel < 3; rgb_channel++)
            if (strcmp(channel->channel_name, names[rgb_channel]) == 0) {
                channel->decode_to_ptr = (uint8_t *)(rgb + rgb_channel);
                channel->user_bytes_per_element = sizeof(float);
                channel->user_data_type = EXR_PIXEL_FLOAT;
                channel->user_pixel_stride = 3 * sizeof(float);
                channel->user_line_stride = 3 * (int32_t)sizeof(float) * width;
                found += channel->x_samples == 1 && channel->y_samples == 1;
            }
    }
    return found == 3 || fail(error, "it must have the channels R, G and B at full resolution");
}

static bool read_chunks(const ExrPicture *picture, float *rgb, BillowError *error)
{
    exr_decode_pipeline_t decode = EXR_DECODE_PIPELINE_INITIALIZER;
    const exr_context_t file = picture->context;
    const int width = (int)edge_of(picture, 0), height = (int)edge_of(picture, 1);
    int32_t rows = 1;
    bool good = (exr_get_scanlines_per_chunk(file, 0, &rows) == EXR_ERR_SUCCESS && rows > 0) ||
                fail(error, "no EXR picture, or a damaged one");
    bool begun = false;
    for (int y = 0; y < height && good; y += rows) {
        exr_chunk_info_t chunk;
        bool read = exr_read_scanline_chunk_info(file, 0, picture->window.min.y + y, &chunk) ==
                        EXR_ERR_SUCCESS &&
                    (begun ? exr_decoding_update(file, 0, &chunk, &decode)
                           : exr_decoding_initialize(file, 0, &chunk, &decode)) == EXR_ERR_SUCCESS;
        const bool first = read && !begun;
        begun = begun || read;
        if (read && !aim(&decode, rgb + 3 * (size_t)width * (size_t)y, width, error)) {
            good = false;
            break;
        }
        read =
            read &&
            (!first || exr_decoding_choose_default_routines(file, 0, &decode) == EXR_ERR_SUCCESS) &&
            exr_decoding_run(file, 0, &decode) == EXR_ERR_SUCCESS;
        good = read ||
               fail(error, "it is incomplete or damaged: row %d of %d cannot be read", y, height);
    }
    if (begun)
        exr_decoding_destroy(file, &decode);
    return good;
}

static bool answer(void *file, uint32_t what, char *request, size_t length, ReaderAnswer *answer,
                   BillowError *error)
{
    const ExrPicture *picture = file;
    const long width = edge_of(picture, 0), height = edge_of(picture, 1);
    (void)request, (void)length;
    if (what == ISOLATED_EXR_SIZE) {
        int32_t *size = reader_answer(answer, 2 * sizeof *size);
        size[0] = (int32_t)(width < INT32_MAX ? width : INT32_MAX);
        size[1] = (int32_t)(height < INT32_MAX ? height : INT32_MAX);
        return true;
    }
    /* The other process asks for the pixels of an allowed size alone. */
    size_t bytes = 3 * sizeof(float) * (size_t)width * (size_t)height;
    return read_chunks(picture, memset(reader_answer(answer, bytes), 0, bytes), error);
}

const ReaderKind reader_exr = {"exr", NULL, open_file, close_file, answer};

#else

const ReaderKind reader_exr = {.name = "exr"};

#endif
