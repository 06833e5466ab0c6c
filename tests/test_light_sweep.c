/* SPDX-License-Identifier: MIT
 * The sun's light swept by the GL against the CPU's sweep. */
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

#include "camera.h"
#include "renderer_fixture.h"
#include "renderer_state.h"

/* Clumps and gaps, and here and there less than nothing, which counts as nothing. */
static void fill(float *cells, const BillowView *view, unsigned seed)
{
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                seed = seed * 1664525u + 1013904223u;
                float noise = (float)(seed >> 8) / (float)(1 << 24);
                float wave =
                    sinf(0.7f * (float)i) * sinf(0.5f * (float)j + 1) * sinf(0.6f * (float)k + 2);
                cells[i + j * view->stride_y + k * view->stride_z] = noise * wave * 1.5f;
            }
}

typedef struct Case {
    Smoke smoke;
    float *color[3], *woven;
    LightVolume cpu;
    Volume density, colors, light;
    LightSweep sweep;
} Case;

static Case open_case(int nx, int ny, int nz)
{
    BillowError error = {""};
    Case it = {.smoke = smoke_create(nx, ny, nz)};
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
    BillowView *view = &it.smoke.view;
    const int n[3] = {nx, ny, nz};
    fill(it.smoke.density, view, 1);
    it.woven = malloc(3 * count * sizeof *it.woven);
    assert_non_null(it.woven);
    for (int c = 0; c < 3; c++) {
        it.color[c] = malloc(count * sizeof *it.color[c]);
        assert_non_null(it.color[c]);
        fill(it.color[c], view, 5 + (unsigned)c);
        view->color[c] = it.color[c];
        for (size_t i = 0; i < count; i++)
            it.woven[3 * i + (size_t)c] = it.color[c][i];
    }
    if (!renderer_upload_field(&it.density, view, view->density, false, "density", &error) ||
        !renderer_upload_packed(&it.colors, n, 3, it.woven, true, "colours", &error))
        fail_msg("%s", error.text);
    return it;
}

static void close_case(Case *it)
{
    smoke_destroy(&it->smoke);
    for (int c = 0; c < 3; c++)
        free(it->color[c]);
    free(it->woven);
    light_volume_destroy(&it->cpu);
    volume_destroy(&it->density);
    volume_destroy(&it->colors);
    volume_destroy(&it->light);
    light_sweep_destroy(&it->sweep);
}

static GLuint program(ShaderProgram which)
{
    BillowError error = {""};
    GLuint found = shader_set_program(&renderer->shaders, NULL, which, &error);
    if (found == 0)
        fail_msg("%s", error.text);
    return found;
}

/* Depths that the GL sweeps, channels a cell; to be freed. */
static float *by_gl(Case *it, const float sun[3], float extinction, const LightColors *colors)
{
    BillowError error = {""};
    const LightVolume *cpu = &it->cpu;
    bool tinted = colors != NULL && colors->excess > 0;
    const LightSweepPrograms programs = {
        program(tinted ? SHADER_SWEEP_GATHER_COLOR : SHADER_SWEEP_GATHER),
        program(SHADER_SWEEP_RAYS), program(SHADER_SWEEP_CELLS)};
    LightSweepJob job = {.density = &it->density,
                         .color = tinted ? &it->colors : NULL,
                         .n = {cpu->n[0], cpu->n[1], cpu->n[2]},
                         .reduction = cpu->reduction,
                         .channels = cpu->channels,
                         .spacing = cpu->spacing,
                         .sun = {sun[0], sun[1], sun[2]},
                         .extinction = extinction};
    if (colors != NULL)
        job.colors = *colors;
    renderer_reset_state();
    glBindVertexArray(renderer->vertex_array);
    if (!light_sweep_run(&it->sweep, &programs, &job, &it->light, &error))
        fail_msg("%s", error.text);
    size_t floats =
        (size_t)cpu->channels * (size_t)cpu->n[0] * (size_t)cpu->n[1] * (size_t)cpu->n[2];
    float *depth = malloc(floats * sizeof *depth);
    assert_non_null(depth);
    glBindTexture(GL_TEXTURE_3D, it->light.texture);
    glGetTexImage(GL_TEXTURE_3D, 0, cpu->channels == 1 ? GL_RED : GL_RGBA, GL_FLOAT, depth);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return depth;
}

