/* SPDX-License-Identifier: MIT
 *
 * A scene under a person's hands: as it was loaded, as it is shown, and what led from one to the
 * other. Knows nothing of windows or simulations: whoever plays the scene asks what to play. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "history.h"
#include "presets.h"

typedef struct Editor {
    Scene given;        /* as it was opened last: what resets go back to */
    Scene played;       /* as whoever plays it has it */
    Scene shown;        /* with what hands have changed since */
    bool changed;       /* shown differs from played, */
    bool anew;          /* by what takes a new simulation, */
    bool open;          /* and the change goes on: a drag, letters being typed */
    bool back;          /* it is another scene, that played before */
    char from[512];     /* the name or path that `given` was opened by */
    Scene played_given; /* likewise of what is played */
    char played_from[512];
    int went; /* steps forth in the history, or back, that led to what is shown */
    History *history;
} Editor;

bool editor_open(Editor *editor, BillowError *error);
void editor_close(Editor *editor);

/* What is played now, to be told every frame, and the scene as it was opened last, by that name or
 * path. What others than this editor changed is a change like its own, which can be undone; also
 * another scene in its place, but for one that nobody had changed, to which nothing leads back.
 * True: somebody's changes are no longer played. */
bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from);
/* What is played next begins a history of its own. */
void editor_forget(Editor *editor);

/* "solver.vorticity=8", as for scene_set; done: the change is whole, and can be undone as one.
 * Refused, with a message and nothing changed, where no scene could be so. */
bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error);
/* The same of a scene that was changed in some other way. */
bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error);
/* The change that was going on is whole; what led back to where it began was none. */
void editor_done(Editor *editor);

/* All keys of a group, or one, back to what was opened: "solver", "emitters", "sun.color". */
bool editor_reset_group(Editor *editor, const char *group, BillowError *error);

/* All of a preset's values, as one change. */
bool editor_preset(Editor *editor, const Preset *preset, BillowError *error);

/* Adds an entry like that one, or the usual one where there are none yet, to a list ("emitters");
 * or takes one out, with the tracks of the timeline that lead it or one behind it. */
bool editor_add_entry(Editor *editor, const char *list, int like, BillowError *error);
bool editor_remove_entry(Editor *editor, const char *list, int index, BillowError *error);

/* False where there is nothing to undo. */
bool editor_undo(Editor *editor);
bool editor_redo(Editor *editor);

/* The view as hands have turned it, which is no change, but part of what is saved; also where the
 * camera's keys are changed from. */
void editor_view(Editor *editor, const RenderCamera *camera);

/* The scene to be played now; NULL where it is played already, or where a new simulation waits for
 * the change to be whole. */
const Scene *editor_ready(Editor *editor);
/* It is played now. */
void editor_played(Editor *editor, const Scene *played);
/* It was refused: back to what is played. */
void editor_give_up(Editor *editor);

/* "FOLDER/NAME.yaml", or with the first number of -2, -3 ... under which there is nothing yet, and
 * the scene in it, seen by that camera. path: what was written. */
bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, BillowError *error);

#endif
