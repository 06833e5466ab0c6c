/* SPDX-License-Identifier: MIT
 * Smoke that is finer than the wind: what flows through its cells, amounts, and which cells take
 * part. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "hash_fixture.h"
#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"
#include "sim/pressure/project.h"
#include "sim/smoke/smoke_flow.h"

static const int cells[3] = {12, 14, 10};

static float smoke_at(const BillowSim *sim, const float *field, int i, int j, int k)
{
    return field[grid_row(&sim->smoke.grid, j, k) + i];
}

static double smoke_total(const BillowSim *sim, const float *field)
{
    double sum = 0;
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int j = 0; j < sim->smoke.grid.ny; j++)
            for (int i = 0; i < sim->smoke.grid.nx; i++)
                sum += (double)smoke_at(sim, field, i, j, k);
    return sum;
}

/* f at the centres of smoke cells, in wind cells. */
static void fill_smoke(BillowSim *sim, float *field, Function *f)
{
    const double h = 1.0 / sim->smoke.refine;
    sim->touched = true;
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int j = 0; j < sim->smoke.grid.ny; j++)
            for (int i = 0; i < sim->smoke.grid.nx; i++)
                field[grid_row(&sim->smoke.grid, j, k) + i] =
                    (float)f(h * (i + 0.5), h * (j + 0.5), h * (k + 0.5));
}

/* A swirling flow without divergence: projected noise. */
static BillowSim *swirling(BillowFace faces, int refine, BillowAdvection advection)
{
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], faces);
    def.params.advection = advection;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 40;
    def.params.cfl = 100;
    def.refine = refine;
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

/* Flow through the low face along `axis` of a smoke cell. */
static double flow(const Wind *wind, int axis, int i, int j, int k)
{
    float out[ROW_ALIGNMENT];
    if (axis == 0)
        smoke_flow_row(wind, i, j, k, 1, out);
    else
        smoke_flow_columns(wind, axis, (const int[3]){i, j, k}, 1, out);
    return (double)out[0];
}

/* Every smoke cell has the divergence of its wind cell, and through the smoke faces in a face of
 * the wind flows what flows through it. */
static void flow_keeps_its_divergence(void **state)
{
    (void)state;
    static const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_PERIODIC, BILLOW_OPEN};
    for (int run = 0; run < 9; run++) {
        const int r = 2 + run % 3;
        BillowSim *sim = swirling(kinds[run / 3], r, BILLOW_CONSERVATIVE);
        Wind wind = {sim, {sim->velocity[0], sim->velocity[1], sim->velocity[2]}, 64};
        const Grid *fine = &sim->smoke.grid;
        double most = 0;
        for (int k = 0; k < fine->nz; k++)
            for (int j = 0; j < fine->ny; j++)
                for (int i = 0; i < fine->nx; i++) {
                    double fine_flow = 0, wind_flow = 0;
                    const int cell[3] = {i, j, k}, own[3] = {i / r, j / r, k / r};
                    for (int axis = 0; axis < 3; axis++) {
                        int next[3] = {i, j, k}, beyond[3] = {own[0], own[1], own[2]};
                        next[axis]++;
                        beyond[axis]++;
                        fine_flow += flow(&wind, axis, next[0], next[1], next[2]) -
                                     flow(&wind, axis, cell[0], cell[1], cell[2]);
                        wind_flow +=
                            64 *
                            ((double)at(sim, sim->velocity[axis], beyond[0], beyond[1], beyond[2]) -
                             (double)at(sim, sim->velocity[axis], own[0], own[1], own[2]));
                    }
                    most = fmax(most, fabs(r * fine_flow - wind_flow));
                }
        assert_below(most, 2e-5);
        for (int axis = 0; axis < 3; axis++) {
            int first[3] = {3, 4, 5};
            double sum = 0;
            for (int q = 0; q < r * r; q++) {
                int face[3] = {first[0] * r, first[1] * r, first[2] * r};
                face[(axis + 1) % 3] += q % r;
                face[(axis + 2) % 3] += q / r;
                sum += flow(&wind, axis, face[0], face[1], face[2]) / (r * r);
            }
            assert_below(
                fabs(sum - 64 * (double)at(sim, sim->velocity[axis], first[0], first[1], first[2])),
                2e-6);
        }
        billow_destroy(sim);
    }
}

static double shear(double x, double y, double z)
{
    (void)x;
    return 0.3 + 0.05 * y - 0.02 * z;
}

/* A flow with linear profile is that at the faces of smoke cells, away from walls. */
static void linear_profiles_are_exact(void **state)
{
    (void)state;
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], BILLOW_PERIODIC);
    def.refine = 3;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, shear);
    Wind wind = {sim, {sim->velocity[0], sim->velocity[1], sim->velocity[2]}, 1};
    for (int k = 6; k < 20; k++)
        for (int j = 6; j < 30; j++)
            for (int i = 0; i <= 36; i++)
                assert_below(fabs(flow(&wind, 0, i, j, k) - shear(0, (j + 0.5) / 3, (k + 0.5) / 3)),
                             1e-6);
    billow_destroy(sim);
}

static double seven(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.7;
}

static double block(double x, double y, double z)
{
    return x > 3 && x < 7 && y > 2 && y < 6 && z > 3 && z < 7 ? 1 : 0;
}

