/* SPDX-License-Identifier: MIT
 * Smoke of several colours. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

#include <float.h>
#include <stdlib.h>

static const int cells[3] = {25, 38, 21};

static BillowDef colorful_def(int threads, BillowAdvection advection)
{
    BillowDef def = busy_def(threads);
    def.color = true;
    def.params.advection = advection;
    def.emitters[1] = def.emitters[0];
    def.emitters[1].center[0] = 0.5f;
    for (int c = 0; c < 3; c++) {
        def.emitters[0].color[c] = 0.25f * (float)c;
        def.emitters[1].color[c] = 1 - 0.3f * (float)c;
    }
    def.emitter_count = 2;
    return def;
}

static BillowSim *run_steps(const BillowDef *def, int steps)
{
    return run_of(def, steps, 1.0 / 30);
}

/* Largest |a - b| over the cells. */
static double difference(const BillowSim *sim, const float *a, const float *b)
{
    double worst = 0;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                worst = fmax(worst, fabs((double)(at(sim, a, i, j, k) - at(sim, b, i, j, k))));
    return worst;
}

/* Mass of a colour = rate x volume x time x its share, whatever the step. */
static void released_mass_is_rate_times_time(void **state)
{
    (void)state;
    const float color[3] = {1, 0.5f, 0.125f};
    for (int steps = 1; steps <= 16; steps *= 4) {
        BillowDef def = quiet_def(24, 20, 28, BILLOW_CLOSED);
        def.color = true;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].shape = BILLOW_BOX;
        for (int axis = 0; axis < 3; axis++) {
            def.emitters[0].center[axis] = 0.15f;
            def.emitters[0].size[axis] = 0.05f;
            def.emitters[0].color[axis] = color[axis];
        }
        BillowSim *sim = make(&def);
        for (int s = 0; s < steps; s++)
            billow_step(sim, 0.5 / steps);
        double expected = 6 * 0.5 * 0.1 * 0.1 * 0.1;
        assert_below(fabs(billow_stats(sim).mass - expected), 1e-5 * expected);
        for (int c = 0; c < 3; c++)
            assert_below(fabs(billow_stats(sim).color[c] - (double)color[c] * expected),
                         1e-5 * expected);
        billow_destroy(sim);
    }
}

/* Two sources in one place: the mean of their colours, each by its mass. */
static void colors_mix_by_mass(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_CLOSED);
    def.color = true;
    def.emitter_count = 2;
    for (int e = 0; e < 2; e++) {
        def.emitters[e] = billow_default_emitter();
        def.emitters[e].center[1] = def.emitters[e].center[0] = def.emitters[e].center[2] = 0.12f;
        def.emitters[e].smoke = e == 0 ? 3 : 1;
        for (int c = 0; c < 3; c++)
            def.emitters[e].color[c] = c == (e == 0 ? 0 : 2);
    }
    BillowSim *sim = run_steps(&def, 3);
    BillowView view = billow_view(sim);
    float density = at(sim, view.density, 7, 7, 7);
    assert_true(density > 0.3f);
    assert_below(fabs((double)(at(sim, view.color[0], 7, 7, 7) / density) - 0.75), 1e-6);
    assert_below((double)at(sim, view.color[1], 7, 7, 7), 0);
    assert_below(fabs((double)(at(sim, view.color[2], 7, 7, 7) / density) - 0.25), 1e-6);
    billow_destroy(sim);
}

/* Nothing happens to one that does not happen to the others: white stays white to the bit. */
static void white_smoke_stays_white(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = colorful_def(FEW_THREADS, (BillowAdvection)advection);
        for (int e = 0; e < 2; e++)
            for (int c = 0; c < 3; c++)
                def.emitters[e].color[c] = c == 2 ? 0.5f : 1;
        BillowSim *sim = run_steps(&def, 20);
        assert_true(billow_stats(sim).mass > 1e-3);
        assert_below(difference(sim, sim->color[0], sim->density), 0);
        assert_below(difference(sim, sim->color[1], sim->density), 0);
        assert_below(fabs(billow_stats(sim).color[2] / billow_stats(sim).mass - 0.5), 1e-6);
        billow_destroy(sim);
    }
}

