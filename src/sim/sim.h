/* SPDX-License-Identifier: MIT
 * The simulation's state, shared by the stages and seen by nobody else. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "emitter.h"
#include "grid.h"
#include "kernels/kernels.h"
#include "multigrid.h"
#include "parallel.h"
#include "solids.h"
#include "tracers.h"
#include <billow/billow.h>

/* What the flow carries, density first, temperature second; the rest where the definition asks for
 * it. Advection trades the fields' memory. */
typedef struct Scalar {
    float **field;
    int kind;        /* FIELD_DENSITY and so on (boundary.h); FIELD_TEXTURE for all of those */
    float decay;     /* 1/s */
    float diffusion; /* m2/s */
    double *total;   /* where the statistics have it, m3; NULL where they do not */
} Scalar;

/* What a plane adds to the sums that no kernel keeps. */
typedef struct PlaneBudget {
    double scalars[SCALARS_MAX];                 /* in the list's order, from the third on */
    uint64_t nonfinite;                          /* cells that those alone make so */
    double made[SCALARS_MAX], held[SCALARS_MAX]; /* around moving solids: solid_amounts.c */
    double flame;                                /* 1/s, summed over its cells */
    double released, leaving,
        kept; /* density: by emitters or their expansion; through open faces, times h/dt; what is
                 left after advection where dissipation takes its share */
    double expansion, outflow; /* m/s; times the area of a face they are m3/s */
} PlaneBudget;

struct BillowSim {
    BillowDef def;
    Grid grid;
    const Kernels *kernels;
    int threads;

    /* State: what billow_state_hash covers. */
    float *velocity[3], *density, *temperature, *pressure; /* packed, in m/s: dt p/(rho h) */
    float *color[3];                                       /* NULL without colour */
    float *fuel, *flame; /* NULL without fire; flame is what burnt in the last sub-step, 1/s, */
    double flame_sum;    /* and the sum of it over the cells */
    Tracers tracers;
    float *texture[2][3];    /* m; NULL without */
    double texture_turns[2]; /* how often each set's time has come */
    double time, carry;

    /* Scratch, by what a stage may leave in it:
     *   next[3]      velocity being advected; between advections curl and confinement force
     *   scalar_next  scalar being advected
     *   work[3]      displacement; between advections: [0] packed right-hand sides, [1] |curl|
     *                and expansion, [2] packed unknowns of a diffusive solve;
     *                conjugate gradients' z in [1] and d in [2]
     * Between stages next[a] is 0 beyond the last element of component a, scalar_next beyond the
     * last cell, so that they may trade places with velocity[a] and the scalars (grid.h); what else
     * trades is cleared first (advect.c). */
    float *next[3], *scalar_next, *work[3];

    /* Per plane, for sums in order. */
    double *plane_squares, *plane_sums;
    PlaneAccount *plane_accounts;
    PlaneBudget *plane_budgets;
    uint64_t *plane_hashes;

    float *coefficients; /* of a diffusive solve, see level.h */
    Multigrid multigrid; /* for the pressure; its finest level borrows x and rhs */
    float *multigrid_memory;
    float *guard; /* see sim.c */
    float *solids_memory;
    Solids *solids;                              /* NULL where there are none */
    BillowSolid first_solids[BILLOW_SOLIDS_MAX]; /* as billow_create found them, for billow_reset */

    PlacedEmitter emitters[BILLOW_EMITTERS_MAX];
    PlacedEmitter queued[BILLOW_EMITTERS_MAX]; /* billow_emit: for the next step only */
    int queued_count;
    BillowForce pushed[BILLOW_FORCES_MAX]; /* billow_push: likewise */
    int pushed_count;
    double displaced_dt; /* work holds the displacement of velocity over this; 0: it holds none */
    double expansion_time, expansion_dt; /* the sub-step whose expansion the last projection met */
    double projected_dt;  /* the sub-step the pressure belongs to; 0: it is no start */
    double inflow_before; /* L2 of h (div u - expansion) before it */

    /* guard.c */
    BillowError error;        /* of the last step; "" */
    unsigned char *kept;      /* the state before it; NULL where nobody guards */
    bool watching;            /* whether the step is one that went wrong, played again, */
    uint64_t substeps_before; /* which began after so many */

    BillowStats stats;
    BillowProfile profile;
    double lap;          /* clock at the end of the last stage */
    int substeps_left;   /* after this one */
    float density_share; /* that dissipation left in the last one */
    bool touched;        /* fields changed by hand since the last account */

    size_t bytes;
};

/* How the velocity is carried, and whether the rest is by what passes the cells' faces. */
static inline bool params_second_order(const BillowParams *params)
{
    return params->advection == BILLOW_MACCORMACK || params->advection == BILLOW_CONSERVATIVE;
}

static inline bool params_conserve(const BillowParams *params)
{
    return params->advection >= BILLOW_CONSERVATIVE;
}

/* scalars.c: their list; how many there are. */
int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX]);
/* Adds to what the flow has carried the texture coordinates' own way, work's displacement, and
 * begins anew the set whose time comes within dt. After the scalars' advection. */
void texture_follow(BillowSim *sim, double dt);
/* The sets' weights now. */
void texture_weigh(const BillowSim *sim, float weight[2]);

