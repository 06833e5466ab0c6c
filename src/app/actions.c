/* SPDX-License-Identifier: MIT */
#include "app/actions.h"

#include "app/input.h"
#include "app/keys.h"
#include "base/fail.h"
#include "base/system.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_keys.h"
#include "scene/scene_write.h"

#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string that grows. `text` is NULL if memory was short. */
typedef struct Line {
    char *text;
    size_t length;
} Line;

static void fail_line(Line *line)
{
    free(line->text);
    line->text = NULL;
}

/* Appends an argument, quoted for a shell. Quoting replaces a single quote by four characters. */
static void append(Line *line, const char *argument)
{
    size_t most = 4 * strlen(argument) + 3;
    char *longer = line->text != NULL ? realloc(line->text, line->length + 1 + most) : NULL;
    if (longer == NULL) {
        fail_line(line);
        return;
    }
    line->text = longer;
    if (line->length > 0)
        line->text[line->length++] = ' ';
    scene_argument_quote(argument, line->text + line->length, most);
    line->length += strlen(line->text + line->length);
}

static void append_pair(Line *line, const char *option, const char *value)
{
    append(line, option);
    append(line, value);
}

static void append_assignment(void *context, const char *assignment)
{
    append_pair(context, "--set", assignment);
}

static void append_overrides(Line *line, const SceneRequest *request)
{
    for (int i = 0; i < request->override_count; i++)
        append_assignment(line, request->overrides[i]);
}

/* Appends `--resume` with the checkpoint from which the simulation started, and the command line's
 * overrides. Returns false if the simulation did not start from a checkpoint, or if the file cannot
 * be read any more. base: receives the checkpoint's scene with the overrides. */
static bool append_checkpoint(Line *line, const World *world, Scene *base)
{
    CheckpointReader reader;
    BillowError error;
    SceneRequest request = world->request;
    request.grid = NULL;
    request.name_or_path = world->checkpoint;
    if (world->checkpoint[0] == 0 ||
        !scene_checkpoint_open(&reader, world->checkpoint, base, &error))
        return false;
    checkpoint_close(&reader);
    if (!scene_change(&request, base, &error))
        return false;
    append_pair(line, "--resume", world->checkpoint);
    append_overrides(line, &request);
    return true;
}

/* Appends the scene, the command line's grid and its overrides. The grid is left out if the user
 * has changed the number of cells. */
static void append_request(Line *line, const World *world)
{
    const SceneRequest *request = &world->request;
    bool same = memcmp(world->scene.domain.cells, world->opened.domain.cells,
                       sizeof world->scene.domain.cells) == 0;
    append(line, world->from);
    if (request->grid != NULL && same)
        append_pair(line, "--grid", request->grid);
    append_overrides(line, request);
}

/* Writes a number with the fewest digits that give the same float when they are read back. */
static const char *number(float value, char text[32])
{
    const SceneKey plain = {.type = SCENE_KEY_FLOAT};
    scene_keys_format(&plain, &value, text, 32);
    return text;
}

/* Appends the slice, if one is shown. Options with default values are left out. */
static void append_slice(Line *line, const SliceAsk *ask)
{
    const SliceAsk plain = slice_ask_default();
    char text[200], first[32], second[32];
    int length = 0;
    if (!ask->given)
        return;
    length += snprintf(text, sizeof text, "%s,%c=%s", field_meaning(ask->kind)->name,
                       'x' + ask->axis, number(ask->position, first));
    if (ask->contours != plain.contours)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ",contours=%d", ask->contours);
    if (ask->veil != plain.veil)
        length += snprintf(text + length, sizeof text - (size_t)length, ",veil=%s",
                           number(ask->veil, first));
    if (ask->ranged)
        snprintf(text + length, sizeof text - (size_t)length, ",range=%s:%s",
                 number(ask->low, first), number(ask->high, second));
    append_pair(line, "--slice", text);
}

