/* SPDX-License-Identifier: MIT */
#include "light_volume.h"
#include "fail.h"
#include "sweep.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void light_volume_destroy(LightVolume *volume)
{
    free(volume->density); /* the others are slices of it */
    *volume = (LightVolume){0};
}

/* One allocation:  density | depth   | scratch
 *                  count     2 count   two padded planes */
static bool resize(LightVolume *volume, const BillowView *view, int reduction, BillowError *error)
{
    const int n[3] = {(view->nx + reduction - 1) / reduction,
                      (view->ny + reduction - 1) / reduction,
                      (view->nz + reduction - 1) / reduction};
    if (volume->density != NULL && memcmp(n, volume->n, sizeof n) == 0 &&
        volume->reduction == reduction)
        return true;
    light_volume_destroy(volume);
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    size_t longest = (size_t)(n[0] > n[1] ? n[0] : n[1]);
    longest = longest > (size_t)n[2] ? longest : (size_t)n[2];
    size_t plane = (longest + 2) * (longest + 2);
    float *all = malloc((3 * count + 2 * plane) * sizeof *all);
    if (all == NULL)
        return fail(error, "picture: no memory for the light volume of %dx%dx%d cells", n[0], n[1],
                    n[2]);
    volume->density = all;
    volume->depth = all + count;
    volume->scratch = all + 3 * count;
    memcpy(volume->n, n, sizeof n);
    volume->reduction = reduction;
    return true;
}

static void gather_row(const float *cells, int n, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = cells[i] > 0 ? cells[i] : 0;
}

/* Mean of 2 x 2 x 2 cells for each element of row (j, k); sum has room for twice the row. */
static void gather_row_halved(const LightVolume *volume, const BillowView *view, int j, int k,
                              float *sum, float *out)
{
    memset(sum, 0, 2 * (size_t)volume->n[0] * sizeof *sum);
    for (int row = 0; row < 4; row++) {
        int fine_j = 2 * j + (row & 1), fine_k = 2 * k + (row >> 1);
        if (fine_j >= view->ny || fine_k >= view->nz)
            continue;
        const float *cells = view->density + fine_j * view->stride_y + fine_k * view->stride_z;
        for (int i = 0; i < view->nx; i++)
            sum[i] += cells[i] > 0 ? cells[i] : 0;
    }
    for (int i = 0; i < volume->n[0]; i++)
        out[i] = 0.125f * (sum[2 * i] + sum[2 * i + 1]);
}

bool light_volume_gather(LightVolume *volume, const BillowView *view, int reduction,
                         BillowError *error)
{
    assert(reduction == 1 || reduction == 2);
    if (!resize(volume, view, reduction, error))
        return false;
    volume->spacing = (float)reduction * view->cell_size;
    float *out = volume->density;
    for (int k = 0; k < volume->n[2]; k++)
        for (int j = 0; j < volume->n[1]; j++, out += volume->n[0])
            if (reduction == 1)
                gather_row(view->density + j * view->stride_y + k * view->stride_z, view->nx, out);
            else
                gather_row_halved(volume, view, j, k, volume->scratch, out);
    return true;
}

/* One row of a plane. Both rows of the previous plane have a zero on either side. half_path: half
 * the path between planes times the extinction. */
static void sweep_row(const Sweep *sweep, float half_path, const float *low, const float *high,
                      const float *density, float *depth, float *carry)
{
    float wu = sweep->weight_u, wv = sweep->weight_v;
    float w00 = (1 - wu) * (1 - wv), w10 = wu * (1 - wv), w01 = (1 - wu) * wv, w11 = wu * wv;
    ptrdiff_t s = sweep->step_u;
    for (int i = 0; i < sweep->nu; i++) {
        float own = half_path * density[i * s];
        float before = w00 * low[i] + w10 * low[i + 1] + w01 * high[i] + w11 * high[i + 1];
        depth[2 * i * s] = before + own;
        carry[i] = before + 2 * own;
    }
}

/* tau(p) = [tau + e ds rho / 2](q) + e ds rho(p) / 2, with q = p moved along the light to the plane
 * before and [.] interpolated bilinearly there; nothing beyond the box. (The first plane's half
 * step is its half cell up to the face.) */
static void march_planes(const LightVolume *volume, const Sweep *sweep, float extinction,
                         float *scratch, float *depth)
{
    float half_path = 0.5f * extinction * volume->spacing * sweep->path;
    ptrdiff_t pitch = sweep->nu + 2;
    ptrdiff_t plane = pitch * (sweep->nv + 2);
    float *before = scratch, *carry = scratch + plane;
    memset(scratch, 0, 2 * (size_t)plane * sizeof *scratch);
    for (int k = 0; k < sweep->planes; k++) {
        ptrdiff_t base = sweep->first + k * sweep->step;
        for (int j = 0; j < sweep->nv; j++) {
            ptrdiff_t at = base + j * sweep->step_v;
            const float *low = before + (j + 1 + sweep->offset_v) * pitch + 1 + sweep->offset_u;
            sweep_row(sweep, half_path, low, low + pitch, volume->density + at, depth + 2 * at,
                      carry + (j + 1) * pitch + 1);
        }
        float *swap = before;
        before = carry;
        carry = swap;
    }
}

void light_volume_compute(LightVolume *volume, const float sun[3], float extinction)
{
    Sweep to_sun = sweep_plan(volume->n, sun);
    Sweep to_sky = sweep_plan(volume->n, (const float[3]){0, 1, 0});
    march_planes(volume, &to_sun, extinction, volume->scratch, volume->depth);
    march_planes(volume, &to_sky, extinction, volume->scratch, volume->depth + 1);
}

/* Mean over 2 radius + 1 neighbours along one direction of the map; beyond the map is open sky. */
static void blur(const float *in, float *out, ptrdiff_t along, ptrdiff_t across)
{
    const int edge = LIGHT_VOLUME_GROUND, radius = LIGHT_VOLUME_GROUND / 14;
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++) {
            float sum = 0;
            for (int d = -radius; d <= radius; d++)
                sum += i + d < 0 || i + d >= edge ? 1 : in[row * across + (i + d) * along];
            out[row * across + i * along] = sum / (float)(2 * radius + 1);
        }
}

void light_volume_ground(const LightVolume *volume, const SolidLight *solids, float *map)
{
    const int edge = LIGHT_VOLUME_GROUND;
    const int *n = volume->n;
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++) {
            /* The middle half of the map is the box's floor. */
            float across = ((float)i + 0.5f) / edge * 2 - 0.5f;
            float along = ((float)row + 0.5f) / edge * 2 - 0.5f;
            int x = (int)floorf(across * (float)n[0]), z = (int)floorf(along * (float)n[2]);
            bool under = x >= 0 && x < n[0] && z >= 0 && z < n[2];
            ptrdiff_t cell = x + (ptrdiff_t)n[0] * n[1] * z;
            float *share = &map[row * edge + i];
            *share = under ? expf(-volume->depth[2 * cell + 1]) : 1;
            if (under && solids != NULL)
                *share *= solid_light_floor(solids, across, along);
        }
    /* The ground sees the whole sky, not only what is straight above. */
    float other[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
    for (int pass = 0; pass < 2; pass++) {
        blur(map, other, 1, edge);
        blur(other, map, edge, 1);
    }
}
