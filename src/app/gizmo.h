/* SPDX-License-Identifier: MIT
 *
 * Handles for dragging emitters, lamps and the sun. Emitters and lamps move in the plane that faces
 * the camera. The sun moves on a dome around the box; past the dome's edge it continues on the far
 * side. */
#ifndef APP_GIZMO_H
#define APP_GIZMO_H

#include "marks.h"

#include <billow/billow.h>

typedef enum GizmoKind { GIZMO_NONE, GIZMO_EMITTER, GIZMO_LAMP, GIZMO_SUN } GizmoKind;

typedef struct Gizmo {
    GizmoKind kind;
    int index;        /* index of the emitter or lamp */
    float place[3];   /* position of the handle when it was taken, m */
    float forward[3]; /* normal of the plane in which it is dragged */
    bool behind;      /* the sun is on the far half of the dome */
    bool edge;        /* the cursor is past the dome's edge */
} Gizmo;

/* Finds the handle at a point of the window. Returns false, with kind GIZMO_NONE, if there is none.
 */
bool gizmo_pick(Gizmo *gizmo, const Scene *scene, const Marks *marks, float x, float y);
/* Writes the key that a handle changes, such as "emitters[0].center"; the first one if there are
 * two. */
void gizmo_key(const Gizmo *gizmo, char *text, size_t size);
/* Whether the scene's timeline sets the handle's position. */
bool gizmo_led(const Gizmo *gizmo, const Scene *scene);
/* Moves the handle in the scene to the ray. Returns false if the ray misses the plane or the dome.
 */
bool gizmo_follow(Gizmo *gizmo, const BrushRay *ray, Scene *scene);

/* Draws all handles. hot: the handle under the cursor or being dragged, drawn brighter. */
void gizmo_mark(const Scene *scene, const Gizmo *hot, Marks *marks);

#endif
