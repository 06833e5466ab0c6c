/* SPDX-License-Identifier: MIT
 *
 * The panel: all values of the scene, graphs of the last steps, slices, and the list of scenes. The
 * values come from the tables of scene keys. A new key therefore appears without further code. */
#ifndef APP_PANEL_H
#define APP_PANEL_H

#include "editor.h"
#include "figures.h"
#include "session.h"

enum { PANEL_PATH = 300, PANEL_THUMBNAILS = 48 };

struct Panel {
    bool shown, focus; /* focus: the panel gets the keyboard focus in the next frame */
    bool turned;       /* the panel was shown or hidden since the last frame */
    bool follows;      /* the editor has received its first scene */
    Editor editor;
    PanelGraphs graphs;
    char file[PANEL_PATH]; /* file name that the user typed or saved last */
    const Gui *gui;        /* GUI that owns the thumbnails */
    unsigned thumbnails[PANEL_THUMBNAILS];
};

/* Draws a heading for each group of scene keys. */
void panel_show_values(Session *session);
void panel_show_timeline(Session *session);
void panel_show_slice(Session *session);
void panel_show_scenes(Session *session);

/* Returns NULL with a message if memory is short. */
Panel *panel_create(BillowError *error);
void panel_destroy(Panel *panel); /* NULL is fine */

bool panel_shown(const Panel *panel);
/* Whether the panel will be shown or hidden from the next frame on. This changes which keys it
 * handles. */
bool panel_turns(const Panel *panel);

/* Applies the user's changes to the scene that plays, and updates the editor from this scene. Call
 * it once per frame. */
void panel_follow(Session *session);
/* The scene with the user's changes. */
const Scene *panel_scene(const Panel *panel);
/* Changes the scene. All changes until panel_change_done are one step of undo. If a change is
 * refused, a message gives the reason. */
void panel_change(Session *session, const Scene *changed);
void panel_change_done(Panel *panel);

/* Discards all changes and their undo history. */
void panel_forget(Panel *panel);

/* Draws the panel. Call it between gui_begin and gui_end. */
void panel_show(Session *session);

/* These two add the values of a step, and the time of a frame, to the graphs. */
void panel_step(Panel *panel, const SimSnapshot *snapshot);
void panel_frame(Panel *panel, double ms);

/* Functions that the table of keys calls. */
void action_panel(Session *session, int argument);
void action_undo(Session *session, int argument);
void action_redo(Session *session, int argument);
void action_save(Session *session, int argument);

#endif
