/* SPDX-License-Identifier: MIT
 * From linear light to the displayed picture: tone curves, bloom, automatic exposure. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/pass/develop.h"
#include "render/renderer_state.h"
#include "renderer_fixture.h"

enum { WIDE = 160, HIGH = 96, FLOATS = 4 * WIDE * HIGH, PARTS = 3 };

static RenderSettings plain_settings(void)
{
    RenderSettings settings = test_settings();
    settings.exposure = 1;
    return settings;
}

/* An opaque grey. */
static void fill(float *pixels, float light)
{
    for (int i = 0; i < FLOATS; i++)
        pixels[i] = i % 4 == 3 ? 1 : light;
}

static void spot(float *pixels, int x, int y, int edge, float light)
{
    for (int j = y; j < y + edge; j++)
        for (int i = x; i < x + edge; i++)
            for (int c = 0; c < 3; c++)
                pixels[4 * (j * WIDE + i) + c] = light;
}

static float largest(const float v[3])
{
    return fmaxf(v[0], fmaxf(v[1], v[2]));
}

/* What a film curve shows of count radiances of a hue; the first is black. */
static void probe(RenderProbe tone, const float hue[3], const float *radiances, int count,
                  float *shown)
{
    static float in[4 * 1024];
    BillowError error = {""};
    assert_true(count <= 1024);
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            in[4 * i + c] = hue[c] * radiances[i];
    if (!renderer_probe(renderer, tone, count, in, shown, &error))
        fail_msg("%s", error.text);
}

static void test_tone_maps_rise(void **state)
{
    (void)state;
    static const float hues[][3] = {{1, 1, 1}, {1, 0, 0},         {0, 1, 0},
                                    {0, 0, 1}, {1, 0.35f, 0.02f}, {0.2f, 0.5f, 1}};
    static float radiances[1024], shown[4 * 1024];
    int count = 2;
    radiances[1] = 0.18f; /* middle grey */
    for (float radiance = 1e-6f; radiance < 1e6f; radiance *= 1.07f)
        radiances[count++] = radiance;
    for (int tone = RENDER_PROBE_ACES; tone <= RENDER_PROBE_AGX; tone++) {
        for (int hue = 0; hue < 6; hue++) {
            float last = 0;
            probe((RenderProbe)tone, hues[hue], radiances, count, shown);
            assert_true(largest(shown) == 0);
            if (hue == 0)
                assert_in_range((int)(255 * shown[4]), 110, 135);
            for (int i = 2; i < count; i++) {
                const float *seen = shown + (ptrdiff_t)4 * i;
                float least = fminf(seen[0], fminf(seen[1], seen[2])), most = largest(seen);
                if (!(least >= 0 && most <= 1 && most >= last - (hue == 0 ? 1e-5f : 1e-3f)))
                    fail_msg("tone map %d, hue %d, radiance %g: %g %g %g after %g", tone, hue,
                             (double)radiances[i], (double)seen[0], (double)seen[1],
                             (double)seen[2], (double)last);
                last = most;
            }
            assert_true(last > 0.9f);
        }
        /* What is no radiance at all. */
        probe((RenderProbe)tone, (const float[]){INFINITY, FLT_MAX, -1}, (const float[]){1}, 1,
              shown);
        assert_true(largest(shown) <= 1);
    }
}

/* Hill's fit of the ACES transforms (BakingLab, 2016), without its offset at black and divided by
 * its limit, and the encoding of IEC 61966-2-1. */
