/* SPDX-License-Identifier: MIT
 * Buoyancy and vorticity confinement. */
#include "sim_fixture.h"

enum { N = 24 };

static void ambient_air_feels_nothing(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params = billow_default_params();
    BillowSim *sim = make(&def);
    forces_apply(sim, 0.1);
    assert_true(largest_velocity(sim) == 0);
    billow_destroy(sim);
}

static double warm_half(double x, double y, double z)
{
    return x + 0 * (y + z) < N / 2.0 ? 10 : 0;
}

/* dt * (beta T - alpha rho), upwards, and nothing sideways. */
static void buoyancy_is_what_it_says(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params.buoyancy = 0.03f;
    def.params.weight = 0.2f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->temperature, warm_half);
    forces_apply(sim, 0.1);
    assert_below(fabs((double)at(sim, sim->velocity[1], 3, 9, 9) - 0.1 * 0.03 * 10), 1e-7);
    assert_true(at(sim, sim->velocity[1], 20, 9, 9) == 0);
    memset(sim->velocity[1] + grid_row(&sim->grid, 0, 0), 0, sizeof(float) * N);
    fill_cells(sim, sim->density, warm_half);
    forces_apply(sim, 0.1);
    assert_below(fabs((double)at(sim, sim->velocity[1], 3, 9, 9) - 0.1 * 10 * (0.03 + 0.03 - 0.2)),
                 1e-6);
    assert_true(largest(sim, sim->velocity[0], (const int[3]){N + 1, N, N}) == 0);
    assert_true(largest(sim, sim->velocity[2], (const int[3]){N, N, N + 1}) == 0);
    billow_destroy(sim);
}

static double ten(double x, double y, double z)
{
    return 10 + 0 * (x + y + z);
}

/* A column of warm air between two open faces is lifted as a whole, at any resolution. */
static void buoyancy_lifts_open_faces_too(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 11, N, BILLOW_OPEN);
    def.params.buoyancy = 0.03f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->temperature, ten);
    forces_apply(sim, 0.1);
    for (int j = 0; j <= 11; j++)
        assert_below(fabs((double)at(sim, sim->velocity[1], 7, j, 7) - 0.1 * 0.03 * 10), 1e-7);
    billow_destroy(sim);
}

static double turn_u(double x, double y, double z)
{
    return 0 * (x + z) - (y - N / 2.0) * 0.4;
}

static double turn_v(double x, double y, double z)
{
    return 0 * (y + z) + (x - N / 2.0) * 0.4;
}

/* Solid-body rotation has one vorticity everywhere, hence no gradient of it: whatever direction the
 * rounding errors have, the force is a thousandth of what a real gradient would give. */
static void confinement_spares_solid_rotation(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params.vorticity = 10;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, turn_u);
    fill_faces(sim, 1, turn_v);
    double dt = 0.1, h = (double)def.cell_size, omega = 2 * 0.4 / h;
    double full = 10 * h * dt * omega, worst = 0;
    forces_apply(sim, dt);
    for (int k = 3; k < N - 3; k++)
        for (int j = 3; j < N - 3; j++)
            for (int i = 3; i < N - 3; i++) {
                double u = turn_u(i, j + 0.5, 0), v = turn_v(i + 0.5, j, 0);
                worst = fmax(worst, fabs((double)at(sim, sim->velocity[0], i, j, k) - u));
                worst = fmax(worst, fabs((double)at(sim, sim->velocity[1], i, j, k) - v));
            }
    assert_below(worst, 3e-3 * full);
    billow_destroy(sim);
}

static double vortex_r2(double x, double y)
{
    return ((x - N / 2.0) * (x - N / 2.0) + (y - N / 2.0) * (y - N / 2.0)) / 9;
}

static double vortex_u(double x, double y, double z)
{
    return 0 * z - (y - N / 2.0) * exp(-vortex_r2(x, y)) * 0.1;
}

static double vortex_v(double x, double y, double z)
{
    return 0 * z + (x - N / 2.0) * exp(-vortex_r2(x, y)) * 0.1;
}

/* N x omega against its definition, in double precision, at every cell of a Gaussian vortex: the
 * force must be tangential there and spin it up. */
static void confinement_spins_a_vortex_up(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
    def.params.vorticity = 5;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, vortex_u);
    fill_faces(sim, 1, vortex_v);
    double before = 0, after = 0;
    for (int pass = 0; pass < 2; pass++) {
        double spin = 0;
        for (int j = 8; j < 16; j++)
            for (int i = 8; i < 16; i++)
                spin += (i + 0.5 - N / 2.0) * (double)at(sim, sim->velocity[1], i, j, 9) -
                        (j + 0.5 - N / 2.0) * (double)at(sim, sim->velocity[0], i, j, 9);
        *(pass == 0 ? &before : &after) = spin;
        if (pass == 0)
            forces_apply(sim, 0.02);
    }
    assert_true(after > 1.02 * before && before > 0);
    /* Tangential: on the vortex's horizontal diameter, no force along x. */
    double u = ((double)at(sim, sim->velocity[0], 14, 11, 9) +
                (double)at(sim, sim->velocity[0], 14, 12, 9)) /
               2;
    assert_below(fabs(u), 1e-6);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ambient_air_feels_nothing),
        cmocka_unit_test(buoyancy_is_what_it_says),
        cmocka_unit_test(buoyancy_lifts_open_faces_too),
        cmocka_unit_test(confinement_spares_solid_rotation),
        cmocka_unit_test(confinement_spins_a_vortex_up),
    };
    return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
