/* SPDX-License-Identifier: MIT */
#include "history.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

/* A ring: the oldest state has the index `first`, the present one is `at` states after it. */
struct History {
    int most, first, count, at;
    HistoryState states[];
};

static HistoryState *state_at(History *history, int index)
{
    return &history->states[(history->first + index) % history->most];
}

History *history_create(int most, BillowError *error)
{
    History *history = calloc(1, sizeof *history + (size_t)most * sizeof(HistoryState));
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

void history_begin(History *history, const HistoryState *state)
{
    history->first = history->at = 0;
    history->count = 1;
    history->states[0] = *state;
}

void history_add(History *history, const HistoryState *state)
{
    history->count = history->at + 1;
    if (history->count == history->most) {
        history->first = (history->first + 1) % history->most;
        history->count--;
    }
    history->at = history->count++;
    *state_at(history, history->at) = *state;
}

void history_amend(History *history, const HistoryState *state)
{
    if (history->count > 0)
        *state_at(history, history->at) = *state;
}

void history_replace(History *history, const HistoryState *state)
{
    history_amend(history, state);
    history->count = history->at + 1;
}

void history_open_again(History *history, const char *from, const Scene *opened)
{
    for (int s = 0; s < history->count; s++)
        if (strcmp(state_at(history, s)->from, from) == 0)
            state_at(history, s)->opened = *opened;
}

void history_drop(History *history)
{
    history->at -= history->at > 0;
    history->count = history->at + 1;
}

const HistoryState *history_now(const History *history)
{
    return &history->states[(history->first + history->at) % history->most];
}

const HistoryState *history_undo(History *history)
{
    return history_undos(history) > 0 ? state_at(history, --history->at) : NULL;
}

const HistoryState *history_redo(History *history)
{
    return history_redos(history) > 0 ? state_at(history, ++history->at) : NULL;
}

int history_undos(const History *history)
{
    return history->at;
}

int history_redos(const History *history)
{
    return history->count > 0 ? history->count - 1 - history->at : 0;
}
