/* SPDX-License-Identifier: MIT
 *
 * Saves a scene with the files that it names. A scene file may only name files in its own folder or
 * below, so those that lie elsewhere are copied there. */
#ifndef SCENE_SCENE_GATHER_H
#define SCENE_SCENE_GATHER_H

#include "scene/scene.h"

/* Writes the scene file as scene_save does. Files that lie outside its folder are first copied into
 * its folder NAME-files, where NAME is that of the scene file without its ending. A copy that is
 * there with the same contents is used again. copied: receives the number of files that the scene
 * names there; may be NULL. Numbered files are not copied, nor glTF files that need others: then
 * the function fails, as scene_save does. After a failure, there are no new copies. */
bool scene_save_gathered(const Scene *scene, const char *path, int *copied, BillowError *error);

#endif
