/* SPDX-License-Identifier: MIT
 * The renderer through the real GL and the real shaders, without a window. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "camera.h"
#include "embed.h"
#include "gl_check.h"
#include "renderer_fixture.h"
#include "volume.h"

static void test_empty_is_background(void **state)
{
    (void)state;
    static uint8_t background[BYTES], pixels[BYTES];
    Look look = test_look();
    RenderFrame frame = test_frame();
    BillowError error;
    Renderer *fresh = renderer_create(NULL, &error);
    assert_non_null(fresh);
    draw(fresh, &look, &frame, background);
    assert_true(memcmp(pixel(background, 48, 2), pixel(background, 48, 60), 4) != 0);
    for (int i = 3; i < BYTES; i += 4)
        assert_int_equal(background[i], 255);

    Smoke smoke = smoke_create(24, 32, 20);
    upload(fresh, &smoke, &look);
    draw(fresh, &look, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    /* Far below what shows is nothing too, and so is smoke without extinction. */
    for (int i = 0; i < 24 * 32 * 20; i++)
        smoke.density[i] = 1e-12f;
    upload(fresh, &smoke, &look);
    draw(fresh, &look, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    for (int i = 0; i < 24 * 32 * 20; i++)
        smoke.density[i] = 1;
    upload(fresh, &smoke, &look);
    look.smoke.extinction = 0;
    draw(fresh, &look, &frame, pixels);
    assert_memory_equal(pixels, background, BYTES);
    smoke_destroy(&smoke);
    renderer_destroy(fresh);
}

/* Length of a pixel's ray within the unit cube. */
static double path_length(const Look *look, int x, int y)
{
    float origin[3], direction[3];
    camera_ray(&look->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin, direction);
    double enter = 0, leave = 1e9;
    for (int a = 0; a < 3; a++) {
        double t0 = (0.0 - (double)origin[a]) / (double)direction[a];
        double t1 = (1.0 - (double)origin[a]) / (double)direction[a];
        enter = fmax(enter, fmin(t0, t1));
        leave = fmin(leave, fmax(t0, t1));
    }
    return fmax(leave - enter, 0);
}