/* Within so much of the depth: what rounding leaves. */
static void compare(const Case *it, const float *got, const float sun[3], double share)
{
    const LightVolume *cpu = &it->cpu;
    int colors = cpu->channels == 1 ? 1 : 3;
    double deepest = 0;
    for (int k = 0; k < cpu->n[2]; k++)
        for (int j = 0; j < cpu->n[1]; j++)
            for (int i = 0; i < cpu->n[0]; i++)
                for (int c = 0; c < colors; c++) {
                    ptrdiff_t at =
                        cpu->channels * (i + cpu->n[0] * (j + (ptrdiff_t)cpu->n[1] * k)) + c;
                    double wanted = (double)cpu->depth[at], off = fabs((double)got[at] - wanted);
                    deepest = fmax(deepest, wanted);
                    if (!(off <= share * wanted + 1e-6))
                        fail_msg("%dx%dx%d by %d, sun %g %g %g, cell %d %d %d, colour %d: %.9g by "
                                 "the GL, %.9g by the CPU",
                                 cpu->n[0], cpu->n[1], cpu->n[2], cpu->reduction, (double)sun[0],
                                 (double)sun[1], (double)sun[2], i, j, k, c, (double)got[at],
                                 wanted);
                }
    assert_true(deepest > 0.3);
}

/* Straight along each axis, exactly between two and all three, the built-in scenes' and others. */
static void sun_at(int index, float sun[3])
{
    static const float some[][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},
                                    {0, 0, 1},  {0, 0, -1}, {1, 1, 0},   {-1, 0, 1},
                                    {0, 1, -1}, {1, 1, 1},  {-1, 1, -1}, {1, 2, -3}};
    enum { SOME = sizeof some / sizeof *some };
    if (index < SOME) {
        const float *of = some[index];
        float length = sqrtf(of[0] * of[0] + of[1] * of[1] + of[2] * of[2]);
        for (int a = 0; a < 3; a++)
            sun[a] = of[a] / length;
    } else {
        camera_direction(47 * (float)index, 5 + 13 * (float)(index % 7), sun);
    }
}

static void test_depths_are_the_same(void **state)
{
    (void)state;
    static const int grids[][3] = {{16, 16, 16}, {33, 20, 27}, {8, 41, 9}, {50, 9, 24}, {9, 8, 8}};
    const LightColors tint = {{1, 0.6f, 0.2f}, 0}, tinted = {{0.9f, 1, 1.3f}, 2};
    const LightColors *const ways[] = {NULL, &tint, &tinted};
    BillowError error = {""};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        Case it = open_case(grids[g][0], grids[g][1], grids[g][2]);
        for (int index = 0; index < 40; index++) {
            float sun[3];
            sun_at(index, sun);
            const LightColors *colors = ways[index % 3 != 0 ? 0 : 1 + index / 3 % 2];
            assert_true(light_volume_gather(&it.cpu, &it.smoke.view, 1 + index / 2 % 2, &error));
            assert_true(light_volume_gather_colors(&it.cpu, &it.smoke.view, &error));
            if (colors == NULL)
                light_volume_compute(&it.cpu, sun, 20);
            else
                assert_true(light_volume_compute_colors(&it.cpu, sun, 20, colors, &error));
            float *got = by_gl(&it, sun, 20, colors);
            /* The smoke's colours are kept as halves. */
            bool by_color = colors != NULL && colors->excess > 0;
            compare(&it, got, sun, by_color ? 1.0 / 1024 : 1e-5);
            free(got);
        }
        close_case(&it);
    }
}

/* A renderer that does as it is asked. */
static Renderer *open_asked(const char *way)
{
    BillowError error = {""};
    assert_int_equal(setenv("BILLOW_LIGHT", way, 1), 0);
    Renderer *asked = renderer_create(NULL, &error);
    if (asked == NULL)
        fail_msg("%s", error.text);
    RenderLightWay chosen = renderer_light_way(asked);
    assert_true(chosen.asked && chosen.edge == 0);
    assert_int_equal(chosen.by_gl, strcmp(way, "gl") == 0);
    assert_int_equal(unsetenv("BILLOW_LIGHT"), 0);
    return asked;
}

