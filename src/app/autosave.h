/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of the window, written on a thread of their own from a copy of the state.
 *
 * Automatic checkpoints go to the user's state folder ($XDG_STATE_HOME/billow, or
 * ~/.local/state/billow): autosave-PROCESS.ckpt every minute, and last.ckpt when the window closes.
 * If the program was killed, its next start finds the file of the dead process, renames it to
 * broken-off.ckpt and shows how to continue from it. A key saves a checkpoint in the folder of the
 * screenshots. */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

struct Session;
struct SimThread;

typedef struct AutosaveJob AutosaveJob;

typedef struct Autosave {
    char own[512], last[512];      /* paths of the two files; empty: no automatic checkpoints */
    double due;                    /* time of the next automatic checkpoint, s */
    uint64_t steps;                /* steps and resets of the world at the last checkpoint */
    bool by_key;                   /* a key has asked for a checkpoint */
    const struct SimThread *asked; /* thread that has to send its state; NULL: none */
    double asked_at;               /* time of that request, s */
    bool asked_by_key;             /* the request comes from a key */
    AutosaveJob *job;              /* checkpoint being written; NULL: none */
    char broken_off[512];          /* file found at the start, for a message; empty: none */
    char saved[512];               /* last checkpoint saved by a key; empty: none */
    BillowError failure;           /* error of the last automatic checkpoint, shown once */
} Autosave;

/* Looks for the checkpoint of a program that was killed. Does nothing where automatic checkpoints
 * are off. The world has to be open. */
void autosave_open(struct Session *session);
/* Once a frame: starts and finishes checkpoints. */
void autosave_frame(struct Session *session);
/* Writes the last checkpoint, before the world is closed. */
void autosave_close(struct Session *session);

/* For keys: saves a checkpoint; goes back to the last one saved by a key. */
void action_checkpoint(struct Session *session, int argument);
void action_restore(struct Session *session, int argument);

#endif
