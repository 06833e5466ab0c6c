/* SPDX-License-Identifier: MIT
 * The same pictures by the GL's shaders and by the CPU's painter. */
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

#include "develop.h"
#include "painter.h"
#include "renderer_fixture.h"

static Painter *painter;

static int open_both(void **state)
{
    BillowError error = {"nothing said why"};
    painter = painter_create(&error);
    return painter != NULL ? open_renderer(state) : -1;
}

static int close_both(void **state)
{
    painter_destroy(painter);
    return close_renderer(state);
}

/* Colours count as far as they are opaque. */
static int shown(const uint8_t *pixels, int i)
{
    return i % 4 == 3 ? pixels[i] : pixels[i] * pixels[i / 4 * 4 + 3] / 255;
}

/* No two differ by more than this many steps of 8 bits. */
static void check_same(const BillowView *view, const RenderSettings *settings,
                       const RenderFrame *frame, int most)
{
    static uint8_t drawn[BYTES], painted[BYTES];
    BillowError error = {""};
    renderer_forget(renderer);
    renderer_fine_light(renderer, true);
    if (!renderer_upload(renderer, view, settings, &error) ||
        !painter_draw(painter, view, settings, frame, &error))
        fail_msg("%s", error.text);
    draw(renderer, settings, frame, drawn);
    painter_read(painter, 4, painted);
    for (int i = 0; i < BYTES; i++) {
        int a = shown(drawn, i), b = shown(painted, i);
        if (abs(a - b) > most)
            fail_msg("pixel (%d, %d), channel %d: drawn %d, painted %d", i / 4 % WIDTH,
                     i / 4 / WIDTH, i % 4, a, b);
    }
}

/* The linear pictures, which half floats round; and what one pass makes of them, and two. */
static void check_linear(const BillowView *view, const RenderSettings *settings, RenderFrame frame)
{
    static float drawn[BYTES], painted[BYTES];
    static uint8_t once[BYTES], twice[BYTES];
    BillowError error = {""};
    check_same(view, settings, &frame, 2);
    draw(renderer, settings, &frame, once);
    assert_false(renderer_read_linear(renderer, drawn, &error));
    frame.linear = true;
    draw(renderer, settings, &frame, twice);
    assert_in_range(largest_difference(once, twice), 0, 1);
    if (!renderer_read_linear(renderer, drawn, &error))
        fail_msg("%s", error.text);
    painter_read_linear(painter, painted);
    for (int i = 0; i < BYTES; i++)
        if (!(fabsf(drawn[i] - painted[i]) <= 0.01f + 0.01f * fabsf(painted[i])))
            fail_msg("pixel (%d, %d), channel %d: drawn %g, painted %g", i / 4 % WIDTH,
                     i / 4 / WIDTH, i % 4, (double)drawn[i], (double)painted[i]);
}

static void test_linear_is_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    check_linear(&smoke.view, &settings, frame);
    frame.transparent = true;
    check_linear(&smoke.view, &settings, frame);
    smoke_destroy(&smoke);
}

/* A small bright fire at night, and the same by day. */
static void test_developing_is_the_same(void **state)
{
    (void)state;
    enum { EDGE = 24, CELLS = EDGE * EDGE * EDGE };
    Smoke smoke = smoke_ball(EDGE, EDGE, EDGE);
    RenderFrame frame = test_frame();
    for (int day = 0; day < 2; day++) {
        RenderSettings settings = test_settings();
        for (int at = 0; at < CELLS; at++)
            smoke.temperature[at] = 1900 * smoke.density[at];
        settings.smoke.glow = 3;
        settings.sun.intensity = day ? 12 : 0;
        settings.sky.intensity = day ? 1 : 0.01f;
        settings.picture.bloom = 0.2f;
        check_same(&smoke.view, &settings, &frame, 2);
        settings.picture.auto_exposure = true;
        check_same(&smoke.view, &settings, &frame, 2);
        settings.picture.bloom = 0;
        settings.picture.tone_map = RENDER_TONE_AGX;
        check_same(&smoke.view, &settings, &frame, 2);
        frame.transparent = true;
        check_same(&smoke.view, &settings, &frame, 2);
        frame.transparent = false;
    }
    smoke_destroy(&smoke);
}

