/* SPDX-License-Identifier: MIT
 *
 * Multigrid for the pressure: cell-centred V-cycles (Brandt 1977; Wesseling 1988 for cells).
 *
 *     finest    relax . relax . residual                       . + prolong . relax . relax
 *     half                              restrict . relax ...  ... relax
 *     quarter                                         ...
 *     one cell                                        solved
 *
 * Each coarser level joins pairs of cells along every axis, until one cell is left. An odd last
 * cell stays single. The operator of every level is that of the finest level, for wider cells
 * (level.h). Boxes may therefore have any size. Restriction computes the mean residual of the
 * joined cells. Prolongation interpolates corrections linearly between the centres of coarse cells,
 * and uses the boundary conditions at the sides of the box. */
#ifndef SIM_MULTIGRID_H
#define SIM_MULTIGRID_H

#include "sim/fields/parallel.h"
#include "sim/solver/level.h"

enum {
    MULTIGRID_LEVELS_MAX = 12, /* enough for 2048 cells along an axis */
    MULTIGRID_SMOOTHING_MAX = 8,
};

/* Weights between the cells of a level and those of the next coarser level. Each array has one
 * entry per fine cell along its axis (TransferX). */
typedef struct Transfer {
    float *near[3], *far[3], *share[3];
    bool wraps[3]; /* axes that wrap around */
    TransferX x;
} Transfer;

/* Relaxation sweeps on each level before and after the coarser level's correction, 1 to
 * MULTIGRID_SMOOTHING_MAX each. */
typedef struct Smoothing {
    int before, after;
} Smoothing;

typedef struct Multigrid {
    Level levels[MULTIGRID_LEVELS_MAX];
    Transfer transfers[MULTIGRID_LEVELS_MAX]; /* [l]: between levels l and l+1 */
    float *corrections[MULTIGRID_LEVELS_MAX]; /* [l]: x of level l, unpacked; NULL for level 0 */
    int count;
    bool floats;         /* no side gives a value, so that x is determined only up to a constant */
    Smoothing smoothing; /* of a full cycle */
    double *plane_squares; /* one double per plane of the finest level */
} Multigrid;

/* Floats that the coefficients of all levels and the fields of the coarse ones need. */
size_t multigrid_floats(const Grid *grid);

/* Slices `memory` into the coefficients and fields of all levels, and fills the coefficients.
 * `memory` must be all 0 and start on a cache line. The caller sets x and rhs of levels[0], and
 * places the corrections, before a solve. */
void multigrid_prepare(Multigrid *multigrid, const Grid *grid, const RelaxKernels *kernels,
                       const LevelSide sides[BILLOW_SIDES], float *memory);

/* Floats that the corrections need, and where they are. A cycle overwrites them; what they contain
 * before and after it does not matter. */
size_t multigrid_corrections_floats(const Grid *grid);
void multigrid_place_corrections(Multigrid *multigrid, float *memory);
/* Clears the corrections, with their ghosts, that cycles of this rank have written. All workers of
 * a team call this. */
void multigrid_clear_corrections(const Multigrid *multigrid, Team team);

/* Runs one V-cycle on levels[0], starting from x times `start`. If `start` is 0, the old x may
 * contain anything. All workers of a team call this after a barrier that completed x and rhs; it
 * ends with a barrier. Returns the L2 norm of the remaining residual, the same to every worker. */
double multigrid_cycle(const Multigrid *multigrid, Smoothing smoothing, float start, Team team);

/* -- the solve to a tolerance ------------------------------------------------------------------ */

typedef struct PressureSolve {
    const Multigrid *multigrid;
    double goal; /* L2 norm of the residual at which the solve stops */
    int cycles;  /* largest number of multigrid cycles and conjugate gradient iterations together */
    float start; /* factor on x at the start */
    bool conjugate;     /* whether to use conjugate gradients from the first cycle on */
    float *memory[2];   /* two fields for conjugate gradients */
    double *plane_sums; /* one double per plane */
} PressureSolve;

typedef struct Solved {
    BillowPressure by;
    int cycles;
    double left; /* L2 norm of the residual */
} Solved;

/* Solves A x = rhs on the finest level. Conjugate gradients overwrite rhs. All workers of a team
 * call this after a barrier that completed x and rhs. It ends with a barrier and returns the same
 * result to every worker. */
Solved pressure_solve(const PressureSolve *solve, Team team);

#endif
