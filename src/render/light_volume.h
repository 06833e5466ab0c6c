/* SPDX-License-Identifier: MIT
 *
 * How much light reaches each place in the smoke, swept plane by plane on the CPU at half the
 * grid's resolution: a whole volume for the price of a few shadow rays. */
#ifndef RENDER_LIGHT_VOLUME_H
#define RENDER_LIGHT_VOLUME_H

#include <billow/billow.h>

#define LIGHT_VOLUME_GROUND 64 /* edge of the ground map */

typedef struct LightVolume {
    int n[3];             /* half the grid's cells per axis, rounded up */
    float spacing;        /* m between neighbours */
    float *density;       /* mean over 2 x 2 x 2 cells; what lies outside the grid counts as 0 */
    float *depth_sun;     /* optical depth towards the sun, */
    float *depth_sky;     /* and straight up */
    float *transmittance; /* exp(-depth): pairs of sun and sky; x fastest, then y, then z */
    float *scratch;
} LightVolume;

/* Takes the density. Keeps its memory from call to call; fails where there is none. */
bool light_volume_gather(LightVolume *volume, const BillowView *view, BillowError *error);

/* sun: unit vector towards it. extinction: 1/m per unit of density. Accurate to second order in the
 * spacing, but for the blur of the bilinear steps from plane to plane. */
void light_volume_compute(LightVolume *volume, const float sun[3], float extinction);

/* Share of the sky the ground sees, on a map of LIGHT_VOLUME_GROUND squared values, x fastest, then
 * z, that spans twice the box's floor about its centre. */
void light_volume_ground(const LightVolume *volume, float *map);

void light_volume_destroy(LightVolume *volume);

#endif
