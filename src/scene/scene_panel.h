/* SPDX-License-Identifier: MIT
 *
 * Which values of a scene a panel shows first, shows at all, and finds: the window's and the page's
 * alike. */
#ifndef SCENE_SCENE_PANEL_H
#define SCENE_SCENE_PANEL_H

#include "scene/scene.h"

/* Names of the values that a panel shows first, with spaces between: those of the scene's key
 * panel, or the usual ones, of which a scene may lack some. Valid as long as the scene. */
const char *scene_panel_first(const Scene *scene);

/* Copies the first name of such a list, or nothing at its end. Returns the rest of the list. */
const char *scene_panel_next(const char *list, char *name, size_t size);

/* Whether a panel shows a key of a scene, or keys of a group: not those that are for pictures and
 * files only. */
bool scene_panel_shows(const char *path);

/* Whether each of the words, with spaces between, is in one of the texts, of which the last is
 * NULL. Case does not matter. */
bool scene_panel_finds(const char *const *texts, const char *words);

#endif
