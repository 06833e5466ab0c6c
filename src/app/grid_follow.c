/* SPDX-License-Identifier: MIT
 * Measures the window's frames for the choice of the grid, while nobody touches anything. */
#include "app/session.h"

/* Time without input before the grid may change, s. */
#define HANDS_OFF_SECONDS 1.0
/* Longest frame that counts as one, ms. The window may have been stopped for longer. */
#define FRAME_MS_MOST 250.0

bool grid_may_change(const GridHands *hands)
{
    return !hands->dragging && !hands->rewinding && !hands->recording && !hands->paused &&
           !hands->hidden && !hands->exact && hands->idle >= HANDS_OFF_SECONDS;
}

static GridHands hands_of(const Session *session)
{
    const World *world = &session->world;
    return (GridHands){
        .dragging = session->hand.stroke.drag != DRAG_NONE || session->hand.touch.count > 0,
        .rewinding = session->time.rewinding,
        .recording = session->recording.recorder != NULL,
        .paused = world->sim == NULL || sim_thread_paused(world->sim),
        .hidden = window_hidden(&session->window),
        .exact = world->exact && world->aim.pace >= 1,
        .idle = session->hand.used > 0 ? session->now - session->hand.used : HANDS_OFF_SECONDS,
    };
}

void grid_follow(Session *session, double interval_ms)
{
    const SimSnapshot *snapshot = session->snapshot;
    const GridHands hands = hands_of(session);
    if (snapshot == NULL || session->world.grid.count < 2)
        return;
    const GridTimes times =
        picture_grid_times(&session->picture, snapshot, session->screen.draw_ms);
    if (grid_may_change(&hands))
        world_adapt_grid(&session->world, snapshot, &times, SDL_min(interval_ms, FRAME_MS_MOST));
}
