/* SPDX-License-Identifier: MIT
 * Colour ramps: look-ups against hand values, uniform slabs against closed forms, and cells against
 * the light volumes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/render_settings.h"
#include "render/light/ramp.h"
#include "renderer_fixture.h"

#define EDGE  16
#define CELLS (EDGE * EDGE * EDGE)

static void assert_color(const RampTable *table, float value, float r, float g, float b)
{
    float rgb[3];
    render_ramp_color(table, value, rgb);
    if (fabsf(rgb[0] - r) > 1e-5f || fabsf(rgb[1] - g) > 1e-5f || fabsf(rgb[2] - b) > 1e-5f)
        fail_msg("at %g: %g %g %g, not %g %g %g", (double)value, (double)rgb[0], (double)rgb[1],
                 (double)rgb[2], (double)r, (double)g, (double)b);
}

static RenderRamp three_stops(void)
{
    return (RenderRamp){.by = RENDER_RAMP_DENSITY,
                        .low = 2,
                        .high = 6,
                        .stops = {{0.25f, {1, 0, 0}}, {0.5f, {0, 1, 0}}, {1, {0, 0, 4}}},
                        .stop_count = 3};
}

/* The stops lie at 3, 4 and 6. */
static void test_colors_between_stops(void **state)
{
    (void)state;
    RenderRamp ramp = three_stops();
    const RampTable table = render_ramp_table(&ramp);
    assert_color(&table, -100, 1, 0, 0);
    assert_color(&table, 3, 1, 0, 0);
    assert_color(&table, 3.25f, 0.75f, 0.25f, 0);
    assert_color(&table, 4, 0, 1, 0);
    assert_color(&table, 5.5f, 0, 0.25f, 3);
    assert_color(&table, 6, 0, 0, 4);
    assert_color(&table, 1e6f, 0, 0, 4);
    assert_true(render_ramp_most(&ramp) == 4.0f);
}

static void test_ramp_runs_backwards(void **state)
{
    (void)state;
    RenderRamp ramp = three_stops();
    ramp.low = 6;
    ramp.high = 2;
    const RampTable table = render_ramp_table(&ramp);
    assert_color(&table, 2, 0, 0, 4);
    assert_color(&table, 5, 1, 0, 0);
    assert_color(&table, 4.5f, 0.5f, 0.5f, 0);
}

/* Two stops at one place make an edge; so does a range of no width. */
static void test_sharp_edges(void **state)
{
    (void)state;
    RenderRamp ramp = three_stops();
    ramp.stops[1].at = 0.25f;
    RampTable table = render_ramp_table(&ramp);
    assert_color(&table, 2.999f, 1, 0, 0);
    assert_color(&table, 3.0001f, 0, 0.99997f, 0.00013f);
    ramp.high = ramp.low;
    table = render_ramp_table(&ramp);
    assert_color(&table, 1.99f, 1, 0, 0);
    assert_color(&table, 2.01f, 0, 0, 4);
}

/* The timeline may move a stop before its predecessor: it then lies at it. */
static void test_stops_that_cross(void **state)
{
    (void)state;
    RenderRamp ramp = three_stops();
    assert_int_equal(render_ramp_unsorted(&ramp), -1);
    ramp.stops[2].at = 0.1f;
    ramp.stops[3] = (RenderStop){0.75f, {0, 0, 4}};
    ramp.stop_count = 4;
    assert_int_equal(render_ramp_unsorted(&ramp), 2);
    const RampTable table = render_ramp_table(&ramp);
    assert_color(&table, 3.5f, 0.5f, 0.5f, 0);
    assert_color(&table, 4.01f, 0, 0, 4);
}

static void test_presets_are_sorted(void **state)
{
    (void)state;
    for (int fire = 0; fire < 2; fire++)
        for (int p = 0; render_ramp_preset(fire, p) != NULL; p++) {
            const RenderRampPreset *preset = render_ramp_preset(fire, p);
            RenderRamp ramp = {.stop_count = preset->stop_count};
            memcpy(ramp.stops, preset->stops, sizeof ramp.stops);
            assert_in_range(preset->stop_count, 2, RENDER_STOPS_MAX);
            assert_int_equal(render_ramp_unsorted(&ramp), -1);
            assert_true(ramp.stops[0].at == 0.0f && ramp.stops[preset->stop_count - 1].at == 1.0f);
            assert_true(fire || render_ramp_most(&ramp) <= 1.0f);
        }
}

/* -- pictures */

static Smoke uniform(float density, float kelvin)
{
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int at = 0; at < CELLS; at++) {
        smoke.density[at] = density;
        smoke.temperature[at] = kelvin;
    }
    return smoke;
}

/* Smoke that only glows, seen from the front through the middle of a unit cube. */
static RenderSettings glow_settings(void)
{
    RenderSettings settings = test_settings();
    settings.camera =
        (RenderCamera){.target = {0.5f, 0.5f, 0.5f}, .distance = 3, .azimuth = 0, .fov = 20};
    settings.sun.intensity = 0;
    settings.sky.intensity = 0;
    settings.ground.visible = false;
    settings.smoke = (RenderSmoke){.extinction = 1.5f,
                                   .extinction_color = {1, 1, 1},
                                   .glow = 2,
                                   .glow_kelvin = 1500,
                                   .glow_range = 1};
    return settings;
}

