/* SPDX-License-Identifier: MIT
 * What the CPU computes for the renderer: light volume, bricks, phase function, blackbody, ground.
 * */
#include "base/render_settings.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/light/ambient.h"
#include "render/light/blackbody.h"
#include "render/light/bricks.h"
#include "render/light/lamp_volume.h"
#include "render/light/light_noise.h"
#include "render/light/light_volume.h"
#include "render/light/lighting.h"
#include "smoke_fixture.h"

/* The phase function in the shader's own text, compiled as C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#define sqrt sqrtf
#include "../shaders/phase.glsl"
#undef sqrt
#pragma GCC diagnostic pop

/* Every brick within so many cells of a cell holds it. */
static void check_bricks(const Smoke *smoke, const Bricks *bricks, int within)
{
    for (int k = 0; k < 33; k++)
        for (int j = 0; j < 27; j++)
            for (int i = 0; i < 19; i++)
                for (int d = 0; d < 27; d++) {
                    int x = i + (d % 3 - 1) * within, y = j + (d / 3 % 3 - 1) * within,
                        z = k + (d / 9 - 1) * within;
                    if (x < 0 || y < 0 || z < 0 || x >= 24 || y >= 32 || z >= 40)
                        continue;
                    float most = bricks->density[x / 8 + 3 * (y / 8 + 4 * (z / 8))];
                    assert_true(smoke->density[i + 19 * (j + 27 * k)] <= most);
                }
}

static void test_bricks_hold_their_cells(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(19, 27, 33);
    Bricks bricks = {0};
    BillowError error;
    for (bricks.margin = 0; bricks.margin < 2; bricks.margin++) {
        assert_true(bricks_build(&bricks, &smoke.view, 0, &error));
        assert_int_equal(bricks.n[0], 3);
        assert_int_equal(bricks.n[1], 4);
        assert_int_equal(bricks.n[2], 5);
        check_bricks(&smoke, &bricks, 1 + bricks.margin);
    }
    float low[3], high[3];
    const int cells[3] = {19, 27, 33};
    assert_true(bricks_bounds(&bricks, 0, cells, low, high));
    assert_true(high[0] <= 19 && high[1] <= 27 && high[2] <= 33);
    assert_false(bricks_bounds(&bricks, 2, cells, low, high));
    bricks_destroy(&bricks);
    smoke_destroy(&smoke);
}

static float sample(const Smoke *smoke, const float at[3])
{
    const int n[3] = {smoke->view.nx, smoke->view.ny, smoke->view.nz};
    int base[3];
    float part[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        float cells = at[a] / smoke->view.cell_size;
        if (cells < 0 || cells > (float)n[a])
            return 0;
        base[a] = (int)floorf(cells - 0.5f);
        part[a] = cells - 0.5f - (float)base[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        ptrdiff_t index = 0, stride = 1;
        float weight = 1;
        for (int a = 0; a < 3; a++) {
            int up = corner >> a & 1, i = base[a] + up;
            i = i < 0 ? 0 : i >= n[a] ? n[a] - 1 : i;
            weight *= up ? part[a] : 1 - part[a];
            index += stride * i;
            stride *= n[a];
        }
        sum += weight * smoke->density[index];
    }
    return sum;
}

static float march_transmittance(const Smoke *smoke, const float from[3], const float to[3],
                                 float extinction)
{
    float step = 0.2f * smoke->view.cell_size, depth = 0;
    for (int i = 0; i < 2000; i++) {
        float at[3], t = ((float)i + 0.5f) * step;
        for (int a = 0; a < 3; a++)
            at[a] = from[a] + t * to[a];
        depth += extinction * step * sample(smoke, at);
    }
    return expf(-depth);
}

static void check_light(const Smoke *smoke, int reduction, float azimuth, float elevation)
{
    LightVolume light = {0};
    BillowError error;
    float sun[3], up[3] = {0, 1, 0};
    render_direction(azimuth, elevation, sun);
    assert_true(light_volume_gather(&light, &smoke->view, reduction, &error));
    light_volume_compute(&light, sun, 8);
    double sum = 0, most = 0, most_sky = 0;
    int count = 0;
    for (int k = 0; k < light.n[2]; k += 3)
        for (int j = 0; j < light.n[1]; j += 3)
            for (int i = 0; i < light.n[0]; i += 3, count++) {
                float at[3] = {((float)i + 0.5f) * light.spacing, ((float)j + 0.5f) * light.spacing,
                               ((float)k + 0.5f) * light.spacing};
                float got = light.depth[i + light.n[0] * (j + light.n[1] * k)];
                double to_sun = fabs((double)(expf(-got) - march_transmittance(smoke, at, sun, 8)));
                sum += to_sun * to_sun;
                most = fmax(most, to_sun);
                if (j > 0)
                    continue;
                got = light.sky[i + light.n[0] * k];
                most_sky = fmax(most_sky,
                                fabs((double)(expf(-got) - march_transmittance(smoke, at, up, 8))));
            }
    /* Interpolating from plane to plane blurs oblique light the more the farther it goes. */
    double mean = sqrt(sum / count);
    if (mean > 0.015 || most > 0.1 || most_sky > 0.01)
        fail_msg("sun at %g, %g: off by %g in the mean and %g at most, sky by %g", (double)azimuth,
                 (double)elevation, mean, most, most_sky);
    light_volume_destroy(&light);
}

/* Smoother than smoke_ball, for comparisons that blur must not decide. */
static Smoke smoke_puff(int nx, int ny, int nz)
{
    Smoke smoke = smoke_create(nx, ny, nz);
    float h = smoke.view.cell_size, *out = smoke.density;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                float x = ((float)i + 0.5f) * h - 0.45f, y = ((float)j + 0.5f) * h - 0.4f,
                      z = ((float)k + 0.5f) * h - 0.4f;
                *out++ = expf(-(x * x + 1.5f * y * y + z * z) / (2 * 0.15f * 0.15f));
            }
    return smoke;
}

