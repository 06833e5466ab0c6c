/* SPDX-License-Identifier: MIT
 * Another scene, or other values of the one that plays. */
#include "session.h"

static void follow(Session *session)
{
    if (!session->world.changing) {
        session->world_error.text[0] = 0;
        session->shown_any = false; /* light and colours are made when smoke is uploaded */
        window_show_scene(&session->window, session->world.scene.name);
    }
    stillness_break(&session->stillness, session->now);
    session->redraw = true;
}

bool session_apply(Session *session, const Scene *scene, SceneDifference *difference,
                   BillowError *error)
{
    SceneDifference found;
    if (!world_apply(&session->world, scene, &found, error))
        return false;
    if (difference != NULL)
        *difference = found;
    if (found.effects != 0)
        follow(session);
    return true;
}

bool session_reload(Session *session, const Scene *scene, SceneDifference *difference,
                    BillowError *error)
{
    if (!world_reload(&session->world, scene, difference, error))
        return false;
    follow(session);
    return true;
}
