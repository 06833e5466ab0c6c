/* SPDX-License-Identifier: MIT
 *
 * Values that change while a scene is played. */
#ifndef SCENE_SCENE_TIMELINE_H
#define SCENE_SCENE_TIMELINE_H

#include "scene_yaml.h"

#include "scene.h"

/* The list of tracks under `timeline`. What a track's key is, and whether it may hold the values,
 * scene_timeline_check says once the rest of the scene is known. */
bool scene_timeline_bind(const SceneSource *source, yaml_document_t *document,
                         const yaml_node_t *node, Scene *scene);

/* Every value of every track, set as --set would. timeline is the list's node, for the places of
 * messages; NULL where there is none. */
bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene);

/* A track's values at a time, as one would write them in a file. Smooth: through all moments with
 * no overshoot, at rest at both ends and where the values turn back. */
#define SCENE_TIMELINE_TEXT 160
void scene_timeline_text(const SceneTrack *track, double time, char text[SCENE_TIMELINE_TEXT]);

/* What a track's key changes of which solid; 0 where it is another's. */
enum {
    SCENE_SOLID_CENTER = 1,
    SCENE_SOLID_ROTATION = 2,
    SCENE_SOLID_PATH = SCENE_SOLID_CENTER | SCENE_SOLID_ROTATION,
    SCENE_SOLID_VELOCITY = 4,
    SCENE_SOLID_SPIN = 8,
    SCENE_SOLID_TEMPERATURE = 16
};
unsigned scene_timeline_solid(const char *key, int *solid);

/* Sets every track's key to its value at a time. The scene's own list of tracks must be empty. */
bool scene_timeline_apply(const SceneTrack *tracks, int count, double time, Scene *scene,
                          BillowError *error);

#endif
