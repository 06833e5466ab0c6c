/* SPDX-License-Identifier: MIT
 *
 * What the colours of a slice stand for: a bar with numbers beside it. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "color_map.h"
#include "font.h"
#include "frame.h"

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
