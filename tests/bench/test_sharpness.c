/* SPDX-License-Identifier: MIT
 * Contrast by octave (sharpness.h), on waves whose octave is known. */
/* cmocka.h expects these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/sharpness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 64, PIXELS = WIDTH * HEIGHT };
#define PI 3.14159265358979

typedef struct Pictures {
    uint8_t one[4 * PIXELS], other[4 * PIXELS], smoke[PIXELS];
} Pictures;

/* Adds waves of this length along x, pixels. */
static void add_waves(uint8_t *picture, double length, double height)
{
    for (int p = 0; p < PIXELS; p++) {
        const double wave = height * sin(2 * PI * (p % WIDTH) / length + 0.4);
        for (int c = 0; c < 3; c++)
            picture[4 * p + c] = (uint8_t)lrint(picture[4 * p + c] + wave);
    }
}

static Pictures *grey(void)
{
    Pictures *pictures = malloc(sizeof *pictures);
    assert_non_null(pictures);
    memset(pictures->one, 128, sizeof pictures->one);
    memset(pictures->other, 128, sizeof pictures->other);
    memset(pictures->smoke, 255, sizeof pictures->smoke);
    return pictures;
}

static void compare(const Pictures *pictures, double contrast[SHARPNESS_OCTAVES])
{
    sharpness_compare(pictures->one, pictures->other, pictures->smoke, WIDTH, HEIGHT, contrast);
}

static void equal_pictures_are_as_sharp(void **state)
{
    (void)state;
    double contrast[SHARPNESS_OCTAVES];
    Pictures *pictures = grey();
    add_waves(pictures->one, 3, 20);
    add_waves(pictures->one, 40, 60);
    memcpy(pictures->other, pictures->one, sizeof pictures->one);
    compare(pictures, contrast);
    for (int o = 0; o < SHARPNESS_OCTAVES; o++)
        assert_true(contrast[o] == 1);
    free(pictures);
}

/* Share of a wave of this length that an octave has: what the blurs before leave of it, less what
 * the octave's own leaves. */
static double share_of(double length, int octave)
{
    double left = 1, share = 0;
    for (int o = 0; o <= octave; o++) {
        const double turn = 2 * PI / length * (1 << o);
        const double blurred = (6 + 8 * cos(turn) + 2 * cos(2 * turn)) / 16;
        share = left * (1 - blurred);
        left *= blurred;
    }
    return share;
}

/* Waves of half the height in one octave, beside the same ones in the others. */
static void each_octave_has_its_own_waves(void **state)
{
    (void)state;
    for (int octave = 0; octave < SHARPNESS_OCTAVES; octave++) {
        double contrast[SHARPNESS_OCTAVES];
        Pictures *pictures = grey();
        for (int o = 0; o < SHARPNESS_OCTAVES; o++) {
            const double length = 3.0 * (1 << o);
            add_waves(pictures->one, length, o == octave ? 10 : 20);
            add_waves(pictures->other, length, 20);
        }
        for (int p = 0; p < PIXELS; p++) /* away from the ends, which mirror: whole waves */
            if (p % WIDTH < 64 || p % WIDTH >= 256)
                pictures->smoke[p] = 0;
        compare(pictures, contrast);
        for (int o = 0; o < SHARPNESS_OCTAVES; o++) {
            double weak = 0, strong = 0;
            for (int wave = 0; wave < SHARPNESS_OCTAVES; wave++) {
                const double share = share_of(3.0 * (1 << wave), o);
                weak += share * share * (wave == octave ? 0.25 : 1);
                strong += share * share;
            }
            if (!(fabs(contrast[o] - sqrt(weak / strong)) < 0.01))
                fail_msg("waves of %d: %g in octave %d, not %g", octave, contrast[o], o,
                         sqrt(weak / strong));
        }
        free(pictures);
    }
}

static void only_smoke_counts(void **state)
{
    (void)state;
    double contrast[SHARPNESS_OCTAVES];
    Pictures *pictures = grey();
    add_waves(pictures->one, 3, 5);
    add_waves(pictures->other, 3, 20);
    for (int p = 0; p < PIXELS; p++) /* the upper half is sharp in `one` alone */
        if (p < PIXELS / 2) {
            pictures->smoke[p] = 30;
            pictures->one[4 * p] = p % 2 == 0 ? 255 : 0;
        }
    compare(pictures, contrast);
    assert_true(fabs(contrast[0] - 0.25) < 0.03);
    memset(pictures->smoke, 0, sizeof pictures->smoke);
    compare(pictures, contrast);
    for (int o = 0; o < SHARPNESS_OCTAVES; o++)
        assert_true(isnan(contrast[o]));
    free(pictures);
}

/* Pictures as small as one pixel have no detail, and read nothing beyond their ends. */
static void small_pictures_are_read_within(void **state)
{
    (void)state;
    for (int height = 1; height < 4; height++)
        for (int width = 1; width < 4; width++) {
            double contrast[SHARPNESS_OCTAVES];
            const size_t count = (size_t)(width * height);
            uint8_t *picture = malloc(4 * count), *smoke = malloc(count);
            assert_true(picture != NULL && smoke != NULL);
            memset(picture, 77, 4 * count);
            memset(smoke, 255, count);
            sharpness_compare(picture, picture, smoke, width, height, contrast);
            for (int o = 0; o < SHARPNESS_OCTAVES; o++)
                assert_true(isnan(contrast[o]) || contrast[o] == 1);
            free(picture);
            free(smoke);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures_are_as_sharp),
        cmocka_unit_test(each_octave_has_its_own_waves),
        cmocka_unit_test(only_smoke_counts),
        cmocka_unit_test(small_pictures_are_read_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
