/* SPDX-License-Identifier: MIT
 * Conservative advection: mass is neither made nor lost. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "hash_fixture.h"
#include "sim/fields/boundary.h"

static const int cells[3] = {24, 19, 18};

static double total(const BillowSim *sim, const float *field)
{
    double sum = 0;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                sum += (double)at(sim, field, i, j, k);
    return sum;
}

static double seven(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.7;
}

static double block(double x, double y, double z)
{
    return x > 6 && x < 14 && y > 4 && y < 12 && z > 5 && z < 13 ? 1 : 0;
}

/* A swirling flow of some cells a second without divergence: projected noise. */
static BillowSim *swirling(BillowFace faces)
{
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], faces);
    def.params.advection = BILLOW_CONSERVATIVE;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 40;
    def.params.cfl = 100;
    BillowSim *sim = make(&def);
    unsigned seed = 9;
    for (int axis = 0; axis < 3; axis++) {
        int n[3] = {cells[0], cells[1], cells[2]};
        n[axis]++;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] =
                        (float)scatter(&seed) * 3 / 64;
    }
    boundaries_apply(sim);
    project(sim, 1);
    return sim;
}

static void nothing_is_made_or_lost(void **state)
{
    (void)state;
    const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_NO_SLIP};
    for (size_t f = 0; f < sizeof kinds / sizeof kinds[0]; f++) {
        BillowSim *sim = swirling(kinds[f]);
        fill_cells(sim, sim->density, block);
        double before = total(sim, sim->density);
        for (int s = 0; s < 100; s++)
            advect_scalars(sim, 1.5);
        assert_below(fabs(total(sim, sim->density) / before - 1), 1e-4);
        float least = 0, most = 0;
        for (int k = 0; k < cells[2]; k++)
            for (int j = 0; j < cells[1]; j++)
                for (int i = 0; i < cells[0]; i++) {
                    least = fminf(least, at(sim, sim->density, i, j, k));
                    most = fmaxf(most, at(sim, sim->density, i, j, k));
                }
        assert_true(least >= 0.0f && most < 1.001f);
        assert_true(most < 0.5f); /* it has mixed */
        billow_destroy(sim);
    }
}

static void constant_stays_constant(void **state)
{
    (void)state;
    BillowSim *sim = swirling(BILLOW_CLOSED);
    fill_cells(sim, sim->density, seven);
    fill_cells(sim, sim->temperature, seven);
    for (int s = 0; s < 20; s++)
        advect_scalars(sim, 2);
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                assert_below(fabs((double)at(sim, sim->density, i, j, k) - 0.7), 1e-4);
                assert_below(fabs((double)at(sim, sim->temperature, i, j, k) - 0.7), 1e-4);
            }
    billow_destroy(sim);
}

/* A velocity of whole cells a step, in a periodic box: each cell's value moves unchanged by so many
 * cells. */
static void assert_moves_by(const int n[3], int axis, int by)
{
    BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_PERIODIC);
    def.params.advection = BILLOW_CONSERVATIVE;
    BillowSim *sim = make(&def);
    unsigned seed = 3;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                sim->density[grid_row(&sim->grid, j, k) + i] = (float)scatter(&seed) + 1;
    const int faces[3] = {n[0] + (axis == 0), n[1] + (axis == 1), n[2] + (axis == 2)};
    for (int k = 0; k < faces[2]; k++)
        for (int j = 0; j < faces[1]; j++)
            for (int i = 0; i < faces[0]; i++)
                sim->velocity[axis][grid_row(&sim->grid, j, k) + i] = (float)by / 64;
    advect_scalars(sim, 1);
    seed = 3;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                int to[3] = {i, j, k};
                to[axis] = (to[axis] + by + 2 * n[axis]) % n[axis];
                assert_below(
                    fabs((double)at(sim, sim->density, to[0], to[1], to[2]) - scatter(&seed) - 1),
                    2e-6);
            }
    billow_destroy(sim);
}

/* Along each axis in both directions, in boxes of one strip and of several (kernels.h). */
static void whole_cells_are_exact(void **state)
{
    (void)state;
    static const int sizes[][3] = {{24, 10, 12}, {1100, 10, 8}, {18, 150, 10}, {20, 8, 132}};
    static const int by[] = {1, 3, 10};
    for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++)
        for (int axis = 0; axis < 3; axis++)
            for (int b = 0; b < 3; b++) {
                assert_moves_by(sizes[size], axis, by[b]);
                assert_moves_by(sizes[size], axis, -by[b]);
            }
}

