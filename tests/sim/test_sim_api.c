/* SPDX-License-Identifier: MIT
 * The public calls: definitions, refusals, two simulations at once, reset. Public header only. */
#include <billow/exchange.h>

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __unix__
#include <sys/wait.h>
#include <unistd.h>
#endif

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
    REFUSED(def.faces[BILLOW_FRONT] = (BillowFace)9, "faces.front is 9");
    REFUSED(def.params.vorticity = -1, "vorticity");
    REFUSED(def.params.viscosity = NAN, "viscosity");
    REFUSED(def.params.sweeps = 0, "sweeps");
    REFUSED(def.params.cycles = 0, "cycles");
    REFUSED(def.params.cycles = -1, "cycles");
    REFUSED(def.params.cycles = 1000000000, "cycles");
    REFUSED(def.params.tolerance = 0, "tolerance");
    REFUSED(def.params.tolerance = -1, "tolerance");
    REFUSED(def.params.tolerance = 2, "tolerance");
    REFUSED(def.params.tolerance = NAN, "tolerance");
    REFUSED(def.params.tolerance = INFINITY, "tolerance");
    REFUSED(def.params.pressure = (BillowPressure)7, "pressure");
    REFUSED(def.params.advection = (BillowAdvection)7, "advection");
    REFUSED(def.params.overrelaxation = 2, "overrelaxation");
    REFUSED(def.params.cfl = 0, "cfl");
    REFUSED(def.emitters[0].smoke = -1, "smoke");
    REFUSED(def.emitters[0].size[1] = -1, "size[1]");
    REFUSED(def.emitters[0].noise_scale = 0, "noise_scale");
    REFUSED(def.emitters[0].start = NAN, "start");
    REFUSED(def.emitters[0].shape = (BillowShape)(BILLOW_CONE + 1), "shape");
    REFUSED(def.emitters[0].shape = BILLOW_VOLUME,
            "emitters[0].shape is a volume, but there is no volume");
    REFUSED(def.emitters[0].rotation[0] = 1, "unit quaternion");
    REFUSED(def.emitters[0].rotation[3] = NAN, "unit quaternion");
    float distance[8] = {0};
    BillowVolume volume = {.nx = 2, .ny = 2, .nz = 1, .spacing = 1, .distance = distance};
    REFUSED((def.emitters[0].shape = BILLOW_VOLUME, def.emitters[0].volume = &volume),
            "volume.nz is 1");
}

static void too_large_is_refused_politely(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 2048;
    assert_true(billow_bytes_needed(&def) > 300e9);
    refused(&def, "a grid of 2048x2048x2048 has more cells than one field can index");
    def.nx = 9000;
    assert_true(billow_bytes_needed(&def) == 0);
}

/* A box of 1 m3 with no open face, and emitters of 1/64 m3 that make 1 m3/s and take as much. */
static BillowDef closed_def(void)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.faces[BILLOW_CEILING] = BILLOW_CLOSED;
    def.emitter_count = 2;
    for (int e = 0; e < 2; e++) {
        def.emitters[e] = billow_default_emitter();
        def.emitters[e].shape = BILLOW_BOX;
        for (int axis = 0; axis < 3; axis++) {
            def.emitters[e].center[axis] = e == 0 ? 0.25f : 0.75f;
            def.emitters[e].size[axis] = 0.125f;
        }
        def.emitters[e].expansion = e == 0 ? 64 : -64;
    }
    return def;
}

static void refused_as(const BillowDef *def, const char *message)
{
    BillowError error = {""};
    assert_null(billow_create(def, &error));
    assert_string_equal(error.text, message);
}

#define ALL_CLOSED "left, right, floor, ceiling, back and front are all closed, yet "

