/* SPDX-License-Identifier: MIT */
#include "slice_paint.h"

enum { SEGMENTS = 48 };

#define SOLID     0.30f
#define HALF_LINE 0.6f
#define LINE      0.75f

ColorMap slice_color_map(const FieldSlice *field)
{
    return field_meaning(field->kind)->both_signs ? COLOR_MAP_DIVERGING : COLOR_MAP_SEQUENTIAL;
}

void slice_paint_open(SlicePaint *paint, const March *march, const SolidTrace *solids,
                      const FieldSlice *field)
{
    paint->march = march;
    paint->solids = solids;
    paint->field = field;
    color_map_table(slice_color_map(field), paint->colors);
}

static float clamp1(float x)
{
    return fminf(fmaxf(x, 0), 1);
}

/* -- the plane --------------------------------------------------------------------------------- */

typedef struct Place {
    float u, v;
} Place;

static Vec3 ray(const FrameBlock *frame, float x, float y)
{
    float across = 2 * x / frame->picture[0] - 1, up = 2 * y / frame->picture[1] - 1;
    Vec3 way = vec3_along(vec3_from(frame->camera_forward), vec3_from(frame->camera_right), across);
    return march_safe(vec3_unit(vec3_along(way, vec3_from(frame->camera_up), up)));
}

static float meet(const FrameBlock *frame, Vec3 direction)
{
    const float d[3] = {direction.x, direction.y, direction.z};
    int axis = (int)frame->slice[0];
    return (frame->slice[1] - frame->camera_origin[axis]) / d[axis];
}

static Place place_of(const FrameBlock *frame, float x, float y)
{
    Vec3 direction = ray(frame, x, y);
    Vec3 point = vec3_along(vec3_from(frame->camera_origin), direction, meet(frame, direction));
    const float at[3] = {point.x, point.y, point.z};
    float share[3];
    for (int a = 0; a < 3; a++)
        share[a] = (at[a] - frame->box_min[a]) / (frame->box_max[a] - frame->box_min[a]);
    int axis = (int)frame->slice[0];
    return (Place){share[axis == 0 ? 1 : 0], share[axis == 2 ? 1 : 2]};
}

/* -- its numbers ------------------------------------------------------------------------------- */

static void spline(float t, float weights[4], float slopes[4])
{
    weights[0] = t * (t * (1 - 0.5f * t) - 0.5f);
    weights[1] = t * t * (1.5f * t - 2.5f) + 1;
    weights[2] = t * (0.5f + t * (2 - 1.5f * t));
    weights[3] = 0.5f * t * t * (t - 1);
    slopes[0] = t * (2 - 1.5f * t) - 0.5f;
    slopes[1] = t * (4.5f * t - 5);
    slopes[2] = 0.5f + t * (4 - 4.5f * t);
    slopes[3] = t * (1.5f * t - 1);
}