/* Two puffs so many cells apart along an axis, which a uniform flow carries on. Between them are
 * cells that take no part. */
static void puffs_pass_gaps(void **state)
{
    (void)state;
    enum { LONG = 96, FLOW = 10, FIRST = 32, STEPS = 3 };
    for (int run = 0; run < 6; run++)
        for (int gap = 1; gap <= 48; gap++) {
            const int axis = run / 2, way = run % 2 == 0 ? FLOW : -FLOW;
            int n[3] = {8, 8, 8};
            n[axis] = LONG;
            BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_PERIODIC);
            def.params.advection = BILLOW_CONSERVATIVE;
            BillowSim *sim = make(&def);
            for (int p = 0; p < 2; p++) {
                int place[3] = {3, 3, 3};
                place[axis] = FIRST + p * gap;
                sim->density[grid_row(&sim->grid, place[1], place[2]) + place[0]] = (float)(1 + p);
            }
            const int faces[3] = {n[0] + (axis == 0), n[1] + (axis == 1), n[2] + (axis == 2)};
            for (int k = 0; k < faces[2]; k++)
                for (int j = 0; j < faces[1]; j++)
                    for (int i = 0; i < faces[0]; i++)
                        sim->velocity[axis][grid_row(&sim->grid, j, k) + i] = (float)way / 64;
            for (int s = 0; s < STEPS; s++) {
                smoke_find(sim, 1);
                advect_scalars(sim, 1);
            }
            double sum = 0;
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++)
                        sum += (double)at(sim, sim->density, i, j, k);
            for (int p = 0; p < 2; p++) {
                int place[3] = {3, 3, 3};
                place[axis] = (FIRST + p * gap + STEPS * way + LONG) % LONG;
                float there = at(sim, sim->density, place[0], place[1], place[2]);
                if (fabs(sum - 3) > 1e-5 || fabsf(there - (float)(1 + p)) > 1e-5f)
                    fail_msg("axis %d, flow %d, gap %d: puff %d has %g there; %g in all", axis, way,
                             gap, p, (double)there, sum);
            }
            billow_destroy(sim);
        }
}

static double uneven_steps(double x, double y, double z)
{
    (void)y, (void)z;
    return x < 4 ? 0 : x < 5 ? 0.1 : x < 6 ? 0.5 : x < 12 ? 1 : x < 13 ? 0.7 : x < 14 ? 0.05 : 0;
}

/* The limiter: in a uniform flow steps of unequal height make no new extrema, at any time. */
static void steps_make_no_extrema(void **state)
{
    (void)state;
    static const double lengths[] = {0.3, 4.6};
    for (int run = 0; run < 4; run++) {
        const int way = run / 2 == 0 ? -1 : 1;
        BillowDef def = quiet_def(24, 8, 8, BILLOW_PERIODIC);
        def.params.advection = BILLOW_CONSERVATIVE;
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->density, uneven_steps);
        for (int k = 0; k < 8; k++)
            for (int j = 0; j < 8; j++)
                for (int i = 0; i <= 24; i++)
                    sim->velocity[0][grid_row(&sim->grid, j, k) + i] = (float)way / 64;
        for (int s = 0; s < 20; s++) {
            advect_scalars(sim, lengths[run % 2]);
            for (int i = 0; i < 24; i++) {
                double value = (double)at(sim, sim->density, i, 4, 4);
                assert_true(value >= -1e-6 && value <= 1 + 1e-6);
            }
        }
        billow_destroy(sim);
    }
}

static double bump(double x, double y, double z)
{
    (void)y, (void)z;
    return 1 + sin(2 * PI * x);
}

static int wave_cells;

static double wave(double x, double y, double z)
{
    return bump(x / wave_cells, y, z);
}

/* L1 error of a wave after one turn around the periodic box in so many steps. */
static double wave_error(int n, int steps)
{
    BillowDef def = quiet_def(n, 8, 8, BILLOW_PERIODIC);
    def.params.advection = BILLOW_CONSERVATIVE;
    BillowSim *sim = make(&def);
    wave_cells = n;
    fill_cells(sim, sim->density, wave);
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 0; i <= n; i++)
                sim->velocity[0][grid_row(&sim->grid, j, k) + i] = (float)n / (float)steps / 64;
    for (int s = 0; s < steps; s++)
        advect_scalars(sim, 1);
    double error = 0;
    for (int i = 0; i < n; i++)
        error += fabs((double)at(sim, sim->density, i, 4, 4) - wave(i + 0.5, 0, 0)) / n;
    billow_destroy(sim);
    return error;
}

