/* SPDX-License-Identifier: MIT
 *
 * A file that joins a scene: a mesh or a level set becomes a solid, the fog of a .vdb file the
 * smoke at the start, or either an emitter of that shape; particles become an emitter; a panorama
 * becomes the surroundings. */
#ifndef SCENE_SCENE_JOIN_H
#define SCENE_SCENE_JOIN_H

#include "scene/scene.h"

/* Where a file joins. */
typedef struct SceneSpot {
    float point[3]; /* m */
    bool on_solid;  /* the point is on the surface of a solid, on which the file stands */
    const BillowSolid *solids; /* upon which a solid is put; NULL: there are none */
    int solid_count;
} SceneSpot;

/* What became of a file. */
typedef struct SceneJoined {
    const char *list; /* "solids" or "emitters", whose last entry it is; NULL: none */
    float center[3];  /* of its box, m */
    float longest;    /* longest edge of its box, m; 0: it has none */
    bool scaled;      /* its size was too far from the box's */
} SceneJoined;

/* Whether the ending of a path is that of a file that can join. */
bool scene_join_is_mesh(const char *path);
bool scene_join_is_volume(const char *path);
bool scene_join_is_particles(const char *path);
bool scene_join_is_panorama(const char *path);

/* Adds the file to the scene, named after the file. emits: as an emitter of its shape, which
 * releases what the scene's brush does. If the scene has a closed floor, or the spot is on a solid,
 * the file stands on that, above all solids in its way; otherwise its middle is at the spot, as far
 * as the box has room. A file that is much larger or smaller than the box is scaled to a third of
 * its shortest edge. Returns false with a message that starts with the path's last part, and
 * changes nothing, if the file is damaged or has no place. */
bool scene_join(Scene *scene, const char *path, bool emits, const SceneSpot *spot,
                SceneJoined *joined, BillowError *error);

#endif
