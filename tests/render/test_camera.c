/* SPDX-License-Identifier: MIT
 * The camera: exposure by aperture, shutter and film speed, grade, depth of field, motion blur. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/pass/exposures.h"
#include "render/renderer_state.h"
#include "renderer_fixture.h"

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

/* -- lens -------------------------------------------------------------------------------------- */

/* Light of a picture: its sum over the colours and pixels, and mean and variance of its place along
 * each axis, pixels. */
typedef struct Moments {
    double sum, mean[2], variance[2];
} Moments;

static Moments moments_of(const RenderSettings *settings, RenderFrame frame)
{
    static float light[4 * WIDTH * HEIGHT];
    Moments m = {0};
    frame.transparent = true;
    draw_linear(renderer, settings, frame, light);
    for (int power = 0; power < 3; power++)
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const double at[2] = {p % WIDTH, p / WIDTH};
            double all = light[4 * p] + light[4 * p + 1] + light[4 * p + 2];
            m.sum += power == 0 ? all : 0;
            for (int axis = 0; axis < 2; axis++) {
                double off = at[axis] - m.mean[axis];
                m.mean[axis] += power == 1 ? all / m.sum * at[axis] : 0;
                m.variance[axis] += power == 2 ? all / m.sum * off * off : 0;
            }
        }
    return m;
}

static RenderSettings front_settings(void)
{
    RenderSettings settings = test_settings();
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 3, 0, 0, 30};
    settings.sun.azimuth = 0;
    settings.sun.elevation = 45;
    settings.ground.visible = false;
    return settings;
}

/* Height of a pixel at a distance along the view axis, m. */
static double pixel_at(const RenderSettings *settings, double distance)
{
    return 2 * distance * tan(0.5 * (double)settings->camera.fov * 0.017453292519943295) / HEIGHT;
}

/* The blurred picture of a far point is a disc with the diameter A |z - F| / z on the plane in
 * focus, for a lens of diameter A focused at F and a point at z. The variance of a disc of diameter
 * d along each axis is d^2 / 16. */
static void test_circle_of_confusion(void **state)
{
    (void)state;
    static const double places[] = {-9, -3, 0.5, 1.7};
    Smoke smoke = smoke_create(8, 8, 8); /* clear air */
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    frame.exposures = 64;
    settings.lamp_count = 1;
    settings.lamps[0] = render_default_lamp();
    for (int i = 0; i < 4; i++) {
        const double z = 3.5 - places[i], focus = 3;
        const double f = 0.012 / tan(15 * 0.017453292519943295), aperture = 0.15;
        settings.lamps[0].position[0] = 0.6f;
        settings.lamps[0].position[1] = 0.45f;
        settings.lamps[0].position[2] = (float)places[i];
        settings.lamps[0].radius = (float)(2 * pixel_at(&settings, z));
        settings.lens.aperture = 1000; /* as good as a pinhole */
        upload(renderer, &smoke, &settings);
        const Moments sharp = moments_of(&settings, frame);
        settings.lens.aperture = (float)aperture;
        near(2 * render_lens_radius(&settings), f / aperture, 1e-5);
        for (int given = 0; given < 2; given++) {
            settings.lens.focus = given ? 3 : 0; /* which is the distance of the target */
            const Moments blurred = moments_of(&settings, frame);
            const double wanted = f / aperture * fabs(z - focus) / z / pixel_at(&settings, focus);
            near((float)blurred.sum, sharp.sum, 0.01);
            for (int axis = 0; axis < 2; axis++) {
                double more = blurred.variance[axis] - sharp.variance[axis];
                if (!(fabs(blurred.mean[axis] - sharp.mean[axis]) < 0.1))
                    fail_msg("place %d: %g, not %g", i, blurred.mean[axis], sharp.mean[axis]);
                if (!(fabs(sqrt(fmax(16 * more, 0)) - wanted) < 0.03 * wanted + 0.35))
                    fail_msg("lamp at %g m: circle of %g pixels, not %g", z, sqrt(16 * more),
                             wanted);
            }
        }
    }
    /* In the plane in focus. */
    settings.lamps[0].position[2] = 0.5f;
    settings.lamps[0].radius = (float)(4 * pixel_at(&settings, 3));
    upload(renderer, &smoke, &settings);
    const Moments focused = moments_of(&settings, frame);
    settings.lens.aperture = 1000;
    const Moments sharp = moments_of(&settings, frame);
    near((float)focused.variance[0], sharp.variance[0], 0.05);
    near((float)focused.variance[1], sharp.variance[1], 0.05);
    smoke_destroy(&smoke);
}

