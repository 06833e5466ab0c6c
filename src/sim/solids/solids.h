/* SPDX-License-Identifier: MIT
 *
 * Solids in the flow (BillowSolid), discretised on the grid:
 *
 *     distance         distance to the nearest surface, in cells, at the cells' low corners;
 *                      negative inside
 *     face fractions   share of each face that lies outside of solids (level.h), computed from the
 *                      distances at its four corners
 *     fluid            cells that have at least one open face
 *     cuts             faces at a cell's low sides that are not wholly open
 *
 * Solids act on the fluid in three ways. A shut face has the solid's velocity. A partly open face
 * mixes both velocities in the projection (Batty, Bertails, Bridson 2007). Nothing is advected
 * through a surface (solid_advection.c). The pressure of a region that solids enclose has a null
 * space of its own (enclosed_regions.c). */
#ifndef SIM_SOLIDS_H
#define SIM_SOLIDS_H

#include "grid.h"
#include "multigrid.h"
#include "scratch.h"
#include "shape.h"

#include <billow/billow.h>

typedef struct Scalar Scalar; /* scalars.h */

/* Distances are exact up to this one, and clamped to it beyond; cells. */
#define SOLID_REACH 8.0f

/* Fluid that solids separate from every open face and from the rest of the box. */
typedef struct EnclosedRegion {
    Region region; /* the smallest box of cells around it */
    double cells;
} EnclosedRegion;

/* Values of `fluid` per cell. OVERRUN: a solid has covered the fluid since the last update. Cells
 * of enclosed region r have ENCLOSED + r. */
enum { SOLID = 0, FLUID = 1, OVERRUN = 2, ENCLOSED = 3, ENCLOSED_MAX = 250 };

/* Bits of `cuts` for the low face along axis a, shifted left by a. CUT_SEEN: the face is not wholly
 * open and borders on fluid. CUT_SHUT: the face is shut. Closed faces of the box have neither bit.
 */
enum { CUT_SEEN = 1, CUT_SHUT = 8 };

typedef struct Solids {
    PlacedShape placed[BILLOW_SOLIDS_MAX];
    float *distance;
    float *rows;          /* [j + k*ny]: least distance at the corners of the row's cells, cells */
    unsigned char *fluid; /* FLUID and so on, laid out as a field of cells */
    unsigned char *cuts;  /* CUT_ bits, laid out as a field of cells */
    Region region;        /* cells that contain all distances below SOLID_REACH */
    double open_cells;    /* number of fluid cells in the main part of the box */
    EnclosedRegion *enclosed;
    int enclosed_count;
    int main_part; /* index of the enclosed region that is the main part of a closed box; -1 if a
                      face of the box is open */
    double kicked[BILLOW_SOLIDS_MAX]; /* time by which a falling solid's velocity lags behind
                                         its position, s (solid_motion_advance) */
    double owed[SCALARS_MAX]; /* per scalar: amount in cells that moving solids covered, minus the
                                 amount that advection created around them; summed over cells */
    float given[SCALARS_MAX]; /* per scalar: relative correction in this substep */
    bool still;               /* whether no solid moves */
    float drag;               /* nu dt / h2 of this substep */
    uint64_t version;         /* changes when a solid moves */
} Solids;

/* -- solids.c ---------------------------------------------------------------------------------- */

/* Floats of memory that the solids need; 0 without solids. */
size_t solids_floats(const BillowDef *def, const Grid *grid);
/* Slices `memory`, which starts on a cache line, and sets sim->solids. */
void solids_cut(BillowSim *sim, float *memory);

/* Puts the solids at the positions of the definition. Smoke inside them moves to the nearest fluid.
 */
void solids_place(BillowSim *sim);
/* Changes positions and velocities. Smoke inside moved solids moves to the nearest fluid. */
void solids_set(BillowSim *sim, const BillowSolid *solids);
/* Changes them to those of a saved state. Its fields are loaded afterwards, so that no smoke moves.
 */
void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const double *owed);
/* Moves solids by dt. Runs after the scalars have been advected. */
void solids_move(BillowSim *sim, double dt);

