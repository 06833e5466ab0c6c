/* SPDX-License-Identifier: MIT
 * An emitter measured against a grid: how much of each cell it covers. */
#ifndef SIM_EMITTER_H
#define SIM_EMITTER_H

#include "grid.h"
#include "noise.h"
#include "shape.h"
#include <billow/billow.h>

/* An emitter in cell units: centre of cell (i, j, k) at (i, j, k). */
typedef struct PlacedEmitter {
    BillowEmitter emitter;
    float center[3], size[3]; /* cells */
    PlacedShape shape;        /* likewise */
    bool general;             /* neither a ball nor an upright box */
    float amount;             /* factor on the coverage so that its sum is the shape's volume */
    int low[3], high[3]; /* cells that may be covered, low <= i < high, inside the grid with one
                            more for faces */
} PlacedEmitter;

PlacedEmitter emitter_place(const BillowEmitter *emitter, const Grid *grid, const BillowDef *def);

/* Share of the cell around (x, y, z) that the shape covers, 0..1: a ramp one cell to either side of
 * the surface. */
float emitter_coverage(const PlacedEmitter *placed, float x, float y, float z);

/* Volume of the shape inside the grid, in cells, as the coverage adds up to it. */
double emitter_inside(const PlacedEmitter *placed, const Grid *grid);

/* The cells low <= i < high of row (j, k) which, or whose faces, may be covered. */
void emitter_row(const PlacedEmitter *placed, int j, int k, int *low, int *high);

/* Factor on the rates at a place and time: 1 + noise, never negative. Exactly 1 without noise. */
float emitter_flicker(const PlacedEmitter *placed, float x, float y, float z, float cell_size,
                      double time, NoiseMemory *memory);

/* For how long of the time from begin to end it is on, s. */
double emitter_seconds(const BillowEmitter *emitter, double begin, double end);

/* No flicker exceeds this. */
double emitter_flicker_max(const BillowEmitter *emitter);

#endif
