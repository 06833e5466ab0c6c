/* SPDX-License-Identifier: MIT */
#include "backdrop.h"

#include "fail.h"
#include "lamp_light.h"

#include <stdlib.h>

#define HAZE 12.0f /* distance, in longest edges of the box, at which the ground fades */
#define PI   3.14159265f

/* -- the ground's texture -----------------------------------------------------------------------
 */

bool backdrop_open(Backdrop *backdrop, BillowError *error)
{
    size_t floats = 0;
    for (int edge = GROUND_NOISE_EDGE; edge >= 1; edge /= 2)
        floats += (size_t)edge * (size_t)edge;
    float *memory = malloc(floats * sizeof *memory);
    if (memory == NULL)
        return fail(error, "picture: no memory for the ground's texture");
    ground_noise_fill(memory);
    backdrop->noise[0] = memory;
    for (int level = 1, edge = GROUND_NOISE_EDGE / 2; level < BACKDROP_LEVELS; level++, edge /= 2) {
        const float *fine = backdrop->noise[level - 1];
        float *coarse = backdrop->noise[level] = backdrop->noise[level - 1] + 4 * edge * edge;
        for (int y = 0; y < edge; y++)
            for (int x = 0; x < edge; x++) {
                const float *four = fine + 2 * (y * 2 * edge + x);
                coarse[y * edge + x] =
                    0.25f * (four[0] + four[1] + four[2 * edge] + four[2 * edge + 1]);
            }
    }
    return true;
}

