/* SPDX-License-Identifier: MIT
 *
 * Shadows of solids in the smoke around them: a coarse volume, swept on the CPU only when the
 * solids or the sun have moved. (Light on the solids themselves and on the ground is traced through
 * their distances in the shaders.) */
#ifndef RENDER_SOLID_LIGHT_H
#define RENDER_SOLID_LIGHT_H

#include <billow/billow.h>

typedef struct SolidLight {
    int reduction;     /* cells of smoke along the edge of a cell of this volume: 1, 2, 4 or 8 times
                          those along the edge of a cell of wind */
    int n[3];          /* the cells of smoke per axis / reduction, rounded up; 0 without solids */
    float *opacity;    /* share of each cell that is solid */
    float *visibility; /* 0..1, two values a cell: of the sun and of the sky; x fastest */
    float *scratch;
    float low[3], high[3]; /* bounds, in cells of smoke, of what lies within SOLID_LIGHT_RIM of a
                              surface or inside; low > high where there is none */
} SolidLight;

#define SOLID_LIGHT_RIM 4.0f

/* Takes view->solid. Keeps its memory from call to call; fails where there is none. */
bool solid_light_gather(SolidLight *light, const BillowView *view, BillowError *error);

/* sun: unit vector towards it. */
void solid_light_compute(SolidLight *light, const float sun[3]);

/* Share of a cell's volume that is solid. reduction: cells of smoke along its edge. */
float solid_light_opacity(const SolidLight *light, int reduction, const int cell[3]);

/* Share of the sky that the place on the box's floor sees, 0 <= x, z < 1 across it. */
float solid_light_floor(const SolidLight *light, float x, float z);

void solid_light_destroy(SolidLight *light);

#endif
