/* SPDX-License-Identifier: MIT */
#include "render/light/light_noise.h"

#include "base/fail.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -- blue noise -------------------------------------------------------------------------------- */

enum { EDGE = BLUE_NOISE_EDGE, CELLS = EDGE * EDGE, RADIUS = 7, FIRST = CELLS / 10 };

/* e^(-d^2 / (2 1.9^2)), which is Ulichney's filter a little wider, over a whole number. */
#define SIGMA 1.9
#define SCALE 1048576.0

typedef struct Pattern {
    int32_t weight[2 * RADIUS + 1][2 * RADIUS + 1];
    int32_t energy[CELLS]; /* blurred number of set cells around */
    uint8_t set[CELLS];
    int rank[CELLS];
} Pattern;

static void put(Pattern *pattern, int cell, bool set)
{
    int x = cell % EDGE, y = cell / EDGE, sign = set ? 1 : -1;
    pattern->set[cell] = set;
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        int32_t *row = pattern->energy + (y + dy + EDGE) % EDGE * EDGE;
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            row[(x + dx + EDGE) % EDGE] += sign * pattern->weight[dy + RADIUS][dx + RADIUS];
    }
}

/* The set cell with the highest energy, which is the tightest cluster, or the unset cell with the
 * lowest, which is the largest void. */
static int find_cell(const Pattern *pattern, bool set)
{
    int best = -1, sign = set ? 1 : -1;
    for (int cell = 0; cell < CELLS; cell++)
        if (pattern->set[cell] == set &&
            (best < 0 || sign * pattern->energy[cell] > sign * pattern->energy[best]))
            best = cell;
    return best;
}

/* Sets FIRST random cells, then moves cells from clusters to voids until the pattern is stable. */
static void scatter(Pattern *pattern)
{
    uint32_t state = 1;
    for (int placed = 0; placed < FIRST;) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        int cell = (int)(state >> 16) % CELLS;
        if (pattern->set[cell])
            continue;
        put(pattern, cell, true);
        placed++;
    }
    for (;;) {
        int from = find_cell(pattern, true);
        put(pattern, from, false);
        int to = find_cell(pattern, false);
        put(pattern, to, true);
        if (from == to)
            return;
    }
}

/* Ranks the first cells from FIRST - 1 down to 0 by removing the tightest cluster, then all others
 * upwards by filling the largest void. The rule of Ulichney's third phase, the tightest cluster of
 * unset cells, gives the same cells as the largest void. */
static void rank_all(Pattern *pattern)
{
    Pattern begun = *pattern;
    for (int rank = FIRST - 1; rank >= 0; rank--) {
        int cell = find_cell(pattern, true);
        put(pattern, cell, false);
        pattern->rank[cell] = rank;
    }
    memcpy(pattern->set, begun.set, sizeof begun.set);
    memcpy(pattern->energy, begun.energy, sizeof begun.energy);
    for (int rank = FIRST; rank < CELLS; rank++) {
        int cell = find_cell(pattern, false);
        put(pattern, cell, true);
        pattern->rank[cell] = rank;
    }
}

bool blue_noise_fill(float *values, BillowError *error)
{
    Pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL)
        return fail(error, "picture: no memory for the pattern of the rays");
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            pattern->weight[dy + RADIUS][dx + RADIUS] =
                (int32_t)lround(SCALE * exp(-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA)));
    scatter(pattern);
    rank_all(pattern);
    for (int cell = 0; cell < CELLS; cell++)
        values[cell] = ((float)pattern->rank[cell] + 0.5f) / CELLS;
    free(pattern);
    return true;
}

float blue_noise_shift(unsigned frame)
{
    double turns = 0.6180339887498949 * (double)(frame % 4096);
    return (float)(turns - floor(turns));
}

/* -- the ground's texture ---------------------------------------------------------------------- */

/* Random value at a lattice point, -1..1, by the finaliser of MurmurHash3. */
static float lattice(uint32_t x, uint32_t y, uint32_t octave)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ octave * 0xc2b2ae3du;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Value noise, smooth to the second derivative. cells: lattice cells along the tile's edge. */
static float value_noise(float x, float y, uint32_t cells, uint32_t octave)
{
    x *= (float)cells;
    y *= (float)cells;
    uint32_t i = (uint32_t)x, j = (uint32_t)y;
    float s = fade(x - (float)i), t = fade(y - (float)j);
    uint32_t i1 = (i + 1) % cells, j1 = (j + 1) % cells;
    float low = lattice(i, j, octave) * (1 - s) + lattice(i1, j, octave) * s;
    float high = lattice(i, j1, octave) * (1 - s) + lattice(i1, j1, octave) * s;
    return low * (1 - t) + high * t;
}

/* Subtracts the mean of each line of the tile. Lighter or darker lines would show as stripes where
 * the tile is repeated towards the horizon. */
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
