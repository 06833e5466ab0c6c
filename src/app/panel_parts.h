/* SPDX-License-Identifier: MIT
 * What the files of the panel share. */
#ifndef APP_PANEL_PARTS_H
#define APP_PANEL_PARTS_H

#include "editor.h"
#include "panel.h"
#include "panel_graphs.h"

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

#endif
