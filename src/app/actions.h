/* SPDX-License-Identifier: MIT
 *
 * What keys do: functions for the table in keys.c. Those for the simulation do nothing where a
 * scene could not be started. Where no meaning is given the argument has none. */
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

#endif
