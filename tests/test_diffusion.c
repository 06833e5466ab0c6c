/* SPDX-License-Identifier: MIT
 * Implicit viscosity and diffusion. */
#include "sim_fixture.h"

enum { N = 24 };

/* cos(pi x / L) has no gradient at the walls: the gravest mode along x of an insulated box. */
static double cosine(double x, double y, double z)
{
    return cos(PI * x / N) + 0 * (y + z);
}

/* One implicit step divides a mode by 1 + a*lambda, lambda = 2 - 2 cos(pi/N) the discrete k2 h2. */
static void cosine_mode_decays_as_it_should(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 3000;
    double h = (double)def.cell_size, a = 2.5, step = 0.01;
    def.params.smoke_diffusion = (float)(a * h * h / step);
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->density, cosine);
    diffuse_scalars(sim, step);
    double factor = 1 / (1 + a * (2 - 2 * cos(PI / N)));
    for (int i = 0; i < N; i++)
        assert_below(fabs((double)at(sim, sim->density, i, 3, 3) - factor * cosine(i + 0.5, 0, 0)),
                     2e-5);
    billow_destroy(sim);
}

/* A shear flow v(x), tangential at the x walls, decays the same way; sin modes with walls' normal
 * velocity 0 likewise. */
static double sine(double x, double y, double z)
{
    return sin(PI * x / N) + 0 * (y + z);
}

static void velocity_modes_decay(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 3000;
    double h = (double)def.cell_size, a = 1.5, step = 0.01;
    def.params.viscosity = (float)(a * h * h / step);
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, sine);
    fill_faces(sim, 2, cosine);
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < N; i++)
            sim->velocity[2][grid_row(&sim->grid, j, 0) + i] =
                sim->velocity[2][grid_row(&sim->grid, j, 8) + i] =
                    0.5f * (float)cosine(i + 0.5, 0, 0); /* given on its own walls */
    diffuse_velocity(sim, step);
    double factor = 1 / (1 + a * (2 - 2 * cos(PI / N)));
    for (int i = 0; i <= N; i++)
        assert_below(fabs((double)at(sim, sim->velocity[0], i, 4, 4) - factor * sine(i, 0, 0)),
                     2e-5);
    assert_true(at(sim, sim->velocity[2], 0, 4, 0) == 0.5f * (float)cosine(0.5, 0, 0));
    assert_true(at(sim, sim->velocity[2], 0, 4, 1) > at(sim, sim->velocity[2], 0, 4, 0));
    assert_true(at(sim, sim->velocity[2], 0, 4, 1) < at(sim, sim->velocity[2], 0, 4, 4));
    billow_destroy(sim);
}

static double speckle(double x, double y, double z)
{
    unsigned state = (unsigned)(x + 37 * y + 1009 * z);
    scatter(&state);
    return scatter(&state);
}

static void stable_at_any_size(void **state)
{
    (void)state;
    for (double a = 1e-3; a < 2e6; a *= 10) {
        BillowDef def = quiet_def(N, 9, 11, BILLOW_CLOSED);
        double h = (double)def.cell_size, step = a >= 1e4 ? 100 : 1;
        def.params.smoke_diffusion = (float)(a * h * h / step);
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->density, speckle);
        for (int s = 0; s < 5; s++)
            diffuse_scalars(sim, step);
        assert_below(largest(sim, sim->density, (const int[3]){N, 9, 11}), 1.0);
        billow_destroy(sim);
    }
}

static double total(const BillowSim *sim)
{
    double sum = 0;
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 9; j++)
            for (int i = 0; i < N; i++)
                sum += (double)at(sim, sim->density, i, j, k);
    return sum;
}

static void closed_box_keeps_its_mass(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 500;
    def.params.smoke_diffusion = 0.01f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->density, speckle);
    double before = total(sim);
    diffuse_scalars(sim, 0.05);
    assert_below(fabs(total(sim) - before), 1e-3);
    assert_below(largest(sim, sim->density, (const int[3]){N, 9, 8}), 0.5); /* it did something */
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosine_mode_decays_as_it_should),
        cmocka_unit_test(velocity_modes_decay),
        cmocka_unit_test(stable_at_any_size),
        cmocka_unit_test(closed_box_keeps_its_mass),
    };
    return cmocka_run_group_tests_name("diffusion", tests, NULL, NULL);
}
