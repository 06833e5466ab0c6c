/* SPDX-License-Identifier: MIT
 *
 * A Scene as the text of a scene file, which loads back to the same values, bit for bit. */
#ifndef SCENE_SCENE_WRITE_H
#define SCENE_SCENE_WRITE_H

#include "scene.h"

#include <stdio.h>

/* What differs from the defaults, grouped as scene files are, with the name, title, size and cells
 * always. path is where the file will lie: meshes and fonts are named so that they are found from
 * there; NULL or "-": from the working directory. What lies elsewhere is named by its whole path,
 * which only --set takes: false. Errors of the stream are the caller's to ask for. */
bool scene_write(const Scene *scene, const char *path, FILE *stream);

/* Into a file, whole or not at all; "-" is standard output. Refused where a mesh or a font lies
 * neither beside that file nor below, from where it could not be loaded again. */
bool scene_save(const Scene *scene, const char *path, BillowError *error);

typedef void SceneSay(void *context, const char *assignment);

/* Says "camera.azimuth=12.5" for every value that differs, and for those whose keys begin like
 * `always` whether they do or not; numbers to the bit. Returns how much there is that --set cannot
 * do: lists of another length, and tracks of the timeline. */
int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *say,
                    void *context);

/* An argument as a shell takes it for one. False where it does not fit. */
bool scene_argument_quote(const char *argument, char *quoted, size_t size);

#endif
