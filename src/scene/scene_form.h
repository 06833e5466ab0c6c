/* SPDX-License-Identifier: MIT
 *
 * Distance volumes of meshes and texts: making them, and writing them as bytes. */
#ifndef SCENE_SCENE_FORM_H
#define SCENE_SCENE_FORM_H

#include "io/mesh_file.h"
#include "scene/scene.h"

#include <billow/mesh.h>

/* An emitter or a solid with a form. */
typedef struct SceneBody {
    const char *label; /* for messages: "emitters[0]" */
    const SceneForm *form;
    float size; /* half the length of its longest edge, m */
    const float *rotation, *center;
} SceneBody;

/* Makes the volume of a form. Its longest edge spans -1 to 1, and its samples are fine enough for
 * the definition's cells. Fails if the volume cannot be made or would be larger than the
 * definition's box. */
bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error);
/* Makes the volume of a form by copying `before`, a volume of the same form for a box of the same
 * size and cells of the same size. */
bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error);
void scene_form_free(BillowVolume *volume); /* {0} is fine */

BillowMesh scene_mesh_of(const MeshFile *file);
/* Whether the solver can measure a mesh. */
bool scene_mesh_check(const MeshFile *file, BillowError *error);
/* Measures a mesh at the samples of a volume, which stays as it is. *distance: the caller frees it,
 * also after a failure. */
bool scene_mesh_voxelize(const MeshFile *file, BillowVolume *volume, float **distance,
                         BillowError *error);

/* -- as bytes ----------------------------------------------------------------------------------
 *
 * For checkpoints and for programs that join, which then need neither the mesh's file nor the font.
 *
 *     shape := entry | nx | ny | nz | low[3] | spacing | size | cell | samples
 *
 * All words have 32 bits and are little-endian. */

/* Number of volumes of a scene. Emitter e has index e, solid s has index BILLOW_EMITTERS_MAX + s.
 */
enum { SCENE_SHAPES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };
/* Whether the scene has an entry of this index, and the form of that entry. */
bool scene_form_exists(const Scene *scene, int entry);
const SceneForm *scene_form_of(const Scene *scene, int entry);
typedef struct SceneShape {
    float size;          /* size[0] of the entry for which the volume was made, m */
    float cell;          /* cell size of the definition for which the volume was made, m */
    BillowVolume volume; /* distance NULL: the entry has no volume */
} SceneShape;

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
void scene_shapes_free(SceneShape shapes[SCENE_SHAPES]);

#endif
