/* SPDX-License-Identifier: MIT */
#include "solid_trace.h"

#include "lamp_light.h"

enum { STEPS = 256 };
#define LEAST_STEP 0.1f /* what is thinner along a ray than this may be missed */
#define PI         3.14159265f

SolidTrace solid_trace_open(const March *march, const BillowView *view)
{
    return (SolidTrace){march,
                        {view->solid,
                         {view->nx + 1, view->ny + 1, view->nz + 1},
                         {1, view->stride_y, view->stride_z}}};
}

float solid_trace_distance(const SolidTrace *solids, Vec3 point)
{
    const float *n = solids->march->frame->grid;
    return grid_sample(&solids->distance,
                       vec3((point.x + 0.5f) / (n[0] + 1), (point.y + 0.5f) / (n[1] + 1),
                            (point.z + 0.5f) / (n[2] + 1)),
                       0);
}

/* Smoothed over a cell. */
static float surface_at(const SolidTrace *solids, Vec3 point)
{
    const float h = 0.4f;
    return 0.25f * (solid_trace_distance(solids, vec3_add(point, vec3(h, h, h))) +
                    solid_trace_distance(solids, vec3_add(point, vec3(h, -h, -h))) +
                    solid_trace_distance(solids, vec3_add(point, vec3(-h, h, -h))) +
                    solid_trace_distance(solids, vec3_add(point, vec3(-h, -h, h))));
}

static Vec3 normal_at(const SolidTrace *solids, Vec3 p)
{
    Vec3 slope = {solid_trace_distance(solids, vec3(p.x + 1, p.y, p.z)) -
                      solid_trace_distance(solids, vec3(p.x - 1, p.y, p.z)),
                  solid_trace_distance(solids, vec3(p.x, p.y + 1, p.z)) -
                      solid_trace_distance(solids, vec3(p.x, p.y - 1, p.z)) + 1e-6f,
                  solid_trace_distance(solids, vec3(p.x, p.y, p.z + 1)) -
                      solid_trace_distance(solids, vec3(p.x, p.y, p.z - 1))};
    return vec3_unit(slope);
}

static float refine(const SolidTrace *solids, Vec3 origin, Vec3 direction, float outside,
                    float inside)
{
    for (int i = 0; i < 6; i++) {
        float middle = 0.5f * (outside + inside);
        if (surface_at(solids, vec3_along(origin, direction, middle)) < 0)
            inside = middle;
        else
            outside = middle;
    }
    return 0.5f * (outside + inside);
}

/* Sphere tracing (Hart 1996), step by step as the shader does it. */
SolidRay solid_trace(const SolidTrace *solids, Vec3 origin, Vec3 direction, float near_miss)
{
    const FrameBlock *frame = solids->march->frame;
    SolidRay ray = {SOLID_NEVER, SOLID_NEVER};
    float begin, end, nearest = SOLID_NEVER, entered = -1;
    bool passed = false;
    march_box(origin, direction, frame->solid_low, frame->solid_high, &begin, &end);
    float along = begin, last = begin;
    for (int i = 0; i < STEPS && along < end; i++) {
        Vec3 point = vec3_along(origin, direction, along);
        float distance = solid_trace_distance(solids, point), width = near_miss * along;
        distance = fabsf(distance) < 1 ? surface_at(solids, point) : distance;
        if (distance < 0) {
            if (entered < 0)
                entered = along > begin ? refine(solids, origin, direction, last, along) : along;
            if (distance <= -width) {
                ray.end = entered;
                ray.split = passed ? ray.split : entered;
                break;
            }
        } else {
            if (entered >= 0 && !passed) {
                ray.split = entered;
                passed = true;
            }
            entered = -1;
            if (!passed && distance < fminf(width, nearest)) {
                nearest = distance;
                ray.split = along;
            }
            passed = passed || (nearest < SOLID_NEVER && distance > width);
        }
        last = along;
        along += fmaxf(0.95f * fabsf(distance), fmaxf(LEAST_STEP, 0.5f * width));
    }
    if (ray.end == SOLID_NEVER && entered >= 0) {
        ray.end = entered;
        ray.split = passed ? ray.split : entered;
    }
    return ray;
}

float solid_sunlight(const SolidTrace *solids, Vec3 point, Vec3 sun, float reach)
{
    const FrameBlock *frame = solids->march->frame;
    const float cone = 0.04f;
    float begin, end, seen = 1;
    sun = march_safe(sun);
    march_box(point, sun, frame->solid_low, frame->solid_high, &begin, &end);
    float along = fmaxf(begin, 0.2f);
    end = fminf(end, reach);
    for (int i = 0; i < STEPS && along < end && seen > -1; i++) {
        float distance = solid_trace_distance(solids, vec3_along(point, sun, along));
        float radius = cone * along + 0.02f;
        seen = fminf(seen, distance / radius);
        along += fminf(fmaxf(fabsf(distance), fmaxf(0.3f * radius, LEAST_STEP)), 8);
    }
    float t = fminf(fmaxf(0.5f * (seen + 1), 0), 1);
    return t * t * (3 - 2 * t);
}

