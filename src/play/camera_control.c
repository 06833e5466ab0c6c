/* SPDX-License-Identifier: MIT */
#include "play/camera_control.h"

#include "base/vec3.h"
#include <math.h>

#define DEGREES_PER_HEIGHT 200.0f
#define ZOOM_PER_NOTCH     0.88f
#define ELEVATION_MAX      89.0f
/* Smallest and largest distance of the camera from its target, box diagonals. */
#define NEAREST  0.15f
#define FARTHEST 8.0f
/* Smallest height of the camera and of its target above the ground, box diagonals. */
#define CLEARANCE 0.01f

static float radians(float degrees)
{
    return degrees * 0.017453293f;
}

CameraControl camera_control_for(const Scene *scene)
{
    BillowDef def = scene_def(scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    CameraControl control = {.above_ground = scene->render.ground.visible};
    for (int i = 0; i < 3; i++) {
        control.low[i] = def.origin[i];
        control.high[i] = def.origin[i] + (float)cells[i] * def.cell_size;
    }
    return control;
}

static void clamp_camera(const CameraControl *control, RenderCamera *camera)
{
    float extent[3];
    vector_add_scaled(control->high, -1, control->low, extent);
    const float size = sqrtf(vector_dot(extent, extent));
    camera->distance = vector_clamp(camera->distance, NEAREST * size, FARTHEST * size);
    for (int i = 0; i < 3; i++)
        camera->target[i] = vector_clamp(camera->target[i], control->low[i] - 0.25f * size,
                                         control->high[i] + 0.25f * size);
    float lowest = -ELEVATION_MAX;
    if (control->above_ground) {
        float floor = control->low[1] + CLEARANCE * size;
        camera->target[1] = fmaxf(camera->target[1], floor);
        float sine = (floor - camera->target[1]) / camera->distance;
        lowest = asinf(vector_clamp(sine, -1, 1)) / radians(1);
    }
    camera->elevation =
        vector_clamp(camera->elevation, fmaxf(lowest, -ELEVATION_MAX), ELEVATION_MAX);
    camera->azimuth = fmodf(camera->azimuth, 360.0f);
}

void camera_control_forward(const RenderCamera *camera, float forward[3])
{
    float azimuth = radians(camera->azimuth), elevation = radians(camera->elevation);
    forward[0] = -sinf(azimuth) * cosf(elevation);
    forward[1] = -sinf(elevation);
    forward[2] = -cosf(azimuth) * cosf(elevation);
}

void camera_control_orbit(const CameraControl *control, RenderCamera *camera, float dx, float dy)
{
    camera->azimuth -= dx * DEGREES_PER_HEIGHT;
    camera->elevation += dy * DEGREES_PER_HEIGHT;
    clamp_camera(control, camera);
}

void camera_control_pan(const CameraControl *control, RenderCamera *camera, float dx, float dy)
{
    float azimuth = radians(camera->azimuth), elevation = radians(camera->elevation);
    float right[3] = {cosf(azimuth), 0, -sinf(azimuth)};
    float up[3] = {-sinf(azimuth) * sinf(elevation), cosf(elevation),
                   -cosf(azimuth) * sinf(elevation)};
    float height = 2 * camera->distance * tanf(radians(camera->fov) / 2);
    vector_add_scaled(camera->target, -dx * height, right, camera->target);
    vector_add_scaled(camera->target, dy * height, up, camera->target);
    clamp_camera(control, camera);
}

void camera_control_zoom(const CameraControl *control, RenderCamera *camera, float notches, float x,
                         float y)
{
    RenderCamera nearer = *camera;
    nearer.distance *= powf(ZOOM_PER_NOTCH, notches);
    clamp_camera(control, &nearer);
    const float passed = 1 - nearer.distance / camera->distance;
    camera_control_pan(control, camera, -passed * x, -passed * y);
    camera->distance = nearer.distance;
    clamp_camera(control, camera);
}
