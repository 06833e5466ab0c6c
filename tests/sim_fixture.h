/* SPDX-License-Identifier: MIT
 * Small simulations set up by hand, and fields filled by functions, for tests of the solver. */
#ifndef TESTS_SIM_FIXTURE_H
#define TESTS_SIM_FIXTURE_H

#include "sanitized.h"
#include "sim/advection/advect.h"
#include "sim/advection/advect_velocity.h"
#include "sim/advection/tracers.h"
#include "sim/fields/boundary.h"
#include "sim/pressure/diffuse.h"
#include "sim/pressure/project.h"
#include "sim/sim.h"
#include "sim/solids/solid_advection.h"
#include "sim/solids/solid_flow.h"
#include "sim/sources/body_forces.h"
#include "sim/sources/combustion.h"
#include "sim/sources/forces.h"
#include "sim/statistics.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* Threads of tests whose subject is not threads: one, which a busy machine does not slow down; two
 * under ThreadSanitizer. */
#ifdef BILLOW_RACES
enum { FEW_THREADS = 2 };
#else
enum { FEW_THREADS = 1 };
#endif

/* Sanitizers take ten times as long, so they see only a part of long runs. */
static inline int long_run(int steps)
{
    return SANITIZED ? steps / 8 : steps;
}

/* A box at rest without forces, all faces of one kind. h = 1/64 is a power of two, so that shifts
 * by whole cells are exact. */
static inline BillowDef quiet_def(int nx, int ny, int nz, BillowFace faces)
{
    BillowDef def = billow_default_def();
    def.nx = nx;
    def.ny = ny;
    def.nz = nz;
    def.threads = FEW_THREADS;
    def.params.buoyancy = def.params.weight = def.params.vorticity = 0;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = faces;
    return def;
}

static inline BillowSim *make(const BillowDef *def)
{
    BillowError error = {""};
    BillowSim *sim = billow_create(def, &error);
    if (sim == NULL)
        fail_msg("billow_create: %s", error.text);
    smoke_fill(sim); /* tests write to fields */
    return sim;
}

typedef double Function(double x, double y, double z);

/* field(i, j, k) = f at the given offset from the element's index, in cells, for every element
 * 0 <= i < n[0] and so on. */
static inline void fill(const BillowSim *sim, float *field, const int n[3], const double offset[3],
                        Function *f)
{
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                field[grid_row(&sim->grid, j, k) + i] =
                    (float)f(i + offset[0], j + offset[1], k + offset[2]);
}

/* As billow_fields lets a caller do: the mass is accounted for. */
static inline void fill_cells(BillowSim *sim, float *field, Function *f)
{
    const int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    sim->touched = true;
    fill(sim, field, n, (const double[3]){0.5, 0.5, 0.5}, f);
}

static inline void fill_faces(const BillowSim *sim, int axis, Function *f)
{
    int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    double offset[3] = {0.5, 0.5, 0.5};
    n[axis]++;
    offset[axis] = 0;
    fill(sim, sim->velocity[axis], n, offset, f);
}

static inline float at(const BillowSim *sim, const float *field, int i, int j, int k)
{
    return field[grid_row(&sim->grid, j, k) + i];
}

/* Largest |field| over n elements per axis. */
static inline double largest(const BillowSim *sim, const float *field, const int n[3])
{
    double max = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                max = fmax(max, fabs((double)at(sim, field, i, j, k)));
    return max;
}

static inline double largest_velocity(const BillowSim *sim)
{
    double max = 0;
    for (int axis = 0; axis < 3; axis++) {
        int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
        n[axis]++;
        max = fmax(max, largest(sim, sim->velocity[axis], n));
    }
    return max;
}

/* Reproducible values, about -1..1. */
static inline double scatter(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

static inline void assert_below(double value, double limit)
{
    if (!(value <= limit))
        fail_msg("%g is above %g", value, limit);
}

/* A plume of 33 x 40 x 24 cells that is its own mirror image, after a second: the worst difference
 * between its halves, as a share of the most smoke there is. */
static inline double mirror_error(BillowAdvection advection)
{
    BillowDef def = billow_default_def();
    def.params.advection = advection;
    def.nx = 33;
    def.ny = 40;
    def.nz = 24;
    def.cell_size = 1.0f / 32;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = 16.5f / 32;
    def.emitters[0].center[2] = 12.0f / 32;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 60; s++)
        billow_step(sim, 1.0 / 60);
    double worst = 0, most = billow_stats(sim).density_max;
    for (int k = 0; k < 24; k++)
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 16; i++)
                worst = fmax(worst, fabs((double)(at(sim, sim->density, i, j, k) -
                                                  at(sim, sim->density, 32 - i, j, k))));
    assert_true(billow_stats(sim).speed_max > 0.3);
    billow_destroy(sim);
    return worst / most;
}

#endif
