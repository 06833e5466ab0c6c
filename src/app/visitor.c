/* SPDX-License-Identifier: MIT */
#include "visitor.h"

#include "session.h"
#include <stdio.h>

/* -- first steps ------------------------------------------------------------------------------- */

#define STAY_SECONDS 40.0 /* time after the first input */
#define PUSH_SECONDS 0.6  /* time that the brush has to be pressed: a click pushes nothing */

static const OverlayRow at_home[FIRST_STEPS] = {
    {"left drag", NULL}, /* text of brush_does */
    {"1 ... 9", "another scene (Page Down: the next of all)"},
    {"F12   Esc", "take a screenshot; quit (F1: all keys)"},
};

static const OverlayRow in_kiosk[FIRST_STEPS] = {
    {"left drag", NULL}, /* text of brush_does */
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

/* -- the kiosk --------------------------------------------------------------------------------- */

#define CURSOR_SECONDS 3.0

bool kiosk_hold(Kiosk *kiosk, bool escape, double now)
{
    if (!escape)
        kiosk->held = 0;
    else if (kiosk->held == 0)
        kiosk->held = now;
    return escape && now - kiosk->held >= KIOSK_HOLD_SECONDS;
}

bool kiosk_hides(const Kiosk *kiosk, double now)
{
    return now - kiosk->moved >= CURSOR_SECONDS;
}

void kiosk_event(Session *session, const SDL_Event *event)
{
    if (event->type == SDL_MOUSEMOTION || event->type == SDL_MOUSEBUTTONDOWN ||
        event->type == SDL_MOUSEWHEEL)
        session->kiosk.moved = session->now;
}

void kiosk_frame(Session *session)
{
    Kiosk *kiosk = &session->kiosk;
    bool watched = session->options->kiosk || session->attract.show.playing;
    bool hide = watched && kiosk_hides(kiosk, session->now);
    if (hide != kiosk->hidden) {
        SDL_ShowCursor(hide ? SDL_DISABLE : SDL_ENABLE);
        kiosk->hidden = hide;
    }
    if (session->options->kiosk &&
        kiosk_hold(kiosk, SDL_GetKeyboardState(NULL)[SDL_SCANCODE_ESCAPE] != 0, session->now))
        session->quit = true;
}

bool kiosk_refuses(Session *session)
{
    if (!session->options->kiosk)
        return false;
    session_say(session,
                "not in a kiosk, which saves nothing; to quit, hold Esc for %.0f s or "
                "press Ctrl+Q",
                KIOSK_HOLD_SECONDS);
    return true;
}
