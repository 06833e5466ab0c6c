/* SPDX-License-Identifier: MIT
 *
 * The table of fields: what callers see, what the flow advects, and how each scalar is treated. Age
 * and texture coordinates, which change beside advection. */
#ifndef SIM_FIELD_TABLE_H
#define SIM_FIELD_TABLE_H

#include "sim/sim.h"

/* Kinds of field: 0, 1 and 2 are the components of the velocity, then come the scalars in the order
 * of the table. */
enum { SCALAR_DENSITY = 3, SCALAR_TEMPERATURE };

/* What flows in with the fluid through the sides of the box. */
typedef enum Inflow {
    INFLOW_NOTHING,
    INFLOW_SMOKE, /* BillowBoundary.smoke */
    INFLOW_HEAT   /* BillowBoundary.heat or .temperature */
} Inflow;

/* One scalar that the flow advects. The table in field_table.c is the only list of scalars. */
struct Scalar {
    const char *name;
    float **field;   /* points to the simulation's pointer, which advection swaps */
    int kind;        /* SCALAR_DENSITY and so on */
    bool amount;     /* of matter: solids push it aside, and expansion thins it */
    bool smoke;      /* density, or what is a share of it: colours and age */
    bool texture;    /* a component of texture coordinates */
    float active[2]; /* a cell below the first or above the second is active: a growing box makes
                        room for it. Thinner smoke is invisible, and advection spreads it without
                        end */
    size_t rate;     /* offset in BillowEmitter of what is released per second; 0: nothing is */
    float decay;     /* 1/s */
    float diffusion; /* m2/s */
    double *total;   /* total in BillowStats, m3; NULL if there is none */
};

static inline bool scalar_is_active(const Scalar *scalar, float value)
{
    return (value < scalar->active[0]) | (value > scalar->active[1]);
}

/* The grid of its cells. */
static inline const Grid *scalar_grid(const BillowSim *sim, const Scalar *scalar)
{
    return scalar->texture ? &sim->grid : &sim->smoke.grid;
}

/* Lists the scalars that the simulation has and returns their number. Density comes first,
 * temperature second, texture coordinates last. */
int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX]);
/* Like scalars_list, for a simulation whose definition will be `def`. sim->def need not be set. */
int scalars_of(const BillowDef *def, BillowSim *sim, Scalar list[SCALARS_MAX]);
int scalars_count(const BillowDef *def);
/* Lists only those that can make a cell active. */
int scalars_that_activate(const BillowSim *sim, Scalar list[SCALARS_MAX]);
/* The scalars that a simulation has, a bit for each row of the table. */
uint32_t scalars_present(const BillowDef *def);
/* Name of the value of BillowDef that the first of these scalars needs. */
const char *scalars_need(uint32_t found);
/* Extends a hash by the names of all scalars in their order. */
uint64_t scalars_hash_names(uint64_t hash);
/* What of the scalar of this kind flows in. */
Inflow scalar_inflow(int kind);

/* A scalar of a view, as up-resolution needs it. */
typedef struct ViewScalar {
    const float **values; /* the view's pointer */
    bool of_smoke;        /* a share of the density: colours and age */
    bool seen;            /* values above `active` are seen, beside the density's: fuel */
} ViewScalar;

enum { VIEW_SCALARS_MAX = 12 };

/* Lists a view's scalars at centres, but for texture coordinates. The first is density. */
int scalars_of_view(const BillowView *view, ViewScalar list[VIEW_SCALARS_MAX]);

/* Lets the smoke that is there grow older by dt, if the simulation keeps its age. */
void age_advance(BillowSim *sim, double dt);

/* Adds the flow's displacement to texture coordinates that advection has moved. Resets a set if its
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Weights of the two sets at the present time. */
void texture_weigh(const BillowSim *sim, float weight[2]);

#endif
