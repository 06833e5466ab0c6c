/* SPDX-License-Identifier: MIT
 *
 * Eddies that are smaller than the cells of the wind. Smoke on a finer grid than the wind would be
 * carried by a flow that is smooth over several of its cells, and look smooth. Turbulence at these
 * sizes is therefore drawn (kinematic simulation, Fung et al. 1992): a fixed random pattern of
 * eddies about two wind cells wide, without divergence, as strong as the vorticity around suggests,
 *
 *     speed = eddies * |curl u| * h
 *
 * as root mean square along each axis, but at most so strong that eddies move smoke by EDDY_CELLS
 * of its cells in a step of advection, and need no more steps than the wind. It fades to 0 at
 * walls, at solids and at the sides of the box. The pattern moves on by a cell of smoke along each
 * axis every EDDY_STEPS substeps, so that no place has the same eddies for long. It depends on
 * nothing but the grid and the number of substeps.
 *
 * Only advection by fluxes carries smoke with them (conserve.c). They move nothing but smoke: the
 * wind does not feel them. */
#ifndef SIM_EDDIES_H
#define SIM_EDDIES_H

#include "sim/kernels/kernels.h"

typedef struct BillowSim BillowSim;
typedef struct Cut Cut; /* sim.h */

typedef struct EddyMemory {
    float *potential; /* the pattern: see Eddies */
    float *strength, *strongest;
    bool made;     /* whether the pattern is there */
    float fastest; /* largest speed of the pattern along an axis, where its mean square is 1 */
    float falling; /* largest difference of it between the two faces of a cell */
} EddyMemory;

/* Cuts the memory out of `arena`: none if wind and smoke have the same cells. */
void eddies_cut(Cut *arena, BillowSim *sim);

/* The eddies of the next substep, without their strength. Returns false if there are none. */
bool eddies_begin(BillowSim *sim, Eddies *eddies);

/* Finds the strength of wind->eddies in a step of advection whose length wind->scale gives, and
 * adds their speed to Smoke.winds, which holds what the wind needs in the rows of this rank. */
void eddies_measure(BillowSim *sim, const Wind *wind);

#endif
