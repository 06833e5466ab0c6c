/* SPDX-License-Identifier: MIT
 * The faces of the box: what passes them, isothermal walls, moving walls. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "hash_fixture.h"

#include "sim/fields/boundary.h"

#include <stdlib.h>

enum { N = 24 };

/* A channel along x: fluid enters on the left and leaves on the right. */
static BillowDef channel_def(BillowInflowProfile profile)
{
    BillowDef def = quiet_def(N, 16, 12, BILLOW_CLOSED);
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.boundaries[BILLOW_LEFT].velocity[0] = 0.75f;
    def.boundaries[BILLOW_LEFT].profile = profile;
    def.boundaries[BILLOW_LEFT].smoke = 2;
    def.boundaries[BILLOW_LEFT].heat = 30;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 30;
    return def;
}

/* Through the faces at i. */
static double volume_flow(const BillowSim *sim, int i)
{
    double h = (double)sim->def.cell_size, sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            sum += (double)at(sim, sim->velocity[0], i, j, k) * h * h;
    return sum;
}

static void inflow_carries_the_stated_volume(void **state)
{
    (void)state;
    for (int profile = BILLOW_UNIFORM; profile <= BILLOW_PARABOLIC; profile++) {
        BillowDef def = channel_def((BillowInflowProfile)profile);
        BillowSim *sim = make(&def);
        for (int s = 0; s < 5; s++)
            billow_step(sim, 1.0 / 60);
        double h = (double)def.cell_size, stated = 0.75 * 16 * 12 * h * h;
        stated *= profile == BILLOW_PARABOLIC ? 4.0 / 9 : 1;
        assert_below(fabs(boundary_flow(&def, BILLOW_LEFT) / stated - 1), 1e-12);
        assert_below(fabs(volume_flow(sim, 0) / stated - 1), 1e-6);
        for (int i = 1; i <= N; i++)
            assert_below(fabs(volume_flow(sim, i) / stated - 1), 1e-4);
        billow_destroy(sim);
    }
}

/* Uniform flow moves as a whole: what came in fills the first u t of the channel. */
static void inflow_brings_smoke_and_heat(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = channel_def(BILLOW_UNIFORM);
        def.params.advection = (BillowAdvection)advection;
        BillowSim *sim = make(&def);
        double h = (double)def.cell_size, dt = h / 0.75; /* a cell a step */
        for (int s = 0; s < 9; s++)
            billow_step(sim, dt);
        for (int i = 0; i < N; i++)
            assert_below(fabs((double)at(sim, sim->density, i, 7, 5) - (i < 9 ? 2 : 0)), 1e-2);
        assert_below(fabs(billow_stats(sim).mass / (2 * 9 * 16 * 12 * h * h * h) - 1), 1e-2);
        assert_below(fabs(billow_stats(sim).heat / (30 * 9 * 16 * 12 * h * h * h) - 1), 1e-2);
        for (int s = 0; s < 40; s++)
            billow_step(sim, dt);
        assert_below(fabs((double)at(sim, sim->density, N - 1, 7, 5) - 2), 1e-3);
        billow_destroy(sim);
    }
}

/* What a solid stands in, of an inflow, brings nothing: neither a jet along the solid nor smoke
 * that no statistics_update knows. */
static void inflow_is_what_solids_leave_of_it(void **state)
{
    (void)state;
    BillowDef def = channel_def(BILLOW_UNIFORM);
    def.params.advection = BILLOW_CONSERVATIVE;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0;
    def.solids[0].center[1] = 8 * def.cell_size;
    def.solids[0].center[2] = 6 * def.cell_size;
    def.solids[0].size[0] = 4 * def.cell_size;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 40; s++)
        billow_step(sim, 0.01);
    BillowStats stats = billow_stats(sim);
    double h = (double)def.cell_size, section = 16 * 12 - acos(-1) * 4 * 4;
    double stated = section * h * h * 0.75 * 2 * stats.time;
    assert_below(stats.speed_max, 1.6 * 0.75);
    assert_below(fabs(-stats.mass_outflow / stated - 1), 0.03);
    assert_below(fabs(stats.mass_drift), 1e-5 * stated);
    billow_destroy(sim);
}