static void test_no_lens_costs_nothing(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], exposed[BYTES];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_ball(24, 24, 24);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, plain);
    frame.exposures = 32;
    renderer_drop_targets(renderer);
    draw(renderer, &settings, &frame, exposed);
    assert_memory_equal(plain, exposed, BYTES);
    assert_int_equal(renderer->exposed.width, 0);
    smoke_destroy(&smoke);
}

/* Distances have no mean: they are those of the sharp picture. */
static void test_depth_is_sharp(void **state)
{
    (void)state;
    static float plain[2][5 * WIDTH * HEIGHT];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    BillowError error = {""};
    Smoke smoke = smoke_ball(24, 24, 24);
    frame.depth = frame.linear = true;
    settings.camera.distance = 2;
    upload(renderer, &smoke, &settings);
    for (int lens = 0; lens < 2; lens++) {
        settings.lens.aperture = lens == 0 ? 0 : 0.2f;
        frame.exposures = 4;
        if (!renderer_draw(renderer, &settings, &frame, &error) ||
            !renderer_read_depth(renderer, plain[lens], plain[lens] + 4 * WIDTH * HEIGHT, &error))
            fail_msg("%s", error.text);
    }
    assert_memory_equal(plain[0], plain[1], sizeof plain[0]);
    smoke_destroy(&smoke);
}

/* -- shutter ----------------------------------------------------------------------------------- */

/* A ball in the middle of a box whose air moves to the right. */
typedef struct Wind {
    Smoke smoke;
    float *u, *still;
} Wind;

static Wind wind_create(int n, float speed)
{
    Wind wind = {.smoke = smoke_with_room(n, n, n)};
    size_t count = (size_t)(n + 1) * (size_t)(n + 1) * (size_t)(n + 1);
    wind.u = calloc(count, sizeof *wind.u);
    wind.still = calloc(count, sizeof *wind.still);
    assert_non_null(wind.u);
    assert_non_null(wind.still);
    BillowView *view = &wind.smoke.view;
    for (size_t i = 0; i < count; i++)
        wind.u[i] = speed;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                float h = view->cell_size, x = ((float)i + 0.5f) * h - 0.5f,
                      y = ((float)j + 0.5f) * h - 0.5f, z = ((float)k + 0.5f) * h - 0.5f;
                float r = sqrtf(x * x + y * y + z * z);
                wind.smoke.density[i + j * view->stride_y + k * view->stride_z] =
                    fminf(fmaxf((0.15f - r) / 0.06f, 0), 1);
            }
    view->u = wind.u;
    view->v = view->w = wind.still;
    return wind;
}

static void wind_destroy(Wind *wind)
{
    free(wind->u);
    free(wind->still);
    smoke_destroy(&wind->smoke);
}

static void blow(const Wind *wind, const RenderSettings *settings)
{
    BillowError error = {""};
    upload(renderer, &wind->smoke, settings);
    if (!renderer_upload_shutter(renderer, &wind->smoke.view, settings, &error))
        fail_msg("%s", error.text);
}

/* What the camera follows is sharp, and is where it is in the middle of the time. */
static void stays_sharp(const RenderSettings *settings, RenderFrame frame, const Moments *sharp)
{
    RenderCamera moves[2] = {settings->camera, settings->camera};
    moves[0].target[0] -= 0.2f;
    moves[1].target[0] += 0.2f;
    frame.moves = moves;
    const Moments followed = moments_of(settings, frame);
    near((float)followed.variance[0], sharp->variance[0], 0.05);
    assert_true(fabs(followed.mean[0] - sharp->mean[0]) < 0.2);
}

/* The streak of a moving ball has its light, lies where it was in the middle of the time, and is as
 * long as its way: a way of length L adds L^2 / 12 to the variance. */
