/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* kill */
#include "app/video_maker.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "base/thread.h"
#include "io/child.h"
#include "io/paths.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time between two looks at the process, s. */
#define LOOK_SECONDS 0.05
/* Time that the process has to end, s: after its last frame, and when it is given up, which it
 * notices after the present frame. */
#define FINISH_SECONDS  600.0
#define GIVE_UP_SECONDS 10.0

typedef struct VideoOrder {
    ReplayRecorder *recorder;
    VideoForm form;
    char recording[4096], video[4096]; /* paths */
    struct VideoOrder *next;
} VideoOrder;

struct VideoMaker {
    Thread *thread; /* NULL before the first order */
    pthread_mutex_t mutex;
    pthread_cond_t wake; /* signals an order, or the end */

    /* The mutex guards these. */
    VideoOrder *first; /* oldest order that waits; NULL: none */
    VideoStatus status;
    bool wants_pause, gives_up, closes;
    BillowError said;    /* message to fetch; empty text: none */
    BillowError failure; /* why a recording is lost; empty text: none is */
};

static void say(VideoMaker *self, const BillowError *message)
{
    pthread_mutex_lock(&self->mutex);
    self->said = *message;
    pthread_mutex_unlock(&self->mutex);
}

/* -- a video ----------------------------------------------------------------------------------- */

/* Chooses the format of the video and its path. */
static bool choose_format(VideoOrder *order, BillowError *error)
{
    static const char *const endings[] = {".mp4", ".webm"};
    const int length = (int)(strrchr(order->recording, '.') - order->recording);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        snprintf(order->video, sizeof order->video, "%.*s%s", length, order->recording, endings[e]);
        if (video_probe(order->video, &order->form, error))
            return true;
    }
    return false;
}

/* Reads how far the process has come. drawing: time for which it was not paused, s. */
static void follow_progress(const Child *child, double drawing, VideoStatus *status)
{
    char line[128];
    int done, total;
    child_last_line(child, line, sizeof line);
    if (sscanf(line, "frame %d of %d", &done, &total) != 2 || done < 1 || total < done)
        return;
    if (done != status->done)
        status->left = drawing * (total - done) / done;
    status->done = done;
    status->total = total;
}

/* Follows the process until it ends. Returns false if the video is given up. */
static bool follow(VideoMaker *self, Child *child)
{
    bool stopped = false, gives_up = false;
    double drawing = 0, before = clock_seconds();
    while (!gives_up && child_runs(child)) {
        clock_sleep(LOOK_SECONDS);
        const double now = clock_seconds();
        drawing += stopped ? 0 : now - before;
        before = now;
        pthread_mutex_lock(&self->mutex);
        gives_up = self->gives_up || self->closes;
        if (self->wants_pause != stopped) {
            stopped = self->wants_pause;
            kill(-child->process, stopped ? SIGSTOP : SIGCONT);
        }
        self->status.paused = stopped;
        follow_progress(child, drawing, &self->status);
        pthread_mutex_unlock(&self->mutex);
    }
    if (stopped)
        kill(-child->process, SIGCONT);
    if (gives_up)
        kill(-child->process, SIGTERM);
    return !gives_up;
}

/* The command that makes the video. */
static void command_of(const VideoOrder *order, char *line, size_t size)
{
    number_print(line, size, "billow render --replay %s --out %s --size %dx%d --fps %g",
                 order->recording, order->video, order->form.width, order->form.height,
                 order->form.fps);
}

/* Draws the video in a process. Returns false if it was given up, and a message if it failed. */
static bool draw(VideoMaker *self, VideoOrder *order, BillowError *error)
{
    char program[SYSTEM_PATH], size[32], rate[32], why[256];
    Child child;
    snprintf(size, sizeof size, "%dx%d", order->form.width, order->form.height);
    number_print(rate, sizeof rate, "%.9g", order->form.fps);
    const char *const arguments[] = {program, "render",     "--replay",   order->recording,
                                     "--out", order->video, "--size",     size,
                                     "--fps", rate,         "--progress", NULL};
    BillowError reason = {"the program's own file is not found"};
    if (!system_find_program(program) || !child_start(&child, arguments, false, -1, &reason)) {
        fail(error, "%.200s: it cannot be drawn: %.200s", order->video, reason.text);
        return true;
    }
    const bool whole = follow(self, &child);
    const bool good = child_end(&child, whole ? FINISH_SECONDS : GIVE_UP_SECONDS, why, sizeof why);
    if (!whole) {
        remove(order->video); /* an interrupted process finishes a part */
        return false;
    }
    if (!good)
        fail(error, "%.200s could not be drawn: %.250s", order->video, why);
    return true;
}

/* -- the thread -------------------------------------------------------------------------------- */