/* Smoke that leaves through an open face is gone. */
static void open_face_lets_mass_out(void **state)
{
    (void)state;
    BillowDef def = channel_def(BILLOW_UNIFORM);
    def.boundaries[BILLOW_LEFT].smoke = def.boundaries[BILLOW_LEFT].heat = 0;
    BillowSim *sim = make(&def);
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < 16; j++)
            for (int i = 8; i < 12; i++)
                sim->density[grid_row(&sim->grid, j, k) + i] = 1;
    sim->touched = true;
    double h = (double)def.cell_size, most = 16 * 12 * 4 * h * h * h;
    billow_step(sim, h / 0.75);
    assert_below(fabs(billow_stats(sim).mass / most - 1), 0.01);
    for (int s = 0; s < 40; s++)
        billow_step(sim, h / 0.75);
    assert_below(billow_stats(sim).mass, 1e-6 * most);
    assert_below(fabs(billow_stats(sim).mass_outflow / most - 1), 1e-5);
    billow_destroy(sim);
}

/* Half way between a ghost and the face inside lies the wall, with the wall's velocity. */
static void no_slip_ghosts_mirror_the_flow(void **state)
{
    (void)state;
    BillowDef def = quiet_def(10, 9, 8, BILLOW_NO_SLIP);
    const int n[3] = {10, 9, 8};
    for (int side = 0; side < BILLOW_SIDES; side++)
        for (int axis = 0; axis < 3; axis++)
            if (axis != side / 2)
                def.boundaries[side].velocity[axis] = 0.1f * (float)(side + 1) - 0.2f * (float)axis;
    BillowSim *sim = make(&def);
    unsigned seed = 4;
    for (int axis = 0; axis < 3; axis++) {
        float *field = sim->velocity[axis];
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    field[grid_row(&sim->grid, j, k) + i] = (float)scatter(&seed);
        const Team alone = {0, 1, NULL, NULL};
        boundary_fill(&def, &sim->grid, NULL, axis, field, alone);
        boundary_fill_ends(&def, &sim->grid, NULL, axis, field, alone);
        for (int side = 0; side < BILLOW_SIDES; side++) {
            int inside[3] = {4, 4, 4}, ghost[3] = {4, 4, 4}, across = side / 2;
            if (across == axis)
                continue;
            inside[across] = side % 2 == 0 ? 0 : n[across] - 1;
            ghost[across] = side % 2 == 0 ? -1 : n[across];
            double mean = 0.5 * ((double)at(sim, field, inside[0], inside[1], inside[2]) +
                                 (double)at(sim, field, ghost[0], ghost[1], ghost[2]));
            assert_below(fabs(mean - (double)def.boundaries[side].velocity[axis]), 1e-6);
        }
    }
    billow_destroy(sim);
}

static void normal_velocity_is_zero_at_walls(void **state)
{
    (void)state;
    const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_NO_SLIP};
    for (int kind = 0; kind < 2; kind++) {
        BillowDef def = quiet_def(N, 16, 12, kinds[kind]);
        def.params = billow_default_params();
        def.params.viscosity = 1e-3f;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = 0.1f;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 20; s++)
            billow_step(sim, 1.0 / 60);
        const int n[3] = {N, 16, 12};
        for (int axis = 0; axis < 3; axis++)
            for (int q = 0; q < n[(axis + 2) % 3]; q++)
                for (int p = 0; p < n[(axis + 1) % 3]; p++) {
                    int e[3];
                    e[(axis + 1) % 3] = p;
                    e[(axis + 2) % 3] = q;
                    for (int end = 0; end < 2; end++) {
                        e[axis] = end * n[axis];
                        assert_true(at(sim, sim->velocity[axis], e[0], e[1], e[2]) == 0.0f);
                    }
                }
        assert_true(billow_stats(sim).speed_max > 0.02);
        billow_destroy(sim);
    }
}

