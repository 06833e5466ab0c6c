/* SPDX-License-Identifier: MIT
 *
 * The scene files that are compiled into the program. */
#ifndef SCENE_SCENE_BUILTIN_H
#define SCENE_SCENE_BUILTIN_H

#include "embed.h"

/* NULL where no built-in scene has that name. */
const EmbeddedFile *scene_builtin_find(const char *name);

/* In the order of scene_builtin_name; NULL past the end. */
const EmbeddedFile *scene_builtin_at(int index);

#endif
