/* SPDX-License-Identifier: MIT
 * The renderer through the real GL and the real shaders, without a window: light, smoke, cameras.
 */
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
#include "render/light/fade.h"
#include "render/light/light_volume.h"
#include "render/pass/develop.h"
#include "renderer_fixture.h"

static void test_empty_is_background(void **state)
{
    (void)state;
    static uint8_t background[BYTES], pixels[BYTES];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    BillowError error;
    Renderer *fresh = renderer_create(NULL, &error);
    assert_non_null(fresh);
    draw(fresh, &settings, &frame, background);
    assert_true(memcmp(pixel(background, 48, 2), pixel(background, 48, 60), 4) != 0);
    for (int i = 3; i < BYTES; i += 4)
        assert_int_equal(background[i], 255);

    Smoke smoke = smoke_create(24, 32, 20);
    upload(fresh, &smoke, &settings);
    draw(fresh, &settings, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    /* Far below what shows is nothing too, and so is smoke without extinction. */
    for (int i = 0; i < 24 * 32 * 20; i++)
        smoke.density[i] = 1e-12f;
    upload(fresh, &smoke, &settings);
    draw(fresh, &settings, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    for (int i = 0; i < 24 * 32 * 20; i++)
        smoke.density[i] = 1;
    upload(fresh, &smoke, &settings);
    settings.smoke.extinction = 0;
    draw(fresh, &settings, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    smoke_destroy(&smoke);
    renderer_destroy(fresh);
}

/* Length of a pixel's ray within the unit cube. */
static double path_length(const RenderSettings *settings, int x, int y)
{
    float origin[3], direction[3];
    camera_ray(&settings->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin,
               direction);
    double enter = 0, leave = 1e9;
    for (int a = 0; a < 3; a++) {
        double t0 = (0.0 - (double)origin[a]) / (double)direction[a];
        double t1 = (1.0 - (double)origin[a]) / (double)direction[a];
        enter = fmax(enter, fmin(t0, t1));
        leave = fmin(leave, fmax(t0, t1));
    }
    return fmax(leave - enter, 0);
}

static void check_slab(const RenderSettings *settings, const RenderFrame *frame)
{
    static float pixels[BYTES];
    draw_linear(renderer, settings, *frame, pixels);
    int inside = 0;
    for (int y = 1; y < HEIGHT; y += 3)
        for (int x = 1; x < WIDTH; x += 3) {
            double length = path_length(settings, x, y);
            double wanted = 1 - exp(-(double)settings->smoke.extinction * length);
            double got = (double)pixels[4 * (y * WIDTH + x) + 3];
            inside += length > 0;
            if (fabs(got - wanted) > 1 / 255.0)
                fail_msg("pixel %d, %d, step %g, frame %u, depth %g: opacity %g, not %g", x, y,
                         (double)frame->step, frame->frame,
                         (double)settings->smoke.extinction * length, got, wanted);
        }
    assert_true(inside > 100);
}

static void test_beer_lambert(void **state)
{
    (void)state;
    static const float extinctions[] = {0.02f, 0.3f, 1, 2.5f, 5, 12};
    static const float steps[] = {0.5f, 1, 2};
    Smoke smoke = smoke_create(32, 32, 32);
    for (int i = 0; i < 32 * 32 * 32; i++)
        smoke.density[i] = 1;
    RenderSettings settings = test_settings();
    upload(renderer, &smoke, &settings);
    RenderFrame frame = test_frame();
    frame.transparent = true;
    for (size_t e = 0; e < sizeof extinctions / sizeof *extinctions; e++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (frame.frame = 0; frame.frame < 3; frame.frame++) {
                settings.smoke.extinction = extinctions[e];
                frame.step = steps[s];
                settings.camera.azimuth = 25;
                check_slab(&settings, &frame);
                settings.camera.azimuth = 0;
                check_slab(&settings, &frame);
            }
    smoke_destroy(&smoke);
}

/* Length of a pixel's ray within the unit cube, weighted by the share of the smoke that is seen. */
static double seen_length(const RenderSettings *settings, const Fade *fade, int edge, int x, int y)
{
    enum { SAMPLES = 4000 };
    float origin[3], direction[3];
    const double step = 4.0 / SAMPLES;
    double sum = 0;
    camera_ray(&settings->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin,
               direction);
    for (int s = 0; s < SAMPLES; s++) {
        bool inside = true;
        float place[3];
        for (int a = 0; a < 3; a++) {
            const float at = origin[a] + ((float)s + 0.5f) * (float)step * direction[a];
            inside = inside && at > 0 && at < 1;
            place[a] = at * (float)edge;
        }
        sum += inside ? step * (double)fade_at(fade, place) : 0;
    }
    return sum;
}

static void test_smoke_fades_where_it_leaves(void **state)
{
    (void)state;
    enum { EDGE = 32 };
    static float pixels[BYTES];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = 1;
    smoke.view.leaves[BILLOW_CEILING] = smoke.view.leaves[BILLOW_LEFT] = true;
    RenderSettings settings = test_settings();
    settings.smoke.fade = 0.25f;
    settings.smoke.extinction = 4;
    settings.camera.azimuth = 25;
    const Fade fade = fade_of(&settings.smoke, &smoke.view);
    const float middle = 0.5f * EDGE, all = EDGE;
    assert_float_equal(fade_at(&fade, (float[3]){middle, middle, middle}), 1, 0);
    assert_float_equal(fade_at(&fade, (float[3]){all, 0, 0}), 1, 0);
    assert_float_equal(fade_at(&fade, (float[3]){middle, all, middle}), 0, 0);
    assert_float_equal(fade_at(&fade, (float[3]){0, middle, middle}), 0, 0);
    assert_float_equal(fade_at(&fade, (float[3]){middle, 0.875f * EDGE, middle}), 0.125f, 1e-6f);

    RenderFrame frame = test_frame();
    frame.transparent = true;
    frame.step = 0.1f;
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, pixels);
    int seen = 0;
    for (int y = 1; y < HEIGHT; y += 3)
        for (int x = 1; x < WIDTH; x += 3) {
            const double depth = 4 * seen_length(&settings, &fade, EDGE, x, y),
                         got = (double)pixels[4 * (y * WIDTH + x) + 3];
            seen += depth > 0.1;
            if (fabs(got - (1 - exp(-depth))) > 2 / 255.0)
                fail_msg("pixel %d, %d: opacity %g, not %g", x, y, got, 1 - exp(-depth));
        }
    assert_true(seen > 100);

    /* The light meets the same smoke. */
    BillowError error;
    LightVolume light = {.fade = fade};
    for (int reduction = 1; reduction <= 2; reduction++) {
        assert_true(light_volume_gather(&light, &smoke.view, reduction, &error));
        const int n = EDGE / reduction;
        for (int j = 0; j < n; j++) {
            const float at = ((float)j + 0.5f) * (float)reduction;
            assert_float_equal(light.density[cells_index(light.n, n / 2, j, n / 2)],
                               fade_at(&fade, (float[3]){middle, at, middle}), 1e-6f);
        }
    }
    light_volume_destroy(&light);
    smoke_destroy(&smoke);
}

/* Light of the smoke alone at the pixels' mean, of a cube of even smoke seen face on: the
 * green light. */
static double light_of_cube(RenderSettings settings, float kelvin)
{
    enum { EDGE = 32, AROUND = 6 };
    static float pixels[BYTES];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        smoke.density[i] = 1;
        smoke.temperature[i] = kelvin - 293;
    }
    settings.camera.azimuth = settings.camera.elevation = 0;
    settings.camera.distance = 12; /* rays are nearly parallel */
    settings.camera.fov = 6;
    settings.exposure = 1;
    RenderFrame frame = test_frame();
    frame.transparent = true;
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, pixels);
    smoke_destroy(&smoke);
    double sum = 0;
    for (int y = HEIGHT / 2 - AROUND; y < HEIGHT / 2 + AROUND; y++)
        for (int x = WIDTH / 2 - AROUND; x < WIDTH / 2 + AROUND; x++)
            sum += (double)pixels[4 * (y * WIDTH + x) + 1];
    return sum / (4 * AROUND * AROUND);
}

/* Thin smoke, of an optical depth t, under an even sky of radiance 1 scatters t a of it, however
 * its phase function divides that into light ahead and light from all around. */
static void test_thin_smoke_under_an_even_sky(void **state)
{
    (void)state;
    const float anisotropies[] = {0, 0.4f, 0.8f}, albedos[] = {0.4f, 0.9f};
    for (int g = 0; g < 3; g++)
        for (int a = 0; a < 2; a++) {
            RenderSettings settings = test_settings();
            settings.sun.intensity = 0;
            settings.sky = (RenderSky){1, {1, 1, 1}, {1, 1, 1}};
            settings.ground = (RenderGround){true, {1, 1, 1}, 0};
            settings.smoke.extinction = 0.02f;
            settings.smoke.anisotropy = anisotropies[g];
            for (int c = 0; c < 3; c++)
                settings.smoke.albedo[c] = albedos[a];
            double light = light_of_cube(settings, 293), wanted = 0.02 * (double)albedos[a];
            if (!(fabs(light / wanted - 1) < 0.03))
                fail_msg("anisotropy %g, albedo %g: %g, not %g", (double)anisotropies[g],
                         (double)albedos[a], light, wanted);
        }
}

/* Sunlight from behind the camera, scattered once: a / (4 pi) times the integral of e^-2t. */
static void test_dark_smoke_in_the_sun(void **state)
{
    (void)state;
    const float extinctions[] = {0.02f, 4, 12};
    for (int e = 0; e < 3; e++) {
        RenderSettings settings = test_settings();
        settings.sun = (RenderSun){0, 0, 1000, {1, 1, 1}};
        settings.sky.intensity = 0;
        settings.ground.visible = false;
        settings.smoke.extinction = extinctions[e];
        settings.smoke.anisotropy = 0;
        for (int c = 0; c < 3; c++)
            settings.smoke.albedo[c] = 1e-3f;
        double depth = (double)extinctions[e];
        double wanted = 0.5 * (1 - exp(-2 * depth)) / (4 * 3.14159265358979);
        double light = light_of_cube(settings, 293);
        if (!(fabs(light / wanted - 1) < (depth > 8 ? 0.06 : 0.01)))
            fail_msg("depth %g: %g, not %g", depth, light, wanted);
    }
}

/* Thin smoke shows the phase function: (1 + g) / (1 - g)^2 over 4 pi towards the sun, and
 * (1 - g) / (1 + g)^2 away from it. */
static void test_thin_smoke_shows_the_phase_function(void **state)
{
    (void)state;
    const double g = 0.5, pi4 = 4 * 3.14159265358979;
    for (int behind = 0; behind < 2; behind++) {
        RenderSettings settings = test_settings();
        settings.sun = (RenderSun){behind ? 180 : 0, 0, 100, {1, 1, 1}};
        settings.sky.intensity = 0;
        settings.ground.visible = false;
        settings.smoke.extinction = 0.01f;
        settings.smoke.anisotropy = (float)g;
        double phase = behind ? (1 + g) / pow(1 - g, 2) : (1 - g) / pow(1 + g, 2);
        double wanted = 0.01 * (double)settings.smoke.albedo[1] * 100 * phase / pi4;
        double light = light_of_cube(settings, 293);
        if (!(fabs(light / wanted - 1) < 0.015))
            fail_msg("sun %s: %g, not %g", behind ? "behind the smoke" : "in front of it", light,
                     wanted);
    }
}

/* Hot black smoke of an optical depth t shines with 1 - e^-t of the blackbody's radiance. */
static void test_hot_smoke_shines_by_its_temperature(void **state)
{
    (void)state;
    const float kelvins[] = {1100, 1500, 2200}, extinctions[] = {0.1f, 1, 5};
    for (int t = 0; t < 3; t++)
        for (int e = 0; e < 3; e++) {
            RenderSettings settings = test_settings();
            settings.sun.intensity = settings.sky.intensity = 0;
            settings.ground.visible = false;
            settings.smoke.extinction = extinctions[e];
            settings.smoke.glow = 1;
            for (int c = 0; c < 3; c++)
                settings.smoke.albedo[c] = 0;
            float rgb[3];
            blackbody_color(kelvins[t], (BlackbodyScale){1500, 1}, rgb);
            double wanted = (double)rgb[1] * (1 - exp(-(double)extinctions[e]));
            double light = light_of_cube(settings, kelvins[t]);
            if (!(fabs(light / wanted - 1) < 0.02))
                fail_msg("%g K, depth %g: %g, not %g", (double)kelvins[t], (double)extinctions[e],
                         light, wanted);
        }
}

static double slab_transmittance(float front, float back)
{
    static float pixels[BYTES];
    Smoke smoke = smoke_create(32, 32, 32);
    for (int i = 0; i < 32 * 32 * 32; i++)
        smoke.density[i] = i >= 32 * 32 * 16 ? front : back;
    RenderSettings settings = test_settings();
    settings.smoke.extinction = 1;
    settings.camera.azimuth = settings.camera.elevation = 0;
    RenderFrame frame = test_frame();
    frame.transparent = true;
    frame.step = 0.25f;
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, pixels);
    smoke_destroy(&smoke);
    return 1 - (double)pixels[4 * (HEIGHT / 2 * WIDTH + WIDTH / 2) + 3];
}

