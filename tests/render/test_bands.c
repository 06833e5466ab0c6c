/* SPDX-License-Identifier: MIT
 * Pictures drawn in parts equal those drawn at once. */
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

#include "renderer_fixture.h"
#include "sanitized.h"
#include <epoxy/gl.h>

/* Neither is a multiple of what parts are made of. */
enum { WIDE = 90, HIGH = 101, TRACERS = 60 };

typedef struct Kept {
    uint8_t pixels[WIDE * HIGH * 4];
    float linear[WIDE * HIGH * 4], through[WIDE * HIGH * 4], surface[WIDE * HIGH];
    int channels, rows, bands;
} Kept;

static Kept whole, parts;

static bool keep(void *into, const Band *band, BillowError *error)
{
    Kept *kept = into;
    size_t from = (size_t)band->first * WIDE, count = (size_t)band->rows * WIDE;
    (void)error;
    assert_int_equal(band->first, kept->rows);
    assert_true(band->rows % BAND_ROWS == 0 || band->first + band->rows == HIGH);
    if (band->pixels != NULL)
        memcpy(kept->pixels + from * (size_t)kept->channels, band->pixels,
               count * (size_t)kept->channels);
    if (band->linear != NULL)
        memcpy(kept->linear + 4 * from, band->linear, 4 * count * sizeof(float));
    if (band->through != NULL)
        memcpy(kept->through + 4 * from, band->through, 4 * count * sizeof(float));
    if (band->surface != NULL)
        memcpy(kept->surface + from, band->surface, count * sizeof(float));
    kept->rows += band->rows;
    kept->bands++;
    return true;
}

static void draw_kept(Kept *kept, const RenderSettings *settings, const RenderFrame *frame,
                      int channels)
{
    BillowError error = {""};
    memset(kept, 0, sizeof *kept);
    kept->channels = channels;
    if (!renderer_bands(renderer, settings, frame, channels, keep, kept, &error))
        fail_msg("%s", error.text);
    assert_int_equal(kept->rows, HIGH);
}

/* Colours count as far as they are opaque. */
static int shown(const Kept *kept, int i)
{
    const uint8_t *pixels = kept->pixels;
    return kept->channels == 3 || i % 4 == 3 ? pixels[i] : pixels[i] * pixels[i | 3] / 255;
}

/* Parts of 40 x 32 pixels, and of fewer where there is an opacity. */
static void check_parts(const RenderSettings *settings, RenderFrame frame, int most)
{
    for (int channels = frame.transparent ? 4 : 3; channels <= 4; channels++) {
        frame.part_edge = 0;
        draw_kept(&whole, settings, &frame, channels);
        assert_int_equal(whole.bands, 1);
        frame.part_edge = channels == 3 || SANITIZED ? 40 : 24;
        draw_kept(&parts, settings, &frame, channels);
        assert_true(parts.bands >= 4);
        for (int i = 0; i < WIDE * HIGH * channels; i++) {
            int a = shown(&whole, i), b = shown(&parts, i);
            if (abs(a - b) > most)
                fail_msg("pixel (%d, %d): at once %d, in parts of %d %d", i / channels % WIDE,
                         i / channels / WIDE, a, frame.part_edge, b);
        }
    }
}

static RenderFrame wide_frame(void)
{
    RenderFrame frame = test_frame();
    frame.width = WIDE;
    frame.height = HIGH;
    return frame;
}

static float places[3][TRACERS], ages[TRACERS];

static void strew_tracers(Smoke *smoke)
{
    for (int i = 0; i < TRACERS; i++)
        for (int axis = 0; axis < 3; axis++)
            places[axis][i] = (float)((i * 37 + axis * 11 + i * i * axis) % 101) / 100;
    for (int axis = 0; axis < 3; axis++)
        smoke->view.tracer[axis] = places[axis];
    smoke->view.tracer_age = ages;
    smoke->view.tracer_count = TRACERS;
}