static void check_slab(const Look *look, const RenderFrame *frame)
{
    static float pixels[BYTES];
    draw_linear(renderer, look, *frame, pixels);
    int inside = 0;
    for (int y = 1; y < HEIGHT; y += 3)
        for (int x = 1; x < WIDTH; x += 3) {
            double length = path_length(look, x, y);
            double wanted = 1 - exp(-(double)look->smoke.extinction * length);
            double got = (double)pixels[4 * (y * WIDTH + x) + 3];
            inside += length > 0;
            if (fabs(got - wanted) > 1 / 255.0)
                fail_msg("pixel %d, %d, step %g, frame %u, depth %g: opacity %g, not %g", x, y,
                         (double)frame->step, frame->frame, (double)look->smoke.extinction * length,
                         got, wanted);
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
    Look look = test_look();
    upload(renderer, &smoke, &look);
    RenderFrame frame = test_frame();
    frame.transparent = true;
    for (size_t e = 0; e < sizeof extinctions / sizeof *extinctions; e++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (frame.frame = 0; frame.frame < 3; frame.frame++) {
                look.smoke.extinction = extinctions[e];
                frame.step = steps[s];
                look.camera.azimuth = 25;
                check_slab(&look, &frame);
                look.camera.azimuth = 0;
                check_slab(&look, &frame);
            }
    smoke_destroy(&smoke);
}

static double slab_transmittance(float front, float back)
{
    static float pixels[BYTES];
    Smoke smoke = smoke_create(32, 32, 32);
    for (int i = 0; i < 32 * 32 * 32; i++)
        smoke.density[i] = i >= 32 * 32 * 16 ? front : back;
    Look look = test_look();
    look.smoke.extinction = 1;
    look.camera.azimuth = look.camera.elevation = 0;
    RenderFrame frame = test_frame();
    frame.transparent = true;
    frame.step = 0.25f;
    upload(renderer, &smoke, &look);
    draw_linear(renderer, &look, frame, pixels);
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

/* A folder with the embedded shaders in it. */
static void folder_create(char folder[64])
{
    snprintf(folder, 64, "/tmp/billow-shaders-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        assert_int_equal(fwrite(file->text, 1, file->length, stream), file->length);
        assert_int_equal(fclose(stream), 0);
    }
}

static void folder_destroy(const char *folder)
{
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Writes a shader anew with the first occurrence of one text replaced; returns its line. */
static int folder_edit(const char *folder, const char *name, const char *from, const char *to)
{
    const EmbeddedFile *file = embedded_shaders;
    while (file->name != NULL && strcmp(file->name, name) != 0)
        file++;
    assert_non_null(file->name);
    const char *at = strstr(file->text, from);
    assert_non_null(at);
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "%.*s%s%s", (int)(at - file->text), file->text, to, at + strlen(from));
    assert_int_equal(fclose(stream), 0);
    int line = 1;
    for (const char *c = file->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static void test_skipping_changes_nothing(void **state)
{
    (void)state;
    static uint8_t skipping[BYTES], marching[BYTES];
    char folder[64];
    folder_create(folder);
    folder_edit(folder, "raymarch.frag", "#define SKIP_EMPTY 1", "#define SKIP_EMPTY 0");
    BillowError error = {""};
    Renderer *plain = renderer_create(folder, &error);
    if (plain == NULL)
        fail_msg("%s", error.text);
    renderer_fine_light(plain, true);
    Smoke smoke = smoke_ball(50, 43, 61);
    Look look = test_look();
    RenderFrame frame = test_frame();
    static const float azimuths[] = {0, 25, 90, 200};
    for (int i = 0; i < 4; i++) {
        look.camera.azimuth = azimuths[i];
        look.camera.distance = i == 3 ? 0.2f : 2.2f; /* the last from inside */
        frame.frame = (unsigned)i;
        frame.step = i == 1 ? 2.7f : 0.8f;
        upload(renderer, &smoke, &look);
        upload(plain, &smoke, &look);
        draw(renderer, &look, &frame, skipping);
        draw(plain, &look, &frame, marching);
        assert_in_range(largest_difference(skipping, marching), 0, 1);
    }
    smoke_destroy(&smoke);
    renderer_destroy(plain);
    folder_destroy(folder);
}

static void test_shadow_on_ground(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES], background[BYTES];
    Smoke smoke = smoke_ball(48, 48, 48), none = smoke_create(48, 48, 48);
    Look look = test_look();
    look.camera.elevation = 80;
    look.camera.azimuth = 0;
    look.camera.distance = 4;
    look.sun.azimuth = 90; /* from the right: the shadow falls to the left */
    look.sun.elevation = 30;
    look.smoke.extinction = 60;
    RenderFrame frame = test_frame();
    upload(renderer, &none, &look);
    draw(renderer, &look, &frame, background);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    /* The shadow's middle lies 0.4 / tan 30 left of the ball; find the pixel nearest to it. */
    float wanted[3] = {0.45f - 0.693f, 0, 0.55f}, best = 1e9f;
    int at_x = 0, at_y = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float o[3], d[3];
            camera_ray(&look.camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, o, d);
            float t = -o[1] / d[1];
            float miss = hypotf(o[0] + t * d[0] - wanted[0], o[2] + t * d[2] - wanted[2]);
            if (miss < best) {
                best = miss;
                at_x = x;
                at_y = y;
            }
        }
    assert_true(best < 0.1f);
    int shaded = pixel(pixels, at_x, at_y)[1], lit = pixel(background, at_x, at_y)[1];
    assert_true(shaded < lit - 30);
    /* On the sunny side nothing changes. */
    const uint8_t *sunny = pixel(pixels, WIDTH - 4, at_y);
    assert_memory_equal(sunny, pixel(background, WIDTH - 4, at_y), 4);
    smoke_destroy(&smoke);
    smoke_destroy(&none);
}

static const float ball_center[3] = {0.5f, 0.45f, 0.5f};
#define BALL_RADIUS 0.2f

/* Distance of a pixel's ray from the ball's middle, and along the ray to there. */
static float ball_miss(const Look *look, int x, int y, float *along)
{
    float origin[3], direction[3], square = 0;
    camera_ray(&look->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin, direction);
    *along = 0;
    for (int a = 0; a < 3; a++)
        *along += (ball_center[a] - origin[a]) * direction[a];
    for (int a = 0; a < 3; a++) {
        float off = origin[a] + *along * direction[a] - ball_center[a];
        square += off * off;
    }
    return sqrtf(square);
}

static void check_silhouette(const Look *look, float scale)
{
    static float pixels[BYTES];
    RenderFrame frame = test_frame();
    frame.transparent = true;
    frame.scale = scale;
    draw_linear(renderer, look, frame, pixels);
    float pixel_angle = 2 * tanf(0.5f * look->camera.fov * 0.0174533f) / HEIGHT, area = 0;
    int whole = 0, partly = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float along, miss = ball_miss(look, x, y, &along);
            float off = (miss - BALL_RADIUS) / (along * pixel_angle); /* in pixels */
            int alpha = (int)lroundf(255 * pixels[4 * (y * WIDTH + x) + 3]);
            if ((off < -1 && alpha != 255) || (off > 1 && alpha != 0))
                fail_msg("pixel %d, %d, %g pixels off the rim: alpha %d", x, y, (double)off, alpha);
            whole += alpha == 255;
            partly += alpha > 0 && alpha < 255;
            area += (float)alpha / 255 - fminf(fmaxf(0.5f - off, 0), 1);
        }
    assert_true(whole > 100);
    assert_true(partly > 20); /* smooth edges, */
    /* neither grown nor shrunk by a third of a pixel */
    assert_true(fabsf(area) < 0.33f * (float)partly);
}

static void test_solid_where_it_should_be(void **state)
{
    (void)state;
    static const int sizes[][3] = {{24, 24, 24}, {64, 64, 64}, {50, 43, 61}};
    Look look = test_look();
    for (int s = 0; s < 3; s++) {
        Smoke smoke = smoke_with_room(sizes[s][0], sizes[s][1], sizes[s][2]);
        float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
        renderer_forget(renderer);
        upload(renderer, &smoke, &look);
        for (int view = 0; view < 4; view++) {
            look.camera.azimuth = 25 + 77 * (float)view;
            look.camera.distance = 1.2f + 0.4f * (float)view;
            check_silhouette(&look, view % 2 == 0 ? 1 : 0.5f);
        }
        smoke_destroy(&smoke);
        free(solid);
    }
}

/* The picture of the ball with a slab of smoke from front to back, looked at from the front. */
static void ball_and_slab(bool ball, float from, float to, bool transparent, float scale,
                          uint8_t *pixels)
{
    Smoke smoke = smoke_with_room(48, 48, 48);
    float *solid = ball ? smoke_solid_ball(&smoke, ball_center, BALL_RADIUS) : NULL;
    for (int k = 0; k < 48; k++)
        for (int j = 0; j < 48; j++)
            for (int i = 0; i < 48; i++)
                if (k >= (int)(48 * from) && k < (int)(48 * to))
                    smoke.density[i + 49 * (j + 49 * k)] = 1;
    Look look = test_look();
    look.camera.azimuth = look.camera.elevation = 0;
    look.sun.azimuth = 0;
    look.smoke.extinction = 80;
    RenderFrame frame = test_frame();
    frame.transparent = transparent;
    frame.scale = scale;
    renderer_forget(renderer);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    smoke_destroy(&smoke);
    free(solid);
}

static void test_smoke_and_solid_in_order(void **state)
{
    (void)state;
    static uint8_t bare[BYTES], with[BYTES], without[BYTES];
    for (int half = 0; half < 2; half++) {
        float scale = half ? 0.5f : 1;
        /* Behind the ball, smoke does not show on it, not even at its rim; its light does. */
        ball_and_slab(true, 0, 0, false, scale, bare);
        ball_and_slab(true, 0, 0.2f, false, scale, with);
        Look look = test_look();
        look.camera.azimuth = look.camera.elevation = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                float along, miss = ball_miss(&look, x, y, &along);
                if (miss < BALL_RADIUS - 0.03f) /* a pixel and a bit */
                    for (int c = 0; c < 3; c++) {
                        int off = abs(pixel(bare, x, y)[c] - pixel(with, x, y)[c]);
                        if (off > 6)
                            fail_msg("scale %g, pixel %d, %d, %g of the radius: %d off",
                                     (double)scale, x, y, (double)(miss / BALL_RADIUS), off);
                    }
            }
        /* And at the rim nothing shows between them: all of it is opaque. */
        ball_and_slab(true, 0, 0.2f, true, scale, with);
        for (int y = HEIGHT / 2 - 14; y < HEIGHT / 2 + 14; y++)
            for (int x = WIDTH / 2 - 14; x < WIDTH / 2 + 14; x++)
                assert_in_range(pixel(with, x, y)[3], 252, 255);
        /* Thick smoke in front hides it. */
        ball_and_slab(false, 0.8f, 1, true, scale, without);
        ball_and_slab(true, 0.8f, 1, true, scale, with);
        assert_in_range(pixel(without, WIDTH / 2, HEIGHT / 2)[3], 254, 255);
        for (int c = 0; c < 3; c++)
            assert_in_range(abs(pixel(without, WIDTH / 2, HEIGHT / 2)[c] -
                                pixel(with, WIDTH / 2, HEIGHT / 2)[c]),
                            0, 2);
    }
}

static void test_solid_is_lit(void **state)
{
    (void)state;
    static uint8_t lit[BYTES], red[BYTES], shaded[BYTES];
    Smoke smoke = smoke_with_room(48, 48, 48);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    Look look = test_look();
    look.camera.azimuth = 0;
    look.sun.azimuth = 90; /* from the right */
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, lit);
    int y = HEIGHT / 2, right = WIDTH / 2 + 6, left = WIDTH / 2 - 6;
    assert_true(pixel(lit, right, y)[1] > pixel(lit, left, y)[1] + 40);
    look.solid.color[1] = look.solid.color[2] = 0.05f;
    draw(renderer, &look, &frame, red);
    assert_true(pixel(red, right, y)[0] > pixel(red, right, y)[1] + 60);
    /* Smoke between it and the sun dims it. */
    look = test_look();
    look.camera.azimuth = 0;
    look.sun.azimuth = 90;
    for (int k = 0; k < 48; k++)
        for (int j = 0; j < 48; j++)
            for (int i = 42; i < 48; i++)
                smoke.density[i + 49 * (j + 49 * k)] = 1;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, shaded);
    assert_true(pixel(shaded, right, y)[1] < pixel(lit, right, y)[1] - 30);
    smoke_destroy(&smoke);
    free(solid);
}

