/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles all pending events. Returns true if one of them came from the user. */
bool input_handle(Session *session);

/* Handles fingers and pens. One finger acts as the left button: it presses where it landed as soon
 * as it moves or has rested for a moment, with its pressure if the device reports one. Two fingers
 * turn the view as they move, and zoom as their distance changes. Three fingers shift the view. */
void touch_handle(Session *session, const SDL_TouchFingerEvent *event);
/* Updates fingers and pens; once per frame, after the events. */
void touch_turn(Session *session);

#endif