static void unbalanced_expansion_is_refused(void **state)
{
    (void)state;
    BillowDef def = closed_def();
    def.emitters[0].start = 2; /* until then the other is alone */
    refused_as(&def, "nothing can enter: " ALL_CLOSED "emitters[1].expansion takes away 1 m3/s "
                     "from 0 to 2 s; open a face or set it to 0");
    assert_int_equal(billow_unbalanced(&def, NULL), 1);
    def = closed_def();
    def.emitters[1].end = 0.5; /* from then on alone */
    refused_as(&def, "nothing can leave: " ALL_CLOSED "emitters[0].expansion makes 1 m3/s from "
                     "0.5 s on; open a face or set it to 0");
    def = closed_def();
    def.emitters[1].center[1] = 1; /* cut by the ceiling */
    def.emitters[1].end = 0.5;
    refused_as(&def, "nothing can leave: " ALL_CLOSED "the expansion of emitters 0 and 1 makes 0.5 "
                     "m3/s from 0 to 0.5 s; open a face or let it add up to 0");
    def = closed_def();
    def.emitters[1].expansion = -63.68f;
    refused_as(&def, "nothing can leave: " ALL_CLOSED "the expansion of emitters 0 and 1 makes "
                     "0.005 m3/s at all times; open a face or let it add up to 0");
    def = closed_def();
    def.emitters[1].noise = 1;
    refused_as(&def, "nothing can leave or enter: " ALL_CLOSED "the noise of emitters[1] lets its "
                     "expansion of -1 m3/s flicker at all times, which nothing balances; open a "
                     "face or set its noise to 0");
    def = closed_def();
    def.emitters[1].end = 0.5;
    def.emitters[1].every = 0.5; /* no pause, but who would count on it */
    refused_as(&def, "nothing can leave or enter: " ALL_CLOSED "the every of emitters[1] lets its "
                     "expansion of -1 m3/s flicker at all times, which nothing balances; open a "
                     "face or set its every to 0");
}

static void balanced_expansion_is_fine(void **state)
{
    (void)state;
    BillowDef defs[4];
    for (int d = 0; d < 4; d++)
        defs[d] = closed_def();
    defs[1].faces[BILLOW_BACK] = BILLOW_OPEN; /* anything goes */
    defs[1].emitters[1].expansion = 300;
    defs[2].emitters[0].center[0] = -5; /* neither reaches into the box */
    defs[2].emitters[1].center[2] = 20;
    for (int e = 0; e < 2; e++) { /* balls, which a grid sees differently at different places */
        defs[3].emitters[e].shape = BILLOW_SPHERE;
        defs[3].emitters[e].size[0] = 0.2f;
        defs[3].emitters[e].center[e] += 0.031f;
    }
    for (int d = 0; d < 4; d++) {
        BillowError error = {""};
        BillowSim *sim = billow_create(&defs[d], &error);
        if (sim == NULL)
            fail_msg("%s", error.text);
        assert_int_equal(billow_unbalanced(&defs[d], NULL), -1);
        billow_step(sim, 0.01);
        assert_true(billow_stats(sim).residual_relative < 2e-3);
        billow_destroy(sim);
    }
}

static void live_expansion_is_checked(void **state)
{
    (void)state;
    BillowDef def = closed_def();
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    BillowError error = {""};
    assert_false(billow_set_emitters(sim, def.emitters, 1, &error));
    assert_non_null(strstr(error.text, "emitters[0].expansion makes 1 m3/s at all times"));
    BillowEmitter blast = def.emitters[0];
    assert_false(billow_emit(sim, &blast));
    blast.expansion = 0;
    assert_true(billow_emit(sim, &blast));
    assert_true(billow_set_emitters(sim, def.emitters, 2, &error));
    billow_destroy(sim);
    def.faces[BILLOW_LEFT] = BILLOW_OPEN;
    sim = billow_create(&def, NULL);
    assert_non_null(sim);
    assert_true(billow_set_emitters(sim, def.emitters, 1, &error));
    assert_true(billow_emit(sim, &def.emitters[0]));
    billow_destroy(sim);
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
    assert_string_equal(error.text, "33 emitters; at most 32 are possible");
    assert_false(billow_set_solids(sim, NULL, 1, &error));
    assert_string_equal(error.text, "1 solids; this simulation has 0");
    assert_true(billow_set_emitters(sim, NULL, 0, &error));
    billow_step(sim, 0.01);
    assert_true(billow_stats(sim).mass == 0);
    billow_destroy(sim);
}

