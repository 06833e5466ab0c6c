/* SPDX-License-Identifier: MIT
 *
 * The state of a simulation, which only the stages see. The stages and what they stand on:
 *
 *     step.c        one step, which reads as a table of contents
 *     statistics.c  the sums and maxima that BillowStats reports, and the hash of the state
 *     advection/    velocity, scalars and tracers along the flow (stages.h)
 *     sources/      emitters, expansion, combustion, forces (sources.h)
 *     pressure/     projection and diffusion (stages.h)
 *     solids/       what stands or moves in the flow (solids.h)
 *     solver/       the linear solvers: relaxation, multigrid, conjugate gradients (multigrid.h)
 *     shapes/       distances to shapes, meshes, noise (shape.h, noise.h)
 *     fields/       grid, boundaries, scalars, scratch memory, threads (grid.h)
 *     kernels/      arithmetic on rows, per instruction set (kernels.h) */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "emitter.h"
#include "grid.h"
#include "kernels.h"
#include "multigrid.h"
#include "parallel.h"
#include "scratch.h"
#include "solids.h"

#include <billow/billow.h>

/* Sums of one plane that no kernel keeps. */
typedef struct PlaneBudget {
    double scalars[SCALARS_MAX]; /* per scalar in the list's order; only from the third on */
    uint64_t nonfinite;          /* cells that only those scalars make non-finite */
    double made[SCALARS_MAX];    /* per scalar: what advection made around moving solids */
    double held[SCALARS_MAX];    /* per scalar: what the cells around them hold */
    double flame;                /* 1/s, summed over the cells */
    double released;             /* density that emitters released or made by expansion */
    double leaving;              /* density through open faces and inflows, times h/dt */
    double kept;                 /* density left after dissipation took its share */
    double expansion, outflow;   /* m/s; times a face's area they are m3/s */
} PlaneBudget;

/* Massless particles that the flow carries. */
typedef struct Tracers {
    float *place[3]; /* m; NULL without tracers */
    float *age;      /* s; negative in an unused slot */
    uint64_t born;   /* released since the start; the next one takes slot born % count */
    double owed[2 * BILLOW_EMITTERS_MAX]; /* fraction of a particle still to be released, per
                                             emitter, then per queued emitter */
} Tracers;

struct BillowSim {
    BillowDef def;
    Grid grid;
    const Kernels *kernels;
    int threads;

    /* State: what billow_state_hash covers. */
    float *velocity[3]; /* m/s */
    float *density, *temperature;
    float *pressure;  /* packed; dt p / (rho h), m/s */
    float *color[3];  /* NULL without colour */
    float *fuel;      /* NULL without fire */
    float *flame;     /* 1/s; fuel burnt in the last substep; NULL without fire */
    double flame_sum; /* 1/s; flame summed over the cells */
    Tracers tracers;
    float *texture[2][3];    /* m; NULL without texture coordinates */
    double texture_turns[2]; /* resets of each set so far */
    double time;             /* s simulated */
    double carry;            /* s of billow_advance that no step has covered yet */

    Scratch scratch;
    double displaced_dt; /* s; SCRATCH_DISPLACEMENT is the velocity's over this; 0: not held */

    /* One entry per plane, so that sums can be added in order. */
    double *plane_squares, *plane_sums;
    PlaneStatistics *plane_statistics;
    PlaneBudget *plane_budgets;
    uint64_t *plane_hashes;

    float *coefficients; /* coefficients of a diffusive solve (level.h) */
    Multigrid multigrid; /* the pressure's solver; its finest level borrows x and rhs */
    float *multigrid_memory;
    float *guard_zone; /* a plane and a row of zeros (sim.c) */
    float *solids_memory;
    Solids *solids;                              /* NULL without solids */
    BillowSolid first_solids[BILLOW_SOLIDS_MAX]; /* what billow_reset goes back to */

    PlacedEmitter emitters[BILLOW_EMITTERS_MAX];
    PlacedEmitter queued[BILLOW_EMITTERS_MAX]; /* emitters by billow_emit, for the next step only */
    int queued_count;
    BillowForce pushed[BILLOW_FORCES_MAX]; /* forces by billow_push, for the next step only */
    int pushed_count;
    double expansion_time, expansion_dt; /* s; begin and length of the substep whose expansion the
                                            last projection met */
    double projected_dt; /* s; substep that the pressure belongs to; 0: no start for the next */
    double divergence_before; /* m/s; L2 of h (div u - expansion) before the last projection */

    BillowError error;          /* what went wrong in the last step; "" when all was well */
    unsigned char *saved_state; /* the state before the last step; NULL unless BillowDef.guarded */
    bool watching;              /* this step went wrong and is played again (step.c) */
    uint64_t substeps_before;   /* substeps taken before this step */

    BillowStats stats;
    BillowProfile profile;
    double lap;          /* s; clock at the end of the last stage */
    int substeps_left;   /* substeps of this step after the present one */
    float density_share; /* share of the density that dissipation left in the last substep */
    bool touched;        /* fields were changed by hand since the statistics were taken */

    size_t bytes;
};

/* Whether advection corrects by MacCormack. */
static inline bool params_second_order(const BillowParams *params)
{
    return params->advection == BILLOW_MACCORMACK || params->advection == BILLOW_CONSERVATIVE;
}

/* Whether scalars are advected by fluxes through the faces of cells. */
static inline bool params_conserve(const BillowParams *params)
{
    return params->advection >= BILLOW_CONSERVATIVE;
}

/* The displacement belongs to an older velocity. */
static inline void displacement_drop(BillowSim *sim)
{
    if (sim->displaced_dt != 0)
        scratch_release(&sim->scratch, SCRATCH_DISPLACEMENT);
    sim->displaced_dt = 0;
}

/* Adds a stage's memory traffic, floats per cell, to the profile. */
static inline void profile_traffic(BillowSim *sim, double floats_per_cell)
{
    const Grid *grid = &sim->grid;
    sim->profile.bytes +=
        4.0 * floats_per_cell * (double)grid->nx * (double)grid->ny * (double)grid->nz;
}

/* -- statistics and the mass budget (statistics.c) --------------------------------------------- */

/* Stage 9: statistics and the mass budget. */

/* Fills BillowStats after a step whose substeps took dt each. */
void statistics_update(BillowSim *sim, double dt);

/* Takes note of fields that were changed by hand: mass that was added counts as a source, and
 * *speed becomes that of the fastest fluid, m/s. False where values are not finite; then the mass
 * budget stays as it was. */
bool statistics_recount(BillowSim *sim, double *speed);

/* -- def.c. Each check writes the message that the public function gives, and returns false, if a
 * value is out of range. */

bool def_check(const BillowDef *def, BillowError *error);
bool params_check(const BillowParams *params, BillowError *error);
bool solid_check(const BillowSolid *solid, int index, BillowError *error);
bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error);
bool force_check(const BillowForce *force, int index, BillowError *error);

/* -- saved states (state.c) -------------------------------------------------------------------- */

/* Whether every number of the fields is finite in a saved state that this simulation could load. */
bool state_fields_finite(const BillowSim *sim, const void *memory, size_t bytes);

/* Upper bound of the bytes that a saved state of this definition takes. */
size_t state_bytes_most(const BillowDef *def);

#endif
