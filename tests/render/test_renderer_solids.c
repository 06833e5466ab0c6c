/* SPDX-License-Identifier: MIT
 * Shadows and solids through the real GL, in front of smoke, in it and behind. */
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
#include "render/renderer_state.h"
#include "renderer_fixture.h"

static void test_shadow_on_ground(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES], background[BYTES];
    Smoke smoke = smoke_ball(48, 48, 48), none = smoke_create(48, 48, 48);
    RenderSettings settings = test_settings();
    settings.camera.elevation = 80;
    settings.camera.azimuth = 0;
    settings.camera.distance = 4;
    settings.sun.azimuth = 90; /* from the right: the shadow falls to the left */
    settings.sun.elevation = 30;
    settings.smoke.extinction = 60;
    RenderFrame frame = test_frame();
    upload(renderer, &none, &settings);
    draw(renderer, &settings, &frame, background);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    /* The shadow's middle lies 0.4 / tan 30 left of the ball; find the pixel nearest to it. */
    float wanted[3] = {0.45f - 0.693f, 0, 0.55f}, best = 1e9f;
    int at_x = 0, at_y = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float o[3], d[3];
            camera_ray(&settings.camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, o, d);
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
static float ball_miss(const RenderSettings *settings, int x, int y, float *along)
{
    float origin[3], direction[3], square = 0;
    camera_ray(&settings->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin,
               direction);
    *along = 0;
    for (int a = 0; a < 3; a++)
        *along += (ball_center[a] - origin[a]) * direction[a];
    for (int a = 0; a < 3; a++) {
        float off = origin[a] + *along * direction[a] - ball_center[a];
        square += off * off;
    }
    return sqrtf(square);
}

/* The picture of the ground with the ball is divided by that without it. The quotient is 0 in the
 * ball's shadow, 1 elsewhere, and between them at the soft rim. */
static void test_shadow_of_a_solid(void **state)
{
    (void)state;
    static float bare[4 * WIDTH * HEIGHT], shaded[4 * WIDTH * HEIGHT];
    const float soft = 0.06f;
    Smoke smoke = smoke_with_room(64, 64, 64);
    RenderSettings settings = test_settings();
    settings.camera = (RenderCamera){{0.2f, 0, 0.5f}, 3, 0, 70, 35};
    settings.sky.intensity = 0;
    settings.sun.azimuth = 70;
    settings.sun.elevation = 45;
    float sun[3], dark = 0, due = 0;
    render_direction(settings.sun.azimuth, settings.sun.elevation, sun);
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, test_frame(), bare);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, test_frame(), shaded);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        float o[3], d[3], along = 0, square = 0, aside;
        camera_ray(&settings.camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, o, d);
        if (d[1] >= 0 || ball_miss(&settings, x, y, &aside) < BALL_RADIUS + 0.04f)
            continue;
        for (int a = 0; a < 3; a++) {
            float off = ball_center[a] - (o[a] - o[1] / d[1] * d[a]);
            along += off * sun[a];
            square += off * off;
        }
        float beside = sqrtf(square - along * along) - BALL_RADIUS;
        float lit = shaded[4 * i + 1] / bare[4 * i + 1];
        if (!(beside < -soft ? lit < 0.02f : beside > soft ? lit > 0.98f : lit < 1.001f))
            fail_msg("pixel %d, %d, %g m beside the shadow: %g", x, y, (double)beside, (double)lit);
        dark += 1 - lit;
        due += beside < 0 ? 1 : 0;
    }
    if (!(due > 50 && fabsf(dark / due - 1) < 0.1f))
        fail_msg("%g pixels are dark, not %g", (double)dark, (double)due);
    smoke_destroy(&smoke);
    free(solid);
}

