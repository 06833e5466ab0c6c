/* SPDX-License-Identifier: MIT
 *
 * Noise over the pixels of a picture: gradient_noise of shaders/frame.glsl over again in C. */
#ifndef PICTURE_PIXEL_NOISE_H
#define PICTURE_PIXEL_NOISE_H

#include <math.h>

static inline float pixel_noise(float x, float y)
{
    float sum = 0.06711056f * x + 0.00583715f * y;
    float turned = 52.9829189f * (sum - floorf(sum));
    return turned - floorf(turned);
}

#endif
