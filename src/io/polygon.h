/* SPDX-License-Identifier: MIT
 *
 * Splits polygons in space into triangles, as mesh files need that hold faces of many corners. A
 * fan would leave concave faces, so corners are cut off one after the other (ear clipping;
 * Meisters, Polygons have ears, 1975). */
#ifndef IO_POLYGON_H
#define IO_POLYGON_H

#include <stdbool.h>
#include <stddef.h>

/* most corners of a polygon; the time that a concave one takes grows with their square */
#define POLYGON_CORNERS_MAX 1000

/* Working memory for one polygon after the other, about 27 kB; starts as {0}. */
typedef struct Polygon {
    double at[POLYGON_CORNERS_MAX][2]; /* corners in the polygon's plane, anticlockwise */
    int previous[POLYGON_CORNERS_MAX], next[POLYGON_CORNERS_MAX]; /* corners that are left */
    bool inward[POLYGON_CORNERS_MAX]; /* an interior angle of 180 degrees or more */
    bool ear[POLYGON_CORNERS_MAX];
    int inwards[POLYGON_CORNERS_MAX]; /* corners that were inward in the beginning */
    int inward_count;
    size_t tests; /* of a corner against a triangle, in all polygons so far: measures the time */
} Polygon;

/* Splits a polygon, whose corners lie in one plane or nearly so. Its triangles turn the same way
 * round as it does, and have every edge of the polygon once, so that a closed mesh stays closed
 * whatever the shape is. A polygon that cuts itself is split in some way.
 * corners: indices of vertices, 3 <= count <= POLYGON_CORNERS_MAX. triangles: receives count - 2
 * triangles as indices of vertices. */
void polygon_split(Polygon *polygon, const float (*vertices)[3], const int *corners, int count,
                   int (*triangles)[3]);

#endif
