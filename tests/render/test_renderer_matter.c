/* SPDX-License-Identifier: MIT
 * Everything drawn besides plain smoke: colours, flames and tracers.
 * */
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
#include "render/gl/shader.h"
#include "render/light/blackbody.h"
#include "render/light/light_noise.h"
#include "render/renderer_state.h"
#include "renderer_fixture.h"
#include "sanitized.h"

#define EDGE  32
#define CELLS (EDGE * EDGE * EDGE)

/* Looks along -z, with the sun behind. */
static RenderSettings front_settings(void)
{
    RenderSettings settings = test_settings();
    settings.camera.azimuth = 0;
    settings.camera.elevation = 0;
    settings.camera.target[1] = 0.5f;
    settings.sun.azimuth = 0;
    settings.sun.color[1] = settings.sun.color[2] = 1;
    for (int c = 0; c < 3; c++) {
        settings.sky.zenith[c] = settings.sky.horizon[c] = 0.5f;
        settings.ground.color[c] = 0.2f;
    }
    return settings;
}

/* Colours of a view whose smoke is the mix shares[0] of red and shares[1] of blue at each x. */
typedef struct Colors {
    float *of[3];
} Colors;

static Colors color_smoke(Smoke *smoke, float (*red)(float x), float (*blue)(float x))
{
    Colors colors;
    for (int c = 0; c < 3; c++) {
        colors.of[c] = calloc(CELLS, sizeof(float));
        assert_non_null(colors.of[c]);
        smoke->view.color[c] = colors.of[c];
    }
    for (int at = 0; at < CELLS; at++) {
        float x = ((float)(at % EDGE) + 0.5f) / EDGE;
        float r = red(x) * smoke->density[at], b = blue(x) * smoke->density[at];
        colors.of[0][at] = r + 0.05f * b;
        colors.of[1][at] = 0.05f * (r + b);
        colors.of[2][at] = b + 0.05f * r;
    }
    return colors;
}

static void colors_destroy(Colors *colors)
{
    for (int c = 0; c < 3; c++)
        free(colors->of[c]);
}

static float on_the_left(float x)
{
    return x < 0.35f ? 1 : x > 0.65f ? 0 : 0.5f;
}

static float on_the_right(float x)
{
    return 1 - on_the_left(x);
}

static float one(float x)
{
    (void)x;
    return 1;
}

static float none(float x)
{
    (void)x;
    return 0;
}

/* Pixel at this share of the unit cube's width, half way up, seen from the front. */
static const uint8_t *across(const uint8_t *pixels, float x)
{
    return pixel(pixels, (int)(WIDTH / 2 + (x - 0.5f) * 40), HEIGHT / 2);
}

static void fill_middle(Smoke *smoke, float density)
{
    for (int at = 0; at < CELLS; at++) {
        int k = at / (EDGE * EDGE);
        smoke->density[at] = k >= 8 && k < 24 ? density : 0;
    }
}

static void test_colors_where_they_are(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int thick = 0; thick < 2; thick++) {
        fill_middle(&smoke, thick ? 1 : 0.15f);
        Colors colors = color_smoke(&smoke, on_the_left, on_the_right);
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, pixels);
        const uint8_t *left = across(pixels, 0.2f), *right = across(pixels, 0.8f);
        const uint8_t *middle = across(pixels, 0.5f);
        assert_true(left[0] > left[2] + 60 && left[0] > left[1] + 60);
        assert_true(right[2] > right[0] + 60 && right[2] > right[1] + 60);
        assert_in_range(abs(middle[0] - middle[2]), 0, 6);
        assert_true(middle[0] > middle[1] + 30);
        assert_true(middle[0] < left[0] && middle[2] < right[2]);
        colors_destroy(&colors);
    }
    smoke_destroy(&smoke);
}

/* The linear picture's radiance times opacity, and the opacity, as bytes. */
static void draw_light(const RenderSettings *settings, const RenderFrame *frame, uint8_t *bytes)
{
    static float pixels[BYTES];
    draw_linear(renderer, settings, *frame, pixels);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)lroundf(255 * fminf(pixels[i], 1));
}

/* Smoke that is white all over, by its colours, is smoke without any; colour does not change how
 * much light gets through; and what was coloured before leaves nothing behind. */
