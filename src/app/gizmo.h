/* SPDX-License-Identifier: MIT
 *
 * Handles for dragging emitters, solids, forces, lamps and the sun. All but the sun move in the
 * plane that faces the camera. The sun moves on a dome around the box. If the cursor leaves the
 * dome's outline and comes back, the sun continues on the other half of the dome. */
#ifndef APP_GIZMO_H
#define APP_GIZMO_H

#include "app/marks.h"

#include <billow/billow.h>

typedef enum GizmoKind {
    GIZMO_NONE,
    GIZMO_EMITTER,
    GIZMO_SOLID, /* all but planes */
    GIZMO_FORCE, /* those that have a radius */
    GIZMO_LAMP,
    GIZMO_SUN
} GizmoKind;

typedef struct Gizmo {
    GizmoKind kind;
    int index;        /* index of the entry in the scene */
    float place[3];   /* position of the handle when it was taken, m */
    float forward[3]; /* normal of the plane in which the handle is dragged */
    bool behind;      /* the sun is on the half of the dome that faces away from the camera */
    bool edge;        /* the cursor is outside the dome's outline */
} Gizmo;

/* Finds the handle at a point of the window, points. Returns false, with kind GIZMO_NONE, if there
 * is none. */
bool gizmo_pick(Gizmo *gizmo, const Scene *scene, const Marks *marks, float x, float y);
/* Writes the key that a handle changes, such as "emitters[0].center". The sun's handle changes two
 * keys: the first one is written. */
void gizmo_key(const Gizmo *gizmo, char *text, size_t size);
/* Whether the scene's timeline sets a key that the handle changes. */
bool gizmo_led(const Gizmo *gizmo, const Scene *scene);
/* Moves the handle in the scene to the ray. Returns false if the ray does not meet the handle's
 * plane. The sun can always be moved. */
bool gizmo_follow(Gizmo *gizmo, const BrushRay *ray, Scene *scene);

/* Draws all handles. hot: the handle under the cursor, or the handle being dragged, which is drawn
 * stronger. */
void gizmo_mark(const Scene *scene, const Gizmo *hot, Marks *marks);

#endif
