/* SPDX-License-Identifier: MIT
 *
 * Volumes of meshes and texts as bytes, for checkpoints and for programs that join, which then need
 * neither the mesh's file nor the font.
 *
 *     shape := entry | nx | ny | nz | low[3] | spacing | size | cell | samples
 *
 * All words have 32 bits and are little-endian. */
#ifndef SCENE_SCENE_SHAPE_H
#define SCENE_SCENE_SHAPE_H

#include "scene/scene_play.h"

enum { SCENE_SHAPE_SIDE = 512 };
#define SCENE_SHAPE_BYTES_MAX                                                                      \
    (40ull + 4ull * SCENE_SHAPE_SIDE * SCENE_SHAPE_SIDE * SCENE_SHAPE_SIDE)

size_t scene_shape_bytes(const SceneShape *shape);
/* Writes scene_shape_bytes bytes. */
void scene_shape_write(int entry, const SceneShape *shape, unsigned char *bytes);
/* Reads and checks a shape, and puts it at its entry, which must be empty. damaged: receives
 * whether the bytes are no such shape; otherwise memory is short. Free the shapes with
 * scene_shapes_free, also after a failure. */
bool scene_shape_read(const unsigned char *bytes, size_t count, SceneShape shapes[SCENE_SHAPES],
                      bool *damaged);
/* Copies all volumes of a play, which may be NULL. Returns false if memory is short. */
bool scene_shapes_copy(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
void scene_shapes_free(SceneShape shapes[SCENE_SHAPES]);

#endif
