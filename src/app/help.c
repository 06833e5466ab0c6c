/* SPDX-License-Identifier: MIT */
#include "help.h"

#include "keys.h"

#define WHEEL_ROWS 3 /* of a notch */

/* 0: it is no key of the help's. */
static int rows_of_key(const SDL_KeyboardEvent *event, int page)
{
    switch (event->keysym.sym) {
    case SDLK_UP:
    case SDLK_LEFT:
        return -1;
    case SDLK_DOWN:
    case SDLK_RIGHT:
        return 1;
    case SDLK_PAGEUP:
        return -page;
    case SDLK_PAGEDOWN:
        return page;
    case SDLK_HOME:
        return -KEYS_HELP_MAX;
    case SDLK_END:
        return KEYS_HELP_MAX;
    default:
        return 0;
    }
}

static int rows_of_wheel(const SDL_MouseWheelEvent *event)
{
    return WHEEL_ROWS * (event->direction == SDL_MOUSEWHEEL_FLIPPED ? event->y : -event->y);
}

bool help_handle(Session *session, const SDL_Event *event)
{
    OverlayPage *page = &session->help_page;
    int rows = 0;
    if (!session->help)
        return false;
    if (event->type == SDL_KEYDOWN)
        rows = rows_of_key(&event->key, SDL_max(page->count, 1));
    else if (event->type == SDL_MOUSEWHEEL)
        rows = rows_of_wheel(&event->wheel);
    page->first = SDL_clamp(page->first + rows, 0, KEYS_HELP_MAX);
    return rows != 0 || event->type == SDL_MOUSEWHEEL;
}
