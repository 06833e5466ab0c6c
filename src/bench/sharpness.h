/* SPDX-License-Identifier: MIT
 *
 * How sharp the smoke in a picture is beside that in another picture of the same state. */
#ifndef BENCH_SHARPNESS_H
#define BENCH_SHARPNESS_H

#include <stdint.h>

/* Octaves of wavelengths: 2 to 4 pixels, 4 to 8 and so on. */
enum { SHARPNESS_OCTAVES = 5 };

/* Compares the detail of two pictures where there is smoke. contrast: in each octave, that of
 * `picture` over that of `other`, as the root of the ratio of their powers. A contrast of 1 means
 * as much detail of this size. NaN means that `other` has none, or that memory is short. Pictures
 * have 4 bytes a pixel, sRGB. smoke: opacity, a byte a pixel; only pixels with an opacity of at
 * least a quarter count. */
void sharpness_compare(const uint8_t *picture, const uint8_t *other, const uint8_t *smoke,
                       int width, int height, double contrast[SHARPNESS_OCTAVES]);

#endif
