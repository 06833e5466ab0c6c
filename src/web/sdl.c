/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include <SDL.h>

#include <emscripten/threading.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct SDL_Thread {
    pthread_t handle;
    SDL_ThreadFunction *function;
    void *data;
    atomic_bool ended;
};

SDL_mutex *SDL_CreateMutex(void)
{
    SDL_mutex *mutex = malloc(sizeof *mutex);
    if (mutex != NULL)
        pthread_mutex_init(mutex, NULL);
    return mutex;
}

void SDL_DestroyMutex(SDL_mutex *mutex)
{
    if (mutex != NULL)
        pthread_mutex_destroy(mutex);
    free(mutex);
}

int SDL_LockMutex(SDL_mutex *mutex)
{
    return pthread_mutex_lock(mutex);
}

int SDL_UnlockMutex(SDL_mutex *mutex)
{
    return pthread_mutex_unlock(mutex);
}

SDL_cond *SDL_CreateCond(void)
{
    SDL_cond *cond = malloc(sizeof *cond);
    if (cond != NULL)
        pthread_cond_init(cond, NULL);
    return cond;
}

void SDL_DestroyCond(SDL_cond *cond)
{
    if (cond != NULL)
        pthread_cond_destroy(cond);
    free(cond);
}

int SDL_CondBroadcast(SDL_cond *cond)
{
    return pthread_cond_broadcast(cond);
}

int SDL_CondWait(SDL_cond *cond, SDL_mutex *mutex)
{
    return pthread_cond_wait(cond, mutex);
}

int SDL_CondWaitTimeout(SDL_cond *cond, SDL_mutex *mutex, Uint32 ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return pthread_cond_timedwait(cond, mutex, &until);
}

/* In a page without threads: the data of the simulation's thread, which the page runs. NULL: there
 * is none. */
void *sdl_waiting;

static void *start(void *data)
{
    SDL_Thread *thread = data;
    thread->function(thread->data);
    atomic_store(&thread->ended, true);
    return NULL;
}

/* In a page without threads the simulation's thread waits for the page. All others run to their end
 * at once. */
SDL_Thread *SDL_CreateThread(SDL_ThreadFunction *function, const char *name, void *data)
{
    SDL_Thread *thread = malloc(sizeof *thread);
    if (thread == NULL)
        return NULL;
    *thread = (SDL_Thread){.function = function, .data = data};
    if (emscripten_has_threading_support()) {
        if (pthread_create(&thread->handle, NULL, start, thread) == 0)
            return thread;
        free(thread);
        return NULL;
    }
    if (strcmp(name, "simulation") == 0)
        sdl_waiting = data;
    else
        function(data);
    return thread;
}

void SDL_WaitThread(SDL_Thread *thread, int *status)
{
    (void)status;
    if (thread == NULL)
        return;
    if (!emscripten_has_threading_support()) {
        if (thread->data == sdl_waiting)
            sdl_waiting = NULL;
    } else if (atomic_load(&thread->ended)) {
        /* Browsers complain about a page that waits, even for a thread that has ended. */
        pthread_detach(thread->handle);
    } else {
        pthread_join(thread->handle, NULL);
    }
    free(thread);
}

int SDL_SetThreadPriority(int priority)
{
    (void)priority;
    return 0;
}

void SDL_Delay(Uint32 ms)
{
    const struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

const char *SDL_GetError(void)
{
    return "the browser gives no more threads";
}