static void test_white_is_no_color(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], white[BYTES], red[BYTES], again[BYTES];
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    frame.transparent = true;
    Smoke smoke = smoke_ball(EDGE, EDGE, EDGE);
    upload(renderer, &smoke, &settings);
    draw_light(&settings, &frame, plain);
    Colors colors = color_smoke(&smoke, one, none);
    upload(renderer, &smoke, &settings);
    draw_light(&settings, &frame, red);
    for (int c = 0; c < 3; c++)
        memcpy(colors.of[c], smoke.density, CELLS * sizeof(float));
    upload(renderer, &smoke, &settings);
    draw_light(&settings, &frame, white);
    assert_in_range(largest_difference(plain, white), 0, 1);
    assert_true(largest_difference(plain, red) > 40);
    for (int i = 3; i < BYTES; i += 4)
        assert_int_equal(red[i], plain[i]);
    memset(smoke.view.color, 0, sizeof smoke.view.color);
    upload(renderer, &smoke, &settings);
    draw_light(&settings, &frame, again);
    assert_memory_equal(again, plain, BYTES);
    colors_destroy(&colors);
    smoke_destroy(&smoke);
}

static void test_colors_with_solids_and_glow(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_with_room(EDGE - 1, EDGE - 1, EDGE - 1); /* so that strides are EDGE */
    fill_middle(&smoke, 1);
    const float center[3] = {0.5f, 0.5f, 0.5f};
    float *solid = smoke_solid_ball(&smoke, center, 0.15f);
    Colors colors = color_smoke(&smoke, on_the_left, on_the_right);
    settings.smoke.glow = 1e-3f;
    for (int i = 0; i < CELLS; i++)
        smoke.temperature[i] = 800;
    renderer_forget(renderer);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    const uint8_t *left = across(pixels, 0.2f), *right = across(pixels, 0.8f);
    assert_true(left[0] > left[2] + 60);
    assert_true(right[2] > right[0] + 60);
    colors_destroy(&colors);
    smoke_destroy(&smoke);
    free(solid);
    renderer_forget(renderer);
}

/* A flame without smoke shines where it is hot, as thick smoke of that heat would at most. */
static void test_flame_shines(void **state)
{
    (void)state;
    static uint8_t dark[BYTES], cold[BYTES], burning[BYTES], thick[BYTES];
    RenderSettings settings = test_settings();
    settings.sun.intensity = settings.sky.intensity = 0;
    settings.ground.visible = false;
    settings.smoke.glow = 1;
    settings.smoke.flame = 0.1f;
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    float *flame = calloc(CELLS, sizeof *flame);
    assert_non_null(flame);
    for (int at = 0; at < CELLS; at++) {
        int i = at % EDGE, j = at / EDGE % EDGE, k = at / (EDGE * EDGE);
        bool inside = abs(i - 16) < 6 && abs(j - 14) < 6 && abs(k - 16) < 6;
        flame[at] = inside ? 20 : 0;
    }
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, dark);
    smoke.view.flame = flame;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, cold);
    assert_memory_equal(cold, dark, BYTES);
    for (int at = 0; at < CELLS; at++)
        smoke.temperature[at] = 1200;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, burning);
    const uint8_t *middle = pixel(burning, WIDTH / 2, HEIGHT / 2);
    assert_true(middle[0] > 100 && middle[0] > middle[2] + 40);
    assert_memory_equal(pixel(burning, 4, 4), pixel(dark, 4, 4), 4);
    settings.smoke.flame = 0;
    for (int at = 0; at < CELLS; at++)
        smoke.density[at] = 2;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, thick);
    for (int c = 0; c < 3; c++)
        assert_in_range(middle[c], 0, pixel(thick, WIDTH / 2, HEIGHT / 2)[c] + 1);
    memset(smoke.density, 0, CELLS * sizeof(float));
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, cold);
    assert_memory_equal(cold, dark, BYTES);
    free(flame);
    smoke_destroy(&smoke);
}

/* One tracer in the middle of the unit cube, and one that is not there. */
typedef struct Specks {
    float place[3][2], age[2];
} Specks;

static void add_specks(Smoke *smoke, Specks *specks)
{
    *specks = (Specks){{{0.5f, 0.3f}, {0.5f, 0.3f}, {0.5f, 0.3f}}, {0, -1}};
    for (int axis = 0; axis < 3; axis++)
        smoke->view.tracer[axis] = specks->place[axis];
    smoke->view.tracer_age = specks->age;
    smoke->view.tracer_count = 2;
}

