/* SPDX-License-Identifier: MIT
 * The history of the window, built from few rays of many pictures: sharper than without, and free
 * of ghosts. */
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

#include "render/pass/march.h"
#include "render/renderer_state.h"
#include "renderer_fixture.h"
#include "sanitized.h"

enum { ACROSS = 384, UP = 216, PIXELS = ACROSS * UP, GRID = 48 };

/* Difference of two 8-bit pictures, over all pixels and channels, in steps of 1/255. */
typedef struct Difference {
    double mean, worst; /* worst: of the means over squares of 8 x 8 pixels */
} Difference;

static Difference compare(const uint8_t *a, const uint8_t *b)
{
    Difference found = {0, 0};
    for (int y = 0; y < UP; y += 8)
        for (int x = 0; x < ACROSS; x += 8) {
            double sum = 0;
            for (int j = y; j < y + 8; j++)
                for (int i = 4 * x; i < 4 * (x + 8); i++)
                    sum += abs(a[4 * ACROSS * j + i] - b[4 * ACROSS * j + i]);
            sum /= 8 * 8 * 3;
            found.mean += sum * 64 / PIXELS;
            found.worst = fmax(found.worst, sum);
        }
    return found;
}

/* A solid ball in the blob, of which it covers a part. */
static const float ball_center[3] = {0.4f, 0.5f, 0.6f};
#define BALL_RADIUS 0.12f

/* Fills the view with a curled blob, moved by `along` in x, m, around the ball if there is one. */
static void place_blob(Smoke *smoke, float along)
{
    float h = smoke->view.cell_size;
    for (int k = 0; k < GRID; k++)
        for (int j = 0; j < GRID; j++)
            for (int i = 0; i < GRID; i++) {
                float x = ((float)i + 0.5f) * h - 0.3f - along, y = ((float)j + 0.5f) * h - 0.45f,
                      z = ((float)k + 0.5f) * h - 0.5f;
                float curls = 0.06f * sinf(40 * x) * sinf(36 * y + 1) * sinf(38 * z + 2);
                float r = sqrtf(x * x + y * y + z * z) + curls;
                x += 0.3f + along - ball_center[0];
                y += 0.45f - ball_center[1];
                z += 0.5f - ball_center[2];
                const bool within =
                    smoke->view.solid != NULL && x * x + y * y + z * z < BALL_RADIUS * BALL_RADIUS;
                smoke->density[i + j * smoke->view.stride_y + k * smoke->view.stride_z] =
                    within ? 0 : fminf(fmaxf((0.22f - r) / 0.05f, 0), 1);
            }
}

typedef struct Play {
    float speed; /* of the blob, m per picture */
    float turn;  /* of the camera, degrees per picture */
    bool known;  /* whether the renderer gets that speed */
    bool back;   /* time goes back from picture to picture */
    bool ball;   /* there is a ball in the blob */
    bool tint;   /* the smoke dims colours differently */
} Play;

static RenderFrame coarse_frame(void)
{
    RenderFrame frame = test_frame();
    frame.width = ACROSS;
    frame.height = UP;
    frame.scale = 0.25f;
    frame.step = 2;
    frame.smooth = true;
    return frame;
}

static RenderSettings near_settings(void)
{
    RenderSettings settings = test_settings();
    settings.camera.distance = 1.4f;
    return settings;
}

static RenderSettings settings_of(const Play *play)
{
    const float tint[3] = {1, 0.5f, 0.25f};
    RenderSettings settings = near_settings();
    if (play->tint)
        memcpy(settings.smoke.extinction_color, tint, sizeof tint);
    return settings;
}

static Smoke blob_smoke(void)
{
    return smoke_with_room(GRID, GRID, GRID);
}

static void show(Smoke *smoke, const RenderSettings *start, const Play *play, int n,
                 RenderFrame *frame, uint8_t *pixels)
{
    static float velocity[3 * 8 * 8 * 8];
    RenderSettings settings = *start;
    BillowError error = {""};
    settings.camera.azimuth += play->turn * (float)n;
    smoke->view.time = (play->back ? 100 - n : n) / 30.0;
    place_blob(smoke, play->speed * (float)n);
    upload(renderer, smoke, &settings);
    for (int i = 0; i < 8 * 8 * 8; i++)
        velocity[3 * i] = (play->back ? -30 : 30) * play->speed;
    Motion motion = {{8, 8, 8}, velocity};
    if (!play->known)
        motion.n[0] = 0;
    if (!renderer_upload_motion(renderer, &motion, &error))
        fail_msg("%s", error.text);
    frame->frame = (unsigned)n;
    draw(renderer, &settings, frame, pixels);
}

typedef struct Found {
    Difference without, with;
} Found;

