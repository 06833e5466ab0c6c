/* SPDX-License-Identifier: MIT
 *
 * The colours of a slice, and the legend that says which numbers they stand for. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "field_slice.h"
#include "font.h"
#include "frame.h"

/* -- colours for numbers ----------------------------------------------------------------------- */

/* Colour maps whose colours differ for the eye as much as the numbers do: lines through Oklab
 * (Ottosson 2020), sampled evenly by length. */

#define COLOR_MAP_ENTRIES 256

typedef enum ColorMap {
    COLOR_MAP_SEQUENTIAL, /* violet, blue, green, yellow; smaller numbers are darker, in grey as
                             well */
    COLOR_MAP_DIVERGING   /* blue, white, red: white is 0 */
} ColorMap;

/* Fills a table of sRGB colours as RGBA with alpha 1, from the smallest number to the largest. */
void color_map_table(ColorMap map, float table[4 * COLOR_MAP_ENTRIES]);

/* The colour map for a field. */
ColorMap color_map_of(const FieldSlice *field);

/* Converts display sRGB to Oklab: lightness and two colour axes. */
void color_map_oklab(const float srgb[3], float lab[3]);

/* -- the legend -------------------------------------------------------------------------------- */

/* The legend of a slice: a colour bar with numbers beside it. */

enum { LEGEND_TICKS_MAX = 12, LEGEND_TEXT = 16 };

typedef struct Legend {
    char title[64];             /* "speed, m/s" */
    float low, high;            /* values at the lower and the upper end of the bar */
    char place[32];             /* "z = 0.3 m" */
    int ticks;                  /* the ends first, */
    float at[LEGEND_TICKS_MAX]; /* height on the bar, 0 (lower end) to 1 */
    char text[LEGEND_TICKS_MAX][LEGEND_TEXT];
    int contours; /* contour lines, at (i + 1/2) / contours */
    float colors[4 * COLOR_MAP_ENTRIES];
} Legend;

/* Makes a legend with the ends of the range and round numbers between them. */
Legend legend_for(const RenderSlice *slice);
/* Removes numbers that do not fit. height: of the bar; letters: height of the text, in the same
 * unit. */
void legend_fit(Legend *legend, float height, float letters);

/* Opens letters for legend_draw on pictures of this size. Close them with caption_close. Returns
 * NULL and a message if letters cannot be drawn or the picture is too small. */
Caption *legend_letters(const Image *image, BillowError *error);
/* Draws the legend at the right edge of the picture, with as many numbers as fit. Returns false and
 * a message if memory was short for a letter. */
bool legend_draw(const Legend *legend, Caption *letters, Image *image, BillowError *error);

#endif