static void check_silhouette(const RenderSettings *settings, float scale)
{
    static float pixels[BYTES];
    RenderFrame frame = test_frame();
    frame.transparent = true;
    frame.scale = scale;
    draw_linear(renderer, settings, frame, pixels);
    float pixel_angle = 2 * tanf(0.5f * settings->camera.fov * 0.0174533f) / HEIGHT, area = 0;
    int whole = 0, partly = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float along, miss = ball_miss(settings, x, y, &along);
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
    RenderSettings settings = test_settings();
    for (int s = 0; s < 3; s++) {
        Smoke smoke = smoke_with_room(sizes[s][0], sizes[s][1], sizes[s][2]);
        float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
        renderer_forget(renderer);
        upload(renderer, &smoke, &settings);
        for (int view = 0; view < 4; view++) {
            settings.camera.azimuth = 25 + 77 * (float)view;
            settings.camera.distance = 1.2f + 0.4f * (float)view;
            check_silhouette(&settings, view % 2 == 0 ? 1 : 0.5f);
        }
        smoke_destroy(&smoke);
        free(solid);
    }
}

/* The distances of solids belong to cells of the wind, which are larger than those of the smoke. */
static void test_solid_in_finer_smoke(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    for (int refine = 2; refine <= 3; refine++) {
        Smoke wind = smoke_with_room(26, 24, 30);
        Smoke smoke = smoke_with_room(26 * refine, 24 * refine, 30 * refine);
        float *solid = smoke_solid_ball(&wind, ball_center, BALL_RADIUS);
        smoke.view.solid = solid;
        smoke.view.solid_version = (uint64_t)refine;
        smoke.view.refine = refine;
        smoke.view.wind_stride_y = wind.view.stride_y;
        smoke.view.wind_stride_z = wind.view.stride_z;
        renderer_forget(renderer);
        upload(renderer, &smoke, &settings);
        for (int view = 0; view < 4; view++) {
            settings.camera.azimuth = 25 + 77 * (float)view;
            settings.camera.distance = 1.2f + 0.4f * (float)view;
            check_silhouette(&settings, view % 2 == 0 ? 1 : 0.5f);
        }
        smoke_destroy(&smoke);
        smoke_destroy(&wind);
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
    RenderSettings settings = test_settings();
    settings.camera.azimuth = settings.camera.elevation = 0;
    settings.sun.azimuth = 0;
    settings.smoke.extinction = 80;
    RenderFrame frame = test_frame();
    frame.transparent = transparent;
    frame.scale = scale;
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
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
        RenderSettings settings = test_settings();
        settings.camera.azimuth = settings.camera.elevation = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                float along, miss = ball_miss(&settings, x, y, &along);
                if (miss < BALL_RADIUS - 0.03f) /* a pixel and a bit */
                    for (int c = 0; c < 3; c++) {
                        int off = abs(pixel(bare, x, y)[c] - pixel(with, x, y)[c]);
                        if (off > 6)
                            fail_msg("scale %g, pixel %d, %d, %g of the radius: %d off",
                                     (double)scale, x, y, (double)(miss / BALL_RADIUS), off);
                    }
            }
        /* Nothing shows between them at the rim: all of it is opaque. */
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
    RenderSettings settings = test_settings();
    settings.camera.azimuth = 0;
    settings.sun.azimuth = 90; /* from the right */
    RenderFrame frame = test_frame();
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, lit);
    int y = HEIGHT / 2, right = WIDTH / 2 + 6, left = WIDTH / 2 - 6;
    assert_true(pixel(lit, right, y)[1] > pixel(lit, left, y)[1] + 40);
    settings.solid.color[1] = settings.solid.color[2] = 0.05f;
    draw(renderer, &settings, &frame, red);
    assert_true(pixel(red, right, y)[0] > pixel(red, right, y)[1] + 60);
    /* Smoke between it and the sun dims it. */
    settings = test_settings();
    settings.camera.azimuth = 0;
    settings.sun.azimuth = 90;
    for (int k = 0; k < 48; k++)
        for (int j = 0; j < 48; j++)
            for (int i = 42; i < 48; i++)
                smoke.density[i + 49 * (j + 49 * k)] = 1;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, shaded);
    assert_true(pixel(shaded, right, y)[1] < pixel(lit, right, y)[1] - 30);
    smoke_destroy(&smoke);
    free(solid);
}

