/* SPDX-License-Identifier: MIT
 *
 * The timeline: values that change while a scene is played. */
#ifndef SCENE_SCENE_TIMELINE_H
#define SCENE_SCENE_TIMELINE_H

#include "scene.h"
#include "scene_yaml.h"

/* Reads the list of tracks under `timeline`. scene_timeline_check checks their keys and values
 * after the rest of the scene is read. */
bool scene_tracks_read(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *node, Scene *scene);

/* Writes a track's values at a time, s, as text of a scene file. Smooth tracks pass through all
 * moments without overshoot, and have zero slope at both ends and at turning points. */
#define SCENE_TRACK_TEXT 160
void scene_track_text(const SceneTrack *track, double time, char text[SCENE_TRACK_TEXT]);

/* Checks that every track's key may change while the scene is played and accepts all of the track's
 * values. timeline: the list's node, for messages; NULL if there is none. */
bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene);

/* What a track changes of a solid, as bits; 0 if its key does not belong to a solid. */
enum {
    SCENE_SOLID_CENTER = 1,
    SCENE_SOLID_ROTATION = 2,
    SCENE_SOLID_PATH = SCENE_SOLID_CENTER | SCENE_SOLID_ROTATION,
    SCENE_SOLID_VELOCITY = 4,
    SCENE_SOLID_SPIN = 8,
    SCENE_SOLID_TEMPERATURE = 16
};
unsigned scene_timeline_solid(const char *key, int *solid);

/* Sets every track's key to its value at a time, s. The scene itself must have no tracks. */
bool scene_timeline_apply(const SceneTrack *tracks, int count, double time, Scene *scene,
                          BillowError *error);

#endif
