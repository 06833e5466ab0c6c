/* SPDX-License-Identifier: MIT
 * Screenshots and videos of the window. */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "app/recording.h"

#include "app/session.h"
#include "base/fail.h"
#include "base/thread.h"
#include "io/image.h"
#include "render/frame/legend.h"
#include "render/readback.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- names ------------------------------------------------------------------------------------- */

#define NUMBER_MAX 9999

/* Makes a part of a file's name from the scene's name. */
static void plain_name(const char *name, char plain[64])
{
    int length = 0;
    for (; name[length] != 0 && length < 63; length++) {
        unsigned char letter = (unsigned char)name[length];
        plain[length] = isalnum(letter) || letter == '-' ? (char)letter : '_';
    }
    plain[length] = 0;
}

bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error)
{
    char plain[64];
    struct stat there;
    plain_name(of->scene[0] != 0 ? of->scene : "billow", plain);
    for (int number = 1; number <= NUMBER_MAX; number++) {
        char counted[16] = "";
        if (of->digits > 0 || number > 1)
            snprintf(counted, sizeof counted, "-%0*d", of->digits, number);
        snprintf(name, name_size, "%s%s%s%s", of->prefix, plain, counted, of->ending);
        int length = strcmp(of->folder, ".") == 0
                         ? snprintf(path, path_size, "%s", name)
                         : snprintf(path, path_size, "%s/%s", of->folder, name);
        if (length < 0 || (size_t)length >= path_size)
            return fail(error, "%.200s...: the folder's name is too long", of->folder);
        if (lstat(path, &there) != 0)
            return true;
    }
    return fail(error, "%.300s already holds %d %s %s; move some to another folder", of->folder,
                NUMBER_MAX, of->plural, plain);
}

/* -- screenshots ------------------------------------------------------------------------------- */

/* Draws the legend of the slice into the image. Draws none if there is no slice or no font for its
 * letters. */
static bool add_legend(const RenderSlice *slice, Image *image, BillowError *error)
{
    Caption *letters = slice->field != NULL ? legend_letters(image, NULL) : NULL;
    if (letters == NULL)
        return true;
    Legend legend = legend_for(slice);
    bool whole = legend_draw(&legend, letters, image, error);
    caption_close(letters);
    return whole;
}

bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice, int width,
                     int height, const char *folder, char name[96], BillowError *error)
{
    char path[4096];
    const CaptureName of = {folder, "", scene->name, 4, ".png", "screenshots of"};
    Image image;
    if (!capture_name(&of, name, 96, path, sizeof path, error) ||
        !image_create(&image, width, height, 3, error))
        return false;
    bool taken = renderer_read_shown(renderer, width, height, 3, image.pixels, error) &&
                 add_legend(slice, &image, error) && image_write_png(&image, path, error);
    image_destroy(&image);
    return taken;
}

/* -- the encoder's thread ---------------------------------------------------------------------- */

/* Largest and smallest number of frames in the queue. */
enum { SLOTS_MAX = 16, SLOTS_MIN = 2 };
/* Most memory of the queued frames, bytes. */
#define SLOT_BYTES_MAX (128.0 * 1024 * 1024)

struct Recorder {
    Thread *handle;
    pthread_mutex_t mutex; /* guards the members up to `error` */
    pthread_cond_t wake;   /* signals a change of `waiting` or `ended` */
    int first, waiting;    /* slot of the oldest queued frame, and number of queued frames */
    bool ended;
    RecorderState state;
    BillowError error;

    uint8_t *slots[SLOTS_MAX]; /* memory of queued frames, used as a ring */
    int slot_count;
    VideoForm form;

    /* Only the encoder's thread uses the members below. */
    Video *video;
    uint8_t *turned; /* a copy of a frame with its top row first */
};

static size_t row_bytes(const Recorder *self)
{
    return (size_t)self->form.width * 3;
}

/* Waits for the next frame and returns it; NULL: the video has ended. */
static const uint8_t *next_frame(Recorder *self)
{
    pthread_mutex_lock(&self->mutex);
    while (self->waiting == 0 && !self->ended)
        pthread_cond_wait(&self->wake, &self->mutex);
    const uint8_t *frame = self->waiting > 0 ? self->slots[self->first] : NULL;
    pthread_mutex_unlock(&self->mutex);
    return frame;
}

