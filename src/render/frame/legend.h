/* SPDX-License-Identifier: MIT
 *
 * Colour maps of slices, and the legend that shows which value each colour stands for. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "io/font.h"
#include "render/frame/field_slice.h"
#include "render/frame/frame.h"

/* -- colours for numbers ----------------------------------------------------------------------- */

/* Perceptually uniform colour maps: curves through Oklab (Ottosson 2020), sampled evenly by arc
 * length. */

#define COLOR_MAP_ENTRIES 256

typedef enum ColorMap {
    COLOR_MAP_SEQUENTIAL, /* violet, blue, green, yellow; lightness grows with the value, also in
                             greyscale */
    COLOR_MAP_DIVERGING   /* blue, white, red; white is 0 */
} ColorMap;

/* Fills a table of sRGB colours as RGBA with alpha 1, from the smallest value to the largest. */
void color_map_table(ColorMap map, float table[4 * COLOR_MAP_ENTRIES]);

ColorMap color_map_of(const FieldSlice *field);

/* Converts display sRGB to Oklab: lightness and two colour axes. */
void color_map_oklab(const float srgb[3], float lab[3]);

/* -- the legend -------------------------------------------------------------------------------- */

/* A legend: a colour bar with numbers beside it. */

enum { LEGEND_TICKS_MAX = 12, LEGEND_TEXT = 16 };

typedef struct Legend {
    char title[64];             /* such as "speed, m/s" */
    float low, high;            /* values at the lower and the upper end of the bar */
    char place[32];             /* position of the plane, such as "z = 0.3 m" */
    int ticks;                  /* count of numbers beside the bar; those at its ends come first */
    float at[LEGEND_TICKS_MAX]; /* height of each number on the bar, 0 (lower end) to 1 */
    char text[LEGEND_TICKS_MAX][LEGEND_TEXT];
    int contours; /* number of contour lines; line i is at (i + 1/2) / contours of the bar */
    float colors[4 * COLOR_MAP_ENTRIES];
} Legend;

/* Returns the legend of a slice, with numbers at the ends of its range and round numbers between
 * them. */
Legend legend_for(const RenderSlice *slice);
/* Removes numbers that do not fit. height: height of the bar. letters: height of the letters, in
 * the same unit. */
void legend_fit(Legend *legend, float height, float letters);

/* Prepares the letters for legend_draw, for pictures of this size. Close them with caption_close.
 * Returns NULL and a message if letters cannot be drawn or the picture is too small. */
Caption *legend_letters(const Image *image, BillowError *error);
/* Draws the legend at the right edge of the picture, with as many numbers as fit. Returns false and
 * a message if a letter cannot be drawn for lack of memory. */
bool legend_draw(const Legend *legend, Caption *letters, Image *image, BillowError *error);

#endif