static void test_streak(void **state)
{
    (void)state;
    Wind wind = wind_create(40, 2);
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    settings.smoke.extinction = 2;
    settings.lens.shutter = 1e-5f; /* as good as none */
    frame.exposures = 32;
    blow(&wind, &settings);
    const Moments sharp = moments_of(&settings, frame);
    settings.lens.shutter = 0.2f;
    const Moments streak = moments_of(&settings, frame);
    near((float)streak.sum, sharp.sum, 0.01);
    for (int axis = 0; axis < 2; axis++)
        assert_true(fabs(streak.mean[axis] - sharp.mean[axis]) < 0.1);
    double way = sqrt(12 * (streak.variance[0] - sharp.variance[0]));
    near((float)way, 0.4 / pixel_at(&settings, 3), 0.05);
    near((float)streak.variance[1], sharp.variance[1], 0.03);
    stays_sharp(&settings, frame, &sharp);
    wind_destroy(&wind);
}

/* A solid ball moves by its own velocity. */
static void test_solid_streak(void **state)
{
    (void)state;
    Wind wind = wind_create(40, -1);
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    memset(wind.smoke.density, 0, 41 * 41 * 41 * sizeof(float));
    float *distance = smoke_solid_ball(&wind.smoke, (const float[]){0.5f, 0.5f, 0.5f}, 0.15f);
    BillowSolid ball = billow_default_solid();
    ball.shape = BILLOW_SPHERE;
    ball.size[0] = 0.15f;
    for (int axis = 0; axis < 3; axis++)
        ball.center[axis] = 0.5f;
    ball.velocity[0] = 2;
    ball.spin[1] = 7;
    frame.solids = &ball;
    frame.solid_count = 1;
    frame.exposures = 32;
    settings.lens.shutter = 1e-5f;
    blow(&wind, &settings);
    const Moments sharp = moments_of(&settings, frame);
    assert_true(sharp.sum > 0);
    settings.lens.shutter = 0.2f;
    const Moments streak = moments_of(&settings, frame);
    near((float)streak.sum, sharp.sum, 0.03);
    for (int axis = 0; axis < 2; axis++)
        assert_true(fabs(streak.mean[axis] - sharp.mean[axis]) < 0.2);
    double way = sqrt(12 * (streak.variance[0] - sharp.variance[0]));
    near((float)way, 0.4 / pixel_at(&settings, 3), 0.05);
    near((float)streak.variance[1], sharp.variance[1], 0.05);
    stays_sharp(&settings, frame, &sharp);
    free(distance);
    wind.smoke.view.solid = NULL;
    upload(renderer, &wind.smoke, &settings);
    wind_destroy(&wind);
}

static void test_streak_is_symmetric(void **state)
{
    (void)state;
    static float light[4 * WIDTH * HEIGHT];
    Wind wind = wind_create(40, 2);
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    settings.lens.shutter = 0.2f;
    frame.transparent = true;
    frame.exposures = 32;
    blow(&wind, &settings);
    draw_linear(renderer, &settings, frame, light);
    double most = 0, apart = 0;
    for (int x = 0; x < WIDTH; x++) {
        double sum = 0, mirrored = 0;
        for (int y = 0; y < HEIGHT; y++) {
            sum += (double)light[4 * (y * WIDTH + x) + 1];
            mirrored += (double)light[4 * (y * WIDTH + WIDTH - 1 - x) + 1];
        }
        most = fmax(most, sum);
        apart = fmax(apart, fabs(sum - mirrored));
    }
    assert_true(apart < 0.02 * most);
    wind_destroy(&wind);
}

static void test_still_air_is_sharp(void **state)
{
    (void)state;
    static float sharp[4 * WIDTH * HEIGHT], open[4 * WIDTH * HEIGHT];
    Wind wind = wind_create(40, 0);
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    const RenderCamera moves[2] = {settings.camera, settings.camera};
    blow(&wind, &settings);
    draw_linear(renderer, &settings, frame, sharp);
    settings.lens.shutter = 0.5f;
    frame.exposures = 16;
    frame.moves = moves;
    draw_linear(renderer, &settings, frame, open);
    double apart = 0, all = 0;
    for (int i = 0; i < 4 * WIDTH * HEIGHT; i++) {
        apart += fabs((double)sharp[i] - (double)open[i]);
        all += (double)sharp[i];
    }
    assert_true(apart < 0.005 * all);
    wind_destroy(&wind);
}