/* Two at once, stepped in turn, and one run again after a reset: one hash. */
static void simulations_are_independent(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.nx = 33; /* odd on every level */
    def.ny = 40;
    def.nz = 45;
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
    BillowDef def = busy_def(1);
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

/* Components that a list of fields counts; every field must have values and words. */
static int count_components(const BillowField *fields, int count, bool valued)
{
    int components = 0;
    for (int f = 0; f < count; f++) {
        assert_true(strlen(fields[f].name) > 3 && strlen(fields[f].meaning) > 3);
        assert_true(strlen(fields[f].unit) > 0);
        for (int a = 0; a < fields[f].arrays; a++)
            assert_true((fields[f].values[a] != NULL) == valued);
        components += fields[f].components;
    }
    return components;
}

static void fields_are_listed(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.fire = def.color = true;
    def.texture_period = 1;
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    BillowView view = billow_view(sim);
    BillowField fields[BILLOW_FIELDS_MAX], offered[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(&view, fields);
    assert_int_equal(count, billow_list_fields_of(&def, offered));
    int components = count_components(fields, count, true);
    assert_int_equal(components, count_components(offered, count, false));
    /* density, temperature, flame, fuel, pressure; velocity, colour, two sets of coordinates */
    assert_int_equal(components, 5 + 4 * 3 + (def.solid_count > 0 ? 1 : 0));
    for (int f = 0; f < count; f++) {
        assert_string_equal(fields[f].name, offered[f].name);
        billow_set_field(&view, &fields[f], NULL);
    }
    assert_true(view.density == NULL && view.color[2] == NULL && view.w == NULL);
    assert_int_equal(billow_list_fields(&view, offered), 0);
    billow_set_field(&view, &fields[0], fields[0].values);
    assert_true(view.density == fields[0].values[0]);
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
    assert_false(billow_step(sim, 1e-6));
    assert_int_equal(billow_stats(sim).nonfinite, 1);
    billow_destroy(sim);
}

/* A step of next to nothing leaves a pressure of rounding errors, which the next step must not take
 * for a start. */
static void tiny_steps_do_no_harm(void **state)
{
    (void)state;
    static const double tiny[] = {1e-300, 1e-45, 1e-20, 1e-16, 1e-12, 1e-9};
    for (int method = BILLOW_RELAXATION; method <= BILLOW_CONJUGATE_GRADIENTS; method++)
        for (size_t t = 0; t < sizeof tiny / sizeof tiny[0]; t++) {
            BillowDef def = busy_def(1);
            def.params.pressure = (BillowPressure)method;
            BillowSim *sim = billow_create(&def, NULL);
            assert_non_null(sim);
            for (int s = 0; s < 10; s++)
                billow_step(sim, 1.0 / 60);
            double speed = billow_stats(sim).speed_max;
            billow_step(sim, tiny[t]);
            billow_step(sim, 1.0 / 60);
            BillowStats stats = billow_stats(sim);
            assert_int_equal(stats.nonfinite, 0);
            assert_true(stats.speed_max < 2 * speed + 1);
            assert_true(method == BILLOW_RELAXATION ||
                        stats.residual_relative < (double)def.params.tolerance);
            billow_destroy(sim);
        }
}

static void set_all(BillowSim *sim, float value)
{
    BillowView view = billow_view(sim);
    BillowFields fields = billow_fields(sim);
    float *const each[5] = {fields.density, fields.temperature, fields.u, fields.v, fields.w};
    for (int f = 0; f < 5; f++)
        for (int k = 0; k < view.nz + (f == 4); k++)
            for (int j = 0; j < view.ny + (f == 3); j++)
                for (int i = 0; i < view.nx + (f == 2); i++)
                    each[f][i + j * view.stride_y + k * view.stride_z] = value;
}

/* After a caller repairs the fields, the simulation works with every method: nothing else keeps
 * NaN. */
static void not_a_number_does_not_stay(void **state)
{
    (void)state;
    for (int first = BILLOW_RELAXATION; first <= BILLOW_CONJUGATE_GRADIENTS; first++)
        for (int then = BILLOW_RELAXATION; then <= BILLOW_CONJUGATE_GRADIENTS; then++)
            for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
                 advection++) {
                BillowDef def = busy_def(1);
                def.nx = 17;
                def.ny = 12;
                def.nz = 25;
                def.faces[BILLOW_FRONT] = def.faces[BILLOW_BACK] = BILLOW_OPEN;
                def.params.pressure = (BillowPressure)first;
                def.params.advection = (BillowAdvection)advection;
                BillowSim *sim = billow_create(&def, NULL);
                assert_non_null(sim);
                for (int s = 0; s < 3; s++) {
                    set_all(sim, NAN);
                    assert_false(billow_step(sim, 1.0 / 60));
                    assert_true(billow_stats(sim).nonfinite > 0);
                }
                def.params.pressure = (BillowPressure)then;
                assert_true(billow_set_params(sim, &def.params, NULL));
                set_all(sim, 0);
                for (int k = 0; k <= def.nz; k++) /* inflow through the front */
                    billow_fields(sim).w[k * billow_view(sim).stride_z] = -20;
                for (int s = 0; s < 5; s++)
                    billow_step(sim, 1.0 / 60);
                assert_int_equal(billow_stats(sim).nonfinite, 0);
                assert_true(billow_stats(sim).divergence_max < 1e3);
                billow_destroy(sim);
            }
}

static void null_and_zero_are_refused(void **state)
{
    (void)state;
    const BillowDef zero = {0};
    const char *const none = "no definition is given; begin with that of billow_default_def";
    refused(NULL, none);
    refused(&zero, "must lie between");
    assert_null(billow_create(NULL, NULL));
    BillowError error = {""};
    assert_false(billow_check_faces(NULL, &error));
    assert_string_equal(error.text, none);
    assert_int_equal(billow_bytes_needed(NULL), 0);
    assert_int_equal(billow_bytes_needed(&zero), 0);
    assert_int_equal(billow_unbalanced(&zero, &error), -1);
    assert_int_equal(billow_buried(&zero, &error), -1);
    assert_int_equal(billow_shut(&zero, &error), -1);
    assert_int_equal(billow_notices(&zero, NULL, 0), 0);
}

static void null_lists_are_refused(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 8;
    def.solids[0] = billow_default_solid();
    def.solid_count = 1;
    BillowError error = {""};
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    uint64_t hash = billow_state_hash(sim);
    assert_false(billow_set_params(sim, NULL, &error));
    assert_string_equal(error.text, "no parameters are given; begin with those of billow_params");
    assert_false(billow_set_emitters(sim, NULL, 2, &error));
    assert_string_equal(error.text, "the list of 2 emitters is NULL");
    assert_false(billow_set_forces(sim, NULL, 3, &error));
    assert_string_equal(error.text, "the list of 3 forces is NULL");
    assert_false(billow_set_solids(sim, NULL, 1, &error));
    assert_string_equal(error.text, "the list of 1 solids is NULL");
    assert_false(billow_set_first_solids(sim, NULL, 1, &error));
    assert_true(billow_set_emitters(sim, NULL, 0, &error));
    assert_true(billow_set_forces(sim, NULL, 0, &error));
    assert_false(billow_emit(sim, NULL));
    assert_false(billow_push(sim, NULL));
    assert_false(billow_load_state(sim, NULL, 1000, &error));
    assert_string_equal(error.text, "these bytes are not a saved state");
    assert_true(billow_resample(sim, sim, &error));
    assert_null(billow_solid(sim, -1));
    assert_null(billow_solid(sim, 1));
    assert_true(billow_state_hash(sim) == hash);
    billow_destroy(sim);
}

static void exchanges_are_checked(void **state)
{
    (void)state;
    BillowDef def = billow_default_def(), wrong = {0};
    def.nx = def.ny = def.nz = 8;
    const BillowExchange tables[] = {
        {0}, {.ranks = 2, .rank = 2}, {.ranks = 2, .rank = -1}, {.ranks = 1, .rank = 1}};
    BillowError error = {""};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        assert_null(billow_create_exchanging(&def, &tables[t], &error));
        assert_non_null(strstr(error.text, "an exchange of rank"));
    }
    const BillowExchange silent = {.ranks = 2};
    assert_null(billow_create_exchanging(&def, &silent, &error));
    assert_string_equal(error.text, "an exchange among 2 ranks needs begin, finish and gather");
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    assert_false(billow_count_exchanges(sim, NULL, 2, &error));
    assert_false(billow_count_exchanges(sim, &wrong, 2, &error));
    assert_non_null(strstr(error.text, "must lie between"));
    assert_false(billow_count_exchanges(sim, &def, 0, &error));
    assert_string_equal(error.text, "0 ranks; there must be at least 1");
    billow_destroy(sim);
}

