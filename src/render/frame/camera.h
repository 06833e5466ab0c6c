/* SPDX-License-Identifier: MIT
 *
 * The orbit camera: its axes, projection and rays. */
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include "base/render_settings.h"
#include <stdbool.h>

/* Smallest depth in front of the camera at which something is seen, m. */
#define CAMERA_NEAR 1e-3f

typedef struct Camera {
    float origin[3];
    float right[3], up[3], forward[3]; /* unit vectors */
    float half_height;                 /* half the height of the visible area at distance 1 */
    float aspect;                      /* width over height */
    float shear[2]; /* place in the lens over the distance in focus, along `right` and `up`; 0: the
                       middle of the lens */
} Camera;

Camera camera_from_settings(const RenderCamera *settings, int width, int height);

/* Moves a camera to a place in its lens, m from the middle along `right` and `up`. Points at
 * distance `focus` along the view axis stay where they are in the picture. */
void camera_move_in_lens(Camera *camera, const float place[2], float focus);

/* Computes the column-major matrix from world to clip space, for lines and points. */
void camera_view_projection(const Camera *camera, float matrix[16]);

/* Computes where a place is in a picture, pixels from the top left. Returns false if it is behind
 * the camera. */
bool camera_place(const Camera *camera, float width, float height, const float place[3],
                  float seen[2]);

/* Computes the origin and unit direction of the ray through pixel (x, y), counted from the top
 * left. */
void camera_ray(const RenderCamera *settings, int width, int height, float x, float y,
                float origin[3], float direction[3]);

#endif
