/* SPDX-License-Identifier: MIT */
#include "session.h"

#include "cursor.h"

/* As the timeline has the light now. */
static void mark_handles(Session *session)
{
    Scene now = session->world.scene;
    now.render = session->world.render;
    gizmo_mark(&now, &session->gizmo, &session->marks);
}

void session_mark(Session *session, OverlayContent *content)
{
    const World *world = &session->world;
    const SimSnapshot *snapshot = session->snapshot;
    MarksScene scene = {.extinction = world->render.smoke.extinction};
    if (snapshot != NULL) {
        scene.view = &snapshot->view;
        scene.solids = snapshot->solids;
        scene.solid_count = snapshot->solid_count;
    }
    marks_begin(&session->marks, &world->render.camera, content->width, content->height, &scene);
    if (session->handles)
        mark_handles(session);
    if (session->cursor_inside)
        cursor_mark(&world->brush, &session->marks);
    content->lines = session->marks.lines;
    content->line_count = session->marks.count;
}
