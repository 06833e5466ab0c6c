/* SPDX-License-Identifier: MIT
 *
 * Noise in a cube that tiles space, for detail finer than the grid. */
#ifndef PICTURE_DETAIL_NOISE_H
#define PICTURE_DETAIL_NOISE_H

#define DETAIL_NOISE_EDGE  64 /* texels along an edge of the tile */
#define DETAIL_NOISE_CELLS 6  /* patches of the coarsest octave along it */

/* Three octaves of gradient noise (Perlin 1985), x fastest, with mean 0 and mean square 1. */
void detail_noise_fill(float *values);

#endif
