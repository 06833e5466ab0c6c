/* SPDX-License-Identifier: MIT
 *
 * The ground's texture: tileable noise of mean 0, like weathered concrete. */
#ifndef PICTURE_GROUND_NOISE_H
#define PICTURE_GROUND_NOISE_H

#define GROUND_NOISE_EDGE 512

/* GROUND_NOISE_EDGE squared values between about -1 and 1. */
void ground_noise_fill(float *values);

#endif
