/* SPDX-License-Identifier: MIT
 *
 * The flow of a simulation that follows (follow.h), between the active cells and the far field. */
#ifndef SIM_COMPOSITE_H
#define SIM_COMPOSITE_H

#include "sim/follow/follow.h"

/* -- velocity ---------------------------------------------------------------------------------- */

/* Restricts the fine velocity to the far field under active cells. */
void composite_restrict_velocity(BillowSim *sim);
/* The same for the far faces alone that active cells share with far cells beyond them. */
void composite_restrict_border(BillowSim *sim);
/* Fills the velocity in the band around the active cells from the far field. */
void composite_fill_band(BillowSim *sim);
/* Fills a component of the velocity at the faces of the cells of `outer` that are not faces of
 * active cells, in the slab of a worker. Does nothing if all cells are active. */
void composite_prolong_slab(const BillowSim *sim, int axis, float *component, ActiveSet outer,
                            Team team);
/* Fills the velocity in the cells of the band that `inner` does not contain, per row. */
void composite_prolong(BillowSim *sim, const Span *inner);

/* Row (j, k) of a field of the whole box, of a velocity component `axis` or, with -1, of cells: a
 * row of the field itself, or one in `memory` that has far values where the grid has none. */
const float *composite_row(const BillowSim *sim, int axis, const float *field, int j, int k,
                           float *memory);

/* -- one pressure for both grids --------------------------------------------------------------- */

/* Multiplies the last pressure of both grids by `start`. All workers call this after a barrier. */
void composite_scale(const BillowSim *sim, float start, Team team);
/* Sum of the squares of the far right-hand sides, weighted like those of fine cells. */
double composite_squares(const BillowSim *sim, Team team);
/* Subtracts a share of the pressure's gradient from the far velocity. */
void composite_subtract(BillowSim *sim, float share, Team team);
/* Interpolates the pressure of fine cells from the far pressure. */
void composite_interpolate(const BillowSim *sim, int j, int k, Span cells);
/* Restricts the pressure of all active cells to the far pressure. */
void composite_restrict_all(BillowSim *sim);
/* The far cells of a row beyond active cells: the parts on either side of these. */
void composite_far_parts(const BillowSim *sim, int j, int k, Span parts[2]);
void composite_prepare(BillowSim *sim);

#endif
