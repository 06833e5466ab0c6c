/* SPDX-License-Identifier: MIT */
#include "blue_noise.h"

#include "fail.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = BLUE_NOISE_EDGE, CELLS = EDGE * EDGE, RADIUS = 7, FIRST = CELLS / 10 };

/* e^(-d^2 / (2 1.9^2)), which is Ulichney's filter a little wider, over a whole number. */
#define SIGMA 1.9
#define SCALE 1048576.0

typedef struct Pattern {
    int32_t weight[2 * RADIUS + 1][2 * RADIUS + 1];
    int32_t energy[CELLS]; /* of what is set, blurred */
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

/* Among what is set, where it is most crowded; among what is not, where it is emptiest. */
static int tightest_cluster(const Pattern *pattern)
{
    int best = -1;
    for (int cell = 0; cell < CELLS; cell++)
        if (pattern->set[cell] && (best < 0 || pattern->energy[cell] > pattern->energy[best]))
            best = cell;
    return best;
}

static int largest_void(const Pattern *pattern)
{
    int best = -1;
    for (int cell = 0; cell < CELLS; cell++)
        if (!pattern->set[cell] && (best < 0 || pattern->energy[cell] < pattern->energy[best]))
            best = cell;
    return best;
}

static void weigh(Pattern *pattern)
{
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            pattern->weight[dy + RADIUS][dx + RADIUS] =
                (int32_t)lround(SCALE * exp(-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA)));
}

/* Places by chance, moved from crowds to voids until none wants to move. */
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
        int from = tightest_cluster(pattern);
        put(pattern, from, false);
        int to = largest_void(pattern);
        put(pattern, to, true);
        if (from == to)
            return;
    }
}

/* Ranks from the first places down to none, then up until all are set. What is emptiest of the set
 * is most crowded with the rest, so that one rule does for both halves. */
static void rank_all(Pattern *pattern)
{
    Pattern begun = *pattern;
    for (int rank = FIRST - 1; rank >= 0; rank--) {
        int cell = tightest_cluster(pattern);
        put(pattern, cell, false);
        pattern->rank[cell] = rank;
    }
    memcpy(pattern->set, begun.set, sizeof begun.set);
    memcpy(pattern->energy, begun.energy, sizeof begun.energy);
    for (int rank = FIRST; rank < CELLS; rank++) {
        int cell = largest_void(pattern);
        put(pattern, cell, true);
        pattern->rank[cell] = rank;
    }
}

bool blue_noise_fill(float *values, BillowError *error)
{
    Pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL)
        return fail(error, "picture: no memory for the pattern of the rays");
    weigh(pattern);
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

float blue_noise_at(const float *values, int x, int y, float shift)
{
    float sum = values[y % EDGE * EDGE + x % EDGE] + shift;
    return sum - floorf(sum);
}
