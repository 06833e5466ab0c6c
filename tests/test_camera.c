/* SPDX-License-Identifier: MIT
 * The camera: exposure by aperture, shutter and film speed, and the grade. */
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
#include "renderer_state.h"

static void near(float got, double wanted, double share)
{
    if (!(fabs((double)got - wanted) <= share * fabs(wanted)))
        fail_msg("%.9g, not %.9g", (double)got, wanted);
}

/* -- exposure ---------------------------------------------------------------------------------- */

static void test_exposure_is_that_of_the_film(void **state)
{
    (void)state;
    RenderSettings settings = render_default_settings();
    near(render_exposure(&settings), 0.7, 1e-7);
    settings.lens.ev = 1;
    near(render_exposure(&settings), 1.4, 1e-7);
    settings.lens.ev = 0;
    settings.lens.iso = 100; /* not enough: the lens is a pinhole */
    near(render_exposure(&settings), 0.7, 1e-7);
    /* Sunny 16: a white surface that faces the sun, of radiance 12 / pi, is just not overexposed
     * at f/16 and 1 / ISO s. */
    settings.lens.aperture = 16;
    settings.lens.shutter = 0.01f;
    near(render_exposure(&settings), 8000 / (1.2 * 256 * 100), 1e-6);
    near(12 / 3.14159265f * render_exposure(&settings), 1, 0.01);
    /* One stop each: aperture, shutter, film speed, compensation. */
    const float before = render_exposure(&settings);
    RenderSettings other = settings;
    other.lens.aperture /= sqrtf(2);
    near(render_exposure(&other), 2 * (double)before, 1e-6);
    other = settings;
    other.lens.shutter *= 2;
    near(render_exposure(&other), 2 * (double)before, 1e-6);
    other = settings;
    other.lens.iso *= 2;
    near(render_exposure(&other), 2 * (double)before, 1e-6);
    other = settings;
    other.lens.ev = 1;
    near(render_exposure(&other), 2 * (double)before, 1e-6);
    other = settings;
    other.picture.auto_exposure = true; /* the meter decides, with `exposure` as a factor */
    near(render_exposure(&other), 0.7, 1e-7);
}

/* A stop of compensation shows the picture of twice the exposure. */
static void test_a_stop_doubles(void **state)
{
    (void)state;
    static uint8_t twice[BYTES], stop[BYTES];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_ball(24, 24, 24);
    upload(renderer, &smoke, &settings);
    settings.exposure *= 2;
    draw(renderer, &settings, &frame, twice);
    settings.exposure /= 2;
    settings.lens.ev = 1;
    draw(renderer, &settings, &frame, stop);
    assert_memory_equal(twice, stop, BYTES);
    smoke_destroy(&smoke);
}

/* -- grade ------------------------------------------------------------------------------------- */

/* Develops one exposed colour by a frame as large as the picture. shown: its first pixel. */
static void develop(RenderSettings settings, const float light[4], bool transparent,
                    uint8_t *pixels)
{
    static float linear[4 * WIDTH * HEIGHT];
    BillowError error = {""};
    RenderFrame frame = test_frame();
    settings.exposure = 1;
    frame.transparent = transparent;
    frame.tile = (RenderTile){0, 0, WIDTH, HEIGHT};
    for (int i = 0; i < 4 * WIDTH * HEIGHT; i++)
        linear[i] = light[i % 4];
    if (!renderer_film_open(renderer, &settings, &frame, linear, &error) ||
        !renderer_film_part(renderer, &settings, &frame, linear, &error) ||
        !renderer_read(renderer, 4, pixels, &error))
        fail_msg("%s", error.text);
}

/* Mean of a channel over the picture, which averages out the dither. */
static double mean(const uint8_t *pixels, int channel)
{
    double sum = 0;
    for (int i = channel; i < BYTES; i += 4)
        sum += pixels[i];
    return sum / (WIDTH * HEIGHT);
}

static double deviation(const uint8_t *pixels, int channel)
{
    double middle = mean(pixels, channel), sum = 0;
    for (int i = channel; i < BYTES; i += 4)
        sum += (pixels[i] - middle) * (pixels[i] - middle);
    return sqrt(sum / (WIDTH * HEIGHT));
}

/* Fails unless a grade shows a colour as the neutral grade shows another one. */
static void shows(const RenderSettings *graded, const float light[4], const float like[4])
{
    static uint8_t one[BYTES], other[BYTES];
    develop(*graded, light, false, one);
    RenderSettings neutral = test_settings();
    neutral.picture = graded->picture;
    develop(neutral, like, false, other);
    for (int c = 0; c < 3; c++)
        if (!(fabs(mean(one, c) - mean(other, c)) <= 0.5))
            fail_msg("colour %d: %g, not %g", c, mean(one, c), mean(other, c));
}

static void test_a_neutral_grade_is_none(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    assert_false(render_grades(&settings.grade));
    settings.grade.grain = 1e-6f; /* the graded shader, with next to nothing to do */
    assert_true(render_grades(&settings.grade));
    static uint8_t plain[BYTES], graded[BYTES];
    const RenderFrame frame = test_frame();
    Smoke smoke = smoke_ball(24, 24, 24);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, graded);
    settings.grade.grain = 0;
    draw(renderer, &settings, &frame, plain);
    assert_true(largest_difference(plain, graded) <= 1);
    smoke_destroy(&smoke);
}

