/* SPDX-License-Identifier: MIT */
#include "noise.h"

#include <math.h>

/* A small integer hash (multiply, xor, shift rounds) of a lattice point, to -1..1. */
static float lattice(int32_t x, int32_t y, int32_t z, int32_t t, uint32_t seed)
{
    uint32_t h = seed * 0x9E3779B1u;
    h = (h ^ (uint32_t)x) * 0x85EBCA6Bu;
    h = (h ^ (h >> 15) ^ (uint32_t)y) * 0xC2B2AE35u;
    h = (h ^ (h >> 14) ^ (uint32_t)z) * 0x27D4EB2Fu;
    h = (h ^ (h >> 16) ^ (uint32_t)t) * 0x165667B1u;
    h ^= h >> 15;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    return (float)(h >> 8) * (2.0f / 16777215.0f) - 1.0f;
}

static float fade(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Far beyond any box a coordinate's cell no longer fits an int; the noise is flat there. */
static int32_t cell_of(float x)
{
    float cell = floorf(x);
    return cell > -1e9f && cell < 1e9f ? (int32_t)cell : 0;
}

static float octave(float x, float y, float z, float t, uint32_t seed)
{
    int32_t i = cell_of(x), j = cell_of(y), k = cell_of(z), l = cell_of(t);
    float fx = fade(x - floorf(x)), fy = fade(y - floorf(y)), fz = fade(z - floorf(z));
    float value[2];
    for (int s = 0; s < 2; s++) {
        float plane[2];
        for (int r = 0; r < 2; r++) {
            float low =
                mix(lattice(i, j, k + r, l + s, seed), lattice(i + 1, j, k + r, l + s, seed), fx);
            float high = mix(lattice(i, j + 1, k + r, l + s, seed),
                             lattice(i + 1, j + 1, k + r, l + s, seed), fx);
            plane[r] = mix(low, high, fy);
        }
        value[s] = mix(plane[0], plane[1], fz);
    }
    return mix(value[0], value[1], fade(t - floorf(t)));
}

float noise4(float x, float y, float z, float t, uint32_t seed)
{
    /* Lattice noise has a standard deviation of about 0.3: the factor brings its swings to about 1.
     */
    return 1.4f * octave(x, y, z, t, seed) +
           0.7f * octave(2.0f * x + 17.0f, 2.0f * y + 5.0f, 2.0f * z + 11.0f, 2.0f * t, seed + 1u);
}
