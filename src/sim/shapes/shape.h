/* SPDX-License-Identifier: MIT
 *
 * Signed distances to the shapes of emitters and solids. */
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
    ROW(BILLOW_VOLUME, "volume", "a mesh or a text, half of its longest edge size[0]")             \
    ROW(BILLOW_CONE, "cone", "around y, radius of its base size[0], half height size[1]")

#define SHAPE_ONE(shape, word, size) +1
enum { SHAPE_LAST = SHAPES(SHAPE_ONE) - 1 };

/* A shape at its position. Coordinates in the shape's own axes are p = turn (point - center).
 * Lengths have the unit of `center` and `size`. */
typedef struct PlacedShape {
    BillowShape shape;
    double size[3], center[3];
    double turn[3][3];          /* rows: the shape's own axes */
    const BillowVolume *volume; /* for BILLOW_VOLUME */
    double share;               /* share of volume->next in a shape that changes */
} PlacedShape;

/* `rotation` is a quaternion (x, y, z, w) of any length. Length 0 counts as no rotation. (0, 0, 0,
 * 1) leaves coordinates unchanged to the last bit. */
PlacedShape shape_place(BillowShape shape, const float size[3], const float center[3],
                        const float rotation[4], const BillowVolume *volume);

/* Euclidean distance from a point to the surface, negative inside. It is exact for all shapes
 * except volumes, whose distances are as accurate as their samples. Outside of a volume's samples
 * the result never exceeds the true distance. The result has the same bits on every machine,
 * because it uses only sums, products, divisions and square roots in a fixed order. */
double shape_distance(const PlacedShape *placed, const double point[3]);

/* Distance of the shape that a volume changes to, minus that of the shape it changes from; 0 for
 * shapes that do not change. */
double shape_change(const PlacedShape *placed, const double point[3]);

/* Factor of a volume on what an emitter releases, 1 for other shapes. */
double shape_amount(const PlacedShape *placed, const double point[3]);
/* Integral of that factor over the samples of a volume that has factors, m3. */
double shape_amounts(const PlacedShape *placed);
/* Velocity of a volume along the axes of the box, m/s; 0 for shapes without. */
void shape_velocity(const PlacedShape *placed, const double point[3], float velocity[3]);

/* Smallest axis-aligned box around the shape. The box of a volume encloses its samples. The box of
 * a plane is infinite, except on the side at which an axis-aligned plane ends. */
void shape_bounds(const PlacedShape *placed, double low[3], double high[3]);

/* Volume that the shape encloses, m3; infinite for a plane. It is exact, except that for
 * BILLOW_VOLUME the interpolated samples are integrated numerically. */
double shape_volume(const PlacedShape *placed);

/* Thickness of the thinnest part of an unrotated shape of this size. Infinite for planes, volumes
 * and unknown shapes. */
double shape_thickness(BillowShape shape, const float size[3]);

/* Integral over space of a ramp across the surface: 1 from a depth of `width` inwards, 0 from a
 * distance of `width` outwards. */
double shape_spread(const PlacedShape *placed, double width);

#endif