static void test_two_slabs_multiply(void **state)
{
    (void)state;
    double first = slab_transmittance(1.2f, 0), second = slab_transmittance(0, 0.7f);
    double both = slab_transmittance(1.2f, 0.7f);
    assert_true(fabs(first - exp(-0.6)) < 1.5 / 255);
    assert_true(fabs(both - first * second) < 1.5 / 255);
}

static void test_repeats(void **state)
{
    (void)state;
    static uint8_t first[BYTES], second[BYTES];
    Smoke smoke = smoke_ball(32, 40, 36);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    frame.scale = 0.5f;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, first);
    BillowError error;
    Renderer *other = renderer_create(NULL, &error);
    assert_non_null(other);
    renderer_light_as(other, LIGHT_STILL);
    upload(other, &smoke, &settings);
    draw(other, &settings, &frame, second);
    assert_memory_equal(first, second, BYTES);
    frame.frame = 1;
    draw(other, &settings, &frame, second);
    assert_true(memcmp(first, second, BYTES) != 0);
    renderer_destroy(other);
    smoke_destroy(&smoke);
}

static void test_light_follows_settings(void **state)
{
    (void)state;
    static uint8_t moved[BYTES], fresh[BYTES];
    Smoke smoke = smoke_ball(32, 32, 32);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    settings.sun.azimuth = -70;
    settings.smoke.extinction = 80;
    draw(renderer, &settings, &frame, moved);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, fresh);
    assert_memory_equal(moved, fresh, BYTES);
    smoke_destroy(&smoke);
}

