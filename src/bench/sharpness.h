/* SPDX-License-Identifier: MIT
 *
 * How sharp the smoke in a picture is beside that in another picture of the same state. */
#ifndef BENCH_SHARPNESS_H
#define BENCH_SHARPNESS_H

#include <stdint.h>

/* Octaves of wavelengths: 2 to 4 pixels, 4 to 8 and so on. */
enum { SHARPNESS_OCTAVES = 5 };

/* Contrast of `picture` in each octave, inside its smoke, over that of `other`: the root of the
 * ratio of powers. 1: as much detail of this size; NaN: `other` has none, or memory is short.
 * Pictures have 4 bytes a pixel, sRGB. smoke: opacity, a byte a pixel; what has at least a quarter
 * counts. */
void sharpness_compare(const uint8_t *picture, const uint8_t *other, const uint8_t *smoke,
                       int width, int height, double contrast[SHARPNESS_OCTAVES]);

#endif