char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error)
{
    Scene now = world->scene, base;
    now.render.camera = world->render.camera;
    Line line = {calloc(1, 1), 0};
    append(&line, "billow");
    append(&line, "run");
    if (!append_checkpoint(&line, world, &base)) {
        base = world->opened;
        append_request(&line, world);
    }
    append_slice(&line, slice);
    *lost = scene_arguments(&base, &now, "camera.", append_assignment, &line);
    if (line.text == NULL)
        fail(error, "not enough memory for the view's arguments");
    return line.text;
}

void action_print_view(Session *session, int argument)
{
    (void)argument;
    BillowError error;
    int lost = 0;
    char *line = view_arguments(&session->world, &session->slice.ask, &lost, &error);
    if (line == NULL) {
        session_say(session, "%s", error.text);
        return;
    }
    printf("%s%s\n", line,
           lost > 0 ? " # some changes have no --set: save the scene to keep them" : "");
    fflush(stdout);
    const char *rest = " ...; the whole command is on standard output";
    bool fits = strlen(line) < sizeof session->texts.message;
    session_say(session, "%.*s%s", (int)(fits ? strlen(line) : sizeof session->texts.message / 2),
                line, fits ? "" : rest);
    free(line);
}

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
    if (name != NULL) /* there may be fewer built-in scenes than digit keys */
        session_change(session, name);
}

void action_scene_to_play(Session *session, int argument)
{
    (void)argument;
    session_change(session, SCENE_TO_PLAY);
}

/* Returns the index of the built-in scene that is `steps` after the current scene, cyclically.
 * Returns 0 if the current scene is not built in. */
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
    session->hand.blasted = true;
    world_reset(&session->world);
}

static bool has_open_face(const Scene *scene)
{
    bool open = false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        open = open || scene->def.faces[side] == BILLOW_OPEN;
    return open;
}

void action_detonate(Session *session, int argument)
{
    (void)argument;
    if (session->world.sim == NULL)
        return;
    const Brush *brush = &session->world.brush;
    BillowEmitter detonation = session->world.scene.detonation;
    session->hand.blasted = true;
    hand_move(session); /* update the brush's position: the cursor may have moved in this frame */
    if (session->hand.inside && brush->over)
        for (int i = 0; i < 3; i++)
            detonation.center[i] = brush->place[i];
    if (detonation.expansion != 0.0f && !has_open_face(&session->world.scene))
        session_say(session, "all faces are closed: the detonation does not expand");
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
                             : "pressure: fewer cycles where needed to keep up with the clock");
}

void action_slice_field(Session *session, int steps)
{
    BillowDef def = scene_def(&session->world.scene);
    SliceAsk *slice = &session->slice.ask;
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
    SliceAsk *slice = &session->slice.ask;
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
    SliceAsk *slice = &session->slice.ask;
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
    if (!session->slice.ask.given)
        return;
    session->slice.ask.contours = session->slice.ask.contours > 0 ? 0 : lines;
    session->picture.redraw = true;
}

void action_outline(Session *session, int argument)
{
    (void)argument;
    session->picture.outline = !session->picture.outline;
    session->picture.redraw = true;
}

void action_screenshot(Session *session, int argument)
{
    (void)argument;
    session->picture.screenshot = true;
}

void action_full_screen(Session *session, int argument)
{
    (void)argument;
    window_toggle_full_screen(&session->window);
}

void action_help(Session *session, int argument)
{
    (void)argument;
    session->texts.help = !session->texts.help;
    session->texts.help_page = (OverlayPage){0, 0};
}

/* Says what is kept, and makes Esc quit while the message is shown. */
static void ask_to_quit(Session *session)
{
    bool records = session->recording.recorder != NULL;
    if (autosave_keeps(session))
        session_say(session, "Esc again quits%s. To continue later: billow run --resume %.150s",
                    records ? " and finishes the video" : "", session->autosave.last);
    else
        session_say(session, "Esc again quits%s. This smoke is not kept: F5 saves a checkpoint",
                    records ? " and finishes the video" : "");
    session->quit_until = session->texts.message_until;
}

