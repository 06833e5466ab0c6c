/* SPDX-License-Identifier: MIT
 *
 * Finds installed fonts (fontconfig), draws lines of text on pictures (FreeType), and makes solid
 * bodies of text. */
#ifndef IO_FONT_H
#define IO_FONT_H

#include "io/image.h"

#include <billow/billow.h>

/* Finds the file of a font family. The family "" is DejaVu Sans Bold or the installed font closest
 * to it. Returns false and a message if there is none, or if this build has no fontconfig. */
bool font_find(const char *font, char *path, size_t size, BillowError *error);

typedef struct Caption Caption;

/* Opens DejaVu Sans, or the installed font closest to it, for letters of height `pixels`. Returns
 * NULL and a message if no font is installed or this build cannot draw letters. */
Caption *caption_open(int pixels, BillowError *error);
void caption_close(Caption *caption); /* NULL is fine */

/* Whether all letters were drawn. False if a letter was omitted because there was not enough
 * memory. */
bool caption_whole(const Caption *caption);

/* Width of a line of ASCII text, pixels. */
int caption_width(Caption *caption, const char *text);

/* Draws a line of ASCII text in an sRGB colour. The line starts at column x, with its base line at
 * row y. Parts outside the picture are clipped. */
void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3]);

/* Blends a colour over a pixel with an opacity of 0..1. Pixels outside the picture are ignored. */
void caption_blend(Image *image, int x, int y, const uint8_t rgb[3], float opacity);

/* -- lines of text as solid bodies ----------------------------------------------------------- */

/* largest font file that is read, bytes */
#define LETTERING_FONT_BYTES_MAX ((size_t)64 << 20)

enum {
    LETTERING_PIXELS = 384, /* height of drawn letters; finer than samples of any volume */
    LETTERING_LETTERS_MAX = 256
};

/* Whether `font` is a file name and not a family: it contains a '/' or a dot. */
bool lettering_font_is_file(const char *font);

/* Makes the distance volume of a line of text. spacing: distance between samples, in units of the
 * volume. The text is centred at the origin, with x to the right and y up; the longer edge of its
 * rectangle spans -1 to 1. The body extends a sixth of its height to the front and to the back.
 * font: an ordinary file, the name of a family, or "" for DejaVu Sans Bold or the installed font
 * closest to it; it is read in a process of its own (isolated.h). The caller frees
 * volume->distance. Returns false and a message if the font or a letter is missing, or if this
 * build has no FreeType. */
bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error);

#endif
