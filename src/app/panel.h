/* SPDX-License-Identifier: MIT
 *
 * The panel: every value of the scene, live, with graphs of the last steps, slices, and the scenes
 * there are. It is made from the tables of keys, so that a new key appears in it by itself. */
#ifndef APP_PANEL_H
#define APP_PANEL_H

#include "editor.h"
#include "panel_graphs.h"
#include "session.h"

enum { PANEL_PATH = 300, PANEL_THUMBNAILS = 48 };

struct Panel {
    bool shown, focus; /* focus: the keyboard goes there with the next frame */
    bool turned;       /* shown or hidden since the last frame */
    bool follows;      /* the editor has seen a scene */
    Editor editor;
    PanelGraphs graphs;
    char file[PANEL_PATH]; /* as typed, or saved last */
    const Gui *gui;        /* whose the thumbnails are */
    unsigned thumbnails[PANEL_THUMBNAILS];
};

/* All groups of the scene, as headings. */
void panel_show_values(Session *session);
void panel_show_timeline(Session *session);
void panel_show_slice(Session *session);
void panel_show_scenes(Session *session);

/* NULL and a message when memory is short. */
Panel *panel_create(BillowError *error);
void panel_destroy(Panel *panel); /* NULL is fine */

bool panel_shown(const Panel *panel);
/* Whether it is shown or hidden from the next frame on, and keys are its own or not only then. */
bool panel_turns(const Panel *panel);

/* Once a frame: what hands have changed is played, what is played is shown. */
void panel_follow(Session *session);
/* The scene as hands have it now. */
const Scene *panel_scene(const Panel *panel);
/* A change of it that goes on until panel_change_done, and can be undone as one; says what it is
 * refused for. */
void panel_change(Session *session, const Scene *changed);
void panel_change_done(Panel *panel);

/* Forgets all changes, so that nobody comes back to them. */
void panel_forget(Panel *panel);

/* Between gui_begin and gui_end. */
void panel_show(Session *session);

/* For the graphs: a step that was seen, a frame that took so long. */
void panel_step(Panel *panel, const SimSnapshot *snapshot);
void panel_frame(Panel *panel, double ms);

/* For the table of keys. */
void action_panel(Session *session, int argument);
void action_undo(Session *session, int argument);
void action_redo(Session *session, int argument);
void action_save(Session *session, int argument);

#endif
