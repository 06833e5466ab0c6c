/* SPDX-License-Identifier: MIT
 * Signed distances against points spread over the shapes' surfaces. */
#include "sim_fixture.h"

#include "sim/shapes/shape.h"

#include <stdlib.h>

enum { ALONG = 400 }; /* points of a surface patch along each of its two coordinates */

static const float size[3] = {0.4f, 0.15f, 0.25f};
static const float middle[3] = {0.3f, -0.2f, 0.1f};
static const float turned[4] = {0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f};

/* A point of the surface, in the coordinates of the shape; u and v run from 0 to 1. False if the
 * shape has no such patch. */
static bool surface(BillowShape shape, int patch, double u, double v, double p[3])
{
    const double a = 2 * PI * u, b = PI * (v - 0.5), r = (double)size[0], h = (double)size[1];
    if (shape == BILLOW_SPHERE) {
        p[0] = r * cos(a) * cos(b), p[1] = r * sin(b), p[2] = r * sin(a) * cos(b);
        return patch == 0;
    }
    if (shape == BILLOW_BOX) {
        int axis = patch / 2;
        if (patch > 5)
            return false;
        p[axis] = (patch % 2 ? 1 : -1) * (double)size[axis];
        p[(axis + 1) % 3] = (2 * u - 1) * (double)size[(axis + 1) % 3];
        p[(axis + 2) % 3] = (2 * v - 1) * (double)size[(axis + 2) % 3];
        return true;
    }
    if (shape == BILLOW_TORUS) {
        double out = r + h * cos(2 * PI * v);
        p[0] = out * cos(a), p[1] = h * sin(2 * PI * v), p[2] = out * sin(a);
        return patch == 0;
    }
    if (shape == BILLOW_CONE) {
        double out = r * v, up = patch == 0 ? -h : h - 2 * h * v; /* base, or side from the tip */
        p[0] = out * cos(a), p[1] = up, p[2] = out * sin(a);
        return patch < 2;
    }
    assert_true(shape == BILLOW_CYLINDER || shape == BILLOW_CAPSULE); /* a new shape: add it here */
    if (patch == 0) { /* the side of a cylinder or capsule */
        p[0] = r * cos(a), p[1] = (2 * v - 1) * h, p[2] = r * sin(a);
        return true;
    }
    double end = patch == 1 ? 1 : -1, flat = shape == BILLOW_CYLINDER ? 0 : 1;
    double out = shape == BILLOW_CYLINDER ? r * v : r * cos(0.5 * PI * v);
    p[0] = out * cos(a), p[1] = end * (h + flat * r * sin(0.5 * PI * v)), p[2] = out * sin(a);
    return patch < 3;
}

/* q p q* of the unit quaternion q, written with cross products:  p + 2 s x (s x p + w p). */
static void into_world(const float q[4], const double p[3], double world[3])
{
    const double s[3] = {(double)q[0], (double)q[1], (double)q[2]}, w = (double)q[3];
    double inner[3];
    for (int i = 0; i < 3; i++)
        inner[i] = s[(i + 1) % 3] * p[(i + 2) % 3] - s[(i + 2) % 3] * p[(i + 1) % 3] + w * p[i];
    for (int i = 0; i < 3; i++)
        world[i] = (double)middle[i] + p[i] +
                   2 * (s[(i + 1) % 3] * inner[(i + 2) % 3] - s[(i + 2) % 3] * inner[(i + 1) % 3]);
}

typedef struct Cloud {
    double (*points)[3];
    int count;
} Cloud;

static Cloud cloud_of(BillowShape shape, const float rotation[4])
{
    Cloud cloud = {malloc(sizeof(double[3]) * 6 * ALONG * ALONG), 0};
    assert_non_null(cloud.points);
    for (int patch = 0; patch < 6; patch++)
        for (int u = 0; u < ALONG; u++)
            for (int v = 0; v < ALONG; v++) {
                double own[3];
                if (surface(shape, patch, (double)u / ALONG, v / (ALONG - 1.0), own))
                    into_world(rotation, own, cloud.points[cloud.count++]);
            }
    return cloud;
}

static double nearest(const Cloud *cloud, const double point[3])
{
    double least = INFINITY;
    for (int c = 0; c < cloud->count; c++) {
        double squared = 0;
        for (int axis = 0; axis < 3; axis++)
            squared += pow(point[axis] - cloud->points[c][axis], 2);
        least = fmin(least, squared);
    }
    return sqrt(least);
}

