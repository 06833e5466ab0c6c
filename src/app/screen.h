/* SPDX-License-Identifier: MIT
 *
 * What is on the screen: the picture of the newest snapshot, with texts and the panel over it. */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "session.h"

#define INTERVAL_LEAST (1.0 / 62) /* s between frames, however fast events come */

/* Creates the renderer and the GUI in the window's context, which holds nothing yet. */
bool screen_open(Session *session, BillowError *error);
/* Replaces a lost context; the newest snapshot is uploaded again. */
bool screen_keep_context(Session *session, BillowError *error);
/* Looks up the window's size. */
void screen_measure(Session *session);
/* Loads the shaders of --shaders again where their files changed. */
void screen_poll_shaders(Session *session);
/* Writes a still of what is shown. */
void screen_take_screenshot(Session *session);

/* Uploads, draws and presents what has changed since the last frame. interval_ms: from that frame's
 * start to this one's. */
bool screen_show(Session *session, double interval_ms, BillowError *error);
/* Seconds from this frame's start to the next one's. */
double screen_interval(const Session *session);

#endif
