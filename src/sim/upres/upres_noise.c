/* SPDX-License-Identifier: MIT */
#include "sim/upres/upres_noise.h"

#include <math.h>
#include <stdlib.h>

float upres_random(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du ^ seed * 0x27d4eb2fu;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

/* Weights of a cubic B-spline at a place between the second and the third of four points. */
static void spline_weights(float t, float weight[4])
{
    float s = 1 - t;
    weight[0] = s * s * s / 6;
    weight[1] = (4 - 3 * t * t * (2 - t)) / 6;
    weight[2] = (4 - 3 * s * s * (2 - s)) / 6;
    weight[3] = t * t * t / 6;
}

/* Most lattice points of an octave along the tile's edge. */
enum { POINTS_MAX = 20 };

/* An octave: random values at lattice points, `points` along the tile's edge, which B-splines
 * interpolate. For each texel along an axis: the first of the four points, and their weights. */
typedef struct Octave {
    int points;
    float values[POINTS_MAX][POINTS_MAX][POINTS_MAX]; /* [z][y][x] */
    int low[TILE];
    float weight[TILE][4];
} Octave;

static void octave_start(Octave *octave, int points, uint32_t seed)
{
    octave->points = points;
    for (int z = 0; z < points; z++)
        for (int y = 0; y < points; y++)
            for (int x = 0; x < points; x++)
                octave->values[z][y][x] = upres_random((uint32_t)x, (uint32_t)y, (uint32_t)z, seed);
    for (int i = 0; i < TILE; i++) {
        float x = (float)(i * points) / TILE;
        octave->low[i] = (int)floorf(x) + points - 1;
        spline_weights(x - floorf(x), octave->weight[i]);
    }
}

static float octave_at(const Octave *octave, int x, int y, int z)
{
    const float *wx = octave->weight[x], *wy = octave->weight[y], *wz = octave->weight[z];
    const int n = octave->points;
    float sum = 0;
    int at[4];
    for (int i = 0; i < 4; i++)
        at[i] = (octave->low[x] + i) % n;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = octave->values[(octave->low[z] + k) % n][(octave->low[y] + j) % n];
            for (int i = 0; i < 4; i++)
                sum += wx[i] * wy[j] * wz[k] * row[at[i]];
        }
    return sum;
}

static size_t texel(int i, int j, int k)
{
    const int mask = TILE - 1;
    return (size_t)(i & mask) + TILE * ((size_t)(j & mask) + TILE * (size_t)(k & mask));
}

/* A random vector potential of three octaves, of 3.2, 1.6 and 0.8 cells. An octave's displacement
 * is proportional to its size, so that folds look the same at all sizes. */
static void fill_potential(float *potential, Octave *octave)
{
    for (size_t n = 0; n < TILE_FLOATS; n++)
        potential[n] = 0;
    for (int axis = 0; axis < 3; axis++) {
        float size = 1;
        for (int o = 0; o < 3; o++, size *= 0.25f) {
            octave_start(octave, 5 << o, (uint32_t)(axis + 3 * o));
            for (int k = 0; k < TILE; k++)
                for (int j = 0; j < TILE; j++)
                    for (int i = 0; i < TILE; i++)
                        potential[3 * texel(i, j, k) + (size_t)axis] +=
                            size * octave_at(octave, i, j, k);
        }
    }
}

/* Central difference of a component of the potential along an axis. */
static float slope(const float *potential, int i, int j, int k, int axis, int component)
{
    const int a = axis == 0, b = axis == 1, c = axis == 2;
    return potential[3 * texel(i + a, j + b, k + c) + (size_t)component] -
           potential[3 * texel(i - a, j - b, k - c) + (size_t)component];
}

/* The curl of the potential: it has no divergence, so that displaced smoke keeps its volume. */
bool upres_make_tile(float *tile)
{
    const size_t floats = TILE_FLOATS;
    float *potential = malloc(floats * sizeof(float));
    Octave *octave = malloc(sizeof *octave);
    if (potential == NULL || octave == NULL) {
        free(potential);
        free(octave);
        return false;
    }
    fill_potential(potential, octave);
    free(octave);
    double squares = 0;
    for (int k = 0; k < TILE; k++)
        for (int j = 0; j < TILE; j++)
            for (int i = 0; i < TILE; i++)
                for (int a = 0; a < 3; a++) {
                    const int b = (a + 1) % 3, c = (a + 2) % 3;
                    float curl = slope(potential, i, j, k, b, c) - slope(potential, i, j, k, c, b);
                    tile[3 * texel(i, j, k) + (size_t)a] = curl;
                    squares += (double)curl * (double)curl;
                }
    float scale = (float)(1 / sqrt(squares / (double)floats));
    for (size_t n = 0; n < floats; n++)
        tile[n] *= scale;
    free(potential);
    return true;
}

void upres_add_noise(const float *tile, const float place[3], float weight, float out[3])
{
    int low[3];
    float t[3];
    for (int axis = 0; axis < 3; axis++) {
        float x = place[axis] * ((float)TILE / TILE_CELLS), whole = floorf(x);
        low[axis] = (int)whole;
        t[axis] = x - whole;
    }
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const float *value = tile + 3 * texel(low[0] + i, low[1] + j, low[2] + k);
        float share =
            weight * (i ? t[0] : 1 - t[0]) * (j ? t[1] : 1 - t[1]) * (k ? t[2] : 1 - t[2]);
        for (int c = 0; c < 3; c++)
            out[c] += share * value[c];
    }
}
