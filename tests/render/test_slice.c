/* SPDX-License-Identifier: MIT
 * Fields on a plane: their numbers, their colours, and how they are drawn. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/font.h"
#include "render/frame/field_slice.h"
#include "render/frame/legend.h"
#include "renderer_fixture.h"

enum { EDGE = 16, ROOM = EDGE + 1, ALL = ROOM * ROOM * ROOM };

static float u[ALL], v[ALL], w[ALL], values[ALL];

/* A box of one metre whose velocity is A x + b, given on the cells' faces. */
static Smoke linear_flow(const float a[3][3], const float b[3])
{
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    float *const fields[3] = {u, v, w};
    for (int k = 0; k < ROOM; k++)
        for (int j = 0; j < ROOM; j++)
            for (int i = 0; i < ROOM; i++)
                for (int c = 0; c < 3; c++) {
                    float at[3] = {(float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f};
                    at[c] -= 0.5f;
                    float sum = b[c];
                    for (int axis = 0; axis < 3; axis++)
                        sum += a[c][axis] * at[axis] / EDGE;
                    fields[c][i + ROOM * (j + ROOM * k)] = sum;
                }
    smoke.view.u = u;
    smoke.view.v = v;
    smoke.view.w = w;
    return smoke;
}

static FieldSlice slice_of(const BillowView *view, FieldKind kind, int axis, float position)
{
    FieldSlice slice = {.kind = kind, .axis = axis, .position = position, .values = values};
    assert_true(field_known(view, kind));
    field_slice_fill(&slice, view);
    assert_int_equal(slice.n[0], axis == 0 ? view->ny : view->nx);
    assert_int_equal(slice.n[1], axis == 2 ? view->ny : view->nz);
    return slice;
}

static void check_all(const BillowView *view, FieldKind kind, int axis, float wanted)
{
    FieldSlice slice = slice_of(view, kind, axis, 0.37f);
    for (int at = 0; at < slice.n[0] * slice.n[1]; at++)
        if (!(fabsf(values[at] - wanted) < 1e-4f * (1 + fabsf(wanted))))
            fail_msg("%s on axis %d, cell %d: %g, not %g", field_meaning(kind)->name, axis, at,
                     (double)values[at], (double)wanted);
    assert_true(fabsf(slice.low - wanted) < 1e-3f && fabsf(slice.high - wanted) < 1e-3f);
}

static void test_derivatives(void **state)
{
    (void)state;
    /* curl (a32 - a23, a13 - a31, a21 - a12), divergence a11 + a22 + a33: exact up to the faces */
    const float a[3][3] = {{1, 2, 5}, {-3, 4, 7}, {11, -2, -0.5f}}, b[3] = {1, -2, 0.5f};
    Smoke smoke = linear_flow(a, b);
    check_all(&smoke.view, FIELD_CURL, 0, -9);
    check_all(&smoke.view, FIELD_CURL, 1, -6);
    check_all(&smoke.view, FIELD_CURL, 2, -5);
    check_all(&smoke.view, FIELD_VORTICITY, 1, sqrtf(81 + 36 + 25));
    check_all(&smoke.view, FIELD_DIVERGENCE, 2, 4.5f);
    smoke_destroy(&smoke);
}

static void test_places(void **state)
{
    (void)state;
    const float a[3][3] = {{1, 2, 5}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0.5f, 0, 0};
    Smoke smoke = linear_flow(a, b);
    for (float z = 0.05f; z < 0.95f; z += 0.07f) {
        FieldSlice slice = slice_of(&smoke.view, FIELD_U, 2, z);
        for (int j = 0; j < EDGE; j++)
            for (int i = 0; i < EDGE; i++) {
                float wanted = 0.5f + ((float)i + 0.5f + 2 * ((float)j + 0.5f)) / EDGE + 5 * z;
                assert_true(fabsf(values[i + EDGE * j] - wanted) < 1e-4f);
            }
        assert_true(fabsf(slice.low - (0.5f + 1.5f / EDGE + 5 * z)) < 1e-4f);
    }
    slice_of(&smoke.view, FIELD_SPEED, 0, 0.5f);
    assert_true(fabsf(values[3 + EDGE * 7] - (1 + 2 * 3.5f / EDGE + 5 * 7.5f / EDGE)) < 1e-4f);
    FieldSlice beyond = slice_of(&smoke.view, FIELD_U, 1, 77);
    assert_true(beyond.position == 1);
    assert_false(field_known(&smoke.view, FIELD_PRESSURE));
    assert_false(field_known(&smoke.view, FIELD_SOLID));
    assert_false(field_known(&smoke.view, FIELD_FUEL));
    smoke_destroy(&smoke);
}

/* Air as warm everywhere in a closed box cannot rise: the pressure holds it, dp/dy = rho g T / T0.
 */
static void test_pressure_holds_warm_air(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    BillowError error = {""};
    def.nx = 10, def.ny = 16, def.nz = 9;
    def.cell_size = 0.05f;
    def.params.tolerance = 1e-6f;
    def.params.cooling = 0;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_CLOSED;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL)
        fail_msg("%s", error.text);
    BillowFields fields = billow_fields(sim);
    BillowView view = billow_view(sim);
    assert_true(view.pressure_unit == 0);
    for (int k = 0; k < def.nz; k++)
        for (int j = 0; j < def.ny; j++)
            for (int i = 0; i < def.nx; i++)
                fields.temperature[i + j * view.stride_y + k * view.stride_z] = 20;
    billow_step(sim, 0.01);
    view = billow_view(sim);
    FieldSlice slice = slice_of(&view, FIELD_PRESSURE, 2, 0.2f);
    float slope = 1.2f * def.params.buoyancy * 20, middle = 0.5f * 16 * 0.05f;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 10; i++) {
            float wanted = slope * (((float)j + 0.5f) * 0.05f - middle);
            if (fabsf(values[i + 10 * j] - wanted) > 2e-3f * slope * middle)
                fail_msg("cell %d, %d: %g Pa, not %g", i, j, (double)values[i + 10 * j],
                         (double)wanted);
        }
    assert_true(slice.low < 0 && slice.high > 0);
    billow_destroy(sim);
}

