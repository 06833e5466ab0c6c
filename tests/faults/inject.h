/* SPDX-License-Identifier: MIT
 *
 * Failures on demand. The program is linked once more, with the linker's --wrap sending its own
 * calls of what can fail through the functions of inject*.c, which count them by class and let one
 * fail:
 *
 *   BILLOW_FAULTS=FILE        counts, and where the fault struck, in this file (a FaultRecord)
 *   BILLOW_FAULT=class:n      the n-th call of the class fails; class:n+ that and all that follow
 *   BILLOW_FAULT_KEYS=f:k,... the window is given key k (an SDL_Keycode) at its f-th look for
 * events
 *
 * Only calls written in Billow's own files are counted (and none of Dear ImGui's, which knows no
 * way to go on without memory), so every count is a place in Billow that has to have an answer. */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum FaultClass {
    FAULT_MEMORY,  /* malloc and its kin give NULL */
    FAULT_OPEN,    /* files and folders cannot be opened, made or looked at */
    FAULT_READ,    /* from this read on its file reads as a broken disk */
    FAULT_WRITE,   /* from this write on its file's disk is full */
    FAULT_CLOSE,   /* flushing, syncing, closing and renaming tell of an error */
    FAULT_REMOVE,  /* files cannot be removed */
    FAULT_CHILD,   /* pipes, other programs, waiting for them, feeding them */
    FAULT_THREAD,  /* threads */
    FAULT_LIBRARY, /* objects and calls of other libraries */
    FAULT_GL,      /* OpenGL is out of memory, or will not have it */
    FAULT_MODULE,  /* C++ memory of the OpenVDB module: std::bad_alloc */
    FAULT_CLOCK,   /* no failure: this look finds the clock an hour on (odd n) or back (even) */
    FAULT_CLASSES
} FaultClass;

static const char *const fault_class_names[FAULT_CLASSES] = {
    "memory", "open",   "read",    "write", "close",  "remove",
    "child",  "thread", "library", "gl",    "module", "clock"};

enum { FAULT_SITES_MAX = 1 << 16 };

/* The content of the file BILLOW_FAULTS. */
typedef struct FaultRecord {
    uint64_t calls[FAULT_CLASSES];
    uint64_t struck;     /* how often the fault struck */
    uint64_t address;    /* of the call that it struck last, from the program's start */
    char name[48];       /* of what was called */
    int32_t descriptors; /* open when the program ended; -1: it did not come to its end */
    /* The address of each call, relative to the start of the program. */
    uint32_t sites[FAULT_CLASSES][FAULT_SITES_MAX];
} FaultRecord;

/* Counts a call; true where it is to fail. */
bool fault_strikes(FaultClass kind, const char *name, const void *caller);

#define FAULT_CALLER __builtin_return_address(0)

/* A wrapped function. It is counted; if the fault strikes, the statements run instead of it. It
 * is weak, because a build may lack its library. */
#define FAULTY(class, type, name, parameters, arguments, ...)                                      \
    __attribute__((weak)) type __real_##name parameters;                                           \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (fault_strikes(class, #name, FAULT_CALLER))                                             \
            do {                                                                                   \
                __VA_ARGS__;                                                                       \
            } while (true);                                                                        \
        return __real_##name arguments;                                                            \
    }

#endif
