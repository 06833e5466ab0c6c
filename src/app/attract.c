/* SPDX-License-Identifier: MIT
 * The acts of the show, the commands of an act, and the show in a session. */
#include "app/attract.h"

#include "app/panel.h"
#include "app/session.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- acts -------------------------------------------------------------------------------------- */

#define TWO_PI 6.283185307179586

/* Longest time to wait for a scene to start, s. After that the scene counts as lost. */
#define PATIENCE_SECONDS 30.0
/* Durations of a stroke and of the pause after it, s. */
#define STROKE_SECONDS 4.2
#define PAUSE_SECONDS  2.6
/* Periods of the brush's horizontal and vertical movement, s. */
#define WIDE_SECONDS 4.7
#define HIGH_SECONDS 3.1
/* Duration of the brush's movement from the middle of the window to its path, before the first
 * stroke, s. */
#define APPROACH_SECONDS 2.0

static const BrushTool smoke[ATTRACT_TOOLS] = {BRUSH_SMOKE, BRUSH_SMOKE, BRUSH_PUSH};
static const BrushTool push[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_PUSH, BRUSH_PUSH};
static const BrushTool swirl[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_VORTEX, BRUSH_SUCK};
static const BrushTool fuel[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_FUEL, BRUSH_FUEL};
static const BrushTool burn[ATTRACT_TOOLS] = {BRUSH_SMOKE, BRUSH_FUEL, BRUSH_SMOKE};
static const BrushTool colors[ATTRACT_TOOLS] = {BRUSH_COLOR, BRUSH_PUSH, BRUSH_COLOR};

/* Bright scenes alternate with calm ones. Scenes that a stroke would spoil have no strokes. */
static const AttractAct acts[] = {
    {"play", 26, 4, 40, 0.34f, 0.2f, {9.2, 22}, burn},
    {"plume", 26, 4, 50, 0.22f, 0.2f, {20}, smoke},
    {"explosion", 22, 10, 40, 0.16f, 0.1f, {12, 17}, push},
    {"ink", 24, 9, 24, 0.3f, 0.1f, {0}, colors},
    {"fire", 24, 5, 40, 0.16f, 0.16f, {19}, fuel},
    {"gases", 24, 8, 50, 0.2f, 0.14f, {19}, colors},
    {"falling-ball", 22, 9, 40, 0.24f, 0.1f, {0}, push},
    {"rings", 20, 0, 40, 0, 0, {16}, push},
    {"mushroom", 24, 12, 40, 0.14f, 0.1f, {0}, swirl},
    {"clouds", 28, 10, 30, 0.3f, 0.08f, {0}, swirl},
    {"jets", 22, 8, 30, 0.26f, 0.08f, {17}, swirl},
    {"rolling-ball", 22, 12, 30, 0.24f, 0.08f, {0}, push},
    {"sphere", 22, 8, 40, 0.26f, 0.1f, {0}, smoke},
    {"shear", 22, 0, 16, 0, 0, {0}, push},
    {"text", 20, 6, 24, 0.28f, 0.12f, {15}, swirl},
    {"plates", 24, 0, 50, 0, 0, {0}, push},
};

static const int built_in = sizeof acts / sizeof acts[0];

int attract_act_count(const char *own)
{
    return built_in + (own != NULL);
}

AttractAct attract_act(const char *own, int number)
{
    int at = number % attract_act_count(own) - (own != NULL);
    return at < 0 ? (AttractAct){own, 26, 8, 40, 0.2f, 0.14f, {0}, smoke} : acts[at];
}

int attract_act_of(const char *name)
{
    for (int act = 0; act < built_in; act++)
        if (name != NULL && strcmp(acts[act].scene, name) == 0)
            return act;
    return 0;
}

/* The state of the brush at one time of an act. */
typedef struct ActBrush {
    float x, y; /* distance to the right of and below the middle of the window, window heights */
    bool shown, pressed;
    BrushTool tool;
} ActBrush;

