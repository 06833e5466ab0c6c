/* SPDX-License-Identifier: MIT
 *
 * A grabbed solid in the simulation: it follows the hand, and flies on when it is let go. */
#ifndef APP_GRIP_H
#define APP_GRIP_H

#include <billow/billow.h>

enum { GRIP_MEMORY = 3 };

/* What the hand wants. */
typedef struct Grasp {
    bool holds; /* a solid */
    int solid;
    float center[3]; /* where its centre is to be, m */
} Grasp;

typedef struct Grip {
    Grasp grasp;                  /* of the last step */
    BillowSolid before;           /* the solid as it was before it was grabbed */
    float pulled[GRIP_MEMORY][3]; /* its velocity in the last steps, m/s */
    int steps;                    /* taken since it was grabbed */
    bool gliding;                 /* it was let go and has not come to rest */
    float thrown[3];              /* its velocity when it was let go, m/s */
} Grip;

/* To be called before each step, with its length in seconds. Gives the solid the velocity that
 * takes it to where the hand wants it, by at most 20 cells. A solid that falls keeps its velocity
 * when it is let go. Any other loses it within a second, or at the faces of the box, and then moves
 * as it did before it was grabbed. */
void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp);

#endif
