/* SPDX-License-Identifier: MIT */
#include "app/open_file.h"

#include "app/panel.h"
#include "base/fail.h"
#include "io/checkpoint.h"
#include "io/paths.h"
#include "play/replay_file.h"
#include "play/spot.h"

#include <stdio.h>
#include <string.h>

static bool names_scene(const char *name)
{
    return paths_end_in(name, ".yaml") || paths_end_in(name, ".yml");
}

static bool names_joining(const char *name)
{
    return scene_join_is_mesh(name) || scene_join_is_volume(name) ||
           scene_join_is_particles(name) || scene_join_is_panorama(name);
}

bool open_file_lists(const char *name)
{
    return names_scene(name) || paths_end_in(name, ".ckpt") || paths_end_in(name, ".bwr") ||
           names_joining(name);
}

/* -- joining the scene ------------------------------------------------------------------------- */

/* Returns the place at the cursor, or in the middle of the picture if the cursor is elsewhere. */
static SceneSpot spot_at_cursor(const Session *session, const Scene *scene,
                                BillowSolid solids[BILLOW_SOLIDS_MAX])
{
    const Window *window = &session->window;
    const BrushRay ray =
        session->hand.inside
            ? session_cursor_ray(session)
            : brush_ray(&session->world.render.camera, window->width, window->height,
                        0.5f * (float)window->width, 0.5f * (float)window->height);
    return spot_met(&session->world, session->snapshot, scene, &ray, solids);
}

/* Says what became of a file, also after a new simulation has started because of it. */
static void say_joined(Session *session, const char *name, const SceneJoined *joined)
{
    World *world = &session->world;
    const float *at = joined->center;
    if (joined->longest <= 0)
        session_say(session, "%.80s lights the scene; Ctrl Z takes it away", name);
    else
        session_say(session,
                    "%.80s %s at (%.2g, %.2g, %.2g) m, %s%.2g m long; Ctrl Z takes it away", name,
                    joined->list == NULL                    ? "is the smoke at the start,"
                    : strcmp(joined->list, "emitters") == 0 ? "is an emitter"
                                                            : "stands",
                    (double)at[0], (double)at[1], (double)at[2], joined->scaled ? "scaled to " : "",
                    (double)joined->longest);
    if (world->changing)
        snprintf(world->why, sizeof world->why, "%s", session->texts.message);
}

/* Makes the change and plays it. */
static bool join(Session *session, const char *path, bool emits, BillowError *error)
{
    Editor *editor = &session->panel->editor;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    SceneJoined joined;
    editor_done(editor);
    Scene changed = editor->shown;
    const SceneSpot spot = spot_at_cursor(session, &changed, solids);
    if (session_follows(session))
        return fail(error, "%s", session->texts.message);
    if (!scene_join(&changed, path, emits, &spot, &joined, error) ||
        !editor_change(editor, &changed, true, error))
        return false;
    panel_follow(session);
    if (scene_difference(&editor->shown, &changed).effects != 0) /* it was refused */
        return fail(error, "%.150s: %.300s", paths_last_part(path), session->texts.message);
    say_joined(session, paths_last_part(path), &joined);
    return true;
}

/* -- any file ---------------------------------------------------------------------------------- */

static bool play(Session *session, const char *path, BillowError *error)
{
    return session_change(session, path) || fail(error, "%s", session->texts.message);
}

bool open_file(Session *session, const char *path, bool emits, BillowError *error)
{
    const char *name = paths_last_part(path);
    BillowError reason;
    if (!whole_file_check(path, SIZE_MAX, &reason))
        return fail(error, "%.200s %.200s", name, reason.text);
    if (strlen(path) >= sizeof session->world.from)
        return fail(error, "%.150s: lies in folders whose names are too long", name);
    if (checkpoint_is_one(path) || replay_file_is_one(path) || names_scene(path))
        return play(session, path, error);
    if (names_joining(path))
        return join(session, path, emits, error);
    if (paths_end_in(path, ".ckpt"))
        return fail(error, "%.200s is not a checkpoint of Billow", name);
    if (paths_end_in(path, ".bwr"))
        return fail(error, "%.200s is not a recording of hands", name);
    return fail(error,
                "%.100s: Billow opens scenes (.yaml), checkpoints (.ckpt), recordings (.bwr), "
                "meshes (.obj, .stl, .gltf, .glb), smoke (.vdb), particles (.csv, .npz) and "
                "panoramas (.hdr, .exr)",
                name);
}

/* Moves the cursor to the pointer. While the program from which a file is dragged holds the
 * pointer, the window gets no events of it. */
static void find_pointer(Session *session)
{
    const Window *window = &session->window;
    const float scale = window_pixels_per_point(window);
    int x, y, left, top;
    if (window->handle == NULL || SDL_GetMouseFocus() == window->handle)
        return;
    SDL_GetGlobalMouseState(&x, &y);
    SDL_GetWindowPosition(window->handle, &left, &top);
    session->hand.inside =
        x >= left && y >= top && x < left + window->point_width && y < top + window->point_height;
    session->hand.moved = true;
    session->hand.x = (float)(x - left) * scale;
    session->hand.y = (float)(y - top) * scale;
}

void open_file_drop(Session *session, const SDL_DropEvent *event)
{
    BillowError error;
    const bool emits = ((session->hand.modifiers | SDL_GetModState()) & KMOD_SHIFT) != 0;
    session->hand.touched = true;
    find_pointer(session);
    if (event->file != NULL && !kiosk_refuses(session))
        session_tell(session, open_file(session, event->file, emits, &error), &error);
    SDL_free(event->file);
}
