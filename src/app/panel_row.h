/* SPDX-License-Identifier: MIT
 *
 * One row of the panel: the name of a scene's key, its value and its menu. */
#ifndef APP_PANEL_ROW_H
#define APP_PANEL_ROW_H

#include "app/panel.h"
#include "scene/scene_keys.h"

enum { PANEL_ROW_PATH = 112 };

/* A table of keys and the values to show: those of the scene, of an emitter, or of a list's entry.
 */
typedef struct PanelKeys {
    Session *session;
    Editor *editor;
    const SceneKeyTable *table;
    const char *label; /* prefix of the keys' paths, such as "", "brush." or "emitters[0]." */
    bool first;        /* for the top of the panel: short names with their group, and sliders */
    bool full;         /* show whole paths as names */
    const void *base;  /* values to show */
    const void *given; /* values when the scene was opened; NULL: the entry did not exist then */
    const SceneForm *form;       /* NULL: the entry cannot have a form */
    const SceneForm *given_form; /* form when the scene was opened; NULL: there was none */
} PanelKeys;

/* Draws the ramp of a key such as "smoke.ramp" (panel_ramp.c). */
void panel_show_ramp(Session *session, const SceneKey *key);

/* Draws the row of a key of the table. */
void panel_show_key(const PanelKeys *keys, const SceneKey *key);

#endif