/* Point at which a pixel's ray meets the ball, and the normal there. Returns false at its rim,
 * where the grid's distances are coarse, and beside it. */
static bool ball_point(const RenderSettings *settings, int x, int y, float point[3],
                       float normal[3])
{
    float origin[3], direction[3], along;
    float miss = ball_miss(settings, x, y, &along);
    if (miss > 0.8f * BALL_RADIUS)
        return false;
    camera_ray(&settings->camera, WIDTH, HEIGHT, (float)x + 0.5f, (float)y + 0.5f, origin,
               direction);
    along -= sqrtf(BALL_RADIUS * BALL_RADIUS - miss * miss);
    for (int a = 0; a < 3; a++) {
        point[a] = origin[a] + along * direction[a];
        normal[a] = (point[a] - ball_center[a]) / BALL_RADIUS;
    }
    return true;
}

/* Irradiance of the ball by the sun or the lamp, of which one shines. */
static float ball_irradiance(const RenderSettings *settings, const float point[3],
                             const float normal[3])
{
    float to[3], square = 1, facing = 0, light = settings->sun.intensity;
    render_direction(settings->sun.azimuth, settings->sun.elevation, to);
    if (settings->lamp_count > 0) {
        square = 0;
        light = settings->lamps[0].intensity;
        for (int a = 0; a < 3; a++) {
            to[a] = settings->lamps[0].position[a] - point[a];
            square += to[a] * to[a];
        }
    }
    for (int a = 0; a < 3; a++)
        facing += to[a] * normal[a] / sqrtf(square);
    return facing > 0.25f ? light * facing / square : -1;
}

/* A matt surface of albedo a sends back the radiance a E / pi of the irradiance E, which is that of
 * the sun times the cosine, or I cos / r^2 of a lamp. */
static void test_solid_reflects_what_it_receives(void **state)
{
    (void)state;
    static float seen[4 * WIDTH * HEIGHT];
    Smoke smoke = smoke_with_room(64, 64, 64);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    RenderSettings settings = test_settings();
    settings.camera.distance = 1.3f;
    settings.sky.intensity = 0;
    settings.ground.visible = false;
    settings.sun.azimuth = 50;
    memcpy(settings.sun.color, (const float[]){1, 0.5f, 0.25f}, sizeof settings.sun.color);
    memcpy(settings.solid.color, (const float[]){0.8f, 0.3f, 0.6f}, sizeof settings.solid.color);
    for (int lamp = 0; lamp < 2; lamp++) {
        if (lamp) {
            settings.sun.intensity = 0;
            settings.lamp_count = 1;
            settings.lamps[0] = render_default_lamp();
            settings.lamps[0].intensity = 40;
            memcpy(settings.lamps[0].position, (const float[]){2.3f, 2.0f, 3.5f},
                   sizeof settings.lamps[0].position);
            memcpy(settings.lamps[0].color, settings.sun.color, sizeof settings.sun.color);
        }
        renderer_forget(renderer);
        upload(renderer, &smoke, &settings);
        draw_linear(renderer, &settings, test_frame(), seen);
        double sum[3] = {0}, due[3] = {0};
        int count = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                float point[3], normal[3], received = -1;
                if (ball_point(&settings, x, y, point, normal))
                    received = ball_irradiance(&settings, point, normal);
                for (int c = 0; c < 3 && received >= 0; c++) {
                    sum[c] += (double)seen[4 * (y * WIDTH + x) + c];
                    due[c] += (double)(received * settings.sun.color[c] * settings.solid.color[c]) /
                              3.14159265;
                }
                count += received >= 0;
            }
        assert_true(count > 200);
        for (int c = 0; c < 3; c++)
            if (!(fabs(sum[c] / due[c] - 1) < 0.015))
                fail_msg("%s, colour %d: %g of %g", lamp ? "lamp" : "sun", c, sum[c], due[c]);
    }
    smoke_destroy(&smoke);
    free(solid);
}

