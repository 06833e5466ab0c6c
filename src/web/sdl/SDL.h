/* SPDX-License-Identifier: MIT
 *
 * The part of SDL2 that the simulation's thread uses, on top of POSIX threads, which Emscripten
 * has. In a page without threads the simulation's function is not run: the page calls sim_turn
 * instead (page_run_here), and nothing ever waits. */
#ifndef SDL_H
#define SDL_H

#include <pthread.h>
#include <stdint.h>

typedef uint32_t Uint32;
typedef pthread_mutex_t SDL_mutex;
typedef pthread_cond_t SDL_cond;
typedef struct SDL_Thread SDL_Thread;
typedef int SDL_ThreadFunction(void *data);

enum { SDL_THREAD_PRIORITY_LOW };

SDL_mutex *SDL_CreateMutex(void);
void SDL_DestroyMutex(SDL_mutex *mutex);
int SDL_LockMutex(SDL_mutex *mutex);
int SDL_UnlockMutex(SDL_mutex *mutex);
SDL_cond *SDL_CreateCond(void);
void SDL_DestroyCond(SDL_cond *cond);
int SDL_CondBroadcast(SDL_cond *cond);
int SDL_CondWait(SDL_cond *cond, SDL_mutex *mutex);
int SDL_CondWaitTimeout(SDL_cond *cond, SDL_mutex *mutex, Uint32 ms);
SDL_Thread *SDL_CreateThread(SDL_ThreadFunction *function, const char *name, void *data);
void SDL_WaitThread(SDL_Thread *thread, int *status);
int SDL_SetThreadPriority(int priority);
void SDL_Delay(Uint32 ms);
const char *SDL_GetError(void);

#endif
