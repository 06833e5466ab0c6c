/* SPDX-License-Identifier: MIT
 *
 * What the lists of a ramp's stops have beyond other lists: words that name whole ramps, an order,
 * and a form as one line. */
#ifndef SCENE_SCENE_RAMP_H
#define SCENE_SCENE_RAMP_H

#include "base/render_settings.h"
#include "scene/scene_keys.h"

/* The ramp of a scene whose stops the list holds; NULL for other lists. */
RenderRamp *scene_ramp(const SceneList *list, Scene *scene);

/* Sets a ramp to the one that a word names; "off" removes its stops. Returns false if no ramp has
 * that name. */
bool scene_ramp_name(const SceneList *list, const char *word, Scene *scene);

/* Lists the words: "off, ink, ice, toxic, sunset or ash". */
void scene_ramp_words(const SceneList *list, char *text, size_t size);

/* Writes a ramp as `--set` takes it: a word, or "[{at: 0, color: [1, 1, 1]}, ...]". */
void scene_ramp_format(const SceneList *list, const Scene *scene, char *text, size_t size);

#endif
