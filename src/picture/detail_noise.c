/* SPDX-License-Identifier: MIT */
#include "detail_noise.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A gradient at a lattice point, towards one of a cube's twelve edges (Perlin, "Improving noise",
 * 2002), times the way from there. */
static float slope(const int at[3], int cells, const float way[3])
{
    uint32_t h = (uint32_t)cells * 0xc2b2ae3du;
    for (int axis = 0; axis < 3; axis++) {
        h = (h ^ (uint32_t)(at[axis] % cells)) * 0x9e3779b1u;
        h = (h ^ (h >> 15)) * 0x85ebca6bu; /* as MurmurHash3's finaliser */
        h ^= h >> 13;
    }
    uint32_t edge = (h >> 8) % 12;
    int missing = (int)(edge / 4);
    float u = way[missing == 0 ? 1 : 0], v = way[missing == 2 ? 1 : 2];
    return (edge & 1 ? u : -u) + (edge & 2 ? v : -v);
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* One octave, with so many lattice cells along the tile's edge; place in tiles. */
static float octave(const float place[3], int cells)
{
    int low[3];
    float share[3], sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        float x = place[axis] * (float)cells;
        low[axis] = (int)x;
        share[axis] = x - (float)low[axis];
    }
    for (int corner = 0; corner < 8; corner++) {
        int at[3];
        float way[3], weight = 1;
        for (int axis = 0; axis < 3; axis++) {
            int far = corner >> axis & 1;
            at[axis] = low[axis] + far;
            way[axis] = share[axis] - (float)far;
            weight *= far ? fade(share[axis]) : 1 - fade(share[axis]);
        }
        sum += weight * slope(at, cells, way);
    }
    return sum;
}

static void normalise(float *values, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)values[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    double scale = 1 / sqrt(squares / (double)count);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(((double)values[i] - mean) * scale);
}

void detail_noise_fill(float *values)
{
    const int edge = DETAIL_NOISE_EDGE;
    float *out = values;
    for (int k = 0; k < edge; k++)
        for (int j = 0; j < edge; j++)
            for (int i = 0; i < edge; i++) {
                const float place[3] = {((float)i + 0.5f) / (float)edge,
                                        ((float)j + 0.5f) / (float)edge,
                                        ((float)k + 0.5f) / (float)edge};
                *out++ = octave(place, DETAIL_NOISE_CELLS) +
                         0.6f * octave(place, 2 * DETAIL_NOISE_CELLS + 1) +
                         0.36f * octave(place, 4 * DETAIL_NOISE_CELLS + 1);
            }
    normalise(values, (size_t)edge * (size_t)edge * (size_t)edge);
}
