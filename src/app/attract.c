/* SPDX-License-Identifier: MIT */
#include "attract.h"

#include "actions.h"
#include "hand.h"
#include "panel.h"
#include "scene.h"
#include "session.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* -- acts, and when they play ------------------------------------------------------------------ */

#define TWO_PI 6.283185307179586

/* Time after which a scene that does not appear is given up. */
#define PATIENCE_SECONDS 30.0
/* Length of the hand's strokes, and of the pauses between them. */
#define STROKE_SECONDS 4.2
#define PAUSE_SECONDS  2.6
/* Periods of the hand's movement from left to right, and from top to bottom. */
#define WIDE_SECONDS 4.7
#define HIGH_SECONDS 3.1

static const BrushTool smoke[ATTRACT_TOOLS] = {BRUSH_SMOKE, BRUSH_SMOKE, BRUSH_PUSH};
static const BrushTool push[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_PUSH, BRUSH_PUSH};
static const BrushTool swirl[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_VORTEX, BRUSH_SUCK};
static const BrushTool fuel[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_FUEL, BRUSH_FUEL};
static const BrushTool colors[ATTRACT_TOOLS] = {BRUSH_COLOR, BRUSH_PUSH, BRUSH_COLOR};

/* Bright scenes alternate with calm ones. In scenes that a hand would spoil there is no stroke. */
static const AttractAct acts[] = {
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

/* 0 to 1, at rest at both ends. */
static float ease(double share)
{
    return share <= 0 ? 0 : share >= 1 ? 1 : (float)(share * share * (3 - 2 * share));
}

AttractHand attract_hand(const AttractAct *act, double time)
{
    double at = time - act->from;
    if (act->from <= 0 || at < -2 || time > act->seconds)
        return (AttractHand){.tool = act->tools[0]};
    float reach = ease((at + 2) / 2); /* from the middle of the window to its path */
    double period = STROKE_SECONDS + PAUSE_SECONDS, strokes = fmax(at, 0) / period;
    return (AttractHand){
        .x = reach * act->wide * (float)sin(TWO_PI * at / WIDE_SECONDS),
        .y = reach * act->high * (float)cos(TWO_PI * at / HIGH_SECONDS),
        .pressed = at >= 0 && strokes - floor(strokes) < STROKE_SECONDS / period,
        .tool = act->tools[(int)strokes % ATTRACT_TOOLS],
    };
}

float attract_turn(const AttractAct *act, double time)
{
    double share = fmin(fmax(time / act->seconds, 0), 1);
    return act->turn * 0.5f * (float)(1 - cos(TWO_PI * share));
}

bool attract_blast(const AttractAct *act, double after, double until)
{
    for (int i = 0; i < ATTRACT_BLASTS_MAX; i++)
        if (act->blasts[i] > after && act->blasts[i] <= until)
            return true;
    return false;
}

Attract attract_start(double idle, const char *own, bool at_once, double now)
{
    return (Attract){.idle = idle, .own = own, .last = at_once ? now - idle : now};
}

static AttractStep go_on(Attract *attract, double now, int acts_on)
{
    attract->act += acts_on;
    attract->asked = now;
    attract->on = attract->lost = false;
    return ATTRACT_NEXT;
}

static AttractStep end_by_itself(Attract *attract, double now)
{
    attract->playing = false;
    attract->last = now;
    attract->failed = 0;
    return ATTRACT_STOP;
}

static bool begins(Attract *attract, double now, bool can, bool may)
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
        attract->playing = begins(attract, now, can, may);
        return attract->playing ? go_on(attract, now, 0) : ATTRACT_REST;
    }
    if (!attract->on && !attract->lost && now - attract->asked >= PATIENCE_SECONDS)
        attract_lost(attract);
    if (attract->lost && attract->failed >= attract_act_count(attract->own))
        return end_by_itself(attract, now);
    if (attract->lost)
        return go_on(attract, now, 1);
    if (!attract->on)
        return ATTRACT_WAIT;
    AttractAct act = attract_act(attract->own, attract->act);
    return now - attract->since < act.seconds ? ATTRACT_PLAY : go_on(attract, now, 1);
}

