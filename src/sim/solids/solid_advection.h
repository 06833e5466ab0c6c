/* SPDX-License-Identifier: MIT
 *
 * Advection around solids. */
#ifndef SIM_SOLID_ADVECTION_H
#define SIM_SOLID_ADVECTION_H

#include "sim/fields/field_table.h"
#include "sim/fields/parallel.h"
#include "sim/kernels/kernels.h"

/* Distance to the nearest surface, in cells, interpolated between the cells' corners. `corner`:
 * position in cells from the low corner of the box. */
float solids_distance_at(const BillowSim *sim, const float corner[3]);

/* Shortens those displacements of row (j, k) that cross a surface. */
void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut displacement);

/* Repeats the advection of the cells of row (j, k) of a grid near solids: of the wind's, or of the
 * smoke's, with `refine` cells along an edge of a wind cell. Interpolates only between cells that
 * are connected by open faces. d: displacements from the first cell of the span on, in cells. Each
 * `out` points to the first cell of the row. */
void solids_advect_row(const BillowSim *sim, const Grid *grid, int refine, int j, int k, Span span,
                       Rows d, const Advected *fields, int count);

/* Whether solids move. Conservative advection then creates and loses some smoke, fuel and colour
 * around them. */
bool solids_owe(const BillowSim *sim);
/* Sums the amounts that one advection step created around solids in the slab's planes. Needs
 * Smoke.volumes. */
void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab);
/* Corrects the amounts around moving solids, after solids_count_made has run for all steps. */
void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team);

#endif