/* Pictures with hardly a level of bloom, long ones, and such as no level's edges divide. */
static void test_any_size_develops(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {5, 3}, {2, 150}, {301, 9}, {101, 67}};
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    settings.picture.bloom = 0.3f;
    settings.picture.auto_exposure = true;
    upload(renderer, &smoke, &settings);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        static uint8_t drawn[4 * 8192];
        static float linear[4 * 8192], flipped[4 * 8192], encoded[4 * 8192];
        BillowError error = {""};
        RenderFrame frame = test_frame();
        int width = frame.width = sizes[i][0], height = frame.height = sizes[i][1];
        frame.linear = true;
        draw(renderer, &settings, &frame, drawn);
        Develop develop = {.exposure = {.known = false}};
        if (!renderer_read_linear(renderer, linear, &error))
            fail_msg("%s", error.text);
        for (int y = 0; y < height; y++)
            memcpy(flipped + 4 * y * width, linear + 4 * (height - 1 - y) * width,
                   4 * (size_t)width * sizeof *linear);
        if (!develop_picture(&develop, &settings, &frame, flipped, encoded, &error))
            fail_msg("%s", error.text);
        for (int at = 0; at < 4 * width * height; at++) {
            int row = height - 1 - at / 4 / width, column = at / 4 % width;
            float wanted = 255 * encoded[4 * (row * width + column) + at % 4];
            if (!(fabsf(fminf(wanted, 255) - (float)drawn[at]) <= 2))
                fail_msg("%dx%d, pixel %d, channel %d: drawn %d, developed %g", width, height,
                         at / 4, at % 4, drawn[at], (double)wanted);
        }
        develop_close(&develop);
    }
    smoke_destroy(&smoke);
}

static void test_smoke_is_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    check_same(&smoke.view, &settings, &frame, 2);
    frame.step = 0.37f;
    settings.smoke.anisotropy = 0.7f;
    settings.smoke.backscatter = 0.4f;
    settings.smoke.back_anisotropy = -0.5f;
    settings.camera.elevation = -20; /* from below the ground */
    check_same(&smoke.view, &settings, &frame, 2);
    frame.transparent = true;
    settings.camera = (RenderCamera){{0.45f, 0.4f, 0.55f}, 0.1f, 100, 5, 70}; /* inside */
    check_same(&smoke.view, &settings, &frame, 2);
    smoke_destroy(&smoke);
}

/* With smoke and a solid before it, behind it and in it; lines of equal value; seen aslant. */
static void test_slices_are_the_same(void **state)
{
    (void)state;
    enum { EDGE = 24, ROOM = EDGE + 1 };
    static float values[ROOM * ROOM];
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    const float middle[3] = {0.6f, 0.35f, 0.5f};
    for (int k = 0; k < EDGE; k++)
        for (int j = 0; j < EDGE; j++)
            for (int i = 0; i < EDGE; i++) {
                ptrdiff_t at = i + j * smoke.view.stride_y + k * smoke.view.stride_z;
                smoke.density[at] = 0.1f * fmaxf(0, sinf(0.3f * (float)i) * sinf(0.2f * (float)k));
                smoke.temperature[at] = sinf(0.4f * (float)i + 0.3f * (float)j - 0.1f * (float)k);
            }
    RenderSettings settings = test_settings();
    float *solid = NULL;
    for (int round = 0; round < 6; round++) {
        RenderFrame frame = test_frame();
        FieldSlice slice = {
            round % 2 ? FIELD_TEMPERATURE : FIELD_DENSITY, round % 3, 0.45f, {0}, values, 0, 0};
        if (round == 3)
            solid = smoke_solid_ball(&smoke, middle, 0.2f);
        field_slice_fill(&slice, &smoke.view);
        frame.slice = (RenderSlice){&slice, -0.2f, 0.9f, round < 2 ? 0 : 5, 0.2f * (float)round};
        frame.transparent = round == 4;
        settings.camera.azimuth = 40 + 30 * (float)round;
        check_same(&smoke.view, &settings, &frame, 2);
    }
    if (solid != NULL) { /* what has both signs has other colours */
        FieldSlice slice = {FIELD_SOLID, 1, 0.4f, {0}, values, 0, 0};
        RenderFrame frame = test_frame();
        field_slice_fill(&slice, &smoke.view);
        frame.slice = (RenderSlice){&slice, -0.3f, 0.3f, 10, 0.3f};
        check_same(&smoke.view, &settings, &frame, 2);
        frame.slice.veil = 1; /* by smoke that dims colours differently, */
        memcpy(settings.smoke.extinction_color, (const float[]){0.2f, 1, 3}, 3 * sizeof(float));
        check_same(&smoke.view, &settings, &frame, 2);
        static float color[3][ROOM * ROOM * ROOM]; /* and has a colour */
        for (int c = 0; c < 3; c++) {
            for (int at = 0; at < ROOM * ROOM * ROOM; at++)
                color[c][at] = (c == 0 ? 0.9f : 0.2f) * smoke.density[at];
            smoke.view.color[c] = color[c];
        }
        settings.smoke.tint_extinction = 2;
        check_same(&smoke.view, &settings, &frame, 2);
    }
    free(solid);
    smoke_destroy(&smoke);
}

