/* SPDX-License-Identifier: MIT
 * Advection with reflection: order, limiter, exact cases, symmetry, determinism. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hash_fixture.h"

static const double dt = 1.0 / 64; /* with h = 1/64 a speed of n m/s is n cells a step */
static double speed[3];

static double speed_x(double x, double y, double z)
{
    return speed[0] + 0 * (x + y + z);
}

static double speed_y(double x, double y, double z)
{
    return speed[1] + 0 * (x + y + z);
}

static double speed_z(double x, double y, double z)
{
    return speed[2] + 0 * (x + y + z);
}

static BillowSim *flow(int nx, int ny, int nz, BillowAdvection advection, double x, double y,
                       double z)
{
    BillowDef def = quiet_def(nx, ny, nz, BILLOW_OPEN);
    def.params.advection = advection;
    BillowSim *sim = make(&def);
    speed[0] = x;
    speed[1] = y;
    speed[2] = z;
    fill_faces(sim, 0, speed_x);
    fill_faces(sim, 1, speed_y);
    fill_faces(sim, 2, speed_z);
    return sim;
}

static double speckle(double x, double y, double z)
{
    unsigned state = (unsigned)(x * 2 + 74 * y + 2018 * z);
    scatter(&state);
    return 0.5 + 0.5 * scatter(&state);
}

static int wave_cells;
static double wave_shift, wave_size;

static double wave(double x, double y, double z)
{
    return wave_size * (2 + sin(2 * PI * (x - wave_shift) / wave_cells)) + 0 * (y + z);
}

/* Mean error of a wave after a quarter of the box in steps of 0.3 cells, away from the boundaries.
 */
static double wave_error(int cells, BillowAdvection advection, bool velocity)
{
    BillowSim *sim = flow(cells, 8, 8, advection, 0.3, 0, 0);
    wave_cells = cells;
    wave_shift = 0;
    wave_size = velocity ? 1e-6 : 1; /* m/s: hardly carries itself */
    fill_cells(sim, sim->density, wave);
    int steps = (int)(cells * 0.25 / 0.3);
    if (velocity) {
        fill_faces(sim, 2, wave);
        for (int s = 0; s < steps; s++) {
            fill_faces(sim, 0, speed_x);
            fill_faces(sim, 1, speed_y);
            advect_displace(sim, dt);
            advect_velocity(sim, dt);
        }
    } else {
        for (int s = 0; s < steps; s++)
            advect_scalars(sim, dt);
    }
    wave_shift = 0.3 * steps;
    const float *field = velocity ? sim->velocity[2] : sim->density;
    double error = 0;
    for (int i = cells / 2; i < cells * 3 / 4; i++)
        error += fabs((double)at(sim, field, i, 4, 4) - wave(i + 0.5, 4.5, 4.5));
    billow_destroy(sim);
    return error / (cells / 4);
}

static void assert_order(BillowAdvection advection, bool velocity, double low, double high)
{
    double coarse = wave_error(64, advection, velocity);
    double fine = wave_error(128, advection, velocity), order = log2(coarse / fine);
    if (!(order > low && order < high))
        fail_msg("advection %d, velocity %d: order %.2f, errors %g and %g", (int)advection,
                 velocity, order, coarse, fine);
}

static void smooth_waves_converge(void **state)
{
    (void)state;
    for (int velocity = 0; velocity < 2; velocity++) {
        assert_order(BILLOW_SEMI_LAGRANGIAN, velocity == 1, 0.8, 1.3);
        assert_order(BILLOW_REFLECTION, velocity == 1, 1.8, 2.6);
    }
}

static double step_edge(double x, double y, double z)
{
    return x + 0.3 * y - 0.2 * z < 10 ? 1 : 0;
}

/* A step and noise, in a flow that varies: nothing above the most or below the least of before,
 * ambient included. */
