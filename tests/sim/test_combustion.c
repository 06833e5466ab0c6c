/* SPDX-License-Identifier: MIT
 * Fire: ignition, heat, soot, expansion, and the mass budget of the smoke. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

#include <stdlib.h>

static const int cells[3] = {16, 12, 20};

static BillowDef fire_def(BillowFace faces)
{
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], faces);
    def.fire = true;
    return def;
}

/* The busy plume, burning, with colours. */
static BillowDef busy_fire_def(int threads, BillowAdvection advection)
{
    BillowDef def = busy_def(threads);
    def.fire = def.color = true;
    def.params.advection = advection;
    def.params.radiation = 0.5f;
    def.params.burn_expansion = 2;
    def.params.ignition = 100;
    def.emitters[0].heat = 900;
    def.emitters[0].fuel = 6;
    return def;
}

static void fill_with(const BillowSim *sim, float *field, float value)
{
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                field[grid_row(&sim->grid, j, k) + i] = value;
}

static void assert_close(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.9g, expected %.9g", value, expected);
}

/* At the ignition's temperature it burns, just below it does not; F exp(-r t) whatever the steps.
 */
static void fuel_burns_from_ignition_on(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 25; steps *= 5) {
        BillowDef def = fire_def(BILLOW_CLOSED);
        def.params.ignition = 200;
        def.params.burn_rate = 3;
        def.params.burn_heat = 0;
        BillowSim *sim = make(&def);
        BillowFields fields = billow_fields(sim);
        fill_with(sim, fields.fuel, 0.7f);
        ptrdiff_t hot = grid_row(&sim->grid, 5, 6) + 7, warm = hot + 1;
        fields.temperature[hot] = 200;
        fields.temperature[warm] = nextafterf(200, 0);
        for (int s = 0; s < steps; s++)
            billow_step(sim, 0.5 / steps);
        BillowView view = billow_view(sim);
        assert_true(view.fuel[warm] == 0.7f && view.flame[warm] == 0.0f);
        assert_close((double)view.fuel[hot], (double)0.7f * exp(-1.5), 2e-6);
        double last = (double)0.7f * exp(-1.5) * expm1(1.5 / steps) * steps / 0.5;
        assert_close((double)view.flame[hot], last, 1e-5);
        assert_close((double)view.density[hot], (double)(0.7f - view.fuel[hot]), 2e-6);
        billow_destroy(sim);
    }
}

/* With a limit of richness fuel burns as dF/dt = -r F (1 - F/R), whatever the steps, and not at all
 * from R on. */
static void rich_fuel_lacks_air(void **state)
{
    (void)state;
    const double rate = 3, rich = 2, starts[3] = {0.7, 1.9, 2.5};
    for (int steps = 1; steps <= 25; steps *= 5)
        for (int s = 0; s < 3; s++) {
            BillowDef def = fire_def(BILLOW_CLOSED);
            def.params.ignition = 0;
            def.params.burn_rate = (float)rate;
            def.params.burn_rich = (float)rich;
            def.params.burn_heat = 0;
            BillowSim *sim = make(&def);
            fill_with(sim, billow_fields(sim).fuel, (float)starts[s]);
            for (int n = 0; n < steps; n++)
                billow_step(sim, 0.5 / steps);
            double odds = starts[s] / (rich - starts[s]) * exp(-0.5 * rate);
            double left = starts[s] < rich ? rich * odds / (1 + odds) : (double)(float)starts[s];
            assert_close((double)billow_view(sim).fuel[grid_row(&sim->grid, 5, 6) + 7], left, 4e-6);
            billow_destroy(sim);
        }
}

/* Burnt fuel gives burn_heat and burn_smoke per unit, in each cell and over the box. */
static void burning_gives_heat_and_smoke(void **state)
{
    (void)state;
    BillowDef def = fire_def(BILLOW_CLOSED);
    def.color = true;
    def.params.burn_smoke = 0.25f;
    BillowSim *sim = make(&def);
    BillowFields fields = billow_fields(sim);
    unsigned seed = 5;
    double heat = 0, fuel = 0;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
                heat += (double)(fields.temperature[at] = (float)(150 + 140 * scatter(&seed)));
                fuel += (double)(fields.fuel[at] = (float)fabs(scatter(&seed)));
            }
    double volume = pow(1.0 / 64, 3);
    for (int s = 0; s < 4; s++)
        billow_step(sim, 0.05);
    BillowStats stats = billow_stats(sim);
    double burnt = fuel * volume - stats.fuel;
    assert_true(burnt > 0.2 * fuel * volume && burnt < 0.9 * fuel * volume);
    assert_close(stats.heat - heat * volume, (double)def.params.burn_heat * burnt, 2e-6);
    assert_close(stats.mass, 0.25 * burnt, 2e-6);
    assert_close(stats.mass_sources, 0.25 * burnt, 2e-6);
    assert_true(stats.color[0] == 0); /* soot is black */
    billow_destroy(sim);
}