/* The disc of an area lamp and the ball of a point lamp have the radiance I / (pi R^2) and cover as
 * many pixels as their size and distance say. */
static void test_lamps_shine_as_large_as_they_are(void **state)
{
    (void)state;
    static float with[4 * WIDTH * HEIGHT], without[4 * WIDTH * HEIGHT];
    Smoke smoke = smoke_with_room(32, 32, 32);
    RenderSettings settings = test_settings();
    settings.camera.azimuth = settings.camera.elevation = 0;
    settings.sky.intensity = settings.sun.intensity = 0;
    settings.ground.visible = false;
    for (int kind = 0; kind < 2; kind++)
        for (int size = 0; size < 2; size++) {
            RenderLamp lamp = render_default_lamp();
            lamp.kind = kind == 0 ? RENDER_LAMP_POINT : RENDER_LAMP_AREA;
            lamp.radius = size == 0 ? 0.1f : 0.2f;
            lamp.intensity = 0.5f;
            memcpy(lamp.position, settings.camera.target, sizeof lamp.position);
            memcpy(lamp.direction, (const float[]){0, 0, 1}, sizeof lamp.direction);
            memcpy(lamp.color, (const float[]){1, 0.5f, 0.25f}, sizeof lamp.color);
            settings.lamps[0] = lamp;
            settings.lamp_count = 0;
            renderer_forget(renderer);
            upload(renderer, &smoke, &settings);
            draw_linear(renderer, &settings, test_frame(), without);
            settings.lamp_count = 1;
            upload(renderer, &smoke, &settings);
            draw_linear(renderer, &settings, test_frame(), with);
            float pixel_width = settings.camera.distance * 2 *
                                tanf(0.5f * settings.camera.fov * 0.0174533f) / HEIGHT;
            float area = 3.14159265f * lamp.radius * lamp.radius, pixels = 0;
            for (int c = 0; c < 3; c++) {
                float due = lamp.intensity * lamp.color[c] / area;
                size_t middle = 4 * (size_t)(HEIGHT / 2 * WIDTH + WIDTH / 2) + (size_t)c;
                if (!(fabsf(with[middle] - without[middle] - due) < 0.01f * due))
                    fail_msg("kind %d, radius %g, colour %d: %g, not %g", kind, (double)lamp.radius,
                             c, (double)(with[middle] - without[middle]), (double)due);
            }
            for (int p = 0; p < WIDTH * HEIGHT; p++)
                pixels += (with[4 * p] - without[4 * p]) / (lamp.intensity / area);
            float covered = pixels * pixel_width * pixel_width / area;
            if (!(fabsf(covered - 1) < 0.03f))
                fail_msg("kind %d, radius %g covers %g of its area", kind, (double)lamp.radius,
                         (double)covered);
        }
    smoke_destroy(&smoke);
}

static void test_solids_come_and_go(void **state)
{
    (void)state;
    static uint8_t without[BYTES], with[BYTES], pixels[BYTES];
    Smoke smoke = smoke_with_room(32, 32, 32);
    for (int i = 0; i < 32; i++)
        smoke.density[i + 33 * (6 + 33 * 9)] = 1;
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, without);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, with);
    assert_true(largest_difference(without, with) > 20);
    /* Moved, but not said so; then said so; then gone. */
    const float aside[3] = {0.3f, 0.5f, 0.4f};
    free(solid);
    solid = smoke_solid_ball(&smoke, aside, BALL_RADIUS);
    smoke.view.solid_version--;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    assert_memory_equal(pixels, with, BYTES);
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    assert_true(largest_difference(pixels, with) > 20);
    smoke.view.solid_version++;
    free(solid);
    solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    assert_memory_equal(pixels, with, BYTES);
    smoke.view.solid = NULL;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    assert_memory_equal(pixels, without, BYTES);
    smoke_destroy(&smoke);
    free(solid);
}