/* The largest difference of a channel, which must lie within `off` pixels of the centre. */
static int middle_difference(const uint8_t *a, const uint8_t *b, int off)
{
    int most = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int difference = 0;
            for (int c = 0; c < 3; c++)
                difference += abs(pixel(a, x, y)[c] - pixel(b, x, y)[c]);
            bool near = abs(x - WIDTH / 2) <= off && abs(y - HEIGHT / 2) <= off;
            assert_true(near || difference == 0);
            most = difference > most ? difference : most;
        }
    return most;
}

static void test_tracers_where_they_are(void **state)
{
    (void)state;
    static uint8_t without[BYTES], with[BYTES], again[BYTES];
    RenderSettings settings = front_settings();
    settings.tracers.size = 0.06f;
    settings.tracers.color[1] = settings.tracers.color[2] = 0.02f;
    settings.ground.visible = false;
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, without);
    Specks specks;
    add_specks(&smoke, &specks);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, with);
    assert_true(middle_difference(without, with, 2) > 60);
    const uint8_t *middle = pixel(with, WIDTH / 2, HEIGHT / 2);
    assert_true(middle[0] > middle[1] + 40 && middle[0] > middle[2] + 40);
    settings.tracers.opacity = 0;
    draw(renderer, &settings, &frame, again);
    assert_memory_equal(again, without, BYTES);
    settings.tracers.opacity = 1;
    smoke.view.tracer_count = 0;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, again);
    assert_memory_equal(again, without, BYTES);
    smoke_destroy(&smoke);
}

/* A tracer's opacity is 2 (1 - r^2) up to 1 at the share r of its radius: in total 3/4 of its disc.
 * It is as bright as a small white ball of which the sun, at its side, lights half: the sun's
 * irradiance over 2 pi, and all light of the sky. Its size is that of its diameter in pixels. */
static void test_tracers_are_as_large_and_bright_as_they_say(void **state)
{
    (void)state;
    static float with[4 * WIDTH * HEIGHT], without[4 * WIDTH * HEIGHT];
    RenderSettings settings = front_settings();
    settings.sky.intensity = 0;
    settings.ground.visible = false;
    memcpy(settings.tracers.color, (const float[]){0.9f, 0.6f, 0.3f},
           sizeof settings.tracers.color);
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, without);
    Specks specks;
    add_specks(&smoke, &specks);
    double small[2]; /* light of tracers narrower than a pixel, which are drawn larger */
    for (int part = 0; part < 5; part++) {
        settings.tracers.size = part > 2 ? 0.01f * (float)(part - 2) : 0.25f + 0.1f * (float)part;
        settings.tracers.glow = part == 1 ? 0.5f : 0;
        settings.tracers.opacity = part == 2 ? 0.5f : 1;
        upload(renderer, &smoke, &settings);
        draw_linear(renderer, &settings, frame, with);
        double pixel_width = (double)settings.camera.distance * 2 *
                             tan(0.5 * (double)settings.camera.fov * 3.14159265 / 180) / HEIGHT;
        double across = (double)settings.tracers.size / pixel_width;
        double area = 0.75 * 0.25 * 3.14159265 * across * across * (double)settings.tracers.opacity;
        for (int c = 0; c < 3; c++) {
            double radiance =
                (double)settings.tracers.color[c] *
                ((double)settings.sun.intensity / (2 * 3.14159265) + (double)settings.tracers.glow);
            double sum = 0;
            for (int p = 0; p < WIDTH * HEIGHT; p++)
                sum += (double)(with[4 * p + c] - without[4 * p + c]);
            if (part > 2)
                small[part - 3] = sum;
            else if (!(fabs(sum / (radiance * area) - 1) < 0.03))
                fail_msg("part %d, colour %d: light of %g pixels, not %g", part, c, sum / radiance,
                         area);
            size_t middle = 4 * (size_t)(HEIGHT / 2 * WIDTH + WIDTH / 2) + (size_t)c;
            double due = radiance * (double)settings.tracers.opacity;
            if (part < 3 && !(fabs((double)(with[middle] - without[middle]) / due - 1) < 0.01))
                fail_msg("part %d, colour %d: %g, not %g", part, c,
                         (double)(with[middle] - without[middle]), due);
        }
    }
    assert_true(fabs(small[1] / small[0] / 4 - 1) < 0.01);
    smoke_destroy(&smoke);
}

/* The light of a spark is that of a black body which radiation cools to 800 K by the end of its
 * life, as in blackbody.h, and it is drawn along its way during the exposure. */
