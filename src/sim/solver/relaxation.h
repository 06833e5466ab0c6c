/* SPDX-License-Identifier: MIT
 *
 * Red-black six-neighbour relaxation of a level's A x = rhs, which is Stam's solver, and the
 * pipeline that makes it fast. */
#ifndef SIM_RELAXATION_H
#define SIM_RELAXATION_H

#include "level.h"
#include "parallel.h"

#include <stdbool.h>

typedef struct Relaxation {
    const Level *level;
    float omega; /* over-relaxation; the last sweep runs at 1 */
    int sweeps;
    double goal;                        /* the residual's L2 to stop at; 0: never stop early */
    double *plane_squares, *plane_sums; /* one double per plane each */
    /* Called after a colour of plane k was relaxed, for cells that follow another rule. May read
     * the other colour of planes k-1 to k+1. NULL: there are no such cells. */
    void (*amend)(const void *context, int color, int k);
    const void *context;
} Relaxation;

/* Each of these runs inside a team's task, by all workers, after a barrier that completed x and
 * rhs. Each ends with a barrier and returns the same to every worker.
 *
 * relaxation_start scales x to the multiple that leaves the least error. That is 0 where no
 * multiple helps or where `start` is 0. */
void relaxation_start(const Relaxation *relaxation, float start, Team team);
/* Relaxes. Returns the number of sweeps. */
int relaxation_solve(const Relaxation *relaxation, Team team);
/* L2 of the residual. */
double relaxation_residual(const Relaxation *relaxation, Team team);

/* A pipeline: several passes over the planes of a box in one pass over memory.
 *
 * Stage s may work on plane k once stage s-1 is done with planes k-1, k and k+1, or more if its lag
 * says so. The stages follow each other up through a slab like the cars of a train, stage s `lag`
 * planes behind the first, while the planes between them stay in the cache. Two stages may also be
 * fused and go through their planes together, row by row. At 128^3 that makes relaxation a tenth
 * faster; at 256^3 it is as much slower, as are strips of rows, since the outer caches want long
 * runs of memory. Where slabs meet,
 *
 *     plane       | slab of worker t-1  | slab of worker t   |
 *     stage 0     | ################### | ################## |
 *     stage 1     | ################# . | . ################ |     # first: own slab, up to where
 *     stage 2     | ############### . . | . . ############## |       the neighbour's is needed
 *     stage 3     | ############# . . . | . . . ############ |     . then: stage by stage
 *
 * the train leaves a wedge. The workers fill the wedges afterwards, each in its own slab, with a
 * barrier after each stage. Where the last plane is a neighbour of the first, the ends of the box
 * are such places too. Every plane meets every stage in the same order and reads the same values
 * whatever the number of workers. */

typedef struct Stage {
    void (*run)(const void *context, int detail, int plane);
    /* Runs this stage on a plane and the next stage, whose lag is 1 more, on the plane below. Used
     * instead of two calls where both are due. May be NULL. */
    void (*run_fused)(const void *context, int detail, int plane);
    const void *context;
    int detail; /* handed to run, such as a colour */
    int lag; /* 0 for the first stage; for others at least 1 more than that of the stage before */
} Stage;

/* Inside a team's task, by all workers; ends with a barrier. A stage that takes planes in pairs
 * must have an even lag and do its pair at the even plane. */
void pipeline_run(const Stage *stages, int count, int planes, bool wraps, Team team);

#endif