static void test_solids_come_and_go(void **state)
{
    (void)state;
    static uint8_t without[BYTES], with[BYTES], pixels[BYTES];
    Smoke smoke = smoke_with_room(32, 32, 32);
    for (int i = 0; i < 32; i++)
        smoke.density[i + 33 * (6 + 33 * 9)] = 1;
    Look look = test_look();
    RenderFrame frame = test_frame();
    renderer_forget(renderer);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, without);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, with);
    assert_true(largest_difference(without, with) > 20);
    /* Moved, but not said so; then said so; then gone. */
    const float aside[3] = {0.3f, 0.5f, 0.4f};
    free(solid);
    solid = smoke_solid_ball(&smoke, aside, BALL_RADIUS);
    smoke.view.solid_version--;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    assert_memory_equal(pixels, with, BYTES);
    renderer_forget(renderer);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    assert_true(largest_difference(pixels, with) > 20);
    smoke.view.solid_version++;
    free(solid);
    solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    assert_memory_equal(pixels, with, BYTES);
    smoke.view.solid = NULL;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    assert_memory_equal(pixels, without, BYTES);
    smoke_destroy(&smoke);
    free(solid);
}

static void test_repeats(void **state)
{
    (void)state;
    static uint8_t first[BYTES], second[BYTES];
    Smoke smoke = smoke_ball(32, 40, 36);
    Look look = test_look();
    RenderFrame frame = test_frame();
    frame.scale = 0.5f;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, first);
    BillowError error;
    Renderer *other = renderer_create(NULL, &error);
    assert_non_null(other);
    renderer_fine_light(other, true);
    upload(other, &smoke, &look);
    draw(other, &look, &frame, second);
    assert_memory_equal(first, second, BYTES);
    frame.frame = 1;
    draw(other, &look, &frame, second);
    assert_true(memcmp(first, second, BYTES) != 0);
    renderer_destroy(other);
    smoke_destroy(&smoke);
}