/* At 0.4 and at 4.6 cells a step. */
static void waves_converge(void **state)
{
    (void)state;
    static const int steps[] = {80, 7};
    for (int s = 0; s < 2; s++) {
        double coarse = wave_error(32, steps[s]), fine = wave_error(64, 2 * steps[s]);
        double order = log2(coarse / fine);
        if (!(order > 2))
            fail_msg("order %.2f: errors %g and %g", order, coarse, fine);
    }
}

/* A block in a swirl has no tails below a trace, and the traces are too few to be missed. */
static void traces_go(void **state)
{
    (void)state;
    BillowSim *sim = swirling(BILLOW_CLOSED);
    fill_cells(sim, sim->density, block);
    double before = total(sim, sim->density);
    advect_scalars(sim, 1);
    advect_scalars(sim, 1);
    int empty = 0;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                float value = at(sim, sim->density, i, j, k);
                assert_true(value == 0.0f || value >= 1e-10f);
                empty += value == 0.0f;
            }
    assert_true(empty > 500);
    assert_below(fabs(total(sim, sim->density) / before - 1), 1e-5);
    billow_destroy(sim);
}

/* The mass is the released mass, less the outflow through the open face and the dissipated mass. */
static void assert_balance(BillowAdvection advection)
{
    BillowDef def = busy_def(1);
    def.params.advection = advection;
    def.params.smoke_diffusion = 0;
    def.params.tolerance = 1e-4f;
    def.params.cycles = 20;
    def.params.cfl = 1;
    def.color = def.fire = true;
    def.emitters[0].center[0] = 0.1f; /* by the open side */
    def.emitters[0].velocity[0] = -1;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 40; s++)
        billow_step(sim, 1.0 / 60);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.mass_outflow > 0.05 * stats.mass_sources && stats.mass_dissipated > 0);
    assert_below(fabs(stats.mass_drift), 1e-3 * stats.mass_sources);
    assert_true(stats.nonfinite == 0);
    for (int c = 0; c < 3; c++) /* white smoke: each colour is all of it */
        assert_below(fabs(stats.color[c] / stats.mass - 1), 1e-4);
    billow_destroy(sim);
}

static void accounts_balance(void **state)
{
    (void)state;
    assert_balance(BILLOW_CONSERVATIVE);
    assert_balance(BILLOW_CONSERVATIVE_SMOOTH);
}

