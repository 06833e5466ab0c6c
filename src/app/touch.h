/* SPDX-License-Identifier: MIT
 *
 * Fingers and pens. One is the left button: it presses where it lands, as soon as it moves or
 * stays, by its pressure where the device knows that. Two turn the view as they move and zoom as
 * they part; three move it. */
#ifndef APP_TOUCH_H
#define APP_TOUCH_H

#include <SDL.h>
#include <stdbool.h>

struct Session;

enum { TOUCH_FINGERS = 3 };

typedef struct TouchFinger {
    SDL_FingerID id;
    float x, y; /* shares of the window */
} TouchFinger;

typedef struct Touch {
    TouchFinger fingers[TOUCH_FINGERS];
    int count;
    bool waits;   /* the one that landed has not pressed yet: others may follow */
    double since; /* s; when it landed, */
    float x, y;   /* and where, in shares of the window's height */
} Touch;

void touch_handle(struct Session *session, const SDL_TouchFingerEvent *event);
/* Once a frame, after the events. */
void touch_turn(struct Session *session);

#endif