/* Between plates held at 40 K and -10 K: in the end linear, whatever the axis. */
static void heated_plates_conduct_linearly(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        int n[3] = {9, 9, 9};
        n[axis] = N;
        BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_CLOSED);
        BillowBoundary *low = &def.boundaries[2 * axis], *high = low + 1;
        low->isothermal = high->isothermal = true;
        low->temperature = 40;
        high->temperature = -10;
        def.params.diffusion_sweeps = 400;
        def.params.heat_diffusion = 0.1f;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 20; s++)
            diffuse_scalars(sim, 1);
        for (int i = 0; i < N; i++) {
            int e[3] = {4, 4, 4};
            e[axis] = i;
            double linear = 40 - 50 * (i + 0.5) / N;
            assert_below(fabs((double)at(sim, sim->temperature, e[0], e[1], e[2]) - linear), 5e-3);
        }
        billow_destroy(sim);
    }
}

/* A lid that moves along x drags the fluid below it, in a closed box round and back again; without
 * viscosity and with a still fluid it cannot. */
static void lid_drags_the_fluid(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, 8, BILLOW_CLOSED);
    for (int side = 0; side < BILLOW_BACK; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    def.boundaries[BILLOW_CEILING].velocity[0] = 1;
    def.params.viscosity = 0.01f;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 60; s++)
        billow_step(sim, 1.0 / 60);
    float top = at(sim, sim->velocity[0], N / 2, N - 1, 4);
    assert_true(top > 0.8f && top < 1.0f);
    assert_true(at(sim, sim->velocity[0], N / 2, N / 3, 4) < -0.05f);
    assert_below(billow_stats(sim).divergence_max, 0.5);
    billow_destroy(sim);
}

/* Between two plates, one of which moves, the velocity becomes linear, along any axis and
 * direction. */
static void couette_flow_is_linear(void **state)
{
    (void)state;
    for (int across = 0; across < 3; across++) {
        int along = (across + 1) % 3, n[3] = {8, 8, 8};
        n[across] = N;
        BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_PERIODIC);
        def.faces[2 * across] = def.faces[2 * across + 1] = BILLOW_NO_SLIP;
        def.boundaries[2 * across + 1].velocity[along] = 0.5f;
        def.params.viscosity = 0.1f;
        def.params.diffusion_sweeps = 400;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 20; s++)
            billow_step(sim, 0.1);
        for (int i = 0; i < N; i++) {
            int e[3] = {4, 4, 4};
            e[across] = i;
            double linear = 0.5 * (i + 0.5) / N;
            assert_below(fabs((double)at(sim, sim->velocity[along], e[0], e[1], e[2]) - linear),
                         5e-4);
        }
        billow_destroy(sim);
    }
}

/* Warm air rises between walls that hold it: v = g x (L - x) / 2 nu, exact but for h2/4 by the
 * walls' distance from the first cells. */
static void poiseuille_flow_is_a_parabola(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 8, 8, BILLOW_PERIODIC);
    def.faces[BILLOW_LEFT] = def.faces[BILLOW_RIGHT] = BILLOW_NO_SLIP;
    def.params.viscosity = 0.1f;
    def.params.buoyancy = 0.03f;
    def.params.diffusion_sweeps = 400;
    BillowSim *sim = make(&def);
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < N; i++)
                sim->temperature[grid_row(&sim->grid, j, k) + i] = 50;
    for (int s = 0; s < 80; s++)
        billow_step(sim, 0.05);
    double h = (double)def.cell_size, length = N * h, most = 1.5 * length * length / 0.8;
    for (int i = 0; i < N; i++) {
        double x = (i + 0.5) * h, v = 1.5 * x * (length - x) / 0.2;
        assert_below(fabs((double)at(sim, sim->velocity[1], i, 3, 4) - v), 0.004 * most);
        assert_true(at(sim, sim->velocity[1], i, 8, 4) == at(sim, sim->velocity[1], i, 0, 4));
    }
    billow_destroy(sim);
}

/* -- periodic axes ----------------------------------------------------------------------------- */

enum { NX = 22, NY = 16, NZ = 20 };

/* Cell c of an axis of n, shifted by s. */
static int around(int c, int s, int n)
{
    return ((c + s) % n + n) % n;
}

