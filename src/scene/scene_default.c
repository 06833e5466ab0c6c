/* SPDX-License-Identifier: MIT */
#include "scene.h"

static BillowEmitter default_brush(void)
{
    BillowEmitter brush = billow_default_emitter();
    brush.smoke = 12;
    brush.heat = 150;
    brush.grip = 20;
    brush.noise = 0.5f;
    return brush;
}

static BillowEmitter default_detonation(void)
{
    BillowEmitter detonation = billow_default_emitter();
    detonation.smoke = 60;
    detonation.heat = 8000;
    detonation.expansion = 20;
    detonation.burst = 4;
    detonation.grip = 40;
    detonation.noise = 1;
    detonation.end = 0.1;
    return detonation;
}

static RenderSettings default_settings(void)
{
    return (RenderSettings){
        .camera = {.target = {0.5f, 0.5f, 0.5f},
                   .distance = 2.4f,
                   .azimuth = 25,
                   .elevation = 10,
                   .fov = 36},
        .sun = {.azimuth = 100, .elevation = 38, .intensity = 12, .color = {1, 0.93f, 0.82f}},
        .sky = {.intensity = 1, .zenith = {0.11f, 0.25f, 0.6f}, .horizon = {0.6f, 0.74f, 0.92f}},
        .ground = {.visible = true, .color = {0.15f, 0.142f, 0.13f}},
        .solid = {.color = {0.22f, 0.22f, 0.22f}},
        .smoke = {.extinction = 20,
                  .albedo = {0.92f, 0.915f, 0.91f},
                  .anisotropy = 0.35f,
                  .back_anisotropy = -0.3f,
                  .extinction_color = {1, 1, 1},
                  .glow_kelvin = 1500,
                  .glow_range = 1,
                  .flame = 0.1f,
                  .detail = 0.5f,
                  .detail_size = 0.03f},
        .tracers = {.size = 0.004f, .color = {0.9f, 0.9f, 0.9f}, .opacity = 0.8f},
        .exposure = 0.7f,
    };
}

RenderLamp scene_default_lamp(void)
{
    return (RenderLamp){.position = {0, 1, 1}, .color = {1, 0.8f, 0.55f}, .intensity = 2};
}

Scene scene_default(void)
{
    const BillowDef def = billow_default_def();
    Scene scene = {
        .name = "scene",
        .domain = {.size = {1, 1, 1}, .cells = {64}},
        .step = 1.0f / 60,
        .params = billow_default_params(),
        .brush = default_brush(),
        .detonation = default_detonation(),
        .render = default_settings(),
    };
    for (int side = 0; side < BILLOW_SIDES; side++)
        scene.domain.faces[side] = def.faces[side];
    return scene;
}