static void limiter_makes_no_extrema(void **state)
{
    (void)state;
    BillowSim *sim = flow(32, 20, 18, BILLOW_REFLECTION, 0.37, -0.21, 0.48);
    unsigned seed = 3;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 18; k++)
            for (int j = 0; j < 20; j++)
                for (int i = 0; i < 32; i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] += (float)scatter(&seed);
    fill_cells(sim, sim->density, step_edge);
    fill_cells(sim, sim->temperature, speckle);
    double before = largest(sim, sim->temperature, (const int[3]){32, 20, 18});
    for (int s = 0; s < 12; s++)
        advect_scalars(sim, dt);
    for (int k = 0; k < 18; k++)
        for (int j = 0; j < 20; j++)
            for (int i = 0; i < 32; i++) {
                float smoke = at(sim, sim->density, i, j, k);
                assert_true(smoke >= 0 && smoke <= 1 + 1e-6f);
                float heat = at(sim, sim->temperature, i, j, k);
                assert_true(heat >= 0 && heat <= (float)before * (1 + 1e-6f));
            }
    billow_destroy(sim);
}

/* Along walls that it slides along too: a swirl between them, the same in every plane, stays so,
 * and loses little of itself. */
static double swirl(int axis, double x, double y)
{
    return axis == 0 ? sin(PI * x) * cos(PI * y) : -cos(PI * x) * sin(PI * y);
}

static double swirl_x(double x, double y, double z)
{
    return swirl(0, x / 32, y / 32) + 0 * z;
}

static double swirl_y(double x, double y, double z)
{
    return swirl(1, x / 32, y / 32) + 0 * z;
}

static void walls_are_no_boundary(void **state)
{
    (void)state;
    BillowDef def = quiet_def(32, 32, 8, BILLOW_CLOSED);
    def.cell_size = 1.0f / 32;
    def.params.advection = BILLOW_REFLECTION;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, swirl_x);
    fill_faces(sim, 1, swirl_y);
    for (int s = 0; s < 40; s++)
        billow_step(sim, 0.01);
    double away = 0;
    for (int k = 1; k < 8; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                away = fmax(away, fabs((double)(at(sim, sim->velocity[0], i, j, k) -
                                                at(sim, sim->velocity[0], i, j, 0))));
    double kept = (double)at(sim, sim->velocity[0], 16, 0, 4) / swirl_x(16, 0.5, 0);
    if (!(away < 1e-4 && kept > 0.97))
        fail_msg("planes differ by %g; %g of the speed along the wall is left", away, kept);
    billow_destroy(sim);
}

static double steepness(BillowAdvection advection)
{
    BillowSim *sim = flow(64, 8, 8, advection, 0.3, 0, 0);
    fill_cells(sim, sim->density, step_edge);
    for (int s = 0; s < 60; s++)
        advect_scalars(sim, dt);
    double most = 0;
    for (int i = 1; i < 64; i++)
        most = fmax(most, fabs((double)(at(sim, sim->density, i, 4, 4) -
                                        at(sim, sim->density, i - 1, 4, 4))));
    billow_destroy(sim);
    return most;
}

static void edges_stay_sharper(void **state)
{
    (void)state;
    assert_true(steepness(BILLOW_REFLECTION) > 1.5 * steepness(BILLOW_SEMI_LAGRANGIAN));
}

static double seven(double x, double y, double z)
{
    return 0.7 + 0 * (x + y + z);
}

static void constant_and_rest_are_exact(void **state)
{
    (void)state;
    BillowSim *sim = flow(24, 19, 16, BILLOW_REFLECTION, 0, 0, 0);
    fill_cells(sim, sim->density, speckle);
    fill_cells(sim, sim->temperature, seven);
    advect_scalars(sim, dt);
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 19; j++)
            for (int i = 0; i < 24; i++)
                assert_true(at(sim, sim->density, i, j, k) ==
                            (float)speckle(i + 0.5, j + 0.5, k + 0.5));
    fill_faces(sim, 0, speckle); /* carries the constant anywhere, but hardly from outside */
    advect_scalars(sim, dt);
    for (int k = 3; k < 13; k++)
        for (int j = 3; j < 16; j++)
            for (int i = 3; i < 21; i++)
                assert_true(at(sim, sim->temperature, i, j, k) == 0.7f);
    billow_destroy(sim);
}