/* dT/dt = -c T - q T (T/1000)^3, integrated in small steps. */
static double cooled(double t, double c, double q, double seconds)
{
    const int steps = 200000;
    double dt = seconds / steps;
    for (int s = 0; s < steps; s++) {
        double middle = t - 0.5 * dt * (c * t + q * t * pow(1e-3 * t, 3));
        t -= dt * (c * middle + q * middle * pow(1e-3 * middle, 3));
    }
    return t;
}

static void radiation_follows_its_curve(void **state)
{
    (void)state;
    const float hot[5] = {5000, 1500, 300, 0, -200};
    for (int fire = 0; fire < 2; fire++)
        for (int cooling = 0; cooling < 2; cooling++)
            for (int steps = 1; steps <= 16; steps *= 4) {
                BillowDef def = fire_def(BILLOW_CLOSED);
                def.fire = fire == 1;
                def.params.radiation = 2;
                def.params.cooling = (float)cooling;
                BillowSim *sim = make(&def);
                BillowFields fields = billow_fields(sim);
                ptrdiff_t at = grid_row(&sim->grid, 3, 4);
                memcpy(fields.temperature + at, hot, sizeof hot);
                for (int s = 0; s < steps; s++)
                    billow_step(sim, 2.0 / steps);
                const float *now = billow_view(sim).temperature + at;
                for (int i = 0; i < 4; i++)
                    assert_close((double)now[i], cooled((double)hot[i], cooling, 2, 2), 4e-6);
                assert_close((double)now[4], -200 * exp(-2.0 * cooling), 1e-6);
                billow_destroy(sim);
            }
}

/* However long the step, hot gas ends between what it was and nothing. */
static void no_step_overshoots(void **state)
{
    (void)state;
    BillowDef def = fire_def(BILLOW_CLOSED);
    def.params.radiation = 1000;
    BillowSim *sim = make(&def);
    billow_fields(sim).temperature[0] = 1e6f;
    billow_step(sim, BILLOW_STEP_MAX);
    float left = billow_view(sim).temperature[0];
    assert_true(left > 0 && left < 10);
    billow_destroy(sim);
}

/* A hot, burning heap in the middle of the box. */
static void light_heap(BillowSim *sim)
{
    BillowFields fields = billow_fields(sim);
    for (int k = 8; k < 12; k++)
        for (int j = 4; j < 8; j++)
            for (int i = 5; i < 11; i++) {
                fields.fuel[grid_row(&sim->grid, j, k) + i] = 0.5f;
                fields.temperature[grid_row(&sim->grid, j, k) + i] = 400;
            }
}

static void expansion_leaves_the_box(void **state)
{
    (void)state;
    BillowDef def = fire_def(BILLOW_CLOSED);
    def.faces[BILLOW_CEILING] = def.faces[BILLOW_LEFT] = def.faces[BILLOW_FRONT] = BILLOW_OPEN;
    def.params.burn_expansion = 3;
    def.params.tolerance = 1e-5f;
    def.params.cycles = 50;
    BillowSim *sim = make(&def);
    light_heap(sim);
    billow_step(sim, 0.02);
    BillowStats stats = billow_stats(sim);
    double volume = 4 * 4 * 6 * pow(1.0 / 64, 3), burnt = 0.5 * -expm1(-4 * 0.02);
    assert_int_equal(stats.last_substeps, 1);
    assert_close(stats.expansion, 3 * burnt * volume / 0.02, 1e-5);
    assert_close(stats.outflow, stats.expansion, 1e-4);
    /* and cell by cell */
    double h = 1.0 / 64, asked = 3 * burnt / 0.02;
    const float *u = sim->velocity[0], *v = sim->velocity[1], *w = sim->velocity[2];
    double divergence =
        (double)(at(sim, u, 8, 6, 10) - at(sim, u, 7, 6, 10) + at(sim, v, 7, 7, 10) -
                 at(sim, v, 7, 6, 10) + at(sim, w, 7, 6, 11) - at(sim, w, 7, 6, 10)) /
        h;
    assert_close(divergence, asked, 1e-3);
    assert_below(stats.divergence_max, 1e-3 * asked);
    billow_destroy(sim);
}

