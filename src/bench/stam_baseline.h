/* SPDX-License-Identifier: MIT
 *
 * The baseline of the benchmark: the fluid solver of Stam, "Real-Time Fluid Dynamics for Games"
 * (GDC 2003), taken to three dimensions and otherwise left as published.
 *
 * A unit cube of n cells a side, (n+2)^3 values per field with a border layer, every field at the
 * cell centres; add sources, trace backwards once and interpolate, project by 20 Gauss-Seidel
 * sweeps in memory order, before and after moving the velocity. One thread, i innermost. The
 * diffusive solves are left out, because at zero viscosity they only copy. Nothing is tuned, so the
 * time is that of the published method.
 */
#ifndef BENCH_STAM_BASELINE_H
#define BENCH_STAM_BASELINE_H

#include <billow/error.h>
#include <stddef.h>

enum { STAM_BASELINE_SWEEPS = 20 };

typedef struct StamBaseline StamBaseline;

size_t stam_baseline_bytes(int n);
/* NULL and a message when memory is short. */
StamBaseline *stam_baseline_create(int n, BillowError *error);
void stam_baseline_destroy(StamBaseline *baseline); /* NULL is fine */

/* Sources (a plume at the floor), velocity step, density step. */
void stam_baseline_step(StamBaseline *baseline, float dt);
/* Sum of density times cell volume, to check that a step keeps the smoke. */
double stam_baseline_mass(const StamBaseline *baseline);

/* The projection by itself: makes (u, v, w) divergence-free; p and divergence are scratch. All are
 * (n+2)^3 floats, value (i, j, k) at [i + (n+2) (j + (n+2) k)], inner cells 1..n. */
void stam_baseline_project(int n, float *u, float *v, float *w, float *p, float *divergence,
                           int sweeps);

#endif
