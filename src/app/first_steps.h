/* SPDX-License-Identifier: MIT
 *
 * Three lines for who sees the window for the first time. A line goes when the person has done what
 * it says, and all go some time after the first input: who knows the window loses them at once, and
 * nothing has to be remembered from one start to the next. */
#ifndef APP_FIRST_STEPS_H
#define APP_FIRST_STEPS_H

#include "overlay.h"

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

#endif
