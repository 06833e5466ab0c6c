/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of the window, written on a thread of their own from a copy of the state.
 *
 * Automatic checkpoints go to the user's state folder ($XDG_STATE_HOME/billow, or
 * ~/.local/state/billow). While the window runs, they replace autosave-PROCESS.ckpt, by default
 * every minute; PROCESS is the process id. When the window closes, the last one is written to
 * last.ckpt. If the program was killed, its next start finds the file of the dead process, renames
 * it to broken-off.ckpt and shows how to continue from it. A key saves a checkpoint in the folder
 * of the screenshots. */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

struct Session;
struct SimThread;

typedef struct AutosaveJob AutosaveJob;

typedef struct Autosave {
    char own[512], last[512];      /* paths of autosave-PROCESS.ckpt and last.ckpt; empty: write no
                                      automatic checkpoints */
    double due;                    /* time of the next automatic checkpoint, s */
    uint64_t steps;                /* number of steps and resets at the last checkpoint */
    bool by_key;                   /* a key has asked for a checkpoint */
    const struct SimThread *asked; /* thread that must send a state; NULL: none */
    double asked_at;               /* time of the request to `asked`, s */
    bool asked_by_key;             /* the request to `asked` comes from a key */
    bool by_signal;                /* a signal asks for a checkpoint, until it is written */
    AutosaveJob *job;              /* job that writes a checkpoint now; NULL: none */
    char broken_off[512]; /* path of a killed program's checkpoint, until a message has shown it;
                             empty: none */
    char as[512];         /* path that the user chose for it; empty: one is made up */
    char saved[512];      /* path of the last checkpoint saved by a key; empty: none */
    BillowError failure;  /* error of the last automatic checkpoint; the same error is not shown
                             twice in a row */
} Autosave;

/* Looks for the checkpoint of a program that was killed. Does nothing if automatic checkpoints are
 * off. Call it after the world has been opened. */
void autosave_open(struct Session *session);
/* Call this once a frame. Requests states, and starts and finishes jobs. */
void autosave_frame(struct Session *session);
/* Whether autosave_close will write the present state to `last`. */
bool autosave_keeps(const struct Session *session);
/* Writes the last checkpoint. Call it before the world is closed. */
void autosave_close(struct Session *session);

/* Saves a checkpoint as a key does, in this file, which it replaces if it is there. */
void autosave_save_as(struct Session *session, const char *path);

/* The functions of two keys: action_checkpoint saves a checkpoint, and action_restore goes back to
 * the last one that was saved by a key. */
void action_checkpoint(struct Session *session);
void action_restore(struct Session *session);

#endif