static void distance_is_that_of_the_nearest_surface_point(void **state)
{
    (void)state;
    for (int shape = 0; shape <= SHAPE_LAST; shape++) {
        if (shape == BILLOW_PLANE || shape == BILLOW_VOLUME)
            continue; /* without a surface to sample */
        PlacedShape placed = shape_place(shape, size, middle, turned, NULL);
        Cloud cloud = cloud_of(shape, turned);
        for (int c = 0; c < cloud.count; c += 7)
            assert_below(fabs(shape_distance(&placed, cloud.points[c])), 1e-6);
        unsigned seed = 5;
        for (int n = 0; n < 60; n++) {
            const double point[3] = {(double)middle[0] + scatter(&seed),
                                     (double)middle[1] + scatter(&seed),
                                     (double)middle[2] + scatter(&seed)};
            /* The points lie up to 0.009 apart: so much farther is the nearest at most. */
            double found = fabs(shape_distance(&placed, point)), reference = nearest(&cloud, point);
            assert_below(found, reference + 1e-6);
            assert_below(reference, found + 0.005);
        }
        free(cloud.points);
    }
}

static void bounds_hold_the_surface_and_touch_it(void **state)
{
    (void)state;
    for (int shape = 0; shape <= SHAPE_LAST; shape++) {
        if (shape == BILLOW_PLANE || shape == BILLOW_VOLUME)
            continue; /* without a surface to sample */
        PlacedShape placed = shape_place(shape, size, middle, turned, NULL);
        Cloud cloud = cloud_of(shape, turned);
        double low[3], high[3];
        shape_bounds(&placed, low, high);
        for (int axis = 0; axis < 3; axis++) {
            double least = INFINITY, most = -INFINITY;
            for (int c = 0; c < cloud.count; c++) {
                least = fmin(least, cloud.points[c][axis]);
                most = fmax(most, cloud.points[c][axis]);
            }
            assert_below(fabs(low[axis] - least), 3e-4);
            assert_below(fabs(high[axis] - most), 3e-4);
        }
        free(cloud.points);
    }
}

/* Midpoints of n^3 cells over the shape's bounds. */
static double counted_volume(const PlacedShape *placed, int n)
{
    double low[3], high[3], volume = 1;
    shape_bounds(placed, low, high);
    for (int axis = 0; axis < 3; axis++)
        volume *= high[axis] - low[axis];
    int inside = 0;
    for (int c = 0; c < n * n * n; c++) {
        const int at[3] = {c % n, c / n % n, c / n / n};
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = low[axis] + (at[axis] + 0.5) / n * (high[axis] - low[axis]);
        inside += shape_distance(placed, point) < 0;
    }
    return volume * inside / ((double)n * n * n);
}

static void volume_is_what_is_inside(void **state)
{
    (void)state;
    const float wide[3] = {0.1f, 0.15f, 0.25f}; /* as a torus, its tube reaches past the axis */
    for (int shape = BILLOW_SPHERE; shape <= SHAPE_LAST; shape++)
        for (int other = 0; other < 2 && shape != BILLOW_PLANE && shape != BILLOW_VOLUME; other++) {
            PlacedShape placed = shape_place(shape, other ? wide : size, middle, turned, NULL);
            double reference = counted_volume(&placed, 120);
            assert_below(fabs(shape_volume(&placed) / reference - 1), 0.01);
        }
}

static void a_plane_divides_space_along_its_own_y(void **state)
{
    (void)state;
    const float quarter[4] = {0, 0, sqrtf(0.5f), sqrtf(0.5f)}; /* about z: y becomes -x */
    PlacedShape placed = shape_place(BILLOW_PLANE, size, middle, quarter, NULL);
    const double right[3] = {(double)middle[0] + 0.5, 7, -3};
    const double left[3] = {(double)middle[0] - 0.25, 7, -3};
    assert_below(fabs(shape_distance(&placed, right) + 0.5), 1e-6);
    assert_below(fabs(shape_distance(&placed, left) - 0.25), 1e-6);
    PlacedShape upright =
        shape_place(BILLOW_PLANE, size, middle, (const float[4]){0, 0, 0, 1}, NULL);
    double low[3], high[3];
    shape_bounds(&upright, low, high);
    assert_true(high[1] == (double)middle[1] && isinf(low[1]) && isinf(high[0]));
    assert_true(isinf(shape_volume(&upright)));
}