/* Everything random, shifted by s cells along each axis. */
static BillowSim *shifted_sim(const BillowDef *def, const int s[3])
{
    BillowSim *sim = make(def);
    BillowFields fields = billow_fields(sim);
    float *const all[5] = {fields.u, fields.v, fields.w, fields.density, fields.temperature};
    unsigned seed = 7;
    for (int field = 0; field < 5; field++)
        for (int k = 0; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    double value = scatter(&seed);
                    int x = around(i, s[0], NX), y = around(j, s[1], NY), z = around(k, s[2], NZ);
                    all[field][grid_row(&sim->grid, y, z) + x] =
                        (float)(field < 3 ? 2 * value : 20 * fabs(value));
                }
    return sim;
}

/* The largest difference; last faces included. */
static double shift_error(const BillowSim *plain, const BillowSim *shifted, const int s[3])
{
    double worst = 0;
    for (int field = 0; field < 5; field++) {
        const float *fields[2];
        for (int q = 0; q < 2; q++) {
            const BillowSim *sim = q == 0 ? plain : shifted;
            fields[q] = field < 3    ? sim->velocity[field]
                        : field == 3 ? sim->density
                                     : sim->temperature;
        }
        for (int k = 0; k < NZ + (field == 2); k++)
            for (int j = 0; j < NY + (field == 1); j++)
                for (int i = 0; i < NX + (field == 0); i++) {
                    int x = around(i, s[0], NX), y = around(j, s[1], NY), z = around(k, s[2], NZ);
                    worst = fmax(worst, fabs((double)at(plain, fields[0], i, j, k) -
                                             (double)at(shifted, fields[1], x, y, z)));
                }
    }
    return worst;
}

static BillowDef around_def(void)
{
    BillowDef def = quiet_def(NX, NY, NZ, BILLOW_PERIODIC);
    def.params = billow_default_params();
    def.params.pressure = BILLOW_RELAXATION;
    def.params.sweeps = 6; /* fewer than between looks: all are done */
    def.params.warm_start = false;
    def.params.dissipation = 0.1f;
    return def;
}

/* All stages but the solves, by any shift. */
static void shifted_stages_give_shifted_results(void **state)
{
    (void)state;
    static const int shifts[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {21, 11, 7}};
    for (int run = 0; run < 4; run++)
        for (int s = 0; s < 4; s++) {
            BillowDef def = around_def();
            def.threads = 1 + run / 3;
            def.params.advection = (BillowAdvection)(run % 2);
            def.params.vorticity = run < 2 ? 4 : 0;
            BillowSim *pair[2] = {shifted_sim(&def, (const int[3]){0, 0, 0}),
                                  shifted_sim(&def, shifts[s])};
            for (int q = 0; q < 2; q++)
                for (int step = 0; step < 3; step++) {
                    advect_displace(pair[q], 0.02);
                    advect_velocity(pair[q], 0.02);
                    forces_apply(pair[q], 0.02, 1);
                    boundaries_apply(pair[q]);
                    advect_scalars(pair[q], 0.02);
                }
            assert_true(largest_velocity(pair[0]) > 0.1);
            assert_true(shift_error(pair[0], pair[1], shifts[s]) == 0);
            billow_destroy(pair[0]);
            billow_destroy(pair[1]);
        }
}

/* Advection alone, by both schemes: the sum of each component stays, and the statistics total what
 * had to be given back. */
static void advection_keeps_the_momentum_of_a_periodic_box(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        BillowDef def = around_def();
        def.params.advection = (BillowAdvection)scheme;
        BillowSim *sim = shifted_sim(&def, (const int[3]){0, 0, 0});
        boundaries_apply(sim);
        statistics_update(sim, 0.02);
        const BillowStats before = billow_stats(sim);
        advect_displace(sim, 0.02);
        advect_velocity(sim, 0.02);
        statistics_update(sim, 0.02);
        const BillowStats after = billow_stats(sim);
        const double mass = 1.2 * NX * NY * NZ * pow((double)def.cell_size, 3);
        for (int axis = 0; axis < 3; axis++) {
            assert_below(fabs(after.momentum[axis] - before.momentum[axis]), 1e-7 * mass);
            assert_true(fabs(after.momentum_restored[axis]) > 1e-5 * mass);
        }
        billow_destroy(sim);
    }
}

