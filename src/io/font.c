/* SPDX-License-Identifier: MIT */
#include "io/font.h"

#include "base/fail.h"
#include "io/isolated.h"
#include "io/paths.h"

#include <stdlib.h>
#include <string.h>

void caption_blend(Image *image, int x, int y, const uint8_t rgb[3], float share)
{
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return;
    uint8_t *pixel =
        image->pixels + ((size_t)y * (size_t)image->width + (size_t)x) * (size_t)image->channels;
    float under = image->channels == 4 ? (float)pixel[3] / 255 * (1 - share) : 1 - share;
    float sum = share + under;
    if (!(sum > 0))
        return;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((share * (float)rgb[c] + under * (float)pixel[c]) / sum + 0.5f);
    if (image->channels == 4)
        pixel[3] = (uint8_t)(255 * sum + 0.5f);
}

bool lettering_font_is_file(const char *font)
{
    return strpbrk(font, "/.") != NULL;
}

#ifndef BILLOW_LETTERING

bool font_find(const char *font, char *path, size_t size, BillowError *error)
{
    (void)font, (void)path, (void)size;
    return fail(error, "this build of Billow draws no letters; install FreeType and fontconfig "
                       "(libfreetype-dev, libfontconfig-dev) and build it again");
}

struct Caption {
    int nothing;
};

Caption *caption_open(int pixels, BillowError *error)
{
    char path[1];
    (void)pixels;
    font_find("", path, sizeof path, error); /* sets the message */
    return NULL;
}

void caption_close(Caption *caption)
{
    (void)caption;
}

bool caption_whole(const Caption *caption)
{
    (void)caption;
    return true;
}

int caption_width(Caption *caption, const char *text)
{
    (void)caption, (void)text;
    return 0;
}

void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3])
{
    (void)caption, (void)image, (void)x, (void)y, (void)text, (void)rgb;
}

bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error)
{
    char path[1];
    (void)text, (void)font, (void)spacing, (void)volume;
    return font_find("", path, sizeof path, error); /* fills in the message */
}

#else

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include FT_FREETYPE_H

static const char out_of_memory[] = "not enough memory to look for fonts";

bool font_find(const char *font, char *path, size_t size, BillowError *error)
{
    const bool any = font[0] == '\0';
    FcConfig *config = FcInitLoadConfigAndFonts();
    FcPattern *wanted = FcNameParse((const FcChar8 *)(any ? "DejaVu Sans:bold" : font));
    FcChar8 *asked = NULL, *family = NULL, *file = NULL;
    bool good = config != NULL && wanted != NULL &&
                FcPatternGetString(wanted, FC_FAMILY, 0, &asked) == FcResultMatch;
    FcPattern *query = good ? FcPatternDuplicate(wanted) : NULL, *found = NULL;
    /* These calls fail only if there is not enough memory. */
    bool ready = config != NULL && wanted != NULL && (!good || query != NULL);
    good = good && ready;
    if (good) {
        FcResult result = FcResultNoMatch;
        FcConfigSubstitute(config, query, FcMatchPattern);
        FcDefaultSubstitute(query);
        found = FcFontMatch(config, query, &result);
        ready = found != NULL || result != FcResultOutOfMemory;
        good = found != NULL && FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch &&
               FcPatternGetString(found, FC_FAMILY, 0, &family) == FcResultMatch &&
               (any || FcStrCmpIgnoreCase(asked, family) == 0);
    }
    if (good)
        snprintf(path, size, "%s", (const char *)file);
    if (found != NULL)
        FcPatternDestroy(found);
    if (query != NULL)
        FcPatternDestroy(query);
    if (wanted != NULL)
        FcPatternDestroy(wanted);
    if (config != NULL)
        FcConfigDestroy(config);
    FcFini();
    if (!ready)
        return fail(error, "%s", out_of_memory);
    return good || fail(error,
                        any ? "no font is installed; DejaVu Sans (fonts-dejavu-core) is one"
                            : "no font named '%.100s' is installed",
                        font);
}

struct Caption {
    FT_Library library;
    FT_Face face;
    bool lacks; /* whether a letter could not be loaded */
};

