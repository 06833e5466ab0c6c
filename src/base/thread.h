/* SPDX-License-Identifier: MIT
 *
 * Threads of the program and of the page. Mutexes and conditions are POSIX's. A page that may not
 * share memory has no threads: there the thread "simulation" runs whenever the page lets it, and
 * every other runs to its end as it is started (thread_web.c). */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <billow/error.h>

#include <pthread.h>

typedef struct Thread Thread;
typedef void ThreadFunction(void *data);

/* Runs function(data) in a thread, which leaves signals of the whole process to the others. The
 * name has at most 15 letters. Returns NULL, with an error unless that is NULL, where there is none
 * to be had. */
Thread *thread_start(ThreadFunction *function, const char *name, void *data, BillowError *error);

/* Waits for the thread to end, and frees it. NULL is fine. */
void thread_join(Thread *thread);

/* Lets other threads go before the one that calls, by so many steps of nice, 1 to 19, where the
 * system can. */
void thread_give_way(int steps);

#endif