static void test_strides(void **state)
{
    (void)state;
    static uint8_t packed[BYTES], spread[BYTES];
    Smoke smoke = smoke_ball(21, 18, 25);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, packed);
    /* Rows of 32 floats; planes a whole number of rows apart, and not. */
    for (int extra = 0; extra < 2; extra++) {
        ptrdiff_t stride_y = 32, stride_z = 32 * 20 + 16 * extra;
        float *field = malloc((size_t)(25 * stride_z) * sizeof *field);
        assert_non_null(field);
        for (ptrdiff_t i = 0; i < 25 * stride_z; i++)
            field[i] = 77; /* must not be looked at */
        for (int k = 0; k < 25; k++)
            for (int j = 0; j < 18; j++)
                memcpy(field + j * stride_y + k * stride_z, smoke.density + 21 * (j + 18 * k),
                       21 * sizeof *field);
        Smoke other = smoke;
        other.view.density = field;
        other.view.temperature = NULL;
        other.view.stride_y = stride_y;
        other.view.stride_z = stride_z;
        upload(renderer, &other, &settings);
        draw(renderer, &settings, &frame, spread);
        assert_memory_equal(packed, spread, BYTES);
        free(field);
    }
    smoke_destroy(&smoke);
}

/* Smoke that a view says where to look for is drawn as smoke that may be anywhere, and what was
 * drawn before has gone. */