static ActBrush brush_at(const AttractAct *act, double time)
{
    double at = time - act->from;
    if (act->from <= 0 || at < -APPROACH_SECONDS || time > act->seconds)
        return (ActBrush){.tool = act->tools[0]};
    double share = fmin((at + APPROACH_SECONDS) / APPROACH_SECONDS, 1);
    double reached = share * share * (3 - 2 * share); /* smoothstep: the speed is 0 at both ends */
    double period = STROKE_SECONDS + PAUSE_SECONDS, strokes = fmax(at, 0) / period;
    return (ActBrush){
        .x = (float)reached * act->wide * (float)sin(TWO_PI * at / WIDE_SECONDS),
        .y = (float)reached * act->high * (float)cos(TWO_PI * at / HIGH_SECONDS),
        .shown = true,
        .pressed = at >= 0 && strokes - floor(strokes) < STROKE_SECONDS / period,
        .tool = act->tools[(int)strokes % ATTRACT_TOOLS],
    };
}

float attract_turn(const AttractAct *act, double time)
{
    double share = fmin(fmax(time / act->seconds, 0), 1);
    return act->turn * 0.5f * (float)(1 - cos(TWO_PI * share));
}

static bool detonates(const AttractAct *act, double after, double until)
{
    for (int i = 0; i < ATTRACT_BLASTS_MAX; i++)
        if (act->blasts[i] > after && act->blasts[i] <= until)
            return true;
    return false;
}

static bool timeline_moves_camera(const Scene *scene)
{
    for (int i = 0; i < scene->track_count; i++)
        if (strncmp(scene->tracks[i].key, "camera.", 7) == 0)
            return true;
    return false;
}

static BrushRay ray_at(const ActBrush *at, const RenderCamera *camera)
{
    enum { SIDE = 1024 }; /* size of a square window, pixels; any size gives the same ray */
    return brush_ray(camera, SIDE, SIDE, (0.5f + at->x) * SIDE, (0.5f + at->y) * SIDE);
}

static void choose_tool(Brush *brush, BrushTool tool)
{
    brush->hand.tool = brush_tool_missing(&brush->medium, tool) != NULL ? BRUSH_PUSH : tool;
}

static void add_stroke(SimRecording *script, uint64_t step, Brush *brush, const BrushRay *ray,
                       double time)
{
    BillowEmitter touches[BRUSH_TOUCHES_MAX];
    BillowForce force;
    int count = brush_stroke(brush, ray, time, touches);
    for (int i = 0; i < count; i++)
        sim_recording_add(script, step, &(SimCommand){SIM_BRUSH, .emitter = touches[i]});
    if (brush_force(brush, &force))
        sim_recording_add(script, step, &(SimCommand){SIM_PUSH, .force = force});
}

SimRecording *attract_script(const AttractAct *act, const Scene *scene)
{
    const double length = (double)scene->step;
    const bool turns = !timeline_moves_camera(scene);
    const SimCommand detonate = {SIM_DETONATE, .emitter = scene->detonation};
    Brush brush = brush_for(scene);
    bool pressed = false;
    SimRecording *script = calloc(1, sizeof *script);
    if (script == NULL)
        return NULL;
    script->steps = (uint64_t)(act->seconds / length);
    sim_recording_add(script, 0, &(SimCommand){SIM_BRUSH_STEPS, .value = 1});
    for (uint64_t step = 1; step < script->steps; step++) {
        double time = (double)step * length;
        RenderCamera camera = scene->render.camera;
        camera.azimuth += turns ? attract_turn(act, time) : 0;
        ActBrush at = brush_at(act, time);
        BrushRay ray = ray_at(&at, &camera);
        if (at.pressed && !pressed) {
            choose_tool(&brush, at.tool);
            /* Each stroke advances by 4 colours. All colours are used in turn, because 4 and
             * BRUSH_COLORS have no common factor. */
            brush.hand.color = (brush.hand.color + 4) % BRUSH_COLORS;
            brush_leave(&brush);
            brush_press(&brush, &ray, time);
        } else if (at.pressed) {
            add_stroke(script, step, &brush, &ray, time);
        } else if (pressed) {
            sim_recording_add(script, step, &(SimCommand){.kind = SIM_BRUSH_END});
        }
        if (detonates(act, time - length, time))
            sim_recording_add(script, step, &detonate);
        pressed = at.pressed;
    }
    sim_recording_add(script, script->steps, &(SimCommand){.kind = SIM_BRUSH_END});
    return script;
}

