/* SPDX-License-Identifier: MIT
 *
 * The sound of a run, as samples of each frame of its video. */
#ifndef CAPTURE_SOUND_TRACK_H
#define CAPTURE_SOUND_TRACK_H

#include "sound/synth.h"

typedef struct SoundTrack {
    Synth synth;
    double seconds;   /* simulated so far, s */
    long made;        /* frames of sound made so far */
    float *samples;   /* of the present frame of the video: left and right in turn */
    long count, room; /* frames of sound in `samples`, and for which it has memory */
    float *before;    /* those before the first frame, into which a loop fades; NULL: none */
    long before_count;
    bool failed; /* memory was short */
} SoundTrack;

/* Adds a step of so many seconds, which the simulation has just taken. */
void sound_track_step(SoundTrack *track, const BillowSim *sim, double seconds);

/* Keeps the samples for the fade of a loop, and begins the next frame. */
void sound_track_keep(SoundTrack *track);
/* Fades the samples of a frame to those that were kept. from, to: the part of the fade that the
 * frame is, 0 to 1. */
void sound_track_fade(SoundTrack *track, double from, double to);
/* Begins the next frame of the video. */
void sound_track_next(SoundTrack *track);

void sound_track_free(SoundTrack *track);

#endif
