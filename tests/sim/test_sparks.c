/* SPDX-License-Identifier: MIT
 * Sparks: tracers with inertia and weight. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "sim/sim.h"

#include <stdlib.h>

enum { COUNT = 2000 };

static const double GRAVITY = 9.81;

static BillowDef spark_def(BillowFace faces)
{
    BillowDef def = quiet_def(24, 64, 24, faces);
    def.tracers = COUNT;
    def.tracer_lag = 0.05f;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].smoke = def.emitters[0].heat = 0;
    def.emitters[0].center[0] = def.emitters[0].center[2] = 12 / 64.0f;
    def.emitters[0].center[1] = 0.8f;
    def.emitters[0].tracers = 30000;
    def.emitters[0].end = 0.02;
    return def;
}

static int living(const BillowSim *sim)
{
    int count = 0;
    for (int t = 0; t < sim->def.tracers; t++)
        count += sim->tracers.age[t] >= 0;
    return count;
}

/* Released without speed in still gas they fall by the closed form, whatever the substep; with a
 * wind they approach its velocity. */
static void they_fall_as_the_closed_form(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 16; steps *= 4) {
        BillowDef def = spark_def(BILLOW_CLOSED);
        BillowSim *sim = make(&def);
        static float before[COUNT];
        tracers_advect(sim, 0.02);
        sim->time = 1; /* after the emitter's end */
        memcpy(before, sim->tracers.place[1], sizeof before);
        int count = living(sim);
        assert_true(count > 500 && count <= 600);
        double t = 0.1, lag = (double)def.tracer_lag, final = -GRAVITY * lag;
        double path = final * (t + lag * expm1(-t / lag)), speed = -final * expm1(-t / lag);
        for (int s = 0; s < steps; s++)
            tracers_advect(sim, t / steps);
        for (int n = 0; n < COUNT; n++) {
            if (sim->tracers.age[n] < 0)
                continue;
            assert_below(fabs((double)(sim->tracers.place[1][n] - before[n]) - path), 1e-6);
            assert_below(fabs((double)sim->tracers.velocity[1][n] - speed), 1e-6);
            assert_true(sim->tracers.velocity[0][n] == 0.0f);
        }
        billow_destroy(sim);
    }
}

static double wind(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.5;
}

static void drag_brings_them_to_the_wind(void **state)
{
    (void)state;
    BillowDef def = spark_def(BILLOW_PERIODIC);
    BillowSim *sim = make(&def);
    tracers_advect(sim, 0.02);
    sim->time = 1;
    fill_faces(sim, 2, wind);
    for (int s = 0; s < 4; s++)
        tracers_advect(sim, 0.0125); /* one response time */
    for (int n = 0; n < COUNT; n++)
        if (sim->tracers.age[n] >= 0)
            assert_below(fabs((double)sim->tracers.velocity[2][n] + 0.5 * expm1(-1)), 1e-6);
    billow_destroy(sim);
}

/* They leave in all directions, at most at tracer_speed, and end between 0.3 and 1 times
 * tracer_life. */
static void speed_and_life_are_spread(void **state)
{
    (void)state;
    BillowDef def = spark_def(BILLOW_CLOSED);
    def.params.tracer_speed = 2;
    def.params.tracer_life = 0.5f;
    BillowSim *sim = make(&def);
    tracers_advect(sim, 0.02);
    sim->time = 1;
    double mean[3] = {0, 0, 0}, fastest = 0, shortest = 1, longest = 0;
    int count = living(sim);
    for (int n = 0; n < count; n++) {
        double squared = 0, life = (double)sim->tracers.life[n];
        for (int axis = 0; axis < 3; axis++) {
            double v = (double)sim->tracers.velocity[axis][n];
            mean[axis] += v / count;
            squared += v * v;
        }
        fastest = fmax(fastest, sqrt(squared));
        shortest = fmin(shortest, life);
        longest = fmax(longest, life);
    }
    assert_true(fastest > 1.9 && fastest <= 2.000001);
    assert_true(shortest >= 0.15 && shortest < 0.16 && longest > 0.49 && longest <= 0.5);
    for (int axis = 0; axis < 3; axis++)
        assert_below(fabs(mean[axis]), 0.12); /* 3 standard deviations of a mean of 600 */
    tracers_advect(sim, 0.1);
    assert_int_equal(living(sim), count);
    tracers_advect(sim, 0.225); /* half of them have ended: the middle of 0.15 .. 0.5 s */
    assert_true(abs(living(sim) - count / 2) < 60);
    tracers_advect(sim, 0.2);
    assert_int_equal(living(sim), 0);
    billow_destroy(sim);
}

/* Floor and solids throw them back; none gets into a solid or out of the box. */
static void they_bounce(void **state)
{
    (void)state;
    for (int ball = 0; ball < 2; ball++) {
        BillowDef def = spark_def(BILLOW_CLOSED);
        def.tracer_lag = 1;
        def.params.tracer_speed = 1;
        def.solid_count = ball;
        def.solids[0] = billow_default_solid();
        def.solids[0].center[0] = def.solids[0].center[2] = 12 / 64.0f;
        def.solids[0].center[1] = 0.3f;
        def.solids[0].size[0] = 0.12f;
        BillowSim *sim = make(&def);
        tracers_advect(sim, 0.02);
        sim->time = 1;
        int count = living(sim), rising = 0;
        for (int s = 0; s < 150; s++) {
            tracers_advect(sim, 1.0 / 100);
            for (int n = 0; n < count; n++) {
                float cell[3];
                rising += sim->tracers.velocity[1][n] > 0.5f && s > 20;
                for (int axis = 0; axis < 3; axis++) {
                    cell[axis] = sim->tracers.place[axis][n] * 64;
                    assert_in_range((long)floorf(cell[axis] * 16), 0, 16 * (axis == 1 ? 64 : 24));
                }
                assert_true(!ball || solids_distance_at(sim, cell) > -0.01f);
            }
        }
        assert_int_equal(living(sim), count);
        assert_true(rising > count); /* thrown up again */
        double height = 0;
        for (int n = 0; n < count; n++)
            height += (double)sim->tracers.place[1][n] / count;
        assert_below(height, 0.1); /* and come to rest */
        billow_destroy(sim);
    }
}