Caption *caption_open(int pixels, BillowError *error)
{
    char path[1024];
    BillowError missing;
    if (!font_find("DejaVu Sans", path, sizeof path, &missing)) {
        if (strcmp(missing.text, out_of_memory) == 0) {
            fail(error, "%s", missing.text);
            return NULL;
        }
        if (!font_find("", path, sizeof path, error))
            return NULL;
    }
    Caption *caption = calloc(1, sizeof *caption);
    if (caption == NULL) {
        fail(error, "not enough memory for its letters");
        return NULL;
    }
    bool good = FT_Init_FreeType(&caption->library) == 0 &&
                FT_New_Face(caption->library, path, 0, &caption->face) == 0 &&
                FT_Set_Pixel_Sizes(caption->face, 0, (FT_UInt)pixels) == 0;
    if (good)
        return caption;
    fail(error, "%.300s: FreeType cannot read it", path);
    caption_close(caption);
    return NULL;
}

void caption_close(Caption *caption)
{
    if (caption != NULL && caption->library != NULL)
        FT_Done_FreeType(caption->library); /* also frees caption->face */
    free(caption);
}

bool caption_whole(const Caption *caption)
{
    return !caption->lacks;
}

/* Loads a letter. Every font has a replacement box for letters that it lacks, so a failure means
 * that there is not enough memory. */
static bool load(Caption *caption, char letter, FT_Int32 how)
{
    bool loaded = FT_Load_Char(caption->face, (unsigned char)letter, how) == 0;
    caption->lacks = caption->lacks || !loaded;
    return loaded;
}

int caption_width(Caption *caption, const char *text)
{
    long width = 0;
    for (; *text != 0; text++)
        if (load(caption, *text, FT_LOAD_DEFAULT))
            width += caption->face->glyph->advance.x >> 6;
    return (int)width;
}

void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3])
{
    for (; *text != 0; text++) {
        if (!load(caption, *text, FT_LOAD_RENDER))
            continue;
        const FT_GlyphSlot slot = caption->face->glyph;
        const FT_Bitmap *ink = &slot->bitmap;
        for (int row = 0; row < (int)ink->rows; row++)
            for (int column = 0; column < (int)ink->width; column++)
                caption_blend(image, x + slot->bitmap_left + column, y - slot->bitmap_top + row,
                              rgb, (float)ink->buffer[row * ink->pitch + column] / 255);
        x += (int)(slot->advance.x >> 6);
    }
}

/* -- lines of text as solid bodies ------------------------------------------------------------- */

enum { MARGIN_SAMPLES = 3 }; /* samples around the text in the volume */

/* Largest drawing of a text, pixels. The limit is needed because letters of a font may have any
 * size. LETTERING_LETTERS_MAX letters of a usual font need half as many pixels. */
#define DRAWING_PIXELS_MAX 48e6

/* Rows of pixels, from the top. The values of pixels are first 1 for ink and 0 for background;
 * `measure_outline` replaces them by the distance to the outline. Ink lies in the middle, with a
 * margin around it. */
typedef struct Drawing {
    int width, height;
    int wide, high; /* of the ink */
    float *pixels;
} Drawing;

/* -- distance in the plane --------------------------------------------------------------------- */

/* Replaces each value f[q] of a line by min over p of (q - p)^2 + f[p], the lower envelope of
 * parabolas (Felzenszwalb and Huttenlocher 2012). If f is a squared distance along the other axis,
 * this is the one in the plane. Buffers: `copy` and `hull` of n values, `border` of n + 1. */
static void transform_line(float *f, int n, ptrdiff_t stride, float *copy, int *hull,
                           double *border)
{
    for (int q = 0; q < n; q++)
        copy[q] = f[q * stride];
    int last = 0;
    hull[0] = 0;
    border[0] = -INFINITY;
    border[1] = INFINITY;
    for (int q = 1; q < n; q++) {
        double meet;
        for (;; last--) {
            int p = hull[last];
            meet = ((double)copy[q] + (double)q * q - (double)copy[p] - (double)p * p) /
                   (2.0 * (q - p));
            if (meet > border[last])
                break;
        }
        hull[++last] = q;
        border[last] = meet;
        border[last + 1] = INFINITY;
    }
    for (int q = 0, p = 0; q < n; q++) {
        while (border[p + 1] < q)
            p++;
        f[q * stride] = (float)((double)(q - hull[p]) * (q - hull[p])) + copy[hull[p]];
    }
}

