/* SPDX-License-Identifier: MIT
 * The view, and what else was changed, as the command that shows it again. */
#ifndef APP_VIEW_ARGUMENTS_H
#define APP_VIEW_ARGUMENTS_H

#include "session.h"

/* "billow run plume --set camera.azimuth=12.5 ...", whole, in memory that the caller frees: the
 * scene by the name or path it was opened by, with what the command line changed of it; the slice;
 * all of the camera, and what differs from the scene as it was opened. *lost: how much of it --set
 * cannot do. NULL with a message where memory is short. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

/* Onto standard output, and as much of it as fits into the window's message. */
void action_print_view(Session *session, int argument);

#endif
