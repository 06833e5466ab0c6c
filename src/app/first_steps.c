/* SPDX-License-Identifier: MIT */
#include "first_steps.h"

#include <stdio.h>

#define STAY_SECONDS 40.0 /* after the first input */
#define PUSH_SECONDS 0.6  /* that the brush has to be pressed: a click pushes nothing */

static const OverlayRow at_home[FIRST_STEPS] = {
    {"left drag", NULL}, /* what the brush does */
    {"1 ... 9", "another scene (Page Down: the next of all)"},
    {"F12   Esc", "take a screenshot; quit (F1: all keys)"},
};

static const OverlayRow in_kiosk[FIRST_STEPS] = {
    {"left drag", NULL}, /* what the brush does */
    {"1 ... 9", "another scene (Page Down: the next of all)"},
    {"E", "detonate at the cursor (F1: all keys)"},
};

void first_steps_watch(FirstSteps *steps, const FirstStepsSight *sight)
{
    if (sight->touched && steps->touched == 0)
        steps->touched = sight->now;
    if (!sight->pushing)
        steps->pressed = 0;
    else if (steps->pressed == 0)
        steps->pressed = sight->now;
    else if (sight->now - steps->pressed >= PUSH_SECONDS)
        steps->done[FIRST_PUSH] = true;
    steps->done[FIRST_SCENE] = steps->done[FIRST_SCENE] || sight->changed;
    steps->done[FIRST_KEEP] = steps->done[FIRST_KEEP] || sight->kept;
    steps->over = steps->over || sight->help;
}

const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush)
{
    int count = 0;
    bool late = steps->touched > 0 && now - steps->touched >= STAY_SECONDS;
    snprintf(steps->push, sizeof steps->push,
             "%s (B: another tool, right drag: turn the view, wheel: nearer)", brush);
    for (int i = 0; i < FIRST_STEPS; i++)
        if (!steps->done[i] && !steps->over && !late)
            steps->rows[count++] = kiosk ? in_kiosk[i] : at_home[i];
    for (int i = 0; i < count; i++)
        if (steps->rows[i].does == NULL)
            steps->rows[i].does = steps->push;
    steps->rows[count] = (OverlayRow){0, 0};
    return count > 0 ? steps->rows : NULL;
}

void first_steps_again(FirstSteps *steps)
{
    *steps = (FirstSteps){0};
}
