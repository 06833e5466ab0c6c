/* SPDX-License-Identifier: MIT */
#include "march.h"

#include "lamp_light.h"

#include <string.h>

#define FAINT 0.1f /* transmittance from which on coarser samples do */

/* -- rays and boxes: box.glsl, phase.glsl ------------------------------------------------------ */

static float safe(float x)
{
    return fabsf(x) < 1e-7f ? 1e-7f : x;
}

Vec3 march_safe(Vec3 direction)
{
    return (Vec3){safe(direction.x), safe(direction.y), safe(direction.z)};
}

void march_box(Vec3 origin, Vec3 direction, const float low[3], const float high[3], float *begin,
               float *end)
{
    const float o[3] = {origin.x, origin.y, origin.z};
    const float d[3] = {direction.x, direction.y, direction.z};
    *begin = 0;
    *end = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        float a = (low[axis] - o[axis]) / d[axis], b = (high[axis] - o[axis]) / d[axis];
        *begin = fmaxf(*begin, fminf(a, b));
        *end = fminf(*end, fmaxf(a, b));
    }
}

float march_phase(float cosine, float g)
{
    float d = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (12.566370614f * d * sqrtf(d));
}

float march_lobes(float cosine, const float lobes[3])
{
    return (1 - lobes[2]) * march_phase(cosine, lobes[0]) +
           lobes[2] * march_phase(cosine, lobes[1]);
}

/* -- what there is ----------------------------------------------------------------------------- */

static GridSample of_view(const BillowView *view, const float *values)
{
    return (GridSample){
        values, {view->nx, view->ny, view->nz}, {1, view->stride_y, view->stride_z}};
}

static GridSample of_packed(const int n[3], int channels, const float *values)
{
    ptrdiff_t row = (ptrdiff_t)channels * n[0];
    return (GridSample){values, {n[0], n[1], n[2]}, {channels, row, row * n[1]}};
}

void march_prepare(March *march, const FrameBlock *frame, const BillowView *view,
                   const Lighting *lighting, const SolidLight *solids, bool emission)
{
    const LightVolume *direct = &lighting->direct;
    memset(march, 0, sizeof *march);
    march->frame = frame;
    march->density = of_view(view, view->density);
    for (int c = 0; c < 3; c++)
        march->color[c] = of_view(view, view->color[c]);
    march->ground = lighting->ground;
    march->light = of_packed(direct->n, direct->channels, direct->depth);
    if (lighting->join.values != NULL)
        march->joined = of_packed(direct->n, 4, lighting->join.values);
    march->ambient = of_packed(lighting->ambient.n, 4, lighting->ambient.mean);
    const LampVolume *lamps = &lighting->lamps;
    ptrdiff_t values = (ptrdiff_t)lamps->count * direct->n[0] * direct->n[1] * direct->n[2];
    for (int c = 0; c < 3 && lamps->count > 0; c++)
        march->lamps[c] = of_packed(direct->n, lamps->count,
                                    lamps->dimming + (lamps->colors > 1 ? c * values : 0));
    if (solids != NULL)
        march->shade = of_packed(solids->n, 2, solids->visibility);
    if (!emission)
        return;
    march->temperature = of_view(view, view->temperature);
    if (frame->fire[0] > 0)
        march->flame = of_view(view, view->flame);
    march->glow = lighting->glow;
}

/* -- light: lighting.h --------------------------------------------------------------------------
 */

/* As a texture's row of entries, smooth between their centres. */
static Vec3 glow(const March *march, float kelvin)
{
    float x = blackbody_place(kelvin) * (BLACKBODY_ENTRIES - 1);
    int low = (int)x, high = low + 1 < BLACKBODY_ENTRIES ? low + 1 : low;
    return vec3_mix(vec3_from(march->glow + 4 * low), vec3_from(march->glow + 4 * high),
                    x - (float)low);
}

static float clamp1(float x)
{
    return fminf(fmaxf(x, 0), 1);
}