static void test_light_volume(void **state)
{
    (void)state;
    static const float suns[][2] = {{0, 0},    {0, 90},  {0, 50},   {90, 20},  {-90, 10},
                                    {180, 35}, {37, 60}, {70, 30},  {130, 30}, {200, 25},
                                    {300, 10}, {45, 0},  {30, -40}, {0, -90},  {250, 44}};
    Smoke even = smoke_puff(64, 72, 68), odd = smoke_puff(57, 49, 61);
#ifdef BILLOW_SANITIZED
    const size_t step = 5;
#else
    const size_t step = 1;
#endif
    for (size_t i = 0; i < sizeof suns / sizeof *suns; i += step) {
        int reduction = 1 + (int)(i % 2);
        check_light(&even, reduction, suns[i][0], suns[i][1]);
        check_light(&odd, reduction, suns[i][0], suns[i][1]);
        check_light(&odd, 3 - reduction, suns[i][0], suns[i][1]);
    }
    smoke_destroy(&even);
    smoke_destroy(&odd);
}

/* Transmittance between two places, by many small steps. */
static float march_between(const Smoke *smoke, const float from[3], const float to[3],
                           float extinction)
{
    enum { STEPS = 400 };
    float depth = 0, length = 0;
    for (int a = 0; a < 3; a++)
        length += (to[a] - from[a]) * (to[a] - from[a]);
    for (int i = 0; i < STEPS; i++) {
        float at[3], t = ((float)i + 0.5f) / STEPS;
        for (int a = 0; a < 3; a++)
            at[a] = from[a] + t * (to[a] - from[a]);
        depth += extinction * sqrtf(length) / STEPS * sample(smoke, at);
    }
    return expf(-depth);
}

static void check_lamp(const Smoke *smoke, int reduction, const float place[3])
{
    LightVolume light = {0};
    LampVolume lamps = {0};
    BillowError error;
    RenderSettings settings = {.smoke.extinction = 8, .lamp_count = 2};
    memcpy(settings.lamps[1].position, place, sizeof settings.lamps[1].position);
    assert_true(light_volume_gather(&light, &smoke->view, reduction, &error));
    assert_true(lamp_volume_compute(&lamps, &light, smoke->view.origin, smoke->view.cell_size,
                                    &settings, NULL, &error));
    double sum = 0, most = 0;
    int count = 0;
    for (int k = 0; k < light.n[2]; k += 3)
        for (int j = 0; j < light.n[1]; j += 3)
            for (int i = 0; i < light.n[0]; i += 3, count++) {
                const float at[3] = {((float)i + 0.5f) * light.spacing,
                                     ((float)j + 0.5f) * light.spacing,
                                     ((float)k + 0.5f) * light.spacing};
                float distance = 0;
                for (int a = 0; a < 3; a++)
                    distance += (at[a] - place[a]) * (at[a] - place[a]);
                distance = sqrtf(distance) / smoke->view.cell_size;
                float got = lamps.dimming[2 * (i + light.n[0] * (j + light.n[1] * k)) + 1];
                double off =
                    fabs((double)(expf(-got * distance) - march_between(smoke, at, place, 8)));
                sum += off * off;
                most = fmax(most, off);
            }
    double mean = sqrt(sum / count);
    if (mean > 0.015 || most > 0.1)
        fail_msg("lamp at %g, %g, %g: off by %g in the mean and %g at most", (double)place[0],
                 (double)place[1], (double)place[2], mean, most);
    lamp_volume_destroy(&lamps);
    light_volume_destroy(&light);
}

static void test_lamp_volume(void **state)
{
    (void)state;
    static const float places[][3] = {
        {0.5f, 0.5f, 0.5f},  {0.41f, 0.37f, 0.44f}, {0.02f, 0.9f, 0.3f}, {-0.3f, 0.6f, 0.4f},
        {1.7f, 2.1f, -1.3f}, {0.2f, -0.01f, 1.01f}, {0.3f, 0.3f, 0.3f},  {0.5f, 40, 0.5f}};
    Smoke smoke = smoke_puff(50, 45, 48);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        check_lamp(&smoke, 1 + (int)(p % 2), places[p]);
    smoke_destroy(&smoke);
}

/* In even smoke the mean extinction is that of the smoke, wherever the lamp is in it. */
static void test_lamp_in_even_smoke(void **state)
{
    (void)state;
    Smoke smoke = smoke_create(16, 12, 14);
    for (int i = 0; i < 16 * 12 * 14; i++)
        smoke.density[i] = 0.5f;
    LightVolume light = {0};
    LampVolume lamps = {0};
    BillowError error;
    RenderSettings settings = {.smoke.extinction = 4, .lamp_count = 1};
    const float place[3] = {0.47f, 0.3f, 0.5f / 16};
    memcpy(settings.lamps[0].position, place, sizeof place);
    assert_true(light_volume_gather(&light, &smoke.view, 1, &error));
    assert_true(lamp_volume_compute(&lamps, &light, smoke.view.origin, smoke.view.cell_size,
                                    &settings, NULL, &error));
    for (int i = 0; i < 16 * 12 * 14; i++)
        assert_true(fabsf(lamps.dimming[i] * 16 - 2) < 1e-4f);
    lamp_volume_destroy(&lamps);
    light_volume_destroy(&light);
    smoke_destroy(&smoke);
}

/* Smoke of a colour takes more of the light that it does not reflect, of lamps as well. */
static void test_lamp_in_smoke_of_a_color(void **state)
{
    (void)state;
    enum { EDGE = 12, CELLS = EDGE * EDGE * EDGE };
    static const float color[3] = {0.9f, 0.5f, 0.1f};
    static float fields[3][CELLS];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < CELLS; i++) {
        smoke.density[i] = 0.5f;
        for (int c = 0; c < 3; c++)
            fields[c][i] = 0.5f * color[c];
    }
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = fields[c];
    LightVolume light = {0};
    LampVolume lamps = {0};
    BillowError error;
    RenderSettings settings = {.smoke = {.extinction = 4, .tint_extinction = 0.8f},
                               .lamp_count = 2};
    memcpy(settings.lamps[1].position, (const float[]){0.4f, 0.3f, 0.6f}, 3 * sizeof(float));
    assert_true(light_volume_gather(&light, &smoke.view, 1, &error));
    assert_true(light_volume_gather_colors(&light, &smoke.view, &error));
    assert_true(lamp_volume_compute(&lamps, &light, smoke.view.origin, smoke.view.cell_size,
                                    &settings, NULL, &error));
    assert_int_equal(lamps.colors, 3);
    for (int c = 0; c < 3; c++) {
        float exact = 2 * (1 + 0.8f * (1 - color[c])) / EDGE;
        for (int i = 0; i < 2 * CELLS; i++)
            assert_float_equal(lamps.dimming[2 * CELLS * c + i], exact, 1e-5f);
    }
    settings.smoke.tint_extinction = 0; /* for white light again */
    assert_true(lamp_volume_compute(&lamps, &light, smoke.view.origin, smoke.view.cell_size,
                                    &settings, NULL, &error));
    assert_int_equal(lamps.colors, 1);
    assert_float_equal(lamps.dimming[CELLS], 2.0f / EDGE, 1e-5f);
    lamp_volume_destroy(&lamps);
    light_volume_destroy(&light);
    smoke_destroy(&smoke);
}