/* Whole steps solved by relaxation: the colouring is consistent across periodic faces. */
static void shifted_scenes_give_shifted_results(void **state)
{
    (void)state;
    static const int shifts[][3] = {{1, 1, 0}, {2, 0, 0}, {0, 5, 3}, {0, 0, 10}, {13, 4, 9}};
    for (int run = 0; run < 4; run++)
        for (int s = 0; s < 5; s++) {
            BillowDef def = around_def();
            def.threads = 1 + run / 3;
            def.params.advection = (BillowAdvection)(run % 2);
            def.params.viscosity = def.params.heat_diffusion = run < 2 ? 1e-3f : 0;
            BillowSim *pair[2] = {shifted_sim(&def, (const int[3]){0, 0, 0}),
                                  shifted_sim(&def, shifts[s])};
            for (int q = 0; q < 2; q++)
                for (int step = 0; step < 4; step++)
                    billow_step(pair[q], 0.03);
            assert_true(shift_error(pair[0], pair[1], shifts[s]) == 0);
            billow_destroy(pair[0]);
            billow_destroy(pair[1]);
        }
}

/* By multigrid, whose coarser cells a shift may take apart, to the solver's tolerance. */
static void shifted_pressure_is_the_shifted_one(void **state)
{
    (void)state;
    static const int shifts[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 8, 3}};
    for (int s = 0; s < 4; s++) {
        BillowDef def = around_def();
        def.params.pressure = BILLOW_MULTIGRID;
        def.params.tolerance = 1e-6f;
        def.params.cycles = 20;
        BillowSim *pair[2] = {shifted_sim(&def, (const int[3]){0, 0, 0}),
                              shifted_sim(&def, shifts[s])};
        for (int q = 0; q < 2; q++) {
            boundaries_apply(pair[q]);
            project(pair[q], 0.02);
            statistics_update(pair[q], 0.02);
            assert_below(billow_stats(pair[q]).residual_relative, 3e-6);
            assert_true(billow_stats(pair[q]).cycles <= 8);
        }
        assert_below(shift_error(pair[0], pair[1], shifts[s]), 2e-5);
        billow_destroy(pair[0]);
        billow_destroy(pair[1]);
    }
}

static double blob(double x, double y, double z)
{
    return fmax(0, 9 - (x - 4) * (x - 4) - (y - 8) * (y - 8) - (z - 10) * (z - 10));
}

/* After once around the box, at a cell per step, every value is back in its place. */
static void what_leaves_comes_back(void **state)
{
    (void)state;
    const int n[3] = {NX, NY, NZ};
    for (int axis = 0; axis < 3; axis++) {
        BillowDef def = quiet_def(NX, NY, NZ, BILLOW_PERIODIC);
        BillowSim *sim = make(&def), *start = make(&def);
        float *velocity = sim->velocity[axis];
        for (int k = 0; k < NZ + 1; k++)
            for (int j = 0; j < NY + 1; j++)
                for (int i = 0; i < NX + 1; i++)
                    velocity[grid_row(&sim->grid, j, k) + i] = -1;
        fill_cells(sim, sim->density, blob);
        fill_cells(start, start->density, blob);
        billow_fields(sim);
        for (int s = 0; s < n[axis]; s++)
            billow_step(sim, (double)def.cell_size);
        for (int k = 0; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++)
                    assert_true(at(sim, sim->density, i, j, k) ==
                                at(start, start->density, i, j, k));
        billow_destroy(sim);
        billow_destroy(start);
    }
}

/* A cylinder from floor to ceiling in the wind, round and round along its axis: the flow stays that
 * of a slice, and converges as fast as without. */
static void flow_past_a_cylinder_stays_flat(void **state)
{
    (void)state;
    BillowDef def = quiet_def(48, 8, 32, BILLOW_PERIODIC);
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.boundaries[BILLOW_LEFT].velocity[0] = 0.5f;
    def.boundaries[BILLOW_LEFT].smoke = 1;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].shape = BILLOW_CYLINDER;
    def.solids[0].size[0] = 5.0f / 64;
    def.solids[0].size[1] = 1;
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = (axis == 0 ? 14.3f : 16.2f) / 64;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 30; s++) {
        billow_step(sim, 1.0 / 60);
        assert_true(billow_stats(sim).cycles <= 4);
        assert_below(billow_stats(sim).residual_relative, 1.01e-3);
    }
    const int n[3] = {48, 9, 32};
    assert_below(largest(sim, sim->velocity[1], n), 1e-4);
    assert_true(billow_stats(sim).mass > 0.5 * 48 * 8 * 32 * pow(1.0 / 64, 3) * 0.3);
    for (int k = 0; k < 32; k++)
        for (int i = 0; i < 48; i++)
            assert_below(
                fabs((double)(at(sim, sim->density, i, 0, k) - at(sim, sim->density, i, 5, k))),
                1e-3);
    billow_destroy(sim);
}

