/* SPDX-License-Identifier: MIT
 *
 * Fonts: the files of those that are installed (fontconfig), and lines of text drawn on pictures
 * (FreeType). */
#ifndef IO_FONT_H
#define IO_FONT_H

#include "image.h"

#include <billow/billow.h>

/* The file of a font family by name; "" stands for DejaVu Sans Bold or the nearest to it. False and
 * a message where there is none, or where this build has no fontconfig. */
bool font_find(const char *font, char *path, size_t size, BillowError *error);

/* Whether a message of font_find is about lack of memory, and not about fonts. */
bool font_out_of_memory(const BillowError *error);

typedef struct Caption Caption;

/* Letters of DejaVu Sans or the nearest to it, `pixels` high. NULL and a message where no font is
 * installed or this build draws no letters. */
Caption *caption_open(int pixels, BillowError *error);
void caption_close(Caption *caption); /* NULL is fine */

/* False once a letter was left out for lack of memory. */
bool caption_whole(const Caption *caption);

/* Width of a line of ASCII, pixels. */
int caption_width(Caption *caption, const char *text);

/* Draws a line of ASCII in an sRGB colour. Its letters stand on row y and begin at column x. Parts
 * outside the picture are left out. */
void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3]);

/* Blends a colour over a pixel, with an opacity of 0..1; nothing outside the picture. */
void caption_blend(Image *image, int x, int y, const uint8_t rgb[3], float opacity);

/* -- lines of text as solid bodies (lettering.c) ----------------------------------------------- */

/* Lines of text as solid bodies. */

/* Larger font files are refused. */
#define LETTERING_FONT_BYTES_MAX ((size_t)64 << 20)

/* Whether a font is given as a file: it has a '/' or a dot in it. */
bool lettering_font_is_file(const char *font);

/* Makes the distance volume of a line of text, with samples `spacing` apart. The text is centred at
 * the origin: x to the right, y up, its longer edge from -1 to 1, and a sixth of its height deep to
 * the front and back. font is an ordinary file or the name of a family, "" for DejaVu Sans Bold or
 * the nearest to it. Free the samples with lettering_free. False and a message where the font or a
 * letter is missing, or this build has no FreeType. */
bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error);
void lettering_free(BillowVolume *volume);

#endif