static void test_sparks_cool(void **state)
{
    (void)state;
    static float without[4 * WIDTH * HEIGHT], with[4 * WIDTH * HEIGHT];
    static const float still[2] = {0}, moving[2] = {2, 2}, life[2] = {2, 2};
    RenderSettings settings = front_settings();
    settings.tracers.size = 0.12f; /* so wide that the middle pixel is in the core */
    settings.tracers.glow = 2;
    settings.tracers.kelvin = 2000;
    settings.tracers.color[0] = settings.tracers.color[1] = settings.tracers.color[2] = 1;
    settings.ground.visible = false;
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, without);
    const BlackbodyScale scale = {settings.smoke.glow_kelvin, settings.smoke.glow_range};
    float first[3];
    blackbody_color(2000, scale, first);
    float white = 0.2126f * first[0] + 0.7152f * first[1] + 0.0722f * first[2];
    Specks specks;
    add_specks(&smoke, &specks);
    for (int axis = 0; axis < 3; axis++)
        smoke.view.tracer_velocity[axis] = still;
    smoke.view.tracer_life = life;
    size_t middle = 4 * (size_t)(HEIGHT / 2 * WIDTH + WIDTH / 2);
    for (int part = 0; part < 3; part++) {
        specks.age[0] = 0.5f * (float)part;
        upload(renderer, &smoke, &settings);
        draw_linear(renderer, &settings, frame, with);
        float kelvin = 2000 * powf(1 + 0.25f * (float)part * (15.625f - 1), -1.0f / 3), color[3];
        blackbody_color(kelvin, scale, color);
        for (int c = 0; c < 3; c++) {
            float light = with[middle + (size_t)c] - without[middle + (size_t)c];
            float due = 2 * color[c] / white;
            if (!(fabsf(light - due) <= 0.02f * due + 0.002f))
                fail_msg("%g K, colour %d: %g, not %g", (double)kelvin, c, (double)light,
                         (double)due);
        }
    }
    specks.age[0] = 0.1f;
    smoke.view.tracer_velocity[0] = moving;
    settings.tracers.streak = 0.1f;
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, with);
    size_t behind = middle - 4 * (size_t)(WIDTH / 32), ahead = middle + 4 * (size_t)(WIDTH / 16);
    assert_true(with[behind] > without[behind] + 0.1f);
    assert_true(with[ahead] == without[ahead]);
    smoke_destroy(&smoke);
}

/* A thin, bright streak across the rows of pixels is as bright in each column, and fades over
 * several pixels on both sides: it shows no steps, however much brighter it is than the picture can
 * show. */
static void test_bright_streaks_have_no_steps(void **state)
{
    (void)state;
    static float without[4 * WIDTH * HEIGHT], with[4 * WIDTH * HEIGHT];
    static const float across[2] = {4, 4}, up[2] = {1.1f, 1.1f}, still[2] = {0};
    RenderSettings settings = front_settings();
    settings.tracers.size = 0.02f;
    settings.tracers.glow = 3000;
    settings.tracers.kelvin = 2000;
    settings.tracers.streak = 0.2f;
    settings.ground.visible = false;
    const RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, without);
    Specks specks;
    add_specks(&smoke, &specks);
    specks.age[0] = 1;
    smoke.view.tracer_velocity[0] = across;
    smoke.view.tracer_velocity[1] = up;
    smoke.view.tracer_velocity[2] = still;
    smoke.view.tracer_life = still; /* they do not cool */
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, frame, with);
    double least = 1e30, most = 0;
    for (int x = WIDTH / 2 - 14; x < WIDTH / 2 - 4; x++) {
        double sum = 0, largest = 0;
        int seen = 0;
        for (int y = 0; y < HEIGHT; y++) {
            const size_t at = 4 * (size_t)(y * WIDTH + x);
            const double light = (double)with[at] - (double)without[at];
            sum += light;
            largest = fmax(largest, light);
            seen += light > 0.05;
        }
        assert_true(largest > 10);
        assert_in_range(seen, 3, 6);
        least = fmin(least, sum);
        most = fmax(most, sum);
    }
    print_message("streak: columns of %.4g to %.4g\n", least, most);
    if (!(most < 1.04 * least))
        fail_msg("columns of %g to %g", least, most);
    smoke_destroy(&smoke);
}

/* Air whose refractive index grows linearly with height bends all rays alike: the shift of what
 * lies behind is the closed form of the two integrals. Cold air and a factor of 0 shift nothing. */
