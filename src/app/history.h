/* SPDX-License-Identifier: MIT
 *
 * What a scene was before each change of it, to go back to and forth again. Bounded: the oldest
 * gives way. */
#ifndef APP_HISTORY_H
#define APP_HISTORY_H

#include "scene.h"

typedef struct History History;

typedef struct HistoryState {
    Scene scene;
    Scene opened;   /* as its file, or what is built in, has it, */
    char from[512]; /* and by which name or path it was opened */
} HistoryState;

/* For so many states, two at least. NULL and a message when memory is short. */
History *history_create(int most, BillowError *error);
void history_destroy(History *history); /* NULL is fine */

/* Forgets all but this state. */
void history_begin(History *history, const HistoryState *state);
/* A change has led here: what was undone before it cannot be redone. */
void history_add(History *history, const HistoryState *state);
/* The state that one is in, put right by what is no change of its own, such as the view. */
void history_amend(History *history, const HistoryState *state);
/* The same, and what was undone before it cannot be redone. */
void history_replace(History *history, const HistoryState *state);
/* What was opened by that name or path is another scene now. */
void history_open_again(History *history, const char *from, const Scene *opened);

/* The change that led here cannot be: forgets it, and what came after it. */
void history_drop(History *history);

/* The state that one is in. */
const HistoryState *history_now(const History *history);
/* The state before, and after; NULL where there is none. */
const HistoryState *history_undo(History *history);
const HistoryState *history_redo(History *history);
int history_undos(const History *history); /* so often it can be done */
int history_redos(const History *history);

#endif
