/* SPDX-License-Identifier: MIT
 *
 * The baseline of the benchmark: the fluid solver of Stam, "Real-Time Fluid Dynamics for Games"
 * (GDC 2003), extended to three dimensions and otherwise as published.
 *
 * The box is a unit cube of n cells a side. A field has (n+2)^3 values at the cell centres, with
 * one boundary layer. A step adds the sources, advects by one backward trace with interpolation,
 * and projects by 20 Gauss-Seidel sweeps in memory order, before and after the advection of
 * velocity. It runs on one thread. The diffusive solves are left out, because at zero viscosity
 * they only copy. The code is not optimised, so that its time is that of the published method.
 */
#ifndef BENCH_STAM_BASELINE_H
#define BENCH_STAM_BASELINE_H

#include <billow/error.h>
#include <stddef.h>

enum { STAM_BASELINE_SWEEPS = 20 };

typedef struct StamBaseline StamBaseline;

size_t stam_baseline_bytes(int n);
/* Returns NULL, with a message, if memory is short. */
StamBaseline *stam_baseline_create(int n, BillowError *error);
void stam_baseline_destroy(StamBaseline *baseline); /* NULL is fine */

/* Simulates one step of dt seconds. A source at the floor feeds a plume. */
void stam_baseline_step(StamBaseline *baseline, float dt);
/* Total smoke: sum of density times cell volume. */
double stam_baseline_mass(const StamBaseline *baseline);

/* Projects (u, v, w) to a divergence-free field. p and divergence are scratch. Each array has
 * (n+2)^3 floats; value (i, j, k) is at [i + (n+2) (j + (n+2) k)], and inner cells have indices 1
 * to n. */
void stam_baseline_project(int n, float *u, float *v, float *w, float *p, float *divergence,
                           int sweeps);

#endif
