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

/* -- drawing a slice --------------------------------------------------------------------------- */

/* A slice: a plane across the box that shows the values of a field as colours (legend.h). Exposure
 * and tone map do not change these colours. */
typedef struct RenderSlice {
    const FieldSlice *field; /* NULL = none */
    float low, high;         /* values of the first and the last colour; high > low */
    int contours; /* number of contour lines; 0 = none. Line i is at (i + 1/2) / contours of the
                     range. With both signs the number is even, so that no line is at 0. */
    float veil; /* factor, 0..1, on how much smoke and solids in front dim the slice; default 0.3 */
} RenderSlice;

enum { SLICE_ACROSS = -1, SLICE_CONTOURS_MAX = 100 };

/* A slice as requested by options or the window. */
typedef struct SliceAsk {
    bool given; /* false: no slice is requested */
    FieldKind kind;
    int axis;    /* normal of the plane; SLICE_ACROSS: the axis nearest to the camera's direction */
    bool placed; /* false: the plane is in the middle of the box, and `position` is not used */
    float position; /* position of the plane along the axis, m */
    int contours;
    bool ranged; /* false: the colours span the slice's own range of values, and `low` and `high`
                    are not used */
    float low, high;
    float veil;     /* as in RenderSlice */
    bool no_legend; /* saved pictures have no legend; the window always has one */
} SliceAsk;

SliceAsk slice_ask_default(void);

/* Chooses axis and position if the request left them open. Returns false and a message if the
 * simulation does not have the field or the position is outside its box. */
bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error);

/* Returns the slice as the renderer draws it. */
RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field);

#endif
