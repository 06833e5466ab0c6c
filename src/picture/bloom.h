/* SPDX-License-Identifier: MIT
 *
 * Bloom: the light that a lens scatters about what is bright. A pyramid of ever smaller pictures,
 * each of which is then spread over the next finer one (Jimenez, Next Generation Post Processing in
 * Call of Duty, 2014); shaders/reduce.frag, bloom_down.frag and bloom_up.frag over again in C.
 * Every level counts alike, so that light falls off as the square of the distance, and what is
 * mixed into the picture by picture.bloom has the picture's own mean: no light is added. */
#ifndef PICTURE_BLOOM_H
#define PICTURE_BLOOM_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

enum { BLOOM_LEVELS_MAX = 12, BLOOM_FIRST = 4 /* pixels along an edge of the first level's */ };

typedef struct BloomLevels {
    int count;
    int width[BLOOM_LEVELS_MAX], height[BLOOM_LEVELS_MAX];
} BloomLevels;

/* A quarter of the picture's edges, an eighth and so on, rounded up, until 8 pixels are left. */
BloomLevels bloom_levels(int width, int height);
/* What of a level the coarser ones make up once they are spread over it. */
float bloom_share(const BloomLevels *levels, int level);

typedef struct Bloom {
    BloomLevels levels;
    float *pixels[BLOOM_LEVELS_MAX]; /* radiance times opacity, and opacity */
    size_t floats;                   /* of all, in one piece */
} Bloom;

/* Makes the first level: means of 4 x 4 pixels. False where there is no memory. */
bool bloom_reduce(Bloom *bloom, int width, int height, const float *linear, BillowError *error);
/* The other levels, and all of them into the first. */
void bloom_spread(Bloom *bloom);
/* Of a level's four channels, smooth between its pixels; x and y in them, beyond the edge as there.
 */
void bloom_sample(const Bloom *bloom, int level, float x, float y, float out[4]);
void bloom_close(Bloom *bloom);

#endif
