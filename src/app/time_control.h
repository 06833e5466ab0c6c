/* SPDX-License-Identifier: MIT
 *
 * Time in a hand: how fast it goes, and back. */
#ifndef APP_TIME_CONTROL_H
#define APP_TIME_CONTROL_H

#include "session.h"

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