static void test_grade_follows_the_cdl(void **state)
{
    (void)state;
    for (int tone = RENDER_TONE_ACES; tone <= RENDER_TONE_AGX; tone++) {
        RenderSettings settings = test_settings();
        settings.picture.tone_map = (RenderTone)tone;
        const float light[4] = {0.3f, 0.2f, 0.1f, 1};
        RenderSettings changed = settings;
        changed.grade = (RenderGrade){{2, 1, 0.5f}, {0.1f, 0, -0.01f}, {1, 2, 0.5f}, 1, 1, 0};
        shows(&changed, light, (const float[4]){0.7f, 0.04f, 0.2f, 1});
        changed = settings;
        changed.grade.saturation = 0.5f;
        const float grey = 0.2126f * 0.3f + 0.7152f * 0.2f + 0.0722f * 0.1f;
        shows(&changed, light,
              (const float[4]){(0.3f + grey) / 2, (0.2f + grey) / 2, (0.1f + grey) / 2, 1});
        /* Contrast leaves mid grey, and squares the ratio to it. */
        changed = settings;
        changed.grade.contrast = 2;
        shows(&changed, (const float[4]){0.18f, 0.18f, 0.18f, 1},
              (const float[4]){0.18f, 0.18f, 0.18f, 1});
        shows(&changed, (const float[4]){0.09f, 0.36f, 0.18f, 1},
              (const float[4]){0.045f, 0.72f, 0.18f, 1});
        changed.grade.contrast = 0;
        shows(&changed, light, (const float[4]){0.18f, 0.18f, 0.18f, 1});
    }
}

static void test_no_saturation_is_grey(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.grade.saturation = 0;
    Smoke smoke = smoke_ball(24, 24, 24);
    upload(renderer, &smoke, &settings);
    for (int transparent = 0; transparent < 2; transparent++) {
        frame.transparent = transparent;
        draw(renderer, &settings, &frame, pixels);
        for (int i = 0; i < BYTES; i += 4)
            assert_true(abs(pixels[i] - pixels[i + 1]) <= 1 && abs(pixels[i] - pixels[i + 2]) <= 1);
    }
    smoke_destroy(&smoke);
}

/* What is empty stays empty, whatever is added; opaque light is as on a picture with a backdrop. */
static void test_transparent_is_graded_alike(void **state)
{
    (void)state;
    static uint8_t clear[BYTES], solid[BYTES];
    RenderSettings settings = test_settings();
    settings.grade =
        (RenderGrade){{1.2f, 1, 0.9f}, {0.05f, 0.02f, 0.08f}, {1.1f, 1, 0.9f}, 1.3f, 0.8f, 0.03f};
    develop(settings, (const float[4]){0, 0, 0, 0}, true, clear);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(clear[i], 0);
    const float light[4] = {0.3f, 0.2f, 0.1f, 1};
    develop(settings, light, true, clear);
    develop(settings, light, false, solid);
    for (int c = 0; c < 4; c++)
        near((float)mean(clear, c), mean(solid, c), 0.01);
}

/* -- grain ------------------------------------------------------------------------------------- */

static void test_grain(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], grainy[BYTES], again[BYTES];
    RenderSettings settings = test_settings();
    const float light[4] = {0.13f, 0.13f, 0.13f, 1}, white[4] = {1e4f, 1e4f, 1e4f, 1};
    Smoke smoke = smoke_ball(8, 8, 8);
    smoke.view.time = 1;
    upload(renderer, &smoke, &settings);
    develop(settings, light, false, plain);
    settings.grade.grain = 0.05f;
    develop(settings, light, false, grainy);
    develop(settings, light, false, again);
    assert_memory_equal(grainy, again, BYTES); /* of one time */
    for (int c = 0; c < 3; c++) {
        double share = mean(plain, c) / 255;
        near((float)mean(grainy, c), mean(plain, c), 0.01);
        near((float)deviation(grainy, c), 255 * 0.05 * 2 * sqrt(share * (1 - share)), 0.1);
    }
    develop(settings, white, false, plain); /* all grains are exposed */
    assert_true(deviation(plain, 0) < 1);
    smoke.view.time = 1.04;
    upload(renderer, &smoke, &settings);
    develop(settings, light, false, again); /* of another time: as different as can be */
    double product = 0;
    for (int i = 1; i < BYTES; i += 4)
        product += (grainy[i] - mean(grainy, 1)) * (again[i] - mean(again, 1)) /
                   (deviation(grainy, 1) * deviation(again, 1) * WIDTH * HEIGHT);
    assert_true(fabs(product) < 0.05);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exposure_is_that_of_the_film),
        cmocka_unit_test(test_a_stop_doubles),
        cmocka_unit_test(test_a_neutral_grade_is_none),
        cmocka_unit_test(test_grade_follows_the_cdl),
        cmocka_unit_test(test_no_saturation_is_grey),
        cmocka_unit_test(test_transparent_is_graded_alike),
        cmocka_unit_test(test_grain),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
