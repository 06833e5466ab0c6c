/* SPDX-License-Identifier: MIT
 *
 * An emitter on a grid: how much of each cell it covers. */
#ifndef SIM_EMITTER_H
#define SIM_EMITTER_H

#include "grid.h"
#include "noise.h"
#include "shape.h"
#include <billow/billow.h>

/* An emitter in units of cells. The centre of cell (i, j, k) is at (i, j, k). */
typedef struct PlacedEmitter {
    BillowEmitter emitter;
    float center[3], size[3]; /* cells */
    PlacedShape shape;        /* lengths in cells */
    bool general;             /* neither a ball nor an upright box */
    float amount;             /* volume of the shape over the sum of its coverage */
    int low[3], high[3];      /* cells that may be covered, low <= i < high; at most one beyond the
                                 grid's last, for faces */
} PlacedEmitter;

PlacedEmitter emitter_place(const BillowEmitter *emitter, const Grid *grid, const BillowDef *def);

/* Share of the cell around (x, y, z) that the shape covers, 0..1: a ramp from one cell outside the
 * surface to one inside. */
float emitter_coverage(const PlacedEmitter *placed, float x, float y, float z);

/* Volume of the shape inside the grid by its coverage, in cells. */
double emitter_inside(const PlacedEmitter *placed, const Grid *grid);

/* Range low <= i < high of the cells in row (j, k) that may be covered, or whose faces may be. */
void emitter_row(const PlacedEmitter *placed, int j, int k, int *low, int *high);

/* Factor on the rates at a place and time: 1 + noise, at least 0. Exactly 1 without noise. */
float emitter_flicker(const PlacedEmitter *placed, float x, float y, float z, float cell_size,
                      double time, NoiseMemory *memory);

/* Time from begin to end in which the emitter is on, s. */
double emitter_seconds(const BillowEmitter *emitter, double begin, double end);

/* Upper bound of emitter_flicker. */
double emitter_flicker_max(const BillowEmitter *emitter);

#endif
