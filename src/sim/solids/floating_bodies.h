/* SPDX-License-Identifier: MIT
 *
 * Bodies that float: falling solids with a density, which the air moves.
 *
 * Each projection gives the air beside a body momentum, and the body loses the same momentum.
 * Viscosity does likewise at sticky surfaces. The impulses of a substep are summed in
 * Solids.impulses, per plane, and become an acceleration at its end, by which the next substep
 * changes the body's velocity. */
#ifndef SIM_FLOATING_BODIES_H
#define SIM_FLOATING_BODIES_H

#include "sim/solids/solids.h"

/* Whether the air moves any solid of a simulation. */
bool floating_any(const BillowSim *sim);

/* Begins a body's free motion: it accelerates by its weight, and by the air that moves along, until
 * a substep has found the pressure. */
void floating_release(BillowSim *sim, int solid);

/* Clears the impulses. Runs at the start of a substep. */
void floating_begin(BillowSim *sim);
/* Moves a body by dt. */
void floating_move(BillowSim *sim, int solid, double dt);

/* Torque of an impulse at `arm` from the centre: their cross product. */
static inline void floating_torque(const double arm[3], const double impulse[3], double torque[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        torque[a] = arm[b] * impulse[c] - arm[c] * impulse[b];
    }
}

/* Adds an impulse of the air in a plane on a solid, kg m/s, and its torque about the solid's
 * centre, kg m2/s. A worker may add to the planes of its own slab only. */
void floating_push(BillowSim *sim, int plane, int solid, const double impulse[3],
                   const double torque[3]);
/* Adds the impulses of the pressure of the last projection. */
void floating_press(BillowSim *sim);
/* Computes the accelerations for the next substep from the impulses of one that has lasted dt. */
void floating_accelerate(BillowSim *sim, double dt);

#endif
