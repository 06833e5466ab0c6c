/* SPDX-License-Identifier: MIT
 *
 * The scalars that the flow carries. */
#ifndef SIM_SCALARS_H
#define SIM_SCALARS_H

#include "sim.h"

/* One scalar that the flow carries. The table in scalars.c is the only place that lists them. It
 * serves allocation, advection, diffusion, statistics, saved states, the hash and the guard. */
typedef struct Scalar {
    const char *name;
    float **field;   /* advection trades the memory it points to */
    int kind;        /* FIELD_DENSITY and so on (boundary.h) */
    float decay;     /* 1/s */
    float diffusion; /* m2/s */
    double *total;   /* m3, in BillowStats; NULL where the statistics have no total */
} Scalar;

/* The scalars that the simulation has, and how many. Density comes first, temperature second,
 * texture coordinates last. */
int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX]);
/* The same for a simulation of this definition, whose own definition is not set yet. */
int scalars_of(const BillowDef *def, BillowSim *sim, Scalar list[SCALARS_MAX]);
int scalars_count(const BillowDef *def);

/* Adds the displacement to texture coordinates that advection has moved, and resets the set whose
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Present weights of the two sets. */
void texture_weigh(const BillowSim *sim, float weight[2]);

#endif
