/* SPDX-License-Identifier: MIT
 *
 * A Scene as the text of a scene file, which loads back to the same values, bit for bit. */
#ifndef SCENE_SCENE_WRITE_H
#define SCENE_SCENE_WRITE_H

#include "scene.h"
#include "scene_keys.h"

#include <stdio.h>

/* Writes all values that differ from their defaults, and always name, title, size and cells. path
 * is where the file will lie: meshes and fonts are named relative to its folder; NULL or "-": to
 * the working directory. False where a mesh or font lies outside that folder; it is then named by
 * its whole path, which only `--set` takes. The caller checks the stream for errors. */
bool scene_write(const Scene *scene, const char *path, FILE *stream);

/* Writes a file, whole or not at all; "-" is standard output. Fails where a mesh or a font lies
 * outside the file's folder, as the scene could not be loaded again. */
bool scene_save(const Scene *scene, const char *path, BillowError *error);

typedef void SceneSay(void *context, const char *assignment);

/* Calls say with "camera.azimuth=12.5" for every value that differs, and for every key that begins
 * with `always`. Numbers read back to the same bits. Returns the number of differences that `--set`
 * cannot make: lists of another length and tracks of the timeline. */
int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *say,
                    void *context);

/* Quotes an argument for a shell. False where it does not fit. */
bool scene_argument_quote(const char *argument, char *quoted, size_t size);

/* Differences between two scenes, what they need of a simulation, and making them while it runs. */

#define SCENE_DIFFERENCE_PATH 128

typedef struct SceneDifference {
    unsigned effects; /* SceneEffect bits; 0: the scenes are the same */
    int count;        /* keys that differ; a list of another length counts as one more */
    char first[SCENE_DIFFERENCE_PATH];   /* first key that differs, "emitters[0].smoke", or "" */
    char rebuild[SCENE_DIFFERENCE_PATH]; /* first key that asks for a new simulation, or "" */
} SceneDifference;

SceneDifference scene_difference(const Scene *before, const Scene *after);

/* Brings a running simulation from one definition to another with as many solids: parameters,
 * emitters, forces and solids change, the rest of `after` is ignored. Of a solid, only the values
 * that differ between the two definitions are set; the others stay as the run has made them.
 * Returns false with a message, and changes nothing, where the simulation refuses. */
bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error);

/* Sets the values of a running solid that differ between two definitions of it. */
void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid);

#endif
