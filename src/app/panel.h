/* SPDX-License-Identifier: MIT
 *
 * The panel: all values of the scene, graphs of the last steps, slices, and the list of scenes. It
 * is made from the tables of keys, so that a new key appears in it without further code. */
#ifndef APP_PANEL_H
#define APP_PANEL_H

#include "editor.h"
#include "figures.h"
#include "session.h"

enum { PANEL_PATH = 300, PANEL_THUMBNAILS = 48 };

struct Panel {
    bool shown, focus; /* focus: the panel gets the keyboard in the next frame */
    bool turned;       /* shown or hidden since the last frame */
    bool follows;      /* whether the editor has received a scene */
    Editor editor;
    PanelGraphs graphs;
    char file[PANEL_PATH]; /* file name as typed or last saved */
    const Gui *gui;        /* the GUI that owns the thumbnails */
    unsigned thumbnails[PANEL_THUMBNAILS];
};

/* Draws all groups of the scene as headings. */
void panel_show_values(Session *session);
void panel_show_timeline(Session *session);
void panel_show_slice(Session *session);
void panel_show_scenes(Session *session);

/* Returns NULL and a message if memory is short. */
Panel *panel_create(BillowError *error);
void panel_destroy(Panel *panel); /* NULL is fine */

bool panel_shown(const Panel *panel);
/* Whether the panel is shown or hidden from the next frame on, which changes the keys that it
 * handles. */
bool panel_turns(const Panel *panel);

/* Plays what the user has changed, and shows what is played; once per frame. */
void panel_follow(Session *session);
/* The scene with the user's changes. */
const Scene *panel_scene(const Panel *panel);
/* Makes a change that lasts until panel_change_done and is one step of undo. A message gives the
 * reason if it is refused. */
void panel_change(Session *session, const Scene *changed);
void panel_change_done(Panel *panel);

/* Discards all changes, so that they cannot be restored. */
void panel_forget(Panel *panel);

/* Draws the panel; call it between gui_begin and gui_end. */
void panel_show(Session *session);

/* Adds a step, or the time of a frame, to the graphs. */
void panel_step(Panel *panel, const SimSnapshot *snapshot);
void panel_frame(Panel *panel, double ms);

/* Functions for the table of keys. */
void action_panel(Session *session, int argument);
void action_undo(Session *session, int argument);
void action_redo(Session *session, int argument);
void action_save(Session *session, int argument);

#endif
