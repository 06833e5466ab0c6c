/* SPDX-License-Identifier: MIT
 *
 * Sky and ground behind the smoke: shaders/background.glsl over again in C. */
#ifndef PICTURE_BACKDROP_H
#define PICTURE_BACKDROP_H

#include "ground_noise.h"
#include "march.h"
#include "solid_trace.h"

enum { BACKDROP_LEVELS = 10 }; /* of the ground's noise, each half as wide as the last, down to 1 */

typedef struct Backdrop {
    const March *march;
    const SolidTrace *solids; /* NULL where there are none */
    float *noise[BACKDROP_LEVELS];
    float occlusion[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
} Backdrop;

/* Fails where there is no memory for the ground's texture. */
bool backdrop_open(Backdrop *backdrop, BillowError *error);
void backdrop_close(Backdrop *backdrop);

Vec3 backdrop_radiance(const Backdrop *backdrop, Vec3 direction);

#endif
