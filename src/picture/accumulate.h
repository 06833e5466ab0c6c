/* SPDX-License-Identifier: MIT
 *
 * Smoke drawn by few rays that are elsewhere in each picture, and kept: the maths of
 * shaders/neighbours.frag and shaders/accumulate.frag over again in C, for tests of them.
 *
 * Each pixel of the history, which is finer than what is marched, takes a share of the new rays
 * and keeps the rest of what was there. What was there is looked up where the smoke that is seen
 * now was seen before, as the camera and the smoke itself have moved since, and is brought to
 * within what the rays around it say now, so that nothing stays that is no longer there (Karis,
 * High Quality Temporal Supersampling, 2014; Salvi, An Excursion in Temporal Supersampling, 2016).
 */
#ifndef PICTURE_ACCUMULATE_H
#define PICTURE_ACCUMULATE_H

#include "frame_block.h"

/* Share of what is new in a pixel that a ray meets in its middle, once there is a history. */
#define ACCUMULATE_SHARE 0.2f

/* Where in its pixel each ray of picture number `index` is, from the middle, in pixels: -0.5 < x, y
 * < 0.5. Halton's sequence to bases 2 and 3, of which any few in a row fill the pixel evenly. */
void accumulate_offset(unsigned index, float offset[2]);

/* What neighbours.frag finds for a marched pixel: radiance and transmittance each. */
typedef struct AccumulateAround {
    float mean[4], reach[4]; /* of a cross of 5 rays, and how far from it the history may be */
    float way[2];            /* to where the smoke seen there was in the picture before; 0..1 across
                                and up */
} AccumulateAround;

/* values: what the rays found, row by row from below; distances: in metres, as raymarch.frag's
 * THROUGH has them; motion: m/s, or NULL. Of the pixel in column x, row y. */
typedef struct AccumulateRays {
    const FrameBlock *frame;
    int width, height;
    const float *values, *through; /* 4 floats a pixel each */
    const float *motion;           /* 3 floats a cell */
    int motion_n[3];
} AccumulateRays;

AccumulateAround accumulate_around(const AccumulateRays *rays, int x, int y);

/* What is kept: pixels as those of AccumulateRays; values NULL: nothing was there. */
typedef struct AccumulateKept {
    int width, height;
    const float *values;
} AccumulateKept;

/* The pixel in column x and row y of a history of the frame's history_size; around: of each of the
 * marched pixels. */
void accumulate_pixel(const AccumulateRays *rays, const AccumulateAround *around,
                      const AccumulateKept *before, int x, int y, float out[4]);

#endif