/* Saves a picture for inspection in the folder of BILLOW_KEEP, if that is set. */
static void keep(const char *name, const char *what, const uint8_t *pixels)
{
    const char *folder = getenv("BILLOW_KEEP");
    if (folder == NULL)
        return;
    char path[256];
    snprintf(path, sizeof path, "%s/%s-%s.ppm", folder, name, what);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P6 %d %d 255\n", ACROSS, UP);
    for (int i = 0; i < PIXELS; i++)
        fwrite(pixels + 4 * i, 1, 3, file);
    fclose(file);
}

/* Reference picture: every pixel is marched with the same step length, and the mean over many
 * random ray starts removes the noise. */
static void draw_truth(const RenderSettings *settings, RenderFrame frame, uint8_t *truth)
{
    enum { STARTS = 12 };
    static uint8_t pixels[4 * PIXELS];
    static unsigned sums[4 * PIXELS];
    frame.scale = 1;
    frame.history = 0;
    frame.smooth = false;
    memset(sums, 0, sizeof sums);
    for (unsigned n = 0; n < STARTS; n++) {
        frame.frame = n;
        draw(renderer, settings, &frame, pixels);
        for (int i = 0; i < 4 * PIXELS; i++)
            sums[i] += pixels[i];
    }
    for (int i = 0; i < 4 * PIXELS; i++)
        truth[i] = (uint8_t)((sums[i] + STARTS / 2) / STARTS);
}

/* Draws some pictures in motion. Compares the last one with the reference, with the history of the
 * others and without. */
static Found play(const char *name, const Play *play, int frames)
{
    static uint8_t truth[4 * PIXELS], pixels[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderSettings settings = settings_of(play);
    RenderFrame frame = coarse_frame();
    Found found;
    float *ball = play->ball ? smoke_solid_ball(&smoke, ball_center, BALL_RADIUS) : NULL;
    frame.history = 0.5f;
    renderer_forget(renderer);
    for (int n = 0; n < frames; n++)
        show(&smoke, &settings, play, n, &frame, pixels);
    settings.camera.azimuth += play->turn * (float)(frames - 1);
    draw_truth(&settings, frame, truth); /* in the same light, which settles from step to step */
    found.with = compare(pixels, truth);
    keep(name, "truth", truth);
    keep(name, "with", pixels);
    frame.history = 0;
    draw(renderer, &settings, &frame, pixels);
    found.without = compare(pixels, truth);
    keep(name, "without", pixels);
    smoke_destroy(&smoke);
    free(ball);
    print_message("%s: mean %.3f and worst %.2f of 255, without history %.3f and %.2f\n", name,
                  found.with.mean, found.with.worst, found.without.mean, found.without.worst);
    return found;
}

/* Sharper than what is marched of it alone, from the second picture on. */
static void test_still(void **state)
{
    (void)state;
    const Play still = {.known = true};
    Found first = play("first", &still, 1), last = play("still", &still, 16);
    assert_true(last.with.mean < 0.95 * first.with.mean);
    assert_true(last.with.mean < 0.35 * last.without.mean);
    assert_true(last.with.worst < 0.6 * last.without.worst);
}

static void place_and_show(Smoke *smoke, float along, double time, const RenderFrame *frame,
                           uint8_t *pixels)
{
    RenderSettings settings = near_settings();
    place_blob(smoke, along);
    smoke->view.time = time;
    upload(renderer, smoke, &settings);
    draw(renderer, &settings, frame, pixels);
}

/* The flicker of smoke at rest: the change from picture to picture by the noise of the rays,
 * after some time. */
static double flicker(float history, double passed, const Play *play)
{
    static uint8_t now[4 * PIXELS], before[4 * PIXELS];
    enum { PICTURES = 24, SETTLED = 12 };
    Smoke smoke = blob_smoke();
    float *ball = play->ball ? smoke_solid_ball(&smoke, ball_center, BALL_RADIUS) : NULL;
    RenderFrame frame = coarse_frame();
    double sum = 0;
    frame.history = history;
    renderer_forget(renderer);
    for (int n = 0; n < PICTURES; n++) {
        RenderSettings settings = settings_of(play);
        memcpy(before, now, sizeof now);
        frame.frame = (unsigned)n;
        smoke.view.time = 10 + passed * n;
        if (n == 0)
            place_blob(&smoke, 0);
        if (n == 0 || passed != 0)
            upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, now);
        sum += n > SETTLED ? compare(now, before).mean : 0;
    }
    smoke_destroy(&smoke);
    free(ball);
    return sum / (PICTURES - SETTLED - 1);
}

static void test_flicker(void **state)
{
    (void)state;
    const Play plain = {.known = true};
    double with = flicker(0.5f, 0, &plain), without = flicker(0, 0, &plain);
    double on = flicker(0.5f, 0.05, &plain), back = flicker(0.5f, -0.05, &plain);
    print_message("flicker: %.4f of 255, while time goes on %.4f, and back %.4f; without history, "
                  "but smoothed, %.4f\n",
                  with, on, back, without);
    assert_true(with < 0.7 * without && on < 0.7 * without && back < 0.7 * without);
}