static void test_haze_of_a_slab(void **state)
{
    (void)state;
    static float temperature[CELLS], shift[4 * WIDTH * HEIGHT];
    static uint8_t off[BYTES], hot[BYTES], cold[BYTES];
    const float air = 2.9e-4f, rise = 0.4f; /* of the index over the height of 1 m */
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    smoke.view.temperature = temperature;
    for (int axis = 0; axis < 3; axis++) { /* away from the world's origin */
        smoke.view.origin[axis] = 2 - (float)axis;
        settings.camera.target[axis] += smoke.view.origin[axis];
    }
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, off);
    settings.picture.haze = 40;
    draw(renderer, &settings, &frame, cold);
    for (int at = 0; at < CELLS; at++) {
        float height = ((float)(at / EDGE % EDGE) + 0.5f) / EDGE;
        temperature[at] = 293 / (0.5f + rise * height) - 293;
    }
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, hot);
    const Target *haze = &renderer->haze;
    assert_int_equal(haze->width, (WIDTH + 3) / 4);
    glBindTexture(GL_TEXTURE_2D, haze->texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, shift);
    const float *middle = shift + 4 * (haze->height / 2 * haze->width + haze->width / 2);
    float near = settings.camera.distance - 0.5f, far = near + 1;
    float half = tanf(0.5f * settings.camera.fov * 3.14159265f / 180);
    float bend = 0.5f * 40 * air * rise / half, lever = bend * 0.5f * (far * far - near * near);
    if (!(fabsf(middle[1] - bend) < 0.05f * bend && fabsf(middle[3] - lever) < 0.05f * lever))
        fail_msg("shift %g and %g, not %g and %g", (double)middle[1], (double)middle[3],
                 (double)bend, (double)lever);
    assert_true(fabsf(middle[0]) < 0.05f * bend);
    assert_true(memcmp(hot, off, BYTES) != 0);
    settings.picture.haze = 0;
    draw(renderer, &settings, &frame, hot);
    assert_int_equal(renderer->haze.texture, 0);
    assert_memory_equal(hot, off, BYTES);
    for (int at = 0; at < BYTES; at++)
        assert_true(abs(cold[at] - off[at]) <= 1);
    smoke_destroy(&smoke);
}

/* Red smoke in front of a white tracer lets its red light through. */
static void test_tracers_behind_smoke_of_a_color(void **state)
{
    (void)state;
    static uint8_t drawn[BYTES];
    static float color[3][CELLS];
    RenderSettings settings = front_settings();
    settings.tracers.size = 0.06f;
    settings.tracers.glow = 1;
    settings.smoke.extinction = 4;
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 0;
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int at = 0; at < CELLS; at++) {
        smoke.density[at] = at / (EDGE * EDGE) > 18;
        for (int c = 0; c < 3; c++)
            color[c][at] = smoke.density[at] * (c == 0 ? 1.0f : 0.1f);
    }
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = color[c];
    Specks specks;
    add_specks(&smoke, &specks);
    for (int tinted = 0; tinted < 2; tinted++) {
        settings.smoke.tint_extinction = tinted ? 2 : 0;
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, drawn);
        const uint8_t *seen = pixel(drawn, WIDTH / 2, HEIGHT / 2);
        int apart = seen[0] - seen[2];
        if (tinted ? apart < 50 : abs(apart) > 30)
            fail_msg("tinted %d: red %d, blue %d", tinted, seen[0], seen[2]);
    }
    smoke_destroy(&smoke);
}

/* Smoke in front of a tracer dims it, smoke behind does not, and a solid in front hides it. */
static void test_tracers_behind_things(void **state)
{
    (void)state;
    static uint8_t without[BYTES], with[BYTES];
    int shown[3];
    RenderSettings settings = front_settings();
    settings.tracers.size = 0.06f;
    settings.tracers.glow = 3;
    settings.smoke.extinction = 6;
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 0; /* so that it dims and nothing else */
    RenderFrame frame = test_frame();
    for (int place = 0; place < 3; place++) { /* none, behind, in front */
        Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
        for (int at = 0; at < CELLS && place > 0; at++) {
            int k = at / (EDGE * EDGE);
            smoke.density[at] = place == 1 ? k < 14 : k > 18;
        }
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, without);
        Specks specks;
        add_specks(&smoke, &specks);
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, with);
        middle_difference(without, with, 2);
        shown[place] = pixel(with, WIDTH / 2, HEIGHT / 2)[1];
        smoke_destroy(&smoke);
    }
    assert_in_range(abs(shown[1] - shown[0]), 0, 8);
    assert_true(shown[2] < shown[0] - 50);
    for (int front = 0; front < 2; front++) {
        Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
        const float center[3] = {0.5f, 0.5f, front ? 0.75f : 0.25f};
        float *solid = smoke_solid_ball(&smoke, center, 0.1f);
        renderer_forget(renderer);
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, without);
        Specks specks;
        add_specks(&smoke, &specks);
        upload(renderer, &smoke, &settings);
        draw(renderer, &settings, &frame, with);
        int seen = middle_difference(without, with, 2);
        assert_true(front ? seen == 0 : seen > 60);
        smoke_destroy(&smoke);
        free(solid);
    }
    renderer_forget(renderer);
}

