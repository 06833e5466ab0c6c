/* SPDX-License-Identifier: MIT
 * Messages, changes of the scene, the slice, the watched files, the choice of the
 * grid, and the kiosk. */
#include "app/session.h"

#include "app/screen.h"
#include "scene/scene_reel.h"

#include "base/number.h"
#include "io/font.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- messages, the world that is shown --------------------------------------------------------- */

#define MESSAGE_SECONDS  4.0
#define LETTERS_A_SECOND 15.0 /* assumed reading speed, letters / s */

void session_say(Session *session, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    number_vprint(session->texts.message, sizeof session->texts.message, format, values);
    va_end(values);
    session_said(session);
}

void session_tell(Session *session, bool well, const BillowError *error)
{
    if (!well)
        session_say(session, "%s", error->text);
}

void session_said(Session *session)
{
    double letters = (double)strlen(session->texts.message);
    session->texts.message_until = session->now + fmax(MESSAGE_SECONDS, letters / LETTERS_A_SECOND);
}

void session_show_world(Session *session)
{
    session->hand.stroke.drag =
        session->hand.stroke.drag == DRAG_GIZMO ? DRAG_NONE : session->hand.stroke.drag;
    screen_keep_picture(session);
    picture_forget(&session->picture, session->now);
    window_show_scene(&session->window, session->world.scene.name);
    session_ask_slice(session);
    session->hand.moved = session->hand.inside;
}

BrushRay session_cursor_ray(const Session *session)
{
    return brush_ray(&session->world.render.camera, session->window.width, session->window.height,
                     session->hand.x, session->hand.y);
}

/* -- scenes ------------------------------------------------------------------------------------ */

void session_follow_scene(Session *session)
{
    if (!session->world.changing) {
        session->texts.world_error.text[0] = 0;
        window_show_scene(&session->window, session->world.scene.name);
    }
    stillness_break(&session->picture.stillness, session->now);
    session->picture.redraw = true;
}

bool session_change(Session *session, const char *name)
{
    BillowError error;
    if (!session->world.changing) {
        session->change.left = true;
        session->change.left_view = session->world.render.camera;
    }
    bool checkpoint = checkpoint_is_one(name);
    if (!world_change(&session->world, name, &error)) {
        session_say(session, "%s", error.text);
        return false;
    }
    if (session->hand.stroke.drag == DRAG_SOLID)
        session->hand.stroke.drag = DRAG_NONE;
    placing_give_up(session);
    session->change.chosen = !checkpoint;
    if (checkpoint)
        session_say(session, "%s continues from %s%s", session->world.next.name, name,
                    session->world.past_bytes > 0 ? "; states are stored from there on" : "");
    else
        session_say(session, "%s", session->world.next.title);
    return true;
}

/* -- the slice --------------------------------------------------------------------------------- */

/* Time constant with which the automatic range of colours shrinks, s. */
#define RANGE_SECONDS 1.5

void session_ask_slice(Session *session)
{
    BillowError error;
    SliceAsk *ask = &session->slice.ask;
    session->picture.redraw = true;
    if (session->world.sim == NULL)
        return;
    BillowDef def = scene_def(&session->world.scene);
    if (ask->given && !slice_ask_settle(ask, &def, &session->world.render.camera, &error)) {
        ask->placed = false; /* outside this box: use the middle of the box */
        ask->given = slice_ask_settle(ask, &def, &session->world.render.camera, &error);
        if (!ask->given)
            session_say(session, "%s", error.text);
    }
    FieldSlice slice = {.kind = ask->kind, .axis = ask->axis, .position = ask->position};
    world_send(&session->world, ask->given ? &(SimCommand){SIM_SLICE, .slice = slice}
                                           : &(SimCommand){.kind = SIM_NO_SLICE});
}

/* Smooths the automatic range of colours. The range grows at once and shrinks slowly, so that the
 * colours do not flicker. */
static void ease_range(Session *session, RenderSlice *drawn)
{
    FieldSlice *eased = &session->slice.eased;
    const FieldSlice *field = drawn->field;
    double passed = session->now - session->slice.eased_time;
    bool same = eased->kind == field->kind && eased->axis == field->axis && eased->n[0] > 0;
    bool still = sim_thread_paused(session->world.sim);
    float share = same && !still ? (float)exp(-passed / RANGE_SECONDS) : 0;
    eased->low = fminf(drawn->low, drawn->low + share * (eased->low - drawn->low));
    eased->high = fmaxf(drawn->high, drawn->high + share * (eased->high - drawn->high));
    eased->kind = field->kind;
    eased->axis = field->axis;
    eased->n[0] = 1;
    session->slice.eased_time = session->now;
    drawn->low = eased->low;
    drawn->high = eased->high;
}

RenderSlice session_slice(Session *session)
{
    const SimSnapshot *snapshot = session->snapshot;
    if (!session->slice.ask.given || snapshot == NULL || snapshot->slice.values == NULL)
        return (RenderSlice){.high = 1};
    RenderSlice drawn = slice_ask_drawn(&session->slice.ask, &snapshot->slice);
    if (!session->slice.ask.ranged)
        ease_range(session, &drawn);
    return drawn;
}

