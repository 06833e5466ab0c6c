/* SPDX-License-Identifier: MIT
 *
 * Writes a `Scene` as the text of a scene file. Loading the text gives the same values, bit for
 * bit. */
#ifndef SCENE_SCENE_WRITE_H
#define SCENE_SCENE_WRITE_H

#include "scene/scene.h"
#include "scene/scene_keys.h"

#include <stdio.h>

/* Writes name, title, size and cells, and all values that differ from their defaults. path: path
 * that the scene file will have; NULL or "-": the working directory is used as its folder. Meshes
 * and fonts are named by their paths from that folder. If one is not in the folder or below, it is
 * named by its absolute path, which only `--set` can load, and the function returns false. The
 * caller checks the stream for errors. */
bool scene_write(const Scene *scene, const char *path, FILE *stream);

/* Writes a complete file or none; "-" is standard output. Fails if a mesh or a font is not in the
 * file's folder or below, because the scene could not be loaded again. */
bool scene_save(const Scene *scene, const char *path, BillowError *error);

typedef void SceneSay(void *context, const char *assignment);

/* Calls `say` with an assignment, for example "camera.azimuth=12.5", for every value of `to` that
 * differs from `from`. Values whose paths start with `always` are reported even if they are equal;
 * "" selects none. Numbers read back to the same bits. Returns the number of differences that
 * `--set` cannot express: lists of different lengths, and tracks that only `to` has. */
int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *say,
                    void *context);

/* Quotes an argument for a shell. Returns false if the result does not fit. */
bool scene_argument_quote(const char *argument, char *quoted, size_t size);

/* Differences between two scenes, their effects on a simulation, and applying them while the
 * simulation runs. */

#define SCENE_DIFFERENCE_PATH 128

typedef struct SceneDifference {
    unsigned effects; /* SceneEffect bits; 0: the scenes are equal */
    int count; /* number of keys that differ; a list with different numbers of entries counts as one
                  more */
    char first[SCENE_DIFFERENCE_PATH];   /* path of the first key that differs, "emitters[0].smoke";
                                            "": none */
    char rebuild[SCENE_DIFFERENCE_PATH]; /* path of the first key whose change needs a new
                                            simulation; "": none */
} SceneDifference;

SceneDifference scene_difference(const Scene *before, const Scene *after);

/* Changes a running simulation from one definition to another with the same number of solids. Sets
 * parameters, emitters, forces and solids; other members of `after` are ignored. Values of a solid
 * are set only if they differ between the two definitions, so that its current motion is kept. If
 * the simulation refuses the change, nothing changes, and the function returns false and a message.
 */
bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error);

/* Changes a running solid: sets the values that differ between its definitions `before` and
 * `after`, and always its volume. */
void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid);

#endif
