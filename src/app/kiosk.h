/* SPDX-License-Identifier: MIT
 *
 * The window where anyone may come by: it fills the screen, writes no files, and is not left by one
 * key that a visitor presses to see what it does. */
#ifndef APP_KIOSK_H
#define APP_KIOSK_H

#include <SDL.h>
#include <stdbool.h>

struct Session;

#define KIOSK_HOLD_SECONDS 3.0

typedef struct Kiosk {
    double held;  /* s; since when Esc has been held; 0: it is not */
    double moved; /* s; when the mouse last did anything */
    bool hidden;  /* its cursor is */
} Kiosk;

/* Takes note of whether Esc is held now; true: for long enough to quit. */
bool kiosk_hold(Kiosk *kiosk, bool escape, double now);
/* Whether the cursor is better hidden: its hand has been elsewhere for a while. */
bool kiosk_hides(const Kiosk *kiosk, double now);

void kiosk_event(struct Session *session, const SDL_Event *event);
/* Once a frame: quits where that is asked for; hides and shows the cursor, in a kiosk and while the
 * show plays. */
void kiosk_frame(struct Session *session);
/* What is not for visitors says so. True: this window is for visitors. */
bool kiosk_refuses(struct Session *session);

#endif
