/* SPDX-License-Identifier: MIT */
#include "app/clip.h"

#include "app/recording.h"
#include "app/session.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/thread.h"
#include "render/readback.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Largest share of the time that pictures may take. On slow machines they are rarer. */
#define SHARE_MOST 0.05
/* Longest time between two pictures while the window is drawn, s. The first one takes long. */
#define INTERVAL_MOST 0.5

/* -- the pictures ------------------------------------------------------------------------------ */

static size_t picture_bytes(const Clip *clip)
{
    return 3 * (size_t)clip->width * (size_t)clip->height;
}

static bool fit(Clip *clip, int width, int height)
{
    if (clip->pixels != NULL && clip->width == width && clip->height == height)
        return true;
    free(clip->pixels);
    clip->width = width;
    clip->height = height;
    clip->first = clip->count = 0;
    clip->pixels = malloc(CLIP_FRAMES * picture_bytes(clip));
    return clip->pixels != NULL;
}

void clip_add(Clip *clip, int width, int height, const uint8_t *pixels, double time)
{
    if (!fit(clip, width, height))
        return;
    const int slot = (clip->first + clip->count) % CLIP_FRAMES;
    uint8_t *to = clip->pixels + (size_t)slot * picture_bytes(clip);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++, to += 3)
            memcpy(to, pixels + 4 * ((size_t)y * (size_t)width + (size_t)x), 3);
    clip->times[slot] = time;
    if (clip->count < CLIP_FRAMES)
        clip->count++;
    else
        clip->first = (clip->first + 1) % CLIP_FRAMES;
}

const uint8_t *clip_at(const Clip *clip, double time)
{
    const uint8_t *found = NULL;
    for (int n = 0; n < clip->count; n++) {
        const int slot = (clip->first + n) % CLIP_FRAMES;
        if (found == NULL || clip->times[slot] <= time)
            found = clip->pixels + (size_t)slot * picture_bytes(clip);
    }
    return found;
}

void clip_see(Session *session)
{
    Clip *clip = &session->clip;
    Renderer *renderer = session->picture.renderer;
    const Window *window = &session->window;
    const double start = clock_seconds();
    const double scale = fmin(1, (double)CLIP_EDGE / fmax(window->width, window->height));
    const int width = (int)fmax(1, round(scale * window->width));
    const int height = (int)fmax(1, round(scale * window->height));
    const uint8_t *pixels;
    BillowError error;
    if (clip->reading && renderer_read_begun(renderer, width, height, &pixels)) {
        clip_add(clip, width, height, pixels, clip->read_at);
        renderer_read_end(renderer);
    }
    clip->reading = false;
    clip->spent += clock_seconds() - start;
    if (session->options->kiosk || session->now < clip->due)
        return;
    clip->reading = renderer_read_begin(renderer, width, height, &error);
    clip->read_at = session->now;
    clip->spent += clock_seconds() - start;
    clip->due = session->now + fmin(fmax(1 / CLIP_FPS, clip->spent / SHARE_MOST), INTERVAL_MOST);
    clip->spent = 0;
}

/* -- the file ---------------------------------------------------------------------------------- */

struct ClipJob {
    Thread *thread;
    atomic_bool done;
    Clip clip; /* a copy */
    double from;
    int frames;
    char name[128], path[4096];
    bool written;
    BillowError error;
};

static void write_file(void *data)
{
    ClipJob *job = data;
    const VideoForm form = {.width = job->clip.width, .height = job->clip.height, .fps = CLIP_FPS};
    Video *video = video_open(job->path, &form, &job->error);
    bool good = video != NULL;
    for (int frame = 0; good && frame < job->frames; frame++)
        good = video_write(video, clip_at(&job->clip, job->from + frame / CLIP_FPS), &job->error);
    if (good)
        job->written = video_finish(video, &job->error);
    else if (video != NULL)
        video_give_up(video, &job->error);
    atomic_store(&job->done, true);
}

static void drop_job(ClipJob *job)
{
    if (job == NULL)
        return;
    thread_join(job->thread); /* NULL is fine */
    free(job->clip.pixels);
    free(job);
}

/* Copies the pictures of the last seconds. */
static ClipJob *make_job(const Session *session, BillowError *error)
{
    const Clip *clip = &session->clip;
    const double last = clip->times[(clip->first + clip->count - 1) % CLIP_FRAMES];
    ClipJob *job = calloc(1, sizeof *job);
    const size_t bytes = CLIP_FRAMES * picture_bytes(clip);
    uint8_t *pixels = malloc(bytes);
    if (job == NULL || pixels == NULL) {
        free(job);
        free(pixels);
        fail(error, "not enough memory to save the last seconds");
        return NULL;
    }
    memcpy(pixels, clip->pixels, bytes);
    job->clip = *clip;
    job->clip.pixels = pixels;
    job->frames = 1 + (int)(fmin(CLIP_SECONDS, last - clip->times[clip->first]) * CLIP_FPS);
    job->from = last - (job->frames - 1) / CLIP_FPS;
    return job;
}

void clip_save(Session *session)
{
    Clip *clip = &session->clip;
    BillowError error;
    if (clip->job != NULL) {
        session_say(session, "%s is still being saved", clip->job->name);
        return;
    }
    if (clip->count < 2) {
        session_say(session, "there is nothing to save yet");
        return;
    }
    ClipJob *job = make_job(session, &error);
    const CaptureName name = {session->options->capture_folder,
                              "",
                              session->world.scene.name,
                              1,
                              ".gif",
                              "clips of",
                              NULL,
                              NULL};
    if (job == NULL ||
        !capture_name(&name, job->name, sizeof job->name, job->path, sizeof job->path, &error) ||
        (job->thread = thread_start(write_file, "clip", job, &error)) == NULL) {
        drop_job(job);
        session_say(session, "%s", error.text);
        return;
    }
    clip->job = job;
    session_say(session, "saving the last %.0f s", job->frames / CLIP_FPS);
}

void clip_poll(Session *session)
{
    ClipJob *job = session->clip.job;
    if (job == NULL || !atomic_load(&job->done))
        return;
    if (job->written)
        session_say(session, "saved %s", job->name);
    else
        session_say(session, "%s", job->error.text);
    drop_job(job);
    session->clip.job = NULL;
}

void clip_close(Session *session)
{
    drop_job(session->clip.job);
    free(session->clip.pixels);
    session->clip = (Clip){.width = 0};
}
