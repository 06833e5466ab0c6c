/* SPDX-License-Identifier: MIT
 * Another scene, or other values of the one that plays. */
#include "session.h"

#include "panel.h"

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

void session_change(Session *session, const char *name)
{
    BillowError error;
    panel_see(session);
    bool kept = checkpoint_is_one(name);
    if (!(kept ? world_resume : world_change)(&session->world, name, &error)) {
        session_say(session, "%s", error.text);
        return;
    }
    session->drag = session->drag == DRAG_SOLID ? DRAG_NONE : session->drag;
    session->chose_scene = !kept;
    if (kept)
        session_say(session, "%s goes on from %s%s", session->world.next.name, name,
                    session->world.past_bytes > 0 ? "; the past is kept from there on" : "");
    else
        session_say(session, "%s", session->world.next.title);
}

bool session_go_back(Session *session, const Scene *scene, const Scene *opened, const char *from,
                     BillowError *error)
{
    if (!world_go_back(&session->world, scene, opened, from, error))
        return false;
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
