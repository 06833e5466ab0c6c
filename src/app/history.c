/* SPDX-License-Identifier: MIT */
#include "history.h"

#include "fail.h"

#include <stdlib.h>

/* A ring: the oldest state is at `first`, the one that one is in `at` behind it. */
struct History {
    int most, first, count, at;
    Scene states[];
};

static Scene *state(History *history, int index)
{
    return &history->states[(history->first + index) % history->most];
}

History *history_create(int most, BillowError *error)
{
    History *history = calloc(1, sizeof *history + (size_t)most * sizeof(Scene));
    if (history == NULL) {
        fail(error, "memory is too short to keep %d changes", most);
        return NULL;
    }
    history->most = most;
    return history;
}

void history_destroy(History *history)
{
    free(history);
}

void history_begin(History *history, const Scene *scene)
{
    history->first = history->at = 0;
    history->count = 1;
    history->states[0] = *scene;
}

void history_add(History *history, const Scene *scene)
{
    history->count = history->at + 1;
    if (history->count == history->most) {
        history->first = (history->first + 1) % history->most;
        history->count--;
    }
    history->at = history->count++;
    *state(history, history->at) = *scene;
}

void history_amend(History *history, const Scene *scene)
{
    if (history->count > 0)
        *state(history, history->at) = *scene;
}

void history_drop(History *history)
{
    history->at -= history->at > 0;
    history->count = history->at + 1;
}

const Scene *history_now(const History *history)
{
    return &history->states[(history->first + history->at) % history->most];
}

const Scene *history_undo(History *history)
{
    return history_undos(history) > 0 ? state(history, --history->at) : NULL;
}

const Scene *history_redo(History *history)
{
    return history_redos(history) > 0 ? state(history, ++history->at) : NULL;
}

int history_undos(const History *history)
{
    return history->at;
}

int history_redos(const History *history)
{
    return history->count > 0 ? history->count - 1 - history->at : 0;
}
