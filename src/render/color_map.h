/* SPDX-License-Identifier: MIT
 *
 * Colours for numbers, as far apart to the eye as the numbers are: lines through Oklab (Ottosson
 * 2020), drawn evenly by their length there. */
#ifndef RENDER_COLOR_MAP_H
#define RENDER_COLOR_MAP_H

#include "field_slice.h"

#define COLOR_MAP_ENTRIES 256

typedef enum ColorMap {
    COLOR_MAP_SEQUENTIAL, /* violet, blue, green, yellow: darker is less, in grey as well */
    COLOR_MAP_DIVERGING   /* blue, white, red: white is 0 */
} ColorMap;

/* sRGB for a display, RGBA with alpha 1, the first entry for the least number and the last for the
 * largest. */
void color_map_table(ColorMap map, float table[4 * COLOR_MAP_ENTRIES]);

/* The colours that a field's numbers are drawn in. */
ColorMap color_map_of(const FieldSlice *field);

/* Oklab's lightness and two axes of a display's sRGB. */
void color_map_oklab(const float srgb[3], float lab[3]);

#endif