/* Says how a video is made of a recording whose video is not made. */
static void say_command(VideoMaker *self, const VideoOrder *order)
{
    BillowError message;
    char line[sizeof message.text];
    command_of(order, line, sizeof line);
    fail(&message, "notice: %.80s is not made; this makes it: %.400s",
         paths_last_part(order->video), line);
    pthread_mutex_lock(&self->mutex);
    const bool closes = self->closes;
    pthread_mutex_unlock(&self->mutex);
    if (closes)
        report_notice(&message);
    fail(&message, "%.100s is given up; its recording stays: %.100s", paths_last_part(order->video),
         paths_last_part(order->recording));
    say(self, &message);
}

static bool closes(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    const bool closes = self->closes;
    pthread_mutex_unlock(&self->mutex);
    return closes;
}

static void fill(VideoMaker *self, VideoOrder *order)
{
    BillowError error = {""}, message;
    ReplayRecorder *recorder = order->recorder;
    const bool written = replay_file_write(order->recording, &recorder->scene, NULL,
                                           &recorder->recording, false, &error);
    replay_recorder_free(recorder);
    order->recorder = NULL;
    if (!written) {
        say(self, &error);
        pthread_mutex_lock(&self->mutex);
        self->failure = error;
        pthread_mutex_unlock(&self->mutex);
        return;
    }
    snprintf(order->video, sizeof order->video, "%.*s.mp4",
             (int)(strrchr(order->recording, '.') - order->recording), order->recording);
    if (closes(self)) {
        say_command(self, order);
        return;
    }
    if (!choose_format(order, &error)) {
        fail(&message, "saved %.100s; no video: %.300s", paths_last_part(order->recording),
             error.text);
        say(self, &message);
        return;
    }
    fail(&message, "saved %.100s; %.100s is being drawn from it, shift F10 pauses that",
         paths_last_part(order->recording), paths_last_part(order->video));
    say(self, &message);
    if (!draw(self, order, &error))
        say_command(self, order);
    else if (error.text[0] != 0)
        say(self, &error);
    else {
        fail(&message, "saved %.200s", paths_last_part(order->video));
        say(self, &message);
    }
}

/* Returns the next order, which may have to be waited for; NULL: there will be none. */
static VideoOrder *next_order(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    self->status = (VideoStatus){.left = -1};
    while (self->first == NULL && !self->closes)
        pthread_cond_wait(&self->wake, &self->mutex);
    VideoOrder *order = self->first;
    if (order != NULL)
        self->first = order->next;
    self->status.busy = order != NULL;
    self->gives_up = self->wants_pause = false;
    pthread_mutex_unlock(&self->mutex);
    return order;
}

static void run(void *context)
{
    VideoMaker *self = context;
    thread_give_way(10); /* as do the processes that it starts */
    for (VideoOrder *order; (order = next_order(self)) != NULL;) {
        fill(self, order);
        free(order);
    }
}

/* -- from the window --------------------------------------------------------------------------- */

VideoMaker *video_maker_create(BillowError *error)
{
    VideoMaker *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fail(error, "not enough memory to record");
        return NULL;
    }
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->wake, NULL);
    return self;
}

bool video_maker_add(VideoMaker *self, ReplayRecorder *recorder, const VideoForm *form,
                     BillowError *error)
{
    VideoOrder *order = calloc(1, sizeof *order);
    if (self->thread == NULL)
        self->thread = thread_start(run, "videos", self, error);
    else if (order == NULL)
        fail(error, "not enough memory to save the recording");
    if (order == NULL || self->thread == NULL) {
        replay_recorder_free(recorder);
        free(order);
        return false;
    }
    order->recorder = recorder;
    order->form = *form;
    snprintf(order->recording, sizeof order->recording, "%s", recorder->path);
    pthread_mutex_lock(&self->mutex);
    VideoOrder **last = &self->first;
    while (*last != NULL)
        last = &(*last)->next;
    *last = order;
    self->status.busy = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->mutex);
    return true;
}

VideoStatus video_maker_status(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    const VideoStatus status = self->status;
    pthread_mutex_unlock(&self->mutex);
    return status;
}

bool video_maker_says(VideoMaker *self, BillowError *message)
{
    pthread_mutex_lock(&self->mutex);
    *message = self->said;
    self->said.text[0] = 0;
    pthread_mutex_unlock(&self->mutex);
    return message->text[0] != 0;
}

bool video_maker_pause(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    self->wants_pause = !self->wants_pause;
    const bool paused = self->wants_pause;
    pthread_mutex_unlock(&self->mutex);
    return paused;
}

void video_maker_give_up(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    self->gives_up = true;
    pthread_mutex_unlock(&self->mutex);
}

bool video_maker_close(VideoMaker *self, BillowError *error)
{
    if (self == NULL)
        return true;
    pthread_mutex_lock(&self->mutex);
    self->closes = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->mutex);
    thread_join(self->thread);
    const bool good = self->failure.text[0] == 0 || fail(error, "%s", self->failure.text);
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->mutex);
    free(self);
    return good;
}