static void test_light_volume_slab(void **state)
{
    (void)state;
    Smoke smoke = smoke_create(16, 16, 16);
    for (int i = 0; i < 16 * 16 * 16; i++)
        smoke.density[i] = 0.5f;
    LightVolume light = {0};
    BillowError error;
    assert_true(light_volume_gather(&light, &smoke.view, 2, &error));
    light_volume_compute(&light, (const float[3]){0, 1, 0}, 4);
    /* The depth from the centre of half-resolution cell j to the top: (8 - j - 1/2) / 8. */
    for (int j = 0; j < 8; j++) {
        float wanted = expf(-4 * 0.5f * (7.5f - (float)j) / 8);
        assert_true(fabsf(expf(-light.depth[3 + 8 * (j + 8 * 5)]) - wanted) < 1e-5f);
    }
    float map[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
    light_volume_ground(&light, NULL, map);
    float middle = map[LIGHT_VOLUME_GROUND / 2 * (LIGHT_VOLUME_GROUND + 1)];
    assert_true(fabsf(middle - expf(-light.sky[0])) < 1e-5f);
    assert_true(fabsf(light.sky[0] - light.depth[0]) < 1e-5f); /* the sun is above */
    assert_true(map[0] == 1.0f);
    light_volume_destroy(&light);
    smoke_destroy(&smoke);
}

static void test_phase_function(void **state)
{
    (void)state;
    static const float anisotropies[] = {-0.9f, -0.5f, 0, 0.3f, 0.6f, 0.95f};
    for (size_t i = 0; i < sizeof anisotropies / sizeof *anisotropies; i++) {
        float g = anisotropies[i];
        const int count = 200000;
        double sum = 0, mean = 0;
        for (int s = 0; s < count; s++) {
            double cosine = -1 + 2 * (s + 0.5) / count;
            double share =
                (double)phase_henyey_greenstein((float)cosine, g) * 4 * 3.14159265358979 / count;
            sum += share;
            mean += share * cosine;
        }
        assert_true(fabs(sum - 1) < 2e-3);
        assert_true(fabs(mean - (double)g) < 2e-3);
    }
    assert_true(fabsf(phase_henyey_greenstein(0.4f, 0) - 0.0795775f) < 1e-6f);
    /* A quarter of the light in the backward lobe. Ahead, a lobe of mean cosine g is
     * (1 + g) / (4 pi (1 - g)^2). */
    float wanted = (0.75f * 1.5f / 0.25f + 0.25f * 0.8f / 1.44f) * 0.0795775f;
    assert_true(fabsf(phase_two_lobes(1, 0.5f, -0.2f, 0.25f) / wanted - 1) < 1e-5f);
}

static void test_blackbody(void **state)
{
    (void)state;
    /* Chromaticities of the Planckian locus. */
    static const double known[][3] = {{2000, 0.527, 0.413},
                                      {3000, 0.437, 0.404},
                                      {4000, 0.381, 0.377},
                                      {5000, 0.345, 0.352},
                                      {6500, 0.3135, 0.3237}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double xyz[3];
        blackbody_xyz(known[i][0], xyz);
        double sum = xyz[0] + xyz[1] + xyz[2];
        assert_true(fabs(xyz[0] / sum - known[i][1]) < 0.004);
        assert_true(fabs(xyz[1] / sum - known[i][2]) < 0.004);
    }
    float table[4 * BLACKBODY_ENTRIES];
    blackbody_table((BlackbodyScale){1500, 1}, table);
    assert_true(table[0] == 0 && table[1] == 0 && table[2] == 0);
    for (int i = 1; i < BLACKBODY_ENTRIES; i++)
        assert_true(table[4 * i] >= table[4 * i - 4]);
    for (float kelvin = 1000; kelvin < 4000; kelvin += 250) { /* 1 is the luminance at 1500 K */
        float rgb[3];
        double xyz[3], reference[3];
        blackbody_color(kelvin, (BlackbodyScale){1500, 1}, rgb);
        blackbody_xyz((double)kelvin, xyz);
        blackbody_xyz(1500, reference);
        double luminance =
            0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] + 0.0722 * (double)rgb[2];
        assert_true(fabs(luminance / (xyz[1] / reference[1]) - 1) < 1e-5);
    }
}

/* A floor through the middle of a layer of cells, lit from above: that layer is lit, and lets half
 * of the light pass. */
