/* SPDX-License-Identifier: MIT
 *
 * What keys do: functions for the table in keys.c. Those for the simulation do nothing where the
 * scene could not be started. `argument` is unused unless its name says otherwise. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "session.h"

/* "plume, explosion": the scenes in the order of the digits. Their number. */
int action_list_scenes(char *text, size_t size);

void action_scene(Session *session, int index);
void action_next_scene(Session *session, int steps); /* through all that are built in, around */

void action_pause(Session *session, int argument);
void action_step(Session *session, int argument);
void action_reset(Session *session, int argument);
void action_detonate(Session *session, int argument);
void action_exact(Session *session, int argument);

void action_slice_field(Session *session, int steps);
void action_slice_move(Session *session, int cells);
void action_slice_axis(Session *session, int argument);
void action_slice_contours(Session *session, int argument);

void action_outline(Session *session, int argument);
void action_screenshot(Session *session, int argument);
void action_full_screen(Session *session, int argument);
void action_help(Session *session, int argument);
void action_leave(Session *session, int argument); /* the help where it is open, or the window */
void action_quit(Session *session, int argument);

/* Half as fast for every -1, twice as fast for every 1, from 1/8 to 2. */
void action_speed(Session *session, int doublings);
/* Back in time while the key is down. */
void action_rewind(Session *session, int argument);
/* Pauses, and goes by states that were kept. */
void action_seek(Session *session, int states);
/* The camera goes around what it looks at, or stops. */
void action_turntable(Session *session, int argument);

/* Every frame. */
void time_control_follow(Session *session);

/* What of the memory asked for the past there is to be had: a quarter of what is free at most. */
double time_control_bytes(double asked);

/* Degrees per second that a turntable goes around. */
#define TURNTABLE_SPEED 20.0

#endif
