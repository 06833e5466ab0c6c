/* SPDX-License-Identifier: MIT
 * What the keys do, and the table of the keys. */
#include "app/keys.h"

#include "app/audio.h"
#include "app/input.h"
#include "app/panel.h"
#include "base/fail.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_keys.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the command of the view ------------------------------------------------------------------- */

/* A string that grows. `text` is NULL if memory was short. */
typedef struct Line {
    char *text;
    size_t length;
} Line;

/* Appends an argument, quoted for a shell. Quoting replaces a single quote by four characters. */
static void append(Line *line, const char *argument)
{
    size_t most = 4 * strlen(argument) + 3;
    char *longer = line->text != NULL ? realloc(line->text, line->length + 1 + most) : NULL;
    if (longer == NULL) {
        free(line->text);
        line->text = NULL;
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

/* Prints the command to standard output. Also shows it in the window, shortened if too long. */
static void action_print_view(Session *session)
{
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

/* -- scenes ------------------------------------------------------------------------------------ */

static void action_scene(Session *session, int index)
{
    const char *name = scene_builtin_name(index);
    if (name != NULL) /* there may be fewer built-in scenes than digit keys */
        session_change(session, name);
}

static void action_scene_to_play(Session *session)
{
    session_change(session, SCENE_TO_PLAY);
}

/* Moves on by `steps` in the cyclic list of built-in scenes, negative: back. Changes to the first
 * if the current scene is not built in. */
static void action_next_scene(Session *session, int steps)
{
    int count = 0, at = -1;
    for (; scene_builtin_name(count) != NULL; count++)
        if (strcmp(scene_builtin_title(count), session->world.scene.title) == 0)
            at = count;
    action_scene(session, at < 0 ? 0 : (at + steps + count) % count);
}

static void action_pause(Session *session)
{
    SimThread *sim = session->world.sim;
    if (sim != NULL)
        sim_thread_send(sim, &(SimCommand){SIM_PAUSE, .on = !sim_thread_paused(sim)});
}

static void action_step(Session *session)
{
    world_send(&session->world, &(SimCommand){.kind = SIM_STEP});
}

void action_reset(Session *session)
{
    session->hand.blasted = true;
    world_reset(&session->world);
}

static void action_detonate(Session *session)
{
    if (session->world.sim == NULL)
        return;
    const Brush *brush = &session->world.brush;
    BillowEmitter detonation = session->world.scene.detonation;
    session->hand.blasted = true;
    hand_move(session); /* update the brush's position: the cursor may have moved in this frame */
    if (session->hand.inside && brush->over)
        memcpy(detonation.center, brush->place, sizeof detonation.center);
    if (detonation.expansion != 0.0f && !brush->medium.vented)
        session_say(session, "all faces are closed: the detonation does not expand");
    sim_thread_send(session->world.sim, &(SimCommand){SIM_DETONATE, .emitter = detonation});
}

static void action_exact(Session *session)
{
    World *world = &session->world;
    if (world->sim == NULL)
        return;
    world_set_exact(world, !world->exact);
    session_say(session, world->exact
                             ? "pressure: all cycles, however long a step takes"
                             : "pressure: fewer cycles where needed to keep up with the clock");
}

static void action_quality(Session *session, int steps)
{
    const int count = SCENE_BEST + 1;
    session_choose_quality(session,
                           (SceneQuality)(((int)session->quality + steps + count) % count));
}

static void action_slice_field(Session *session, int steps)
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

static void action_slice_move(Session *session, int cells)
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

static void action_slice_axis(Session *session)
{
    SliceAsk *slice = &session->slice.ask;
    if (!slice->given)
        return;
    slice->axis = (slice->axis + 1) % 3;
    slice->placed = false;
    session_ask_slice(session);
}

static void action_slice_contours(Session *session)
{
    const int lines = 10;
    if (!session->slice.ask.given)
        return;
    session->slice.ask.contours = session->slice.ask.contours > 0 ? 0 : lines;
    session->picture.redraw = true;
}

/* -- the brush, handles ------------------------------------------------------------------------ */

static void say_brush(Session *session, const char *refused)
{
    char words[FIGURE_LENGTH];
    brush_words(&session->world.brush, words, sizeof words);
    session_say(session, "%s%s", words, refused);
}

static void action_next_tool(Session *session, int steps)
{
    char refused[160];
    brush_next_tool(&session->world.brush, steps, refused, sizeof refused);
    say_brush(session, refused);
}

static void action_next_color(Session *session, int steps)
{
    const char *missing = brush_next_color(&session->world.brush, steps);
    if (missing != NULL)
        session_say(session, "%s", missing);
    else
        say_brush(session, "");
}

static void action_resize(Session *session, int steps)
{
    brush_resize(&session->world.brush, steps);
    say_brush(session, "");
}

static void action_strengthen(Session *session, int steps)
{
    brush_strengthen(&session->world.brush, steps);
    say_brush(session, "");
}

static void action_toggle_handles(Session *session)
{
    session->hand.handles = !session->hand.handles;
    session->hand.gizmo.kind = GIZMO_NONE;
    session->hand.moved = session->hand.inside;
    session_say(session, session->hand.handles
                             ? "handles on emitters, solids, forces, lamps and the sun: drag them"
                             : "no handles");
}

/* -- the picture and the window ---------------------------------------------------------------- */

static void action_outline(Session *session)
{
    session->screen.outline = !session->screen.outline;
    session->picture.redraw = true;
}

static void action_screenshot(Session *session)
{
    session->screen.screenshot = true;
}

static void action_full_screen(Session *session)
{
    window_toggle_full_screen(&session->window);
}

static void action_help(Session *session)
{
    session->texts.help = !session->texts.help;
    session->texts.help_page = (OverlayPage){0, 0};
}

/* Says what is kept, and makes Esc quit while the message is shown. */
static void ask_to_quit(Session *session)
{
    const char *rest = recording_runs(session) ? ", and the recording is kept without a video"
                       : session->recording.video.busy ? " and gives up the video"
                                                       : "";
    if (autosave_keeps(session))
        session_say(session, "Esc again quits%s. To continue later: billow run --resume %.150s",
                    rest, session->autosave.last);
    else
        session_say(session, "Esc again quits%s. This smoke is not kept: F5 saves a checkpoint",
                    rest);
    session->quit_until = session->texts.message_until;
}

static void action_quit(Session *session)
{
    session->quit = true;
}

/* Closes the help if it is open. Otherwise asks whether to quit, and quits if it is called again
 * soon. */
static void action_leave(Session *session)
{
    if (session->texts.help)
        session->texts.help = false;
    else if (placing_give_up(session))
        session_say(session, "nothing is added");
    else if (session->now < session->quit_until)
        action_quit(session);
    else if (!kiosk_refuses(session))
        ask_to_quit(session);
}

static void action_texts(Session *session)
{
    static const char *const words[TEXT_LEVELS] = {
        [TEXTS_SHORT] = "texts shown",
        [TEXTS_FIGURES] = "figures of the run; U hides all texts",
        [TEXTS_NONE] = "texts hidden; U shows them again"};
    session->texts.level = (session->texts.level + 1) % TEXT_LEVELS;
    session_say(session, "%s", words[session->texts.level]);
}

/* -- time -------------------------------------------------------------------------------------- */

/* Multiplies the speed by 2 to the power of `doublings`. */
static void action_speed(Session *session, int doublings)
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

/* Starts going back in time, which time_control_follow ends when the key is released. */
static void action_rewind(Session *session)
{
    if (session->world.sim == NULL || !has_past(session))
        return;
    session->time.rewinding = true;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_REWIND, .on = true});
}

/* Pauses, and moves through the stored states: forward if positive, back if negative. */
static void action_seek(Session *session, int states)
{
    if (session->world.sim != NULL && has_past(session))
        sim_thread_send(session->world.sim, &(SimCommand){SIM_SEEK, .count = states});
}

#define TURNTABLE_SPEED 20.0 /* degrees / s */

/* Starts or stops the turntable, which turns the camera around its target. */
static void action_turntable(Session *session)
{
    TimeControl *time = &session->time;
    time->turning = !time->turning;
    time->turned = session->now;
    session_say(session, time->turning ? "turntable: one turn in %.0f s" : "turntable: stopped",
                360 / TURNTABLE_SPEED);
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
    if (!time->turning)
        return;
    time->turned = session->now;
    if (!(seconds > 0))
        return;
    if (session->hand.stroke.drag == DRAG_ORBIT || session->hand.stroke.drag == DRAG_PAN)
        return;
    camera->azimuth = (float)fmod((double)camera->azimuth + TURNTABLE_SPEED * seconds, 360);
    session->picture.redraw = true;
}

void time_control_follow(Session *session)
{
    TimeControl *time = &session->time;
    /* Going back ends when the key is released. No event reports this if the window has lost the
     * focus. */
    if (time->rewinding && !SDL_GetKeyboardState(NULL)[SDL_SCANCODE_BACKSPACE]) {
        time->rewinding = false;
        world_send(&session->world, &(SimCommand){SIM_REWIND, .on = false});
    }
    tell(session);
    turn(session);
}

/* -- the table --------------------------------------------------------------------------------- */

/* Members of a row from `key` on: of the mouse, which only the help lists; of a key that acts; and
 * of one that acts by an argument. */
#define MOUSE                            0, 0, NULL, NULL, 0, 0, 0
#define ACT(key, flags, act)             key, flags, act, NULL, 0, 0, 1
#define BY(key, flags, act_by, argument) key, flags, NULL, act_by, argument, 0, 1
/* First members of a row whose key the row above describes. */
#define TOO NULL, NULL

static const KeyRow rows[] = {
    {"left drag", "brush the smoke; on a solid, move or throw that", MOUSE},
    {"ctrl wheel", "move the brush farther, nearer; in a stroke, the wheel alone does", MOUSE},
    {"right drag", "turn the view", MOUSE},
    {"right click", "add something; change or remove what is there", MOUSE},
    {"middle drag", "move the view", MOUSE},
    {"wheel", "nearer, farther, towards the cursor", MOUSE},
    {"gamepad",
     "sticks: cursor, view; triggers: detonate, brush; A, B: brush, its colour; X: again; "
     "Y: pause; shoulders: size; cross: scene, zoom",
     MOUSE},

    {"space", "pause, go on", ACT(SDLK_SPACE, 0, action_pause)},
    {"<  >", "slower, faster, from 1/8 to twice the clock's speed",
     BY(SDLK_COMMA, KEY_SHIFT, action_speed, -1)},
    {TOO, BY(SDLK_PERIOD, KEY_SHIFT, action_speed, 1)},
    {TOO, BY(SDLK_LESS, KEY_SHIFT, action_speed, 1)},
    {TOO, BY(SDLK_LESS, 0, action_speed, -1)},
    {".", "one step", ACT(SDLK_PERIOD, KEY_REPEATS, action_step)},
    {TOO, ACT(SDLK_KP_PERIOD, KEY_REPEATS, action_step)},
    {"Backspace", "hold to go back in time, by 10 s or more",
     ACT(SDLK_BACKSPACE, 0, action_rewind)},
    {"left, right", "pause, and go back or forward by one stored state",
     BY(SDLK_LEFT, KEY_REPEATS, action_seek, -1)},
    {TOO, BY(SDLK_RIGHT, KEY_REPEATS, action_seek, 1)},
    {"R", "clear the smoke: start the scene again", ACT(SDLK_r, 0, action_reset)},

    {"1 ... 9", "scene", SDLK_1, 0, NULL, action_scene, 0, SDL_SCANCODE_1, 9},
    {TOO, 0, 0, NULL, action_scene, 0, SDL_SCANCODE_KP_1, 9},
    {"0", "scene: play, with fire and colours, where every tool works", SDLK_0, 0,
     action_scene_to_play, NULL, 0, SDL_SCANCODE_0, 1},
    {TOO, 0, 0, action_scene_to_play, NULL, 0, SDL_SCANCODE_KP_0, 1},
    {"PgUp, PgDn", "previous, next built-in scene", BY(SDLK_PAGEUP, 0, action_next_scene, -1)},
    {TOO, BY(SDLK_PAGEDOWN, 0, action_next_scene, 1)},

    {"B", "the brush", BY(SDLK_b, KEY_SHIFT, action_next_tool, -1)},
    {TOO, BY(SDLK_b, 0, action_next_tool, 1)},
    {"Q  W  A  S", "make the brush smaller, larger, weaker, stronger",
     BY(SDLK_q, KEY_REPEATS, action_resize, -1)},
    {TOO, BY(SDLK_w, KEY_REPEATS, action_resize, 1)},
    {TOO, BY(SDLK_a, KEY_REPEATS, action_strengthen, -1)},
    {TOO, BY(SDLK_s, KEY_REPEATS, action_strengthen, 1)},
    {"H", "next colour of the brush (shift: previous)",
     BY(SDLK_h, KEY_SHIFT, action_next_color, -1)},
    {TOO, BY(SDLK_h, 0, action_next_color, 1)},

    {"L", "handles on emitters, solids, forces, lamps and the sun",
     ACT(SDLK_l, 0, action_toggle_handles)},
    {"N, Del", "add something, remove what is at the cursor", ACT(SDLK_n, 0, action_add)},
    {TOO, ACT(SDLK_DELETE, 0, action_remove)},

    {"E", "detonate at the cursor", ACT(SDLK_e, 0, action_detonate)},
    {"P", "all pressure cycles, or as many as keep up with the clock",
     ACT(SDLK_p, 0, action_exact)},
    {"V", "quality: fluid, automatic, fine (shift: back)",
     BY(SDLK_v, KEY_SHIFT, action_quality, -1)},
    {TOO, BY(SDLK_v, 0, action_quality, 1)},
    {"T", "turntable", ACT(SDLK_t, 0, action_turntable)},
    {"F2", "start the show; any key ends it", ACT(SDLK_F2, 0, attract_play_now)},
    {"G", "print a command that shows the same view", ACT(SDLK_g, 0, action_print_view)},
    {"O", "outline of the box", ACT(SDLK_o, 0, action_outline)},

    {"F", "slice: next field (shift: previous)", BY(SDLK_f, KEY_SHIFT, action_slice_field, -1)},
    {TOO, BY(SDLK_f, 0, action_slice_field, 1)},
    {"[  ]  X  C", "move the slice back, forth; its axis; contours", SDLK_LEFTBRACKET, KEY_REPEATS,
     NULL, action_slice_move, -1, SDL_SCANCODE_LEFTBRACKET, 1},
    {TOO, SDLK_RIGHTBRACKET, KEY_REPEATS, NULL, action_slice_move, 1, SDL_SCANCODE_RIGHTBRACKET, 1},
    {TOO, ACT(SDLK_x, 0, action_slice_axis)},
    {TOO, ACT(SDLK_c, 0, action_slice_contours)},

    {"Tab", "panel: every value of the scene, graphs, slices, scenes",
     ACT(SDLK_TAB, 0, action_panel)},
    {"Ctrl F", "find a value or something to add", ACT(SDLK_f, KEY_CTRL, action_search)},
    {"Ctrl Z, Ctrl Y", "undo a change of the scene's values, or go back to a changed scene; redo",
     ACT(SDLK_z, KEY_CTRL | KEY_SHIFT, action_redo)},
    {TOO, ACT(SDLK_z, KEY_CTRL | KEY_REPEATS, action_undo)},
    {TOO, ACT(SDLK_y, KEY_CTRL | KEY_REPEATS, action_redo)},
    {"Ctrl O, Ctrl S", "open a file; save the scene (shift: under a name)",
     ACT(SDLK_o, KEY_CTRL | KEY_REFUSED_IN_KIOSK, action_open)},
    {TOO, ACT(SDLK_s, KEY_CTRL | KEY_SHIFT | KEY_REFUSED_IN_KIOSK, action_save_as)},
    {TOO, ACT(SDLK_s, KEY_CTRL | KEY_REFUSED_IN_KIOSK, action_save)},

    {"F5, F9", "save a checkpoint of the smoke, go back to it",
     ACT(SDLK_F5, KEY_REFUSED_IN_KIOSK, action_checkpoint)},
    {TOO, ACT(SDLK_F9, KEY_REFUSED_IN_KIOSK, action_restore)},

    {"F12", "screenshot", ACT(SDLK_F12, KEY_REFUSED_IN_KIOSK, action_screenshot)},
    {"F8", "save the last five seconds as an animated picture",
     ACT(SDLK_F8, KEY_REFUSED_IN_KIOSK, clip_save)},
    {"F10",
     "video: record what you do, end that; then it is drawn (shift: pause that, ctrl: give up)",
     ACT(SDLK_F10, KEY_SHIFT | KEY_REFUSED_IN_KIOSK, recording_pause_video)},
    {TOO, ACT(SDLK_F10, KEY_CTRL | KEY_REFUSED_IN_KIOSK, recording_give_up_video)},
    {TOO, ACT(SDLK_F10, KEY_REFUSED_IN_KIOSK, recording_toggle)},
    {"F11", "full screen", ACT(SDLK_F11, KEY_REFUSED_IN_KIOSK, action_full_screen)},
    {"M", "sound on, off", ACT(SDLK_m, 0, audio_toggle)},
    {"U", "figures of the run; then no texts", ACT(SDLK_u, 0, action_texts)},
    {"F1", "this help", ACT(SDLK_F1, 0, action_help)},
    {"Esc, Ctrl+Q", "quit; Esc first closes this help, and asks",
     ACT(SDLK_ESCAPE, KEY_UNLISTED_IN_KIOSK, action_leave)},
    {TOO, ACT(SDLK_q, KEY_CTRL, action_quit)},
};

static const int row_count = sizeof rows / sizeof rows[0];
static_assert(sizeof rows / sizeof rows[0] < KEYS_HELP_MAX, "the help has room for all keys");

const KeyRow *keys_row(int index)
{
    return index >= 0 && index < row_count ? &rows[index] : NULL;
}

/* Returns the index of a key among the neighbouring keys of a row; -1: it is none of them. */
static int key_within(const KeyRow *row, const SDL_Keysym *key)
{
    int by_letter = (int)(key->sym - row->key), by_place = (int)key->scancode - (int)row->place;
    if (row->key != 0 && by_letter >= 0 && by_letter < row->count)
        return by_letter;
    if (row->place != 0 && by_place >= 0 && by_place < row->count)
        return by_place;
    return -1;
}

const KeyRow *keys_find(const SDL_Keysym *key, int *argument)
{
    bool shift = (key->mod & KMOD_SHIFT) != 0, ctrl = (key->mod & KMOD_CTRL) != 0;
    if ((key->mod & (KMOD_ALT | KMOD_GUI)) != 0)
        return NULL;
    for (int i = 0; i < row_count; i++) {
        const KeyRow *row = &rows[i];
        int within = row->act != NULL || row->act_by != NULL ? key_within(row, key) : -1;
        if (within < 0 || ((row->flags & KEY_CTRL) != 0) != ctrl ||
            ((row->flags & KEY_SHIFT) != 0 && !shift))
            continue;
        *argument = row->argument + within;
        return row;
    }
    return NULL;
}

bool keys_press(Session *session, const SDL_KeyboardEvent *event)
{
    int argument;
    const KeyRow *row = keys_find(&event->keysym, &argument);
    if (row == NULL)
        return false;
    if ((row->flags & KEY_REFUSED_IN_KIOSK) != 0 && kiosk_refuses(session))
        return true;
    if (event->repeat && (row->flags & KEY_REPEATS) == 0)
        return true;
    if (row->act != NULL)
        row->act(session);
    else
        row->act_by(session, argument);
    return true;
}

/* Writes the digit keys and the names of their scenes into a row of the help. */
static void name_scenes(KeyHelp *help, OverlayRow *row)
{
    int count = 0;
    size_t used = (size_t)snprintf(help->scenes, sizeof help->scenes, "scene: ");
    for (; count < 9 && scene_builtin_name(count) != NULL && used < sizeof help->scenes; count++)
        used += (size_t)snprintf(help->scenes + used, sizeof help->scenes - used, "%s%s",
                                 count > 0 ? ", " : "", scene_builtin_name(count));
    snprintf(help->digits, sizeof help->digits, count == 2 ? "1, %d" : "1 ... %d", count);
    *row = (OverlayRow){help->digits, help->scenes};
}

void keys_fill_help(KeyHelp *help, bool kiosk)
{
    char names[sizeof help->tools - 32];
    int count = 0;
    for (int i = 0; i < row_count; i++) {
        if (rows[i].shown == NULL ||
            (kiosk && (rows[i].flags & (KEY_REFUSED_IN_KIOSK | KEY_UNLISTED_IN_KIOSK)) != 0))
            continue;
        help->rows[count] = (OverlayRow){rows[i].shown, rows[i].does};
        if (rows[i].act_by == action_scene) {
            name_scenes(help, &help->rows[count]);
        } else if (rows[i].act_by == action_next_tool) {
            brush_list_tools(names, sizeof names);
            snprintf(help->tools, sizeof help->tools, "%s: %s (shift: back)", rows[i].does, names);
            help->rows[count].does = help->tools;
        }
        count++;
    }
    help->rows[count] = (OverlayRow){0, 0};
}
