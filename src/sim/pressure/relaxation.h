/* SPDX-License-Identifier: MIT
 * Red-black six-neighbour relaxation of a level's A x = rhs: Stam's solver, swept fast. */
#ifndef SIM_RELAX_H
#define SIM_RELAX_H

#include "level.h"
#include "parallel.h"

#include <stdbool.h>

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

/* Several passes over the planes of a box in one pass over memory.
 *
 * Stage s may touch plane k once stage s-1 is done with planes k-1, k and k+1 (more, if its lag
 * says so). So the stages follow each other up through a slab like the cars of a train, stage s
 * `lag` planes behind the first, while the planes between them stay in cache. Two stages may also
 * go through their planes together, row by row: at 128^3 that makes relaxing a tenth faster, at
 * 256^3 as much slower, and so do strips of rows; the caches behind the first want long runs of
 * memory. Where slabs meet,
 *
 *     plane       | slab of worker t-1  | slab of worker t   |
 *     stage 0     | ################### | ################## |
 *     stage 1     | ################# . | . ################ |     # first: own slab, up to where
 *     stage 2     | ############### . . | . . ############## |       the neighbour's is needed
 *     stage 3     | ############# . . . | . . . ############ |     . then: stage by stage
 *
 * the train leaves a wedge undone, which its neighbours do after it, each in its own slab, with a
 * barrier after each stage. Where the last plane is the first one's neighbour, the box's ends are
 * such places too. Every plane meets every stage in the same order and reads the same
 * values whatever the number of workers. */

typedef struct Stage {
    void (*run)(const void *context, int detail, int plane);
    /* Runs this stage on a plane and the next one, which lags by 1, on the plane below; may be
     * NULL. Used instead of two calls wherever both are due. */
    void (*run_fused)(const void *context, int detail, int plane);
    const void *context;
    int detail; /* handed to run: which colour, say */
    int lag;    /* 0 for the first; for others at least one more than the stage's before */
} Stage;

/* Inside a team's task, by all workers; ends with a barrier. A stage that takes planes in pairs
 * must have an even lag and do its pair at the even plane. */
void pipeline_run(const Stage *stages, int count, int planes, bool wraps, Team team);

#endif