/* Weights of the four cells around a place, `t` of the way from the second to the third. */
static void spline(double t, double weights[4])
{
    weights[0] = pow(1 - t, 3) / 6;
    weights[1] = 2.0 / 3 - t * t + t * t * t / 2;
    weights[2] = 2.0 / 3 - pow(1 - t, 2) + pow(1 - t, 3) / 2;
    weights[3] = pow(t, 3) / 6;
}

/* Smoke that differs from cell to cell, but not along the view, looked at from afar: each ray has
 * the density of the cubic B-spline of sixteen cells. */
static void test_cubic_filter_is_a_spline(void **state)
{
    (void)state;
    enum { COARSE = 8 };
    static float pixels[4 * WIDTH * HEIGHT];
    RenderSettings settings = front_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_create(COARSE, COARSE, COARSE);
    double worst = 0;
    int rays = 0;
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 50, 0, 0, 0.8f};
    settings.picture.filter = RENDER_FILTER_CUBIC;
    settings.smoke.extinction = 1;
    frame.transparent = true;
    frame.step = 0.25f;
    for (int side = 0; side < 2; side++) { /* from the front and from the right */
        settings.camera.azimuth = side == 0 ? 0 : 90;
        for (int i = 0; i < COARSE * COARSE * COARSE; i++) {
            unsigned across = (unsigned)(side == 0 ? i % COARSE : i / (COARSE * COARSE));
            unsigned cell = across + COARSE * (unsigned)(i / COARSE % COARSE) + 1;
            smoke.density[i] = (float)(cell * 2654435761u >> 30);
        }
        upload(renderer, &smoke, &settings);
        draw_linear(renderer, &settings, frame, pixels);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            float from[3], to[3];
            double weights[2][4], density = 0;
            int low[2];
            camera_ray(&settings.camera, WIDTH, HEIGHT, (float)(p % WIDTH) + 0.5f,
                       (float)(p / WIDTH) + 0.5f, from, to);
            for (int a = 0; a < 2; a++) {
                int axis = a == 1 ? 1 : 2 * side;
                double cells = (double)(from[axis] + 50 * to[axis]) * COARSE - 0.5;
                low[a] = (int)floor(cells);
                spline(cells - low[a], weights[a]);
            }
            if (low[0] < 1 || low[1] < 1 || low[0] > COARSE - 3 || low[1] > COARSE - 3)
                continue;
            for (int n = 0; n < 16; n++) {
                int u = low[0] - 1 + n % 4, v = low[1] - 1 + n / 4;
                density +=
                    weights[0][n % 4] * weights[1][n / 4] *
                    (double)smoke.density[u * (side == 0 ? 1 : COARSE * COARSE) + v * COARSE];
            }
            worst = fmax(worst, fabs(1 - exp(-density) - (double)pixels[4 * p + 3]));
            rays++;
        }
    }
    print_message("cubic filter: off by %.5f at worst\n", worst);
    if (!(rays > 1000 && worst < 0.004))
        fail_msg("%d rays, off by %g at worst", rays, worst);
    smoke_destroy(&smoke);
}

/* The same smoke in a larger box: cell (0, 0, 0) of the old box is cell `low` of the new one. */
static Smoke smoke_grown(const Smoke *from, const int n[3], const int low[3])
{
    Smoke grown = smoke_create(n[0], n[1], n[2]);
    BillowView *view = &grown.view;
    view->cell_size = from->view.cell_size;
    for (int axis = 0; axis < 3; axis++) {
        const int old[3] = {from->view.nx, from->view.ny, from->view.nz};
        view->origin[axis] = -(float)low[axis] * view->cell_size;
        view->home[1][axis] = (float)old[axis] * view->cell_size;
    }
    for (int k = 0; k < from->view.nz; k++)
        for (int j = 0; j < from->view.ny; j++)
            memcpy(grown.density + low[0] + (j + low[1]) * view->stride_y +
                       (k + low[2]) * view->stride_z,
                   from->density + j * from->view.stride_y + k * from->view.stride_z,
                   (size_t)from->view.nx * sizeof(float));
    return grown;
}

