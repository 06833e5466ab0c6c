/* SPDX-License-Identifier: MIT
 * Values that are not finite: refused before a step, found after it, and taken back in guarded
 * simulations. */
#include "sim/state.h"
#include "sim_fixture.h"

#include <stdlib.h>

static BillowDef guard_def(bool guarded)
{
    BillowDef def = billow_default_def();
    def.nx = 12;
    def.ny = 10;
    def.nz = 9;
    def.cell_size = 0.1f;
    def.threads = FEW_THREADS;
    def.guarded = guarded;
    def.fire = def.color = true;
    def.tracers = 20;
    def.texture_period = 1;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].tracers = 100;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].motion = BILLOW_FALLING;
    return def;
}

static BillowSim *developed(bool guarded)
{
    const BillowDef def = guard_def(guarded);
    BillowSim *sim = make(&def);
    for (int s = 0; s < 3; s++)
        assert_true(billow_step(sim, 1.0 / 60));
    assert_string_equal(billow_error(sim), "");
    return sim;
}

static void assert_told(const BillowSim *sim, const char *text)
{
    if (strstr(billow_error(sim), text) == NULL)
        fail_msg("'%s' lacks '%s'", billow_error(sim), text);
    assert_null(strchr(billow_error(sim), '\n'));
}

/* Values that a caller writes are checked before they are used. */
static void test_written_values_are_refused(void **state)
{
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    static const char *const names[] = {"u",           "v",    "w",       "density",
                                        "temperature", "fuel", "color[1]"};
    static const char *const values[] = {"nan", "inf", "-inf"};
    for (int guarded = 0; guarded < 2; guarded++)
        for (int field = 0; field < 7; field++) {
            BillowSim *sim = developed(guarded);
            const BillowStats before = billow_stats(sim);
            const BillowView view = billow_view(sim);
            const BillowFields f = billow_fields(sim);
            float *const all[] = {f.u, f.v, f.w, f.density, f.temperature, f.fuel, f.color[1]};
            float *at = &all[field][3 + 4 * view.stride_y + 5 * view.stride_z], good = *at;
            char told[80];
            *at = wrong[field % 3];
            uint64_t hash = billow_state_hash(sim);
            snprintf(told, sizeof told, "step 4 is not taken: %s is %s at cell (3, 4, 5)",
                     names[field], values[field % 3]);
            for (int again = 0; again < 2; again++) {
                assert_false(billow_step(sim, 1.0 / 60));
                assert_told(sim, told);
                assert_true(billow_state_hash(sim) == hash);
                assert_int_equal(billow_advance(sim, 0.02, 1.0 / 60, 1), 0);
                hash = billow_state_hash(sim); /* the clock's time was carried */
            }
            assert_true(billow_stats(sim).steps == before.steps);
            assert_true(billow_stats(sim).nonfinite > 0);
            *at = good;
            assert_true(billow_step(sim, 1.0 / 60));
            assert_string_equal(billow_error(sim), "");
            assert_true(billow_stats(sim).nonfinite == 0);
            assert_true(isfinite(billow_stats(sim).mass_sources));
            billow_destroy(sim);
        }
}

/* No value in range does this: a parameter is broken behind the library's back. */
static void test_a_guarded_step_is_taken_back(void **state)
{
    (void)state;
    BillowSim *sim = developed(true), *other = developed(false);
    const BillowEmitter brush = billow_default_emitter();
    assert_true(billow_emit(sim, &brush) && billow_emit(other, &brush));
    uint64_t hash = billow_state_hash(sim);
    assert_true(hash == billow_state_hash(other));
    const float good = sim->def.params.buoyancy;
    sim->def.params.buoyancy = NAN;
    assert_false(billow_step(sim, 1.0 / 60));
    assert_told(sim, "step 4 is taken back: v went to nan at cell (");
    assert_told(sim, ") in forces, substep 1");
    assert_true(billow_state_hash(sim) == hash);
    assert_true(billow_stats(sim).steps == 3 && billow_stats(sim).nonfinite == 0);
    sim->def.params.buoyancy = good;
    for (int s = 0; s < 3; s++) /* on as if nothing had been, the brush's smoke with it */
        assert_true(billow_step(sim, 1.0 / 60) && billow_step(other, 1.0 / 60));
    assert_true(billow_state_hash(sim) == billow_state_hash(other));
    billow_destroy(sim);
    billow_destroy(other);
}

