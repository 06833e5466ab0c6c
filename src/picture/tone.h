/* SPDX-License-Identifier: MIT
 *
 * Linear radiance to the values of an sRGB picture: shaders/tone.glsl over again in C. */
#ifndef PICTURE_TONE_H
#define PICTURE_TONE_H

#include "vec3.h"

/* Hill's fit of the ACES transforms, 0..1. */
Vec3 tone_map(Vec3 radiance);

/* IEC 61966-2-1. */
Vec3 tone_encode(Vec3 linear);

#endif
