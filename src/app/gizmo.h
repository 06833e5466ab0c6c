/* SPDX-License-Identifier: MIT
 *
 * Handles to drag emitters, lamps and the sun. Emitters and lamps move in the plane that faces the
 * camera. The sun moves on a dome around the box; beyond the dome's edge it goes on at the far
 * side.
 */
#ifndef APP_GIZMO_H
#define APP_GIZMO_H

#include "marks.h"

#include <billow/billow.h>

typedef enum GizmoKind { GIZMO_NONE, GIZMO_EMITTER, GIZMO_LAMP, GIZMO_SUN } GizmoKind;

typedef struct Gizmo {
    GizmoKind kind;
    int index;        /* of the emitter or lamp */
    float place[3];   /* of the handle when it was taken, m */
    float forward[3]; /* normal of the plane that it is dragged in */
    bool behind;      /* the sun is on the far half of its dome */
    bool edge;        /* the cursor is beyond the dome's edge */
} Gizmo;

/* The handle at a point of the window. False: there is none, and kind is GIZMO_NONE. */
bool gizmo_pick(Gizmo *gizmo, const Scene *scene, const Marks *marks, float x, float y);
/* The key that a handle changes, "emitters[0].center"; of two keys, the first. */
void gizmo_key(const Gizmo *gizmo, char *text, size_t size);
/* Whether the scene's timeline sets the handle's place. */
bool gizmo_led(const Gizmo *gizmo, const Scene *scene);
/* Moves the handle to the ray, in the scene. False: the ray does not meet the plane or the dome. */
bool gizmo_follow(Gizmo *gizmo, const BrushRay *ray, Scene *scene);

/* Draws all handles. `hot`, which is under the cursor or being dragged, stands out. */
void gizmo_mark(const Scene *scene, const Gizmo *hot, Marks *marks);

#endif
