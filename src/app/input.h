/* SPDX-License-Identifier: MIT
 *
 * Mouse and keys: what each does, in one place with the table that says so on the screen. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

enum { INPUT_HELP_ROWS = 19, INPUT_SCENES_LENGTH = 160 };

/* All keys and what they do. */
typedef struct InputHelp {
    OverlayRow
        rows[INPUT_HELP_ROWS]; /* ends with a NULL key; two of them point to the words below */
    char digits[16], scenes[INPUT_SCENES_LENGTH];
} InputHelp;

void input_fill_help(InputHelp *help);

/* Handles every pending event. True: there was one by mouse or keyboard. */
bool input_handle(Session *session);

/* Once a frame, after the events: the brush follows the cursor. */
void input_move_brush(Session *session);

#endif