static void test_light_follows_look(void **state)
{
    (void)state;
    static uint8_t moved[BYTES], fresh[BYTES];
    Smoke smoke = smoke_ball(32, 32, 32);
    Look look = test_look();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &look);
    look.sun.azimuth = -70;
    look.smoke.extinction = 80;
    draw(renderer, &look, &frame, moved);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, fresh);
    assert_memory_equal(moved, fresh, BYTES);
    smoke_destroy(&smoke);
}

static void test_strides(void **state)
{
    (void)state;
    static uint8_t packed[BYTES], spread[BYTES];
    Smoke smoke = smoke_ball(21, 18, 25);
    Look look = test_look();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, packed);
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
        upload(renderer, &other, &look);
        draw(renderer, &look, &frame, spread);
        assert_memory_equal(packed, spread, BYTES);
        free(field);
    }
    smoke_destroy(&smoke);
}

/* Grey of a sky of so much radiance, from the picture's top row. */
static int sky_grey(float radiance)
{
    static uint8_t pixels[BYTES];
    Look look = test_look();
    look.exposure = 1;
    look.sun.intensity = 0;
    look.sky.intensity = radiance;
    for (int c = 0; c < 3; c++)
        look.sky.zenith[c] = look.sky.horizon[c] = 1;
    RenderFrame frame = test_frame();
    draw(renderer, &look, &frame, pixels);
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

/* How far the cut-out picture, laid over the background's as programs lay one image over another,
 * is off the picture before that background, in 8-bit steps. */
typedef struct Laid {
    int value, most; /* of the background's corner */
    double mean;
} Laid;

static Laid lay_over_sky(const Smoke *smoke, Look look, float radiance)
{
    static uint8_t bare[BYTES], whole[BYTES], cut[BYTES];
    Laid laid = {0, 0, 0};
    RenderFrame frame = test_frame();
    look.ground.visible = false;
    look.sky.intensity = radiance / look.exposure;
    for (int c = 0; c < 3; c++)
        look.sky.zenith[c] = look.sky.horizon[c] = 1;
    upload(renderer, smoke, &look);
    draw(renderer, &look, &frame, whole);
    frame.transparent = true;
    draw(renderer, &look, &frame, cut);
    frame.transparent = false;
    look.smoke.extinction = 0;
    draw(renderer, &look, &frame, bare);
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
        for (int tone = LOOK_TONE_ACES; tone <= LOOK_TONE_AGX; tone++) {
            Look look = test_look();
            look.picture.tone_map = (LookTone)tone;
            for (int c = 0; c < 3; c++)
                look.smoke.albedo[c] = cases[i].albedo;
            look.smoke.glow = cases[i].heat > 0;
            for (int at = 0; at < 32 * 32 * 32; at++)
                smoke.temperature[at] = cases[i].heat * fminf(smoke.density[at], 1);
            Laid laid = lay_over_sky(&smoke, look, cases[i].radiance);
            if (laid.most > cases[i].most || laid.mean > 1)
                fail_msg("over %d, albedo %g, %g K, tone map %d: %d off at most, %.2f on average",
                         laid.value, (double)cases[i].albedo, (double)cases[i].heat, tone,
                         laid.most, laid.mean);
        }
    smoke_destroy(&smoke);
}

/* Where light becomes 8 times as bright, the eye needs a while, and gets there. */
static void test_exposure_adapts(void **state)
{
    (void)state;
    static uint8_t before[BYTES], dazzled[BYTES], later[BYTES], still[BYTES];
    Look look = test_look();
    look.picture.auto_exposure = true;
    RenderFrame frame = test_frame();
    draw(renderer, &look, &frame, before);
    assert_false(renderer_adapting(renderer));
    look.sky.intensity *= 8;
    look.sun.intensity *= 8;
    for (int late = 0; late < 2; late++) {
        frame.late = late;
        frame.seconds = 0.05f;
        draw(renderer, &look, &frame, dazzled);
        assert_true(renderer_adapting(renderer));
        assert_true(largest_difference(before, dazzled) > 20);
        int frames = 0;
        for (; renderer_adapting(renderer) && frames < 200; frames++)
            draw(renderer, &look, &frame, later);
        assert_in_range(frames, 20, 100); /* of 20 a second */
        frame.seconds = 0;
        frame.late = false;
        draw(renderer, &look, &frame, still);
        assert_in_range(largest_difference(later, still), 0, 2);
        assert_in_range(largest_difference(before, still), 0, 2); /* as if nothing had happened */
        look.sky.intensity /= late ? 1 : 64;
        look.sun.intensity /= late ? 1 : 64;
    }
}

static void test_glow_is_orange(void **state)
{
    (void)state;
    static uint8_t cold[BYTES], hot[BYTES];
    Smoke smoke = smoke_ball(32, 32, 32);
    Look look = test_look();
    RenderFrame frame = test_frame();
    look.camera.target[0] = 0.45f;
    look.camera.target[1] = 0.4f;
    look.camera.target[2] = 0.55f;
    look.smoke.glow = 1;
    for (int c = 0; c < 3; c++)
        look.smoke.albedo[c] = 0.4f;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, cold);
    for (int i = 0; i < 32 * 32 * 32; i++)
        smoke.temperature[i] = 1500 - 293;
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, hot);
    const uint8_t *before = pixel(cold, WIDTH / 2, HEIGHT / 2);
    const uint8_t *after = pixel(hot, WIDTH / 2, HEIGHT / 2);
    assert_true(after[0] > before[0] + 40);
    assert_true(after[0] > after[1] + 40 && after[1] > after[2] + 10);
    look.smoke.glow = 0;
    draw(renderer, &look, &frame, hot);
    assert_memory_equal(hot, cold, BYTES);
    smoke_destroy(&smoke);
}

