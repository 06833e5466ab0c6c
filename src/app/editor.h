/* SPDX-License-Identifier: MIT
 *
 * A scene that a person edits: as it was loaded, as it is played, and as it was changed, with undo.
 * It knows nothing of windows and simulations: whoever plays the scene asks what to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "history.h"
#include "presets.h"

typedef struct Editor {
    Scene given;           /* the scene as it was opened last: resets go back to it */
    Scene played;          /* the scene as it is being played */
    Scene shown;           /* the scene as the person has changed it */
    bool changed;          /* shown differs from played */
    bool anew;             /* the difference takes a new simulation */
    bool open;             /* the change goes on: a drag, letters being typed */
    bool back;             /* undo led to another scene, which played before */
    char from[512];        /* name or path that `given` was opened by */
    Scene played_given;    /* the played scene as it was opened */
    char played_from[512]; /* name or path that `played_given` was opened by */
    int went;              /* steps in the history that led to `shown`; negative: back */
    History *history;
} Editor;

bool editor_open(Editor *editor, BillowError *error);
void editor_close(Editor *editor);

/* To be told every frame: the scene that is played, that scene as it was opened, and the name or
 * path that it was opened by. A change by others can be undone like the editor's own. So can a
 * change to another scene, if the scene before had been changed. Returns true where changed values
 * of the scene before are no longer played. */
bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from);
/* Forgets the history: the next scene begins a new one. */
void editor_forget(Editor *editor);

/* Changes one value: "solver.vorticity=8", as for scene_set. done: the change is complete, and can
 * be undone as one. Returns false with a message, and changes nothing, where the value is refused.
 */
bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error);
/* Takes over a scene that was changed in some other way. */
bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error);
/* Completes the change that goes on. A change that led back to where it began is no change. */
void editor_done(Editor *editor);

/* Resets a group of keys, or one key, to the scene as it was opened: "solver", "emitters",
 * "sun.color". */
bool editor_reset_group(Editor *editor, const char *group, BillowError *error);

/* Sets all values of a preset, as one change. */
bool editor_preset(Editor *editor, const Preset *preset, BillowError *error);

/* Adds an entry to a list ("emitters"): a copy of entry `like`, or the default one where the list
 * is empty. Removing an entry also removes the timeline's tracks of it and of the entries after it.
 */
bool editor_add_entry(Editor *editor, const char *list, int like, BillowError *error);
bool editor_remove_entry(Editor *editor, const char *list, int index, BillowError *error);

/* False where there is nothing to undo. */
bool editor_undo(Editor *editor);
bool editor_redo(Editor *editor);

/* Takes over the camera as the person has turned it. That is no change to undo, but it is saved,
 * and changes of the camera's keys start from it. */
void editor_view(Editor *editor, const RenderCamera *camera);

/* The scene to be played now; NULL where it is played already, or where it takes a new simulation
 * and the change is not complete. */
const Scene *editor_ready(Editor *editor);
/* That scene is played now. */
void editor_played(Editor *editor, const Scene *played);
/* That scene was refused: goes back to the one that is played. */
void editor_give_up(Editor *editor);

/* Writes the scene, seen by that camera, to FOLDER/NAME.yaml, or with the first of -2, -3 ... after
 * the name that no file has. path receives the file's path. */
bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, BillowError *error);

#endif
