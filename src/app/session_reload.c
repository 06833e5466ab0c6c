/* SPDX-License-Identifier: MIT
 * The scene's file as it is saved by an editor. */
#include "session.h"

#include <string.h>

#define POLL_SECONDS 0.25

/* What plays may be another scene than the one that was watched. */
static void follow_scene(Session *session)
{
    if (strcmp(session->watched, session->world.from) == 0)
        return;
    snprintf(session->watched, sizeof session->watched, "%s", session->world.from);
    scene_watch_start(&session->watch, session->watched, world_scene(&session->world));
    session->reload_error.text[0] = 0;
}

static void say_what_changed(Session *session, const SceneDifference *found)
{
    const char *slash = strrchr(session->watched, '/');
    const char *name = slash != NULL ? slash + 1 : session->watched;
    if (session->world.changing) /* which says why once it is done */
        return;
    if (found->count == 0)
        session_say(session, "%s: loaded again, as it was", name);
    else if (found->count == 1)
        session_say(session, "%s: %s changed", name, found->first);
    else
        session_say(session, "%s: %s and %d more changed", name, found->first, found->count - 1);
}

static bool load_again(Session *session, SceneDifference *found, BillowError *error)
{
    Scene scene;
    SceneRequest request = session->world.request;
    request.name_or_path = session->watched;
    if (!scene_open(&request, &scene, error))
        return false;
    scene_watch_shapes(&session->watch, &scene);
    return session_reload(session, &scene, found, error);
}

void session_follow_files(Session *session)
{
    SceneDifference found;
    BillowError error;
    if (session->now - session->files_polled < POLL_SECONDS)
        return;
    session->files_polled = session->now;
    follow_scene(session);
    if (!scene_watch_changed(&session->watch) || checkpoint_is_one(session->watched))
        return;
    session->redraw = true;
    if (!load_again(session, &found, &error)) {
        session->reload_error = error;
        return;
    }
    session->reload_error.text[0] = 0;
    say_what_changed(session, &found);
}