static void test_stages_are_told_apart(void **state)
{
    (void)state;
    BillowSim *sim = developed(true);
    uint64_t hash = billow_state_hash(sim);
    sim->emitters[0].emitter.heat = NAN;
    assert_false(billow_step(sim, 1.0 / 60));
    assert_told(sim, "temperature went to nan at cell (");
    assert_told(sim, ") in sources, substep 1");
    sim->emitters[0].emitter.heat = 0;
    sim->def.params.cooling = NAN;
    assert_false(billow_step(sim, 1.0 / 60));
    assert_told(sim, "temperature went to nan at cell (0, 0, 0) in advect_scalars, substep 1");
    assert_true(billow_state_hash(sim) == hash);
    billow_destroy(sim);
}

static void test_an_unguarded_step_is_told(void **state)
{
    (void)state;
    BillowSim *sim = developed(false);
    sim->def.params.buoyancy = NAN;
    assert_false(billow_step(sim, 1.0 / 60));
    assert_told(sim, "step 4: u went to nan at cell (0, 0, 0)");
    assert_true(billow_stats(sim).nonfinite > 0);
    billow_reset(sim);
    assert_string_equal(billow_error(sim), "");
    sim->def.params.buoyancy = 0;
    assert_true(billow_step(sim, 1.0 / 60));
    assert_false(billow_step(sim, -1));
    assert_told(sim, "a step of -1 s; it must be more than 0 and at most 10000 s");
    billow_destroy(sim);
}

/* Each component of the velocity is finite, and its square is not. */
static void test_values_too_large_to_be_summed(void **state)
{
    (void)state;
    BillowSim *sim = developed(true);
    const BillowView view = billow_view(sim);
    ptrdiff_t at = 3 + 4 * view.wind_stride_y + 5 * view.wind_stride_z;
    billow_fields(sim).u[at] = 3e38f;
    assert_false(billow_step(sim, 1.0 / 60));
    assert_told(sim, "step 4 is not taken: values are too large or NaN");
    billow_destroy(sim);
}

/* Guarding changes no number, and takes the memory that it says. */
static void test_guarding_is_free_of_side_effects(void **state)
{
    (void)state;
    BillowSim *sim = developed(true), *other = developed(false);
    for (int s = 0; s < 10; s++)
        assert_true(billow_step(sim, 1.0 / 30) && billow_step(other, 1.0 / 30));
    assert_true(billow_state_hash(sim) == billow_state_hash(other));
    assert_true(state_bytes_most(&sim->def) >= billow_state_bytes(sim));
    size_t more = billow_bytes(sim) - billow_bytes(other);
    assert_true(more >= billow_state_bytes(sim) && more < 2 * billow_state_bytes(sim));
    billow_destroy(sim);
    billow_destroy(other);
}

/* States with such values in them are no states to go on from. */
static void test_broken_states_are_refused(void **state)
{
    (void)state;
    BillowSim *sim = developed(false);
    BillowError error = {""};
    size_t bytes = billow_state_bytes(sim);
    uint64_t hash = billow_state_hash(sim);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(sim, saved);
    memcpy(saved + bytes - 4000, &(float){NAN}, sizeof(float));
    assert_false(billow_load_state(sim, saved, bytes, &error));
    assert_non_null(strstr(error.text, "the state is damaged: its fields hold infinities"));
    assert_true(billow_state_hash(sim) == hash);
    free(saved);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_values_are_refused),
        cmocka_unit_test(test_a_guarded_step_is_taken_back),
        cmocka_unit_test(test_stages_are_told_apart),
        cmocka_unit_test(test_an_unguarded_step_is_told),
        cmocka_unit_test(test_values_too_large_to_be_summed),
        cmocka_unit_test(test_guarding_is_free_of_side_effects),
        cmocka_unit_test(test_broken_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