static void test_smoke(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    settings.tracers.size = 0.06f; /* several pixels, so that they lie across the parts' edges */
    for (int at = 0; at < 40 * 30 * 34; at++)
        smoke.temperature[at] = 1500 * smoke.density[at];
    settings.smoke.glow = 1;
    strew_tracers(&smoke);
    upload(renderer, &smoke, &settings);
    RenderFrame frame = wide_frame();
    check_parts(&settings, frame, 1);
    frame.outline = true;
    check_parts(&settings, frame, 1);
    frame.outline = false; /* its lines blend with what is hardly there at all */
    frame.transparent = true;
    frame.frame = 5; /* another jitter */
    check_parts(&settings, frame, 1);
    float *values = malloc(field_slice_floats(40, 30, 34) * sizeof *values);
    assert_non_null(values);
    FieldSlice slice = {FIELD_DENSITY, 2, 0.4f, {0}, values, 0, 0};
    field_slice_fill(&slice, &smoke.view);
    frame.slice = (RenderSlice){&slice, 0, 1, 8, 0.5f};
    check_parts(&settings, frame, 1);
    frame.transparent = false;
    check_parts(&settings, frame, 1);
    settings.lens.aperture = 0.2f;
    settings.lens.shutter = 0.1f;
    settings.grade.grain = 0.05f;
    frame.exposures = 3;
    check_parts(&settings, frame, 1);
    free(values);
    smoke_destroy(&smoke);
}

static Smoke smoke_about_ball(float **solid)
{
    Smoke smoke = smoke_with_room(32, 32, 32);
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    0.15f * fmaxf(0, sinf(0.3f * (float)i) * sinf(0.2f * (float)(j + k)));
    *solid = smoke_solid_ball(&smoke, (const float[]){0.6f, 0.35f, 0.6f}, 0.2f);
    return smoke;
}

static void test_solids(void **state)
{
    (void)state;
    float *solid;
    Smoke smoke = smoke_about_ball(&solid);
    RenderSettings settings = test_settings();
    RenderFrame frame = wide_frame();
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    check_parts(&settings, frame, 1);
    settings.smoke.extinction_color[0] = 0.4f; /* transmittance has a texture of its own */
    upload(renderer, &smoke, &settings);
    check_parts(&settings, frame, 1);
    frame.transparent = true;
    check_parts(&settings, frame, 1);
    free(solid);
    smoke_destroy(&smoke);
}

static void check_floats(const char *what, const float *a, const float *b, int count, float most)
{
    for (int i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= most * fmaxf(fabsf(a[i]), 1)))
            fail_msg("%s at %d: at once %g, in parts %g", what, i, (double)a[i], (double)b[i]);
}

static void test_linear_light_and_depth(void **state)
{
    (void)state;
    float *solid;
    Smoke smoke = smoke_about_ball(&solid);
    RenderSettings settings = test_settings();
    RenderFrame frame = wide_frame();
    frame.linear = frame.depth = true;
    settings.picture.bloom = 0.2f; /* of which linear light knows nothing */
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw_kept(&whole, &settings, &frame, 0);
    frame.part_edge = 40;
    draw_kept(&parts, &settings, &frame, 0);
    assert_int_equal(parts.bands, 4);
    check_floats("light", whole.linear, parts.linear, WIDE * HIGH * 4, 2e-3f);
    check_floats("smoke", whole.through, parts.through, WIDE * HIGH * 4, 1e-4f);
    check_floats("surface", whole.surface, parts.surface, WIDE * HIGH, 1e-4f);
    free(solid);
    smoke_destroy(&smoke);
}

/* Bloom reaches over the parts' edges, and exposure is one for all of them. */
static void test_whole_picture_is_developed(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    for (int at = 0; at < 40 * 30 * 34; at++)
        smoke.temperature[at] = 2500 * smoke.density[at];
    settings.smoke.glow = 1;
    upload(renderer, &smoke, &settings);
    RenderFrame frame = wide_frame();
    settings.picture.bloom = 0.3f;
    check_parts(&settings, frame, 1);
    settings.picture.auto_exposure = true;
    check_parts(&settings, frame, 1);
    frame.transparent = true;
    check_parts(&settings, frame, 1);
    BillowError error;
    frame.outline = true;
    frame.part_edge = 40;
    assert_false(renderer_bands(renderer, &settings, &frame, 3, keep, &parts, &error));
    assert_non_null(strstr(error.text, "slices or lines"));
    smoke_destroy(&smoke);
}

