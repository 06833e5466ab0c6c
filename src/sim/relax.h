/* SPDX-License-Identifier: MIT
 *
 * Red-black six-neighbour relaxation of
 *
 *     (base + weight * counted) x - weight * (sum of the six neighbours) = rhs
 *
 * on a box of unknowns with ghosts 0 around it. `counted` is how many of a cell's six neighbours
 * count in its diagonal: all, less those beyond a side that is not counted. So base 0, weight 1 is
 * the pressure with closed (not counted: zero gradient) and open (counted: value 0) faces; base 1,
 * weight nu dt/h2 is implicit diffusion.
 */
#ifndef SIM_RELAX_H
#define SIM_RELAX_H

#include "grid.h"
#include "kernels/kernels.h"
#include "parallel.h"
#include <billow/billow.h>
#include <stdbool.h>

typedef struct Relaxation {
    const Grid *grid;
    const Kernels *kernels;
    int cells[3]; /* unknowns per axis, at most the grid's */
    Packed x, rhs;
    float base, weight;
    bool counted[BILLOW_SIDES];
    float omega; /* over-relaxation; the last sweep runs at 1 */
    int sweeps;
    float tolerance; /* ends early when the residual's L2 is below this share of rhs_norm */
    double rhs_norm;
    float *inverse;                     /* relaxation_table_floats; filled by relaxation_prepare */
    double *plane_squares, *plane_sums; /* cells[2] doubles of scratch each */
} Relaxation;

size_t relaxation_table_floats(const Grid *grid);

/* Fills the table of 1/diagonal. Serial, O(nx). */
void relaxation_prepare(Relaxation *relaxation);

/* Both inside a team's task, by all workers, after a barrier that completed x and rhs; both end
 * with a barrier.
 *
 * Makes the most of x as a start: multiplies it by the factor that leaves the least error, 0 where
 * no multiple helps. */
void relaxation_scale_start(const Relaxation *relaxation, Team team);
/* Relaxes. Returns the sweeps done, the same for every worker. */
int relaxation_solve(const Relaxation *relaxation, Team team);

/* Row (j, k) between an unpacked row and the packed form. */
void relaxation_pack_row(const Relaxation *relaxation, const float *row, int j, int k, Packed out);
void relaxation_unpack_row(const Relaxation *relaxation, Packed packed, int j, int k, float *row);

#endif