/* Upper bound on the speed of any point of a surface, m/s. */
double solids_speed(const BillowSim *sim);
/* Distance from the centre of a cell to the nearest surface, in cells, negative inside. *solid
 * becomes the index of that solid. */
float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid);
/* The same distance, interpolated from the cell's corners. */
float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell);
/* Velocity along `axis` of the solid nearest to the middle of a face, m/s. */
float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k);
/* Whether that solid is sticky (no-slip). */
bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k);

/* -- motion (bodies.c) ------------------------------------------------------------------------- */

/* Moves a solid by dt. Its velocity becomes its mean velocity over dt, which the fluid needs. For a
 * falling solid that is the velocity in the middle of dt, and *behind becomes dt/2, the time by
 * which the velocity lags behind the position (leapfrog). A fall is thus the exact parabola at the
 * ends of steps of any length. */
void solid_motion_advance(const BillowDef *def, BillowSolid *solid, double *behind, double dt);

/* -- solid_flow.c ------------------------------------------------------------------------------ */

/* Before the projection, solids_mix sets cut faces to the mean of the fluid's and the solid's
 * velocity, weighted by the face fraction. After it, solids_unmix restores the fluid's velocity.
 * Each worker processes its slab, with a barrier before and after. Both need
 * SCRATCH_FLUID_VELOCITY. */
void solids_mix(BillowSim *sim, Slab slab);
void solids_unmix(BillowSim *sim, Slab slab);

/* Clears the right-hand sides inside solids and subtracts them from the plane's sums. */
void solids_empty(BillowSim *sim, int k);

/* Removes the vorticity confinement's force next to solids in row (j, k). The velocity jump at a
 * surface would count as an eddy there, and the force would amplify it without end. */
void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force);

/* Sets shut faces to the solid's velocity. Inside a slippery solid they get the mean of the open
 * faces next to them instead. Each worker processes its slab, between barriers. */
void solids_impose(BillowSim *sim, Slab slab);

/* Applies the viscous drag between the fluid and sticky surfaces. */
void solids_drag(BillowSim *sim, double dt);

/* -- solid_advection.c ------------------------------------------------------------------------- */

/* Distance to the nearest surface, in cells, interpolated between the cells' corners. `corner` is
 * the position in cells from the low corner of the box. */
float solids_distance_at(const BillowSim *sim, const float corner[3]);

/* Shortens the displacements of row (j, k) that cross a surface. */
void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut displacement);

/* Repeats the advection of row (j, k) near solids, and interpolates only between cells that open
 * faces connect. Each `out` points to the row's first cell. */
void solids_advect_row(const BillowSim *sim, int j, int k, const Advected *fields, int count);

/* Whether solids move, so that conservative advection creates and loses some smoke, fuel and colour
 * around them. */
bool solids_owe(const BillowSim *sim);
/* Sums the amounts that one advection step created in the slab's planes. Needs SCRATCH_VOLUMES. */
void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab);
/* Corrects the amounts around moving solids, after solids_count_made has run for all steps. */
void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team);

/* -- enclosed_regions.c ------------------------------------------------------------------------ */

/* Finds the enclosed regions and labels their cells. Runs between steps. Needs SCRATCH_REGIONS. */
void enclosed_regions_find(BillowSim *sim);
/* Subtracts the mean of the right-hand sides of each enclosed region, and excludes its cells from
 * the planes' sums. Runs on one worker. */
void enclosed_regions_balance(BillowSim *sim);

/* -- bodies.c: solids that overlap, emitters inside solids ------------------------------------- */

/* Whether two solids overlap by more than half a cell within the box. `where` becomes a point in
 * both of them, m. */
bool bodies_overlap(const BillowDef *def, const BillowSolid *a, const BillowSolid *b,
                    double where[3]);
/* Writes the message about that overlap and returns false. */
bool bodies_refuse_overlap(int first, int second, const double where[3], BillowError *error);

/* Whether an emitter of the definition lies wholly inside solids that do not move. Writes the
 * message if so. */
bool bodies_bury(const BillowDef *def, int emitter, BillowError *error);

/* Whether a solid has a velocity, a spin, or falls. */
bool bodies_move(const BillowSolid *solid);
/* Whether the shape occupies a different part of space. */
bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now);
bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now);

#endif
