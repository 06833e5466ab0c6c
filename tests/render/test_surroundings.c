/* SPDX-License-Identifier: MIT
 * Surroundings: the sky against published values, panoramas against formulas, and the kinds of
 * lamps against each other. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "render/light/atmosphere.h"
#include "render/light/lighting.h"
#include "render/light/surroundings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "panorama_fixture.h"
#include "renderer_fixture.h"

#define PI 3.14159265358979

static char picture[] = "/tmp/billow-test-surroundings-XXXXXX.hdr";

static int open_all(void **state)
{
    int file = mkstemps(picture, 4);
    return file < 0 || close(file) != 0 ? -1 : open_renderer(state);
}

static int close_all(void **state)
{
    return unlink(picture) != 0 ? -1 : close_renderer(state);
}

/* -- the sky ----------------------------------------------------------------------------------- */

/* Relative air mass at an elevation in degrees (Kasten, Young, Revised optical air mass tables,
 * 1989). */
static double air_mass(double elevation)
{
    return 1 / (sin(elevation * PI / 180) + 0.50572 * pow(elevation + 6.07995, -1.6364));
}

/* Blue light meets mostly molecules, whose optical depth at 440 nm is 0.242 at sea level (Bucholtz
 * 1995: 0.2427), and the depth grows as the air mass. Haze and ozone lie lower and higher than the
 * molecules, so the comparison at low suns is to 12 %. */
static void test_sunlight_follows_the_air_mass(void **state)
{
    (void)state;
    static const double elevations[3] = {60, 10, 2};
    double overhead[3];
    atmosphere_sunlight(90, 0, overhead);
    assert_true(fabs(-log(overhead[2]) - 0.2427) < 0.12 * 0.2427);
    for (int e = 0; e < 3; e++) {
        double share[3];
        atmosphere_sunlight(elevations[e], 0, share);
        double mass = log(share[2]) / log(overhead[2]), wanted = air_mass(elevations[e]);
        if (!(fabs(mass / wanted - 1) < 0.12))
            fail_msg("%g degrees: air mass %g, not %g", elevations[e], mass, wanted);
        assert_true(share[0] > share[1] && share[1] > share[2]);
    }
    double below[3];
    atmosphere_sunlight(-2, 1, below);
    assert_true(below[0] == 0 && below[1] == 0 && below[2] == 0);
}

static double luminance_at(const float *map, int width, int height, double azimuth,
                           double elevation)
{
    int x = (int)(azimuth / 360 * width), y = (int)((elevation / 180 + 0.5) * height);
    const float *at = map + 3 * (width * y + x);
    return 0.2126 * (double)at[0] + 0.7152 * (double)at[1] + 0.0722 * (double)at[2];
}

/* Luminance of the CIE standard clear sky (ISO 15469, type 12) relative to any place. angle:
 * between the place and the sun, rad. */
static double cie_clear(double elevation, double angle)
{
    double gradation = 1 - exp(-0.32 / fmax(sin(elevation), 0.01));
    double cosine = cos(angle);
    return gradation * (1 + 10 * (exp(-3 * angle) - exp(-3 * PI / 2)) + 0.45 * cosine * cosine);
}

/* Luminance beside and opposite to the sun over that of the zenith, within a factor of 1.9 of the
 * standard sky, a mean of measured skies that differ from each other as much. Its haze has an
 * optical depth of about 0.1, which is 2 here. */
static void test_sky_is_a_clear_sky(void **state)
{
    (void)state;
    enum { W = 64, H = 128 };
    static float map[3 * W * H];
    static const double suns[2] = {60, 30};
    for (int s = 0; s < 2; s++) {
        atmosphere_sky(suns[s], 2, W, H, map);
        double sun = suns[s] * PI / 180, zenith = luminance_at(map, W, H, 90, 89);
        for (double azimuth = 90; azimuth < 181; azimuth += 90)
            for (double up = 5; up < 50; up += 20) {
                double angle = acos(sin(up * PI / 180) * sin(sun) +
                                    cos(up * PI / 180) * cos(sun) * cos(azimuth * PI / 180));
                double wanted = cie_clear(up * PI / 180, angle) / cie_clear(PI / 2, PI / 2 - sun);
                double found = luminance_at(map, W, H, azimuth < 180 ? azimuth : 179, up) / zenith;
                if (!(found / wanted < 1.9 && wanted / found < 1.9))
                    fail_msg("sun %g, azimuth %g, elevation %g: %g, not %g", suns[s], azimuth, up,
                             found, wanted);
            }
    }
}

