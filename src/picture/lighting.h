/* SPDX-License-Identifier: MIT
 *
 * All light in a box of smoke: the sun's, straight (light_volume.h), and what comes from all sides
 * (ambient.h). Smoke sends towards the eye, per unit of opacity,
 *
 *     albedo (E p(theta) T + E p2(theta) (T' - T) + J) + emission
 *
 * with the sun's irradiance E, its transmittance T, and T' = T^(1 - albedo g), what is left of it
 * when scattering ahead counts as none; p2 is the phase function of two scatterings, of mean cosine
 * g^2; J is the mean radiance of what has been scattered at least once, and of sky and glow. */
#ifndef PICTURE_LIGHTING_H
#define PICTURE_LIGHTING_H

#include "ambient.h"
#include "light_volume.h"
#include "look.h"
#include "solid_light.h"

typedef struct Lighting {
    LightVolume direct;
    Ambient ambient;
    float *matter; /* of each of the ambient light's cells: see lighting.c */
    Look lit;      /* what it was computed for; */
    bool known;    /* whether it was */
    int orders;    /* of scattering at a time */
    double enough; /* see ambient_sweep */
} Lighting;

/* How good it is to be. reduction: cells of the grid along one of the direct light's, 1 or 2. fine:
 * J at a higher resolution, and until it hardly changes, for stills. */
typedef struct LightingEffort {
    int reduction;
    bool fine;
} LightingEffort;

/* Takes what lighting needs of a view; of the look, what flames count as. Keeps its memory from
 * call to call; fails where there is none. */
bool lighting_gather(Lighting *lighting, const BillowView *view, const Look *look,
                     LightingEffort effort, BillowError *error);

/* What has to be done for a look after lighting_gather: all of it where the look's light is new, or
 * a few more orders of scattering; false where nothing was left to do. solids: what is in the
 * light's way, or NULL. */
bool lighting_compute(Lighting *lighting, const Look *look, const SolidLight *solids);

/* What J starts from is no longer near: another simulation, say. */
void lighting_forget(Lighting *lighting);
void lighting_destroy(Lighting *lighting);

/* Extinction that is left when scattering ahead counts as none, of 1. */
float lighting_kept(const LookSmoke *smoke);

#endif
