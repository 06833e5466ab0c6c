/* SPDX-License-Identifier: MIT
 *
 * Multigrid for the pressure: cell-centred V-cycles (Brandt 1977; Wesseling 1988 for cells).
 *
 *     finest    relax . relax . residual                         . + spread . relax . relax
 *     half                              gather . relax ...  ... relax
 *     quarter                                         ...
 *     one cell                                        solved
 *
 * Each level takes pairs of cells together along every axis, an odd one at the end alone, until one
 * cell is left; its operator is the same one written for those wider cells (level.h), so any size
 * of box will do. Residuals are averaged over the cells taken together, corrections interpolated
 * linearly between their centres, with the value the walls and open faces ask for beyond them, or
 * around an axis that wraps.
 */
#ifndef SIM_MULTIGRID_H
#define SIM_MULTIGRID_H

#include "level.h"
#include "parallel.h"

enum {
    MULTIGRID_LEVELS_MAX = 12, /* 2048 cells along an axis */
    MULTIGRID_SMOOTHING_MAX = 8,
};

/* From a level's cells to the next one's, along one axis, one entry per cell: see TransferX. */
typedef struct Transfer {
    float *near[3], *far[3], *share[3];
    bool wraps[3]; /* the cells beyond one end are those at the other */
    TransferX x;
} Transfer;

typedef struct Multigrid {
    Level levels[MULTIGRID_LEVELS_MAX];
    Transfer transfers[MULTIGRID_LEVELS_MAX]; /* [l] between l and l+1 */
    float *corrections[MULTIGRID_LEVELS_MAX]; /* [l]: x of level l unpacked; none for 0 */
    int count;
    bool floats;           /* no side holds a value: x is known but for a constant */
    int smoothing;         /* sweeps before and after the coarser level's correction, 1..8 */
    double *plane_squares; /* one double of scratch per plane of the finest level */
} Multigrid;

/* Floats that all levels' coefficients and the coarse levels' fields need. */
size_t multigrid_floats(const Grid *grid);

/* Cuts and fills them; `memory` must be all 0 and start on a cache line. x and rhs of levels[0] are
 * the caller's, to be set before a solve. */
void multigrid_prepare(Multigrid *multigrid, const Grid *grid, const RelaxKernels *kernels,
                       const LevelSide sides[BILLOW_SIDES], float *memory);

/* One V-cycle on levels[0], starting from x times `start`; 0 asks nothing of x. Inside a team's
 * task, by all workers, after a barrier that completed x and rhs; ends with one. Returns the L2 of
 * the residual it leaves, the same for every worker. */
double multigrid_cycle(const Multigrid *multigrid, float start, Team team);

#endif
