/* SPDX-License-Identifier: MIT
 *
 * Finds installed fonts (fontconfig), draws lines of text on pictures (FreeType), and makes solid
 * bodies of text. */
#ifndef IO_FONT_H
#define IO_FONT_H

#include "image.h"

#include <billow/billow.h>

/* Finds the file of a font family; "" stands for DejaVu Sans Bold or the closest installed font.
 * Returns false and a message if there is none, or if this build has no fontconfig. */
bool font_find(const char *font, char *path, size_t size, BillowError *error);

typedef struct Caption Caption;

/* Opens letters of DejaVu Sans or the closest installed font, `pixels` high. Returns NULL and a
 * message if no font is installed or this build cannot draw letters. */
Caption *caption_open(int pixels, BillowError *error);
void caption_close(Caption *caption); /* NULL is fine */

/* Returns false once a letter was omitted because memory was short. */
bool caption_whole(const Caption *caption);

/* Width of a line of ASCII, pixels. */
int caption_width(Caption *caption, const char *text);

/* Draws a line of ASCII in an sRGB colour. Its base line is at row y, and it starts at column x.
 * Parts outside the picture are clipped. */
void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3]);

/* Blends a colour over a pixel with an opacity of 0..1. Pixels outside the picture are ignored. */
void caption_blend(Image *image, int x, int y, const uint8_t rgb[3], float opacity);

/* -- lines of text as solid bodies ----------------------------------------------------------- */

/* largest font file that is read, bytes */
#define LETTERING_FONT_BYTES_MAX ((size_t)64 << 20)

/* Whether a font is given as a file name: it contains a '/' or a dot. */
bool lettering_font_is_file(const char *font);

/* Makes the distance volume of a line of text, with samples `spacing` apart. The text is centred at
 * the origin: x to the right, y up, and its longer edge from -1 to 1. It extends a sixth of its
 * height to the front and to the back. font: an ordinary file, the name of a family, or "" for
 * DejaVu Sans Bold or the closest installed font. The caller frees volume->distance. Returns false
 * and a message if the font or a letter is missing, or if this build has no FreeType. */
bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error);

#endif