static bool is_inside(const float grid[4], Vec3 p)
{
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= grid[0] && p.y <= grid[1] && p.z <= grid[2];
}

float solid_openness(const SolidTrace *solids, Vec3 point, Vec3 normal)
{
    float hidden = 0, weight = 0.5f;
    for (int i = 1; i <= 4; i++) {
        float height = 1.6f * (float)i;
        Vec3 off = vec3_along(point, normal, height);
        if (is_inside(solids->march->frame->grid, off))
            hidden += weight * fmaxf(height - solid_trace_distance(solids, off), 0) / height;
        weight *= 0.6f;
    }
    return fminf(fmaxf(1 - 0.8f * hidden, 0.1f), 1);
}

static float openness_above_ground(const SolidTrace *solids, Vec3 point, Vec3 normal)
{
    float facing = fmaxf(-normal.y, 0);
    return solid_openness(solids, point, normal) *
           (1 - 0.6f * facing * expf(-0.15f * fmaxf(point.y, 0)));
}

/* Where a side of the box cuts a solid open: the side's normal; else 0. */
static Vec3 cut_normal(const SolidTrace *solids, Vec3 p)
{
    const float *n = solids->march->frame->grid, on_side = 0.02f;
    if (solid_trace_distance(solids, p) > -on_side)
        return vec3(0, 0, 0);
    return vec3((float)(n[0] - p.x < on_side) - (float)(p.x < on_side),
                (float)(n[1] - p.y < on_side) - (float)(p.y < on_side),
                (float)(n[2] - p.z < on_side) - (float)(p.z < on_side));
}

Vec3 solid_lamplight(const SolidTrace *solids, int lamp, Vec3 point, Vec3 normal, float off)
{
    const March *march = solids->march;
    Vec3 lit =
        lamp_irradiance(march->frame, march->lamps, lamp, vec3_along(point, normal, off), normal);
    if (!(lit.x + lit.y + lit.z > 0))
        return lit;
    Vec3 from = vec3_along(point, normal, 0.6f * off);
    Vec3 way = vec3_sub(vec3_from(march->frame->lamp_place[lamp]), from);
    float distance = fmaxf(vec3_length(way), 1e-4f);
    return vec3_scale(lit, solid_sunlight(solids, from, vec3_scale(way, 1 / distance), distance));
}

/* Of light from all sides the part over a surface, which sees `seen` of what surrounds the box,
 * `mean` all round. What is brighter than that is of the smoke, wherever it may be. */
static float facing_light(float light, float seen, float mean)
{
    return fminf(light, mean) * seen / fmaxf(mean, 1e-6f) + fmaxf(light - mean, 0);
}

/* The light over a surface, as sky and ground differ. */
static Vec3 around(const SolidTrace *solids, Vec3 above, Vec3 normal)
{
    const FrameBlock *frame = solids->march->frame;
    Vec3 sky = vec3_from(frame->sky_light), ground = vec3_from(frame->ground_light);
    Vec3 light = grid_sample3(&solids->march->ambient, vec3_over(above, frame->ambient_grid));
    Vec3 seen = vec3_mix(ground, sky, 0.5f + 0.5f * normal.y);
    return vec3(facing_light(light.x, seen.x, 0.5f * (ground.x + sky.x)),
                facing_light(light.y, seen.y, 0.5f * (ground.y + sky.y)),
                facing_light(light.z, seen.z, 0.5f * (ground.z + sky.z)));
}

Vec3 solid_radiance(const SolidTrace *solids, Vec3 point, Vec3 view)
{
    const FrameBlock *frame = solids->march->frame;
    Vec3 sun_direction = vec3_from(frame->sun_direction), normal = cut_normal(solids, point);
    if (normal.x == 0 && normal.y == 0 && normal.z == 0)
        normal = normal_at(solids, point);
    if (!(vec3_dot(normal, view) < 0.05f))
        normal = vec3_scale(view, -1);
    Vec3 above = vec3_add(point, normal);
    float sun = fmaxf(vec3_dot(normal, sun_direction), 0) * frame->sun_direction[3];
    Vec3 passed = {0, 0, 0};
    if (sun > 0)
        passed = march_sunlight(solids->march, above);
    if (sun * (passed.x + passed.y + passed.z) > 1e-4f)
        sun *= solid_sunlight(solids, vec3_along(point, normal, 0.6f), sun_direction, SOLID_NEVER);
    Vec3 light =
        vec3_scale(around(solids, above, normal), openness_above_ground(solids, point, normal));
    light = vec3_along(light, vec3_mul(vec3_from(frame->sun_irradiance), passed), sun / PI);
    for (int i = 0; i < (int)frame->lamps[0]; i++)
        light = vec3_along(light, solid_lamplight(solids, i, point, normal, 1), 1 / PI);
    return vec3_mul(vec3_from(frame->solid_color), light);
}
