/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "base/thread.h"

#include "base/fail.h"

#include <emscripten/threading.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct Thread {
    pthread_t handle;
    ThreadFunction *function;
    void *data;
    atomic_bool ended;
};

/* In a page without threads: the data of the simulation's thread, which the page runs. NULL: there
 * is none. */
void *thread_waiting;

static void *run(void *data)
{
    Thread *thread = data;
    thread->function(thread->data);
    atomic_store(&thread->ended, true);
    return NULL;
}

Thread *thread_start(ThreadFunction *function, const char *name, void *data, BillowError *error)
{
    Thread *thread = malloc(sizeof *thread);
    if (thread != NULL) {
        *thread = (Thread){.function = function, .data = data};
        if (!emscripten_has_threading_support()) {
            if (strcmp(name, "simulation") == 0)
                thread_waiting = data;
            else
                function(data);
            return thread;
        }
        if (pthread_create(&thread->handle, NULL, run, thread) == 0)
            return thread;
    }
    free(thread);
    fail(error, "the system gives no more threads");
    return NULL;
}

void thread_join(Thread *thread)
{
    if (thread == NULL)
        return;
    if (!emscripten_has_threading_support()) {
        if (thread->data == thread_waiting)
            thread_waiting = NULL;
    } else if (atomic_load(&thread->ended)) {
        /* Browsers complain about a page that waits, even for a thread that has ended. */
        pthread_detach(thread->handle);
    } else {
        pthread_join(thread->handle, NULL);
    }
    free(thread);
}

void thread_give_way(int steps)
{
    (void)steps; /* browsers have no priorities */
}