/* def.c */
bool params_check(const BillowParams *params, BillowError *error);
bool solid_check(const BillowSolid *solid, int index, BillowError *error);
bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error);
bool force_check(const BillowForce *force, int index, BillowError *error);
/* Of an emitter or solid, named by `where` ("solids[2]."): its rotation and, if it is one, its
 * volume. */
bool shape_check(BillowShape shape, const float rotation[4], const BillowVolume *volume,
                 const char *where, BillowError *error);
bool def_check(const BillowDef *def, BillowError *error);
int def_threads(const BillowDef *def);

/* balance.c: whether no face is open */
bool balance_closed(const BillowDef *def);

/* The stages, each in the file of its name. */
void sources_apply(BillowSim *sim, double dt);
/* Fastest fluid the emitters alone may make in the next dt, m/s. */
double sources_speed(const BillowSim *sim, double dt);
/* h * expansion in the cells of plane k: rows `stride` apart, in that plane of `scratch`, a field;
 * or, stride 0, one row of zeros for them all. */
const float *sources_expansion(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride);
/* Whether that is more than zeros; the most that emitters take away of any cell, 1/s, or more. */
bool sources_expand(const BillowSim *sim, int k);
double sources_shrinking(const BillowSim *sim);
/* Books as sources a share of what the planes' budgets hold as released; and of what emitters'
 * expansion makes of the density that is there now, which needs scalar_next. */
void sources_book(BillowSim *sim, double share);
void sources_book_expanded(BillowSim *sim, double share);
/* work = displacement over dt in the present velocity, unless it holds it already. Before sources,
 * so that the velocity is carried by the flow that the last projection left. */
void advect_displace(BillowSim *sim, double dt);
void advect_velocity(BillowSim *sim, double dt);
void advect_scalars(BillowSim *sim, double dt);
/* conserve.c: the same by what passes the cells' faces; the list begins with the density */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);
/* room.c: whether anything expands; makes room for it in the slab's cells, in work[2], of steps of
 * scale (dt/h), and books what emitters make as released */
bool room_needed(const BillowSim *sim);
void room_make(BillowSim *sim, const Scalar *list, int count, float scale, Slab slab);
/* solid_amounts.c: what conservative advection makes and loses of smoke, fuel and colours where
 * solids move. Whether there may be any; how much a step of it made of each in the slab's planes,
 * from its volumes in work[2]; and, once all have been counted, gives back what is owed. */
bool solids_owe(const BillowSim *sim);
void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab);
void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team);
void forces_apply(BillowSim *sim, double dt);
/* Wind, vortices, attractors and turbulence: forces_apply's last part. */
void body_forces_apply(BillowSim *sim, double dt);
void combustion_apply(BillowSim *sim, double dt);
/* Whether burning expands anything in plane k; adds h times that to the plane's rows. */
bool combustion_expands(const BillowSim *sim, int k);
void combustion_expand(const BillowSim *sim, int k, float *plane);
void diffuse_velocity(BillowSim *sim, double dt);
void diffuse_scalars(BillowSim *sim, double dt);
void boundaries_apply(BillowSim *sim);
void project(BillowSim *sim, double dt);
/* Pushes the fluid by a share of what the last pressure does to it in dt; nothing where there is no
 * last pressure, or where the velocity is no longer that which it belongs to. */
void project_push(BillowSim *sim, double dt, double share);
/* The right-hand side for the slab's cells, in work[0], with its sums in plane_squares and
 * plane_sums; overwrites work[1]. */
void project_load(BillowSim *sim, Slab slab);
/* Takes the mean off a pressure that is known but for a constant, of each such part of the box.
 * Inside a team's task, by all workers, after a barrier; ends with one. */
void datum_keep(BillowSim *sim, Team team);
void account(BillowSim *sim, double dt);
/* Books what dissipation took in a sub-step that left so much mass. */
void account_dissipation(BillowSim *sim, double mass);
/* The same of fields changed by hand: what mass they have more is another source, and *speed is
 * that of the fastest fluid, m/s. False where they are not all finite numbers, and nothing is
 * booked. */
bool account_anew(BillowSim *sim, double *speed);

/* guard.c: before a step keeps the state, if it is to be kept; false, with sim->error, where there
 * are infinities or nonsense in it. After each stage of a step that is watched; and after the step,
 * where something went wrong, which is then told in sim->error. */
bool guard_begin(BillowSim *sim);
void guard_refuse(BillowSim *sim);
void guard_watch(BillowSim *sim, BillowStage stage);
void guard_end(BillowSim *sim, double dt);
/* step.c: a step itself, from fluid that is so fast at most. */
void step_take(BillowSim *sim, double dt, double speed);

/* state.c: bytes of a state of this definition, or a few more. */
size_t state_bytes_most(const BillowDef *def);

/* A stage moved so many floats to or from memory. */
static inline void profile_traffic(BillowSim *sim, double floats_per_cell)
{
    const Grid *grid = &sim->grid;
    sim->profile.bytes +=
        4.0 * floats_per_cell * (double)grid->nx * (double)grid->ny * (double)grid->nz;
}

#endif
