/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles all pending events. Returns true if one of them came from the user. */
bool input_handle(Session *session);

/* Updates fingers and pens; once per frame, after the events. */
void touch_turn(Session *session);

/* -- hand.c: the left button, a finger or a pen on the picture --------------------------------- */

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
