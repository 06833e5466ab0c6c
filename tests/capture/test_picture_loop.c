/* SPDX-License-Identifier: MIT
 * Loops: the last frames turn into those before the first. Two pictures of one puff at different
 * places must become one puff between them, over a background that stays as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/srgb.h"
#include "capture/picture_loop.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, PIXELS = WIDTH * HEIGHT, FRAMES = 9, LOOP = 3 };

/* Opacity of a puff with ripples around (x, y). */
static float puff(float i, float j, float x, float y)
{
    const float distance = hypotf(i - x, j - y);
    return distance < 20 ? 0.8f * (0.5f + 0.5f * cosf(0.157f * distance)) *
                               (0.75f + 0.25f * cosf(0.9f * (i - x)))
                         : 0;
}

/* Column of a red ball in the background, at the end of the loop and before its start. */
static int ball_at_end = -1000, ball_at_start = -1000, ball = -1000;

static bool in_ball(int i, int j, int column)
{
    return hypotf((float)(i - column), (float)j - 32) < 9;
}

/* Background with edges that any displacement would show. */
static uint8_t backdrop(int i, int j, int channel)
{
    if (in_ball(i, j, ball))
        return channel == 0 ? 200 : 12;
    return (uint8_t)((i / 3 + j / 5) % 2 == 0 ? 60 + 20 * channel : 120 + (7 * i + 13 * j) % 40);
}

/* Byte of white smoke over a byte, mixed before a film curve whose white is 1.2. */
static uint8_t over(float opacity, uint8_t behind)
{
    const float still = srgb_light(behind), smoke = 0.9f / (1.2f - 0.9f);
    const float light = (1 - opacity) * still / (1.2f - still) + opacity * smoke;
    return srgb_byte(1.2f * light / (1 + light));
}

static Image picture(int channels)
{
    Image image;
    BillowError error;
    if (!image_create(&image, WIDTH, HEIGHT, channels, &error))
        fail_msg("%s", error.text);
    return image;
}

/* A frame with a white puff around (x, y): in front of the backdrop, or alone, with alpha. */
static LoopFrame frame_with(float x, float y, bool alone)
{
    LoopFrame frame = {.shown = picture(alone ? 4 : 3)};
    BillowError error;
    if (!alone) {
        frame.still = picture(3);
        assert_true(loop_frame_smoke(&frame, WIDTH, HEIGHT, &error));
    }
    for (int p = 0; p < PIXELS; p++) {
        const int i = p % WIDTH, j = p / WIDTH;
        const uint8_t opacity = (uint8_t)(255 * puff((float)i, (float)j, x, y) + 0.5f);
        const float share = (float)opacity / 255;
        for (int c = 0; c < 3 && !alone; c++) {
            const uint8_t behind = backdrop(i, j, c);
            frame.still.pixels[3 * p + c] = behind;
            frame.shown.pixels[3 * p + c] = over(share, behind);
        }
        if (alone)
            memcpy(frame.shown.pixels + 4 * p, (uint8_t[]){230, 230, 230, opacity}, 4);
        else
            frame.smoke[p] = opacity;
    }
    return frame;
}

/* Frame FRAMES - LOOP + into of a loop whose puff is at (ax, ay) at the end and at (bx, by) before
 * the start. */
static LoopFrame faded(float ax, float ay, float bx, float by, int into, bool alone)
{
    PictureLoop loop;
    BillowError error;
    LoopFrame frame = {.smoke = NULL};
    assert_true(picture_loop_open(&loop, LOOP, WIDTH, HEIGHT, &error));
    ball = ball_at_start;
    for (int number = 1 - LOOP; number <= 0; number++) {
        LoopFrame before = frame_with(bx, by, alone);
        picture_loop_keep(&loop, number, &before);
    }
    ball = ball_at_end;
    for (int m = 1; m <= into; m++) {
        loop_frame_free(&frame);
        frame = frame_with(ax, ay, alone);
        assert_true(picture_loop_fade(&loop, FRAMES - LOOP + m, FRAMES, &frame, &error));
    }
    picture_loop_close(&loop);
    return frame;
}

/* Root mean square difference, bytes, of colours times alpha. */
static double apart(const Image *a, const Image *b)
{
    double sum = 0;
    for (int p = 0; p < PIXELS; p++) {
        const uint8_t *x = a->pixels + a->channels * p, *y = b->pixels + b->channels * p;
        const double over[2] = {a->channels == 4 ? x[3] / 255.0 : 1,
                                b->channels == 4 ? y[3] / 255.0 : 1};
        for (int c = 0; c < 3; c++)
            sum += (over[0] * x[c] - over[1] * y[c]) * (over[0] * x[c] - over[1] * y[c]);
    }
    return sqrt(sum / (3 * PIXELS));
}

static void features_with(float x, float y, float *features)
{
    for (int p = 0; p < PIXELS; p++)
        features[FLOW_CHANNELS * p] = features[FLOW_CHANNELS * p + 1] =
            puff((float)(p % WIDTH), (float)(p / WIDTH), x, y);
}

