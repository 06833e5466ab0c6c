/* SPDX-License-Identifier: MIT
 *
 * The timeline: values that change while a scene is played. */
#ifndef SCENE_SCENE_TIMELINE_H
#define SCENE_SCENE_TIMELINE_H

#include "scene.h"
#include "scene_yaml.h"

/* Reads the list of tracks under `timeline`. Their keys and values are checked by
 * scene_timeline_check once the rest of the scene is known. */
bool scene_tracks_read(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *node, Scene *scene);

/* A track's values at a time, s, as one would write them in a file. Smooth tracks pass through all
 * moments without overshoot and rest at both ends and where the values turn back. */
#define SCENE_TRACK_TEXT 160
void scene_track_text(const SceneTrack *track, double time, char text[SCENE_TRACK_TEXT]);

/* Whether every track's key may change while a scene is played, and holds all of its values.
 * timeline is the list's node, for the places of messages; NULL where there is none. */
bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene);

/* What a track changes of a solid, as bits; 0 where its key is not a solid's. */
enum {
    SCENE_SOLID_CENTER = 1,
    SCENE_SOLID_ROTATION = 2,
    SCENE_SOLID_PATH = SCENE_SOLID_CENTER | SCENE_SOLID_ROTATION,
    SCENE_SOLID_VELOCITY = 4,
    SCENE_SOLID_SPIN = 8,
    SCENE_SOLID_TEMPERATURE = 16
};
unsigned scene_timeline_solid(const char *key, int *solid);

/* Sets every track's key to its value at a time, s. The scene's own list of tracks must be empty.
 */
bool scene_timeline_apply(const SceneTrack *tracks, int count, double time, Scene *scene,
                          BillowError *error);

#endif
