/* SPDX-License-Identifier: MIT
 *
 * The wind through the faces of smoke cells. */
#ifndef SIM_SMOKE_FLOW_H
#define SIM_SMOKE_FLOW_H

#include "sim/sim.h"

/* The speeds that are interpolated: of the fluid, or those that solids have been mixed into. */
typedef struct Wind {
    const BillowSim *sim;
    const float *speed[3]; /* m/s, at the faces of wind cells */
    float scale;           /* factor from speeds to results */
} Wind;

/* Speeds, times scale, through the low faces along x of smoke cells first <= i < first + n of row
 * (j, k). i may be the number of cells: then it is the last face. */
void smoke_flow_row(const Wind *wind, int first, int j, int k, int n, float *out);

/* Speeds, times scale, through the low faces along `axis`, y or z, of smoke cells in ROW_ALIGNMENT
 * columns side by side. `cell` is the first cell; `count` rows of ROW_ALIGNMENT faces follow along
 * the axis. Columns beyond the end of the row get any finite values. */
void smoke_flow_columns(const Wind *wind, int axis, const int cell[3], int count, float *out);

#endif
