/* SPDX-License-Identifier: MIT */
#include "render/light/surroundings.h"

#include "base/fail.h"
#include "base/vec3.h"
#include "io/panorama_file.h"
#include "render/light/ambient.h"
#include "render/light/atmosphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265f

enum { WIDE = SURROUNDINGS_WIDE, HIGH = SURROUNDINGS_HIGH };

bool surroundings_mapped(const RenderSettings *settings)
{
    const RenderSurroundings *around = &settings->surroundings;
    return around->kind == RENDER_PANORAMA ? around->file[0] != '\0'
                                           : around->kind != RENDER_GRADIENT;
}

void surroundings_map_destroy(SurroundingsMap *map)
{
    free(map->radiance);
    free(map->light);
    *map = (SurroundingsMap){0};
}

static float luminance(const float rgb[3])
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

static float smooth(float from, float to, float x)
{
    float share = fminf(fmaxf((x - from) / (to - from), 0), 1);
    return share * share * (3 - 2 * share);
}

/* -- the studio -------------------------------------------------------------------------------- */

/* A softbox: a rectangle of the sphere with soft edges, degrees. */
typedef struct Softbox {
    float azimuth, elevation, wide, high;
    float radiance;
} Softbox;

static const Softbox softboxes[] = {
    {60, 58, 80, 32, 1}, {250, 50, 50, 40, 0.6f}, {165, 72, 90, 16, 0.35f}};

/* Radiance of the softboxes in a direction, as a share of the brightest. */
static float softbox_at(float azimuth, float elevation)
{
    float most = 0;
    for (size_t b = 0; b < sizeof softboxes / sizeof *softboxes; b++) {
        const Softbox *box = &softboxes[b];
        float across =
            fabsf(remainderf(azimuth - box->azimuth, 360)) * cosf(fminf(elevation, 75) * PI / 180);
        float up = fabsf(elevation - box->elevation);
        float inside = smooth(0.5f * box->wide + 3, 0.5f * box->wide - 3, across) *
                       smooth(0.5f * box->high + 3, 0.5f * box->high - 3, up);
        most = fmaxf(most, inside * box->radiance);
    }
    return most;
}

/* Radiance of the wall at a height, as a share of that of the floor: the cove's curve catches as
 * much light as the floor, the wall above it less and less. */
static float wall_at(float up)
{
    return 1 - 0.75f * smooth(0, 0.45f, up);
}

/* The floor's radiance F follows from the light on it: of the sun, of the softboxes, and of the
 * wall, which is w F: F = albedo (E + w F). */
static void fill_studio(const SurroundingsKey *key, SurroundingsMap *map)
{
    float boxes = 0, wall = 0, whole = 0;
    for (int j = map->height / 2; j < map->height; j++) {
        float elevation = (((float)j + 0.5f) / (float)map->height - 0.5f) * PI;
        float weight = sinf(elevation) * cosf(elevation);
        for (int i = 0; i < map->width; i++) {
            float box =
                softbox_at(((float)i + 0.5f) / (float)map->width * 360, elevation * 180 / PI);
            boxes += weight * box;
            wall += weight * wall_at(sinf(elevation)) * (1 - box);
            whole += weight;
        }
    }
    for (int c = 0; c < 3; c++) {
        float direct = key->sunlight[c] / PI + key->boxes * boxes / whole;
        float floor = key->color[c] * direct / (1 - key->color[c] * wall / whole);
        for (int j = 0; j < map->height; j++) {
            float elevation = (((float)j + 0.5f) / (float)map->height - 0.5f) * PI;
            float own = floor * (elevation > 0 ? wall_at(sinf(elevation)) : 1);
            for (int i = 0; i < map->width; i++) {
                float box = elevation > 0 ? softbox_at(((float)i + 0.5f) / (float)map->width * 360,
                                                       elevation * 180 / PI)
                                          : 0;
                map->radiance[3 * (map->width * j + i) + c] = own + box * (key->boxes - own);
            }
        }
    }
}

/* -- making a map ------------------------------------------------------------------------------ */

