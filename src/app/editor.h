/* SPDX-License-Identifier: MIT
 *
 * The scene that the panel edits: as it was opened, as it is shown, and the history of changes
 * between. The editor knows nothing of windows or simulations: the session asks it what to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "history.h"
#include "presets.h"

typedef struct Editor {
    Scene given;           /* as it was opened last; resets restore its values */
    Scene played;          /* as the simulation plays it */
    Scene shown;           /* with the changes made since */
    bool changed;          /* whether shown differs from played */
    bool rebuilds;         /* whether playing the change needs a new simulation */
    bool open;             /* whether the change continues: a drag, letters being typed */
    bool back;             /* whether undo or redo led to another scene */
    char from[512];        /* name or path under which `given` was opened */
    Scene played_given;    /* `given` of the scene that is played */
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
