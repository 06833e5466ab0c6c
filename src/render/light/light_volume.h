/* SPDX-License-Identifier: MIT
 *
 * How much sunlight reaches each position in the smoke. The CPU sweeps the grid plane by plane, at
 * full or half resolution: a whole volume costs as much as a few shadow rays. */
#ifndef RENDER_LIGHT_VOLUME_H
#define RENDER_LIGHT_VOLUME_H

#include "base/render_settings.h"
#include "render/light/fade.h"
#include "render/light/slab.h"
#include "render/light/solid_light.h"

#include <billow/billow.h>
#include <stddef.h>

/* -- cells ------------------------------------------------------------------------------------- */

/* Number of cells of a grid, number along its longest axis, and index of a cell, x fastest. */
static inline size_t cells_count(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

static inline int cells_longest(const int n[3])
{
    int longest = n[0] > n[1] ? n[0] : n[1];
    return longest > n[2] ? longest : n[2];
}

static inline ptrdiff_t cells_index(const int n[3], int i, int j, int k)
{
    return i + n[0] * (j + (ptrdiff_t)n[1] * k);
}

/* -- sweeps ------------------------------------------------------------------------------------ */

/* Parallel light passes through a grid plane by plane. Each plane reads the previous plane,
 * displaced along the light and interpolated bilinearly. */

/* A sweep over planes normal to `axis`, the axis closest to the light's direction. u and v are the
 * other two axes. */
typedef struct Sweep {
    int axis;
    int planes, nu, nv;
    ptrdiff_t first, step, step_u, step_v; /* indices in a packed volume, x fastest */
    int offset_u, offset_v;   /* to the lower of the cells that are interpolated, cells */
    float weight_u, weight_v; /* share of the upper of these cells */
    float path;               /* length of the light's path between two planes, cells */
} Sweep;

/* n: cells per axis. to: unit vector towards the light. */
Sweep sweep_plan(const int n[3], const float to[3]);

/* -- sunlight ---------------------------------------------------------------------------------- */

#define LIGHT_VOLUME_GROUND 64 /* texels along an edge of the ground map */

typedef struct LightVolume {
    const RenderSlab *slab; /* planes that the view holds; NULL: all. Set before gathering */
    Fade fade;              /* of the smoke near faces. Set before gathering */
    int reduction;          /* cells of the grid along the edge of a cell of this volume: 1 or 2 */
    int n[3];               /* the grid's cells per axis / reduction, rounded up */
    float spacing;          /* edge of a cell of this volume, m */
    int channels;           /* channels of depth: 1, or 4 for red, green, blue and one unused */
    int room;               /* channels that memory was allocated for */
    float *density;         /* mean over reduction^3 cells; outside the grid the density is 0 */
    float *depth; /* -log transmittance towards the sun, of all light or of red, green and blue;
                     x fastest, then y, then z; its roots after light_volume_take_roots */
    float *sky;   /* -log transmittance straight up from the lowest cells: x fastest, then z */
    float *color; /* density times red, then times green, then times blue; NULL without colours */
    float *scratch;
    size_t rays; /* floats of scratch for each part of the rays */
} LightVolume;

/* Copies the density. Memory is reused from call to call. Fails if memory is short. */
bool light_volume_gather(LightVolume *volume, const BillowView *view, int reduction,
                         BillowError *error);

/* Copies the colours, or drops them if the view has none. Call it after light_volume_gather. */
bool light_volume_gather_colors(LightVolume *volume, const BillowView *view, BillowError *error);

/* Completes the density and the colours with those of the other ranks. Called by all ranks, where
 * there are any. */
void light_volume_share(LightVolume *volume);

/* Writes the density that dims light of a colour: the density plus `excess` times the part of it
 * that does not reflect that colour. The view must have colours. */
void light_volume_dim(const LightVolume *volume, float excess, int color, float *density);

/* Computes the depths. sun: unit vector towards the sun. extinction: 1/m per unit of density. The
 * error is of second order in the spacing. */
void light_volume_compute(LightVolume *volume, const float sun[3], float extinction);
/* Computes the depths by colour, with 4 channels, until the next light_volume_compute. The factor
 * on the extinction is extinction_color, times 1 + tint_extinction (1 - the smoke's colour) where
 * the smoke has colours. Fails if memory is short. */
bool light_volume_compute_colors(LightVolume *volume, const float sun[3], const RenderSmoke *smoke,
                                 BillowError *error);

/* Replaces the depths by their square roots, which the picture interpolates. Transmittance drops so
 * fast in thick smoke that its cells would show. Depth itself grows with the square of the distance
 * where the density grows evenly, as it does in the lit skin of thick smoke; interpolated linearly
 * between two cells it is too large there, and makes the skin too dark. Deep in the smoke the depth
 * grows evenly, and its root is as good. */
void light_volume_take_roots(LightVolume *volume);

/* Changes values at cell centres so that the linear interpolation between them, constant beyond the
 * outermost, has the right mean where they bend: in - share * (sum of the second differences along
 * the axes), by at most half of the value. share: 1/12 if the values are those at the centres,
 * 1/8 if they are means over the cells. in: `channels` values a cell, all at least 0. out: another
 * array. */
void light_volume_sharpen(const int n[3], int channels, float share, const float *in, float *out);

/* Computes the share of the sky that the ground sees: a map of LIGHT_VOLUME_GROUND squared values,
 * x fastest, then z, over twice the box's floor about its centre. solids: obstacles, or NULL. */
void light_volume_ground(const LightVolume *volume, const SolidLight *solids, float *map);

void light_volume_destroy(LightVolume *volume);

#endif
