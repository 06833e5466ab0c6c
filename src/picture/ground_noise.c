/* SPDX-License-Identifier: MIT */
#include "ground_noise.h"
#include <stdint.h>

/* -1..1 at a lattice point: the finaliser of MurmurHash3. */
static float lattice(uint32_t x, uint32_t y, uint32_t octave)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ octave * 0xc2b2ae3du;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

/* Value noise of so many cells along the tile's edge, smooth to the second derivative. */
static float value_noise(float x, float y, uint32_t cells, uint32_t octave)
{
    x *= (float)cells;
    y *= (float)cells;
    uint32_t i = (uint32_t)x, j = (uint32_t)y;
    float s = x - (float)i, t = y - (float)j;
    s = s * s * s * (s * (s * 6 - 15) + 10);
    t = t * t * t * (t * (t * 6 - 15) + 10);
    uint32_t i1 = (i + 1) % cells, j1 = (j + 1) % cells;
    float low = lattice(i, j, octave) * (1 - s) + lattice(i1, j, octave) * s;
    float high = lattice(i, j1, octave) * (1 - s) + lattice(i1, j1, octave) * s;
    return low * (1 - t) + high * t;
}

/* Lines of the tile that are lighter or darker as a whole would, repeated towards the horizon, show
 * as stripes: their means go. */
static void level_lines(float *values, int stride_line, int stride)
{
    const int edge = GROUND_NOISE_EDGE;
    for (int line = 0; line < edge; line++) {
        float *first = values + line * stride_line;
        double sum = 0;
        for (int i = 0; i < edge; i++)
            sum += (double)first[i * stride];
        float mean = (float)(sum / edge);
        for (int i = 0; i < edge; i++)
            first[i * stride] -= mean;
    }
}

void ground_noise_fill(float *values)
{
    const int edge = GROUND_NOISE_EDGE;
    for (int y = 0; y < edge; y++)
        for (int x = 0; x < edge; x++) {
            float u = ((float)x + 0.5f) / (float)edge, v = ((float)y + 0.5f) / (float)edge;
            float total = 0, amplitude = 0.4f;
            uint32_t cells = 5;
            for (uint32_t octave = 0; octave < 7; octave++, cells *= 2, amplitude *= 0.8f)
                total += amplitude * value_noise(u, v, cells + octave % 2, octave);
            values[y * edge + x] = total;
        }
    level_lines(values, edge, 1);
    level_lines(values, 1, edge);
}
