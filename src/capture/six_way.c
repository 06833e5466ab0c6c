/* SPDX-License-Identifier: MIT */
#include "capture/six_way.h"

#include "render/frame/camera.h"

#include <math.h>

#define PI 3.14159265f

const SixWayPacking *six_way_packing(SixWayEngine engine)
{
    static const char up[] = "x to the right, y up, z towards the camera";
    static const SixWayPacking packings[SIX_WAY_ENGINES] = {
        [SIX_WAY_NONE] = {.normal_axes = up},
        [SIX_WAY_UNITY] = {"unity",
                           {{SIX_WAY_RIGHT, SIX_WAY_TOP, SIX_WAY_BACK},
                            {SIX_WAY_LEFT, SIX_WAY_BOTTOM, SIX_WAY_FRONT}},
                           false,
                           up},
        [SIX_WAY_UNREAL] = {"unreal",
                            {{SIX_WAY_RIGHT, SIX_WAY_LEFT, SIX_WAY_TOP},
                             {SIX_WAY_BOTTOM, SIX_WAY_BACK, SIX_WAY_FRONT}},
                            true,
                            "x to the right, y down, z towards the camera"},
    };
    return &packings[engine];
}

/* Sides: the axis of the camera's frame, its sign, and what they are called. */
static const struct {
    int axis; /* 0: right, 1: up, 2: away from the camera */
    float sign;
    const char *name, *means;
} sides[SIX_WAY_SIDES] = {
    [SIX_WAY_RIGHT] = {0, 1, "right", "+x, light from the right"},
    [SIX_WAY_LEFT] = {0, -1, "left", "-x, light from the left"},
    [SIX_WAY_TOP] = {1, 1, "top", "+y, light from above"},
    [SIX_WAY_BOTTOM] = {1, -1, "bottom", "-y, light from below"},
    [SIX_WAY_BACK] = {2, 1, "back", "+z, light from behind the smoke, towards the camera"},
    [SIX_WAY_FRONT] = {2, -1, "front", "-z, light from the camera"},
};

const char *six_way_name(SixWay side)
{
    return sides[side].name;
}

const char *six_way_axis(SixWay side)
{
    return sides[side].means;
}

/* Turns the sun to a side of the camera. A matte white surface that faces it has the radiance 1. */
static void shine(RenderSettings *settings, SixWay side)
{
    const Camera camera = camera_from_settings(&settings->camera, 1, 1);
    const float *const axes[] = {camera.right, camera.up, camera.forward};
    float from[3];
    for (int c = 0; c < 3; c++)
        from[c] = sides[side].sign * axes[sides[side].axis][c];
    settings->sun = (RenderSun){.azimuth = atan2f(from[0], from[2]) * 180 / PI,
                                .elevation = asinf(fmaxf(fminf(from[1], 1), -1)) * 180 / PI,
                                .intensity = PI,
                                .color = {1, 1, 1}};
}

RenderSettings six_way_settings(const RenderSettings *render, SixWay drawn)
{
    RenderSettings settings = *render;
    settings.sun.intensity = 0;
    settings.lamp_count = 0;
    settings.surroundings.kind = RENDER_GRADIENT;
    settings.sky.intensity = 0;
    settings.ground.visible = false;
    settings.picture.haze = 0;
    if (drawn == SIX_WAY_GLOW)
        return settings;
    settings.smoke.glow = settings.tracers.glow = 0;
    shine(&settings, drawn);
    return settings;
}

bool six_way_shows(const RenderSettings *render, SixWay drawn)
{
    return drawn != SIX_WAY_GLOW || render->smoke.glow > 0 || render->tracers.glow > 0;
}
