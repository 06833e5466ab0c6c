/* SPDX-License-Identifier: MIT */
#include "scene_rotation.h"

#include "scene_keys.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void scene_rotation_read(const double turn[4], float q[4])
{
    double length = 0;
    for (int axis = 0; axis < 3; axis++)
        length += turn[axis] * turn[axis];
    double sine = sin(0.5 * turn[3] * DEGREE) / sqrt(length);
    for (int axis = 0; axis < 3; axis++)
        q[axis] = (float)(turn[axis] * sine);
    q[3] = (float)cos(0.5 * turn[3] * DEGREE);
}

/* How far from a float, towards 0 or away from it, numbers still round to it; a little less, as
 * what is computed with them rounds, too. */
static double reach(float value, bool up)
{
    float next = nextafterf(fabsf(value), up ? INFINITY : 0);
    return 0.49999999 * fabs((double)next - (double)fabsf(value));
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The vector part, moved within what rounds to the same floats: share -1 makes it as short as that
 * allows, 1 as long. */
static void move(const float q[4], double share, double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double most = q[axis] == 0.0f ? 0 : reach(q[axis], share > 0);
        v[axis] = copysign(fabs((double)q[axis]) + share * most, (double)q[axis]);
    }
}

/* Half the angle. Rounding has taken q off the unit sphere, to which an axis and an angle are
 * bound: what rounds to the vector part has a length of low to high, which are sines, and what
 * rounds to the scalar part is a cosine; the angle lies where both agree,
 * or, where they do not, where it is known better. */
static double half_angle(const float q[4], double low, double high)
{
    double w = (double)q[3], size = fabs(w), pi = acos(-1);
    double from = acos(fmin(size + reach(q[3], true), 1)), to = acos(size - reach(q[3], false));
    double first = asin(fmin(low, 1)), last = asin(fmin(high, 1));
    double angle = size < 0.7 ? 0.5 * (from + to) : 0.5 * (first + last);
    if (fmax(from, first) <= fmin(to, last))
        angle = 0.5 * (fmax(from, first) + fmin(to, last));
    return w < 0 ? pi - angle : angle;
}

void scene_rotation_turn(const float q[4], double turn[4])
{
    double v[3], low, high, below = -1, above = 1;
    move(q, -1, v);
    low = length_of(v);
    move(q, 1, v);
    high = length_of(v);
    if (!(high > 0)) { /* an axis with the zeros' signs */
        for (int axis = 0; axis < 3; axis++)
            turn[axis] = signbit(q[axis]) ? -1 : 1;
        turn[3] = q[3] < 0 ? 360 : 0;
        return;
    }
    double angle = half_angle(q, low, high), sine = sin(angle);
    for (int halving = 0; halving < 60; halving++) {
        double middle = 0.5 * (below + above);
        move(q, middle, v);
        *(length_of(v) < sine ? &below : &above) = middle;
    }
    /* Readable where that does: the axis at length 1. */
    for (int axis = 0; axis < 3; axis++)
        turn[axis] = v[axis] / length_of(v);
    turn[3] = 2 * angle / DEGREE;
}

/* Rounds to so many digits; whether that still gives q. */
static bool enough(const float q[4], const double turn[4], int digits, char text[4][32])
{
    double rounded[4];
    float back[4];
    for (int part = 0; part < 4; part++) {
        snprintf(text[part], 32, "%.*g", digits, turn[part]);
        sscanf(text[part], "%lf", &rounded[part]);
    }
    if (rounded[0] == 0 && rounded[1] == 0 && rounded[2] == 0)
        return false;
    scene_rotation_read(rounded, back);
    return memcmp(back, q, sizeof back) == 0;
}

void scene_rotation_format(const float q[4], char *text, size_t size)
{
    static const float none[4] = {0, 0, 0, 1};
    char parts[4][32];
    double turn[4];
    if (memcmp(q, none, sizeof none) == 0) {
        snprintf(text, size, "[0, 1, 0, 0]");
        return;
    }
    scene_rotation_turn(q, turn);
    for (int digits = 6; digits <= 17; digits++)
        if (enough(q, turn, digits, parts))
            break;
    snprintf(text, size, "[%s, %s, %s, %s]", parts[0], parts[1], parts[2], parts[3]);
}
