/* SPDX-License-Identifier: MIT
 *
 * Diffusion of the smoke's scalars. */
#ifndef SIM_SMOKE_DIFFUSE_H
#define SIM_SMOKE_DIFFUSE_H

typedef struct BillowSim BillowSim;
typedef struct Scalar Scalar;

/* Implicit diffusion of a scalar over dt, of first order, where cells of the smoke are smaller than
 * those of the wind. All cells take part. */
void smoke_diffuse(BillowSim *sim, const Scalar *scalar, double dt);

#endif