static void test_lit_cells_do_not_shade_themselves(void **state)
{
    (void)state;
    enum { EDGE = 12, FLOOR = 5 };
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    const float nowhere[3] = {9, 9, 9}, up[3] = {0, 1, 0};
    float *solid = smoke_solid_ball(&smoke, nowhere, 0.1f);
    for (int k = 0; k <= EDGE; k++)
        for (int j = 0; j <= EDGE; j++)
            for (int i = 0; i <= EDGE; i++)
                solid[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                    (float)j - FLOOR - 0.5f;
    SolidLight light = {0};
    BillowError error;
    assert_true(solid_light_gather(&light, &smoke.view, &error));
    assert_int_equal(light.reduction, 1);
    solid_light_compute(&light, up);
    for (int j = 0; j < EDGE; j++) {
        float wanted = j >= FLOOR ? 1 : j == FLOOR - 1 ? 0.5f : 0;
        float seen = light.visibility[2 * (4 + EDGE * (j + EDGE * 7))];
        assert_true(fabsf(seen - wanted) < 1e-5f);
    }
    solid_light_destroy(&light);
    free(solid);
    smoke_destroy(&smoke);
}

/* The edge of a large box, along the middles of cells, fills a quarter of each. */
static void test_an_edge_fills_a_quarter(void **state)
{
    (void)state;
    enum { EDGE = 8, MIDDLE = 3 };
    const float nowhere[3] = {9, 9, 9};
    Smoke smoke = smoke_with_room(EDGE, EDGE, EDGE);
    float *solid = smoke_solid_ball(&smoke, nowhere, 0.1f);
    SolidLight light = {0};
    BillowError error;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k <= EDGE; k++)
            for (int j = 0; j <= EDGE; j++)
                for (int i = 0; i <= EDGE; i++) {
                    const int at[3] = {i, j, k};
                    float u = (float)at[(axis + 1) % 3] - MIDDLE - 0.5f;
                    float v = (float)at[(axis + 2) % 3] - MIDDLE - 0.5f;
                    solid[i + j * smoke.view.stride_y + k * smoke.view.stride_z] =
                        u > 0 && v > 0 ? hypotf(u, v) : fmaxf(u, v);
                }
        int cell[3] = {MIDDLE, MIDDLE, MIDDLE};
        cell[axis] = 5;
        assert_true(solid_light_gather(&light, &smoke.view, &error));
        assert_float_equal(light.opacity[cell[0] + EDGE * (cell[1] + EDGE * cell[2])], 0.25f,
                           0.06f);
    }
    solid_light_destroy(&light);
    free(solid);
    smoke_destroy(&smoke);
}

/* A small glowing lump at the height y lights the ground by I y / r^3; its width, s, adds s^2 to
 * r^2. */
static void test_ground_is_lit_by_a_lump(void **state)
{
    (void)state;
    enum { EDGE = 8, CELLS = EDGE * EDGE * EDGE };
    const int cells[3] = {EDGE, EDGE, EDGE}, at[3] = {5, 2, 3};
    const float size[3] = {1, 1, 1};
    static float glow[3 * CELLS], map[4 * GROUND_GLOW * GROUND_GLOW];
    Ambient ambient = {0};
    BillowError error = {""};
    assert_true(ambient_resize(&ambient, cells, 1.0f / EDGE, 1, 1, false, &error));
    int own = at[0] + EDGE * (at[1] + EDGE * at[2]);
    for (int i = 0; i < CELLS; i++) {
        float thick = i == own ? 0.01f : 0;
        ambient_set(&ambient, i, &(AmbientCell){.thickness = {thick, thick, thick}});
    }
    glow[3 * own] = 2;
    assert_true(ground_glow_map(&ambient, size, glow, 3, 1, map));
    double intensity = 0;
    for (int texel = 0; texel < GROUND_GLOW * GROUND_GLOW; texel++) {
        double place[3] = {0}, square = pow(0.3 / EDGE, 2);
        for (int axis = 0; axis < 3; axis += 2) {
            int row = axis == 0 ? texel % GROUND_GLOW : texel / GROUND_GLOW;
            double u = (row + 0.5) / GROUND_GLOW - 0.5;
            place[axis] = 0.5 + u / (1 - 2 * fabs(u));
        }
        for (int axis = 0; axis < 3; axis++)
            square += pow((at[axis] + 0.5) / EDGE - place[axis], 2);
        double own_light = (double)map[4 * texel] * pow(square, 1.5) * EDGE / (at[1] + 0.5);
        intensity = texel == 0 ? own_light : intensity;
        assert_true(own_light > 0 && fabs(own_light / intensity - 1) < 1e-3);
    }
    ambient_destroy(&ambient);
}

/* No line of the tile stands out as a whole, and yet it is not blank. */
static void test_solids_shade(void **state)
{
    (void)state;
    static const int sizes[] = {32, 96}; /* at the grid's resolution, and at half of it */
    for (int s = 0; s < 2; s++) {
        int n = sizes[s];
        Smoke smoke = smoke_with_room(n, n, n);
        const float center[3] = {0.5f, 0.55f, 0.5f};
        float *solid = smoke_solid_ball(&smoke, center, 0.2f);
        SolidLight light = {0};
        BillowError error;
        assert_true(solid_light_gather(&light, &smoke.view, &error));
        assert_int_equal(light.reduction, s + 1);
        float sun[3];
        render_direction(70, 35, sun);
        solid_light_compute(&light, sun);
        float rim = SOLID_LIGHT_RIM / (float)n;
        double volume = 0;
        for (int a = 0; a < 3; a++) {
            assert_true(light.low[a] / (float)n <= fmaxf(center[a] - 0.2f - rim, 0) + 1e-5f);
            assert_true(light.low[a] / (float)n >= center[a] - 0.2f - rim - 3.0f / (float)n);
            assert_true(light.high[a] / (float)n >= fminf(center[a] + 0.2f + rim, 1) - 1e-5f);
        }
        for (int i = 0; i < light.n[0] * light.n[1] * light.n[2]; i++)
            volume += (double)light.opacity[i] / pow(light.n[0], 3);
        assert_true(fabs(volume / (4.0 / 3 * 3.14159265 * 0.008) - 1) < 0.02);
        for (int k = 0; k < light.n[2]; k++)
            for (int j = 0; j < light.n[1]; j++)
                for (int i = 0; i < light.n[0]; i++) {
                    const int cell[3] = {i, j, k};
                    float from[3], along = 0, square = 0;
                    for (int a = 0; a < 3; a++) {
                        from[a] = ((float)cell[a] + 0.5f) / (float)light.n[a] - center[a];
                        along -= from[a] * sun[a];
                        square += from[a] * from[a];
                    }
                    float miss = sqrtf(fmaxf(square - along * along, 0));
                    const float *seen =
                        light.visibility + 2 * (i + light.n[0] * (j + light.n[1] * k));
                    assert_true(seen[0] >= 0 && seen[0] <= 1.0001f);
                    assert_true(seen[1] >= 0 && seen[1] <= 1.0001f);
                    if (square < 0.24f * 0.24f)
                        continue;
                    /* The edge is soft: wholly dark and wholly lit off it only. */
                    if (along > 0 && miss < 0.1f)
                        assert_true(seen[0] < 0.05f);
                    if (along < 0 || miss > 0.32f)
                        assert_true(seen[0] > 0.97f);
                    if (from[1] > 0.2f)
                        assert_true(seen[1] > 0.97f);
                }
        assert_true(solid_light_floor(&light, 0.5f, 0.5f) < 0.85f);
        assert_true(solid_light_floor(&light, 0.5f, 0.5f) > 0.3f);
        assert_true(solid_light_floor(&light, 0.01f, 0.01f) > 0.97f);
        solid_light_destroy(&light);
        smoke_destroy(&smoke);
        free(solid);
    }
}