static void test_backdrop_is_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_create(16, 16, 16);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    check_same(&smoke.view, &settings, &frame, 2);
    settings.picture.tone_map = RENDER_TONE_AGX;
    check_same(&smoke.view, &settings, &frame, 2);
    settings.ground.visible = false;
    settings.sun.azimuth = -160; /* in the picture */
    settings.sun.elevation = 5;
    settings.camera.elevation = 2;
    settings.camera.fov = 60;
    check_same(&smoke.view, &settings, &frame, 2);
    smoke_destroy(&smoke);
}

static void test_heat_and_color_are_the_same(void **state)
{
    (void)state;
    enum { EDGE = 24, CELLS = EDGE * EDGE * EDGE };
    Smoke smoke = smoke_ball(EDGE, EDGE, EDGE);
    static float flame[CELLS], color[3][CELLS];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    for (int at = 0; at < CELLS; at++) {
        float x = (float)(at % EDGE) / EDGE, y = (float)(at / EDGE % EDGE) / EDGE;
        smoke.temperature[at] = 1500 * smoke.density[at] * y;
        flame[at] = smoke.density[at] * (1 - y) * 3;
        for (int c = 0; c < 3; c++)
            color[c][at] = smoke.density[at] * (c == 0 ? x : c == 1 ? 0.5f : 1 - x);
    }
    settings.smoke.glow = 1;
    settings.sun.intensity = 3;
    settings.sky.intensity = 0.3f;
    check_same(&smoke.view, &settings, &frame, 2);
    settings.smoke.glow = 8; /* enough to light the ground */
    settings.camera.elevation = 35;
    check_same(&smoke.view, &settings, &frame, 2);
    settings.smoke.glow = 1;
    smoke.view.flame = flame;
    settings.smoke.flame = 0.3f;
    check_same(&smoke.view, &settings, &frame, 2);
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = color[c];
    check_same(&smoke.view, &settings, &frame, 2);
    smoke_destroy(&smoke);
}

/* A few cells, so that creases and what lies beyond the boundaries would show. */
static void test_cubic_is_the_same(void **state)
{
    (void)state;
    enum { EDGE = 9, CELLS = EDGE * EDGE * EDGE };
    static float flame[CELLS], color[3][CELLS];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int at = 0; at < CELLS; at++) {
        smoke.density[at] = at * 7919 % 11 < 4 ? 0.3f : 0;
        smoke.temperature[at] = 1200 * smoke.density[at];
        flame[at] = at % 5 == 0 ? 1 : 0;
        for (int c = 0; c < 3; c++)
            color[c][at] = smoke.density[at] * (at % (c + 2) == 0 ? 0.9f : 0.2f);
    }
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.picture.filter = RENDER_FILTER_CUBIC;
    check_same(&smoke.view, &settings, &frame, 2);
    settings.smoke.glow = 1;
    settings.smoke.flame = 0.3f;
    settings.sun.intensity = 3;
    smoke.view.flame = flame;
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = color[c];
    frame.step = 0.4f;
    check_same(&smoke.view, &settings, &frame, 2);
    smoke_destroy(&smoke);
}