/* A wall across a periodic box separates nothing: gas made on one side flows around to the
 * other. */
static void a_wall_does_not_part_a_ring(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        BillowDef def = quiet_def(16, 16, 16, BILLOW_PERIODIC);
        def.solid_count = 1;
        def.solids[0] = billow_default_solid();
        def.solids[0].shape = BILLOW_BOX;
        for (int a = 0; a < 3; a++) {
            def.solids[0].size[a] = a == axis ? 2.0f / 64 : 1;
            def.solids[0].center[a] = 8.0f / 64;
        }
        BillowSim *sim = make(&def);
        assert_int_equal(sim->solids->enclosed_count, 1);
        billow_destroy(sim);
    }
}

/* Faces of every kind, and all stages on. */
static BillowDef varied_def(void)
{
    BillowDef def = quiet_def(N, 19, 21, BILLOW_NO_SLIP);
    def.params = billow_default_params();
    def.params.viscosity = 1e-3f;
    def.params.heat_diffusion = 1e-3f;
    def.params.smoke_diffusion = 1e-3f;
    def.faces[BILLOW_BACK] = BILLOW_INFLOW;
    def.boundaries[BILLOW_BACK].velocity[2] = 0.5f;
    def.boundaries[BILLOW_BACK].velocity[0] = 0.2f;
    def.boundaries[BILLOW_BACK].profile = BILLOW_PARABOLIC;
    def.boundaries[BILLOW_BACK].smoke = 1;
    def.boundaries[BILLOW_FLOOR].isothermal = true;
    def.boundaries[BILLOW_FLOOR].temperature = 100;
    def.boundaries[BILLOW_FLOOR].velocity[2] = -0.3f;
    def.faces[BILLOW_FRONT] = def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    return def;
}

/* The same around x or z, or all. */
static BillowDef varied_around_def(int which)
{
    BillowDef def = varied_def(), all = around_def();
    if (which == 2) {
        all.params.pressure = BILLOW_CONJUGATE_GRADIENTS;
        all.params.viscosity = all.params.heat_diffusion = 1e-3f;
        all.emitter_count = 1;
        all.emitters[0] = billow_default_emitter();
        all.emitters[0].center[0] = all.emitters[0].center[2] = 0.15f;
        return all;
    }
    int first = which == 0 ? BILLOW_LEFT : BILLOW_BACK;
    def.nz = 44;
    for (int side = first; side < first + 2; side++) {
        def.faces[side] = BILLOW_PERIODIC;
        def.boundaries[side] = (BillowBoundary){.smoke = 0};
    }
    if (which == 1) {
        def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
        def.boundaries[BILLOW_LEFT].velocity[0] = 0.4f;
        def.boundaries[BILLOW_LEFT].smoke = 1;
        def.boundaries[BILLOW_LEFT].profile = BILLOW_PARABOLIC;
    }
    return def;
}

static uint64_t hash_after(const BillowDef *def)
{
    BillowSim *sim = run_of(def, 5, 1.0 / 30);
    uint64_t hash = billow_state_hash(sim);
    assert_int_equal(billow_stats(sim).nonfinite, 0);
    assert_true(billow_stats(sim).mass > 1e-4);
    billow_destroy(sim);
    return hash;
}

static void same_bits_whoever_computes(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        BillowDef def = run == 0 ? varied_def() : varied_around_def(run - 1);
        def.params.advection = (BillowAdvection)(run % 3);
        assert_one_hash_of(&def, hash_after);
    }
}

