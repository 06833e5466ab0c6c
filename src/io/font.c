/* SPDX-License-Identifier: MIT */
#include "font.h"

#include "fail.h"

#include <string.h>

static const char out_of_memory[] = "not enough memory to look for fonts";

/* Whether a message of font_find says that memory is short. */
static bool font_out_of_memory(const BillowError *error)
{
    return strcmp(error->text, out_of_memory) == 0;
}

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

#else

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <stdio.h>
#include <stdlib.h>
#include FT_FREETYPE_H

bool font_find(const char *font, char *path, size_t size, BillowError *error)
{
    const bool any = font[0] == '\0';
    FcConfig *config = FcInitLoadConfigAndFonts();
    FcPattern *wanted = FcNameParse((const FcChar8 *)(any ? "DejaVu Sans:bold" : font));
    FcChar8 *asked = NULL, *family = NULL, *file = NULL;
    bool good = config != NULL && wanted != NULL &&
                FcPatternGetString(wanted, FC_FAMILY, 0, &asked) == FcResultMatch;
    FcPattern *query = good ? FcPatternDuplicate(wanted) : NULL, *found = NULL;
    /* These calls fail only if memory is short. */
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
        if (font_out_of_memory(&missing)) {
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
        FT_Done_FreeType(caption->library); /* also frees the face */
    free(caption);
}

bool caption_whole(const Caption *caption)
{
    return !caption->lacks;
}

/* Loads a letter. Every font has at least a box for each letter, so a failure means that memory is
 * short. */
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

#endif
