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
    float **field;   /* advection swaps the memory that it points to */
    int kind;        /* FIELD_DENSITY and so on (boundary.h) */
    float decay;     /* 1/s */
    float diffusion; /* m2/s */
    double *total;   /* total in BillowStats, m3; NULL if there is none */
} Scalar;

/* The scalars that the simulation has, and how many. Density comes first, temperature second,
 * texture coordinates last. */
int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX]);
/* The scalars of a simulation of the definition `def`, before sim->def is set. */
int scalars_of(const BillowDef *def, BillowSim *sim, Scalar list[SCALARS_MAX]);
int scalars_count(const BillowDef *def);

/* Adds the displacement to texture coordinates that advection has moved, and resets the set whose
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Weights of the two sets at the present time. */
void texture_weigh(const BillowSim *sim, float weight[2]);

#endif