/* -- when to play ------------------------------------------------------------------------------ */

Attract attract_start(double idle, const char *own, bool at_once, double now)
{
    return (Attract){.idle = idle, .own = own, .last = now, .wanted = at_once && idle > 0};
}

/* Starts the act that comes `more` acts after the present one; 0: the present act. */
static AttractStep start_act(Attract *attract, double now, int more)
{
    attract->act += more;
    attract->asked = now;
    attract->on = attract->lost = false;
    return ATTRACT_NEXT;
}

/* Whether the show starts now: after the idle time, or at once if it is wanted. It needs `can`.
 * While `can` or `may` (see attract_poll) is false, the idle time stays at 0. */
static bool starts(Attract *attract, double now, bool can, bool may)
{
    if (!can || !may)
        attract->last = now;
    bool due = attract->idle > 0 && now - attract->last >= attract->idle;
    if (!can || !(due || attract->wanted))
        return false;
    attract->wanted = false;
    return true;
}

AttractStep attract_poll(Attract *attract, double now, bool can, bool may)
{
    if (!attract->playing) {
        attract->playing = starts(attract, now, can, may);
        return attract->playing ? start_act(attract, now, 0) : ATTRACT_REST;
    }
    if (!attract->on && !attract->lost && now - attract->asked >= PATIENCE_SECONDS)
        attract_lost(attract);
    if (attract->lost && attract->failed >= attract_act_count(attract->own)) {
        attract->playing = false;
        attract->last = now;
        attract->failed = 0;
        return ATTRACT_STOP;
    }
    if (attract->lost)
        return start_act(attract, now, 1);
    if (!attract->on)
        return ATTRACT_WAIT;
    AttractAct act = attract_act(attract->own, attract->act);
    return now - attract->since < act.seconds ? ATTRACT_PLAY : start_act(attract, now, 1);
}

bool attract_input(Attract *attract, double now)
{
    bool ended = attract->playing;
    attract->act += ended; /* the next show starts with the next act */
    attract->last = now;
    attract->playing = false;
    attract->failed = 0;
    return ended;
}

void attract_on(Attract *attract, double now)
{
    attract->on = true;
    attract->since = now;
    attract->failed = 0;
}

void attract_lost(Attract *attract)
{
    attract->lost = true;
    attract->failed++;
}

/* -- the show in a session --------------------------------------------------------------------- */

/* Distance that the mouse must move to end the show, points. A shaking table moves the mouse by
 * less, and a new window reports the position of a mouse that did not move. */
#define MOTION_LEAST 6.0f

void attract_play_open(Session *session)
{
    const AppOptions *options = session->options;
    const char *own = options->scene.name_or_path;
    if (!options->kiosk || scene_is_builtin(own))
        own = NULL;
    session->attract.show = attract_start(options->attract, own, options->kiosk, session->now);
    if (options->kiosk && own == NULL)
        session->attract.show.act = attract_act_of(options->scene.name_or_path);
}

void attract_play_close(Session *session)
{
    AttractPlay *play = &session->attract;
    if (play->has_stored)
        world_close(&play->stored);
    if (play->leaves)
        world_close(&play->leaving);
    play->has_stored = play->leaves = false;
}

void attract_play_now(Session *session)
{
    session->attract.show.wanted = true;
}

