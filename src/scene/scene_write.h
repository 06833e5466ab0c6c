/* SPDX-License-Identifier: MIT
 *
 * A Scene as the text of a scene file, which loads back to the same values, bit for bit. */
#ifndef SCENE_SCENE_WRITE_H
#define SCENE_SCENE_WRITE_H

#include "scene.h"

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

#endif
