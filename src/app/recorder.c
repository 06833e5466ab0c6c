/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include "fail.h"
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

/* Frames that wait at most, and their bytes. */
enum { SLOTS_MAX = 16, SLOTS_MIN = 2, REPEATED = -1 };
#define SLOT_BYTES_MAX (128.0 * 1024 * 1024)

/* A frame that waits; slot REPEATED: the one written last. */
typedef struct Entry {
    int slot, times;
} Entry;

struct Recorder {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards all but what is said to be the thread's */
    SDL_cond *wake;
    uint8_t *slots[SLOTS_MAX];
    bool taken[SLOTS_MAX];
    int slot_count, filling; /* filling: what recorder_room gave away */
    Entry queue[SLOTS_MAX + 1];
    int first, waiting;
    bool ended;
    RecorderState state;
    BillowError error;

    Video *video; /* the thread's, as is */
    uint8_t *last;
    VideoForm form;
};

static size_t row_bytes(const Recorder *self)
{
    return (size_t)self->form.width * 3;
}

/* Into the order of files. */
static void turn_over(Recorder *self, const uint8_t *frame)
{
    size_t row = row_bytes(self);
    for (int y = 0; y < self->form.height; y++)
        memcpy(self->last + (size_t)y * row, frame + (size_t)(self->form.height - 1 - y) * row,
               row);
}

/* Waits for the next entry; false: there will be none. */
static bool next_entry(Recorder *self, Entry *entry)
{
    SDL_LockMutex(self->mutex);
    while (self->waiting == 0 && !self->ended)
        SDL_CondWait(self->wake, self->mutex);
    bool any = self->waiting > 0;
    if (any) {
        *entry = self->queue[self->first];
        self->first = (self->first + 1) % (SLOTS_MAX + 1);
        self->waiting--;
    }
    SDL_UnlockMutex(self->mutex);
    return any;
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
    Entry entry;
    bool well = true;
    while (well && next_entry(self, &entry)) {
        if (entry.slot != REPEATED) {
            turn_over(self, self->slots[entry.slot]);
            free_slot(self, entry.slot);
        }
        for (int time = 0; time < entry.times && well; time++)
            well = video_write(self->video, self->last, &error);
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
    self->last = malloc(bytes);
    bool well = self->last != NULL;
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
    free(self->last);
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
    self->filling = REPEATED;
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
    for (int slot = 0; slot < self->slot_count && self->filling == REPEATED; slot++)
        if (!self->taken[slot])
            self->filling = slot;
    int slot = self->filling;
    if (slot != REPEATED)
        self->taken[slot] = true;
    SDL_UnlockMutex(self->mutex);
    return slot != REPEATED ? self->slots[slot] : NULL;
}

/* One more entry; there is room for one a slot and one that repeats. */
static void enqueue(Recorder *self, Entry entry)
{
    self->queue[(self->first + self->waiting) % (SLOTS_MAX + 1)] = entry;
    self->waiting++;
    SDL_CondSignal(self->wake);
}

void recorder_submit(Recorder *self)
{
    SDL_LockMutex(self->mutex);
    enqueue(self, (Entry){self->filling, 1});
    self->filling = REPEATED;
    SDL_UnlockMutex(self->mutex);
}

void recorder_repeat(Recorder *self, int times)
{
    SDL_LockMutex(self->mutex);
    if (self->waiting > 0)
        self->queue[(self->first + self->waiting - 1) % (SLOTS_MAX + 1)].times += times;
    else
        enqueue(self, (Entry){REPEATED, times});
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

void recorder_destroy(Recorder *self)
{
    if (self == NULL)
        return;
    recorder_end(self);
    SDL_WaitThread(self->handle, NULL);
    free_all(self);
}
