/* SPDX-License-Identifier: MIT
 *
 * A scene that a person edits: as it was loaded, as it is played, and as it was changed, with
 * presets and undo. The editor knows nothing of windows and simulations: whoever plays the scene
 * asks it what to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "scene.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group; /* heading of the panel under which it stands */
    const char *name, *does;
    /* "sun.elevation=4", or "smoke.extinction*0.4" for a factor on the value that the scene was
     * opened with; NULL past the last. */
    const char *values[PRESET_VALUES_MAX];
} Preset;

const Preset *preset_at(int index); /* NULL past the last; presets of a group stand together */

/* Applies a preset to a scene that was opened as `given`. On failure *scene is left as it was. */
bool preset_apply(const Preset *preset, const Scene *given, Scene *scene, BillowError *error);

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

typedef struct Editor {
    Scene given;           /* as it was opened last; resets restore its values */
    Scene played;          /* as the simulation plays it */
    Scene shown;           /* with the changes made since */
    bool changed;          /* whether shown differs from played */
    bool rebuilds;         /* whether playing the change needs a new simulation */
    bool open;             /* whether the change continues: a drag, letters being typed */
    bool back;             /* whether undo or redo led to another scene */
    char from[512];        /* name or path under which `given` was opened */
    Scene played_given;    /* value of `given` when the played scene was opened */
    char played_from[512]; /* `from` of the scene that is played; "" before the first */
    int went; /* steps in the history from what is played to what is shown; negative: back */
    History *history;
} Editor;

bool editor_open(Editor *editor, BillowError *error);
void editor_close(Editor *editor);

/* Tells the editor every frame which scene is played, and how it was opened under which name or
 * path. Changes from elsewhere enter the history and can be undone; so can the switch to another
 * scene, unless the scene before was unchanged. True where changes were lost from what is played.
 */
bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from);
/* Lets the scene played next begin a new history. */
void editor_forget(Editor *editor);

/* Makes one change, "solver.vorticity=8", as scene_set does. done: the change is complete and can
 * be undone as one. On failure nothing changes. */
bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error);
/* Takes a scene that was changed in another way as one change. On failure nothing changes. */
bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error);
/* Completes the change that was open; one that led back to its start leaves no trace. */
void editor_done(Editor *editor);

/* Restores the opened values of a group or a key: "solver", "emitters", "sun.color". */
bool editor_reset_group(Editor *editor, const char *group, BillowError *error);

/* Sets all values of a preset as one change. */
bool editor_preset(Editor *editor, const Preset *preset, BillowError *error);

/* Adds a copy of entry `like` to a list ("emitters"), or a default entry where like is -1. */
bool editor_add_entry(Editor *editor, const char *list, int like, BillowError *error);
/* Removes an entry, with the timeline's tracks of it and of the entries behind it. */
bool editor_remove_entry(Editor *editor, const char *list, int index, BillowError *error);

/* False where there is nothing to undo or redo. */
bool editor_undo(Editor *editor);
bool editor_redo(Editor *editor);

/* Sets the camera to the present view. This is no change to undo, but it is saved, and changes of
 * the camera's keys start from it. */
void editor_view(Editor *editor, const RenderCamera *camera);

/* The scene to play now; NULL where it is played already, or where the change rebuilds the
 * simulation and is still open. */
const Scene *editor_ready(Editor *editor);
/* Tells the editor that the scene is played now. */
void editor_played(Editor *editor, const Scene *played);
/* Tells the editor that the scene was refused: it shows the played scene again. */
void editor_give_up(Editor *editor);

/* Saves the scene, seen by that camera, as "FOLDER/NAME.yaml", or with the first free number
 * "FOLDER/NAME-2.yaml" and so on. path: the file written. */
bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, BillowError *error);

#endif
