/* SPDX-License-Identifier: MIT
 *
 * How a solid moves: along its velocity, by its spin, and, if it falls, by gravity and off the box.
 */
#include "solids.h"

#include "shape.h"

#include <math.h>

/* The product a b of quaternions (x, y, z, w). */
static void multiply(const double a[4], const double b[4], double product[4])
{
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void normalise(double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int c = 0; c < 4; c++)
        q[c] /= sqrt(square);
}

/* Halvings whose rounding does not show: 100 turns in a step. */
enum { HALVINGS_EXACT = 12 };

/* The rotation by `spin` over dt: (spin/|spin| sin s, cos s) with s = |spin| dt / 2. The angle is
 * halved until a series converges, and the result doubled as often. Library sines are avoided,
 * since their last bits differ from machine to machine. */
static void rotation_of(const float spin[3], double dt, double rotation[4])
{
    double half[3], square = 0;
    int halvings = 0;
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = 0.5 * dt * (double)spin[axis];
        square += half[axis] * half[axis];
    }
    for (; square > 0.25 && halvings < 64; halvings++) {
        square *= 0.25;
        for (int axis = 0; axis < 3; axis++)
            half[axis] *= 0.5;
    }
    double sine = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
    for (int axis = 0; axis < 3; axis++)
        rotation[axis] = half[axis] * sine;
    rotation[3] = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
    for (; halvings > 0; halvings--) {
        const double part[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
        multiply(part, part, rotation);
        if (halvings > HALVINGS_EXACT) /* each doubling also doubles the error of the length */
            normalise(rotation);
    }
}

static void turn(BillowSolid *solid, double dt)
{
    const float *w = solid->spin;
    if (w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f)
        return;
    double by[4], before[4], after[4], square = 0;
    rotation_of(w, dt, by);
    for (int c = 0; c < 4; c++)
        before[c] = (double)solid->rotation[c];
    multiply(by, before, after);
    for (int c = 0; c < 4; c++)
        square += after[c] * after[c];
    for (int c = 0; c < 4; c++)
        solid->rotation[c] = (float)(after[c] / sqrt(square));
}

/* A sticky sphere at a face of the box: the impulse along the face that ends the slip u there,
 *     u = v - r spin x n,    v' = v - 2/7 u,    spin' = spin + 5/(7 r) n x u,
 * with the moment of inertia 2/5 m r^2 and n the face's normal into the box. From then on it rolls.
 */
static void roll(BillowSolid *solid, int axis, double normal)
{
    double r = (double)solid->size[0];
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    if (solid->shape != BILLOW_SPHERE || !solid->sticky || !(r > 0))
        return;
    double slip_b = (double)solid->velocity[b] - r * normal * (double)solid->spin[c];
    double slip_c = (double)solid->velocity[c] + r * normal * (double)solid->spin[b];
    solid->velocity[b] -= (float)(2.0 / 7 * slip_b);
    solid->velocity[c] -= (float)(2.0 / 7 * slip_c);
    solid->spin[b] -= (float)(5 / (7 * r) * normal * slip_c);
    solid->spin[c] += (float)(5 / (7 * r) * normal * slip_b);
}

/* Turns back what lies `past` behind a face. It moves towards the face at `out` now, under the
 * acceleration `pull`. It therefore met the face at sqrt(out^2 - 2 pull past) and has been on its
 * way back since. If it is too slow to leave the face for a step, it stays there. */
static void turn_back(BillowSolid *solid, double past, double pull, double dt, double *offset,
                      double *speed)
{
    double out = *speed, met = sqrt(fmax(out * out - 2 * pull * past, 0));
    double since = met + fabs(out) > 0 ? fmin(2 * past / (met + fabs(out)), dt) : 0;
    double back = (double)solid->bounce * met;
    if (2 * back <= pull * dt) {
        *offset = *speed = 0;
        return;
    }
    *offset = fmax(back * since - 0.5 * pull * since * since, 0);
    *speed = back - pull * since;
}

/* A falling solid turns back where its bounds leave the box. */
static void bounce(const BillowDef *def, BillowSolid *solid, double *behind, double dt)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    PlacedShape placed =
        shape_place(solid->shape, solid->size, solid->center, solid->rotation, solid->volume);
    double low[3], high[3];
    shape_bounds(&placed, low, high);
    for (int axis = 0; axis < 3; axis++) {
        double least = (double)def->origin[axis];
        double most = least + (double)def->cell_size * cells[axis];
        double end = (double)solid->velocity[axis];
        double fall = axis == 1 ? -(double)solid->gravity : 0, offset, speed;
        end += fall * *behind;
        bool out_low = low[axis] <= least && end < 0, out_high = high[axis] >= most && end > 0;
        double normal = out_low ? 1 : -1;
        double past = out_low ? least - low[axis] : high[axis] - most;
        if ((!out_low && !out_high) || !isfinite(past)) /* or a plane, which has no end there */
            continue;
        speed = -normal * end;
        turn_back(solid, past, -normal * fall, dt, &offset, &speed);
        solid->center[axis] += (float)(normal * (past + offset));
        solid->velocity[axis] = (float)(normal * speed);
        if (axis == 1)
            *behind = 0;
        roll(solid, axis, normal);
    }
}

void solid_motion_advance(const BillowDef *def, BillowSolid *solid, double *behind, double dt)
{
    bool falls = solid->motion == BILLOW_FALLING;
    if (falls) {
        solid->velocity[1] -= (float)((double)solid->gravity * (*behind + 0.5 * dt));
        *behind = 0.5 * dt;
    }
    for (int axis = 0; axis < 3; axis++)
        solid->center[axis] += (float)((double)solid->velocity[axis] * dt);
    turn(solid, dt);
    if (falls)
        bounce(def, solid, behind, dt);
}