static void uniform_smoke_stays_uniform(void **state)
{
    (void)state;
    for (int r = 1; r <= 4; r++) {
        BillowSim *sim = swirling(BILLOW_CLOSED, r, BILLOW_CONSERVATIVE);
        fill_smoke(sim, sim->density, seven);
        for (int s = 0; s < 6; s++)
            advect_scalars(sim, 2);
        for (int k = 0; k < sim->smoke.grid.nz; k++)
            for (int j = 0; j < sim->smoke.grid.ny; j++)
                for (int i = 0; i < sim->smoke.grid.nx; i++)
                    assert_below(fabs((double)smoke_at(sim, sim->density, i, j, k) - 0.7), 1e-4);
        billow_destroy(sim);
    }
}

static void amounts_are_kept(void **state)
{
    (void)state;
    for (int r = 1; r <= 4; r++)
        for (int wraps = 0; wraps < 2; wraps++) {
            BillowSim *sim =
                swirling(wraps ? BILLOW_PERIODIC : BILLOW_CLOSED, r, BILLOW_CONSERVATIVE);
            fill_smoke(sim, sim->density, block);
            double before = smoke_total(sim, sim->density);
            for (int s = 0; s < 20; s++)
                advect_scalars(sim, 1.5);
            assert_below(fabs(smoke_total(sim, sim->density) / before - 1), 3e-5);
            for (int k = 0; k < sim->smoke.grid.nz; k++)
                for (int j = 0; j < sim->smoke.grid.ny; j++)
                    for (int i = 0; i < sim->smoke.grid.nx; i++) {
                        float value = smoke_at(sim, sim->density, i, j, k);
                        assert_true(value >= 0.0f && value < 1.001f);
                    }
            billow_destroy(sim);
        }
}

/* Cells that take no part would hold nothing if they did. */
static void idle_cells_are_empty(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
         advection++)
        for (int r = 1; r <= 3; r += 2) {
            BillowDef def = busy_def(2);
            def.refine = r;
            def.fire = def.color = def.age = true;
            def.params.smoke_diffusion = def.params.heat_diffusion = 0; /* reaches everywhere */
            def.params.advection = (BillowAdvection)advection;
            BillowSim *sims[2] = {make(&def), make(&def)};
            billow_reset(sims[0]); /* no cell takes part */
            bool idle = false;
            for (int s = 0; s < 6; s++) {
                billow_step(sims[0], 1.0 / 60);
                billow_fields(sims[1]); /* all do */
                sims[1]->touched = false;
                billow_step(sims[1], 1.0 / 60);
                idle |= sims[0]->smoke.before[sims[0]->smoke.grid.nz] <
                        (int64_t)sims[0]->smoke.grid.nx * sims[0]->smoke.blocks *
                            sims[0]->smoke.grid.nz;
                assert_true(billow_state_hash(sims[0]) == billow_state_hash(sims[1]));
            }
            assert_true(idle);
            billow_destroy(sims[0]);
            billow_destroy(sims[1]);
        }
}

static void refine_2(BillowDef *def)
{
    def->refine = 2;
    def->params.smoke_diffusion = def->params.heat_diffusion = 0;
    def->params.advection = BILLOW_CONSERVATIVE;
    def->fire = def->color = true;
}

static void refine_3(BillowDef *def)
{
    def->refine = 3;
    def->params.smoke_diffusion = def->params.heat_diffusion = 0;
    def->params.advection = BILLOW_SEMI_LAGRANGIAN;
}

static void same_hash_everywhere(void **state)
{
    (void)state;
    assert_one_hash(refine_2);
    assert_one_hash(refine_3);
}

/* The mass that a plume releases and that a charge burns is there, whatever the grid of the smoke.
 */
static void budgets_balance(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE; advection++)
        for (int r = 1; r <= 3; r++) {
            BillowDef def = busy_def(2);
            def.refine = r;
            def.params.advection = (BillowAdvection)advection;
            def.params.smoke_diffusion = def.params.heat_diffusion = 0;
            def.params.tolerance = 1e-4f;
            def.params.cycles = 20;
            BillowSim *sim = make(&def);
            for (int s = 0; s < 30; s++)
                billow_step(sim, 1.0 / 60);
            BillowStats stats = billow_stats(sim);
            assert_true(stats.mass_sources > 0 && stats.nonfinite == 0);
            print_message(
                "advection %d refine %d: sources %g mass %g out %g dissipated %g drift %g\n",
                advection, r, stats.mass_sources, stats.mass, stats.mass_outflow,
                stats.mass_dissipated, stats.mass_drift);
            double limit = advection == BILLOW_CONSERVATIVE ? 1e-3 : 0.02;
            assert_below(fabs(stats.mass_drift), limit * stats.mass_sources);
            billow_destroy(sim);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_keeps_its_divergence),
        cmocka_unit_test(linear_profiles_are_exact),
        cmocka_unit_test(uniform_smoke_stays_uniform),
        cmocka_unit_test(amounts_are_kept),
        cmocka_unit_test(idle_cells_are_empty),
        cmocka_unit_test(same_hash_everywhere),
        cmocka_unit_test(budgets_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
