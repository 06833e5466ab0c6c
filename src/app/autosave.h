/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of the window, written on a thread of their own from a copy of the state.
 *
 * Every minute, and at the end, one is written to the person's state folder
 * ($XDG_STATE_HOME/billow, or ~/.local/state/billow). While the window runs it is called
 * autosave-PROCESS.ckpt; when the window is closed, last.ckpt. If the window ends without closing,
 * the next one finds the file of a process that is gone, renames it to broken-off.ckpt and says how
 * to go on from it. Checkpoints that a key asks for go where screenshots go. */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

struct Session;
struct SimThread;

typedef struct AutosaveJob AutosaveJob;

typedef struct Autosave {
    char own[512], last[512];      /* paths; empty: nothing is saved automatically */
    double due;                    /* time of the next automatic checkpoint, s */
    uint64_t steps;                /* of the world at the last checkpoint */
    bool by_hand;                  /* a key has asked for a checkpoint */
    const struct SimThread *asked; /* thread that was asked for its state; NULL: none */
    double asked_at;               /* s */
    bool asked_by_hand;            /* for a key */
    AutosaveJob *job;              /* checkpoint being written; NULL: none */
    char broken_off[512];          /* checkpoint found at the start, to be told of; or empty */
    char kept[512];                /* last checkpoint that a key asked for */
    BillowError failure;           /* of the last automatic checkpoint; it is told once */
} Autosave;

/* Looks for a checkpoint of a session that was broken off. The world has to be open. Does nothing
 * where automatic checkpoints are off. */
void autosave_open(struct Session *session);
/* Once a frame. */
void autosave_frame(struct Session *session);
/* Writes the last checkpoint, before the world is closed. */
void autosave_close(struct Session *session);

/* For keys: writes a checkpoint; goes back to the last one that a key asked for. */
void action_keep(struct Session *session, int argument);
void action_take_up(struct Session *session, int argument);

#endif