static void hide_brush(Session *session)
{
    session->hand.inside = false;
    brush_leave(&session->world.brush);
}

/* Closes the help, the panel and the slice, and hides the outline of the box, for the next visitor
 * of a kiosk. */
static void tidy(Session *session)
{
    session->texts.help = session->screen.outline = false;
    if (session->panel->shown)
        action_panel(session);
    editor_forget(&session->panel->editor);
    if (session->slice.ask.given) {
        session->slice.ask.given = false;
        session_ask_slice(session);
    }
}

/* Pauses the user's world and stores it. `session->world` becomes a copy without a simulation, for
 * the show. */
static void store_world(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    play->paused = sim_thread_paused(world->sim);
    play->sliced = session->slice.ask.given;
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    session->slice.ask.given = false;
    play->stored = *world;
    play->has_stored = true;
    world->sim = NULL;
    world->script = NULL;
    world->play_count = 0;
    world->has_good = false;
    world->past_bytes = 0; /* the show stores no states */
    world->speed = 1;
    world->steps_before = 0;
    world->clock_before = (SimClock){0};
    session->snapshot = NULL;
}

static void restore_world(Session *session)
{
    AttractPlay *play = &session->attract;
    play->leaving = session->world;
    play->leaves = play->leaving.sim != NULL;
    world_send(&play->leaving, &(SimCommand){.kind = SIM_QUIT});
    session->world = play->stored;
    play->has_stored = false;
    session->slice.ask.given = play->sliced;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = play->paused});
    session->texts.world_error.text[0] = 0;
    session_show_world(session);
    session->snapshot = world_snapshot(&session->world);
}

static void end_show(Session *session)
{
    hide_brush(session);
    session->world.brush.hand = brush_default_hand();
    if (session->attract.has_stored) {
        restore_world(session);
        session_say(session, "your scene is as you left it");
    } else {
        /* Any command that decides the simulation's state ends the replay of the show's. */
        world_send(&session->world, &(SimCommand){.kind = SIM_BRUSH_END});
        world_send(&session->world, &(SimCommand){.kind = SIM_LET_GO});
        session->texts.first_steps = (FirstSteps){0}; /* hints for the next visitor */
    }
    session->picture.redraw = true;
}

/* Whether the mouse has moved by MOTION_LEAST since the last movement that counted. */
static bool moved_far(AttractPlay *play, const SDL_MouseMotionEvent *event)
{
    float x = (float)event->x, y = (float)event->y;
    if (!play->pointed) {
        play->pointed = true;
        play->x = x;
        play->y = y;
    }
    if (SDL_fabsf(x - play->x) + SDL_fabsf(y - play->y) < MOTION_LEAST)
        return false;
    play->x = x;
    play->y = y;
    return true;
}

static bool is_input(AttractPlay *play, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
    case SDL_FINGERDOWN:
    case SDL_DROPFILE:
        return true;
    case SDL_MOUSEMOTION:
        return moved_far(play, &event->motion);
    default:
        return gamepad_uses(event);
    }
}

bool attract_play_event(Session *session, const SDL_Event *event)
{
    AttractPlay *play = &session->attract;
    bool playing = play->show.playing;
    if (is_input(play, event) && attract_input(&play->show, session->now)) {
        end_show(session);
        /* Has no other effect: Esc would quit, and F2 would start the show again. */
        return event->type == SDL_KEYDOWN &&
               (event->key.keysym.sym == SDLK_ESCAPE || event->key.keysym.sym == SDLK_F2);
    }
    return playing && play->show.playing && event->type == SDL_MOUSEMOTION;
}

static bool can_start(const Session *session)
{
    const World *world = &session->world;
    return !session->attract.leaves && session->hand.stroke.drag == DRAG_NONE && !world->changing &&
           !window_hidden(&session->window) && !recording_runs(session) &&
           (world->sim != NULL || session->options->kiosk);
}