/* A camera that turns past 360 degrees takes the short way. */
static void test_camera_moves(void **state)
{
    (void)state;
    Wind wind = wind_create(40, 0);
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    RenderCamera moves[2] = {settings.camera, settings.camera};
    moves[0].target[0] -= 0.2f;
    moves[1].target[0] += 0.2f;
    moves[0].azimuth = 355;
    moves[1].azimuth = 5;
    settings.smoke.extinction = 2;
    blow(&wind, &settings);
    const Moments sharp = moments_of(&settings, frame);
    settings.lens.shutter = 0.1f;
    frame.exposures = 32;
    frame.moves = moves;
    const Moments streak = moments_of(&settings, frame);
    double way = sqrt(12 * (streak.variance[0] - sharp.variance[0]));
    near((float)way, 0.4 / pixel_at(&settings, 3), 0.05);
    assert_true(fabs(streak.mean[0] - sharp.mean[0]) < 0.3);
    wind_destroy(&wind);
}

/* Velocities of any kind never bring smoke to a brick beyond its bound. */
static void test_bricks_bound_what_moves(void **state)
{
    (void)state;
    enum { N = 29, COUNT = N * N * N };
    static float velocities[3 * COUNT], out[64];
    Smoke smoke = smoke_ball(N, N, N);
    Bricks bricks = {.density = NULL};
    BrickMotion motion = {.range = NULL};
    BillowError error = {""};
    const int n[3] = {N, N, N};
    unsigned seed = 1;
    for (int i = 0; i < 3 * COUNT; i++) {
        const int cell = i / 3;
        velocities[i] = 4 * sinf(0.3f * (float)(cell % N) + 1.7f * (float)(i % 3)) +
                        3 * cosf(0.2f * (float)(cell / N));
    }
    assert_true(bricks_build(&bricks, &smoke.view, 0, &error));
    assert_true(brick_motion_build(&motion, &bricks, &smoke.view, 0, n, velocities, &error));
    const GridSample velocity = {velocities, {N, N, N}, {3, 3 * N, 3 * N * N}};
    const GridSample density = {smoke.density, {N, N, N}, {1, N, N * N}};
    for (float scale = -1.2f; scale < 1.3f; scale += 0.4f) {
        brick_motion_bounds(&motion, &bricks, scale, out);
        for (int trial = 0; trial < 20000; trial++) {
            float at[3], from[3];
            for (int axis = 0; axis < 3; axis++) {
                seed = seed * 1664525u + 1013904223u;
                at[axis] = (float)(seed >> 8) / 16777216.0f * N;
            }
            for (int half = 0; half < 2; half++) {
                const float *place = half == 0 ? at : from;
                Vec3 share = {place[0] / N, place[1] / N, place[2] / N};
                float v[3];
                for (int axis = 0; axis < 3; axis++)
                    v[axis] = grid_sample(&velocity, share, axis);
                for (int axis = 0; axis < 3; axis++)
                    from[axis] = at[axis] - (half == 0 ? 0.5f : 1) * scale * v[axis];
            }
            Vec3 share = {from[0] / N, from[1] / N, from[2] / N};
            int brick = (int)(at[0] / 8) + 4 * ((int)(at[1] / 8) + 4 * (int)(at[2] / 8));
            float found = grid_sample(&density, share, 0);
            if (found > out[brick] + 1e-6f)
                fail_msg("scale %g: %g at %g %g %g, beyond %g", (double)scale, (double)found,
                         (double)at[0], (double)at[1], (double)at[2], (double)out[brick]);
        }
    }
    brick_motion_destroy(&motion);
    bricks_destroy(&bricks);
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
        cmocka_unit_test(test_circle_of_confusion),
        cmocka_unit_test(test_no_lens_costs_nothing),
        cmocka_unit_test(test_depth_is_sharp),
        cmocka_unit_test(test_streak),
        cmocka_unit_test(test_solid_streak),
        cmocka_unit_test(test_streak_is_symmetric),
        cmocka_unit_test(test_still_air_is_sharp),
        cmocka_unit_test(test_camera_moves),
        cmocka_unit_test(test_bricks_bound_what_moves),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
