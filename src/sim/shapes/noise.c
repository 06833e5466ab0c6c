/* SPDX-License-Identifier: MIT
 *
 * Lattice noise: a hash of each lattice point, interpolated smoothly. */
#include "sim/shapes/noise.h"

#include <math.h>
#include <string.h>

/* Hash of a lattice point (rounds of multiply, xor, shift), mapped to -1..1. */
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

/* Lattice cell of a coordinate. Cell 0 is used far outside of any box, for coordinates whose cell
 * might not fit an int. */
static int32_t cell_of(float floor_of_x)
{
    return floor_of_x > -1e9f && floor_of_x < 1e9f ? (int32_t)floor_of_x : 0;
}

static float mix_square(const float corner[4], const float share[2])
{
    return mix(mix(corner[0], corner[1], share[0]), mix(corner[2], corner[3], share[0]), share[1]);
}

static float mix_cube(const float corner[8], const float share[3])
{
    return mix(mix_square(corner, share), mix_square(corner + 4, share), share[2]);
}

static float octave(float x, float y, float z, float t, uint32_t seed, struct LatticeCell *cell)
{
    const float place[4] = {x, y, z, t};
    int32_t at[4];
    float share[4];
    for (int axis = 0; axis < 4; axis++) {
        float low = floorf(place[axis]);
        at[axis] = cell_of(low);
        share[axis] = fade(place[axis] - low);
    }
    if (!cell->known || cell->seed != seed || memcmp(cell->at, at, sizeof cell->at) != 0) {
        cell->known = true;
        cell->seed = seed;
        memcpy(cell->at, at, sizeof cell->at);
        for (int c = 0; c < 16; c++)
            cell->corner[c] = lattice(at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2 & 1),
                                      at[3] + (c >> 3), seed);
    }
    return mix(mix_cube(cell->corner, share), mix_cube(cell->corner + 8, share), share[3]);
}

float noise4(float x, float y, float z, float t, uint32_t seed, NoiseMemory *memory)
{
    /* one octave has a standard deviation of about 0.3; the factors bring peaks to about 1 */
    return 1.4f * octave(x, y, z, t, seed, &memory->octave[0]) +
           0.7f * octave(2.0f * x + 17.0f, 2.0f * y + 5.0f, 2.0f * z + 11.0f, 2.0f * t, seed + 1u,
                         &memory->octave[1]);
}

void noise_columns_start(NoiseColumns *columns, const ForceKernels *kernels, double start,
                         double step, int count)
{
    columns->kernels = kernels;
    columns->count = count;
    columns->first = cell_of((float)floor(start));
    columns->points = 2;
    for (int i = 0; i < count; i++) {
        double x = start + i * step, low = floor(x);
        int at = (int)(low - floor(start));
        columns->at[i] = at < NOISE_POINTS_MAX - 2 ? at : NOISE_POINTS_MAX - 2;
        columns->share[i] = fade((float)(x - low));
        columns->points = columns->at[i] + 2;
    }
    for (int i = count; i < count + INTERPOLATE_BEYOND; i++) {
        columns->at[i] = columns->points - 2;
        columns->share[i] = 0;
    }
}

void noise_plane_start(NoisePlane *plane, const NoiseColumns *columns, double z, double t,
                       uint32_t seed)
{
    plane->columns = columns;
    plane->seed = seed;
    plane->z = cell_of((float)floor(z));
    plane->t = cell_of((float)floor(t));
    plane->share_z = fade((float)(z - floor(z)));
    plane->share_t = fade((float)(t - floor(t)));
    plane->known = false;
}

/* Row y of the lattice, interpolated along z and t. */
static void lattice_row(const NoisePlane *plane, int32_t y, float *row)
{
    const float share[2] = {plane->share_z, plane->share_t};
    for (int p = 0; p < plane->columns->points; p++) {
        float corner[4];
        for (int c = 0; c < 4; c++)
            corner[c] = lattice(plane->columns->first + p, y, plane->z + (c & 1),
                                plane->t + (c >> 1), plane->seed);
        row[p] = mix_square(corner, share);
    }
}

void noise_plane_row(NoisePlane *plane, double y, float factor, float *out)
{
    const NoiseColumns *columns = plane->columns;
    int32_t low = cell_of((float)floor(y));
    if (plane->known && low == plane->y + 1)
        memcpy(plane->row[0], plane->row[1], sizeof plane->row[0]);
    else if (!plane->known || low != plane->y)
        lattice_row(plane, low, plane->row[0]);
    if (!plane->known || low != plane->y)
        lattice_row(plane, low + 1, plane->row[1]);
    plane->known = true;
    plane->y = low;
    float between[NOISE_POINTS_MAX + INTERPOLATE_BEYOND], share = fade((float)(y - floor(y)));
    for (int p = 0; p < columns->points; p++)
        between[p] = factor * mix(plane->row[0][p], plane->row[1][p], share);
    columns->kernels->interpolate(between, columns->at, columns->share, columns->count, out);
}