/* Computes the squared distance from each pixel to the nearest one whose value is `ink`, 1 or 0. */
static bool measure(const Drawing *drawing, float ink, float *squared)
{
    int width = drawing->width, height = drawing->height, longer = width > height ? width : height;
    float *copy = malloc((size_t)longer * sizeof *copy);
    int *hull = malloc((size_t)longer * sizeof *hull);
    double *border = malloc(((size_t)longer + 1) * sizeof *border);
    bool good = copy != NULL && hull != NULL && border != NULL;
    if (good) {
        for (size_t p = 0; p < (size_t)width * (size_t)height; p++)
            squared[p] = drawing->pixels[p] == ink ? 0 : 1e12f;
        for (int x = 0; x < width; x++)
            transform_line(squared + x, height, width, copy, hull, border);
        for (int y = 0; y < height; y++)
            transform_line(squared + (ptrdiff_t)y * width, width, 1, copy, hull, border);
    }
    free(copy);
    free(hull);
    free(border);
    return good;
}

/* Replaces ink by the signed distance to the outline, pixels, negative inside. The outline lies
 * half a pixel away from the pixels on both of its sides. */
static bool measure_outline(Drawing *drawing)
{
    size_t pixels = (size_t)drawing->width * (size_t)drawing->height;
    float *outside = malloc(pixels * sizeof *outside), *inside = malloc(pixels * sizeof *inside);
    bool good = outside != NULL && inside != NULL && measure(drawing, 1, outside) &&
                measure(drawing, 0, inside);
    for (size_t p = 0; good && p < pixels; p++)
        drawing->pixels[p] =
            drawing->pixels[p] > 0 ? 0.5f - sqrtf(inside[p]) : sqrtf(outside[p]) - 0.5f;
    free(outside);
    free(inside);
    return good;
}

/* -- the body ---------------------------------------------------------------------------------- */

