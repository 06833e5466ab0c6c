/* SPDX-License-Identifier: MIT
 *
 * The functions behind the keys in the table of keys.c. If no simulation could be started,
 * functions that need one do nothing. A parameter with the name `argument` has no effect. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "app/session.h"

/* Writes the names of the built-in scenes in the order of the digit keys, such as "plume,
 * explosion". Returns the number of names, at most 9. */
int action_list_scenes(char *text, size_t size);

void action_scene(Session *session, int index);
void action_scene_to_play(Session *session, int argument);
/* Moves on by `steps` in the cyclic list of built-in scenes; negative: back. */
void action_next_scene(Session *session, int steps);

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
/* Closes the help if it is open. Otherwise asks whether to quit; a second call at once quits. */
void action_leave(Session *session, int argument);
void action_hide(Session *session, int argument); /* hides or shows the texts over the picture */
void action_quit(Session *session, int argument);

/* Multiplies the speed by 2 to the power of `doublings`, and limits it to the range from 1/8 to 2.
 */
void action_speed(Session *session, int doublings);
/* Starts going back in time. time_control_follow ends it when the key is released. */
void action_rewind(Session *session, int argument);
/* Pauses, and moves through the stored states by `states`: forward if positive, back if negative.
 */
void action_seek(Session *session, int states);
/* Starts or stops the turntable, which turns the camera around its target. */
void action_turntable(Session *session, int argument);

/* Call this every frame. Ends going back when the key is released, shows the time reached, and
 * turns the turntable. */
void time_control_follow(Session *session);

/* Returns the memory to use for stored states, bytes: `asked`, but at most a quarter of the
 * available memory. */
double time_control_bytes(double asked);

#define TURNTABLE_SPEED 20.0 /* degrees / s */

/* Makes a command that reproduces the current view and all changed values, in the form
 * "billow run plume --set camera.azimuth=12.5 ...". The command contains the scene as it was
 * opened, the command line's changes, the slice, the camera, and every value that differs from the
 * opened scene. *lost: receives the number of differences that `--set` cannot express. Returns NULL
 * with a message if memory is short. The caller frees the command. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

/* Prints the command to standard output. Also shows it in the window, shortened if it is too long.
 */
void action_print_view(Session *session, int argument);

#endif
