/* SPDX-License-Identifier: MIT
 *
 * Red-black six-neighbour relaxation of a level's A x = rhs: Stam's solver, swept fast. */
#ifndef SIM_RELAX_H
#define SIM_RELAX_H

#include "level.h"
#include "parallel.h"

typedef struct Relaxation {
    const Level *level;
    float omega; /* over-relaxation; the last sweep runs at 1 */
    int sweeps;
    double goal; /* ends early when the residual's L2 is not above this; 0: never */
    double *plane_squares, *plane_sums; /* one double of scratch per plane each */
    /* Called after a colour of plane k was relaxed, for cells that follow another rule; may read
     * the other colour of planes k-1 to k+1. NULL: none do. */
    void (*amend)(const void *context, int color, int k);
    const void *context;
} Relaxation;

/* All inside a team's task, by all workers, after a barrier that completed x and rhs; all end with
 * one, and return the same for every worker.
 *
 * Makes the most of x as a start: multiplies it by the factor that leaves the least error, 0 where
 * no multiple helps or `start` is 0. */
void relaxation_start(const Relaxation *relaxation, float start, Team team);
/* Relaxes; the sweeps done. */
int relaxation_solve(const Relaxation *relaxation, Team team);
/* L2 of the residual. */
double relaxation_residual(const Relaxation *relaxation, Team team);

#endif