static void test_solids_are_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_with_room(32, 32, 32);
    const float middle[3] = {0.6f, 0.35f, 0.6f}, floor[3] = {0.5f, 0.1f, 1};
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    0.15f * fmaxf(0, sinf(0.3f * (float)i) * sinf(0.2f * (float)(j + k)));
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    float *solid = smoke_solid_ball(&smoke, middle, 0.2f);
    check_same(&smoke.view, &settings, &frame, 2);
    frame.transparent = true;
    check_same(&smoke.view, &settings, &frame, 2);
    frame.transparent = false;
    free(solid);
    solid = smoke_solid_ball(&smoke, floor, 0.3f); /* cut by floor and front */
    check_same(&smoke.view, &settings, &frame, 2);
    free(solid);
    smoke_destroy(&smoke);
}

/* Transmittance of red, and distances to a share; distances weigh as much as there is smoke. */
static void check_same_through(bool behind)
{
    static float drawn[BYTES], painted[BYTES];
    BillowError error = {""};
    if (!renderer_read_through(renderer, behind, drawn, &error))
        fail_msg("%s", error.text);
    assert_true(painter_read_through(painter, behind, painted));
    int smoky = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const float *a = drawn + (ptrdiff_t)4 * i, *b = painted + (ptrdiff_t)4 * i;
        float taken = 1 - b[0];
        for (int c = 0; c < 3; c++)
            if (fabsf(a[c] - b[c]) > 2 / 255.0f)
                fail_msg("pixel (%d, %d): drawn %g, painted %g come through", i % WIDTH, i / WIDTH,
                         (double)a[c], (double)b[c]);
        if (fabsf(a[3] - b[3]) * taken > 0.002f)
            fail_msg("pixel (%d, %d): drawn at %g m, painted at %g m", i % WIDTH, i / WIDTH,
                     (double)a[3], (double)b[3]);
        smoky += taken > 0.1f;
    }
    assert_true(smoky > (behind ? 5 : 100));
}

static void test_what_comes_through_is_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    float values[4];
    check_same(&smoke.view, &settings, &frame, 2);
    BillowError error;
    assert_false(renderer_read_through(renderer, false, values, &error));
    assert_false(painter_read_through(painter, false, values));
    frame.through = true;
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_through(false);
    assert_false(renderer_read_through(renderer, true, values, &error));
    assert_false(painter_read_through(painter, true, values));
    smoke_destroy(&smoke);

    smoke = smoke_with_room(32, 32, 32);
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] = 0.05f;
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.6f, 0.35f, 0.6f}, 0.2f);
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_through(false);
    check_same_through(true);
    free(solid);
    smoke_destroy(&smoke);
}

static void test_light_by_color_is_the_same(void **state)
{
    (void)state;
    enum { EDGE = 24, CELLS = EDGE * EDGE * EDGE };
    Smoke smoke = smoke_ball(EDGE, EDGE, EDGE);
    static float flame[CELLS], color[3][CELLS];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    for (int at = 0; at < CELLS; at++) {
        float x = (float)(at % EDGE) / EDGE, y = (float)(at / EDGE % EDGE) / EDGE;
        smoke.density[at] *= 0.5f;
        smoke.temperature[at] = 1200 * smoke.density[at] * y;
        flame[at] = smoke.density[at] * (1 - y) * 3;
        for (int c = 0; c < 3; c++)
            color[c][at] = smoke.density[at] * (c == 0 ? x : c == 1 ? 0.5f : 1 - x);
    }
    check_same(&smoke.view, &settings, &frame, 2);
    memcpy(settings.smoke.extinction_color, (const float[]){0.5f, 1, 1.7f}, 3 * sizeof(float));
    check_same(&smoke.view, &settings, &frame, 2);
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = color[c];
    settings.smoke.tint_extinction = 1.5f;
    check_same(&smoke.view, &settings, &frame, 2);
    frame.through = true;
    settings.lamps[settings.lamp_count++] =
        (RenderLamp){{0.4f, 0.9f, 0.9f}, {1, 0.7f, 0.4f}, 0.5f, 0.03f};
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_through(false);
    settings.lamps[settings.lamp_count++] =
        (RenderLamp){{0.7f, 0.5f, 1.6f}, {0.5f, 0.7f, 1}, 2, 0.05f};
    check_same(&smoke.view, &settings, &frame, 2);
    smoke.view.flame = flame;
    settings.smoke.flame = 0.3f;
    settings.smoke.glow = 1;
    check_same(&smoke.view, &settings, &frame, 2);
    settings.smoke.tint_extinction = 0;
    memcpy(settings.smoke.extinction_color, (const float[]){1, 1, 1}, 3 * sizeof(float));
    check_same(&smoke.view, &settings, &frame, 2); /* and back */
    smoke_destroy(&smoke);

    smoke = smoke_with_room(32, 32, 32);
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] = 0.05f;
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.6f, 0.35f, 0.6f}, 0.2f);
    settings.smoke.glow = 0;
    memcpy(settings.smoke.extinction_color, (const float[]){0.3f, 1, 2}, 3 * sizeof(float));
    check_same(&smoke.view, &settings, &frame, 2);
    frame.transparent = true;
    check_same(&smoke.view, &settings, &frame, 2);
    free(solid);
    smoke_destroy(&smoke);
}