static BillowDef burning_def(void)
{
    BillowDef def = busy_def(1);
    def.fire = true;
    def.tracers = 5003;
    def.tracer_lag = 0.1f;
    def.params.ignition = 0;
    def.params.tracer_life = 0.4f;
    def.params.tracer_speed = 1;
    def.params.tracer_sparks = 2e7f;
    def.emitters[0].fuel = 5;
    return def;
}

/* Burning fuel releases tracer_sparks per unit and cubic metre, where it burns. */
static void burning_releases_them(void **state)
{
    (void)state;
    BillowDef def = burning_def();
    def.params.tracer_speed = 0;
    def.params.tracer_life = 0;
    def.tracers = 200000;
    BillowSim *sim = make(&def);
    double due = 0, h = (double)def.cell_size;
    int steps = 6, planes = 0;
    for (int s = 0; s < steps; s++) {
        uint64_t before = sim->tracers.born, substeps = sim->stats.substeps;
        assert_true(billow_step(sim, 1.0 / 60));
        assert_int_equal(sim->stats.substeps - substeps, 1);
        due += 2e7 * sim->flame_sum * h * h * h / 60;
        planes += def.nz;
        for (uint64_t n = before; n < sim->tracers.born; n++) {
            int i = (int)(sim->tracers.place[0][n] / def.cell_size),
                j = (int)(sim->tracers.place[1][n] / def.cell_size),
                k = (int)(sim->tracers.place[2][n] / def.cell_size);
            assert_true(sim->tracers.age[n] != 0.0f ||
                        sim->flame[grid_row(&sim->grid, j, k) + i] > 0);
        }
    }
    if (!(due > 1000))
        fail_msg("only %g are due", due);
    assert_below(fabs((double)sim->tracers.born - due), 2 * sqrt(planes));
    billow_destroy(sim);
}

/* However many are due, there is room for BillowDef.tracers. */
static void their_number_is_bounded(void **state)
{
    (void)state;
    BillowDef def = burning_def();
    def.params.tracer_sparks = 1e9f;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 5; s++) {
        uint64_t before = sim->tracers.born, substeps = sim->stats.substeps;
        assert_true(billow_step(sim, 1.0 / 60));
        assert_true(sim->tracers.born - before <=
                    (sim->stats.substeps - substeps) * (uint64_t)def.tracers * 2);
    }
    assert_true(living(sim) > 4500);
    billow_destroy(sim);
}

static BillowDef busy_sparks_def(void)
{
    BillowDef def = burning_def();
    def.emitters[0].tracers = 3000;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0.4f;
    def.solids[0].velocity[0] = 0.2f;
    return def;
}

static uint64_t sparks_hash(const BillowDef *def)
{
    return hash_of_run(def, 4, 1.0 / 15);
}

static void threads_agree(void **state)
{
    (void)state;
    BillowDef def = busy_sparks_def();
    assert_one_hash_of(&def, sparks_hash);
}

/* Velocity and life are part of the hash and of saved states. States of massless tracers do not
 * fit.
 */
static void they_are_state(void **state)
{
    (void)state;
    BillowDef def = busy_sparks_def();
    BillowSim *sim = run_of(&def, 6, 1.0 / 15), *other = make(&def);
    uint64_t hash = billow_state_hash(sim);
    for (int part = 0; part < 4; part++) {
        float *value = &(part < 3 ? sim->tracers.velocity[part] : sim->tracers.life)[17];
        float was = *value;
        *value += 1e-3f;
        assert_true(billow_state_hash(sim) != hash);
        *value = was;
    }
    size_t bytes = billow_state_bytes(sim);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(sim, saved);
    BillowError error = {""};
    assert_true(billow_load_state(other, saved, bytes, &error));
    assert_int_equal(billow_state_hash(other), hash);
    for (int s = 0; s < 6; s++) {
        billow_step(sim, 1.0 / 15);
        billow_step(other, 1.0 / 15);
    }
    assert_int_equal(billow_state_hash(other), billow_state_hash(sim));
    billow_destroy(other);
    def.tracer_lag = 0;
    other = make(&def);
    assert_null(billow_view(other).tracer_life);
    assert_false(billow_load_state(other, saved, bytes, &error));
    assert_string_equal(error.text, "the state was saved with tracer_lag");
    billow_destroy(other);
    billow_destroy(sim);
    free(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_fall_as_the_closed_form),
        cmocka_unit_test(drag_brings_them_to_the_wind),
        cmocka_unit_test(speed_and_life_are_spread),
        cmocka_unit_test(they_bounce),
        cmocka_unit_test(burning_releases_them),
        cmocka_unit_test(their_number_is_bounded),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(they_are_state),
    };
    return cmocka_run_group_tests_name("sparks", tests, NULL, NULL);
}