/* With a solid, and with smoke that dims colours differently: less flicker, and at rest nothing is
 * worse than in a single picture. Rays at the edge of the ball have no history. */
static void test_solids_and_colors(void **state)
{
    (void)state;
    for (int with = 1; with < 4; with++) {
        const bool ball = with & 1, tint = with & 2;
        const Play rests = {.ball = ball, .tint = tint, .known = true},
                   moves = {0.01f, .known = true, .ball = ball, .tint = tint},
                   turns = {.turn = 1.5f, .known = true, .ball = ball, .tint = tint};
        char name[40];
        snprintf(name, sizeof name, "%s%s", ball ? "ball" : "", tint ? "tint" : "");
        const Found at_rest = play(name, &rests, 16), moved = play(name, &moves, 8),
                    turned = play(name, &turns, 8);
        assert_true(at_rest.with.mean < (ball ? 0.95 : 0.75) * at_rest.without.mean);
        assert_true(moved.with.mean < 1.4 * moved.without.mean);
        assert_true(turned.with.mean < 1.4 * turned.without.mean);
        const double kept = flicker(0.5f, 0.05, &rests), single = flicker(0, 0, &rests);
        print_message("flicker %.4f of 255, without history %.4f\n", kept, single);
        assert_true(kept < 0.5 * single);
    }
}

