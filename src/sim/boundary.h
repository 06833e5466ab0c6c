/* SPDX-License-Identifier: MIT
 * What the box's faces mean for a field, beyond closed and open ones (grid.h): which value is given
 * on a face, and the ghosts that samplers see there.
 *
 *     closed      free-slip: no field has a value there; samplers stay inside
 *     open        0, the ambient, half a cell outside
 *     no-slip     velocity along the wall: the wall's; ghosts are mirrored through it, so that
 *                 interpolation meets it on the wall. Scalars as at closed ones
 *     inflow      everything: what flows in; ghosts hold it
 *     held wall   temperature: the wall's, for its diffusion; samplers stay inside
 *     periodic    element n along the axis, a ghost or a component's last face, repeats element 0;
 *                 nothing is asked of those at -1
 *
 * Ghosts of a box that has such faces are filled before samplers read the field (boundary_fill);
 * what lies beyond open faces, and beyond the faces that a velocity component passes through, is 0.
 * The last faces of periodic axes equal the first ones after each stage but forces and diffusion.
 */
#ifndef SIM_BORDER_H
#define SIM_BORDER_H

#include "grid.h"
#include "kernels.h"
#include "parallel.h"

#include <billow/billow.h>

/* 0, 1, 2 are the velocity's components. */
enum {
    FIELD_DENSITY = 3,
    FIELD_TEMPERATURE,
    FIELD_FUEL,
    FIELD_RED,
    FIELD_GREEN,
    FIELD_BLUE,
    FIELD_TEXTURE
};

/* Whether the axis is periodic: def_check has seen both its sides. */
static inline bool boundary_wraps(const BillowDef *def, int axis)
{
    return def->faces[2 * axis] == BILLOW_PERIODIC;
}

/* Whether no face is open. The fluid can then neither leave nor enter by itself. */
bool boundary_closed(const BillowDef *def);

/* Whether any face needs ghosts. */
bool boundary_has_ghosts(const BillowDef *def);
/* Whether back faces write ghosts that the field before must not see through an open front. */
bool boundary_needs_gap(const BillowDef *def);

/* Whether the field has a given value on the face. */
bool boundary_is_given(const BillowDef *def, BillowSide side, int field);
/* The value at an element of the face: its place (p, q) along the two other axes, in order. */
float boundary_value(const BillowDef *def, BillowSide side, int field, int p, int q);

/* "left", "right" and so on. */
const char *boundary_side_name(BillowSide side);

/* Velocity that an inflow brings through its face, m3/s; 0 of all others. */
double boundary_flow(const BillowDef *def, BillowSide side);
/* The fastest fluid that faces drive, m/s. */
double boundary_speed(const BillowDef *def);

/* The ghosts of a field: those beside the slab's planes, and, after a barrier, the planes beyond
 * the box. */
void boundary_fill(const BillowDef *def, const Grid *grid, int field, float *values, Team team);
void boundary_fill_ends(const BillowDef *def, const Grid *grid, int field, float *values,
                        Team team);

/* How far samplers may ask a field: its elements, and what is known beyond them. */

/* All cells, and all faces across an axis; around periodic axes. */
SampleBounds bounds_of_cells(const BillowDef *def, const Grid *grid);
SampleBounds bounds_of_faces(const BillowDef *def, const Grid *grid, int axis);

/* Where a position has elements on all sides, so that limits come from those alone. */
SampleBounds bounds_well_inside(SampleBounds bounds);

/* Where MacCormack's correction of a velocity component holds: among its elements, and up to a cell
 * beyond them where a wall that the fluid slides along goes on as it is inside. Ambient air has no
 * way back; nor has what would come through a wall. */
SampleBounds bounds_with_mirrors(const BillowDef *def, SampleBounds bounds, int axis);

/* As far as a field has given values: to the centres of an inflow's ghosts, or up to a wall. */
SampleBounds bounds_with_given(const BillowDef *def, SampleBounds bounds, int field);

/* Beyond an open face lies one layer of ghosts, all 0: still, ambient air. */
SampleBounds bounds_with_open(const BillowDef *def, SampleBounds bounds);

/* The layer beyond a component's last face is the next row's or field's ghosts. What comes after
 * those must not be asked for, not even for a share of 0: it may be anything (NaN), and another
 * worker may be writing it. */
SampleBounds bounds_short_of_next(SampleBounds bounds, int axis);

#endif
