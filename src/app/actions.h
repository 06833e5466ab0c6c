/* SPDX-License-Identifier: MIT
 *
 * What keys do: functions for the table in keys.c. Those for the simulation do nothing where the
 * scene could not be started. `argument` is unused unless its name says otherwise. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "session.h"

/* Writes the scenes in the order of the digit keys, "plume, explosion". Returns their number. */
int action_list_scenes(char *text, size_t size);

void action_scene(Session *session, int index);
void action_next_scene(Session *session, int steps); /* through the built-in scenes, cyclically */

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
void action_leave(Session *session, int argument); /* closes the help if it is open, else quits */
void action_quit(Session *session, int argument);

/* Doubles the speed for each 1 and halves it for each -1, between 1/8 and 2. */
void action_speed(Session *session, int doublings);
/* Goes back in time while the key is down. */
void action_rewind(Session *session, int argument);
/* Pauses, and goes forth or back by so many kept states. */
void action_seek(Session *session, int states);
/* Starts or stops the turntable: the camera goes around its target. */
void action_turntable(Session *session, int argument);

/* Every frame: the rewind key, the turntable, and messages about going back. */
void time_control_follow(Session *session);

/* Bytes to give to kept states: those asked for, but at most a quarter of the free memory. */
double time_control_bytes(double asked);

#define TURNTABLE_SPEED 20.0 /* degrees per second */

/* The view, and all changed values, as a command that shows the same again. */

/* "billow run plume --set camera.azimuth=12.5 ...", in memory that the caller frees. It names the
 * scene as it was opened and repeats the command line's changes, the slice, the camera, and every
 * value that differs from the scene as it was opened. *lost receives the number of differences that
 * --set cannot express. NULL with a message where memory is short. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

/* Prints that command to standard output, and shows as much of it as fits in the window. */
void action_print_view(Session *session, int argument);

#endif
