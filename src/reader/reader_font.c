/* SPDX-License-Identifier: MIT */
#include "reader/reader.h"

#include "base/fail.h"

#ifdef BILLOW_FREETYPE

#include "io/font.h"

#include <ft2build.h>
#include <stdlib.h>
#include <string.h>
#include FT_FREETYPE_H

typedef struct Pen {
    char *bytes;
    FT_Library library;
    FT_Face face;
    uint32_t letters[LETTERING_LETTERS_MAX];
    int count;
    long left, right, top, bottom; /* bounds of the letters' pixels, y upwards */
} Pen;

static const char *family_of(const Pen *pen)
{
    return pen->face->family_name != NULL ? pen->face->family_name : "without a name";
}

/* Whether a call was good. Ends the process if it failed because there is not enough memory. */
static bool is_good(FT_Error problem)
{
    if (problem == FT_Err_Out_Of_Memory)
        reader_out_of_memory();
    return problem == 0;
}

static void close_file(void *file)
{
    Pen *pen = file;
    if (pen->library != NULL)
        FT_Done_FreeType(pen->library); /* also frees the face */
    free(pen->bytes);
    free(pen);
}

static void *open_file(char *bytes, size_t length, BillowError *error)
{
    Pen *pen = calloc(1, sizeof *pen);
    if (pen == NULL)
        reader_out_of_memory();
    pen->bytes = bytes;
    bool good = is_good(FT_Init_FreeType(&pen->library)) &&
                is_good(FT_New_Memory_Face(pen->library, (const FT_Byte *)bytes, (FT_Long)length, 0,
                                           &pen->face));
    if (!good)
        fail(error, "no font that FreeType can read");
    else if (!is_good(FT_Set_Pixel_Sizes(pen->face, 0, LETTERING_PIXELS)))
        good = fail(error, "a font without outlines, which letters of any size need");
    if (good)
        return pen;
    close_file(pen);
    return NULL;
}

/* -- the line of text -------------------------------------------------------------------------- */

/* Reads a code point of valid UTF-8 text and advances the text. */
static uint32_t next_letter(const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    int more = *c < 0x80 ? 0 : *c < 0xE0 ? 1 : *c < 0xF0 ? 2 : 3;
    uint32_t letter = more == 0 ? *c : *c & (0x3Fu >> more);
    for (c++; more > 0 && *c != '\0'; more--, c++)
        letter = letter << 6 | (*c & 0x3Fu);
    *text = (const char *)c;
    return letter;
}

static bool read_letters(const char *text, Pen *pen, BillowError *error)
{
    pen->count = 0;
    while (*text != '\0') {
        uint32_t letter = next_letter(&text);
        if (pen->count == LETTERING_LETTERS_MAX)
            return fail(error, "a text of more than %d letters", LETTERING_LETTERS_MAX);
        if (FT_Get_Char_Index(pen->face, letter) == 0)
            return fail(error, "the font %s has no letter U+%04X", family_of(pen), letter);
        pen->letters[pen->count++] = letter;
    }
    return true;
}

static void cover(Pen *pen, long x, long y, const FT_Bitmap *bitmap)
{
    if (bitmap->width == 0 || bitmap->rows == 0)
        return;
    pen->left = x < pen->left ? x : pen->left;
    pen->top = y > pen->top ? y : pen->top;
    pen->right = x + (long)bitmap->width > pen->right ? x + (long)bitmap->width : pen->right;
    pen->bottom = y - (long)bitmap->rows < pen->bottom ? y - (long)bitmap->rows : pen->bottom;
}

static void blit(const Pen *pen, long x, long y, const FT_Bitmap *bitmap, char *ink)
{
    const size_t width = (size_t)(pen->right - pen->left);
    for (unsigned row = 0; row < bitmap->rows; row++)
        for (unsigned column = 0; column < bitmap->width; column++)
            if (bitmap->buffer[(int)row * bitmap->pitch + (int)column] >= 128)
                ink[(size_t)(pen->top - y + row) * width + (size_t)(x - pen->left + column)] = 1;
}

/* Places the letters side by side. If ink is NULL, only measures the bounds of their pixels. */
static bool set_line(Pen *pen, char *ink, BillowError *error)
{
    FT_UInt before = 0;
    long x = 0;
    for (int l = 0; l < pen->count; l++) {
        FT_UInt glyph = FT_Get_Char_Index(pen->face, pen->letters[l]);
        FT_Vector kerning = {0, 0};
        if (before != 0)
            FT_Get_Kerning(pen->face, before, glyph, FT_KERNING_DEFAULT, &kerning);
        if (!is_good(FT_Load_Glyph(pen->face, glyph, FT_LOAD_RENDER | FT_LOAD_NO_HINTING)))
            return fail(error, "the font %s cannot draw U+%04X", family_of(pen),
                        (unsigned)pen->letters[l]);
        const FT_GlyphSlot slot = pen->face->glyph;
        x += kerning.x >> 6;
        if (ink == NULL)
            cover(pen, x + slot->bitmap_left, slot->bitmap_top, &slot->bitmap);
        else
            blit(pen, x + slot->bitmap_left, slot->bitmap_top, &slot->bitmap, ink);
        x += slot->advance.x >> 6;
        before = glyph;
    }
    return true;
}

static bool answer(void *file, uint32_t what, char *request, size_t length, ReaderAnswer *answer,
                   BillowError *error)
{
    Pen *pen = file;
    (void)length;
    if (what == ISOLATED_FONT_LINE) {
        pen->left = pen->bottom = 1000000000;
        pen->right = pen->top = -1000000000;
        if (!read_letters(request, pen, error) || !set_line(pen, NULL, error))
            return false;
        bool any = pen->right > pen->left;
        int32_t *size = reader_answer(answer, 2 * sizeof *size);
        size[0] = any ? (int32_t)(pen->right - pen->left) : 0;
        size[1] = any ? (int32_t)(pen->top - pen->bottom) : 0;
        return true;
    }
    /* The other process asks for the ink of a line of an allowed size alone. */
    size_t bytes = (size_t)(pen->right - pen->left) * (size_t)(pen->top - pen->bottom);
    return set_line(pen, memset(reader_answer(answer, bytes), 0, bytes), error);
}

const ReaderKind reader_font = {"font", NULL, open_file, close_file, answer};

#else

const ReaderKind reader_font = {.name = "font"};

#endif
