/* SPDX-License-Identifier: MIT
 *
 * What the left button, a finger or a pen does in the picture: it brushes, or takes hold of a
 * solid. */
#ifndef APP_HAND_H
#define APP_HAND_H

#include "session.h"

/* At the cursor: takes what is there, or begins a stroke. */
void hand_press(Session *session);
void hand_release(Session *session);
/* Once a frame, after the events: what is held follows the cursor. */
void hand_move(Session *session);
/* The wheel while something is held, or for the brush alone: away from the camera. */
void hand_deepen(Session *session, float notches);

/* For the table of keys. */
void hand_next_tool(Session *session, int steps);
void hand_next_color(Session *session, int steps);
void hand_resize(Session *session, int steps);
void hand_strengthen(Session *session, int steps);
void hand_toggle_handles(Session *session, int argument);

#endif