static void test_solids_are_left_out_of_the_range(void **state)
{
    (void)state;
    const float center[3] = {0.5f, 0.5f, 0.5f};
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    for (int at = 0; at < ALL; at++)
        smoke.density[at] = 1;
    smoke.density[8 + ROOM * (8 + ROOM * 8)] = 1000; /* within the ball */
    smoke.density[1 + ROOM * (1 + ROOM * 8)] = NAN;
    float *solid = smoke_solid_ball(&smoke, center, 0.3f), range[2];
    FieldSlice slice = slice_of(&smoke.view, FIELD_DENSITY, 2, 8.5f / EDGE);
    assert_true(slice.low == 1 && slice.high == 1);
    field_slice_range(&slice, range);
    assert_true(range[0] == 1 && range[1] > range[0]);
    slice = slice_of(&smoke.view, FIELD_SOLID, 0, 8.5f / EDGE);
    assert_true(slice.low < -0.2f && slice.high > 0.15f);
    field_slice_range(&slice, range);
    assert_true(range[0] == -range[1] && range[1] == fmaxf(-slice.low, slice.high));
    free(solid);
    smoke_destroy(&smoke);
}

/* Equal steps of the number are equal steps to the eye, and the one map is ordered in grey. */
static void test_color_maps(void **state)
{
    (void)state;
    for (int map = 0; map < 2; map++) {
        float table[4 * COLOR_MAP_ENTRIES], before[3] = {0}, lab[3], sum = 0;
        float steps[COLOR_MAP_ENTRIES - 1];
        color_map_table((ColorMap)map, table);
        for (int i = 0; i < COLOR_MAP_ENTRIES; i++) {
            for (int c = 0; c < 4; c++)
                assert_true(table[4 * i + c] >= 0 && table[4 * i + c] <= 1);
            color_map_oklab(table + 4 * i, lab);
            if (i > 0) {
                float l = lab[0] - before[0], p = lab[1] - before[1], q = lab[2] - before[2];
                steps[i - 1] = sqrtf(l * l + p * p + q * q);
                sum += steps[i - 1];
                assert_true(map == COLOR_MAP_DIVERGING ? (l > 0) == (i < 128) || i == 128 : l > 0);
            }
            memcpy(before, lab, sizeof lab);
        }
        float mean = sum / (COLOR_MAP_ENTRIES - 1);
        for (int i = 0; i < COLOR_MAP_ENTRIES - 1; i++)
            if (fabsf(steps[i] - mean) > 0.05f * mean && !(map == 1 && i == 127))
                fail_msg("map %d, step %d: %g of the mean", map, i, (double)(steps[i] / mean));
    }
    /* The first and last colour of each map in Oklab: lightness, chroma, and hue in degrees. */
    static const float ends[][3] = {
        {0.24f, 0.12f, 312}, {0.92f, 0.17f, 106}, {0.43f, 0.161f, 262}, {0.43f, 0.161f, 27}};
    float table[4 * COLOR_MAP_ENTRIES];
    for (int end = 0; end < 4; end++) {
        float lab[3];
        color_map_table(end < 2 ? COLOR_MAP_SEQUENTIAL : COLOR_MAP_DIVERGING, table);
        color_map_oklab(table + (end % 2 == 0 ? 0 : 4 * (COLOR_MAP_ENTRIES - 1)), lab);
        float hue = atan2f(lab[2], lab[1]) * 57.29578f;
        assert_float_equal(lab[0], ends[end][0], 1e-3f);
        assert_float_equal(hypotf(lab[1], lab[2]), ends[end][1], 1e-3f);
        assert_float_equal(hue < 0 ? hue + 360 : hue, ends[end][2], 0.5f);
    }
    color_map_table(COLOR_MAP_DIVERGING, table);
    assert_true(table[4 * 127] > 0.93f && table[4 * 127 + 2] > 0.93f);
    assert_true(table[2] > table[0] + 0.3f);                 /* blue */
    assert_true(table[4 * 255] > table[4 * 255 + 2] + 0.3f); /* red */
}