static void there_is_nothing_beyond_the_lists(void **state)
{
    (void)state;
    int count = 7;
    assert_null(billow_parameters(BILLOW_TABLES, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(billow_parameters((BillowTable)-1, &count));
    assert_int_equal(count, 0);
    assert_string_equal(billow_stage_name((BillowStage)-1), "");
    assert_string_equal(billow_pressure_name((BillowPressure)9), "");
    assert_null(billow_simd_known(-1));
    assert_null(billow_simd_known(1000));
}

#if !defined(NDEBUG) && defined(__unix__) && !defined(BILLOW_SANITIZED)
/* Whether a call ends a forked child by an assertion. */
#define STOPS(call)                                                                                \
    do {                                                                                           \
        int status = 0;                                                                            \
        pid_t child = fork();                                                                      \
        if (child == 0) {                                                                          \
            signal(SIGABRT, SIG_DFL);                                                              \
            freopen("/dev/null", "w", stderr);                                                     \
            call;                                                                                  \
            _exit(0);                                                                              \
        }                                                                                          \
        assert_true(waitpid(child, &status, 0) == child);                                          \
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);                           \
    } while (0)

static void null_simulations_stop_at_an_assertion(void **state)
{
    (void)state;
    STOPS(billow_step(NULL, 0.01));
    STOPS(billow_advance(NULL, 0.01, 0.01, 1));
    STOPS(billow_view(NULL));
    STOPS(billow_stats(NULL));
    STOPS(billow_profile(NULL));
    STOPS(billow_params(NULL));
    STOPS(billow_fields(NULL));
    STOPS(billow_reset(NULL));
    STOPS(billow_error(NULL));
    STOPS(billow_state_hash(NULL));
    STOPS(billow_state_bytes(NULL));
    STOPS(billow_load_state(NULL, NULL, 0, NULL));
    STOPS(billow_resample(NULL, NULL, NULL));
    STOPS(billow_set_emitters(NULL, NULL, 0, NULL));
    STOPS(billow_parameters(BILLOW_TABLE_DEF, NULL));
    STOPS(billow_unbalanced(NULL, NULL));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_accepted),
        cmocka_unit_test(null_and_zero_are_refused),
        cmocka_unit_test(null_lists_are_refused),
        cmocka_unit_test(exchanges_are_checked),
        cmocka_unit_test(there_is_nothing_beyond_the_lists),
#if !defined(NDEBUG) && defined(__unix__) && !defined(BILLOW_SANITIZED)
        cmocka_unit_test(null_simulations_stop_at_an_assertion),
#endif
        cmocka_unit_test(out_of_range_is_refused),
        cmocka_unit_test(too_large_is_refused_politely),
        cmocka_unit_test(unbalanced_expansion_is_refused),
        cmocka_unit_test(balanced_expansion_is_fine),
        cmocka_unit_test(live_expansion_is_checked),
        cmocka_unit_test(live_changes_are_checked),
        cmocka_unit_test(simulations_are_independent),
        cmocka_unit_test(tiny_steps_do_no_harm),
        cmocka_unit_test(not_a_number_does_not_stay),
        cmocka_unit_test(nonsense_steps_do_nothing),
        cmocka_unit_test(view_profile_and_names_make_sense),
        cmocka_unit_test(fields_are_listed),
        cmocka_unit_test(nonfinite_values_are_counted),
    };
    return cmocka_run_group_tests_name("sim_api", tests, NULL, NULL);
}
