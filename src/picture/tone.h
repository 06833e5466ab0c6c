/* SPDX-License-Identifier: MIT
 *
 * Linear radiance to the values of an sRGB picture: shaders/tone.glsl over again in C. */
#ifndef PICTURE_TONE_H
#define PICTURE_TONE_H

#include "render_settings.h"
#include "vec3.h"

/* 0..1 for any radiance, encoded for the screen: monotone, and 0 for 0. */
Vec3 tone_encoded(RenderTone tone, Vec3 radiance);

#endif
