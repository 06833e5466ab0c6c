/* SPDX-License-Identifier: MIT
 * Pictures that are hard to draw: smoke much brighter than its surroundings, light from below. */
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

#include "render/frame/camera.h"
#include "render/light/blackbody.h"
#include "render/light/bricks.h"
#include "render/motion.h"
#include "renderer_fixture.h"

enum { EDGE = 48, CELLS = EDGE * EDGE * EDGE };

/* In linear light, with or without what is behind: rows from the top, 4 floats a pixel. */
static void draw_smoke(const Smoke *smoke, const RenderSettings *settings, bool transparent,
                       float *drawn)
{
    RenderFrame frame = test_frame();
    frame.transparent = transparent;
    renderer_forget(renderer);
    upload(renderer, smoke, settings);
    draw_linear(renderer, settings, frame, drawn);
}

/* Nothing but smoke, seen from the front. */
static RenderSettings night_settings(void)
{
    RenderSettings settings = test_settings();
    settings.ground.visible = false;
    settings.sun.intensity = settings.sky.intensity = 0;
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 24, 0, 0, 3.5f};
    settings.smoke.extinction = 10;
    settings.exposure = 1;
    return settings;
}

/* What the smoke along a ray sends, by steps of an eighth of a cell through all of it. */
static float glow_along(const Smoke *smoke, const RenderSettings *settings, int pixel)
{
    const GridSample density = {smoke->density, {EDGE, EDGE, EDGE}, {1, EDGE, EDGE * EDGE}};
    const float step = 0.125f / EDGE;
    float origin[3], direction[3], sum = 0;
    camera_ray(&settings->camera, WIDTH, HEIGHT, (float)(pixel % WIDTH) + 0.5f,
               (float)(pixel / WIDTH) + 0.5f, origin, direction);
    for (float along = 22; along < 26; along += step) {
        Vec3 place = vec3_along(vec3_from(origin), vec3_from(direction), along);
        if (fminf(place.x, fminf(place.y, place.z)) >= 0 &&
            fmaxf(place.x, fmaxf(place.y, place.z)) <= 1)
            sum += step * grid_sample(&density, place, 0);
    }
    return settings->smoke.glow * (1 - expf(-settings->smoke.extinction * sum));
}

/* If a brick of thin smoke is skipped, its edges show, the more the brighter it is. */
static void test_thin_glow_has_no_edges(void **state)
{
    (void)state;
    static float drawn[BYTES];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    RenderSettings settings = night_settings();
    settings.smoke.glow = 6;
    memset(settings.smoke.albedo, 0, sizeof settings.smoke.albedo);
    float none = bricks_negligible((const int[]){EDGE, EDGE, EDGE}, 1.0f / EDGE, 10);
    for (int at = 0; at < CELLS; at++) {
        float x = ((float)(at % EDGE) + 0.5f) / EDGE - 0.5f,
              y = ((float)(at / EDGE % EDGE) + 0.5f) / EDGE - 0.5f,
              z = ((float)(at / (EDGE * EDGE)) + 0.5f) / EDGE - 0.5f;
        smoke.density[at] = 3 * none * fmaxf(0, 1 - 2 * sqrtf(x * x + y * y + z * z));
        smoke.temperature[at] = 1500;
    }
    smoke.density[0] = smoke.density[CELLS - 1] = 10 * none; /* so that all of the box is marched */
    draw_smoke(&smoke, &settings, false, drawn);
    float color[3], most = 0;
    blackbody_color(1500 + BLACKBODY_AMBIENT, (BlackbodyScale){1500, 1}, color);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (abs(i % WIDTH - WIDTH / 2) > 19 && abs(i / WIDTH - HEIGHT / 2) > 19)
            continue; /* those two cells, smaller than a step */
        float glow = glow_along(&smoke, &settings, i);
        for (int c = 0; c < 3; c++) {
            float seen = drawn[4 * i + c], wanted = glow * color[c];
            most = fmaxf(most, wanted);
            if (!(fabsf(seen - wanted) < 3e-4f + 0.02f * wanted))
                fail_msg("pixel (%d, %d): %g instead of %g", i % WIDTH, i / WIDTH, (double)seen,
                         (double)wanted);
        }
    }
    assert_true(most > 2e-3f); /* or there was nothing to see */
    smoke_destroy(&smoke);
}

/* Soot of rising depth t before a fire of radiance L: L e^(-t) comes through, however little that
 * is of a light that is bright enough. */
