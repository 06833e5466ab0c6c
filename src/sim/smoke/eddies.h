/* SPDX-License-Identifier: MIT
 *
 * Eddies that are smaller than the cells of the wind. Smoke on a finer grid than the wind would be
 * carried by a flow that is smooth over several of its cells, and look smooth. Turbulence at these
 * sizes is therefore drawn (as Kim, Thuerey, James, Gross 2008 do): a fixed random pattern of
 * eddies one to two wind cells wide, without divergence, as strong as the vorticity around
 * suggests. Its speed, as root mean square along each axis, is
 *
 *     speed = eddies * |curl u| * h
 *
 * within two limits: it moves smoke by at most EDDY_CELLS of its cells in a substep, as root mean
 * square, and takes no more of a step of advection than the wind leaves (FLUX_SHARE). In steps that
 * are long for the flow the limits therefore decide.
 *
 * There are no eddies at nodes of the wind beside a face without flow, which may be a wall's or a
 * solid's, and at the sides of the box. The pattern moves on by a cell of smoke along each axis
 * every EDDY_STEPS substeps, so that no place has the same eddies for long. It depends on nothing
 * but the grid and the number of substeps.
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
    bool made; /* whether the pattern is there */
} EddyMemory;

/* Bounds of what eddies with a strength of at most 1 m/s do to a smoke cell. They grow in
 * proportion to the strength. */
typedef struct EddyLimits {
    float fastest; /* largest speed through a face, m/s */
    float falling; /* largest difference between the speeds through two opposite faces, m/s */
} EddyLimits;

/* refine: 2 to BILLOW_REFINE_MAX. */
EddyLimits eddy_limits(int refine);

/* Cuts the memory out of `arena`: none if wind and smoke have the same cells. */
void eddies_cut(Cut *arena, BillowSim *sim);

/* The eddies of the next substep, without their strength. Returns false if there are none. */
bool eddies_begin(BillowSim *sim, Eddies *eddies);

/* Finds the strength of wind->eddies in each of `steps` steps of advection, the length of which
 * wind->scale gives, and adds their speed to Smoke.winds, which holds what the wind needs in the
 * rows of this rank. */
void eddies_measure(BillowSim *sim, const Wind *wind, int steps);

#endif
