/* SPDX-License-Identifier: MIT
 *
 * The contents of the window: the picture of the newest snapshot, with texts and the panel on it.
 */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "app/session.h"

/* Time at the start that is left out of the measurements, s. In this time drivers compile shaders,
 * and caches fill. */
#define WARM_UP_SECONDS 1.0
#define INTERVAL_LEAST  (1.0 / 62) /* least time between frames, s, however many events arrive */

/* Creates the renderer and the GUI in the window's new context. */
bool screen_open(Session *session, BillowError *error);
/* If the context is lost, creates a new one, and a new renderer and GUI in it. The newest snapshot
 * is then uploaded again. */
bool screen_keep_context(Session *session, BillowError *error);
/* Keeps the last picture on the screen until the new scene has one, and then fades it out. Call it
 * before the picture is forgotten. */
void screen_keep_picture(Session *session);
/* Updates the window's size after a resize. */
void screen_measure(Session *session);
/* Reloads the shaders in the folder of --shaders if their files have changed. */
void screen_poll_shaders(Session *session);
/* Writes the picture that the window shows, as soon as there is one. */
void screen_take_screenshot(Session *session);

/* Uploads, draws and shows what has changed since the last frame. */
bool screen_show(Session *session, BillowError *error);
/* Adds the times of the last upload and the last picture to the session's meters. */
void screen_meter(Session *session, bool uploaded, bool drawn);
/* Returns the time from the start of this frame to the start of the next, s. */
double screen_interval(const Session *session);

#endif