/* If smoke and heat exert no force, the velocity has the bits of semi-Lagrangian steps. */
static void smooth_flow_is_semi_lagrangian(void **state)
{
    (void)state;
    BillowSim *sims[2];
    for (int s = 0; s < 2; s++) {
        BillowDef def = busy_def(2);
        def.params.advection = s == 0 ? BILLOW_SEMI_LAGRANGIAN : BILLOW_CONSERVATIVE_SMOOTH;
        def.params.buoyancy = def.params.weight = 0;
        sims[s] = make(&def);
        for (int step = 0; step < 10; step++)
            billow_step(sims[s], 1.0 / 60);
    }
    double apart = 0;
    for (int k = 0; k < sims[0]->grid.nz; k++)
        for (int j = 0; j < sims[0]->grid.ny; j++)
            for (int i = 0; i < sims[0]->grid.nx; i++) {
                for (int axis = 0; axis < 3; axis++)
                    assert_true(at(sims[0], sims[0]->velocity[axis], i, j, k) ==
                                at(sims[1], sims[1]->velocity[axis], i, j, k));
                apart = fmax(apart, fabs((double)(at(sims[0], sims[0]->density, i, j, k) -
                                                  at(sims[1], sims[1]->density, i, j, k))));
            }
    assert_true(apart > 1e-3);
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

/* Burning fuel expands. With open faces, smoke leaves with the displaced air; in a closed box,
 * it is compressed elsewhere. No mass is made: all smoke comes from the emitter and from
 * burning, and all missing fuel has burnt. */
static void burning_keeps_the_smoke(void **state)
{
    (void)state;
    const BillowFace kinds[] = {BILLOW_OPEN, BILLOW_CLOSED, BILLOW_PERIODIC};
    for (size_t f = 0; f < sizeof kinds / sizeof kinds[0]; f++) {
        BillowDef def = quiet_def(26, 20, 24, kinds[f]);
        def.params.advection = BILLOW_CONSERVATIVE;
        def.params.tolerance = 1e-4f;
        def.params.cycles = 40;
        def.params.burn_rate = 20;
        def.params.burn_smoke = 0.5f;
        def.params.burn_expansion = 6;
        def.fire = def.color = true;
        BillowSim *sim = make(&def);
        BillowFields fields = billow_fields(sim);
        fill_cells(sim, fields.fuel, block);
        fill_cells(sim, fields.density, block);
        for (int k = 0; k < 24; k++)
            for (int j = 0; j < 20; j++)
                for (int i = 0; i < 26; i++)
                    fields.temperature[grid_row(&sim->grid, j, k) + i] = 300;
        double fuel = 8 * 8 * 8 * pow(1.0 / 64, 3);
        for (int s = 0; s < 20; s++)
            billow_step(sim, 0.01);
        BillowStats stats = billow_stats(sim);
        assert_true(stats.density_max < 0.95); /* it would be 1.5 without expansion */
        assert_true(kinds[f] != BILLOW_OPEN || stats.mass_outflow > 0);
        assert_below(fabs(stats.mass_drift), 1e-4 * stats.mass_sources);
        if (kinds[f] != BILLOW_OPEN)
            assert_below(fabs(stats.fuel + (stats.mass_sources - fuel) / 0.5 - fuel), 1e-4 * fuel);
        billow_destroy(sim);
    }
}

/* The mass budget includes emitters that expand the gas and emitters that draw it in. */
static void what_expands_is_booked(void **state)
{
    (void)state;
    const float rates[] = {2, 60, -2, -60};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        BillowDef def = quiet_def(cells[0], cells[1], cells[2], BILLOW_OPEN);
        def.params.advection = BILLOW_CONSERVATIVE;
        def.params.tolerance = 1e-5f;
        def.params.cycles = 40;
        def.params.cfl = 100;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].smoke = def.emitters[0].heat = 0;
        def.emitters[0].expansion = rates[r];
        def.emitters[0].size[0] = 5.0f / 64;
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = 10.0f / 64;
        def.emitters[0].noise = 1;
        BillowSim *sim = make(&def);
        fill_cells(sim, billow_fields(sim).density, block);
        double before = total(sim, sim->density) * pow(1.0 / 64, 3);
        for (int s = 0; s < 12; s++)
            billow_step(sim, 1.0 / 30);
        BillowStats stats = billow_stats(sim);
        double made = stats.mass_sources - before;
        assert_true(rates[r] > 0 ? made > 0.1 * before : made < -0.1 * before);
        assert_below(fabs(stats.mass_drift), 1e-3 * fmax(before, stats.mass_sources));
        assert_int_equal(stats.nonfinite, 0);
        billow_destroy(sim);
    }
}

/* A ball moves through smoke to a wall, and the smoke that it displaces is conserved. It is fast
 * enough for several substeps. Colours behave likewise. */
static void solids_keep_amounts(void **state)
{
    (void)state;
    for (int sticky = 0; sticky < 2; sticky++) {
        BillowDef def = quiet_def(cells[0], cells[1], cells[2], BILLOW_CLOSED);
        def.params.advection = sticky ? BILLOW_CONSERVATIVE : BILLOW_CONSERVATIVE_SMOOTH;
        def.params.tolerance = 1e-4f;
        def.params.cycles = 40;
        def.color = true;
        def.solid_count = 1;
        def.solids[0] = billow_default_solid();
        def.solids[0].size[0] = 4.3f / 64;
        def.solids[0].center[0] = 6.0f / 64;
        def.solids[0].center[1] = 8.7f / 64;
        def.solids[0].center[2] = 9.2f / 64;
        def.solids[0].velocity[0] = 0.25f;
        def.solids[0].spin[2] = 2;
        def.solids[0].sticky = sticky;
        BillowSim *sim = make(&def);
        BillowFields fields = billow_fields(sim);
        for (int k = 0; k < cells[2]; k++)
            for (int j = 0; j < cells[1]; j++)
                for (int i = 0; i < cells[0]; i++) {
                    ptrdiff_t cell = grid_row(&sim->grid, j, k) + i;
                    bool some = sim->solids->fluid[cell] != SOLID && i > 4 && j > 5;
                    fields.density[cell] = some ? 1 : 0;
                    fields.color[1][cell] = some && k > 9 ? 1 : 0;
                }
        double smoke = total(sim, fields.density), green = total(sim, fields.color[1]);
        for (int s = 0; s < 18; s++)
            billow_step(sim, 1.0 / 30);
        assert_true(billow_solid(sim, 0)->center[0] > 15.0f / 64); /* it has gone through */
        assert_below(fabs(total(sim, sim->density) / smoke - 1), 2e-4);
        assert_below(fabs(total(sim, sim->color[1]) / green - 1), 2e-4);
        assert_below(billow_stats(sim).density_max, 1.5);
        assert_int_equal(billow_stats(sim).nonfinite, 0);
        billow_destroy(sim);
    }
}