static SurroundingsKey key_of(const RenderSettings *settings)
{
    const RenderSurroundings *around = &settings->surroundings;
    SurroundingsKey key;
    memset(&key, 0, sizeof key);
    key.kind = around->kind;
    if (around->kind == RENDER_AIR) {
        key.elevation = settings->sun.elevation;
        key.haze = around->haze;
    }
    if (around->kind == RENDER_STUDIO) {
        float sun[3];
        render_direction(0, settings->sun.elevation, sun);
        for (int c = 0; c < 3; c++) {
            key.sunlight[c] = settings->sun.intensity * settings->sun.color[c] * fmaxf(sun[1], 0);
            key.color[c] = around->color[c];
        }
        key.boxes = 4 * settings->sky.intensity;
    }
    return key;
}

/* Means of the map over the texels of `light`. */
static void reduce(const SurroundingsMap *map, float *light)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < HIGH; j++)
        for (int i = 0; i < WIDE; i++) {
            int x0 = i * map->width / WIDE, x1 = (i + 1) * map->width / WIDE;
            int y0 = j * map->height / HIGH, y1 = (j + 1) * map->height / HIGH;
            double sum[3] = {0}, weights = 0;
            x1 = x1 > x0 ? x1 : x0 + 1;
            y1 = y1 > y0 ? y1 : y0 + 1;
            for (int y = y0; y < y1; y++) {
                double weight = cos((((double)y + 0.5) / map->height - 0.5) * (double)PI);
                weights += weight * (x1 - x0);
                for (int x = x0; x < x1; x++)
                    for (int c = 0; c < 3; c++)
                        sum[c] +=
                            weight * (double)map->radiance[3 * ((ptrdiff_t)map->width * y + x) + c];
            }
            for (int c = 0; c < 3; c++)
                light[3 * (WIDE * j + i) + c] = (float)(sum[c] / weights);
        }
}

static void direction_of(float azimuth, float elevation, float to[3])
{
    to[0] = sinf(azimuth) * cosf(elevation);
    to[1] = sinf(elevation);
    to[2] = cosf(azimuth) * cosf(elevation);
}

static void texel_direction(int width, int height, int x, int y, float to[3])
{
    direction_of(((float)x + 0.5f) / (float)width * 2 * PI,
                 (((float)y + 0.5f) / (float)height - 0.5f) * PI, to);
}

static const float *texel(const SurroundingsMap *map, int x, int y)
{
    return map->radiance + 3 * ((ptrdiff_t)map->width * y + x);
}

/* The brightest texel, and the mean luminance of the sphere. */
static void find_brightest(const SurroundingsMap *map, int at[2], float *mean)
{
    double sum = 0, weights = 0;
    float most = -1;
    for (int y = 0; y < map->height; y++) {
        double weight = cos((((double)y + 0.5) / map->height - 0.5) * (double)PI), row = 0;
        for (int x = 0; x < map->width; x++) {
            float bright = luminance(texel(map, x, y));
            row += (double)bright;
            if (bright > most) {
                most = bright;
                at[0] = x;
                at[1] = y;
            }
        }
        sum += weight * row;
        weights += weight * map->width;
    }
    *mean = (float)(sum / weights);
}

/* A sun is much brighter than its surroundings and small. */
#define SUN_CONTRAST 40.0f
#define SUN_DISC     0.0524f /* radius within which light counts as the sun's, rad */

/* Finds the sun of a panorama: the middle of its brightest spot, and the irradiance of that spot
 * above the radiance of a ring around it. */
static void find_sun(SurroundingsMap *map)
{
    int at[2] = {0, 0};
    float mean, middle[3], sums[2][3] = {{0}}, weights = 0, place[3] = {0};
    double excess[3] = {0};
    find_brightest(map, at, &mean);
    memset(map->sun, 0, sizeof map->sun);
    if (!(luminance(texel(map, at[0], at[1])) > SUN_CONTRAST * mean))
        return;
    texel_direction(map->width, map->height, at[0], at[1], middle);
    int reach = (int)ceilf(2 * SUN_DISC / PI * (float)map->height) + 1;
    for (int pass = 0; pass < 2; pass++)
        for (int y = at[1] - reach; y <= at[1] + reach; y++)
            for (int x = 0; x < map->width && y >= 0 && y < map->height; x++) {
                float to[3];
                texel_direction(map->width, map->height, x, y, to);
                float cosine = vector_dot(to, middle);
                float solid = 2 * PI * PI / (float)map->width / (float)map->height *
                              sqrtf(fmaxf(1 - to[1] * to[1], 0));
                bool disc = cosine > cosf(SUN_DISC), ring = !disc && cosine > cosf(2 * SUN_DISC);
                const float *own = texel(map, x, y);
                if (pass == 0 && ring)
                    weights += solid;
                for (int c = 0; c < 3; c++) {
                    if (pass == 0 && ring)
                        sums[0][c] += solid * own[c];
                    if (pass == 1 && disc) {
                        float more = solid * fmaxf(own[c] - sums[0][c] / fmaxf(weights, 1e-9f), 0);
                        excess[c] += (double)more;
                        for (int axis = 0; axis < 3; axis++)
                            place[axis] += more * to[axis];
                    }
                }
            }
    for (int c = 0; c < 3; c++)
        map->sun[c] = (float)excess[c];
    map->sun_azimuth = atan2f(place[0], place[2]) * 180 / PI;
    map->sun_elevation = atan2f(place[1], hypotf(place[0], place[2])) * 180 / PI;
}

