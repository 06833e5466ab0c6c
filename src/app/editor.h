/* SPDX-License-Identifier: MIT
 *
 * A scene that the user edits, in three versions: as loaded, as played and as shown, with presets
 * and undo. The editor does not depend on the window or the simulation: the caller asks it which
 * scene to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "scene.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group; /* heading of the panel under which the preset is listed */
    const char *name, *does;
    /* "sun.elevation=4", or "smoke.extinction*0.4" for a factor on the opened scene's value; NULL
     * after the last */
    const char *values[PRESET_VALUES_MAX];
} Preset;

const Preset *preset_at(int index); /* NULL after the last; presets of a group are adjacent */

typedef struct History History;

int history_undos(const History *history); /* number of states before the current one */
int history_redos(const History *history); /* number of undone states after it */

typedef struct Editor {
    Scene given;           /* the scene as last opened, whose values are restored by resets */
    Scene played;          /* the scene that the simulation plays */
    Scene shown;           /* the played scene with all later changes */
    bool changed;          /* whether shown differs from played */
    bool rebuilds;         /* whether playing the change requires a new simulation */
    bool open;             /* whether the change is still going on, such as a drag or typing */
    bool back;             /* whether undo or redo switched to another scene */
    char from[512];        /* name or path by which `given` was opened */
    Scene played_given;    /* `given` at the time when the played scene was opened */
    char played_from[512]; /* `from` of the played scene; "" before the first */
    int went; /* steps in the history from the played to the shown scene; negative: back */
    History *history;
} Editor;

bool editor_open(Editor *editor, BillowError *error);
void editor_close(Editor *editor);

/* Tells the editor, once per frame, which scene is played, how it was opened, and by which name or
 * path. Changes from elsewhere are added to the history and can be undone. So can a switch to
 * another scene, unless the previous scene was unchanged. Returns true if changes were lost. */
bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from);
/* Starts a new history with the next played scene. */
void editor_forget(Editor *editor);

/* Makes one change, such as "solver.vorticity=8", as scene_set does. done: the change is complete
 * and becomes one step of undo. On failure nothing changes. */
bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error);
/* Makes one change from a scene that was changed otherwise. On failure nothing changes. */
bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error);
/* Completes the open change. A change that led back to its start is not added to the history. */
void editor_done(Editor *editor);

/* Restores the opened values of a group or a key, such as "solver", "emitters", "sun.color". */
bool editor_reset_group(Editor *editor, const char *group, BillowError *error);

/* Sets all values of a preset as one change. */
bool editor_preset(Editor *editor, const Preset *preset, BillowError *error);

/* Adds an entry to a list such as "emitters": a copy of entry `like`, or a default entry if like is
 * -1. */
bool editor_add_entry(Editor *editor, const char *list, int like, BillowError *error);
/* Removes an entry, together with the tracks of it and of later entries. */
bool editor_remove_entry(Editor *editor, const char *list, int index, BillowError *error);

/* Returns false if there is nothing to undo or redo. */
bool editor_undo(Editor *editor);
bool editor_redo(Editor *editor);

/* Sets the camera to the current view. This is not a step of undo, but it is saved, and later
 * changes of camera keys start from it. */
void editor_view(Editor *editor, const RenderCamera *camera);

/* The scene to play now. NULL if it is already played, or if the change needs a new simulation and
 * is still going on. */
const Scene *editor_ready(Editor *editor);
/* Tells the editor that the scene is now played. */
void editor_played(Editor *editor, const Scene *played);
/* Tells the editor that the scene was refused. It shows the played scene again. */
void editor_give_up(Editor *editor);

/* Saves the scene with the given camera as "FOLDER/NAME.yaml", or "FOLDER/NAME-2.yaml" and so on if
 * that exists. path: receives the file's name. */
bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, BillowError *error);

#endif
