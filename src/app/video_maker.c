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
/* Time that the process has to end when it is given up, which it notices after a frame, s. */
#define GIVE_UP_SECONDS 10.0

typedef struct VideoOrder {
    ReplayRecorder *recorder; /* NULL: it was written, or is lost */
    bool lost;
    VideoForm form;
    char recording[4096], video[4096]; /* paths */
    struct VideoOrder *next;
} VideoOrder;

struct VideoMaker {
    Thread *thread; /* NULL before the first order */
    pthread_mutex_t mutex;
    pthread_cond_t wake; /* signals an order, or the end */

    /* The mutex guards these. */
    VideoOrder *first; /* oldest order that is not done; NULL: none */
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

/* Writes the recordings of all orders. They must not stay in memory while a video is drawn. */
static void write_all(VideoMaker *self)
{
    for (;;) {
        pthread_mutex_lock(&self->mutex);
        VideoOrder *order = self->first;
        while (order != NULL && order->recorder == NULL)
            order = order->next;
        pthread_mutex_unlock(&self->mutex);
        if (order == NULL)
            return;
        BillowError error = {""};
        ReplayRecorder *recorder = order->recorder;
        const bool written = replay_file_write(order->recording, &recorder->scene, NULL,
                                               &recorder->recording, false, &error);
        replay_recorder_free(recorder);
        pthread_mutex_lock(&self->mutex);
        order->recorder = NULL;
        order->lost = !written;
        if (!written)
            self->said = self->failure = error;
        pthread_mutex_unlock(&self->mutex);
    }
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
        write_all(self);
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
    const bool stood = access(order->video, F_OK) == 0;
    if (!system_find_program(program) || !child_start(&child, arguments, false, -1, &reason)) {
        fail(error, "%.200s: it cannot be drawn: %.200s", order->video, reason.text);
        return true;
    }
    const bool whole = follow(self, &child);
    const bool good = child_end(&child, GIVE_UP_SECONDS, why, sizeof why);
    if (!whole) {
        if (!stood)
            remove(order->video); /* an interrupted process finishes a part */
        return false;
    }
    if (!good)
        fail(error, "%.200s could not be drawn: %.250s", order->video, why);
    return true;
}

/* -- the thread -------------------------------------------------------------------------------- */

static bool closes(VideoMaker *self)
{
    pthread_mutex_lock(&self->mutex);
    const bool closes = self->closes;
    pthread_mutex_unlock(&self->mutex);
    return closes;
}

/* Says that a video is not made, and on standard error, when the window closes, what makes it. */
static void say_given_up(VideoMaker *self, const VideoOrder *order)
{
    BillowError message;
    char rate[32];
    number_print(rate, sizeof rate, "%g", order->form.fps);
    if (closes(self))
        fprintf(stderr,
                "billow: notice: %s is not made; this makes it: billow render --replay '%s' "
                "--out '%s' --size %dx%d --fps %s\n",
                paths_last_part(order->video), order->recording, order->video, order->form.width,
                order->form.height, rate);
    fail(&message, "%.100s is given up; its recording stays: %.100s", paths_last_part(order->video),
         paths_last_part(order->recording));
    say(self, &message);
}

static void fill(VideoMaker *self, VideoOrder *order)
{
    BillowError error = {""}, message;
    snprintf(order->video, sizeof order->video, "%.*s.mp4",
             (int)(strrchr(order->recording, '.') - order->recording), order->recording);
    if (closes(self)) {
        say_given_up(self, order);
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
        say_given_up(self, order);
    else if (error.text[0] != 0)
        say(self, &error);
    else {
        fail(&message, "saved %.200s", paths_last_part(order->video));
        say(self, &message);
    }
}

/* Drops the order that is done. Returns the next one, which may have to be waited for; NULL: there
 * will be none. */
static VideoOrder *next_order(VideoMaker *self, VideoOrder *done)
{
    pthread_mutex_lock(&self->mutex);
    if (done != NULL)
        self->first = done->next;
    free(done);
    self->status = (VideoStatus){.left = -1};
    while (self->first == NULL && !self->closes)
        pthread_cond_wait(&self->wake, &self->mutex);
    VideoOrder *order = self->first;
    self->status.busy = order != NULL;
    self->gives_up = self->wants_pause = false;
    pthread_mutex_unlock(&self->mutex);
    return order;
}

static void run(void *context)
{
    VideoMaker *self = context;
    thread_give_way(10); /* as do the processes that it starts */
    for (VideoOrder *order = NULL; (order = next_order(self, order)) != NULL;) {
        write_all(self);
        if (!order->lost)
            fill(self, order);
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
    if (order == NULL)
        fail(error, "not enough memory to save the recording");
    else if (self->thread == NULL)
        self->thread = thread_start(run, "videos", self, error);
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

bool video_maker_holds(VideoMaker *self, const char *path)
{
    bool holds = false;
    if (self == NULL)
        return false;
    pthread_mutex_lock(&self->mutex);
    for (const VideoOrder *order = self->first; order != NULL; order = order->next)
        holds = holds || strcmp(order->recording, path) == 0;
    pthread_mutex_unlock(&self->mutex);
    return holds;
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