/* Illuminance by sky and sun of a clear day: the sky gives 9 to 22 % of the light on level ground
 * at a sun 60 degrees high (Preetham et al. 1999 and the standards above lie within). Sky and sun
 * turn from white to red as the sun sets. */
static void test_sky_colours(void **state)
{
    (void)state;
    enum { W = 64, H = 128 };
    static float map[3 * W * H];
    double sky = 0, share[3];
    atmosphere_sky(60, 2, W, H, map);
    for (int y = H / 2; y < H; y++)
        for (int x = 0; x < W; x++) {
            double elevation = ((y + 0.5) / H - 0.5) * PI;
            sky += luminance_at(map, W, H, (x + 0.5) * 360 / W, elevation * 180 / PI) *
                   sin(elevation) * cos(elevation) * 2 * PI / W * PI / H;
        }
    atmosphere_sunlight(60, 2, share);
    double sun = (0.2126 * share[0] + 0.7152 * share[1] + 0.0722 * share[2]) * sin(60 * PI / 180);
    assert_true(sky / (sky + sun) > 0.09 && sky / (sky + sun) < 0.22);
    atmosphere_sky(60, 0.5, W, H, map);
    const float *zenith = map + 3 * (W * (H - 1));
    assert_true(zenith[2] > 1.8f * zenith[1] && zenith[1] > 1.5f * zenith[0]);
    atmosphere_sky(2, 1, W, H, map);
    const float *low = map + 3 * (W * (H / 2 + 1)); /* beside the setting sun */
    assert_true(low[0] > 2 * low[1] && low[1] > 2 * low[2]);
    zenith = map + 3 * (W * (H - 1));
    assert_true(zenith[2] > zenith[0]); /* ozone keeps the zenith blue */
    for (int i = 0; i < 3 * W * H; i++)
        assert_true(isfinite(map[i]) && map[i] >= 0);
}

/* -- panoramas --------------------------------------------------------------------------------- */

static void light_uniform(const float to[3], float rgb[3])
{
    (void)to;
    rgb[0] = 1;
    rgb[1] = 0.5f;
    rgb[2] = 2;
}

static void light_gradient(const float to[3], float rgb[3])
{
    static const float zenith[3] = {0.11f, 0.25f, 0.6f}, horizon[3] = {0.6f, 0.74f, 0.92f};
    for (int c = 0; c < 3; c++)
        rgb[c] = zenith[c] + (horizon[c] - zenith[c]) * expf(-6 * fmaxf(to[1], 0));
}

/* A sun 1.6 degrees wide at azimuth 200 and elevation 30, in a dim sky. */
#define SUN_ANGLE 0.014
static void light_sun(const float to[3], float rgb[3])
{
    float sun[3];
    render_direction(200, 30, sun);
    float cosine = to[0] * sun[0] + to[1] * sun[1] + to[2] * sun[2];
    bool disc = cosine > (float)cos(SUN_ANGLE);
    rgb[0] = rgb[1] = rgb[2] = 0.2f;
    if (disc) {
        rgb[0] = 10000;
        rgb[1] = 8000;
        rgb[2] = 6000;
    }
}

/* Solid angle of the pixels of that sun, sr. */
static double solid_angle(int height)
{
    double sum = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 2 * height; x++) {
            float to[3], rgb[3];
            panorama_direction(x, y, height, to);
            light_sun(to, rgb);
            if (rgb[0] > 1)
                sum += PI * PI / height / height * sqrt(1 - (double)(to[1] * to[1]));
        }
    return sum;
}

static RenderSettings panorama_settings(PanoramaLight *light, int height)
{
    RenderSettings settings = test_settings();
    panorama_write(picture, height, light);
    settings.surroundings.kind = RENDER_PANORAMA;
    settings.surroundings.sun = true;
    strcpy(settings.surroundings.file, picture);
    return settings;
}

static SurroundingsMap make_map(const RenderSettings *settings)
{
    SurroundingsMap map = {.version = 0};
    BillowError error = {""};
    if (!surroundings_map_make(&map, settings, false, &error))
        fail_msg("%s", error.text);
    return map;
}

