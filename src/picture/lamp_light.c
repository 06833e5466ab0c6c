/* SPDX-License-Identifier: MIT */
#include "lamp_light.h"

#include "march.h"

#define PI 3.14159265f

Vec3 lamp_dimming(const FrameBlock *frame, const GridSample *dimming, int i, Vec3 place)
{
    float red = grid_sample(&dimming[0], place, i);
    Vec3 all = {red, red, red};
    if (!(frame->extinction_color[3] > 0))
        return all;
    if (dimming[1].values != dimming[0].values)
        all = vec3(red, grid_sample(&dimming[1], place, i), grid_sample(&dimming[2], place, i));
    return vec3_mul(all, vec3_from(frame->extinction_color));
}

Vec3 lamp_irradiance(const FrameBlock *frame, const GridSample *dimming, int i, Vec3 point,
                     Vec3 normal)
{
    static const float corner[3] = {0, 0, 0};
    Vec3 way = vec3_sub(vec3_from(frame->lamp_place[i]), point);
    float distance = fmaxf(vec3_length(way), 1e-4f), facing = vec3_dot(normal, way) / distance;
    if (facing <= 0)
        return vec3(0, 0, 0);
    Vec3 direction = march_safe(vec3_scale(way, 1 / distance)), depth = {0, 0, 0};
    float enter, leave, nearest = frame->lamp_place[i][3];
    march_box(point, direction, corner, frame->grid, &enter, &leave);
    if (enter < fminf(leave, distance)) {
        Vec3 enters = vec3_along(point, direction, enter);
        Vec3 mean = lamp_dimming(frame, dimming, i, vec3_over(enters, frame->light_grid));
        depth = vec3_scale(mean, distance - enter);
    }
    float lit = facing / fmaxf(distance * distance, nearest * nearest);
    Vec3 passed = {expf(-depth.x), expf(-depth.y), expf(-depth.z)};
    return vec3_scale(vec3_mul(vec3_from(frame->lamp_light[i]), passed), lit);
}

float lamp_along(const FrameBlock *frame, int i, Vec3 origin, Vec3 direction)
{
    return vec3_dot(vec3_sub(vec3_from(frame->lamp_place[i]), origin), direction);
}

LampBall lamp_ball(const FrameBlock *frame, int i, Vec3 origin, Vec3 direction, float along,
                   float pixel)
{
    float radius = frame->lamp_light[i][3];
    if (!(radius > 0 && along > 0))
        return (LampBall){{0, 0, 0}, 0};
    float width = fmaxf(pixel * along, 1e-6f), shown = fmaxf(radius, 0.5f * width);
    Vec3 nearest = vec3_along(origin, direction, along);
    float off = vec3_length(vec3_sub(vec3_from(frame->lamp_place[i]), nearest));
    float cover = fminf(fmaxf((shown - off) / width + 0.5f, 0), 1);
    Vec3 radiance = vec3_scale(vec3_from(frame->lamp_light[i]), 1 / (PI * shown * shown));
    radiance = vec3(fminf(radiance.x, 6e4f), fminf(radiance.y, 6e4f), fminf(radiance.z, 6e4f));
    return (LampBall){vec3_scale(radiance, cover), cover};
}

float lamp_nearness(float off, float from, float to)
{
    float across = fmaxf(off * (to - from), 1e-6f);
    return atan2f(across, off * off + from * to) / across;
}