bool attract_input(Attract *attract, double now)
{
    bool ended = attract->playing;
    attract->act += ended; /* next time the show begins with another act */
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

/* -- playing them in a session ----------------------------------------------------------------- */

/* Points that the mouse has to move to end the show: tables shake, and a new window reports the
 * mouse. */
#define MOTION_LEAST 6.0f

void attract_play_open(Session *session)
{
    const AppOptions *options = session->options;
    const char *own = options->scene.name_or_path;
    if (!options->kiosk || scene_is_builtin(own))
        own = NULL;
    session->attract.show = attract_start(options->attract, own, options->kiosk, session->now);
}

void attract_play_close(Session *session)
{
    AttractPlay *play = &session->attract;
    if (play->keeps)
        world_close(&play->kept);
    if (play->leaves)
        world_close(&play->leaving);
    play->keeps = play->leaves = false;
}

void attract_play_now(Session *session, int argument)
{
    (void)argument;
    session->attract.show.wanted = true;
}

static void lift_hand(Session *session)
{
    if (session->hand.drag != DRAG_NONE)
        hand_release(session);
    session->hand.inside = false;
    brush_leave(&session->world.brush);
}

/* Closes everything that the last visitor of a kiosk left open. */
static void tidy(Session *session)
{
    session->texts.help = session->picture.outline = false;
    if (panel_shown(session->panel))
        action_panel(session, 0);
    panel_forget(session->panel);
    if (session->slice.ask.given) {
        session->slice.ask.given = false;
        session_ask_slice(session);
    }
}

/* Puts the person's world aside, paused. The show's world begins as a copy without a simulation. */
static void keep_world(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    play->paused = sim_thread_paused(world->sim);
    play->sliced = session->slice.ask.given;
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    session->slice.ask.given = false;
    play->kept = *world;
    play->keeps = true;
    world->sim = NULL;
    world->play_count = 0;
    world->has_good = false;
    world->past_bytes = 0; /* the show keeps no states */
    world->speed = 1;
    world->steps_before = 0;
    world->clock_before = (SimClock){0};
    session->snapshot = NULL;
}

static void give_world_back(Session *session)
{
    AttractPlay *play = &session->attract;
    play->leaving = session->world;
    play->leaves = play->leaving.sim != NULL;
    if (play->leaves)
        sim_thread_send(play->leaving.sim, &(SimCommand){.kind = SIM_QUIT});
    session->world = play->kept;
    play->keeps = false;
    session->slice.ask.given = play->sliced;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = play->paused});
    session->texts.world_error.text[0] = 0;
    session_show_world(session);
    session->snapshot = world_snapshot(&session->world);
}

static void end_show(Session *session)
{
    lift_hand(session);
    session->world.brush.hand = brush_default_hand();
    if (session->attract.keeps) {
        give_world_back(session);
        session_say(session, "your scene is as you left it");
    } else
        first_steps_again(&session->first_steps);
    session->picture.redraw = true;
}

static bool moved_far(AttractPlay *play, const SDL_MouseMotionEvent *event)
{
    float x = (float)event->x, y = (float)event->y;
    if (!play->pointed) {
        play->pointed = true;
        play->x = x;
        play->y = y;
    }
    return SDL_fabsf(x - play->x) + SDL_fabsf(y - play->y) >= MOTION_LEAST;
}

static bool by_hand(AttractPlay *play, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
    case SDL_FINGERDOWN:
    case SDL_DROPFILE:
        return true;
    case SDL_MOUSEMOTION:
        return !play->show.playing || moved_far(play, &event->motion);
    default:
        return false;
    }
}

bool attract_play_event(Session *session, const SDL_Event *event)
{
    AttractPlay *play = &session->attract;
    bool playing = play->show.playing;
    if (by_hand(play, event) && attract_input(&play->show, session->now)) {
        end_show(session);
        return event->type != SDL_MOUSEMOTION;
    }
    return playing && play->show.playing && event->type == SDL_MOUSEMOTION;
}

static bool can_begin(const Session *session)
{
    const World *world = &session->world;
    return !session->attract.leaves && session->hand.drag == DRAG_NONE && !world->changing &&
           !window_hidden(&session->window) && session->recording.recorder == NULL &&
           (world->sim != NULL || session->options->kiosk);
}

