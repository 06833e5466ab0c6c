/* SPDX-License-Identifier: MIT
 *
 * Red-black six-neighbour relaxation of a level's A x = rhs, which is Stam's solver, and the
 * pipeline that makes it fast. */
#ifndef SIM_RELAXATION_H
#define SIM_RELAXATION_H

#include "sim/fields/parallel.h"
#include "sim/solver/level.h"

typedef struct Relaxation {
    const Level *level;
    float omega; /* over-relaxation; the last sweep runs at 1 */
    int sweeps;
    double goal; /* L2 norm of the residual at which to stop; 0: never stop early */
    double *plane_squares, *plane_sums; /* one double per plane each */
    /* Runs after each relaxation of a colour. Corrects the cells of plane k whose equations differ
     * from A. May read the other colour of planes k-1 to k+1. NULL if there are no such cells. */
    void (*amend)(const void *context, int color, int k);
    const void *context;
} Relaxation;

/* All workers of a team call each of the following functions, after a barrier that completed x and
 * rhs. Each function ends with a barrier and returns the same value to every worker. */

/* Multiplies x by the factor that gives the least error. The factor is 0 if no other reduces the
 * error or if `start` is 0. */
void relaxation_start(const Relaxation *relaxation, float start, Team team);
/* Relaxes. Returns the number of sweeps. */
int relaxation_solve(const Relaxation *relaxation, Team team);
/* L2 norm of the residual. */
double relaxation_residual(const Relaxation *relaxation, Team team);

/* A pipeline: several passes (stages) over the planes of a box in one pass over memory.
 *
 * Stage s may process plane k after stage s-1 has processed planes k-1, k and k+1, or more planes
 * if its lag is larger. The stages move up through a slab one behind the other. Stage s is `lag`
 * planes behind the first, and the planes between the two stay in the cache. Two fused stages
 * process their planes together, row by row. At 128^3 cells fusing makes relaxation a tenth faster.
 * At 256^3 it makes relaxation a tenth slower, because the outer caches favour long runs of memory.
 * Strips of rows are slower for the same reason. Two neighbouring slabs are processed like this:
 *
 *     plane       | slab of worker t-1  | slab of worker t   |
 *     stage 0     | ################### | ################## |
 *     stage 1     | ################# . | . ################ |     # first: own slab, up to where
 *     stage 2     | ############### . . | . . ############## |       the neighbour's is needed
 *     stage 3     | ############# . . . | . . . ############ |     . then: stage by stage
 *
 * Each worker then processes the remaining planes of its slab (dots). After each stage it waits for
 * the workers beside it, which therefore are never more than one stage ahead, and after the last
 * stage for all. If the last plane is a neighbour of the first, the ends of the box are processed
 * in this way too. On several ranks each stage begins with the slab's first and last plane, so that
 * they are on their way to other ranks during the work on the rest. Every plane passes the stages
 * in the same order and with the same values for any number of workers. */

typedef struct Stage {
    void (*run)(const void *context, int detail, int plane);
    /* Runs this stage on a plane and the next stage, whose lag is 1 more, on the plane below.
     * Replaces two calls of `run` if both planes are due. May be NULL. */
    void (*run_fused)(const void *context, int detail, int plane);
    const void *context;
    int detail; /* argument of `run`, such as a colour */
    int writes; /* colours of x that it changes: 0, 1 << color or BOTH_COLORS */
    int lag; /* planes behind the first stage; 0 for the first, and at least 1 more than that of the
                previous stage for the others */
} Stage;

/* Runs the stages, if any, on all planes of a level. All workers of a team call this; it ends with
 * a barrier. A stage that processes planes in pairs must have an even lag, and must process the
 * pair when called with the even plane. Such stages write no x. Ranks exchange at every barrier
 * what the stage has written of x. Before the start x beside their planes must be valid. */
void pipeline_run(const Stage *stages, int count, const Level *level, Team team);

#endif