static void test_ground_has_no_stripes(void **state)
{
    (void)state;
    const int edge = GROUND_NOISE_EDGE;
    float *values = malloc((size_t)edge * (size_t)edge * sizeof *values);
    assert_non_null(values);
    ground_noise_fill(values);
    double squares = 0;
    for (int line = 0; line < edge; line++) {
        double row = 0, column = 0;
        for (int i = 0; i < edge; i++) {
            double value = (double)values[line * edge + i];
            assert_true(fabs(value) < 1.2);
            row += value;
            column += (double)values[i * edge + line];
            squares += value * value;
        }
        assert_true(fabs(row / edge) < 1e-5 && fabs(column / edge) < 1e-5);
    }
    assert_true(sqrt(squares) / edge > 0.1);
    free(values);
}

/* Every rank once; hardly any power in waves longer than five pixels, where white noise has 1. */
static void test_blue_noise(void **state)
{
    (void)state;
    enum { EDGE = BLUE_NOISE_EDGE, CELLS = EDGE * EDGE };
    static float values[CELLS];
    static bool seen[CELLS];
    BillowError error = {""};
    assert_true(blue_noise_fill(values, &error));
    for (int i = 0; i < CELLS; i++) {
        int rank = (int)(values[i] * CELLS);
        assert_in_range(rank, 0, CELLS - 1);
        assert_false(seen[rank]);
        seen[rank] = true;
    }
    const double turn = 2 * 3.14159265358979 / EDGE;
    double worst = 0;
    for (int v = 0; v <= EDGE / 5; v++)
        for (int u = -EDGE / 5; u <= EDGE / 5; u++) {
            double even = 0, odd = 0;
            if (u * u + v * v == 0 || u * u + v * v > EDGE * EDGE / 25)
                continue;
            for (int i = 0; i < CELLS; i++) {
                double phase = turn * (u * (i % EDGE) + v * (i / EDGE));
                even += ((double)values[i] - 0.5) * cos(phase);
                odd += ((double)values[i] - 0.5) * sin(phase);
            }
            worst = fmax(worst, (even * even + odd * odd) * 12 / CELLS);
        }
    print_message("blue noise: power of long waves %.3f of white noise's at most\n", worst);
    assert_true(worst < 0.15);
    assert_true(blue_noise_shift(0) <= 0 && blue_noise_shift(1) > 0.5f);
}

/* A sky that is brighter than the ground. */
static const Surroundings two_halves = {
    .zenith = {1.2f, 1.2f, 1.2f}, .horizon = {1.5f, 1.5f, 1.5f}, .ground = {0.8f, 0.8f, 0.8f}};

/* J in the middle of the lowest layer, over a ground of albedo 0.6, under smoke of optical
 * thickness `thick` a cell in the upper half of the box. sunlit: share of the sun's light on the
 * ground. */
static float light_over_ground(float thick, float sunlit)
{
    enum { EDGE = 16 };
    const int cells[3] = {EDGE, EDGE, EDGE};
    Surroundings around = {.zenith = {1, 1, 1}, .horizon = {2, 2, 2}};
    Ambient ambient = {0};
    BillowError error = {""};
    for (int c = 0; c < 3; c++) {
        around.ground_albedo[c] = 0.6f;
        around.ground_sun[c] = 1.5f;
        around.ground[c] = 1.5f + 0.6f * (0.9454f * 1 + 0.0546f * 2);
    }
    assert_true(ambient_resize(&ambient, cells, 0.1f, 1, 1, true, &error));
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        float tau = i / EDGE % EDGE >= EDGE / 2 ? thick : 0;
        ambient_set(&ambient, i, &(AmbientCell){.thickness = {tau, tau, tau}});
    }
    for (int k = 0; k < EDGE; k++)
        for (int i = 0; i < EDGE; i++)
            ambient_set_sunlit(&ambient, i, k, (const float[3]){sunlit, sunlit, sunlit});
    ambient_solve(&ambient, &around, 50, 1e-4);
    float mean = ambient.mean[4 * (EDGE / 2 + EDGE * EDGE * (EDGE / 2))];
    ambient_destroy(&ambient);
    return mean;
}

/* Below clear air the ground is as bright as far from the box. Smoke takes the sun's light from it,
 * and the light of the sky: from the middle, half of the sphere above and what is reflected. */
static void test_smoke_shades_the_ground(void **state)
{
    (void)state;
    double clear = 0.5 * (0.834 * 1 + 0.166 * 2) + 0.5 * (1.5 + 0.6 * 1.0546);
    assert_true(fabs((double)light_over_ground(0, 1) / clear - 1) < 0.02);
    double dark = (double)light_over_ground(0, 0), black = (double)light_over_ground(5, 0);
    print_message("J over the ground: clear %.3f, without the sun %.3f, below smoke %.3f\n", clear,
                  dark, black);
    assert_true(dark < clear - 0.5 * 1.5 * 0.6 && dark > clear - 0.5 * 1.5 * 1.02);
    assert_true(black < 0.7 * dark);
}

/* Where there is no smoke, J is the mean radiance over the sphere: that of the sky's horizon, which
 * falls as exp(-6 up), is (1 - exp(-6)) / 12 of it. The light that crosses a face is right as well.
 */
