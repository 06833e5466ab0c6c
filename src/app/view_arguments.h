/* SPDX-License-Identifier: MIT
 * The view, and all changed values, as a command that shows the same again. */
#ifndef APP_VIEW_ARGUMENTS_H
#define APP_VIEW_ARGUMENTS_H

#include "session.h"

/* "billow run plume --set camera.azimuth=12.5 ...", in memory that the caller frees. It names the
 * scene as it was opened and repeats the command line's changes, the slice, the camera, and every
 * value that differs from the scene as it was opened. *lost receives the number of differences that
 * --set cannot express. NULL with a message where memory is short. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

/* Prints that command to standard output, and shows as much of it as fits in the window. */
void action_print_view(Session *session, int argument);

#endif
