/* SPDX-License-Identifier: MIT */
#include "render/light/solid_light.h"
#include "base/fail.h"
#include "render/light/light_volume.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REDUCTION_MAX 8
/* Largest number of cells at full resolution. Larger grids use half the resolution, because moving
 * solids sweep all cells in every frame. */
#define CELLS_MAX (72.0 * 72.0 * 72.0)

void solid_light_destroy(SolidLight *light)
{
    free(light->opacity); /* the other arrays are slices of this allocation */
    *light = (SolidLight){0};
}

/* One allocation:  opacity | visibility | scratch
 *                  count   | 2 count    | two padded planes */
static bool resize(SolidLight *light, const BillowView *wind, int refine, BillowError *error)
{
    int reduction = 1;
    double cells = (double)wind->nx * wind->ny * wind->nz;
    for (; cells > CELLS_MAX && reduction < REDUCTION_MAX; cells /= 8)
        reduction *= 2;
    const int n[3] = {(wind->nx + reduction - 1) / reduction,
                      (wind->ny + reduction - 1) / reduction,
                      (wind->nz + reduction - 1) / reduction};
    if (light->opacity != NULL && memcmp(n, light->n, sizeof n) == 0 &&
        light->reduction == reduction * refine)
        return true;
    solid_light_destroy(light);
    size_t count = cells_count(n), longest = (size_t)cells_longest(n);
    float *all = malloc((3 * count + 2 * (longest + 2) * (longest + 2)) * sizeof *all);
    if (all == NULL)
        return fail(error, "picture: no memory for the shadows of solids in %dx%dx%d cells", n[0],
                    n[1], n[2]);
    light->opacity = all;
    light->visibility = all + count;
    light->scratch = all + 3 * count;
    memcpy(light->n, n, sizeof n);
    light->reduction = reduction * refine;
    return true;
}

/* Distance in the middle of a coarse cell, where a corner of the grid lies unless it is 1 cell. */
static float middle_distance(const BillowView *wind, int reduction, const int cell[3])
{
    const int n[3] = {wind->nx, wind->ny, wind->nz};
    const ptrdiff_t strides[3] = {1, wind->stride_y, wind->stride_z};
    ptrdiff_t at = 0;
    for (int a = 0; a < 3; a++) {
        int corner = reduction * cell[a] + reduction / 2;
        at += strides[a] * (corner < n[a] ? corner : n[a]);
    }
    if (reduction > 1)
        return wind->solid[at];
    float sum = 0;
    for (int corner = 0; corner < 8; corner++)
        sum += wind->solid[at + (corner & 1) + (corner >> 1 & 1) * strides[1] +
                           (corner >> 2) * strides[2]];
    return 0.125f * sum;
}

static void find_bounds(SolidLight *light, const BillowView *wind, float refine)
{
    const int n[3] = {wind->nx, wind->ny, wind->nz};
    for (int a = 0; a < 3; a++) {
        light->low[a] = (float)n[a];
        light->high[a] = 0;
    }
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++) {
            const float *row = wind->solid + j * wind->stride_y + k * wind->stride_z;
            int first = 0, last = n[0];
            while (first <= n[0] && row[first] >= SOLID_LIGHT_RIM)
                first++;
            if (first > n[0])
                continue;
            while (row[last] >= SOLID_LIGHT_RIM)
                last--;
            const int low[3] = {first, j, k}, high[3] = {last, j, k};
            for (int a = 0; a < 3; a++) {
                light->low[a] = fminf(light->low[a], (float)(low[a] > 0 ? low[a] - 1 : 0));
                light->high[a] =
                    fmaxf(light->high[a], (float)(high[a] < n[a] ? high[a] + 1 : n[a]));
            }
        }
    for (int a = 0; a < 3; a++) {
        light->low[a] *= refine;
        light->high[a] *= refine;
    }
}