static float length_of(float x, float y)
{
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

static float pixel_at(const Drawing *drawing, float x, float y)
{
    float right = (float)(drawing->width - 1), bottom = (float)(drawing->height - 1);
    float inside_x = fminf(fmaxf(x, 0), right), inside_y = fminf(fmaxf(y, 0), bottom);
    int i = (int)fminf(inside_x, right - 1), j = (int)fminf(inside_y, bottom - 1);
    const float *a = drawing->pixels + (ptrdiff_t)j * drawing->width + i, *b = a + drawing->width;
    float share = inside_x - (float)i;
    float upper = a[0] + share * (a[1] - a[0]), lower = b[0] + share * (b[1] - b[0]);
    float past = length_of(x - inside_x, y - inside_y);
    return upper + (inside_y - (float)j) * (lower - upper) + past;
}

/* Signed distance to a prism, negative inside. outline: signed distance in the plane of the text.
 * along: distance from the nearer end face along the prism, negative between the end faces. */
static float body_distance(float outline, float along)
{
    float most = outline > along ? outline : along;
    return most < 0 ? most : length_of(fmaxf(outline, 0), fmaxf(along, 0));
}

static bool fill(const Drawing *drawing, float spacing, BillowVolume *volume)
{
    float wide = (float)drawing->wide, high = (float)drawing->high;
    float scale = 2 / fmaxf(wide, high); /* size of a pixel in the units of the body */
    float deep = scale * high / 6;
    const float half[3] = {0.5f * scale * wide, 0.5f * scale * high, deep};
    int counts[3];
    *volume = (BillowVolume){.spacing = spacing};
    for (int axis = 0; axis < 3; axis++) {
        counts[axis] = 2 * (int)ceilf(half[axis] / spacing) + 2 * MARGIN_SAMPLES;
        volume->low[axis] = -0.5f * spacing * (float)(counts[axis] - 1);
    }
    volume->nx = counts[0], volume->ny = counts[1], volume->nz = counts[2];
    float *distance =
        malloc(sizeof(float) * (size_t)counts[0] * (size_t)counts[1] * (size_t)counts[2]);
    const float margin = 0.25f * LETTERING_PIXELS;
    volume->distance = distance;
    for (int k = 0; distance != NULL && k < counts[2]; k++)
        for (int j = 0; j < counts[1]; j++)
            for (int i = 0; i < counts[0]; i++) {
                float x = (volume->low[0] + spacing * (float)i) / scale + 0.5f * wide - 0.5f;
                float y = 0.5f * high - (volume->low[1] + spacing * (float)j) / scale - 0.5f;
                float z = fabsf(volume->low[2] + spacing * (float)k) - deep;
                /* pixel_at counts from the corner of the drawing, which includes the margin */
                *distance++ = body_distance(scale * pixel_at(drawing, x + margin, y + margin), z);
            }
    return volume->distance != NULL;
}

/* Draws the letters of a line of text. The process `reader` reads the font file. */
static bool draw(Isolated *reader, const char *text, uint32_t font, Drawing *drawing,
                 BillowError *error)
{
    int32_t size[2];
    IsolatedQuestion question = {
        .what = ISOLATED_FONT_LINE, .file = font, .parts = {text}, .sizes = {strlen(text)}};
    if (!isolated_ask(reader, &question, size, sizeof size, error))
        return false;
    if (size[0] <= 0 || size[1] <= 0)
        return fail(error, "the text has only blanks");
    const int margin = LETTERING_PIXELS / 4;
    double across = size[0] + 2.0 * margin, upright = size[1] + 2.0 * margin;
    if (across * upright > DRAWING_PIXELS_MAX)
        return fail(error, "its letters cover %.4g million pixels; at most %.4g million are drawn",
                    across * upright * 1e-6, DRAWING_PIXELS_MAX * 1e-6);
    *drawing = (Drawing){(int)across, (int)upright, size[0], size[1], NULL};
    drawing->pixels = calloc((size_t)across * (size_t)upright, sizeof(float));
    if (drawing->pixels == NULL)
        return fail(error, "not enough memory to draw the text");
    size_t bytes = (size_t)size[0] * (size_t)size[1];
    char *ink = malloc(bytes);
    question = (IsolatedQuestion){.what = ISOLATED_FONT_INK, .file = font};
    bool good = ink != NULL ? isolated_ask(reader, &question, ink, bytes, error)
                            : fail(error, "not enough memory to draw the text");
    for (int y = 0; good && y < size[1]; y++)
        for (int x = 0; x < size[0]; x++)
            drawing->pixels[(size_t)(y + margin) * (size_t)drawing->width + (size_t)(x + margin)] =
                ink[(size_t)y * (size_t)size[0] + (size_t)x] == 1 ? 1 : 0;
    free(ink);
    return good;
}

static bool draw_by(const char *path, const char *text, Drawing *drawing, BillowError *error)
{
    const IsolatedLimits limits = isolated_limits();
    BillowError reason;
    IsolatedOpened opened;
    size_t length;
    char *bytes = whole_file_read(path, LETTERING_FONT_BYTES_MAX, &length, error);
    if (bytes == NULL)
        return false;
    Isolated *reader = isolated_start(ISOLATED_FONT, &limits, &reason);
    bool good = reader != NULL && isolated_open(reader, bytes, length, &opened, &reason) &&
                draw(reader, text, opened.file, drawing, &reason);
    isolated_end(reader);
    free(bytes);
    return good || fail(error, "%.300s: %s", path, reason.text);
}

bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error)
{
    char path[1024];
    Drawing drawing = {.pixels = NULL};
    bool file = lettering_font_is_file(font);
    if (file)
        snprintf(path, sizeof path, "%s", font);
    if (!file && !font_find(font, path, sizeof path, error))
        return false;
    bool drawn = draw_by(path, text, &drawing, error);
    bool good = drawn && measure_outline(&drawing) && fill(&drawing, spacing, volume);
    free(drawing.pixels);
    return good || (drawn ? fail(error, "not enough memory to draw the text") : false);
}

#endif
