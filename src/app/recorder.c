/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include "fail.h"
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

/* Most frames that may wait, and most bytes of them. */
enum { SLOTS_MAX = 16, SLOTS_MIN = 2, NONE = -1 };
#define SLOT_BYTES_MAX (128.0 * 1024 * 1024)

struct Recorder {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards all members but the thread's own */
    SDL_cond *wake;
    uint8_t *slots[SLOTS_MAX];
    bool taken[SLOTS_MAX];
    int slot_count, filling; /* filling: the slot that recorder_room returned */
    int queue[SLOTS_MAX];    /* slots */
    int first, waiting;
    bool ended;
    RecorderState state;
    BillowError error;

    Video *video; /* the thread's own, like the next */
    uint8_t *turned;
    VideoForm form;
};

static size_t row_bytes(const Recorder *self)
{
    return (size_t)self->form.width * 3;
}

/* Reverses the rows, into the order of files. */
static void turn_over(Recorder *self, const uint8_t *frame)
{
    size_t row = row_bytes(self);
    for (int y = 0; y < self->form.height; y++)
        memcpy(self->turned + (size_t)y * row, frame + (size_t)(self->form.height - 1 - y) * row,
               row);
}

/* Waits for the next frame; NONE: the video has ended. */
static int next_slot(Recorder *self)
{
    int slot = NONE;
    SDL_LockMutex(self->mutex);
    while (self->waiting == 0 && !self->ended)
        SDL_CondWait(self->wake, self->mutex);
    if (self->waiting > 0) {
        slot = self->queue[self->first];
        self->first = (self->first + 1) % SLOTS_MAX;
        self->waiting--;
    }
    SDL_UnlockMutex(self->mutex);
    return slot;
}

static void free_slot(Recorder *self, int slot)
{
    SDL_LockMutex(self->mutex);
    self->taken[slot] = false;
    SDL_UnlockMutex(self->mutex);
}

static void set_state(Recorder *self, RecorderState state, const BillowError *error)
{
    SDL_LockMutex(self->mutex);
    self->state = state;
    self->error = *error;
    SDL_UnlockMutex(self->mutex);
}

static int run(void *context)
{
    Recorder *self = context;
    BillowError error = {{0}};
    bool well = true;
    for (int slot; well && (slot = next_slot(self)) != NONE;) {
        turn_over(self, self->slots[slot]);
        free_slot(self, slot);
        well = video_write(self->video, self->turned, &error);
    }
    if (well && video_frames(self->video) == 0)
        well = fail(&error, "the recording ended before its first frame");
    if (well)
        well = video_finish(self->video, &error);
    else
        video_give_up(self->video, &error);
    set_state(self, well ? RECORDER_DONE : RECORDER_FAILED, &error);
    return 0;
}

static bool take_memory(Recorder *self)
{
    size_t bytes = row_bytes(self) * (size_t)self->form.height;
    int count = (int)SDL_min(SLOT_BYTES_MAX / (double)bytes, SLOTS_MAX);
    self->turned = malloc(bytes);
    bool well = self->turned != NULL;
    for (int slot = 0; slot < SDL_max(count, SLOTS_MIN) && well; slot++) {
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
    SDL_DestroyCond(self->wake);
    SDL_DestroyMutex(self->mutex);
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
    self->filling = NONE;
    self->mutex = SDL_CreateMutex();
    self->wake = SDL_CreateCond();
    bool well = (self->mutex != NULL && self->wake != NULL && take_memory(self)) ||
                fail(error, "no memory to record %dx%d pixels", form->width, form->height);
    if (well)
        self->video = video_open(path, form, error);
    if (self->video == NULL) {
        free_all(self);
        return NULL;
    }
    self->handle = SDL_CreateThread(run, "recorder", self);
    if (self->handle == NULL) {
        fail(error, "no thread for a recording: %s", SDL_GetError());
        video_give_up(self->video, error);
        free_all(self);
        return NULL;
    }
    return self;
}

uint8_t *recorder_room(Recorder *self)
{
    SDL_LockMutex(self->mutex);
    for (int slot = 0; slot < self->slot_count && self->filling == NONE; slot++)
        if (!self->taken[slot])
            self->filling = slot;
    int slot = self->filling;
    if (slot != NONE)
        self->taken[slot] = true;
    SDL_UnlockMutex(self->mutex);
    return slot != NONE ? self->slots[slot] : NULL;
}

void recorder_submit(Recorder *self)
{
    SDL_LockMutex(self->mutex);
    self->queue[(self->first + self->waiting) % SLOTS_MAX] = self->filling;
    self->waiting++;
    self->filling = NONE;
    SDL_CondSignal(self->wake);
    SDL_UnlockMutex(self->mutex);
}

void recorder_end(Recorder *self)
{
    SDL_LockMutex(self->mutex);
    self->ended = true;
    SDL_CondSignal(self->wake);
    SDL_UnlockMutex(self->mutex);
}

RecorderState recorder_state(Recorder *self, BillowError *error)
{
    SDL_LockMutex(self->mutex);
    RecorderState state = self->state;
    if (state == RECORDER_FAILED)
        *error = self->error;
    SDL_UnlockMutex(self->mutex);
    return state;
}

RecorderState recorder_wait(Recorder *self, BillowError *error)
{
    recorder_end(self);
    SDL_WaitThread(self->handle, NULL);
    self->handle = NULL;
    return recorder_state(self, error);
}

void recorder_destroy(Recorder *self)
{
    if (self == NULL)
        return;
    recorder_end(self);
    SDL_WaitThread(self->handle, NULL);
    free_all(self);
}
