/* SPDX-License-Identifier: MIT */
#include "kiosk.h"

#include "session.h"

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
