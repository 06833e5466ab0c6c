/* SPDX-License-Identifier: MIT
 *
 * Values of a field on a plane across the box, at the centres of the cells that the plane cuts. */
#ifndef RENDER_FIELD_SLICE_H
#define RENDER_FIELD_SLICE_H

#include "camera.h"
#include <billow/billow.h>

typedef enum FieldKind {
    FIELD_DENSITY,
    FIELD_TEMPERATURE,
    FIELD_SPEED,
    FIELD_VORTICITY, /* |curl u| */
    FIELD_CURL,      /* component of curl u along the plane's normal */
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

/* Description of a field. */
typedef struct FieldMeaning {
    const char *name; /* as in options */
    const char *unit; /* "" for a pure number */
    const char *meaning;
    bool both_signs; /* the field has positive and negative values, and its colour map is centred on
                        0 */
} FieldMeaning;

typedef struct FieldSlice {
    FieldKind kind;
    int axis;        /* axis of the normal: 0, 1, 2 for x, y, z */
    float position;  /* m along it */
    int n[2];        /* cells along the two other axes, in their order */
    float *values;   /* n[0] fastest; owned by the caller */
    float low, high; /* smallest and largest value outside solids; 0 if there is none */
} FieldSlice;

const FieldMeaning *field_meaning(FieldKind kind);

/* Whether a field can be computed from a view, and whether the views of a simulation with this
 * definition will have it. */
bool field_known(const BillowView *view, FieldKind kind);
bool field_offered(const BillowDef *def, FieldKind kind);

/* Floats that suffice for the values of any plane across a grid. */
size_t field_slice_floats(int nx, int ny, int nz);

/* Fills in n, values, low and high. The position is moved into the box, and values are interpolated
 * linearly between two planes of cell centres. Vorticity uses central differences of the velocity
 * at cell centres, one-sided at the box's faces. Divergence uses the faces' velocities, as the
 * projection does, so that it contains the expansion by emitters and fire. The view must have the
 * field: see field_known. */
void field_slice_fill(FieldSlice *slice, const BillowView *view);

/* Default range of the colours: from low to high. It starts at 0 if low is nearly 0, and is
 * symmetric about 0 for fields of both signs. It is never empty. */
void field_slice_range(const FieldSlice *slice, float range[2]);

/* Finds the value that a camera sees on the plane, by a cubic spline between cell centres, and its
 * distance along the view axis, m. across and up: position in the picture, -1 to 1. low, high:
 * corners of the box, m. Returns false if the ray misses the plane inside the box. */
bool field_slice_seen(const FieldSlice *slice, const Camera *camera, const float low[3],
                      const float high[3], float across, float up, float *value, float *distance);

#endif