/* Smoke that absorbs nothing shows the radiance of a uniform panorama, in each pixel. */
static void test_white_furnace(void **state)
{
    (void)state;
    RenderSettings settings = panorama_settings(light_uniform, 16);
    settings.ground.visible = false;
    settings.smoke.anisotropy = 0;
    for (int c = 0; c < 3; c++)
        settings.smoke.albedo[c] = 1;
    Smoke smoke = smoke_ball(24, 24, 24);
    upload(renderer, &smoke, &settings);
    static float pixels[4 * WIDTH * HEIGHT];
    draw_linear(renderer, &settings, test_frame(), pixels);
    for (int p = 0; p < WIDTH * HEIGHT; p++)
        for (int c = 0; c < 3; c++) {
            float wanted = c == 0 ? 1 : c == 1 ? 0.5f : 2;
            if (!(fabsf(pixels[4 * p + c] / wanted - 1) < 0.01f))
                fail_msg("pixel %d, color %d: %g, not %g", p, c, (double)pixels[4 * p + c],
                         (double)wanted);
        }
    smoke_destroy(&smoke);
}

/* Where no ground is drawn, half as much light comes from below as from the horizon. */
static void test_no_ground_is_half_the_horizon(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    settings.sky = (RenderSky){2, {0.1f, 0.2f, 0.6f}, {0.6f, 0.7f, 0.9f}};
    settings.ground.visible = false;
    const Surroundings around = surroundings_of(&settings, NULL);
    for (int c = 0; c < 3; c++) {
        assert_float_equal(around.horizon[c], 2 * settings.sky.horizon[c], 1e-6f);
        assert_float_equal(around.ground[c], settings.sky.horizon[c], 1e-6f);
        assert_true(around.ground_albedo[c] == 0);
    }
}

/* A panorama of the gradient gives the gradient's light. */
static void test_panorama_of_the_gradient(void **state)
{
    (void)state;
    RenderSettings settings = panorama_settings(light_gradient, 256), plain = settings;
    plain.surroundings.kind = RENDER_GRADIENT;
    plain.sky = (RenderSky){1, {0.11f, 0.25f, 0.6f}, {0.6f, 0.74f, 0.92f}};
    plain.sun.intensity = 0;
    SurroundingsMap map = make_map(&settings);
    const RenderSettings applied = surroundings_apply(&settings, &map);
    assert_true(applied.sun.intensity == 0); /* there is no sun in the panorama */
    Surroundings around = surroundings_of(&applied, &map), wanted = surroundings_of(&plain, NULL);
    Ambient ambient = {.n = {0}};
    BillowError error = {""};
    assert_true(ambient_resize(&ambient, (const int[3]){8, 8, 8}, 0.1f, 1, 1, false, &error));
    for (int d = 0; d < AMBIENT_DIRECTIONS; d++)
        for (int c = 0; c < 3; c++) {
            const AmbientSight *sight = &ambient.sights[d];
            float light = (1 - sight->horizon - sight->ground) * wanted.zenith[c] +
                          sight->horizon * wanted.horizon[c] + sight->ground * wanted.ground[c];
            if (!(fabsf(around.outside[d][c] / light - 1) < 0.02f))
                fail_msg("direction %d, color %d: %g, not %g", d, c, (double)around.outside[d][c],
                         (double)light);
        }
    ambient_destroy(&ambient);
    surroundings_map_destroy(&map);
}

static void test_sun_of_a_panorama(void **state)
{
    (void)state;
    RenderSettings settings = panorama_settings(light_sun, 512);
    settings.surroundings.rotation = 25;
    settings.sky.intensity = 2;
    SurroundingsMap map = make_map(&settings);
    RenderSettings applied = surroundings_apply(&settings, &map);
    assert_true(fabsf(remainderf(applied.sun.azimuth - 225, 360)) < 0.3f);
    assert_true(fabsf(applied.sun.elevation - 30) < 0.3f);
    double solid = solid_angle(512);
    assert_true(fabs((double)applied.sun.intensity / (2 * 10000 * solid) - 1) < 0.03);
    assert_true(fabsf(applied.sun.color[1] - 0.8f) < 0.01f);
    Surroundings around = surroundings_of(&applied, &map);
    for (int c = 0; c < 3; c++) /* what is left is the dim sky */
        assert_true(fabsf(around.sky[c] / (2 * 0.2f) - 1) < 0.02f);
    surroundings_map_destroy(&map);

    settings.surroundings.sun = false;
    map = make_map(&settings);
    applied = surroundings_apply(&settings, &map);
    assert_true(applied.sun.intensity == settings.sun.intensity);
    around = surroundings_of(&applied, &map);
    double lit = 2 * 0.2 + 2 * 10000 * solid * 0.5 / PI;
    assert_true(fabs((double)around.sky[0] / lit - 1) < 0.03);
    surroundings_map_destroy(&map);
}

