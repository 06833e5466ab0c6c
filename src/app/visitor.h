/* SPDX-License-Identifier: MIT
 *
 * People who see the window for the first time.
 *
 * First steps: three lines of hints. A line goes when the person has done what it says, and all go
 * some time after the first input, so that nothing has to be remembered from one start to the next.
 *
 * Kiosk: the window at an exhibition. It fills the screen, writes no files, and no single key that
 * a visitor tries leaves it. */
#ifndef APP_VISITOR_H
#define APP_VISITOR_H

#include "overlay.h"
#include <SDL.h>
#include <stdbool.h>

typedef enum FirstStep { FIRST_PUSH, FIRST_SCENE, FIRST_KEEP, FIRST_STEPS } FirstStep;

typedef struct FirstSteps {
    bool done[FIRST_STEPS];
    bool over;      /* the help was asked for, which has more, or the handles */
    double touched; /* s; of the first input; 0: there was none yet */
    double pressed; /* s; since when the brush has been pressed; 0: it is not */
    OverlayRow rows[FIRST_STEPS + 1];
    char push[128]; /* of the first row */
} FirstSteps;

/* What the window does in this frame. */
typedef struct FirstStepsSight {
    double now;   /* s, more than 0 */
    bool touched; /* there was an input since the start */
    bool pushing; /* the brush is pressed */
    bool changed; /* another scene was begun by hand */
    bool kept;    /* a screenshot was asked for, */
    bool help;    /* or all keys, or the handles, which it would lie over */
} FirstStepsSight;

void first_steps_watch(FirstSteps *steps, const FirstStepsSight *sight);
/* The lines that are left, with a NULL key at their end; NULL: none. In a kiosk nothing is kept and
 * nobody quits. brush: what it does, brush_does. */
const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush);
/* Somebody else has come. */
void first_steps_again(FirstSteps *steps);

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