static void test_broken_shader(void **state)
{
    (void)state;
    static uint8_t before[BYTES], after[BYTES];
    char folder[64], place[128];
    folder_create(folder);
    BillowError error = {""};
    Look look = test_look();
    RenderFrame frame = test_frame();
    Renderer *live = renderer_create(folder, &error);
    if (live == NULL)
        fail_msg("%s", error.text);
    draw(live, &look, &frame, before);
    bool changed = true;
    assert_true(renderer_poll_shaders(live, &changed, &error));
    assert_false(changed);

    /* An error in a file that another includes is reported under its own name and line. */
    int line = folder_edit(folder, "box.glsl", "vec3 tiny = vec3(1e-7);", "vec3 tiny = nonsense;");
    assert_false(renderer_poll_shaders(live, &changed, &error));
    snprintf(place, sizeof place, "%s/box.glsl:%d: ", folder, line);
    if (strncmp(error.text, place, strlen(place)) != 0 || strstr(error.text, "nonsense") == NULL)
        fail_msg("expected %s..., got: %s", place, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_true(renderer_poll_shaders(live, &changed, &error)); /* said once */
    draw(live, &look, &frame, after);
    assert_memory_equal(before, after, BYTES);
    assert_null(renderer_create(folder, &error));

    folder_edit(folder, "box.glsl", "vec3(1e-7)", "vec3(2e-7)");
    line = folder_edit(folder, "raymarch.frag", "float jitter =", "flaot jitter =");
    assert_false(renderer_poll_shaders(live, &changed, &error));
    snprintf(place, sizeof place, "%s/raymarch.frag:%d: ", folder, line);
    if (strncmp(error.text, place, strlen(place)) != 0)
        fail_msg("expected %s..., got: %s", place, error.text);

    folder_edit(folder, "raymarch.frag", "const float BRICK = 8.0", "const float BRICK = 8.00");
    if (!renderer_poll_shaders(live, &changed, &error))
        fail_msg("%s", error.text);
    assert_true(changed);
    renderer_destroy(live);
    folder_destroy(folder);

    assert_null(renderer_create("/nonexistent", &error));
    assert_string_equal(error.text, "/nonexistent: there is no such folder of shaders");
}

/* Adds to a file of the folder, as it is in the program, and returns the line of what is added. */
static int folder_append(const char *folder, const EmbeddedFile *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "%s%s", file->text, text);
    assert_int_equal(fclose(stream), 0);
    int line = 1;
    for (const char *c = file->text; *c != 0; c++)
        line += *c == '\n';
    return line;
}