/* In stills and as the window draws; then under another sun; then other smoke. */
static void check_pictures(const Smoke *first, const Smoke *second, RenderSettings settings)
{
    static uint8_t pixels[2][3][2][BYTES];
    static const char *const ways[2] = {"cpu", "gl"};
    RenderFrame frame = test_frame();
    for (int way = 0; way < 2; way++) {
        Renderer *asked = open_asked(ways[way]);
        RenderSettings other = settings;
        other.sun.azimuth += 130;
        other.sun.elevation = 12;
        for (int fine = 0; fine < 2; fine++) {
            renderer_forget(asked);
            renderer_fine_light(asked, fine == 1);
            upload(asked, first, &settings);
            draw(asked, &settings, &frame, pixels[way][0][fine]);
            draw(asked, &other, &frame, pixels[way][1][fine]);
            upload(asked, second, &settings);
            draw(asked, &settings, &frame, pixels[way][2][fine]);
        }
        renderer_destroy(asked);
    }
    for (int which = 0; which < 3; which++)
        for (int fine = 0; fine < 2; fine++)
            assert_in_range(largest_difference(pixels[0][which][fine], pixels[1][which][fine]), 0,
                            1);
    assert_true(largest_difference(pixels[1][0][0], pixels[1][1][0]) > 20);
    assert_true(largest_difference(pixels[1][0][0], pixels[1][2][0]) > 20);
}

static void test_pictures_are_the_same(void **state)
{
    (void)state;
    Smoke ball = smoke_ball(40, 44, 36), other = smoke_create(24, 20, 28);
    fill(other.density, &other.view, 9);
    check_pictures(&ball, &other, test_settings());
    RenderSettings settings = test_settings();
    settings.smoke.extinction_color[1] = 0.7f;
    settings.smoke.extinction_color[2] = 0.3f;
    settings.lamp_count = 1;
    settings.lamps[0] = (RenderLamp){{0.8f, 0.7f, 0.3f}, {1, 0.6f, 0.3f}, 2, 0};
    check_pictures(&ball, &other, settings);
    smoke_destroy(&ball);
    smoke_destroy(&other);
}

/* Coloured smoke about a ball, at half the grid's resolution. */
static void test_pictures_of_more_are_the_same(void **state)
{
    (void)state;
    Smoke smoke = smoke_with_room(76, 80, 74);
    const float center[3] = {0.5f, 0.35f, 0.5f};
    size_t count = (size_t)smoke.view.stride_z * 75;
    float *color[3], *solid = smoke_solid_ball(&smoke, center, 0.2f);
    fill(smoke.density, &smoke.view, 3);
    for (size_t i = 0; i < count; i++)
        smoke.density[i] = fmaxf(smoke.density[i], 0);
    for (int c = 0; c < 3; c++) {
        color[c] = malloc(count * sizeof *color[c]);
        assert_non_null(color[c]);
        for (size_t i = 0; i < count; i++)
            color[c][i] = smoke.density[i] * (c == 0 ? 1 : 0.3f * (float)(i % 4));
        smoke.view.color[c] = color[c];
    }
    Smoke ball = smoke_ball(24, 20, 28);
    RenderSettings settings = test_settings();
    settings.smoke.tint_extinction = 1.5f;
    check_pictures(&smoke, &ball, settings);
    smoke_destroy(&smoke);
    smoke_destroy(&ball);
    for (int c = 0; c < 3; c++)
        free(color[c]);
    free(solid);
}

static void test_the_faster_one_is_chosen(void **state)
{
    (void)state;
    unsetenv("BILLOW_LIGHT");
    RenderLightWay way = renderer_light_way(renderer), again = renderer_light_way(renderer);
    print_message("light of %d cells cubed: %.2f ms by the CPU, %.2f ms by the GL\n", way.edge,
                  way.cpu_ms, way.gl_ms);
    assert_false(way.asked);
    assert_true(way.edge > 0 && way.cpu_ms > 0 && way.gl_ms > 0);
    assert_int_equal(way.by_gl, way.gl_ms < 0.8 * way.cpu_ms);
    assert_memory_equal(&way, &again, sizeof way);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths_are_the_same),
        cmocka_unit_test(test_pictures_are_the_same),
        cmocka_unit_test(test_pictures_of_more_are_the_same),
        cmocka_unit_test(test_the_faster_one_is_chosen),
    };
    return cmocka_run_group_tests_name("light sweep", tests, open_renderer, close_renderer);
}
