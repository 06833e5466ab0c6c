/* SPDX-License-Identifier: MIT
 *
 * Undo and redo: the scene after each change. When the history is full, the oldest state goes. */
#ifndef APP_HISTORY_H
#define APP_HISTORY_H

#include "scene.h"

typedef struct History History;

typedef struct HistoryState {
    Scene scene;
    Scene opened;   /* the scene as it was opened, before any change */
    char from[512]; /* name or path that it was opened by */
} HistoryState;

/* A history of at most so many states, two at least. NULL and a message when memory is short. */
History *history_create(int most, BillowError *error);
void history_destroy(History *history); /* NULL is fine */

/* Forgets all but this state. */
void history_begin(History *history, const HistoryState *state);
/* Adds the state after a change. What was undone before it cannot be redone any more. */
void history_add(History *history, const HistoryState *state);
/* Changes the present state without a step of its own, such as by the view. */
void history_amend(History *history, const HistoryState *state);
/* Changes the present state likewise; what was undone before it cannot be redone any more. */
void history_replace(History *history, const HistoryState *state);
/* The file of that name or path was loaded again: updates `opened` in all states. */
void history_open_again(History *history, const char *from, const Scene *opened);

/* Forgets the change that led to the present state, which was refused, and all changes after it. */
void history_drop(History *history);

/* The present state. */
const HistoryState *history_now(const History *history);
/* Goes to the state before, or after; NULL: there is none. */
const HistoryState *history_undo(History *history);
const HistoryState *history_redo(History *history);
int history_undos(const History *history); /* number of states to go back to */
int history_redos(const History *history);

#endif