static double mean_difference(const uint8_t *a, const uint8_t *b)
{
    double sum = 0;
    for (int i = 0; i < BYTES; i++)
        sum += abs(a[i] - b[i]);
    return sum / BYTES;
}

/* A box that grows leaves the picture as it is: smoke, shadow, ground. */
static void test_growth_does_not_show(void **state)
{
    (void)state;
    static uint8_t before[BYTES], after[BYTES], elsewhere[BYTES];
    RenderSettings settings = test_settings();
    settings.ground.roughness = 1;
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_ball(32, 32, 32);
    Smoke grown = smoke_grown(&smoke, (const int[]){64, 48, 48}, (const int[]){16, 0, 16});
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, before);
    upload(renderer, &grown, &settings);
    draw(renderer, &settings, &frame, after);
    const double same = mean_difference(before, after);
    assert_true(same < 0.5); /* at the edge of the shadow, which the small box cuts off */
    for (int x = 0; x < WIDTH / 6; x++) /* the ground, beside the smoke and its shadow */
        assert_true(abs(pixel(before, x, 2)[0] - pixel(after, x, 2)[0]) <= 1);
    /* Without the place of the first box the ground would have moved. */
    memset(grown.view.home, 0, sizeof grown.view.home);
    upload(renderer, &grown, &settings);
    draw(renderer, &settings, &frame, elsewhere);
    assert_true(mean_difference(before, elsewhere) > 4 * same);
    smoke_destroy(&grown);
    smoke_destroy(&smoke);
}

/* Whether to try a set of features: those of at most two, and those that lack at most two. */
static bool is_tried(int set, int sets)
{
    int with = 0, without = 0;
    for (int feature = 1; feature < sets; feature *= 2) {
        with += (set & feature) != 0;
        without += (set & feature) == 0;
    }
    return with <= 2 || without <= 2;
}

static void test_all_programs_compile(void **state)
{
    (void)state;
    static ShaderSet set;
    for (int march = 0; march < SHADER_MARCH_SETS; march++) {
        BillowError error = {""};
        const int both = SHADER_MARCH_SLAB | SHADER_MARCH_ARRIVED;
        bool possible = (!(march & SHADER_MARCH_FLAME) || (march & SHADER_MARCH_EMISSION)) &&
                        (!(march & SHADER_MARCH_MET) || (march & SHADER_MARCH_SOLIDS)) &&
                        (march & both) != both;
        if (possible && is_tried(march, SHADER_MARCH_SETS) &&
            shader_set_march(&set, march, &error) == 0)
            fail_msg("%d: %s", march, error.text);
    }
    for (int program = 0; program < SHADER_PROGRAMS; program++) {
        BillowError error = {""};
        if (shader_set_program(&set, (ShaderProgram)program, &error) == 0)
            fail_msg("program %d: %s", program, error.text);
    }
    for (int picture = 0; picture < SHADER_PICTURE_SETS; picture++) {
        BillowError error = {""};
        bool possible = !(picture & SHADER_PICTURE_MET) || (picture & SHADER_PICTURE_SOLIDS);
        if (possible && is_tried(picture, SHADER_PICTURE_SETS) &&
            (shader_set_picture(&set, SHADER_COMPOSITE, picture, &error) == 0 ||
             shader_set_picture(&set, SHADER_DEVELOP, picture, &error) == 0))
            fail_msg("%d: %s", picture, error.text);
    }
    shader_set_destroy(&set);
}

/* Draws hot smoke around tracers, lit by a lamp, under a slice; in front of a ball if it has one.
 * The whole world is `size` times as large, and then moved. */
