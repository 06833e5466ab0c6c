/* SPDX-License-Identifier: MIT
 *
 * Solids in the flow (BillowSolid), discretised on the grid:
 *
 *     distance         distance to the nearest surface, in cells, at the cells' low corners;
 *                      negative inside
 *     face fractions   share of each face that lies outside of solids (level.h), computed from the
 *                      distances at its four corners
 *     fluid            cells that have at least one open or partly open face
 *     cuts             low faces of each cell that are not wholly open
 *
 * Solids act on the fluid in three ways. A shut face has the solid's velocity. In the projection, a
 * partly open face has the weighted mean of the fluid's and the solid's velocity (Batty, Bertails,
 * Bridson 2007). Nothing is advected through a surface (solid_advection.c). The pressure of a
 * region that solids enclose has a null space of its own (solid_flow.c). */
#ifndef SIM_SOLIDS_H
#define SIM_SOLIDS_H

#include "sim/fields/grid.h"
#include "sim/fields/parallel.h"
#include "sim/kernels/kernels.h"
#include "sim/shapes/shape.h"

#include <billow/billow.h>

typedef struct Scalar Scalar; /* field_table.h */

/* Largest stored distance, cells. Distances are exact up to this one; larger ones are clamped to
 * it. */
#define SOLID_REACH 8.0f

/* Fluid that solids separate from every open face and from the rest of the box. */
typedef struct EnclosedRegion {
    Region region; /* smallest box of cells that contains the region */
    double cells;
} EnclosedRegion;

/* Values of `fluid` per cell. OVERRUN: fluid that a solid has covered since the last update. Cells
 * of enclosed region r have the value ENCLOSED + r. */
enum { SOLID = 0, FLUID = 1, OVERRUN = 2, ENCLOSED = 3, ENCLOSED_MAX = 250 };

/* Bits of `cuts` for a cell's low face along axis a, shifted left by a. CUT_SEEN: the face is not
 * wholly open and is next to fluid. CUT_SHUT: the face is shut. Faces on a wall of the box have
 * neither bit. */
enum { CUT_SEEN = 1, CUT_SHUT = 8 };

typedef struct Solids {
    PlacedShape placed[BILLOW_SOLIDS_MAX];
    float *distance;
    float *rows;          /* [j + k*ny]: least distance at the corners of the row's cells, cells */
    unsigned char *fluid; /* FLUID and other values, laid out as a field of cells */
    unsigned char *cuts;  /* CUT_ bits, laid out as a field of cells */
    Region region;        /* cells that contain all points closer than SOLID_REACH to a surface */
    double open_cells; /* number of fluid cells in the main part of a closed box; not updated in an
                          open box */
    EnclosedRegion *enclosed;
    int enclosed_count;
    int main_part; /* index of the enclosed region that is the main part of a closed box; -1 in an
                      open box */
    double kicked[BILLOW_SOLIDS_MAX]; /* time by which a falling solid's velocity lags behind
                                         its position, s (solid_motion_advance) */
    double owed[SCALARS_MAX]; /* per scalar: amount in cells that moving solids covered, minus the
                                 amounts that advection and corrections added around them; summed
                                 over cells */
    float given[SCALARS_MAX]; /* per scalar: relative correction in this substep */
    double part;              /* part of the step that is done, 0 to 1 */
    double step;              /* length of the step, s; 0 before the first */
    bool still;               /* whether no solid moves */
    float drag;               /* nu dt / h2 of this substep */
    uint64_t version;         /* changes when a solid moves */
} Solids;

/* Floats of memory that the solids need; 0 without solids. */
size_t solids_floats(const BillowDef *def, const Grid *grid);
/* Slices `memory`, which must start on a cache line, and sets sim->solids. */
void solids_cut(BillowSim *sim, float *memory);

/* Puts the solids where the definition has them. Smoke inside moves to the nearest fluid. */
void solids_place(BillowSim *sim);
/* Replaces the solids. If any has moved, the smoke inside them moves to the nearest fluid. */
void solids_set(BillowSim *sim, const BillowSolid *solids);
/* Replaces the solids by those of a saved state. Moves no smoke, because the state's fields are
 * loaded afterwards. */
void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const double *owed);
/* Begins a step of length dt. */
void solids_begin(BillowSim *sim, double dt);
/* Moves solids by dt. Runs at the start of a substep, after the previous substep has advected the
 * scalars. */
void solids_move(BillowSim *sim, double dt);

