/* SPDX-License-Identifier: MIT
 * How one solid moves by itself. */
#ifndef SIM_SOLID_MOTION_H
#define SIM_SOLID_MOTION_H

#include <billow/billow.h>

/* Carries a solid on by dt. Its velocity is afterwards what its way was over dt, which is what the
 * fluid must see: of a falling one the velocity in the middle of dt, *behind being the half of dt
 * that it lags its place (leapfrog). So a fall is the exact parabola at the ends of steps, however
 * long they are. */
void solid_motion_advance(const BillowDef *def, BillowSolid *solid, double *behind, double dt);

#endif
