/* SPDX-License-Identifier: MIT */
#include "verify/path_tracer.h"

#include <math.h>
#include <stddef.h>

#define PI 3.14159265358979323846

/* -- random numbers ---------------------------------------------------------------------------- */

/* A uniform random number, 0 <= x < 1, by splitmix64 (Steele, Lea, Flood 2014). */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double path_phase(double cosine, double g)
{
    double d = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (4 * PI * d * sqrt(d));
}

/* Draws a cosine from the Henyey-Greenstein phase function by inverting its integral. u: uniform in
 * 0 to 1. */
static double scatter_cosine(double g, double u)
{
    if (fabs(g) < 1e-3)
        return 2 * u - 1;
    double s = (1 - g * g) / (1 - g + 2 * g * u);
    return fmin(fmax((1 + g * g - s * s) / (2 * g), -1), 1);
}

/* Draws a scattering cosine from the phase function, which has one or two lobes. */
static double new_cosine(const PathSmoke *smoke, uint64_t *state)
{
    bool back = smoke->back_share > 0 && uniform(state) < smoke->back_share;
    return scatter_cosine(back ? smoke->back_cosine : smoke->mean_cosine, uniform(state));
}

/* Phase function, sum of both lobes, 1/sr. */
static double phase_of(const PathSmoke *smoke, double cosine)
{
    return (1 - smoke->back_share) * path_phase(cosine, smoke->mean_cosine) +
           smoke->back_share * path_phase(cosine, smoke->back_cosine);
}

/* Turns a direction by the angle whose cosine is given. around: azimuth about the old direction,
 * rad. The basis is that of Duff and others (2017). */
static void turn(double direction[3], double cosine, double around)
{
    const double *d = direction;
    double sign = copysign(1, d[2]), a = -1 / (sign + d[2]), b = d[0] * d[1] * a;
    const double u[3] = {1 + sign * d[0] * d[0] * a, sign * b, -sign * d[0]};
    const double v[3] = {b, sign + d[1] * d[1] * a, -d[1]};
    double sine = sqrt(fmax(1 - cosine * cosine, 0)), turned[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        turned[axis] = sine * (cos(around) * u[axis] + sin(around) * v[axis]) + cosine * d[axis];
        length += turned[axis] * turned[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        direction[axis] = turned[axis] / sqrt(length);
}

/* -- the smoke --------------------------------------------------------------------------------- */

static double field_at(const PathSmoke *smoke, const float *field, const double place[3])
{
    int low[3];
    double t[3], sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double x = fmin(fmax(place[axis] - 0.5, 0), smoke->n[axis] - 1);
        low[axis] = (int)x < smoke->n[axis] - 1 ? (int)x : smoke->n[axis] - 2;
        low[axis] = low[axis] > 0 ? low[axis] : 0;
        t[axis] = x - low[axis];
    }
    for (int corner = 0; corner < 8; corner++) {
        int at[3];
        double weight = 1;
        for (int axis = 0; axis < 3; axis++) {
            int far = corner >> axis & 1;
            weight *= far ? t[axis] : 1 - t[axis];
            at[axis] = low[axis] + far < smoke->n[axis] ? low[axis] + far : low[axis];
        }
        sum +=
            weight * (double)field[at[0] + smoke->n[0] * (at[1] + (ptrdiff_t)smoke->n[1] * at[2])];
    }
    return sum;
}

static double density_at(const PathSmoke *smoke, const double place[3])
{
    return field_at(smoke, smoke->density, place);
}

static double tint_at(const PathSmoke *smoke, const double place[3])
{
    float rgb[3];
    if (smoke->tint == NULL)
        return 1;
    render_ramp_color(smoke->tint, (float)density_at(smoke, place), rgb);
    return (double)rgb[smoke->color];
}

/* Largest extinction in the box, per cell. */
static double majorant(const PathSmoke *smoke)
{
    double most = 0;
    ptrdiff_t count = (ptrdiff_t)smoke->n[0] * smoke->n[1] * smoke->n[2];
    for (ptrdiff_t i = 0; i < count; i++)
        most = fmax(most, (double)smoke->density[i]);
    return most * smoke->extinction;
}

/* Part of a ray inside the box, from `near` to `far`. near >= far: the ray misses the box. */
static void box_range(const PathSmoke *smoke, const double origin[3], const double direction[3],
                      double *near, double *far)
{
    *near = 0;
    *far = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double inverse = 1 / (fabs(direction[axis]) > 1e-12 ? direction[axis] : 1e-12);
        double a = -origin[axis] * inverse, b = (smoke->n[axis] - origin[axis]) * inverse;
        *near = fmax(*near, fmin(a, b));
        *far = fmin(*far, fmax(a, b));
    }
}

static void move(double place[3], const double direction[3], double along)
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] += along * direction[axis];
}

