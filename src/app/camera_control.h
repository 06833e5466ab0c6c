/* SPDX-License-Identifier: MIT
 *
 * The mouse on an orbit camera. It never goes below the ground, so far in that it is inside the
 * target, or so far out that the box is lost. */
#ifndef APP_CAMERA_CONTROL_H
#define APP_CAMERA_CONTROL_H

#include "scene.h"

typedef struct CameraControl {
    float low[3], high[3]; /* m; corners of the box */
    bool above_ground;
} CameraControl;

CameraControl camera_control_for(const Scene *scene);

/* dx and dy are the cursor's way as a share of the window's height, x to the right, y down. Each
 * moves the scene with the cursor. */
void camera_control_orbit(const CameraControl *control, RenderCamera *camera, float dx, float dy);
void camera_control_pan(const CameraControl *control, RenderCamera *camera, float dx, float dy);
/* notches of the wheel; positive goes nearer. */
void camera_control_zoom(const CameraControl *control, RenderCamera *camera, float notches);

/* Unit vector from the camera to its target. */
void camera_control_forward(const RenderCamera *camera, float forward[3]);

#endif
