/* SPDX-License-Identifier: MIT
 *
 * The timeline: values that change while a scene is played. */
#ifndef SCENE_SCENE_TIMELINE_H
#define SCENE_SCENE_TIMELINE_H

#include "scene/scene.h"
#include "scene/scene_yaml.h"

/* Reads the list of tracks under `timeline`. Their keys and values are checked by
 * `scene_timeline_check`, after the rest of the scene is read. */
bool scene_tracks_read(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *node, Scene *scene);

/* Returns the index of a key's track; -1: there is none. */
int scene_track_of(const Scene *scene, const char *key);

/* Returns one component of a track's value at a time, s. Smooth tracks have the given value at each
 * moment and do not overshoot. Their slope is zero at both ends and at turning points. */
double scene_track_value(const SceneTrack *track, double time, int part);
/* All components, rounded to nine decimal digits, which suffice for a float; 0 for those that the
 * track does not have. */
void scene_track_values(const SceneTrack *track, double time, double values[4]);

/* Whether a key may have a track: it holds numbers that may change while a scene is played. True
 * for an unknown key, which other functions report. */
bool scene_timeline_may_change(const char *path);

/* Writes the keys of all tracks with the numbers of their entries: emitters[2].smoke for
 * emitters[campfire].smoke. Call it once all entries have their names. */
void scene_timeline_resolve(Scene *scene);

/* Checks that the key of every track may change while the scene is played, and that the key accepts
 * all values of the track. timeline: the list's node, for messages; NULL if there is none. */
bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene);

/* The value of a solid that a track with this key sets, as one of these bits; 0 if the key sets
 * none of them. *solid: receives the index of the solid. */
enum {
    SCENE_SOLID_CENTER = 1,
    SCENE_SOLID_ROTATION = 2,
    SCENE_SOLID_PATH = SCENE_SOLID_CENTER | SCENE_SOLID_ROTATION,
    SCENE_SOLID_VELOCITY = 4,
    SCENE_SOLID_SPIN = 8,
    SCENE_SOLID_TEMPERATURE = 16
};
unsigned scene_timeline_solid(const char *key, int *solid);

/* Sets the key of a track to values from scene_track_values. Fails for a rotation whose axis is 0.
 */
bool scene_timeline_set(const SceneTrack *track, const double values[4], Scene *scene,
                        BillowError *error);

#endif