static void test_spans_hold_the_smoke(void **state)
{
    (void)state;
    enum { N = 40, BLOCKS = N / BILLOW_SPAN_ROWS };
    static uint8_t known[BYTES], unknown[BYTES];
    static BillowSpan spans[BLOCKS * N];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    for (int place = 0; place < 4; place++) {
        Smoke smoke = smoke_create(N, N, N);
        const int corner[3] = {3 + 7 * place, 30 - 9 * place, 5 + 8 * place}, edge = 6 + place;
        for (int b = 0; b < BLOCKS * N; b++)
            spans[b] = (BillowSpan){0, 0};
        for (int k = corner[2]; k < corner[2] + edge && place < 3; k++)
            for (int j = corner[1]; j < corner[1] + edge; j++) {
                for (int i = corner[0]; i < corner[0] + edge; i++)
                    smoke.density[i + N * (j + N * k)] = 1;
                spans[j / BILLOW_SPAN_ROWS + BLOCKS * k] =
                    (BillowSpan){(short)corner[0], (short)(corner[0] + edge)};
            }
        smoke.view.spans = spans;
        smoke.view.span_blocks = BLOCKS;
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, known);
        BillowError error;
        Renderer *other = renderer_create(NULL, &error);
        assert_non_null(other);
        renderer_light_as(other, LIGHT_STILL);
        smoke.view.spans = NULL;
        upload(other, &smoke, &settings);
        draw(other, &settings, &frame, unknown);
        assert_memory_equal(known, unknown, BYTES);
        renderer_destroy(other);
        smoke_destroy(&smoke);
    }
}