/* A picture aside is as bright as the one before, and those after it know nothing of it. */
static void test_picture_aside_leaves_exposure(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings(), dark;
    RenderFrame frame = wide_frame();
    BillowError error = {""};
    settings.picture.auto_exposure = true;
    upload(renderer, &smoke, &settings);
    static uint8_t first[WIDE * HIGH * 3], after[WIDE * HIGH * 3];
    frame.seconds = 0;
    draw_kept(&whole, &settings, &frame, 3);
    memcpy(first, whole.pixels, sizeof first);
    dark = settings;
    dark.sun.intensity *= 0.05f;
    dark.sky.intensity *= 0.05f;
    frame.aside = true;
    for (frame.part_edge = 0; frame.part_edge <= 40; frame.part_edge += 40) {
        double sum = 0, bright = 0;
        draw_kept(&parts, &dark, &frame, 3);
        for (int i = 0; i < WIDE * HIGH * 3; i++) {
            sum += parts.pixels[i];
            bright += first[i];
        }
        assert_true(sum < 0.5 * bright); /* by itself it would be as bright */
    }
    frame.part_edge = 0;
    frame.aside = false;
    frame.seconds = 1e-3f;
    assert_true(renderer_draw(renderer, &settings, &frame, &error));
    assert_true(renderer_read(renderer, 3, after, &error));
    for (int i = 0; i < WIDE * HIGH * 3; i++)
        assert_true(abs(first[i] - after[i]) <= 1);
    smoke_destroy(&smoke);
}

/* -- a small card -------------------------------------------------------------------------------
 */

static long room;    /* pixels that a texture may have; 0: any number */
static int asked;    /* how often there was not as much */
static bool refused; /* one was asked for since the last error was told of */
static GLenum (*true_error)(void);
static void(GLAPIENTRY *true_texture)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum,
                                      const void *);

static void GLAPIENTRY small_texture(GLenum target, GLint level, GLint format, GLsizei width,
                                     GLsizei height, GLint border, GLenum layout, GLenum type,
                                     const void *values)
{
    if (room > 0 && (long)width * height > room)
        refused = true, asked++;
    else
        true_texture(target, level, format, width, height, border, layout, type, values);
}

static GLenum GLAPIENTRY small_error(void)
{
    bool was = refused;
    refused = false;
    return was ? GL_OUT_OF_MEMORY : true_error();
}

static void test_little_graphics_memory(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(40, 30, 34);
    RenderSettings settings = test_settings();
    RenderFrame frame = wide_frame();
    BillowError error = {""};
    upload(renderer, &smoke, &settings);
    draw_kept(&whole, &settings, &frame, 3);
    assert_false(renderer_notice(renderer, &error));
    (void)glGetError(); /* now both are known */
    true_texture = epoxy_glTexImage2D;
    true_error = epoxy_glGetError;
    epoxy_glTexImage2D = small_texture;
    epoxy_glGetError = small_error;
    for (int bloom = 0; bloom < 2; bloom++) {
        settings.picture.bloom = bloom == 0 ? 0 : 0.3f;
        room = 0;
        renderer_forget(renderer); /* and which parts fitted */
        upload(renderer, &smoke, &settings);
        draw_kept(&whole, &settings, &frame, 3);
        RenderFrame small = test_frame(); /* so that nothing as large is left */
        assert_true(renderer_draw(renderer, &settings, &small, &error));
        room = 4000;
        draw_kept(&parts, &settings, &frame, 3);
        assert_true(parts.bands > 2);
        for (int i = 0; i < WIDE * HIGH * 3; i++)
            assert_true(abs(whole.pixels[i] - parts.pixels[i]) <= 1);
        assert_true(renderer_notice(renderer, &error));
        assert_non_null(
            strstr(error.text, "graphics memory is low: the picture is drawn in tiles of "));
        assert_false(renderer_notice(renderer, &error));
    }
    /* The next picture begins with parts that fit. */
    asked = 0;
    int bands = parts.bands;
    parts.rows = 0;
    draw_kept(&parts, &settings, &frame, 3);
    assert_int_equal(asked, 0);
    assert_int_equal(parts.bands, bands);
    assert_false(renderer_notice(renderer, &error));
    room = 100; /* not even the smallest */
    parts.rows = 0;
    assert_false(renderer_bands(renderer, &settings, &frame, 3, keep, &parts, &error));
    assert_non_null(strstr(error.text, "out of graphics memory"));
    epoxy_glTexImage2D = true_texture;
    epoxy_glGetError = true_error;
    draw_kept(&parts, &settings, &frame, 3); /* and all is well again */
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_linear_light_and_depth),
        cmocka_unit_test(test_whole_picture_is_developed),
        cmocka_unit_test(test_picture_aside_leaves_exposure),
        cmocka_unit_test(test_little_graphics_memory),
    };
    return cmocka_run_group_tests_name("bands", tests, open_renderer, close_renderer);
}
