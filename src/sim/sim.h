/* SPDX-License-Identifier: MIT
 *
 * The state of a simulation, private to the library. The files and folders of the library:
 *
 *     step.c        one step, which reads as a table of contents
 *     sim.c         creation, reset, and values that change while a simulation runs
 *     def.c         checks of a definition
 *     parameters.c  the tables of all values of a definition
 *     state.c       the state as bytes
 *     resample.c    the state on another grid
 *     growth.c      the box that grows with its smoke
 *     statistics.c  the sums and maxima that BillowStats reports, and the hash of the state
 *     advection/    velocity, scalars and tracers along the flow (advect.h)
 *     sources/      emitters, expansion, combustion, forces (sources.h)
 *     pressure/     projection and diffusion (project.h)
 *     solids/       fixed and moving obstacles (solids.h)
 *     solver/       the linear solvers: relaxation, multigrid, conjugate gradients (multigrid.h)
 *     shapes/       distances to shapes, meshes, noise (shape.h, noise.h)
 *     fields/       grid, boundaries, scalars, scratch memory, threads, exchanges of ranks (grid.h)
 *     upres/        finer smoke made of coarser (upres_cells.h)
 *     kernels/      arithmetic on rows, per instruction set (kernels.h) */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/fields/exchange.h"
#include "sim/fields/grid.h"
#include "sim/fields/parallel.h"
#include "sim/fields/scratch.h"
#include "sim/kernels/kernels.h"
#include "sim/smoke/smoke.h"
#include "sim/solids/solids.h"
#include "sim/solver/multigrid.h"
#include "sim/sources/sources.h"

#include <billow/billow.h>

/* Sums over one plane of the smoke that no kernel computes. */
typedef struct PlaneBudget {
    ScalarSum scalars[SCALARS_MAX]; /* per scalar of scalars_list */
    double made[SCALARS_MAX];       /* net amount that advection created around moving solids */
    double held[SCALARS_MAX];       /* amount in the cells around moving solids */
    double released;                /* density that emitters released or added by expansion */
    double leaving;   /* density that left through open faces and inflows; advect.c stores it times
                         h/dt */
    double kept;      /* density that remains after dissipation */
    double passed[2]; /* density that flows through the low and the high end of a column along z,
                         one entry per y */
} PlaneBudget;

/* The same of one plane of the wind. */
typedef struct WindBudget {
    uint64_t velocity;            /* sum of a velocity component, in units of advect.c */
    float rate;                   /* largest FluxRate.cells of its rows */
    double flame;                 /* sum of the cells' flame, 1/s */
    double expansion, outflow;    /* sums of m/s; times the area of a cell's face: m3/s */
    uint64_t first_spark, sparks; /* number of the first spark that burning releases in the plane
                                     this substep, and how many it releases */
} WindBudget;

/* Sums over a plane of the wind for BillowSound. The places are counted in cells. */
typedef struct PlaneSound {
    double expands, expands_at[2], expands_square; /* |h e|, |h e| (i, j), |h e| (i^2 + j^2); m/s */
    double shear, shear_at[2], shear_energy;       /* |h w|, |h w| (i, j), |h w| u^2; m/s, m3/s3 */
} PlaneSound;

/* How far the smoke of a plane can reach along each axis in a step, cells from the low corner. */
typedef struct PlaneReach {
    float low[3], high[3];
} PlaneReach;

/* Particles that the flow advects. */
typedef struct Tracers {
    float *place[3];    /* positions, m; NULL without tracers */
    float *age;         /* s; negative in an unused slot */
    float *velocity[3]; /* of sparks, m/s; NULL without BillowDef.tracer_lag */
    float *life;        /* age at which a spark ends, s; 0: never; NULL as velocity */
    uint64_t born; /* number released since the start; the next tracer takes slot born % count */
    double owed[2 * BILLOW_EMITTERS_MAX]; /* fraction of a particle still to be released; one entry
                                             per emitter, then one per emitter in `queued` */
} Tracers;

/* The box on its grid. */
typedef struct Box {
    int n[3];
    float origin[3]; /* m */
} Box;

struct BillowSim {
    BillowDef def; /* nx, ny, nz and origin are those of the present box */
    Box home;      /* the box of the definition, which unbounded sides leave */
    Grid grid;     /* of the wind */
    Smoke smoke;   /* of the scalars but texture coordinates */
    const Kernels *kernels;
    int threads;
    Ranks *ranks; /* the processes that divide the planes; NULL for one alone */
    int reach;    /* planes by which SCRATCH_DISPLACEMENT leads beyond a rank's own */
    Pace pace;    /* chooses between `threads` workers and one */