/* As the shader's volume_at. */
static float value_at(const March *march, const GridSample *grid, Vec3 place, int component)
{
    return march->cubic ? grid_sample_cubic(grid, place, component)
                        : grid_sample(grid, place, component);
}

static Vec3 tint_at(const March *march, Vec3 place, float density)
{
    if (march->color[0].values == NULL)
        return vec3(1, 1, 1);
    float least = fmaxf(density, 1e-6f);
    return (Vec3){clamp1(value_at(march, &march->color[0], place, 0) / least),
                  clamp1(value_at(march, &march->color[1], place, 0) / least),
                  clamp1(value_at(march, &march->color[2], place, 0) / least)};
}

static Vec3 exp3(Vec3 depth, float factor)
{
    if (depth.x == depth.y && depth.x == depth.z) {
        float same = expf(-factor * depth.x);
        return vec3(same, same, same);
    }
    return vec3(expf(-factor * depth.x), expf(-factor * depth.y), expf(-factor * depth.z));
}

static Vec3 sun_depth(const March *march, Vec3 cells, bool cubic)
{
    const FrameBlock *frame = march->frame;
    const GridSample *light = &march->light;
    Vec3 place = vec3_over(cells, frame->light_grid);
    float (*const sample)(const GridSample *, Vec3, int) = cubic ? grid_sample_cubic : grid_sample;
    float depth = sample(light, place, 0);
    if (frame->extinction_color[3] > 0)
        return vec3(depth, sample(light, place, 1), sample(light, place, 2));
    return vec3(depth, depth, depth);
}

Vec3 march_sun_depth(const March *march, Vec3 cells)
{
    return sun_depth(march, cells, false);
}

Vec3 march_sunlight(const March *march, Vec3 cells)
{
    return exp3(march_sun_depth(march, cells), 1);
}

/* Two steps of a ray, as the shader has them: each is sampled at the same share of its length, and
 * light between both. */
typedef struct Segment {
    Vec3 origin, direction;
    float start, span, jitter;
    Vec3 light;
    bool lit;
} Segment;

/* A sample. */
typedef struct Sample {
    Vec3 point;
    float before, after; /* lengths on either side of the point */
    Vec3 tint;           /* of the smoke there */
    Vec3 kept, whole; /* extinction, of density 1: without what is scattered ahead, and with it */
    Vec3 scatters;    /* the share of the first that is of what scatters */
    float depth;      /* of the smoke up to there */
} Sample;

/* What is there: see raymarch.frag. */
static bool look_at(const March *march, Sample *sample)
{
    const FrameBlock *frame = march->frame;
    Vec3 place = vec3_over(sample->point, frame->grid), all = {1, 1, 1};
    float density = fmaxf(value_at(march, &march->density, place, 0), 0);
    float soot =
        march->flame.values != NULL ? frame->fire[0] * value_at(march, &march->flame, place, 0) : 0;
    if (!(density > 0 || soot > 0))
        return false;
    sample->tint = tint_at(march, place, density);
    Vec3 base = vec3_scale(all, density), excess = {0, 0, 0};
    if (frame->extinction_color[3] > 0) {
        base = vec3_scale(vec3_from(frame->extinction_color), density);
        excess = vec3_scale(vec3_mul(base, vec3_sub(all, sample->tint)), frame->fire[2]);
    }
    Vec3 scatters = vec3_scale(base, frame->albedo_spread[3]);
    Vec3 rest = vec3_along(excess, all, soot);
    sample->kept = vec3_add(scatters, rest);
    sample->whole = vec3_add(base, rest);
    sample->scatters =
        vec3(scatters.x / fmaxf(sample->kept.x, 1e-6f), scatters.y / fmaxf(sample->kept.y, 1e-6f),
             scatters.z / fmaxf(sample->kept.z, 1e-6f));
    return true;
}

static float gray(Vec3 of)
{
    return of.x == of.y && of.x == of.z ? of.x : (of.x + of.y + of.z) * (1 / 3.0f);
}

