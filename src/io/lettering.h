/* SPDX-License-Identifier: MIT
 * Lines of text as solid bodies. */
#ifndef IO_LETTERING_H
#define IO_LETTERING_H

#include <billow/billow.h>

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
