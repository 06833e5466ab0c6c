/* SPDX-License-Identifier: MIT
 *
 * Moves the orbit camera with the mouse. The camera stays above a visible ground, and at 0.15 to 8
 * box diagonals from its target. The target stays near the box. */
#ifndef PLAY_CAMERA_CONTROL_H
#define PLAY_CAMERA_CONTROL_H

#include "scene/scene.h"

typedef struct CameraControl {
    float low[3], high[3]; /* corners of the box, m */
    bool above_ground;
} CameraControl;

CameraControl camera_control_for(const Scene *scene);

/* camera_control_orbit turns the camera around its target, and camera_control_pan shifts both. The
 * picture follows the cursor. dx and dy: movement of the cursor, window heights; dx to the right,
 * dy down. */
void camera_control_orbit(const CameraControl *control, RenderCamera *camera, float dx, float dy);
void camera_control_pan(const CameraControl *control, RenderCamera *camera, float dx, float dy);
/* Zooms by notches of the wheel, nearer if they are positive, about a place in the picture: a point
 * seen there, as far away as the target, is still seen there afterwards. x, y: the place relative
 * to the middle of the window, window heights; x to the right, y down. */
void camera_control_zoom(const CameraControl *control, RenderCamera *camera, float notches, float x,
                         float y);

/* Computes the unit vector from the camera to its target. */
void camera_control_forward(const RenderCamera *camera, float forward[3]);

#endif
