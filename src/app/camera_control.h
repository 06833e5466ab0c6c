/* SPDX-License-Identifier: MIT
 *
 * Moves the orbit camera with the mouse. The camera stays above the ground, away from its target,
 * and close enough to see the box. */
#ifndef APP_CAMERA_CONTROL_H
#define APP_CAMERA_CONTROL_H

#include "scene.h"

typedef struct CameraControl {
    float low[3], high[3]; /* m; corners of the box */
    bool above_ground;
} CameraControl;

CameraControl camera_control_for(const Scene *scene);

/* Turns or shifts the view so that the scene follows the cursor. dx and dy: movement of the cursor
 * as a share of the window's height, x to the right, y down. */
void camera_control_orbit(const CameraControl *control, RenderCamera *camera, float dx, float dy);
void camera_control_pan(const CameraControl *control, RenderCamera *camera, float dx, float dy);
/* Zooms by notches of the wheel; positive notches approach the target. */
void camera_control_zoom(const CameraControl *control, RenderCamera *camera, float notches);

/* Unit vector from the camera to its target. */
void camera_control_forward(const RenderCamera *camera, float forward[3]);

#endif
