/* SPDX-License-Identifier: MIT
 *
 * Geometry of the shapes: signed distances, bounds and volumes. */
#include "sim/shapes/shape.h"

#include "base/mathematics.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double clamped(double a, double low, double high)
{
    return larger(low, smaller(a, high));
}

static double length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

static double length3(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/* Transpose of the quaternion's rotation matrix: from world coordinates to the shape's own. */
static void turn_of(const float rotation[4], double turn[3][3])
{
    double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2];
    double w = (double)rotation[3], squared = x * x + y * y + z * z + w * w;
    double s = squared > 0 ? 2 / squared : 0;
    const double rows[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
        {s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)},
        {s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)},
    };
    for (int row = 0; row < 3; row++)
        for (int axis = 0; axis < 3; axis++)
            turn[row][axis] = rows[row][axis];
}

PlacedShape shape_place(BillowShape shape, const float size[3], const float center[3],
                        const float rotation[4], const BillowVolume *volume)
{
    bool changes = shape == BILLOW_VOLUME && volume != NULL && volume->next != NULL;
    PlacedShape placed = {
        .shape = shape, .volume = volume, .share = changes ? volume->share[0] : 0};
    for (int axis = 0; axis < 3; axis++) {
        placed.size[axis] = (double)size[axis];
        placed.center[axis] = (double)center[axis];
    }
    turn_of(rotation, placed.turn);
    return placed;
}

/* Inside a box the distance is that to the nearest face, negative. Outside it is the length of the
 * vector from the box's nearest point. */
static double box_distance(const double p[3], const double half[3])
{
    double outside = 0, most = -INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double excess = fabs(p[axis]) - half[axis], positive = larger(excess, 0);
        outside += positive * positive;
        most = larger(most, excess);
    }
    return most < 0 ? most : sqrt(outside);
}

static double cylinder_distance(const double p[3], double radius, double half)
{
    double across = length2(p[0], p[2]) - radius, along = fabs(p[1]) - half;
    double most = larger(across, along);
    return most < 0 ? most : length2(larger(across, 0), larger(along, 0));
}

/* The half plane through the axis shows a triangle between the axis, the base from (0, -h) to
 * (r, -h), and the side from there to the tip (0, h). The side's normal is (2 h, r). */
static double cone_distance(const double p[3], double r, double h)
{
    double out = length2(p[0], p[2]), up = p[1] + h, side = r * r + 4 * h * h;
    double share = side > 0 ? clamped((2 * h * up - r * (out - r)) / side, 0, 1) : 0;
    double to_side = length2(out - r + share * r, up - share * 2 * h);
    double nearest = smaller(to_side, length2(larger(out - r, 0), up));
    return up > 0 && 2 * h * (out - r) + r * up < 0 ? -nearest : nearest;
}

/* Trilinear interpolation at position `at`, in samples, of samples that lie `width` floats apart.
 * `at` must lie within the samples. */
static double volume_interpolate(const BillowVolume *volume, const float *samples, size_t width,
                                 const double at[3])
{
    const int counts[3] = {volume->nx, volume->ny, volume->nz};
    int first[3];
    double share[3];
    for (int axis = 0; axis < 3; axis++) {
        int last = counts[axis] - 2;
        first[axis] = (int)at[axis] < last ? (int)at[axis] : last;
        share[axis] = at[axis] - first[axis];
    }
    double planes[2];
    for (int dz = 0; dz < 2; dz++) {
        double rows[2];
        for (int dy = 0; dy < 2; dy++) {
            const float *x =
                samples +
                width * (((size_t)(first[2] + dz) * (size_t)volume->ny + (size_t)(first[1] + dy)) *
                             (size_t)volume->nx +
                         (size_t)first[0]);
            rows[dy] = (double)x[0] + share[0] * ((double)x[width] - (double)x[0]);
        }
        planes[dz] = rows[0] + share[1] * (rows[1] - rows[0]);
    }
    return planes[0] + share[2] * (planes[1] - planes[0]);
}

static double volume_sample(const BillowVolume *volume, const float *samples, const double at[3])
{
    return volume_interpolate(volume, samples, 1, at);
}

/* Signed distance to a volume of scale 1. Outside of the samples it is at least sqrt(e^2 + d^2). e
 * is the distance to the samples' box, and d is the value at the nearest point of the box. The box
 * is convex, so that the path from its nearest point on to any point in it makes an angle of at
 * least 90 degrees with the path to the nearest point. A shape that extends beyond its samples ends
 * at their box. */
