/* SPDX-License-Identifier: MIT
 *
 * Solids and emitters independent of the grid: motion, and checks of their places. */
#ifndef SIM_BODIES_H
#define SIM_BODIES_H

#include "sim/shapes/shape.h"
#include <billow/billow.h>

/* The shape of a solid at its place. */
PlacedShape bodies_place(const BillowSolid *solid);

/* Moves a solid by dt. For a falling solid its velocity becomes the one in the middle of dt, which
 * is the mean over dt that the fluid needs. `*behind` becomes dt/2, the time by which the velocity
 * lags behind the position (leapfrog). The fall is thus the exact parabola at the ends of steps of
 * any length. After a bounce off the floor or ceiling `*behind` is 0, as the velocity is then
 * that of the position. pull: acceleration of a body
 * that floats, m/s2, and of its spin, rad/s2; NULL: a falling solid has its gravity alone. */
void solid_motion_advance(const BillowDef *def, BillowSolid *solid, const double pull[6],
                          double *behind, double dt);

/* Turns a solid for the time dt at its present spin. */
void bodies_turn(BillowSolid *solid, double dt);

/* Largest speed, by its spin, of a point of a solid that lies between these bounds, m/s. */
double bodies_rim_speed(const BillowSolid *solid, const double low[3], const double high[3]);

/* Whether the air moves a solid: it falls and has a density. */
bool bodies_float(const BillowSolid *solid);

/* Whether a solid is beyond an unbounded side, more than a cell from the box. */
bool bodies_outside(const BillowDef *def, const PlacedShape *placed);

/* Ranges of BillowSolid.velocity and BillowSolid.spin. */
#define BODY_SPEED_MOST 1e4
#define BODY_SPIN_MOST  1e3

/* Whether an emitter of the definition is wholly inside solids that do not move. If so, writes the
 * message. */
bool bodies_bury(const BillowDef *def, int emitter, BillowError *error);

/* Whether a solid has a velocity, a spin, a shape that changes, or falls. */
bool bodies_move(const BillowSolid *solid);
/* Whether its shape changes. */
bool bodies_change(const BillowSolid *solid);
/* Whether `now` differs from `before` in shape, size, position or rotation. */
bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now);
bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now);

#endif
