/* SPDX-License-Identifier: MIT
 *
 * Sound of a simulation that is played: its thread gives the steps, the window the camera, and the
 * thread of the device takes samples. The length of a step in the sound follows the clock: where
 * the simulation is slower, it is longer. */
#ifndef PLAY_SOUND_FEED_H
#define PLAY_SOUND_FEED_H

#include "base/render_settings.h"
#include "sound/synth.h"

typedef struct SoundFeed SoundFeed;

SynthEar sound_ear(const RenderCamera *camera);

/* Returns NULL with a message if memory is short. */
SoundFeed *sound_feed_create(BillowError *error);
void sound_feed_destroy(SoundFeed *feed); /* NULL is fine */

/* For the simulation's thread, after a step of so many simulated seconds that ended at the clock's
 * time `now`, s. */
void sound_feed_step(SoundFeed *feed, const BillowSound *sound, double seconds, double now);
/* For the window, each frame. heard: false fades the sound out. */
void sound_feed_listen(SoundFeed *feed, const RenderCamera *camera, bool heard);
/* For the device. Left and right samples in turn. */
void sound_feed_play(SoundFeed *feed, float *samples, int frames);

#endif