/* Grey of a sky of so much radiance, from the picture's top row. */
static int sky_grey(float radiance)
{
    static uint8_t pixels[BYTES];
    RenderSettings settings = test_settings();
    settings.exposure = 1;
    settings.sun.intensity = 0;
    settings.sky.intensity = radiance;
    for (int c = 0; c < 3; c++)
        settings.sky.zenith[c] = settings.sky.horizon[c] = 1;
    RenderFrame frame = test_frame();
    draw(renderer, &settings, &frame, pixels);
    const uint8_t *top = pixel(pixels, 40, 0);
    assert_in_range(abs(top[0] - top[1]), 0, 1);
    assert_in_range(abs(top[2] - top[1]), 0, 1);
    return top[1];
}

static void test_tone_map(void **state)
{
    (void)state;
    assert_int_equal(sky_grey(0), 0);
    int last = 0, distinct = 0;
    for (float radiance = 1e-4f; radiance < 2e6f; radiance *= 1.5f) {
        int grey = sky_grey(radiance);
        assert_true(grey >= last);
        distinct += grey > last;
        last = grey;
    }
    assert_true(distinct > 15);
    assert_in_range(last, 253, 255);
    assert_in_range(sky_grey(0.18f), 70, 150); /* middle grey stays in the middle */
    assert_in_range(sky_grey(1), 180, 240);    /* and white below the shoulder's end */
}

/* The difference, in 8-bit steps, of the transparent picture blended over a background and the
 * picture drawn before that background. */
typedef struct Laid {
    int value, most; /* of the background's corner */
    double mean;
} Laid;

static Laid lay_over_sky(const Smoke *smoke, RenderSettings settings, float radiance)
{
    static uint8_t bare[BYTES], whole[BYTES], cut[BYTES];
    Laid laid = {0, 0, 0};
    RenderFrame frame = test_frame();
    settings.ground.visible = false;
    settings.sky.intensity = radiance / settings.exposure;
    for (int c = 0; c < 3; c++)
        settings.sky.zenith[c] = settings.sky.horizon[c] = 1;
    upload(renderer, smoke, &settings);
    draw(renderer, &settings, &frame, whole);
    frame.transparent = true;
    draw(renderer, &settings, &frame, cut);
    frame.transparent = false;
    settings.smoke.extinction = 0;
    draw(renderer, &settings, &frame, bare);
    laid.value = pixel(bare, 0, HEIGHT - 1)[1];
    for (int i = 0; i < BYTES; i++) {
        double alpha = cut[i | 3] / 255.0, mixed = cut[i] * alpha + bare[i] * (1 - alpha);
        if (cut[i | 3] == 0)
            assert_int_equal(cut[i], 0);
        if (i % 4 == 3)
            continue;
        int off = abs((int)lround(mixed) - whole[i]);
        laid.most = off > laid.most ? off : laid.most;
        laid.mean += fabs(mixed - whole[i]) / (3 * WIDTH * HEIGHT);
    }
    return laid;
}

