/* SPDX-License-Identifier: MIT
 *
 * A solid in a hand, as the simulation has it: it goes where the hand wants it, and flies on when
 * it is let go. */
#ifndef APP_GRIP_H
#define APP_GRIP_H

#include <billow/billow.h>

enum { GRIP_MEMORY = 3 };

/* The solid in a hand, and where that wants its centre. */
typedef struct Grasp {
    bool holds;
    int solid;
    float center[3];
} Grasp;

typedef struct Grip {
    Grasp grasp;                  /* of the last step */
    BillowSolid before;           /* its solid as it was before it was taken */
    float pulled[GRIP_MEMORY][3]; /* m/s; in the last steps, */
    int steps;                    /* of so many since it was taken */
    bool gliding;                 /* let go, and not yet at rest */
    float thrown[3];              /* m/s; then */
} Grip;

/* Before a step of so many seconds: gives the solid the velocity that takes it to where the hand
 * wants it, by up to 20 cells a step. Let go, what falls keeps the speed that the hand gave it;
 * what does not loses that within a second, or at the faces of the box, and goes on as it did
 * before it was taken. */
void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp);

#endif
