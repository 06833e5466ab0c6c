/* SPDX-License-Identifier: MIT
 *
 * Values of a field on a plane across the box, at the centres of the cells that the plane cuts. */
#ifndef RENDER_FIELD_SLICE_H
#define RENDER_FIELD_SLICE_H

#include "render/frame/camera.h"
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
    const char *name; /* as on the command line */
    const char *unit; /* "": a pure number */
    const char *meaning;
    bool both_signs; /* the field has values of both signs; its colour map is centred on 0 */
} FieldMeaning;

typedef struct FieldSlice {
    FieldKind kind;
    int axis;        /* axis of the normal: 0, 1, 2 for x, y, z */
    float position;  /* position of the plane along `axis`, m */
    int n[2];        /* cells along the two other axes, x before y before z */
    float *values;   /* n[0] * n[1] values, n[0] fastest; owned by the caller */
    float low, high; /* smallest and largest value outside solids; 0 if all is solid */
} FieldSlice;

const FieldMeaning *field_meaning(FieldKind kind);

/* field_known: whether a field can be computed from a view. field_offered: whether it can be
 * computed from the views of a simulation with this definition. */
bool field_known(const BillowView *view, FieldKind kind);
bool field_offered(const BillowDef *def, FieldKind kind);

/* Number of floats that are enough for the values of a slice of a grid, whatever its axis. */
size_t field_slice_floats(int nx, int ny, int nz);

/* Computes n, values, low and high from a view. Clamps the position to the box. Values are
 * interpolated linearly between the two nearest planes of cell centres. Vorticity uses central
 * differences of the velocity at cell centres, and one-sided differences at the box's faces.
 * Divergence uses the velocities at cell faces, as the projection does. It therefore includes the
 * expansion by emitters and fire. The view must have the field: see field_known. */
void field_slice_fill(FieldSlice *slice, const BillowView *view);

/* Computes the default range of the colours from low and high. The range starts at 0 if low is
 * positive and nearly 0. It is symmetric about 0 for fields with both signs. It is never empty. */
void field_slice_range(const FieldSlice *slice, float range[2]);

/* Computes the value that a camera sees on the plane, by a cubic spline between cell centres, and
 * the distance of the plane along the view axis, m. across, up: position in the picture, -1 to 1.
 * low, high: corners of the box, m. Returns false if the ray does not meet the plane within the
 * box. */
bool field_slice_seen(const FieldSlice *slice, const Camera *camera, const float low[3],
                      const float high[3], float across, float up, float *value, float *distance);

#endif
