/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: the displacement by which fields are advected, and the advection of scalars. */
#ifndef SIM_ADVECT_H
#define SIM_ADVECT_H

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/kernels/loops.h"
#include "sim/sim.h"

/* Claims SCRATCH_DISPLACEMENT and fills it with the displacements of the present velocity over dt:
 * by the midpoint rule. Does nothing if it already holds them. Runs before the sources, so that
 * the last projection's divergence-free flow advects the velocity. */
void advect_displace(BillowSim *sim, double dt);

/* Planes of wind cells beyond a rank's own from which samples are interpolated with the present
 * displacement. 0 without ranks. */
int displacement_reach(const BillowSim *sim);
/* Writes the present displacements of this rank's rows to Smoke.winds, in cells of the wind. */
void displacement_winds(BillowSim *sim);

void advect_scalars(BillowSim *sim, double dt);

/* -- for advect_velocity.c --------------------------------------------------------------------- */

/* Fills the ghosts of the velocity, and fetches the planes up to `reach` beyond those of this rank.
 * Returns how many planes are on their way, which exchange_finish waits for; 0: none. */
int advect_fill_ghosts(BillowSim *sim, int reach);
/* Runs a pass on all planes: while planes of other ranks are on their way, on those that do not
 * need them, and then on the others. Ends without a barrier. */
typedef void PlanePass(const void *context, Slab planes);
void advect_pass(const BillowSim *sim, PlanePass *pass, const void *context, int arriving,
                 Team team);

/* Clears the elements of a buffer beyond its last cell or face, because the buffer may have stored
 * another kind of field (grid.h). `axis`: axis of the velocity component to store; -1 for a field
 * of cells. Each worker clears its slab. */
void advect_clear_beyond(const BillowSim *sim, float *field, int axis, Team team);

/* Element (-1, -1, -1) of a field. */
static inline const float *field_corner(const Grid *grid, const float *field)
{
    return field - grid->stride_z - grid->stride_y - 1;
}

/* The kernel by which velocity and scalars are advected. */
static inline AdvectKernel *advect_kernel(const BillowSim *sim)
{
    const AdvectKernels *kernels = sim->kernels->advect;
    return params_reflect(&sim->def.params) ? kernels->advect_sharp : kernels->advect;
}

/* Index of row or plane i. An index beyond the ends is wrapped around or clamped. */
static inline int advect_beside(int i, int n, bool wraps)
{
    if (wraps)
        return i < 0 ? i + n : i >= n ? i - n : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Rows from element `begin` on. */
static inline Rows rows_from(Rows rows, int begin)
{
    return (Rows){rows.x + begin, rows.y + begin, rows.z + begin};
}

static inline Rows displacement_row(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    j = advect_beside(j, grid->ny, boundary_wraps(&sim->def, 1));
    k = advect_beside(k, grid->nz, boundary_wraps(&sim->def, 2));
    ptrdiff_t at = grid_row(grid, j, k);
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    return (Rows){d[0] + at, d[1] + at, d[2] + at};
}

/* Prefetches a row of plane k + 1, some rows ahead. Sampling accesses memory irregularly and
 * reaches the plane above first. Prefetching makes all of advection a third faster. */
PREFETCHING void prefetch_sampled(const Grid *grid, const float *field, int j, int k)
{
    enum { AHEAD = 6 };
    prefetch_row(field + grid_row(grid, j + AHEAD, k + 1), grid->nx);
}

PREFETCHING void prefetch_displacement(const BillowSim *sim, int j, int k)
{
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    for (int axis = 0; axis < 3; axis++)
        prefetch_sampled(&sim->grid, d[axis], j, k - 1);
}

#endif