/* Whether the present time counts as idle. Outside a kiosk it does not count if the simulation is
 * paused, if a slice or the panel is shown, or if another window has the focus. */
static bool is_idle(const Session *session)
{
    if (session->options->kiosk)
        return true;
    return session->world.sim != NULL && !sim_thread_paused(session->world.sim) &&
           !session->slice.ask.given && !session->panel->shown &&
           (SDL_GetWindowFlags(session->window.handle) & SDL_WINDOW_INPUT_FOCUS) != 0;
}

static void ask_scene(Session *session)
{
    AttractPlay *play = &session->attract;
    Attract *show = &play->show;
    BillowError error;
    hide_brush(session);
    play->pointed = play->pointed && play->has_stored;
    if (!session->options->kiosk && !play->has_stored) {
        /* If the first act plays the user's own scene, start with the next act. */
        if (strcmp(attract_act(show->own, show->act).scene, session->world.scene.name) == 0)
            show->act++;
        store_world(session);
    } else if (session->options->kiosk)
        tidy(session);
    session->texts.world_error.text[0] = 0;
    if (!world_change(&session->world, attract_act(show->own, show->act).scene, &error))
        attract_lost(show);
}

/* Whether the act's scene cannot be played: then the next act follows. */
static bool lose_scene(Session *session)
{
    if (session->world.sim != NULL)
        return false;
    session->texts.world_error.text[0] = 0; /* nobody is there to read the error */
    attract_lost(&session->attract.show);
    return true;
}

static void wait_for_scene(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    if (!world->changing && !lose_scene(session) && session->snapshot != NULL) {
        AttractAct act = attract_act(play->show.own, play->show.act);
        attract_on(&play->show, session->now);
        world_replay(world, attract_script(&act, &world->scene));
        world->brush.hand = brush_default_hand();
        world->brush.deeper = 0;
        play->azimuth = world->render.camera.azimuth;
        snprintf(play->line, sizeof play->line,
                 "%.160s\npress any key or move the mouse: it is yours", world->scene.title);
    }
}

/* Turns the camera, and shows the brush at its position in the act. */
static void play_act(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    AttractAct act = attract_act(play->show.own, play->show.act);
    double time = session->now - play->show.since;
    if (lose_scene(session))
        return;
    if (!timeline_moves_camera(&world->scene)) {
        world->render.camera.azimuth = play->azimuth + attract_turn(&act, time);
        session->picture.redraw = true;
    }
    ActBrush at = brush_at(&act, time);
    BrushRay ray = ray_at(&at, &world->render.camera);
    session->hand.inside = at.shown;
    if (!at.shown)
        return;
    choose_tool(&world->brush, at.tool);
    brush_hover(&world->brush, &ray, NULL, INFINITY);
}

/* Closes the world of an ended show after its simulation has ended. */
static void close_leaving(AttractPlay *play)
{
    if (!play->leaves)
        return;
    SimThreadState state = sim_thread_state(play->leaving.sim, NULL);
    if (state != SIM_THREAD_ENDED && state != SIM_THREAD_FAILED)
        return;
    world_close(&play->leaving);
    play->leaves = false;
}

void attract_play_frame(Session *session)
{
    AttractPlay *play = &session->attract;
    close_leaving(play);
    switch (attract_poll(&play->show, session->now, can_start(session), is_idle(session))) {
    case ATTRACT_NEXT:
        ask_scene(session);
        break;
    case ATTRACT_WAIT:
        wait_for_scene(session);
        break;
    case ATTRACT_PLAY:
        play_act(session);
        break;
    case ATTRACT_STOP:
        end_show(session);
        session_say(session, "no scene of the show can be played on this machine");
        break;
    case ATTRACT_REST:
        break;
    }
}

const char *attract_play_line(const Session *session)
{
    const AttractPlay *play = &session->attract;
    return play->show.playing && play->show.on ? play->line : NULL;
}
