/* SPDX-License-Identifier: MIT */
#include "capture/sound_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fit(SoundTrack *track, long more)
{
    if (track->count + more <= track->room)
        return true;
    const long room = 2 * (track->count + more);
    float *longer = realloc(track->samples, (size_t)room * 2 * sizeof *longer);
    if (longer == NULL)
        return false;
    track->samples = longer;
    track->room = room;
    return true;
}

void sound_track_step(SoundTrack *track, const BillowSim *sim, double seconds)
{
    const BillowSound sound = billow_sound(sim);
    track->seconds += seconds;
    const long more = lround(track->seconds * SYNTH_RATE) - track->made;
    synth_step(&track->synth, &sound, seconds, seconds);
    track->failed = track->failed || !fit(track, more);
    if (track->failed)
        return;
    synth_play(&track->synth, track->samples + 2 * track->count, (int)more);
    track->count += more;
    track->made += more;
}

void sound_track_keep(SoundTrack *track)
{
    const long all = track->before_count + track->count;
    float *longer = realloc(track->before, (size_t)(all + 1) * 2 * sizeof *longer);
    track->failed = track->failed || longer == NULL;
    if (longer != NULL) {
        memcpy(longer + 2 * track->before_count, track->samples,
               (size_t)track->count * 2 * sizeof *longer);
        track->before = longer;
        track->before_count = all;
    }
    track->count = 0;
}

/* The two sounds are independent: the powers of their shares add up to 1. */
void sound_track_fade(SoundTrack *track, double from, double to)
{
    for (long n = 0; n < track->count; n++) {
        const double share = from + (to - from) * (double)n / (double)track->count;
        const long at = (long)(share * (double)track->before_count);
        for (int side = 0; side < 2 && at < track->before_count; side++) {
            float *sample = &track->samples[2 * n + side];
            *sample = (float)(sqrt(1 - share) * (double)*sample +
                              sqrt(share) * (double)track->before[2 * at + side]);
        }
    }
}

void sound_track_next(SoundTrack *track)
{
    track->count = 0;
}

void sound_track_free(SoundTrack *track)
{
    free(track->samples);
    free(track->before);
    track->samples = track->before = NULL;
}
