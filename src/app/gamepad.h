/* SPDX-License-Identifier: MIT
 *
 * Gamepads: the sticks move the cursor and the camera, the triggers brush and set fire, and the
 * buttons act as keys do. Several act as one. */
#ifndef APP_GAMEPAD_H
#define APP_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

struct Session;

typedef struct Gamepad {
    float axes[SDL_CONTROLLER_AXIS_MAX]; /* of sticks -1..1, of triggers 0..1; 0 near the middle */
    bool strokes;                        /* the right trigger holds a stroke */
    bool fired;                          /* the left trigger has detonated and is still pressed */
    double turned;                       /* time of the last frame, s; 0: none yet */
} Gamepad;

/* Whether an event is a person's use of a gamepad: a button, or a stick or trigger away from its
 * rest. */
bool gamepad_uses(const SDL_Event *event);
/* Opens and closes gamepads, and handles their sticks, triggers and buttons. Returns whether the
 * event is one of those. */
bool gamepad_handle(struct Session *session, const SDL_Event *event);
/* Moves cursor and camera by the sticks, and strokes by the trigger. Call it once per frame, before
 * hand_move. */
void gamepad_turn(struct Session *session);

#endif