void action_leave(Session *session, int argument)
{
    if (session->texts.help)
        session->texts.help = false;
    else if (session->now < session->quit_until)
        action_quit(session, argument);
    else if (!kiosk_refuses(session))
        ask_to_quit(session);
}

void action_hide(Session *session, int argument)
{
    (void)argument;
    session->texts.hidden = !session->texts.hidden;
    session_say(session,
                session->texts.hidden ? "texts hidden; U shows them again" : "texts shown");
}

void action_quit(Session *session, int argument)
{
    (void)argument;
    session->quit = true;
}

/* -- time -------------------------------------------------------------------------------------- */

void action_speed(Session *session, int doublings)
{
    double speed = world_change_speed(&session->world, doublings);
    if (speed < 1)
        session_say(session, "speed 1/%.0f", 1 / speed);
    else
        session_say(session, "speed %.0f", speed);
}

static bool has_past(Session *session)
{
    if (session_follows(session))
        return false;
    if (session->world.past_bytes > 0)
        return true;
    session_say(session, "no past states are stored: billow was started with --rewind 0");
    return false;
}

void action_rewind(Session *session, int argument)
{
    (void)argument;
    if (session->world.sim == NULL || !has_past(session))
        return;
    session->time.rewinding = true;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_REWIND, .on = true});
}

void action_seek(Session *session, int states)
{
    if (session->world.sim != NULL && has_past(session))
        sim_thread_send(session->world.sim, &(SimCommand){SIM_SEEK, .count = states});
}

void action_turntable(Session *session, int argument)
{
    (void)argument;
    TimeControl *time = &session->time;
    time->turning = !time->turning;
    time->turned = session->now;
    session_say(session, time->turning ? "turntable: one turn in %.0f s" : "turntable: stopped",
                360 / TURNTABLE_SPEED);
}

/* Ends going back when the key is released. It polls the keyboard, because no event reports the
 * release if the window has lost the focus. */
static void follow_rewinding(Session *session)
{
    TimeControl *time = &session->time;
    if (!time->rewinding || SDL_GetKeyboardState(NULL)[SDL_SCANCODE_BACKSPACE])
        return;
    time->rewinding = false;
    if (session->world.sim != NULL)
        sim_thread_send(session->world.sim, &(SimCommand){SIM_REWIND, .on = false});
}

static void tell(Session *session)
{
    const SimSnapshot *snapshot = session->snapshot;
    if (snapshot == NULL || snapshot->went_back == session->time.went_back)
        return;
    session->time.went_back = snapshot->went_back;
    if (snapshot->went_back > 0)
        session_say(session, "at %.2f s; stored states go back to %.2f s", snapshot->stats.time,
                    snapshot->back_to);
}

/* Turns the camera by the turntable's speed, except while the user drags the camera. */
static void turn(Session *session)
{
    TimeControl *time = &session->time;
    RenderCamera *camera = &session->world.render.camera;
    double seconds = session->now - time->turned;
    const Recording *recording = &session->recording;
    if (!time->turning)
        return;
    if (recording->recorder != NULL) { /* in the time of the video, whose frames take long */
        seconds = (double)(recording->taken - time->filmed) / session->options->fps;
        time->filmed = recording->taken;
        seconds = seconds > 1 ? 0 : seconds; /* frames before the turntable was on */
    }
    time->turned = session->now;
    if (!(seconds > 0))
        return;
    if (session->hand.drag == DRAG_ORBIT || session->hand.drag == DRAG_PAN)
        return;
    camera->azimuth = (float)fmod((double)camera->azimuth + TURNTABLE_SPEED * seconds, 360);
    session->picture.redraw = true;
}

void time_control_follow(Session *session)
{
    follow_rewinding(session);
    tell(session);
    turn(session);
}

double time_control_bytes(double asked)
{
    double available = (double)system_memory_available();
    return available > 0 ? fmin(asked, available / 4) : asked;
}
