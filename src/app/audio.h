/* SPDX-License-Identifier: MIT
 *
 * The sound of the window: a device that takes the samples of a feed. */
#ifndef APP_AUDIO_H
#define APP_AUDIO_H

#include "app/session.h"

/* Opens the device and the feed, unless --mute was given. Without a device there is no sound; key M
 * then says why. Call it after the world was opened. */
void audio_open(Session *session);
/* Stops the device. The feed remains until audio_free, because the simulation may still step. */
void audio_close(Session *session);
void audio_free(Session *session);

/* Lets the sound follow the camera, and fades it out while time does not go on. Call it every
 * frame. */
void audio_frame(Session *session);

void audio_toggle(Session *session); /* key M */

#endif