static double volume_distance(const BillowVolume *volume, double part, const double p[3])
{
    const int counts[3] = {volume->nx, volume->ny, volume->nz};
    const double spacing = (double)volume->spacing;
    double at[3], beyond = 0, depth = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double sample = (p[axis] - (double)volume->low[axis]) / spacing, last = counts[axis] - 1;
        at[axis] = clamped(sample, 0, last);
        double past = (sample - at[axis]) * spacing;
        beyond += past * past;
        depth = smaller(depth, smaller(sample, last - sample) * spacing);
    }
    double distance = volume_sample(volume, volume->distance, at);
    if (volume->next != NULL && part > 0)
        distance = (1 - part) * distance + part * volume_sample(volume, volume->next, at);
    if (beyond > 0) {
        distance = larger(distance, 0);
        return sqrt(beyond + distance * distance);
    }
    return larger(distance, -depth);
}

/* The position of a point among a volume's samples, moved to the nearest point of their box. */
static void among_samples(const PlacedShape *placed, const double point[3], double at[3])
{
    const BillowVolume *volume = placed->volume;
    const int counts[3] = {volume->nx, volume->ny, volume->nz};
    for (int row = 0; row < 3; row++) {
        double p = 0;
        for (int axis = 0; axis < 3; axis++)
            p += placed->turn[row][axis] * (point[axis] - placed->center[axis]);
        p = placed->size[0] > 0 ? p / placed->size[0] : 0;
        at[row] =
            clamped((p - (double)volume->low[row]) / (double)volume->spacing, 0, counts[row] - 1);
    }
}

double shape_change(const PlacedShape *placed, const double point[3])
{
    const BillowVolume *volume = placed->volume;
    double at[3];
    if (placed->shape != BILLOW_VOLUME || volume->next == NULL)
        return 0;
    among_samples(placed, point, at);
    return placed->size[0] *
           (volume_sample(volume, volume->next, at) - volume_sample(volume, volume->distance, at));
}

double shape_amount(const PlacedShape *placed, const double point[3])
{
    double at[3];
    if (placed->shape != BILLOW_VOLUME || placed->volume->amount == NULL)
        return 1;
    among_samples(placed, point, at);
    return volume_sample(placed->volume, placed->volume->amount, at);
}

double shape_amounts(const PlacedShape *placed)
{
    const BillowVolume *volume = placed->volume;
    double edge = (double)volume->spacing * placed->size[0], sum = 0;
    size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    for (size_t s = 0; s < samples; s++)
        sum += (double)volume->amount[s];
    return sum * edge * edge * edge;
}

void shape_velocity(const PlacedShape *placed, const double point[3], float velocity[3])
{
    const BillowVolume *volume = placed->volume;
    double at[3];
    velocity[0] = velocity[1] = velocity[2] = 0;
    if (placed->shape != BILLOW_VOLUME || volume->velocity == NULL)
        return;
    among_samples(placed, point, at);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = (float)volume_interpolate(volume, &volume->velocity[0][axis], 3, at);
}

double shape_distance(const PlacedShape *placed, const double point[3])
{
    const double *size = placed->size;
    double d[3], p[3];
    for (int axis = 0; axis < 3; axis++)
        d[axis] = point[axis] - placed->center[axis];
    for (int row = 0; row < 3; row++) {
        const double *turn = placed->turn[row];
        p[row] = turn[0] * d[0] + turn[1] * d[1] + turn[2] * d[2];
    }
    switch (placed->shape) {
    case BILLOW_SPHERE:
        return length3(d[0], d[1], d[2]) - size[0];
    case BILLOW_BOX:
        return box_distance(p, size);
    case BILLOW_CYLINDER:
        return cylinder_distance(p, size[0], size[1]);
    case BILLOW_CAPSULE:
        return length3(p[0], p[1] - clamped(p[1], -size[1], size[1]), p[2]) - size[0];
    case BILLOW_TORUS:
        return length2(length2(p[0], p[2]) - size[0], p[1]) - size[1];
    case BILLOW_CONE:
        return cone_distance(p, size[0], size[1]);
    case BILLOW_PLANE:
        return p[1];
    case BILLOW_VOLUME:
        if (!(size[0] > 0))
            return length3(p[0], p[1], p[2]);
        for (int axis = 0; axis < 3; axis++)
            p[axis] /= size[0];
        return size[0] * volume_distance(placed->volume, placed->share, p);
    }
    return INFINITY;
}

/* Half extent along a world axis of a shape with rotational symmetry about its own y axis. `along`
 * is the cosine of the angle between the two axes. */
static double round_extent(const PlacedShape *placed, double along)
{
    double across = sqrt(larger(1 - along * along, 0));
    switch (placed->shape) {
    case BILLOW_CYLINDER:
        return placed->size[1] * along + placed->size[0] * across;
    case BILLOW_CAPSULE:
        return placed->size[1] * along + placed->size[0];
    case BILLOW_TORUS:
        return placed->size[0] * across + placed->size[1];
    default:
        return placed->size[0];
    }
}

