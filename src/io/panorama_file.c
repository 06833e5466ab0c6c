/* SPDX-License-Identifier: MIT */
#include "io/panorama_file.h"

#include "base/fail.h"
#include "base/number.h"
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
static void finish(PanoramaFile *panorama)
{
    size_t count = 3 * (size_t)panorama->width * (size_t)panorama->height;
    for (size_t i = 0; i < count; i++) {
        float value = panorama->rgb[i];
        panorama->not_numbers += isnan(value);
        panorama->rgb[i] = isnan(value) ? 0 : fminf(fmaxf(value, 0), PANORAMA_RADIANCE_MAX);
    }
}

/* -- Radiance RGBE (Ward, Real Pixels, 1991) --------------------------------------------------- */

typedef struct Reader {
    const unsigned char *at, *end;
} Reader;

/* Takes a line, without its end. Of one that is longer than the memory, the rest is left out. */
static bool take_line(Reader *reader, char *line, size_t size)
{
    const unsigned char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (stop == NULL)
        return false;
    size_t length = (size_t)(stop - reader->at);
    length = length < size ? length : size - 1;
    memcpy(line, reader->at, length);
    line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
    reader->at = stop + 1;
    return true;
}

/* What a header says of the rows and of the light. */
typedef struct Header {
    long width, height;
    bool from_bottom, from_right;
    double light[3]; /* by which the values were multiplied when they were written */
} Header;

/* Reads up to three numbers behind a word. Returns how many there are; 0: another word. */
static int take_factors(const char *line, const char *word, double factors[3])
{
    int count = 0;
    if (strncmp(line, word, strlen(word)) != 0)
        return 0;
    for (const char *at = line + strlen(word); count < 3; count++) {
        char *end;
        double factor = number_read(at, &end);
        if (end == at || !(factor > 1e-9 && factor < 1e9))
            break;
        factors[count] = factor;
        at = end;
    }
    return count;
}

static bool read_line(const char *line, Header *header, BillowError *error)
{
    double factors[3];
    if (strncmp(line, "FORMAT=", 7) == 0) {
        const char *format = line + 7 + strspn(line + 7, " \t");
        return strcmp(format, "32-bit_rle_rgbe") == 0 ||
               fail(error, "its format must be 32-bit_rle_rgbe, not %.40s", format);
    }
    int count = take_factors(line, "EXPOSURE=", factors);
    for (int c = 0; c < 3 && count > 0; c++)
        header->light[c] *= factors[0];
    count = take_factors(line, "COLORCORR=", factors);
    for (int c = 0; c < 3 && count == 3; c++)
        header->light[c] *= factors[c];
    return true;
}

/* Reads the header up to the first row. */
static bool read_header(Reader *reader, Header *header, BillowError *error)
{
    char line[512], y, x;
    *header = (Header){.light = {1, 1, 1}};
    if (!take_line(reader, line, sizeof line) || strncmp(line, "#?", 2) != 0)
        return fail(error, "no Radiance picture: it does not begin with #?RADIANCE");
    while (take_line(reader, line, sizeof line) && line[0] != '\0')
        if (!read_line(line, header, error))
            return false;
    if (line[0] != '\0' || !take_line(reader, line, sizeof line))
        return fail(error, "its header is incomplete");
    if (sscanf(line, "%cY %9ld %cX %9ld", &y, &header->height, &x, &header->width) != 4 ||
        (y != '-' && y != '+') || (x != '-' && x != '+'))
        return fail(error, "its rows must run from left or right (-Y HEIGHT +X WIDTH), not %.40s",
                    line);
    header->from_bottom = y == '+';
    header->from_right = x == '-';
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

/* Takes a row of plain pixels, with runs of the old kind: a pixel of 1, 1, 1 and n repeats the one
 * before it n times, several of them after each other with n as a number of base 256. */
static bool take_plain_row(Reader *reader, unsigned char *row, int width)
{
    int shift = 0;
    for (int x = 0; x < width;) {
        const unsigned char *pixel = reader->at;
        if (reader->end - pixel < 4)
            return false;
        reader->at += 4;
        const bool run = pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1;
        const long count = run ? (long)pixel[3] << shift : 1;
        if (count > width - x || (run && x == 0))
            return false;
        for (long repeated = 0; repeated < count; repeated++, x++)
            for (int c = 0; c < 4; c++)
                row[c * width + x] = run ? row[c * width + x - 1] : pixel[c];
        shift = run ? shift + 8 : 0;
        if (shift > 16)
            return false;
    }
    return true;
}

/* Takes a row into four channels of `width` bytes. */
static bool take_row(Reader *reader, unsigned char *row, int width)
{
    const unsigned char *at = reader->at;
    bool runs = width >= 8 && width < 32768 && reader->end - at >= 4 && at[0] == 2 && at[1] == 2 &&
                (at[2] << 8 | at[3]) == width;
    if (!runs)
        return take_plain_row(reader, row, width);
    reader->at += 4;
    for (int c = 0; c < 4; c++)
        if (!take_channel(reader, row + (ptrdiff_t)c * width, width))
            return false;
    return true;
}

static void put_row(const Header *header, const unsigned char *row, int y, PanoramaFile *panorama)
{
    const int width = panorama->width;
    const int to = header->from_bottom ? panorama->height - 1 - y : y;
    float *out = panorama->rgb + 3 * (size_t)width * (size_t)to;
    for (int x = 0; x < width; x++) {
        int exponent = row[3 * width + x], at = header->from_right ? width - 1 - x : x;
        double scale = exponent > 0 ? ldexp(1, exponent - (128 + 8)) : 0;
        for (int c = 0; c < 3; c++)
            out[3 * at + c] = (float)(scale * row[c * width + x] / header->light[c]);
    }
}

bool panorama_file_read_hdr(const unsigned char *bytes, size_t length, PanoramaFile *panorama,
                            BillowError *error)
{
    Reader reader = {bytes, bytes + length};
    Header header;
    if (!read_header(&reader, &header, error) ||
        !start(header.width, header.height, panorama, error))
        return false;
    unsigned char *row = malloc(4 * (size_t)panorama->width);
    if (row == NULL)
        return fail(error, "not enough memory to read it");
    for (int y = 0; y < panorama->height; y++) {
        if (!take_row(&reader, row, panorama->width)) {
            free(row);
            return fail(error, "it is incomplete or damaged: row %d of %d cannot be read", y,
                        panorama->height);
        }
        put_row(&header, row, y, panorama);
    }
    free(row);
    finish(panorama);
    return true;
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
    if (!isolated_ask(reader, &question, panorama->rgb,
                      3 * sizeof(float) * (size_t)size[0] * (size_t)size[1], error))
        return false;
    finish(panorama);
    return true;
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
