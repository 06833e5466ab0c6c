/* SPDX-License-Identifier: MIT
 *
 * The scalars that the flow advects. */
#ifndef SIM_SCALARS_H
#define SIM_SCALARS_H

#include "sim.h"

/* One scalar that the flow advects. The table in scalars.c is the only list of scalars: allocation,
 * advection, diffusion, statistics, saved states, the hash and error messages follow it. */
typedef struct Scalar {
    const char *name;
    float **field;   /* points to the simulation's pointer, which advection swaps */
    int kind;        /* FIELD_DENSITY and so on (boundary.h) */
    float decay;     /* 1/s */
    float diffusion; /* m2/s */
    double *total;   /* total in BillowStats, m3; NULL if there is none */
} Scalar;

/* Lists the scalars that the simulation has and returns their number. Density comes first,
 * temperature second, texture coordinates last. */
int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX]);
/* Like scalars_list, for a simulation whose definition will be `def`. sim->def need not be set. */
int scalars_of(const BillowDef *def, BillowSim *sim, Scalar list[SCALARS_MAX]);
int scalars_count(const BillowDef *def);

/* Lets the smoke that is there grow older by dt, if the simulation keeps its age. */
void age_advance(BillowSim *sim, double dt);

/* Adds the flow's displacement to texture coordinates that advection has moved. Resets a set if its
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Weights of the two sets at the present time. */
void texture_weigh(const BillowSim *sim, float weight[2]);

#endif
