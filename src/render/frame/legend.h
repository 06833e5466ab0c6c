/* SPDX-License-Identifier: MIT
 *
 * The colours of a slice, and the legend that says which numbers they stand for. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "field_slice.h"
#include "font.h"
#include "frame.h"

/* -- colours for numbers ----------------------------------------------------------------------- */

/* Colours for numbers, as far apart to the eye as the numbers are: lines through Oklab (Ottosson
 * 2020), drawn evenly by their length there. */

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

/* -- the legend -------------------------------------------------------------------------------- */

/* What the colours of a slice stand for: a bar with numbers beside it. */

enum { LEGEND_TICKS_MAX = 12, LEGEND_TEXT = 16 };

typedef struct Legend {
    char title[64];             /* "speed, m/s" */
    float low, high;            /* what the bar's ends stand for */
    char place[32];             /* "z = 0.3 m" */
    int ticks;                  /* the ends first, */
    float at[LEGEND_TICKS_MAX]; /* from 0 at the foot of the bar to 1 */
    char text[LEGEND_TICKS_MAX][LEGEND_TEXT];
    int contours; /* lines of equal value, at (i + 1/2) / contours */
    float colors[4 * COLOR_MAP_ENTRIES];
} Legend;

/* The ends of the range and, between them, round numbers that leave room for each other. */
Legend legend_for(const RenderSlice *slice);
/* Fewer of them, on a bar so high, for letters so large. */
void legend_fit(Legend *legend, float height, float letters);

/* For legend_draw on pictures of this size: to be closed by caption_close. NULL, with a message,
 * where letters cannot be drawn or there is no room. */
Caption *legend_letters(const Image *image, BillowError *error);
/* At the right edge of the picture, with as many numbers as have room. False, with a message, where
 * memory was short for a letter. */
bool legend_draw(const Legend *legend, Caption *letters, Image *image, BillowError *error);

#endif