/* Takes the sun's light, which is added apart, out of the map that lights the scene. */
static void take_sun(const SurroundingsMap *map, float *light)
{
    float middle[3], sum[3] = {0}, found = 0;
    direction_of(map->sun_azimuth * PI / 180, map->sun_elevation * PI / 180, middle);
    /* Texels of `light` are 2.8 degrees wide: the spot touches those within 3.5 more. */
    const float near = cosf(SUN_DISC + 0.061f), far = cosf(SUN_DISC + 0.14f);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < WIDE * HIGH; i++) {
            float to[3];
            texel_direction(WIDE, HIGH, i % WIDE, i / WIDE, to);
            float cosine = vector_dot(to, middle);
            if (pass == 0 && cosine <= near && cosine > far) {
                found++;
                for (int c = 0; c < 3; c++)
                    sum[c] += light[3 * i + c];
            }
            for (int c = 0; c < 3 && pass == 1 && cosine > near && found > 0; c++)
                light[3 * i + c] = fminf(light[3 * i + c], sum[c] / found);
        }
}

/* Loads the panorama. Its columns run to the right, against the azimuth; its rows from the top. */
static bool load(SurroundingsMap *map, const char *file, BillowError *error)
{
    PanoramaFile panorama;
    if (!panorama_file_load(file, &panorama, error))
        return false;
    size_t count = (size_t)panorama.width * (size_t)panorama.height;
    for (size_t p = 0; p < count / 2; p++)
        for (int c = 0; c < 3; c++) {
            float *one = &panorama.rgb[3 * p + (size_t)c];
            float *other = &panorama.rgb[3 * (count - 1 - p) + (size_t)c];
            float swap = *one;
            *one = *other;
            *other = swap;
        }
    map->width = panorama.width;
    map->height = panorama.height;
    map->radiance = panorama.rgb;
    return true;
}

static bool fill(SurroundingsMap *map, const RenderSettings *settings, BillowError *error)
{
    const RenderSurroundings *around = &settings->surroundings;
    if (map->key.kind == RENDER_PANORAMA) {
        if (!load(map, around->file, error))
            return false;
        memcpy(map->file, around->file, sizeof map->file);
        map->file[sizeof map->file - 1] = '\0';
        map->sun_taken = around->sun;
    } else {
        map->width = map->key.kind == RENDER_AIR ? 128 : 256;
        map->height = map->key.kind == RENDER_AIR ? 256 : 128;
        map->radiance = malloc(3 * sizeof(float) * (size_t)map->width * (size_t)map->height);
        if (map->radiance == NULL)
            return fail(error, "picture: no memory for the surroundings");
        if (map->key.kind == RENDER_AIR)
            atmosphere_sky((double)map->key.elevation, (double)map->key.haze, map->width,
                           map->height, map->radiance);
        else
            fill_studio(&map->key, map);
    }
    map->light = malloc(3 * sizeof(float) * WIDE * HIGH);
    if (map->light == NULL)
        return fail(error, "picture: no memory for the surroundings");
    reduce(map, map->light);
    if (map->key.kind == RENDER_PANORAMA && map->sun_taken) {
        find_sun(map);
        if (map->sun[0] + map->sun[1] + map->sun[2] > 0)
            take_sun(map, map->light);
    }
    return true;
}