static void expect_refusal(const char *folder, const char *begin)
{
    BillowError error = {""};
    assert_null(renderer_create(folder, &error));
    if (strncmp(error.text, begin, strlen(begin)) != 0 || strchr(error.text, '\n') != NULL)
        fail_msg("expected %s..., got: %s", begin, error.text);
}

/* Whichever file it is, and whatever needs it. */
static void test_every_broken_shader_is_named(void **state)
{
    (void)state;
    char folder[64], path[160], place[256];
    BillowError error = {""};
    folder_create(folder);
    const EmbeddedFile *file = embedded_shaders;
    for (int i = 0; file->name != NULL; file++, i++) {
#ifdef BILLOW_SANITIZED
        if (i % 5 != 0) /* each takes a second without, and many with sanitizers */
            continue;
#endif
        int line = folder_append(folder, file, "float broken = nonsense;\n");
        snprintf(place, sizeof place, "%s/%s:%d: ", folder, file->name, line);
        expect_refusal(folder, place);
        folder_append(folder, file, "");
    }
    file = embedded_shaders;
    while (strcmp(file->name, "frame.glsl") != 0)
        file++;
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    assert_int_equal(unlink(path), 0);
    snprintf(place, sizeof place, "%s: the shader cannot be read: ", path);
    expect_refusal(folder, place);
    assert_int_equal(mkdir(path, 0700), 0); /* there, and no file */
    expect_refusal(folder, place);
    assert_int_equal(rmdir(path), 0);
    folder_append(folder, file, "");
    /* A file that includes itself, or another that includes it, is in place once. */
    for (file = embedded_shaders; file->name != NULL; file++)
        if (strcmp(file->name, "box.glsl") == 0)
            folder_append(folder, file, "#include \"box.glsl\"\n#include \"phase.glsl\"\n");
        else if (strcmp(file->name, "phase.glsl") == 0)
            folder_append(folder, file, "#include \"box.glsl\"\n");
    Renderer *good = renderer_create(folder, &error);
    if (good == NULL)
        fail_msg("%s", error.text);
    renderer_destroy(good);
    folder_destroy(folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(place, sizeof place, "%s/", folder);
    expect_refusal(folder, place);
    assert_int_equal(rmdir(folder), 0);
}

/* All that debuggers list has a name. */
static void check_labels(GLboolean (*exists)(GLuint), GLenum kind, const char *what)
{
    int count = 0;
    for (GLuint name = 1; name < 500; name++) {
        char label[64] = "";
        if (!exists(name))
            continue;
        glGetObjectLabel(kind, name, sizeof label, NULL, label);
        if (label[0] == 0)
            fail_msg("%s %u has no label", what, name);
        count++;
    }
    assert_true(count > 0);
}

static void test_objects_have_labels(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    static float values[32 * 32];
    if (epoxy_gl_version() < 43 && !epoxy_has_gl_extension("GL_KHR_debug"))
        return;
    Smoke smoke = smoke_ball(24, 24, 24);
    Look look = test_look();
    RenderFrame frame = test_frame();
    FieldSlice slice = {.kind = FIELD_DENSITY, .axis = 2, .position = 0.5f, .values = values};
    field_slice_fill(&slice, &smoke.view);
    frame.slice.field = &slice;
    frame.outline = frame.linear = true;
    renderer_timed(renderer, true);
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, pixels);
    renderer_timed(renderer, false);
    check_labels(glIsTexture, GL_TEXTURE, "texture");
    check_labels(glIsFramebuffer, GL_FRAMEBUFFER, "framebuffer");
    check_labels(glIsBuffer, GL_BUFFER, "buffer");
    check_labels(glIsProgram, GL_PROGRAM, "program");
    check_labels(glIsVertexArray, GL_VERTEX_ARRAY, "vertex array");
    smoke_destroy(&smoke);
}