/* The show does not begin while the person reads numbers, works in another window or has paused. */
static bool may_begin(const Session *session)
{
    if (session->options->kiosk)
        return true;
    return session->world.sim != NULL && !sim_thread_paused(session->world.sim) &&
           !session->slice.ask.given && !panel_shown(session->panel) &&
           window_has_focus(&session->window);
}

static void ask_scene(Session *session)
{
    AttractPlay *play = &session->attract;
    Attract *show = &play->show;
    BillowError error;
    lift_hand(session);
    play->pointed = play->pointed && play->keeps;
    if (!session->options->kiosk && !play->keeps) {
        /* The show begins with another scene than the person's. */
        if (strcmp(attract_act(show->own, show->act).scene, session->world.scene.name) == 0)
            show->act++;
        keep_world(session);
    } else if (session->options->kiosk)
        tidy(session);
    session->texts.world_error.text[0] = 0;
    if (!world_change(&session->world, attract_act(show->own, show->act).scene, &error))
        attract_lost(show);
}

static void wait_for_scene(Session *session)
{
    AttractPlay *play = &session->attract;
    const World *world = &session->world;
    if (world->changing)
        return;
    if (world->sim == NULL) {
        session->texts.world_error.text[0] = 0; /* nobody would read it */
        attract_lost(&play->show);
    } else if (session->snapshot != NULL) {
        attract_on(&play->show, session->now);
        session->world.brush.hand = brush_default_hand();
        session->world.brush.deeper = 0;
        play->azimuth = world->render.camera.azimuth;
        play->time = 0;
        snprintf(play->line, sizeof play->line,
                 "%.160s\npress a key or move the mouse to play yourself", world->scene.title);
    }
}

static void move_hand(Session *session, AttractHand hand)
{
    float height = (float)session->window.height;
    session->hand.x = 0.5f * (float)session->window.width + hand.x * height;
    session->hand.y = (0.5f + hand.y) * height;
    session->hand.inside = session->hand.moved = true;
    if (hand.pressed && session->hand.drag == DRAG_NONE) {
        Brush *brush = &session->world.brush;
        bool missing = brush_tool_missing(&brush->medium, hand.tool) != NULL;
        brush->hand.tool = missing ? BRUSH_PUSH : hand.tool;
        brush->hand.color = (brush->hand.color + 3) %
                            BRUSH_COLORS; /* 3 and 8 have no common factor: all colours come */
        hand_press(session);              /* this also grabs a solid */
        session->texts.message_until = 0;
    } else if (!hand.pressed && session->hand.drag != DRAG_NONE)
        hand_release(session);
}

static bool leads_camera(const Scene *scene)
{
    for (int i = 0; i < scene->track_count; i++)
        if (strncmp(scene->tracks[i].key, "camera.", 7) == 0)
            return true;
    return false;
}

static void play_act(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    AttractAct act = attract_act(play->show.own, play->show.act);
    double time = session->now - play->show.since;
    if (world->sim == NULL) {
        session->texts.world_error.text[0] = 0;
        attract_lost(&play->show);
        return;
    }
    if (!leads_camera(&world->scene)) {
        world->render.camera.azimuth = play->azimuth + attract_turn(&act, time);
        session->picture.redraw = true;
    }
    if (act.from > 0 && time > act.from - 2)
        move_hand(session, attract_hand(&act, time));
    if (attract_blast(&act, play->time, time))
        action_detonate(session, 0);
    play->time = time;
}

/* Closes the show's last world once its step has ended. */
static void follow_leaving(AttractPlay *play)
{
    BillowError error;
    if (!play->leaves)
        return;
    SimThreadState state = sim_thread_state(play->leaving.sim, &error);
    if (state != SIM_THREAD_ENDED && state != SIM_THREAD_FAILED)
        return;
    world_close(&play->leaving);
    play->leaves = false;
}

void attract_play_frame(Session *session)
{
    AttractPlay *play = &session->attract;
    follow_leaving(play);
    switch (attract_poll(&play->show, session->now, can_begin(session), may_begin(session))) {
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