/* Upper bound on the speed of any point of a surface, m/s. */
double solids_speed(const BillowSim *sim);
/* Distance from the centre of a cell to the nearest surface, in cells, negative inside. `*solid`
 * becomes the index of the solid with that surface. */
float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid);
/* Velocity along `axis`, at the middle of a cell's low face, of the solid nearest to that point,
 * m/s. */
float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k);
/* Whether the solid nearest to the middle of a cell's low face is sticky (no-slip). */
bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k);

/* -- advection around solids (solid_advection.c) ----------------------------------------------- */

/* Distance to the nearest surface, in cells, interpolated between the cells' corners. `corner`:
 * position in cells from the low corner of the box. */
float solids_distance_at(const BillowSim *sim, const float corner[3]);

/* Shortens those displacements of row (j, k) that cross a surface. */
void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut displacement);

/* Repeats the advection of row (j, k) near solids. Interpolates only between cells that are
 * connected by open faces. Each `out` points to the first cell of the row. */
void solids_advect_row(const BillowSim *sim, int j, int k, const Advected *fields, int count);

/* Whether solids move. Conservative advection then creates and loses some smoke, fuel and colour
 * around them. */
bool solids_owe(const BillowSim *sim);
/* Sums the amounts that one advection step created around solids in the slab's planes. Needs
 * SCRATCH_VOLUMES. */
void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab);
/* Corrects the amounts around moving solids, after solids_count_made has run for all steps. */
void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team);

/* -- solids in the projection, and the regions that they enclose (solid_flow.c) ---------------- */

/* Mean of the distances at a cell's corners, in cells. `cell`: offset in a field of cells. */
float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell);

/* solids_mix runs before the projection and sets cut faces to the mean of the fluid's and the
 * solid's velocity, weighted by the face fraction. solids_unmix runs after it and restores the
 * fluid's velocity. Each worker processes its slab, with a barrier before and after. Both need
 * SCRATCH_FLUID_VELOCITY. */
void solids_mix(BillowSim *sim, Slab slab);
void solids_unmix(BillowSim *sim, Slab slab);

/* Clears the right-hand sides inside solids, and subtracts them from the sums of plane k. */
void solids_empty(BillowSim *sim, int k);

/* Removes the vorticity confinement's force next to solids in row (j, k). The velocity jump at a
 * surface would count as an eddy there, and the force would amplify it without end. */
void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force);

/* Sets shut faces to the solid's velocity. A face inside a slippery solid gets the mean of the open
 * faces next to it instead. Each worker processes its slab, with a barrier before and after. */
void solids_impose(BillowSim *sim, Slab slab);

/* Applies the viscous drag between the fluid and sticky surfaces. */
void solids_drag(BillowSim *sim, double dt);

/* Finds the enclosed regions and labels their cells. Runs between steps. Needs SCRATCH_REGIONS. */
void enclosed_regions_find(BillowSim *sim);
/* Subtracts from the right-hand sides of each enclosed region their mean, and removes these cells
 * from the planes' sums. Runs on one worker. */
void enclosed_regions_balance(BillowSim *sim);

/* -- solids and emitters independent of the grid (bodies.c) ------------------------------------ */

/* The shape of a solid at its place. */
PlacedShape bodies_place(const BillowSolid *solid);

/* Moves a solid by dt. For a falling solid its velocity becomes the one in the middle of dt, which
 * is the mean over dt that the fluid needs. `*behind` becomes dt/2, the time by which the velocity
 * lags behind the position (leapfrog). The fall is thus the exact parabola at the ends of steps of
 * any length. After a bounce off the floor or ceiling `*behind` is 0. */
void solid_motion_advance(const BillowDef *def, BillowSolid *solid, double *behind, double dt);

/* Whether two solids overlap by more than half a cell within the box. If so, `where` becomes a
 * point in both of them, m. */
bool bodies_overlap(const BillowDef *def, const BillowSolid *a, const BillowSolid *b,
                    double where[3]);
/* Writes the message about an overlap of two solids around `where`, and returns false. */
bool bodies_refuse_overlap(int first, int second, const double where[3], BillowError *error);

/* Whether an emitter of the definition is wholly inside solids that do not move. If so, writes the
 * message. */
bool bodies_bury(const BillowDef *def, int emitter, BillowError *error);

/* Whether a solid has a velocity, a spin, a shape that changes, or falls. */
bool bodies_move(const BillowSolid *solid);
/* Whether its shape changes. */
bool bodies_change(const BillowSolid *solid);
/* Whether `now` differs from `before` in shape, size, position or rotation. */
bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now);
bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now);

#endif