    /* The fields and clocks that the next step depends on. */
    float *velocity[3]; /* m/s */
    float *before[3];   /* with reflection, the velocity before its last advection, m/s */
    float *density, *temperature;
    float *pressure;  /* dt p / (rho h), m/s; a packed field (grid.h) */
    float *color[3];  /* NULL without colour */
    float *age;       /* density times the mean age of its smoke, s; NULL without age */
    float *fuel;      /* NULL without fire */
    float *flame;     /* fuel burnt per second in the last substep, 1/s; NULL without fire */
    double flame_sum; /* sum of its means over the cells of the wind, 1/s */
    Tracers tracers;
    float *texture[2][3];    /* displacement of the texture coordinates by set and axis, m; NULL if
                                texture_period is 0 */
    double texture_turns[2]; /* number of resets of each set of texture coordinates */
    double time;             /* simulated time, s */
    double remainder;        /* time passed to billow_advance but not yet simulated, s */

    Scratch scratch;
    double displaced_dt; /* substep for which SCRATCH_DISPLACEMENT was computed, s; 0 = the
                            displacement is not valid */

    /* One entry per plane, so that sums are added in a fixed order. */
    double *plane_squares, *plane_sums;
    PlaneStatistics *plane_statistics;
    PlaneBudget *plane_budgets; /* of the smoke; also one per row */
    WindBudget *wind_budgets;
    PlaneSound *plane_sounds;
    PlaneReach *plane_reach; /* NULL unless a side is unbounded */
    uint64_t *plane_hashes;  /* of the wind, and one more; then of the smoke */

    float *coefficients; /* coefficients of a diffusive solve (level.h) */
    Multigrid multigrid; /* solver of the pressure; x and rhs of its finest level are not in
                            multigrid_memory */
    float *multigrid_memory;
    float *corrections; /* memory of the multigrid corrections; NULL: scratch memory (project.c) */
    float *guard_zone;  /* a plane and a row of zeros (sim.c) */
    float *solids_memory;
    Solids *solids;                              /* NULL without solids */
    BillowSolid first_solids[BILLOW_SOLIDS_MAX]; /* the solids that billow_reset restores */

    PlacedEmitter emitters[BILLOW_EMITTERS_MAX];
    PlacedEmitter queued[BILLOW_EMITTERS_MAX]; /* by billow_emit, for the next step only */
    int queued_count;
    BillowForce pushed[BILLOW_FORCES_MAX]; /* by billow_push, for the next step only */
    int pushed_count;
    double substep_dt;                   /* length of the present substep, s */
    double expansion_time, expansion_dt; /* start and length of the substep projected last, s */
    double projected_dt;      /* length of the substep that the pressure was computed for, s; 0 = no
                                 pressure yet: the next solve starts from zero */
    double divergence_before; /* L2 norm of h (div u - expansion) before the last projection, m/s */

    BillowError error;          /* why the last step failed; "" if it succeeded */
    unsigned char *saved_state; /* the state before the last step; NULL unless BillowDef.guarded */
    bool searching; /* the step failed and is being repeated to find the stage that made it fail */
    uint64_t substeps_before; /* value of stats.substeps at the start of this step */

    BillowStats stats;
    BillowProfile profile;
    double lap;          /* clock_seconds() at the end of the last stage, s */
    int substeps_left;   /* number of substeps of this step that follow the present one */
    float density_share; /* fraction of the density that remained after dissipation in the last
                            substep */
    float made_good;     /* factor that makes up for mass_drift in the next substep */
    bool listens;        /* the statistics of a step measure `sound` */
    BillowSound sound;
    bool touched;        /* billow_fields was called since the statistics were last updated */

    BillowError growth_notice; /* why the first unbounded side stopped; "" while all can move */
    bool out_of_memory;        /* a larger box found no memory; the box grows no more until reset */

    void *arena;         /* memory of all pointers above */
    void *before_memory; /* of `before`; NULL until reflection needs it */
    size_t bytes;
    size_t undivided, whole; /* arena of the box that billow_count_exchanges divides, and the part
                                of it that every rank needs, bytes */
};

/* What the wind feels of the smoke: means over its cells (smoke_feel). */
static inline const float *sim_felt_density(const BillowSim *sim)
{
    return sim->smoke.refine == 1 ? sim->density : sim->smoke.felt_density;
}

static inline const float *sim_felt_temperature(const BillowSim *sim)
{
    return sim->smoke.refine == 1 ? sim->temperature : sim->smoke.felt_temperature;
}

static inline const float *sim_felt_flame(const BillowSim *sim)
{
    return sim->smoke.refine == 1 ? sim->flame : sim->smoke.felt_flame;
}

/* The emitters of the next step: those of the definition, and then those of billow_emit. */
static inline int sim_emitter_count(const BillowSim *sim)
{
    return sim->def.emitter_count + sim->queued_count;
}

static inline const PlacedEmitter *sim_emitter(const BillowSim *sim, int e)
{
    int queued = e - sim->def.emitter_count;
    return queued < 0 ? &sim->emitters[e] : &sim->queued[queued];
}

