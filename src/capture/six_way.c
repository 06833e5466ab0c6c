/* SPDX-License-Identifier: MIT */
#include "capture/six_way.h"

#include "render/frame/camera.h"

#include <math.h>

static const float degrees = 57.2957795f, pi = 3.14159265f;

const char *const six_way_names[SIX_WAY_SIDES] = {"right",  "left",  "top",
                                                  "bottom", "front", "back"};

const SixWaySide *six_way_packing(SixWay way, int picture)
{
    static const SixWaySide sides[2][2][3] = {
        {{SIX_WAY_RIGHT, SIX_WAY_TOP, SIX_WAY_BACK}, {SIX_WAY_LEFT, SIX_WAY_BOTTOM, SIX_WAY_FRONT}},
        {{SIX_WAY_RIGHT, SIX_WAY_LEFT, SIX_WAY_TOP},
         {SIX_WAY_BOTTOM, SIX_WAY_BACK, SIX_WAY_FRONT}}};
    return sides[way == SIX_WAY_UNREAL][picture];
}

/* The direction towards a side, in the scene. */
static void direction_of(const RenderCamera *settings, int side, float direction[3])
{
    const Camera camera = camera_from_settings(settings, 1, 1);
    const float *const axes[3] = {camera.right, camera.up, camera.forward};
    /* right, left, top, bottom, front (against forward), back */
    const float signs[SIX_WAY_SIDES] = {1, -1, 1, -1, -1, 1};
    for (int axis = 0; axis < 3; axis++)
        direction[axis] = signs[side] * axes[side / 2][axis];
}

RenderSettings six_way_settings(const RenderSettings *render, int side)
{
    RenderSettings lit = *render;
    float albedo = 0, direction[3];
    for (int c = 0; c < 3; c++)
        albedo += render->smoke.albedo[c] / 3;
    for (int c = 0; c < 3; c++) {
        lit.smoke.albedo[c] = albedo;
        lit.sun.color[c] = 1;
    }
    lit.surroundings = (RenderSurroundings){.kind = RENDER_GRADIENT};
    lit.sky.intensity = 0;
    lit.ground.visible = false;
    lit.lamp_count = 0;
    lit.smoke_ramp.stop_count = 0;
    lit.picture.haze = lit.picture.bloom = 0;
    lit.sun.intensity = 0;
    if (side == SIX_WAY_SIDES)
        return lit;
    direction_of(&render->camera, side, direction);
    lit.sun.intensity = 1;
    lit.sun.elevation = degrees * asinf(fminf(fmaxf(direction[1], -1), 1));
    lit.sun.azimuth = degrees * atan2f(direction[0], direction[2]);
    lit.smoke.glow = lit.smoke.flame = 0;
    lit.tracers.opacity = lit.tracers.glow = 0;
    return lit;
}

bool six_way_take(void *context, const Band *band, BillowError *error)
{
    const SixWayTake *take = context;
    const int finer = take->finer;
    const float share = 1 / (float)(finer * finer);
    (void)error;
    for (int y = 0; y < band->rows; y++)
        for (int x = 0; x < take->width * finer; x++) {
            const float *from =
                band->linear + 4 * ((size_t)y * (size_t)(take->width * finer) + (size_t)x);
            float *to = take->values + SIX_WAY_FLOATS * ((size_t)((band->first + y) / finer) *
                                                             (size_t)take->width +
                                                         (size_t)(x / finer));
            if (take->side < SIX_WAY_SIDES) {
                to[take->side] += share * pi * (from[0] + from[1] + from[2]) / 3;
                to[SIX_WAY_OPACITY] += share * from[3] / SIX_WAY_SIDES;
            } else {
                for (int c = 0; c < 3; c++)
                    to[SIX_WAY_GLOW + c] += share * from[c];
            }
        }
    return true;
}
