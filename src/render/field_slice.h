/* SPDX-License-Identifier: MIT
 *
 * The numbers themselves: any field of a view, on one plane across the box, at the centres of the
 * cells' squares that it cuts. */
#ifndef RENDER_FIELD_SLICE_H
#define RENDER_FIELD_SLICE_H

#include "camera.h"
#include <billow/billow.h>

typedef enum FieldKind {
    FIELD_DENSITY,
    FIELD_TEMPERATURE,
    FIELD_SPEED,
    FIELD_VORTICITY, /* |curl u| */
    FIELD_CURL,      /* of that, the part along the plane's normal */
    FIELD_PRESSURE,
    FIELD_DIVERGENCE,
    FIELD_U,
    FIELD_V,
    FIELD_W,
    FIELD_FUEL,
    FIELD_FLAME,
    FIELD_SOLID,
    FIELD_KINDS
} FieldKind;

/* What there is to say about a field. */
typedef struct FieldMeaning {
    const char *name; /* as options have it */
    const char *unit; /* "" of pure numbers */
    const char *meaning;
    bool both_signs; /* its colours part at 0 */
} FieldMeaning;

typedef struct FieldSlice {
    FieldKind kind;
    int axis;        /* of the normal: 0, 1, 2 for x, y, z */
    float position;  /* m along it */
    int n[2];        /* cells along the two other axes, in their order */
    float *values;   /* n[0] fastest; the owner's */
    float low, high; /* least and largest value off solids; 0 where there is none */
} FieldSlice;

const FieldMeaning *field_meaning(FieldKind kind);

/* Whether a view holds what the field is reckoned from, and whether billow_view's of such a
 * simulation will. */
bool field_known(const BillowView *view, FieldKind kind);
bool field_offered(const BillowDef *def, FieldKind kind);

/* Floats that the values of any plane across such a grid fit in. */
size_t field_slice_floats(int nx, int ny, int nz);

/* Fills in n, values, low and high. The position is moved into the box; between two planes of cell
 * centres values go linearly from one to the other. Vorticity by central differences of the
 * velocity at the centres, one-sided at the box's faces; divergence from the faces' velocities, as
 * the projection has it, so that it holds what emitters and fire expand. The field must be known.
 */
void field_slice_fill(FieldSlice *slice, const BillowView *view);

/* The range that colours span where nobody asks for another: low to high, from 0 where low is
 * nearly that, or as far to both sides of 0. Never empty. */
void field_slice_range(const FieldSlice *slice, float range[2]);

/* The value that a camera sees on the plane, by a cubic spline between the cells' centres, and its
 * distance along the view axis, m. across and up: place in the picture, -1 to 1. low, high: corners
 * of the box, m. False where the ray meets no part of the plane inside the box. */
bool field_slice_seen(const FieldSlice *slice, const Camera *camera, const float low[3],
                      const float high[3], float across, float up, float *value, float *distance);

#endif
