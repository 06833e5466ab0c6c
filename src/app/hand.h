/* SPDX-License-Identifier: MIT
 *
 * The left button, a finger or a pen on the picture: brushes, or drags a solid or a handle. */
#ifndef APP_HAND_H
#define APP_HAND_H

#include "session.h"

/* Takes the handle or solid at the cursor, or starts a stroke. */
void hand_press(Session *session);
void hand_release(Session *session);
/* Moves brush, solid or handle to the cursor; once per frame, after the events. */
void hand_move(Session *session);
/* Moves the brush or the grabbed solid away from the camera by notches of the wheel. */
void hand_deepen(Session *session, float notches);

/* Functions for the table of keys. */
void hand_next_tool(Session *session, int steps);
void hand_next_color(Session *session, int steps);
void hand_resize(Session *session, int steps);
void hand_strengthen(Session *session, int steps);
void hand_toggle_handles(Session *session, int argument);

#endif
