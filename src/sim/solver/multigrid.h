/* SPDX-License-Identifier: MIT
 *
 * Multigrid for the pressure: cell-centred V-cycles (Brandt 1977; Wesseling 1988 for cells).
 *
 *     finest    relax . relax . residual                       . + prolong . relax . relax
 *     half                              restrict . relax ...  ... relax
 *     quarter                                         ...
 *     one cell                                        solved
 *
 * Each level joins pairs of cells along every axis, an odd last one staying by itself, until one
 * cell is left. Its operator is that of the finest level for the wider cells (level.h), so that any
 * size of box will do. Restriction takes the mean of the residuals of the cells that were joined.
 * Prolongation interpolates corrections linearly between the centres of coarse cells, with the
 * values that walls and open faces imply beyond them, or around an axis that wraps. */
#ifndef SIM_MULTIGRID_H
#define SIM_MULTIGRID_H

#include "level.h"
#include "parallel.h"

enum {
    MULTIGRID_LEVELS_MAX = 12, /* enough for 2048 cells along an axis */
    MULTIGRID_SMOOTHING_MAX = 8,
};

/* Weights between a level's cells and those of the next, per axis, one entry per cell (TransferX).
 */
typedef struct Transfer {
    float *near[3], *far[3], *share[3];
    bool wraps[3]; /* the cells beyond one end are those at the other */
    TransferX x;
} Transfer;

typedef struct Multigrid {
    Level levels[MULTIGRID_LEVELS_MAX];
    Transfer transfers[MULTIGRID_LEVELS_MAX]; /* [l]: between levels l and l+1 */
    float *corrections[MULTIGRID_LEVELS_MAX]; /* [l]: x of level l, unpacked; NULL for level 0 */
    int count;
    bool floats;           /* no side gives a value: x is known but for a constant */
    int smoothing;         /* sweeps before and after the coarser level's correction, 1..8 */
    double *plane_squares; /* one double per plane of the finest level */
} Multigrid;

/* Floats that the coefficients of all levels and the fields of the coarse ones need. */
size_t multigrid_floats(const Grid *grid);

/* Cuts and fills them. `memory` must be all 0 and start on a cache line. The caller sets x and rhs
 * of levels[0] before a solve. */
void multigrid_prepare(Multigrid *multigrid, const Grid *grid, const RelaxKernels *kernels,
                       const LevelSide sides[BILLOW_SIDES], float *memory);

/* One V-cycle on levels[0], starting from x times `start`. With 0 the old x may be anything.
 * Inside a team's task, by all workers, after a barrier that completed x and rhs; ends with one.
 * Returns the L2 of the residual that is left, the same to every worker. */
double multigrid_cycle(const Multigrid *multigrid, float start, Team team);

/* -- face_fractions.c: face fractions on all levels -------------------------------------------- */

/* Cells low <= i < high along each axis. */
typedef struct Region {
    int low[3], high[3];
} Region;

/* Floats that the fractions of all levels need. */
size_t face_fractions_floats(const Grid *finest);

/* Cuts that memory, which starts on a cache line, and opens every face. */
void face_fractions_prepare(Multigrid *multigrid, float *memory);

/* Call after the finest level's fractions in the region have been set, each to 0 or to at least
 * 1e-3, below which a fraction is only rounding. Marks the rows that are cut, and computes the
 * fractions of the coarser levels. Inside a team's task, by all workers, after a barrier; ends
 * with one. */
void face_fractions_coarsen(const Multigrid *multigrid, Region region, Team team);

/* -- pressure.c: the solve to a tolerance ------------------------------------------------------ */

typedef struct PressureSolve {
    const Multigrid *multigrid;
    double goal;        /* L2 of the residual to reach */
    int cycles;         /* most cycles and iterations together */
    float start;        /* multiple of x to start from */
    bool conjugate;     /* conjugate gradients from the first cycle on */
    float *memory[2];   /* two fields for conjugate gradients */
    double *plane_sums; /* one double per plane */
} PressureSolve;

typedef struct Solved {
    BillowPressure by;
    int cycles;
    double left; /* L2 of the residual */
} Solved;

/* Inside a team's task, by all workers, after a barrier that completed x and rhs; ends with one.
 * Conjugate gradients overwrite rhs. Returns the same to every worker. */
Solved pressure_solve(const PressureSolve *solve, Team team);

#endif
