/* SPDX-License-Identifier: MIT
 *
 * Solids in the projection: how they change the velocity, and the regions that they enclose. */
#ifndef SIM_SOLID_FLOW_H
#define SIM_SOLID_FLOW_H

#include "sim/fields/parallel.h"
#include "sim/kernels/kernels.h"
#include <billow/billow.h>

/* Mean of the distances at a cell's corners, in cells. `cell`: offset in a field of cells. */
float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell);

/* solids_mix runs before the projection and sets cut faces to the mean of the fluid's and the
 * solid's velocity, weighted by the face fraction. solids_unmix runs after it and restores the
 * fluid's velocity. Each worker processes its slab, with a barrier before and after. Both need
 * SCRATCH_FLUID_VELOCITY. */
void solids_mix(BillowSim *sim, Slab slab);
void solids_unmix(BillowSim *sim, Slab slab);

/* Clears the right-hand sides inside solids, and subtracts them from the sums of plane k. */
void solids_empty(BillowSim *sim, int k);

/* Removes the vorticity confinement's force next to solids in row (j, k). The velocity jump at a
 * surface would count as an eddy there, and the force would amplify it without end. */
void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force);

/* Sets shut faces to the solid's velocity. A face inside a slippery solid gets the mean of the open
 * faces next to it instead. Each worker processes its slab, with a barrier before and after. */
void solids_impose(BillowSim *sim, Slab slab);

/* Limits the velocity of faces that solids cut to the range of the solid's and of those next to
 * them that are more open. Little air passes through such a face, so that the pressure hardly holds
 * back what forces and advection do there: under a force beside a solid its speed would grow
 * without end. */
void solids_limit(BillowSim *sim);

/* Applies the viscous drag between the fluid and sticky surfaces. */
void solids_drag(BillowSim *sim, double dt);

/* Finds the enclosed regions and labels their cells. Runs between steps. Needs SCRATCH_REGIONS. */
void enclosed_regions_find(BillowSim *sim);
/* Subtracts from the right-hand sides of each enclosed region their mean, and removes these cells
 * from the planes' sums. Runs on one worker. */
void enclosed_regions_balance(BillowSim *sim);

#endif
