/* SPDX-License-Identifier: MIT
 *
 * Handles on what a scene has beside its smoke: emitters, with their outlines, lamps and the sun,
 * which stands on a dome around the box. They are dragged in the plane that faces the camera; the
 * sun over its dome: over the edge, and back in on the other side. */
#ifndef APP_GIZMO_H
#define APP_GIZMO_H

#include "marks.h"

typedef enum GizmoKind { GIZMO_NONE, GIZMO_EMITTER, GIZMO_LAMP, GIZMO_SUN } GizmoKind;

typedef struct Gizmo {
    GizmoKind kind;
    int index;         /* of the emitter or lamp */
    float place[3];    /* m; of the handle when it was taken, */
    float forward[3];  /* and the normal of the plane that it is dragged in */
    bool behind, edge; /* the sun is on the far half of its dome; the cursor is beyond its edge */
} Gizmo;

/* The handle at a point of the window; false, and GIZMO_NONE, where there is none. */
bool gizmo_pick(Gizmo *gizmo, const Scene *scene, const Marks *marks, float x, float y);
/* "emitters[0].center": the key that it changes, or the first of two. */
void gizmo_key(const Gizmo *gizmo, char *text, size_t size);
/* Whether the scene's timeline has it where it is. */
bool gizmo_led(const Gizmo *gizmo, const Scene *scene);
/* The scene with it where the ray leads; false where that leads nowhere. */
bool gizmo_follow(Gizmo *gizmo, const BrushRay *ray, Scene *scene);

/* All of them; `hot`, which is under the cursor or in the hand, stands out. */
void gizmo_mark(const Scene *scene, const Gizmo *hot, Marks *marks);

#endif
