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

#include "develop.h"
#include "tone.h"

enum { WIDTH = 160, HEIGHT = 96, FLOATS = 4 * WIDTH * HEIGHT };

static RenderSettings plain_settings(void)
{
    return (RenderSettings){.exposure = 1};
}

static RenderFrame plain_frame(void)
{
    RenderFrame frame = render_default_frame();
    frame.width = WIDTH;
    frame.height = HEIGHT;
    return frame;
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
                pixels[4 * (j * WIDTH + i) + c] = light;
}

static float largest(Vec3 v)
{
    return fmaxf(v.x, fmaxf(v.y, v.z));
}

static void test_tone_maps_rise(void **state)
{
    (void)state;
    static const float hues[][3] = {{1, 1, 1}, {1, 0, 0},         {0, 1, 0},
                                    {0, 0, 1}, {1, 0.35f, 0.02f}, {0.2f, 0.5f, 1}};
    for (int tone = RENDER_TONE_ACES; tone <= RENDER_TONE_AGX; tone++) {
        Vec3 black = tone_encoded((RenderTone)tone, vec3(0, 0, 0));
        assert_true(largest(black) == 0);
        assert_in_range((int)(255 * tone_encoded((RenderTone)tone, vec3(0.18f, 0.18f, 0.18f)).x),
                        110, 135); /* middle grey */
        for (int hue = 0; hue < 6; hue++) {
            float last = 0;
            for (float radiance = 1e-6f; radiance < 1e6f; radiance *= 1.07f) {
                Vec3 seen =
                    tone_encoded((RenderTone)tone, vec3_scale(vec3_from(hues[hue]), radiance));
                float least = fminf(seen.x, fminf(seen.y, seen.z)), most = largest(seen);
                if (!(least >= 0 && most <= 1 && most >= last - (hue == 0 ? 1e-5f : 1e-3f)))
                    fail_msg("tone map %d, hue %d, radiance %g: %g %g %g after %g", tone, hue,
                             (double)radiance, (double)seen.x, (double)seen.y, (double)seen.z,
                             (double)last);
                last = most;
            }
            assert_true(last > 0.9f);
        }
    }
    for (int tone = RENDER_TONE_ACES; tone <= RENDER_TONE_AGX;
         tone++) /* what is no radiance at all */
        assert_true(largest(tone_encoded((RenderTone)tone, vec3(INFINITY, FLT_MAX, -1))) <= 1);
}

/* Soot of 1000 to 2600 K from black over red and orange to white: no channel overtakes another, and
 * blue is the last to come. */
static void test_fire_pales(void **state)
{
    (void)state;
    for (int tone = RENDER_TONE_ACES; tone <= RENDER_TONE_AGX; tone++)
        for (float radiance = 1e-3f; radiance < 30; radiance *= 1.2f) {
            Vec3 seen = tone_encoded((RenderTone)tone, vec3_scale(vec3(1, 0.35f, 0.03f), radiance));
            assert_true(seen.x + 1e-4f >= seen.y && seen.y + 1e-4f >= seen.z);
        }
}

static double sum_of(const float *pixels)
{
    double sum = 0;
    for (int i = 0; i < FLOATS; i++)
        sum += i % 4 == 3 ? 0 : (double)pixels[i];
    return sum;
}

/* What all levels make of a picture, at the full picture's pixels. */
static void bloomed(Bloom *bloom, const float *pixels, float *wide)
{
    BillowError error = {""};
    if (!bloom_reduce(bloom, WIDTH, HEIGHT, pixels, &error))
        fail_msg("%s", error.text);
    bloom_spread(bloom);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            bloom_sample(bloom, 0, ((float)x + 0.5f) / BLOOM_FIRST, ((float)y + 0.5f) / BLOOM_FIRST,
                         wide + 4 * (y * WIDTH + x));
}

