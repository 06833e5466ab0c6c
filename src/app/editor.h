/* SPDX-License-Identifier: MIT
 *
 * A scene that the user edits, with presets and undo. It exists in three versions: as it was
 * opened, as the simulation plays it, and as the panel shows it. The editor does not depend on the
 * window or the simulation. The caller asks it which scene to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "scene/scene_keys.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group; /* heading in the panel under which the preset is listed */
    const char *name, *does;
    /* Assignments such as "sun.elevation=4", or products such as "smoke.extinction*0.4". A product
     * multiplies the value of the opened scene. NULL after the last. */
    const char *values[PRESET_VALUES_MAX];
} Preset;

/* Returns a preset; NULL after the last. Presets of the same group are adjacent. */
const Preset *preset_at(int index);

typedef struct History History;

int history_undos(const History *history); /* number of states before the current one */
int history_redos(const History *history); /* number of undone states after the current one */

typedef struct Editor {
    Scene given;   /* the scene as it was last opened; resets restore its values */
    Scene played;  /* the scene that the simulation plays */
    Scene shown;   /* the played scene with all changes since */
    bool changed;  /* `shown` differs from `played`, or comes from another source */
    bool rebuilds; /* playing `shown` requires a new simulation */
    bool open; /* the change is not complete, for example during a drag or while the user types */
    bool back; /* undo or redo switched to another scene than the played one */
    char from[512];        /* name or path by which `given` was opened */
    Scene played_given;    /* `given` at the time when the played scene was opened */
    char played_from[512]; /* `from` of the played scene; empty text: none was played yet */
    int went; /* number of steps of redo from `played` to `shown`; negative: steps of undo */
    History *history;
} Editor;

bool editor_open(Editor *editor, BillowError *error);
void editor_close(Editor *editor);

/* Tells the editor which scene is played. Call it once per frame. opened: that scene as it was
 * opened. from: name or path by which it was opened. A change made elsewhere is added to the
 * history and can be undone. A switch to another scene can be undone as well, unless the scene
 * before it was unchanged. Returns true if the shown scene had changes that are not in `played`. */
bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from);
/* Lets the next editor_follow start a new history. */
void editor_forget(Editor *editor);

/* Applies one assignment, such as "solver.vorticity=8", like scene_set. done: the change is
 * complete and becomes one step of undo. On failure nothing changes. */
bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error);
/* Makes `changed` the shown scene, as one change; for changes that are no single assignment. done:
 * as in editor_set. On failure nothing changes. */
bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error);
/* Completes the open change. If the values are the same as at its start, nothing is added to the
 * history. */
void editor_done(Editor *editor);

/* Restores the opened values of a group of keys, or of one key. group: such as "solver", "emitters"
 * or "sun.color". */
bool editor_reset_group(Editor *editor, const char *group, BillowError *error);

/* Applies all values of a preset as one change. */
bool editor_preset(Editor *editor, const Preset *preset, BillowError *error);

/* Whether a list of the shown scene has room for one more entry. */
bool editor_may_add(const Editor *editor, const SceneList *list, BillowError *error);
/* Adds an entry at the end of a list. Its form and its name may be NULL: none. */
bool editor_add_entry(Editor *editor, const SceneList *list, const SceneEntry *entry,
                      BillowError *error);
/* Removes an entry of a list. Also removes the timeline's tracks of this entry and of all later
 * ones. */
bool editor_remove_entry(Editor *editor, const char *list, int index, BillowError *error);

/* editor_undo and editor_redo return false if there is nothing to undo or redo. */
bool editor_undo(Editor *editor);
bool editor_redo(Editor *editor);

/* Sets the camera of the shown scene to the user's view. The view is saved with the scene, but is
 * no step of undo. Later changes of camera keys start from it. */
void editor_view(Editor *editor, const RenderCamera *camera);

/* Returns the scene to play now. Returns NULL if it is already played. Also returns NULL if the
 * change requires a new simulation and is not complete. */
const Scene *editor_ready(Editor *editor);
/* Tells the editor that the simulation now plays `played`. */
void editor_played(Editor *editor, const Scene *played);
/* Tells the editor that the scene of editor_ready was refused. The played scene becomes the shown
 * one, and the refused change is removed from the history. */
void editor_give_up(Editor *editor);

/* Writes the shown scene with `camera` as its camera, as scene_save_gathered does. copied: as
 * there. */
bool editor_save_as(const Editor *editor, const RenderCamera *camera, const char *path, int *copied,
                    BillowError *error);
/* The same as "FOLDER/NAME.yaml". If that file exists, the name is "FOLDER/NAME-2.yaml" and so on.
 * path: receives the path of the file. */
bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, int *copied, BillowError *error);

#endif
