/* SPDX-License-Identifier: MIT */
#include "io/polygon.h"

#include <math.h>
#include <string.h>

/* Twice the area of a triangle, above 0 if it is anticlockwise. */
static double area(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

/* Projects the corners along the axis that is nearest to the polygon's normal (Newell's sum of the
 * corners' cross products). So coordinates stay exact, and three corners on a line along an axis
 * stay on a line. */
static void project(Polygon *polygon, const float (*vertices)[3], const int *corners, int count)
{
    double normal[3] = {0};
    const float *first = vertices[corners[0]];
    for (int c = 1; c + 1 < count; c++) {
        double a[3], b[3];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (double)vertices[corners[c]][axis] - (double)first[axis];
            b[axis] = (double)vertices[corners[c + 1]][axis] - (double)first[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            normal[axis] +=
                a[(axis + 1) % 3] * b[(axis + 2) % 3] - a[(axis + 2) % 3] * b[(axis + 1) % 3];
    }
    int along = 0;
    for (int axis = 1; axis < 3; axis++)
        if (fabs(normal[axis]) > fabs(normal[along]))
            along = axis;
    int right = (along + (normal[along] < 0 ? 2 : 1)) % 3, up = 3 - along - right;
    for (int c = 0; c < count; c++) {
        polygon->at[c][0] = (double)vertices[corners[c]][right];
        polygon->at[c][1] = (double)vertices[corners[c]][up];
    }
}

static bool is_same(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Whether the triangle at a corner can be cut off: no other inward corner is in it or on its edges.
 * Corners at the same place as one of the triangle's do not count; they belong to a cut that joins
 * a hole to the rim. */
static bool is_ear(Polygon *polygon, int tip)
{
    const double *a = polygon->at[polygon->previous[tip]], *b = polygon->at[tip],
                 *c = polygon->at[polygon->next[tip]];
    if (polygon->inward[tip])
        return false;
    polygon->tests += (size_t)polygon->inward_count;
    for (int n = 0; n < polygon->inward_count; n++) {
        const double *p = polygon->at[polygon->inwards[n]];
        if (polygon->inward[polygon->inwards[n]] && area(a, b, p) >= 0 && area(b, c, p) >= 0 &&
            area(c, a, p) >= 0 && !is_same(p, a) && !is_same(p, b) && !is_same(p, c))
            return false;
    }
    return true;
}

/* The sign of the angle at a corner. */
static void measure(Polygon *polygon, int corner)
{
    polygon->inward[corner] = !(area(polygon->at[polygon->previous[corner]], polygon->at[corner],
                                     polygon->at[polygon->next[corner]]) > 0);
}

/* The next corner to cut off after `start`. Every simple polygon has two ears. If none is left,
 * because the polygon cuts itself or has no area, it is the corner with the largest triangle. */
static int choose(Polygon *polygon, int start, int left)
{
    int best = start, corner = start;
    double largest = -HUGE_VAL;
    for (int n = 0; n < left; n++, corner = polygon->next[corner]) {
        if (polygon->ear[corner])
            return corner;
        polygon->tests++;
        double size = area(polygon->at[polygon->previous[corner]], polygon->at[corner],
                           polygon->at[polygon->next[corner]]);
        if (size > largest) {
            largest = size;
            best = corner;
        }
    }
    return best;
}

static void begin(Polygon *polygon, int count)
{
    polygon->inward_count = 0;
    for (int c = 0; c < count; c++) {
        polygon->previous[c] = c > 0 ? c - 1 : count - 1;
        polygon->next[c] = c + 1 < count ? c + 1 : 0;
    }
    for (int c = 0; c < count; c++) {
        measure(polygon, c);
        if (polygon->inward[c])
            polygon->inwards[polygon->inward_count++] = c;
    }
    for (int c = 0; c < count; c++)
        polygon->ear[c] = is_ear(polygon, c);
}

void polygon_split(Polygon *polygon, const float (*vertices)[3], const int *corners, int count,
                   int (*triangles)[3])
{
    if (count == 3) {
        memcpy(*triangles, corners, sizeof *triangles);
        return;
    }
    project(polygon, vertices, corners, count);
    begin(polygon, count);
    int tip = 1;
    for (int left = count; left >= 3; left--, triangles++) {
        tip = choose(polygon, tip, left);
        int before = polygon->previous[tip], after = polygon->next[tip];
        (*triangles)[0] = corners[before];
        (*triangles)[1] = corners[tip];
        (*triangles)[2] = corners[after];
        polygon->next[before] = after;
        polygon->previous[after] = before;
        polygon->inward[tip] = false;
        measure(polygon, before);
        measure(polygon, after);
        polygon->ear[before] = is_ear(polygon, before);
        polygon->ear[after] = is_ear(polygon, after);
        tip = polygon->next[after]; /* not the next corner: triangles stay compact */
    }
}
