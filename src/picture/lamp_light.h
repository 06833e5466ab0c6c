/* SPDX-License-Identifier: MIT
 *
 * Light of lamps: shaders/lamps.glsl over again in C. Places and lengths in cells from the corner
 * of the box. */
#ifndef PICTURE_LAMP_LIGHT_H
#define PICTURE_LAMP_LIGHT_H

#include "frame_block.h"
#include "grid_sample.h"

/* The extinction by colour, of one cell in the mean, on the way from lamp i to a place (0..1 over
 * the light volume). dimming: LampVolume's, of red, green and blue, or three times the same. */
Vec3 lamp_dimming(const FrameBlock *frame, const GridSample *dimming, int i, Vec3 place);

/* Of lamp i on a surface with this normal, through the smoke; without the shadows of solids. 0
 * where it faces away. */
Vec3 lamp_irradiance(const FrameBlock *frame, const GridSample *dimming, int i, Vec3 point,
                     Vec3 normal);

/* The ball that shines, where a ray passes it: its radiance times the share of a pixel that it
 * covers, of a pixel so wide per distance. along: where the ray is nearest to it. */
typedef struct LampBall {
    Vec3 radiance;
    float cover;
} LampBall;
LampBall lamp_ball(const FrameBlock *frame, int i, Vec3 origin, Vec3 direction, float along,
                   float pixel);

/* Where a ray is nearest to lamp i. */
float lamp_along(const FrameBlock *frame, int i, Vec3 origin, Vec3 direction);

/* Mean of 1 / r^2 over a part of a ray from `from` to `to`, counted from where it is nearest, `off`
 * away. */
float lamp_nearness(float off, float from, float to);

#endif