/* A slice in clear air shows its colours unchanged, at its position. */
static void test_shown_in_its_colors(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], drawn[BYTES];
    const float a[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0, 0, 0};
    Smoke smoke = linear_flow(a, b);
    RenderSettings settings = test_settings();
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 4, 0, 0, 30};
    RenderFrame frame = test_frame();
    FieldSlice slice = slice_of(&smoke.view, FIELD_SPEED, 2, 0.5f);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, plain);
    frame.slice = (RenderSlice){.field = &slice, .high = 1, .veil = 0.3f};
    settings.exposure = 4; /* which is not for numbers */
    draw(renderer, &settings, &frame, drawn);
    float table[4 * COLOR_MAP_ENTRIES];
    color_map_table(COLOR_MAP_SEQUENTIAL, table);
    float half = HEIGHT / 2 / (4 * tanf(15 * 3.14159265f / 180)); /* pixels per metre */
    for (int x = 0; x < WIDTH; x++) {
        float at = ((float)x + 0.5f - WIDTH / 2) / half + 0.5f;
        const uint8_t *pixel_here = pixel(drawn, x, HEIGHT / 2);
        for (int c = 0; c < 3 && at > 0.05f && at < 0.95f; c++) {
            float wanted = 255 * table[4 * (int)(at * 255 + 0.5f) + c];
            if (fabsf((float)pixel_here[c] - wanted) > 3)
                fail_msg("column %d, channel %d: %d, not %g", x, c, pixel_here[c], (double)wanted);
        }
    }
    settings.exposure = test_settings().exposure;
    frame.slice.field = NULL;
    draw(renderer, &settings, &frame, drawn);
    assert_memory_equal(plain, drawn, BYTES);
    smoke_destroy(&smoke);
}

/* Pixels at the slice's rim are covered in part: whatever the place of the rim within a pixel, the
 * covered shares of a row add up to the slice's width. */
static void test_rim_is_antialiased(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], drawn[BYTES];
    const float a[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {1, 0, 0};
    Smoke smoke = linear_flow(a, b);
    RenderSettings settings = test_settings();
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 4, 0, 0, 30};
    RenderFrame frame = test_frame();
    FieldSlice slice = slice_of(&smoke.view, FIELD_SPEED, 2, 0.5f);
    upload(renderer, &smoke, &settings);
    float width = HEIGHT / 2 / (4 * tanf(15 * 3.14159265f / 180));
    for (int shift = 0; shift < 5; shift++) {
        settings.camera.target[0] = 0.5f + 0.2f * (float)shift / width;
        frame.slice = (RenderSlice){.field = NULL};
        draw(renderer, &settings, &frame, plain);
        frame.slice = (RenderSlice){.field = &slice, .high = 1e3f}; /* dark */
        draw(renderer, &settings, &frame, drawn);
        const int bare = pixel(plain, WIDTH / 2, HEIGHT / 2)[0];
        const int whole = pixel(drawn, WIDTH / 2, HEIGHT / 2)[0];
        float covered = 0;
        if (abs(whole - bare) < 100)
            fail_msg("the slice is %d, behind it is %d", whole, bare);
        for (int x = 0; x < WIDTH; x++)
            covered += (float)(pixel(drawn, x, HEIGHT / 2)[0] - pixel(plain, x, HEIGHT / 2)[0]) /
                       (float)(whole - bare);
        if (!(fabsf(covered - width) < 0.1f))
            fail_msg("a slice %g pixels wide covers %g pixels", (double)width, (double)covered);
    }
    smoke_destroy(&smoke);
}

