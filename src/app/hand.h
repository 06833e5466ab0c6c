/* SPDX-License-Identifier: MIT
 *
 * The left button, a finger or a pen in the picture: it brushes, or drags a solid or a handle. */
#ifndef APP_HAND_H
#define APP_HAND_H

#include "session.h"

/* Takes the handle or solid at the cursor, or begins a stroke. */
void hand_press(Session *session);
void hand_release(Session *session);
/* Once a frame, after the events: brush, solid or handle follow the cursor. */
void hand_move(Session *session);
/* Moves the brush, or the solid that is held, away from the camera by notches of the wheel. */
void hand_deepen(Session *session, float notches);

/* For the table of keys. */
void hand_next_tool(Session *session, int steps);
void hand_next_color(Session *session, int steps);
void hand_resize(Session *session, int steps);
void hand_strengthen(Session *session, int steps);
void hand_toggle_handles(Session *session, int argument);

#endif
