/* SPDX-License-Identifier: MIT */
#include "io/panorama_file.h"

#include "base/fail.h"
#include "io/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void panorama_file_free(PanoramaFile *panorama)
{
    free(panorama->rgb);
    *panorama = (PanoramaFile){0};
}

/* Allocates the pixels of a picture whose size is allowed. */
static bool start(long width, long height, PanoramaFile *panorama, BillowError *error)
{
    if (height < PANORAMA_HEIGHT_MIN || height > PANORAMA_HEIGHT_MAX || width != 2 * height)
        return fail(error,
                    "a panorama must be twice as wide as high, with %d to %d rows, not %ldx%ld",
                    PANORAMA_HEIGHT_MIN, PANORAMA_HEIGHT_MAX, width, height);
    panorama->rgb = malloc(3 * sizeof(float) * (size_t)width * (size_t)height);
    if (panorama->rgb == NULL)
        return fail(error, "not enough memory for its %ldx%ld pixels", width, height);
    panorama->width = (int)width;
    panorama->height = (int)height;
    return true;
}

/* Limits all values to what the lights can take. */
static bool finish(PanoramaFile *panorama, BillowError *error)
{
    size_t count = 3 * (size_t)panorama->width * (size_t)panorama->height;
    for (size_t i = 0; i < count; i++) {
        float value = panorama->rgb[i];
        if (isnan(value))
            return fail(error, "row %zu holds a value that is not a number",
                        i / (3 * (size_t)panorama->width));
        panorama->rgb[i] = fminf(fmaxf(value, 0), PANORAMA_RADIANCE_MAX);
    }
    return true;
}

/* -- Radiance RGBE (Ward, Real Pixels, 1991) --------------------------------------------------- */

typedef struct Reader {
    const unsigned char *at, *end;
} Reader;

/* Takes a line of at most size - 1 bytes, without its end. */
static bool take_line(Reader *reader, char *line, size_t size)
{
    const unsigned char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (stop == NULL || (size_t)(stop - reader->at) >= size)
        return false;
    size_t length = (size_t)(stop - reader->at);
    memcpy(line, reader->at, length);
    line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
    reader->at = stop + 1;
    return true;
}

/* Reads the header up to the first row. */
static bool read_header(Reader *reader, long size[2], BillowError *error)
{
    char line[512];
    bool format = false;
    if (!take_line(reader, line, sizeof line) || strncmp(line, "#?", 2) != 0)
        return fail(error, "no Radiance picture: it does not begin with #?RADIANCE");
    while (take_line(reader, line, sizeof line) && line[0] != '\0') {
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return fail(error, "its format must be 32-bit_rle_rgbe, not %.40s", line + 7);
        format = format || strncmp(line, "FORMAT=", 7) == 0;
    }
    if (!format || !take_line(reader, line, sizeof line))
        return fail(error, "its header is incomplete");
    if (sscanf(line, "-Y %9ld +X %9ld", &size[1], &size[0]) != 2)
        return fail(error,
                    "its rows must run from the top and from the left (-Y HEIGHT +X WIDTH), "
                    "not %.40s",
                    line);
    return true;
}

/* Takes one channel of a row: runs, and stretches of single bytes. */
static bool take_channel(Reader *reader, unsigned char *out, int width)
{
    for (int x = 0; x < width;) {
        if (reader->end - reader->at < 2)
            return false;
        int count = *reader->at++;
        bool run = count > 128;
        count = run ? count - 128 : count;
        if (count == 0 || count > width - x || (!run && reader->end - reader->at < count))
            return false;
        if (run)
            memset(out + x, *reader->at, (size_t)count);
        else
            memcpy(out + x, reader->at, (size_t)count);
        reader->at += run ? 1 : count;
        x += count;
    }
    return true;
}