static void whole_cell_shift_is_exact(void **state)
{
    (void)state;
    BillowSim *sim = flow(24, 19, 16, BILLOW_REFLECTION, 3, -2, 1);
    fill_cells(sim, sim->density, speckle);
    advect_scalars(sim, dt);
    for (int k = 1; k < 16; k++)
        for (int j = 0; j < 17; j++)
            for (int i = 3; i < 24; i++)
                assert_true(at(sim, sim->density, i, j, k) ==
                            (float)speckle(i - 2.5, j + 2.5, k - 0.5));
    billow_destroy(sim);
}

/* Fields that have traded their memory are 0 beyond their last element, whatever the memory held
 * before. */
static void buffers_that_trade_stay_clean(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_REFLECTION; advection++) {
        BillowDef def = busy_def(3);
        def.params.advection = (BillowAdvection)advection;
        for (int side = 0; side < BILLOW_SIDES; side++)
            def.faces[side] = BILLOW_OPEN;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 7; s++)
            billow_step(sim, 1.0 / 60);
        float *const fields[] = {sim->velocity[0], sim->velocity[1], sim->velocity[2], sim->density,
                                 sim->temperature};
        const int axes[] = {0, 1, 2, -1, -1};
        const int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
        for (int f = 0; f < 5; f++)
            for (int k = -1; k <= n[2]; k++)
                for (int j = -1; j <= n[1]; j++)
                    for (int i = -1; i <= n[0]; i++) {
                        const int here[3] = {i, j, k};
                        bool owned = true;
                        for (int axis = 0; axis < 3; axis++)
                            owned = owned && here[axis] >= 0 &&
                                    here[axis] < n[axis] + (axis == axes[f]);
                        if (!owned && at(sim, fields[f], i, j, k) != 0)
                            fail_msg("field %d holds %g at (%d,%d,%d)", f,
                                     (double)at(sim, fields[f], i, j, k), i, j, k);
                    }
        for (int f = 3; f < 5; f++) /* their first ghosts follow the last plane of other fields */
            for (int j = -1; j <= n[1]; j++)
                for (int i = -1; i <= n[0]; i++)
                    assert_true(at(sim, sim->scratch.fields[f], i, j, -1) == 0);
        billow_destroy(sim);
    }
}

static void symmetric_scene_stays_symmetric(void **state)
{
    (void)state;
    assert_below(mirror_error(BILLOW_REFLECTION), 1e-3);
}

/* Interpolation does not conserve mass. The next step makes up for it, in the density as in its
 * colours: a turbulent closed box keeps both in the second after its emitter has stopped. */
static void mass_is_made_good(void **state)
{
    const BillowAdvection schemes[] = {BILLOW_SEMI_LAGRANGIAN, BILLOW_REFLECTION};
    (void)state;
    for (int s = 0; s < 2; s++) {
        BillowDef def = quiet_def(32, 32, 32, BILLOW_CLOSED);
        def.cell_size = 1.0f / 32;
        def.color = true;
        def.params.advection = schemes[s];
        def.params.buoyancy = billow_default_params().buoyancy;
        def.params.vorticity = 4;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].center[1] = 0.15f;
        def.emitters[0].size[0] = 0.12f;
        def.emitters[0].velocity[1] = 1;
        def.emitters[0].grip = 5;
        def.emitters[0].end = 0.5;
        BillowSim *sim = make(&def);
        for (int step = 0; step < 92; step++)
            billow_step(sim, 1.0 / 60);
        BillowStats stats = billow_stats(sim);
        assert_true(stats.mass_sources > 0 && stats.mass_outflow == 0);
        assert_below(fabs(stats.mass / stats.mass_sources - 1), 5e-3); /* of a single step */
        for (int c = 0; c < 3; c++)
            assert_below(fabs(stats.color[c] / stats.mass - 1), 1e-3);
        billow_destroy(sim);
    }
}

