/* SPDX-License-Identifier: MIT */
#include "time_control.h"

#include "host.h"
#include <math.h>
#include <SDL.h>

enum { SLOWEST = -3, FASTEST = 1 };

void action_speed(Session *session, int doublings)
{
    TimeControl *time = &session->time;
    int wanted = time->doublings + doublings;
    time->doublings = wanted < SLOWEST ? SLOWEST : wanted > FASTEST ? FASTEST : wanted;
    world_set_speed(&session->world, ldexp(1, time->doublings));
    if (time->doublings < 0)
        session_say(session, "speed 1/%d", 1 << -time->doublings);
    else
        session_say(session, "speed %d", 1 << time->doublings);
}

static bool has_past(Session *session)
{
    if (session->world.past_bytes > 0)
        return true;
    session_say(session, "nothing of the past is kept: billow was started with --rewind 0");
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
    session_say(session, time->turning ? "turntable: %.0f s around" : "turntable: stopped",
                360 / TURNTABLE_SPEED);
}

/* Where the keyboard went elsewhere meanwhile it tells of no key that came up, but forgets it. */
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
        session_say(session, "at %.2f s; the past reaches back to %.2f s", snapshot->stats.time,
                    snapshot->back_to);
}

/* Not while a hand holds the camera. */
static void turn(Session *session)
{
    TimeControl *time = &session->time;
    RenderCamera *camera = &session->world.render.camera;
    double seconds = session->now - time->turned;
    if (!time->turning)
        return;
    time->turned = session->now;
    if (session->drag == DRAG_ORBIT || session->drag == DRAG_PAN)
        return;
    camera->azimuth = (float)fmod((double)camera->azimuth + TURNTABLE_SPEED * seconds, 360);
    session->redraw = true;
}

void time_control_follow(Session *session)
{
    follow_rewinding(session);
    tell(session);
    turn(session);
}

double time_control_bytes(double asked)
{
    double available = (double)host_memory_available();
    return available > 0 ? fmin(asked, available / 4) : asked;
}