static void test_sky_is_averaged(void **state)
{
    (void)state;
    const int cells[3] = {4, 5, 6};
    const Surroundings skies[3] = {
        {.zenith = {1, 0, 0}}, {.horizon = {1, 0, 0}}, {.ground = {1, 0, 0}}};
    const double horizon = (1 - exp(-6)) / 12, shares[3] = {0.5 - horizon, horizon, 0.5};
    BillowError error = {""};
    for (int sky = 0; sky < 3; sky++) {
        Ambient ambient = {0};
        assert_true(ambient_resize(&ambient, cells, 0.1f, 1, 1, false, &error));
        for (int i = 0; i < 4 * 5 * 6; i++)
            ambient_set(&ambient, i, &(AmbientCell){.thickness = {0}});
        ambient_sweep(&ambient, &skies[sky], 1, 0);
        for (int i = 0; i < 4 * 5 * 6; i++)
            assert_float_equal(ambient.mean[4 * i], (float)shares[sky], 2e-3f);
        ambient_destroy(&ambient);
    }
}

/* The caller destroys and frees it. */
static Lighting *light_smoke(const Smoke *smoke, const RenderSettings *settings,
                             LightingEffort effort)
{
    Lighting *lighting = calloc(1, sizeof *lighting);
    BillowError error = {""};
    bool changed;
    assert_non_null(lighting);
    if (!lighting_gather(lighting, &smoke->view, settings, effort, &error) ||
        !lighting_compute(lighting, settings, NULL, &changed, &error))
        fail_msg("%s", error.text);
    return lighting;
}

/* Thin smoke dims nothing. With the albedo a and the share f of scattering ahead, a cell emits
 * a (1 - f) / (1 - a f) of the irradiance over 4 pi, by the sun and by a lamp: I / r^2. */
static void test_thin_smoke_scatters_once(void **state)
{
    (void)state;
    enum { EDGE = 8 };
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = 1;
    const float albedo = 0.8f, place[3] = {0.3f, 1.4f, 0.2f};
    RenderSettings settings = {.sun = {60, 40, 12, {1, 0.5f, 0.25f}},
                               .lamps = {{.position = {place[0], place[1], place[2]},
                                          .color = {0.5f, 1, 2},
                                          .intensity = 6}},
                               .lamp_count = 1,
                               .smoke = {.extinction = 1e-4f,
                                         .albedo = {albedo, albedo, albedo},
                                         .anisotropy = 0.5f,
                                         .extinction_color = {1, 1, 1},
                                         .glow_kelvin = 1500,
                                         .glow_range = 1}};
    float ahead = lighting_optics(&settings.smoke).ahead;
    assert_true(ahead > 0.4f && ahead <= 0.5f);
    Lighting *lighting = light_smoke(&smoke, &settings, (LightingEffort){1, LIGHT_LIVE, NULL});
    const Ambient *ambient = &lighting->ambient;
    double scatters = (double)(albedo * (1 - ahead) / (1 - albedo * ahead));
    for (int cell = 0; cell < EDGE * EDGE * EDGE; cell++) {
        const int at[3] = {cell % EDGE, cell / EDGE % EDGE, cell / EDGE / EDGE};
        double square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += pow((at[axis] + 0.5) / EDGE - (double)place[axis], 2);
        for (int c = 0; c < 3; c++) {
            double lit = 12 * (double)settings.sun.color[c] +
                         6 * (double)settings.lamps[0].color[c] / square;
            double wanted = scatters * lit / (4 * 3.14159265358979);
            assert_true(fabs((double)ambient->albedo[4 * cell + c] / scatters - 1) < 1e-4);
            if (!(fabs((double)ambient->source[4 * cell + c] / wanted - 1) < 2e-3))
                fail_msg("cell %d, color %d: %g, not %g", cell, c,
                         (double)ambient->source[4 * cell + c], wanted);
        }
    }
    lighting_destroy(lighting);
    free(lighting);
    smoke_destroy(&smoke);
}

/* A cell in even smoke scatters the mean of the light along its height: from the sun overhead, the
 * difference between what enters it and what leaves it, over its depth. From a lamp in its middle
 * it gets the mean of I / r^2, which is 7.65 I for an edge of 1. */
static void test_cells_scatter_their_mean(void **state)
{
    (void)state;
    enum { EDGE = 8, OWN = 3 + EDGE * (4 + EDGE * 2) };
    static const float extinctions[3] = {0.4f, 6, 24};
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = 1;
    for (int part = 0; part < 4; part++) { /* the last: a lamp */
        RenderSettings settings = {.sun = {0, 90, part < 3 ? 1 : 0, {1, 1, 1}},
                                   .lamps = {{.position = {3.5f / EDGE, 4.5f / EDGE, 2.5f / EDGE},
                                              .color = {1, 1, 1},
                                              .intensity = 1}},
                                   .lamp_count = part < 3 ? 0 : 1,
                                   .smoke = {.extinction = extinctions[part % 3],
                                             .albedo = {0.8f, 0.8f, 0.8f},
                                             .extinction_color = {1, 1, 1}}};
        Lighting *lighting = light_smoke(&smoke, &settings, (LightingEffort){1, LIGHT_LIVE, NULL});
        const Ambient *ambient = &lighting->ambient;
        double tau = (double)settings.smoke.extinction / EDGE;
        for (int j = part < 3 ? 0 : 4; j < (part < 3 ? EDGE : 5); j++) {
            double wanted =
                part < 3 ? exp(-tau * (EDGE - 1 - j)) * -expm1(-tau) / tau : 7.65 * EDGE * EDGE;
            /* The more often a cell scatters, the less it absorbs of as much light. */
            int at = 4 * (OWN + EDGE * (j - 4));
            double got = (double)(ambient->source[at] / (1 - ambient->albedo[at])) * (0.2 / 0.8) *
                         4 * 3.14159265358979;
            if (!(fabs(got / wanted - 1) < (part < 3 ? 2e-3 : 0.02)))
                fail_msg("part %d, height %d: %g, not %g", part, j, got, wanted);
        }
        lighting_destroy(lighting);
        free(lighting);
    }
    smoke_destroy(&smoke);
}

/* Temperature rises by 400 K a cell along x. A cell of the light glows like the mean of places that
 * lie a quarter of a cell from the middles of the grid's cells, divided by the similarity factor
 * 1 - a f. */