/* Smoke in front hides it as far as it is asked to; smoke behind does not. */
static void test_veil(void **state)
{
    (void)state;
    static uint8_t pixels[3][BYTES], smoky[BYTES];
    const float a[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0.5f, 0, 0};
    Smoke smoke = linear_flow(a, b);
    for (int k = EDGE / 2 + 2; k < EDGE; k++)
        for (int at = 0; at < ROOM * ROOM; at++)
            smoke.density[at + ROOM * ROOM * k] = 1;
    RenderSettings settings = test_settings();
    settings.camera.elevation = 0;
    settings.smoke.extinction = 100;
    RenderFrame frame = test_frame();
    FieldSlice slice = slice_of(&smoke.view, FIELD_SPEED, 2, 0.5f);
    upload(renderer, &smoke, &settings);
    for (int side = 0; side < 2; side++) { /* the smoke in front, and behind */
        settings.camera.azimuth = side == 0 ? 0 : 180;
        frame.slice.field = NULL;
        draw(renderer, &settings, &frame, smoky);
        for (int veil = 0; veil < 3; veil++) {
            frame.slice = (RenderSlice){&slice, 0, 1, 0, 0.5f * (float)veil};
            draw(renderer, &settings, &frame, pixels[veil]);
        }
        int at = 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        for (int c = 0; c < 3; c++) {
            int bare = pixels[0][at + c], smoke_there = smoky[at + c];
            if (side == 0) {
                assert_in_range(abs(pixels[2][at + c] - smoke_there), 0, 1);
                assert_in_range(abs(2 * pixels[1][at + c] - bare - smoke_there), 0, 3);
            } else {
                assert_int_equal(pixels[1][at + c], bare);
                assert_int_equal(pixels[2][at + c], bare);
            }
        }
    }
    smoke_destroy(&smoke);
}

/* Thin smoke in front shows the slice by its transmittance. */
static void test_veil_is_the_transmittance(void **state)
{
    (void)state;
    static uint8_t bare[BYTES], veiled[BYTES], smoky[BYTES];
    const float a[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0.5f, 0, 0};
    Smoke smoke = linear_flow(a, b);
    for (int k = EDGE / 2; k < EDGE; k++)
        for (int at = 0; at < ROOM * ROOM; at++)
            smoke.density[at + ROOM * ROOM * k] = 1;
    RenderSettings settings = test_settings();
    settings.camera.azimuth = settings.camera.elevation = 0;
    settings.smoke.extinction = 1.5f;
    RenderFrame frame = test_frame();
    FieldSlice slice = slice_of(&smoke.view, FIELD_SPEED, 2, 0.3f);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, smoky);
    frame.slice = (RenderSlice){&slice, 0, 1, 0, 0};
    draw(renderer, &settings, &frame, bare);
    frame.slice.veil = 1;
    draw(renderer, &settings, &frame, veiled);
    double passes = exp(-1.5 * 0.5);
    int at = 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2), seen = 0;
    for (int c = 0; c < 3; c++) {
        double wanted = smoky[at + c] + passes * (bare[at + c] - smoky[at + c]);
        seen += abs(bare[at + c] - smoky[at + c]) > 40;
        if (!(fabs(veiled[at + c] - wanted) < 3))
            fail_msg("channel %d: %d, not %g", c, veiled[at + c], wanted);
    }
    assert_true(seen > 0);
    smoke_destroy(&smoke);
}

