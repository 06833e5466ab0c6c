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
    bool over;      /* the help, which says more, or the handles were asked for */
    double touched; /* time of the first input, s; 0: none yet */
    double pressed; /* when the brush was pressed, s; 0: it is not */
    OverlayRow rows[FIRST_STEPS + 1];
    char push[128]; /* text of the first row */
} FirstSteps;

/* What happens in this frame. */
typedef struct FirstStepsSight {
    double now;   /* s, more than 0 */
    bool touched; /* there has been some input */
    bool pushing; /* the brush is pressed */
    bool changed; /* the person chose another scene */
    bool kept;    /* a screenshot was asked for */
    bool help;    /* the help or the handles are shown */
} FirstStepsSight;

void first_steps_watch(FirstSteps *steps, const FirstStepsSight *sight);
/* The lines that are left, ending with a NULL key; NULL: none. kiosk: leave out screenshots and
 * quitting. brush: text of brush_does. */
const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush);
/* Starts again, for another visitor. */
void first_steps_again(FirstSteps *steps);

struct Session;

#define KIOSK_HOLD_SECONDS 3.0

typedef struct Kiosk {
    double held;  /* when Esc was pressed, s; 0: it is not held */
    double moved; /* when the mouse last did anything, s */
    bool hidden;  /* the cursor is hidden */
} Kiosk;

/* Notes whether Esc is held. True: it has been held long enough to quit. */
bool kiosk_hold(Kiosk *kiosk, bool escape, double now);
/* Whether to hide the cursor: the mouse has not moved for a while. */
bool kiosk_hides(const Kiosk *kiosk, double now);

void kiosk_event(struct Session *session, const SDL_Event *event);
/* Once a frame: quits after Esc was held; hides and shows the cursor, in a kiosk and during the
 * show.
 */
void kiosk_frame(struct Session *session);
/* In a kiosk: says that the function is not available there, and returns true. */
bool kiosk_refuses(struct Session *session);

#endif