static void test_lamps_are_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_with_room(32, 30, 28);
    for (int k = 0; k < 28; k++)
        for (int j = 0; j < 30; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    0.2f * fmaxf(0, sinf(0.3f * (float)i) * sinf(0.2f * (float)(j + k)));
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.sun.intensity = 0.5f;
    settings.sky.intensity = 0.1f;
    settings.smoke.backscatter = 0.3f;
    settings.smoke.back_anisotropy = -0.4f;
    settings.lamps[settings.lamp_count++] =
        (RenderLamp){{0.4f, 0.5f, 0.45f}, {1, 0.7f, 0.4f}, 0.5f, 0.03f}; /* in the smoke */
    check_same(&smoke.view, &settings, &frame, 2);
    settings.lamps[settings.lamp_count++] =
        (RenderLamp){{1.3f, 0.3f, 0.9f}, {0.3f, 0.5f, 1}, 1, 0.002f};
    settings.lamps[settings.lamp_count++] = (RenderLamp){{-0.5f, 1.2f, -0.4f}, {1, 1, 1}, 2, 0};
    check_same(&smoke.view, &settings, &frame, 2);
    const float middle[3] = {0.6f, 0.35f, 0.6f};
    float *solid = smoke_solid_ball(&smoke, middle, 0.2f);
    check_same(&smoke.view, &settings, &frame, 2);
    settings.lamps[settings.lamp_count++] =
        (RenderLamp){{0.8f, 0.1f, 1}, {1, 0.2f, 0.1f}, 0.3f, 0.05f};
    check_same(&smoke.view, &settings, &frame, 2);
    frame.transparent = true;
    check_same(&smoke.view, &settings, &frame, 2);
    free(solid);
    smoke_destroy(&smoke);
}

/* A slab of extinction s from a to a + L along the ray through the picture's middle: e^(-s L) comes
 * through, and what it takes it takes at the mean place a + 1/s - L/(e^(s L) - 1). */
static void test_slab_tells_its_depth(void **state)
{
    (void)state;
    enum { EDGE = 24 };
    const double strengths[] = {0.5, 2, 5};
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    static float drawn[BYTES];
    BillowError error = {""};
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 2.5f, 0, 0, 35};
    settings.smoke.anisotropy = 0; /* what is scattered ahead would count as not taken */
    frame.through = true;
    frame.step = 0.5f;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = 0.1f;
    for (size_t i = 0; i < sizeof strengths / sizeof *strengths; i++) {
        double s = strengths[i];
        settings.smoke.extinction = (float)(10 * s);
        check_same(&smoke.view, &settings, &frame, 2);
        check_same_through(false);
        assert_true(renderer_read_through(renderer, false, drawn, &error));
        const float *middle = drawn + (ptrdiff_t)4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        assert_true(fabs((double)middle[1] - exp(-s)) < 1e-3);
        assert_true(fabs((double)middle[3] - (2 + 1 / s - 1 / expm1(s))) < 1e-3);
    }
    smoke_destroy(&smoke);
}

