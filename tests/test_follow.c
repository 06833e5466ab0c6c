/* SPDX-License-Identifier: MIT
 * Simulations that follow the smoke: they agree with simulations of the whole box, whatever the
 * number of threads, and continue from saved states to the same bits. */
#include "follow.h"
#include "sim_fixture.h"

#include <stdlib.h>

/* A plume in the middle of a box with open sides, which takes up a small part of it. */
static BillowDef plume_def(BillowDomain domain)
{
    BillowDef def = billow_default_def();
    def.nx = 48;
    def.ny = 80;
    def.nz = 56;
    def.cell_size = 1.0f / 32;
    def.threads = FEW_THREADS;
    def.domain = domain;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    def.emitter_count = 1;
    BillowEmitter *emitter = &def.emitters[0];
    *emitter = billow_default_emitter();
    emitter->center[0] = 0.75f;
    emitter->center[1] = 0.3f;
    emitter->center[2] = 0.875f;
    emitter->size[0] = 0.15f;
    emitter->noise = 1;
    return def;
}

static void run(BillowSim *sim, int steps)
{
    for (int s = 0; s < steps; s++)
        assert_true(billow_step(sim, 1.0 / 60));
}

static uint64_t hash_after(BillowDef def, int threads, int steps)
{
    def.threads = threads;
    BillowSim *sim = make(&def);
    run(sim, steps);
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    return hash;
}

static double share(const BillowSim *sim)
{
    double cells = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            cells += active_span(sim, ACTIVE_CELLS, j, k).end -
                     active_span(sim, ACTIVE_CELLS, j, k).begin;
    return cells / ((double)sim->grid.nx * sim->grid.ny * sim->grid.nz);
}

static double density_rms(const BillowSim *sim)
{
    double sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                sum += pow((double)at(sim, sim->density, i, j, k), 2);
    return sqrt(sum);
}

static double height(const BillowSim *sim)
{
    double sum = 0, moment = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++) {
                double density = (double)at(sim, sim->density, i, j, k);
                sum += density;
                moment += density * (j + 0.5);
            }
    return moment / sum;
}

static void check_agrees(BillowAdvection advection, bool windy)
{
    BillowDef box = plume_def(BILLOW_DOMAIN_BOX), follow = plume_def(BILLOW_DOMAIN_FOLLOW);
    box.params.advection = follow.params.advection = advection;
    BillowSim *all = make(&box), *some = make(&follow);
    if (windy) { /* a force that acts after some time, set after the creation, and a push */
        BillowForce wind = billow_default_force();
        wind.velocity[0] = 0.5f;
        wind.strength = 2;
        wind.start = 0.1;
        assert_true(billow_set_forces(all, &wind, 1, NULL));
        assert_true(billow_set_forces(some, &wind, 1, NULL));
        wind.start = 0;
        wind.velocity[2] = 1;
        assert_true(billow_push(all, &wind) && billow_push(some, &wind));
    }
    run(all, long_run(80));
    run(some, long_run(80));
    BillowStats a = billow_stats(all), b = billow_stats(some);
    assert_true(follows(some));
    assert_true(share(some) < 0.5);
    if (fabs(b.mass - a.mass) >= (windy ? 3e-3 : 1e-3) * a.mass)
        fail_msg("mass %g m3 instead of %g", b.mass, a.mass);
    assert_true(fabs(b.heat - a.heat) < (windy ? 3e-3 : 1e-3) * a.heat);
    if (fabs(b.kinetic_energy - a.kinetic_energy) >= (windy ? 0.03 : 0.01) * a.kinetic_energy)
        fail_msg("kinetic energy %g J instead of %g", b.kinetic_energy, a.kinetic_energy);
    if (fabs(height(some) - height(all)) >= (windy ? 0.3 : 0.1))
        fail_msg("the smoke's height is %g cells instead of %g", height(some), height(all));
    assert_true(fabs(density_rms(some) - density_rms(all)) < 0.01 * density_rms(all));
    assert_true(b.residual_relative < 1e-3);
    billow_destroy(all);
    billow_destroy(some);
}

static void test_follow_agrees_with_the_box(void **state)
{
    (void)state;
    check_agrees(BILLOW_SEMI_LAGRANGIAN, false);
    check_agrees(BILLOW_SEMI_LAGRANGIAN, true);
    check_agrees(BILLOW_MACCORMACK, false);
}

static void test_threads_do_not_change_the_hash(void **state)
{
    (void)state;
    static const int threads[] = {2, 3, 5, 8};
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    int steps = long_run(30);
    uint64_t one = hash_after(def, 1, steps);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
        assert_int_equal(hash_after(def, threads[t], steps), one);
}

/* Fields must be 0 beyond the band, because readers look there, and because cells that become
 * active rely on it. */
static void test_nothing_is_beyond_the_band(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    run(sim, long_run(40));
    sim->def.emitters[0].end = 0; /* the smoke thins out, and the active cells shrink */
    sim->def.params.dissipation = 3;
    run(sim, long_run(80));
    assert_true(follows(sim));
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields);
    for (int f = 0; f < count; f++) {
        bool packed = false; /* the first fields of scratch memory hold packed fields and rings */
        for (int s = 0; s < 3; s++)
            packed = packed || fields[f] == sim->scratch.fields[s];
        for (int k = 0; k < def.nz && !packed; k++)
            for (int j = 0; j < def.ny; j++) {
                Span band = active_span(sim, ACTIVE_BAND, j, k);
                for (int i = 0; i < def.nx; i++)
                    if (i < band.begin || i > band.end)
                        if (at(sim, fields[f], i, j, k) != 0.0f)
                            fail_msg("field %d is %g at (%d, %d, %d)", f,
                                     (double)at(sim, fields[f], i, j, k), i, j, k);
            }
    }
    billow_destroy(sim);
}

