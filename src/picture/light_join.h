/* SPDX-License-Identifier: MIT
 *
 * The sun's optical depth and the light from all sides, side by side on the direct light's cells,
 * so that a ray looks once for both. */
#ifndef PICTURE_LIGHT_JOIN_H
#define PICTURE_LIGHT_JOIN_H

#include "ambient.h"
#include "light_volume.h"

typedef struct LightJoin {
    float *values; /* of the direct light's cells: depth, and J's red, green and blue; NULL: none */
    float *rows;   /* scratch: of each plane one row of the ambient light */
    size_t floats;
} LightJoin;

/* Room for both; fails where there is none. Keeps what it has from call to call. */
bool light_join_resize(LightJoin *join, const LightVolume *direct, const Ambient *ambient,
                       BillowError *error);
/* direct has one depth, the first of its channels. J is linear between the centres of its cells. */
void light_join_fill(LightJoin *join, const LightVolume *direct, const Ambient *ambient);
void light_join_destroy(LightJoin *join);

#endif
