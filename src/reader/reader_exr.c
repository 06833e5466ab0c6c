/* SPDX-License-Identifier: MIT */
#include "reader/reader.h"

#include "base/fail.h"

#ifdef BILLOW_OPENEXR

#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXR_NAME = 256 };

typedef struct ExrPicture {
    char *bytes;
    size_t length;
    exr_context_t context;
    exr_attr_box2i_t window;
    bool tiled;
    char names[3][EXR_NAME]; /* of the channels red, green and blue; "": there are none */
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

/* Finds the channels R, G and B, or those of the first layer that has all of them. */
static void find_channels(ExrPicture *picture)
{
    static const char *const colors[3] = {"R", "G", "B"};
    const exr_attr_chlist_t *list = NULL;
    if (exr_get_channels(picture->context, 0, &list) != EXR_ERR_SUCCESS || list == NULL)
        return;
    for (int plain = 1; plain >= 0; plain--)
        for (int red = 0; red < list->num_channels; red++) {
            const char *name = list->entries[red].name.str;
            const size_t length = strlen(name);
            int found = 0;
            if (length == 0 || length >= EXR_NAME || strcmp(name + length - 1, colors[0]) != 0 ||
                (plain ? length > 1 : length < 3 || name[length - 2] != '.'))
                continue;
            for (int c = 0; c < 3; c++) {
                snprintf(picture->names[c], EXR_NAME, "%.*s%s", (int)length - 1, name, colors[c]);
                for (int other = 0; other < list->num_channels; other++)
                    found += strcmp(list->entries[other].name.str, picture->names[c]) == 0;
            }
            if (found == 3)
                return;
        }
    picture->names[0][0] = '\0';
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
    else if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        good = fail(error, "it has deep pixels, which no panorama has");
    picture->tiled = storage == EXR_STORAGE_TILED;
    if (good)
        find_channels(picture);
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

/* Points the decoder's channels to the pixels of a chunk. */
static bool aim(const ExrPicture *picture, exr_decode_pipeline_t *decode, float *rgb,
                BillowError *error)
{
    int found = 0;
    for (int c = 0; c < decode->channel_count; c++) {
        exr_coding_channel_info_t *channel = &decode->channels[c];
        channel->decode_to_ptr = NULL;
        for (int color = 0; color < 3; color++)
            if (picture->names[0][0] != '\0' &&
                strcmp(channel->channel_name, picture->names[color]) == 0) {
                channel->decode_to_ptr = (uint8_t *)(rgb + color);
                channel->user_bytes_per_element = sizeof(float);
                channel->user_data_type = EXR_PIXEL_FLOAT;
                channel->user_pixel_stride = 3 * sizeof(float);
                channel->user_line_stride =
                    3 * (int32_t)(sizeof(float) * (size_t)edge_of(picture, 0));
                found += channel->x_samples == 1 && channel->y_samples == 1;
            }
    }
    return found == 3 || fail(error, "it must have the channels R, G and B at full resolution");
}

/* Fails for a chunk that cannot be read. OpenEXR's C core learned DWA in its version 3.3. */
static bool refuse_row(const ExrPicture *picture, long y, BillowError *error)
{
    exr_compression_t packed = EXR_COMPRESSION_NONE;
    exr_get_compression(picture->context, 0, &packed);
    if (packed == EXR_COMPRESSION_DWAA || packed == EXR_COMPRESSION_DWAB)
        return fail(error,
                    "it is packed by DWA, which OpenEXR reads here from version 3.3 on; save it "
                    "with ZIP compression");
    return fail(error, "it is incomplete or damaged: row %d of %d cannot be read", (int)y,
                (int)edge_of(picture, 1));
}

/* Reads a chunk of rows or a tile, whose first pixel is at (x, y). */
static bool read_chunk(const ExrPicture *picture, const exr_chunk_info_t *chunk, int x, int y,
                       exr_decode_pipeline_t *decode, bool *begun, float *rgb, BillowError *error)
{
    const exr_context_t file = picture->context;
    float *to = rgb + 3 * ((size_t)edge_of(picture, 0) * (size_t)y + (size_t)x);
    bool read = (*begun ? exr_decoding_update(file, 0, chunk, decode)
                        : exr_decoding_initialize(file, 0, chunk, decode)) == EXR_ERR_SUCCESS;
    const bool first = read && !*begun;
    *begun = *begun || read;
    if (read && !aim(picture, decode, to, error))
        return false;
    read = read &&
           (!first || exr_decoding_choose_default_routines(file, 0, decode) == EXR_ERR_SUCCESS) &&
           exr_decoding_run(file, 0, decode) == EXR_ERR_SUCCESS;
    return read || refuse_row(picture, y, error);
}

/* The edges of a chunk: rows as wide as the picture, or tiles of the finest level. */
static bool find_edges(const ExrPicture *picture, int edges[2])
{
    uint32_t wide = 0, high = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounds;
    int32_t rows = 0;
    if (picture->tiled) {
        if (exr_get_tile_descriptor(picture->context, 0, &wide, &high, &levels, &rounds) !=
            EXR_ERR_SUCCESS)
            return false;
        edges[0] = wide <= INT32_MAX ? (int)wide : 0;
        edges[1] = high <= INT32_MAX ? (int)high : 0;
    } else {
        if (exr_get_scanlines_per_chunk(picture->context, 0, &rows) != EXR_ERR_SUCCESS)
            return false;
        edges[0] = (int)edge_of(picture, 0);
        edges[1] = rows;
    }
    return edges[0] > 0 && edges[1] > 0;
}

static bool read_chunks(const ExrPicture *picture, float *rgb, BillowError *error)
{
    exr_decode_pipeline_t decode = EXR_DECODE_PIPELINE_INITIALIZER;
    const exr_context_t file = picture->context;
    const long width = edge_of(picture, 0), height = edge_of(picture, 1);
    int edges[2] = {1, 1};
    bool good = find_edges(picture, edges) || fail(error, "no EXR picture, or a damaged one");
    bool begun = false;
    for (long y = 0; y < height && good; y += edges[1])
        for (long x = 0; x < width && good; x += edges[0]) {
            exr_chunk_info_t chunk;
            exr_result_t found =
                picture->tiled
                    ? exr_read_tile_chunk_info(file, 0, (int)(x / edges[0]), (int)(y / edges[1]), 0,
                                               0, &chunk)
                    : exr_read_scanline_chunk_info(file, 0, picture->window.min.y + (int)y, &chunk);
            good = found == EXR_ERR_SUCCESS
                       ? read_chunk(picture, &chunk, (int)x, (int)y, &decode, &begun, rgb, error)
                       : refuse_row(picture, y, error);
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
