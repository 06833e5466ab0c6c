/* SPDX-License-Identifier: MIT
 *
 * Bloom: the light that a lens scatters about what is bright. A pyramid of ever smaller pictures,
 * each of which is then spread over the next finer one (Jimenez, Next Generation Post Processing in
 * Call of Duty, 2014); shaders/reduce.frag, bloom_down.frag and bloom_up.frag over again in C.
 * Every level counts alike, so that light falls off as the square of the distance, and what is
 * mixed into the picture by picture.bloom has the picture's own mean: no light is added. */
#ifndef PICTURE_BLOOM_H
#define PICTURE_BLOOM_H

enum { BLOOM_LEVELS_MAX = 12, BLOOM_FIRST = 4 /* pixels along an edge of the first level's */ };

typedef struct BloomLevels {
    int count;
    int width[BLOOM_LEVELS_MAX], height[BLOOM_LEVELS_MAX];
} BloomLevels;

/* A quarter of the picture's edges, an eighth and so on, rounded up, until 8 pixels are left. */
BloomLevels bloom_levels(int width, int height);
/* What of a level the coarser ones make up once they are spread over it. */
float bloom_share(const BloomLevels *levels, int level);

#endif
