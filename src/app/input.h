/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles every pending event. True: one of them came from the person. */
bool input_handle(Session *session);

/* Fingers and pens. One finger is the left button: it presses where it lands, as soon as it moves
 * or stays, with its pressure where the device knows that. Two turn the view as they move, and zoom
 * as they part. Three move it. */
void touch_handle(Session *session, const SDL_TouchFingerEvent *event);
/* Once a frame, after the events. */
void touch_turn(Session *session);

#endif
