/* SPDX-License-Identifier: MIT */
#include "ground_glow.h"

#include <math.h>
#include <string.h>

/* The glowing cells in lumps, each of which lights the ground like a small lamp. */
enum { LUMPS_EDGE = 10, LUMPS = LUMPS_EDGE * LUMPS_EDGE * LUMPS_EDGE };

typedef struct Lump {
    float place[3];     /* of its light's middle, from the box's lower corner, m */
    float intensity[3]; /* radiant, m2 */
} Lump;

typedef struct Lumps {
    Lump all[LUMPS];
    int count;
    float size; /* m */
} Lumps;

static ptrdiff_t cell_at(const Ambient *ambient, int i, int j, int k)
{
    return i + ambient->n[0] * (j + (ptrdiff_t)ambient->n[1] * k);
}

/* Share of a cell's light that gets out of the smoke: the mean over straight down and four ways
 * aside.
 */
static float share_out(const Ambient *ambient, int i, int j, int k)
{
    static const int ways[5][3] = {{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    const float oblique = 0.866246818f; /* the depth is that of a direction of ambient.c */
    float sum = 0;
    for (int way = 0; way < 5; way++) {
        float depth = 0.5f * ambient->depth[ambient->lanes * cell_at(ambient, i, j, k)];
        int at[3] = {i, j, k};
        for (;;) {
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) {
                at[axis] += ways[way][axis];
                inside = inside && at[axis] >= 0 && at[axis] < ambient->n[axis];
            }
            if (!inside || depth > 8)
                break;
            depth += ambient->depth[ambient->lanes * cell_at(ambient, at[0], at[1], at[2])];
        }
        sum += expf(-oblique * depth);
    }
    return sum / 5;
}

/* Adds a cell's light, if it has any. What comes out of even smoke of depth t is (1 - e^-t) B. */
static void add_cell(const Ambient *ambient, int i, int j, int k, const float glow[3], float factor,
                     Lump *lump)
{
    ptrdiff_t cell = cell_at(ambient, i, j, k);
    if (!(glow[0] + glow[1] + glow[2] > 0) || !(ambient->depth[ambient->lanes * cell] > 0))
        return;
    float spacing = ambient->spacing;
    float out = factor * (1 - ambient->passed[ambient->lanes * cell]) *
                share_out(ambient, i, j, k) * spacing * spacing;
    float weight = out * (glow[0] + glow[1] + glow[2]);
    const float place[3] = {((float)i + 0.5f) * spacing, ((float)j + 0.5f) * spacing,
                            ((float)k + 0.5f) * spacing};
    for (int c = 0; c < 3; c++) {
        lump->place[c] += weight * place[c];
        lump->intensity[c] += out * glow[c];
    }
}

static Lump gather_lump(const Ambient *ambient, const float *glow, int stride, float factor,
                        const int low[3], int edge)
{
    Lump lump = {{0}, {0}};
    for (int k = low[2]; k < low[2] + edge && k < ambient->n[2]; k++)
        for (int j = low[1]; j < low[1] + edge && j < ambient->n[1]; j++)
            for (int i = low[0]; i < low[0] + edge && i < ambient->n[0]; i++)
                add_cell(ambient, i, j, k, glow + stride * cell_at(ambient, i, j, k), factor,
                         &lump);
    float weight = lump.intensity[0] + lump.intensity[1] + lump.intensity[2];
    for (int c = 0; c < 3 && weight > 0; c++)
        lump.place[c] /= weight;
    return lump;
}

static float light_of(const Lump *lump)
{
    return lump->intensity[0] + lump->intensity[1] + lump->intensity[2];
}

/* All but those that do not show beside the brightest. */
static void gather_lumps(const Ambient *ambient, const float *glow, int stride, float factor,
                         Lumps *lumps)
{
    int longest = 0;
    for (int axis = 0; axis < 3; axis++)
        longest = ambient->n[axis] > longest ? ambient->n[axis] : longest;
    int edge = (longest + LUMPS_EDGE - 1) / LUMPS_EDGE;
    lumps->size = (float)edge * ambient->spacing;
#pragma omp parallel for schedule(dynamic, 1)
    for (int l = 0; l < LUMPS; l++) {
        const int low[3] = {edge * (l % LUMPS_EDGE), edge * (l / LUMPS_EDGE % LUMPS_EDGE),
                            edge * (l / (LUMPS_EDGE * LUMPS_EDGE))};
        lumps->all[l] = gather_lump(ambient, glow, stride, factor, low, edge);
    }
    float brightest = 0;
    for (int l = 0; l < LUMPS; l++)
        brightest = fmaxf(brightest, light_of(&lumps->all[l]));
    lumps->count = 0;
    for (int l = 0; l < LUMPS; l++)
        if (light_of(&lumps->all[l]) > 1e-3f * brightest)
            lumps->all[lumps->count++] = lumps->all[l];
}

/* E = sum of I cos / r^2 = I y / (r^2 + s^2)^(3/2), s being as wide as a lump reaches. */
static void light_texel(const Lumps *lumps, float x, float z, float texel[4])
{
    float wide = 0.3f * lumps->size;
    memset(texel, 0, 4 * sizeof *texel);
    for (int l = 0; l < lumps->count; l++) {
        const Lump *lump = &lumps->all[l];
        float dx = lump->place[0] - x, y = lump->place[1], dz = lump->place[2] - z;
        float square = dx * dx + y * y + dz * dz + wide * wide;
        float lit = y / (square * sqrtf(square));
        for (int c = 0; c < 3; c++)
            texel[c] += lit * lump->intensity[c];
    }
}

bool ground_glow_map(const Ambient *ambient, const float size[3], const float *glow, int stride,
                     float factor, float *map)
{
    Lumps lumps;
    float longest = fmaxf(size[0], fmaxf(size[1], size[2]));
    gather_lumps(ambient, glow, stride, factor, &lumps);
    if (lumps.count == 0)
        return false;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < GROUND_GLOW; row++)
        for (int i = 0; i < GROUND_GLOW; i++) {
            float u = ((float)i + 0.5f) / GROUND_GLOW - 0.5f;
            float v = ((float)row + 0.5f) / GROUND_GLOW - 0.5f;
            light_texel(&lumps, 0.5f * size[0] + longest * u / (1 - 2 * fabsf(u)),
                        0.5f * size[2] + longest * v / (1 - 2 * fabsf(v)),
                        map + 4 * (row * GROUND_GLOW + i));
        }
    return true;
}