bool surroundings_map_make(SurroundingsMap *map, const RenderSettings *settings, bool again,
                           BillowError *error)
{
    const RenderSurroundings *around = &settings->surroundings;
    SurroundingsKey key = key_of(settings);
    bool same = map->light != NULL && memcmp(&key, &map->key, sizeof key) == 0;
    if (key.kind == RENDER_PANORAMA)
        same =
            same && !again && strcmp(map->file, around->file) == 0 && map->sun_taken == around->sun;
    if (same)
        return true;
    SurroundingsMap made = {.key = key, .version = map->version + 1};
    if (!fill(&made, settings, error)) {
        surroundings_map_destroy(&made);
        return false;
    }
    surroundings_map_destroy(map);
    *map = made;
    return true;
}

/* -- what the surroundings change -------------------------------------------------------------- */

RenderSettings surroundings_apply(const RenderSettings *settings, const SurroundingsMap *map)
{
    RenderSettings applied = *settings;
    const RenderSurroundings *around = &settings->surroundings;
    RenderSun *sun = &applied.sun;
    if (!surroundings_mapped(settings)) {
        applied.surroundings.kind = RENDER_GRADIENT;
        return applied;
    }
    if (around->kind == RENDER_AIR && around->sun) {
        double low[3], high[3];
        atmosphere_sunlight((double)sun->elevation, (double)around->haze, low);
        atmosphere_sunlight(90, (double)around->haze, high);
        for (int c = 0; c < 3; c++)
            sun->color[c] *= (float)(low[c] / high[c]);
    }
    if (around->kind == RENDER_STUDIO) {
        memcpy(applied.ground.color, around->color, sizeof applied.ground.color);
        applied.ground.roughness = 0;
    }
    if (around->kind == RENDER_PANORAMA && around->sun) {
        float most = fmaxf(map->sun[0], fmaxf(map->sun[1], map->sun[2]));
        sun->intensity = most * settings->sky.intensity;
        if (most > 0) {
            sun->azimuth = map->sun_azimuth + around->rotation;
            sun->elevation = map->sun_elevation;
            for (int c = 0; c < 3; c++)
                sun->color[c] = map->sun[c] / most;
        }
    }
    return applied;
}

float surroundings_scale(const RenderSettings *settings)
{
    switch (settings->surroundings.kind) {
    case RENDER_AIR:
        return settings->sky.intensity * settings->sun.intensity;
    case RENDER_STUDIO: /* sky.intensity is in the softboxes */
        return 1;
    default:
        return settings->sky.intensity;
    }
}

float surroundings_turn(const RenderSettings *settings)
{
    return settings->surroundings.kind == RENDER_AIR ? settings->sun.azimuth
                                                     : settings->surroundings.rotation;
}

/* -- its light --------------------------------------------------------------------------------- */

/* Real spherical harmonics of order 0 to 2 (Ramamoorthi, Hanrahan, An Efficient Representation for
 * Irradiance Environment Maps, 2001), in the order of shaders/surroundings.glsl. */
static void harmonics(const float d[3], float y[SURROUNDINGS_BANDS])
{
    y[0] = 0.282095f;
    y[1] = 0.488603f * d[0];
    y[2] = 0.488603f * d[1];
    y[3] = 0.488603f * d[2];
    y[4] = 1.092548f * d[0] * d[1];
    y[5] = 1.092548f * d[1] * d[2];
    y[6] = 1.092548f * d[0] * d[2];
    y[7] = 0.315392f * (3 * d[1] * d[1] - 1);
    y[8] = 0.546274f * (d[0] * d[0] - d[2] * d[2]);
}

/* Sums over the texels of a map's light. */
typedef struct Sums {
    double above[AMBIENT_DIRECTIONS][3], below[AMBIENT_DIRECTIONS][3];
    double share_below[AMBIENT_DIRECTIONS], whole[AMBIENT_DIRECTIONS];
    double bands[SURROUNDINGS_BANDS][3], low_bands[SURROUNDINGS_BANDS][3];
    double low_shape[SURROUNDINGS_BANDS]; /* harmonics of a lower hemisphere of radiance 1 */
    double sky[3], low[3];                /* weighted by the cosine from straight up or down */
    double facing;
} Sums;

static int nearest_direction(const float to[3])
{
    int nearest = 0;
    float most = -2;
    for (int d = 0; d < AMBIENT_DIRECTIONS; d++) {
        float other[3];
        ambient_direction(d, other);
        float cosine = vector_dot(to, other);
        if (cosine > most) {
            most = cosine;
            nearest = d;
        }
    }
    return nearest;
}