/* Red and blue that add up to 1 add up to the density wherever the flow takes them. */
static void mixing_keeps_the_sum(void **state)
{
    (void)state;
    BillowDef def = colorful_def(FEW_THREADS, BILLOW_SEMI_LAGRANGIAN);
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            def.emitters[e].color[c] = c == 2 * e;
    enum { STEPS = 20 };
    BillowSim *sim = run_steps(&def, STEPS);
    double worst = 0, mixed = 0;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                double red = (double)at(sim, sim->color[0], i, j, k);
                double blue = (double)at(sim, sim->color[2], i, j, k);
                worst = fmax(worst, fabs(red + blue - (double)at(sim, sim->density, i, j, k)));
                mixed = fmax(mixed, fmin(red, blue));
            }
    /* each step rounds each of the three once */
    assert_below(worst, STEPS * (double)FLT_EPSILON * billow_stats(sim).density_max);
    assert_true(mixed > 0.01);
    billow_destroy(sim);
}

/* Without fluid.color there is no memory for colours. With it, the flow has the same bits. */
static void color_costs_nothing_where_unused(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = colorful_def(FEW_THREADS, (BillowAdvection)advection), plain = def;
        plain.color = false;
        BillowSim *sim = run_steps(&def, 10), *without = run_steps(&plain, 10);
        double more = (double)(billow_bytes(sim) - billow_bytes(without));
        assert_below(fabs(more / (3.0 * sizeof(float) * (double)sim->grid.field_floats) - 1), 0.1);
        assert_null(billow_view(without).color[0]);
        assert_null(billow_fields(without).color[2]);
        assert_below(difference(sim, sim->density, without->density), 0);
        assert_below(difference(sim, sim->temperature, without->temperature), 0);
        assert_below(difference(sim, sim->velocity[1], without->velocity[1]), 0);
        assert_true(billow_state_hash(sim) != billow_state_hash(without));
        billow_destroy(sim);
        billow_destroy(without);
    }
}

static uint64_t color_hash(const BillowDef *def)
{
    return hash_of_run(def, 2, 1.0 / 30);
}

static void same_with_any_threads_and_instructions(void **state)
{
    (void)state;
    for (int advection = 0; advection <= BILLOW_CONSERVATIVE; advection++) {
        BillowDef def = colorful_def(1, (BillowAdvection)advection);
        assert_one_hash_of(&def, color_hash);
    }
}

static void reset_clears(void **state)
{
    (void)state;
    BillowDef def = colorful_def(FEW_THREADS, BILLOW_REFLECTION);
    BillowSim *sim = make(&def);
    uint64_t fresh = billow_state_hash(sim);
    for (int s = 0; s < 3; s++)
        billow_step(sim, 1.0 / 30);
    uint64_t hash = billow_state_hash(sim);
    assert_true(hash != fresh);
    billow_reset(sim);
    assert_int_equal(billow_state_hash(sim), fresh);
    for (int s = 0; s < 3; s++)
        billow_step(sim, 1.0 / 30);
    assert_int_equal(billow_state_hash(sim), hash);
    billow_fields(sim).color[1][0] = NAN;
    billow_step(sim, 1e-3);
    assert_true(billow_stats(sim).nonfinite > 0);
    billow_destroy(sim);
}

static void wrong_colors_are_refused(void **state)
{
    (void)state;
    BillowDef def = colorful_def(1, BILLOW_SEMI_LAGRANGIAN);
    def.emitters[1].color[2] = 1.5f;
    BillowError error;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "emitters[1].color[2] is 1.5; it must lie between 0 and 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(released_mass_is_rate_times_time),
        cmocka_unit_test(colors_mix_by_mass),
        cmocka_unit_test(white_smoke_stays_white),
        cmocka_unit_test(mixing_keeps_the_sum),
        cmocka_unit_test(color_costs_nothing_where_unused),
        cmocka_unit_test(same_with_any_threads_and_instructions),
        cmocka_unit_test(reset_clears),
        cmocka_unit_test(wrong_colors_are_refused),
    };
    return cmocka_run_group_tests_name("color", tests, NULL, NULL);
}
