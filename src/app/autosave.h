/* SPDX-License-Identifier: MIT
 *
 * The window's checkpoints: one a minute and one at the end, in the person's state folder
 * ($XDG_STATE_HOME/billow, or ~/.local/state/billow), and those that are asked for by a key, where
 * screenshots go. They are written on a thread of their own, from a copy of the state.
 *
 * While a window plays its own is autosave-PROCESS.ckpt; when it is left, last.ckpt. One whose
 * process is gone was broken off: the next window calls it broken-off.ckpt and says how to go on.
 */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

struct Session;
struct SimThread;

typedef struct AutosaveJob AutosaveJob;

typedef struct Autosave {
    char own[512], last[512];      /* paths; empty: nothing is saved by itself */
    double due;                    /* s; when it next is */
    uint64_t steps;                /* of the world, when it last was */
    bool by_hand;                  /* a key has asked for one */
    const struct SimThread *asked; /* for a copy of its state; NULL: nobody is */
    double asked_at;               /* s */
    bool asked_by_hand;
    AutosaveJob *job;     /* being written */
    char broken_off[512]; /* found at the start, and not said yet */
    char kept[512];       /* the last that a key asked for */
    BillowError failure;  /* of the last that was written by itself, said once */
} Autosave;

/* Looks for one that was broken off; the world is there. Does nothing where the options have none.
 */
void autosave_open(struct Session *session);
/* Once a frame. */
void autosave_frame(struct Session *session);
/* Before the world is closed: the last one. */
void autosave_close(struct Session *session);

/* For keys: keeps the state as it is now in a file; goes back to the one kept last. */
void action_keep(struct Session *session, int argument);
void action_take_up(struct Session *session, int argument);

#endif