static void assert_middle(const RenderSettings *settings, const Smoke *smoke, const float light[3])
{
    static float pixels[BYTES];
    upload(renderer, smoke, settings);
    draw_linear(renderer, settings, test_frame(), pixels);
    const float *middle = pixels + 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    for (int c = 0; c < 3; c++)
        if (fabsf(middle[c] - light[c]) > 1.0f / 255)
            fail_msg("colour %d: %g, not %g", c, (double)middle[c], (double)light[c]);
}

/* A slab of length L = 1 and extinction k that glows with the source S has the radiance
 * S (1 - exp(-k L)). The ramp's colour is halfway between its stops, whatever its field. */
static void test_glow_of_a_slab(void **state)
{
    (void)state;
    static const float low[] = {0, 300, 1, -1}, high[] = {1, 900, 3, 5};
    Smoke smoke = uniform(0.5f, 600);
    static float age[CELLS], u[CELLS + EDGE * EDGE + EDGE + 1], w[CELLS + EDGE * EDGE + EDGE + 1];
    for (int i = 0; i < CELLS; i++)
        age[i] = 0.5f * 2; /* 2 s old */
    for (size_t i = 0; i < sizeof u / sizeof u[0]; i++) {
        u[i] = 1.2f;
        w[i] = -1.6f; /* a speed of 2 m/s */
    }
    smoke.view.age = age;
    smoke.view.u = smoke.view.v = u;
    static float still[sizeof u / sizeof u[0]];
    smoke.view.v = still;
    smoke.view.w = w;
    for (int by = RENDER_RAMP_DENSITY; by <= RENDER_RAMP_SPEED; by++) {
        RenderSettings settings = glow_settings();
        settings.fire_ramp = (RenderRamp){.by = (RenderRampBy)by,
                                          .low = low[by],
                                          .high = high[by],
                                          .stops = {{0, {0, 0.2f, 1}}, {1, {0.6f, 0.2f, 0}}},
                                          .stop_count = 2};
        float share = 2 * (1 - expf(-1.5f * 0.5f));
        assert_middle(&settings, &smoke,
                      (const float[3]){0.3f * share, 0.2f * share, 0.5f * share});
    }
    smoke_destroy(&smoke);
}

/* A ramp of one colour is the same as smoke of this albedo, in sunlight and light from the sky. */
static void test_one_color_is_an_albedo(void **state)
{
    (void)state;
    static uint8_t ramped[BYTES], plain[BYTES];
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    const float color[3] = {0.9f, 0.45f, 0.1f};
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 0.9f * color[c];
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, plain);
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 0.9f;
    settings.smoke_ramp = (RenderRamp){.high = 1, .stop_count = 1};
    memcpy(settings.smoke_ramp.stops[0].color, color, sizeof color);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, ramped);
    assert_in_range(largest_difference(plain, ramped), 0, 1);
    smoke_destroy(&smoke);
}

/* Colours follow the temperature across the smoke, and a ramp that is off leaves no trace. */
static void test_colors_follow_the_field(void **state)
{
    (void)state;
    static uint8_t before[BYTES], pixels[BYTES], after[BYTES];
    RenderFrame frame = test_frame();
    Smoke smoke = uniform(1, 0);
    for (int at = 0; at < CELLS; at++)
        smoke.temperature[at] = (float)(at % EDGE);
    RenderSettings settings = test_settings();
    settings.camera.azimuth = settings.sun.azimuth = 0;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, before);
    settings.smoke_ramp = (RenderRamp){.by = RENDER_RAMP_TEMPERATURE,
                                       .low = 0,
                                       .high = EDGE - 1,
                                       .stops = {{0, {1, 0.1f, 0.1f}}, {1, {0.1f, 0.1f, 1}}},
                                       .stop_count = 2};
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    const uint8_t *left = pixel(pixels, WIDTH / 2 - 16, HEIGHT / 2);
    const uint8_t *right = pixel(pixels, WIDTH / 2 + 16, HEIGHT / 2);
    assert_true(left[0] > left[2] + 40 && right[2] > right[0] + 40);
    settings.smoke_ramp.stop_count = 0;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, after);
    assert_int_equal(largest_difference(before, after), 0);
    smoke_destroy(&smoke);
}

/* A field that the view lacks leaves the ramp off. */
static void test_field_is_missing(void **state)
{
    (void)state;
    Smoke smoke = uniform(1, 0);
    RenderRamp ramp = three_stops();
    assert_true(ramp_of(&ramp, &smoke.view).on);
    ramp.by = RENDER_RAMP_AGE;
    assert_false(ramp_of(&ramp, &smoke.view).on);
    ramp.by = RENDER_RAMP_SPEED;
    assert_false(ramp_of(&ramp, &smoke.view).on);
    ramp.by = RENDER_RAMP_DENSITY;
    ramp.stop_count = 0;
    assert_false(ramp_of(&ramp, &smoke.view).on);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors_between_stops),
        cmocka_unit_test(test_ramp_runs_backwards),
        cmocka_unit_test(test_sharp_edges),
        cmocka_unit_test(test_stops_that_cross),
        cmocka_unit_test(test_presets_are_sorted),
        cmocka_unit_test(test_glow_of_a_slab),
        cmocka_unit_test(test_one_color_is_an_albedo),
        cmocka_unit_test(test_colors_follow_the_field),
        cmocka_unit_test(test_field_is_missing),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