bool solid_light_gather(SolidLight *light, const BillowView *view, BillowError *error)
{
    assert(view->solid != NULL);
    const BillowView wind = billow_wind_view(view);
    const int refine = view->nx / wind.nx;
    if (!resize(light, &wind, refine, error))
        return false;
    const int reduction = light->reduction / refine;
    float *out = light->opacity;
    for (int k = 0; k < light->n[2]; k++)
        for (int j = 0; j < light->n[1]; j++)
            for (int i = 0; i < light->n[0]; i++) {
                float distance =
                    middle_distance(&wind, reduction, (const int[3]){i, j, k}) / (float)reduction;
                *out++ = fminf(fmaxf(0.5f - distance, 0), 1);
            }
    find_bounds(light, &wind, (float)refine);
    return true;
}

/* Adds the light that passes one row of a plane, times `share`, to every other value of `sum`. A
 * cell does not shade itself: smoke at the lit side of a surface, between cells of fluid and solid,
 * is lit. */
static void sweep_row(const Sweep *sweep, const float *low, const float *high, const float *opacity,
                      float share, float *sum, float *after)
{
    float wu = sweep->weight_u, wv = sweep->weight_v;
    float w00 = (1 - wu) * (1 - wv), w10 = wu * (1 - wv), w01 = (1 - wu) * wv, w11 = wu * wv;
    ptrdiff_t s = sweep->step_u;
    for (int i = 0; i < sweep->nu; i++) {
        float before = w00 * low[i] + w10 * low[i + 1] + w01 * high[i] + w11 * high[i + 1];
        sum[2 * i * s] += share * before;
        after[i] = before * (1 - opacity[i * s]);
    }
}

/* V(p) = [V (1 - opacity)](q), where q is p moved along the light to the previous plane and [.]
 * is interpolated bilinearly. Unlike a shadow ray, this widens a shadow's edge with distance, as
 * the sun's disc does. V is 1 outside the box. */
static void add_direction(SolidLight *light, const float to[3], float share, float *sum)
{
    Sweep sweep = sweep_plan(light->n, to);
    ptrdiff_t pitch = sweep.nu + 2;
    ptrdiff_t plane = pitch * (sweep.nv + 2);
    float *before = light->scratch, *after = light->scratch + plane;
    for (ptrdiff_t i = 0; i < 2 * plane; i++)
        light->scratch[i] = 1;
    for (int k = 0; k < sweep.planes; k++) {
        ptrdiff_t base = sweep.first + k * sweep.step;
        for (int j = 0; j < sweep.nv; j++) {
            ptrdiff_t at = base + j * sweep.step_v;
            const float *low = before + (j + 1 + sweep.offset_v) * pitch + 1 + sweep.offset_u;
            sweep_row(&sweep, low, low + pitch, light->opacity + at, share, sum + 2 * at,
                      after + (j + 1) * pitch + 1);
        }
        float *swap = before;
        before = after;
        after = swap;
    }
}

void solid_light_compute(SolidLight *light, const float sun[3])
{
    /* The sky by five of its directions: straight up and four half way down. */
    static const float slant = 0.70710678f;
    static const float sky[5][3] = {
        {0, 1, 0}, {slant, slant, 0}, {-slant, slant, 0}, {0, slant, slant}, {0, slant, -slant}};
    size_t count = cells_count(light->n);
    memset(light->visibility, 0, 2 * count * sizeof *light->visibility);
    add_direction(light, sun, 1, light->visibility);
    for (int i = 0; i < 5; i++)
        add_direction(light, sky[i], 0.2f, light->visibility + 1);
}

float solid_light_opacity(const SolidLight *light, int reduction, const int cell[3])
{
    int at[3];
    for (int axis = 0; axis < 3; axis++) {
        int middle = (2 * cell[axis] + 1) * reduction / (2 * light->reduction);
        at[axis] = middle < light->n[axis] ? middle : light->n[axis] - 1;
    }
    return light->opacity[cells_index(light->n, at[0], at[1], at[2])];
}

float solid_light_floor(const SolidLight *light, float x, float z)
{
    int i = (int)(x * (float)light->n[0]), k = (int)(z * (float)light->n[2]);
    return light->visibility[2 * cells_index(light->n, i, 0, k) + 1];
}