/* Beyond what the driver's volumes hold: the same smoke, coarser, and no more and no less of it. */
static void check_coarse(Smoke *smoke, const Look *look, const RenderFrame *frame, int most)
{
    static uint8_t whole[BYTES], coarse[BYTES];
    BillowError error = {""};
    upload(renderer, smoke, look);
    assert_int_equal(renderer_coarsened(renderer), 1);
    draw(renderer, look, frame, whole);
    Renderer *small = renderer_create(NULL, &error);
    assert_non_null(small);
    renderer_fine_light(small, true);
    renderer_limit_volumes(small, most);
    upload(small, smoke, look);
    assert_int_equal(renderer_coarsened(small), 2);
    draw(small, look, frame, coarse);
    double before = 0, after = 0, apart = 0;
    for (int i = 0; i < BYTES; i++) {
        /* Colours count as far as they are opaque. */
        int a = whole[i] * whole[i | 3], b = coarse[i] * coarse[i | 3];
        before += a / 255.0;
        after += b / 255.0;
        apart += abs(a - b) / 255.0;
    }
    assert_true(apart > 0);
    if (apart > 2.0 * BYTES || fabs(after - before) > 0.04 * before)
        fail_msg("%g of %g, on average apart by %g", after, before, apart / BYTES);
    renderer_destroy(small);
}

static void test_oversize_grid(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(43, 30, 37);
    Look look = test_look();
    RenderFrame frame = test_frame();
    assert_true(renderer_limits(renderer).texture_3d_max >= 256);
    look.smoke.extinction = 3; /* so little that what shows is how much there is */
    check_coarse(&smoke, &look, &frame, 22);
    frame.transparent = true;
    check_coarse(&smoke, &look, &frame, 42);
    smoke_destroy(&smoke);

    /* Solids stand at the cells' corners, of which there is one more. */
    frame.transparent = false;
    smoke = smoke_with_room(32, 32, 32);
    for (int i = 0; i < 32; i++)
        smoke.density[i + 33 * (6 + 33 * 9)] = 1;
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    check_coarse(&smoke, &look, &frame, 32);
    free(solid);
    smoke_destroy(&smoke);

    BillowError error = {""};
    frame.width = 1000000;
    assert_false(renderer_draw(renderer, &look, &frame, &error));
    assert_non_null(strstr(error.text, "1000000"));
}

/* Larger than any GL's memory: said with its size, and what is there goes on. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    static uint8_t before[BYTES], after[BYTES];
    float value = 0;
    Volume volume = {0};
    VolumeData data = {.n = {2048, 2048, 2048},
                       .channels = 4,
                       .stride_y = 4 * 2048,
                       .stride_z = (ptrdiff_t)4 * 2048 * 2048,
                       .values = &value,
                       .half = true};
    Smoke smoke = smoke_ball(20, 20, 20);
    Look look = test_look();
    RenderFrame frame = test_frame();
    BillowError error = {""};
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, before);
    assert_false(volume_upload(&volume, &data, "test", &error));
    assert_true(gl_check_ran_short(&error));
    assert_non_null(strstr(error.text, "test, 2048x2048x2048 values (68.7 GB)"));
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(volume.texture, 0);
    draw(renderer, &look, &frame, after);
    assert_memory_equal(before, after, BYTES);
    upload(renderer, &smoke, &look);
    smoke_destroy(&smoke);
}

static void test_center_ray(void **state)
{
    (void)state;
    Look look = test_look();
    static const float elevations[] = {-90, -20, 0, 35, 90};
    for (int i = 0; i < 5; i++) {
        look.camera.elevation = elevations[i];
        look.camera.azimuth = 40 * (float)i;
        float o[3], d[3];
        camera_ray(&look.camera, 640, 360, 320, 180, o, d);
        for (int a = 0; a < 3; a++)
            assert_true(fabsf(o[a] + d[a] * look.camera.distance - look.camera.target[a]) < 1e-5f);
    }
    /* From the front one looks along -z; right and up are where they should be. */
    look.camera.azimuth = look.camera.elevation = 0;
    float o[3], d[3];
    camera_ray(&look.camera, 640, 360, 640, 0, o, d);
    assert_true(d[0] > 0.1f && d[1] > 0.1f && d[2] < -0.5f);
    assert_true(fabsf(d[1] / d[2] + tanf(17.5f * 3.14159265f / 180)) < 1e-5f);
    look.camera.azimuth = 90;
    camera_ray(&look.camera, 640, 360, 320, 180, o, d);
    assert_true(d[0] < -0.999f);
}