/* The part of dt, from the present time on, during which one of them is on, s. */
static inline double sim_emitter_seconds(const BillowSim *sim, int e, double dt)
{
    return e < sim->def.emitter_count
               ? emitter_seconds(&sim->def.emitters[e], sim->time, sim->time + dt)
               : dt;
}

/* Runs a task on the workers of all ranks. */
static inline void sim_run(const BillowSim *sim, TeamTask *task, void *context)
{
    team_run_on(sim->ranks, sim->threads, task, context);
}

/* The calling thread, between tasks. */
static inline Team sim_alone(const BillowSim *sim)
{
    return (Team){0, 1, NULL, sim->ranks};
}

/* Number of plane_budgets. */
static inline int sim_budgets(const BillowSim *sim)
{
    const Grid *grid = &sim->smoke.grid;
    return grid->ny > grid->nz ? grid->ny : grid->nz;
}

/* Fetches the budgets of all planes. */
static inline void sim_exchange_budgets(const BillowSim *sim)
{
    exchange_entries(sim_alone(sim), sim->plane_budgets, sizeof *sim->plane_budgets,
                     sim->smoke.grid.nz);
}

static inline void sim_exchange_wind_budgets(const BillowSim *sim)
{
    exchange_entries(sim_alone(sim), sim->wind_budgets, sizeof *sim->wind_budgets, sim->grid.nz);
}

/* Whether the velocity is advected in two halves with a reflection between them (step.c). */
static inline bool params_reflect(const BillowParams *params)
{
    return params->advection == BILLOW_REFLECTION || params->advection == BILLOW_CONSERVATIVE;
}

/* Whether scalars are advected by fluxes through the faces of cells. */
static inline bool params_conserve(const BillowParams *params)
{
    return params->advection >= BILLOW_CONSERVATIVE;
}

enum { SIM_FIELDS_MAX = SCALARS_MAX + 15 };

/* A field of the state that is not packed. */
typedef struct StateField {
    float *values;
    const Grid *grid;
    int axis; /* of a velocity component; -1 = a field of cells */
    bool texture;
} StateField;

/* Lists the fields of the state but the pressure, in the order of saved states: velocity, scalars,
 * flame. Returns their number. */
int sim_state_fields(const BillowSim *sim, StateField list[SIM_FIELDS_MAX]);
/* Lists all fields of the wind's grid that are not packed, scratch memory last. Returns their
 * number. */
int sim_plain_fields(BillowSim *sim, float *fields[SIM_FIELDS_MAX]);

/* Lists the pointers to arrays of tracers, in the order of saved states, and returns the number of
 * those that a simulation of this definition has. */
enum { TRACER_ARRAYS = 8 };
int sim_tracer_arrays(const BillowDef *def, Tracers *tracers, float **list[TRACER_ARRAYS]);

/* Places the emitters that differ from those of the earlier definition `before`; NULL: all.
 * Unchanged emitters are skipped, because placing some shapes takes long. */
void sim_place_emitters(BillowSim *sim, const BillowDef *before);

/* For tests: makes all values of other ranks' planes NaN, if Ranks.poison is set. A step that reads
 * a plane which it has not fetched then shows. */
void sim_poison_planes(BillowSim *sim);

/* Memory that is cut into slices of whole cache lines. */
struct Cut {
    char *base; /* NULL while measuring */
    size_t used;
};

static inline void *sim_cut(Cut *arena, size_t bytes)
{
    size_t at = arena->used;
    arena->used += (bytes + 63) / 64 * 64;
    return arena->base != NULL ? arena->base + at : NULL;
}

/* Cuts a field. */
float *sim_cut_field(Cut *arena, const Grid *grid);

/* Allocates `before` where the parameters choose reflection and it is not there yet. Returns false,
 * and changes nothing, if there is no memory. */
bool sim_provide_before(BillowSim *sim, const BillowParams *params, BillowError *error);

/* Marks the displacement as invalid, because the velocity has changed. */
static inline void displacement_drop(BillowSim *sim)
{
    if (sim->displaced_dt != 0)
        scratch_release(&sim->scratch, SCRATCH_DISPLACEMENT);
    sim->displaced_dt = 0;
}

/* Adds the memory traffic of a stage to the profile; floats_per_cell counts floats read or written
 * per cell. */
static inline void profile_traffic(BillowSim *sim, double floats_per_cell)
{
    const Grid *grid = &sim->grid;
    sim->profile.bytes +=
        4.0 * floats_per_cell * (double)grid->nx * (double)grid->ny * (double)grid->nz;
}

/* Creates a simulation of a definition that has been checked. Returns NULL and a message if memory
 * is short. exchange: NULL for a simulation on one rank. */
BillowSim *sim_create(const BillowDef *def, const BillowExchange *exchange, BillowError *error);

/* Gives *sim everything of `other`, which is destroyed. */
void sim_become(BillowSim *sim, BillowSim *other);

#endif