/* Estimates the transmittance between a point and a light. most: result of majorant. */
static double light_through(const PathSmoke *smoke, const double place[3], const double to[3],
                            double distance, double most, uint64_t *state)
{
    double near, far, passed = 1;
    box_range(smoke, place, to, &near, &far);
    far = fmin(far, distance);
    double along = near;
    while (passed > 0) {
        along -= log(1 - uniform(state)) / most;
        if (along >= far)
            break;
        double at[3] = {place[0], place[1], place[2]};
        move(at, to, along);
        passed *= 1 - density_at(smoke, at) * smoke->extinction / most;
    }
    return passed;
}

/* Dot product. */
static double cosine_of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Radiance of sun and lamp that a collision scatters into the path, for an albedo of 1. */
static double lit(const PathSmoke *smoke, const double place[3], const double direction[3],
                  double most, uint64_t *state)
{
    double radiance = 0;
    if (smoke->sun_irradiance > 0)
        radiance += smoke->sun_irradiance * phase_of(smoke, cosine_of(direction, smoke->sun)) *
                    light_through(smoke, place, smoke->sun, INFINITY, most, state);
    if (smoke->lamp_intensity > 0) {
        double to[3], square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += (smoke->lamp[axis] - place[axis]) * (smoke->lamp[axis] - place[axis]);
        double distance = fmax(sqrt(square), 1e-9);
        for (int axis = 0; axis < 3; axis++)
            to[axis] = (smoke->lamp[axis] - place[axis]) / distance;
        radiance += smoke->lamp_intensity / fmax(square, smoke->lamp_radius * smoke->lamp_radius) *
                    phase_of(smoke, cosine_of(direction, to)) *
                    light_through(smoke, place, to, distance, most, state);
    }
    return radiance;
}

/* Radiance that arrives from a direction, except the sun's. */
static double outside(const PathSmoke *smoke, const double direction[3])
{
    double low = exp(-6 * direction[1]);
    return direction[1] < 0 ? smoke->below : (1 - low) * smoke->zenith + low * smoke->horizon;
}

/* -- paths ------------------------------------------------------------------------------------- */

/* Moves place to the next collision. Returns false if the path leaves the box first. */
static bool fly(const PathSmoke *smoke, double place[3], const double direction[3], double most,
                uint64_t *state)
{
    double near, far, along;
    box_range(smoke, place, direction, &near, &far);
    for (along = near; along < far;) {
        along -= log(1 - uniform(state)) / most;
        double at[3] = {place[0], place[1], place[2]};
        move(at, direction, along);
        if (along < far && uniform(state) * most < density_at(smoke, at) * smoke->extinction) {
            move(place, direction, along);
            return true;
        }
    }
    return false;
}

/* Irradiance of the ground by the sun at a place. */
static double sun_on_ground(const PathSmoke *smoke, const double place[3], double most,
                            uint64_t *state)
{
    if (!(smoke->sun_irradiance > 0) || smoke->sun[1] <= 0)
        return 0;
    return smoke->sun_irradiance * smoke->sun[1] *
           light_through(smoke, place, smoke->sun, INFINITY, most, state);
}

/* Draws a direction upwards, with a probability proportional to its cosine to the vertical. */
static void leave_ground(double direction[3], uint64_t *state)
{
    double square = uniform(state), around = 2 * PI * uniform(state);
    direction[0] = sqrt(square) * cos(around);
    direction[1] = sqrt(1 - square);
    direction[2] = sqrt(square) * sin(around);
}

/* Traces one random path and returns its radiance. */
static double follow(const PathSmoke *smoke, const double origin[3], const double start[3],
                     double most, uint64_t *state)
{
    double place[3] = {origin[0], origin[1], origin[2]};
    double direction[3] = {start[0], start[1], start[2]};
    double weight = 1, radiance = 0;
    if (!(most > 0) || !fly(smoke, place, direction, most, state))
        return 0;
    for (;;) {
        if (smoke->temperature != NULL)
            radiance += weight * smoke->glow(smoke->glow_context,
                                             field_at(smoke, smoke->temperature, place));
        weight *= smoke->albedo * tint_at(smoke, place);
        radiance += weight * lit(smoke, place, direction, most, state);
        if (weight < 0.1) { /* Russian roulette */
            if (uniform(state) > 0.5)
                return radiance;
            weight *= 2;
        }
        turn(direction, new_cosine(smoke, state), 2 * PI * uniform(state));
        while (!fly(smoke, place, direction, most, state)) {
            if (!(smoke->ground > 0) || direction[1] >= 0)
                return radiance + weight * outside(smoke, direction);
            move(place, direction, -place[1] / direction[1]);
            place[1] = 0;
            weight *= smoke->ground;
            radiance += weight * sun_on_ground(smoke, place, most, state) / PI;
            leave_ground(direction, state);
        }
    }
}

double path_trace(const PathSmoke *smoke, const double origin[3], const double direction[3],
                  int paths, uint64_t seed)
{
    double most = majorant(smoke), sum = 0;
    uint64_t state = seed * 0xd1342543de82ef95u + 1;
    for (int path = 0; path < paths; path++)
        sum += follow(smoke, origin, direction, most, &state);
    return sum / paths;
}
