/* SPDX-License-Identifier: MIT
 * Reads EXR files with OpenEXR. */
#ifndef TESTS_EXR_FIXTURE_H
#define TESTS_EXR_FIXTURE_H

#include <openexr.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EXR_FOUND_MAX 16

typedef struct ExrFound {
    int width, height, channel_count;
    char names[EXR_FOUND_MAX][32];
    bool half[EXR_FOUND_MAX];
    float *values[EXR_FOUND_MAX]; /* rows from the top */
    exr_compression_t compression;
    exr_attr_chromaticities_t primaries;
    float exposure;
    char comments[512];
} ExrFound;

static inline void exr_found_check(exr_result_t result, const char *doing)
{
    if (result != EXR_ERR_SUCCESS)
        fail_msg("%s: %s", doing, exr_get_default_error_message(result));
}

static inline void exr_found_header(ExrFound *found, exr_context_t file)
{
    exr_attr_box2i_t window;
    exr_found_check(exr_get_data_window(file, 0, &window), "data window");
    found->width = window.max.x - window.min.x + 1;
    found->height = window.max.y - window.min.y + 1;
    exr_found_check(exr_get_compression(file, 0, &found->compression), "compression");
    exr_found_check(exr_attr_get_chromaticities(file, 0, "chromaticities", &found->primaries),
                    "chromaticities");
    exr_found_check(exr_attr_get_float(file, 0, "billow:exposure", &found->exposure), "exposure");
    const char *text = NULL;
    int32_t length = 0;
    found->comments[0] = '\0';
    if (exr_attr_get_string(file, 0, "comments", &length, &text) == EXR_ERR_SUCCESS)
        strncat(found->comments, text, sizeof found->comments - 1);
    const exr_attr_chlist_t *channels = NULL;
    exr_found_check(exr_get_channels(file, 0, &channels), "channels");
    found->channel_count = channels->num_channels;
    assert_true(found->channel_count <= EXR_FOUND_MAX);
    size_t pixels = (size_t)found->width * (size_t)found->height;
    for (int c = 0; c < found->channel_count; c++) {
        found->names[c][0] = '\0';
        strncat(found->names[c], channels->entries[c].name.str, sizeof found->names[c] - 1);
        found->half[c] = channels->entries[c].pixel_type == EXR_PIXEL_HALF;
        found->values[c] = malloc(pixels * sizeof(float));
        assert_non_null(found->values[c]);
    }
}

static inline void exr_found_chunk(ExrFound *found, exr_context_t file, int row)
{
    exr_chunk_info_t place;
    exr_decode_pipeline_t chunk = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_found_check(exr_read_scanline_chunk_info(file, 0, row, &place), "chunk");
    exr_found_check(exr_decoding_initialize(file, 0, &place, &chunk), "decoding");
    for (int c = 0; c < chunk.channel_count; c++) {
        chunk.channels[c].user_bytes_per_element = sizeof(float);
        chunk.channels[c].user_data_type = EXR_PIXEL_FLOAT;
        chunk.channels[c].user_pixel_stride = sizeof(float);
        chunk.channels[c].user_line_stride = (int32_t)sizeof(float) * found->width;
        chunk.channels[c].decode_to_ptr =
            (uint8_t *)(found->values[c] + (ptrdiff_t)row * found->width);
    }
    exr_found_check(exr_decoding_choose_default_routines(file, 0, &chunk), "routines");
    exr_found_check(exr_decoding_run(file, 0, &chunk), "decoding");
    exr_decoding_destroy(file, &chunk);
}

/* Fails the test if the file cannot be read. */
static inline void exr_found_read(ExrFound *found, const char *path)
{
    exr_context_t file;
    exr_found_check(exr_start_read(&file, path, NULL), path);
    *found = (ExrFound){0};
    exr_found_header(found, file);
    int32_t rows = 0;
    exr_found_check(exr_get_scanlines_per_chunk(file, 0, &rows), "rows");
    for (int row = 0; row < found->height; row += rows)
        exr_found_chunk(found, file, row);
    exr_finish(&file);
}

static inline const float *exr_found_channel(const ExrFound *found, const char *name)
{
    for (int c = 0; c < found->channel_count; c++)
        if (strcmp(found->names[c], name) == 0)
            return found->values[c];
    fail_msg("there is no channel %s", name);
    return NULL;
}

static inline void exr_found_destroy(ExrFound *found)
{
    for (int c = 0; c < found->channel_count; c++)
        free(found->values[c]);
    *found = (ExrFound){0};
}

#endif
