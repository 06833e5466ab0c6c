/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* names of threads */
#include "base/thread.h"

#include "base/fail.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

struct Thread {
    pthread_t handle;
    ThreadFunction *function;
    void *data;
};

static void *run(void *data)
{
    Thread *thread = data;
    thread->function(thread->data);
    return NULL;
}

/* Signals that programs of their own, such as an encoder, may send to the process or to its group.
 * A write to a closed pipe fails, instead of ending the process. */
static void block_signals(sigset_t *before)
{
    static const int blocked[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGPIPE,   SIGALRM,
                                  SIGTERM, SIGCHLD, SIGWINCH, SIGVTALRM, SIGPROF};
    sigset_t set;
    sigemptyset(&set);
    for (size_t s = 0; s < sizeof blocked / sizeof *blocked; s++)
        sigaddset(&set, blocked[s]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

Thread *thread_start(ThreadFunction *function, const char *name, void *data, BillowError *error)
{
    Thread *thread = malloc(sizeof *thread);
    int status = -1;
    if (thread != NULL) {
        sigset_t before;
        *thread = (Thread){.function = function, .data = data};
        block_signals(&before);
        status = pthread_create(&thread->handle, NULL, run, thread);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (status == 0) {
#ifdef __linux__
        pthread_setname_np(thread->handle, name);
#else
        (void)name;
#endif
        return thread;
    }
    fail(error, "the system gives no more threads");
    free(thread);
    return NULL;
}

void thread_join(Thread *thread)
{
    if (thread == NULL)
        return;
    pthread_join(thread->handle, NULL);
    free(thread);
}

void thread_give_way(int steps)
{
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0, steps); /* 0: on Linux the calling thread, not the process */
#else
    (void)steps;
#endif
}
