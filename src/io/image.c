/* SPDX-License-Identifier: MIT */
#include "io/image.h"
#include "base/fail.h"
#include "base/system.h"
#include "io/atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE_MAX = 65535, SIGNATURE_SIZE = 8 };

/* Data for libpng's callbacks. */
typedef struct PngFile {
    FILE *stream;
    char problem[256];
} PngFile;

bool image_create(Image *image, int width, int height, int channels, BillowError *error)
{
    assert(channels == 3 || channels == 4);
    *image = (Image){0};
    if (width < 1 || height < 1 || width > EDGE_MAX || height > EDGE_MAX) {
        return fail(error, "a picture of %d x %d pixels: each edge must be 1 to %d", width, height,
                    EDGE_MAX);
    }
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

static uint8_t *row_of(const Image *image, int row)
{
    return image->pixels + (size_t)row * (size_t)image->width * (size_t)image->channels;
}

static void on_error(png_structp png, png_const_charp message)
{
    PngFile *file = png_get_error_ptr(png);
    snprintf(file->problem, sizeof file->problem, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message; /* libpng would print warnings; they are ignored because the picture is complete
                      despite them */
}

static void on_write(png_structp png, png_bytep bytes, png_size_t length)
{
    PngFile *file = png_get_io_ptr(png);
    errno = 0;
    if (fwrite(bytes, 1, length, file->stream) != length)
        png_error(png, errno != 0 ? system_write_reason(errno) : "a write failed");
}

static void on_flush(png_structp png)
{
    (void)png; /* nothing to do: atomic_file_commit flushes */
}

static void on_read(png_structp png, png_bytep bytes, png_size_t length)
{
    PngFile *file = png_get_io_ptr(png);
    errno = 0;
    if (fread(bytes, 1, length, file->stream) != length)
        png_error(png, errno != 0 ? english_error(errno) : "the file ends too early");
}

/* Writes all rows. On failure file->problem holds the reason. The caller destroys png and info. */
static bool write_rows(const Image *image, PngFile *file, png_structp png, png_infop info)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, file, on_write, on_flush);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 image->channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int row = 0; row < image->height; row++)
        png_write_row(png, row_of(image, row));
    png_write_end(png, info);
    return true;
}

static bool write_stream(const Image *image, PngFile *file)
{
    snprintf(file->problem, sizeof file->problem, "not enough memory");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, on_error, on_warning);
    if (png == NULL)
        return false;
    png_infop info = png_create_info_struct(png);
    bool good = info != NULL && write_rows(image, file, png, info);
    png_destroy_write_struct(&png, &info);
    return good;
}

bool image_write_png(const Image *image, const char *path, BillowError *error)
{
    AtomicFile output;
    if (!atomic_file_open(&output, path, error))
        return false;
    PngFile file = {.stream = output.stream};
    if (!write_stream(image, &file)) {
        atomic_file_abandon(&output);
        return fail(error, "%.200s: could not be written completely: %s", output.path,
                    file.problem);
    }
    return atomic_file_commit(&output, error);
}

/* Makes libpng convert every kind of PNG to 8-bit RGB, or to RGBA if the file has transparency. */
static void ask_for_rgb(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_scale_16(png);
    int color = png_get_color_type(png, info);
    if (color == PNG_COLOR_TYPE_GRAY || color == PNG_COLOR_TYPE_GRAY_ALPHA)
        png_set_gray_to_rgb(png);
}

static bool read_rows(Image *image, PngFile *file, png_structp png, png_infop info)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_read_fn(png, file, on_read);
    png_set_sig_bytes(png, SIGNATURE_SIZE);
    png_set_user_limits(png, EDGE_MAX, EDGE_MAX);
    png_read_info(png, info);
    ask_for_rgb(png, info);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    BillowError problem;
    if (!image_create(image, (int)png_get_image_width(png, info),
                      (int)png_get_image_height(png, info), png_get_channels(png, info), &problem))
        png_error(png, problem.text);
    for (int pass = 0; pass < passes; pass++)
        for (int row = 0; row < image->height; row++)
            png_read_row(png, row_of(image, row), NULL);
    png_read_end(png, NULL);
    return true;
}

static bool read_stream(Image *image, PngFile *file)
{
    uint8_t signature[SIGNATURE_SIZE];
    errno = 0;
    size_t length = fread(signature, 1, sizeof signature, file->stream);
    if (ferror(file->stream)) {
        snprintf(file->problem, sizeof file->problem, "%s", english_error(errno));
        return false;
    }
    if (length != sizeof signature || png_sig_cmp(signature, 0, sizeof signature) != 0) {
        snprintf(file->problem, sizeof file->problem, "this is no PNG file");
        return false;
    }
    snprintf(file->problem, sizeof file->problem, "not enough memory");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, file, on_error, on_warning);
    if (png == NULL)
        return false;
    png_infop info = png_create_info_struct(png);
    bool good = info != NULL && read_rows(image, file, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    return good;
}

bool image_read_png(Image *image, const char *path, BillowError *error)
{
    *image = (Image){0};
    PngFile file = {.stream = fopen(path, "rb")};
    if (file.stream == NULL)
        return fail(error, "%.300s: cannot be opened: %s", path, english_error(errno));
    bool good = read_stream(image, &file);
    fclose(file.stream);
    if (!good) {
        image_destroy(image);
        return fail(error, "%.200s: cannot be read: %s", path, file.problem);
    }
    return true;
}

bool image_read_png_bytes(Image *image, const void *bytes, size_t length, const char *name,
                          BillowError *error)
{
    png_image source = {.version = PNG_IMAGE_VERSION};
    *image = (Image){0};
    if (!png_image_begin_read_from_memory(&source, bytes, length))
        return fail(error, "%.200s: cannot be read: %s", name, source.message);
    source.format = PNG_FORMAT_RGBA;
    if (!image_create(image, (int)source.width, (int)source.height, 4, error)) {
        png_image_free(&source);
        return false;
    }
    if (png_image_finish_read(&source, NULL, image->pixels, 0, NULL))
        return true;
    image_destroy(image);
    return fail(error, "%.200s: cannot be read: %s", name, source.message);
}
