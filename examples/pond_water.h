/* SPDX-License-Identifier: MIT
 *
 * Water of a pond seen from above, after Chen, da Vitoria Lobo, Hughes, Moshell, Real-Time Fluid
 * Simulation in a Dynamic Virtual Environment (IEEE Computer Graphics and Applications, 1997): the
 * Navier-Stokes equations in two dimensions on a staggered mesh, with the pressure shown as the
 * height of the surface. pond_water.c has the equations, what they can show and what they cannot.
 *
 *     PondWaterDef def = pond_water_default_def();
 *     def.nx = 64, def.ny = 48, def.depth = depth;          // nx * ny floats, 0 = dry
 *     PondWater *water = pond_water_create(&def);           // NULL: impossible, or no memory
 *     double dt = pond_water_largest_step(water);
 *     pond_water_add(water, 20, 20, 0.01f);                 // a bump, 1 cm high
 *     pond_water_step(water, dt);
 *     float height = pond_water_height(water, 21, 20);
 *     pond_water_destroy(water);
 *
 * Cell i, j covers i to i + 1 times j to j + 1 cell widths; i runs from 0 to nx - 1 along x, j from
 * 0 to ny - 1 along y. Everything outside of the mesh is dry. Lengths are in m, times in s. A water
 * is one allocation, has no globals, and is used by one thread at a time. The same calls give the
 * same bits. */
#ifndef POND_WATER_H
#define POND_WATER_H

#include <stdbool.h>
#include <stddef.h>

/* x within least..most; `least` for NaN. */
static inline float clampf(float x, float least, float most)
{
    return x > least ? (x < most ? x : most) : least;
}

typedef struct PondWater PondWater;

typedef struct PondWaterDef {
    int nx, ny;         /* cells along x and y, 1 to 4096; no default */
    float cell;         /* width of a cell, m, above 0; default 0.1 */
    float gravity;      /* m/s2, above 0; default 9.81 */
    float viscosity;    /* of the flow, m2/s, at least 0; default 0.002, far above that of water,
                           since waves of two cells should die out */
    float drag;         /* rate at which the floor brakes the flow, 1/s, at least 0; default 0.05 */
    float fastest;      /* speed of the fastest boat or current, m/s, at least 0; default 5. Both
                           components of the velocity are limited to it */
    const float *depth; /* nx * ny depths at rest, row after row, m. Cells of depth 0 or less are
                           dry: walls. Copied; no default */
} PondWaterDef;

PondWaterDef pond_water_default_def(void);

/* Makes still water: heights and velocities are 0. Returns NULL if a value is outside of its range
 * or not finite, or memory is short. */
PondWater *pond_water_create(const PondWaterDef *def);
void pond_water_destroy(PondWater *water); /* NULL is allowed */

/* Sets heights and velocities to 0, and takes away all moving cells. */
void pond_water_reset(PondWater *water);

/* Largest stable time step, s: (6) in pond_water.c. Constant over the life of the water. */
double pond_water_largest_step(const PondWater *water);

/* Advances by dt, above 0 and at most the largest step. Otherwise does nothing, returns false. */
bool pond_water_step(PondWater *water, double dt);

/* -- moving boundaries ----------------------------------------------------------------------- */

/* Gives cell i, j the velocity u, v of a body for all steps until pond_water_free_cells(). `part`
 * is the part of the cell that the body covers, 0 to 1; the velocity counts on a face as far as its
 * two cells are covered. A hull of draught d in water of depth D pushes d / D of the water ahead of
 * it: pass that times its velocity. Of several bodies in a cell the one with the larger part
 * counts. Cells outside of the mesh and dry cells are left as they are; a part or a velocity that
 * is no number counts as 0. */
void pond_water_move_cell(PondWater *water, int i, int j, float part, float u, float v);

void pond_water_free_cells(PondWater *water);

/* -- pressure -------------------------------------------------------------------------------- */

/* Raises the water in cell i, j by `height`, m; negative lowers it. The pressure rises by density *
 * gravity * height. Returns the volume that this adds, m3: exactly what the heights gain. 0 in dry
 * cells. */
double pond_water_add(PondWater *water, int i, int j, float height);

/* A drop of rain: raises the water around the point x, y by a bump of the given height and radius
 * that is 0 at its rim. Returns the volume that this adds, m3. */
double pond_water_add_drop(PondWater *water, float x, float y, float radius, float height);

/* -- what is there --------------------------------------------------------------------------- */

bool pond_water_wet(const PondWater *water, int i, int j); /* false outside of the mesh */
bool pond_water_wet_at(const PondWater *water, float x, float y);
float pond_water_depth(const PondWater *water, int i, int j);  /* at rest, m; 0 = dry */
float pond_water_height(const PondWater *water, int i, int j); /* above rest, m; 0 in dry cells */

/* All heights: cell i, j is heights[i + j * pond_water_stride(water)], and dry cells are 0. i and j
 * may also be -1, nx and ny. Valid as long as the water. */
const float *pond_water_heights(const PondWater *water);
size_t pond_water_stride(const PondWater *water);

/* Velocity at the point x, y, interpolated between the faces, m/s. */
void pond_water_velocity(const PondWater *water, float x, float y, float velocity[2]);

/* Volume above rest: the sum of all heights times the area of a cell, m3. */
double pond_water_volume(const PondWater *water);

#endif
