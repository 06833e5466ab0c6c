/* SPDX-License-Identifier: MIT
 *
 * What the hands do in the smoke: strokes of their brushes, detonations, and solids that they drag.
 *
 * Each hand has a brush and a grip of its own, so that several hands act in one step. Commands
 * (sim_command.h) say what the hands do; hands_act does it before a step. Equal commands before
 * equal steps give the same bits. Commands that the simulation refuses have no effect. */
#ifndef PLAY_SIM_HANDS_H
#define PLAY_SIM_HANDS_H

#include "play/sim_command.h"

/* -- a grip on a solid --------------------------------------------------------------------------
 */

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

/* -- all hands ------------------------------------------------------------------------------------
 */

#define STROKE_MAX      16 /* positions of a brush per step; a further one replaces the last */
#define DETONATIONS_MAX 8  /* detonations at one time; more are ignored */

typedef struct Detonation {
    BillowEmitter emitter;
    double left; /* simulated time for which it will still release, s */
} Detonation;

/* What the brush and the grabbed solid of one hand do in the next step. */
typedef struct HandBrush {
    BillowEmitter stroke[STROKE_MAX]; /* positions of the brush since the last step */
    int stroke_count;
    bool pressed;       /* the brush releases in every step, even if it does not move */
    BillowEmitter last; /* emitter at the last position of the brush */
    BillowForce force;
    bool pushing; /* the force acts in every step */
    bool pushed;  /* the force acts in the next step, even if `pushing` is false by then */
    Grasp grasp;
} HandBrush;

/* What is stored with each state of the simulation. */
typedef struct HandsPast {
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grips[SIM_HANDS_MAX]; /* motion of the solids that are grabbed or were thrown */
} HandsPast;

typedef struct Hands {
    HandBrush brushes[SIM_HANDS_MAX];
    HandsPast past;
    double steps; /* number of steps for which a brush releases smoke in one step */
} Hands;

/* Ends all strokes, drags and detonations. `steps` stays. */
void hands_reset(Hands *hands);
/* Applies a command of a hand. Returns false if the command is of another kind. A solid that one
 * hand holds cannot be grabbed by another before the step after its release. */
bool hands_apply(Hands *hands, const BillowDef *def, const SimCommand *command);
/* Whether a brush will release smoke in the next step. */
bool hands_brush(const Hands *hands);
/* Acts on the simulation before a step of so many seconds. def: its definition. */
void hands_act(Hands *hands, BillowSim *sim, const BillowDef *def, double step);
/* Applies a change of the definition's solids to what they return to when they are let go. */
void hands_follow(Hands *hands, const BillowDef *before, const BillowDef *after);

#endif