/* -- others ------------------------------------------------------------------------------------ */

void session_share(Session *session)
{
    SessionShare *shared = &session->share;
    const Brush *brush = &session->world.brush;
    if (shared->share == NULL)
        return;
    share_point(shared->share, brush->place, brush->over && !session->attract.show.playing);
    shared->status = share_status(shared->share);
    if (shared->status.notices != shared->notices)
        session_say(session, "%s", shared->status.notice.text);
    shared->notices = shared->status.notices;
}

bool session_follows(Session *session)
{
    bool follows = world_follows(&session->world);
    if (follows)
        session_say(session, "only the host of a shared scene can do this");
    return follows;
}

/* Draws where the hands of others are, with their names. */
static void mark_others(Session *session, OverlayContent *content)
{
    const ShareStatus *status = &session->share.status;
    SessionTexts *texts = &session->texts;
    for (int p = 0; p < status->people_count; p++) {
        const SharePerson *person = &status->people[p];
        OverlayLabel *label = &texts->labels[content->label_count];
        if (person->self || !person->net.pointing ||
            !marks_place(&session->marks, person->net.pointer, label->at))
            continue;
        pointer_mark(person->net.pointer, person->color, &session->marks);
        snprintf(label->text, sizeof label->text, "%s", person->net.name);
        memcpy(label->color, person->color, sizeof person->color);
        content->label_count++;
    }
    content->labels = texts->labels;
}

/* -- marks ------------------------------------------------------------------------------------- */

void session_mark(Session *session, OverlayContent *content)
{
    const World *world = &session->world;
    const SimSnapshot *snapshot = session->snapshot;
    const bool strokes = session->hand.stroke.drag == DRAG_BRUSH;
    MarksScene scene = {.extinction = world->render.smoke.extinction};
    if (snapshot != NULL) {
        scene.view = &snapshot->view;
        scene.solids = snapshot->solids;
        scene.solid_count = snapshot->solid_count;
    }
    marks_begin(&session->marks, &world->render.camera, content->width, content->height, &scene);
    if (session->gui != NULL)
        session->marks.scale = gui_scale(session->gui);
    if (session->hand.handles) { /* lights at the positions that the timeline gives them now */
        Scene now = world->scene;
        now.render = world->render;
        gizmo_mark(&now, &session->hand.gizmo, &session->marks);
    }
    placing_mark(&session->hand.placing, &session->marks);
    if (session->hand.inside)
        cursor_mark(&world->brush, strokes, session->now, &session->marks);
    brush_trail_follow(&session->trail, &world->brush, strokes, session->now);
    brush_trail_mark(&session->trail, brush_radius(&world->brush), session->now, &session->marks);
    mark_others(session, content);
    content->label_count +=
        placing_label(session, &session->texts.labels[content->label_count]) ? 1 : 0;
    content->lines = session->marks.lines;
    content->line_count = session->marks.count;
}

/* -- the scene's files ------------------------------------------------------------------------- */

static void add_shape(SceneFiles *files, const SceneFiles *before, const char *path)
{
    if (path[0] == 0)
        return;
    for (int m = 0; m < files->shape_count; m++)
        if (strcmp(files->shapes[m].path, path) == 0)
            return;
    FileWatch *shape = &files->shapes[files->shape_count++];
    for (int m = 0; m < before->shape_count; m++)
        if (strcmp(before->shapes[m].path, path) == 0) {
            *shape = before->shapes[m];
            return;
        }
    *shape = file_watch_start(path);
}

/* Adds the first of numbered files, or the file itself. */
static void add_numbered(SceneFiles *files, const SceneFiles *before, const SceneForm *form,
                         const char *path)
{
    char file[SCENE_PATH + 16];
    scene_path_of(path, scene_form_first(form, path), file);
    add_shape(files, before, file);
}

static void add_form(SceneFiles *files, const SceneFiles *before, const SceneForm *form)
{
    add_numbered(files, before, form, form->mesh);
    add_numbered(files, before, form, form->vdb);
    add_numbered(files, before, form, form->particles);
    if (form->text[0] != 0 && lettering_font_is_file(form->font))
        add_shape(files, before, form->font);
}

void scene_files_watch_shapes(SceneFiles *files, const Scene *scene)
{
    const SceneFiles before = *files;
    files->shape_count = 0;
    add_shape(files, &before, scene->initial.vdb);
    for (int e = 0; e < scene->def.emitter_count; e++)
        add_form(files, &before, &scene->emitter_forms[e]);
    for (int s = 0; s < scene->def.solid_count; s++)
        add_form(files, &before, &scene->solid_forms[s]);
    add_shape(files, &before, scene->render.surroundings.file);
}

void scene_files_watch(SceneFiles *files, const char *name_or_path, const Scene *scene)
{
    files->shape_count = 0;
    files->file = file_watch_start(scene_is_builtin(name_or_path) ? "" : name_or_path);
    scene_files_watch_shapes(files, scene);
}

bool scene_files_changed(SceneFiles *files)
{
    bool changed = files->file.path[0] != 0 && file_watch_changed(&files->file);
    for (int m = 0; m < files->shape_count; m++)
        changed = file_watch_changed(&files->shapes[m]) || changed;
    return changed;
}