/* Copies a frame with its top row first, as video files need it, and frees its slot. */
static void turn_over(Recorder *self, const uint8_t *frame)
{
    size_t row = row_bytes(self);
    for (int y = 0; y < self->form.height; y++)
        memcpy(self->turned + (size_t)y * row, frame + (size_t)(self->form.height - 1 - y) * row,
               row);
    pthread_mutex_lock(&self->mutex);
    self->first = (self->first + 1) % self->slot_count;
    self->waiting--;
    pthread_mutex_unlock(&self->mutex);
}

static void run(void *context)
{
    Recorder *self = context;
    BillowError error = {{0}};
    bool well = true;
    for (const uint8_t *frame; well && (frame = next_frame(self)) != NULL;) {
        turn_over(self, frame);
        well = video_write(self->video, self->turned, &error);
    }
    if (well && video_frames(self->video) == 0)
        well = fail(&error, "the recording ended before its first frame");
    if (well)
        well = video_finish(self->video, &error);
    else
        video_give_up(self->video, &error);
    pthread_mutex_lock(&self->mutex);
    self->state = well ? RECORDER_DONE : RECORDER_FAILED;
    self->error = error;
    pthread_mutex_unlock(&self->mutex);
}

static bool take_memory(Recorder *self)
{
    size_t bytes = row_bytes(self) * (size_t)self->form.height;
    int count = (int)fmin(SLOT_BYTES_MAX / (double)bytes, SLOTS_MAX);
    self->turned = malloc(bytes);
    bool well = self->turned != NULL;
    for (int slot = 0; slot < (count > SLOTS_MIN ? count : SLOTS_MIN) && well; slot++) {
        self->slots[slot] = malloc(bytes);
        well = self->slots[slot] != NULL;
        self->slot_count += well;
    }
    return well || self->slot_count >= SLOTS_MIN;
}

static void free_all(Recorder *self)
{
    for (int slot = 0; slot < self->slot_count; slot++)
        free(self->slots[slot]);
    free(self->turned);
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

Recorder *recorder_start(const char *path, const VideoForm *form, BillowError *error)
{
    Recorder *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fail(error, "no memory for a recording");
        return NULL;
    }
    self->form = *form;
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->wake, NULL);
    bool well = take_memory(self) ||
                fail(error, "no memory to record %dx%d pixels", form->width, form->height);
    if (well)
        self->video = video_open(path, form, error);
    if (self->video == NULL) {
        free_all(self);
        return NULL;
    }
    self->handle = thread_start(run, "recorder", self, error);
    if (self->handle == NULL) {
        video_give_up(self->video, error);
        free_all(self);
        return NULL;
    }
    return self;
}

uint8_t *recorder_room(Recorder *self)
{
    pthread_mutex_lock(&self->mutex);
    bool full = self->waiting == self->slot_count;
    uint8_t *slot = self->slots[(self->first + self->waiting) % self->slot_count];
    pthread_mutex_unlock(&self->mutex);
    return full ? NULL : slot;
}

void recorder_submit(Recorder *self)
{
    pthread_mutex_lock(&self->mutex);
    self->waiting++;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->mutex);
}

void recorder_end(Recorder *self)
{
    pthread_mutex_lock(&self->mutex);
    self->ended = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->mutex);
}

RecorderState recorder_state(Recorder *self, BillowError *error)
{
    pthread_mutex_lock(&self->mutex);
    RecorderState state = self->state;
    if (state == RECORDER_FAILED)
        *error = self->error;
    pthread_mutex_unlock(&self->mutex);
    return state;
}

RecorderState recorder_wait(Recorder *self, BillowError *error)
{
    recorder_end(self);
    thread_join(self->handle); /* NULL is fine */
    self->handle = NULL;
    return recorder_state(self, error);
}

void recorder_destroy(Recorder *self)
{
    BillowError error;
    if (self == NULL)
        return;
    recorder_wait(self, &error);
    free_all(self);
}