static void film_curve(const double radiance[3], double encoded[3])
{
    static const double into[3][3] = {
        {0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
    static const double back[3][3] = {{1.60475, -0.53108, -0.07367},
                                      {-0.10208, 1.10813, -0.00605},
                                      {-0.00327, -0.07276, 1.07602}};
    double bent[3];
    for (int c = 0; c < 3; c++) {
        double v =
            1.6 * (into[c][0] * radiance[0] + into[c][1] * radiance[1] + into[c][2] * radiance[2]);
        bent[c] = 0.983729 * v * (v + 0.0245786) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    }
    for (int c = 0; c < 3; c++) {
        double light = back[c][0] * bent[0] + back[c][1] * bent[1] + back[c][2] * bent[2];
        light = fmin(fmax(light, 0), 1);
        encoded[c] = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    }
}

static void test_film_curve_is_hills(void **state)
{
    (void)state;
    static const float hues[][3] = {{1, 1, 1}, {1, 0.3f, 0.1f}, {0.2f, 1, 0.3f}, {0.1f, 0.3f, 1}};
    static float radiances[64], shown[4 * 64];
    for (int i = 0; i < 64; i++)
        radiances[i] = i == 0 ? 0 : 1e-4f * powf(1.25f, (float)i);
    for (int hue = 0; hue < 4; hue++) {
        probe(RENDER_PROBE_ACES, hues[hue], radiances, 64, shown);
        for (int i = 0; i < 64; i++) {
            double light[3], wanted[3];
            for (int c = 0; c < 3; c++)
                light[c] = (double)(hues[hue][c] * radiances[i]);
            film_curve(light, wanted);
            for (int c = 0; c < 3; c++)
                if (!(fabs((double)shown[4 * i + c] - wanted[c]) < 1e-3))
                    fail_msg("hue %d, radiance %g, color %d: %g, not %g", hue, (double)radiances[i],
                             c, (double)shown[4 * i + c], wanted[c]);
        }
    }
}

/* Soot of 1000 to 2600 K from black over red and orange to white: no channel overtakes another, and
 * blue is the last to come. */
static void test_fire_pales(void **state)
{
    (void)state;
    static float radiances[256], shown[4 * 256];
    int count = 0;
    for (float radiance = 1e-3f; radiance < 30; radiance *= 1.2f)
        radiances[count++] = radiance;
    for (int tone = RENDER_PROBE_ACES; tone <= RENDER_PROBE_AGX; tone++) {
        probe((RenderProbe)tone, (const float[]){1, 0.35f, 0.03f}, radiances, count, shown);
        for (int i = 0; i < count; i++) {
            const float *seen = shown + (ptrdiff_t)4 * i;
            assert_true(seen[0] + 1e-4f >= seen[1] && seen[1] + 1e-4f >= seen[2]);
        }
    }
}

static RenderFrame plain_frame(void)
{
    RenderFrame frame = test_frame();
    frame.width = WIDE;
    frame.height = HIGH;
    return frame;
}

/* Meters a linear picture, rows from the bottom, and makes its bloom. */
static void open_film(const RenderSettings *settings, const float *linear)
{
    BillowError error = {""};
    RenderFrame frame = plain_frame();
    renderer_forget(renderer);
    if (!renderer_film_open(renderer, settings, &frame, linear, &error))
        fail_msg("%s", error.text);
}

/* The first level of the bloom, once all others are in it. */
static void bloomed(const float *linear, float *level)
{
    BillowError error = {""};
    RenderSettings settings = plain_settings();
    settings.picture.bloom = 0.5f;
    open_film(&settings, linear);
    const Target *target = &renderer->levels[0];
    assert_int_equal(target->width, WIDE / 4);
    if (!target_read(target, GL_RGBA, GL_FLOAT, 4 * sizeof(float), WIDE / 4, level, &error))
        fail_msg("%s", error.text);
}

static double sum_of(const float *pixels, int floats)
{
    double sum = 0;
    for (int i = 0; i < floats; i++)
        sum += i % 4 == 3 ? 0 : (double)pixels[i];
    return sum;
}

static void test_bloom_keeps_the_light(void **state)
{
    (void)state;
    enum { LEVEL_WIDE = WIDE / 4, LEVEL_HIGH = HIGH / 4, LEVEL = 4 * LEVEL_WIDE * LEVEL_HIGH };
    static float pixels[FLOATS], level[LEVEL];
    fill(pixels, 0.7f);
    bloomed(pixels, level);
    for (int i = 0; i < LEVEL; i++) /* grey stays as it is, to the corners */
        assert_true(fabsf(level[i] - (i % 4 == 3 ? 1 : 0.7f)) < 1e-3f);
    fill(pixels, 0);
    spot(pixels, 76, 44, 7, 300); /* in the middle, at no pixel of any level */
    bloomed(pixels, level);
    double before = sum_of(pixels, FLOATS), after = 16 * sum_of(level, LEVEL);
    if (fabs(after / before - 1) > 0.02) /* but what lies beyond the edges */
        fail_msg("%g of the light is left", after / before);
    /* Round, and less and less. */
    const float *row = level + (ptrdiff_t)4 * (LEVEL_HIGH / 2) * LEVEL_WIDE;
    for (int x = 20; x < 31; x++)
        if (!(row[4 * x] > 0 && row[4 * (x + 1)] < row[4 * x]))
            fail_msg("%g at %d, %g at %d", (double)row[4 * x], x, (double)row[4 * (x + 1)], x + 1);
    float right = row[4 * (19 + 5)];
    float up = level[4 * ((LEVEL_HIGH / 2 - 5) * LEVEL_WIDE + 19)];
    if (fabsf(right / up - 1) > 0.2f)
        fail_msg("%g to the right, %g upwards", (double)right, (double)up);
}

/* In three parts side by side. */
static void develop_once(const RenderSettings *settings, const float *linear, uint8_t *shown)
{
    BillowError error = {""};
    RenderFrame frame = plain_frame();
    open_film(settings, linear);
    for (int part = 0; part < PARTS; part++) {
        int from = WIDE * part / PARTS, to = WIDE * (part + 1) / PARTS;
        frame.tile = (RenderTile){from, 0, to - from, HIGH};
        if (!renderer_film_part(renderer, settings, &frame, linear, &error) ||
            !target_read(&renderer->picture, GL_RGBA, GL_UNSIGNED_BYTE, 4, WIDE,
                         shown + (ptrdiff_t)4 * from, &error))
            fail_msg("%s", error.text);
    }
}

/* A linear picture has its rows from the bottom, one that is shown from the top. */
static int shown_at(const uint8_t *shown, int x, int y)
{
    return shown[4 * ((HIGH - 1 - y) * WIDE + x)];
}

/* The ASC Color Decision List 1.2, with a contrast around mid grey before the saturation, whose
 * weights are those of the primaries of sRGB in luminance (ITU-R BT.709). */
static void grade_of(const RenderGrade *grade, const float in[3], double out[3])
{
    double luminance = 0;
    for (int c = 0; c < 3; c++) {
        double v = (double)(in[c] * grade->slope[c] + grade->offset[c]);
        v = pow(fmax(v, 0), (double)grade->power[c]);
        out[c] = 0.18 * pow(v / 0.18, (double)grade->contrast);
        luminance += (const double[]){0.2126, 0.7152, 0.0722}[c] * out[c];
    }
    for (int c = 0; c < 3; c++)
        out[c] = luminance + (double)grade->saturation * (out[c] - luminance);
}

static void test_grade_is_the_decision_list(void **state)
{
    (void)state;
    static const RenderGrade grades[] = {{{1, 1, 1}, {0}, {1, 1, 1}, 1, 0, 0},
                                         {{1, 1, 1}, {0}, {1, 1, 1}, 1, 1.4f, 0},
                                         {{1.2f, 0.9f, 0.8f}, {0}, {1, 1, 1}, 1, 1, 0},
                                         {{1, 1, 1}, {0.02f, 0.01f, 0.04f}, {1, 1, 1}, 1, 1, 0},
                                         {{1, 1, 1}, {0}, {1.3f, 0.8f, 1.1f}, 1, 1, 0},
                                         {{1, 1, 1}, {0}, {1, 1, 1}, 1.3f, 0.5f, 0}};
    static const float hues[][3] = {{0.3f, 0, 0},       {0, 0.3f, 0},       {0, 0, 0.3f},
                                    {0.2f, 0.2f, 0.2f}, {0.4f, 0.2f, 0.1f}, {0.05f, 0.1f, 0.3f}};
    static float pixels[FLOATS];
    static uint8_t shown[FLOATS];
    const int count = sizeof hues / sizeof hues[0], wide = WIDE / count;
    for (int i = 0; i < FLOATS; i++) {
        int patch = i / 4 % WIDE / wide;
        pixels[i] = i % 4 == 3 ? 1 : hues[patch < count ? patch : count - 1][i % 4];
    }
    for (size_t g = 0; g < sizeof grades / sizeof grades[0]; g++) {
        RenderSettings settings = plain_settings();
        settings.grade = grades[g];
        develop_once(&settings, pixels, shown);
        for (int patch = 0; patch < count; patch++) {
            double graded[3], encoded[3];
            const uint8_t *seen =
                shown + (ptrdiff_t)4 * (HIGH / 2 * WIDE + patch * wide + wide / 2);
            grade_of(&grades[g], hues[patch], graded);
            for (int c = 0; c < 3; c++)
                graded[c] = fmax(graded[c], 0); /* the film knows no negative light */
            film_curve(graded, encoded);
            for (int c = 0; c < 3; c++)
                if (!(fabs(seen[c] - 255 * encoded[c]) <= 1.1))
                    fail_msg("grade %zu, patch %d, colour %d: %d, not %g", g, patch, c, seen[c],
                             255 * encoded[c]);
        }
    }
}

static void test_bloom_shows(void **state)
{
    (void)state;
    static float pixels[FLOATS];
    static uint8_t sharp[FLOATS], soft[FLOATS];
    RenderSettings settings = plain_settings();
    fill(pixels, 0.01f);
    spot(pixels, 60, 40, 16, 8);
    develop_once(&settings, pixels, sharp);
    settings.picture.bloom = 0.1f;
    develop_once(&settings, pixels, soft);
    assert_true(shown_at(soft, 50, 48) > shown_at(sharp, 50, 48) + 25);
    assert_true(shown_at(soft, 68, 48) > 230); /* and what shines still does */
}

static float metered(const float *pixels)
{
    RenderSettings settings = plain_settings();
    settings.picture.auto_exposure = true;
    open_film(&settings, pixels);
    return renderer_exposure(renderer).metered;
}

static void test_meter(void **state)
{
    (void)state;
    static float pixels[FLOATS];
    fill(pixels, 0);
    assert_true(metered(pixels) == 0); /* nothing to see */
    fill(pixels, 0.5f);
    float plain = metered(pixels);
    fill(pixels, 0.5f / 64);
    assert_true(fabsf(metered(pixels) - plain - 6) < 0.01f); /* 64 times darker: 6 stops more */
    /* Two stops brighter in the middle, or at the rim: the middle counts more. */
    fill(pixels, 0.5f);
    spot(pixels, 60, 28, 40, 2);
    float middle = plain - metered(pixels);
    fill(pixels, 0.5f);
    spot(pixels, 0, 0, 40, 2);
    float corner = plain - metered(pixels);
    if (!(middle > 1.5f * corner && corner > 0))
        fail_msg("%g stops less for the middle, %g for a corner", (double)middle, (double)corner);
    /* A small flame at night does not burn out. */
    fill(pixels, 1e-5f);
    spot(pixels, 70, 20, 24, 5);
    float night = metered(pixels);
    assert_true(5 * exp2f(night) < 7 && 5 * exp2f(night) > 1);
    /* Transparent pixels do not count. */
    fill(pixels, 0.5f);
    for (int i = 0; i < FLOATS; i++)
        if (i / 4 % WIDE < WIDE / 2)
            pixels[i] = 0;
    assert_true(fabsf(metered(pixels) - plain) < 0.1f);
}

/* Of 400 cells that show something, two may be as bright as they like. */
static void test_highlights_are_rare(void **state)
{
    (void)state;
    for (int bright = 2; bright <= 3; bright++) {
        ExposureCell cells[EXPOSURE_CELLS] = {{0}};
        for (int i = 0; i < 400; i++) {
            float luminance = i < bright ? 1000 : 0.5f;
            cells[i] = (ExposureCell){log2f(luminance), luminance, 1, 0};
        }
        float shown = 1000 * exp2f(exposure_measure(cells));
        assert_true(bright == 2 ? shown > 500 : shown < 7);
    }
}

static void test_exposure_follows(void **state)
{
    (void)state;
    /* At any frame rate it gets equally far within the same time. */
    float reached[2];
    for (int rate = 0; rate < 2; rate++) {
        Exposure exposure = {.known = false};
        exposure_learn(&exposure, 1);
        assert_true(fabsf(exposure_follow(&exposure, 1.0f / 60) - 2) <
                    1e-5f); /* at once, at first */
        int frames = rate ? 60 : 10;
        for (int i = 0; i < frames; i++) {
            exposure_learn(&exposure, 5);
            reached[rate] = log2f(exposure_follow(&exposure, 1.0f / (float)frames));
        }
        assert_true(exposure_follows(&exposure));
        assert_true(fabsf(exposure_follow(&exposure, 0) - 32) < 1e-3f);
        assert_false(exposure_follows(&exposure));
    }
    assert_true(fabsf(reached[0] - reached[1]) < 1e-3f);
    assert_true(reached[0] > 4.5f && reached[0] < 4.8f);
}

static void test_automatic_is_steady(void **state)
{
    (void)state;
    static float pixels[FLOATS];
    static uint8_t dim[FLOATS], bright[FLOATS];
    RenderSettings settings = plain_settings();
    settings.picture.auto_exposure = true;
    for (int lamp = 0; lamp < 2; lamp++) {
        float light = lamp ? 40.0f : 0.02f;
        fill(pixels, 0.3f * light);
        spot(pixels, 20, 20, 30, light);
        develop_once(&settings, pixels, lamp ? bright : dim);
    }
    for (int i = 0; i < FLOATS; i++)
        assert_true(abs(dim[i] - bright[i]) <= 1);
    settings.exposure = 0.5f; /* a factor on it */
    develop_once(&settings, pixels, dim);
    assert_true(dim[0] < bright[0] - 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tone_maps_rise),
        cmocka_unit_test(test_film_curve_is_hills),
        cmocka_unit_test(test_fire_pales),
        cmocka_unit_test(test_bloom_keeps_the_light),
        cmocka_unit_test(test_bloom_shows),
        cmocka_unit_test(test_grade_is_the_decision_list),
        cmocka_unit_test(test_meter),
        cmocka_unit_test(test_highlights_are_rare),
        cmocka_unit_test(test_exposure_follows),
        cmocka_unit_test(test_automatic_is_steady),
    };
    return cmocka_run_group_tests_name("develop", tests, open_renderer, close_renderer);
}
