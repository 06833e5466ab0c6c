/* SPDX-License-Identifier: MIT
 *
 * Threads from OpenMP, or one thread without it.
 *
 * OpenMP's own runtimes end the process if they cannot start a thread, crash where OMP_STACKSIZE is
 * too small for the code that they run, and wait for ever in a child that fork made, which has none
 * of their threads. A region therefore asks for no more threads than OpenMP can surely give. */
#if defined(__linux__)
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include "sim/fields/region.h"

#include "base/clock.h"
#include "base/float_mode.h"
#include "base/process_limits.h"

#include <billow/billow.h>

#include <stdbool.h>
#include <stdlib.h>
#if defined(__unix__) || defined(__APPLE__)
#define POSIX 1
#include <sched.h>
#endif

#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(_OPENMP) && defined(POSIX)
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* Number of the process's threads; INT_MAX where the system does not tell. */
static int threads_of_process(void)
{
    struct stat folder;
    bool told = stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 2;
    return told ? (int)folder.st_nlink - 2 : INT_MAX;
}

static atomic_bool forks_threads; /* whether the process that forks has several threads */
static atomic_bool forked_alone;  /* whether OpenMP may believe in threads that fork left behind */

static void before_fork(void)
{
    atomic_store(&forks_threads, threads_of_process() != 1);
}

static void after_fork(void)
{
    if (atomic_load(&forks_threads))
        atomic_store(&forked_alone, true);
}

/* Whether fork made this process and it has run no other program since, as the kernel tells. Where
 * the kernel does not tell, it did not. */
static bool is_forked(void)
{
    const unsigned long forked = 0x40; /* PF_FORKNOEXEC */
    char text[512];
    if (!process_limits_line("/proc/self/stat", "", text, sizeof text))
        return false;
    const char *at = strrchr(text, ')'); /* end of field 2, a name that may contain blanks */
    for (int field = 3; at != NULL && field <= 9; field++)
        at = strchr(at + 1, ' ');
    return at != NULL && (strtoul(at, NULL, 10) & forked) != 0;
}

/* Size of a stack as OpenMP's variables give it: a number and B, K (the default), M or G. Returns 0
 * if there is none. */
static size_t named_stack(const char *variable)
{
    const char *text = getenv(variable);
    char *unit = NULL;
    unsigned long long size = text != NULL ? strtoull(text, &unit, 10) : 0;
    if (unit == text || size == 0)
        return 0;
    while (*unit == ' ' || *unit == '\t')
        unit++;
    int shift = 10;
    switch (*unit) {
    case 'b':
    case 'B':
        shift = 0;
        break;
    case 'm':
    case 'M':
        shift = 20;
        break;
    case 'g':
    case 'G':
        shift = 30;
        break;
    }
    return size > SIZE_MAX >> shift ? SIZE_MAX : (size_t)size << shift;
}

/* Bytes; 0: none, or the host has changed it before the library came. */
static size_t least_named_stack;

/* A fork before the library was loaded may have left threads behind. OpenMP reads its variables
 * only when it is loaded. */
__attribute__((constructor)) static void look_at_process(void)
{
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE", "KMP_STACKSIZE"};
    for (size_t v = 0; v < sizeof variables / sizeof variables[0]; v++) {
        size_t named = named_stack(variables[v]);
        if (named > 0 && (least_named_stack == 0 || named < least_named_stack))
            least_named_stack = named;
    }
    atomic_store(&forked_alone, is_forked());
    pthread_atfork(before_fork, NULL, after_fork);
}

/* Threads that exist at the same time, each started by the one before. */
typedef struct Trial {
    pthread_attr_t attributes;
    int wanted, started;
} Trial;

static void *start_next(void *data)
{
    Trial *trial = data;
    pthread_t next;
    if (trial->started == trial->wanted)
        return NULL;
    trial->started++; /* the next thread reads it */
    if (pthread_create(&next, &trial->attributes, start_next, trial) == 0)
        pthread_join(next, NULL);
    else
        trial->started--;
    return NULL;
}

/* A thread that was joined still counts against the limits of the system for a moment. The process
 * may have started others meanwhile. */