static void test_fire_behind_soot(void **state)
{
    (void)state;
    enum { SOOT = 18, FIRE = 16 };
    static float drawn[BYTES];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    RenderSettings settings = night_settings();
    memset(settings.smoke.albedo, 0, sizeof settings.smoke.albedo);
    settings.smoke.glow = 6;
    for (int at = 0; at < CELLS; at++) {
        int x = at % EDGE, z = at / (EDGE * EDGE);
        if (z >= EDGE - SOOT)
            smoke.density[at] = (4 + 4 * ((float)x + 0.5f) / EDGE) * EDGE / (10.0f * SOOT);
        smoke.density[at] += z < FIRE ? 10 : 0;
        smoke.temperature[at] = z < FIRE + 4 ? 2200 : 0; /* and the air before it */
    }
    draw_smoke(&smoke, &settings, false, drawn);
    float fire[3];
    blackbody_color(2200 + BLACKBODY_AMBIENT, (BlackbodyScale){1500, 1}, fire);
    const float width = 24 * tanf(0.5f * 3.5f * 3.14159265f / 180) * 2 * WIDTH / HEIGHT;
    for (int i = WIDTH / 2 - 16; i < WIDTH / 2 + 16; i++) {
        float place = 0.5f + (((float)i + 0.5f) / WIDTH - 0.5f) * width, mean = 0;
        float wanted = 6 * fire[0] * expf(-(4 + 4 * place));
        for (int row = HEIGHT / 2 - 12; row < HEIGHT / 2 + 12; row++)
            mean += drawn[4 * (row * WIDTH + i)] / 24;
        if (!(fabsf(mean / wanted - 1) < 0.1f))
            fail_msg("depth %g: %g instead of %g", 4 + 4 * (double)place, (double)mean,
                     (double)wanted);
    }
    smoke_destroy(&smoke);
}

/* Whether the smoke and a ball in it look alike by two settings, in linear light. */
static bool looks_same(const Smoke *smoke, const RenderSettings *a, const RenderSettings *b)
{
    static float pictures[2][BYTES];
    float most = 0;
    draw_smoke(smoke, a, true, pictures[0]);
    draw_smoke(smoke, b, true, pictures[1]);
    for (int i = 0; i < BYTES; i++)
        most = fmaxf(most, fabsf(pictures[0][i] - pictures[1][i]));
    assert_true(most < 2e-3f || most > 0.02f);
    return most < 2e-3f;
}

static void test_ground_hides_what_is_below(void **state)
{
    (void)state;
    Smoke smoke = smoke_with_room(32, 30, 28);
    for (int k = 0; k < 28; k++)
        for (int j = 0; j < 30; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] = 0.05f;
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.6f, 0.35f, 0.6f}, 0.2f);
    RenderSettings settings = test_settings(), dark, lower;
    settings.sun.elevation = -20;
    dark = lower = settings;
    dark.sun.intensity = 0;
    assert_true(looks_same(&smoke, &settings, &dark));
    settings.ground.visible = dark.ground.visible = false;
    assert_false(looks_same(&smoke, &settings, &dark));

    dark.ground.visible = true;
    dark.sky.intensity = 0.1f;
    settings = dark;
    settings.lamps[settings.lamp_count++] = (RenderLamp){
        .position = {0.5f, -0.15f, 0.5f}, .color = {1, 1, 1}, .intensity = 2, .radius = 0.1f};
    assert_true(looks_same(&smoke, &settings, &dark));
    lower = settings;
    lower.lamps[0].position[1] = 0.05f;
    assert_false(looks_same(&smoke, &lower, &dark));
    settings.ground.visible = dark.ground.visible = false;
    assert_false(looks_same(&smoke, &settings, &dark));
    free(solid);
    smoke_destroy(&smoke);
}

/* Without ground the light also reaches the horizon. */
static void test_sun_is_round(void **state)
{
    (void)state;
    static float drawn[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    RenderSettings settings = test_settings();
    settings.camera.azimuth = settings.camera.elevation = 0;
    settings.sun.azimuth = 180;
    settings.sun.elevation = 0;
    for (int ground = 0; ground < 2; ground++) {
        settings.ground.visible = ground;
        draw_smoke(&smoke, &settings, false, drawn);
        const float *middle = drawn + 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        assert_true(middle[-4 * WIDTH] > 4); /* just over the horizon */
        assert_true((middle[0] > 4) == !ground);
        assert_true(middle[12 * 4 * WIDTH] < 2);
        assert_true(middle[-12 * 4 * WIDTH] < 2);
    }
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_glow_has_no_edges),
        cmocka_unit_test(test_fire_behind_soot),
        cmocka_unit_test(test_ground_hides_what_is_below),
        cmocka_unit_test(test_sun_is_round),
    };
    return cmocka_run_group_tests_name("extremes", tests, open_renderer, close_renderer);
}
