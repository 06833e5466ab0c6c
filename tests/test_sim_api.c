/* SPDX-License-Identifier: MIT
 * The public calls: definitions, refusals, two simulations at once, reset. Public header only. */
#include <billow/billow.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plume_fixture.h"

static void defaults_are_accepted(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 8;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    BillowError error = {"untouched"};
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    assert_string_equal(error.text, "untouched");
    assert_true(billow_bytes(sim) == billow_bytes_needed(&def));
    assert_true(billow_threads(sim) >= 1);
    billow_destroy(sim);
    billow_destroy(NULL);
}

static void refused(const BillowDef *def, const char *word)
{
    BillowError error = {""};
    assert_null(billow_create(def, &error));
    if (strstr(error.text, word) == NULL)
        fail_msg("\"%s\" does not name %s", error.text, word);
}

#define REFUSED(change, word)                                                                      \
    do {                                                                                           \
        BillowDef def = billow_default_def();                                                      \
        def.emitter_count = 1;                                                                     \
        def.emitters[0] = billow_default_emitter();                                                \
        change;                                                                                    \
        refused(&def, word);                                                                       \
    } while (0)

static void out_of_range_is_refused(void **state)
{
    (void)state;
    REFUSED(def.nx = 7, "nx");
    REFUSED(def.ny = 0, "ny");
    REFUSED(def.nz = 100000, "nz");
    REFUSED(def.cell_size = 0, "cell_size");
    REFUSED(def.cell_size = NAN, "cell_size");
    REFUSED(def.origin[1] = INFINITY, "origin[1]");
    REFUSED(def.threads = -1, "threads");
    REFUSED(def.emitter_count = BILLOW_EMITTERS_MAX + 1, "emitter_count");
    REFUSED(def.faces[BILLOW_FRONT] = (BillowFace)9, "face 5");
    REFUSED(def.params.vorticity = -1, "vorticity");
    REFUSED(def.params.viscosity = NAN, "viscosity");
    REFUSED(def.params.sweeps = 0, "sweeps");
    REFUSED(def.params.overrelaxation = 2, "overrelaxation");
    REFUSED(def.params.cfl = 0, "cfl");
    REFUSED(def.emitters[0].smoke = -1, "smoke");
    REFUSED(def.emitters[0].size[1] = -1, "size[1]");
    REFUSED(def.emitters[0].noise_scale = 0, "noise_scale");
    REFUSED(def.emitters[0].start = NAN, "start");
    REFUSED(def.emitters[0].shape = (BillowShape)7, "shape");
}

static void too_large_is_refused_politely(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 2048;
    assert_true(billow_bytes_needed(&def) > 400e9);
    refused(&def, "2048x2048x2048");
    def.nx = 9000;
    assert_true(billow_bytes_needed(&def) == 0);
}

static void live_changes_are_checked(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    BillowParams params = billow_params(sim);
    params.vorticity = 11;
    assert_true(billow_set_params(sim, &params, NULL));
    params.vorticity = 1e9f;
    BillowError error = {""};
    assert_false(billow_set_params(sim, &params, &error));
    assert_non_null(strstr(error.text, "vorticity"));
    assert_true(billow_params(sim).vorticity == 11);
    BillowEmitter bad = billow_default_emitter();
    bad.grip = -1;
    assert_false(billow_set_emitters(sim, &bad, 1, &error));
    assert_false(billow_set_emitters(sim, &bad, BILLOW_EMITTERS_MAX + 1, &error));
    assert_true(billow_set_emitters(sim, NULL, 0, &error));
    billow_step(sim, 0.01);
    assert_true(billow_stats(sim).mass == 0);
    billow_destroy(sim);
}

/* Two at once, stepped in turn, and one run again after a reset: one hash. */
static void simulations_are_independent(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    BillowSim *a = billow_create(&def, NULL), *b = billow_create(&def, NULL);
    assert_true(a != NULL && b != NULL);
    uint64_t fresh = billow_state_hash(a);
    for (int s = 0; s < 5; s++) {
        billow_step(a, 1.0 / 60);
        billow_step(b, 1.0 / 60);
    }
    uint64_t five = billow_state_hash(a);
    assert_true(billow_state_hash(b) == five && five != fresh);
    billow_reset(a);
    assert_true(billow_state_hash(a) == fresh);
    for (int s = 0; s < 5; s++)
        billow_step(a, 1.0 / 60);
    assert_true(billow_state_hash(a) == five);
    billow_destroy(a);
    billow_destroy(b);
}

static void nonsense_steps_do_nothing(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    uint64_t fresh = billow_state_hash(sim);
    const double lengths[] = {0, -1, NAN, INFINITY, -INFINITY, 1e10};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
        billow_step(sim, lengths[l]);
    assert_true(billow_state_hash(sim) == fresh);
    billow_destroy(sim);
}

static void view_profile_and_names_make_sense(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    billow_step(sim, 1.0 / 60);
    BillowView view = billow_view(sim);
    assert_true(view.nx == def.nx && view.stride_y >= view.nx + 2);
    assert_true(view.stride_z >= view.stride_y * (view.ny + 2) && view.time > 0);
    double mass = 0;
    for (int k = 0; k < view.nz; k++)
        for (int j = 0; j < view.ny; j++)
            for (int i = 0; i < view.nx; i++)
                mass += (double)view.density[i + j * view.stride_y + k * view.stride_z];
    mass *= pow((double)view.cell_size, 3);
    assert_true(fabs(mass - billow_stats(sim).mass) < 1e-9);
    BillowProfile profile = billow_profile(sim);
    double sum = 0;
    for (int stage = 0; stage < BILLOW_STAGES; stage++) {
        sum += profile.ms[stage];
        assert_true(strlen(billow_stage_name((BillowStage)stage)) > 3);
    }
    assert_true(sum > 0.5 * profile.total_ms && sum <= profile.total_ms * 1.001);
    assert_true(profile.bytes > 0);
    assert_string_equal(billow_stage_name(BILLOW_STAGES), "");
    billow_destroy(sim);
}

/* A NaN that a user writes is counted, not hidden. */
static void nonfinite_values_are_counted(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    BillowView view = billow_view(sim);
    billow_fields(sim).temperature[5 + 5 * view.stride_y + 5 * view.stride_z] = NAN;
    billow_step(sim, 1e-6);
    assert_true(billow_stats(sim).nonfinite > 0);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_accepted),
        cmocka_unit_test(out_of_range_is_refused),
        cmocka_unit_test(too_large_is_refused_politely),
        cmocka_unit_test(live_changes_are_checked),
        cmocka_unit_test(simulations_are_independent),
        cmocka_unit_test(nonsense_steps_do_nothing),
        cmocka_unit_test(view_profile_and_names_make_sense),
        cmocka_unit_test(nonfinite_values_are_counted),
    };
    return cmocka_run_group_tests_name("sim_api", tests, NULL, NULL);
}