/* Takes a row into four channels of `width` bytes. A row without runs has plain pixels. */
static bool take_row(Reader *reader, unsigned char *row, int width)
{
    const unsigned char *at = reader->at;
    bool runs = width >= 8 && width < 32768 && reader->end - at >= 4 && at[0] == 2 && at[1] == 2 &&
                (at[2] << 8 | at[3]) == width;
    if (!runs) {
        if (reader->end - at < 4 * (ptrdiff_t)width)
            return false;
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 4; c++)
                row[c * width + x] = at[4 * x + c];
        reader->at += 4 * (ptrdiff_t)width;
        return true;
    }
    reader->at += 4;
    for (int c = 0; c < 4; c++)
        if (!take_channel(reader, row + (ptrdiff_t)c * width, width))
            return false;
    return true;
}

bool panorama_file_read_hdr(const unsigned char *bytes, size_t length, PanoramaFile *panorama,
                            BillowError *error)
{
    Reader reader = {bytes, bytes + length};
    long size[2];
    if (!read_header(&reader, size, error) || !start(size[0], size[1], panorama, error))
        return false;
    int width = panorama->width;
    unsigned char *row = malloc(4 * (size_t)width);
    if (row == NULL)
        return fail(error, "not enough memory to read it");
    for (int y = 0; y < panorama->height; y++) {
        if (!take_row(&reader, row, width)) {
            free(row);
            return fail(error, "it is incomplete or damaged: row %d of %d cannot be read", y,
                        panorama->height);
        }
        float *out = panorama->rgb + 3 * (size_t)width * (size_t)y;
        for (int x = 0; x < width; x++) {
            int exponent = row[3 * width + x];
            float scale = exponent > 0 ? ldexpf(1, exponent - (128 + 8)) : 0;
            for (int c = 0; c < 3; c++)
                out[3 * x + c] = scale * (float)row[c * width + x];
        }
    }
    free(row);
    return finish(panorama, error);
}

/* -- OpenEXR ----------------------------------------------------------------------------------- */

#ifdef BILLOW_OPENEXR

#include "io/isolated.h"

static bool read_exr(Isolated *reader, const char *bytes, size_t length, PanoramaFile *panorama,
                     BillowError *error)
{
    IsolatedOpened opened;
    int32_t size[2];
    if (!isolated_open(reader, bytes, length, &opened, error))
        return false;
    IsolatedQuestion question = {.what = ISOLATED_EXR_SIZE, .file = opened.file};
    if (!isolated_ask(reader, &question, size, sizeof size, error) ||
        !start(size[0], size[1], panorama, error))
        return false;
    question.what = ISOLATED_EXR_PIXELS;
    return isolated_ask(reader, &question, panorama->rgb,
                        3 * sizeof(float) * (size_t)size[0] * (size_t)size[1], error) &&
           finish(panorama, error);
}

static bool load_exr(const char *bytes, size_t length, PanoramaFile *panorama, BillowError *error)
{
    const IsolatedLimits limits = isolated_limits();
    Isolated *reader = isolated_start(ISOLATED_EXR, &limits, error);
    bool good = reader != NULL && read_exr(reader, bytes, length, panorama, error);
    isolated_end(reader);
    return good;
}

#else

static bool load_exr(const char *bytes, size_t length, PanoramaFile *panorama, BillowError *error)
{
    (void)bytes, (void)length, (void)panorama;
    return fail(error, "this build of Billow reads no EXR files; install OpenEXR "
                       "(libopenexr-dev) and build it again, or use a .hdr file");
}

#endif

/* -- any file ---------------------------------------------------------------------------------- */

bool panorama_file_load(const char *path, PanoramaFile *panorama, BillowError *error)
{
    BillowError reason;
    size_t length;
    char *bytes = whole_file_read(path, PANORAMA_FILE_BYTES_MAX, &length, error);
    *panorama = (PanoramaFile){0};
    if (bytes == NULL)
        return false;
    bool good =
        paths_end_in(path, ".exr") ? load_exr(bytes, length, panorama, &reason)
        : paths_end_in(path, ".hdr")
            ? panorama_file_read_hdr((const unsigned char *)bytes, length, panorama, &reason)
            : fail(&reason, "a panorama must be a .hdr or .exr file");
    free(bytes);
    if (good)
        return true;
    panorama_file_free(panorama);
    return fail(error, "%.300s: %s", path, reason.text);
}
