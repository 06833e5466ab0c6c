/* SPDX-License-Identifier: MIT
 *
 * Words on a picture, by FreeType. */
#ifndef IO_CAPTION_H
#define IO_CAPTION_H

#include "image.h"

#include <stdbool.h>

typedef struct Caption Caption;

/* DejaVu Sans, or what there is like it, so many pixels high. NULL, with a message, where no font
 * is to be had or this build draws no letters. */
Caption *caption_open(int pixels, BillowError *error);
void caption_close(Caption *caption); /* NULL is fine */

/* False once a letter was left out because memory was short. */
bool caption_whole(const Caption *caption);

/* Pixels that a line of ASCII takes. */
int caption_width(Caption *caption, const char *text);

/* Its letters stand on row y, from column x on, in a colour of sRGB. What is off the picture is
 * left out. */
void caption_draw(Caption *caption, Image *image, int x, int y, const char *text,
                  const uint8_t rgb[3]);

/* Lays so much of a colour, 0..1, over a pixel; nothing off the picture. */
void caption_blend(Image *image, int x, int y, const uint8_t rgb[3], float share);

#endif