/* Closed all round, with a ball in a corner or without: the mean over the fluid is taken off, the
 * projection converges, nothing leaves. */
static void closed_box_makes_room(void **state)
{
    (void)state;
    for (int balls = 0; balls < 2; balls++) {
        BillowDef def = fire_def(BILLOW_CLOSED);
        def.solids[0] = billow_default_solid();
        def.solids[0].size[0] = 4 * def.cell_size;
        memset(def.solids[0].center, 0, sizeof def.solids[0].center);
        def.solid_count = balls;
        def.params.burn_expansion = 3;
        def.params.tolerance = 1e-5f;
        def.params.cycles = 50;
        BillowSim *sim = make(&def);
        light_heap(sim);
        for (int s = 0; s < 5; s++)
            billow_step(sim, 0.02);
        BillowStats stats = billow_stats(sim);
        assert_true(stats.expansion > 1e-5 && stats.speed_max > 1e-3);
        assert_true(stats.outflow == 0 && stats.nonfinite == 0);
        assert_below(stats.residual_relative, 1e-4);
        billow_destroy(sim);
    }
}

static double soft_ball(double x, double y, double z)
{
    double r2 = (x - 18) * (x - 18) + (y - 17) * (y - 17) + (z - 16) * (z - 16);
    return exp(-r2 / (5.0 * 5.0));
}

/* Expanding gas keeps its smoke and fuel, which the flow spreads. The amounts equal those
 * without expansion; if they were not diluted, they would be up to 1.7 times as large. */
static void expansion_thins_smoke(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = quiet_def(36, 34, 32, BILLOW_OPEN);
        def.fire = true;
        def.params.advection = (BillowAdvection)advection;
        def.params.burn_smoke = 0.5f;
        BillowStats stats[2];
        for (int expanding = 0; expanding < 2; expanding++) {
            def.params.burn_expansion = expanding == 1 ? 3 : 0;
            BillowSim *sim = make(&def);
            BillowFields fields = billow_fields(sim);
            fill_cells(sim, fields.fuel, soft_ball);
            fill_cells(sim, fields.density, soft_ball);
            for (int k = 0; k < 32; k++)
                for (int j = 0; j < 34; j++)
                    for (int i = 0; i < 36; i++)
                        fields.temperature[grid_row(&sim->grid, j, k) + i] = 300;
            for (int s = 0; s < 5; s++)
                billow_step(sim, 0.01);
            stats[expanding] = billow_stats(sim);
            billow_destroy(sim);
        }
        assert_true(stats[1].density_max < 0.85 * stats[0].density_max);
        assert_close(stats[1].mass, stats[0].mass, 0.02);
        assert_close(stats[1].fuel, stats[0].fuel, 0.02);
        assert_below(fabs(stats[1].mass_drift), 0.02 * stats[0].mass);
    }
}

/* Without flow, the mass is the released mass less the dissipated mass. */
static void account_closes_without_flow(void **state)
{
    (void)state;
    for (int substeps = 1; substeps <= 3; substeps += 2) {
        BillowDef def = fire_def(BILLOW_OPEN);
        def.params.dissipation = 2;
        def.params.ignition = 10;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].fuel = 3;
        def.emitters[0].center[0] = def.emitters[0].center[2] = 0.12f;
        BillowSim *sim = make(&def);
        billow_fields(sim).density[5] = 2;
        for (int s = 0; s < 20; s++)
            billow_step(sim, 0.02);
        BillowStats stats = billow_stats(sim);
        assert_true(stats.mass_dissipated > 0.2 * stats.mass_sources);
        assert_true(stats.mass_outflow == 0);
        assert_below(fabs(stats.mass_drift), 1e-6 * stats.mass_sources);
        assert_close(stats.mass,
                     stats.mass_sources - stats.mass_outflow - stats.mass_dissipated +
                         stats.mass_drift,
                     1e-12);
        billow_destroy(sim);
    }
}

/* A steady wind blows a slab of smoke out of the box. The outflow equals the loss. */
static void outflow_is_what_left(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = quiet_def(32, 8, 8, BILLOW_CLOSED);
        def.faces[BILLOW_LEFT] = def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
        def.params.advection = (BillowAdvection)advection;
        def.params.dissipation = 0.5f;
        BillowSim *sim = make(&def);
        for (int step = 0; step < 60; step++) {
            BillowFields fields = billow_fields(sim);
            for (int k = 0; k < 8; k++)
                for (int j = 0; j < 8; j++)
                    for (int i = 0; i <= 32; i++) {
                        fields.u[grid_row(&sim->grid, j, k) + i] = 1;
                        if (step == 0 && i >= 12 && i < 20)
                            fields.density[grid_row(&sim->grid, j, k) + i] = 1;
                    }
            billow_step(sim, 1.0 / 100);
        }
        BillowStats stats = billow_stats(sim);
        double released = 8 * 8 * 8 * pow(1.0 / 64, 3);
        assert_close(stats.mass_sources, released, 1e-6);
        assert_true(stats.mass_outflow > 0.7 * released);
        assert_below(stats.mass, 0.02 * released);
        /* Limited cubics do not conserve. */
        assert_below(fabs(stats.mass_drift), (advection == 0 ? 1e-5 : 0.025) * released);
        billow_destroy(sim);
    }
}