static void test_cut_out_fits_any_background(void **state)
{
    (void)state;
    static const struct {
        float radiance, albedo, heat;
        int most; /* 8-bit steps */
    } cases[] = {
        {0, 0.9f, 0, 3},  {0.02f, 0.9f, 0, 14}, {0.18f, 0.9f, 0, 14},
        {1, 0.9f, 0, 22}, {0, 0.1f, 0, 3},      {0.18f, 0.1f, 0, 16},
        {1, 0.1f, 0, 42}, {0, 0.3f, 1700, 4},   {0.02f, 0.3f, 1700, 20},
    };
    Smoke smoke = smoke_ball(32, 32, 32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int tone = RENDER_TONE_ACES; tone <= RENDER_TONE_AGX; tone++) {
            RenderSettings settings = test_settings();
            settings.picture.tone_map = (RenderTone)tone;
            for (int c = 0; c < 3; c++)
                settings.smoke.albedo[c] = cases[i].albedo;
            settings.smoke.glow = cases[i].heat > 0;
            for (int at = 0; at < 32 * 32 * 32; at++)
                smoke.temperature[at] = cases[i].heat * fminf(smoke.density[at], 1);
            Laid laid = lay_over_sky(&smoke, settings, cases[i].radiance);
            if (laid.most > cases[i].most || laid.mean > 1)
                fail_msg("over %d, albedo %g, %g K, tone map %d: %d off at most, %.2f on average",
                         laid.value, (double)cases[i].albedo, (double)cases[i].heat, tone,
                         laid.most, laid.mean);
        }
    smoke_destroy(&smoke);
}

/* After light becomes 8 times as bright, automatic exposure needs some time and adapts. */
static void test_exposure_adapts(void **state)
{
    (void)state;
    static uint8_t before[BYTES], dazzled[BYTES], later[BYTES], still[BYTES];
    RenderSettings settings = test_settings();
    settings.picture.auto_exposure = true;
    RenderFrame frame = test_frame();
    draw(renderer, &settings, &frame, before);
    assert_false(renderer_adapting(renderer));
    settings.sky.intensity *= 8;
    settings.sun.intensity *= 8;
    for (int late = 0; late < 2; late++) {
        frame.late = late;
        frame.seconds = 0.05f;
        draw(renderer, &settings, &frame, dazzled);
        assert_true(renderer_adapting(renderer));
        assert_true(largest_difference(before, dazzled) > 20);
        int frames = 0;
        for (; renderer_adapting(renderer) && frames < 200; frames++)
            draw(renderer, &settings, &frame, later);
        assert_in_range(frames, 20, 100); /* of 20 a second */
        frame.seconds = 0;
        frame.late = false;
        draw(renderer, &settings, &frame, still);
        assert_in_range(largest_difference(later, still), 0, 2);
        assert_in_range(largest_difference(before, still), 0, 2); /* as if nothing had happened */
        settings.sky.intensity /= late ? 1 : 64;
        settings.sun.intensity /= late ? 1 : 64;
    }
}

static void test_glow_is_orange(void **state)
{
    (void)state;
    static uint8_t cold[BYTES], hot[BYTES];
    Smoke smoke = smoke_ball(32, 32, 32);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.camera.target[0] = 0.45f;
    settings.camera.target[1] = 0.4f;
    settings.camera.target[2] = 0.55f;
    settings.smoke.glow = 1;
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 0.4f;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, cold);
    for (int i = 0; i < 32 * 32 * 32; i++)
        smoke.temperature[i] = 1500 - 293;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, hot);
    const uint8_t *before = pixel(cold, WIDTH / 2, HEIGHT / 2);
    const uint8_t *after = pixel(hot, WIDTH / 2, HEIGHT / 2);
    assert_true(after[0] > before[0] + 40);
    assert_true(after[0] > after[1] + 40 && after[1] > after[2] + 10);
    settings.smoke.glow = 0;
    draw(renderer, &settings, &frame, hot);
    assert_memory_equal(hot, cold, BYTES);
    smoke_destroy(&smoke);
}

static void test_center_ray(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    static const float elevations[] = {-90, -20, 0, 35, 90};
    for (int i = 0; i < 5; i++) {
        settings.camera.elevation = elevations[i];
        settings.camera.azimuth = 40 * (float)i;
        float o[3], d[3];
        camera_ray(&settings.camera, 640, 360, 320, 180, o, d);
        for (int a = 0; a < 3; a++)
            assert_true(fabsf(o[a] + d[a] * settings.camera.distance - settings.camera.target[a]) <
                        1e-5f);
    }
    /* The camera in front looks along -z, with x to the right and y up. */
    settings.camera.azimuth = settings.camera.elevation = 0;
    float o[3], d[3];
    camera_ray(&settings.camera, 640, 360, 640, 0, o, d);
    assert_true(d[0] > 0.1f && d[1] > 0.1f && d[2] < -0.5f);
    assert_true(fabsf(d[1] / d[2] + tanf(17.5f * 3.14159265f / 180)) < 1e-5f);
    settings.camera.azimuth = 90;
    camera_ray(&settings.camera, 640, 360, 320, 180, o, d);
    assert_true(d[0] < -0.999f);
    camera_ray(&settings.camera, 640, 360, 640, 180, o, d); /* -z is to the right */
    assert_true(d[2] < -0.1f);
}