#define POLL_SECONDS 0.25 /* time between two checks of the files, s */

static void say_what_changed(Session *session, const SceneDifference *found)
{
    const char *slash = strrchr(session->files.name, '/');
    const char *name = slash != NULL ? slash + 1 : session->files.name;
    if (session->world.changing) /* the message of the new simulation will follow */
        return;
    if (found->count == 0)
        session_say(session, "%s: loaded again; no setting differs", name);
    else if (found->count == 1)
        session_say(session, "%s: %s changed", name, found->first);
    else
        session_say(session, "%s: %s and %d more changed", name, found->first, found->count - 1);
}

static bool load_again(Session *session, SceneDifference *found, BillowError *error)
{
    Scene scene;
    SceneRequest request = session->world.request;
    request.name_or_path = session->files.name;
    if (!scene_open(&request, &scene, error))
        return false;
    scene_files_watch_shapes(&session->files.watched, &scene);
    if (!world_reload(&session->world, &scene, found, error))
        return false;
    session->picture.uploaded = false; /* a file may differ where no setting does */
    session_follow_scene(session);
    return true;
}

void session_follow_files(Session *session)
{
    SceneDifference found;
    BillowError error;
    if (session->now - session->files.polled < POLL_SECONDS)
        return;
    session->files.polled = session->now;
    if (strcmp(session->files.name, session->world.from) != 0) { /* another scene plays */
        snprintf(session->files.name, sizeof session->files.name, "%s", session->world.from);
        scene_files_watch(&session->files.watched, session->files.name,
                          world_scene(&session->world));
        session->files.error.text[0] = 0;
    }
    if (!scene_files_changed(&session->files.watched) || checkpoint_is_one(session->files.name) ||
        replay_file_is_one(session->files.name))
        return;
    session->picture.redraw = true;
    if (!load_again(session, &found, &error)) {
        session->files.error = error;
        return;
    }
    session->files.error.text[0] = 0;
    say_what_changed(session, &found);
}

/* -- the grid ---------------------------------------------------------------------------------- */

/* Time without input before the grid may change, s. */
#define HANDS_OFF_SECONDS 1.0
/* Longest frame that counts as one, ms. The window may have been stopped for longer. */
#define FRAME_MS_MOST 250.0

bool grid_may_change(const GridHands *hands)
{
    const bool off = !hands->dragging && hands->idle >= HANDS_OFF_SECONDS;
    return (off || hands->overloaded) && !hands->rewinding && !hands->recording && !hands->paused &&
           !hands->hidden && !hands->exact;
}

static GridHands hands_of(const Session *session)
{
    const World *world = &session->world;
    return (GridHands){
        .dragging = session->hand.stroke.drag != DRAG_NONE || session->hand.touch.count > 0,
        .rewinding = session->time.rewinding,
        .recording = recording_runs(session),
        .paused = world->sim == NULL || sim_thread_paused(world->sim),
        .hidden = window_hidden(&session->window),
        .exact = world->exact && !world->aim.exact,
        .idle = session->hand.used > 0 ? session->now - session->hand.used : HANDS_OFF_SECONDS,
    };
}

void grid_follow(Session *session, double interval_ms)
{
    const SimSnapshot *snapshot = session->snapshot;
    GridHands hands = hands_of(session);
    if (snapshot == NULL || session->world.grid.count < 2)
        return;
    const GridTimes times =
        picture_grid_times(&session->picture, snapshot, session->screen.draw_ms);
    hands.overloaded = world_overloaded(&session->world, &times);
    if (grid_may_change(&hands))
        world_adapt_grid(&session->world, snapshot, &times, SDL_min(interval_ms, FRAME_MS_MOST));
}

void session_choose_quality(Session *session, SceneQuality quality)
{
    static const char *const words[] = {
        [SCENE_DRAFT] = "fluid: as many pictures as the screen shows",
        [SCENE_GOOD] = "auto: 30 pictures a second",
        [SCENE_BEST] = "fine: larger grids and more rays, at 10 pictures a second"};
    const GridAim aim = grid_aim_of(quality);
    session->quality = quality;
    world_set_aim(&session->world, &aim);
    resolution_aim(&session->picture.resolution, session->picture.limits.software, aim.fps);
    session_say(session, "quality %s%s", words[quality],
                session->world.aim.fps > 0 ? "" : "; the grid stays as it was given");
}

/* -- the kiosk --------------------------------------------------------------------------------- */

#define CURSOR_SECONDS 3.0 /* time without mouse events after which the cursor is hidden, s */

bool kiosk_hold(Kiosk *kiosk, bool escape, double now)
{
    if (!escape)
        kiosk->pressed = 0;
    else if (kiosk->pressed == 0)
        kiosk->pressed = now;
    return escape && now - kiosk->pressed >= KIOSK_HOLD_SECONDS;
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
                "not available in kiosk mode; to quit, hold Esc for %.0f s or "
                "press Ctrl+Q",
                KIOSK_HOLD_SECONDS);
    return true;
}