static void box_bounds(const PlacedShape *placed, const double middle[3], const double half[3],
                       double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double center = placed->center[axis], extent = 0;
        for (int row = 0; row < 3; row++) {
            center += placed->turn[row][axis] * middle[row];
            extent += fabs(placed->turn[row][axis]) * half[row];
        }
        low[axis] = center - extent;
        high[axis] = center + extent;
    }
}

static void plane_bounds(const PlacedShape *placed, double low[3], double high[3])
{
    const double *up = placed->turn[1];
    for (int axis = 0; axis < 3; axis++) {
        bool upright = up[(axis + 1) % 3] == 0 && up[(axis + 2) % 3] == 0;
        low[axis] = upright && up[axis] < 0 ? placed->center[axis] : -(double)INFINITY;
        high[axis] = upright && up[axis] > 0 ? placed->center[axis] : (double)INFINITY;
    }
}

/* The box around the base and the tip. */
static void cone_bounds(const PlacedShape *placed, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double along = placed->turn[1][axis], tip = placed->size[1] * along;
        double across = placed->size[0] * sqrt(larger(1 - along * along, 0));
        low[axis] = placed->center[axis] + smaller(tip, -tip - across);
        high[axis] = placed->center[axis] + larger(tip, -tip + across);
    }
}

void shape_bounds(const PlacedShape *placed, double low[3], double high[3])
{
    const BillowVolume *volume = placed->volume;
    double middle[3] = {0, 0, 0}, half[3];
    switch (placed->shape) {
    case BILLOW_BOX:
        box_bounds(placed, middle, placed->size, low, high);
        return;
    case BILLOW_VOLUME:
        for (int axis = 0; axis < 3; axis++) {
            int samples = axis == 0 ? volume->nx : axis == 1 ? volume->ny : volume->nz;
            half[axis] = 0.5 * (samples - 1) * (double)volume->spacing * placed->size[0];
            middle[axis] = (double)volume->low[axis] * placed->size[0] + half[axis];
        }
        box_bounds(placed, middle, half, low, high);
        return;
    case BILLOW_PLANE:
        plane_bounds(placed, low, high);
        return;
    case BILLOW_CONE:
        cone_bounds(placed, low, high);
        return;
    default:
        for (int axis = 0; axis < 3; axis++) {
            double extent = round_extent(placed, fabs(placed->turn[1][axis]));
            low[axis] = placed->center[axis] - extent;
            high[axis] = placed->center[axis] + extent;
        }
    }
}

/* Volume of a torus, by Pappus' theorem: a disc of radius r (`tube`) revolves around an axis at
 * distance R (`ring`). If the tube is wider than the ring, only the part of the disc on one side of
 * the axis counts: 2 pi * integral from -R to r of (R + t) 2 sqrt(r^2 - t^2) dt. */
static double torus_volume(double ring, double tube)
{
    if (ring >= tube)
        return 2 * pi * pi * ring * tube * tube;
    double height = sqrt(tube * tube - ring * ring);
    double area = 0.5 * tube * tube * (0.5 * pi + math_asin(ring / tube)) + 0.5 * ring * height;
    return 4 * pi * (ring * area + height * height * height / 3);
}

enum { PARTS = 4 }; /* of a cube, along each axis */

/* Coverage of the cube between 8 samples by a ramp of half width `width`. It is the mean over the
 * centres of 4 x 4 x 4 parts of the cube. Lengths are in samples. */
static double cube_covered(const BillowVolume *volume, const int cube[3], double width)
{
    double sum = 0;
    for (int part = 0; part < PARTS * PARTS * PARTS; part++) {
        const int parts[3] = {part % PARTS, part / PARTS % PARTS, part / (PARTS * PARTS)};
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = cube[axis] + (parts[axis] + 0.5) / PARTS;
        double distance = volume_sample(volume, volume->distance, at) / (double)volume->spacing;
        sum += clamped(0.5 - 0.5 * distance / width, 0, 1);
    }
    return sum / (PARTS * PARTS * PARTS);
}

/* Coverage of the whole volume, in cubes between samples. The ramp is made at least as wide as a
 * part of a cube. */
static double volume_covered(const BillowVolume *volume, double width)
{
    width = larger(width, 0.5 / PARTS);
    double sum = 0;
    for (int k = 0; k + 1 < volume->nz; k++)
        for (int j = 0; j + 1 < volume->ny; j++)
            for (int i = 0; i + 1 < volume->nx; i++) {
                const double middle[3] = {i + 0.5, j + 0.5, k + 0.5};
                double distance =
                    volume_sample(volume, volume->distance, middle) / (double)volume->spacing;
                /* a cube's corners are 0.87 edges away from its centre */
                if (distance < -1 - width)
                    sum += 1;
                else if (distance <= 1 + width)
                    sum += cube_covered(volume, (const int[3]){i, j, k}, width);
            }
    return sum;
}