/* Of the lamps' light what is scattered towards the eye. */
static Vec3 lamp_light(const March *march, const Sample *sample, Vec3 direction)
{
    const FrameBlock *frame = march->frame;
    Vec3 point = sample->point, place = vec3_over(point, frame->light_grid), sum = {0, 0, 0};
    for (int i = 0; i < (int)frame->lamps[0]; i++) {
        Vec3 way = vec3_sub(vec3_from(frame->lamp_place[i]), point);
        float distance = fmaxf(vec3_length(way), 1e-4f);
        float along = vec3_dot(way, direction), least = frame->lamp_place[i][3];
        float off = sqrtf(fmaxf(distance * distance - along * along, least * least));
        Vec3 depth = vec3_scale(lamp_dimming(frame, march->lamps, i, place), distance);
        float kept = frame->albedo_spread[3], cosine = along / distance;
        float straight = fminf(expf((kept - 1) * (gray(depth) + sample->depth)), 1);
        float rest = frame->lamps[2] * march_phase(cosine, frame->lamps[3]);
        float lit = lamp_nearness(off, -sample->before - along, sample->after - along) *
                    (rest + straight * (march_lobes(cosine, frame->lobes) - rest));
        Vec3 passed = exp3(depth, kept);
        sum = vec3_along(sum, vec3_mul(vec3_from(frame->lamp_light[i]), passed), lit);
    }
    return vec3_mul(vec3_from(frame->albedo), sum);
}

/* Light but the lamps' that smoke on a segment scatters towards the eye, per unit of the opacity
 * that scatters. */
static Vec3 light_on(const March *march, Segment *segment, Vec3 sun)
{
    if (segment->lit)
        return segment->light;
    const FrameBlock *frame = march->frame;
    float middle = segment->start + (0.5f + segment->jitter) * segment->span;
    Vec3 point = vec3_along(segment->origin, segment->direction, middle);
    Vec3 light =
        vec3_mul(sun, exp3(sun_depth(march, point, march->cubic), frame->albedo_spread[3]));
    if (march->shade.values != NULL)
        light =
            vec3_scale(light, grid_sample(&march->shade, vec3_over(point, frame->shade_grid), 0));
    bool joined = march->joined.values != NULL;
    const GridSample *all = joined ? &march->joined : &march->ambient;
    Vec3 around = vec3_over(point, joined ? frame->light_grid : frame->ambient_grid);
    Vec3 ambient = {value_at(march, all, around, joined), value_at(march, all, around, joined + 1),
                    value_at(march, all, around, joined + 2)};
    segment->lit = true;
    segment->light = vec3_add(light, vec3_mul(vec3_from(frame->albedo_spread), ambient));
    return segment->light;
}

/* Radiance that a sample's smoke sends to the eye per unit of opacity. */
static Vec3 source(const March *march, const Sample *sample, Vec3 light)
{
    const FrameBlock *frame = march->frame;
    Vec3 radiance = vec3_mul(vec3_mul(light, sample->tint), sample->scatters);
    if (march->temperature.values == NULL)
        return radiance;
    Vec3 place = vec3_over(sample->point, frame->grid);
    float kelvin = value_at(march, &march->temperature, place, 0) + BLACKBODY_AMBIENT;
    return vec3_along(radiance, glow(march, kelvin), frame->sun_irradiance[3]);
}

Vec3 march_surroundings(const FrameBlock *frame, Vec3 direction)
{
    float t = clamp1((direction.y + 0.4f) / 0.8f);
    Vec3 sky = vec3_mix(vec3_from(frame->sky_zenith), vec3_from(frame->sky_horizon),
                        expf(-6 * fmaxf(direction.y, 0)));
    return vec3_mix(vec3_from(frame->ground_light), sky, t * t * (3 - 2 * t));
}

/* What is left of a ray, and what it met: as in the shader. */
typedef struct Ray {
    Vec3 passing, depth;
    float distance;
    Marched out;
} Ray;

static float most(Vec3 of)
{
    return fmaxf(of.x, fmaxf(of.y, of.z));
}