static void wait_for_ends(int threads)
{
    const double most = 2e-3; /* s */
    double start = clock_seconds();
    while (threads_of_process() > threads && clock_seconds() - start < most)
        sched_yield();
}

/* Number of threads, at most `wanted`, that the system lets OpenMP start now. */
static int threads_to_start(int wanted)
{
    Trial trial = {.wanted = wanted};
    if (pthread_attr_init(&trial.attributes) != 0)
        return 0;
    size_t stack = least_named_stack; /* of the threads that OpenMP starts, bytes */
    if (stack == 0 && pthread_attr_getstacksize(&trial.attributes, &stack) != 0)
        stack = 0;
    if (stack >= BILLOW_STACK && pthread_attr_setstacksize(&trial.attributes, stack) == 0) {
        int before = threads_of_process();
        start_next(&trial);
        wait_for_ends(before);
    }
    pthread_attr_destroy(&trial.attributes);
    return trial.started;
}

/* Whether the calling thread has too little stack left. What the host program keeps per thread lies
 * on the stacks of its threads. */
static bool stack_is_small(void)
{
    bool small = false;
#ifdef __linux__
    const size_t least = BILLOW_STACK / 4 * 3; /* the rest: guard page and data of the thread */
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *lowest = NULL;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
        small = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)lowest < least;
    }
#endif
    return small;
}

/* Lets OpenMP start its threads. Returns false if one has too little stack. This region runs on
 * stacks of 16 KiB. */
static bool start_workers(int threads)
{
    atomic_bool small = false;
    int before = threads_of_process();
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() > 0 && stack_is_small())
        atomic_store(&small, true);
    if (omp_get_active_level() > 0) /* OpenMP keeps none of them */
        wait_for_ends(before);
    return !atomic_load(&small);
}

/* Threads that a region of `threads` can have. OpenMP keeps those that it started for the regions
 * of the calling thread, as long as all have the same size; in a region of the host it keeps none.
 * If there were too few, they are tried again later. */
static int region_size(int threads)
{
    enum { REGIONS_TO_RETRY = 1000 };
    static _Thread_local struct {
        int asked, given, regions;
    } last;
    if (atomic_load(&forked_alone) || omp_get_active_level() >= omp_get_max_active_levels())
        return 1;
    bool kept = threads == last.asked && omp_get_active_level() == 0 &&
                (last.given == threads || ++last.regions < REGIONS_TO_RETRY);
    if (!kept) {
        last.asked = threads;
        last.given = 1 + threads_to_start(threads - 1);
        if (last.given > 1 && !start_workers(last.given))
            last.given = 1;
        last.regions = 0;
    }
    return last.given;
}
#else
static int region_size(int threads)
{
    return threads;
}
#endif

void region_run(int threads, RegionBody *body, void *context)
{
    int count = region_size(threads);
#ifdef _OPENMP
    if (count > 1) {
#pragma omp parallel num_threads(count)
        {
            FLOAT_MODE_OWN;
            body(context, omp_get_thread_num(), omp_get_num_threads());
        }
        return;
    }
#endif
    (void)count;
    body(context, 0, 1);
}

void region_wait(atomic_int *word, int value)
{
    (void)word;
    (void)value;
#ifdef POSIX
    sched_yield();
#endif
}

void region_wake(atomic_int *word)
{
    (void)word; /* waiting threads look at it whenever they run */
}

int region_threads(void)
{
#ifdef _OPENMP
    /* OpenMP knows on which processors the process may run, but no quota of their time. A number
     * that the user or the host program has chosen stands. */
    int offered = omp_get_max_threads();
    bool chosen = getenv("OMP_NUM_THREADS") != NULL || offered != omp_get_num_procs();
    int threads = chosen ? offered : process_limits_threads(offered, process_limits_read("").cores);
    return threads < REGION_THREADS_MAX ? threads : REGION_THREADS_MAX;
#else
    return 1;
#endif
}

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

const char *region_name(void)
{
#ifdef _OPENMP
    return "OpenMP " TEXT(_OPENMP);
#else
    return "off";
#endif
}
