/* SPDX-License-Identifier: MIT
 *
 * Stage 1: emitters on a grid, how much of each cell they cover, and what they release. */
#ifndef SIM_SOURCES_H
#define SIM_SOURCES_H

#include "sim/fields/grid.h"
#include "sim/shapes/noise.h"
#include "sim/shapes/shape.h"
#include <billow/billow.h>

/* An emitter in units of cells. The centre of cell (i, j, k) is at (i, j, k). */
typedef struct PlacedEmitter {
    BillowEmitter emitter;
    float center[3], size[3]; /* cells */
    PlacedShape shape;        /* lengths in cells */
    bool general;             /* neither a sphere nor an upright box */
    float amount;             /* volume of the shape divided by the sum of its coverage */
    float most;               /* upper bound of its coverage */
    float speed;              /* largest magnitude of the velocities of a volume, m/s */
    int low[3], high[3]; /* cells that may be covered, low <= i < high. They may include one past
                            the grid's last cell, whose low faces belong to the grid. */
} PlacedEmitter;

/* On a grid of the box with cells of this size, m. */
PlacedEmitter emitter_place(const BillowEmitter *emitter, const Grid *grid, const BillowDef *def,
                            float cell_size);

/* Share of the cell around (x, y, z) that the shape covers, 0 to 1. It rises linearly from a cell
 * outside the surface to a cell inside. The factors of a volume multiply it. */
float emitter_coverage(const PlacedEmitter *placed, float x, float y, float z);

/* Sum of the coverage inside the grid, times PlacedEmitter.amount: the volume of the part of the
 * shape inside the grid, in cells. */
double emitter_inside(const PlacedEmitter *placed, const Grid *grid);

/* Range low <= i < high of the cells in row (j, k) that are covered or have a covered face. May
 * include others. */
void emitter_row(const PlacedEmitter *placed, int j, int k, int *low, int *high);

/* Factor on the emitter's rates at a position and time: 1 + noise, at least 0. Exactly 1 without
 * noise. */
float emitter_flicker(const PlacedEmitter *placed, float x, float y, float z, float cell_size,
                      double time, NoiseMemory *memory);

/* Colour of the released smoke at a time, which hue_speed turns. */
void emitter_color(const BillowEmitter *emitter, double time, float color[3]);

/* Part of the time from `begin` to `end` during which the emitter is on, s. */
double emitter_seconds(const BillowEmitter *emitter, double begin, double end);

/* Upper bound of emitter_flicker. */
double emitter_flicker_max(const BillowEmitter *emitter);

/* Releases what the emitters give in the next dt. */
void sources_apply(BillowSim *sim, double dt);
/* Largest speed to which emitters alone may accelerate fluid in the next dt, m/s. */
double sources_speed(const BillowSim *sim, double dt);
/* Adds to the mass budget `share` times the sum of PlaneBudget.released. */
void budget_released(BillowSim *sim, double share);

/* Adds to the mass budget what dissipation removed in a substep. `mass`: mass that remains, m3. */
void budget_dissipated(BillowSim *sim, double mass);

#endif
