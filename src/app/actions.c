/* SPDX-License-Identifier: MIT */
#include "actions.h"

#include "hand.h"
#include "keys.h"
#include <stdio.h>
#include <string.h>

int action_list_scenes(char *text, size_t size)
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (; count < 9 && scene_builtin_name(count) != NULL && used < size; count++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", count > 0 ? ", " : "",
                                 scene_builtin_name(count));
    return count;
}

void action_scene(Session *session, int index)
{
    const char *name = scene_builtin_name(index);
    if (name != NULL) /* there are more than keys */
        session_change(session, name);
}

/* The built-in scene so many after the one that plays, around; the first after a file's. */
static int scene_after(const Session *session, int steps)
{
    int count = 0, at = -1;
    for (; scene_builtin_name(count) != NULL; count++)
        if (strcmp(scene_builtin_title(count), session->world.scene.title) == 0)
            at = count;
    return at < 0 ? 0 : (at + steps + count) % count;
}

void action_next_scene(Session *session, int steps)
{
    action_scene(session, scene_after(session, steps));
}

void action_pause(Session *session, int argument)
{
    (void)argument;
    SimThread *sim = session->world.sim;
    if (sim != NULL)
        sim_thread_send(sim, &(SimCommand){SIM_PAUSE, .on = !sim_thread_paused(sim)});
}

void action_step(Session *session, int argument)
{
    (void)argument;
    if (session->world.sim != NULL)
        sim_thread_send(session->world.sim, &(SimCommand){.kind = SIM_STEP});
}

void action_reset(Session *session, int argument)
{
    (void)argument;
    world_reset(&session->world);
}

static bool has_open_face(const Scene *scene)
{
    bool open = false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        open = open || scene->domain.faces[side] == BILLOW_OPEN;
    return open;
}

void action_detonate(Session *session, int argument)
{
    (void)argument;
    if (session->world.sim == NULL)
        return;
    const Brush *brush = &session->world.brush;
    BillowEmitter detonation = session->world.scene.detonation;
    hand_move(session); /* the cursor may have moved in this very frame */
    if (session->cursor_inside && brush->over)
        for (int i = 0; i < 3; i++)
            detonation.center[i] = brush->place[i];
    if (detonation.expansion != 0.0f && !has_open_face(&session->world.scene))
        session_say(session, "all faces are closed: it detonates without expansion");
    sim_thread_send(session->world.sim, &(SimCommand){SIM_DETONATE, .emitter = detonation});
}

void action_exact(Session *session, int argument)
{
    (void)argument;
    World *world = &session->world;
    if (world->sim == NULL)
        return;
    world_set_exact(world, !world->exact);
    session_say(session, world->exact
                             ? "pressure: all cycles, however long a step takes"
                             : "pressure: fewer cycles where that keeps up with the clock");
}

void action_slice_field(Session *session, int steps)
{
    BillowDef def = scene_def(&session->world.scene);
    SliceAsk *slice = &session->slice;
    int at = slice->given ? (int)slice->kind + 1 : 0;
    do
        at = (at + steps + FIELD_KINDS + 1) % (FIELD_KINDS + 1);
    while (at > 0 && !field_offered(&def, (FieldKind)(at - 1)));
    slice->given = at > 0;
    if (at > 0) {
        slice->kind = (FieldKind)(at - 1);
        slice->ranged = false;
        session_say(session, "%s: %s", field_meaning(slice->kind)->name,
                    field_meaning(slice->kind)->meaning);
    }
    session_ask_slice(session);
}

void action_slice_move(Session *session, int cells)
{
    BillowDef def = scene_def(&session->world.scene);
    const int n[3] = {def.nx, def.ny, def.nz};
    SliceAsk *slice = &session->slice;
    if (!slice->given)
        return;
    float low = def.origin[slice->axis], high = low + (float)n[slice->axis] * def.cell_size;
    slice->position += (float)cells * def.cell_size;
    slice->position = SDL_max(low, SDL_min(slice->position, high));
    session_ask_slice(session);
}

void action_slice_axis(Session *session, int argument)
{
    (void)argument;
    SliceAsk *slice = &session->slice;
    if (!slice->given)
        return;
    slice->axis = (slice->axis + 1) % 3;
    slice->placed = false;
    session_ask_slice(session);
}

void action_slice_contours(Session *session, int argument)
{
    (void)argument;
    const int lines = 10;
    if (!session->slice.given)
        return;
    session->slice.contours = session->slice.contours > 0 ? 0 : lines;
    session->redraw = true;
}

void action_outline(Session *session, int argument)
{
    (void)argument;
    session->outline = !session->outline;
    session->redraw = true;
}

void action_screenshot(Session *session, int argument)
{
    (void)argument;
    session->screenshot = true;
}

void action_full_screen(Session *session, int argument)
{
    (void)argument;
    window_toggle_full_screen(&session->window);
}

void action_help(Session *session, int argument)
{
    (void)argument;
    session->help = !session->help;
    session->help_page = (OverlayPage){0, 0};
}

void action_leave(Session *session, int argument)
{
    if (session->help)
        session->help = false;
    else if (!kiosk_refuses(session))
        action_quit(session, argument);
}

void action_quit(Session *session, int argument)
{
    (void)argument;
    session->quit = true;
}
