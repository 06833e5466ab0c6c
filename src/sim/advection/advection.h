/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: what moves along the flow. */
#ifndef SIM_ADVECTION_H
#define SIM_ADVECTION_H

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

/* Claims SCRATCH_DISPLACEMENT and fills it for dt in the present velocity, unless it holds that
 * already. Runs before the sources, so that the flow that advects the velocity is the one that the
 * last projection left. */
void advect_displace(BillowSim *sim, double dt);
void advect_velocity(BillowSim *sim, double dt);
void advect_scalars(BillowSim *sim, double dt);

/* Advects by fluxes through the cells' faces (conserve.c). The list begins with the density. */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);

/* Adds the displacement to texture coordinates that advection has moved, and resets the set whose
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Present weights of the two sets. */
void texture_weigh(const BillowSim *sim, float weight[2]);

/* Fills the box with tracers, or removes all where emitters release them. */
void tracers_reset(BillowSim *sim);
/* Moves tracers along the present velocity for dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

#endif