/* The first or second part of a segment. */
static void take(const March *march, Ray *ray, Segment *segment, int part, Vec3 sun)
{
    const FrameBlock *frame = march->frame;
    float span = segment->span, start = segment->start + (float)part * span;
    float before = segment->jitter * span;
    Sample sample = {.point = vec3_along(segment->origin, segment->direction, start + before),
                     .before = before,
                     .after = span - before,
                     .depth = frame->grid[3] * gray(ray->depth)};
    if (!look_at(march, &sample))
        return;
    Vec3 passed = exp3(sample.kept, frame->grid[3] * span);
    Vec3 taken = vec3_mul(ray->passing, vec3_sub(vec3(1, 1, 1), passed));
    Vec3 light = light_on(march, segment, sun);
    if (march->lamps[0].values != NULL)
        light = vec3_add(light, lamp_light(march, &sample, segment->direction));
    Vec3 radiance = source(march, &sample, light);
    ray->out.radiance = vec3_add(ray->out.radiance, vec3_mul(radiance, taken));
    ray->distance += gray(taken) * (start + 0.5f * span);
    ray->passing = vec3_mul(ray->passing, passed);
    ray->depth = vec3_along(ray->depth, sample.whole, span);
    for (int i = 0; i < (int)frame->lamps[0]; i++) {
        float within = lamp_along(frame, i, segment->origin, segment->direction) - start;
        ray->out.lamp_depth[i] = vec3_along(ray->out.lamp_depth[i], sample.whole,
                                            frame->grid[3] * fminf(fmaxf(within, 0), span));
    }
}

/* The sun's light as scattered towards the eye, where nothing dims it. */
static Vec3 scattered_sun(const FrameBlock *frame, Vec3 direction)
{
    float cosine = vec3_dot(direction, vec3_from(frame->sun_direction));
    return vec3_scale(vec3_mul(vec3_from(frame->albedo), vec3_from(frame->sun_irradiance)),
                      frame->sun_direction[3] * march_lobes(cosine, frame->lobes));
}

Marched march_ray(const March *march, Vec3 origin, Vec3 direction, float begin, float end,
                  float jitter, Vec3 beyond)
{
    const FrameBlock *frame = march->frame;
    Vec3 sun = scattered_sun(frame, direction);
    Ray ray = {.passing = {1, 1, 1}, .out = MARCHED_NOTHING};
    float enter, leave, step = frame->march[0], opaque = frame->occupied_min[3];
    march_box(origin, direction, frame->occupied_min, frame->occupied_max, &enter, &leave);
    leave = fminf(leave, end);
    float k = fmaxf(2 * floorf(0.5f * (enter - begin) / step), 0);
    float last = enter < leave ? ceilf((leave - begin) / step) : 0;
    while (k < last && most(ray.passing) > opaque) {
        float start = begin + k * step, steps = most(ray.passing) > FAINT ? 1 : 2;
        float span = fmaxf(fminf(steps * step, 0.5f * (end - start)), 0);
        Segment segment = {origin, direction, start, span, jitter, {0, 0, 0}, false};
        for (int part = 0; part < 2; part++)
            take(march, &ray, &segment, part, sun);
        k += 2 * steps;
    }
    Marched out = ray.out;
    if (most(ray.passing) <= opaque)
        for (int i = 0; i < (int)frame->lamps[0]; i++)
            if (lamp_along(frame, i, origin, direction) >= begin + k * step)
                out.lamp_depth[i] = vec3(1e6f, 1e6f, 1e6f);
    out.through = exp3(ray.depth, frame->grid[3]);
    out.transmittance = gray(out.through);
    float hidden = 1 - gray(ray.passing);
    out.distance = hidden > 0 ? frame->box_min[3] * ray.distance / hidden : 0;
    Vec3 ahead = vec3_sub(ray.passing, out.through);
    out.radiance =
        vec3_add(out.radiance,
                 vec3_mul(beyond, vec3(fmaxf(ahead.x, 0), fmaxf(ahead.y, 0), fmaxf(ahead.z, 0))));
    out.radiance = (Vec3){fminf(out.radiance.x, 6e4f), fminf(out.radiance.y, 6e4f),
                          fminf(out.radiance.z, 6e4f)};
    return out;
}
