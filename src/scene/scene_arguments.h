/* SPDX-License-Identifier: MIT
 *
 * What makes one scene of another, as --set takes it. */
#ifndef SCENE_SCENE_ARGUMENTS_H
#define SCENE_SCENE_ARGUMENTS_H

#include "scene.h"

typedef void SceneSay(void *context, const char *assignment);

/* Says "camera.azimuth=12.5" for every value that differs, and for those whose keys begin like
 * `always` whether they do or not; numbers to the bit. Returns how much there is that --set cannot
 * do: lists of another length, and tracks of the timeline. */
int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *say,
                    void *context);

/* An argument as a shell takes it for one. False where it does not fit. */
bool scene_argument_quote(const char *argument, char *quoted, size_t size);

#endif
