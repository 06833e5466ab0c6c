/* SPDX-License-Identifier: MIT
 *
 * Threads of a region (region.h) in a browser, in place of OpenMP: POSIX threads, which Emscripten
 * makes of web workers. They are started once, because starting a worker takes milliseconds. A
 * thread without work sleeps, so that it leaves its core to the page. A page that may not share its
 * memory has none. */
#include "sim/fields/region.h"

#include <emscripten/threading.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>

enum { HELPERS_MAX = 7 };

typedef struct Helper {
    int index;
    int seen; /* regions begun when it was started */
} Helper;

static struct Pool {
    pthread_mutex_t busy; /* held by the region that runs */
    Helper helpers[HELPERS_MAX];
    int started;
    atomic_int round;   /* regions begun */
    atomic_int working; /* helpers that are not done with the present region */
    RegionBody *body;
    void *context;
    int count; /* threads of the present region */
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER};

static void *help(void *data)
{
    const Helper *self = data;
    for (int seen = self->seen;;) {
        while (atomic_load(&pool.round) == seen)
            region_wait(&pool.round, seen);
        seen++;
        if (self->index < pool.count)
            pool.body(pool.context, self->index, pool.count);
        if (atomic_fetch_sub(&pool.working, 1) == 1)
            region_wake(&pool.working);
    }
    return NULL;
}

/* Starts helpers until there are as many as asked, or no more can be started. */
static void start_helpers(int wanted)
{
    pthread_t thread;
    if (!emscripten_has_threading_support())
        return;
    while (pool.started < wanted && pool.started < HELPERS_MAX) {
        Helper *helper = &pool.helpers[pool.started];
        *helper = (Helper){pool.started + 1, atomic_load(&pool.round)};
        if (pthread_create(&thread, NULL, help, helper) != 0)
            return;
        pool.started++;
    }
}

/* Where a region runs already, the body runs on the calling thread alone. */
void region_run(int threads, RegionBody *body, void *context)
{
    if (threads == 1 || pthread_mutex_trylock(&pool.busy) != 0) {
        body(context, 0, 1);
        return;
    }
    start_helpers(threads - 1);
    pool.body = body;
    pool.context = context;
    pool.count = threads < pool.started + 1 ? threads : pool.started + 1;
    atomic_store(&pool.working, pool.started);
    atomic_fetch_add(&pool.round, 1);
    region_wake(&pool.round);
    body(context, 0, pool.count);
    for (int left; (left = atomic_load(&pool.working)) > 0;)
        region_wait(&pool.working, left);
    pthread_mutex_unlock(&pool.busy);
}

void region_wait(atomic_int *word, int value)
{
    emscripten_futex_wait(word, (uint32_t)value, INFINITY);
}

void region_wake(atomic_int *word)
{
    emscripten_futex_wake(word, INT_MAX);
}

int region_threads(void)
{
    int cores = emscripten_has_threading_support() ? emscripten_num_logical_cores() : 1;
    return cores < HELPERS_MAX + 1 ? cores : HELPERS_MAX + 1;
}

const char *region_name(void)
{
    return "off";
}
