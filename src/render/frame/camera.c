/* SPDX-License-Identifier: MIT */
#include "render/frame/camera.h"
#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

Camera camera_from_settings(const RenderCamera *settings, int width, int height)
{
    Camera camera;
    vec3 target = {settings->target[0], settings->target[1], settings->target[2]};
    vec3 away;
    render_direction(settings->azimuth, settings->elevation, away);
    glm_vec3_copy(target, camera.origin);
    glm_vec3_muladds(away, settings->distance, camera.origin);
    glm_vec3_negate_to(away, camera.forward);
    /* The right vector depends on the azimuth alone: it then also exists if the camera looks
     * straight down. */
    float a = glm_rad(settings->azimuth);
    camera.right[0] = cosf(a);
    camera.right[1] = 0;
    camera.right[2] = -sinf(a);
    glm_vec3_cross(camera.right, camera.forward, camera.up);
    camera.half_height = tanf(0.5f * glm_rad(settings->fov));
    camera.aspect = (float)width / (float)height;
    camera.shear[0] = camera.shear[1] = 0;
    return camera;
}

void camera_move_in_lens(Camera *camera, const float place[2], float focus)
{
    glm_vec3_muladds(camera->right, place[0], camera->origin);
    glm_vec3_muladds(camera->up, place[1], camera->origin);
    camera->shear[0] = place[0] / focus;
    camera->shear[1] = place[1] / focus;
}

void camera_view_projection(const Camera *camera, float matrix[16])
{
    Camera copy = *camera; /* cglm does not accept const */
    vec3 ahead;
    mat4 view, projection, product;
    glm_vec3_add(copy.origin, copy.forward, ahead);
    glm_lookat(copy.origin, ahead, copy.up, view);
    glm_perspective(2 * atanf(copy.half_height), copy.aspect, CAMERA_NEAR, 1e5f, projection);
    glm_mat4_mul(projection, view, product);
    /* The axis of the sheared view pyramid is forward - shear: an offset that grows with depth. */
    for (int column = 0; column < 4; column++)
        for (int side = 0; side < 2; side++)
            product[column][side] +=
                projection[side][side] * camera->shear[side] * product[column][3];
    memcpy(matrix, product, sizeof product);
}

bool camera_place(const Camera *camera, float width, float height, const float place[3],
                  float seen[2])
{
    Camera copy = *camera; /* cglm does not accept const */
    vec3 offset = {place[0] - copy.origin[0], place[1] - copy.origin[1], place[2] - copy.origin[2]};
    float depth = glm_vec3_dot(offset, copy.forward);
    if (depth < CAMERA_NEAR)
        return false;
    float points = 0.5f * height / (depth * copy.half_height);
    seen[0] = 0.5f * width + points * glm_vec3_dot(offset, copy.right);
    seen[1] = 0.5f * height - points * glm_vec3_dot(offset, copy.up);
    return true;
}

void camera_ray(const RenderCamera *settings, int width, int height, float x, float y,
                float origin[3], float direction[3])
{
    Camera camera = camera_from_settings(settings, width, height);
    float across = (2 * x / (float)width - 1) * camera.half_height * camera.aspect;
    float upwards = (1 - 2 * y / (float)height) * camera.half_height;
    vec3 ray;
    glm_vec3_copy(camera.forward, ray);
    glm_vec3_muladds(camera.right, across, ray);
    glm_vec3_muladds(camera.up, upwards, ray);
    glm_vec3_normalize(ray);
    memcpy(origin, camera.origin, sizeof camera.origin);
    memcpy(direction, ray, 3 * sizeof(float));
}
