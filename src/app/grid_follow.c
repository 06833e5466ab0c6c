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
        .dragging = session->hand.drag != DRAG_NONE || session->hand.touch.count > 0,
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
    SessionPicture *picture = &session->picture;
    const SimSnapshot *snapshot = session->snapshot;
    const GridHands hands = hands_of(session);
    GridTimes times = {0};
    if (snapshot == NULL || session->world.grid.count < 2)
        return;
    if (picture->upload_new) { /* the picture shows a new step */
        times.step_ms = snapshot->work_ms;
        times.light_ms = renderer_times(picture->renderer).light_ms;
        times.upload_ms = SDL_max(picture->upload_ms - times.light_ms, 0.01);
        times.cut = snapshot->cut;
    }
    if (resolution_least(&picture->resolution))
        times.draw_ms = picture->draw_ms;
    picture->upload_new = false;
    if (grid_may_change(&hands))
        world_adapt_grid(&session->world, snapshot, &times, SDL_min(interval_ms, FRAME_MS_MOST));
}
