/* SPDX-License-Identifier: MIT
 * Signed distances to the shapes that emitters and solids have. */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include <billow/billow.h>

/* The shapes, one row each in the order of BillowShape: enumerator, word, what size means. The
 * words of scene files, the range checks and the manual are made from these rows; shape.c has the
 * geometry. */
#define SHAPES(ROW)                                                                                \
    ROW(BILLOW_SPHERE, "sphere", "radius size[0]")                                                 \
    ROW(BILLOW_BOX, "box", "half extents size")                                                    \
    ROW(BILLOW_CYLINDER, "cylinder", "around y, radius size[0], half length size[1]")              \
    ROW(BILLOW_CAPSULE, "capsule", "around y, radius size[0], half length size[1]")                \
    ROW(BILLOW_TORUS, "torus", "around y, radius size[0], radius of the tube size[1]")             \
    ROW(BILLOW_PLANE, "plane", "everything below it")                                              \
    ROW(BILLOW_VOLUME, "volume", "a mesh or a text, half of its longest edge size[0]")

/* A shape where it stands: own coordinates p = turn (point - center). Metres, or whatever unit
 * center and size were given in. */
typedef struct PlacedShape {
    BillowShape shape;
    double size[3], center[3];
    double turn[3][3];          /* rows: the shape's own axes */
    const BillowVolume *volume; /* of BILLOW_VOLUME */
} PlacedShape;

/* rotation is a quaternion (x, y, z, w) of any length but 0, which counts as no rotation; (0, 0, 0,
 * 1) turns nothing, to the bit. */
PlacedShape shape_place(BillowShape shape, const float size[3], const float center[3],
                        const float rotation[4], const BillowVolume *volume);

/* Euclidean distance of a point from the surface, negative inside. Exact for all shapes but
 * volumes: those are as good as their samples, and outside of these never farther than the truth.
 * The same bits on every machine: additions, products, divisions and square roots in a fixed order.
 */
double shape_distance(const PlacedShape *placed, const double point[3]);

/* The least upright box around it; of a volume, around its samples; of a plane, infinite but on the
 * side where an upright one ends. */
void shape_bounds(const PlacedShape *placed, double low[3], double high[3]);

/* What it encloses: exact, and of a volume as its samples' trilinear field has it; of a plane
 * infinite. */
double shape_volume(const PlacedShape *placed);

/* The integral over space of a ramp that falls from 1, where the surface is `width` away, to 0,
 * where it is as far on the other side. */
double shape_spread(const PlacedShape *placed, double width);

#endif