static void add_texel(const float radiance[3], const float to[3], double solid, Sums *sums)
{
    float y[SURROUNDINGS_BANDS];
    int d = nearest_direction(to);
    bool up = to[1] > 0;
    harmonics(to, y);
    sums->whole[d] += solid;
    sums->share_below[d] += up ? 0 : solid;
    sums->facing += up ? solid * (double)to[1] : 0;
    for (int b = 0; b < SURROUNDINGS_BANDS && !up; b++)
        sums->low_shape[b] += solid * (double)y[b];
    for (int c = 0; c < 3; c++) {
        double light = solid * (double)radiance[c];
        (up ? sums->above : sums->below)[d][c] += light;
        (up ? sums->sky : sums->low)[c] += light * fabs((double)to[1]);
        for (int b = 0; b < SURROUNDINGS_BANDS; b++)
            (up ? sums->bands : sums->low_bands)[b][c] += light * (double)y[b];
    }
}

static void add_map(const SurroundingsMap *map, const RenderSettings *settings, Sums *sums)
{
    float scale = surroundings_scale(settings), turn = surroundings_turn(settings) * PI / 180;
    memset(sums, 0, sizeof *sums);
    for (int j = 0; j < HIGH; j++) {
        float elevation = (((float)j + 0.5f) / HIGH - 0.5f) * PI;
        double solid = (double)(2 * PI / WIDE * PI / HIGH * cosf(elevation));
        for (int i = 0; i < WIDE; i++) {
            float to[3], radiance[3];
            direction_of(((float)i + 0.5f) / WIDE * 2 * PI + turn, elevation, to);
            for (int c = 0; c < 3; c++)
                radiance[c] = scale * map->light[3 * (WIDE * j + i) + c];
            add_texel(radiance, to, solid, sums);
        }
    }
}

/* Light of a map. Where the ground is drawn, it hides the map's lower half. */
static void light_of_map(const RenderSettings *settings, const SurroundingsMap *map,
                         Surroundings *around)
{
    Sums sums;
    bool hidden = settings->ground.visible;
    add_map(map, settings, &sums);
    around->mapped = true;
    for (int c = 0; c < 3; c++) {
        around->sky[c] = around->zenith[c] = around->horizon[c] =
            (float)(sums.sky[c] / sums.facing);
        around->ground[c] = hidden
                                ? around->ground_sun[c] + around->ground_albedo[c] * around->sky[c]
                                : (float)(sums.low[c] / sums.facing);
        double ground = (double)around->ground[c];
        for (int d = 0; d < AMBIENT_DIRECTIONS; d++)
            around->outside[d][c] =
                (float)((sums.above[d][c] +
                         (hidden ? ground * sums.share_below[d] : sums.below[d][c])) /
                        sums.whole[d]);
        for (int b = 0; b < SURROUNDINGS_BANDS; b++)
            around->bands[b][c] = (float)(sums.bands[b][c] + (hidden ? ground * sums.low_shape[b]
                                                                     : sums.low_bands[b][c]));
    }
}

Surroundings surroundings_of(const RenderSettings *settings, const SurroundingsMap *map)
{
    const RenderSky *sky = &settings->sky;
    Surroundings around = {.mapped = false};
    float sun[3];
    render_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    for (int c = 0; c < 3; c++) {
        around.zenith[c] = sky->intensity * sky->zenith[c];
        around.horizon[c] = sky->intensity * sky->horizon[c];
        /* The mean of the shader's horizon share exp(-6 up) is (1 - exp(-6)) / 6 = 0.166. */
        around.sky[c] = 0.834f * around.zenith[c] + 0.166f * around.horizon[c];
        /* Flat ground sees the horizon at a grazing angle: the mean of exp(-6 up), weighted by the
         * cosine, is 0.0546. */
        float sunlight = settings->sun.intensity * settings->sun.color[c] * fmaxf(sun[1], 0);
        float seen = 0.9454f * around.zenith[c] + 0.0546f * around.horizon[c];
        around.ground_albedo[c] = settings->ground.visible ? settings->ground.color[c] : 0;
        around.ground_sun[c] = around.ground_albedo[c] * sunlight / PI;
        around.ground[c] = settings->ground.visible
                               ? around.ground_sun[c] + around.ground_albedo[c] * seen
                               : 0.5f * around.horizon[c];
    }
    if (map != NULL && surroundings_mapped(settings))
        light_of_map(settings, map, &around);
    return around;
}