/* The flow through an open front must not see what the next field in memory has at its back. */
static void open_front_is_still_behind_any_back(void **state)
{
    (void)state;
    BillowDef def = varied_def();
    BillowSim *sim = make(&def);
    for (int s = 0; s < 8; s++) {
        billow_step(sim, 1.0 / 30);
        for (int axis = 0; axis < 3; axis++) {
            int n[3] = {N, 19, 21};
            n[axis]++;
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    if (axis == 2)
                        assert_true(at(sim, sim->velocity[axis], i, j, n[2]) == 0.0f);
        }
    }
    billow_destroy(sim);
}

static void refused(const BillowDef *def, const char *message)
{
    BillowError error = {""};
    assert_null(billow_create(def, &error));
    if (strcmp(error.text, message) != 0)
        fail_msg("'%s' instead of '%s'", error.text, message);
}

#define REFUSED(change, message)                                                                   \
    do {                                                                                           \
        BillowDef def = channel_def(BILLOW_UNIFORM);                                               \
        change;                                                                                    \
        refused(&def, message);                                                                    \
    } while (0)

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    REFUSED(def.faces[BILLOW_RIGHT] = BILLOW_CLOSED,
            "0.0352 m3/s flow in (left), yet no face is open to let them out; open one");
    REFUSED(def.boundaries[BILLOW_LEFT].velocity[0] = -1,
            "boundaries.left.velocity[0] is -1, out of the box; an inflow must lead in");
    REFUSED(def.boundaries[BILLOW_LEFT].velocity[1] = 2e4f,
            "boundaries.left.velocity[1] is 20000; it must lie between -10000 and 10000");
    REFUSED(def.boundaries[BILLOW_BACK].velocity[1] = 1,
            "boundaries.back.velocity needs the face to be no_slip or inflow");
    REFUSED((def.faces[BILLOW_BACK] = BILLOW_NO_SLIP, def.boundaries[BILLOW_BACK].velocity[2] = 1),
            "boundaries.back.velocity[2] is 1; a wall can only move along itself");
    REFUSED(def.boundaries[BILLOW_RIGHT].smoke = 1,
            "boundaries.right.smoke needs the face to be inflow");
    REFUSED(def.boundaries[BILLOW_RIGHT].isothermal = true,
            "boundaries.right.isothermal needs the face to be closed or no_slip");
    REFUSED(def.faces[BILLOW_BACK] = BILLOW_PERIODIC,
            "back is periodic and front is not; it must be both or neither");
    REFUSED(def.faces[BILLOW_CEILING] = BILLOW_PERIODIC,
            "ceiling is periodic and floor is not; it must be both or neither");
    REFUSED((def.faces[BILLOW_BACK] = def.faces[BILLOW_FRONT] = BILLOW_PERIODIC, def.nz = 13),
            "13 cells from back to front; a periodic axis needs an even number of them");
    REFUSED(def.boundaries[BILLOW_FLOOR].smoke = NAN,
            "boundaries.floor.smoke is nan; it must lie between 0 and 1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inflow_carries_the_stated_volume),
        cmocka_unit_test(inflow_brings_smoke_and_heat),
        cmocka_unit_test(inflow_is_what_solids_leave_of_it),
        cmocka_unit_test(open_face_lets_mass_out),
        cmocka_unit_test(no_slip_ghosts_mirror_the_flow),
        cmocka_unit_test(normal_velocity_is_zero_at_walls),
        cmocka_unit_test(heated_plates_conduct_linearly),
        cmocka_unit_test(lid_drags_the_fluid),
        cmocka_unit_test(couette_flow_is_linear),
        cmocka_unit_test(poiseuille_flow_is_a_parabola),
        cmocka_unit_test(shifted_stages_give_shifted_results),
        cmocka_unit_test(advection_keeps_the_momentum_of_a_periodic_box),
        cmocka_unit_test(shifted_scenes_give_shifted_results),
        cmocka_unit_test(shifted_pressure_is_the_shifted_one),
        cmocka_unit_test(what_leaves_comes_back),
        cmocka_unit_test(flow_past_a_cylinder_stays_flat),
        cmocka_unit_test(a_wall_does_not_part_a_ring),
        cmocka_unit_test(same_bits_whoever_computes),
        cmocka_unit_test(open_front_is_still_behind_any_back),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("faces", tests, NULL, NULL);
}
