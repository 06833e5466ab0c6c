/* SPDX-License-Identifier: MIT
 * A list of compressed states, and the thread that compresses them. */
#include "play/rewind.h"

#include "base/clock.h"
#include "base/thread.h"
#include "io/checkpoint.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 4096 };
/* Share of its interval that the compression of a state may take. Else the interval grows, up to
 * REWIND_SPACING_MOST: steps need the cores. */
#define PACKING 0.25

typedef struct Stored {
    double time;           /* simulated time, s */
    unsigned char *packed; /* NULL: memory was short during compression */
    size_t bytes;          /* size of `packed` */
    size_t state_bytes;    /* size of the uncompressed state */
    double took;           /* time of the compression, s */
} Stored;

struct Rewind {
    size_t most;            /* largest total size of the compressed states, bytes */
    size_t state_bytes;     /* size of the state in `staging` */
    size_t beside, room;    /* size of the caller's bytes, and of `staging` */
    unsigned char *staging; /* an uncompressed state and the caller's bytes */
    BillowSpan *spans;      /* cells of smoke in `staging`, for billow_save_state_over */
    size_t span_count;
    bool known; /* whether `staging` holds the state that `spans` is of */
    Thread *packer;
    pthread_mutex_t mutex; /* guards `work`, `quit`, `packed` and `ready` */
    pthread_cond_t changed;
    bool work; /* `staging` contains a state to be compressed */
    bool quit;
    double staged_time; /* simulated time of the state in `staging`, s */
    Stored packed;      /* result of the compressing thread */
    bool ready;         /* `packed` contains a state that is not in the list yet */

    /* Only the stepping thread uses the members below. */
    Stored states[STATES_MAX];
    int count;
    size_t bytes;   /* total size of all stored states, bytes */
    int at;         /* index of the present state; -1: the present state is not stored */
    double last;    /* simulated time of the newest stored state, s; negative: none is stored */
    double spacing; /* interval of simulated time between stored states, s */
};

/* -- the packer's thread ----------------------------------------------------------------------- */

static Stored pack(const Rewind *self)
{
    const double start = clock_seconds();
    size_t bytes = self->state_bytes + self->beside;
    Stored stored = {.time = self->staged_time,
                     .packed = malloc(state_pack_bound(bytes)),
                     .state_bytes = self->state_bytes};
    if (stored.packed == NULL)
        return stored;
    stored.bytes = state_pack(self->staging, bytes, stored.packed);
    unsigned char *fitting = stored.bytes > 0 ? realloc(stored.packed, stored.bytes) : NULL;
    if (stored.bytes == 0) {
        free(stored.packed);
        stored.packed = NULL;
    } else if (fitting != NULL) {
        stored.packed = fitting;
    }
    stored.took = clock_seconds() - start;
    return stored;
}

static void run(void *data)
{
    Rewind *self = data;
    thread_give_way(19);
    pthread_mutex_lock(&self->mutex);
    for (;;) {
        while (!self->work && !self->quit)
            pthread_cond_wait(&self->changed, &self->mutex);
        if (self->quit)
            break;
        pthread_mutex_unlock(&self->mutex);
        Stored stored = pack(self);
        pthread_mutex_lock(&self->mutex);
        self->packed = stored;
        self->ready = true;
        self->work = false;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->mutex);
}

/* -- creation ---------------------------------------------------------------------------------- */

Rewind *rewind_create(const BillowSim *sim, double most_bytes, size_t beside)
{
    size_t bytes = billow_state_bytes(sim) + beside;
    if (!(most_bytes >= 3.0 * (double)bytes)) /* `staging`, and two states that may not shrink */
        return NULL;
    Rewind *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->most = (size_t)fmin(most_bytes, 1e18) - bytes;
    self->room = bytes;
    self->beside = beside;
    self->at = -1;
    self->last = -1;
    self->spacing = REWIND_SPACING;
    self->staging = malloc(bytes);
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->changed, NULL);
    if (self->staging != NULL)
        self->packer = thread_start(run, "rewind", self, NULL);
    if (self->packer == NULL) {
        rewind_destroy(self);
        return NULL;
    }
    return self;
}

static bool busy(Rewind *self)
{
    pthread_mutex_lock(&self->mutex);
    bool work = self->work;
    pthread_mutex_unlock(&self->mutex);
    return work;
}

static void drop(Rewind *self, int index)
{
    self->bytes -= self->states[index].bytes;
    free(self->states[index].packed);
    self->count--;
    memmove(&self->states[index], &self->states[index + 1],
            (size_t)(self->count - index) * sizeof self->states[0]);
}

void rewind_destroy(Rewind *self)
{
    if (self == NULL)
        return;
    if (self->packer != NULL) {
        pthread_mutex_lock(&self->mutex);
        self->quit = true;
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->mutex);
        thread_join(self->packer);
    }
    if (self->ready)
        free(self->packed.packed);
    while (self->count > 0)
        drop(self, self->count - 1);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    free(self->staging);
    free(self->spans);
    free(self);
}

/* -- the list ---------------------------------------------------------------------------------- */

/* Chooses the state to drop. This is the oldest one if the others cover REWIND_SECONDS, otherwise
 * the inner one whose removal leaves the smallest gap. */
static int to_spare(const Rewind *self)
{
    int spare = 0;
    double least = INFINITY;
    if (self->count < 3 ||
        self->states[self->count - 1].time - self->states[1].time >= REWIND_SECONDS)
        return 0;
    for (int s = 1; s < self->count - 1; s++) {
        double gap = self->states[s + 1].time - self->states[s - 1].time;
        if (gap < least * (1 - 1e-6)) {
            least = gap;
            spare = s;
        }
    }
    return spare;
}

