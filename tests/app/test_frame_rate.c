/* SPDX-License-Identifier: MIT
 * The resolution of the window's picture, which must fit the time of a frame, on simulated
 * machines; and the refinement of still pictures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "play/resolution.h"

/* A renderer of so many ms for the whole window, at full resolution. */
typedef struct Machine {
    double march, backdrop, composite, rest, fixed;
} Machine;

static ResolutionTimes draw_on(const Machine *machine, ResolutionScale scale, bool turning)
{
    double picture = (double)scale.picture * (double)scale.picture;
    double marched = picture * (double)scale.march * (double)scale.march;
    return (ResolutionTimes){machine->fixed + marched * machine->march / (double)scale.step,
                             turning ? picture * machine->backdrop : 0,
                             picture * machine->composite, machine->rest};
}

static double whole(ResolutionTimes times)
{
    return times.march + times.backdrop + times.composite + times.rest;
}

/* Simulates some seconds of frames, and returns the changes of scale in the last half. */
static int play(Resolution *resolution, const Machine *machine, bool turning, double seconds)
{
    int changes = 0, frames = (int)(30 * seconds);
    for (int frame = 0; frame < frames; frame++) {
        resolution_turn(resolution, turning);
        ResolutionTimes took = draw_on(machine, resolution_scale(resolution), turning);
        changes += resolution_observe(resolution, &took, 33) && frame > frames / 2;
    }
    return changes;
}

static void test_fits_and_settles(void **state)
{
    (void)state;
    const Machine machines[] = {{200, 40, 14, 5, 1},  {400, 40, 14, 8, 3},   {800, 80, 28, 8, 3},
                                {1500, 80, 28, 3, 4}, {50, 10, 3.5, 1, 0.1}, {10, 1, 1, 1, 0}};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        Resolution resolution = resolution_start(true);
        int changes = play(&resolution, &machines[m], false, 60);
        ResolutionScale scale = resolution_scale(&resolution);
        double took = whole(draw_on(&machines[m], scale, false));
        print_message("machine %d: picture %.2f, march %.2f, steps of %.1f: %.1f ms\n", (int)m,
                      (double)scale.picture, (double)scale.march, (double)scale.step, took);
        assert_true(took <= 1.05 * resolution.budget_ms);
        assert_true(took >= 0.4 * resolution.budget_ms ||
                    resolution.level == resolution.most); /* nothing is wasted */
        assert_in_range(changes, 0, 4);
    }
}

/* More pictures a second have fewer rays each. */
static void test_aims_at_a_rate(void **state)
{
    (void)state;
    float rays[3];
    const double rates[] = {60, 30, 10};
    for (int r = 0; r < 3; r++) {
        Resolution resolution = resolution_start(true);
        const double usual = resolution.budget_ms;
        Machine machine = {60, 0, 6, 4, 0};
        resolution_aim(&resolution, true, rates[r]);
        assert_true(fabs(resolution.budget_ms * rates[r] - 30 * usual) < 1e-6);
        play(&resolution, &machine, false, 60);
        const ResolutionScale scale = resolution_scale(&resolution);
        rays[r] = scale.picture * scale.march / scale.step;
    }
    assert_true(rays[0] < rays[1] && rays[1] < rays[2]);
}

static void test_too_slow_for_anything(void **state)
{
    (void)state;
    const Machine machine = {9000, 500, 300, 30, 5};
    Resolution resolution = resolution_start(true);
    play(&resolution, &machine, false, 5);
    assert_int_equal(resolution.level, 0);
}

/* Sky and ground drawn anew each time lower the picture at once, and only for that long. */
static void test_turning_lowers_for_a_while(void **state)
{
    (void)state;
    const Machine machine = {200, 60, 10, 3, 1};
    Resolution resolution = resolution_start(true);
    play(&resolution, &machine, false, 30);
    ResolutionScale still = resolution_scale(&resolution);
    play(&resolution, &machine, true, 2);
    ResolutionScale turning = resolution_scale(&resolution);
    assert_true(turning.picture * turning.march < still.picture * still.march);
    assert_true(whole(draw_on(&machine, turning, true)) <= 1.05 * resolution.budget_ms);
    assert_true(resolution_turn(&resolution, false));
    ResolutionScale after = resolution_scale(&resolution);
    assert_memory_equal(&after, &still, sizeof after);
    assert_true(resolution_turn(&resolution, true)); /* known by now */
    turning = resolution_scale(&resolution);
    assert_true(whole(draw_on(&machine, turning, true)) <= 1.05 * resolution.budget_ms);
}

static void test_gpu_starts_whole(void **state)
{
    (void)state;
    Resolution resolution = resolution_start(false);
    ResolutionScale scale = resolution_scale(&resolution);
    assert_true(scale.picture >= 1 && scale.march >= 1 && scale.step <= 1);
}

/* -- stillness ---------------------------------------------------------------------------------
 */

static void test_refines_when_still(void **state)
{
    (void)state;
    Stillness stillness = {0};
    StillnessScene scene = {.width = 640, .height = 360};
    assert_false(stillness_turning(&stillness, &scene, 1));
    assert_false(stillness_refines(&stillness, true, 1.05));
    assert_false(stillness_refines(&stillness, false, 2));
    assert_true(stillness_refines(&stillness, true, 2));
    int rows = 0, calls = 0;
    double now = 2;
    for (; stillness_refines(&stillness, true, now) && calls < 1000; calls++, now += 0.016) {
        int part = stillness_part(&stillness);
        rows = rows + part < 360 ? rows + part : 360;
        stillness_marched(&stillness, rows, 360, 0.35 * part); /* ms, on two cores: 126 in all */
    }
    assert_true(stillness.fine);
    assert_true(now < 2.5);
    assert_true(calls > 4); /* none of them took long */
    scene.steps = 1;
    assert_false(stillness_turning(&stillness, &scene, now));
    assert_false(stillness.fine);
    assert_int_equal(stillness.rows, 0);
}

/* Nothing to march yet: light settles first. */
static void test_waits_for_light(void **state)
{
    (void)state;
    Stillness stillness = {0};
    StillnessScene scene = {.width = 64, .height = 36};
    stillness_turning(&stillness, &scene, 1);
    int part = stillness_part(&stillness);
    stillness_marched(&stillness, 0, 36, 40);
    assert_true(stillness_refines(&stillness, true, 2));
    assert_int_equal(stillness_part(&stillness), part);
}

static void test_camera_turns(void **state)
{
    (void)state;
    Stillness stillness = {0};
    StillnessScene scene = {.width = 64, .height = 36};
    assert_false(stillness_turning(&stillness, &scene, 1));
    scene.camera.azimuth = 3;
    assert_true(stillness_turning(&stillness, &scene, 1.1));
    assert_true(stillness_turning(&stillness, &scene, 1.15)); /* the hand still moves */
    assert_false(stillness_turning(&stillness, &scene, 1.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits_and_settles),
        cmocka_unit_test(test_aims_at_a_rate),
        cmocka_unit_test(test_too_slow_for_anything),
        cmocka_unit_test(test_turning_lowers_for_a_while),
        cmocka_unit_test(test_gpu_starts_whole),
        cmocka_unit_test(test_refines_when_still),
        cmocka_unit_test(test_waits_for_light),
        cmocka_unit_test(test_camera_turns),
    };
    return cmocka_run_group_tests_name("frame rate", tests, NULL, NULL);
}