static void test_cells_glow_by_their_mean(void **state)
{
    (void)state;
    enum { EDGE = 8 };
    static float warm[EDGE * EDGE * EDGE];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        smoke.density[i] = 1;
        warm[i] = 600 + 400 * (float)(i % EDGE);
    }
    smoke.view.temperature = warm;
    const BlackbodyScale scale = {1500, 1};
    RenderSettings settings = {.smoke = {.extinction = 1e-4f,
                                         .albedo = {0.8f, 0.8f, 0.8f},
                                         .anisotropy = 0.5f,
                                         .extinction_color = {1, 1, 1},
                                         .glow = 2,
                                         .glow_kelvin = 1500,
                                         .glow_range = 1}};
    float whole = 1 / (1 - 0.8f * lighting_optics(&settings.smoke).ahead);
    Bricks bricks = {.n = {0}};
    assert_true(bricks_build(&bricks, &smoke.view, 0, NULL));
    for (int reduction = 1; reduction < 3; reduction++) {
        Lighting *lighting = light_smoke(&smoke, &settings,
                                         (LightingEffort){.reduction = reduction, .hot = &bricks});
        for (int cell = 1; cell < EDGE / reduction - 1; cell++) {
            float sum = 0;
            for (int i = reduction * cell; i < reduction * (cell + 1); i++)
                for (int side = -1; side < 2; side += 2) {
                    float color[3];
                    blackbody_color(warm[i] + (float)side * 100 + BLACKBODY_AMBIENT, scale, color);
                    sum += color[0] / (float)(2 * reduction);
                }
            float got = lighting->ambient.source[4 * cell];
            if (!(fabsf(got / (2 * whole * sum) - 1) < 0.04f))
                fail_msg("cell %d of %d: %g, not %g", cell, reduction, (double)got,
                         (double)(2 * whole * sum));
        }
        lighting_destroy(lighting);
        free(lighting);
    }
    bricks_destroy(&bricks);
    smoke_destroy(&smoke);
}

/* Beside dense smoke, a hot cell with a trace of smoke glows no brighter than its heat lets it. */
static void test_traces_glow_by_their_heat(void **state)
{
    (void)state;
    enum { EDGE = 8, COUNT = EDGE * EDGE * EDGE };
    static float warm[COUNT];
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < COUNT; i++) {
        smoke.density[i] = i % EDGE % 4 < 2 ? 1 : 1e-12f;
        warm[i] = 1500 - BLACKBODY_AMBIENT;
    }
    smoke.view.temperature = warm;
    float color[3];
    blackbody_color(1500, (BlackbodyScale){1500, 1}, color);
    RenderSettings settings = {.smoke = {.extinction = 1e-4f,
                                         .extinction_color = {1, 1, 1},
                                         .glow = 2,
                                         .glow_kelvin = 1500,
                                         .glow_range = 1}};
    Bricks bricks = {.n = {0}};
    assert_true(bricks_build(&bricks, &smoke.view, 0, NULL));
    for (int reduction = 1; reduction < 3; reduction++) {
        Lighting *lighting = light_smoke(&smoke, &settings,
                                         (LightingEffort){.reduction = reduction, .hot = &bricks});
        const int cells = COUNT / (reduction * reduction * reduction);
        for (int cell = 0; cell < cells; cell++)
            assert_true(fabsf(lighting->ambient.source[4 * cell] / (2 * color[0]) - 1) < 0.02f);
        lighting_destroy(lighting);
        free(lighting);
    }
    bricks_destroy(&bricks);
    smoke_destroy(&smoke);
}

/* Sharpened values, interpolated linearly, have the mean of a parabola between its samples, and of
 * a line up to the rim of the grid. */
static void test_sharpened_values_have_the_right_mean(void **state)
{
    (void)state;
    enum { EDGE = 8, CELLS = EDGE * EDGE * EDGE };
    const int n[3] = {EDGE, EDGE, EDGE};
    const ptrdiff_t steps[3] = {1, EDGE, EDGE * EDGE};
    static float in[CELLS], out[CELLS];
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < CELLS; i++) {
            float x = (float)(i / steps[axis] % EDGE);
            in[i] = 50 + 2 * x + 0.5f * x * x;
        }
        light_volume_sharpen(n, 1, 1.0f / 12, in, out);
        for (int x = 1; x + 2 < EDGE; x++) {
            ptrdiff_t at = x * steps[axis];
            float y = (float)x, mean = 50 + 2 * (y + 0.5f) + 0.5f * (y * y + y + 1.0f / 3);
            assert_float_equal(0.5f * (out[at] + out[at + steps[axis]]), mean, 1e-4f);
        }
        for (int i = 0; i < CELLS; i++)
            in[i] = 50 + 2 * (float)(i / steps[axis] % EDGE);
        light_volume_sharpen(n, 1, 1.0f / 12, in, out);
        /* Half a cell at the rim's value, then a whole one to the next: as much as 49 to 52. */
        assert_float_equal(0.5f * out[0] + 0.5f * (out[0] + out[steps[axis]]), 1.5f * 50.5f, 1e-4f);
    }
}

/* Between the roots of depths that grow with the square of the distance, as in smoke that begins
 * gradually, linear interpolation is exact. */
static void test_roots_of_depths_are_even(void **state)
{
    (void)state;
    float depth[8];
    LightVolume volume = {.n = {8, 1, 1}, .channels = 1, .depth = depth};
    for (int i = 0; i < 8; i++)
        depth[i] = 0.5f * (float)(i * i);
    depth[0] = -1e-6f; /* extrapolation can give this */
    light_volume_take_roots(&volume);
    assert_true(depth[0] == 0);
    for (int i = 0; i < 7; i++) {
        float root = 0.5f * (depth[i] + depth[i + 1]), place = (float)i + 0.5f;
        assert_float_equal(root * root, 0.5f * place * place, 1e-5f);
    }
}

/* In thick smoke that absorbs little, 60 extrapolated sweeps come close to all orders of
 * scattering: closer than 120 plain orders, which half sweeps add. */