static void test_bloom_keeps_the_light(void **state)
{
    (void)state;
    static float pixels[FLOATS], wide[FLOATS];
    Bloom bloom = {.floats = 0};
    fill(pixels, 0.7f);
    bloomed(&bloom, pixels, wide);
    for (int i = 0; i < FLOATS; i++) /* grey stays as it is, to the corners */
        assert_true(fabsf(wide[i] - pixels[i]) < 1e-5f);
    fill(pixels, 0);
    spot(pixels, 76, 44, 7, 300); /* in the middle, at no pixel of any level */
    bloomed(&bloom, pixels, wide);
    double before = sum_of(pixels), after = sum_of(wide);
    if (fabs(after / before - 1) > 0.02) /* but what lies beyond the edges */
        fail_msg("%g of the light is left", after / before);
    /* Round, and less and less. */
    const float *row = wide + 4 * 47 * WIDTH;
    for (int x = 80; x < 124; x += 4)
        if (!(row[4 * x] > 0 && row[4 * (x + 4)] < row[4 * x]))
            fail_msg("%g at %d, %g at %d", (double)row[4 * x], x, (double)row[4 * (x + 4)], x + 4);
    float right = row[4 * (79 + 20)], up = wide[4 * ((47 + 20) * WIDTH + 79)];
    if (fabsf(right / up - 1) > 0.2f)
        fail_msg("%g to the right, %g upwards", (double)right, (double)up);
    bloom_close(&bloom);
}

static void develop_once(const RenderSettings *settings, const float *linear, float *encoded)
{
    Develop develop = {.bloom = {.floats = 0}};
    BillowError error = {""};
    RenderFrame frame = plain_frame();
    if (!develop_picture(&develop, settings, &frame, linear, encoded, &error))
        fail_msg("%s", error.text);
    develop_close(&develop);
}

static void test_bloom_shows(void **state)
{
    (void)state;
    static float pixels[FLOATS], sharp[FLOATS], soft[FLOATS];
    RenderSettings settings = plain_settings();
    fill(pixels, 0.01f);
    spot(pixels, 60, 40, 16, 8);
    develop_once(&settings, pixels, sharp);
    settings.picture.bloom = 0.1f;
    develop_once(&settings, pixels, soft);
    int beside = 4 * (48 * WIDTH + 50);
    assert_true(soft[beside] > sharp[beside] + 0.1f);
    assert_true(soft[4 * (48 * WIDTH + 68)] > 0.9f); /* and what shines still does */
}

static float metered(const float *pixels)
{
    Bloom bloom = {.floats = 0};
    ExposureCell cells[EXPOSURE_CELLS];
    BillowError error = {""};
    if (!bloom_reduce(&bloom, WIDTH, HEIGHT, pixels, &error))
        fail_msg("%s", error.text);
    exposure_meter(&bloom, WIDTH, HEIGHT, cells);
    bloom_close(&bloom);
    return exposure_measure(cells);
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
    /* What is transparent does not count. */
    fill(pixels, 0.5f);
    for (int i = 0; i < FLOATS; i++)
        if (i / 4 % WIDTH < WIDTH / 2)
            pixels[i] = 0;
    assert_true(fabsf(metered(pixels) - plain) < 0.1f);
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
    static float pixels[FLOATS], dim[FLOATS], bright[FLOATS];
    RenderSettings settings = plain_settings();
    settings.picture.auto_exposure = true;
    for (int lamp = 0; lamp < 2; lamp++) {
        float light = lamp ? 40.0f : 0.02f;
        fill(pixels, 0.3f * light);
        spot(pixels, 20, 20, 30, light);
        develop_once(&settings, pixels, lamp ? bright : dim);
    }
    for (int i = 0; i < FLOATS; i++)
        assert_true(fabsf(dim[i] - bright[i]) < 0.002f);
    settings.exposure = 0.5f; /* a factor on it */
    develop_once(&settings, pixels, dim);
    assert_true(dim[0] < bright[0] - 0.05f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tone_maps_rise),
        cmocka_unit_test(test_fire_pales),
        cmocka_unit_test(test_bloom_keeps_the_light),
        cmocka_unit_test(test_bloom_shows),
        cmocka_unit_test(test_meter),
        cmocka_unit_test(test_exposure_follows),
        cmocka_unit_test(test_automatic_is_steady),
    };
    return cmocka_run_group_tests_name("develop", tests, NULL, NULL);
}
