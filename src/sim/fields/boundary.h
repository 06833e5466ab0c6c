/* SPDX-License-Identifier: MIT
 *
 * Boundary conditions at the faces of the box: the values that a face gives a field, the ghost
 * layer beyond it, and the bounds within which samplers may read.
 *
 *     closed      free-slip: the face gives no field a value; samplers stay inside the box
 *     open        every field is 0, the ambient value, in the ghosts half a cell outside
 *     no-slip     the velocity along the wall is the wall's. Ghosts are mirrored through the wall,
 *                 so that interpolation gives this velocity on it. Scalars as at closed faces
 *     inflow      ghosts have the value that flows in
 *     isothermal  diffusion uses the wall's temperature; samplers stay inside the box
 *     periodic    element n along the axis, a ghost or the last face of a component, repeats
 *                 element 0; ghosts at -1 are never read
 *
 * If a box has no-slip, inflow or periodic faces, the ghosts of a field are filled before samplers
 * read the field (boundary_fill). Values beyond open faces are 0, as are those beyond the faces
 * that a velocity component passes through. The last faces of periodic axes equal the first ones
 * after every stage but forces and diffusion. */
#ifndef SIM_BOUNDARY_H
#define SIM_BOUNDARY_H

#include "sim/fields/grid.h"
#include "sim/fields/parallel.h"
#include "sim/kernels/kernels.h"
#include "sim/smoke/smoke.h"

#include <billow/billow.h>

/* Whether the axis is periodic. def_check makes sure that both of its sides are. */
static inline bool boundary_wraps(const BillowDef *def, int axis)
{
    return def->faces[2 * axis] == BILLOW_PERIODIC;
}

/* Whether no face is open. The fluid can then neither leave nor enter by itself. */
bool boundary_closed(const BillowDef *def);
/* Whether a stream can cross the box: whether any face is periodic or an inflow. */
bool boundary_streams(const BillowDef *def);

/* Whether any face has ghosts that must be filled. */
bool boundary_has_ghosts(const BillowDef *def);
/* Whether a plane of zeros must follow each field in memory. That is so if the front face is open,
 * because samplers then read the plane after a field, and if the ghosts of the next field may
 * differ from 0. */
bool boundary_needs_gap(const BillowDef *def);

/* Whether the face gives the field a value. */
bool boundary_is_given(const BillowDef *def, BillowSide side, int field);
/* The value that a face gives a field at element (p, q) of the face. p and q are indices along the
 * other two axes, in the order x, y, z. */
float boundary_value(const BillowDef *def, BillowSide side, int field, int p, int q);

/* Name of a side: "left", "right" and so on. */
const char *boundary_side_name(BillowSide side);

/* Volume that an inflow brings through its face, m3/s; 0 for any other face. */
double boundary_flow(const BillowDef *def, BillowSide side);
/* Largest speed that a face gives the fluid, m/s. */
double boundary_speed(const BillowDef *def);

/* Both functions fill the ghosts of a field. boundary_fill fills the ghosts around each plane of
 * the slab. boundary_fill_ends fills the ghost planes behind and in front of the box. A barrier
 * must separate the two calls. */
/* smoke: NULL for fields in cells of the wind; only rows that take part are filled otherwise. */
void boundary_fill(const BillowDef *def, const Grid *grid, const Smoke *smoke, int field,
                   float *values, Team team);
void boundary_fill_ends(const BillowDef *def, const Grid *grid, const Smoke *smoke, int field,
                        float *values, Team team);

/* Sample bounds are the positions at which a field may be sampled. They enclose its elements, and
 * the ghosts whose values are known. */

/* Bounds of the cells, and of the faces across an axis. They wrap around periodic axes. */
SampleBounds bounds_of_cells(const BillowDef *def, const Grid *grid);
SampleBounds bounds_of_faces(const BillowDef *def, const Grid *grid, int axis);

/* Extends the bounds to the values that faces give a field: to the centres of the ghosts at an
 * inflow, and to the wall at a no-slip face. */
SampleBounds bounds_with_given(const BillowDef *def, SampleBounds bounds, int field);

/* Extends the bounds by the layer of ghosts beyond open faces. These ghosts are 0, because ambient
 * air is at rest. */
SampleBounds bounds_with_open(const BillowDef *def, SampleBounds bounds);

/* Ends the bounds just before their last layer along `axis`. For a velocity component this layer is
 * memory of the next row or field. A sample exactly on it would also read the element after it,
 * with weight 0. That element may be NaN, and another worker may be writing it. */
SampleBounds bounds_short_of_next(SampleBounds bounds, int axis);

#endif