/* The middle of the panorama is ahead of the camera at azimuth 0, and turns with the rotation. */
static void light_by_side(const float to[3], float rgb[3])
{
    rgb[0] = to[2] < -0.5f;
    rgb[1] = to[0] > 0.5f;
    rgb[2] = to[1] > 0.5f;
}

static void test_panorama_is_the_right_way_round(void **state)
{
    (void)state;
    RenderSettings settings = panorama_settings(light_by_side, 64);
    settings.ground.visible = false;
    settings.camera.elevation = 0;
    Smoke smoke = smoke_create(8, 8, 8);
    upload(renderer, &smoke, &settings);
    static float pixels[4 * WIDTH * HEIGHT];
    const float *middle = pixels + 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    for (int turn = 0; turn < 2; turn++) {
        settings.surroundings.rotation = turn == 0 ? 0 : 40;
        settings.camera.azimuth = settings.surroundings.rotation;
        draw_linear(renderer, &settings, test_frame(), pixels);
        assert_true(middle[0] > 0.9f && middle[1] < 0.1f && middle[2] < 0.1f);
        settings.camera.azimuth -= 90; /* looks to the right */
        draw_linear(renderer, &settings, test_frame(), pixels);
        assert_true(middle[0] < 0.1f && middle[1] > 0.9f && middle[2] < 0.1f);
    }
    settings.camera.elevation = -80; /* looks up */
    draw_linear(renderer, &settings, test_frame(), pixels);
    assert_true(middle[0] < 0.1f && middle[1] < 0.1f && middle[2] > 0.9f);
    smoke_destroy(&smoke);
}

static void test_missing_panorama(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    settings.surroundings.kind = RENDER_PANORAMA;
    strcpy(settings.surroundings.file, "/nowhere/sky.hdr");
    SurroundingsMap map = {.version = 0};
    BillowError error = {""};
    assert_false(surroundings_map_make(&map, &settings, false, &error));
    assert_non_null(strstr(error.text, "/nowhere/sky.hdr: cannot be opened"));
    assert_null(map.light);
    settings.surroundings.file[0] = '\0';
    assert_false(surroundings_mapped(&settings)); /* the gradient is drawn */
}

/* The studio has no horizon: far away, the floor has the radiance of the wall above it. */
static void test_studio_has_no_horizon(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    settings.surroundings.kind = RENDER_STUDIO;
    for (int c = 0; c < 3; c++)
        settings.surroundings.color[c] = 0.3f;
    settings.camera.elevation = 8;
    settings.camera.distance = 4;
    Smoke smoke = smoke_create(8, 8, 8);
    upload(renderer, &smoke, &settings);
    static float pixels[4 * WIDTH * HEIGHT];
    draw_linear(renderer, &settings, test_frame(), pixels);
    float least = 1e9f, most = 0;
    for (int y = 1; y < HEIGHT; y++) {
        const float *here = pixels + 4 * (y * WIDTH + 7), *above = here - 4 * WIDTH;
        assert_true(fabsf(here[1] / above[1] - 1) < 0.05f); /* smooth from row to row */
        least = fminf(least, here[1]);
        most = fmaxf(most, here[1]);
    }
    if (!(least > 0.05f && most > 1.15f * least))
        fail_msg("from %g to %g", (double)least, (double)most);
    smoke_destroy(&smoke);
}

/* -- lamps ------------------------------------------------------------------------------------- */

enum { EDGE = 10 };

/* Whether a cell is in a ball that keeps away from the sides of the box. */
static bool in_ball(int i)
{
    const int at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
    float square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += powf((float)at[axis] + 0.5f - 0.5f * EDGE, 2);
    return square < 3.2f * 3.2f;
}

/* Light of a lamp in each cell of smoke: EDGE^3 values for the caller to free. Smoke thin enough to
 * dim nothing fills the box; denser smoke is a ball. */
