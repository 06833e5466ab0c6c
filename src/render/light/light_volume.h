/* SPDX-License-Identifier: MIT
 *
 * How much light reaches each place in the smoke, swept plane by plane on the CPU, at the
 * grid's resolution or half of it: a whole volume for the price of a few shadow rays. */
#ifndef RENDER_LIGHT_VOLUME_H
#define RENDER_LIGHT_VOLUME_H

#include "solid_light.h"

#include <billow/billow.h>
#include <stddef.h>

#define LIGHT_VOLUME_GROUND 64 /* edge of the ground map */

typedef struct LightVolume {
    int reduction;  /* cells of the grid along the edge of a cell of this volume: 1 or 2 */
    int n[3];       /* the grid's cells per axis / reduction, rounded up */
    float spacing;  /* edge of a cell of this volume, m */
    int channels;   /* channels of depth: 1, or 4 for red, green, blue and one unused */
    int room;       /* channels that are allocated */
    float *density; /* mean over reduction^3 cells; what lies outside the grid counts as 0 */
    float *depth;   /* -log transmittance towards the sun, of all light or of red, green and blue;
                       x fastest, then y, then z. Depth is interpolated, not transmittance: in thick
                       smoke depth grows evenly from cell to cell, while transmittance drops so
                       fast that the cells would show */
    float *sky;     /* -log transmittance straight up from the floor's cells: x fastest, then z */
    float *color;   /* density times red, then times green, then times blue; NULL without colours */
    float *scratch;
    size_t rays; /* floats of scratch that a part of the rays takes */
} LightVolume;

/* Takes the density. Keeps its memory from call to call; fails where there is none. */
bool light_volume_gather(LightVolume *volume, const BillowView *view, int reduction,
                         BillowError *error);

/* Takes the colours as well, or forgets them where the view has none; after light_volume_gather. */
bool light_volume_gather_colors(LightVolume *volume, const BillowView *view, BillowError *error);

/* How smoke dims colours: the factor on `extinction` is tint[c], times 1 + excess (1 - the smoke's
 * colour) where the smoke has colours. */
typedef struct LightColors {
    float tint[3], excess;
} LightColors;

/* Writes the density that dims light of a colour: the density plus `excess` times the part of it
 * that does not reflect that colour. The view must have colours. */
void light_volume_dim(const LightVolume *volume, float excess, int color, float *density);

/* sun: unit vector towards it. extinction: 1/m per unit of density. Accurate to second order in the
 * spacing. */
void light_volume_compute(LightVolume *volume, const float sun[3], float extinction);
/* The same by colour: makes channels 4, until the next light_volume_compute. Fails without memory.
 */
bool light_volume_compute_colors(LightVolume *volume, const float sun[3], float extinction,
                                 const LightColors *colors, BillowError *error);

/* Share of the sky the ground sees, on a map of LIGHT_VOLUME_GROUND squared values, x fastest, then
 * z, that spans twice the box's floor about its centre. solids: what hides more of it, or NULL. */
void light_volume_ground(const LightVolume *volume, const SolidLight *solids, float *map);

void light_volume_destroy(LightVolume *volume);

#endif
