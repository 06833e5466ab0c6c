/* SPDX-License-Identifier: MIT
 *
 * Quaternions as files have them: an axis and an angle. */
#ifndef SCENE_SCENE_ROTATION_H
#define SCENE_SCENE_ROTATION_H

#include <stddef.h>

/* q = (axis sin(angle / 2), cos(angle / 2)) of an axis that is not 0, and of any length. */
void scene_rotation_read(const double turn[4], float q[4]);

/* An axis and an angle in degrees from which scene_rotation_read makes the very same bits, where q
 * is of its making; of any other unit quaternion, the nearest. */
void scene_rotation_turn(const float q[4], double turn[4]);

/* That as "[x, y, z, degrees]". */
void scene_rotation_format(const float q[4], char *text, size_t size);

#endif
