/* SPDX-License-Identifier: MIT
 * What the solver says of its sound. */
#include "sound/synth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A fire, and an emitter that expands. */
static BillowDef burning(int threads, float expansion)
{
    BillowDef def = billow_default_def();
    def.nx = 26;
    def.ny = 30;
    def.nz = 23;
    def.cell_size = 0.05f;
    def.threads = threads;
    def.fire = true;
    def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    def.params.burn_expansion = 0;
    def.emitter_count = 1;
    BillowEmitter *emitter = &def.emitters[0];
    *emitter = billow_default_emitter();
    emitter->center[0] = 0.4f;
    emitter->center[1] = 0.5f;
    emitter->center[2] = 0.7f;
    emitter->size[0] = 0.2f;
    emitter->fuel = 4;
    emitter->heat = 30000;
    emitter->expansion = expansion;
    return def;
}

static BillowSim *create(const BillowDef *def)
{
    BillowError error;
    BillowSim *sim = billow_create(def, &error);
    if (sim == NULL)
        fail_msg("%s", error.text);
    return sim;
}

static void test_place_and_size(void **state)
{
    (void)state;
    double rates[2];
    for (int n = 0; n < 2; n++) {
        const BillowDef def = burning(1, n == 0 ? 2 : 4);
        BillowSim *sim = create(&def);
        billow_step(sim, 1 / 60.0);
        assert_true(billow_sound(sim).expansion == 0); /* nobody listens */
        billow_listen(sim, true);
        billow_step(sim, 1 / 60.0);
        const BillowSound sound = billow_sound(sim);
        rates[n] = sound.expansion;
        assert_true(sound.time == billow_stats(sim).time);
        assert_true(sound.expansion == billow_stats(sim).expansion);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(sound.center[axis] - (double)def.emitters[0].center[axis]) < 0.02);
        /* A ball of radius R has the root mean square distance R sqrt(3/5). */
        assert_true(fabs(sound.extent - 0.2 * sqrt(0.6)) < 0.02);
        assert_true(sound.shear > 0 && sound.shear_speed > 0);
        billow_reset(sim);
        assert_true(billow_sound(sim).expansion == 0);
        billow_destroy(sim);
    }
    assert_true(rates[0] > 0);
    assert_true(fabs(rates[1] / rates[0] - 2) < 1e-5);
}

/* A vortex with the stream function a (cos qx + cos qy) has the vorticity a q^2 (cos qx + cos qy).
 */
static void test_shear(void **state)
{
    (void)state;
    enum { N = 32 };
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = N;
    def.cell_size = 1.0f / N;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_PERIODIC;
    def.params.vorticity = 0;
    BillowSim *sim = create(&def);
    billow_listen(sim, true);
    const BillowView view = billow_view(sim);
    BillowFields fields = billow_fields(sim);
    const double q = 2 * 3.14159265358979323846, a = 0.01;
    double size = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const ptrdiff_t at = k * view.wind_stride_z + j * view.wind_stride_y + i;
                fields.u[at] = (float)(-a * q * sin(q * (j + 0.5) / N));
                fields.v[at] = (float)(a * q * sin(q * (i + 0.5) / N));
                size += a * q * q * fabs(cos(q * i / N) + cos(q * j / N)) / N / N / N;
            }
    billow_step(sim, 1e-4);
    const BillowSound sound = billow_sound(sim);
    if (fabs(sound.shear / size - 1) > 0.05)
        fail_msg("shear %g instead of %g", sound.shear, size);
    assert_true(sound.shear_speed > 0.3 * a * q && sound.shear_speed < 1.5 * a * q);
    billow_destroy(sim);
}

/* The same samples on any number of threads, and the same states as without a listener. */
static void test_threads(void **state)
{
    (void)state;
    enum { STEPS = 12, FRAMES = SYNTH_RATE / 60 };
    static float found[3][STEPS * FRAMES * 2];
    uint64_t hashes[4];
    for (int n = 0; n < 4; n++) {
        BillowDef def = burning(n % 3 + 1, 1);
        def.params.burn_expansion = 20;
        BillowSim *sim = create(&def);
        Synth synth;
        synth_init(&synth);
        billow_listen(sim, n < 3);
        for (int step = 0; step < STEPS; step++) {
            billow_step(sim, 1 / 60.0);
            const BillowSound sound = billow_sound(sim);
            synth_step(&synth, &sound, 1 / 60.0, 1 / 60.0);
            if (n < 3)
                synth_play(&synth, found[n] + step * FRAMES * 2, FRAMES);
        }
        hashes[n] = billow_state_hash(sim);
        billow_destroy(sim);
    }
    assert_true(found[0][STEPS * FRAMES] != 0);
    for (int n = 1; n < 4; n++)
        assert_true(hashes[n] == hashes[0]);
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    assert_memory_equal(found[0], found[2], sizeof found[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place_and_size),
        cmocka_unit_test(test_shear),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