/* The number of contour lines, and their positions. */
static void test_contours(void **state)
{
    (void)state;
    static uint8_t plain[BYTES], drawn[BYTES];
    const float a[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0, 0, 0};
    Smoke smoke = linear_flow(a, b);
    RenderSettings settings = test_settings();
    settings.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 1.2f, 0, 0, 40};
    RenderFrame frame = test_frame();
    FieldSlice slice = slice_of(&smoke.view, FIELD_SPEED, 2, 0.5f);
    upload(renderer, &smoke, &settings);
    frame.slice = (RenderSlice){&slice, 0, 1, 0, 0};
    draw(renderer, &settings, &frame, plain);
    frame.slice.contours = 5;
    draw(renderer, &settings, &frame, drawn);
    int lines = 0;
    float half = HEIGHT / 2 / (1.2f * tanf(20 * 3.14159265f / 180));
    for (int x = 1; x < WIDTH; x++) {
        const uint8_t *with = pixel(drawn, x, HEIGHT / 2), *without = pixel(plain, x, HEIGHT / 2);
        bool line = abs(with[1] - without[1]) > 20;
        const uint8_t *last = pixel(drawn, x - 1, HEIGHT / 2);
        bool before = abs(last[1] - pixel(plain, x - 1, HEIGHT / 2)[1]) > 20;
        lines += line && !before;
        float at = 5 * (((float)x + 0.5f - WIDTH / 2) / half + 0.5f) - 0.5f;
        if (line)
            assert_true(fabsf(at - roundf(at)) * half / 5 < 1.6f);
    }
    assert_int_equal(lines, 5);
    smoke_destroy(&smoke);
}

static void test_asked(void **state)
{
    (void)state;
    BillowError error = {""};
    const float a[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0, 0, 0};
    Smoke smoke = linear_flow(a, b);
    RenderSettings settings = test_settings();
    SliceAsk ask = slice_ask_default();
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = EDGE;
    def.cell_size = 1.0f / EDGE;
    assert_true(slice_ask_settle(&ask, &def, &settings.camera, &error));
    assert_int_equal(ask.axis, 2);
    assert_true(ask.position == 0.5f);
    settings.camera.azimuth = 70;
    ask = slice_ask_default();
    assert_true(slice_ask_settle(&ask, &def, &settings.camera, &error));
    assert_int_equal(ask.axis, 0);
    settings.camera.elevation = 80;
    ask = slice_ask_default();
    assert_true(slice_ask_settle(&ask, &def, &settings.camera, &error));
    assert_int_equal(ask.axis, 1);
    ask.position = 1.01f;
    assert_false(slice_ask_settle(&ask, &def, &settings.camera, &error));
    assert_non_null(strstr(error.text, "y=1.01"));
    ask = (SliceAsk){.kind = FIELD_FLAME};
    assert_false(slice_ask_settle(&ask, &def, &settings.camera, &error));
    assert_non_null(strstr(error.text, "fire"));
    FieldSlice slice = slice_of(&smoke.view, FIELD_CURL, 2, 0.5f);
    ask = (SliceAsk){.contours = 7, .ranged = true, .low = -3, .high = 5};
    RenderSlice drawn = slice_ask_drawn(&ask, &slice);
    assert_int_equal(drawn.contours, 8);
    assert_true(drawn.low == -3 && drawn.high == 5);
    smoke_destroy(&smoke);
}

static void test_legend(void **state)
{
    (void)state;
    FieldSlice slice = {.kind = FIELD_SPEED, .axis = 1, .position = 0.25f};
    RenderSlice drawn = {.field = &slice, .low = 0, .high = 2.6f, .contours = 3};
    Legend legend = legend_for(&drawn);
    assert_string_equal(legend.title, "speed, m/s");
    assert_string_equal(legend.place, "y = 0.25 m");
    assert_string_equal(legend.text[0], "0");
    assert_string_equal(legend.text[1], "2.6");
    assert_true(legend.ticks >= 5 && legend.ticks <= 8);
    for (int tick = 0; tick < legend.ticks; tick++) {
        assert_true(fabsf(2.6f * legend.at[tick] - strtof(legend.text[tick], NULL)) < 0.01f);
        for (int other = 0; other < tick; other++)
            assert_true(fabsf(legend.at[tick] - legend.at[other]) > 0.06f);
    }
    const float ranges[][2] = {{-1e-9f, 1e-9f}, {1e6f, 1.1e6f}, {-3, 1e5f}, {0, 7e11f}};
    for (int r = 0; r < 4; r++) {
        drawn.low = ranges[r][0];
        drawn.high = ranges[r][1];
        legend = legend_for(&drawn);
        assert_true(legend.ticks >= 4 && legend.ticks <= LEGEND_TICKS_MAX);
        for (float letters = 5; letters < 40; letters += 5) { /* on a bar of 70 */
            legend_fit(&legend, 70, letters);
            assert_in_range(legend.ticks, 2, 12);
            for (int tick = 0; tick < legend.ticks; tick++)
                for (int other = 0; other < tick; other++)
                    assert_true(70 * fabsf(legend.at[tick] - legend.at[other]) > 1.2f * letters);
        }
    }
    drawn.low = 0x1p24f; /* where steps of the range are lost in its numbers */
    drawn.high = 0x1.000002p24f;
    legend = legend_for(&drawn);
    assert_in_range(legend.ticks, 2, LEGEND_TICKS_MAX);
    BillowError error = {""};
    Image image;
    assert_true(image_create(&image, 640, 360, 4, &error));
    Caption *letters = legend_letters(&image, &error);
    if (letters != NULL) { /* a build with FreeType, on a machine with fonts */
        assert_true(legend_draw(&legend, letters, &image, &error));
        int bright = 0, left = 0;
        for (int y = 0; y < 360; y++)
            for (int x = 0; x < 640; x++) {
                const uint8_t *at = image.pixels + 4 * (640 * y + x);
                bright += at[0] > 200 && at[1] > 200 && at[2] > 200 && at[3] > 200;
                left += x < 320 && at[3] != 0;
            }
        assert_true(bright > 100);
        assert_int_equal(left, 0);
    } else {
        assert_true(error.text[0] != 0);
    }
    caption_close(letters);
    image_destroy(&image);
    assert_true(image_create(&image, 64, 48, 3, &error));
    assert_null(legend_letters(&image, &error));
    assert_non_null(strstr(error.text, "64x48"));
    image_destroy(&image);
}