static void test_odd_cameras(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    static const float cameras[][3] = {{0.1f, 25, 10}, {0.001f, 0, 0}, {3, 0, 90},
                                       {3, 0, -90},    {2, 10, -30},   {500, 45, 5}};
    Smoke smoke = smoke_ball(17, 9, 12);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    frame.outline = true;
    upload(renderer, &smoke, &settings);
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        settings.camera.distance = cameras[i][0];
        settings.camera.azimuth = cameras[i][1];
        settings.camera.elevation = cameras[i][2];
        draw(renderer, &settings, &frame, pixels);
        int brightest = 0;
        for (int p = 0; p < BYTES; p += 4)
            brightest = pixels[p] > brightest ? pixels[p] : brightest;
        assert_true(brightest > 20);
    }
    smoke_destroy(&smoke);
}

static void test_outline(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], drawn[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, plain);
    frame.outline = true;
    draw(renderer, &settings, &frame, drawn);
    assert_true(largest_difference(plain, drawn) > 20);
    assert_memory_equal(pixel(plain, WIDTH / 2, HEIGHT / 2), pixel(drawn, WIDTH / 2, HEIGHT / 2),
                        4);
    smoke_destroy(&smoke);
}

/* While the camera turns, sky and ground are coarser, but where they were. */
static void test_turning(void **state)
{
    (void)state;
    static uint8_t still[BYTES], turning[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.camera.elevation = 5; /* the horizon is in the picture */
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, still);
    frame.turning = true;
    draw(renderer, &settings, &frame, turning);
    double sum = 0;
    for (int i = 0; i < BYTES; i++)
        sum += abs(still[i] - turning[i]);
    assert_true(sum > 0);
    assert_true(sum / BYTES < 1);
    smoke_destroy(&smoke);
}

/* Relief makes neighbours differ and leaves the ground as bright as it is. A low sun shows it more.
 */
static void test_rough_ground(void **state)
{
    (void)state;
    static float plain[BYTES], rough[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    RenderSettings settings = test_settings();
    double contrast[2];
    settings.camera = (RenderCamera){{0.5f, 0, 0.5f}, 0.4f, 25, 40, 35}; /* the ground fills it */
    upload(renderer, &smoke, &settings);
    for (int low = 0; low < 2; low++) {
        settings.sun.elevation = low ? 20 : 80;
        settings.ground.roughness = 0;
        draw_linear(renderer, &settings, test_frame(), plain);
        settings.ground.roughness = 1;
        draw_linear(renderer, &settings, test_frame(), rough);
        double sums[2] = {0}, changes[2] = {0};
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            for (int n = 0; n < 2; n++) {
                const float *pixels = n == 0 ? plain : rough;
                sums[n] += (double)pixels[4 * i];
                if (i % WIDTH > 0)
                    changes[n] += fabs((double)pixels[4 * i] - (double)pixels[4 * (i - 1)]);
            }
        contrast[low] = changes[1] / changes[0];
        if (!(fabs(sums[1] / sums[0] - 1) < 0.03 && contrast[low] > 1.1))
            fail_msg("sun at %g: brightness %g, contrast %g", (double)settings.sun.elevation,
                     sums[1] / sums[0], contrast[low]);
    }
    assert_true(contrast[1] > 1.5 * contrast[0]);
    smoke_destroy(&smoke);
}

/* A slab of extinction s from a to a + L along the ray through the picture's middle: the
 * transmittance is e^(-s L), and the mean distance of what is absorbed is
 * a + 1/s - L / (e^(s L) - 1). Here a = 2 m and L = 1 m. */
static void test_slab_tells_its_depth(void **state)
{
    (void)state;
    enum { EDGE = 24 };
    const double strengths[] = {0.5, 2, 5};
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    static float through[BYTES];
    BillowError error = {""};
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 2.5f, 0, 0, 35};
    settings.smoke.anisotropy = 0; /* light scattered straight ahead would count as transmitted */
    frame.through = true;
    frame.step = 0.5f;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = 0.1f;
    for (size_t i = 0; i < sizeof strengths / sizeof *strengths; i++) {
        double s = strengths[i];
        settings.smoke.extinction = (float)(10 * s);
        upload(renderer, &smoke, &settings);
        if (!renderer_draw(renderer, &settings, &frame, &error) ||
            !renderer_read_through(renderer, false, through, &error))
            fail_msg("%s", error.text);
        const float *middle = through + (ptrdiff_t)4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        assert_true(fabs((double)middle[1] - exp(-s)) < 1e-3);
        assert_true(fabs((double)middle[3] - (2 + 1 / s - 1 / expm1(s))) < 1e-3);
    }
    smoke_destroy(&smoke);
}

