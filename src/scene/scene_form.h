/* SPDX-License-Identifier: MIT
 * Meshes and texts to distance volumes. */
#ifndef SCENE_SCENE_FORM_H
#define SCENE_SCENE_FORM_H

#include "scene.h"

/* What has that form, as the scene has it. */
typedef struct SceneBody {
    const char *label; /* for messages: "emitters[0]" */
    const SceneForm *form;
    float size; /* m; half of its longest edge */
    const float *rotation;
} SceneBody;

/* The volume of a form, whose longest edge goes from -1 to 1, sampled finely enough for the
 * definition's cells. False, with a message, where it cannot be made or would be larger than the
 * definition's box. */
bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error);
/* The same where before is what was made of that form and size for such cells: a copy of it. */
bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error);
void scene_form_free(BillowVolume *volume); /* {0} is fine */

#endif