/* Moves the result of the compressing thread into the list. */
static void take(Rewind *self)
{
    pthread_mutex_lock(&self->mutex);
    bool ready = self->ready;
    Stored stored = self->packed;
    self->ready = false;
    pthread_mutex_unlock(&self->mutex);
    if (!ready || stored.packed == NULL)
        return;
    if (self->count == STATES_MAX)
        drop(self, 0);
    self->states[self->count++] = stored;
    self->bytes += stored.bytes;
    /* At this interval as many states as fit in memory cover REWIND_SECONDS. */
    double each = (double)self->bytes / self->count, fit = fmax((double)self->most / each - 1, 1);
    const double unhurried = fmin(stored.took / PACKING, REWIND_SPACING_MOST);
    self->spacing = fmax(fmax(REWIND_SPACING, unhurried), REWIND_SECONDS / fit);
    while (self->bytes + stored.bytes > self->most && self->count > 1) /* space for one more */
        drop(self, to_spare(self));
}

void rewind_settle(Rewind *self)
{
    if (self == NULL)
        return;
    pthread_mutex_lock(&self->mutex);
    while (self->work)
        pthread_cond_wait(&self->changed, &self->mutex);
    pthread_mutex_unlock(&self->mutex);
    take(self);
}

/* Makes room for a state in `staging`. The states of a box that grows differ in size. */
static bool fit_staging(Rewind *self, size_t state_bytes)
{
    size_t bytes = state_bytes + self->beside;
    if (bytes <= self->room)
        return true;
    unsigned char *larger = realloc(self->staging, bytes);
    if (larger == NULL)
        return false;
    size_t more = bytes - self->room;
    self->most -= self->most > more ? more : self->most;
    self->staging = larger;
    self->room = bytes;
    return true;
}

/* Makes `spans` those of what `staging` holds, of which nothing need be known. */
static bool fit_spans(Rewind *self, const BillowSim *sim, size_t state_bytes)
{
    const BillowView view = billow_view(sim);
    const size_t count = (size_t)view.span_blocks * (size_t)view.nz;
    if (self->known && self->state_bytes == state_bytes && self->span_count == count)
        return true;
    BillowSpan *spans = realloc(self->spans, count * sizeof *spans);
    if (spans == NULL)
        return false;
    for (size_t s = 0; s < count; s++)
        spans[s] = (BillowSpan){0, (short)view.nx};
    self->spans = spans;
    self->span_count = count;
    return true;
}

/* Copies the state to `staging` and starts its compression, unless memory is short. The compressing
 * thread must be idle. */
static bool store(Rewind *self, const BillowSim *sim, const void *beside)
{
    size_t bytes = billow_state_bytes(sim);
    if (!fit_staging(self, bytes) || !fit_spans(self, sim, bytes))
        return false;
    self->state_bytes = bytes;
    billow_save_state_over(sim, self->staging, self->spans);
    self->known = true;
    memcpy(self->staging + self->state_bytes, beside, self->beside);
    self->last = self->staged_time = billow_view(sim).time;
    pthread_mutex_lock(&self->mutex);
    self->work = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    return true;
}

void rewind_follow(Rewind *self, const BillowSim *sim, const void *beside)
{
    if (self == NULL || busy(self))
        return;
    take(self);
    double time = billow_view(sim).time;
    if (self->at >= 0) {
        while (self->count > self->at + 1)
            drop(self, self->count - 1);
        self->last = self->states[self->at].time;
        self->at = -1;
    }
    /* The tolerance is half a millisecond, because the sum of the steps equals the interval only up
     * to rounding. */
    if (self->last < 0 || time - self->last >= self->spacing - 5e-4)
        store(self, sim, beside);
}

void rewind_stand(Rewind *self, const BillowSim *sim, const void *beside)
{
    if (self == NULL || self->at >= 0)
        return;
    rewind_settle(self);
    if (self->count == 0 || self->states[self->count - 1].time != billow_view(sim).time) {
        if (!store(self, sim, beside))
            return;
        rewind_settle(self);
    }
    self->at = self->count - 1;
}

void rewind_forget(Rewind *self)
{
    if (self == NULL)
        return;
    rewind_settle(self);
    while (self->count > 0)
        drop(self, self->count - 1);
    self->at = -1;
    self->last = -1;
}

int rewind_count(const Rewind *self)
{
    return self != NULL ? self->count : 0;
}

double rewind_time(const Rewind *self, int index)
{
    return self != NULL && index >= 0 && index < self->count ? self->states[index].time : 0;
}

int rewind_at(const Rewind *self)
{
    return self != NULL && self->at >= 0 ? self->at : rewind_count(self) - 1;
}

int rewind_before(const Rewind *self, double time)
{
    int index = rewind_count(self) - 1;
    while (index > 0 && self->states[index].time > time)
        index--;
    return index > 0 ? index : 0;
}

bool rewind_to(Rewind *self, int index, BillowSim *sim, void *beside)
{
    if (self == NULL || self->at < 0 || index < 0 || index >= self->count)
        return false;
    const Stored *stored = &self->states[index];
    size_t bytes = stored->state_bytes;
    self->known = false;
    if (!fit_staging(self, bytes) ||
        !state_unpack(stored->packed, stored->bytes, self->staging, bytes + self->beside) ||
        !billow_load_state(sim, self->staging, bytes, NULL))
        return false;
    memcpy(beside, self->staging + bytes, self->beside);
    self->at = index;
    return true;
}

size_t rewind_bytes(const Rewind *self)
{
    return self != NULL ? self->bytes : 0;
}