void backdrop_close(Backdrop *backdrop)
{
    free(backdrop->noise[0]); /* the others are slices of it */
    *backdrop = (Backdrop){0};
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Smooth between four texels of a square that repeats. */
static float tile_sample(const float *values, int edge, float u, float v)
{
    float x = (u - floorf(u)) * (float)edge - 0.5f, y = (v - floorf(v)) * (float)edge - 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float s = x - (float)i, t = y - (float)j;
    int i0 = (i + edge) % edge, j0 = (j + edge) % edge, i1 = (i0 + 1) % edge, j1 = (j0 + 1) % edge;
    return mix(mix(values[j0 * edge + i0], values[j0 * edge + i1], s),
               mix(values[j1 * edge + i0], values[j1 * edge + i1], s), t);
}

static float noise_sample(const Backdrop *backdrop, float u, float v, float level)
{
    float at = fminf(fmaxf(level, 0), BACKDROP_LEVELS - 1);
    int low = (int)at, high = low + 1 < BACKDROP_LEVELS ? low + 1 : low;
    return mix(tile_sample(backdrop->noise[low], GROUND_NOISE_EDGE >> low, u, v),
               tile_sample(backdrop->noise[high], GROUND_NOISE_EDGE >> high, u, v),
               at - (float)low);
}

static Vec3 ground_albedo(const Backdrop *backdrop, float x, float z, float footprint)
{
    const FrameBlock *frame = backdrop->march->frame;
    float fine_edge = 0.9f * frame->box_max[3], coarse_edge = 5.3f * frame->box_max[3];
    float texels = GROUND_NOISE_EDGE;
    float fine = noise_sample(backdrop, x / fine_edge, z / fine_edge,
                              log2f(fmaxf(footprint * texels / fine_edge, 1e-6f)));
    float coarse = noise_sample(backdrop, (0.8f * x + 0.6f * z) / coarse_edge,
                                (-0.6f * x + 0.8f * z) / coarse_edge,
                                log2f(fmaxf(footprint * texels / coarse_edge, 1e-6f)));
    return vec3_scale(vec3_from(frame->ground_color), 1 + 0.24f * fine + 0.14f * coarse);
}

/* -- light on it --------------------------------------------------------------------------------
 */

static Vec3 sky_radiance(const FrameBlock *frame, Vec3 direction, bool hit)
{
    float up = fmaxf(direction.y, 0);
    Vec3 flat = vec3_unit(vec3(direction.x, up + 1e-6f, direction.z));
    Vec3 sky = vec3_mix(vec3_from(frame->sky_zenith), vec3_from(frame->sky_horizon), expf(-6 * up));
    float cosine = vec3_dot(hit ? flat : direction, vec3_from(frame->sun_direction));
    float t = fminf(fmaxf((cosine - 0.99955f) / (0.9999f - 0.99955f), 0), 1);
    float sun = 0.010f * march_phase(cosine, 0.75f) + (hit ? 0 : 0.4f * t * t * (3 - 2 * t));
    return vec3_along(sky, vec3_from(frame->sun_irradiance), sun);
}

static Vec3 sun_shadow(const Backdrop *backdrop, Vec3 point)
{
    const FrameBlock *frame = backdrop->march->frame;
    Vec3 direction = march_safe(vec3_from(frame->sun_direction));
    float begin, end;
    march_box(point, direction, frame->box_min, frame->box_max, &begin, &end);
    if (!(begin < end))
        return vec3(1, 1, 1);
    Vec3 cells =
        vec3_scale(vec3_sub(vec3_along(point, direction, begin), vec3_from(frame->box_min)),
                   1 / frame->box_min[3]);
    return march_sunlight(backdrop->march, cells);
}

/* As a texture of which the edge goes on. */
static float occlusion_at(const Backdrop *backdrop, float u, float v)
{
    const GridSample map = {backdrop->occlusion,
                            {LIGHT_VOLUME_GROUND, LIGHT_VOLUME_GROUND, 1},
                            {1, LIGHT_VOLUME_GROUND, 0}};
    return grid_sample(&map, vec3(u, v, 0.5f), 0);
}

/* Irradiance of what is hot. */
static Vec3 glow_at(const Backdrop *backdrop, Vec3 point)
{
    const FrameBlock *frame = backdrop->march->frame;
    const GridSample map = {
        backdrop->march->ground, {GROUND_GLOW, GROUND_GLOW, 1}, {4, 4 * GROUND_GLOW, 0}};
    float longest = frame->box_max[3];
    float x = (point.x - 0.5f * (frame->box_min[0] + frame->box_max[0])) / longest;
    float z = (point.z - 0.5f * (frame->box_min[2] + frame->box_max[2])) / longest;
    return grid_sample3(&map,
                        vec3(0.5f + x / (1 + 2 * fabsf(x)), 0.5f + z / (1 + 2 * fabsf(z)), 0.5f));
}

/* Of the lamps on the ground. */
static Vec3 lamplight(const Backdrop *backdrop, Vec3 cells)
{
    const March *march = backdrop->march;
    Vec3 up = {0, 1, 0}, sum = {0, 0, 0};
    for (int i = 0; i < (int)march->frame->lamps[0]; i++)
        sum = vec3_add(sum, backdrop->solids != NULL
                                ? solid_lamplight(backdrop->solids, i, cells, up, 0)
                                : lamp_irradiance(march->frame, march->lamps, i, cells, up));
    return sum;
}

/* Off the box's floor there are no distances; the map fades out there. */
static void shade_by_solids(const Backdrop *backdrop, Vec3 cells, float *shadow, float *occlusion)
{
    const FrameBlock *frame = backdrop->march->frame;
    *shadow = solid_sunlight(backdrop->solids, cells, vec3_from(frame->sun_direction), SOLID_NEVER);
    float x = fmaxf(fmaxf(-cells.x, cells.x - frame->grid[0]), 0);
    float z = fmaxf(fmaxf(-cells.z, cells.z - frame->grid[2]), 0);
    float near = expf(-0.3f * sqrtf(x * x + z * z));
    *occlusion = mix(1, solid_openness(backdrop->solids, cells, vec3(0, 1, 0)), near);
}

static Vec3 ground_radiance(const Backdrop *backdrop, Vec3 direction, float along)
{
    const FrameBlock *frame = backdrop->march->frame;
    Vec3 point = vec3_along(vec3_from(frame->camera_origin), direction, along);
    point.y = frame->box_min[1];
    float footprint = along * frame->camera_forward[3] * powf(fmaxf(-direction.y, 1e-4f), -0.8f);
    float shadow = 1, occlusion = 1;
    Vec3 sunlight = vec3_from(frame->sun_irradiance);
    Vec3 cells = vec3_scale(vec3_sub(point, vec3_from(frame->box_min)), 1 / frame->box_min[3]);
    if (backdrop->solids != NULL)
        shade_by_solids(backdrop, cells, &shadow, &occlusion);
    if (frame->occupied_max[3] > 0 || backdrop->solids != NULL) {
        sunlight = vec3_mul(sunlight, sun_shadow(backdrop, point));
        float u = (point.x - frame->box_min[0]) / (frame->box_max[0] - frame->box_min[0]);
        float v = (point.z - frame->box_min[2]) / (frame->box_max[2] - frame->box_min[2]);
        occlusion *= occlusion_at(backdrop, u * 0.5f + 0.25f, v * 0.5f + 0.25f);
    }
    float facing = fmaxf(frame->sun_direction[1], 0) * shadow / PI;
    Vec3 light = vec3_along(vec3_scale(vec3_from(frame->sky_light), occlusion), sunlight, facing);
    if (frame->fire[1] > 0)
        light = vec3_along(light, glow_at(backdrop, point), 1 / PI);
    if (frame->lamps[0] > 0)
        light = vec3_along(light, lamplight(backdrop, cells), 1 / PI);
    return vec3_mul(ground_albedo(backdrop, point.x, point.z, footprint), light);
}

Vec3 backdrop_radiance(const Backdrop *backdrop, Vec3 direction)
{
    const FrameBlock *frame = backdrop->march->frame;
    float height = frame->camera_origin[1] - frame->box_min[1];
    bool hit = frame->ground_color[3] > 0 && height > 0 && direction.y < 0;
    Vec3 sky = sky_radiance(frame, direction, hit);
    if (!hit)
        return sky;
    float along = fminf(height / fmaxf(-direction.y, 1e-7f), 1e4f * frame->box_max[3]);
    float haze = 1 - expf(-along / (HAZE * frame->box_max[3]));
    return vec3_mix(ground_radiance(backdrop, direction, along), sky, haze);
}