/* Values that differ by rounding alone still make a range, and a legend that ends. */
static void test_nearly_equal_values(void **state)
{
    (void)state;
    const float lows[] = {1, -1, 0, 293, 3e7f, -4e8f, 1e-38f};
    for (int kind = 0; kind < FIELD_KINDS; kind++)
        for (size_t i = 0; i < sizeof lows / sizeof *lows; i++) {
            FieldSlice slice = {.kind = (FieldKind)kind, .low = lows[i]};
            slice.high = nextafterf(lows[i], INFINITY);
            float range[2];
            field_slice_range(&slice, range);
            float size = fmaxf(fabsf(range[0]), fabsf(range[1]));
            assert_true(range[1] - range[0] > 5e-6f * size);
            const RenderSlice drawn = {.field = &slice, .low = range[0], .high = range[1]};
            assert_in_range(legend_for(&drawn).ticks, 2, LEGEND_TICKS_MAX);
        }
}

/* Seen from its edge a plane is nowhere: not on its vanishing line, either. */
static void test_no_line_at_the_horizon(void **state)
{
    (void)state;
    static uint8_t with[BYTES], without[BYTES];
    Smoke smoke = smoke_ball(24, 24, 24);
    static float zeros[24 * 24];
    FieldSlice slice = {
        .kind = FIELD_DENSITY, .axis = 1, .position = 0.3f, .values = zeros, .n = {24, 24}};
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    settings.camera.elevation = 6;
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, without);
    frame.slice = (RenderSlice){.field = &slice, .low = -1, .high = 1, .veil = 0};
    draw(renderer, &settings, &frame, with);
    int channels = BYTES / (WIDTH * HEIGHT), edges = 0, middle = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *a = with + channels * (y * WIDTH + x);
            const uint8_t *b = without + channels * (y * WIDTH + x);
            bool differs = memcmp(a, b, (size_t)channels) != 0;
            edges += differs && (x == 0 || x == WIDTH - 1);
            middle += differs;
        }
    assert_int_equal(edges, 0);
    assert_true(middle > 20);
    /* Just below the height of the camera, where one pixel spans it from front to back. */
    settings.camera.elevation = 0;
    slice.position = settings.camera.target[1] - 0.02f;
    draw(renderer, &settings, &frame, with);
    frame.slice.field = NULL;
    draw(renderer, &settings, &frame, without);
    assert_memory_equal(with, without, BYTES);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_pressure_holds_warm_air),
        cmocka_unit_test(test_solids_are_left_out_of_the_range),
        cmocka_unit_test(test_color_maps),
        cmocka_unit_test(test_shown_in_its_colors),
        cmocka_unit_test(test_rim_is_antialiased),
        cmocka_unit_test(test_veil),
        cmocka_unit_test(test_veil_is_the_transmittance),
        cmocka_unit_test(test_contours),
        cmocka_unit_test(test_asked),
        cmocka_unit_test(test_legend),
        cmocka_unit_test(test_nearly_equal_values),
        cmocka_unit_test(test_no_line_at_the_horizon),
    };
    return cmocka_run_group_tests_name("slice", tests, open_renderer, close_renderer);
}
