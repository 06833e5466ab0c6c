/* SPDX-License-Identifier: MIT
 * State kept from picture to picture, and pictures marched in parts: the result equals a complete
 * drawing. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/frame/frame.h"
#include "renderer_fixture.h"

/* The picture of a new renderer. */
static void draw_anew(const Smoke *smoke, const RenderSettings *settings, const RenderFrame *frame,
                      uint8_t *pixels)
{
    BillowError error = {""};
    Renderer *fresh = renderer_create(NULL, &error);
    assert_non_null(fresh);
    renderer_light_as(fresh, LIGHT_STILL);
    upload(fresh, smoke, settings);
    draw(fresh, settings, frame, pixels);
    renderer_destroy(fresh);
}

static void expect_as_anew(const Smoke *smoke, const RenderSettings *settings,
                           const RenderFrame *frame)
{
    static uint8_t kept[BYTES], anew[BYTES];
    draw(renderer, settings, frame, kept);
    draw_anew(smoke, settings, frame, anew);
    assert_memory_equal(kept, anew, BYTES);
}

static void test_nothing_stale_is_kept(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(32, 32, 32);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    expect_as_anew(&smoke, &settings, &frame);
    expect_as_anew(&smoke, &settings, &frame);
    settings.camera.azimuth += 40;
    expect_as_anew(&smoke, &settings, &frame);
    settings.sun.azimuth += 40;
    expect_as_anew(&smoke, &settings, &frame);
    settings.sky.zenith[0] = 0.4f;
    expect_as_anew(&smoke, &settings, &frame);
    settings.ground.color[1] = 0.4f;
    expect_as_anew(&smoke, &settings, &frame);
    settings.ground.visible = false;
    expect_as_anew(&smoke, &settings, &frame);
    settings.smoke.anisotropy = 0.6f;
    expect_as_anew(&smoke, &settings, &frame);
    frame.scale = 0.4f;
    expect_as_anew(&smoke, &settings, &frame);
    frame.outline = true;
    expect_as_anew(&smoke, &settings, &frame);
    for (int i = 0; i < 32 * 32 * 16; i++)
        smoke.density[i] = 0;
    upload(renderer, &smoke, &settings);
    expect_as_anew(&smoke, &settings, &frame);
    smoke_destroy(&smoke);
}

/* Parts of odd sizes, with a solid whose edges part the smoke, and a picture in between that draws
 * something else. */
static void test_parts_make_the_whole(void **state)
{
    (void)state;
    static uint8_t parts[BYTES], whole[BYTES];
    Smoke smoke = smoke_with_room(32, 32, 32);
    const float middle[3] = {0.6f, 0.35f, 0.6f};
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    fmaxf(0, sinf(0.3f * (float)i) * sinf(0.2f * (float)(j + k)));
    float *solid = smoke_solid_ball(&smoke, middle, 0.2f);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame(), coarse = frame;
    BillowError error = {""};
    coarse.scale = 0.3f;
    frame.step = 0.5f;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, whole);
    draw(renderer, &settings, &coarse, parts);
    assert_true(largest_difference(parts, whole) > 3);
    int done = 0, calls = 0;
    for (; done < HEIGHT; calls++)
        if (!renderer_refine(renderer, &settings, &frame, 7, &done, &error))
            fail_msg("%s", error.text);
    assert_int_equal(calls, (HEIGHT + 6) / 7);
    renderer_timed(renderer, true);
    draw(renderer, &settings, &frame, parts);
    assert_memory_equal(parts, whole, BYTES);
    /* Begun and not ended: nothing of it may show. */
    done = 0;
    assert_true(renderer_refine(renderer, &settings, &frame, 7, &done, &error));
    draw(renderer, &settings, &frame, parts);
    assert_memory_equal(parts, whole, BYTES);
    renderer_timed(renderer, false);
    free(solid);
    smoke_destroy(&smoke);
}

/* In the window light settles order by order; the parts come when it has. */
static void test_light_settles_first(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    BillowError error = {""};
    settings.smoke.albedo[0] = settings.smoke.albedo[1] = settings.smoke.albedo[2] = 0.95f;
    renderer_light_as(renderer, LIGHT_LIVE);
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    int done = 0, waited = 0;
    for (; done == 0 && waited < 200; waited++)
        if (!renderer_refine(renderer, &settings, &frame, 1, &done, &error))
            fail_msg("%s", error.text);
    assert_in_range(waited, 3, 60);
    renderer_light_as(renderer, LIGHT_STILL);
    smoke_destroy(&smoke);
}

/* While the camera turns, sky and ground are blurred a little, and whole when it stops. */
static void test_turning(void **state)
{
    (void)state;
    static uint8_t still[BYTES], turning[BYTES];
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, still);
    frame.turning = true;
    draw(renderer, &settings, &frame, turning);
    assert_in_range(largest_difference(still, turning), 1, 40);
    frame.turning = false;
    expect_as_anew(&smoke, &settings, &frame);
    smoke_destroy(&smoke);
}

/* Few rays and long steps are nearer to the mean of many starts once their noise is spread. */
static void test_smoothing_takes_noise(void **state)
{
    (void)state;
    enum { STARTS = 16 };
    static float mean[BYTES];
    static uint8_t rough[BYTES], smooth[BYTES];
    Smoke smoke = smoke_create(24, 24, 24);
    for (int i = 0; i < 24 * 24 * 24; i++)
        smoke.density[i] =
            0.3f + 0.3f * sinf(0.9f * (float)(i % 24)) * cosf(0.8f * (float)(i / 24));
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    frame.scale = 0.7f;
    frame.step = 3;
    upload(renderer, &smoke, &settings);
    for (frame.frame = 1; frame.frame <= STARTS; frame.frame++) {
        draw(renderer, &settings, &frame, rough);
        for (int i = 0; i < BYTES; i++)
            mean[i] += rough[i] / (float)STARTS;
    }
    frame.frame = 0;
    draw(renderer, &settings, &frame, rough);
    frame.smooth = true;
    draw(renderer, &settings, &frame, smooth);
    double before = 0, after = 0;
    for (int i = 0; i < BYTES; i++) {
        before += pow(rough[i] - mean[i], 2);
        after += pow(smooth[i] - mean[i], 2);
    }
    print_message("squares of differences: %.0f, smoothed %.0f\n", before, after);
    assert_true(after < 0.7 * before);
    frame.smooth = false;
    expect_as_anew(&smoke, &settings, &frame);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_stale_is_kept), cmocka_unit_test(test_parts_make_the_whole),
        cmocka_unit_test(test_light_settles_first),   cmocka_unit_test(test_turning),
        cmocka_unit_test(test_smoothing_takes_noise),
    };
    return cmocka_run_group_tests_name("refine", tests, open_renderer, close_renderer);
}