/* Rays look for solids only in the pixels that the solids' box can cover: the picture is the same
 * if that box is the whole volume, in full and in coarse pictures. */
static void test_solids_are_looked_for_where_they_are(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES], whole[BYTES];
    Smoke smoke = smoke_with_room(48, 48, 48);
    for (int k = 0; k < 48; k++) /* thin smoke around the ball and beside it */
        for (int j = 0; j < 48; j++)
            for (int i = 0; i < 48; i++)
                smoke.density[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    0.05f * (float)(i / 8 % 2 + k / 8 % 2);
    float *solid = smoke_solid_ball(&smoke, ball_center, BALL_RADIUS);
    RenderSettings settings = test_settings();
    for (int azimuth = 0; azimuth < 360; azimuth += 60)
        for (int coarse = 0; coarse < 3; coarse++) {
            FrameVolume *volume = &renderer->volume;
            RenderFrame frame = test_frame();
            frame.scale = 1.0f / (float)(1 << coarse);
            settings.camera.azimuth = (float)azimuth;
            settings.camera.elevation = coarse == 1 ? 60 : 5;
            renderer_forget(renderer);
            upload(renderer, &smoke, &settings);
            draw(renderer, &settings, &frame, pixels);
            for (int a = 0; a < 3; a++) {
                assert_true(volume->solid_low[a] > 0 && volume->solid_high[a] < 48);
                volume->solid_low[a] = 0;
                volume->solid_high[a] = 48;
            }
            draw(renderer, &settings, &frame, whole);
            int most = 0;
            double sum = 0;
            for (int i = 0; i < BYTES; i++) {
                const int differs = abs(pixels[i] - whole[i]);
                most = differs > most ? differs : most;
                sum += differs;
            }
            if (most > 16 || sum > 0.12 * BYTES) /* rays take other steps towards the surface */
                fail_msg("azimuth %d, 1/%d: %d, %g in the mean", azimuth, 1 << coarse, most,
                         sum / BYTES);
        }
    free(solid);
    smoke_destroy(&smoke);
}

/* Boxes around a hole and the hole cover each pixel once. */
static void test_boxes_around_a_hole(void **state)
{
    (void)state;
    enum { EDGE = 5 };
    const PixelBox whole = {{1, 0}, {EDGE, EDGE}};
    for (int corners = 0; corners < 1296; corners++) {
        int count[EDGE][EDGE] = {{0}}, at = corners;
        PixelBox hole, parts[5];
        for (int c = 0; c < 4; c++, at /= 6)
            (c < 2 ? hole.from : hole.to)[c % 2] = at % 6;
        hole = pixel_box_inside(&hole, &whole);
        const int around = pixel_box_around(&whole, &hole, parts);
        parts[around] = hole;
        for (int part = 0; part <= around; part++)
            for (int y = parts[part].from[1]; y < parts[part].to[1]; y++)
                for (int x = parts[part].from[0]; x < parts[part].to[0]; x++)
                    count[y][x]++;
        for (int y = 0; y < EDGE; y++)
            for (int x = 0; x < EDGE; x++)
                assert_int_equal(count[y][x], x > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow_on_ground),
        cmocka_unit_test(test_shadow_of_a_solid),
        cmocka_unit_test(test_solid_where_it_should_be),
        cmocka_unit_test(test_solid_in_finer_smoke),
        cmocka_unit_test(test_smoke_and_solid_in_order),
        cmocka_unit_test(test_solid_is_lit),
        cmocka_unit_test(test_solid_reflects_what_it_receives),
        cmocka_unit_test(test_lamps_shine_as_large_as_they_are),
        cmocka_unit_test(test_solids_come_and_go),
        cmocka_unit_test(test_solids_are_looked_for_where_they_are),
        cmocka_unit_test(test_boxes_around_a_hole),
    };
    return cmocka_run_group_tests_name("renderer, solids", tests, open_renderer, close_renderer);
}