static void test_extrapolated_orders_converge(void **state)
{
    (void)state;
    enum {
        EDGE = 12,
        CELLS = EDGE * EDGE * EDGE,
        MIDDLE = (EDGE / 2 * EDGE + EDGE / 2) * EDGE + 6
    };
    const int cells[3] = {EDGE, EDGE, EDGE};
    const Surroundings none = {.mapped = false};
    const AmbientCell of = {{2, 2, 2}, {0.999f, 0.999f, 0.999f}, {1, 1, 1}};
    Ambient all = {0}, fast = {0}, plain = {0};
    Ambient *const each[3] = {&all, &fast, &plain};
    BillowError error = {""};
    for (int a = 0; a < 3; a++) {
        assert_true(ambient_resize(each[a], cells, 0.1f, 1, 1, false, &error));
        ambient_darken(each[a]);
        for (int i = 0; i < CELLS; i++)
            ambient_set(each[a], i, &of);
    }
    ambient_sweep(&all, &none, 3000, 1e-7);
    ambient_sweep(&fast, &none, 60, 0);
    for (int half = 0; half < 240; half++)
        ambient_sweep_half(&plain, &none);
    const float truth = all.mean[4 * MIDDLE];
    assert_float_equal(fast.mean[4 * MIDDLE] / truth, 1, 0.01f);
    assert_true(fabsf(fast.mean[4 * MIDDLE] - truth) < fabsf(plain.mean[4 * MIDDLE] - truth));
    for (int a = 0; a < 3; a++)
        ambient_destroy(each[a]);
}

/* Half an order at a time comes to the same light as whole ones, and says when. */
static void test_half_orders_settle(void **state)
{
    (void)state;
    enum { EDGE = 12, CELLS = EDGE * EDGE * EDGE };
    const int cells[3] = {EDGE, EDGE, EDGE};
    Ambient whole = {0}, half = {0};
    Ambient *const both[2] = {&whole, &half};
    BillowError error = {""};
    for (int of = 0; of < 2; of++) {
        assert_true(ambient_resize(both[of], cells, 0.1f, 1, 1, false, &error));
        for (int i = 0; i < CELLS; i++)
            ambient_set(both[of], i,
                        &(AmbientCell){.thickness = {0.4f * (float)(i % 3)},
                                       .albedo = {0.9f, 0.8f, 0.7f},
                                       .source = {i == CELLS / 2 ? 5.0f : 0, 0, 0}});
    }
    ambient_sweep(&whole, &two_halves, 300, 1e-5);
    int count = 0;
    do
        ambient_sweep_half(&half, &two_halves);
    while (half.changed > 1e-5 && ++count < 600);
    assert_in_range(count, 10, 599);
    for (int i = 0; i < 4 * CELLS; i++)
        if (!(fabsf(whole.mean[i] - half.mean[i]) <= 2e-4f * fmaxf(1, whole.mean[i])))
            fail_msg("cell %d: %g, in halves %g", i / 4, (double)whole.mean[i],
                     (double)half.mean[i]);
    ambient_destroy(&whole);
    ambient_destroy(&half);
}

/* With equal extinction, light computed per colour equals light computed for all colours at
 * once. With unequal extinction, each colour has its own light. */
static void test_ambient_by_color(void **state)
{
    (void)state;
    enum { EDGE = 12, CELLS = EDGE * EDGE * EDGE };
    const int cells[3] = {EDGE, EDGE, EDGE};
    Ambient ways[3] = {{0}, {0}, {0}}; /* all colours as green, by colour, and differently */
    BillowError error = {""};
    for (int way = 0; way < 3; way++) {
        assert_true(ambient_resize(&ways[way], cells, 0.1f, 1, way == 0 ? 1 : 4, true, &error));
        for (int i = 0; i < CELLS; i++) {
            float thick = 0.4f * (float)(i % 3), other = way == 2 ? 0.5f : 1;
            AmbientCell of = {.thickness = {thick * other, thick, thick / other},
                              .albedo = {0.8f, 0.8f, 0.8f}};
            ambient_set(&ways[way], i, &of);
        }
        ambient_solve(&ways[way], &two_halves, 200, 1e-4);
    }
    double red = 0, blue = 0;
    for (int i = 0; i < CELLS; i++) {
        for (int c = 0; c < 3; c++)
            assert_true(fabsf(ways[0].mean[4 * i + c] - ways[1].mean[4 * i + c]) < 1e-5f);
        assert_true(fabsf(ways[0].mean[4 * i + 1] - ways[2].mean[4 * i + 1]) < 1e-3f);
        red += (double)ways[2].mean[4 * i];
        blue += (double)ways[2].mean[4 * i + 2];
    }
    assert_true(red > 1.2 * blue);
    for (int way = 0; way < 3; way++)
        ambient_destroy(&ways[way]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ambient_by_color),
        cmocka_unit_test(test_sky_is_averaged),
        cmocka_unit_test(test_smoke_shades_the_ground),
        cmocka_unit_test(test_thin_smoke_scatters_once),
        cmocka_unit_test(test_cells_scatter_their_mean),
        cmocka_unit_test(test_cells_glow_by_their_mean),
        cmocka_unit_test(test_traces_glow_by_their_heat),
        cmocka_unit_test(test_sharpened_values_have_the_right_mean),
        cmocka_unit_test(test_light_volume),
        cmocka_unit_test(test_light_volume_slab),
        cmocka_unit_test(test_lamp_volume),
        cmocka_unit_test(test_lamp_in_even_smoke),
        cmocka_unit_test(test_lamp_in_smoke_of_a_color),
        cmocka_unit_test(test_bricks_hold_their_cells),
        cmocka_unit_test(test_phase_function),
        cmocka_unit_test(test_blackbody),
        cmocka_unit_test(test_lit_cells_do_not_shade_themselves),
        cmocka_unit_test(test_an_edge_fills_a_quarter),
        cmocka_unit_test(test_ground_is_lit_by_a_lump),
        cmocka_unit_test(test_solids_shade),
        cmocka_unit_test(test_ground_has_no_stripes),
        cmocka_unit_test(test_blue_noise),
        cmocka_unit_test(test_roots_of_depths_are_even),
        cmocka_unit_test(test_extrapolated_orders_converge),
        cmocka_unit_test(test_half_orders_settle),
    };
    return cmocka_run_group_tests_name("light", tests, NULL, NULL);
}