static void test_odd_cameras(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    static const float cameras[][3] = {{0.1f, 25, 10}, {0.001f, 0, 0}, {3, 0, 90},
                                       {3, 0, -90},    {2, 10, -30},   {500, 45, 5}};
    Smoke smoke = smoke_ball(17, 9, 12);
    Look look = test_look();
    RenderFrame frame = test_frame();
    frame.outline = frame.cursor = true;
    frame.cursor_radius = 0.1f;
    upload(renderer, &smoke, &look);
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        look.camera.distance = cameras[i][0];
        look.camera.azimuth = cameras[i][1];
        look.camera.elevation = cameras[i][2];
        draw(renderer, &look, &frame, pixels);
        int brightest = 0;
        for (int p = 0; p < BYTES; p += 4)
            brightest = pixels[p] > brightest ? pixels[p] : brightest;
        assert_true(brightest > 20);
    }
    smoke_destroy(&smoke);
}

static void test_overlays(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], drawn[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    Look look = test_look();
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, plain);
    frame.outline = true;
    draw(renderer, &look, &frame, drawn);
    assert_true(largest_difference(plain, drawn) > 20);
    frame.outline = false;
    frame.cursor = true;
    for (int a = 0; a < 3; a++)
        frame.cursor_center[a] = look.camera.target[a];
    frame.cursor_radius = 0.2f;
    draw(renderer, &look, &frame, drawn);
    assert_memory_equal(pixel(plain, WIDTH / 2, HEIGHT / 2), pixel(drawn, WIDTH / 2, HEIGHT / 2),
                        4);
    /* The ring's lowest point lies 0.2 below the centre: 0.2 / (2.4 tan 17.5) of half the height.
     */
    int y = (int)(HEIGHT / 2 * (1 + 0.2 / (2.4 * 0.31530)));
    assert_true(pixel(drawn, WIDTH / 2, y)[0] > pixel(plain, WIDTH / 2, y)[0] + 10);
    smoke_destroy(&smoke);
}

/* While the camera turns, sky and ground are coarser, but where they were. */
static void test_turning(void **state)
{
    (void)state;
    static uint8_t still[BYTES], turning[BYTES];
    Smoke smoke = smoke_create(16, 16, 16);
    Look look = test_look();
    RenderFrame frame = test_frame();
    look.camera.elevation = 5; /* the horizon is in the picture */
    upload(renderer, &smoke, &look);
    draw(renderer, &look, &frame, still);
    frame.turning = true;
    draw(renderer, &look, &frame, turning);
    double sum = 0;
    for (int i = 0; i < BYTES; i++)
        sum += abs(still[i] - turning[i]);
    assert_true(sum > 0);
    assert_true(sum / BYTES < 1);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_is_background),
        cmocka_unit_test(test_beer_lambert),
        cmocka_unit_test(test_two_slabs_multiply),
        cmocka_unit_test(test_skipping_changes_nothing),
        cmocka_unit_test(test_shadow_on_ground),
        cmocka_unit_test(test_solid_where_it_should_be),
        cmocka_unit_test(test_smoke_and_solid_in_order),
        cmocka_unit_test(test_solid_is_lit),
        cmocka_unit_test(test_solids_come_and_go),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_light_follows_look),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_tone_map),
        cmocka_unit_test(test_cut_out_fits_any_background),
        cmocka_unit_test(test_exposure_adapts),
        cmocka_unit_test(test_glow_is_orange),
        cmocka_unit_test(test_broken_shader),
        cmocka_unit_test(test_every_broken_shader_is_named),
        cmocka_unit_test(test_objects_have_labels),
        cmocka_unit_test(test_oversize_grid),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_center_ray),
        cmocka_unit_test(test_odd_cameras),
        cmocka_unit_test(test_overlays),
        cmocka_unit_test(test_turning),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