static void no_rotation_turns_nothing_to_the_bit(void **state)
{
    (void)state;
    const float none[4] = {0, 0, 0, 1}, unset[4] = {0, 0, 0, 0}, origin[3] = {0, 0, 0};
    PlacedShape placed = shape_place(BILLOW_BOX, size, origin, none, NULL);
    PlacedShape blank = shape_place(BILLOW_BOX, size, origin, unset, NULL);
    const double point[3] = {0.7123456789, 0.01, -0.02};
    assert_true(shape_distance(&placed, point) == point[0] - (double)size[0]);
    assert_true(shape_distance(&blank, point) == shape_distance(&placed, point));
}

enum { SAMPLES = 24 };

/* A capsule sampled with a margin of three samples around it. */
static BillowVolume sample_capsule(const PlacedShape *placed, float *distance)
{
    BillowVolume volume = {SAMPLES, SAMPLES, SAMPLES, {0}, 0.06f, .distance = distance};
    for (int axis = 0; axis < 3; axis++)
        volume.low[axis] = -0.5f * volume.spacing * (SAMPLES - 1);
    for (int n = 0; n < SAMPLES * SAMPLES * SAMPLES; n++) {
        const int at[3] = {n % SAMPLES, n / SAMPLES % SAMPLES, n / SAMPLES / SAMPLES};
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (double)(volume.low[axis] + (float)at[axis] * volume.spacing);
        distance[n] = (float)shape_distance(placed, point);
    }
    return volume;
}

static void a_sampled_shape_is_like_the_shape(void **state)
{
    (void)state;
    const float origin[3] = {0}, none[4] = {0, 0, 0, 1}, twice[3] = {2, 2, 2};
    static float distance[SAMPLES * SAMPLES * SAMPLES];
    PlacedShape exact = shape_place(BILLOW_CAPSULE, size, origin, none, NULL);
    BillowVolume volume = sample_capsule(&exact, distance);
    const float doubled[3] = {2 * size[0], 2 * size[1], 0};
    PlacedShape reference = shape_place(BILLOW_CAPSULE, doubled, middle, turned, NULL);
    PlacedShape sampled = shape_place(BILLOW_VOLUME, twice, middle, turned, &volume);
    unsigned seed = 9;
    for (int n = 0; n < 2000; n++) {
        const double reach = n % 2 ? 1.2 : 6;
        const double point[3] = {reach * scatter(&seed), reach * scatter(&seed),
                                 reach * scatter(&seed)};
        double true_distance = shape_distance(&reference, point);
        double found = shape_distance(&sampled, point);
        /* Never farther but for the error of interpolation, large where the distance has its ridge
         * inside; and near the shape about the same. */
        double slack = true_distance < -0.3 ? 0.1 : 0.02;
        assert_below(found, true_distance + slack);
        assert_below(true_distance, found + slack + 0.5 * fmax(true_distance - 0.2, 0));
    }
    assert_below(fabs(shape_volume(&sampled) / shape_volume(&reference) - 1), 0.01);
    double low[3], high[3];
    shape_bounds(&sampled, low, high);
    assert_true(low[1] < high[1] && low[1] < (double)middle[1] - 0.8);
}

static void a_shape_that_the_samples_cut_ends_there(void **state)
{
    (void)state;
    static float distance[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const BillowVolume volume = {2, 2, 2, {-0.5f, -0.5f, -0.5f}, 1, .distance = distance};
    const float one[3] = {1, 1, 1}, origin[3] = {0}, none[4] = {0, 0, 0, 1};
    PlacedShape placed = shape_place(BILLOW_VOLUME, one, origin, none, &volume);
    assert_true(shape_distance(&placed, (const double[3]){0.25, 0, 0}) == -0.25);
    assert_true(shape_distance(&placed, (const double[3]){0.5, 0, 0}) == 0);
    assert_true(shape_distance(&placed, (const double[3]){1.5, 0, 0}) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_the_nearest_surface_point),
        cmocka_unit_test(bounds_hold_the_surface_and_touch_it),
        cmocka_unit_test(volume_is_what_is_inside),
        cmocka_unit_test(a_plane_divides_space_along_its_own_y),
        cmocka_unit_test(no_rotation_turns_nothing_to_the_bit),
        cmocka_unit_test(a_sampled_shape_is_like_the_shape),
        cmocka_unit_test(a_shape_that_the_samples_cut_ends_there),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
