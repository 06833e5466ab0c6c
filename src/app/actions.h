/* SPDX-License-Identifier: MIT
 *
 * The functions behind the keys in the table of keys.c. If no simulation could be started,
 * functions that need one do nothing. `argument` is unused unless its name says otherwise. */
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
/* Pauses, and moves by `states` stored states: forward if positive, back if negative. */
void action_seek(Session *session, int states);
/* Starts or stops the turntable: the camera goes around its target. */
void action_turntable(Session *session, int argument);

/* Every frame: the rewind key, the turntable, and messages about going back. */
void time_control_follow(Session *session);

/* Memory for stored states, bytes: as requested, but at most a quarter of the free memory. */
double time_control_bytes(double asked);

#define TURNTABLE_SPEED 20.0 /* degrees per second */

/* The current view and all changed values as a command line that reproduces them. */

/* Makes the command, such as "billow run plume --set camera.azimuth=12.5 ...". The caller frees it.
 * It contains the scene as it was opened, the command line's changes, the slice, the camera, and
 * every value that differs from the opened scene. *lost: number of differences that --set cannot
 * express. Returns NULL and a message if memory is short. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

/* Prints the command to standard output, and shows as much of it as fits in the window. */
void action_print_view(Session *session, int argument);

#endif
