/* SPDX-License-Identifier: MIT
 *
 * The panel: all values of the scene, graphs of the last steps, slices, and the list of scenes. The
 * values come from the tables of scene keys. A new key therefore appears without further code. */
#ifndef APP_PANEL_H
#define APP_PANEL_H

#include "app/editor.h"
#include "app/figures.h"
#include "app/file_dialog.h"
#include "app/session.h"

enum { PANEL_THUMBNAILS = 48 };

/* What the edges of a track's diagram stand for. */
typedef struct PanelAxes {
    char key[SCENE_TRACK_KEY]; /* the track whose dot is dragged; empty: none */
    double end;                /* time at the right edge, s; the left edge is time 0 */
    double least, most;        /* values at the lower and the upper edge */
} PanelAxes;

struct Panel {
    bool shown, focus; /* focus: the panel gets the keyboard focus in the next frame */
    bool turned;       /* the panel was shown or hidden since the last frame */
    bool follows;      /* the editor has received its first scene */
    Editor editor;
    PanelGraphs graphs;
    PanelAxes axes;    /* of the diagram whose dot is dragged */
    char search[64];   /* words that the user looks for; empty: all values are shown */
    bool search_focus; /* the line of the search gets the keyboard in the next frame */
    FileDialog files;
    const Gui *gui; /* GUI that owns the thumbnails */
    unsigned thumbnails[PANEL_THUMBNAILS];
};

/* Parts of the panel. */
void panel_show_timeline(Session *session);
void panel_show_slice(Session *session);
/* Draws the values that the scene names for the top of the panel. */
void panel_show_first_values(Session *session);
/* Draws what can be added, and the values, whose names or meanings contain the words of the search.
 */
void panel_show_found(Session *session);
/* Draws a group for each group of scene keys. */
void panel_show_values(Session *session);

/* Returns NULL with a message if memory is short. */
Panel *panel_create(BillowError *error);
void panel_destroy(Panel *panel); /* NULL is fine */

/* Applies the user's changes to the scene that plays, and updates the editor from this scene. Call
 * it once per frame. */
void panel_follow(Session *session);
/* Calls editor_change. If the change is refused, a message gives the reason. */
void panel_change(Session *session, const Scene *changed, bool done);

/* Adds a moment to the timeline: `parts` components of the key's value at the present time. parts:
 * 0 if the key has no numbers; a message then says so. */
void panel_add_moment(Session *session, const char *path, const float *values, int parts);

/* Draws the panel. Call it between gui_begin and gui_end. */
void panel_show(Session *session);

/* Says where a scene was saved. copied: the number of its files that lie beside it. */
void panel_say_saved(Session *session, const char *path, int copied);

/* Functions that the table of keys calls. */
void action_panel(Session *session);
void action_search(Session *session);
void action_undo(Session *session);
void action_redo(Session *session);
void action_save(Session *session);

#endif