/* Nearly as good as at rest, and never worse than a single picture. */
static void test_motion(void **state)
{
    (void)state;
    const struct {
        const char *name;
        Play play;
        double mean, worst; /* in terms of those without a history; the worst is one pixel */
    } cases[] = {
        {"orbit", {.turn = 1.5f, .known = true}, 0.72, 1.2},
        {"fast orbit", {.turn = 6, .known = true}, 1.05, 1},
        {"moving", {.speed = 0.01f, .known = true}, 0.75, 0.8},
        {"fast", {.speed = 0.04f, .known = true}, 1.1, 1.2},
        {"moving in an orbit", {.speed = 0.02f, .turn = 2, .known = true}, 0.9, 1.2},
        {"back", {.speed = 0.01f, .known = true, .back = true}, 0.75, 0.8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Found found = play(cases[i].name, &cases[i].play, 8);
        assert_true(found.with.mean < cases[i].mean * found.without.mean);
        assert_true(found.with.worst < cases[i].worst * found.without.worst);
    }
}

/* Smoke moves by 10 pixels per picture without motion vectors. The history keeps no values that
 * nearby rays do not have. */
static void test_unknown_motion(void **state)
{
    (void)state;
    Found found = play("fast, unknown", &(Play){.speed = 0.04f}, 8);
    assert_true(found.with.mean < 2.6 * found.without.mean && found.with.worst < 24);
}

/* The blob is suddenly elsewhere: where it was there is sky and ground at once. */
static void test_gone(void **state)
{
    (void)state;
    static uint8_t pixels[4 * PIXELS], truth[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderFrame frame = coarse_frame(), plain = coarse_frame();
    BillowError error;
    frame.history = 0.5f;
    renderer_forget(renderer);
    assert_true(renderer_upload_motion(renderer, &(Motion){.n = {0}}, &error));
    for (int n = 0; n < 8; n++)
        place_and_show(&smoke, 0, n / 30.0, &frame, pixels);
    place_and_show(&smoke, 0.5f, 8 / 30.0, &frame, pixels);
    RenderSettings settings = near_settings();
    draw(renderer, &settings, &plain, truth);
    Difference all = compare(pixels, truth);
    keep("gone", "with", pixels);
    for (int y = 0; y < UP; y++) /* but for where it is now */
        memset(pixels + 4 * (y * ACROSS + ACROSS / 2), 0, 4 * ACROSS / 2);
    for (int y = 0; y < UP; y++)
        memset(truth + 4 * (y * ACROSS + ACROSS / 2), 0, 4 * ACROSS / 2);
    Difference left = compare(pixels, truth);
    print_message("gone: worst %.2f where it was, %.2f in all\n", left.worst, all.worst);
    assert_true(left.worst < 2);
    smoke_destroy(&smoke);
}

/* Time that goes far back is another beginning: as if there had been nothing before. */
static void test_reset(void **state)
{
    (void)state;
    static uint8_t pixels[4 * PIXELS], truth[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderSettings settings = near_settings();
    RenderFrame frame = coarse_frame();
    frame.history = 0.5f;
    renderer_forget(renderer);
    for (int n = 0; n < 8; n++)
        place_and_show(&smoke, 0, 10 + n / 30.0, &frame, pixels);
    place_and_show(&smoke, 0.03f, 0, &frame, pixels);
    draw_truth(&settings, frame, truth);
    Difference found = compare(pixels, truth);
    print_message("reset: mean %.3f and worst %.2f\n", found.mean, found.worst);
    assert_true(found.mean < 0.18 && found.worst < 7);
    smoke_destroy(&smoke);
}

/* The resolution of rays and history changes with the available time. A picture without history
 * does not depend on earlier ones. */
static void test_sizes_and_none(void **state)
{
    (void)state;
    static uint8_t pixels[4 * PIXELS], plain[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderSettings settings = near_settings();
    RenderFrame frame = coarse_frame(), none = coarse_frame();
    none.scale = frame.scale = 0.6f;
    frame.smooth = none.smooth = false;
    renderer_forget(renderer);
    place_and_show(&smoke, 0, 0, &none, plain);
    frame.history = 0.7f;
    const float scales[] = {0.6f, 0.3f, 0.5f, 0.6f};
    for (int n = 0; n < 8; n++) {
        frame.scale = scales[n % 4];
        frame.history = fminf(2 * frame.scale, 1);
        frame.frame = (unsigned)n;
        draw(renderer, &settings, &frame, pixels);
    }
    Difference found = compare(pixels, plain);
    print_message("sizes: mean %.3f and worst %.2f\n", found.mean, found.worst);
    assert_true(found.mean > 0 && found.mean < 0.15 && found.worst < 5);
    draw(renderer, &settings, &none, pixels);
    assert_memory_equal(pixels, plain, 4 * PIXELS);
    smoke_destroy(&smoke);
}

/* The blob darkens the sky behind it: sharpened, no pixel is brighter than the sky or darker than a
 * pixel of the accumulated smoke. */
static void test_sharpened(void **state)
{
    (void)state;
    static uint8_t pixels[4 * PIXELS];
    static float shown[4 * PIXELS], kept[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderFrame frame = coarse_frame();
    BillowError error = {""};
    frame.history = 0.5f;
    renderer_forget(renderer);
    place_and_show(&smoke, 0, 0, &frame, pixels);
    const History *history = &renderer->history;
    const Target *from = &history->accumulated[history->current];
    int count = 4 * from->width * from->height, changed = 0;
    assert_true(count <= 4 * PIXELS);
    assert_true(
        target_read(&history->sharpened, GL_RGBA, GL_FLOAT, 16, from->width, shown, &error) &&
        target_read(from, GL_RGBA, GL_FLOAT, 16, from->width, kept, &error));
    for (int at = 4 * from->width; at < count - 4 * from->width; at++) {
        const int around[] = {at, at - 4, at + 4, at - 4 * from->width, at + 4 * from->width};
        float low = kept[at], high = kept[at];
        for (int n = 1; n < 5; n++) {
            low = fminf(low, kept[around[n]]);
            high = fmaxf(high, kept[around[n]]);
        }
        bool edge = at / 4 % from->width == 0 || at / 4 % from->width == from->width - 1;
        assert_true(edge || (shown[at] >= low - 1e-3f && shown[at] <= high + 1e-3f));
        changed += fabsf(shown[at] - kept[at]) > 0.004f;
    }
    assert_true(changed > 100);
    smoke_destroy(&smoke);
}

/* A still that is marched in parts takes the history's place. */
static void test_still_takes_over(void **state)
{
    (void)state;
    static uint8_t parts[4 * PIXELS], whole[4 * PIXELS];
    Smoke smoke = blob_smoke();
    RenderSettings settings = near_settings();
    RenderFrame frame = coarse_frame(), fine = coarse_frame();
    BillowError error = {""};
    fine.smooth = false;
    fine.scale = 1;
    fine.step = 0.5f;
    frame.history = 0.5f;
    renderer_forget(renderer);
    place_and_show(&smoke, 0, 0, &frame, parts);
    int done = 0;
    while (done < UP)
        if (!renderer_refine(renderer, &settings, &fine, 50, &done, &error))
            fail_msg("%s", error.text);
    draw(renderer, &settings, &fine, parts);
    draw(renderer, &settings, &frame, whole); /* and the history that of the still again, */
    assert_true(compare(parts, whole).mean > 0);
    draw(renderer, &settings, &fine, whole); /* which is the same when it is drawn at once */
    assert_memory_equal(parts, whole, 4 * PIXELS);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still),
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_sharpened),
        cmocka_unit_test(test_still_takes_over),
        cmocka_unit_test(test_sizes_and_none),
        /* More pictures by the code of those above: */
        cmocka_unit_test(test_flicker),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_solids_and_colors),
        cmocka_unit_test(test_unknown_motion),
    };
    size_t count = sizeof tests / sizeof tests[0];
    return _cmocka_run_group_tests("history", tests, SANITIZED ? 6 : count, open_renderer,
                                   close_renderer);
}
