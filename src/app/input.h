/* SPDX-License-Identifier: MIT
 *
 * The events of the window: the mouse here, keys by their table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles every pending event. True: there was one by mouse or keyboard. */
bool input_handle(Session *session);

/* Fingers and pens. One finger is the left button: it presses where it lands, as soon as it moves
 * or stays, with its pressure where the device knows that. Two turn the view as they move, and zoom
 * as they part. Three move it. */
void touch_handle(Session *session, const SDL_TouchFingerEvent *event);
/* Once a frame, after the events. */
void touch_turn(Session *session);

#endif
