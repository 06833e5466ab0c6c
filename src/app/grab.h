/* SPDX-License-Identifier: MIT
 *
 * Dragging a solid. The cursor picks it and drags it in a plane that faces the camera, through the
 * point that was picked. In the simulation the solid follows, and flies on when it is let go. */
#ifndef APP_GRAB_H
#define APP_GRAB_H

#include "brush.h"

/* -- the cursor -------------------------------------------------------------------------------- */

typedef struct Grab {
    int solid;
    float taken[3];   /* picked point on the surface, m */
    float offset[3];  /* displacement from that point to the solid's centre, m */
    float forward[3]; /* normal of the plane */
} Grab;

/* Finds the first solid on the ray within the box. distance: along the ray, m. Returns false where
 * there is none. */
bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance);

/* Picks the first solid on the ray. Returns false where there is none, and for planes, which cannot
 * be moved. */
bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count);

/* Moves the plane away from the camera, by brush_notch for each notch of the wheel. */
void grab_deepen(Grab *grab, const Brush *brush, float notches);

/* Finds the place for the solid's centre, within the box. Returns false where the ray does not meet
 * the plane. */
bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3]);

/* -- the simulation ---------------------------------------------------------------------------- */

enum { GRIP_MEMORY = 3 };

/* The user's wish. */
typedef struct Grasp {
    bool holds;      /* a solid is grabbed */
    int solid;       /* index of the grabbed solid */
    float center[3]; /* place for its centre, m */
} Grasp;

typedef struct Grip {
    Grasp grasp;                  /* the wish in the last step */
    BillowSolid before;           /* the solid before it was grabbed */
    float pulled[GRIP_MEMORY][3]; /* velocities of the solid in the last steps, m/s */
    int steps;                    /* number of steps since the solid was grabbed */
    bool gliding;                 /* the solid was let go and still moves */
    float thrown[3];              /* its velocity since it was let go, m/s */
} Grip;

/* Call this before each step of `step` seconds. Gives a grabbed solid the velocity that moves it to
 * the wanted place, by at most 20 cells. A falling solid keeps its velocity when it is let go. Any
 * other loses it within a second, or at the faces of the box, and then moves as it did before it
 * was grabbed. */
void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp);

#endif