/* Distance of the surface along the view axis at a pixel, m. */
static float surface_at(const Smoke *smoke, const RenderSettings *settings,
                        const RenderFrame *frame, int x, int y)
{
    static float through[BYTES], surface[BYTES / 4];
    BillowError error = {""};
    renderer_forget(renderer); /* a solid may have come or gone */
    upload(renderer, smoke, settings);
    if (!renderer_draw(renderer, settings, frame, &error) ||
        !renderer_read_depth(renderer, through, surface, &error))
        fail_msg("%s", error.text);
    return surface[y * WIDTH + x];
}

static void test_surfaces_tell_their_depth(void **state)
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
    upload(renderer, &smoke, &settings);
    assert_true(renderer_draw(renderer, &settings, &frame, &error));
    assert_false(renderer_read_depth(renderer, values, values, &error));
    frame.depth = true;

    /* The ground, 15 degrees below the view axis, and the sky. */
    double turn = 3.14159265 / 180, pixel = tan(17.5 * turn) / HEIGHT;
    double wanted = (0.45 + 2.4 * sin(15 * turn)) / (sin(15 * turn) + pixel * cos(15 * turn));
    float ground = surface_at(&smoke, &settings, &frame, middle_x, middle_y);
    assert_true(fabs((double)ground - wanted) < 2e-3);
    settings.camera.elevation = -2; /* the horizon is in the picture */
    assert_true(surface_at(&smoke, &settings, &frame, middle_x, 0) == 1e10f);

    /* A ball of radius 0.2 m, 2.4 m from the camera that looks at its middle. */
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.5f, 0.45f, 0.5f}, 0.2f);
    settings.camera.elevation = 15;
    float ball = surface_at(&smoke, &settings, &frame, middle_x, middle_y);
    assert_true(fabsf(ball - 2.2f) < 0.01f);
    frame.transparent = true;
    settings.smoke.extinction_color[2] = 0.3f; /* the smoke attenuates blue less */
    ball = surface_at(&smoke, &settings, &frame, middle_x, middle_y);
    assert_true(fabsf(ball - 2.2f) < 0.01f);
    assert_true(surface_at(&smoke, &settings, &frame, 0, HEIGHT - 1) == 1e10f);
    renderer_forget(renderer);
    free(solid);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_is_background),
        cmocka_unit_test(test_beer_lambert),
        cmocka_unit_test(test_smoke_fades_where_it_leaves),
        cmocka_unit_test(test_two_slabs_multiply),
        cmocka_unit_test(test_thin_smoke_under_an_even_sky),
        cmocka_unit_test(test_dark_smoke_in_the_sun),
        cmocka_unit_test(test_thin_smoke_shows_the_phase_function),
        cmocka_unit_test(test_hot_smoke_shines_by_its_temperature),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_light_follows_settings),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_spans_hold_the_smoke),
        cmocka_unit_test(test_tone_map),
        cmocka_unit_test(test_cut_out_fits_any_background),
        cmocka_unit_test(test_exposure_adapts),
        cmocka_unit_test(test_glow_is_orange),
        cmocka_unit_test(test_center_ray),
        cmocka_unit_test(test_odd_cameras),
        cmocka_unit_test(test_outline),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_rough_ground),
        cmocka_unit_test(test_slab_tells_its_depth),
        cmocka_unit_test(test_surfaces_tell_their_depth),
    };
    return cmocka_run_group_tests_name("renderer", tests, open_renderer, close_renderer);
}