static void carried_so(BillowDef *def)
{
    def->params.advection = BILLOW_REFLECTION;
}

static void same_hash_everywhere(void **state)
{
    (void)state;
    assert_one_hash(carried_so);
}

/* The energy of the swirl that is left after a second. Without viscosity all of it should last. */
static double swirl_left(BillowAdvection advection, int steps)
{
    BillowDef def = quiet_def(32, 32, 8, BILLOW_CLOSED);
    def.params.advection = advection;
    def.params.tolerance = 1e-5f;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, swirl_x);
    fill_faces(sim, 1, swirl_y);
    billow_step(sim, 1e-9);
    double before = billow_stats(sim).kinetic_energy;
    for (int s = 0; s < steps; s++)
        billow_step(sim, 1.0 / steps);
    double left = billow_stats(sim).kinetic_energy / before;
    billow_destroy(sim);
    return left;
}

/* Reflection (step.c) makes steps second order in time. Steps of
 * a whole cell lose hardly more energy than steps of a quarter; with semi-Lagrangian advection
 * the loss grows with the step. */
static void swirl_lasts(void **state)
{
    (void)state;
    double fine = swirl_left(BILLOW_REFLECTION, 256), coarse = swirl_left(BILLOW_REFLECTION, 64),
           smooth = swirl_left(BILLOW_SEMI_LAGRANGIAN, 64);
    if (!(fabs(fine - 1) < 0.005 && fabs(coarse - 1) < 0.01 && smooth < 0.8))
        fail_msg("left: %g at 1/4 cell, %g at 1; semi-Lagrangian %g", fine, coarse, smooth);
}

static double warmer_above(double x, double y, double z)
{
    (void)x, (void)z;
    return 2 * y;
}

/* Air at rest, its weight borne by a pressure that the next step pushes with: no push without a
 * counterpart. */
static void borne_weight_moves_nothing(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 24, 17, BILLOW_CLOSED);
    def.params.advection = BILLOW_REFLECTION;
    def.params.buoyancy = 0.0335f;
    def.params.tolerance = 1e-6f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->temperature, warmer_above);
    for (int s = 0; s < 60; s++)
        billow_step(sim, 1.0 / 30);
    assert_below(billow_stats(sim).speed_max, 1e-4); /* a 40 m/s fall for those two seconds */
    billow_destroy(sim);
}

static void unknown_kinds_are_refused(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.params.advection = (BillowAdvection)(BILLOW_CONSERVATIVE_SMOOTH + 1);
    BillowError error = {""};
    assert_null(billow_create(&def, &error));
    assert_non_null(strstr(error.text, "advection"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_waves_converge),
        cmocka_unit_test(limiter_makes_no_extrema),
        cmocka_unit_test(walls_are_no_boundary),
        cmocka_unit_test(edges_stay_sharper),
        cmocka_unit_test(constant_and_rest_are_exact),
        cmocka_unit_test(whole_cell_shift_is_exact),
        cmocka_unit_test(buffers_that_trade_stay_clean),
        cmocka_unit_test(symmetric_scene_stays_symmetric),
        cmocka_unit_test(mass_is_made_good),
        cmocka_unit_test(same_hash_everywhere),
        cmocka_unit_test(swirl_lasts),
        cmocka_unit_test(borne_weight_moves_nothing),
        cmocka_unit_test(unknown_kinds_are_refused),
    };
    return cmocka_run_group_tests_name("reflection", tests, NULL, NULL);
}
