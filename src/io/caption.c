/* SPDX-License-Identifier: MIT */
#include "caption.h"

#include "fail.h"
#include "font.h"

#include <stddef.h>

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

struct Caption {
    int nothing;
};

Caption *caption_open(int pixels, BillowError *error)
{
    char path[1];
    (void)pixels;
    font_find("", path, sizeof path, error); /* says why not */
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

#include <ft2build.h>
#include <stdlib.h>
#include FT_FREETYPE_H

struct Caption {
    FT_Library library;
    FT_Face face;
    bool lacks; /* a letter */
};

Caption *caption_open(int pixels, BillowError *error)
{
    char path[1024];
    BillowError missing;
    if (!font_find("DejaVu Sans", path, sizeof path, &missing)) {
        if (font_ran_short(&missing)) {
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
        FT_Done_FreeType(caption->library); /* and with it the face */
    free(caption);
}

bool caption_whole(const Caption *caption)
{
    return !caption->lacks;
}

/* A font has something for every letter, a box where nothing else. */
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