static int within(int cell, int count)
{
    return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

/* And how it changes along both sides, per 0..1. */
static float value_at(const FieldSlice *field, Place place, float change[2])
{
    const int *n = field->n;
    float x = clamp1(place.u) * (float)n[0] - 0.5f, y = clamp1(place.v) * (float)n[1] - 0.5f;
    float across[4], across_slope[4], up[4], up_slope[4], value = 0;
    int i0 = (int)floorf(x), j0 = (int)floorf(y);
    spline(x - floorf(x), across, across_slope);
    spline(y - floorf(y), up, up_slope);
    change[0] = change[1] = 0;
    for (int row = 0; row < 4; row++) {
        const float *from = field->values + (ptrdiff_t)within(j0 + row - 1, n[1]) * n[0];
        float sum = 0, slope = 0;
        for (int i = 0; i < 4; i++) {
            float one = from[within(i0 + i - 1, n[0])];
            sum += across[i] * one;
            slope += across_slope[i] * one;
        }
        value += up[row] * sum;
        change[0] += up[row] * slope * (float)n[0];
        change[1] += up_slope[row] * sum * (float)n[1];
    }
    return value;
}

bool slice_paint_value(const FrameBlock *frame, const FieldSlice *field, float x, float y,
                       float *value, float *distance)
{
    Vec3 direction = ray(frame, x, y);
    float along = meet(frame, direction), change[2];
    Place place = place_of(frame, x, y);
    if (!(along > 0 && place.u >= 0 && place.u <= 1 && place.v >= 0 && place.v <= 1))
        return false;
    *value = value_at(field, place, change);
    *distance = along * vec3_dot(direction, vec3_from(frame->camera_forward));
    return true;
}

static Vec3 color_of(const SlicePaint *paint, float share)
{
    float x = clamp1(share) * (COLOR_MAP_ENTRIES - 1);
    int low = (int)x, high = low + 1 < COLOR_MAP_ENTRIES ? low + 1 : low;
    return vec3_mix(vec3_from(paint->colors + 4 * low), vec3_from(paint->colors + 4 * high),
                    x - (float)low);
}

static Vec3 with_line(const SlicePaint *paint, Vec3 shown, float share, float change)
{
    float number = paint->march->frame->slice_look[0];
    float at = share * number - 0.5f;
    float line = fminf(fmaxf(floorf(at + 0.5f), 0), number - 1);
    float off = fabsf(at - line) / fmaxf(number * change, 1e-6f);
    Vec3 there = color_of(paint, (line + 0.5f) / number);
    float light = 0.2126f * there.x + 0.7152f * there.y + 0.0722f * there.z < 0.42f ? 1 : 0;
    return vec3_mix(shown, vec3(light, light, light), LINE * clamp1(HALF_LINE + 0.5f - off));
}

/* -- what stands in front ---------------------------------------------------------------------- */

/* Density at a place, 0..1 over the grid, and in more[] what of it is not of a colour. */
static float density_at(const March *march, Vec3 place, bool colored, float more[3])
{
    float density = fmaxf(grid_sample(&march->density, place, 0), 0);
    for (int c = 0; c < 3 && colored; c++) {
        float color = fmaxf(grid_sample(&march->color[c], place, 0), 0);
        more[c] += density - fminf(color, density);
    }
    return density;
}

/* In the mean of the colours, as one opacity is of all of them. */
static float smoke_veil(const March *march, Vec3 origin, Vec3 direction, float along)
{
    const FrameBlock *frame = march->frame;
    float begin, end, depth = 0, more[3] = {0}, sum = 0;
    march_box(origin, direction, frame->occupied_min, frame->occupied_max, &begin, &end);
    end = fminf(end, along);
    if (!(frame->occupied_max[3] > 0) || begin >= end)
        return 1;
    float span = (end - begin) / SEGMENTS;
    bool by_color = frame->extinction_color[3] > 0;
    bool colored = by_color && frame->fire[2] * frame->fire[3] > 0;
    for (int i = 0; i < SEGMENTS; i++) {
        Vec3 point = vec3_along(origin, direction, begin + ((float)i + 0.5f) * span);
        depth += density_at(march, vec3_over(point, frame->grid), colored, more);
    }
    if (!by_color)
        return expf(-frame->grid[3] * depth * span);
    for (int c = 0; c < 3; c++)
        sum += expf(-frame->grid[3] * span * frame->extinction_color[c] *
                    (depth + frame->fire[2] * more[c]));
    return sum / 3;
}

static float smaller_rim(Place place, float across, float up)
{
    float u = fminf(place.u, 1 - place.u) / fmaxf(across, 1e-9f);
    float v = fminf(place.v, 1 - place.v) / fmaxf(up, 1e-9f);
    return fminf(u, v);
}

void slice_paint_pixel(const SlicePaint *paint, float x, float y, float rgba[4])
{
    const FrameBlock *frame = paint->march->frame;
    Place place = place_of(frame, x, y), right = place_of(frame, x + 1, y),
          above = place_of(frame, x, y + 1);
    float ux = right.u - place.u, vx = right.v - place.v;
    float uy = above.u - place.u, vy = above.v - place.v;
    Vec3 direction = ray(frame, x, y);
    float along = meet(frame, direction), change[2];
    float across = sqrtf(ux * ux + uy * uy), up = sqrtf(vx * vx + vy * vy);
    rgba[3] = clamp1(0.5f + smaller_rim(place, across, up));
    /* A pixel that holds all of a side sees the plane from its edge, or its vanishing line. */
    if (along <= 0 || !(rgba[3] > 0) || fmaxf(across, up) > 1) {
        rgba[0] = rgba[1] = rgba[2] = rgba[3] = 0;
        return;
    }
    float share = (value_at(paint->field, place, change) - frame->slice[2]) / frame->slice[3];
    Vec3 shown = color_of(paint, share);
    if (frame->slice_look[0] > 0) {
        float dx = (change[0] * ux + change[1] * vx) / frame->slice[3];
        float dy = (change[0] * uy + change[1] * vy) / frame->slice[3];
        shown = with_line(paint, shown, share, sqrtf(dx * dx + dy * dy));
    }
    Vec3 origin = vec3_scale(vec3_sub(vec3_from(frame->camera_origin), vec3_from(frame->box_min)),
                             1 / frame->box_min[3]);
    along /= frame->box_min[3];
    float passes = smoke_veil(paint->march, origin, direction, along);
    if (paint->solids != NULL) {
        float distance = solid_trace_distance(paint->solids, vec3_along(origin, direction, along));
        float within_solid = clamp1(0.5f - distance / (along * frame->camera_forward[3]));
        shown = vec3_mix(shown, vec3(SOLID, SOLID, SOLID), within_solid);
        if (solid_trace(paint->solids, origin, direction, 0).end < along - 0.5f)
            passes = 0;
    }
    rgba[3] *= 1 - frame->slice_look[1] * (1 - passes);
    vec3_store(shown, rgba);
}
