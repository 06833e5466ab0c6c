/* SPDX-License-Identifier: MIT
 *
 * Rays through smoke: shaders/raymarch.frag over again in C, for tests of it, and for pictures
 * where there is no OpenGL. */
#ifndef PICTURE_MARCH_H
#define PICTURE_MARCH_H

#include "blackbody.h"
#include "frame_block.h"
#include "grid_sample.h"
#include "lighting.h"

/* What a ray passes through. Points into the view and the light that it was made of. */
typedef struct March {
    const FrameBlock *frame;
    GridSample density, temperature, flame, color[3]; /* without values: there are none */
    GridSample light, ambient, joined, shade, lamps[3];
    bool cubic;          /* smoke and light by B-splines */
    const float *ground; /* what of it lights the ground: ground_glow.h */
    const float *glow;   /* BLACKBODY_ENTRIES colours */
} March;

/* Radiance that is added, and the share of what is behind that comes through: as a whole, and by
 * colour. distance: from the ray's start, in metres, of the smoke seen: the mean of its places,
 * weighted as their light is; 0 where there is none. */
typedef struct Marched {
    Vec3 radiance;
    float transmittance;
    Vec3 through;
    float distance;
    Vec3 lamp_depth[RENDER_LAMPS_MAX]; /* up to where it passes each lamp, or to its end */
} Marched;

#define MARCHED_NOTHING ((Marched){.transmittance = 1, .through = {1, 1, 1}})

void march_prepare(March *march, const FrameBlock *frame, const BillowView *view,
                   const Lighting *lighting, const SolidLight *solids, bool emission);

/* From begin to end along a ray, in cells from the box's corner; jitter: 0 <= share < 1 of a step
 * at which each is sampled; beyond: radiance of what is behind, as smoke scatters it ahead. */
Marched march_ray(const March *march, Vec3 origin, Vec3 direction, float begin, float end,
                  float jitter, Vec3 beyond);

/* Radiance of sky and ground about a direction, as smoke scatters it ahead. */
Vec3 march_surroundings(const FrameBlock *frame, Vec3 direction);

/* At a place in cells: the optical depth to the sun, and what of its light comes through that. */
Vec3 march_sun_depth(const March *march, Vec3 cells);
Vec3 march_sunlight(const March *march, Vec3 cells);

/* Where a ray enters and leaves a box; a miss has begin >= end. direction: march_safe. */
void march_box(Vec3 origin, Vec3 direction, const float low[3], const float high[3], float *begin,
               float *end);

/* Without components so small that their inverse overflows. */
Vec3 march_safe(Vec3 direction);

/* Henyey and Greenstein's phase function; two of them, lobes[2] being the second one's share. */
float march_phase(float cosine, float g);
float march_lobes(float cosine, const float lobes[3]);

#endif