static float *lamplight(const RenderLamp *lamp, float density)
{
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        smoke.density[i] = density < 1e-3f || in_ball(i) ? density : 0;
    RenderSettings settings = test_settings();
    settings.sun.intensity = settings.sky.intensity = 0;
    settings.lamps[settings.lamp_count++] = *lamp;
    Lighting *lighting = calloc(1, sizeof *lighting);
    float *found = malloc(EDGE * EDGE * EDGE * sizeof *found);
    BillowError error = {""};
    bool changed;
    assert_true(lighting != NULL && found != NULL);
    assert_true(lighting_gather(lighting, &smoke.view, &settings, (LightingEffort){1, LIGHT_LIVE, NULL},
                                &error) &&
                lighting_compute(lighting, &settings, NULL, &changed, &error));
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        found[i] = lighting->ambient.source[4 * i];
    lighting_destroy(lighting);
    free(lighting);
    smoke_destroy(&smoke);
    return found;
}

static void assert_like(const RenderLamp *one, const RenderLamp *other, float density, float within)
{
    float *a = lamplight(one, density), *b = lamplight(other, density);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        if (in_ball(i) && !(a[i] > 0 && fabsf(a[i] / b[i] - 1) < within))
            fail_msg("density %g, cell %d: %g, not %g", (double)density, i, (double)a[i],
                     (double)b[i]);
    free(a);
    free(b);
}

static RenderLamp lamp_of(RenderLampKind kind, float x, float y, float z)
{
    RenderLamp lamp = render_default_lamp();
    lamp.kind = kind;
    lamp.position[0] = x;
    lamp.position[1] = y;
    lamp.position[2] = z;
    lamp.intensity = 5;
    for (int axis = 0; axis < 3; axis++)
        lamp.direction[axis] = 2 * (0.5f - lamp.position[axis]); /* towards the middle of the box */
    return lamp;
}

/* A spot is a point inside its cone, and nothing outside. */
static void test_spot(void **state)
{
    (void)state;
    RenderLamp spot = lamp_of(RENDER_LAMP_SPOT, 0.6f, 1.6f, 0.3f), point = spot;
    spot.angle = 30;
    spot.softness = 0.2f;
    point.kind = RENDER_LAMP_POINT;
    float *lit = lamplight(&spot, 1e-4f), *all = lamplight(&point, 1e-4f);
    int inside = 0, outside = 0;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        const int at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        double along = 0, square = 0, length = 0;
        for (int axis = 0; axis < 3; axis++) {
            double off = (at[axis] + 0.5) / EDGE - (double)spot.position[axis];
            along += off * (double)spot.direction[axis];
            square += off * off;
            length += (double)(spot.direction[axis] * spot.direction[axis]);
        }
        double angle = acos(along / sqrt(square * length)) * 180 / PI;
        if (angle > 15.01) {
            assert_true(lit[i] == 0);
            outside++;
        } else if (angle < 11.99) {
            assert_true(fabsf(lit[i] / all[i] - 1) < 1e-5f);
            inside++;
        } else {
            assert_true(lit[i] <= all[i]);
        }
    }
    assert_true(inside > 30 && outside > 100);
    free(lit);
    free(all);
}

/* Beyond the cone a spot leaves the ground black. */
static void test_spot_on_the_ground(void **state)
{
    (void)state;
    RenderSettings settings = test_settings();
    settings.sun.intensity = settings.sky.intensity = 0;
    settings.camera.elevation = 89;
    settings.camera.azimuth = 0;
    settings.camera.distance = 5;
    RenderLamp spot = lamp_of(RENDER_LAMP_SPOT, 0.5f, 2, 0.5f);
    spot.direction[0] = spot.direction[2] = 0;
    spot.direction[1] = -1;
    spot.angle = 2 * 26.565f; /* lights a circle of radius 1 on the ground */
    settings.lamps[settings.lamp_count++] = spot;
    Smoke smoke = smoke_create(8, 8, 8);
    upload(renderer, &smoke, &settings);
    static float pixels[4 * WIDTH * HEIGHT];
    draw_linear(renderer, &settings, test_frame(), pixels);
    int lit = 0;
    for (int p = 0; p < WIDTH * HEIGHT; p++)
        lit += pixels[4 * p] > 0;
    /* The camera is 5.45 m above the ground and sees 2 * 5.45 tan(17.5 degrees) m of it. */
    double row = 2 * 5.45 * tan(17.5 * PI / 180) / HEIGHT, wanted = PI / (row * row);
    assert_true(fabs(lit / wanted - 1) < 0.05);
    smoke_destroy(&smoke);
}

