/* SPDX-License-Identifier: MIT
 * Letters of a font as a solid body. */
#ifndef IO_LETTERING_H
#define IO_LETTERING_H

#include <billow/billow.h>

/* Larger fonts are refused. */
#define LETTERING_FONT_BYTES_MAX ((size_t)64 << 20)

/* Whether what names a font names a file: it has a '/' or a dot. */
bool lettering_font_is_file(const char *font);

/* The distance volume of a line of text around its middle: x to the right, y up, its longer edge
 * from -1 to 1, a sixth of its height to the front and back, samples `spacing` apart. font is a
 * file (an ordinary one) or a family's name, "" for DejaVu Sans Bold or what there is like it.
 * The samples are allocated; free them with lettering_free. False, with a message, where the font
 * or one of its letters is missing, or this build has no FreeType. */
bool lettering_draw(const char *text, const char *font, float spacing, BillowVolume *volume,
                    BillowError *error);
void lettering_free(BillowVolume *volume);

#endif