/* Smoky air comes in through a face in a jet and leaves, in part, through open ones. */
static void jets_balance(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        BillowDef def = quiet_def(32, 16, 16, BILLOW_OPEN);
        def.params.advection = smooth ? BILLOW_CONSERVATIVE_SMOOTH : BILLOW_CONSERVATIVE;
        def.params.dissipation = 0.2f;
        def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
        def.boundaries[BILLOW_LEFT].velocity[0] = 1;
        def.boundaries[BILLOW_LEFT].profile = BILLOW_PARABOLIC;
        def.boundaries[BILLOW_LEFT].smoke = 2;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = 8.0f / 64;
        def.emitters[0].size[0] = 3.0f / 64;
        def.emitters[0].velocity[0] = 2.4f;
        def.emitters[0].grip = 30;
        BillowSim *sim = make(&def);
        double brought = 0, out = 0;
        for (int s = 0; s < 60; s++) {
            billow_step(sim, 1.0 / 30);
            brought += 2.0 / 30 * boundary_flow(&def, BILLOW_LEFT);
        }
        BillowStats stats = billow_stats(sim);
        out = stats.mass_outflow + brought; /* outflow is that less the inflow */
        assert_true(out > 0.3 * (stats.mass_sources + brought) && stats.mass > 0);
        assert_below(fabs(stats.mass_drift), 1e-3 * stats.mass_sources);
        billow_destroy(sim);
    }
}

static void carried_so(BillowDef *def)
{
    def->params.advection = BILLOW_CONSERVATIVE;
    def->color = true;
}

static void same_hash_everywhere(void **state)
{
    (void)state;
    assert_one_hash(carried_so);
}

static void symmetric_scene_stays_symmetric(void **state)
{
    (void)state;
    assert_below(mirror_error(BILLOW_CONSERVATIVE), 1e-2);
}

/* A flow far too fast for the step: values stay finite, and the density stays at 0 or above. */
static void violence_stays_finite(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.params.advection = BILLOW_CONSERVATIVE;
    def.params.cfl = 50;
    def.params.substeps_max = 1;
    def.emitters[0].velocity[1] = 200;
    def.emitters[0].burst = 300;
    def.emitters[0].grip = 1000;
    BillowSim *sim = make(&def);
    for (int s = 0; s < long_run(24); s++) /* each crosses the box several times */
        billow_step(sim, 1.0 / 60);
    assert_int_equal(billow_stats(sim).nonfinite, 0);
    assert_true(billow_stats(sim).speed_max > 20);
    for (int k = 0; k < def.nz; k++)
        for (int j = 0; j < def.ny; j++)
            for (int i = 0; i < def.nx; i++)
                assert_true(at(sim, sim->density, i, j, k) >= 0.0f);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_made_or_lost),
        cmocka_unit_test(constant_stays_constant),
        cmocka_unit_test(whole_cells_are_exact),
        cmocka_unit_test(puffs_pass_gaps),
        cmocka_unit_test(steps_make_no_extrema),
        cmocka_unit_test(waves_converge),
        cmocka_unit_test(traces_go),
        cmocka_unit_test(accounts_balance),
        cmocka_unit_test(smooth_flow_is_semi_lagrangian),
        cmocka_unit_test(burning_keeps_the_smoke),
        cmocka_unit_test(what_expands_is_booked),
        cmocka_unit_test(solids_keep_amounts),
        cmocka_unit_test(jets_balance),
        cmocka_unit_test(same_hash_everywhere),
        cmocka_unit_test(symmetric_scene_stays_symmetric),
        cmocka_unit_test(violence_stays_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