static void test_saved_states_continue_alike(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *whole_run = make(&def), *resumed = make(&def);
    BillowError error;
    run(whole_run, 21);
    size_t bytes = billow_state_bytes(whole_run);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(whole_run, saved);
    run(resumed, 33); /* must leave no trace */
    if (!billow_load_state(resumed, saved, bytes, &error))
        fail_msg("%s", error.text);
    assert_int_equal(billow_state_hash(resumed), billow_state_hash(whole_run));
    run(whole_run, 20);
    run(resumed, 20);
    assert_int_equal(billow_state_hash(resumed), billow_state_hash(whole_run));
    free(saved);
    billow_destroy(whole_run);
    billow_destroy(resumed);
}

/* The place of the active cells' spans in a saved state. */
static unsigned char *find_spans(const BillowSim *sim, unsigned char *saved, size_t bytes)
{
    int blocks;
    const Span *spans = follow_saved_spans(sim, true, &blocks);
    size_t size = (size_t)blocks * sizeof *spans;
    for (size_t at = 0; at + size <= bytes; at++)
        if (memcmp(saved + at, spans, size) == 0)
            return saved + at;
    fail_msg("%s", "the state does not hold the active cells");
    return NULL;
}

static void test_wrong_states_are_refused(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW), box = plume_def(BILLOW_DOMAIN_BOX), odd = def;
    BillowSim *sim = make(&def), *other = make(&box);
    BillowError error;
    run(sim, 3);
    size_t bytes = billow_state_bytes(sim);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(sim, saved);
    assert_false(billow_load_state(other, saved, bytes, &error));
    assert_string_equal(error.text, "the state was saved with solver.domain: follow");
    uint64_t hash = billow_state_hash(sim);
    find_spans(sim, saved, bytes)[1] = 0x7f; /* begins far outside of the box */
    assert_false(billow_load_state(sim, saved, bytes, &error));
    assert_string_equal(error.text, "the state is damaged: its active cells are out of range");
    assert_int_equal(billow_state_hash(sim), hash);
    odd.nz = 57;
    assert_null(billow_create(&odd, &error));
    assert_string_equal(error.text,
                        "a grid of 48x80x57; domain: follow needs even numbers of cells");
    free(saved);
    billow_destroy(sim);
    billow_destroy(other);
}

static void test_what_leaves_is_budgeted(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    def.emitters[0].end = 0.1;
    def.params.dissipation = def.params.cooling = 20;
    BillowSim *sim = make(&def);
    run(sim, 40);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.mass_cut > 0);
    double known = stats.mass_sources - stats.mass_outflow - stats.mass_dissipated -
                   stats.mass_cut + stats.mass_drift;
    assert_true(fabs(stats.mass - known) < 1e-9 * stats.mass_sources);
    billow_destroy(sim);
}

static void test_share_and_memory_are_reported(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    run(sim, 10);
    assert_true(share(sim) > 0 && share(sim) < 0.5);
    assert_true(billow_stats(sim).active_share == share(sim));
    size_t rest = sim->grid.field_floats * sizeof(float);
    for (int k = 0; k < sim->grid.nz; k++) {
        Span rows = active_rows(sim, ACTIVE_BAND, k);
        rest -= (size_t)(rows.end - rows.begin) * (size_t)sim->grid.stride_y * sizeof(float);
    }
    /* velocity, density, temperature, scratch, pressure */
    assert_int_equal(billow_bytes(sim) - billow_bytes_used(sim),
                     rest * (3 + 2 + SCRATCH_FIELDS_OPEN + 1));
    billow_fields(sim); /* makes all cells active */
    assert_int_equal(billow_bytes_used(sim), billow_bytes(sim));
    billow_destroy(sim);
    def.domain = BILLOW_DOMAIN_BOX;
    sim = make(&def);
    run(sim, 1);
    assert_true(billow_stats(sim).active_share == 1);
    assert_int_equal(billow_bytes_used(sim), billow_bytes(sim));
    billow_destroy(sim);
}

/* Written fields make all cells active, and are simulated like those of a box. */
static void test_written_fields_count(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    run(sim, 10);
    assert_true(follows(sim));
    BillowFields fields = billow_fields(sim);
    assert_false(follows(sim));
    fields.density[grid_row(&sim->grid, 70, 50) + 10] = 100;
    double before = billow_stats(sim).mass;
    run(sim, 9);
    assert_true(follows(sim));
    assert_true(billow_stats(sim).mass > before + 90 * pow((double)def.cell_size, 3));
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follow_agrees_with_the_box),
        cmocka_unit_test(test_threads_do_not_change_the_hash),
        cmocka_unit_test(test_nothing_is_beyond_the_band),
        cmocka_unit_test(test_saved_states_continue_alike),
        cmocka_unit_test(test_wrong_states_are_refused),
        cmocka_unit_test(test_what_leaves_is_budgeted),
        cmocka_unit_test(test_share_and_memory_are_reported),
        cmocka_unit_test(test_written_fields_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