static void fire_costs_nothing_where_unused(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = busy_def(2);
        def.params.advection = (BillowAdvection)advection;
        BillowDef cold = def;
        cold.fire = true; /* and no fuel anywhere: the same flow */
        BillowSim *plain = make(&def), *sim = make(&cold);
        for (int s = 0; s < 8; s++) {
            billow_step(plain, 1.0 / 30);
            billow_step(sim, 1.0 / 30);
        }
        double more = (double)(billow_bytes(sim) - billow_bytes(plain));
        assert_below(fabs(more / (2.0 * sizeof(float) * (double)sim->grid.field_floats) - 1), 0.1);
        assert_null(billow_view(plain).fuel);
        assert_null(billow_view(plain).flame);
        assert_null(billow_fields(plain).fuel);
        assert_true(billow_profile(plain).ms[BILLOW_STAGE_COMBUSTION] < 0.05);
        assert_true(billow_stats(sim).mass == billow_stats(plain).mass);
        assert_true(billow_stats(sim).kinetic_energy == billow_stats(plain).kinetic_energy);
        assert_true(billow_state_hash(sim) != billow_state_hash(plain));
        billow_destroy(plain);
        billow_destroy(sim);
    }
}

static uint64_t fire_hash(const BillowDef *def)
{
    BillowSim *sim = run_of(def, 2, 1.0 / 30);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.fuel > 0 && stats.expansion > 0 && stats.nonfinite == 0);
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    return hash;
}

static void reset_puts_fires_out(void **state)
{
    (void)state;
    BillowDef def = busy_fire_def(1, BILLOW_REFLECTION);
    BillowSim *sim = run_of(&def, 6, 1.0 / 30);
    assert_true(billow_stats(sim).temperature_max > 200);
    uint64_t hash = billow_state_hash(sim);
    billow_reset(sim);
    assert_true(largest(sim, sim->fuel, (const int[3]){25, 38, 21}) == 0);
    assert_true(largest(sim, sim->flame, (const int[3]){25, 38, 21}) == 0);
    for (int s = 0; s < 6; s++)
        billow_step(sim, 1.0 / 30);
    assert_int_equal(billow_state_hash(sim), hash);
    billow_destroy(sim);
}

static void same_with_any_threads_and_instructions(void **state)
{
    (void)state;
    for (int advection = 0; advection <= BILLOW_CONSERVATIVE; advection++) {
        BillowDef def = busy_fire_def(1, (BillowAdvection)advection);
        assert_one_hash_of(&def, fire_hash);
    }
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    BillowError error;
    BillowDef def = fire_def(BILLOW_OPEN);
    def.params.burn_heat = -1;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "parameter burn_heat is -1; it must lie between 0 and 100000");
    def = fire_def(BILLOW_OPEN);
    def.params.radiation = NAN;
    assert_null(billow_create(&def, &error));
    def = fire_def(BILLOW_OPEN);
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].fuel = 2e6f;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "emitters[0].fuel is 2e+06; it must lie between 0 and 1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuel_burns_from_ignition_on),
        cmocka_unit_test(rich_fuel_lacks_air),
        cmocka_unit_test(burning_gives_heat_and_smoke),
        cmocka_unit_test(radiation_follows_its_curve),
        cmocka_unit_test(no_step_overshoots),
        cmocka_unit_test(expansion_leaves_the_box),
        cmocka_unit_test(closed_box_makes_room),
        cmocka_unit_test(expansion_thins_smoke),
        cmocka_unit_test(account_closes_without_flow),
        cmocka_unit_test(outflow_is_what_left),
        cmocka_unit_test(fire_costs_nothing_where_unused),
        cmocka_unit_test(reset_puts_fires_out),
        cmocka_unit_test(same_with_any_threads_and_instructions),
        cmocka_unit_test(wrong_values_are_refused),
    };
    return cmocka_run_group_tests_name("combustion", tests, NULL, NULL);
}
