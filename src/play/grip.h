/* SPDX-License-Identifier: MIT
 *
 * A hand's grip on a solid. In the simulation the solid follows the place to which it is dragged.
 * When it is let go, it moves on. */
#ifndef PLAY_GRIP_H
#define PLAY_GRIP_H

#include <billow/billow.h>

enum { GRIP_MEMORY = 3 };

/* What the user's drag asks of the simulation. */
typedef struct Grasp {
    bool holds;      /* a solid is grabbed */
    int solid;       /* index of the grabbed solid */
    float center[3]; /* position to which the solid's centre shall move, m */
} Grasp;

typedef struct Grip {
    Grasp grasp;                  /* the drag's request in the last step */
    BillowSolid before;           /* the solid before it was grabbed */
    float pulled[GRIP_MEMORY][3]; /* velocities of the last steps, a ring buffer, m/s */
    int steps;                    /* number of steps since the solid was grabbed */
    bool gliding;                 /* the solid was let go and still moves */
    float thrown[3];              /* velocity of the gliding solid, m/s */
} Grip;

/* Moves a grabbed or gliding solid. Call this before each step of `step` seconds. A grabbed solid
 * gets the velocity that moves its centre towards `grasp->center`, by at most 20 cells. A falling
 * solid keeps its velocity when it is let go. Any other solid slows down with a time constant of
 * 0.3 s, and stops at the faces of the box. After that it has the velocity from before it was
 * grabbed. */
void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp);
/* Ends the motion of a gliding solid: it has the velocity from before it was grabbed. */
void grip_stop(Grip *grip, BillowSim *sim, const BillowDef *def);

#endif