/* Volume of a shape whose surface is offset outwards by t. An outward offset rounds the edges
 * (Steiner 1840). */
static double box_within(const double half[3], double t)
{
    double a = 2 * half[0], b = 2 * half[1], c = 2 * half[2];
    if (t < 0)
        return larger(a + 2 * t, 0) * larger(b + 2 * t, 0) * larger(c + 2 * t, 0);
    return a * b * c + 2 * (a * b + b * c + c * a) * t + pi * (a + b + c) * t * t +
           4.0 / 3.0 * pi * t * t * t;
}

static double cylinder_within(double r, double half, double t)
{
    if (t < 0)
        return 2 * pi * larger(r + t, 0) * larger(r + t, 0) * larger(half + t, 0);
    return 2 * pi * r * r * half + (2 * pi * r * r + 4 * pi * r * half) * t +
           (2 * pi * half + pi * pi * r) * t * t + 4.0 / 3.0 * pi * t * t * t;
}

/* Inwards a cone shrinks towards the centre of the ball that it encloses, of radius r height /
 * (r + L), L being the length of its side. Outwards its volume grows by Steiner's formula
 * V + S t + M t^2 + 4/3 pi t^3. M is the integral of the mean curvature: pi height of the side, and
 * pi r times the angle pi / 2 + asin(r / L) by which the normal turns at the base's edge. */
static double cone_within(double r, double height, double t)
{
    double side = length2(r, height), volume = pi * r * r * height / 3;
    double ball = r + side > 0 ? r * height / (r + side) : 0;
    double left = ball > 0 ? larger(1 + t / ball, 0) : 0;
    if (t < 0)
        return volume * left * left * left;
    double turn = 0.5 * pi + (side > 0 ? math_asin(r / side) : 0);
    return volume + pi * r * (r + side) * t + pi * (height + r * turn) * t * t +
           4.0 / 3.0 * pi * t * t * t;
}

static double volume_within(const PlacedShape *placed, double t)
{
    const double *size = placed->size, r = larger(size[0] + t, 0);
    switch (placed->shape) {
    case BILLOW_SPHERE:
        return 4.0 / 3.0 * pi * r * r * r;
    case BILLOW_BOX:
        return box_within(size, t);
    case BILLOW_CYLINDER:
        return cylinder_within(size[0], size[1], t);
    case BILLOW_CAPSULE:
        return 2 * pi * r * r * size[1] + 4.0 / 3.0 * pi * r * r * r;
    case BILLOW_TORUS:
        return torus_volume(size[0], larger(size[1] + t, 0));
    case BILLOW_CONE:
        return cone_within(size[0], 2 * size[1], t);
    default:
        return INFINITY;
    }
}

double shape_thickness(BillowShape shape, const float size[3])
{
    const double x = (double)size[0], y = (double)size[1], z = (double)size[2];
    switch (shape) {
    case BILLOW_SPHERE:
    case BILLOW_CAPSULE:
        return 2 * x;
    case BILLOW_BOX:
        return 2 * smaller(x, smaller(y, z));
    case BILLOW_CYLINDER:
    case BILLOW_CONE:
        return 2 * smaller(x, y);
    case BILLOW_TORUS:
        return 2 * y;
    default:
        return INFINITY;
    }
}

/* shape_spread for a volume, integrated over its samples. */
static double sampled_spread(const PlacedShape *placed, double width)
{
    double spacing = (double)placed->volume->spacing * placed->size[0];
    if (!(spacing > 0))
        return 0;
    return spacing * spacing * spacing * volume_covered(placed->volume, width / spacing);
}

double shape_volume(const PlacedShape *placed)
{
    if (placed->shape == BILLOW_VOLUME)
        return sampled_spread(placed, 0);
    return volume_within(placed, 0);
}

/* The integral of the ramp is the mean of the enclosed volume over all offsets -width <= t <=
 * width, here by Simpson's rule on each side of 0. */
double shape_spread(const PlacedShape *placed, double width)
{
    enum { STEPS = 16 };
    if (placed->shape == BILLOW_VOLUME)
        return sampled_spread(placed, width);
    double sum = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int step = 0; step <= STEPS; step++) {
            double weight = step == 0 || step == STEPS ? 1 : step % 2 == 1 ? 4 : 2;
            sum += weight * volume_within(placed, side * width * step / STEPS);
        }
    return sum / (6 * STEPS);
}
