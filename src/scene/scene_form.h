/* SPDX-License-Identifier: MIT
 * Distance volumes of meshes and texts. */
#ifndef SCENE_SCENE_FORM_H
#define SCENE_SCENE_FORM_H

#include "scene.h"

/* An emitter or a solid with a form. */
typedef struct SceneBody {
    const char *label; /* for messages: "emitters[0]" */
    const SceneForm *form;
    float size; /* half of its longest edge, m */
    const float *rotation;
} SceneBody;

/* Makes the volume of a form. Its longest edge spans -1 to 1, and its samples suffice for the
 * definition's cells. Fails if it cannot be made or would be larger than the definition's box. */
bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error);
/* Makes the volume of a form by copying `before`, which was made from the same form, size and
 * cells. */
bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error);
void scene_form_free(BillowVolume *volume); /* {0} is fine */

#endif