/* Far away, an area is a point: without smoke that dims, and in dense smoke. */
static void test_area_far_away(void **state)
{
    (void)state;
    RenderLamp area = lamp_of(RENDER_LAMP_AREA, 6, 9, -4), point;
    area.radius = 0.3f;
    point = area;
    point.kind = RENDER_LAMP_POINT;
    assert_like(&area, &point, 1e-4f, 0.01f);
    assert_like(&area, &point, 0.3f, 0.03f);
}

/* On its axis, a disc of radius R lights as a point does in 1 / (r^2 + R^2), and nothing behind. */
static void test_area_nearby(void **state)
{
    (void)state;
    RenderLamp area = lamp_of(RENDER_LAMP_AREA, 0.55f, 0.55f, 1.55f), point;
    area.direction[0] = area.direction[1] = 0;
    area.radius = 0.7f;
    point = area;
    point.kind = RENDER_LAMP_POINT;
    point.radius = 0;
    float *soft = lamplight(&area, 1e-4f), *hard = lamplight(&point, 1e-4f);
    for (int k = 0; k < EDGE; k++) {
        int i = 5 + EDGE * (5 + EDGE * k);
        double square = pow(1.55 - (k + 0.5) / EDGE, 2);
        assert_true(fabs((double)(soft[i] / hard[i]) - square / (square + 0.49)) < 2e-3);
    }
    free(soft);
    area.direction[2] = 1;
    soft = lamplight(&area, 1e-4f);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        assert_true(soft[i] == 0);
    free(soft);
    free(hard);
}

/* A sun among the lamps gives the picture that the sun gives: smoke, its shadow on the ground, and
 * a solid. */
static void test_sun_lamp_is_the_sun(void **state)
{
    (void)state;
    static float pixels[2][4 * WIDTH * HEIGHT];
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    settings.smoke.anisotropy = 0;
    settings.smoke.extinction = 1.5f;
    settings.camera.elevation = 40; /* no sky, whose aureole only the sun has */
    settings.sky.intensity = 0;
    settings.sun.intensity = 10;
    upload(renderer, &smoke, &settings);
    draw_linear(renderer, &settings, test_frame(), pixels[0]);
    float to[3];
    render_direction(settings.sun.azimuth, settings.sun.elevation, to);
    RenderLamp lamp = render_default_lamp();
    lamp.kind = RENDER_LAMP_SUN;
    lamp.intensity = 10;
    for (int axis = 0; axis < 3; axis++) {
        lamp.direction[axis] = -3 * to[axis];
        lamp.color[axis] = settings.sun.color[axis];
    }
    settings.sun.intensity = 0;
    settings.lamps[settings.lamp_count++] = lamp;
    draw_linear(renderer, &settings, test_frame(), pixels[1]);
    double sum = 0, differs = 0;
    int far = 0;
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        double one = (double)pixels[0][4 * p + 1], other = (double)pixels[1][4 * p + 1];
        sum += one;
        differs += fabs(one - other);
        far += fabs(one - other) > 0.1 * one + 0.02;
    }
    if (!(differs < 0.02 * sum && far < 0.02 * WIDTH * HEIGHT))
        fail_msg("%g of the light differs, in %d pixels much", differs / sum, far);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sunlight_follows_the_air_mass),
        cmocka_unit_test(test_sky_is_a_clear_sky),
        cmocka_unit_test(test_sky_colours),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_no_ground_is_half_the_horizon),
        cmocka_unit_test(test_panorama_of_the_gradient),
        cmocka_unit_test(test_sun_of_a_panorama),
        cmocka_unit_test(test_panorama_is_the_right_way_round),
        cmocka_unit_test(test_missing_panorama),
        cmocka_unit_test(test_studio_has_no_horizon),
        cmocka_unit_test(test_spot),
        cmocka_unit_test(test_spot_on_the_ground),
        cmocka_unit_test(test_area_far_away),
        cmocka_unit_test(test_area_nearby),
        cmocka_unit_test(test_sun_lamp_is_the_sun),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
