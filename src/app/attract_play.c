/* SPDX-License-Identifier: MIT */
#include "attract_play.h"

#include "actions.h"
#include "hand.h"
#include "panel.h"
#include "scene_builtin.h"
#include "session.h"

#include <stdio.h>
#include <string.h>

/* Points that the mouse has to move: tables shake, and windows tell of the mouse when they come. */
#define MOTION_LEAST 6.0f

void attract_play_open(Session *session)
{
    const AppOptions *options = session->options;
    const char *own = options->scene.name_or_path;
    if (!options->kiosk || scene_builtin_find(own) != NULL)
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
    if (session->drag != DRAG_NONE)
        hand_release(session);
    session->cursor_inside = false;
    brush_leave(&session->world.brush);
}

/* Everything that a person left open in a kiosk is closed for the next one. */
static void tidy(Session *session)
{
    session->help = session->outline = false;
    if (panel_shown(session->panel))
        action_panel(session, 0);
    panel_forget(session->panel);
    if (session->slice.given) {
        session->slice.given = false;
        session_ask_slice(session);
    }
}

/* The person's world is put aside, standing still; the show's is as empty as it was before there
 * was any simulation, but looks the same. */
static void keep_world(Session *session)
{
    AttractPlay *play = &session->attract;
    World *world = &session->world;
    play->paused = sim_thread_paused(world->sim);
    play->sliced = session->slice.given;
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    session->slice.given = false;
    play->kept = *world;
    play->keeps = true;
    world->sim = NULL;
    world->play_count = 0;
    world->has_good = false;
    world->past_bytes = 0; /* nobody goes back in the show */
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
    session->slice.given = play->sliced;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = play->paused});
    session->world_error.text[0] = 0;
    session_show_world(session);
    session->snapshot = world_snapshot(&session->world);
}

static void end_show(Session *session)
{
    lift_hand(session);
    session->world.brush.hand = brush_default_hand();
    if (session->attract.keeps) {
        give_world_back(session);
        session_say(session, "here you are: the scene is as you left it");
    } else
        first_steps_again(&session->first_steps);
    session->redraw = true;
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
    return !session->attract.leaves && session->drag == DRAG_NONE && !world->changing &&
           !window_hidden(&session->window) && session->recording.recorder == NULL &&
           (world->sim != NULL || session->options->kiosk);
}

/* A person who reads numbers off the window, works in another one, or has stopped the smoke does
 * not want to lose sight of it. */
static bool may_begin(const Session *session)
{
    if (session->options->kiosk)
        return true;
    return session->world.sim != NULL && !sim_thread_paused(session->world.sim) &&
           !session->slice.given && !panel_shown(session->panel) &&
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
        /* Something else than what the person has before the eyes. */
        if (strcmp(attract_act(show->own, show->act).scene, session->world.scene.name) == 0)
            show->act++;
        keep_world(session);
    } else if (session->options->kiosk)
        tidy(session);
    session->world_error.text[0] = 0;
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
        session->world_error.text[0] = 0; /* nobody is there to read it */
        attract_lost(&play->show);
    } else if (session->snapshot != NULL) {
        attract_on(&play->show, session->now);
        session->world.brush.hand = brush_default_hand();
        session->world.brush.deeper = 0;
        play->azimuth = world->render.camera.azimuth;
        play->time = 0;
        snprintf(play->line, sizeof play->line, "%.160s\nany key or the mouse: play yourself",
                 world->scene.title);
    }
}

static void move_hand(Session *session, AttractHand hand)
{
    float height = (float)session->window.height;
    session->cursor_x = 0.5f * (float)session->window.width + hand.x * height;
    session->cursor_y = (0.5f + hand.y) * height;
    session->cursor_inside = session->cursor_moved = true;
    if (hand.pressed && session->drag == DRAG_NONE) {
        Brush *brush = &session->world.brush;
        bool missing = brush_tool_missing(&brush->medium, hand.tool) != NULL;
        brush->hand.tool = missing ? BRUSH_PUSH : hand.tool;
        brush->hand.color = (brush->hand.color + 3) % BRUSH_COLORS; /* 3 shares no factor with 8 */
        hand_press(session); /* and takes a solid that is there */
        session->message_until = 0;
    } else if (!hand.pressed && session->drag != DRAG_NONE)
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
        session->world_error.text[0] = 0;
        attract_lost(&play->show);
        return;
    }
    if (!leads_camera(&world->scene)) {
        world->render.camera.azimuth = play->azimuth + attract_turn(&act, time);
        session->redraw = true;
    }
    if (act.from > 0 && time > act.from - 2)
        move_hand(session, attract_hand(&act, time));
    if (attract_blast(&act, play->time, time))
        action_detonate(session, 0);
    play->time = time;
}

/* The show's last world ends when its step does. */
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