/* -- videos in a session ----------------------------------------------------------------------- */

static void start(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    char path[4096];
    BillowError error;
    /* The encoder needs an even width and height. An odd last row or column is omitted. */
    const VideoForm form = {.width = window->width & ~1,
                            .height = window->height & ~1,
                            .quick = true,
                            .fps = session->options->fps};
    const CaptureName name = {session->options->capture_folder,
                              "billow-",
                              session->world.scene.name,
                              1,
                              ".mp4",
                              "videos of"};
    *recording =
        (Recording){.width = window->width, .height = window->height, .taken = recording->taken};
    if (session_follows(session))
        return; /* a video makes every step wait for its frame */
    if (session->world.sim == NULL || session->world.changing)
        session_say(session, "there is nothing to record yet");
    else if (form.width < 2 || form.height < 2)
        session_say(session, "this window is too small to record");
    else if (!capture_name(&name, recording->name, sizeof recording->name, path, sizeof path,
                           &error) ||
             (recording->recorder = recorder_start(path, &form, &error)) == NULL)
        session_say(session, "%s", error.text);
    else {
        session_say(session, "recording %s; F10 ends it", recording->name);
        sim_thread_send(
            session->world.sim,
            &(SimCommand){SIM_FILM, .film = {1 / session->options->fps, recording->taken + 1}});
    }
}

/* Ends the video in the simulation's thread, which then no longer waits for recorded frames. */
static void end_film(Session *session)
{
    world_send(&session->world, &(SimCommand){SIM_FILM, .film = {0, 0}});
}

void recording_toggle(Session *session)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL)
        start(session);
    else if (recording->ending)
        session_say(session, "%s is still being written", recording->name);
    else if (recording->frames == 0)
        recording->last = true;
    else
        recording_end(session, NULL);
}

void recording_end(Session *session, const char *why)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL || recording->ending)
        return;
    recording->ending = true;
    recorder_end(recording->recorder);
    end_film(session);
    if (why != NULL)
        session_say(session, "%s: %s ends here", why, recording->name);
}

void recording_see(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    if (recording->recorder == NULL || recording->ending)
        return;
    if (window->width != recording->width || window->height != recording->height) {
        recording_end(session, "the window's size has changed");
        return;
    }
    if (recording->drawn <= recording->taken)
        return;
    uint8_t *room = recorder_room(recording->recorder);
    if (room == NULL) {
        session->screen.exposed = true; /* show the same frame again and retry */
        return;
    }
    renderer_read_window(window->width & ~1, window->height & ~1, room);
    recorder_submit(recording->recorder);
    recording->taken = recording->drawn;
    recording->frames++;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_FILM_TAKEN, .number = recording->taken});
    if (recording->last)
        recording_end(session, NULL);
}

void recording_poll(Session *session)
{
    Recording *recording = &session->recording;
    BillowError error;
    if (recording->recorder == NULL)
        return;
    RecorderState state = recorder_state(recording->recorder, &error);
    if (state == RECORDER_WRITING)
        return;
    if (state == RECORDER_DONE)
        session_say(session, "saved %s, %.1f s", recording->name,
                    (double)recording->frames / session->options->fps);
    else
        session_say(session, "%s", error.text);
    if (!recording->ending)
        end_film(session);
    recorder_destroy(recording->recorder);
    recording->recorder = NULL;
}

bool recording_close(Session *session, BillowError *error)
{
    Recorder *recorder = session->recording.recorder;
    BillowError why;
    if (recorder == NULL)
        return true;
    /* A video without a frame loses nothing. */
    bool well = recorder_wait(recorder, &why) == RECORDER_DONE || session->recording.frames == 0;
    recorder_destroy(recorder);
    session->recording.recorder = NULL;
    return well || fail(error, "%s", why.text);
}

const char *recording_words(Session *session)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL)
        return NULL;
    int seconds = (int)((double)recording->frames / session->options->fps);
    snprintf(recording->words, sizeof recording->words, recording->ending ? "saving" : "%d:%02d",
             seconds / 60, seconds % 60);
    return recording->words;
}