static void draw_moved(float size, const float move[3], bool ground, bool solid, uint8_t *pixels)
{
    static const float center[3] = {0.6f, 0.35f, 0.2f};
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    float *ball = solid ? smoke_solid_ball(&smoke, center, 0.2f) : NULL, *values;
    for (int k = 10; k < 22; k++)
        for (int j = 4; j < 24; j++)
            for (int i = 10; i < 20; i++) {
                ptrdiff_t at = i + j * smoke.view.stride_y + k * smoke.view.stride_z;
                smoke.density[at] = 0.1f * (float)(i - 9);
                smoke.temperature[at] = 40.0f * (float)j;
            }
    Specks specks;
    add_specks(&smoke, &specks);
    specks.age[1] = 0;
    settings.tracers.size = 0.04f * size;
    settings.picture.haze = 40;
    settings.ground.visible = ground; /* its texture has a place in the world */
    settings.lamps[0] = render_default_lamp();
    settings.lamps[0].intensity *= size * size;
    settings.lamps[0].radius *= size;
    settings.lamp_count = 1;
    settings.camera.distance *= size;
    settings.smoke.extinction /= size;
    smoke.view.cell_size *= size;
    for (int axis = 0; axis < 3; axis++) {
        float *target = &settings.camera.target[axis];
        smoke.view.origin[axis] = move[axis];
        *target = move[axis] + size * *target;
        settings.lamps[0].position[axis] = move[axis] + size * (axis == 1 ? 1.4f : 0.8f);
        for (int speck = 0; speck < 2; speck++)
            specks.place[axis][speck] = move[axis] + size * specks.place[axis][speck];
    }
    FieldSlice slice = {
        .kind = FIELD_DENSITY, .axis = 1, .position = move[1] + size * 0.8f, .n = {EDGE, EDGE}};
    slice.values = values = calloc((size_t)EDGE * EDGE, sizeof *values);
    assert_non_null(values);
    field_slice_fill(&slice, &smoke.view);
    frame.slice = (RenderSlice){.field = &slice, .low = -1, .high = 1, .veil = 1};
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    free(values);
    free(ball);
    smoke_destroy(&smoke);
}

/* Nothing depends on where in the world the box and all that is around it stands. Rounding turns
 * rays by so little that it shows at edges alone. */
static void test_no_place_is_special(void **state)
{
    (void)state;
    static uint8_t here[BYTES], there[BYTES];
    static const float moves[2][3] = {{0, 4, 0}, {2, 4, -1}};
    for (int picture = 0; picture < 2; picture++) {
        const bool solid = picture == 1;
        const float *move = moves[picture], none[3] = {0};
        int differ = 0;
        draw_moved(1, none, move[0] == 0, solid, here);
        draw_moved(1, move, move[0] == 0, solid, there);
        for (int at = 0; at < BYTES; at++)
            differ += abs(here[at] - there[at]) > 3;
        if (differ > BYTES / 200)
            fail_msg("picture %d: %d of %d values differ", picture, differ, BYTES);
    }
}

/* Nothing depends on the size of the world, if the smoke is as thick and the lamp as bright. */
static void test_no_size_is_special(void **state)
{
    (void)state;
    static uint8_t here[BYTES], there[BYTES];
    static const float sizes[] = {0.3f, 7}, none[3] = {0};
    for (int picture = 0; picture < 4; picture++) {
        const bool solid = picture & 1;
        const float size = sizes[picture / 2];
        int differ = 0;
        draw_moved(1, none, true, solid, here);
        draw_moved(size, none, true, solid, there);
        for (int at = 0; at < BYTES; at++)
            differ += abs(here[at] - there[at]) > 3;
        if (differ > BYTES / 2000)
            fail_msg("size %g, picture %d: %d of %d values differ", (double)size, picture, differ,
                     BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors_where_they_are),
        cmocka_unit_test(test_white_is_no_color),
        cmocka_unit_test(test_colors_with_solids_and_glow),
        cmocka_unit_test(test_flame_shines),
        cmocka_unit_test(test_tracers_where_they_are),
        cmocka_unit_test(test_haze_of_a_slab),
        cmocka_unit_test(test_no_place_is_special),
        cmocka_unit_test(test_no_size_is_special),
        cmocka_unit_test(test_tracers_are_as_large_and_bright_as_they_say),
        cmocka_unit_test(test_sparks_cool),
        cmocka_unit_test(test_bright_streaks_have_no_steps),
        cmocka_unit_test(test_tracers_behind_things),
        cmocka_unit_test(test_tracers_behind_smoke_of_a_color),
        cmocka_unit_test(test_cubic_filter_is_a_spline),
        cmocka_unit_test(test_growth_does_not_show),
        /* The work of the driver, which no sanitizer watches: */
        cmocka_unit_test(test_all_programs_compile),
    };
    size_t count = sizeof tests / sizeof tests[0];
    return _cmocka_run_group_tests("matter", tests, SANITIZED ? count - 1 : count, open_renderer,
                                   close_renderer);
}
