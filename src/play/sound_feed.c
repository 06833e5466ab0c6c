/* SPDX-License-Identifier: MIT */
#include "play/sound_feed.h"

#include "base/fail.h"
#include "render/frame/camera.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A step is heard this much longer than the time to the next one usually is, so that the sound does
 * not stop before it comes. */
#define SOUND_SPARE 1.1
/* Longest step in the sound, s. A slower simulation is heard in bursts. */
#define SOUND_LONGEST 0.25
/* Share of a step in the mean time between two. */
#define SOUND_LEARNS 0.2

struct SoundFeed {
    pthread_mutex_t mutex;
    Synth synth;
    double stepped;  /* clock time of the last step, s; negative: there was none */
    double interval; /* mean time between two steps, s */
};

SynthEar sound_ear(const RenderCamera *camera)
{
    const Camera seen = camera_from_settings(camera, 1, 1);
    SynthEar ear;
    memcpy(ear.position, seen.origin, sizeof ear.position);
    memcpy(ear.right, seen.right, sizeof ear.right);
    return ear;
}

SoundFeed *sound_feed_create(BillowError *error)
{
    SoundFeed *feed = malloc(sizeof *feed);
    if (feed == NULL) {
        fail(error, "not enough memory for sound");
        return NULL;
    }
    pthread_mutex_init(&feed->mutex, NULL);
    synth_init(&feed->synth);
    feed->stepped = -1;
    feed->interval = 0;
    return feed;
}

void sound_feed_destroy(SoundFeed *feed)
{
    if (feed == NULL)
        return;
    pthread_mutex_destroy(&feed->mutex);
    free(feed);
}

void sound_feed_step(SoundFeed *feed, const BillowSound *sound, double seconds, double now)
{
    pthread_mutex_lock(&feed->mutex);
    const double passed = now - feed->stepped;
    if (feed->stepped < 0 || passed > 1 || !(feed->interval > 0)) /* the first one after a pause */
        feed->interval = seconds;
    else
        feed->interval += SOUND_LEARNS * (fmin(passed, SOUND_LONGEST) - feed->interval);
    feed->stepped = now;
    synth_step(&feed->synth, sound, seconds, fmin(SOUND_SPARE * feed->interval, SOUND_LONGEST));
    pthread_mutex_unlock(&feed->mutex);
}

void sound_feed_listen(SoundFeed *feed, const RenderCamera *camera, bool heard)
{
    const SynthEar ear = sound_ear(camera);
    pthread_mutex_lock(&feed->mutex);
    synth_listen(&feed->synth, &ear, heard);
    pthread_mutex_unlock(&feed->mutex);
}

void sound_feed_play(SoundFeed *feed, float *samples, int frames)
{
    pthread_mutex_lock(&feed->mutex);
    synth_play(&feed->synth, samples, frames);
    pthread_mutex_unlock(&feed->mutex);
}