/* Of solids, ground and smoke; beside a solid's edge the two may see different things. */
static void check_same_depth(int apart)
{
    static float drawn[BYTES], painted[BYTES], drawn_surface[BYTES / 4], painted_surface[BYTES / 4];
    BillowError error = {""};
    if (!renderer_read_depth(renderer, drawn, drawn_surface, &error))
        fail_msg("%s", error.text);
    assert_true(painter_read_depth(painter, painted, painted_surface));
    int others = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const float *a = drawn + (ptrdiff_t)4 * i, *b = painted + (ptrdiff_t)4 * i;
        bool same = fabsf(drawn_surface[i] / painted_surface[i] - 1) < 1e-3f;
        for (int c = 0; c < 3; c++)
            same = same && fabsf(a[c] - b[c]) < 2 / 255.0f;
        same = same && (fabsf(a[3] - b[3]) * (1 - b[0]) < 0.002f || a[3] == b[3]);
        others += !same;
    }
    if (others > apart)
        fail_msg("%d pixels differ in depth", others);
}

static float surface_at(int x, int y)
{
    static float through[BYTES], surface[BYTES / 4];
    BillowError error = {""};
    assert_true(renderer_read_depth(renderer, through, surface, &error));
    return surface[y * WIDTH + x];
}

static void test_depth_is_the_same_and_right(void **state)
{
    (void)state;
    const int middle_x = WIDTH / 2, middle_y = HEIGHT / 2;
    Smoke smoke = smoke_with_room(32, 32, 32);
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] = 0.05f;
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    float values[4];
    BillowError error;
    check_same(&smoke.view, &settings, &frame, 2);
    assert_false(renderer_read_depth(renderer, values, values, &error));
    assert_false(painter_read_depth(painter, values, values));
    frame.depth = true;

    /* The ground, 15 degrees below the view axis, and the sky. */
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_depth(0);
    double turn = 3.14159265 / 180, pixel = tan(17.5 * turn) / HEIGHT;
    double wanted = (0.45 + 2.4 * sin(15 * turn)) / (sin(15 * turn) + pixel * cos(15 * turn));
    assert_true(fabs((double)surface_at(middle_x, middle_y) - wanted) < 2e-3);
    settings.camera.elevation = -2; /* now the horizon is in the picture */
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_depth(0);
    assert_true(surface_at(middle_x, 0) == 1e10f);

    /* A ball of radius 0.2 m, 2.4 m from the camera that looks at its middle; and transparent. */
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.5f, 0.45f, 0.5f}, 0.2f);
    settings.camera.elevation = 15;
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_depth(8);
    assert_true(fabsf(surface_at(middle_x, middle_y) - 2.2f) < 0.01f);
    frame.transparent = true;
    settings.smoke.extinction_color[2] = 0.3f; /* blue comes through more */
    check_same(&smoke.view, &settings, &frame, 2);
    check_same_depth(8);
    assert_true(fabsf(surface_at(middle_x, middle_y) - 2.2f) < 0.01f);
    assert_true(surface_at(0, HEIGHT - 1) == 1e10f);
    free(solid);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_developing_is_the_same),
        cmocka_unit_test(test_any_size_develops),
        cmocka_unit_test(test_smoke_is_the_same),
        cmocka_unit_test(test_linear_is_the_same),
        cmocka_unit_test(test_slices_are_the_same),
        cmocka_unit_test(test_backdrop_is_the_same),
        cmocka_unit_test(test_heat_and_color_are_the_same),
        cmocka_unit_test(test_cubic_is_the_same),
        cmocka_unit_test(test_solids_are_the_same),
        cmocka_unit_test(test_what_comes_through_is_the_same),
        cmocka_unit_test(test_slab_tells_its_depth),
        cmocka_unit_test(test_depth_is_the_same_and_right),
        cmocka_unit_test(test_light_by_color_is_the_same),
        cmocka_unit_test(test_lamps_are_the_same),
    };
    return cmocka_run_group_tests_name("painter", tests, open_both, close_both);
}