/* At any share of the way, the flow at the puff between both is the way from one to the other. */
static void test_flow_is_the_shift(void **state)
{
    (void)state;
    static float a[FLOW_CHANNELS * PIXELS], b[FLOW_CHANNELS * PIXELS];
    features_with(40, 30, a);
    features_with(49, 26, b);
    for (int share = 0; share <= 4; share++) {
        PictureFlow flow;
        BillowError error;
        float u[2], w = 0.25f * (float)share;
        assert_true(picture_flow_create(&flow, WIDTH, HEIGHT, &error));
        assert_true(picture_flow_find(&flow, a, b, w, false, &error));
        picture_flow_at(&flow, 40 + 9 * w, 30 - 4 * w, u);
        print_message("share %.2f: %.2f right, %.2f down\n", (double)w, (double)u[0], (double)u[1]);
        assert_true(fabsf(u[0] - 9) < 0.5f && fabsf(u[1] + 4) < 0.5f);
        picture_flow_destroy(&flow);
    }
}

/* The mixture is one puff on the way, not two. */
static void test_features_meet(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (int into = 1; into <= LOOP; into++) {
            const float w = picture_loop_share(LOOP, FRAMES - LOOP + into, FRAMES);
            LoopFrame mixed = faded(40, 34, 50, 30, into, alone == 1);
            LoopFrame between = frame_with(40 + 10 * w, 34 - 4 * w, alone == 1);
            LoopFrame own = frame_with(40, 34, alone == 1);
            const double meets = apart(&mixed.shown, &between.shown);
            const double stays = apart(&own.shown, &between.shown);
            print_message("frame %d: differs by %.2f, its own picture by %.2f\n", into, meets,
                          stays);
            assert_true(meets < 0.25 * stays);
            loop_frame_free(&mixed);
            loop_frame_free(&between);
            loop_frame_free(&own);
        }
}

/* The backdrop beside the smoke does not change by a bit, however far the smoke is displaced. */
static void test_backdrop_stays(void **state)
{
    (void)state;
    LoopFrame mixed = faded(36, 34, 52, 30, 2, false);
    int beside = 0;
    for (int p = 0; p < PIXELS; p++) {
        const float i = (float)(p % WIDTH), j = (float)(p / WIDTH);
        if (hypotf(i - 36, j - 34) < 22 || hypotf(i - 52, j - 30) < 22 ||
            hypotf(i - 44, j - 32) < 22)
            continue;
        beside++;
        for (int c = 0; c < 3; c++)
            assert_int_equal(mixed.shown.pixels[3 * p + c], backdrop(p % WIDTH, p / WIDTH, c));
    }
    assert_true(beside > PIXELS / 2);
    loop_frame_free(&mixed);
}

/* Two equal pictures stay what they are. */
static void test_equal_pictures_stay(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        LoopFrame mixed = faded(40, 34, 40, 34, 2, alone == 1),
                  own = frame_with(40, 34, alone == 1);
        assert_true(apart(&mixed.shown, &own.shown) < 0.6);
        loop_frame_free(&mixed);
        loop_frame_free(&own);
    }
}

/* Where a solid stands in one of the two pictures, no colour comes that neither has. */
static void test_moving_solids_dissolve(void **state)
{
    (void)state;
    ball_at_end = 40, ball_at_start = 58;
    LoopFrame mixed = faded(38, 34, 54, 30, 2, false);
    LoopFrame end = frame_with(38, 34, false);
    ball = ball_at_start;
    LoopFrame start = frame_with(54, 30, false);
    for (int p = 0; p < PIXELS; p++)
        if (in_ball(p % WIDTH, p / WIDTH, ball_at_end) !=
            in_ball(p % WIDTH, p / WIDTH, ball_at_start))
            for (int c = 0; c < 3; c++) {
                const int at = 3 * p + c, a = end.shown.pixels[at], b = start.shown.pixels[at];
                const int got = mixed.shown.pixels[at];
                assert_in_range(got + 3, a < b ? a : b, (a < b ? b : a) + 6);
            }
    ball_at_end = ball_at_start = ball = -1000;
    loop_frame_free(&mixed);
    loop_frame_free(&end);
    loop_frame_free(&start);
}

static void test_threads_agree(void **state)
{
    (void)state;
    const int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    LoopFrame one = faded(36, 34, 52, 30, 2, false);
    omp_set_num_threads(5);
    LoopFrame five = faded(36, 34, 52, 30, 2, false);
    omp_set_num_threads(usual);
    assert_memory_equal(one.shown.pixels, five.shown.pixels, 3 * PIXELS);
    loop_frame_free(&one);
    loop_frame_free(&five);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow_is_the_shift),      cmocka_unit_test(test_features_meet),
        cmocka_unit_test(test_backdrop_stays),         cmocka_unit_test(test_equal_pictures_stay),
        cmocka_unit_test(test_moving_solids_dissolve), cmocka_unit_test(test_threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
